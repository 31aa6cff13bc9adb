//! `tesuji lab lgrf`: engines with reply tables against the same engine without.

use anyhow::{anyhow, ensure};
use clap::Args;
use tesuji_lab::contestant::Thinking;
use tesuji_lab::lgrf::{Arm, HEADING, Lgrf, SIDE, Series, write};

use super::experiment;

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    experiment: experiment::Options,
    /// A variant to play: a preset, and parameters after a colon, such as lgrf-en-1:reply-place=instead-of-random,reply-order=longer-first; by default the
    /// paper's and the classic ones on light and on heavy playouts. May be repeated.
    #[arg(long, value_name = "PRESET[:NAME=VALUE,…]")]
    variant: Vec<String>,
    /// Games of each variant; by default 900, or 4 with --quick.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Playouts per move; by default 1000, or 200 with --quick.
    #[arg(long, value_name = "N", conflicts_with = "time_per_move")]
    playouts: Option<u64>,
    /// Seconds of the processor per move, instead of a number of playouts.
    #[arg(long, value_name = "SECONDS")]
    time_per_move: Option<f64>,
    /// Random stones on the board before a game; every opening is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: usize,
}

/// The variants that are played unless somebody names others.
const VARIANTS: [&str; 6] =
    ["lgrf-1", "lgrf-2", "lgrf-en-1", "lgrf-en-2", "lgrf-classic-1", "lgrf-classic-2"];
/// What a variant is compared with: the same engine, counting its random moves.
const BASE: &str = "lgrf-0";

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let quick = self.experiment.quick;
        let names: Vec<String> = if self.variant.is_empty() {
            ["-light", ""].iter().flat_map(|end| VARIANTS.map(|name| format!("{name}{end}"))).collect()
        } else {
            self.variant.clone()
        };
        let games = self.games.unwrap_or(if quick { 4 } else { 900 });
        ensure!(games > 0, "--games must be at least 1");
        let thinking = self.thinking()?;
        let arms: Vec<Arm> = names.iter().map(|name| arm(name)).collect();
        for arm in &arms {
            arm.settings().map_err(|error| anyhow!("--variant {arm}: {error}"))?;
        }
        let series = Series { games, opening_plies: self.opening_plies, seed: self.experiment.seed };
        let work = Lgrf { arms: arms.clone(), thinking };
        let mut experiment = self.experiment.begin("lgrf")?;
        let (terms, jobs) = (work.terms(series), work.jobs(series));
        let findings = experiment.complete(work, terms, &jobs)?;
        let mut report = experiment.report(&HEADING);
        report.text(format!("{SIDE}×{SIDE}, area rules, komi 6.5, {thinking}."));
        write(&mut report, &arms, &jobs, &findings);
        experiment.finish(&report)
    }

    fn thinking(&self) -> anyhow::Result<Thinking> {
        if let Some(seconds) = self.time_per_move {
            ensure!(seconds > 0.0, "--time-per-move must be above 0");
            return Ok(Thinking::Seconds(seconds));
        }
        let playouts = self.playouts.unwrap_or(if self.experiment.quick { 200 } else { 1000 });
        ensure!(playouts > 0, "--playouts must be at least 1");
        Ok(Thinking::Playouts(playouts))
    }
}

fn arm(text: &str) -> Arm {
    let (preset, switches) = text.split_once(':').unwrap_or((text, ""));
    let base = if preset.ends_with("-light") { format!("{BASE}-light") } else { BASE.to_owned() };
    let switches = switches.split(',').filter(|switch| !switch.is_empty()).map(str::to_owned).collect();
    Arm { preset: preset.to_owned(), switches, base }
}
