//! `tesuji solve` as a process: answers, files written, and a clear word about whatever is no problem.

use crate::process::{Directory, run, stdout};

/// A straight three in the corner: the middle decides.
const THREE: &str = "...@X\n@@@@X\nXXXXX\n.....\n";

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
    let open = "XXXXXXX\nX.....X\nX..@..X\nX.....X\nX.....X\nXX...XX\n.XXXXX.\nto play: X\n";
    let (is_fine, out, _) = solve("open.txt", open, &["--nodes", "2000", "--memory", "1"]);
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
    check_refused("empty.jsonl", "", "there is no problem in the file");
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
