use crate::process::{Directory, run, run_in, stdout};

const GOOD: &str = "(;SZ[9]KM[6.5]RE[B+R]PB[A];B[ee];W[cc](;B[gg];W[])(;B[aa]))";

#[test]
fn check_reports_where_and_why() {
    let directory = Directory::new("check");
    let good = directory.file("good.sgf", GOOD);
    let output = run(&["sgf", "check", &good]);
    assert!(output.status.success());
    assert!(stdout(&output).ends_with("1 files, 1 games, 0 warnings, 0 errors\n"));
    let bad = directory.file("bad.sgf", "(;SZ[9];B[ee];W[ee])(;SZ[9];B[ee]");
    let broken = directory.file("broken.sgf", "(;SZ[9];B[ee");
    let output = run(&["sgf", "check", &bad, &broken, &directory.path("missing.sgf")]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "game 1: move 2 (W E5): the point is occupied",
        "(byte 33): the file ends",
        "3 files, 2 games, 1 warnings, 3 errors",
    ] {
        assert!(text.contains(part), "{part} not in {text}");
    }
}

#[test]
fn other_formats_and_standard_input_are_read() {
    let directory = Directory::new("formats");
    let gib = "\\HS\n\\[GAMEBLACKNAME=aya (7D)\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 15 3\nSTO 0 3 2 3 15\n\\GE\n";
    let ngf = "game\n19\nben 6D\naya 7D\nsite\n0\n0\n6\n20260112\n30\nBlack wins\n2\nPMABBQEEQ\nPMACWEQQE\n";
    let files = [directory.file("a.gib", gib), directory.file("b.ngf", ngf)];
    for file in &files {
        let printed = stdout(&run(&["sgf", "convert", file]));
        assert!(printed.contains("PB[aya]") && printed.contains(";B[pd];W[dp]"), "{printed}");
    }
    let output = run(&["sgf", "check", directory.0.to_str().unwrap()]);
    assert!(stdout(&output).ends_with("2 files, 2 games, 0 warnings, 0 errors\n"), "{}", stdout(&output));
    let counted = stdout(&run(&["sgf", "replay", &files[0], &files[1]]));
    assert!(counted.contains("total: games 2 moves 4"), "{counted}");
    let piped = run_in(&directory.0, &["sgf", "convert", "-"], "(;SZ[9];B[ee])");
    assert!(stdout(&piped).contains(";B[ee]"));
    let solved = run_in(
        &directory.0,
        &["solve", "-"],
        "X . . . X O\nX X X X X O\nO O O O O O\n. . . . . .\nto play: O\ngoal: kill\n",
    );
    assert!(stdout(&solved).contains("Black dies."), "{}", stdout(&solved));
}

#[test]
fn superko_counts_only_when_asked_for() {
    let directory = Directory::new("superko");
    // A cycle of three kos would be long; sending two and returning one is short, and repeats the position.
    let cycle = "(;SZ[2]RU[chinese-ogs];B[ab];W[aa];B[ba];W[];B[bb];W[aa];B[ab])";
    let file = directory.file("cycle.sgf", cycle);
    assert!(run(&["sgf", "check", &file]).status.success());
    let output = run(&["sgf", "check", "--strict", &file]);
    assert!(!output.status.success());
    assert!(stdout(&output).contains("move 7"), "{}", stdout(&output));
}

#[test]
fn convert_there_and_back() {
    let directory = Directory::new("convert");
    let sgf = directory.file("in.sgf", GOOD);
    let (line, again) = (directory.path("out.txt"), directory.path("again.sgf"));
    let printed = stdout(&run(&["sgf", "convert", &sgf]));
    assert_eq!(printed, "(;FF[4]CA[UTF-8]SZ[9]KM[6.5]RE[B+R]PB[A]\n;B[ee];W[cc]\n(;B[gg];W[])\n(;B[aa]))\n");
    assert!(run(&["sgf", "convert", &sgf, "-o", &line]).status.success());
    assert_eq!(std::fs::read_to_string(&line).unwrap(), "9 6.5 0 B+R ? ? eeccggtt\n");
    assert!(run(&["sgf", "convert", &line, "--output", &again]).status.success());
    let text = std::fs::read_to_string(&again).unwrap();
    assert!(text.contains(";B[ee];W[cc];B[gg];W[]"), "{text}");
    let set_up = directory.file("set-up.sgf", "(;SZ[9]AW[cc][gg];B[ee])");
    assert!(!run(&["sgf", "convert", &set_up, "-o", &line]).status.success());
    assert_eq!(std::fs::read_to_string(&line).unwrap(), "9 6.5 0 B+R ? ? eeccggtt\n");
    let handicap = directory.file("handicap.sgf", "(;SZ[9]KM[0.5]HA[2]AB[cc][gg];W[ee])");
    assert!(run(&["sgf", "convert", &handicap, "-o", &line]).status.success());
    assert_eq!(std::fs::read_to_string(&line).unwrap(), "9 0.5 2 ? ? ? ccgg/ee\n");
}

#[test]
fn count_adds_up() {
    let directory = Directory::new("count");
    directory.file("a.sgf", &GOOD.repeat(3));
    directory.file("b.sgf", "(;SZ[13];B[aa])(;SZ[99])");
    let text = stdout(&run(&["sgf", "count", directory.0.to_str().unwrap()]));
    for part in
        ["files 2  games 4  moves 13", "9x9: 3  13x13: 1", "B+R: 3  unknown: 1", "unusable games or files 1"]
    {
        assert!(text.contains(part), "{part} not in {text}");
    }
}

#[test]
fn replay_counts_and_refuses() {
    let directory = Directory::new("replay");
    let lines = directory.file("games.txt", "9 6.5 0 B+R ? ? eeccgg\n9 0 0 0 ? ? aaaa\nnonsense\n");
    let output = run(&["sgf", "replay", &lines]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1));
    for part in ["games 3 moves 4", "illegal 2", "line 2: move 2 (W A9): the point is occupied", "line 3:"] {
        assert!(text.contains(part), "{part} not in {text}");
    }
    // White takes the stone at C5 in a ko: one capture, one ko.
    let ko = "(;SZ[5]AB[ba][ab][bc][cb]AW[ca][db][cc];W[bb])";
    let sgf = directory.file("ko.sgf", ko);
    assert!(stdout(&run(&["sgf", "replay", &sgf])).contains("games 1 moves 1 captures 1 kos 1 illegal 0"));
}

#[test]
fn games_have_to_be_named() {
    for command in [&["sgf", "replay"][..], &["lab", "status"]] {
        let output = run(command);
        assert!(!output.status.success() && output.stdout.is_empty(), "{command:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("required") && !error.contains("shared"), "{error}");
    }
}
