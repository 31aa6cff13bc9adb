//! `tesuji lab cygo`: the engine with a network against the engine without.

use std::path::PathBuf;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use tesuji_board::Size;
use tesuji_lab::checksum::Checksum;
use tesuji_lab::contestant::Thinking;
use tesuji_lab::cygo::{Cygo, HEADING, network, sweeps, write};
use tesuji_lab::variant::{Arm, Series};

use super::{experiment, thinking};

#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    experiment: experiment::Options,
    /// The network: a file of KataGo's or of our own; by default the one that comes with the program.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// A variant to play: a preset, and parameters after a colon, such as cygo:playout-share=0.5,expand-after=10; by default the paper's two
    /// sweeps. May be repeated.
    #[arg(long, value_name = "PRESET[:NAME=VALUE,…]")]
    variant: Vec<String>,
    /// The preset that the variants play against.
    #[arg(long, value_name = "PRESET", default_value = tesuji_engine::preset::WITHOUT_NET)]
    base: String,
    /// Games of each variant; by default 300, or 2 with --quick.
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Side of the board.
    #[arg(long, value_name = "SIDE", default_value_t = 9)]
    size: usize,
    /// Komi; by default 7 on boards up to 9×9 and 7.5 on others.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true)]
    komi: Option<f32>,
    #[command(flatten)]
    thinking: thinking::Options,
    /// The paper's size: 19×19, 6000 playouts per move, 500 games of each variant.
    #[arg(long, conflicts_with_all = ["games", "size", "playouts", "time_per_move"])]
    full: bool,
    /// Random stones on the board before a game; every opening is played with both colours.
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: usize,
}

impl Options {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let quick = self.experiment.quick;
        if self.full {
            (self.size, self.games) = (19, Some(500));
        }
        let games = self.games.unwrap_or(if quick { 2 } else { 300 });
        ensure!(games > 0, "--games must be at least 1");
        let thinking = if self.full { Thinking::Playouts(6000) } else { self.thinking.read(quick)? };
        let arms: Vec<Arm> = match self.variant.as_slice() {
            [] if quick => sweeps(&self.base).into_iter().filter(is_quick).collect(),
            [] => sweeps(&self.base),
            variants => variants.iter().map(|text| Arm::parse(text, self.base.clone())).collect(),
        };
        let size = Size::square(self.size).map_err(|error| anyhow!("--size {}: {error}", self.size))?;
        let net = network(self.net.as_deref());
        let reader = net.wait(size).ok_or_else(|| match &self.net {
            Some(path) => anyhow!("{} cannot be used on {size}; tesuji net check tells why", path.display()),
            None => anyhow!("the program has no network for {size}: name one with --net"),
        })?;
        let net_name = reader.name().to_owned();
        for arm in &arms {
            arm.settings(&net).map_err(|error| anyhow!("{arm}: {error}"))?;
        }
        let mut net_checksum = String::new();
        if let Some(path) = &self.net {
            let found = Checksum::of_file(path).with_context(|| format!("cannot read {}", path.display()))?;
            net_checksum = found.as_str().to_owned();
            self.experiment.run.share(&[(path.clone(), found)])?;
        }
        let komi = self.komi.unwrap_or(if self.size <= 9 { 7.0 } else { 7.5 });
        let series = Series { games, opening_plies: self.opening_plies, seed: self.experiment.seed };
        let work = Cygo {
            arms: arms.clone(),
            thinking,
            side: self.size,
            komi,
            net: self.net.clone(),
            net_name: net_name.clone(),
            net_checksum,
        };
        let mut experiment = self.experiment.begin("cygo")?;
        let (terms, jobs) = (work.terms(series), work.jobs(series));
        let findings = experiment.complete(work, terms, &jobs)?;
        let mut report = experiment.report(&HEADING);
        report.text(format!("{size}, area rules, komi {komi}, {thinking}, network {net_name}."));
        write(&mut report, &arms, &jobs, &findings);
        experiment.finish(&report)
    }
}

/// The ends and the best of the first sweep.
fn is_quick(arm: &Arm) -> bool {
    let share = arm.switches.first().map(String::as_str);
    arm.switches.get(1).is_some_and(|switch| switch == "expand-after=20")
        && matches!(share, Some("playout-share=0" | "playout-share=0.7" | "playout-share=1"))
}
