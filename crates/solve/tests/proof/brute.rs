//! The problem game, written down as simply as possible and solved by looking at every position.
//!
//! Shares no code with the solver: stones are cells of the whole board, liberties are found by walking. All positions that can
//! arise are collected first; then the attacker's wins spread backwards from captured targets until nothing
//! changes, so that repetitions need no thought at all.

use std::collections::{HashMap, VecDeque};
use tesuji_board::{Color, Move, Point, Size};
use tesuji_solve::{Fate, Ko, Needs, Problem, Side, Threats, mover};

/// Positions beyond which a problem is not worth the time.
const MAX_STATES: usize = 10_000;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    cells: Vec<Option<Color>>,
    targets: Vec<usize>,
    to_move: Color,
    banned: Option<usize>,
    /// The attacker's and the defender's.
    threats: [Threats; 2],
}

/// A problem as plain data.
pub(crate) struct Brute<'a> {
    problem: &'a Problem,
    size: Size,
    points: Vec<Point>,
    in_region: Vec<bool>,
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
        let in_region = points.iter().map(|&point| problem.region().contains(point)).collect();
        let beside =
            points.iter().map(|&point| size.neighbors(point).map(|side| size.ordinal(side)).collect());
        Brute { problem, size, in_region, beside: beside.collect(), points: points.clone() }
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
        let mut numbers = HashMap::from([(root.clone(), 0)]);
        let mut states = vec![root];
        let mut successors: Vec<Vec<(Move, usize)>> = Vec::new();
        while successors.len() < states.len() {
            let state = states[successors.len()].clone();
            let mut found = Vec::new();
            if !state.targets.is_empty() {
                for (mv, next) in self.moves(&state) {
                    let number = *numbers.entry(next.clone()).or_insert(states.len());
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
        let mut queue: VecDeque<usize> =
            (0..states.len()).filter(|&s| states[s].targets.is_empty()).collect();
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
        State {
            cells: self.points.iter().map(|&point| board.color(point)).collect(),
            targets: self.problem.target_stones().iter().map(|point| self.size.ordinal(point)).collect(),
            to_move,
            banned: board.ko_point(to_move).map(|point| self.size.ordinal(point)),
            threats,
        }
    }

    fn moves(&self, state: &State) -> Vec<(Move, State)> {
        let mut moves = Vec::new();
        for at in (0..state.cells.len()).filter(|&at| self.in_region[at] && state.cells[at].is_none()) {
            if let Some(next) = self.play(state, at) {
                moves.push((Move::Play(self.points[at]), next));
            }
        }
        if state.to_move == self.problem.defender() {
            let next = State { to_move: !state.to_move, banned: None, ..state.clone() };
            moves.push((Move::Pass, next));
        }
        moves
    }

    fn play(&self, state: &State, at: usize) -> Option<State> {
        let color = state.to_move;
        let mut next = State { banned: None, to_move: !color, ..state.clone() };
        if state.banned == Some(at) {
            let own = &mut next.threats[usize::from(color == self.problem.defender())];
            *own = match *own {
                Threats::Number(0) => return None,
                Threats::Number(number) => Threats::Number(number - 1),
                Threats::Unlimited => Threats::Unlimited,
            };
        }
        next.cells[at] = Some(color);
        let mut captured = Vec::new();
        for &side in &self.beside[at] {
            if next.cells[side] == Some(!color) {
                let (chain, liberties) = self.chain(&next, side);
                if liberties.is_some_and(|liberties| liberties.is_empty()) {
                    for &stone in &chain {
                        next.cells[stone] = None;
                    }
                    captured.extend(chain);
                }
            }
        }
        next.targets.retain(|target| !captured.contains(target));
        let (chain, liberties) = self.chain(&next, at);
        if let Some(liberties) = liberties {
            if liberties.is_empty() {
                return None;
            }
            if captured.len() == 1 && chain.len() == 1 && liberties == captured {
                next.banned = Some(captured[0]);
            }
        }
        Some(next)
    }

    /// The stones of a chain and its liberties, or no liberties if it can never lose the last one.
    fn chain(&self, state: &State, start: usize) -> (Vec<usize>, Option<Vec<usize>>) {
        let color = state.cells[start];
        let (mut stones, mut liberties, mut is_safe) = (vec![start], Vec::new(), false);
        let mut done = 0;
        while done < stones.len() {
            let stone = stones[done];
            done += 1;
            is_safe |= !self.in_region[stone];
            for &side in &self.beside[stone] {
                if state.cells[side] == color {
                    if !stones.contains(&side) {
                        stones.push(side);
                    }
                } else if state.cells[side].is_none() && self.in_region[side] {
                    if !liberties.contains(&side) {
                        liberties.push(side);
                    }
                } else if state.cells[side].is_none() {
                    is_safe |= color.is_some_and(|color| self.problem.outside().is_liberty_of(color));
                }
            }
        }
        (stones, (!is_safe).then_some(liberties))
    }
}
