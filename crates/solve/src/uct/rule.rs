//! How moves are chosen: `UCB1 + c·F`, where F says how near a move is to its proof.
//!
//! *By probability.* For a move n with the replies n₁ … n_m let X be the share of playouts that the side which played n won. Then
//!
//! - `F(n) = Π X(nᵢ)`, where a reply without visits counts as X(n); so a move whose replies are all unvisited has
//!   `F(n) = X(n)^m`, and nothing special is needed at the end of the tree;
//! - X is kept within 0.001 to 1, so that one lost playout does not make a proof impossible; a refuted reply counts 1.
//!
//! The product shrinks with the number of replies, whatever they are worth. The geometric mean, the m-th root of F, does not.
//!
//! *By number* (PN-MCTS: E. Doe, M. Winands, D. Soemers, C. Browne, 2022; J. Kowalski, E. Doe, M. Winands, D. Górski, D. Soemers, 2024). A position has a proof number for
//! each side: the least number of moves at the end of the tree that have to be shown to win for that side to win here (per player: J. Kowalski, D. Soemers, S. Kosakowski,
//! M. Winands, 2025; with two players the opponent's is the disproof number). It is the least one of the moves if the side is to move, and their sum if not; a move that was never tried has
//! 1 for both sides. F compares a move's number for its mover with those of its siblings that are not lost: by rank, `1 − r/R`, where r = 1, 2, …, R with
//! equal numbers in the same place; or by share, `1 − n/N`, where N is the largest of them. Games of the problem have no score, so there are no bounds of it to keep.

/// The parameters of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofRule {
    /// Factor of the exploration term `sqrt(2 ln s / n)`; 1 in the papers.
    pub exploration: f32,
    /// c, the weight of F; 0 is plain UCT.
    pub weight: f32,
    /// Whose moves get the bonus.
    pub scope: Scope,
    /// What F is.
    pub nearness: Nearness,
}

/// Whose moves get the bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of both sides.
    BothSides,
    /// Those of the attacker alone.
    Attacker,
}

/// How it is measured how near a move is to its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// By the product of the probabilities of all replies to be refuted: that of a proof, if they are independent.
    Product,
    /// By their geometric mean, which does not depend on their number.
    GeometricMean,
    /// By the rank of its proof number among those of its siblings.
    NumberRank,
    /// By its proof number as a share of the largest of its siblings.
    NumberShare,
}

impl Nearness {
    /// Whether proof numbers have to be kept.
    #[inline(always)]
    pub(super) fn is_number(self) -> bool {
        matches!(self, Nearness::NumberRank | Nearness::NumberShare)
    }
}

/// The least X that a reply without a proof has.
const LEAST_SHARE: f32 = 0.001;

impl ProofRule {
    /// Plain UCT.
    pub const UCT: ProofRule =
        ProofRule { exploration: 1.0, weight: 0.0, scope: Scope::BothSides, nearness: Nearness::Product };

    /// The search of the paper with a weight of F.
    pub const fn weighing(weight: f32) -> ProofRule {
        ProofRule { weight, ..ProofRule::UCT }
    }

    /// The square of the exploration term times the visits of a move, if its siblings and itself have `total` visits.
    #[inline]
    pub(super) fn exploration_squared(&self, total: u32) -> f32 {
        self.exploration * self.exploration * 2.0 * (total as f32).ln()
    }

    /// The weight of F for a side.
    #[inline(always)]
    pub(super) fn weight_for(&self, is_attacker: bool) -> f32 {
        if self.scope == Scope::Attacker && !is_attacker { 0.0 } else { self.weight }
    }

    /// c·F, by probability, of a move whose mover won this share after it.
    #[inline]
    pub(super) fn bonus(&self, is_attackers: bool, share: f32, replies: &Replies) -> f32 {
        let weight = self.weight_for(is_attackers);
        if weight == 0.0 {
            return 0.0;
        }
        let sum = replies.log_sum(log_share(share));
        let log_proof = if self.nearness == Nearness::GeometricMean {
            sum / f64::from(replies.count.max(1))
        } else {
            sum
        };
        weight * log_proof.exp() as f32
    }
}

/// The natural logarithm of X.
#[inline]
pub(super) fn log_share(share: f32) -> f32 {
    share.max(LEAST_SHARE).ln()
}

/// The replies to a move, as far as F needs them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Replies {
    /// Number of all replies.
    pub(super) count: u32,
    /// Number of those visited.
    pub(super) visited: u32,
    /// Sum of log X of those visited; in double precision, because it is changed a little with every playout.
    pub(super) visited_log_sum: f64,
}

impl Replies {
    /// The sum of log X over all replies, given log X of the move itself.
    #[inline]
    fn log_sum(&self, own: f32) -> f64 {
        self.visited_log_sum + f64::from(self.count - self.visited) * f64::from(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: ProofRule, share: f32, replies: (u32, &[f32]), expected: f32) {
        let (count, visited) = replies;
        let visited_log_sum = visited.iter().map(|&share| f64::from(log_share(share))).sum();
        let replies = Replies { count, visited: visited.len() as u32, visited_log_sum };
        let found = rule.bonus(true, share, &replies);
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    }

    #[test]
    fn the_bonus_is_the_product_over_all_replies() {
        let rule = ProofRule::weighing(1.0);
        check(rule, 0.5, (2, &[0.8, 0.25]), 0.2);
        check(rule, 0.5, (3, &[]), 0.125);
        check(rule, 0.5, (4, &[0.8, 1.0]), 0.2);
        check(rule, 0.0, (1, &[]), 0.001);
        check(rule, 1.0, (1, &[0.0]), 0.001);
        check(ProofRule::weighing(0.5), 0.5, (2, &[0.8, 0.25]), 0.1);
        check(ProofRule::UCT, 0.5, (2, &[0.8, 0.25]), 0.0);
        let mean = ProofRule { nearness: Nearness::GeometricMean, ..rule };
        check(mean, 0.5, (7, &[]), 0.5);
        check(mean, 0.5, (2, &[0.8, 0.2]), 0.4);
    }

    #[test]
    fn the_defender_may_go_without() {
        let rule = ProofRule { scope: Scope::Attacker, ..ProofRule::weighing(1.0) };
        let replies = Replies { count: 2, visited: 0, visited_log_sum: 0.0 };
        assert_eq!((rule.bonus(true, 0.5, &replies), rule.bonus(false, 0.5, &replies)), (0.25, 0.0));
    }
}
