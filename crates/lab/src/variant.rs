//! Games of variants of an engine, each against its base: what the experiments on replies and on networks have in common.
//!
//! Each job is a game; each opening is played twice with colours exchanged.

use std::fmt;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::{Color, Game, Rules, Size};
use tesuji_engine::{Net, Settings};

use crate::contestant::{PresetPlayer, Thinking};
use crate::duel::{self, Contestant};
use crate::job::{Job, JobError};
use crate::opening::{OpeningSource, read_opening, write_opening};

/// Which games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// Games of each variant.
    pub games: usize,
    /// Random stones on the board before a game.
    pub opening_plies: usize,
    /// Determines openings and engines.
    pub seed: u64,
}

/// A variant and what it is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arm {
    /// The preset.
    pub preset: String,
    /// Parameters other than by default, as `name=value`.
    pub switches: Vec<String>,
    /// The preset of the opponent.
    pub base: String,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTask {
    /// The variant, by its place.
    pub arm: usize,
    /// The colour of the variant.
    #[serde(with = "crate::written::color")]
    pub color: Color,
    /// The first moves.
    pub opening: Vec<String>,
    /// Seeds of the variant and of its opponent.
    pub seeds: [u64; 2],
}

/// What came of a game.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct GameFinding {
    /// Whether the variant won; nothing after a draw.
    pub won: Option<bool>,
    /// Whether the variant had Black.
    pub black: bool,
    /// Moves of the game.
    pub moves: usize,
    /// What the variant did.
    pub variant: SideEffort,
    /// What its opponent did.
    pub base: SideEffort,
}

/// What one side did in a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct SideEffort {
    /// Moves that it thought about.
    pub decisions: u64,
    /// Simulations.
    pub simulations: u64,
    /// Seconds of the processor.
    pub seconds: f64,
    /// Moves of playouts.
    pub playout_moves: u64,
    /// Those that were random.
    pub random: u64,
    /// Those that were stored replies: EN-2, EN-1, LGRF-2, LGRF-1.
    pub replies: [u64; 4],
}

/// Megabytes for the tree of a player.
const MEMORY: u64 = 64;

/// Area rules by which the board counts as it stands, so that nobody has to agree on dead stones.
pub fn rules(komi: f32) -> Rules {
    // The table of rules is tested to have them.
    Rules { komi, ..Rules::named("cgos").unwrap_or_default() }
}

impl Arm {
    /// Reads a preset with parameters after a colon, such as `lgrf-1:reply-place=first`; `base` is the opponent.
    pub fn parse(text: &str, base: String) -> Arm {
        let (preset, switches) = text.split_once(':').unwrap_or((text, ""));
        let switches = switches.split(',').filter(|switch| !switch.is_empty()).map(str::to_owned).collect();
        Arm { preset: preset.to_owned(), switches, base }
    }

    /// The settings of the variant and of its base; the network is for whichever asks one.
    pub fn settings(&self, net: &Net) -> Result<[Settings; 2], String> {
        let of = |preset: &str, switches: &[String]| {
            let preset = Settings::of_preset(preset).map_err(|error| error.to_string())?;
            let mut settings = Settings { memory: MEMORY, ..preset };
            for switch in switches {
                let (name, value) =
                    switch.split_once('=').ok_or_else(|| format!("{switch}: expected name=value"))?;
                settings.set(name, value).map_err(|error| error.to_string())?;
            }
            let names = switches.iter().filter_map(|switch| Some(switch.split_once('=')?.0));
            settings.check(names).map_err(|error| error.to_string())?;
            settings.net = net.clone();
            Ok::<Settings, String>(settings)
        };
        Ok([of(&self.preset, &self.switches)?, of(&self.base, &[])?])
    }
}

/// The games of all variants, one variant after the other.
pub fn jobs(arms: &[Arm], size: Size, rules: Rules, series: Series) -> Vec<Job<GameTask>> {
    let pairs = series.games.div_ceil(2);
    let openings = OpeningSource::Random(series.opening_plies).list(size, rules, series.seed, pairs);
    let mut jobs = Vec::new();
    for (arm, variant) in arms.iter().enumerate() {
        for number in 0..series.games {
            let color = if number % 2 == 0 { Color::Black } else { Color::White };
            let seeds = [2 * number, 2 * number + 1].map(|n| series.seed.wrapping_mul(1 << 32) + n as u64);
            let opening = write_opening(&openings[number / 2], size);
            let key = format!("{variant} {number}");
            jobs.push(Job { key, task: GameTask { arm, color, opening, seeds } });
        }
    }
    jobs
}

/// Plays a game; settings of the variant and of its base.
pub fn play(
    size: Size,
    rules: Rules,
    settings: &[Settings; 2],
    thinking: Thinking,
    task: &GameTask,
    stop: &AtomicBool,
) -> Result<GameFinding, JobError> {
    let refused = JobError::Refused;
    let mut start = Game::new(size, rules);
    for (color, mv) in read_opening(&task.opening, size).map_err(refused)? {
        start.play(color, mv).map_err(|error| refused(error.to_string()))?;
    }
    let player = |i: usize| {
        PresetPlayer::new(&Settings { seed: task.seeds[i], ..settings[i].clone() }, thinking)
            .map_err(|error| refused(error.to_string()))
    };
    let (mut variant, mut base) = (player(0)?, player(1)?);
    let mut by_color: [&mut dyn Contestant; 2] = [&mut variant, &mut base];
    by_color.rotate_left(task.color.index());
    let duel = duel::play(start, by_color, stop).ok_or(JobError::Interrupted)?;
    Ok(GameFinding {
        won: duel.winner.map(|winner| winner == task.color),
        black: task.color == Color::Black,
        moves: duel.moves,
        variant: effort(&variant),
        base: effort(&base),
    })
}

/// Games won, and games that somebody won.
pub fn wins(findings: &[&GameFinding]) -> (usize, usize) {
    let decided = findings.iter().filter(|finding| finding.won.is_some()).count();
    (findings.iter().filter(|finding| finding.won == Some(true)).count(), decided)
}

/// The games of each variant.
pub fn by_arm<'a>(
    arms: &'a [Arm],
    jobs: &[Job<GameTask>],
    findings: &'a [GameFinding],
) -> Vec<(&'a Arm, Vec<&'a GameFinding>)> {
    let of_arm = |arm: usize| {
        let games = jobs.iter().zip(findings);
        games.filter(|(job, _)| job.task.arm == arm).map(|(_, finding)| finding).collect()
    };
    arms.iter().enumerate().map(|(index, arm)| (arm, of_arm(index))).collect()
}

fn effort(player: &PresetPlayer) -> SideEffort {
    let spent = player.player.analysis().effort;
    SideEffort {
        decisions: player.decisions,
        simulations: spent.simulations,
        seconds: player.seconds,
        playout_moves: spent.usage.moves,
        random: spent.usage.random,
        replies: spent.usage.replies,
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.preset)?;
        self.switches
            .iter()
            .enumerate()
            .try_for_each(|(i, switch)| write!(f, "{}{switch}", if i == 0 { ':' } else { ',' }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_come_in_pairs_and_more_games_begin_with_the_same() {
        let arm = |preset: &str, switches: &[&str]| Arm {
            preset: preset.to_owned(),
            switches: switches.iter().map(|&switch| switch.to_owned()).collect(),
            base: "lgrf-0".to_owned(),
        };
        let arms = vec![arm("lgrf-1", &[]), arm("lgrf-en-1", &["a=1", "b=2"])];
        let size = Size::square(9).unwrap();
        let jobs_of = |series| jobs(&arms, size, rules(6.5), series);
        let series = |games| Series { games, opening_plies: 2, seed: 7 };
        let jobs = jobs_of(series(6));
        assert_eq!(jobs.len(), 12);
        assert_eq!(jobs[7].key, "lgrf-en-1:a=1,b=2 1");
        for pair in jobs.chunks(2) {
            assert_eq!(pair[0].task.opening, pair[1].task.opening);
            assert_eq!([pair[0].task.color, pair[1].task.color], Color::BOTH);
            assert_ne!(pair[0].task.seeds, pair[1].task.seeds);
        }
        assert_ne!(jobs[0].task.opening, jobs[2].task.opening);
        assert_eq!(jobs[0].task.opening, jobs[6].task.opening, "all variants meet the same openings");
        let more = jobs_of(series(20));
        assert!((0..6).all(|i| more[i].key == jobs[i].key && more[i].task.opening == jobs[i].task.opening));
    }
}
