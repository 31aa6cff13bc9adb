//! The problem game, written down as simply as possible and solved by looking at every position.
//!
//! Shares no code with the solver: positions are of the whole board, which has at most 128 points so that a set of them is a
//! number, and liberties are found by walking. All positions that can arise are collected first; then the attacker's wins spread backwards from captured targets until nothing
//! changes, so that repetitions need no thought at all.

use std::collections::{HashMap, VecDeque};
use tesuji_board::{Color, Move, Point, Size};
use tesuji_solve::{Fate, Ko, Needs, Problem, Side, Threats, mover};

/// Positions beyond which a problem is not worth the time.
const MAX_STATES: usize = 10_000;

/// A set of points of the board, by ordinal.
type Set = u128;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    black: Set,
    white: Set,
    targets: Set,
    to_move: Color,
    banned: Option<usize>,
    /// The attacker's and the defender's.
    threats: [Threats; 2],
}

impl State {
    fn stones(&self, color: Color) -> Set {
        if color == Color::Black { self.black } else { self.white }
    }

    fn stones_mut(&mut self, color: Color) -> &mut Set {
        if color == Color::Black { &mut self.black } else { &mut self.white }
    }

    fn is_empty(&self, at: usize) -> bool {
        !has(self.black | self.white, at)
    }
}

/// A problem as plain data.
pub(crate) struct Brute<'a> {
    problem: &'a Problem,
    size: Size,
    points: Vec<Point>,
    region: Set,
    beside: Vec<Vec<usize>>,
}

/// The answer, in the solver's words.
pub(crate) struct Answer {
    pub(crate) fate: Fate,
    pub(crate) best_moves: Vec<Move>,
}

impl<'a> Brute<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Brute<'a> {
        let size = problem.board().size();
        let points: Vec<Point> = size.points().collect();
        assert!(points.len() <= 128, "the board is too large for brute force");
        let region = set(problem.region().iter().map(|point| size.ordinal(point)));
        let beside =
            points.iter().map(|&point| size.neighbors(point).map(|side| size.ordinal(side)).collect());
        Brute { problem, size, region, beside: beside.collect(), points: points.clone() }
    }

    /// The fate and the moves that reach it; nothing if there are too many positions.
    pub(crate) fn solve(&self) -> Option<Answer> {
        let mover = mover(self.problem);
        let none = Threats::NONE;
        let succeeds = |movers, opponents| Some(self.winner(movers, opponents)?.0 == mover);
        let (lives, dies) = (Fate::Lives, Fate::Dies);
        let (success, failure) = if mover == Side::Attacker { (dies, lives) } else { (lives, dies) };
        let (fate, movers, opponents) = if succeeds(none, Threats::Unlimited)? {
            (success, none, Threats::Unlimited)
        } else if !succeeds(Threats::Unlimited, none)? {
            (failure, Threats::Unlimited, none)
        } else if succeeds(none, none)? {
            let needs = if !succeeds(none, Threats::Number(1))? {
                Needs::One
            } else if !succeeds(none, Threats::Number(2))? {
                Needs::Two
            } else {
                Needs::Many
            };
            (Fate::Ko(Ko { favours: mover, needs }), none, needs.too_few())
        } else {
            let needs = if succeeds(Threats::Number(1), none)? {
                Needs::One
            } else if succeeds(Threats::Number(2), none)? {
                Needs::Two
            } else {
                Needs::Many
            };
            (Fate::Ko(Ko { favours: !mover, needs }), needs.threats(), none)
        };
        Some(Answer { fate, best_moves: self.winner(movers, opponents)?.1 })
    }

    /// Who wins with these threats, and the first moves with which the side to move does.
    fn winner(&self, movers: Threats, opponents: Threats) -> Option<(Side, Vec<Move>)> {
        let mover = mover(self.problem);
        let threats = if mover == Side::Attacker { [movers, opponents] } else { [opponents, movers] };
        let root = self.root(threats);
        let mut numbers = HashMap::from([(root, 0)]);
        let mut states = vec![root];
        let mut successors: Vec<Vec<(Move, usize)>> = Vec::new();
        while successors.len() < states.len() {
            let state = states[successors.len()];
            let mut found = Vec::new();
            if state.targets != 0 {
                for (mv, next) in self.moves(&state) {
                    let number = *numbers.entry(next).or_insert(states.len());
                    if number == states.len() {
                        states.push(next);
                    }
                    found.push((mv, number));
                }
            }
            successors.push(found);
            if states.len() > MAX_STATES {
                return None;
            }
        }
        let is_lost = self.captures(&states, &successors);
        let winner = |state: usize| if is_lost[state] { Side::Attacker } else { Side::Defender };
        let winning = successors[0].iter().filter(|&&(_, next)| winner(next) == mover).map(|&(mv, _)| mv);
        Some((winner(0), winning.collect()))
    }

    /// Whether the target is captured from each state.
    fn captures(&self, states: &[State], successors: &[Vec<(Move, usize)>]) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); states.len()];
        for (state, next) in successors.iter().enumerate() {
            for &(_, next) in next {
                predecessors[next].push(state);
            }
        }
        let mut open: Vec<usize> = successors.iter().map(Vec::len).collect();
        let mut is_captured = vec![false; states.len()];
        let mut queue: VecDeque<usize> = (0..states.len()).filter(|&s| states[s].targets == 0).collect();
        for &state in &queue {
            is_captured[state] = true;
        }
        while let Some(state) = queue.pop_front() {
            for &before in &predecessors[state] {
                open[before] -= 1;
                let is_defenders = states[before].to_move == self.problem.defender();
                if !is_captured[before] && (!is_defenders || open[before] == 0) {
                    is_captured[before] = true;
                    queue.push_back(before);
                }
            }
        }
        is_captured
    }

    fn root(&self, threats: [Threats; 2]) -> State {
        let board = self.problem.board();
        let to_move = self.problem.to_move();
        let stones = |color| {
            let of_color = self.points.iter().filter(|&&point| board.color(point) == Some(color));
            set(of_color.map(|&point| self.size.ordinal(point)))
        };
        State {
            black: stones(Color::Black),
            white: stones(Color::White),
            targets: set(self.problem.target_stones().iter().map(|point| self.size.ordinal(point))),
            to_move,
            banned: board.ko_point(to_move).map(|point| self.size.ordinal(point)),
            threats,
        }
    }

    fn moves(&self, state: &State) -> Vec<(Move, State)> {
        let mut moves = Vec::new();
        for at in (0..self.points.len()).filter(|&at| has(self.region, at) && state.is_empty(at)) {
            if let Some(next) = self.play(state, at) {
                moves.push((Move::Play(self.points[at]), next));
            }
        }
        if state.to_move == self.problem.defender() {
            let next = State { to_move: !state.to_move, banned: None, ..*state };
            moves.push((Move::Pass, next));
        }
        moves
    }

    fn play(&self, state: &State, at: usize) -> Option<State> {
        let color = state.to_move;
        let mut next = State { banned: None, to_move: !color, ..*state };
        if state.banned == Some(at) {
            let own = &mut next.threats[usize::from(color == self.problem.defender())];
            *own = match *own {
                Threats::Number(0) => return None,
                Threats::Number(number) => Threats::Number(number - 1),
                Threats::Unlimited => Threats::Unlimited,
            };
        }
        *next.stones_mut(color) |= 1 << at;
        let mut captured: Set = 0;
        for &side in &self.beside[at] {
            if has(next.stones(!color), side) {
                let (chain, liberties) = self.chain(&next, side, !color);
                if liberties == Some(0) {
                    *next.stones_mut(!color) &= !chain;
                    captured |= chain;
                }
            }
        }
        next.targets &= !captured;
        let (chain, liberties) = self.chain(&next, at, color);
        if liberties == Some(0) {
            return None;
        }
        if captured.count_ones() == 1 && chain == 1 << at && liberties == Some(captured) {
            next.banned = Some(captured.trailing_zeros() as usize);
        }
        Some(next)
    }

    /// The stones of a chain and its liberties, or no liberties if it can never lose the last one.
    fn chain(&self, state: &State, start: usize, color: Color) -> (Set, Option<Set>) {
        let (mut stones, mut liberties, mut is_safe): (Set, Set, bool) = (1 << start, 0, false);
        let mut walk = vec![start];
        while let Some(stone) = walk.pop() {
            is_safe |= !has(self.region, stone);
            for &side in &self.beside[stone] {
                if has(state.stones(color), side) {
                    if !has(stones, side) {
                        stones |= 1 << side;
                        walk.push(side);
                    }
                } else if state.is_empty(side) {
                    if has(self.region, side) {
                        liberties |= 1 << side;
                    } else {
                        is_safe |= self.problem.outside().is_liberty_of(color);
                    }
                }
            }
        }
        (stones, (!is_safe).then_some(liberties))
    }
}

fn set(members: impl Iterator<Item = usize>) -> Set {
    members.fold(0, |set, at| set | 1 << at)
}

fn has(set: Set, at: usize) -> bool {
    set >> at & 1 == 1
}
