//! Reviews of games: every position analysed, mistakes looked at longer, and what came of it as SGF and as a page.
//!
//! [`analyze`] asks a [`tesuji_analysis::Service`], as any client does, and hands out findings as they come, so that whoever calls can keep them
//! and go on later. [`Review`] is a game with findings, as many as there are; [`annotate`] writes them into the game's SGF, [`page`]
//! makes a page of HTML that needs nothing else.
//!
//! All chances and scores are Black's.
//!
//! ```
//! use std::time::Duration;
//! use tesuji_analysis::{Service, ServiceSettings};
//! use tesuji_engine::Settings;
//! use tesuji_review::{Depth, Review, analyze};
//! use tesuji_sgf::{GameRecord, parse};
//!
//! let parsed = parse(b"(;SZ[7];B[dd];W[ca];B[de];W[aa])")?;
//! let record = GameRecord::from_tree(&parsed.collection.games[0])?;
//! let mut review = Review::new(record.replay(record.rules_or(Default::default()))?);
//! let service = Service::new(ServiceSettings::new(Settings::of_preset("rave")?));
//! let depth = Depth { visits: 30, factor: 1, mistakes: 1, time: Duration::from_secs(60) };
//! assert!(analyze(&service, &mut review, &depth, &mut |_, _| (), &|| false));
//! for mistake in review.mistakes(1) {
//!     println!("move {} loses {:.1} points", mistake.number, mistake.points);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod annotate;
mod chart;
mod course;
mod finding;
mod loss;
mod page;
mod picture;
mod strength;

pub use annotate::annotate;
pub use course::{Depth, analyze, usual_visits};
pub use finding::{Candidate, Finding};
pub use loss::{Loss, Phase, Review};
pub use page::page;
pub use strength::{describe_rank, evidence, knows_ranks_on};
