use crate::process::{Directory, run_in, stdout};
#[cfg(unix)]
use crate::terminal::Terminal;
use tesuji_board::{Color, Move};
use tesuji_sgf::{GameRecord, parse};

/// What a terminal sends while a line is edited; at other times it is a signal.
#[cfg(unix)]
const CTRL_C: &str = "\x03";

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

/// The names of the files in a directory.
fn files(directory: &Directory) -> Vec<String> {
    let entries = std::fs::read_dir(&directory.0).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn file_names_need_no_extension() {
    let directory = Directory::new("extension");
    play(&directory, &["--size", "5"], "C3\nsave first\nB2\nquit\n\nsecond game\n");
    assert_eq!(files(&directory), ["first.sgf", "second game.sgf"]);
}

#[test]
fn a_save_that_fails_asks_again() {
    let directory = Directory::new("unwritable");
    let elsewhere = Directory::new("writable");
    // Also root cannot write into a folder that is gone.
    let gone = Directory::new("gone");
    let mut child = crate::process::tesuji(&[&QUICK[..], &["--size", "5"]].concat())
        .current_dir(&gone.0)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::fs::remove_dir_all(&gone.0).unwrap();
    let taken = directory.file("taken.sgf", "(;)");
    let input = format!("C3\nquit\ny\n{taken}\n{}\n", elsewhere.path("kept"));
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = stdout(&output);
    assert!(output.status.success() && text.contains("Cannot write tesuji-"), "{text}");
    assert!(text.contains("taken.sgf exists already"), "{text}");
    assert_eq!(text.matches("Save the game?").count(), 3, "{text}");
    assert_eq!(record(&elsewhere.path("kept.sgf")).moves.len(), 2);
    assert_eq!(std::fs::read_to_string(taken).unwrap(), "(;)");
}

#[test]
fn an_automatic_file_is_tried_before_the_game() {
    let directory = Directory::new("autosave");
    let path = directory.path("missing/auto.sgf");
    let output = run_in(&directory.0, &[&QUICK[..], &["--autosave", &path]].concat(), "C3\n");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("cannot write"), "{errors}");
    assert!(output.stdout.is_empty(), "no game begins");
    assert!(files(&directory).is_empty());
    // Each game of a sitting has a file of its own.
    play(&directory, &["--size", "5", "--autosave", "auto"], "C3\nnew\nB2\nundo\nB3\nnew\nA1\nA2\n");
    assert_eq!(files(&directory), ["auto-2.sgf", "auto-3.sgf", "auto.sgf"]);
    let first_moves = ["auto.sgf", "auto-2.sgf", "auto-3.sgf"].map(|name| {
        let record = record(&directory.path(name));
        record.moves[0].1.to_gtp(record.size)
    });
    assert_eq!(first_moves, ["C3", "B3", "A1"]);
}

#[test]
fn a_saved_game_is_resumed() {
    let directory = Directory::new("resume");
    let options = ["--size", "7", "--rules", "japanese", "--komi", "3.5", "--color", "white"];
    play(&directory, &options, "A1\nsave game.sgf\nquit\n");
    let saved = record(&directory.path("game.sgf"));
    assert_eq!(saved.moves.len(), 3);
    // The game goes on where it was, on its own terms; the file may be written again.
    let text = play(&directory, &["game.sgf"], "score\nundo\nquit\ny\n");
    for part in
        ["you are White on 7x7", "japanese rules, komi 3.5", "White 4 >", "White 2 >", "y for game.sgf"]
    {
        assert!(text.contains(part), "{part:?} not in {text}");
    }
    let shorter = record(&directory.path("game.sgf"));
    assert_eq!(shorter.moves, saved.moves[..1]);
    // Terms that the game has already are refused.
    let output = run_in(&directory.0, &[&QUICK[..], &["game.sgf", "--komi", "0"]].concat(), "");
    assert!(!output.status.success());
}

#[test]
fn games_are_loaded_while_sitting() {
    let directory = Directory::new("load");
    // Somebody else's record, with comments: it is continued, but not overwritten.
    let foreign = "(;SZ[5]PB[Honinbo]PW[Inoue]KM[0];B[cc]C[good];W[bb];B[dd])";
    directory.file("foreign.sgf", foreign);
    directory.file("broken.sgf", "(;SZ[5];B[cc];W[cc])");
    let input = "C3\nload nothing\nload broken\nload foreign\nn\nsave foreign\nsave mine\nundo\nquit\nn\n";
    let text = play(&directory, &["--size", "9"], input);
    for part in [
        "cannot read nothing.sgf",
        "cannot resume broken.sgf: move 2 (W C3): the point is occupied",
        "Resuming foreign.sgf after 3 moves.",
        "White 4 > ",
        "foreign.sgf exists already",
        "Saved as mine.sgf.",
    ] {
        assert!(text.contains(part), "{part:?} not in {text}");
    }
    assert_eq!(std::fs::read_to_string(directory.path("foreign.sgf")).unwrap(), foreign);
    let mine = record(&directory.path("mine.sgf"));
    assert_eq!((mine.moves.len(), mine.white_name.as_str()), (3, "You"));
}

#[test]
fn a_finished_game_is_resumed_as_finished() {
    let directory = Directory::new("finished");
    directory.file("over.sgf", "(;SZ[5]PB[You]PW[Tesuji]RE[W+R];B[cc];W[bb])");
    let text = play(&directory, &["over.sgf"], "D4\nundo\nD4\n");
    assert!(text.contains("W+R > ") && text.contains("The game is over: undo"), "{text}");
    assert!(text.contains("Black 3 > ") && text.contains("Black 5 > "), "{text}");
    directory.file("passed.sgf", "(;SZ[5]KM[0.5]PB[You]PW[Tesuji];B[cc];W[];B[])");
    let text = play(&directory, &["passed.sgf"], "");
    assert!(text.contains("The game is over: B+"), "{text}");
}

#[test]
fn a_clock_runs_and_runs_out() {
    let directory = Directory::new("clock");
    let text = play(&directory, &["--size", "5", "--clock", "10m+3x20s"], "C3\nquit\nn\n");
    assert!(text.contains("Black 1 [10:00] > ") && text.contains("Black 3 ["), "{text}");
    // Nobody thinks and types within a microsecond.
    let text = play(
        &directory,
        &["--size", "5", "--clock", "0.000001", "--autosave", "late"],
        "C3\nD4\nundo\nquit\n",
    );
    assert!(text.contains("Your time is over.") && text.contains("The game is over: W+T."), "{text}");
    let output = run_in(&directory.0, &["play", "--clock", "1m", "--time-per-move", "2"], "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("leave one out"), "{errors}");
}

#[test]
fn all_options_may_stand_in_a_file() {
    let directory = Directory::new("config");
    let config = "color = \"white\"\nhandicap = 2\nclock = \"5m+2x10s\"\nautosave = \"kept\"\nascii = true\n\
                  size = 7\nrules = \"aga\"\nlevel = \"20k\"\n";
    directory.file("play.toml", config);
    let run = |arguments: &[&str], input: &str| {
        run_in(&directory.0, &[&["play", "--config", "play.toml"], arguments].concat(), input)
    };
    let text = stdout(&run(&[], "quit\nn\n"));
    for part in ["you are White on 7x7", "aga rules, komi 0.5", "White 1 [5:00] > ", "O White"] {
        assert!(text.contains(part), "{part:?} not in {text}");
    }
    let saved = record(&directory.path("kept.sgf"));
    assert_eq!((saved.setup_black.len(), saved.rules.as_str()), (2, "AGA"));
    // The command line wins.
    let text = stdout(&run(&["--color", "black", "--autosave", "other"], "quit\nn\n"));
    assert!(text.contains("you are Black"), "{text}");
    for (line, part) in [
        ("color = \"green\"", "--color"),
        ("clock = 5.5e\"", "TOML"),
        ("level = 1", "a rank from 30k to 9d"),
        ("clock = \"1m\"\ntime-per-move = 5", "leave one out"),
        ("colour = \"white\"", "did you mean 'color'?"),
    ] {
        directory.file("play.toml", line);
        let output = run(&[], "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(part), "{line}: {errors}");
    }
}

#[test]
fn games_of_other_servers_are_resumed() {
    let directory = Directory::new("foreign");
    directory.file("game.gib", "\\HS\n\\[GAMEBLACKNAME=aya (7D)\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 15 3\nSTO 0 3 2 3 15\n\\GE\n");
    let text = play(&directory, &["game.gib"], "quit\n");
    assert!(text.contains("you are Black on 19x19") && text.contains("Black 3 > "), "{text}");
}

/// A person at a terminal who types nothing but `tesuji`.
#[cfg(unix)]
#[test]
fn in_a_terminal_it_starts_a_game() {
    let directory = Directory::new("terminal");
    let mut terminal = Terminal::start(&directory, &[]);
    terminal.wait_for("Black 1 > ");
    terminal.type_text("help\n");
    terminal.wait_for("quit ");
    terminal.wait_for("Black 1 > ");
    // The end-of-file character on a line of its own ends the input.
    terminal.type_text("\x04");
    let text = terminal.end();
    for part in [
        "you are Black on 9x9",
        "board in the browser, type web",
        "\x1b[48;5;",
        "•",
        "take back your last move",
    ] {
        assert!(text.contains(part), "{part:?} not in {text}");
    }
    assert!(files(&directory).is_empty());
}

#[cfg(unix)]
#[test]
fn lines_can_be_edited_and_had_back() {
    let directory = Directory::new("editing");
    let mut terminal = Terminal::start(&directory, &[&QUICK[..], &["--size", "5"]].concat());
    terminal.wait_for("Black 1 > ");
    // Two letters are taken back; then the line before comes back with the arrow up, and its end is changed.
    terminal.type_text("scxx\x7f\x7fore\r");
    terminal.wait_for("Estimate: ");
    terminal.wait_for("Black 1 > ");
    terminal.type_text("\x1b[A\r");
    terminal.wait_for("Estimate: ");
    terminal.wait_for("Black 1 > ");
    terminal.type_text("C3");
    terminal.type_text(CTRL_C);
    assert!(!terminal.end().contains("Save the game?"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_asks_before_a_game_is_lost() {
    let directory = Directory::new("interrupt");
    let mut terminal = Terminal::start(&directory, &[&QUICK[..], &["--size", "5"]].concat());
    terminal.wait_for("Black 1 > ");
    terminal.type_text("C3\n");
    terminal.wait_for("Black 3 > ");
    terminal.type_text(CTRL_C);
    terminal.wait_for("Save the game?");
    terminal.type_text("kept\n");
    assert!(terminal.end().contains("Saved as kept.sgf."));
    assert_eq!(record(&directory.path("kept.sgf")).moves.len(), 2);
    // Without moves there is nothing to ask.
    let mut terminal = Terminal::start(&directory, &QUICK);
    terminal.wait_for("Black 1 > ");
    terminal.type_text(CTRL_C);
    assert!(!terminal.end().contains("Save the game?"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_also_stops_a_long_thought() {
    let directory = Directory::new("thought");
    let options = ["play", "--size", "9", "--time-per-move", "80000"];
    let mut terminal = Terminal::start(&directory, &options);
    terminal.wait_for("Black 1 > ");
    terminal.type_text("E5\n");
    terminal.wait_for("is thinking");
    terminal.interrupt();
    terminal.wait_for("Save the game?");
    terminal.type_text("n\n");
    assert!(terminal.end().contains("Not saved."));
    assert!(files(&directory).is_empty());
}

/// A `kill` from another window, in the middle of a line: what was typed of it is no answer to the question.
#[cfg(unix)]
#[test]
fn a_signal_gives_a_half_typed_line_up() {
    use rustix::process::Signal;
    let directory = Directory::new("half-typed");
    let game = |signal| {
        let mut terminal = Terminal::start(&directory, &[&QUICK[..], &["--size", "5"]].concat());
        terminal.wait_for("Black 1 > ");
        terminal.type_text("C3\n");
        terminal.wait_for("Black 3 > ");
        terminal.type_text("sc");
        terminal.wait_for("c");
        terminal.send(signal);
        terminal
    };
    let mut terminal = game(Signal::INT);
    terminal.wait_for("Save the game?");
    terminal.type_text("n\n");
    assert!(terminal.end().contains("Not saved."));
    assert!(files(&directory).is_empty());
    // Whoever is told to end cannot ask.
    assert!(game(Signal::TERM).end().contains("Saved as tesuji-"));
    assert_eq!(files(&directory).len(), 1);
}

/// Ctrl-D and Ctrl-C at the question, or a window that is closed: nobody says no, so nothing is thrown away.
#[cfg(unix)]
#[test]
fn a_question_that_nobody_answers_saves() {
    for (i, ending) in ["\x04", CTRL_C, "close"].into_iter().enumerate() {
        let directory = Directory::new(&format!("unanswered-{i}"));
        let mut terminal = Terminal::start(&directory, &[&QUICK[..], &["--size", "5"]].concat());
        terminal.wait_for("Black 1 > ");
        terminal.type_text("C3\n");
        terminal.wait_for("Black 3 > ");
        match ending {
            "close" => {
                terminal.close();
            }
            keys => {
                terminal.type_text(keys);
                terminal.wait_for("Save the game?");
                terminal.type_text(keys);
                assert!(terminal.end().contains("Saved as tesuji-"));
            }
        }
        let files = files(&directory);
        assert_eq!(files.len(), 1, "{ending:?}: {files:?}");
        assert_eq!(record(&directory.path(&files[0])).moves.len(), 2);
    }
}
