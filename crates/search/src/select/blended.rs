//! Playouts and a network's values side by side (Silver et al. 2016; Cygo): `Q = (1 − λ)·Wv/Nv + λ·Wr/Nr`.
//!
//! The two are kept apart because a leaf is played out at every visit but asked of the network once: in one mean the network's
//! part would fade.

use super::{Lines, Scored, Scratch, Select, Siblings, Standing, lines};
use crate::tree::{Columns, Edges};

/// Another rule, on means that are part playouts and part network.
#[derive(Clone, Debug)]
pub struct Blended<S> {
    /// The rule.
    pub rule: S,
    /// The playouts' part λ.
    pub playout_share: f32,
}

impl<S: Scored> Select for Blended<S> {
    const COLUMNS: Columns = S::COLUMNS.and(Columns::NETWORK);
    const LEARNS_FROM_ALL_MOVES: bool = S::LEARNS_FROM_ALL_MOVES;

    lines::as_its_rule!(width, reach, bias_correction);

    #[inline(always)]
    fn playout_share(&self) -> f32 {
        self.playout_share
    }

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

lines::scored_by_its_rule!(Blended);

#[cfg(test)]
mod tests {
    use super::super::testing::node;
    use super::super::{Prior, Ucb1};
    use super::*;
    use crate::tree::{MeanOf, Tree};

    /// Which of two edges is chosen, each with 100 playouts of a mean and perhaps a network's value.
    fn choice(playout_share: f32, edges: [(f32, Option<f32>); 2]) -> usize {
        let rule = Blended { rule: Ucb1 { exploration: 0.0 }, playout_share };
        let tree = Tree::new(1, Blended::<Ucb1>::COLUMNS);
        let values = edges.map(|(mean, _)| (100, mean, Prior::NONE));
        let root = node(&tree, &values);
        for (index, (_, network)) in edges.iter().enumerate() {
            if let Some(value) = network {
                tree.network(root + 1 + index as u32).unwrap().add(*value);
            }
        }
        rule.choose(&tree.edges(root), &mut Scratch::default())
    }

    #[test]
    fn means_are_blended_by_the_share() {
        let contrary = [(0.6, Some(0.2)), (0.4, Some(0.5))];
        assert_eq!(choice(1.0, contrary), 0, "playouts alone");
        assert_eq!(choice(0.0, contrary), 1, "the network alone");
        // 0.7·0.6 + 0.3·0.2 = 0.48 against 0.7·0.4 + 0.3·0.5 = 0.43; 0.44 against 0.44 at 0.6; 0.4 against 0.45 at 0.5.
        assert_eq!(choice(0.7, contrary), 0);
        assert_eq!(choice(0.5, contrary), 1);
    }

    #[test]
    fn what_the_network_has_not_seen_counts_by_playouts_alone() {
        assert_eq!(choice(0.0, [(0.6, None), (0.4, Some(0.5))]), 0);
        assert_eq!(choice(0.0, [(0.6, None), (0.4, Some(0.7))]), 1);
    }

    #[test]
    fn a_proof_beats_every_opinion() {
        assert_eq!(choice(0.5, [(f32::INFINITY, Some(0.0)), (0.9, Some(1.0))]), 0);
        assert_eq!(choice(0.5, [(f32::NEG_INFINITY, Some(1.0)), (0.1, Some(0.1))]), 1);
    }
}
