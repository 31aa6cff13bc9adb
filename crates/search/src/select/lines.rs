//! Rules whose scores are straight lines in a clock.
//!
//! While a search stays below one edge of a node, the statistics of the others stand still, and only the node's visits grow.
//! With UCB1 the score of an edge at rest is then `w/n + sqrt(2/n)·t` with `t = sqrt(ln s)`, with PUCT `Q + cP/(1+n)·t` with
//! `t = sqrt(N)`. Straight lines cross at most once, and when is known in advance: that is what depth-first walks rest on.
//!
//! A rule of this kind states its formula once, in [`Scored::score`]; choosing and looking ahead both use it, so
//! they agree to the last bit.

use super::{LANES, MOST_EDGES, Scratch, Select, Standing, best, refined, total};
use crate::tree::{Columns, Edges, Value};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A rule that scores every edge by itself and chooses the highest score.
pub trait Scored: Select {
    /// What the edges of a node have in common when they are scored.
    type Moment: Copy + Default + Send;

    /// Whether the score of an untried edge depends on the mean of its siblings.
    const READS_MEAN: bool = false;

    /// Whether edges without visits come before all others but won ones, in their order. They have then been tried in their order, so
    /// that a won edge never comes after an untried one.
    const UNTRIED_FIRST: bool = false;

    /// Whether this choice looks at the columns that the rule names; a choice that does not says nothing about the next.
    fn attends(&self, _scratch: &mut Scratch) -> bool {
        true
    }

    /// Whether the moment depends on how likely the tried edges are together.
    #[inline(always)]
    fn reads_tried_policy(&self) -> bool {
        false
    }

    /// The moment of a node whose edges come to this.
    fn moment(&self, siblings: Siblings) -> Self::Moment;

    /// The score of an edge; −∞ if it must not be chosen.
    fn score(&self, edge: Standing, moment: &Self::Moment) -> f32;
}

/// What the edges of a node come to together.
#[derive(Clone, Copy, Debug)]
pub struct Siblings {
    /// Their visits.
    pub visits: u64,
    /// The mean of the visited ones, if the rule reads it.
    pub mean: f32,
    /// The probability that the move is one of the visited ones, if the rule reads it.
    pub tried_policy: f32,
    /// The largest proof number of those that are open, if the rule reads it.
    pub largest_proof: f32,
    /// The standard deviation of the results below them, if the rule keeps what that takes.
    pub spread: Option<f32>,
}

impl Siblings {
    /// Where nothing is said about what is tried.
    #[inline(always)]
    pub(super) fn of(visits: u64, mean: f32) -> Siblings {
        Siblings { visits, mean, tried_policy: 1.0, largest_proof: 0.0, spread: None }
    }
}

/// A rule whose scores are straight lines in a clock that only runs forward.
pub trait Lines: Scored {
    /// How far the mean of the siblings may move before what was foreseen of untried edges does not hold any more.
    const MEAN_LEEWAY: f32 = 0.0;

    /// The time of the lines; nothing if scores do not depend on any.
    fn clock(&self, moment: &Self::Moment) -> Option<f32>;

    /// The score that the edge would have at time 0.
    fn start(&self, edge: Standing, moment: &Self::Moment) -> f32;
}

/// The named methods of [`Select`], for a rule around another, in a field `rule`, that does in these as that one does.
macro_rules! as_its_rule {
    ($($method:ident),+) => {
        $($crate::select::lines::as_its_rule!(@ $method);)+
    };
    (@ width) => {
        #[inline(always)]
        fn width(&self, edges: &Edges<'_>) -> usize {
            self.rule.width(edges)
        }
    };
    (@ reach) => {
        #[inline(always)]
        fn reach(&self, edges: &Edges<'_>) -> usize {
            self.rule.reach(edges)
        }
    };
    (@ playout_share) => {
        #[inline(always)]
        fn playout_share(&self) -> f32 {
            self.rule.playout_share()
        }
    };
    (@ bias_correction) => {
        #[inline(always)]
        fn bias_correction(&self) -> f32 {
            self.rule.bias_correction()
        }
    };
}

pub(super) use as_its_rule;

/// A rule around another, in a field `rule`, that scores as that one does.
macro_rules! scored_by_its_rule {
    ($wrapper:ident) => {
        impl<S: Scored> Scored for $wrapper<S> {
            type Moment = S::Moment;
            const READS_MEAN: bool = S::READS_MEAN;
            const UNTRIED_FIRST: bool = S::UNTRIED_FIRST;

            #[inline(always)]
            fn attends(&self, scratch: &mut Scratch) -> bool {
                self.rule.attends(scratch)
            }

            #[inline(always)]
            fn reads_tried_policy(&self) -> bool {
                self.rule.reads_tried_policy()
            }

            #[inline(always)]
            fn moment(&self, siblings: Siblings) -> S::Moment {
                self.rule.moment(siblings)
            }

            #[inline(always)]
            fn score(&self, edge: Standing, moment: &S::Moment) -> f32 {
                self.rule.score(edge, moment)
            }
        }

        impl<S: Lines> Lines for $wrapper<S> {
            const MEAN_LEEWAY: f32 = S::MEAN_LEEWAY;

            #[inline(always)]
            fn clock(&self, moment: &S::Moment) -> Option<f32> {
                self.rule.clock(moment)
            }

            #[inline(always)]
            fn start(&self, edge: Standing, moment: &S::Moment) -> f32 {
                self.rule.start(edge, moment)
            }
        }
    };
}

pub(super) use scored_by_its_rule;

/// Bound of the rounding errors of a score, relative to the score or to 1 if that is more: some fifty ulps.
pub(super) const MARGIN: f32 = 4e-6;

/// Visits of an edge from which on it is worth the trouble to foresee how long it stays ahead.
pub(super) const WORTH_FORESEEING: u32 = 32;

/// Visits that are foreseen at most: so few that the rounding errors of as many means stay within the margin.
const MOST_ASSURED: f32 = 100.0;

/// How long an edge stays ahead of others that are at rest, whatever the results below it.
pub(super) struct Lead {
    /// The edge that is ahead.
    pub(super) best: Standing,
    /// Its score.
    pub(super) score: f32,
    /// The highest score of the others.
    pub(super) rival_score: f32,
    /// The most that time has added to the score of one of the others.
    pub(super) rival_growth: f32,
    /// Visits of the node.
    pub(super) total_visits: u64,
}

impl Lead {
    /// Visits up to which the best edge is ahead for certain; 0 if nothing is.
    ///
    /// A lost simulation takes at most `mean / n` off the mean of an edge with `n` visits, and a visit at most the `n`-th part
    /// off what time has added to its score. Clocks are concave, and no faster than the square root of the node's visits.
    #[inline(always)]
    pub(super) fn assured_visits<S: Lines>(&self, rule: &S, moment: &S::Moment) -> u32 {
        let (n, total) = (self.best.n(), self.total_visits as f32);
        let gap = self.score - self.rival_score - 4.0 * MARGIN * self.score.abs().max(1.0);
        if S::LEARNS_FROM_ALL_MOVES
            || S::COLUMNS.has(Columns::NETWORK)
            || self.best.mean.abs() > 1.0
            || n < 1.0
            || total < 3.0
            || gap.is_nan()
            || gap <= 0.0
        {
            return 0;
        }
        let growth = self.score - rule.start(self.best, moment);
        let loss_per_visit = (self.best.mean + growth) / n + self.rival_growth / (2.0 * total);
        let visits = (0.99 * gap / loss_per_visit).min(n).min(MOST_ASSURED);
        self.best.visits + visits as u32
    }
}

/// The first `COUNT` edges without visits, if the rule chooses them next; nothing if there are fewer.
///
/// Most nodes of a tree are not full yet, and this takes no scores.
#[inline(always)]
pub(super) fn untried<S: Scored, const COUNT: usize>(edges: &Edges<'_>) -> Option<[u16; COUNT]> {
    let value = |word: &AtomicU64| Value::unpack(word.load(Relaxed));
    // They are tried in their order: if the last one was, all were.
    let in_place = !S::COLUMNS.has(Columns::ORDER);
    let values = edges.values();
    if !S::UNTRIED_FIRST || !in_place || values.last().map(value) != Some(Value::default()) {
        return None;
    }
    let mut found = [0; COUNT];
    let mut count = 0;
    for (index, value) in values.iter().map(value).enumerate() {
        if value == Value::default() {
            found[count] = index as u16;
            count += 1;
            if count == COUNT {
                return Some(found);
            }
        } else if value.proven() == Some(true) {
            return None;
        }
    }
    None
}

/// What a look at all edges of a node found; the edges and their scores are left in the scratch buffers.
pub(super) struct Survey<M> {
    /// Edges in the buffers, rounded up to full lanes.
    pub(super) padded: usize,
    pub(super) total_visits: u64,
    pub(super) mean: f32,
    pub(super) moment: M,
    /// Whether the scores mean anything for later choices.
    pub(super) lasting: bool,
}

/// Scores all edges.
#[inline(always)]
pub(super) fn survey<S: Scored>(rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) -> Survey<S::Moment> {
    let attends = rule.attends(scratch);
    let Scratch { columns, scores, .. } = scratch;
    let padded = columns.copy_values(rule, edges);
    columns.blend_networks(rule, edges, padded);
    if attends {
        columns.copy_columns::<S>(edges, padded);
    } else {
        columns.clear_columns::<S>(padded);
    }
    let (visits, means) = (&columns.visits.0[..padded], &columns.means.0[..padded]);
    let total_visits = total(visits);
    let mean = if S::READS_MEAN { mean_of_visited(visits, means, &mut scores.0[..padded]) } else { 0.0 };
    let tried_policy =
        if rule.reads_tried_policy() { tried_policy(visits, &columns.policies.0[..padded]) } else { 1.0 };
    let largest_proof =
        if S::COLUMNS.has(Columns::PROOF) { largest_open(means, &columns.proofs.0[..padded]) } else { 0.0 };
    let spread = (S::COLUMNS.has(Columns::SQUARES) && attends)
        .then(|| refined::spread(visits, means, &columns.squares.0[..padded]));
    let moment = rule.moment(Siblings { visits: total_visits, mean, tried_policy, largest_proof, spread });
    // Known to the compiler, so that it needs no checks in the loop and can vectorise it.
    assert!(padded <= MOST_EDGES);
    for (index, score) in scores.0[..padded].iter_mut().enumerate() {
        *score = rule.score(columns.standing(index), &moment);
    }
    Survey { padded, total_visits, mean, moment, lasting: attends }
}

/// The edge with the highest score, the first of equals.
#[inline(always)]
pub(super) fn choose<S: Scored>(rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
    if let Some([first]) = untried::<S, 1>(edges) {
        return usize::from(first);
    }
    let survey = survey(rule, edges, scratch);
    let best = best(&scratch.scores.0[..survey.padded]);
    scratch.place::<S>(best)
}

/// Sum of the probabilities of the visited edges.
fn tried_policy(visits: &[u32], policies: &[f32]) -> f32 {
    let tried = visits.iter().zip(policies).filter(|(visits, _)| **visits > 0);
    tried.map(|(_, policy)| policy).sum()
}

/// The largest proof number of the edges that are not proven.
fn largest_open(means: &[f32], proofs: &[f32]) -> f32 {
    let open = means.iter().zip(proofs).filter(|(mean, _)| mean.abs() <= 1.0);
    open.fold(0.0, |largest, (_, &proof)| largest.max(proof))
}

/// Mean over the visited edges, 0.5 if there is none; proven ones left out. Uses up the buffer.
#[inline(always)]
fn mean_of_visited(visits: &[u32], means: &[f32], buffer: &mut [f32]) -> f32 {
    // The shares first and their sum afterwards: the compiler vectorises either, but not both at once.
    let mut sum_of = |part: fn((f32, f32)) -> f32| {
        for ((share, &visits), &mean) in buffer.iter_mut().zip(visits).zip(means) {
            *share = part(Standing { visits, mean, ..Standing::default() }.share());
        }
        let mut sums = [0.0; LANES];
        for shares in buffer.chunks_exact(LANES) {
            (0..LANES).for_each(|lane| sums[lane] += shares[lane]);
        }
        sums.iter().sum::<f32>()
    };
    let (sum, count) = (sum_of(|share| share.0), sum_of(|share| share.1));
    if count > 0.0 { sum / count } else { 0.5 }
}
