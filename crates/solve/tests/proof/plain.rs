//! From the solver's problems and answers to the plain ones of the reference.

use crate::reference::{ATTACKER, Answer, DEFENDER, EMPTY, Question, TARGET, Verdict};
use tesuji_board::{Board, Color, Move, Point};
use tesuji_solve::{Fate, Needs, Problem, Side, mover};

/// The problem as the reference wants it: the part of the board with the region and what stands beside it.
pub(crate) fn question(problem: &Problem) -> Question {
    let board = problem.board();
    let targets = problem.target_stones();
    let attacker = !problem.defender();
    let cell = |point| match board.color(point) {
        None => EMPTY,
        Some(color) if color == attacker => ATTACKER,
        Some(_) if targets.contains(point) => TARGET,
        Some(_) => DEFENDER,
    };
    let window = window(problem);
    let is_attackers_turn = mover(problem) == Side::Attacker;
    let own = if is_attackers_turn { ATTACKER } else { DEFENDER };
    let forbidden = board.ko_point(problem.to_move()).map(|ko| {
        let captor = captor(board, ko);
        let before = |&point: &Point| match point {
            point if point == ko => own,
            point if Some(point) == captor => EMPTY,
            point => cell(point),
        };
        window.iter().map(before).collect()
    });
    Question {
        width: window.iter().filter(|&&point| board.size().y(point) == board.size().y(window[0])).count(),
        cells: window.iter().map(|&point| cell(point)).collect(),
        is_inside: window.iter().map(|&point| problem.region().contains(point)).collect(),
        has_outside: [attacker, !attacker].map(|color| problem.outside().is_liberty_of(color)),
        is_attackers_turn,
        forbidden,
    }
}

/// The smallest rectangle that holds the region and all points beside it, row by row.
fn window(problem: &Problem) -> Vec<Point> {
    let size = problem.board().size();
    let inside = || problem.region().iter();
    let is_near = |at: usize, of: &dyn Fn(Point) -> usize| {
        inside().map(of).min().is_some_and(|least| at + 1 >= least)
            && inside().map(of).max().is_some_and(|most| at <= most + 1)
    };
    let is_in = |&point: &Point| {
        is_near(size.x(point), &|point| size.x(point)) && is_near(size.y(point), &|point| size.y(point))
    };
    size.points().filter(is_in).collect()
}

/// The stone that took the ko.
fn captor(board: &Board, ko: Point) -> Option<Point> {
    let is_it = |&side: &Point| {
        board.color(side).is_some() && {
            let chain = board.chain_at(side);
            board.stones(chain).count() == 1 && board.liberty_count(chain) == 1
        }
    };
    board.size().neighbors(ko).find(is_it)
}

/// Whether a stone of `color` at an empty point takes a ko, so that the opponent's last move there may have been one.
pub(crate) fn is_ko(board: &Board, at: Point, color: Color) -> bool {
    let is_taken = |side: Point| {
        board.color(side) == Some(!color) && {
            let chain = board.chain_at(side);
            board.stones(chain).count() == 1 && board.liberty_count(chain) == 1
        }
    };
    let sides = board.size().neighbors(at);
    let (taken, other): (Vec<Point>, Vec<Point>) = sides.partition(|&side| is_taken(side));
    board.is_empty(at) && taken.len() == 1 && other.iter().all(|&side| board.color(side) == Some(!color))
}

/// The fate of the solver in the words of the reference.
pub(crate) fn verdict(fate: Fate) -> Option<Verdict> {
    match fate {
        Fate::Lives => Some(Verdict::Lives),
        Fate::Dies => Some(Verdict::Dies),
        Fate::Ko(ko) => {
            let needs = match ko.needs {
                Needs::One => 1,
                Needs::Two => 2,
                Needs::Many => 3,
            };
            Some(Verdict::Ko { attacker_wins: ko.favours == Side::Attacker, needs })
        }
        Fate::Unknown => None,
    }
}

impl Answer {
    /// The best moves as the board names them, and the right ones.
    pub(crate) fn moves(&self, problem: &Problem) -> [Vec<Move>; 2] {
        [&self.best, &self.right].map(|moves| names(problem, moves))
    }
}

/// Moves of the reference as the board names them.
pub(crate) fn names(problem: &Problem, moves: &[Option<usize>]) -> Vec<Move> {
    let window = window(problem);
    moves.iter().map(|mv| mv.map_or(Move::Pass, |at| Move::Play(window[at]))).collect()
}
