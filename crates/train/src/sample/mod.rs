//! Games with what is known about their positions: the data that networks learn from.
//!
//! A [`GameSample`] is a game, how it ended, and [`Label`]s of some of its positions. Positions are not stored: they follow from
//! the moves, which is smaller, and gives planes of any kind their history. [`SampleFile`] keeps them in a file that can be appended to;
//! [`SampleSet`] holds them in memory, ready to be drawn from.

mod balance;
mod bytes;
mod file;
mod game;
mod label;
mod record;
mod set;

pub use balance::Balance;
pub use file::{Dropped, FileError, SampleFile, is_sample_file, read_samples};
pub use game::{GameEnd, GameSample, SampleError};
pub use label::{Label, MovePrior};
pub use record::RecordError;
pub use set::{Place, SampleSet, Side, Split};
