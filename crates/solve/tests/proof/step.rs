//! Answers that fit together: what a position is worth follows from what it is worth after each move. Positions are too large for the reference here, and those
//! after a move are solved with a table that knows nothing of the one before. A verdict that is wrong at one of the two places would tell; one that is wrong at both would not.

use crate::rng::Rng;
use crate::walled::random_draft;
use std::sync::atomic::AtomicBool;
use tesuji_board::{Point, Suicide};
use tesuji_solve::{
    Detail, Fate, Goal, Limits, Needs, Outside, Problem, ProblemError, Side, Solver, mover, write_json_line,
};
use tesuji_solve::{Draft, Record};

/// Positions that are looked at.
const POSITIONS: usize = 200;

/// Beyond this a position is left out.
const NODES: u64 = 30_000;

/// The threats that the attacker needs where the defender has none, and that the defender needs where the attacker has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worth {
    to_kill: u8,
    to_save: u8,
}

/// More than two threats; and no number of them.
const MANY: u8 = 3;
const NEVER: u8 = 4;

const DEAD: Worth = Worth { to_kill: 0, to_save: NEVER };
const ALIVE: Worth = Worth { to_kill: NEVER, to_save: 0 };

impl Worth {
    fn of(fate: Fate) -> Option<Worth> {
        let number = |needs| match needs {
            Needs::One => 1,
            Needs::Two => 2,
            Needs::Many => MANY,
        };
        match fate {
            Fate::Dies => Some(DEAD),
            Fate::Lives => Some(ALIVE),
            Fate::Ko(ko) if ko.favours == Side::Attacker => Some(Worth { to_save: number(ko.needs), ..DEAD }),
            Fate::Ko(ko) => Some(Worth { to_kill: number(ko.needs), ..ALIVE }),
            Fate::Unknown => None,
        }
    }

    /// The better of two for a side.
    fn better(self, other: Worth, side: Side) -> Worth {
        match side {
            Side::Attacker => {
                Worth { to_kill: self.to_kill.min(other.to_kill), to_save: self.to_save.max(other.to_save) }
            }
            Side::Defender => {
                Worth { to_kill: self.to_kill.max(other.to_kill), to_save: self.to_save.min(other.to_save) }
            }
        }
    }
}

struct Judge {
    solver: Solver,
    stop: AtomicBool,
}

impl Judge {
    fn worth(&mut self, problem: &Problem) -> Option<Worth> {
        let limits = Limits { nodes: NODES, stop: &self.stop, has_time: &|| true };
        Worth::of(self.solver.solve(problem, Detail::Fate, &limits).fate)
    }

    /// What a position is worth by what it is worth after each move; nothing if one of them is too hard.
    fn by_moves(&mut self, problem: &Problem) -> Option<Worth> {
        let side = mover(problem);
        // An attacker without a move gives up, a defender may always pass.
        let mut best = match side {
            Side::Attacker => ALIVE,
            Side::Defender => self.worth(&problem.with_other_side_first())?,
        };
        for point in problem.region().iter().collect::<Vec<Point>>() {
            match after(problem, point) {
                None => {}
                Some(Next::Worth(worth)) => best = best.better(worth, side),
                Some(Next::Problem(next)) => best = best.better(self.worth(&next)?, side),
            }
        }
        Some(best)
    }
}

/// What a move leads to.
enum Next {
    Problem(Box<Problem>),
    Worth(Worth),
}

fn after(problem: &Problem, point: Point) -> Option<Next> {
    let mut board = problem.board().clone();
    board.play(point, problem.to_move(), Suicide::Forbidden).ok()?;
    let stones = problem.target_stones();
    let targets: Vec<Point> = stones.iter().filter(|&stone| board.color(stone).is_some()).collect();
    if targets.is_empty() {
        return Some(Next::Worth(DEAD));
    }
    let goal = if problem.goal().is_attack() { Goal::Live } else { Goal::Kill };
    let next = Problem::new(board, *problem.region(), &targets, !problem.to_move(), goal, problem.outside());
    Some(match next {
        Ok(next) => Next::Problem(Box::new(next)),
        Err(ProblemError::AlreadyAlive) => Next::Worth(ALIVE),
        Err(error) => panic!("{error}"),
    })
}

/// Whether the rules of the board are those of the problem: outside are the attacker's stones, none of which can be captured.
fn is_closed(problem: &Problem) -> bool {
    let (board, region) = (problem.board(), problem.region());
    let is_wall = |point: Point| {
        board.color(point) == Some(!problem.defender())
            && board.liberties(board.chain_at(point)).any(|liberty| !region.contains(liberty))
    };
    let mut beside = region.iter().flat_map(|point| board.size().neighbors(point));
    problem.outside() == Outside::Owned(!problem.defender())
        && beside.all(|point| region.contains(point) || is_wall(point))
}

#[test]
fn what_a_position_is_worth_follows_from_its_moves() {
    let mut rng = Rng::new(31);
    let mut judge = Judge { solver: Solver::new(8 << 20), stop: AtomicBool::new(false) };
    let (mut done, mut kos, mut largest) = (0, 0, 0);
    while done < POSITIONS {
        let Some(problem) = random_draft(&mut rng).and_then(|draft| draft.complete().ok()) else { continue };
        let problem = problem.problem;
        // A threat that lifts the ban on the first move leads to one threat less.
        let has_ban = problem.board().ko_point(problem.to_move()).is_some();
        if has_ban || !(8..=14).contains(&problem.empty_points()) || !is_closed(&problem) {
            continue;
        }
        let Some(worth) = judge.worth(&problem) else { continue };
        let Some(by_moves) = judge.by_moves(&problem) else { continue };
        assert_eq!(worth, by_moves, "{}", describe(&problem));
        done += 1;
        kos += usize::from(worth != DEAD && worth != ALIVE);
        largest += usize::from(problem.empty_points() >= 12);
    }
    assert!(kos >= POSITIONS / 20 && largest >= POSITIONS / 10, "{kos} kos, {largest} with much room");
}

fn describe(problem: &Problem) -> String {
    let limits = Limits { nodes: 0, stop: &AtomicBool::new(true), has_time: &|| false };
    let solution = Solver::new(1 << 12).solve(problem, Detail::Fate, &limits);
    let draft = Draft::new(problem.board().clone(), problem.to_move());
    write_json_line(&Record::new(draft), problem, &solution)
}
