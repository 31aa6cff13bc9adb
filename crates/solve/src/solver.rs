//! Solves a problem: the fate of the target, with the ko verdicts, and the moves that lead to it.
//!
//! Each question is one proof search with given threats (see `problem.rs`). The first is asked with the threats all on the
//! opponent's side: if the side to move succeeds even so, the answer is unconditional and nothing else is asked.

use crate::advice::{Advice, Advisor};
use crate::arena::{Arena, bit, members};
use crate::cache::Caches;
use crate::dfpn::{Limits, Search};
use crate::forced::Actions;
use crate::memory::{Memory, Shared};
use crate::position::{Action, Position};
use crate::problem::{Problem, Threats};
use crate::seki;
use crate::side::Side;
use crate::solution::{Detail, Fate, Ko, Line, LineEnd, Needs, Solution};
use crate::table::{OutOfMemory, Table};
use crate::team::{ALONE, Helpers};
use tesuji_board::Move;

/// Longest line of play that is reported, in moves.
const MAX_LINE: usize = 60;

/// Nodes for each first move in the first round.
const FIRST_NODES: u64 = 2_000;

/// Most threads on one problem; each has caches of its own.
const MAX_THREADS: usize = 64;

/// Bytes for the moves of the longest line, and all else that a search needs beside its tables.
const FOR_LINE: usize = 1 << 20;

/// A solver with its table; one problem after another.
pub struct Solver {
    table: Store,
    caches: Caches,
    /// Of the other threads.
    helpers: Vec<Caches>,
    /// Nodes of a question until they help.
    helped_after: u64,
    advice: Option<Advice>,
}

enum Store {
    Own(Table),
    Shared(Shared),
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver").field("bytes", &self.bytes()).finish()
    }
}

impl Solver {
    /// A solver that takes at most `bytes` of memory, from now on and for ever. If that is less than twice the few mebibytes of
    /// its caches, these come on top of half of it.
    pub fn new(bytes: usize) -> Solver {
        Solver::with_table(Store::Own(Table::new(bytes_for_table(bytes, 1))), 1)
    }

    /// The same, for a number of bytes that there may not be.
    pub fn try_new(bytes: usize) -> Result<Solver, OutOfMemory> {
        Solver::for_threads(bytes, 1)
    }

    /// The same, with so many threads, at most 64, that work on each question together. The clock is that of the thread that asks.
    pub fn for_threads(bytes: usize, threads: usize) -> Result<Solver, OutOfMemory> {
        let threads = threads.clamp(1, MAX_THREADS);
        let for_table = bytes_for_table(bytes, threads);
        let table = match threads {
            1 => Store::Own(Table::try_new(for_table)?),
            _ => Store::Shared(Shared::try_new(for_table)?),
        };
        Ok(Solver::with_table(table, threads))
    }

    /// The same solver, whose other threads help with a question once it has taken so many nodes.
    pub fn helped_after(mut self, nodes: u64) -> Solver {
        self.helped_after = nodes;
        self
    }

    fn with_table(table: Store, threads: usize) -> Solver {
        let helpers = (1..threads).map(|_| Caches::new()).collect();
        Solver { table, caches: Caches::new(), helpers, helped_after: ALONE, advice: None }
    }

    /// The same solver, which looks first at the moves that somebody thinks likely. The answers that it remembers come on top of its memory, half a mebibyte.
    pub fn advised_by(mut self, advisor: Box<dyn Advisor>) -> Solver {
        self.advice = Some(Advice::of(advisor));
        self
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> usize {
        match &self.table {
            Store::Own(table) => table.bytes(),
            Store::Shared(table) => table.bytes(),
        }
    }

    /// Solves a problem as far as the limits allow.
    pub fn solve(&mut self, problem: &Problem, detail: Detail, limits: &Limits<'_>) -> Solution {
        self.forget();
        self.solve_if_easy(problem, detail, limits, u64::MAX)
    }

    /// Forgets all positions. Those of another problem are harmless, but they take room.
    pub(crate) fn forget(&mut self) {
        match &mut self.table {
            Store::Own(table) => table.clear(),
            Store::Shared(table) => table.clear(),
        }
        self.caches.clear();
        self.helpers.iter_mut().for_each(Caches::clear);
        if let Some(advice) = &mut self.advice {
            advice.clear();
        }
    }

    /// The same, but given up if the fate is not found with so many nodes. What was found out before is remembered, of this question and of
    /// others, so that asking again goes on from there.
    pub(crate) fn solve_if_easy(
        &mut self,
        problem: &Problem,
        detail: Detail,
        limits: &Limits<'_>,
        fate_nodes: u64,
    ) -> Solution {
        let (arena, advice) = (Arena::new(problem), self.advice.as_mut());
        match &mut self.table {
            Store::Own(table) => {
                let search = Search::new(&arena, problem, (table, &mut self.caches), advice, limits);
                Work::new(search, fate_nodes).solve(detail)
            }
            Store::Shared(table) => {
                let table = &*table;
                let mut search = Search::new(&arena, problem, (table, &mut self.caches), advice, limits);
                let (caches, after) = (self.helpers.as_mut_slice(), self.helped_after);
                search.helpers = Some(Helpers { table, caches, after });
                Work::new(search, fate_nodes).solve(detail)
            }
        }
    }

    /// Whether the target lives or dies outright, if that is found with so many nodes: in the way that the side to move wants, or, for an attacker, that the target lives
    /// anyway; and the nodes that it took. Less is asked than for a fate.
    pub(crate) fn outright(
        &mut self,
        problem: &Problem,
        limits: &Limits<'_>,
        nodes: u64,
    ) -> (Option<Outright>, u64) {
        let (arena, advice) = (Arena::new(problem), self.advice.as_mut());
        match &mut self.table {
            Store::Own(table) => {
                let search = Search::new(&arena, problem, (table, &mut self.caches), advice, limits);
                Work::new(search, nodes).outright()
            }
            Store::Shared(table) => {
                let table = &*table;
                let mut search = Search::new(&arena, problem, (table, &mut self.caches), advice, limits);
                let (caches, after) = (self.helpers.as_mut_slice(), self.helped_after);
                search.helpers = Some(Helpers { table, caches, after });
                Work::new(search, nodes).outright()
            }
        }
    }
}

/// A first answer about a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outright {
    Lives,
    Dies,
    /// A ko, or the defender moves first and does not live outright.
    Neither,
}

fn bytes_for_table(bytes: usize, threads: usize) -> usize {
    bytes.saturating_sub((Caches::BYTES + FOR_LINE).saturating_mul(threads)).max(bytes / 2)
}

/// The side that moves first.
pub fn mover(problem: &Problem) -> Side {
    if problem.goal().is_attack() { Side::Attacker } else { Side::Defender }
}

struct Work<'a, M> {
    arena: &'a Arena,
    problem: &'a Problem,
    search: Search<'a, M>,
    mover: Side,
    limits: &'a Limits<'a>,
    /// Most nodes until the fate is known.
    fate_nodes: u64,
}

impl<'a, M: Memory> Work<'a, M> {
    fn new(search: Search<'a, M>, fate_nodes: u64) -> Work<'a, M> {
        let Search { arena, problem, limits, .. } = search;
        Work { arena, problem, search, mover: mover(problem), limits, fate_nodes }
    }

    fn solve(mut self, detail: Detail) -> Solution {
        let fate = self.fate();
        let mut solution = Solution {
            fate,
            is_seki: false,
            best_moves: Vec::new(),
            right_moves: Vec::new(),
            undecided: Vec::new(),
            line: Line { moves: Vec::new(), after_threat: Vec::new(), end: LineEnd::Open },
            refutations: Vec::new(),
            nodes: 0,
        };
        if fate != Fate::Unknown && detail >= Detail::Line {
            self.add_moves(&mut solution, detail);
        }
        solution.nodes = self.search.nodes();
        solution
    }

    fn fate(&mut self) -> Fate {
        let fate_if_won = |winner| if winner == Side::Attacker { Fate::Dies } else { Fate::Lives };
        let Some(winner) = self.winner(Threats::NONE, Threats::Unlimited) else { return Fate::Unknown };
        if winner == self.mover {
            return fate_if_won(winner);
        }
        match self.winner(Threats::Unlimited, Threats::NONE) {
            None => Fate::Unknown,
            Some(winner) if winner != self.mover => fate_if_won(winner),
            Some(_) => self.ko().map_or(Fate::Unknown, Fate::Ko),
        }
    }

    fn outright(mut self) -> (Option<Outright>, u64) {
        let answer = self.first_answer();
        (answer, self.search.nodes())
    }

    fn first_answer(&mut self) -> Option<Outright> {
        let winner = self.winner(Threats::NONE, Threats::Unlimited)?;
        Some(match (self.mover, winner) {
            (Side::Attacker, Side::Attacker) => Outright::Dies,
            (Side::Defender, Side::Defender) => Outright::Lives,
            (Side::Defender, Side::Attacker) => Outright::Neither,
            (Side::Attacker, Side::Defender) => match self.winner(Threats::Unlimited, Threats::NONE)? {
                Side::Attacker => Outright::Neither,
                Side::Defender => Outright::Lives,
            },
        })
    }

    fn ko(&mut self) -> Option<Ko> {
        let favours = self.winner(Threats::NONE, Threats::NONE)?;
        for needs in [Needs::One, Needs::Two] {
            let winner = if favours == self.mover {
                self.winner(Threats::NONE, needs.threats())?
            } else {
                self.winner(needs.threats(), Threats::NONE)?
            };
            if winner != favours {
                return Some(Ko { favours, needs });
            }
        }
        Some(Ko { favours, needs: Needs::Many })
    }

    fn winner(&mut self, movers: Threats, opponents: Threats) -> Option<Side> {
        let root = self.root(movers, opponents);
        self.search.winner_within(&root, self.fate_nodes.saturating_sub(self.search.nodes()))
    }

    fn root(&self, movers: Threats, opponents: Threats) -> Position {
        let threats = match self.mover {
            Side::Attacker => [movers, opponents],
            Side::Defender => [opponents, movers],
        };
        root_position(self.arena, self.problem, threats)
    }

    fn add_moves(&mut self, solution: &mut Solution, detail: Detail) {
        let threats = solution.fate.decisive_threats(self.mover);
        let root = root_position(self.arena, self.problem, threats);
        let mut other = Vec::new();
        let choices = actions(self.arena, &root);
        let is_searched = detail >= Detail::AllMoves;
        let winners = if is_searched { self.winners(&choices) } else { self.known_winners(&choices) };
        for ((action, next), winner) in choices.into_iter().zip(winners) {
            match winner {
                Some(winner) if winner == self.mover => solution.best_moves.push(self.name(action)),
                Some(_) => other.push((action, next)),
                None if is_searched => solution.undecided.push(self.name(action)),
                None => {}
            }
        }
        if detail >= Detail::AllMoves {
            self.add_right_moves(solution);
        }
        let (line, positions) = self.line(&root);
        solution.line = line;
        if detail < Detail::AllMoves {
            let best = solution.line.moves.first().copied();
            solution.best_moves.retain(|&mv| Some(mv) == best);
        }
        if solution.fate == Fate::Lives {
            let is_seki = |position| seki::is_seki(self.arena, position, self.problem, self.limits);
            solution.is_seki = positions.iter().any(is_seki);
        }
        if detail >= Detail::Refutations {
            for (action, next) in other {
                let (line, _) = self.line(&next);
                let line = line.after(self.name(action), is_after_threat(&root, action));
                solution.refutations.push(line);
            }
        }
    }

    fn add_right_moves(&mut self, solution: &mut Solution) {
        solution.right_moves = solution.best_moves.clone();
        if !matches!(solution.fate, Fate::Ko(_)) {
            return;
        }
        let root = root_position(self.arena, self.problem, solution.fate.level_threats(self.mover));
        let mut choices = actions(self.arena, &root);
        choices.retain(|&(action, _)| !solution.right_moves.contains(&self.name(action)));
        // A move that is not best may still be right, and is undecided as long as that is not known.
        solution.undecided.clear();
        for (&(action, _), winner) in choices.iter().zip(self.winners(&choices)) {
            match winner {
                Some(winner) if winner == self.mover => solution.right_moves.push(self.name(action)),
                Some(_) => {}
                None => solution.undecided.push(self.name(action)),
            }
        }
    }

    fn known_winners(&self, choices: &[(Action, Position)]) -> Vec<Option<Side>> {
        choices.iter().map(|(_, next)| self.search.known_winner(next)).collect()
    }

    /// Who wins after each move. All get few nodes, then the rest more, so that one hard question does not keep the others from an
    /// answer.
    fn winners(&mut self, choices: &[(Action, Position)]) -> Vec<Option<Side>> {
        let mut winners = vec![None; choices.len()];
        let mut nodes = FIRST_NODES;
        while winners.contains(&None) && !self.search.is_stopped() {
            for ((_, next), winner) in choices.iter().zip(&mut winners).filter(|(_, winner)| winner.is_none())
            {
                *winner = self.search.winner_within(next, nodes);
            }
            nodes = nodes.saturating_mul(4);
        }
        winners
    }

    /// Best play from a position whose winner is known, and the positions passed. The winner plays proven moves, the loser those
    /// that took the most work to refute.
    fn line(&mut self, start: &Position) -> (Line, Vec<Position>) {
        let (mut moves, mut after_threat, mut track) = (Vec::new(), Vec::new(), Track::from(*start));
        let end = loop {
            let position = track.last();
            let Some(winner) = self.search.winner(&position) else { break LineEnd::Open };
            if position.targets() == 0 {
                break LineEnd::Captured;
            }
            if winner == Side::Defender && crate::life::target_lives(self.arena, &position) {
                break LineEnd::Alive;
            }
            if moves.len() >= MAX_LINE {
                break LineEnd::Open;
            }
            let Some((action, next)) = self.choose(&position, winner, &track) else {
                let may_be_cut = winner == position.turn();
                break if may_be_cut { LineEnd::Open } else { LineEnd::NoMove };
            };
            if is_after_threat(&position, action) {
                after_threat.push(moves.len());
            }
            moves.push(self.name(action));
            let round = track.round(action, &next);
            track.add(action, next);
            match round {
                None => {}
                Some(Side::Defender) => break LineEnd::Repetition,
                Some(Side::Attacker) => break LineEnd::ThreatsRunOut,
            }
        };
        (Line { moves, after_threat, end }, track.positions)
    }

    fn choose(&mut self, position: &Position, winner: Side, track: &Track) -> Option<(Action, Position)> {
        let mut choices = actions(self.arena, position);
        if position.turn() == winner {
            choices.retain(|(action, next)| track.round(*action, next).is_none_or(|side| side == winner));
            // What is known to win needs no new search; least work makes the shortest line.
            let known = choices.iter().filter(|(_, next)| self.search.known_winner(next) == Some(winner));
            if let Some(&best) = known.min_by_key(|(_, next)| self.search.work(next)) {
                return Some(best);
            }
            let is_won = |next: &Position, search: &mut Search<'_, M>| search.winner(next) == Some(winner);
            return choices.into_iter().find(|(_, next)| is_won(next, &mut self.search));
        }
        let forced = Actions::of(self.arena, position);
        let is_sensible = |action: &Action| match action {
            Action::Play(at) => forced.points & bit(usize::from(*at)) != 0,
            Action::Pass => forced.may_pass,
        };
        let stubborn = choices.iter().filter(|(action, _)| is_sensible(action));
        stubborn.max_by_key(|(_, next)| self.search.work(next)).or(choices.first()).copied()
    }

    fn name(&self, action: Action) -> Move {
        match action {
            Action::Play(at) => Move::Play(self.arena.point(usize::from(at))),
            Action::Pass => Move::Pass,
        }
    }
}

/// The first position of a problem.
pub(crate) fn root_position(arena: &Arena, problem: &Problem, threats: [Threats; 2]) -> Position {
    let board = problem.board();
    let mut stones = [0; 2];
    for at in 0..arena.len() {
        if let Some(color) = board.color(arena.point(at)) {
            let side = if color == problem.defender() { Side::Defender } else { Side::Attacker };
            stones[side.index()] |= bit(at);
        }
    }
    let target_stones = problem.target_stones();
    let targets = target_stones.iter().filter_map(|point| arena.index_of(point)).map(bit);
    let banned = board.ko_point(problem.to_move()).and_then(|point| arena.index_of(point));
    let targets = targets.fold(0, |all, one| all | one);
    Position::new(stones, targets, mover(problem), banned, threats).in_region(arena.hash())
}

/// All legal actions, the pass last if there is one that does not give up.
fn actions(arena: &Arena, position: &Position) -> Vec<(Action, Position)> {
    let points = members(position.empty(arena)).map(|at| Action::Play(at as u8));
    let all = points.chain(position.may_pass().then_some(Action::Pass));
    all.filter_map(|action| Some((action, position.after(arena, action)?))).collect()
}

/// Whether an action retakes a ko at the price of a threat.
fn is_after_threat(position: &Position, action: Action) -> bool {
    matches!(action, Action::Play(at) if position.costs_threat(usize::from(at)))
}

/// The positions of a line, and how many moves before each cost the defender a threat.
struct Track {
    positions: Vec<Position>,
    costs: Vec<u32>,
}

impl Track {
    fn from(start: Position) -> Track {
        Track { positions: vec![start], costs: vec![0] }
    }

    fn last(&self) -> Position {
        self.positions[self.positions.len() - 1]
    }

    fn costs_with(&self, action: Action) -> u32 {
        let is_paid = matches!(action, Action::Play(at) if self.last().costs_defender(usize::from(at)));
        self.costs[self.costs.len() - 1] + u32::from(is_paid)
    }

    /// Who wins by the repetition that an action leads to, if it leads to one.
    fn round(&self, action: Action, next: &Position) -> Option<Side> {
        let before = self.positions.iter().position(|position| position == next)?;
        let is_free = self.costs_with(action) == self.costs[before];
        Some(if is_free { Side::Defender } else { Side::Attacker })
    }

    fn add(&mut self, action: Action, next: Position) {
        self.costs.push(self.costs_with(action));
        self.positions.push(next);
    }
}
