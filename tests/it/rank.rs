//! `tesuji rank`: how strong the players of games are.

use crate::process::{Directory, run_in, stderr, stdout};

const GAME: &str =
    "(;GM[1]FF[4]SZ[9]KM[5.5]PB[Anna]PW[Bert];B[ee];W[ec];B[gd];W[dg];B[cd];W[ce];B[de];W[cf];B[eg])";

#[test]
fn players_are_judged_by_all_their_games() {
    let directory = Directory::new("rank");
    directory.file("a.sgf", GAME);
    directory.file("b.sgf", &GAME.replace("PW[Bert]", ""));
    let output = run_in(&directory.0, &["rank", "a.sgf", "b.sgf"], "");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("Anna: plays like ") && lines[0].ends_with("(2 games, 10 moves)"), "{text}");
    assert!(lines[1].starts_with("Bert: ") && lines[1].ends_with("(1 game, 4 moves)"), "{text}");
    assert!(lines[2].starts_with("White of b.sgf: "), "{text}");
    let one = stdout(&run_in(&directory.0, &["rank", "a.sgf", "--player", "Bert"], ""));
    assert_eq!(one.lines().count(), 1, "{one}");
}

#[test]
fn what_is_no_game_is_refused() {
    let directory = Directory::new("rank-bad");
    directory.file("empty.sgf", "(;SZ[9])");
    for arguments in [&["rank", "nowhere.sgf"][..], &["rank", "empty.sgf"]] {
        let output = run_in(&directory.0, arguments, "");
        assert!(!output.status.success() && stderr(&output).starts_with("tesuji: "), "{}", stderr(&output));
    }
}
