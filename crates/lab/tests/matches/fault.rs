//! Engines that crash, hang, cheat or talk nonsense lose the game and never the match.

use std::time::{Duration, Instant};

use tesuji_lab::clock::TimeControl;
use tesuji_lab::engine_spec::Launch;
use tesuji_lab::record::{CountMethod, Ending};
use tesuji_lab::sprt::Sprt;
use tesuji_lab::table::{Style, results};
use tesuji_lab::{ClockUse, EngineSpec, Lifetime, MatchError, MatchPlan};

use crate::engine::{engine, moody, patient, plan, play, run_in};

/// Plays a pair against a patient engine; the bad one loses both games for this reason.
fn check_loses(bad: EngineSpec, ending: Ending, detail: &str) {
    check_plan(&plan(vec![bad, patient("good")], 2), ending, detail);
}

fn check_plan(plan: &MatchPlan, ending: Ending, detail: &str) {
    let begin = Instant::now();
    let games = play(plan);
    assert_eq!(games.len(), 2);
    for game in &games {
        let winner = game.result.winner().map(|color| game.player(color));
        assert_eq!((winner, game.ending), (Some("good"), ending), "{game:?}");
        assert!(game.detail.contains(detail), "{game:?}");
    }
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn a_crash_is_a_loss() {
    check_loses(
        engine("bad", r#"if test $n = 3; then echo farewell >&2; exit 7; fi; printf "=$id $own\n\n""#),
        Ending::Crash,
        "farewell",
    );
}

#[test]
fn an_engine_killed_from_outside_is_a_loss() {
    check_loses(
        engine("bad", r#"if test $n = 2; then kill -9 $$; fi; printf "=$id $own\n\n""#),
        Ending::Crash,
        "signal",
    );
}

#[test]
fn a_hang_is_a_loss_on_time() {
    let bad = engine("bad", r#"if test $n = 2; then sleep 60; fi; printf "=$id $own\n\n""#);
    let mut plan = plan(vec![bad, patient("good")], 2);
    plan.terms.time = TimeControl::Absolute { main: 0.3 };
    plan.terms.lag = 0.2;
    plan.engines[1].clock = ClockUse::Excused;
    check_plan(&plan, Ending::Time, "genmove");
    plan.terms.time = TimeControl::Unlimited;
    plan.terms.move_timeout = Duration::from_millis(400);
    check_plan(&plan, Ending::Time, "genmove");
}

#[test]
fn a_late_answer_is_a_loss_on_time() {
    let bad = engine("bad", r#"if test $n = 2; then sleep 0.6; fi; printf "=$id $own\n\n""#);
    let mut plan = plan(vec![bad, patient("good")], 2);
    plan.terms.time = TimeControl::PerMove { seconds: 0.3 };
    plan.engines[1].clock = ClockUse::Excused;
    check_plan(&plan, Ending::Time, "");
}

#[test]
fn illegal_moves_are_losses() {
    let repeat = r#"if test $n -gt 2; then own=A1; fi
                    if test $n -gt 2 -a $color = w; then own=E1; fi
                    printf "=$id $own\n\n""#;
    check_loses(engine("bad", repeat), Ending::Illegal, "1: ");
    check_loses(engine("bad", r#"printf "=$id T19\n\n""#), Ending::Illegal, "T19");
}

#[test]
fn nonsense_is_a_loss() {
    check_loses(engine("bad", r#"printf "=$id hello\n\n""#), Ending::Protocol, "hello");
    check_loses(engine("bad", r#"printf "?$id I cannot\n\n""#), Ending::Protocol, "I cannot");
    check_loses(engine("bad", r#"printf "what is going on\n\n""#), Ending::Protocol, "what is going on");
    let endless = r#"head -c 30000000 /dev/zero; printf "\n\n""#;
    check_loses(engine("bad", endless), Ending::Protocol, "");
}

#[test]
fn an_engine_that_cannot_start_is_an_error_before_the_first_game() {
    let mut bad = patient("bad");
    bad.launch = Launch::Command("./no-such-engine {seed}".to_owned());
    let plan = plan(vec![patient("good"), bad], 2);
    let outcome = run_in(&plan, None, &false.into(), |_| ());
    assert!(matches!(outcome, Err(MatchError::Start { name, .. }) if name == "bad"));
}

#[test]
fn an_endless_game_is_drawn() {
    let mut plan = plan(vec![patient("a"), patient("b")], 2);
    plan.terms.move_limit = 10;
    let games = play(&plan);
    assert!(games.iter().all(|game| game.ending == Ending::MoveLimit && game.result.winner().is_none()));
}

#[test]
fn scores_are_agreed_or_counted_by_others() {
    // Four columns with a wall of neutral points between: seven stones each, and the points behind them.
    let mut plan = plan(vec![patient("a"), patient("b")], 2);
    let games = play(&plan);
    assert!(games.iter().all(|game| game.counted_by == Some(CountMethod::Agreement)), "{games:?}");
    assert!(games.iter().all(|game| game.result.to_string() == "W+0.5"), "{games:?}");
    plan.terms.methods = vec![CountMethod::Arbiter, CountMethod::Board];
    let arbiter = r#"while read -r id cmd args; do
        test $cmd = final_score && printf "=$id B+3.5 (upper bound)\n\n" || printf "=$id\n\n"; done"#;
    plan.terms.arbiter = Some(format!("sh -c '{arbiter}'"));
    let games = play(&plan);
    assert!(games.iter().all(|game| game.counted_by == Some(CountMethod::Arbiter)), "{games:?}");
    assert!(games.iter().all(|game| game.result.to_string() == "B+3.5"), "{games:?}");
    plan.terms.arbiter = Some("sh -c 'exit 1'".to_owned());
    assert!(play(&plan).iter().all(|game| game.counted_by == Some(CountMethod::Board)));
}

#[test]
fn three_engines_meet_each_other_and_may_stay_alive() {
    let mut plan = plan(vec![moody("a"), patient("b"), moody("c")], 4);
    let games = play(&plan);
    assert_eq!(games.iter().map(|game| game.game).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    let text = results(&plan.summary(&games), Style::Plain);
    assert!(["a – b", "a – c", "b – c", "against all"].iter().all(|words| text.contains(words)), "{text}");
    plan.lifetime = Lifetime::Match;
    assert_eq!(play(&plan).len(), 12);
}

#[test]
fn a_sequential_test_ends_the_match_early() {
    let loser = engine("loser", r#"printf "=$id resign\n\n""#);
    let mut plan = plan(vec![patient("winner"), loser], 1000);
    plan.sprt = Some(Sprt::new(0.0, 400.0));
    let games = play(&plan);
    assert!(games.len() < 30, "{}", games.len());
    let text = results(&plan.summary(&games), Style::Markdown);
    assert!(text.contains("accepts 400"), "{text}");
}
