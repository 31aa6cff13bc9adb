//! `tesuji lab lgrf`: engines with reply tables, or with playouts that adapt, against the same engine without.

use anyhow::{anyhow, ensure};
use clap::Args;
use tesuji_engine::Net;
use tesuji_lab::lgrf::{HEADING, Lgrf, SIDE, write};
use tesuji_lab::variant::{Arm, Series};

use super::{experiment, thinking};

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    experiment: experiment::Options,
    /// A variant to play: a preset, and parameters after a colon, such as lgrf-en-1:reply-place=instead-of-random,reply-order=longer-first; by default the
    /// paper's, the classic ones and PPA, on light and on heavy playouts. May be repeated.
    #[arg(long, value_name = "PRESET[:NAME=VALUE,…]")]
    variant: Vec<String>,
    /// Games of each variant; by default 900, or 4 with --quick.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    #[command(flatten)]
    thinking: thinking::Options,
    /// Random stones on the board before a game; every opening is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: usize,
}

/// The variants that are played by default.
const VARIANTS: [&str; 7] =
    ["lgrf-1", "lgrf-2", "lgrf-en-1", "lgrf-en-2", "lgrf-classic-1", "lgrf-classic-2", "ppa"];
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
        let thinking = self.thinking.read(quick)?;
        let arms: Vec<Arm> = names.iter().map(|name| arm(name)).collect();
        for arm in &arms {
            arm.settings(&Net::default()).map_err(|error| anyhow!("--variant {arm}: {error}"))?;
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
}

fn arm(text: &str) -> Arm {
    let preset = text.split_once(':').map_or(text, |(preset, _)| preset);
    let base = if preset.ends_with("-light") { format!("{BASE}-light") } else { BASE.to_owned() };
    Arm::parse(text, base)
}
