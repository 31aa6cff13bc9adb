//! `tesuji lab status`: dead stones and final scores of finished games, compared with the results on record.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;
use tesuji_engine::judge::{Judgement, Leaning, impartial_ownership};
use tesuji_engine::{Preset, Settings};
use tesuji_lab::final_status::{Agreement, Comparison, CountedGame, Counts, read_counted, table};
use tesuji_lab::suite::shuffle;
use tesuji_lab::table::Style;
use tesuji_search::Simulations;

use crate::argument;
use crate::command::progress;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of games, one a line, plain or compressed with zstd; without any, those of the data beside the project.
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

/// Where the data may be, from the root of the project.
const DEFAULT_FILES: [&str; 4] = [
    "../shared/data/9x9/ogs9_strong.txt.zst",
    "../shared/data/9x9/ogs9_one_side_6d.txt.zst",
    "../shared/data/9x9/ogs9_mid_10k_to_1k.txt.zst",
    "../shared/data/19x19/games19.txt.zst",
];

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let settings = Settings { seed: self.seed, ..Settings::of_preset(&self.preset)? };
        let files = self.files();
        if files.is_empty() {
            bail!("no games to judge: name files, or put the data beside the project");
        }
        let mut games = Vec::new();
        for path in &files {
            games.extend(
                read_counted(path, &argument::source_name(path))
                    .with_context(|| format!("cannot read {}", path.display()))?,
            );
        }
        let counted = games.len();
        ensure!(counted > 0, "there is no counted game in {}", argument::names(&files));
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

    fn files(&self) -> Vec<PathBuf> {
        if !self.files.is_empty() {
            return self.files.clone();
        }
        DEFAULT_FILES.iter().map(PathBuf::from).filter(|path| path.exists()).collect()
    }

    fn judge_all(&self, games: Vec<CountedGame>, settings: &Settings) -> anyhow::Result<Vec<Comparison>> {
        let bar = progress::bar(games.len(), self.quiet);
        let mut searcher = Preset::searcher(settings.preset, settings);
        let mut comparisons = Vec::new();
        for game in games {
            let place = || format!("{}, line {}", game.source, game.line);
            let position = game.final_position().with_context(place)?;
            // A verdict must not depend on the games before.
            searcher.clear();
            let ownership = impartial_ownership(&mut *searcher, &position, || Simulations(self.playouts));
            let judgement = Judgement::of(&position, &ownership, Leaning::Even);
            let counts = Counts::of(&position, &judgement.verdict);
            comparisons.push(Comparison { game, counts });
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(comparisons)
    }
}
