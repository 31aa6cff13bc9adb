//! One file per command.

pub(crate) mod bench;
pub(crate) mod perft;
pub(crate) mod sgf;
