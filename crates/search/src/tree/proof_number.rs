//! Proof numbers: how much is still to be shown before a move is proven.

/// For the side that makes a move: at how many ends of the tree below it something has to be shown, at least, before it is proven won, and before it is proven lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// To prove that it wins.
    pub win: u32,
    /// To prove that it loses.
    pub lose: u32,
}

/// What cannot be shown any more.
const NEVER: u32 = u32::MAX;

impl ProofNumbers {
    /// Of a move below which there is no tree yet.
    pub const OPEN: ProofNumbers = ProofNumbers { win: 1, lose: 1 };

    /// Of a move whose result is proven.
    pub fn proven(win: bool) -> ProofNumbers {
        if win { ProofNumbers { win: 0, lose: NEVER } } else { ProofNumbers { win: NEVER, lose: 0 } }
    }

    /// Of the move into a position with these moves: it wins if all of them lose, and loses if one of them wins.
    pub fn of_move_before(moves: impl Iterator<Item = ProofNumbers>) -> ProofNumbers {
        moves.fold(ProofNumbers { win: 0, lose: NEVER }, |sum, reply| ProofNumbers {
            win: add(sum.win, reply.lose),
            lose: sum.lose.min(reply.win),
        })
    }

    pub(super) fn pack(self) -> u64 {
        u64::from(self.win) << 32 | u64::from(self.lose)
    }

    pub(super) fn unpack(word: u64) -> ProofNumbers {
        ProofNumbers { win: (word >> 32) as u32, lose: word as u32 }
    }
}

/// A sum that stays short of [`NEVER`] unless one of the two is that.
fn add(a: u32, b: u32) -> u32 {
    if a == NEVER || b == NEVER { NEVER } else { a.saturating_add(b).min(NEVER - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(moves: &[(u32, u32)]) -> (u32, u32) {
        let moves = moves.iter().map(|&(win, lose)| ProofNumbers { win, lose });
        let ProofNumbers { win, lose } = ProofNumbers::of_move_before(moves);
        (win, lose)
    }

    #[test]
    fn a_move_wins_if_all_replies_lose_and_loses_if_one_wins() {
        assert_eq!(before(&[(1, 1), (1, 1), (1, 1)]), (3, 1));
        assert_eq!(before(&[(4, 2), (3, 7)]), (9, 3));
        let (won, lost) = ((0, NEVER), (NEVER, 0));
        assert_eq!(before(&[(4, 2), won]), (NEVER, 0));
        assert_eq!(before(&[(4, 2), lost]), (2, 4));
        assert_eq!(before(&[lost, lost]), (0, NEVER));
    }

    #[test]
    fn large_numbers_are_no_proofs() {
        assert_eq!(before(&[(1, NEVER - 1), (1, NEVER - 1)]), (NEVER - 1, 1));
    }

    #[test]
    fn numbers_are_read_as_they_were_stored() {
        for numbers in [ProofNumbers::OPEN, ProofNumbers::proven(true), ProofNumbers { win: 3, lose: 70_000 }]
        {
            assert_eq!(ProofNumbers::unpack(numbers.pack()), numbers);
        }
    }
}
