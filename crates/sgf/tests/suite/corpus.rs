use std::io::{Write, stderr};
use std::path::PathBuf;

use tesuji_sgf::{GameLine, read_lines};

/// The folder with shared data, if this machine has one: `TESUJI_SHARED`, or `shared` beside the project.
fn shared() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TESUJI_SHARED").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

#[test]
fn every_line_of_the_training_games_reads_and_prints_alike() {
    let path = shared().map(|folder| folder.join("data/19x19/games19.txt.zst")).filter(|path| path.is_file());
    let Some(path) = path else {
        // Past the harness, which hides what a passing test prints.
        let _ = writeln!(
            stderr(),
            "corpus test skipped, nothing was read: no shared data (set TESUJI_SHARED to its folder)"
        );
        return;
    };
    let mut reader = read_lines(&path).unwrap();
    let mut game = GameLine::new(tesuji_board::Size::square(19).unwrap());
    let mut again = game.clone();
    let (mut games, mut moves) = (0, 0);
    while reader.next_game(&mut game).unwrap() {
        again.read(&game.to_string(), 1).unwrap();
        assert_eq!(again, game);
        games += 1;
        moves += game.moves.len();
    }
    assert_eq!(games, 59_752);
    assert!(moves > 100 * games, "{moves}");
}
