//! The best and the second edge, as DFUCT remembers them (Yoshimoto, Kishimoto, Kaneko, Yoshizoe 2008).
//!
//! Assumes that no third edge overtakes the second while the search stays below the best. That happens, as the exploration
//! term of little visited edges grows fastest; [`AuditedPair`] counts how often.

use super::lines::{Lead, WORTH_FORESEEING, survey, untried};
use super::watch::{Verdict, Watch, WatchTally};
use super::{LANES, Lines, Scratch, Siblings, Standing, best, position, present};
use crate::tree::{Edges, NodeId, Tree, Value};

/// Best and second; the search leaves when the second has overtaken the best.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    best: Contender,
    /// Nothing if the node has one edge.
    second: Option<Contender>,
    total_visits: u64,
    /// Mean of the visited edges when the pair was chosen.
    mean: f32,
    lasting: bool,
    /// Visits of the best up to which the second cannot have overtaken it.
    assured: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Contender {
    index: usize,
    standing: Standing,
}

impl Pair {
    /// The first two of some edges without visits. Once the best is visited, the second is ahead whatever the node's visits are.
    #[inline(always)]
    fn of_untried(first: usize, second: usize) -> Pair {
        let contender = |index| Contender { index, standing: Standing::default() };
        Pair { best: contender(first), second: Some(contender(second)), lasting: true, ..Pair::default() }
    }

    /// Whether the second has overtaken, as the best stands now.
    #[inline(always)]
    fn is_overtaken<S: Lines>(&mut self, rule: &S, now: Value, worth: f32) -> bool {
        let Some(second) = self.second else { return false };
        let best = &mut self.best.standing;
        self.total_visits += u64::from(now.visits.saturating_sub(best.visits));
        (best.visits, best.mean) = (now.visits, worth);
        let moment = rule.moment(Siblings::of(self.total_visits, self.mean));
        let (score, challenger) = (rule.score(*best, &moment), rule.score(second.standing, &moment));
        let lead = Lead {
            best: *best,
            score,
            rival_score: challenger,
            rival_growth: challenger - rule.start(second.standing, &moment),
            total_visits: self.total_visits,
        };
        let is_worth = best.visits >= WORTH_FORESEEING;
        self.assured = if is_worth { lead.assured_visits(rule, &moment) } else { 0 };
        challenger > score || (challenger == score && second.index < self.best.index)
    }
}

impl<S: Lines> Watch<S> for Pair {
    const EXACT: bool = false;

    #[inline]
    fn open(&mut self, rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) {
        if let Some([first, second]) = untried::<S, 2>(edges) {
            *self = Pair::of_untried(first.into(), second.into());
            return;
        }
        let survey = survey(rule, edges, scratch);
        let (first, second) = best_two(&scratch.scores.0[..survey.padded]);
        let contender =
            |index| Contender { index: scratch.place::<S>(index), standing: scratch.columns.standing(index) };
        *self = Pair {
            best: contender(first),
            second: (second < scratch.columns.copied && second != first).then(|| contender(second)),
            total_visits: survey.total_visits,
            mean: survey.mean,
            lasting: survey.lasting,
            assured: 0,
        };
    }

    #[inline(always)]
    fn chosen(&self) -> usize {
        self.best.index
    }

    #[inline]
    fn judge(&mut self, rule: &S, tree: &Tree, node: NodeId, _: &mut Scratch, _: &mut WatchTally) -> Verdict {
        let (now, worth) = present(rule, tree, node, self.best.index);
        if now.visits < self.assured && now.proven().is_none() {
            return Verdict::Stay;
        }
        if self.is_overtaken(rule, now, worth) || !self.lasting { Verdict::Look } else { Verdict::Stay }
    }
}

/// Indices of the largest score and of the largest of the others, each the first of equals; the same index twice if all others are
/// −∞. The length is a multiple of [`LANES`].
#[inline(always)]
fn best_two(scores: &[f32]) -> (usize, usize) {
    // Which scores they are first, then where: keeping track of both at once takes longer.
    let (mut tops, mut seconds) = ([f32::NEG_INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
    for chunk in scores.chunks_exact(LANES) {
        for lane in 0..LANES {
            let score = chunk[lane];
            let lower = if score > tops[lane] { tops[lane] } else { score };
            tops[lane] = if score > tops[lane] { score } else { tops[lane] };
            seconds[lane] = if lower > seconds[lane] { lower } else { seconds[lane] };
        }
    }
    let (mut top, mut second) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for score in tops.into_iter().chain(seconds) {
        second = second.max(score.min(top));
        top = top.max(score);
    }
    let first = position(scores, top);
    if second == f32::NEG_INFINITY {
        return (first, first);
    }
    if second < top {
        return (first, position(scores, second));
    }
    let next = scores[first + 1..].iter().position(|&score| score == top);
    (first, next.map_or(first, |next| first + 1 + next))
}

/// A [`Pair`] that looks at all edges at every check and counts what the pair misses; it decides like the pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditedPair {
    pair: Pair,
    checked: bool,
    overtaken: bool,
}

impl<S: Lines> Watch<S> for AuditedPair {
    const EXACT: bool = false;

    fn open(&mut self, rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) {
        Watch::<S>::open(&mut self.pair, rule, edges, scratch);
        (self.checked, self.overtaken) = (false, false);
    }

    fn chosen(&self) -> usize {
        self.pair.best.index
    }

    fn judge(
        &mut self,
        rule: &S,
        tree: &Tree,
        node: NodeId,
        scratch: &mut Scratch,
        tally: &mut WatchTally,
    ) -> Verdict {
        let verdict = self.pair.judge(rule, tree, node, scratch, tally);
        let edges = tree.edges(node);
        let Some(second) = self.pair.second.filter(|_| edges.len() > 2) else { return verdict };
        let survey = survey(rule, &edges, scratch);
        let scores = &mut scratch.scores.0[..survey.padded];
        let choice = best(scores);
        // Audits are of rules whose edges stay in their places.
        scores[self.pair.best.index] = f32::NEG_INFINITY;
        let overtaken = best(scores) != second.index;
        tally.checks += 1;
        tally.overtaken_checks += u64::from(overtaken);
        tally.conditions += u64::from(!self.checked);
        tally.overtaken_conditions += u64::from(overtaken && !self.overtaken);
        tally.wrong_stays += u64::from(verdict == Verdict::Stay && choice != self.pair.best.index);
        self.checked = true;
        self.overtaken |= overtaken;
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_best_are_those_of_two_looks() {
        let mut rng = crate::Rng::new(1);
        for _ in 0..2000 {
            let mut scores: Vec<f32> = (0..LANES * (1 + rng.below(5)))
                .map(|_| rng.below(9) as f32)
                .map(|s| if s < 2.0 { f32::NEG_INFINITY } else { s })
                .collect();
            let found = best_two(&scores);
            let first = best(&scores);
            scores[first] = f32::NEG_INFINITY;
            let second = best(&scores);
            assert_eq!(found.0, first);
            if scores[second] > f32::NEG_INFINITY {
                assert_eq!(found.1, second);
            }
        }
        let alone = [f32::NEG_INFINITY; LANES];
        let (first, second) = best_two(&alone);
        assert_eq!(first, second);
    }
}
