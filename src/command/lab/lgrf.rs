//! `tesuji lab lgrf`: engines with reply tables against the same engine without.

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_board::Size;
use tesuji_engine::Settings;
use tesuji_lab::duel::{self, Contestant};
use tesuji_lab::lgrf::{Arm, Effort, Game, HEADING, Outcome, Plan, SIDE, rules, write};
use tesuji_lab::terms::Terms;

use super::contestant::{Player, Thinking};
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
        let plan = self.plan()?;
        let thinking = self.thinking()?;
        let settings = plan
            .arms
            .iter()
            .map(|arm| Ok([settings(&arm.preset, &arm.switches)?, settings(&arm.base, &[])?]))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let terms = Terms::from_iter([
            ("thinking".to_owned(), thinking.to_string().into()),
            ("opening plies".to_owned(), self.opening_plies.into()),
        ]);
        let experiment = self.experiment.begin("lgrf", terms)?;
        let jobs = plan.jobs();
        let outcomes: Vec<Outcome> =
            experiment.run(&jobs, || |game: &Game| play(game, &settings[game.arm], thinking))?;
        let mut report = experiment.report(&HEADING);
        report.text(format!("{SIDE}×{SIDE}, area rules, komi 6.5, {thinking}."));
        write(&mut report, &plan.arms, &jobs, &outcomes);
        experiment.finish(&report)
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let quick = self.experiment.quick;
        let names: Vec<String> = if self.variant.is_empty() {
            ["-light", ""].iter().flat_map(|end| VARIANTS.map(|name| format!("{name}{end}"))).collect()
        } else {
            self.variant.clone()
        };
        let games = self.games.unwrap_or(if quick { 4 } else { 900 });
        ensure!(games > 0, "--games must be at least 1");
        Ok(Plan {
            arms: names.iter().map(|name| arm(name)).collect(),
            games,
            opening_plies: self.opening_plies,
            seed: self.experiment.seed,
        })
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

/// The settings of a preset with some parameters.
fn settings(preset: &str, switches: &[String]) -> anyhow::Result<Settings> {
    let mut settings = Settings { memory: 64, ..Settings::of_preset(preset)? };
    for switch in switches {
        let (name, value) =
            switch.split_once('=').with_context(|| format!("{switch}: expected name=value"))?;
        settings.set(name, value)?;
    }
    settings.check(switches.iter().filter_map(|switch| Some(switch.split_once('=')?.0)))?;
    Ok(settings)
}

fn play(game: &Game, settings: &[Settings; 2], thinking: Thinking) -> Option<Outcome> {
    let mut start = tesuji_board::Game::new(Size::square(SIDE).ok()?, rules());
    game.opening.iter().try_for_each(|&(color, mv)| start.play(color, mv)).ok()?;
    let [mut variant, mut base] =
        [0, 1].map(|i| Player::new(&Settings { seed: game.seeds[i], ..settings[i].clone() }, thinking));
    let mut by_color: [&mut dyn Contestant; 2] = [&mut variant, &mut base];
    by_color.rotate_left(game.color.index());
    let duel = duel::play(start, by_color);
    Some(Outcome {
        won: duel.winner.map(|winner| winner == game.color),
        black: game.color == tesuji_board::Color::Black,
        moves: duel.moves,
        variant: effort(&variant),
        base: effort(&base),
    })
}

fn effort(player: &Player) -> Effort {
    let spent = player.searcher.report().effort;
    Effort {
        decisions: player.decisions,
        simulations: spent.simulations,
        seconds: player.seconds,
        playout_moves: spent.usage.moves,
        random: spent.usage.random,
        replies: spent.usage.replies,
    }
}
