//! `tesuji solve` as a process: answers, files written, and a clear word about whatever is no problem.

use crate::process::{Directory, run, stdout};

/// A straight three in the corner: the middle decides.
const THREE: &str = "...@X\n@@@@X\nXXXXX\n.....\n";

/// Far too much room for a proof.
const OPEN: &str = "XXXXXXX\nX.....X\nX..@..X\nX.....X\nX.....X\nXX...XX\n.XXXXX.\nto play: X\n";

fn solve(name: &str, text: &str, more: &[&str]) -> (bool, String, String) {
    let directory = Directory::new(&format!("solve-{}", name.replace('.', "-")));
    let file = directory.file(name, text);
    let output = run(&[&["solve", &file], more].concat());
    (output.status.success(), stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[track_caller]
fn check_refused(name: &str, text: &str, expected: &str) {
    let (is_fine, out, error) = solve(name, text, &[]);
    assert!(!is_fine && out.is_empty(), "{out}");
    assert!(error.contains(expected), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn a_diagram_is_solved_and_its_guesses_are_said() {
    let (is_fine, out, error) = solve("three.txt", &format!("{THREE}to play: X\n"), &["--all-moves"]);
    assert!(is_fine, "{error}");
    for expected in [
        "the target: dies",
        "best moves: B4",
        "line: B4",
        "note: no goal given: Black is to move and to kill",
    ] {
        assert!(out.contains(expected), "no `{expected}` in {out}");
    }
    let (_, out, _) = solve("live.txt", &format!("{THREE}to play: O\n"), &[]);
    assert!(out.contains("the target: lives\n") && out.contains("best move: B4"), "{out}");
}

#[test]
fn the_proof_tree_has_the_line_and_a_refutation_of_each_wrong_move() {
    let directory = Directory::new("solve-tree");
    let file = directory.file("three.txt", &format!("{THREE}to play: X\n"));
    let (tree, lines) = (directory.path("tree.sgf"), directory.path("three.jsonl"));
    let output = run(&["solve", &file, "--sgf", &tree, "--json", &lines]);
    assert!(output.status.success());
    let text = std::fs::read_to_string(&tree).unwrap();
    assert!(text.contains("The target: dies."), "{text}");
    assert_eq!(text.matches("Wrong. ").count(), 2, "{text}");
    assert!(text.find(";B[ba]") < text.find("Wrong. "), "{text}");
    let again = run(&["solve", &tree]);
    assert!(stdout(&again).contains("the target: dies"), "{}", stdout(&again));
    let again = run(&["solve", &lines]);
    assert!(stdout(&again).contains("the target: dies"), "{}", stdout(&again));
}

#[test]
fn a_batch_counts_what_it_cannot_use() {
    let good = r#"{"id":"a","source":"s","size":5,"black":["ea","eb","ac","bc","cc","dc","ec"],"white":["da","ab","bb","cb","db"],"to_move":"B","accepted":["ba"]}"#;
    let wrong = good.replace("[\"ba\"]", "[\"aa\"]");
    let lines = format!("{good}\n{wrong}\nnonsense\n{{\"size\":5,\"to_move\":\"B\"}}\n");
    let (is_fine, out, error) = solve("batch.jsonl", &lines, &["--quiet", "--list"]);
    assert!(is_fine, "{error}");
    assert!(out.contains("unusable: ?: not JSON"), "{out}");
    assert!(out.contains("there is no stone that could be the target"), "{out}");
    assert!(out.contains("against the author: A5 B5"), "{out}");
    let row: Vec<&str> =
        out.lines().find(|line| line.starts_with("all")).unwrap().split_whitespace().collect();
    // Two problems are too few for an interval.
    assert_eq!(row[1..6], ["2", "100.0", "%", "100.0", "%"], "{out}");
    assert_eq!(row[6..9], ["1", "1", "0"], "{out}");
}

#[test]
fn a_limit_of_nodes_leaves_it_open() {
    let (is_fine, out, _) = solve("open.txt", OPEN, &["--nodes", "2000", "--memory", "1"]);
    assert!(is_fine && out.contains("the target: unknown"), "{out}");
}

#[test]
fn what_is_no_problem_gets_one_clear_line() {
    check_refused("none.txt", ".....\n.....\nto play: X\n", "there is no stone that could be the target");
    check_refused("player.txt", THREE, "the problem does not say who is to move");
    check_refused(
        "both.txt",
        ".@.@X\n@@@@X\nXXXXX\n.....\nto play: X\n",
        "the target is unconditionally alive already",
    );
    check_refused("full.txt", "@X\nX.\nto play: X\ngoal: live\n", "has no liberties");
    check_refused("empty.jsonl", "", "there is no problem in ");
    check_refused("useless.jsonl", "nonsense\n{}\n", "no problem can be used, and 2 cannot");
    check_refused("broken.sgf", "(;SZ[", "cannot read");
    check_refused(
        "gone.jsonl",
        r#"{"size":5,"black":["aa"],"target":["bb"],"to_move":"B"}"#,
        "captured already",
    );
    let full = r#"{"size":5,"black":["ba"],"white":["aa"],"target":["aa"],"region":["aa"],"to_move":"B"}"#;
    check_refused("full.jsonl", full, "the region has no empty point");
    check_refused("letters.txt", "hello\n", "line 1");
    let (is_fine, _, error) = solve("time.txt", THREE, &["--time=-1"]);
    assert!(!is_fine && error.contains("--time"), "{error}");
    assert!(!run(&["solve", "no-such-file.sgf"]).status.success());
}

#[test]
fn memory_that_is_none_or_more_than_there_is_is_refused() {
    for (memory, expected) in [
        ("0", "--memory must be at least 1"),
        ("100000000", "--memory 100000000 is more than there is"),
        ("18446744073709551615", "is more than there is"),
    ] {
        for text in [format!("{THREE}to play: X\n"), THREE.to_owned()] {
            let name = if text.contains("to play") { "three.txt" } else { "two.jsonl" };
            let line = r#"{"size":5,"black":["ea","eb","ac","bc","cc","dc","ec"],"white":["da","ab","bb","cb","db"],"to_move":"B"}"#;
            let text = if name == "two.jsonl" { format!("{line}\n{line}\n") } else { text };
            let (is_fine, out, error) = solve(name, &text, &["--memory", memory, "--quiet"]);
            assert!(!is_fine && out.is_empty() && error.contains(expected), "{out}{error}");
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    let (_, out, _) = solve("few.txt", OPEN, &["--nodes", "1"]);
    assert!(out.contains("\n1 nodes in "), "{out}");
    let (_, out, _) = solve("few.txt", OPEN, &["--nodes", "777", "--all-moves"]);
    assert!(out.contains("\n777 nodes in "), "{out}");
}

#[test]
fn a_small_file_that_unpacks_to_a_huge_one_is_refused() {
    let directory = Directory::new("solve-bomb");
    let path = directory.path("bomb.jsonl.zst");
    std::fs::write(&path, frames_of_blanks(1 << 12)).unwrap();
    for command in
        [&["solve", &path][..], &["suite", &path], &["lab", "tsumego", &path], &["lab", "status", &path]]
    {
        let output = crate::process::run_in(&directory.0, command, "");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{command:?}");
        assert!(error.contains("bomb.jsonl.zst") && error.contains("times its size"), "{command:?}: {error}");
    }
}

/// So many zstd frames of half a mebibyte of blank lines each, in four blocks that say "this byte, so often" (RFC 8878).
fn frames_of_blanks(frames: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38];
    for last in [0u32, 0, 0, 1] {
        let header = (1u32 << 17) << 3 | 1 << 1 | last;
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(b'\n');
    }
    frame.repeat(frames)
}

/// A limit of the file size takes the place of a full disk, which is not at hand: what is written fails in the same way.
#[test]
#[cfg(unix)]
fn a_file_that_cannot_be_written_is_named_and_leaves_nothing_behind() {
    let directory = Directory::new("solve-full");
    let problem = directory.file("three.txt", &format!("{THREE}to play: X\n"));
    let limited = |arguments: &str, input: &str| {
        let program = env!("CARGO_BIN_EXE_tesuji");
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} {arguments}");
        let mut child = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(&directory.0)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for option in ["--json", "--sgf"] {
        let (is_fine, _, error) = limited(&format!("solve {problem} {option} out.txt"), "");
        assert!(!is_fine && error.contains("cannot write out.txt: "), "{error}");
    }
    let (_, out, _) = limited("gtp", "printsgf game.sgf\nquit\n");
    assert!(out.starts_with("? cannot write file: "), "{out}");
    let names: Vec<_> =
        std::fs::read_dir(&directory.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["three.txt"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_named() {
    let (is_fine, _, error) = solve("full.txt", &format!("{THREE}to play: X\n"), &["--json", "/dev/full"]);
    assert!(!is_fine && error.contains("cannot write /dev/full: "), "{error}");
}

/// What the network thinks likely is searched first; the answer is the same.
#[test]
fn a_network_may_say_where_to_look_first() {
    let (is_fine, out, error) =
        solve("advised.txt", &format!("{THREE}to play: X\n"), &["--ask-network", "--all-moves"]);
    assert!(is_fine && out.contains("best moves: B4"), "{out}{error}");
    let (is_fine, out, error) = solve("open.txt", OPEN, &["--ask-network", "--nodes", "5000"]);
    assert!(is_fine && out.contains("the target: unknown"), "{out}{error}");
}
