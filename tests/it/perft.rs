use crate::process::{run, stdout};

fn check(arguments: &str, expected: &str) {
    let arguments: Vec<&str> = ["perft"].into_iter().chain(arguments.split_whitespace()).collect();
    assert_eq!(stdout(&run(&arguments)), format!("{expected}\n"));
}

#[test]
fn counts_are_printed_on_one_line() {
    check("--size 2 --depth 7", "1 5 21 68 156 316 604 1088");
    check("--size 3 --depth 6 --suicide", "1 10 91 738 5281 33384 180768");
    check("--size 3 --depth 6", "1 10 91 738 5281 33384 179712");
    check("--size 5 --depth 2", "1 26 651");
}

#[test]
fn a_rectangle_counts_the_same_lying_and_standing() {
    let counts = |size| stdout(&run(&["perft", "--size", size, "--depth", "4"]));
    assert_eq!(counts("2x4"), counts("4x2"));
    assert!(counts("2x4").starts_with("1 9 "));
}

#[test]
fn wrong_sizes_are_refused() {
    for size in ["1", "26", "3x", "nine"] {
        let output = run(&["perft", "--size", size]);
        assert!(!output.status.success() && output.stdout.is_empty(), "{size}");
    }
}
