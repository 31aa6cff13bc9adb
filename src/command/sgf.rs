//! `tesuji sgf`: check, convert, count, draw and replay game records.
//!
//! Everything here is about files; what records mean is known in the SGF crate, and what is legal in the board crate.

mod check;
mod convert;
mod count;
mod draw;
mod file;
mod replay;

use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum Sgf {
    /// Read files, report what is wrong with them, and replay their main lines; fails if there are errors.
    Check(check::Options),
    /// Rewrite a file as FF[4] in UTF-8, or convert between SGF and one-line games.
    Convert(convert::Options),
    /// Count games, moves, sizes and results.
    Count(count::Options),
    /// Draw a position of a game as an SVG picture, on standard output.
    Draw(draw::Options),
    /// Replay games by the rules and count what happens; fails if a game is illegal.
    Replay(replay::Options),
}

impl Sgf {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Sgf::Check(options) => options.run(),
            Sgf::Convert(options) => options.run(),
            Sgf::Count(options) => options.run(),
            Sgf::Draw(options) => options.run().map(|()| ExitCode::SUCCESS),
            Sgf::Replay(options) => options.run(),
        }
    }
}
