//! Complete games against GNU Go: every move must be legal to both, and once all dead stones are captured both must count the same.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use tesuji_gtp::{Client, Echo};

const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn games_on_9x9_are_legal_and_counted_alike() {
    for seed in 1..=2 {
        play_game(Game { side: 9, seed, preset: "rave", playouts: 300 });
    }
}

#[test]
fn the_weakest_search_also_finishes_its_games() {
    play_game(Game { side: 9, seed: 3, preset: "flat", playouts: 2000 });
}

#[test]
fn a_game_on_19x19_is_legal_and_counted_alike() {
    play_game(Game { side: 19, seed: 1, preset: "rave", playouts: 50 });
}

struct Game {
    side: usize,
    seed: u32,
    preset: &'static str,
    playouts: u32,
}

fn play_game(game: Game) {
    let Some(gnugo) = gnugo() else { return };
    let Game { side, seed, preset, playouts } = game;
    let ours = format!(
        "'{}' gtp --preset {preset} --playouts {playouts} --seed {seed} --rules chinese --komi 7.5 --set resign=false",
        env!("CARGO_BIN_EXE_tesuji")
    );
    let theirs = format!("{gnugo} --mode gtp --chinese-rules --level 0 --never-resign --seed {seed}");
    let spawn =
        |line: &str| Client::spawn(line, Echo::Silent).unwrap_or_else(|error| panic!("{line}: {error}"));
    let mut players = [spawn(&ours), spawn(&theirs)];
    for player in &mut players {
        for command in [&format!("boardsize {side}"), "clear_board", "komi 7.5"] {
            send(player, command);
        }
    }
    // Our colour changes from game to game.
    if seed % 2 == 0 {
        players.swap(0, 1);
    }
    let limit = 3 * side * side;
    let played = alternate(&mut players, "genmove", limit);
    let cleaned = alternate(&mut players, "kgs-genmove_cleanup", limit);
    let [a, b] = players.each_mut().map(|player| points(&send(player, "final_score")));
    let board = send(&mut players[0], "showboard");
    assert!((a - b).abs() < 0.01, "{side}x{side}, seed {seed}: {a} or {b}?\n{board}");
    assert!(played > side * side / 3, "a game of {played} moves");
    println!(
        "{side}x{side}, {preset}, seed {seed}: {played} moves, {cleaned} in clean-up, Black wins by {a}"
    );
}

/// Lets both generate moves in turn until both pass; returns how many moves that took.
fn alternate(players: &mut [Client; 2], command: &str, limit: usize) -> usize {
    let mut passes = 0;
    for number in 0..limit {
        let (color, other) = [("b", 1), ("w", 0)][number % 2];
        let vertex = send(&mut players[1 - other], &format!("{command} {color}"));
        send(&mut players[other], &format!("play {color} {vertex}"));
        passes = if vertex.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
        if passes == 2 {
            return number + 1;
        }
    }
    panic!("{command}: no end after {limit} moves\n{}", send(&mut players[0], "showboard"));
}

fn send(player: &mut Client, command: &str) -> String {
    match player.send(command, PATIENCE) {
        Ok(answer) => answer,
        Err(error) => {
            let board = player.send("showboard", PATIENCE).unwrap_or_default();
            panic!("{command}: {error}\n{board}");
        }
    }
}

/// Black's lead in a score such as `W+7.5`.
fn points(score: &str) -> f64 {
    let (winner, margin) =
        if score == "0" { ("B", "0") } else { score.split_once('+').unwrap_or((score, "")) };
    let margin: f64 = margin.parse().unwrap_or_else(|_| panic!("{score} is no score"));
    if winner == "B" { margin } else { -margin }
}

/// The command that starts GNU Go; where it is missing, tests say so and pass, but not in continuous integration.
pub(crate) fn gnugo() -> Option<String> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .chain([Path::new("/usr/games").to_owned()])
        .map(|folder| folder.join("gnugo"))
        .find(|path| path.is_file());
    match found {
        Some(path) => Some(format!("'{}'", path.display())),
        None => {
            assert!(std::env::var_os("CI").is_none(), "gnugo is missing");
            // Past the harness, which hides what a passing test prints.
            let _ = writeln!(
                std::io::stderr(),
                "test with GNU Go skipped, nothing was played: gnugo is not installed"
            );
            None
        }
    }
}
