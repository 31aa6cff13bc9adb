//! Proof numbers of positions in the tree, one for each side; see `rule.rs`.

use super::rule::Nearness;
use crate::side::Side;

/// By side: how many moves at the end of the tree have to be shown to win, at least, for the side to win.
pub(super) type Numbers = [u32; 2];

/// After a move that was never tried.
pub(super) const UNTRIED: Numbers = [1; 2];

/// The number of what cannot be done.
const INFINITE: u32 = u32::MAX;

/// After a move that decides the game.
pub(super) fn won_by(winner: Side) -> Numbers {
    let mut numbers = [INFINITE; 2];
    numbers[winner.index()] = 0;
    numbers
}

/// Of a position whose moves have these.
pub(super) fn of_node(mover: Side, moves: impl Iterator<Item = Numbers>) -> Numbers {
    let (own, other) = (mover.index(), (!mover).index());
    let mut numbers = won_by(!mover);
    for after in moves {
        numbers[own] = numbers[own].min(after[own]);
        // What is finite stays so, however much there is of it.
        numbers[other] = match (numbers[other], after[other]) {
            (INFINITE, _) | (_, INFINITE) => INFINITE,
            (sum, one) => sum.saturating_add(one).min(INFINITE - 1),
        };
    }
    numbers
}

/// Sorts numbers and leaves one of each.
pub(super) fn sort_by_rank(numbers: &mut Vec<u32>) {
    numbers.sort_unstable();
    numbers.dedup();
}

/// F of a move with a proof number among sorted ones that hold it: 0 for the largest, and near 1 for a small one.
pub(super) fn nearness(by: Nearness, number: u32, ranking: &[u32]) -> f32 {
    let largest = ranking.last().copied().unwrap_or(1).max(1);
    match by {
        Nearness::NumberShare => 1.0 - number as f32 / largest as f32,
        _ => {
            let rank = 1 + ranking.partition_point(|&other| other < number);
            1.0 - rank as f32 / ranking.len().max(1) as f32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mover_needs_one_move_and_the_opponent_all() {
        let moves = [[3, 2], [1, 7], [5, 1]];
        assert_eq!(of_node(Side::Attacker, moves.into_iter()), [1, 10]);
        assert_eq!(of_node(Side::Defender, moves.into_iter()), [9, 1]);
        let lost = won_by(Side::Defender);
        assert_eq!(of_node(Side::Attacker, [[3, 2], lost].into_iter()), [3, 2]);
        assert_eq!(of_node(Side::Attacker, [[3, 2], won_by(Side::Attacker)].into_iter()), [0, INFINITE]);
        assert_eq!(of_node(Side::Attacker, [lost, lost].into_iter()), lost);
        assert_eq!(of_node(Side::Attacker, [[1, INFINITE - 1]; 2].into_iter()), [1, INFINITE - 1]);
    }

    #[test]
    fn equal_numbers_have_the_same_rank() {
        let mut numbers = vec![4, 1, 8, 4];
        sort_by_rank(&mut numbers);
        assert_eq!(numbers, [1, 4, 8]);
        let by_rank = [1, 4, 8].map(|number| nearness(Nearness::NumberRank, number, &numbers));
        assert_eq!(by_rank, [1.0 - 1.0 / 3.0, 1.0 - 2.0 / 3.0, 0.0]);
        let by_share = [1, 4, 8].map(|number| nearness(Nearness::NumberShare, number, &numbers));
        assert_eq!(by_share, [0.875, 0.5, 0.0]);
        assert_eq!(nearness(Nearness::NumberRank, 1, &[1]), 0.0);
    }
}
