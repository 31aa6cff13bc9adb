//! How long the input of a network takes, on positions from the middle of games.
//!
//! ```sh
//! cargo run --release -p tesuji-net --example input_speed -- ../shared/data/9x9/ogs9_strong.txt.zst
//! ```
//!
//! *In order*: positions of a game one after the other, so that the ladders of earlier boards are known, as in a search. *Mixed*: from
//! another game each time, so that nothing is known.

use std::error::Error;
use std::time::Instant;
use tesuji_board::{Game, Rules, Size};
use tesuji_net::input::{Encoder, Layout, Line, Planes};
use tesuji_net::model::{Input, InputSet};
use tesuji_sgf::{GameLine, read_lines};

/// Games to take positions from.
const GAMES: usize = 40;
/// Positions of each game, from its middle.
const POSITIONS: usize = 10;
/// How often all positions are encoded; the fastest time counts.
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let lines = positions(&path)?;
        let Some(first) = lines.first().and_then(|game| game.first()) else {
            println!("{path}: no games");
            continue;
        };
        let size = first.board().size();
        println!("{path}: {} positions, {size}", lines.len() * POSITIONS);
        for (name, set) in [("version 7", InputSet::Katago7), ("paper", InputSet::PaperPolicy)] {
            let input = Input::all(set);
            let in_order: Vec<&Line> = lines.iter().flatten().collect();
            let mixed: Vec<&Line> =
                (0..POSITIONS).flat_map(|i| lines.iter().filter_map(move |game| game.get(i))).collect();
            println!(
                "{name}: {:.2} µs in order, {:.2} µs mixed, {:.2} µs as a dense array",
                encode(&input, size, &in_order),
                encode(&input, size, &mixed),
                write(&input, size, first)
            );
        }
    }
    Ok(())
}

/// Positions from the middle of some games.
fn positions(path: &str) -> Result<Vec<Vec<Line>>, Box<dyn Error>> {
    let mut reader = read_lines(path)?;
    let mut record = GameLine::new(Size::square(9)?);
    let mut games = Vec::new();
    while games.len() < GAMES && reader.next_game(&mut record)? {
        let middle = record.moves.len() / 2;
        if middle < 2 * POSITIONS {
            continue;
        }
        let mut game = Game::new(record.size, Rules::named("tromp-taylor")?);
        let mut lines = Vec::new();
        for (i, &mv) in record.moves.iter().enumerate() {
            let color = game.to_move();
            game.play(color, mv)?;
            if (middle..middle + POSITIONS).contains(&i) {
                lines.push(Line::from_game(&game, !color));
            }
        }
        games.push(lines);
    }
    Ok(games)
}

/// Microseconds per position.
fn encode(input: &Input, size: Size, lines: &[&Line]) -> f64 {
    let mut encoder = Encoder::new(input, size);
    let mut planes = Planes::new(size);
    fastest(lines.len(), || {
        for line in lines {
            encoder.encode(&line.view(), &mut planes);
            std::hint::black_box(&planes);
        }
    })
}

/// Microseconds to write one dense array.
fn write(input: &Input, size: Size, line: &Line) -> f64 {
    let mut planes = Planes::new(size);
    Encoder::new(input, size).encode(&line.view(), &mut planes);
    let mut values = vec![0.0; input.planes.len() * size.area()];
    fastest(100, || {
        for _ in 0..100 {
            let _ = planes.write_planes(&input.planes, Layout::PlaneMajor, &mut values);
            std::hint::black_box(&values);
        }
    })
}

fn fastest(count: usize, mut work: impl FnMut()) -> f64 {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min) * 1e6 / count as f64
}
