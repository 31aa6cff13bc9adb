//! Neural networks for Go: descriptions, file formats, planes and kernels.
//!
//! [`model`] is the vocabulary: a network as plain data, without any opinion on how to compute it. Readers make it
//! (`katago`, `own`), writers take it (`own`, `onnx`), and whoever evaluates or trains a network walks through it. [`output`] is
//! what comes out of a network and what it means.
//!
//! A [`Network`] is a model made ready for a processor, a [`Session`] evaluates positions with it, and `kernel` is what both spend their
//! time on. [`reference`](mod@reference) evaluates slowly and obviously.
//!
//! What a network thinks of a position; any file of KataGo's or of our own is read by [`load`]:
//!
//! ```
//! use tesuji_board::{Color, Game, Rules, Size};
//! use tesuji_net::input::Line;
//! use tesuji_net::{Isa, Reader, load};
//!
//! let size = Size::square(9)?;
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixture/v8.bin.gz");
//! let reader = Reader::new(&load(file.as_ref())?, Isa::best())?;
//! let mut seat = reader.seat(size, 1).ok_or("a network for other boards")?;
//! let game = Game::new(size, Rules::default());
//! seat.add(&Line::from_game(&game, Color::Black).view(), 0);
//! seat.evaluate(0.0)?;
//! let evaluation = seat.evaluation(0);
//! assert!((evaluation.policy.iter().sum::<f32>() + evaluation.pass - 1.0).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]

mod file;
pub mod input;
pub mod katago;
mod kernel;
pub mod model;
mod network;
pub mod onnx;
pub mod output;
pub mod own;
mod reader;
pub mod reference;
mod session;

pub use file::{FormatError, LoadCause, LoadError, load, read};
pub use kernel::{Isa, IsaError};
pub use network::{Network, NetworkError};
pub use reader::{MAX_BATCH, Reader, Seat};
pub use session::{Input, Session};
