//! Reviews of games: what is written, and that a review that was stopped goes on.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tesuji_sgf::parse;

use crate::process::{Directory, run_in, stderr, stdout, tesuji};

/// Black gives all corners away and lives in none; move 7 puts a stone into White's area for nothing.
const GAME: &str = "(;GM[1]FF[4]SZ[7]KM[0.5]RU[Chinese]PB[Anna <b>]PW[Bert]C[my own words]\
;B[dd];W[cc];B[ec];W[cd];B[ee](;W[ce];B[aa];W[db];B[ga];W[eb]C[here])(;W[fb]))";

const QUICK: [&str; 6] = ["--visits", "40", "--deeper", "2", "--quiet", "--time-limit"];

#[test]
fn a_review_says_what_was_lost_and_keeps_what_was_written() {
    let directory = Directory::new("review");
    directory.file("game.sgf", GAME);
    let output = run_in(&directory.0, &[&["review", "game.sgf"], &QUICK[..], &["60"]].concat(), "");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "game.review.sgf\ngame.review.html\n");
    let sgf = fs::read(directory.path("game.review.sgf")).unwrap();
    let tree = &parse(&sgf).unwrap().collection.games[0];
    let line: Vec<_> = tree.main_line().collect();
    assert_eq!(line.len(), 11);
    let comment = |turn: usize| tree.node(line[turn]).value("C").unwrap_or_default();
    assert!(comment(0).starts_with("my own words\n\nBlack's chance "), "{}", comment(0));
    assert!(comment(10).starts_with("here\n\nBlack's chance "), "{}", comment(10));
    assert!((0..=10).all(|turn| comment(turn).contains("leads by")));
    assert!(comment(7).contains("Black lost ") && comment(7).contains("better was "), "{}", comment(7));
    assert_eq!(tree.node(line[7]).value("B"), Some("aa"));
    let better: Vec<_> = tree.children(line[6]).skip(1).collect();
    assert_eq!(better.len(), 1, "the better line of move 7");
    assert_eq!(tree.node(better[0]).value("TE"), Some("1"));
    assert_eq!(tree.children(line[5]).filter(|&child| tree.node(child).value("W") == Some("fb")).count(), 1);
    let html = fs::read_to_string(directory.path("game.review.html")).unwrap();
    assert!(html.contains("Anna &lt;b&gt; – Bert") && html.contains("id=\"move-7\""));
    assert!(!html.contains("Not finished") && !html.contains("<script"));
    let outside = ["http:", "https:", "src=", "url(", "@import"];
    assert!(outside.iter().all(|word| !html.contains(word)), "a page that needs nothing else");
    assert!(!fs::exists(directory.path("game.review.jsonl")).unwrap(), "nothing is left to go on with");
}

#[test]
fn a_review_that_was_killed_goes_on() {
    let directory = Directory::new("review-killed");
    directory.file("game.sgf", GAME);
    let log = directory.path("game.review.jsonl");
    let lines = || fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    let arguments = ["review", "game.sgf", "--visits", "3000", "--set", "threads=1", "--quiet"];
    let mut child = tesuji(&arguments)
        .current_dir(&directory.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while lines() < 3 {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing was kept");
        assert!(child.try_wait().unwrap().is_none(), "too quick to be killed");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A value that no analysis would find, and a line that was being written.
    let text = fs::read_to_string(&log).unwrap();
    let mut kept: Vec<String> = text.lines().take(3).map(str::to_owned).collect();
    let turn = kept[1].find("\"lead\":").unwrap() + "\"lead\":".len();
    let end = turn + kept[1][turn..].find(',').unwrap();
    kept[1].replace_range(turn..end, "77.25");
    fs::write(&log, kept.join("\n") + "\n{\"turn\":5,\"vis").unwrap();
    // Mistakes are not looked at again, so what is known stays.
    let output = run_in(&directory.0, &[&arguments[..], &["--mistakes", "0"]].concat(), "");
    assert!(output.status.success(), "{}", stderr(&output));
    let sgf = fs::read_to_string(directory.path("game.review.sgf")).unwrap();
    assert!(sgf.contains("Black leads by 77.2"), "{sgf}");
    assert_eq!(sgf.matches("leads by").count(), 11);
}

#[test]
fn a_review_ends_when_its_time_is_over() {
    let directory = Directory::new("review-time");
    directory.file("game.sgf", GAME);
    let started = Instant::now();
    let endless = ["review", "game.sgf", "--visits", "1000000000", "--time-limit", "1", "--quiet"];
    let output = run_in(&directory.0, &endless, "");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(fs::exists(directory.path("game.review.html")).unwrap());
}

#[test]
fn what_cannot_be_reviewed_is_named() {
    let directory = Directory::new("review-wrong");
    directory.file("broken.sgf", "(;SZ[9];B[ee");
    directory.file("illegal.sgf", "(;SZ[9];B[ee];W[ee])");
    directory.file("good.sgf", "(;SZ[9];B[ee])");
    for (arguments, part) in [
        (&["review", "no-such.sgf"][..], "no-such.sgf"),
        (&["review", "illegal.sgf"], "move 2"),
        (&["review", "good.sgf", "--game", "2"], "--game 2"),
        (&["review", "good.sgf", "--time-limit", "nan"], "--time-limit"),
    ] {
        let output = run_in(&directory.0, arguments, "");
        assert!(
            !output.status.success() && stderr(&output).contains(part),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
}
