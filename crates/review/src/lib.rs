//! Reviews of games: every position analysed, mistakes looked at longer, and what came of it as SGF and as a page.
//!
//! [`analyze`] asks a [`tesuji_analysis::Service`], as any client does, and hands out findings as they come, so that whoever calls can keep them
//! and go on later. [`Review`] is a game with findings, as many as there are; [`annotate`] writes them into the game's SGF, [`page`]
//! makes a page of HTML that needs nothing else.
//!
//! All chances and scores are Black's.
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
