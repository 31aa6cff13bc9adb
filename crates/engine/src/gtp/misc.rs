//! Odds and ends: processor time, explanations, and commands whose arrival is all they want.

use cpu_time::ProcessTime;
use tesuji_gtp::{CommandTable, Reply};

use super::Controlled;

/// Commands that need no action: a running analysis has ended by the time they are read, or they only tell.
const NOTICES: [&str; 7] = [
    "stop",
    "stop-ponder",
    "gogui-interrupt",
    "kgs-game_over",
    "cgos-gameover",
    "cgos-opponent_name",
    "cgos-opponent_rating",
];

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    for name in NOTICES {
        table.add(name, |_, _, _| Ok(String::new()));
    }
    table
        .add("cputime", |_, _, _| cpu_time())
        .add("gomill-cpu_time", |_, _, _| cpu_time())
        .add("gomill-explain_last_move", |state, _, _| Ok(state.engine.explanation().to_owned()));
}

/// Seconds of all threads since the program started.
fn cpu_time() -> Reply {
    match ProcessTime::try_now() {
        Ok(time) => Ok(format!("{:.3}", time.as_duration().as_secs_f64())),
        Err(error) => Err(format!("processor time is not known: {error}")),
    }
}
