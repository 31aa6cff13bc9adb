//! UCT with proxy nodes: as [`super::Uct`], but in every node below the root the answers compete with the proxy of the move into it.
//!
//! A simulation that ends at a proxy is none: no playout is made, and the search begins again at the root. After [`MOST_RESTARTS`]
//! in a row it goes on with the best answer, so that a simulation always ends. One thread: several would lose counts of proxies, no more.

use super::path::Path;
use super::{Arrival, Kit, Simulation, Task, Walk};
use crate::domain::Domain;
use crate::select::{Proxy, ProxyAncestors, ProxyChosen, ProxyPlace, ProxyState};
use crate::tree::{MeanOf, NodeId, Tree};
use std::sync::atomic::Ordering::Relaxed;

/// Simulations in a row that may end at proxies.
const MOST_RESTARTS: u32 = 4;

/// From the root to a leaf, past proxies.
#[derive(Default)]
pub struct ProxyUct {
    path: Path,
}

/// What an edge was chosen in.
enum Turn {
    Follow(usize),
    Restart,
}

impl Walk<Proxy> for ProxyUct {
    fn simulate<D: Domain>(
        &mut self,
        domain: &mut D,
        kit: &mut Kit,
        task: &Task<'_, Proxy>,
    ) -> Option<Simulation> {
        let mut restarts = 0;
        let result = 'simulation: loop {
            domain.rewind();
            kit.counters.copies += 1;
            self.path.steps.clear();
            let mut node = task.root;
            loop {
                kit.counters.scans += 1;
                let Turn::Follow(index) = self.turn(kit, task, node, restarts) else {
                    restarts += 1;
                    self.path.release(task.tree, task.options.sharing);
                    continue 'simulation;
                };
                if node != task.root {
                    kit.count_entry(task.tree, node, index);
                }
                match kit.follow(domain, task, &mut self.path, node, index) {
                    Arrival::Node(child) => node = child,
                    Arrival::Result(result) => break 'simulation result,
                    Arrival::Forbidden => return None,
                }
            }
        };
        self.path.back_up(task.tree, result, task.options.sharing);
        Some(Simulation { result, root_edge: self.path.steps[0].index as usize })
    }

    fn leave(&mut self, _tree: &Tree) {
        self.path.steps.clear();
    }
}

impl ProxyUct {
    /// Chooses an edge of a node, or the proxy beside its edges.
    fn turn(&self, kit: &mut Kit, task: &Task<'_, Proxy>, node: NodeId, restarts: u32) -> Turn {
        let (tree, rule) = (task.tree, task.rule);
        let edges = tree.edges(node);
        let has_proxy = match rule.switches.place {
            ProxyPlace::Everywhere => !self.path.steps.is_empty(),
            ProxyPlace::Root => self.path.steps.len() == 1,
            ProxyPlace::Nowhere => false,
        };
        let Some(into) = self.path.steps.last().filter(|_| has_proxy) else {
            return Turn::Follow(crate::select::Select::choose(rule, &edges, &mut kit.scratch));
        };
        let above = tree.edges(into.node);
        let word = &above.extras[into.index as usize];
        let state = ProxyState::unpack(word.load(Relaxed));
        let contest = rule.contest(&edges, above.value(into.index as usize), state, &mut kit.scratch);
        word.store(contest.state.pack(), Relaxed);
        if !contest.proxy_wins {
            return Turn::Follow(contest.best);
        }
        if rule.switches.ancestors == ProxyAncestors::Counted {
            for step in &self.path.steps {
                let mean = tree.edges(step.node).value(step.index as usize).probability();
                tree.value(step.edge).add(mean);
            }
        }
        if rule.switches.chosen == ProxyChosen::Restart && restarts < MOST_RESTARTS {
            Turn::Restart
        } else {
            Turn::Follow(contest.best)
        }
    }
}
