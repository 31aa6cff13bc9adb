//! What is no problem gets a message that says why.

use tesuji_solve::{read_diagram, read_json_line, read_problems};

#[track_caller]
fn check_diagram(text: &str, expected: &str) {
    let message = match read_diagram(text) {
        Err(error) => error.to_string(),
        Ok(record) => match record.draft.complete() {
            Err(error) => error.to_string(),
            Ok(_) => "fine".to_owned(),
        },
    };
    assert_eq!(message, expected);
}

#[track_caller]
fn check_json(line: &str, expected: &str) {
    let message = match read_json_line(line) {
        Err(error) => error.to_string(),
        Ok(record) => match record.draft.complete() {
            Err(error) => error.to_string(),
            Ok(_) => "fine".to_owned(),
        },
    };
    assert_eq!(message, expected);
}

#[test]
fn diagrams() {
    check_diagram("..@X\n@@@X\nXXXX\n....\nto play: X", "fine");
    check_diagram("....\n....\nto play: X", "there is no stone that could be the target");
    check_diagram("..@X\n@@@X\nXXXX\n....", "the problem does not say who is to move");
    check_diagram(
        "..@X\n@@@X\nXXXX\n....\nto play: X\ngoal: live",
        "Black is to move and to live, but the target has the wrong colour",
    );
    check_diagram("..@#\n@@@X\nXXXX\n....\nto play: X", "the target has stones of both colours");
    check_diagram(".@.@X\n@@@@X\nXXXXX\n.....\nto play: X", "the target is unconditionally alive already");
    check_diagram(
        "..@.\n@@@X\nXXXX\n....\nto play: X\ngoal: dance",
        "the goal `dance` is not one the solver knows",
    );
    check_diagram(
        "a.@.\n@@@X\nXXXX\n....\nto play: X",
        "the target has a liberty outside the region, so nothing can capture it",
    );
    check_diagram("a.@X\n@@@X\nXXXX\n....\nto play: X\noutside: X", "fine");
    check_diagram("", "line 1, column 1: board size 0x0 is not supported: each side must be 2 to 25");
}

#[test]
fn json() {
    let base = |rest: &str| {
        format!("{{\"size\":4,\"to_move\":\"B\",\"black\":[\"da\",\"db\",\"ac\",\"bc\",\"cc\"],{rest}}}")
    };
    check_json(&base("\"white\":[\"ca\",\"ab\",\"bb\",\"cb\"]"), "fine");
    check_json(
        &base("\"white\":[\"ca\"],\"target\":[\"aa\"]"),
        "there is no target stone: it is captured already",
    );
    check_json(&base("\"white\":[\"da\"]"), "the stone at D4 cannot be there");
    check_json(&base("\"white\":[\"zz\"]"), "the field `white` is missing or wrong");
    check_json(&base("\"white\":[],\"goal\":\"connect\""), "the goal `connect` is not one the solver knows");
    check_json("{\"size\":4}", "the field `to_move` is missing or wrong");
    check_json("{\"size\":99,\"to_move\":\"B\"}", "the field `size` is missing or wrong");
    check_json("{\"size\": 4", "not JSON: EOF while parsing an object at line 1 column 10");
    check_json("7", "not JSON: invalid type: integer `7`, expected an object at line 1 column 1");
    let deep = format!(
        "\"white\":[\"ca\",\"ab\",\"bb\",\"cb\"],\"solution\":{}{}",
        "[".repeat(500),
        "]".repeat(500)
    );
    check_json(&base(&deep), "fine");
    assert!(read_problems("x.jsonl.zst", b"no zstd").is_err());
    assert!(read_problems("x.txt", &[0xff, 0xfe]).is_err());
    assert!(read_problems("x.sgf", b"no sgf").is_err());
}
