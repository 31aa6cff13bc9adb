//! `tesuji train prior` as a process: weights from a few games, and clear words where there is nothing to learn.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn train(games: &Path, out: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["train", "prior"]).arg(games).arg("--out").arg(out).args(arguments).output().unwrap()
}

/// Games in which Black fills the rows from the left, and White those from the right, always beside the last own stone.
fn write_games(path: &Path, count: usize) {
    let letter = |i: usize| (b'a' + i as u8) as char;
    let moves: String = (0..36)
        .map(|i| {
            let (x, y) = (i / 2 % 9, i / 18);
            let (x, y) = if i % 2 == 0 { (x, 2 + y) } else { (8 - x, 6 + y) };
            format!("{}{}", letter(x), letter(y))
        })
        .collect();
    fs::write(path, format!("9 6.5 0 B+R ? ? {moves}\n").repeat(count)).unwrap();
}

#[test]
fn weights_are_learned_and_learning_goes_on_from_them() {
    let root = tempfile::tempdir().unwrap();
    let (games, out) = (root.path().join("games.txt"), root.path().join("prior.bin"));
    write_games(&games, 40);
    let first = train(&games, &out, &["--share", "100", "--least", "5", "--passes", "2"]);
    let text = String::from_utf8_lossy(&first.stdout);
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    // The games are all the same, so their moves can be foreseen once they are known.
    let test = text.lines().find(|line| line.starts_with("test")).unwrap();
    let percent: f32 = test.split("first ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(percent > 60.0, "{text}");
    let from = out.to_str().unwrap();
    let again =
        train(&games, &root.path().join("more.bin"), &["--from", from, "--passes", "1", "--least", "5"]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
}

#[test]
fn what_cannot_be_learned_from_is_said() {
    let root = tempfile::tempdir().unwrap();
    let (games, out) = (root.path().join("games.txt"), root.path().join("prior.bin"));
    let check = |arguments: &[&str], expected: &str| {
        let output = train(&games, &out, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(expected), "{error}");
        assert!(!out.exists());
    };
    check(&[], "cannot read");
    write_games(&games, 3);
    check(&[], "3 games are too few");
    write_games(&games, 40);
    let broken = root.path().join("broken.bin");
    fs::write(&broken, "TSJPRI01 and then nothing").unwrap();
    check(&["--from", broken.to_str().unwrap()], "broken.bin");
}
