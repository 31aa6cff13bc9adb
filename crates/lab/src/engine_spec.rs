//! The engines of a match: what the user asked for, and the command lines that start them.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checksum::Checksum;
use crate::clock::TimeControl;
use crate::host::{Host, net_of_preset, quoted};
use crate::job::JobError;

/// An engine of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in tables and records; no two are the same.
    pub name: String,
    /// How it is started.
    pub launch: Launch,
    /// What the clock means to it.
    pub clock: ClockUse,
    /// What is in the file of its network, if it is a preset that names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<Checksum>,
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

/// The word before a preset.
const PRESET: &str = "preset:";

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
                net: None,
            };
        };
        let preset = preset.trim();
        // A clock command would make the engine keep a reserve; this is a setting, and the referee allows for lag.
        let is_setting = matches!(time, TimeControl::PerMove { .. });
        EngineSpec {
            name: name.unwrap_or(preset).to_owned(),
            launch: Launch::Preset(preset.to_owned()),
            clock: if is_setting { ClockUse::Known } else { ClockUse::Told },
            net: None,
        }
    }

    /// What the user asked for.
    pub fn description(&self) -> String {
        match &self.launch {
            Launch::Preset(preset) => format!("{PRESET}{preset}"),
            Launch::Command(command) => command.clone(),
        }
    }

    /// The file of the network that it names, as the user wrote it.
    pub fn net_path(&self) -> Option<PathBuf> {
        match &self.launch {
            Launch::Preset(preset) => net_of_preset(preset),
            Launch::Command(_) => None,
        }
    }

    /// Looks into the file of its network, so that another file of the same name is not taken for it.
    pub fn read_net(&mut self) -> Result<(), (PathBuf, io::Error)> {
        if let Some(path) = self.net_path() {
            self.net = Some(Checksum::of_file(&path).map_err(|error| (path, error))?);
        }
        Ok(())
    }

    /// The command line that starts it here, with places for numbers; or why it must not be started.
    pub fn command_line(&self, host: &Host, time: &TimeControl) -> Result<String, JobError> {
        match &self.launch {
            Launch::Command(command) => {
                host.check(command)?;
                Ok(command.clone())
            }
            Launch::Preset(preset) => {
                let preset = host.preset(preset, self.net.as_ref())?;
                Ok(preset_command(&host.program, &preset, time))
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Trust;

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
    }

    #[test]
    fn what_comes_from_elsewhere_is_not_started() {
        let trust = Trust::Only { commands: vec!["gnugo --mode gtp".into()], files: None };
        let host = Host { program: "tesuji".into(), trust };
        let line = |text: &str| EngineSpec::parse(text, &HALF).command_line(&host, &HALF);
        assert_eq!(
            line("preset:uct --playouts 9").unwrap(),
            "tesuji gtp --preset uct --playouts=9 --seed {seed} --time-per-move 0.5"
        );
        assert_eq!(
            line("preset:uct --seed 3").unwrap(),
            "tesuji gtp --preset uct --seed=3 --time-per-move 0.5"
        );
        assert_eq!(line("gg=gnugo --mode gtp").unwrap(), "gnugo --mode gtp");
        for text in ["gg=gnugo --mode gtp --outfile /etc/x", "x=sh -c 'rm -rf /'"] {
            let error = line(text).unwrap_err();
            assert!(
                matches!(&error, JobError::Refused(why) if why.contains("does not allow the command")),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn a_network_is_known_by_what_is_in_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut spec = EngineSpec::parse(&format!("preset:net --net {}", file.path().display()), &HALF);
        spec.read_net().unwrap();
        let before = spec.net.clone().unwrap();
        std::fs::write(file.path(), "other weights").unwrap();
        spec.read_net().unwrap();
        assert_ne!(spec.net, Some(before));
        let mut missing = EngineSpec::parse("preset:net --net no/such/file", &HALF);
        assert_eq!(missing.read_net().unwrap_err().0, PathBuf::from("no/such/file"));
    }
}
