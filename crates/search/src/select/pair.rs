//! The best and the second edge, as DFUCT remembers them (Yoshimoto, Kishimoto, Kaneko, Yoshizoe 2008).
//!
//! Assumes that no third edge overtakes the second while the search stays below the best. That happens, as the exploration
//! term of little visited edges grows fastest; [`AuditedPair`] counts how often.

use super::lines::survey;
use super::watch::{Verdict, Watch, WatchTally};
use super::{Lines, Scratch, Standing, best};
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
}

#[derive(Clone, Copy, Debug, Default)]
struct Contender {
    index: usize,
    standing: Standing,
}

impl Pair {
    /// Whether the second has overtaken, as the best stands now.
    #[inline(always)]
    fn is_overtaken<S: Lines>(&mut self, rule: &S, now: Value) -> bool {
        let Some(second) = self.second else { return false };
        let best = &mut self.best.standing;
        self.total_visits += u64::from(now.visits.saturating_sub(best.visits));
        (best.visits, best.mean) = (now.visits, now.mean);
        let moment = rule.moment(self.total_visits, self.mean);
        let (best, challenger) = (rule.score(*best, &moment), rule.score(second.standing, &moment));
        challenger > best || (challenger == best && second.index < self.best.index)
    }
}

impl<S: Lines> Watch<S> for Pair {
    const EXACT: bool = false;

    #[inline]
    fn open(&mut self, rule: &S, edges: &Edges<'_>, scratch: &mut Scratch) {
        let survey = survey(rule, edges, scratch);
        let scores = &mut scratch.scores.0[..survey.padded];
        let first = best(scores);
        scores[first] = f32::NEG_INFINITY;
        let second = best(scores);
        let contender = |index| Contender { index, standing: scratch.standing(index) };
        *self = Pair {
            best: contender(first),
            second: (second < edges.len() && second != first).then(|| contender(second)),
            total_visits: survey.total_visits,
            mean: survey.mean,
            lasting: survey.lasting,
        };
    }

    #[inline(always)]
    fn chosen(&self) -> usize {
        self.best.index
    }

    #[inline]
    fn judge(&mut self, rule: &S, tree: &Tree, node: NodeId, _: &mut Scratch, _: &mut WatchTally) -> Verdict {
        let now = tree.edge(node, self.best.index).value();
        if self.is_overtaken(rule, now) || !self.lasting { Verdict::Look } else { Verdict::Stay }
    }
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
