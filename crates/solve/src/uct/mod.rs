//! UCT for the problem game, with a bonus for moves that are near to a proof.
//!
//! *The idea* (UCT proof-probability search): a move is proved when every reply to it is refuted. If the share of playouts that
//! the mover won after a reply is taken for the probability that the reply will be refuted, the product over all replies is the
//! probability F that the move will be proved. Moves are chosen by `UCB1 + c·F`; c = 0 is plain UCT. Its rival PN-MCTS takes F from proof numbers instead: see `rule.rs`.
//!
//! *The search.* Every playout adds one node, which keeps its position: a copy is cheaper than making the moves again. Positions that
//! are decided without search (see `forced.rs`), or that stand on the way from the root already, are proved, and proofs travel towards
//! the root (MCTS-solver: M. Winands, Y. Björnsson, J.-T. Saito, 2008). The nodes form a tree, each has one way from the root, so a repetition may
//! count for good, as lived or, if the round costs the defender a threat, as captured: why that is so says `dfpn.rs`. A proof of the root therefore
//! agrees with the prover's.
//!
//! One thread, no clock: the same problem, rule and seed give the same search. Memory grows with the playouts, by about half
//! a kilobyte each.

mod number;
mod playout;
mod rule;
mod tree;

pub use rule::{Nearness, ProofRule, Scope};

use crate::arena::Arena;
use crate::forced::end;
use crate::position::{Action, Position};
use crate::problem::{Problem, Threats};
use crate::side::Side;
use crate::solver::root_position;
use crate::survey::Survey;
use playout::Playouts;
use tesuji_board::Move;
use tesuji_search::Rng;
use tree::{NodeId, ROOT, Standing, Tree};

/// A search for the best first move of a problem.
pub struct UctSearch {
    arena: Arena,
    playouts: Playouts,
    rule: ProofRule,
    root: Position,
    tree: Tree,
    seed: u64,
    rng: Rng,
    made: u64,
    /// Node and edge of each move of the simulation under way.
    path: Vec<(NodeId, usize)>,
}

impl std::fmt::Debug for UctSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UctSearch").field("rule", &self.rule).field("playouts", &self.made).finish()
    }
}

/// What a search thinks of a first move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Playouts after it.
    pub visits: u32,
    /// Those that the side to move won.
    pub wins: u32,
    /// Whether it is proved to win or to lose.
    pub proof: Option<bool>,
}

impl UctSearch {
    /// A search of a problem in which the sides, attacker first, have these ko threats.
    pub fn new(problem: &Problem, threats: [Threats; 2], rule: ProofRule, seed: u64) -> UctSearch {
        let arena = Arena::new(problem);
        let root = root_position(&arena, problem, threats);
        let playouts = Playouts::new(problem, &arena);
        let (tree, rng) = (Tree::default(), Rng::new(seed));
        let mut search =
            UctSearch { arena, playouts, rule, root, tree, seed, rng, made: 0, path: Vec::new() };
        search.restart(rule, seed);
        search
    }

    /// Forgets everything but the problem; allocates nothing as long as the new search is no longer than the longest before.
    pub fn restart(&mut self, rule: ProofRule, seed: u64) {
        (self.rule, self.seed, self.rng, self.made) = (rule, seed, Rng::new(seed), 0);
        self.tree.clear();
        self.tree.add(&self.arena, self.root, seed);
    }

    /// Searches until there are so many playouts in all, or the winner is proved.
    pub fn run_to(&mut self, playouts: u64) {
        while self.made < playouts && self.winner().is_none() {
            self.simulate();
            self.made += 1;
        }
    }

    /// Playouts so far.
    pub fn playouts(&self) -> u64 {
        self.made
    }

    /// Who wins the problem, if that is proved.
    pub fn winner(&self) -> Option<Side> {
        match self.tree.standing(ROOT) {
            Standing::Open => None,
            Standing::Won => Some(self.root.turn()),
            Standing::Lost => Some(!self.root.turn()),
        }
    }

    /// The move to play: a proved one, else the most visited that is not refuted; a pass if there is no move at all.
    pub fn best_move(&self) -> Move {
        self.tree.best(ROOT).map_or(Move::Pass, |action| self.name(action))
    }

    /// All first moves.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.tree.edges(ROOT).iter().map(|edge| Candidate {
            mv: self.name(edge.action),
            visits: edge.visits,
            wins: edge.wins,
            proof: match edge.standing {
                Standing::Open => None,
                Standing::Won => Some(true),
                Standing::Lost => Some(false),
            },
        })
    }

    fn simulate(&mut self) {
        self.path.clear();
        let mut node = ROOT;
        let (winner, is_proof) = loop {
            let at = self.tree.choose(node, &self.rule);
            self.path.push((node, at));
            match self.tree.child(node, at) {
                Some(child) => node = child,
                None => break self.visit_leaf(node, at),
            }
        };
        self.tree.back_up(&self.path, &self.rule, winner, is_proof);
    }

    /// The winner after an edge that was never visited, and whether that is certain; otherwise there is a new node below the edge.
    fn visit_leaf(&mut self, node: NodeId, at: usize) -> (Side, bool) {
        let Some(position) = self.tree.after(&self.arena, node, at) else {
            debug_assert!(false, "only legal moves have edges");
            return (!self.tree.position(node).turn(), true);
        };
        if let Some(winner) = decided(&self.arena, &position) {
            return (winner, true);
        }
        let is_repeated = |&(node, _): &(NodeId, usize)| *self.tree.position(node) == position;
        if let Some(before) = self.path.iter().position(is_repeated) {
            let mut round = self.path[before..].iter();
            let is_paid = round.any(|&(node, at)| self.tree.costs_defender(node, at));
            return (if is_paid { Side::Attacker } else { Side::Defender }, true);
        }
        let child = self.tree.add(&self.arena, position, self.seed);
        if self.tree.edges(child).is_empty() {
            // An attacker without a move or a ban gives up; the defender can always pass.
            return (Side::Defender, true);
        }
        self.tree.set_child(node, at, child);
        (self.playouts.winner(&self.arena, position, &mut self.rng), false)
    }

    fn name(&self, action: Action) -> Move {
        match action {
            Action::Play(at) => Move::Play(self.arena.point(usize::from(at))),
            Action::Pass => Move::Pass,
        }
    }
}

/// The winner of a position that shows it without search.
#[inline]
fn decided(arena: &Arena, position: &Position) -> Option<Side> {
    let mut survey = Survey::new();
    survey.take(arena, position);
    let (numbers, _) = end(arena, position, &mut survey)?;
    Some(if numbers.phi == 0 { position.turn() } else { !position.turn() })
}

#[cfg(test)]
mod tests {
    use super::rule::log_share;
    use super::*;
    use crate::read::read_json_line;

    /// Every tenth of the own problems, each with a threat for the defender or any number of them.
    fn searches(rule: ProofRule) -> impl Iterator<Item = UctSearch> {
        let lines = include_str!("../../../../tests/tsumego/own.jsonl").lines().step_by(10);
        lines.enumerate().map(move |(seed, line)| {
            let problem = read_json_line(line).unwrap().draft.complete().unwrap().problem;
            let defenders = if seed % 2 == 0 { Threats::Number(1) } else { Threats::Unlimited };
            UctSearch::new(&problem, [Threats::NONE, defenders], rule, seed as u64)
        })
    }

    /// A node of plain UCT, written down as simply as possible.
    struct Plain {
        position: Position,
        moves: Vec<PlainMove>,
    }

    struct PlainMove {
        action: Action,
        visits: u32,
        wins: u32,
        winner: Option<Side>,
        below: Option<Plain>,
    }

    impl Plain {
        fn new(search: &UctSearch, position: Position) -> Plain {
            let mut tree = Tree::default();
            let node = tree.add(&search.arena, position, search.seed);
            let untried = |action| PlainMove { action, visits: 0, wins: 0, winner: None, below: None };
            Plain { position, moves: tree.edges(node).iter().map(|edge| untried(edge.action)).collect() }
        }

        fn simulate(
            &mut self,
            search: &UctSearch,
            rng: &mut Rng,
            line: &mut Vec<(Position, Action)>,
        ) -> Side {
            let turn = self.position.turn();
            let total: u32 = self.moves.iter().map(|mv| mv.visits).sum();
            let score = |mv: &PlainMove| match mv.visits {
                _ if mv.winner == Some(!turn) => -1.0,
                0 => f32::MAX,
                visits => {
                    let n = visits as f32;
                    mv.wins as f32 / n + (2.0 * (total as f32).ln() / n).sqrt()
                }
            };
            let scores: Vec<f32> = self.moves.iter().map(score).collect();
            let highest = scores.iter().copied().fold(f32::MIN, f32::max);
            let best = scores.iter().position(|&score| score == highest).unwrap();
            let mv = &mut self.moves[best];
            line.push((self.position, mv.action));
            let winner = match &mut mv.below {
                Some(below) => below.simulate(search, rng, line),
                None => {
                    let next = self.position.after(&search.arena, mv.action).unwrap();
                    let below = Plain::new(search, next);
                    mv.winner = decided(&search.arena, &next)
                        .or_else(|| winner_by_round(line, &next))
                        .or(below.moves.is_empty().then_some(Side::Defender));
                    mv.below = Some(below);
                    mv.winner.unwrap_or_else(|| search.playouts.winner(&search.arena, next, rng))
                }
            };
            mv.visits += 1;
            mv.wins += u32::from(winner == turn);
            mv.winner = mv.winner.or(mv.below.as_ref().and_then(Plain::winner));
            winner
        }

        fn winner(&self) -> Option<Side> {
            let turn = self.position.turn();
            if self.moves.iter().any(|mv| mv.winner == Some(turn)) {
                return Some(turn);
            }
            (!self.moves.is_empty() && self.moves.iter().all(|mv| mv.winner.is_some())).then_some(!turn)
        }
    }

    fn winner_by_round(line: &[(Position, Action)], next: &Position) -> Option<Side> {
        let before = line.iter().position(|(position, _)| position == next)?;
        let is_paid = |&(position, action): &(Position, Action)| matches!(action, Action::Play(at) if position.costs_defender(at.into()));
        Some(if line[before..].iter().any(is_paid) { Side::Attacker } else { Side::Defender })
    }

    #[test]
    fn without_weight_it_is_plain_uct() {
        let (mut compared, mut proved) = (0, 0);
        for mut search in searches(ProofRule::weighing(0.0)) {
            let mut rng = Rng::new(search.seed);
            let mut plain = Plain::new(&search, search.root);
            for playouts in 1..=600 {
                search.run_to(playouts);
                if plain.winner().is_none() {
                    plain.simulate(&search, &mut rng, &mut Vec::new());
                }
                let found = search.tree.edges(ROOT).iter().map(|edge| (edge.visits, edge.wins));
                assert!(found.eq(plain.moves.iter().map(|mv| (mv.visits, mv.wins))), "after {playouts}");
                assert_eq!(search.winner(), plain.winner());
                compared += 1;
            }
            proved += u32::from(search.winner().is_some());
        }
        assert!(compared > 6000 && proved > 3, "{compared} steps, {proved} proofs");
    }

    /// Compares F of every open move with its definition; how many there are.
    fn compare_open_moves(search: &UctSearch) -> usize {
        let mut compared = 0;
        for id in 0..search.tree.len() {
            for (at, edge) in search.tree.edges(id).iter().enumerate() {
                let Some(child) = search.tree.child(id, at) else { continue };
                if edge.standing != Standing::Open {
                    continue;
                }
                let log_x = |reply: &tree::Edge| match (reply.standing, reply.visits) {
                    (Standing::Lost, _) => 0.0,
                    (_, 0) => log_share(edge.wins as f32 / edge.visits as f32),
                    (_, visits) => log_share(1.0 - reply.wins as f32 / visits as f32),
                };
                let replies = search.tree.edges(child);
                let expected: f64 = replies.iter().map(|reply| f64::from(log_x(reply))).sum();
                let found = f64::from(edge.bonus);
                assert!((found - expected.exp()).abs() < 1e-5, "{found}, expected {}", expected.exp());
                compared += 1;
            }
        }
        compared
    }

    /// The proof numbers of a node, by looking at the whole tree below it.
    fn numbers_from_scratch(search: &UctSearch, id: NodeId) -> [u32; 2] {
        let mover = search.tree.position(id).turn();
        let edges = search.tree.edges(id).iter().enumerate();
        let after = edges.map(|(at, edge)| match (edge.standing, search.tree.child(id, at)) {
            (Standing::Won, _) => number::won_by(mover),
            (Standing::Lost, _) => number::won_by(!mover),
            (Standing::Open, Some(child)) => numbers_from_scratch(search, child),
            (Standing::Open, None) => [1, 1],
        });
        let after: Vec<[u32; 2]> = after.collect();
        let of = |side: Side| after.iter().map(move |numbers| numbers[side.index()]);
        let sum = of(!mover).fold(0, u32::saturating_add);
        let mut numbers = [of(mover).min().unwrap(); 2];
        numbers[(!mover).index()] = sum;
        numbers
    }

    #[test]
    fn proof_numbers_kept_are_those_of_the_whole_tree() {
        let mut compared = 0;
        for nearness in [Nearness::NumberRank, Nearness::NumberShare] {
            for mut search in searches(ProofRule { nearness, ..ProofRule::weighing(1.0) }) {
                for playouts in [50, 200, 600] {
                    search.run_to(playouts);
                    for (at, edge) in search.tree.edges(ROOT).iter().enumerate() {
                        let Some(child) = search.tree.child(ROOT, at) else { continue };
                        if edge.standing == Standing::Open {
                            assert_eq!(edge.numbers, numbers_from_scratch(&search, child));
                            assert!((0.0..1.0).contains(&edge.bonus), "{}", edge.bonus);
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert!(compared > 200, "{compared} moves");
    }

    /// F of every move, from the definition, against what was kept up to date playout by playout.
    #[test]
    fn sums_kept_are_sums_from_scratch() {
        let mut compared = 0;
        for mut search in searches(ProofRule::weighing(1.0)) {
            // At several moments: the moves of a search that has ended are proved, not open.
            for playouts in [200, 500, 1000, 2000] {
                search.run_to(playouts);
                compared += compare_open_moves(&search);
            }
        }
        assert!(compared > 5000, "{compared} moves");
    }
}
