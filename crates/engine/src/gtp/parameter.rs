//! The engine's parameters in the words of KataGo and Leela Zero.

use tesuji_gtp::{Command, CommandTable, Reply, Session};

use super::Controlled;
use crate::settings::{PARAMETERS, Parameter};

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table
        .add("kata-list-params", |_, _, _| {
            Ok(PARAMETERS.iter().map(|p| p.name).collect::<Vec<_>>().join(" "))
        })
        .add("kata-get-param", |state, command, _| {
            let parameter = named(command.word(0, "parameter")?)?;
            Ok(parameter.value(state.engine.settings()))
        })
        .add("kata-set-param", |state, command, _| {
            set(state, command.word(0, "parameter")?, command.word(1, "value")?)
        })
        .add("lz-setoption", set_option);
}

/// An option of Leela Zero and the parameter it becomes.
struct LeelaOption {
    name: &'static str,
    parameter: &'static str,
    /// What one unit of the option is in units of the parameter.
    unit: f64,
}

const OPTIONS: &[LeelaOption] = &[
    LeelaOption { name: "maximum memory use (mib)", parameter: "memory", unit: 1.0 },
    LeelaOption { name: "visits", parameter: "visits", unit: 1.0 },
    LeelaOption { name: "playouts", parameter: "playouts", unit: 1.0 },
    // Centiseconds.
    LeelaOption { name: "lagbuffer", parameter: "lag", unit: 0.01 },
    LeelaOption { name: "resign percentage", parameter: "resign-threshold", unit: 0.01 },
];

/// `name WORDS value WORD`; without arguments, a list of what there is.
fn set_option(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    if command.args.is_empty() {
        let describe = |option: &LeelaOption| {
            let default =
                named(option.parameter).map(|p| p.value(state.engine.settings())).unwrap_or_default();
            format!("option name {} type string default {default}", option.name)
        };
        return Ok(OPTIONS.iter().map(describe).collect::<Vec<_>>().join("\n"));
    }
    let text = command.args.join(" ");
    let usage = "expected 'name <option> value <value>'";
    let rest = text.strip_prefix("name ").ok_or(usage)?;
    let (name, value) = rest.split_once(" value ").ok_or(usage)?;
    if name.eq_ignore_ascii_case("pondering") {
        return set(state, "ponder", value);
    }
    let option = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name));
    let option = option.ok_or_else(|| format!("unknown option '{name}'"))?;
    let number: f64 = value.parse().map_err(|_| format!("'{value}' is not a number"))?;
    set(state, option.parameter, &(number * option.unit).to_string())
}

fn named(name: &str) -> Result<&'static Parameter, String> {
    Parameter::named(name).map_err(|error| error.to_string())
}

fn set(state: &mut Controlled, name: &str, value: &str) -> Reply {
    state.engine.set_parameter(name, value).map_err(|error| error.to_string())?;
    Ok(String::new())
}
