//! A match that was interrupted ends like one that was not.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_lab::opening::OpeningSource;
use tesuji_lab::record::{Effort, GameLine};
use tesuji_lab::table::{Style, results};
use tesuji_lab::{Event, MatchPlan, run};

use crate::engine::{logged, moody, plan, play};

fn sample() -> MatchPlan {
    MatchPlan { openings: OpeningSource::Random(0), ..plan(vec![moody("a"), moody("b")], 20) }
}

/// Everything but what the clock said.
fn without_times(games: &[GameLine]) -> Vec<GameLine> {
    let strip = |effort: Effort| Effort { seconds: 0.0, longest: 0.0, ..effort };
    games.iter().cloned().map(|game| GameLine { effort: game.effort.map(strip), ..game }).collect()
}

fn log_bytes(directory: &Path) -> Vec<u8> {
    fs::read(directory.join("games.jsonl")).unwrap()
}

#[test]
fn seeds_decide_the_games() {
    let games = play(&sample());
    assert_eq!(without_times(&games), without_times(&play(&sample())));
    let lengths: std::collections::BTreeSet<u64> = games.iter().map(|game| game.moves).collect();
    assert!(lengths.len() > 3, "the seeds make no difference: {lengths:?}");
    let other = play(&MatchPlan { seed: 6, ..sample() });
    assert_ne!(without_times(&games), without_times(&other));
}

#[test]
fn a_stopped_match_goes_on_with_what_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    let plan = logged(&sample(), directory.path());
    let mut played = 0;
    let mut rounds = 0;
    let games = loop {
        let stop = AtomicBool::new(false);
        let mut new = 0;
        let games = run(&plan, &stop, |event| {
            if let Event::Game(_) = event {
                new += 1;
                stop.store(new == 6, Ordering::Relaxed);
            }
        });
        let games = games.unwrap();
        played += new;
        rounds += 1;
        if games.len() == 20 {
            break games;
        }
    };
    assert_eq!(played, 20, "games were played twice");
    assert!(rounds > 1);
    assert_eq!(without_times(&games), without_times(&play(&sample())));
    let summary = |games: &[GameLine]| results(&plan.summary(games), Style::Plain);
    assert_eq!(summary(&games), summary(&play(&sample())));
    for number in 1..=20 {
        let sgf = fs::read_to_string(directory.path().join(format!("game-{number:05}.sgf"))).unwrap();
        assert!(sgf.contains("PB[") && sgf.contains("RE["), "{sgf}");
    }
}

#[test]
fn a_match_killed_at_any_byte_of_its_log_ends_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let plan = logged(&sample(), directory.path());
    let games = play(&plan);
    let whole = log_bytes(directory.path());
    for part in 1..5 {
        // Neither at line ends nor at the same place of each line.
        let cut = whole.len() * part / 5 + 7 * part;
        fs::write(directory.path().join("games.jsonl"), &whole[..cut]).unwrap();
        assert_eq!(without_times(&play(&plan)), without_times(&games), "cut at {cut}");
    }
    // Complete: nothing is played, not even an engine started.
    let mut idle = plan.clone();
    idle.engines.iter_mut().for_each(|engine| engine.command = "./no-such-engine".to_owned());
    assert_eq!(without_times(&play(&idle)), without_times(&games));
}

#[test]
fn records_say_komi_as_people_write_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut plan = logged(&MatchPlan { games: 1, ..sample() }, directory.path());
    plan.terms.rules.komi = 6.3;
    play(&plan);
    let sgf = fs::read_to_string(directory.path().join("game-00001.sgf")).unwrap();
    assert!(sgf.contains("KM[6.3]"), "{sgf}");
}

#[test]
fn games_that_are_not_in_the_plan_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let plan = logged(&MatchPlan { games: 4, ..sample() }, directory.path());
    play(&plan);
    let whole = String::from_utf8(log_bytes(directory.path())).unwrap();
    let first = whole.lines().find(|line| line.contains("\"game\":1,")).unwrap();
    let changed = [
        (first.replace("\"game\":1,", "\"game\":5,"), "game 5"),
        (first.replace("\"game\":1,", "\"game\":0,"), "game 0"),
        (first.replace("\"round\":1,", "\"round\":2,").replace("\"game\":1,", "\"game\":4,"), "game 4"),
        (first.replace("\"black\":\"a\"", "\"black\":\"c\""), "game 1"),
    ];
    for (line, expected) in changed {
        assert_ne!(line, first);
        fs::write(directory.path().join("games.jsonl"), format!("{whole}{line}\n")).unwrap();
        let error = run(&plan, &AtomicBool::new(false), |_| ()).unwrap_err().to_string();
        assert!(error.contains("line 5") && error.contains(expected) && error.contains("plan"), "{error}");
    }
    // A shorter match would leave games out of its table: that is for its owner to say in another directory.
    fs::write(directory.path().join("games.jsonl"), &whole).unwrap();
    assert!(run(&MatchPlan { games: 2, ..plan }, &AtomicBool::new(false), |_| ()).is_err());
}

#[test]
fn a_match_can_be_prolonged() {
    let directory = tempfile::tempdir().unwrap();
    let plan = logged(&sample(), directory.path());
    play(&MatchPlan { games: 7, ..plan.clone() });
    assert_eq!(without_times(&play(&plan)), without_times(&play(&sample())));
}
