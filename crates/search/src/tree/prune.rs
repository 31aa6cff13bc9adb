//! Making room in place: nodes that are unreachable or little visited go, the rest slides to the front.
//!
//! A mark-compact collection that needs no second tree. Only the owner of the tree can run it (`&mut`), so no search is
//! under way. Blocks move towards the front in ascending order and never past their old place: a block that did
//! not cross a chunk's end where it was cannot be pushed behind that place by blocks before it that only shrank.

use super::chunk::CHUNK_SLOTS;
use super::{Child, NodeId, Tree, UNEXPANDED, place};
use std::sync::atomic::Ordering::Relaxed;

impl Tree {
    /// Frees at least half of the memory, dropping the least visited nodes, and returns the new id of `root`.
    ///
    /// The statistics of the edges above a dropped node stay; it grows again when it is visited again.
    pub fn prune(&mut self, root: NodeId) -> NodeId {
        let target = self.chunks.len() * CHUNK_SLOTS / 2;
        let mut least_visits = 0;
        while self.reachable(root, least_visits).1 > target {
            least_visits = (2 * least_visits).max(1);
        }
        self.cut(root, least_visits);
        let (mut live, _) = self.reachable(root, 0);
        live.sort_unstable();
        self.compact(&live, root)
    }

    /// The nodes reached from `root` through edges with at least `least_visits`, and the slots they take.
    fn reachable(&self, root: NodeId, least_visits: u32) -> (Vec<NodeId>, usize) {
        let (mut found, mut slots) = (vec![root], 0);
        let mut next = 0;
        while let Some(&node) = found.get(next) {
            next += 1;
            let edges = self.edges(node);
            slots += edges.len() + 1;
            for i in 0..edges.len() {
                if let Child::Node(child) = edges.child(i)
                    && edges.value(i).visits >= least_visits
                {
                    found.push(child);
                }
            }
        }
        (found, slots)
    }

    /// Drops the nodes below edges with fewer visits.
    fn cut(&self, root: NodeId, least_visits: u32) {
        for node in self.reachable(root, least_visits).0 {
            let edges = self.edges(node);
            for i in 0..edges.len() {
                if edges.value(i).visits < least_visits {
                    edges.part(&edges.chunk.children)[i].store(UNEXPANDED, Relaxed);
                }
            }
        }
    }

    fn compact(&mut self, live: &[NodeId], root: NodeId) -> NodeId {
        let mut used = 1;
        for &node in live {
            let slots = self.edges(node).len() + 1;
            let start = place(used, slots);
            debug_assert!(start <= node);
            let (chunk, at) = self.locate(node);
            chunk.children[at].store(start, Relaxed);
            used = start + slots as u32;
        }
        let new_id = |node: NodeId| {
            let (chunk, at) = self.locate(node);
            chunk.children[at].load(Relaxed)
        };
        for &node in live {
            let edges = self.edges(node);
            for i in 0..edges.len() {
                if let Child::Node(child) = edges.child(i) {
                    edges.part(&edges.chunk.children)[i].store(new_id(child), Relaxed);
                }
            }
        }
        let new_root = new_id(root);
        for &node in live {
            self.move_block(node, new_id(node));
        }
        *self.used.get_mut() = used;
        *self.nodes.get_mut() = live.len() as u32;
        *self.full.get_mut() = false;
        new_root
    }

    fn move_block(&self, from: NodeId, to: NodeId) {
        let ((source, from), (target, to)) = (self.locate(from), self.locate(to));
        let slots = source.edge_count(from) + 1;
        for i in 0..slots {
            source.copy_slot(from + i, target, to + i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Columns, MeanOf, NewEdge};
    use super::*;
    use crate::rng::Rng;
    use crate::select::Prior;

    /// The tree as text: moves, visits and shape.
    fn picture(tree: &Tree, node: NodeId, least_visits: u32) -> String {
        let edges = tree.edges(node);
        let parts: Vec<String> = (0..edges.len())
            .map(|i| {
                let below = match edges.child(i) {
                    Child::Node(child) if edges.value(i).visits >= least_visits => {
                        picture(tree, child, least_visits)
                    }
                    _ => String::new(),
                };
                let columns = (edges.amaf()[i].load(Relaxed), edges.order()[i].load(Relaxed));
                format!("{}:{}/{columns:?}{below}", edges.code(i), edges.value(i).visits)
            })
            .collect();
        format!("({})", parts.join(" "))
    }

    #[test]
    fn pruning_keeps_what_is_visited_most() {
        let mut rng = Rng::new(1);
        let columns = Columns::AMAF | Columns::ORDER;
        let mut tree = Tree::new(3 * super::super::Chunk::bytes(columns), columns);
        let new_edges = |rng: &mut Rng| -> Vec<NewEdge> {
            let mut prior = || Prior { mean: rng.unit(), weight: rng.unit(), policy: 0.0 };
            let priors: Vec<Prior> = (0..300).map(|_| prior()).collect();
            let count = 1 + rng.below(300);
            (0..count).map(|i| NewEdge { code: i as u16, prior: priors[i] }).collect()
        };
        let mut root = tree.add_node(&new_edges(&mut rng)).unwrap();
        for round in 0..5 {
            while !tree.is_full() {
                let mut node = root;
                loop {
                    let edges = tree.edges(node);
                    // Squaring prefers the first moves, so that visits differ.
                    let i = (rng.unit() * rng.unit() * edges.len() as f32) as usize;
                    let edge = edges.first + i as u32;
                    tree.value(edge).add(1.0);
                    match edges.child(i) {
                        Child::Node(child) => node = child,
                        _ => {
                            if edges.value(i).visits > 2 && tree.claim(edge) {
                                let child = tree.add_node(&new_edges(&mut rng));
                                tree.publish(edge, child);
                            }
                            break;
                        }
                    }
                }
            }
            let before: Vec<String> =
                [0, 1, 2, 4, 8, 16, 32, 64].map(|least| picture(&tree, root, least)).into();
            root = tree.prune(root);
            let after = picture(&tree, root, 0);
            assert!(
                before.contains(&after),
                "round {round}: what is left is not the tree above some number of visits"
            );
            assert!(!tree.is_full());
            assert!(*tree.used.get_mut() as usize <= 2 * CHUNK_SLOTS);
            assert!(tree.node_count() > 1);
        }
    }

    #[test]
    fn a_new_root_leaves_the_rest_behind() {
        let mut tree = Tree::new(1, Columns::NONE);
        let edge = |code| NewEdge { code, prior: Prior::NONE };
        let root = tree.add_node(&[edge(1), edge(2)]).unwrap();
        let child = tree.add_node(&[edge(3)]).unwrap();
        let first = tree.edges(root).first;
        assert!(tree.claim(first + 1));
        tree.publish(first + 1, Some(child));
        let new_root = tree.prune(child);
        assert_eq!((new_root, tree.node_count()), (1, 1));
        assert_eq!(tree.edges(new_root).code(0), 3);
    }
}
