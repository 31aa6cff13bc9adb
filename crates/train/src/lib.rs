//! Everything that learns from games on a CPU: small networks, from games, labels and winning, and gammas for playouts.
//!
//! Games as a network learns from them, each kept on one side of the split:
//!
//! ```
//! use tesuji_board::{Color, Move, Rules, Size};
//! use tesuji_train::sample::{GameSample, SampleSet, Split};
//!
//! let size = Size::square(9)?;
//! let mut game = GameSample::new(size, Rules::default());
//! for (color, vertex) in [(Color::Black, "E5"), (Color::White, "C3"), (Color::Black, "G7")] {
//!     game.moves.push((color, Move::from_gtp(vertex, size)?));
//! }
//! let side = Split { validation: 50 }.side(&game);
//! let mut set = SampleSet::default();
//! set.add(&game, side);
//! assert_eq!((set.games(), set.positions(side)), (1, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

pub mod balance;
mod feed;
pub mod gamma;
#[allow(unsafe_code)]
pub mod kernel;
pub mod label;
mod layer;
mod learner;
mod loss;
pub mod network;
pub mod optimizer;
mod pass;
pub mod pipeline;
pub mod run;
pub mod sample;
mod source;
mod target;
mod winograd;

pub use feed::Mix;
pub use learner::{Diverged, Learner, Method, State, Step, Weights};
pub use loss::{LossWeights, Tally};
pub use pass::Cut;
pub use source::{SourceError, SourceReport, read_games};
pub use target::{Batch, Targets, Weighted};
