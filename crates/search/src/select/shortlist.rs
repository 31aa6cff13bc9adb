//! The few best edges of a node, and until when nobody else can be better: what makes depth-first search exact.
//!
//! When a node is entered, its best [`LANES`] edges are copied, and the last of them becomes the *bar*: all other edges
//! are below the bar's line now, and the crossing times say until when. As long as the clock has not reached the first of them
//! and the best of the list is above the bar, the best of the list is the best of all, and choosing takes one look at eight edges
//! instead of hundreds. The copies of edges that are at rest stay true, so only the chosen one is read again.
//!
//! Nothing here is nearly right. Scores are compared as the rule itself computes them, to the last bit and with its way of breaking
//! ties. Foreseeing cannot know how later scores will round, so it takes a margin above all rounding errors off the bar, and
//! whatever is within a margin is settled by a look at all edges.

use super::lines::{Lead, MARGIN, WORTH_FORESEEING, survey, untried};
use super::watch::{Verdict, Watch, WatchTally};
use super::{LANES, Lines, MOST_EDGES, Scratch, Siblings, Standing, present};
use crate::tree::{Columns, Edges, NodeId, Tree};

/// Bound of what the order of summation can do to the mean of a node.
const MEAN_DOUBT: f32 = 2e-5;

/// How far the clock may run before the next look, as a factor: keeps the errors of slopes below the margin.
const LONGEST_FORESIGHT: f32 = 4.0;

/// The edges that can be chosen before the next look at all edges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shortlist {
    standings: [Standing; LANES],
    indices: [u16; LANES],
    /// Where the chosen edge is in the list.
    chosen: usize,
    total_visits: u64,
    /// What all others are below; nothing if there are none.
    bar: Option<Bar>,
    mean: f32,
    /// Sum of results and visits of the edges not on the list.
    rest: (f64, f64),
    lasting: bool,
    /// Visits of the chosen edge up to which no other can have overtaken it.
    assured: u32,
}

/// The last of the list as it was when all edges were looked at.
#[derive(Clone, Copy, Debug)]
struct Bar {
    index: u16,
    standing: Standing,
    /// When the first of the others crosses it.
    expiry: f32,
}

impl<S: Lines> Watch<S> for Shortlist {
    const EXACT: bool = true;

    #[inline]
    fn open(&mut self, rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) {
        if let Some(indices) = untried::<S, LANES>(edges) {
            *self = Shortlist::of_untried(indices);
            return;
        }
        let survey = survey(rule, edges, scratch);
        self.indices = leaders(&scratch.scores.0[..survey.padded]);
        for slot in 0..LANES {
            self.standings[slot] = scratch.columns.standing(usize::from(self.indices[slot]));
        }
        (self.chosen, self.assured) = (0, 0);
        self.total_visits = survey.total_visits;
        self.mean = survey.mean;
        self.lasting = survey.lasting;
        self.bar = None;
        self.rest = (0.0, 0.0);
        if edges.len() > LANES && survey.lasting {
            if S::READS_MEAN {
                self.rest = self.rest_of((0..edges.len()).map(|index| scratch.columns.standing(index)));
            }
            self.bar = Some(self.foresee(rule, &survey.moment, survey.padded, scratch));
        }
    }

    #[inline(always)]
    fn chosen(&self) -> usize {
        usize::from(self.indices[self.chosen])
    }

    #[inline(always)]
    fn is_precious(&self) -> bool {
        !S::UNTRIED_FIRST || self.bar.is_none_or(|bar| bar.standing.visits > 0)
    }

    #[inline]
    fn judge(&mut self, rule: &S, tree: &Tree, node: NodeId, _: &mut Scratch, _: &mut WatchTally) -> Verdict {
        if !self.lasting {
            return Verdict::Look;
        }
        let slot = self.chosen;
        let (now, worth) = present(rule, tree, node, usize::from(self.indices[slot]));
        if now.visits < self.assured && now.proven().is_none() {
            return Verdict::Stay;
        }
        let standing = &mut self.standings[slot];
        self.total_visits += u64::from(now.visits.saturating_sub(standing.visits));
        (standing.visits, standing.mean) = (now.visits, worth);
        match self.winner(rule) {
            None => Verdict::Look,
            Some(slot) if slot == self.chosen => Verdict::Stay,
            Some(slot) => {
                self.chosen = slot;
                Verdict::Switch
            }
        }
    }
}

impl Shortlist {
    /// The first of the edges without visits. Until all of them are visited, the others and the visits of the node do not matter.
    #[inline(always)]
    fn of_untried(indices: [u16; LANES]) -> Shortlist {
        let bar = Bar { index: indices[LANES - 1], standing: Standing::default(), expiry: f32::INFINITY };
        Shortlist { indices, bar: Some(bar), lasting: true, ..Shortlist::default() }
    }

    #[inline(always)]
    fn standing(&self, slot: usize) -> Standing {
        self.standings[slot]
    }

    /// The slot of the edge that the rule would choose among all, if that is certain.
    #[inline(always)]
    fn winner<S: Lines>(&mut self, rule: &S) -> Option<usize> {
        let mean = if S::READS_MEAN { self.current_mean() } else { 0.0 };
        let moment = rule.moment(Siblings::of(self.total_visits, mean));
        let scores: [f32; LANES] = std::array::from_fn(|slot| rule.score(self.standing(slot), &moment));
        let (mut winner, mut top, mut index) = (0, scores[0], self.indices[0]);
        for (slot, (&score, &at)) in scores.iter().zip(&self.indices).enumerate().skip(1) {
            // Without short-circuits: who wins is hard to predict.
            let better = (score > top) | ((score == top) & (at < index));
            (winner, top, index) = if better { (slot, score, at) } else { (winner, top, index) };
        }
        if top == f32::NEG_INFINITY {
            return None;
        }
        let doubt = if S::READS_MEAN { MEAN_DOUBT + MARGIN * top.abs() } else { 0.0 };
        if let Some(bar) = &self.bar {
            let height = rule.score(bar.standing, &moment);
            // Those level with the bar come after it.
            let clears = if compare_exactly(self.standing(winner), bar.standing) {
                top > height || (top == height && index <= bar.index)
            } else {
                top > height + doubt
            };
            if !clears
                || rule.clock(&moment).is_some_and(|now| now >= bar.expiry)
                || (mean - self.mean).abs() > S::MEAN_LEEWAY
            {
                return None;
            }
        }
        let doubtful = |slot: usize| {
            top - scores[slot] <= doubt && !compare_exactly(self.standing(slot), self.standing(winner))
        };
        if S::READS_MEAN && (0..LANES).any(doubtful) {
            return None;
        }
        // The value of untried edges would move with the mean.
        let is_worth = !S::READS_MEAN && self.standings[winner].visits >= WORTH_FORESEEING;
        self.assured = if is_worth { self.foresee_lead(rule, &moment, winner, &scores) } else { 0 };
        Some(winner)
    }

    /// Visits of the winner up to which nobody on the list or below the bar can overtake it.
    #[inline(always)]
    fn foresee_lead<S: Lines>(
        &self,
        rule: &S,
        moment: &S::Moment,
        winner: usize,
        scores: &[f32; LANES],
    ) -> u32 {
        let (mut rival_score, mut rival_growth) = (f32::NEG_INFINITY, 0.0_f32);
        for (slot, &score) in scores.iter().enumerate() {
            let growth = score - rule.start(self.standing(slot), moment);
            let counts = slot != winner && score > f32::NEG_INFINITY;
            rival_score = if counts { rival_score.max(score) } else { rival_score };
            rival_growth = if counts { rival_growth.max(growth) } else { rival_growth };
        }
        let best = self.standing(winner);
        let mut most = f32::INFINITY;
        if let Some(bar) = &self.bar {
            let height = rule.score(bar.standing, moment);
            rival_score = rival_score.max(height);
            rival_growth = rival_growth.max(height - rule.start(bar.standing, moment));
            // Clocks are no faster than the square root of the visits.
            let time_left = rule.clock(moment).map_or(f32::INFINITY, |now| bar.expiry / now - 1.0);
            most = 0.99 * time_left * 2.0 * self.total_visits as f32 - 1.0;
        }
        let lead =
            Lead { best, score: scores[winner], rival_score, rival_growth, total_visits: self.total_visits };
        let assured = lead.assured_visits(rule, moment);
        assured.min(best.visits.saturating_add(most.max(0.0) as u32))
    }

    fn current_mean(&self) -> f32 {
        let (mut sum, mut count) = self.rest;
        for slot in 0..LANES {
            let (results, visits) = self.standing(slot).share();
            sum += f64::from(results);
            count += f64::from(visits);
        }
        if count > 0.0 { (sum / count) as f32 } else { 0.5 }
    }

    /// Sum of results and visits of the edges in `all` that are not on the list.
    fn rest_of(&self, all: impl Iterator<Item = Standing>) -> (f64, f64) {
        let sum = |(sum, count): (f64, f64), standing: Standing| {
            let (results, visits) = standing.share();
            (sum + f64::from(results), count + f64::from(visits))
        };
        let all = all.fold((0.0, 0.0), sum);
        let listed = (0..LANES).map(|slot| self.standing(slot)).fold((0.0, 0.0), sum);
        (all.0 - listed.0, all.1 - listed.1)
    }

    /// The bar, with the time until which all edges that are in the scratch buffers and not on the list stay below it.
    #[inline(always)]
    fn foresee<S: Lines>(&self, rule: &S, moment: &S::Moment, padded: usize, scratch: &mut Scratch) -> Bar {
        let (index, bar) = (self.indices[LANES - 1], self.standing(LANES - 1));
        let score = scratch.scores.0[usize::from(index)];
        if score.abs() >= f32::MAX {
            // The others are lost like the bar itself; or untried like it, if that is enough to be chosen.
            return Bar { index, standing: bar, expiry: f32::INFINITY };
        }
        let start = rule.start(bar, moment);
        // What time has added to the score so far; it grows in proportion to the clock.
        let growth = (score - start) * (1.0 - MARGIN);
        let start = start - MARGIN * start.abs().max(1.0);
        // Those on the list do not count.
        self.indices.iter().for_each(|&index| scratch.scores.0[usize::from(index)] = f32::NEG_INFINITY);
        let Scratch { columns, scores, .. } = scratch;
        let scores = &mut scores.0[..padded];
        assert!(padded <= MOST_EDGES);
        // In place, and without short-circuits, so that the compiler can vectorise it.
        for (index, score) in scores.iter_mut().enumerate() {
            let other = columns.standing(index);
            let other_start = rule.start(other, moment);
            let other_growth = *score - other_start;
            // The value of untried edges may move against that of the others.
            let leeway = if (other.visits == 0) != (bar.visits == 0) { S::MEAN_LEEWAY } else { 0.0 };
            let crossing = (start - other_start - leeway) / (other_growth - growth);
            let crossing = if other_growth > growth { crossing } else { LONGEST_FORESIGHT };
            let crossing = if start + growth > *score + leeway { crossing } else { 0.0 };
            // Equal edges stay equal, and the bar came first.
            *score = if is_same::<S>(other, bar) { LONGEST_FORESIGHT } else { crossing };
        }
        let mut earliest = [LONGEST_FORESIGHT; LANES];
        for crossings in scores.chunks_exact(LANES) {
            for lane in 0..LANES {
                let earlier = crossings[lane] < earliest[lane];
                earliest[lane] = if earlier { crossings[lane] } else { earliest[lane] };
            }
        }
        let earliest = earliest.into_iter().fold(LONGEST_FORESIGHT, f32::min);
        // Without a clock nothing moves: who is below stays below.
        let expiry = rule.clock(moment).map_or(f32::INFINITY, |now| now * earliest);
        Bar { index, standing: bar, expiry }
    }
}

/// Whether two edges look the same to a rule, to the last bit.
#[inline(always)]
fn is_same<S: Lines>(a: Standing, b: Standing) -> bool {
    let same = |x: f32, y: f32| x.to_bits() == y.to_bits();
    let mut equal = (a.visits == b.visits) & same(a.mean, b.mean);
    if S::COLUMNS.has(Columns::POLICY) {
        equal &= same(a.policy, b.policy);
    }
    if S::COLUMNS.has(Columns::AMAF) {
        equal &= same(a.amaf_weight, b.amaf_weight) & same(a.amaf_mean, b.amaf_mean);
    }
    if S::COLUMNS.has(Columns::PROXY) {
        equal &= a.proxy == b.proxy;
    }
    equal
}

/// Whether two scores compare the same whatever the mean of the node is within its doubt.
#[inline(always)]
fn compare_exactly(a: Standing, b: Standing) -> bool {
    (a.visits > 0 && b.visits > 0) || a == b
}

/// Indices of the highest scores, highest first, the first of equals first. The length is a multiple of `LANES`.
fn leaders(scores: &[f32]) -> [u16; LANES] {
    let mut indices = [0; LANES];
    let mut tops = [f32::NEG_INFINITY; LANES];
    let mut found = 0;
    for (row, chunk) in scores.chunks_exact(LANES).enumerate() {
        let lowest = tops[LANES - 1];
        let any = chunk.iter().fold(false, |any, &score| any | (score > lowest));
        if found == LANES && !any {
            continue;
        }
        for (lane, &score) in chunk.iter().enumerate() {
            if found == LANES && score <= tops[LANES - 1] {
                continue;
            }
            let mut at = found.min(LANES - 1);
            while at > 0 && score > tops[at - 1] {
                (tops[at], indices[at]) = (tops[at - 1], indices[at - 1]);
                at -= 1;
            }
            (tops[at], indices[at]) = (score, (row * LANES + lane) as u16);
            found = (found + 1).min(LANES);
        }
    }
    indices
}
