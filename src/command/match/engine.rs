//! How `--engine` names an engine: a preset of this program, or any command line.

use std::env;

use tesuji_lab::clock::TimeControl;
use tesuji_lab::{ClockUse, EngineSpec};

const PRESET: &str = "preset:";

/// Reads `[NAME=]preset:PRESET [options]` or `[NAME=]COMMAND`.
pub(super) fn parse(text: &str, time: &TimeControl) -> anyhow::Result<EngineSpec> {
    let (name, description) = split_name(text.trim());
    let Some(preset) = description.strip_prefix(PRESET) else {
        let program = description.split_whitespace().next().unwrap_or_default();
        let program = program.rsplit(['/', '\\']).next().unwrap_or_default();
        return Ok(EngineSpec {
            name: name.unwrap_or(program).to_owned(),
            description: description.to_owned(),
            command: description.to_owned(),
            clock: ClockUse::Told,
        });
    };
    let preset = preset.trim();
    let program = env::current_exe()?;
    let mut command = format!("{} gtp --preset {preset}", quoted(&program.to_string_lossy()));
    if !preset.split_whitespace().any(|word| word.starts_with("--seed")) {
        command += " --seed {seed}";
    }
    // A clock command would make the engine keep a reserve; this is a setting, and the referee allows for lag.
    let clock = match time {
        TimeControl::PerMove { seconds } => {
            command += &format!(" --time-per-move {seconds}");
            ClockUse::Known
        }
        _ => ClockUse::Told,
    };
    Ok(EngineSpec {
        name: name.unwrap_or(preset).to_owned(),
        description: description.to_owned(),
        command,
        clock,
    })
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

    fn check(text: &str, time: &TimeControl, name: &str, command: &str) {
        let spec = parse(text, time).unwrap();
        let program = quoted(&env::current_exe().unwrap().to_string_lossy());
        assert_eq!(
            (spec.name.as_str(), spec.command.as_str()),
            (name, &*command.replace("EXE", &program)),
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
        let half = TimeControl::PerMove { seconds: 0.5 };
        check("preset:uct", &half, "uct", "EXE gtp --preset uct --seed {seed} --time-per-move 0.5");
        check("gg=gnugo --level=1", &half, "gg", "gnugo --level=1");
        check("/usr/games/gnugo --level=1", &half, "gnugo", "/usr/games/gnugo --level=1");
        check("sh -c 'A=1 x'", &free, "sh", "sh -c 'A=1 x'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
