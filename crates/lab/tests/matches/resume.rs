//! A match that was interrupted ends like one that was not.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_lab::job::Builds;
use tesuji_lab::opening::OpeningSource;
use tesuji_lab::record::{Effort, GameLine};
use tesuji_lab::table::{Style, results};
use tesuji_lab::{Event, MatchPlan};

use crate::engine::{moody, plan, play, play_in, run_in, run_with};

fn sample() -> MatchPlan {
    MatchPlan { openings: OpeningSource::Random(0), ..plan(vec![moody("a"), moody("b")], 20) }
}

/// Everything but what the clock said.
fn without_times(games: &[GameLine]) -> Vec<GameLine> {
    let strip = |effort: Effort| Effort { seconds: 0.0, longest: 0.0, ..effort };
    games.iter().cloned().map(|game| GameLine { effort: game.effort.map(strip), ..game }).collect()
}

fn log_bytes(directory: &Path) -> Vec<u8> {
    fs::read(directory.join("results.jsonl")).unwrap()
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
    let plan = sample();
    let mut played = 0;
    let mut rounds = 0;
    let games = loop {
        let stop = AtomicBool::new(false);
        let mut new = 0;
        let games = run_in(&plan, Some(directory.path()), &stop, |event| {
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
    let plan = sample();
    let games = play_in(&plan, directory.path());
    let whole = log_bytes(directory.path());
    for part in 1..5 {
        // Neither at line ends nor at the same place of each line.
        let cut = whole.len() * part / 5 + 7 * part;
        fs::write(directory.path().join("results.jsonl"), &whole[..cut]).unwrap();
        assert_eq!(without_times(&play_in(&plan, directory.path())), without_times(&games), "cut at {cut}");
    }
    // Complete: nothing is played.
    let mut played = 0;
    let count = |event: Event<'_>| played += usize::from(matches!(event, Event::Game(_)));
    let again = run_in(&plan, Some(directory.path()), &AtomicBool::new(false), count).unwrap();
    assert_eq!((without_times(&again), played), (without_times(&games), 0));
}

#[test]
fn records_say_komi_as_people_write_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut plan = MatchPlan { games: 1, ..sample() };
    plan.terms.rules.komi = 6.3;
    play_in(&plan, directory.path());
    let sgf = fs::read_to_string(directory.path().join("game-00001.sgf")).unwrap();
    assert!(sgf.contains("KM[6.3]"), "{sgf}");
}

#[test]
fn games_that_are_not_in_the_plan_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let plan = MatchPlan { games: 4, ..sample() };
    play_in(&plan, directory.path());
    let whole = String::from_utf8(log_bytes(directory.path())).unwrap();
    let first = whole.lines().find(|line| line.contains("\"game\":1,")).unwrap();
    let changed = [
        (first.replace("\"game\":1,", "\"game\":5,").replace("game 1\"", "game 5\""), "game 5"),
        (first.replace("\"game\":1,", "\"game\":0,").replace("game 1\"", "game 0\""), "game 0"),
        (first.replace("\"round\":1,", "\"round\":2,"), "game 1"),
        (first.replace("\"black\":\"a\"", "\"black\":\"c\""), "game 1"),
    ];
    for (line, expected) in changed {
        assert_ne!(line, first);
        // The first result of a game stands, so the wrong one has to come first.
        fs::write(directory.path().join("results.jsonl"), format!("{line}\n{whole}")).unwrap();
        let error =
            run_in(&plan, Some(directory.path()), &AtomicBool::new(false), |_| ()).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("plan"), "{error}");
    }
    // A shorter match would leave games out of its table: that is for its owner to say in another directory.
    fs::write(directory.path().join("results.jsonl"), &whole).unwrap();
    let shorter = MatchPlan { games: 2, ..plan };
    assert!(run_in(&shorter, Some(directory.path()), &AtomicBool::new(false), |_| ()).is_err());
}

#[test]
fn builds_are_not_mixed_unless_somebody_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let plan = MatchPlan { games: 2, ..sample() };
    let games = play_in(&plan, directory.path());
    let go_on =
        |builds| run_with(&plan, Some(directory.path()), "other", builds, &AtomicBool::new(false), |_| ());
    let error = go_on(Builds::Same).unwrap_err().to_string();
    assert!(error.contains("another build") && error.contains("--any-build"), "{error}");
    assert_eq!(without_times(&go_on(Builds::Any).unwrap()), without_times(&games));
}

#[test]
fn a_log_from_before_there_were_jobs_can_be_taken_over() {
    let directory = tempfile::tempdir().unwrap();
    let plan = MatchPlan { games: 4, ..sample() };
    let games = play_in(&plan, directory.path());
    let lines = games[..3].iter().map(|game| serde_json::to_string(game).unwrap() + "\n");
    fs::write(directory.path().join("games.jsonl"), lines.collect::<String>()).unwrap();
    fs::remove_file(directory.path().join("results.jsonl")).unwrap();
    fs::remove_file(directory.path().join("run.json")).unwrap();
    let mut played = 0;
    let again =
        run_with(&plan, Some(directory.path()), "this", Builds::Any, &AtomicBool::new(false), |event| {
            played += usize::from(matches!(event, Event::Game(_)));
        });
    assert_eq!(without_times(&again.unwrap()), without_times(&games));
    assert_eq!(played, 1);
}

#[test]
fn a_match_can_be_prolonged() {
    let directory = tempfile::tempdir().unwrap();
    play_in(&MatchPlan { games: 7, ..sample() }, directory.path());
    assert_eq!(without_times(&play_in(&sample(), directory.path())), without_times(&play(&sample())));
}
