//! Random keys for position hashes, the same in every run.

use crate::color::Color;
use crate::point::INDEX_LIMIT;

static KEYS: [[u64; INDEX_LIMIT]; 2] = keys();

/// Key of White being the side to move, for situational superko and transposition tables.
pub const WHITE_TO_MOVE: u64 = split_mix(0x7465_7375_6a69_2121);

/// Key of a stone at a point's index.
#[inline(always)]
pub(crate) fn stone_key(color: Color, index: usize) -> u64 {
    KEYS[color.index()][index]
}

const fn keys() -> [[u64; INDEX_LIMIT]; 2] {
    let mut keys = [[0; INDEX_LIMIT]; 2];
    let mut i = 0;
    while i < INDEX_LIMIT {
        keys[0][i] = split_mix(2 * i as u64);
        keys[1][i] = split_mix(2 * i as u64 + 1);
        i += 1;
    }
    keys
}

/// Element `n` of the SplitMix64 sequence (Steele, Lea, Flood 2014).
const fn split_mix(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
