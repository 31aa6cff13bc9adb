//! UCT with proxy nodes: as [`super::Uct`], but in every node below the root the answers compete with the proxy of the move into it.
//!
//! A simulation that ends at a proxy is none: no playout is made, and the search begins again at the root. After [`MOST_RESTARTS`]
//! in a row it goes on with the best answer, so that a simulation always ends. One thread: several would lose counts of proxies, no more.

use super::{Arrival, Descent, Kit, Leaf, Simulation, Task, Walk};
use crate::domain::Domain;
use crate::evaluate::Evaluation;
use crate::select::{Proxied, ProxyAncestors, ProxyChosen, ProxyPlace, ProxyState, Scored, Select};
use crate::tree::{MeanOf, NodeId, Tree};
use std::sync::atomic::Ordering::Relaxed;

/// Simulations in a row that may end at proxies.
const MOST_RESTARTS: u32 = 4;

/// From the root to a leaf, past proxies.
#[derive(Default)]
pub struct ProxyUct;

/// What an edge was chosen in.
enum Turn {
    Follow(usize),
    Restart,
}

impl<S: Scored> Walk<Proxied<S>> for ProxyUct {
    fn descend<D: Domain>(&mut self, domain: &mut D, kit: &mut Kit, task: &Task<'_, Proxied<S>>) -> Descent {
        let mut restarts = 0;
        let mut leaf = kit.take_leaf();
        'simulation: loop {
            domain.rewind();
            kit.counters.copies += 1;
            leaf.clear();
            let mut node = task.root;
            loop {
                kit.counters.scans += 1;
                let Turn::Follow(index) = turn(kit, task, &leaf, node, restarts) else {
                    restarts += 1;
                    leaf.release(task.tree, task.options.sharing);
                    continue 'simulation;
                };
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
    }

    fn settle(
        &mut self,
        leaf: Leaf,
        evaluation: &Evaluation,
        kit: &mut Kit,
        task: &Task<'_, Proxied<S>>,
    ) -> Simulation {
        let simulation = kit.settle(&leaf, evaluation, task);
        kit.give_back(leaf);
        simulation
    }

    fn leave(&mut self, _tree: &Tree) {}
}

/// Chooses an edge of a node at the end of a way, or the proxy beside its edges.
fn turn<S: Scored>(
    kit: &mut Kit,
    task: &Task<'_, Proxied<S>>,
    way: &Leaf,
    node: NodeId,
    restarts: u32,
) -> Turn {
    let (tree, rule) = (task.tree, task.rule);
    let edges = tree.edges(node);
    let has_proxy = match rule.switches.place {
        ProxyPlace::Everywhere => !way.steps.is_empty(),
        ProxyPlace::Root => way.steps.len() == 1,
        ProxyPlace::Nowhere => false,
    };
    let Some(into) = way.steps.last().filter(|_| has_proxy) else {
        return Turn::Follow(rule.choose(&edges, &mut kit.scratch));
    };
    let above = tree.edges(into.node);
    let word = &above.proxies()[into.index as usize];
    let state = ProxyState::unpack(word.load(Relaxed));
    let contest = rule.contest(&edges, above.value(into.index as usize), state, &mut kit.scratch);
    word.store(contest.state.pack(), Relaxed);
    if !contest.proxy_wins {
        return Turn::Follow(contest.best);
    }
    if rule.switches.ancestors == ProxyAncestors::Counted {
        for step in &way.steps {
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
