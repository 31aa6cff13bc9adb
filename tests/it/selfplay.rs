//! `tesuji selfplay` as a process: killed at random moments, it comes to the same table.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tesuji_search::Rng;
use tesuji_train::sample::{GameSample, read_samples};

/// A run of two cycles on 5×5 that takes a second or two.
pub(crate) fn command(out: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(
        "selfplay --size 5 --komi 1 --random 1x8 --cycles 2 --games 16 --full-visits 10 --cheap-visits 3"
            .split(' '),
    );
    command
        .args("--batch 32 --gate-visits 4 --gate-pairs 8 --checkpoint-every 0 --out".split(' '))
        .arg(out)
        .args(more);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn error_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn games(root: &Path) -> Vec<GameSample> {
    let mut games = Vec::new();
    for cycle in 1..=2 {
        let path = root.join(format!("games/{cycle:05}.games"));
        assert_eq!(read_samples(&path, |game| games.push(game)).unwrap(), None);
    }
    games
}

#[test]
fn selfplay_killed_ten_times_comes_to_the_same_table() {
    const KILLS: usize = 10;
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let output = command(whole.path(), &[]).output().unwrap();
    assert!(output.status.success(), "{}", error_of(&output));
    let told = error_of(&output);
    assert!(told.contains("kept back") && told.contains("rating"), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("table.csv"));

    let mut rng = Rng::new(11);
    let mut kills = 0;
    loop {
        let mut child = command(killed.path(), &["--threads", "1", "--quiet"]).spawn().unwrap();
        let patience = 30 + rng.below(150);
        let mut waited = 0;
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if kills < KILLS && waited >= patience => break None,
                None => sleep(Duration::from_millis(1)),
            }
            waited += 1;
        };
        match status {
            Some(status) => {
                assert!(status.success(), "{}", error_of(&child.wait_with_output().unwrap()));
                break;
            }
            // SIGKILL: nothing is written or let go of.
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
                kills += 1;
            }
        }
    }
    assert!(kills >= 3, "it was over after {kills} kills");
    let table = |root: &Path| fs::read_to_string(root.join("table.csv")).unwrap();
    assert_eq!(table(killed.path()), table(whole.path()));
    assert_eq!(table(whole.path()).lines().count(), 3);
    let all = games(whole.path());
    assert_eq!(all.len(), 32, "no game is lost or counted twice");
    assert_eq!(games(killed.path()), all);

    // Other settings are refused, and a network that does not fit is named.
    let output = command(whole.path(), &["--seed", "7"]).output().unwrap();
    assert!(!output.status.success() && error_of(&output).contains("other settings"));
    let empty = tempfile::tempdir().unwrap();
    let mut none = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let output = none.args(["selfplay", "--size", "4", "--out"]).arg(empty.path()).output().unwrap();
    assert!(
        !output.status.success() && error_of(&output).contains("no network for 4"),
        "{}",
        error_of(&output)
    );
}
