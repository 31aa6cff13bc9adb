//! One thread's part of a search, and what the threads of a search share besides the tree.

use crate::evaluate::Evaluator;
use crate::go::Go;
use crate::searcher::{Control, Progress};
use crate::select::Select;
use crate::tree::{NodeId, Tree, Value};
use crate::walk::{Simulation, Stride, Task, Walk, Walker};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What the threads of one search share.
pub(crate) struct Shared<'a> {
    control: &'a dyn Control,
    stopped: AtomicBool,
    /// Simulations made, and those that threads have the right to make.
    claimed: AtomicU64,
    limit: u64,
    /// The result is proven, so that simulations end at the proof and say nothing about who owns what.
    proven: AtomicBool,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(control: &'a dyn Control) -> Shared<'a> {
        let limit = control.simulation_limit().unwrap_or(u64::MAX);
        let (stopped, proven) = (AtomicBool::new(false), AtomicBool::new(false));
        Shared { control, stopped, claimed: AtomicU64::new(0), limit, proven }
    }

    /// Asks the control; whether it stopped the search.
    pub(crate) fn check(&self, progress: &Progress) -> bool {
        self.proven.store(progress.proven, Relaxed);
        let stops = self.control.should_stop(progress);
        self.stopped.store(stops, Relaxed);
        stops
    }

    /// Whether the position itself is to be judged instead of what is below it.
    fn judges_root(&self) -> bool {
        self.control.wants_ownership() && self.proven.load(Relaxed)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether all simulations that the control allows are claimed.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.made() >= self.limit
    }

    /// Simulations so far, those included that another thread is just beginning.
    pub(crate) fn made(&self) -> u64 {
        self.claimed.load(Relaxed)
    }

    /// The right to make one more simulation. Where there is none, there may be again: another thread may give one back, and
    /// then asks again itself.
    fn claim(&self) -> bool {
        let more = |claimed| (claimed < self.limit).then_some(claimed + 1);
        self.claimed.fetch_update(Relaxed, Relaxed, more).is_ok()
    }

    /// Gives back the right to a simulation that was not made.
    fn unclaim(&self) {
        self.claimed.fetch_sub(1, Relaxed);
    }
}

/// By root edge: sum of Black's scores, sum of their squares, number.
pub(crate) type ScoreSums = Vec<(f64, f64, u64)>;

/// One thread's part of a search.
pub(crate) struct Part {
    scores: ScoreSums,
}

impl Part {
    /// A part of a search from a root with so many edges.
    pub(crate) fn new(edges: usize) -> Part {
        Part { scores: vec![(0.0, 0.0, 0); edges] }
    }

    /// The next step: another leaf as long as the evaluator takes more, or one that comes back; `false` if there is no simulation
    /// left to begin.
    #[inline]
    pub(crate) fn advance<S: Select, E: Evaluator<Go>, W: Walk<S>>(
        &mut self,
        walker: &mut Walker<Go, E, W>,
        task: &Task<'_, S>,
        shared: &Shared<'_>,
    ) -> bool {
        if walker.under_way() < walker.most_under_way::<S>() {
            if !shared.claim() {
                return false;
            }
            if shared.judges_root() {
                walker.judge_root();
                return true;
            }
            match walker.step(task) {
                Stride::Settled(simulation) => {
                    self.add(simulation);
                    return true;
                }
                Stride::Submitted | Stride::Forbidden => return true,
                Stride::Collision => shared.unclaim(),
            }
        }
        match walker.collect(task) {
            Some(simulation) => self.add(simulation),
            // Only other threads have leaves under way.
            None => std::thread::yield_now(),
        }
        true
    }

    /// Waits for the leaves under way, so that nothing is left in advance, and leaves the tree.
    pub(crate) fn finish<S: Select, E: Evaluator<Go>, W: Walk<S>>(
        mut self,
        walker: &mut Walker<Go, E, W>,
        task: &Task<'_, S>,
    ) -> ScoreSums {
        while let Some(simulation) = walker.collect(task) {
            self.add(simulation);
        }
        walker.leave(task.tree);
        self.scores
    }

    #[inline]
    fn add(&mut self, simulation: Simulation) {
        if let Some(score) = simulation.evaluation.black_score.map(f64::from) {
            let (sum, squares, count) = &mut self.scores[simulation.root_edge];
            *sum += score;
            *squares += score * score;
            *count += 1;
        }
    }
}

/// How far a search is. The order of the edges does not matter.
pub(crate) fn progress(tree: &Tree, root: NodeId, simulations: u64, playout_share: f32) -> Progress {
    let edges = tree.edges(root);
    let mut best = (0, Value::default());
    let (mut second, mut total, mut won, mut open) = (0, 0, false, 0);
    for i in 0..edges.len() {
        let value = edges.blended(i, playout_share);
        total += u64::from(value.visits);
        won |= value.proven() == Some(true);
        open += u32::from(value.proven() != Some(false));
        let ahead = value.visits.cmp(&best.1.visits).then(value.worth().total_cmp(&best.1.worth()));
        if i == 0 {
            best.1 = value;
        } else if ahead.is_gt() {
            second = best.1.visits;
            best = (i, value);
        } else {
            second = second.max(value.visits);
        }
    }
    // A mean of few visits is no rival.
    let is_rival = |value: Value| value.visits > best.1.visits / 10 && value.worth() > best.1.worth();
    let has_rival = (0..edges.len()).any(|i| i != best.0 && is_rival(edges.blended(i, playout_share)));
    Progress {
        simulations,
        root_visits: total,
        best_visits: u64::from(best.1.visits),
        second_visits: u64::from(second),
        best_is_clear: !has_rival,
        decided: won || open <= 1,
        proven: won || open == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::Prior;
    use crate::select::testing::node;
    use crate::tree::Columns;

    /// All orders of some edges with visits and means.
    fn orders(edges: &[(u32, f32)]) -> Vec<Vec<(u32, f32)>> {
        if edges.len() < 2 {
            return vec![edges.to_vec()];
        }
        let mut found = Vec::new();
        for i in 0..edges.len() {
            let mut rest = edges.to_vec();
            let first = rest.remove(i);
            found.extend(orders(&rest).into_iter().map(|order| [vec![first], order].concat()));
        }
        found
    }

    #[track_caller]
    fn check(edges: &[(u32, f32)], visits: (u64, u64), clear: bool) {
        for order in orders(edges) {
            let tree = Tree::new(1, Columns::NONE);
            let edges: Vec<_> = order.iter().map(|&(visits, mean)| (visits, mean, Prior::NONE)).collect();
            let found = progress(&tree, node(&tree, &edges), 0, 1.0);
            assert_eq!((found.best_visits, found.second_visits), visits, "{order:?}");
            assert_eq!(found.best_is_clear, clear, "{order:?}");
        }
    }

    #[test]
    fn whether_the_best_move_is_clear_does_not_depend_on_the_order() {
        check(&[(100, 0.5), (40, 0.4), (5, 0.9), (0, 0.0)], (100, 40), true);
        check(&[(100, 0.5), (40, 0.6), (5, 0.4), (0, 0.0)], (100, 40), false);
        check(&[(100, 0.5), (11, 0.6), (10, 0.7)], (100, 11), false);
        check(&[(100, 0.5), (10, 0.6)], (100, 10), true);
        check(&[(50, 0.5), (50, 0.6), (3, 0.9)], (50, 50), true);
        check(&[(20, f32::INFINITY), (100, 0.6)], (100, 20), false);
        check(&[(0, 0.0), (0, 0.0)], (0, 0), true);
    }
}
