//! Rules whose scores are straight lines in a clock.
//!
//! While a search stays below one edge of a node, the statistics of the others stand still, and only the node's visits grow.
//! With UCB1 the score of an edge at rest is then `w/n + sqrt(2/n)·t` with `t = sqrt(ln s)`, with PUCT `Q + cP/(1+n)·t` with
//! `t = sqrt(N)`. Straight lines cross at most once, and when is known in advance: that is what depth-first walks rest on.
//!
//! A rule of this kind states its formula once, in [`Lines::score`]; choosing and looking ahead both use it, so
//! they agree to the last bit.

use super::{HOPELESS, LANES, Scratch, Select, best, float, total};
use crate::tree::{Edges, Value};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A rule whose scores are straight lines in a clock that only runs forward.
pub trait Lines: Select {
    /// What the edges of a node have in common when they are scored.
    type Moment: Copy + Default + Send;

    /// Whether the score of an edge depends on what the rule keeps in it.
    const READS_EXTRAS: bool = true;

    /// Whether the score of an untried edge depends on the mean of its siblings.
    const READS_MEAN: bool = false;

    /// Whether edges without visits come before all others but won ones, in their order. They have then been tried in their order, so
    /// that a won edge never comes after an untried one.
    const UNTRIED_FIRST: bool = false;

    /// How far the mean of the siblings may move before what was foreseen of untried edges does not hold any more.
    const MEAN_LEEWAY: f32 = 0.0;

    /// Whether this choice looks at what the rule keeps in edges; a choice that does not says nothing about the next.
    fn attends(&self, _scratch: &mut Scratch) -> bool {
        Self::READS_EXTRAS
    }

    /// The moment of a node with these visits and this mean of its visited edges.
    fn moment(&self, total_visits: u64, mean: f32) -> Self::Moment;

    /// The time of the lines; nothing if scores do not depend on any.
    fn clock(&self, moment: &Self::Moment) -> Option<f32>;

    /// The score of an edge; −∞ if it must not be chosen.
    fn score(&self, edge: Standing, moment: &Self::Moment) -> f32;

    /// The score that the edge would have at time 0.
    fn start(&self, edge: Standing, moment: &Self::Moment) -> f32;
}

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

/// What a rule sees of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Visits.
    pub visits: u32,
    /// Mean result; ±∞ if proven.
    pub mean: f32,
    /// The low and the high half of what the rule keeps in it.
    pub extra: (u32, f32),
}

impl Standing {
    /// Visits as a float.
    #[inline(always)]
    pub fn n(self) -> f32 {
        float(self.visits)
    }

    /// What it adds to the sum of results and of visits that the mean of a node is made of: proven edges do not count.
    #[inline(always)]
    pub(super) fn share(self) -> (f32, f32) {
        let proven = self.mean.abs() > 1.0;
        let n = if proven { 0.0 } else { self.n() };
        let q = if proven { 0.0 } else { self.mean };
        (n * q, n)
    }
}

/// The first `COUNT` edges without visits, if the rule chooses them next; nothing if there are fewer.
///
/// Most nodes of a tree are not full yet, and this takes no scores.
#[inline(always)]
pub(super) fn untried<S: Lines, const COUNT: usize>(edges: &Edges<'_>) -> Option<[u16; COUNT]> {
    let value = |word: &AtomicU64| Value::unpack(word.load(Relaxed));
    // They are tried in their order: if the last one was, all were.
    if !S::UNTRIED_FIRST || edges.values.last().map(value) != Some(Value::default()) {
        return None;
    }
    let mut found = [0; COUNT];
    let mut count = 0;
    for (index, value) in edges.values.iter().map(value).enumerate() {
        if value == Value::default() {
            found[count] = index as u16;
            count += 1;
            if count == COUNT {
                return Some(found);
            }
        } else if value.mean == f32::INFINITY {
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
pub(super) fn survey<S: Lines>(rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) -> Survey<S::Moment> {
    let attends = rule.attends(scratch);
    let padded = scratch.values.copy(edges.values, HOPELESS);
    if attends {
        scratch.extras.copy(edges.extras, (0, 0.0));
    } else if S::READS_EXTRAS {
        scratch.extras.low.0[..padded].fill(0);
        scratch.extras.high.0[..padded].fill(0.0);
    }
    let (visits, means) = (&scratch.values.low.0[..padded], &scratch.values.high.0[..padded]);
    let (low, high) = (&scratch.extras.low.0[..padded], &scratch.extras.high.0[..padded]);
    let total_visits = total(visits);
    let scores = &mut scratch.scores.0[..padded];
    let mean = if S::READS_MEAN { mean_of_visited(visits, means, scores) } else { 0.0 };
    let moment = rule.moment(total_visits, mean);
    for ((((score, &visits), &mean), &low), &high) in
        scores.iter_mut().zip(visits).zip(means).zip(low).zip(high)
    {
        *score = rule.score(Standing { visits, mean, extra: (low, high) }, &moment);
    }
    Survey { padded, total_visits, mean, moment, lasting: attends == S::READS_EXTRAS }
}

/// The edge with the highest score, the first of equals, with that score and the visits of all edges.
pub(super) fn choose_scored<S: Lines>(
    rule: &S,
    edges: &Edges<'_>,
    scratch: &mut Scratch,
) -> (usize, f32, u64) {
    let survey = survey(rule, edges, scratch);
    let best = best(&scratch.scores.0[..survey.padded]);
    (best, scratch.scores.0[best], survey.total_visits)
}

/// The edge with the highest score, the first of equals.
#[inline(always)]
pub(super) fn choose<S: Lines>(rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
    if let Some([first]) = untried::<S, 1>(edges) {
        return usize::from(first);
    }
    let survey = survey(rule, edges, scratch);
    best(&scratch.scores.0[..survey.padded])
}

/// Mean over the visited edges, 0.5 if there is none; proven ones left out. Uses up the buffer.
#[inline(always)]
fn mean_of_visited(visits: &[u32], means: &[f32], buffer: &mut [f32]) -> f32 {
    // The shares first and their sum afterwards: the compiler vectorises either, but not both at once.
    let mut sum_of = |part: fn((f32, f32)) -> f32| {
        for ((share, &visits), &mean) in buffer.iter_mut().zip(visits).zip(means) {
            *share = part(Standing { visits, mean, extra: (0, 0.0) }.share());
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
