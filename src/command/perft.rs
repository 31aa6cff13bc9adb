//! `tesuji perft`: counts of move paths, to compare the rules with other programs'.

use clap::Args;
use std::io::Write;
use tesuji_board::{Game, KoRule, Rules, Size, Suicide, perft};

use crate::argument;

#[derive(Args)]
pub(crate) struct Options {
    /// Board size, such as 5 or 3x4.
    #[arg(long, default_value = "5", value_parser = argument::size)]
    size: Size,
    /// Length of the longest sequences, in moves.
    #[arg(long, default_value_t = 3)]
    depth: usize,
    /// Allow suicide.
    #[arg(long)]
    suicide: bool,
}

impl Options {
    /// Prints each count as soon as it is known: the last one takes most of the time.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let suicide = if self.suicide { Suicide::Allowed } else { Suicide::Forbidden };
        let rules = Rules { ko: KoRule::Positional, suicide, ..Rules::default() };
        let mut game = Game::new(self.size, rules);
        let mut output = std::io::stdout().lock();
        for depth in 0..=self.depth {
            let separator = if depth == 0 { "" } else { " " };
            write!(output, "{separator}{}", perft(&mut game, depth))?;
            output.flush()?;
        }
        writeln!(output)?;
        Ok(())
    }
}
