//! The engine: a game, a search, a clock, and the decisions between them, behind the Go Text Protocol.
//!
//! [`Engine`] is one player. It takes a search from [`preset`], numbers from [`settings`], time from the clock modules, and
//! turns what the search found into a move in [`decision`] and into a verdict on dead stones in [`judge`]. [`gtp`] is the
//! protocol on top, one file per group of commands.
//!
//! A game of the engine against itself, to its end:
//!
//! ```
//! use tesuji_board::{Game, Rules, Size};
//! use tesuji_engine::decision::Decision;
//! use tesuji_engine::{Allowance, MoveQuestion, Player, Settings};
//! use tesuji_search::Simulations;
//!
//! let mut player = Player::new(Settings { memory: 16, ..Settings::of_preset("rave")? });
//! let mut game = Game::new(Size::square(5)?, Rules::default());
//! while !game.is_over() && game.move_number() < 100 {
//!     let control = Simulations(50);
//!     let choice = player.choose(&MoveQuestion::of(&game), &Allowance::by(&control), &mut |_| ());
//!     match choice.decision {
//!         Decision::Move(mv) => game.play(game.to_move(), mv)?,
//!         Decision::Resign => break,
//!     }
//! }
//! println!("{}{:?}", game.board(), player.judge(&game).score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod advisor;
mod clock;
pub mod decision;
mod engine;
mod gammas;
pub mod gtp;
pub mod judge;
mod lazy;
mod level;
mod limit;
mod net;
mod player;
pub mod preset;
pub mod settings;
mod signature;
mod suggestion;
mod time_budget;
mod time_system;
mod timed_control;

pub use advisor::PolicyAdvisor;
pub use clock::{Clock, Clocks, TimeLeft};
pub use engine::{Engine, MoveRequest};
pub use gammas::GammaSource;
pub use level::{Estimate, Evidence, Imitator, Level, NoLevel, even_handicap};
pub use net::Net;
pub use player::{Allowance, Choice, MoveQuestion, Player};
pub use preset::Preset;
pub use settings::Settings;
pub use signature::signature;
pub use suggestion::suggestion;
pub use time_budget::{Budget, DEFAULT_LAG, GameStage};
pub use time_system::{TimeError, TimeSystem};
pub use timed_control::TimedControl;
