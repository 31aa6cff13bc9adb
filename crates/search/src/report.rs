//! Reading the result of a search off its root.

use crate::findings::{Findings, MoveOwnership};
use crate::searcher::{MoveReport, Parts, Report};
use crate::tree::{Child, Edges, NodeId, Tree, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_board::{Color, Move};

/// What playouts from the root came to apart from who won; kept while the root stays the same.
#[derive(Debug, Default)]
pub(crate) struct RootStatistics {
    evaluations: u64,
    black_ownership: Vec<f64>,
    /// By edge: sum of Black's scores, sum of their squares, number.
    scores: Vec<(f64, f64, u64)>,
    /// By edge: the probability of the move before any simulation, if the tree does not keep that.
    policy: Vec<f32>,
    /// By the code of the move, where it is wanted.
    by_move: BTreeMap<u16, MoveOwnership>,
}

impl RootStatistics {
    pub(crate) fn resize(&mut self, edges: usize, area: usize) {
        self.scores.resize(edges, (0.0, 0.0, 0));
        self.black_ownership.resize(area, 0.0);
    }

    /// Whether the probabilities of the moves are known.
    pub(crate) fn has_policy(&self) -> bool {
        !self.policy.is_empty()
    }

    /// Sets the probabilities of the moves, by edge.
    pub(crate) fn set_policy(&mut self, policy: Vec<f32>) {
        self.policy = policy;
    }

    pub(crate) fn add_scores(&mut self, by_edge: &[(f64, f64, u64)]) {
        for (total, part) in self.scores.iter_mut().zip(by_edge) {
            *total = (total.0 + part.0, total.1 + part.1, total.2 + part.2);
        }
    }

    pub(crate) fn add_findings(&mut self, findings: &Findings) {
        self.evaluations += findings.evaluations;
        for (total, &part) in self.black_ownership.iter_mut().zip(&findings.black_ownership) {
            *total += part;
        }
        for (&code, part) in findings.by_move.iter().flatten() {
            self.by_move.entry(code).or_default().merge(part);
        }
    }
}

/// What the tree says about a node with a colour to play; effort is left to the caller.
pub(crate) fn report(
    tree: &Tree,
    (root, to_move): (NodeId, Color),
    playout_share: f32,
    statistics: &RootStatistics,
) -> Report {
    let edges = tree.edges(root);
    let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
    let all = statistics.scores.iter().fold((0.0, 0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
    let mean_of = |sums: (f64, f64, u64)| if sums.2 > 0 { sums.0 / sums.2 as f64 } else { 0.0 };
    let deviation = |sums: (f64, f64, u64)| {
        let variance = sums.1 / sums.2.max(1) as f64 - mean_of(sums) * mean_of(sums);
        variance.max(0.0).sqrt() as f32
    };
    let mean_score = mean_of(all);
    let prior = |i: usize| match edges.policies().get(i) {
        Some(policy) => f32::from_bits(policy.load(Relaxed)),
        None => statistics.policy.get(i).copied().unwrap_or(0.0),
    };
    let mut moves: Vec<MoveReport> = (0..edges.len())
        .filter(|&i| !edges.value(i).is_excluded())
        .map(|i| {
            let value = edges.blended(i, playout_share);
            let network = edges.network(i).map(|network| network.mean);
            let scores = statistics.scores.get(i).copied().filter(|sums| sums.2 > 0);
            let (variation, variation_visits) = variation(tree, &edges, i).into_iter().unzip();
            MoveReport {
                mv: Move::from_code(edges.code(i)),
                visits: u64::from(value.visits),
                win_rate: value.probability(),
                parts: network.map(|network| Parts { playouts: edges.value(i).mean, network }),
                lower_bound: lower_bound(value),
                prior: prior(i),
                score_lead: (sign * scores.map_or(mean_score, mean_of)) as f32,
                score_deviation: deviation(scores.unwrap_or(all)),
                black_ownership: statistics
                    .by_move
                    .get(&edges.code(i))
                    .map_or_else(Vec::new, MoveOwnership::mean),
                variation,
                variation_visits,
                proven: value.proven(),
            }
        })
        .collect();
    let most_visits = moves.iter().map(|mv| mv.visits).max().unwrap_or(0);
    moves.sort_by(|a, b| preference(a, b, most_visits));
    let visits = edges.visits();
    let weighted: f64 = moves.iter().map(|mv| f64::from(mv.win_rate) * mv.visits as f64).sum();
    let decided = moves.iter().any(|mv| mv.proven == Some(true));
    Report {
        win_rate: if decided { 1.0 } else { (weighted / visits.max(1) as f64) as f32 },
        score_lead: (sign * mean_score) as f32,
        score_deviation: deviation(all),
        black_ownership: match statistics.evaluations {
            0 => Vec::new(),
            count => statistics.black_ownership.iter().map(|&sum| (sum / count as f64) as f32).collect(),
        },
        moves,
        visits,
        ..Report::default()
    }
}

/// Lower bound of the 95 % interval of a mean.
fn lower_bound(value: Value) -> f32 {
    if value.visits == 0 || value.proven().is_some() {
        return value.probability() * f32::from(value.visits > 0 || value.proven().is_some());
    }
    let (n, p) = (value.visits as f32, value.probability());
    // One win and one loss more than seen, so that a few equal results are not taken for certainty.
    let smoothed = (p * n + 1.0) / (n + 2.0);
    p - 1.96 * (smoothed * (1.0 - smoothed) / n).sqrt()
}

/// The order in which the engine would play moves: proven wins, then the best lower bound among the much visited,
/// then by visits; proven losses last.
fn preference(a: &MoveReport, b: &MoveReport, most_visits: u64) -> Ordering {
    let class = |mv: &MoveReport| match mv.proven {
        Some(true) => 0,
        Some(false) => 3,
        None if 2 * mv.visits >= most_visits => 1,
        None => 2,
    };
    class(a).cmp(&class(b)).then_with(|| match class(a) {
        1 => b.lower_bound.total_cmp(&a.lower_bound).then(b.visits.cmp(&a.visits)),
        _ => b.visits.cmp(&a.visits).then(b.win_rate.total_cmp(&a.win_rate)),
    })
}

/// The most visited continuation, beginning with edge `index`, and the visits of its moves.
fn variation(tree: &Tree, edges: &Edges<'_>, index: usize) -> Vec<(Move, u64)> {
    let with_visits =
        |edges: &Edges<'_>, i: usize| (Move::from_code(edges.code(i)), u64::from(edges.value(i).visits));
    let mut moves = vec![with_visits(edges, index)];
    let mut child = edges.child(index);
    while let Child::Node(node) = child {
        let edges = tree.edges(node);
        let Some(best) = (0..edges.len()).max_by_key(|&i| (edges.value(i).visits, std::cmp::Reverse(i)))
        else {
            break;
        };
        if edges.value(best).visits == 0 {
            break;
        }
        moves.push(with_visits(&edges, best));
        child = edges.child(best);
    }
    moves
}
