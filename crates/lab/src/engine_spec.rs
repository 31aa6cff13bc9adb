//! The engines of a match: what the user asked for, and the command lines that start them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tesuji_engine::preset::Preset;

use crate::clock::TimeControl;

/// An engine of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in tables and records; no two are the same.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
    /// What the clock means to it.
    pub clock: ClockUse,
}

/// How an engine is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Launch {
    /// This very program: the name of a preset, and options of `tesuji gtp`.
    Preset(String),
    /// Any command line; `{seed}` and `{game}` stand for numbers of the game.
    Command(String),
}

/// What the clock of a match means to an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockUse {
    /// It is told about the clock and loses when it runs out.
    #[default]
    Told,
    /// It knows by its command line, and loses when the clock runs out.
    Known,
    /// It plays without, as an engine of fixed strength does.
    Excused,
}

/// How long engines live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lifetime {
    /// One game: nothing is carried over, and each game has its own seed.
    #[default]
    Game,
    /// Until the match ends or something goes wrong; for engines that start slowly.
    Match,
}

/// The machine that games are played on: where this program is, and what else may be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// This program.
    pub program: PathBuf,
    /// The command lines that may be started.
    pub commands: Commands,
}

/// Command lines that may be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Commands {
    /// All: whoever sits here typed them.
    All,
    /// These and no others: they come from elsewhere.
    Only(Vec<String>),
}

/// The word before a preset.
const PRESET: &str = "preset:";

/// Options of `tesuji gtp` that may come from elsewhere: none of them reads or writes a file.
const HARMLESS: [&str; 6] = ["--playouts", "--seed", "--set", "--threads", "--memory", "--time-per-move"];

impl EngineSpec {
    /// Reads `[NAME=]preset:PRESET [options]` or `[NAME=]COMMAND`.
    pub fn parse(text: &str, time: &TimeControl) -> EngineSpec {
        let (name, description) = split_name(text.trim());
        let Some(preset) = description.strip_prefix(PRESET) else {
            let program = description.split_whitespace().next().unwrap_or_default();
            let program = program.rsplit(['/', '\\']).next().unwrap_or_default();
            return EngineSpec {
                name: name.unwrap_or(program).to_owned(),
                launch: Launch::Command(description.to_owned()),
                clock: ClockUse::Told,
            };
        };
        let preset = preset.trim();
        // A clock command would make the engine keep a reserve; this is a setting, and the referee allows for lag.
        let is_setting = matches!(time, TimeControl::PerMove { .. });
        EngineSpec {
            name: name.unwrap_or(preset).to_owned(),
            launch: Launch::Preset(preset.to_owned()),
            clock: if is_setting { ClockUse::Known } else { ClockUse::Told },
        }
    }

    /// What the user asked for.
    pub fn description(&self) -> String {
        match &self.launch {
            Launch::Preset(preset) => format!("{PRESET}{preset}"),
            Launch::Command(command) => command.clone(),
        }
    }

    /// The command line that starts it here, with places for numbers; or why it must not be started.
    pub fn command_line(&self, host: &Host, time: &TimeControl) -> Result<String, String> {
        match &self.launch {
            Launch::Command(command) => {
                host.check(command)?;
                Ok(command.clone())
            }
            Launch::Preset(preset) => {
                host.check_preset(preset)?;
                Ok(preset_command(&host.program, preset, time))
            }
        }
    }
}

impl Host {
    /// A machine whose user says what is started.
    pub fn trusted(program: PathBuf) -> Host {
        Host { program, commands: Commands::All }
    }

    /// Whether a command line may be started, or why not.
    pub fn check(&self, command: &str) -> Result<(), String> {
        match &self.commands {
            Commands::Only(allowed) if !allowed.iter().any(|line| line == command) => {
                Err(format!("this worker does not allow the command '{command}'"))
            }
            _ => Ok(()),
        }
    }

    fn check_preset(&self, preset: &str) -> Result<(), String> {
        let mut words = preset.split_whitespace();
        let name = words.next().unwrap_or_default();
        Preset::named(name).map_err(|error| error.to_string())?;
        let is_harmless = |word: &str| HARMLESS.contains(&word.split('=').next().unwrap_or_default());
        let others = words.filter(|word| word.starts_with('-') && word.parse::<f64>().is_err());
        match (&self.commands, others.into_iter().find(|word| !is_harmless(word))) {
            (Commands::Only(_), Some(option)) => {
                Err(format!("this worker does not allow the option '{option}'"))
            }
            _ => Ok(()),
        }
    }
}

impl Default for Host {
    /// A machine on which nothing may be started but this program, wherever it is.
    fn default() -> Host {
        Host { program: PathBuf::new(), commands: Commands::Only(Vec::new()) }
    }
}

impl ClockUse {
    /// The word for it in the terms of a match.
    pub fn word(self) -> &'static str {
        match self {
            ClockUse::Told => "told",
            ClockUse::Known => "known",
            ClockUse::Excused => "excused",
        }
    }
}

/// Fills the places for numbers in a command line.
pub fn fill_command(template: &str, seed: u64, game: u64) -> String {
    template.replace("{seed}", &seed.to_string()).replace("{game}", &game.to_string())
}

fn preset_command(program: &Path, preset: &str, time: &TimeControl) -> String {
    let mut command = format!("{} gtp --preset {preset}", quoted(&program.to_string_lossy()));
    if !preset.split_whitespace().any(|word| word.starts_with("--seed")) {
        command += " --seed {seed}";
    }
    if let TimeControl::PerMove { seconds } = time {
        command += &format!(" --time-per-move {seconds}");
    }
    command
}

/// Splits a name off; an equals sign further on belongs to the command.
fn split_name(text: &str) -> (Option<&str>, &str) {
    match text.split_once('=') {
        Some((name, rest)) if !name.is_empty() && !name.contains([' ', '\t', '/', '\'', '"']) => {
            (Some(name), rest)
        }
        _ => (None, text),
    }
}

/// The text as one word of a command line.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: TimeControl = TimeControl::PerMove { seconds: 0.5 };

    fn check(text: &str, time: &TimeControl, name: &str, command: &str) {
        let spec = EngineSpec::parse(text, time);
        let line = spec.command_line(&Host::trusted("/a b/tesuji".into()), time).unwrap();
        assert_eq!(
            (spec.name.as_str(), line.as_str()),
            (name, &*command.replace("EXE", "'/a b/tesuji'")),
            "{text}"
        );
    }

    #[test]
    fn presets_and_commands() {
        let free = TimeControl::Unlimited;
        check(
            "preset:uct --playouts 9",
            &free,
            "uct --playouts 9",
            "EXE gtp --preset uct --playouts 9 --seed {seed}",
        );
        check("a=preset:uct --seed 3", &free, "a", "EXE gtp --preset uct --seed 3");
        check("preset:uct", &HALF, "uct", "EXE gtp --preset uct --seed {seed} --time-per-move 0.5");
        check("gg=gnugo --level=1", &HALF, "gg", "gnugo --level=1");
        check("/usr/games/gnugo --level=1", &HALF, "gnugo", "/usr/games/gnugo --level=1");
        check("sh -c 'A=1 x'", &free, "sh", "sh -c 'A=1 x'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn what_comes_from_elsewhere_is_not_started() {
        let host =
            Host { program: "tesuji".into(), commands: Commands::Only(vec!["gnugo --mode gtp".into()]) };
        let line = |text: &str| EngineSpec::parse(text, &HALF).command_line(&host, &HALF);
        assert!(line("preset:uct --playouts 9 --set resign=false").is_ok());
        assert_eq!(line("gg=gnugo --mode gtp").unwrap(), "gnugo --mode gtp");
        for (text, reason) in [
            ("gg=gnugo --mode gtp --outfile /etc/x", "does not allow the command"),
            ("x=sh -c 'rm -rf /'", "does not allow the command"),
            ("preset:uct --config /etc/passwd", "does not allow the option '--config'"),
            ("preset:nobody", "nobody"),
        ] {
            let error = line(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert!(
            EngineSpec::parse("preset:nobody", &HALF)
                .command_line(&Host::trusted("t".into()), &HALF)
                .is_err()
        );
    }
}
