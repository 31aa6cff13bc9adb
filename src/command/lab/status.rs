//! `tesuji lab status`: dead stones and final scores of finished games, compared with the results on record.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_engine::{Player, Settings};
use tesuji_lab::final_status::{Agreement, Comparison, CountedGame, Counts, read_counted, table};
use tesuji_lab::suite::shuffle;
use tesuji_lab::table::Style;

use crate::argument;
use crate::command::progress;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of games, one a line, plain or compressed with zstd.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Games to judge, drawn from all that were counted.
    #[arg(long, value_name = "N", default_value_t = 500)]
    sample: usize,
    /// Seed of the sample and the searches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Simulations per game and player who could move next.
    #[arg(long, value_name = "N", default_value_t = 500)]
    playouts: u64,
    /// The search, by name.
    #[arg(long, default_value = tesuji_engine::preset::DEFAULT_PRESET)]
    preset: String,
    /// Lists the games on which verdict and record differ.
    #[arg(long)]
    list: bool,
    /// Prints tables as Markdown.
    #[arg(long)]
    markdown: bool,
    /// Shows no progress.
    #[arg(long)]
    quiet: bool,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let settings = Settings { seed: self.seed, ..Settings::of_preset(&self.preset)? };
        let mut games = Vec::new();
        for path in &self.files {
            games.extend(
                read_counted(path, &argument::source_name(path))
                    .with_context(|| format!("cannot read {}", path.display()))?,
            );
        }
        let counted = games.len();
        ensure!(counted > 0, "there is no counted game in {}", argument::names(&self.files));
        shuffle(&mut games, self.seed);
        games.truncate(self.sample);
        let comparisons = self.judge_all(games, &settings)?;
        if self.list {
            let differ = |comparison: &&Comparison| comparison.agreement() > Agreement::Territory;
            comparisons.iter().filter(differ).for_each(|comparison| say!("{comparison}"));
        }
        say!("{} of {counted} counted games\n", comparisons.len());
        let style = if self.markdown { Style::Markdown } else { Style::Plain };
        say!("{}", table(&comparisons, style));
        Ok(())
    }

    fn judge_all(&self, games: Vec<CountedGame>, settings: &Settings) -> anyhow::Result<Vec<Comparison>> {
        let bar = progress::bar(games.len(), self.quiet);
        // The same path as the engine's own verdicts.
        let mut player = Player::new(settings.clone());
        let mut comparisons = Vec::new();
        for game in games {
            let place = || format!("{}, line {}", game.source, game.line);
            let position = game.final_position().with_context(place)?;
            // A verdict must not depend on the games before.
            player.clear();
            let judgement = player.judge_thoroughly(&position, self.playouts);
            let counts = Counts::of(&position, &judgement.verdict);
            comparisons.push(Comparison { game, counts });
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(comparisons)
    }
}
