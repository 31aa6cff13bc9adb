//! DFUCT, depth-first UCT (Yoshimoto, Kishimoto, Kaneko, Yoshizoe 2008): goes on below the node where it is as long as the rule
//! would come back there.
//!
//! Every node on the path has a [`Watch`]. After each simulation they are asked from the root on, and the search goes back to
//! the first one that sends it elsewhere; those below it are dropped. With a [`Pair`] of best and second that is
//! the paper's algorithm, corrected where its pseudo code does not work (the number of levels to return, the order of checks, updates
//! of ancestors, the change of sides, ties). With a [`Shortlist`] the leaves are exactly those of UCT.
//!
//! All statistics are updated at once, so that a search may stop after any simulation. What is saved is looking at edges and making
//! moves: the position of a level is kept once the search has come back to it often enough.
//!
//! Rules that learn from all moves would change the siblings of the path after every simulation. What they learn is held back
//! per level until the search leaves it. For them, and when other threads change the tree, the search returns to the root
//! after [`PATIENCE`] simulations, so that nothing remembered grows too old.

use super::leaf::Footstep;
use super::memory::Memory;
use super::{Arrival, Descent, Kit, Leaf, Sharing, Simulation, Task, Walk};
use crate::amaf::Pending;
use crate::domain::{Domain, Step};
use crate::evaluate::Evaluation;
use crate::select::{AuditedPair, Lines, Pair, Shortlist, Verdict, Watch};
use crate::tree::{NodeId, Tree};

/// The paper's DFUCT: remembers the best and the second edge of each node.
pub type Dfuct = DepthFirst<Pair>;
/// DFUCT that counts where the paper's memory of two edges falls short; slow.
pub type DfuctAudited = DepthFirst<AuditedPair>;
/// DFUCT that visits the same leaves as UCT.
pub type DfuctExact = DepthFirst<Shortlist>;

/// Simulations between two returns to the root, if what is remembered grows old.
const PATIENCE: u32 = 32;

/// Moves made again to reach a level before its position is kept: a copy takes as long as about three moves, and few levels are
/// come back to more than once or twice.
const REPLAYS: u32 = 1;

/// A depth-first walk with what `W` remembers of each node.
pub struct DepthFirst<W> {
    /// The way of the last simulation; nothing yet if it is empty. While its leaf is judged, the evaluator has it.
    path: Leaf,
    /// By depth, one per edge of the path; more are left over from deeper paths.
    levels: Vec<Level<W>>,
    /// The watches of levels that were left.
    memory: Memory<W>,
    /// Simulations since the root's edges were all looked at.
    stayed: u32,
}

#[derive(Default)]
struct Level<W> {
    watch: W,
    /// Whether the domain has kept the position.
    kept: bool,
    /// Moves made again to come back to it.
    replayed: u32,
    pending: Pending,
}

impl<W> Default for DepthFirst<W> {
    fn default() -> DepthFirst<W> {
        DepthFirst { path: Leaf::default(), levels: Vec::new(), memory: Memory::default(), stayed: 0 }
    }
}

impl<S: Lines, W: Watch<S>> Walk<S> for DepthFirst<W> {
    /// It goes on from the last leaf, so it has to know what that came to.
    const MANY_LEAVES: bool = false;

    #[inline]
    fn descend<D: Domain>(&mut self, domain: &mut D, kit: &mut Kit, task: &Task<'_, S>) -> Descent {
        let (mut node, mut index) = self.resume(domain, kit, task);
        loop {
            match kit.follow(domain, task, &mut self.path, node, index) {
                Arrival::Node(child) => {
                    node = child;
                    index = self.enter(kit, task, node);
                }
                Arrival::Leaf => return Descent::Leaf(std::mem::take(&mut self.path)),
                Arrival::Forbidden => return Descent::Forbidden,
                Arrival::Collision => return Descent::Collision,
            }
        }
    }

    #[inline]
    fn settle(
        &mut self,
        leaf: Leaf,
        evaluation: &Evaluation,
        kit: &mut Kit,
        task: &Task<'_, S>,
    ) -> Simulation {
        kit.fulfil_claim(&leaf, task.tree);
        leaf.back_up(task.tree, evaluation, task.options.sharing);
        if S::LEARNS_FROM_ALL_MOVES {
            kit.first_plays.note(&leaf.moves);
            let last = leaf.steps.len() - 1;
            self.levels[last].pending.note(&kit.first_plays, &leaf.moves, last, evaluation.result);
        }
        self.path = leaf;
        Simulation { evaluation: *evaluation, root_edge: self.path.root_edge() }
    }

    fn leave(&mut self, tree: &Tree) {
        self.drop_below(tree, 0);
        self.memory.clear();
    }
}

/// Whether nobody but the search itself changes the edges of a node, and only when it passes through the node.
fn rests_unvisited<S: Lines>(task: &Task<'_, S>) -> bool {
    !S::LEARNS_FROM_ALL_MOVES && task.options.sharing == Sharing::Alone
}

impl<W> DepthFirst<W> {
    /// Leaves the levels from `depth` on.
    fn drop_below(&mut self, tree: &Tree, depth: usize) {
        self.teach_from(tree, depth);
        self.path.truncate(depth);
    }

    /// Updates the nodes from `depth` on with what was held back there, and hands it on to the node before.
    fn teach_from(&mut self, tree: &Tree, depth: usize) {
        for depth in (depth..self.path.steps.len()).rev() {
            let (before, rest) = self.levels.split_at_mut(depth);
            let pending = &mut rest[0].pending;
            if pending.is_empty() {
                continue;
            }
            pending.apply(&tree.edges(self.path.steps[depth].node), depth);
            match before.last_mut() {
                Some(before) => {
                    let Footstep { node, index, .. } = self.path.steps[depth - 1];
                    before.pending.inherit(pending, tree.edge(node, index as usize).code(), depth);
                }
                None => pending.clear(),
            }
        }
    }

    /// Chooses an edge of a node that lies below the last edge of the path.
    fn enter<S: Lines>(&mut self, kit: &mut Kit, task: &Task<'_, S>, node: NodeId) -> usize
    where
        W: Watch<S>,
    {
        let depth = self.path.steps.len();
        if depth == self.levels.len() {
            let watch = W::default();
            self.levels.push(Level { watch, kept: false, replayed: 0, pending: Pending::default() });
        }
        let level = &mut self.levels[depth];
        (level.kept, level.replayed) = (false, 0);
        let mut known = false;
        if W::EXACT
            && rests_unvisited(task)
            && let Some(watch) = self.memory.recall(node)
        {
            level.watch = *watch;
            let verdict =
                level.watch.judge(task.rule, task.tree, node, &mut kit.scratch, &mut kit.counters.watch);
            known = verdict != Verdict::Look;
        }
        if !known {
            kit.counters.scans += 1;
            level.watch.open(task.rule, &task.tree.edges(node), &mut kit.scratch);
        }
        if depth > 0 {
            kit.count_entry(task.tree, node, level.watch.chosen());
        }
        level.watch.chosen()
    }

    /// Goes back as far as necessary; the node to go on from, with the domain standing there, and the edge to follow.
    #[inline(always)]
    fn resume<S: Lines>(
        &mut self,
        domain: &mut impl Domain,
        kit: &mut Kit,
        task: &Task<'_, S>,
    ) -> (NodeId, usize)
    where
        W: Watch<S>,
    {
        self.stayed += 1;
        if self.path.steps.is_empty() || (self.stayed > PATIENCE && !rests_unvisited(task)) {
            self.drop_below(task.tree, 0);
            self.stayed = 0;
            domain.rewind();
            kit.counters.copies += 1;
            return (task.root, self.enter(kit, task, task.root));
        }
        let depth = self.first_change(kit, task);
        let node = self.path.steps[depth].node;
        let index = self.levels[depth].watch.chosen();
        self.stand_at(domain, kit, task, depth);
        if W::EXACT && rests_unvisited(task) {
            let left = self.path.steps.iter().zip(&self.levels).skip(depth + 1);
            for (step, level) in left.filter(|(_, level)| level.watch.is_precious()) {
                self.memory.keep(step.node, &level.watch);
            }
        }
        self.drop_below(task.tree, depth);
        if task.options.sharing == Sharing::Shared {
            (0..depth).for_each(|kept| self.path.hold(task.tree, kept));
        }
        (node, index)
    }

    /// The first level from the root on whose watch sends the search elsewhere, or the last.
    #[inline(always)]
    fn first_change<S: Lines>(&mut self, kit: &mut Kit, task: &Task<'_, S>) -> usize
    where
        W: Watch<S>,
    {
        let last = self.path.steps.len() - 1;
        let wrong_before = kit.counters.watch.wrong_stays;
        for depth in 0..=last {
            let (step, level) = (self.path.steps[depth], &mut self.levels[depth]);
            let verdict = if depth == last && !W::EXACT {
                Verdict::Look
            } else {
                level.watch.judge(task.rule, task.tree, step.node, &mut kit.scratch, &mut kit.counters.watch)
            };
            if verdict == Verdict::Stay {
                continue;
            }
            if verdict == Verdict::Look || S::LEARNS_FROM_ALL_MOVES {
                self.teach_from(task.tree, depth);
                kit.counters.scans += 1;
                self.levels[depth].watch.open(task.rule, &task.tree.edges(step.node), &mut kit.scratch);
            }
            if self.levels[depth].watch.chosen() != step.index as usize {
                kit.counters.wrong_decisions += u64::from(kit.counters.watch.wrong_stays > wrong_before);
                return depth;
            }
        }
        kit.counters.wrong_decisions += u64::from(kit.counters.watch.wrong_stays > wrong_before);
        last
    }

    /// Puts the domain at the node of a level, from the nearest position kept; keeps it here if that has become worth it.
    #[inline(always)]
    fn stand_at<S: Lines>(
        &mut self,
        domain: &mut impl Domain,
        kit: &mut Kit,
        task: &Task<'_, S>,
        depth: usize,
    ) where
        W: Watch<S>,
    {
        let nearest = (1..=depth).rev().find(|&level| self.levels[level].kept);
        kit.counters.copies += 1;
        match nearest {
            Some(level) => domain.restore(level),
            None => domain.rewind(),
        }
        for level in nearest.unwrap_or(0)..depth {
            let (step, next) = (self.path.steps[level], self.path.steps[level + 1]);
            let made = domain.play(task.tree.edge(step.node, step.index as usize).code());
            debug_assert_eq!(made, Step::Open, "the move was made before");
            kit.counters.moves += 1;
            kit.count_entry(task.tree, next.node, self.levels[level + 1].watch.chosen());
        }
        let level = &mut self.levels[depth];
        level.replayed += (depth - nearest.unwrap_or(0)) as u32;
        if level.replayed > REPLAYS && !level.kept {
            domain.save(depth);
            kit.counters.copies += 1;
            level.kept = true;
        }
    }
}
