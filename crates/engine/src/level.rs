//! How strong a player is to be, as people choose it: a level.

/// The levels there are, each twice the simulations of the one before.
pub const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

/// Level 10 then thinks for some seconds on a 9×9 board.
const SIMULATIONS_OF_LEVEL_1: u64 = 100;

/// Simulations per move of a level; those beyond the ends are as strong as the ends.
pub fn simulations_of_level(level: u32) -> u64 {
    let level = level.clamp(*LEVELS.start(), *LEVELS.end());
    SIMULATIONS_OF_LEVEL_1 << (level - LEVELS.start())
}
