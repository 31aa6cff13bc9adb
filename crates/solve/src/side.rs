//! The two roles of a problem, whatever the colours.

use serde::{Deserialize, Serialize};
use std::ops::Not;

/// Who wants what: the attacker to capture the target, the defender to keep it on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Wants to capture the target.
    Attacker = 0,
    /// Wants to keep the target on the board.
    Defender = 1,
}

impl Side {
    /// Index into a pair of values kept per side.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        match self {
            Side::Attacker => Side::Defender,
            Side::Defender => Side::Attacker,
        }
    }
}
