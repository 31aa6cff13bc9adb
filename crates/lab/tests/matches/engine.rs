//! Engines as shell scripts, and plans of matches between them on a 5×5 board.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tesuji_board::{Rules, Size};
use tesuji_lab::clock::TimeControl;
use tesuji_lab::engine_spec::Launch;
use tesuji_lab::host::Host;
use tesuji_lab::job::{Builds, LogStore, Venue, Workforce};
use tesuji_lab::opening::OpeningSource;
use tesuji_lab::record::{CountMethod, GameLine};
use tesuji_lab::referee::GameTerms;
use tesuji_lab::{ClockUse, EngineSpec, Event, Lifetime, MatchError, MatchPlan, run_match};

/// An engine whose behaviour at `genmove` is `body`, with `$n` the number of its move from 1, `$color` the colour asked
/// for, `$own` a vertex never played before and `$seed` the seed.
///
/// Black fills the two columns on the left and White the two on the right, from the bottom, so that all moves are legal.
pub(crate) fn engine(name: &str, body: &str) -> EngineSpec {
    let script = format!(
        r#"seed=$1; n=0
           while read -r id cmd color args; do case $cmd in
             genmove)
               n=$((n + 1)); row=$(( (n + 1) / 2 ))
               case $color$((n % 2)) in b1) own=A$row;; b0) own=B$row;; w1) own=E$row;; w0) own=D$row;; esac
               {body};;
             clear_board) n=0; printf "=$id\n\n";;
             list_commands) printf "=$id final_status_list\n\n";;
             quit) printf "=$id\n\n"; exit;;
             *) printf "=$id\n\n";;
           esac; done"#
    );
    EngineSpec {
        name: name.to_owned(),
        launch: Launch::Command(format!("sh -c '{script}' engine {{seed}}")),
        clock: ClockUse::Told,
        net: None,
    }
}

/// Plays seven moves and passes.
pub(crate) fn patient(name: &str) -> EngineSpec {
    engine(name, r#"if test $n -gt 7; then own=pass; fi; printf "=$id $own\n\n""#)
}

/// As [`patient`], but resigns after some moves if its seed says so.
pub(crate) fn moody(name: &str) -> EngineSpec {
    let body = r#"if test $n -gt $((seed % 9)); then own=resign; elif test $n -gt 7; then own=pass; fi
                  printf "=$id $own\n\n""#;
    engine(name, body)
}

pub(crate) fn plan(engines: Vec<EngineSpec>, games: u64) -> MatchPlan {
    MatchPlan {
        engines,
        games,
        terms: GameTerms {
            size: Size::square(5).unwrap(),
            rules: Rules { komi: 0.5, ..Rules::default() },
            time: TimeControl::Unlimited,
            lag: 0.0,
            move_limit: 100,
            methods: vec![CountMethod::Agreement, CountMethod::Board],
            arbiter: None,
            command_timeout: Duration::from_secs(20),
            move_timeout: Duration::from_secs(20),
        },
        openings: OpeningSource::Empty,
        seed: 5,
        lifetime: Lifetime::Game,
        sprt: None,
    }
}

/// Plays a match with a log in a directory, or without.
pub(crate) fn run_in(
    plan: &MatchPlan,
    directory: Option<&Path>,
    stop: &AtomicBool,
    on_event: impl FnMut(Event<'_>),
) -> Result<Vec<GameLine>, MatchError> {
    run_with(plan, directory, "this", Builds::Same, stop, on_event)
}

/// The same, by a build of the program.
pub(crate) fn run_with(
    plan: &MatchPlan,
    directory: Option<&Path>,
    build: &str,
    builds: Builds,
    stop: &AtomicBool,
    on_event: impl FnMut(Event<'_>),
) -> Result<Vec<GameLine>, MatchError> {
    let store = &mut directory.map_or_else(LogStore::in_memory, LogStore::in_directory);
    let venue = Venue { store, build, builds, workforce: Workforce::Threads(2), retry: false, stop };
    run_match(plan, Host::trusted("no-program".into()), venue, directory, on_event)
}

pub(crate) fn play(plan: &MatchPlan) -> Vec<GameLine> {
    run_in(plan, None, &AtomicBool::new(false), |_| ()).unwrap()
}

/// Plays a match with a log.
pub(crate) fn play_in(plan: &MatchPlan, directory: &Path) -> Vec<GameLine> {
    run_in(plan, Some(directory), &AtomicBool::new(false), |_| ()).unwrap()
}
