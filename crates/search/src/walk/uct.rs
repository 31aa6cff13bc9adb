//! UCT (Kocsis, Szepesvári 2006): every simulation walks from the root to a leaf, adds to the tree there, judges the leaf and
//! updates the path.

use super::path::{Path, for_mover};
use super::{Arrival, Kit, Simulation, Task, Walk};
use crate::domain::Domain;
use crate::select::Select;
use crate::tree::Tree;

/// From the root to a leaf, every time.
#[derive(Default)]
pub struct Uct {
    path: Path,
}

impl<S: Select> Walk<S> for Uct {
    #[inline]
    fn simulate<D: Domain>(
        &mut self,
        domain: &mut D,
        kit: &mut Kit,
        task: &Task<'_, S>,
    ) -> Option<Simulation> {
        domain.rewind();
        kit.counters.copies += 1;
        self.path.steps.clear();
        let mut node = task.root;
        let result = loop {
            kit.counters.scans += 1;
            let edges = task.tree.edges(node);
            let index = task.rule.choose(&edges, &mut kit.scratch);
            if node != task.root {
                kit.count_entry(task.tree, node, index);
            }
            match kit.follow(domain, task, &mut self.path, node, index) {
                Arrival::Node(child) => node = child,
                Arrival::Result(result) => break result,
                Arrival::Forbidden => return None,
            }
        };
        self.path.back_up(task.tree, result, task.options.sharing);
        if S::LEARNS_FROM_ALL_MOVES {
            kit.first_plays.note(domain.simulation());
            for (depth, step) in self.path.steps.iter().enumerate() {
                let edges = task.tree.edges(step.node);
                let edges = edges.first(task.rule.reach(&edges));
                kit.first_plays.update(&edges, depth, for_mover(result, depth));
            }
        }
        Some(Simulation { result, root_edge: self.path.steps[0].index as usize })
    }

    fn leave(&mut self, _tree: &Tree) {
        self.path.steps.clear();
    }
}
