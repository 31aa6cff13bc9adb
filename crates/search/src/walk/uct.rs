//! UCT (Kocsis, Szepesvári 2006): every simulation walks from the root to a leaf, adds to the tree there, judges the leaf and
//! updates the path.

use super::{Arrival, Descent, Kit, Leaf, Simulation, Task, Walk};
use crate::domain::Domain;
use crate::evaluate::Evaluation;
use crate::select::Select;
use crate::tree::Tree;

/// From the root to a leaf, every time.
#[derive(Default)]
pub struct Uct;

impl<S: Select> Walk<S> for Uct {
    #[inline]
    fn descend<D: Domain>(&mut self, domain: &mut D, kit: &mut Kit, task: &Task<'_, S>) -> Descent {
        domain.rewind();
        kit.counters.copies += 1;
        let mut leaf = kit.take_leaf();
        let mut node = task.root;
        let mut planned = task.halving.and_then(|halving| halving.choose(&task.tree.edges(node)));
        loop {
            kit.counters.scans += 1;
            let edges = task.tree.edges(node);
            let index = planned.take().unwrap_or_else(|| task.rule.choose(&edges, &mut kit.scratch));
            if node != task.root {
                kit.count_entry(task.tree, node, index);
            }
            match kit.follow(domain, task, &mut leaf, node, index) {
                Arrival::Node(child) => node = child,
                Arrival::Leaf => return Descent::Leaf(leaf),
                Arrival::Forbidden => {
                    kit.give_back(leaf);
                    return Descent::Forbidden;
                }
                Arrival::Collision => {
                    kit.give_back(leaf);
                    return Descent::Collision;
                }
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
        let simulation = kit.settle(&leaf, evaluation, task);
        kit.give_back(leaf);
        simulation
    }

    fn leave(&mut self, _tree: &Tree) {}
}
