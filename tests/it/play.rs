use crate::process::{Directory, run_in, stdout};
use tesuji_board::{Color, Move};
use tesuji_sgf::{GameRecord, parse};

const QUICK: [&str; 4] = ["play", "--ascii", "--playouts", "40"];

fn record(path: &str) -> GameRecord {
    let parsed = parse(&std::fs::read(path).unwrap()).unwrap();
    GameRecord::from_tree(&parsed.collection.games[0]).unwrap()
}

/// What a session with these options and this input prints.
fn play(directory: &Directory, options: &[&str], input: &str) -> String {
    let output = run_in(&directory.0, &[&QUICK, options].concat(), input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    stdout(&output)
}

#[test]
fn a_session_with_mistakes_undo_and_save() {
    let directory = Directory::new("session");
    let input = "E5\nE5\nZ99\nnonsense\nundo 2\nundo\nC3\nscore\nhint\nsave game.sgf\nquit\n";
    let text = play(&directory, &[], input);
    for part in [
        "you are Black on 9x9",
        "Not there: the point is occupied.",
        "'Z99' is not on a 9x9 board",
        "'nonsense' is neither a point nor a command",
        "unexpected '2' after undo",
        "Estimate: ",
        "Tesuji would play ",
        "Saved as game.sgf.",
    ] {
        assert!(text.contains(part), "{part:?} not in {text}");
    }
    // Wherever Tesuji answers, the stone on E5 is drawn there; later boards are without it.
    let e5 = |line: &str| line.starts_with(" 5 ").then(|| line.as_bytes()[11] == b'X');
    let drawn: Vec<bool> = text.lines().filter_map(e5).collect();
    assert!(drawn.contains(&true) && drawn.last() == Some(&false), "{text}");
    let record = record(&directory.path("game.sgf"));
    let c3 = Move::from_gtp("C3", record.size).unwrap();
    assert_eq!(record.moves[0], (Color::Black, c3));
    assert_eq!(record.moves.len(), 2);
    assert_eq!((record.black_name.as_str(), record.white_name.as_str()), ("You", "Tesuji"));
    record.replay(record.rules_or(tesuji_board::Rules::default())).unwrap();
}

#[test]
fn the_end_of_input_saves_nothing_and_is_no_error() {
    let directory = Directory::new("end");
    let text = play(&directory, &["--size", "5"], "C3\nB2");
    assert!(text.contains("Black 5 >"), "{text}");
    assert_eq!(std::fs::read_dir(&directory.0).unwrap().count(), 0);
}

#[test]
fn quitting_offers_to_save() {
    let directory = Directory::new("offer");
    let text = play(&directory, &["--size", "5"], "C3\nquit\nmine.sgf\n");
    assert!(text.contains("Save the game?"), "{text}");
    assert_eq!(record(&directory.path("mine.sgf")).moves.len(), 2);
    // A file that was there before is not overwritten.
    let text = play(&directory, &["--size", "7"], "C3\nsave mine.sgf\nquit\nn\n");
    assert!(text.contains("mine.sgf exists already"), "{text}");
    let output = run_in(&directory.0, &[&QUICK[..], &["--autosave", "mine.sgf"]].concat(), "C3\n");
    assert!(!output.status.success());
    assert_eq!(record(&directory.path("mine.sgf")).size.width(), 5);
}

#[test]
fn resigning_ends_the_game_and_can_be_undone() {
    let directory = Directory::new("resign");
    let text = play(&directory, &["--color", "white", "--autosave", "auto.sgf"], "resign\nD4\nundo\npass\n");
    for part in ["you are White", "The game is over: B+R.", "undo, new, save or quit", "White 2 >", "Tesuji"]
    {
        assert!(text.contains(part), "{part:?} not in {text}");
    }
    let record = record(&directory.path("auto.sgf"));
    assert_eq!(record.moves.iter().filter(|&&mv| mv == (Color::White, Move::Pass)).count(), 1);
}

#[test]
fn handicap_and_new_games() {
    let directory = Directory::new("handicap");
    let text = play(&directory, &["--handicap", "4"], "new\nn\nquit\nn\n");
    assert!(text.contains("komi 0.5"), "{text}");
    // The first two boards have the four stones, and White moves first.
    assert!(text.matches(" X . . . X ").count() >= 4, "{text}");
    assert!(text.contains("move 1: White"), "{text}");
}

#[test]
fn a_whole_game_is_counted() {
    let directory = Directory::new("whole");
    let text =
        play(&directory, &["--size", "2", "--komi", "0.5", "--set", "resign=off"], &"pass\n".repeat(40));
    assert!(text.contains("The game is over: "), "{text}");
    assert!(text.contains("The game is over: undo"), "{text}");
}

/// A person at a terminal who types nothing but `tesuji`.
#[cfg(unix)]
#[test]
fn in_a_terminal_it_starts_a_game() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::fs::{File, OpenOptions};
    use std::io::{Read, Write};

    let directory = Directory::new("terminal");
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap().into_string().unwrap();
    let terminal = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut child = crate::process::tesuji(&[])
        .current_dir(&directory.0)
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(terminal.try_clone().unwrap())
        .stdout(terminal)
        .spawn()
        .unwrap();
    let mut controller = File::from(controller);
    // The end-of-file character on a line of its own ends the input.
    controller.write_all(b"help\n\x04").unwrap();
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    // Reading fails once nobody has the terminal open.
    while let Ok(count @ 1..) = controller.read(&mut buffer) {
        text.extend_from_slice(&buffer[..count]);
    }
    assert!(child.wait().unwrap().success());
    let text = String::from_utf8_lossy(&text);
    for part in ["you are Black on 9x9", "\x1b[48;5;", "•", "take back your last move"] {
        assert!(text.contains(part), "{part:?} not in {text}");
    }
    assert_eq!(std::fs::read_dir(&directory.0).unwrap().count(), 0);
}
