//! `tesuji bench opinion`: how well playouts predict what a strong engine thinks of positions.

use crate::say::say;
use std::io::BufRead;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use serde::Deserialize;
use tesuji_board::{Board, Color, Move, Size};
use tesuji_engine::GammaSource;
use tesuji_lab::stopwatch::thread_seconds;
use tesuji_search::Rng;
use tesuji_search::playout::{
    End, Ending, GammaSets, Heavy, Light, PlayoutRule, Position, Rated, area_difference, run,
};
use tesuji_sgf::open_text;

use super::super::progress;
use super::playout::Policies;

#[derive(Args)]
pub(crate) struct Options {
    /// Positions on 9×9, one JSON object a line with moves, to_move, komi and winrate; plain or zstd.
    file: PathBuf,
    /// Which playouts.
    #[arg(long, value_enum, default_value_t = Policies::Heavy)]
    policy: Policies,
    /// Gammas of learned playouts: a file, or built-in.
    #[arg(long, value_name = "FILE", default_value = "built-in")]
    gammas: String,
    /// Temperature of learned playouts.
    #[arg(long, default_value_t = 1.0)]
    temperature: f32,
    /// Playouts of each position.
    #[arg(long, default_value_t = 1000)]
    playouts: u32,
    /// Positions, taken at even distances from the whole file.
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// Seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A line of the file.
#[derive(Deserialize)]
struct Line {
    komi: f32,
    moves: String,
    to_move: String,
    winrate: f64,
    #[serde(default)]
    setup_black: Vec<String>,
    #[serde(default)]
    setup_white: Vec<String>,
}

/// A position, and how likely Black wins in the engine's opinion.
struct Opinion {
    position: Position,
    komi: f32,
    black_wins: f64,
}

/// Side of the board: the lines do not name it.
const SIDE: usize = 9;

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.playouts > 0 && self.positions > 0, "--playouts and --positions must be at least 1");
        ensure!(self.temperature > 0.0 && self.temperature.is_finite(), "--temperature must be above 0");
        let opinions = self.read()?;
        let gammas =
            GammaSource::open(&self.gammas).map_err(|error| anyhow::anyhow!("{}: {error}", self.gammas))?;
        let sets = GammaSets::new(gammas.table().as_deref(), self.temperature);
        match self.policy {
            Policies::Light => self.compare(Light, &opinions),
            Policies::Heavy => self.compare(Heavy::default(), &opinions),
            Policies::Learned => self.compare(Rated::new(sets), &opinions),
        }
        Ok(())
    }

    fn read(&self) -> anyhow::Result<Vec<Opinion>> {
        let place = || format!("cannot read {}", self.file.display());
        let lines: Vec<String> = open_text(&self.file)
            .with_context(place)?
            .lines()
            .collect::<Result<_, _>>()
            .with_context(place)?;
        let count = self.positions.min(lines.len());
        let picked = (0..count).map(|i| i * lines.len() / count);
        let read = |number: usize| {
            let line = serde_json::from_str::<Line>(&lines[number]).map_err(anyhow::Error::from);
            let opinion = line.and_then(|line| Opinion::of(&line));
            opinion.with_context(|| format!("{}, line {}", self.file.display(), number + 1))
        };
        picked.map(read).collect()
    }

    fn compare(&self, mut rule: impl PlayoutRule, opinions: &[Opinion]) {
        let bar = progress::bar(opinions.len(), false);
        let started = thread_seconds();
        let mut pairs = Vec::with_capacity(opinions.len());
        let mut board = Position::new(Board::new(Size::square(SIDE).expect("a legal size")), Color::Black);
        for (number, opinion) in opinions.iter().enumerate() {
            let mut rng = Rng::for_stream(self.seed, number as u64);
            let black_wins =
                black_share(&mut rule, &opinion.position, &mut board, opinion.komi, self.playouts, &mut rng);
            pairs.push((black_wins, opinion.black_wins));
            bar.inc(1);
        }
        bar.finish_and_clear();
        let seconds = thread_seconds() - started;
        let count = pairs.len().max(1) as f64;
        let errors: Vec<f64> = pairs.iter().map(|(found, wanted)| (found - wanted).powi(2)).collect();
        let mean = errors.iter().sum::<f64>() / count;
        let deviation = (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / count).sqrt();
        say!(
            "positions {} playouts {} seed {} mean-squared-error {mean:.5} standard-error {:.5} correlation {:.4} \
             cpu-seconds {seconds:.1} microseconds/playout {:.1}",
            pairs.len(),
            self.playouts,
            self.seed,
            deviation / count.sqrt(),
            correlation(&pairs),
            1e6 * seconds / (count * f64::from(self.playouts)),
        );
    }
}

/// The share of playouts with mercy that Black wins, on a board that is used again and again. One that does not end counts half, as a draw does.
pub(super) fn black_share(
    rule: &mut impl PlayoutRule,
    start: &Position,
    board: &mut Position,
    komi: f32,
    playouts: u32,
    rng: &mut Rng,
) -> f64 {
    let ending = Ending::merciful(start.board.size().area());
    let mut black_wins = 0.0;
    for _ in 0..playouts {
        board.copy_from(start);
        let end = run(rule, board, rng, ending, |_, _| ());
        let lead = area_difference(&board.board) as f32 - komi;
        black_wins += match (end, lead) {
            (End::TooLong, _) => 0.5,
            (_, lead) if lead > 0.0 => 1.0,
            (_, lead) if lead < 0.0 => 0.0,
            _ => 0.5,
        };
    }
    black_wins / f64::from(playouts.max(1))
}

impl Opinion {
    fn of(line: &Line) -> anyhow::Result<Opinion> {
        let size = Size::square(SIDE)?;
        let mut board = Board::new(size);
        for (color, stones) in [(Color::Black, &line.setup_black), (Color::White, &line.setup_white)] {
            for stone in stones {
                let point = Move::from_sgf(stone, size)?.point();
                let point = point.filter(|&point| board.is_empty(point)).context("a set-up stone twice")?;
                board.set_up(point, color);
            }
        }
        let to_move = Color::parse(&line.to_move).context("to_move must be B or W")?;
        let moves = moves(&line.moves, size)?;
        let first = if moves.len() % 2 == 0 { to_move } else { !to_move };
        let mut position = Position::new(board, first);
        for mv in moves {
            let legal = mv.point().is_none_or(|point| {
                position.board.is_empty(point) && position.board.is_legal_no_suicide(point, position.to_move)
            });
            ensure!(legal, "an illegal move");
            position.play(mv);
        }
        let black_wins = if to_move == Color::Black { line.winrate } else { 1.0 - line.winrate };
        Ok(Opinion { position, komi: line.komi, black_wins })
    }
}

/// Moves of two letters each, one after the other.
fn moves(text: &str, size: Size) -> anyhow::Result<Vec<Move>> {
    ensure!(text.is_ascii() && text.len().is_multiple_of(2), "a move is two letters");
    (0..text.len()).step_by(2).map(|at| Ok(Move::from_sgf(&text[at..at + 2], size)?)).collect()
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let covariance: f64 = pairs.iter().map(|pair| (pair.0 - a) * (pair.1 - b)).sum();
    let squares =
        |of: fn(&(f64, f64)) -> f64, mean: f64| pairs.iter().map(|p| (of(p) - mean).powi(2)).sum::<f64>();
    covariance / (squares(|pair| pair.0, a) * squares(|pair| pair.1, b)).sqrt()
}
