//! Clocks: what a client says about time, in three dialects.

use tesuji_gtp::{Command, CommandTable, Reply};

use super::Controlled;
use crate::clock::TimeLeft;
use crate::time_system::{TimeError, TimeSystem};

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table
        .add("time_settings", |state, command, _| set_system(state, command, TimeSystem::parse_gtp))
        .add("kgs-time_settings", |state, command, _| set_system(state, command, TimeSystem::parse_named))
        .add("kata-time_settings", |state, command, _| set_system(state, command, TimeSystem::parse_named))
        .add("kata-list_time_settings", |_, _, _| Ok(TimeSystem::NAMES.join(" ")))
        .add("time_left", |state, command, _| {
            let left = TimeLeft::parse(&command.args).map_err(|error| error.to_string())?;
            state.engine.clocks_mut().set_left(left);
            Ok(String::new())
        });
}

fn set_system(
    state: &mut Controlled,
    command: &Command,
    parse: impl FnOnce(&[String]) -> Result<TimeSystem, TimeError>,
) -> Reply {
    let system = parse(&command.args).map_err(|error| error.to_string())?;
    state.engine.set_time_system(system);
    Ok(String::new())
}
