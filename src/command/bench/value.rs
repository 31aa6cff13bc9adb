//! `tesuji bench value`: how well a network and playouts tell the winner of a game, by how many moves were played.

use crate::say::say;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use tesuji_board::{Color, Game, Rules, Size};
use tesuji_engine::Net;
use tesuji_lab::statistics::wilson;
use tesuji_net::input::Line;
use tesuji_net::{Isa, Reader, Seat, load};
use tesuji_search::Rng;
use tesuji_search::playout::{Heavy, Position};
use tesuji_train::sample::{GameEnd, GameSample, Side, Split};
use tesuji_train::{SourceReport, read_games};

use super::super::progress;
use super::opinion::black_share;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of games, one a line, or SGF.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A network; without one, that of the program for the board.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Only boards of this size.
    #[arg(long, value_name = "SIDE", default_value_t = 19)]
    size: usize,
    /// Games kept back while the network learned, in thousandths: only those are looked at.
    #[arg(long, value_name = "THOUSANDTHS", default_value_t = 50)]
    validation: u16,
    /// Most games.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: usize,
    /// Moves that a row of the table holds; of every game one position is taken for each row.
    #[arg(long, value_name = "N", default_value_t = 30)]
    band: usize,
    /// Playouts of each position.
    #[arg(long, default_value_t = 100)]
    playouts: u32,
    /// Seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How well one of the two told the winners of some games.
#[derive(Clone, Copy, Default)]
struct Tally {
    right: f64,
    squared_error: f64,
}

/// Positions after about as many moves.
#[derive(Clone, Copy, Default)]
struct Row {
    positions: u32,
    network: Tally,
    playouts: Tally,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(
            self.playouts > 0 && self.band > 0 && self.games > 0,
            "--playouts, --band and --games must be at least 1"
        );
        let size = Size::square(self.size)?;
        let mut seat =
            self.reader(size)?.seat(size, 1).context("the network is for boards of another size")?;
        let games = self.read(size)?;
        ensure!(!games.is_empty(), "no game of this size that was kept back has a winner");
        let stop = progress::stop_flag()?;
        let bar = progress::bar(games.len(), false);
        let mut rows: Vec<Row> = Vec::new();
        for (number, sample) in games.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            self.look(sample, number as u64, &mut seat, &mut rows)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        say!("{}", self.report(&rows));
        if stop.load(Ordering::Relaxed) {
            progress::exit_interrupted();
        }
        Ok(())
    }

    fn reader(&self, size: Size) -> anyhow::Result<Reader> {
        let model = match &self.net {
            Some(path) => load(path).map_err(|error| anyhow!("{}: {error}", path.display()))?,
            None => {
                Net::built_in_model(size).context("the program has no network for this size: use --net")?
            }
        };
        Reader::new(&model, Isa::best()).map_err(|error| anyhow!("{}: {error}", model.name))
    }

    fn read(&self, size: Size) -> anyhow::Result<Vec<GameSample>> {
        let split = Split { validation: self.validation };
        let mut games = Vec::new();
        let mut report = SourceReport::default();
        for path in &self.files {
            read_games(path, Rules::default(), &mut report, &mut |game| {
                let is_meant = game.size == size && split.side(&game) == Side::Validation;
                if is_meant && winner(&game).is_some() {
                    games.push(game);
                }
            })?;
        }
        // Files are often sorted by where games come from, so they are taken at even distances.
        let count = self.games.min(games.len());
        Ok((0..count).map(|index| games[index * games.len() / count].clone()).collect())
    }

    /// Looks at one position of a game for every row.
    fn look(
        &self,
        sample: &GameSample,
        number: u64,
        seat: &mut Seat,
        rows: &mut Vec<Row>,
    ) -> anyhow::Result<()> {
        let (Some(winner), Ok(mut game)) = (winner(sample), sample.start()) else { return Ok(()) };
        let mut rng = Rng::for_stream(self.seed, number);
        let mut chosen = rng.below(self.band);
        for (turn, &(color, mv)) in sample.moves.iter().enumerate() {
            if turn % self.band == chosen {
                let row = turn / self.band;
                if rows.len() <= row {
                    rows.resize(row + 1, Row::default());
                }
                self.judge(&game, color, winner, seat, &mut rng, &mut rows[row])?;
            }
            if turn % self.band == self.band - 1 {
                chosen = rng.below(self.band);
            }
            // Records are cut before illegal moves.
            if game.play(color, mv).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn judge(
        &self,
        game: &Game,
        to_move: Color,
        winner: Color,
        seat: &mut Seat,
        rng: &mut Rng,
        row: &mut Row,
    ) -> anyhow::Result<()> {
        let line = Line::from_game(game, to_move);
        seat.add(&line.view(), 0);
        seat.evaluate(0.0)?;
        let outcome = seat.evaluation(0).outcome.context("the network has no opinion of who wins")?;
        let rate = f64::from(outcome.win_rate());
        let black_by_network = if to_move == Color::Black { rate } else { 1.0 - rate };
        let start = Position::new(game.board().clone(), to_move);
        let mut board = start.clone();
        let komi = game.rules().komi;
        let black_by_playouts =
            black_share(&mut Heavy::default(), &start, &mut board, komi, self.playouts, rng);
        row.positions += 1;
        row.network.add(black_by_network, winner);
        row.playouts.add(black_by_playouts, winner);
        Ok(())
    }

    /// What was found, as Markdown.
    fn report(&self, rows: &[Row]) -> String {
        let mut text = format!(
            "| moves | positions | network: winner right | squared error | {} playouts: winner right | squared error |\n|---|---|---|---|---|---|",
            self.playouts
        );
        let mut all = Row::default();
        for (place, row) in rows.iter().enumerate().filter(|(_, row)| row.positions > 0) {
            all.join(row);
            let (first, last) = (place * self.band, (place + 1) * self.band - 1);
            text += &format!("\n| {first}–{last} {row}");
        }
        text + &format!("\n| all {all}")
    }
}

/// Who won a game, if that is known and somebody did.
fn winner(game: &GameSample) -> Option<Color> {
    match game.end {
        GameEnd::Win(color) => Some(color),
        GameEnd::Score(lead) if lead > 0.0 => Some(Color::Black),
        GameEnd::Score(lead) if lead < 0.0 => Some(Color::White),
        GameEnd::Score(_) | GameEnd::Unknown | GameEnd::Void => None,
    }
}

impl Tally {
    /// Adds an opinion, the probability that Black wins, and what was true. Errors are on a scale from −1 to 1.
    fn add(&mut self, black: f64, winner: Color) {
        let won = if winner == Color::Black { black } else { 1.0 - black };
        self.right += if won > 0.5 {
            1.0
        } else if won < 0.5 {
            0.0
        } else {
            0.5
        };
        self.squared_error += (2.0 * (1.0 - won)).powi(2);
    }
}

impl Row {
    fn join(&mut self, other: &Row) {
        self.positions += other.positions;
        for (own, other) in [(&mut self.network, other.network), (&mut self.playouts, other.playouts)] {
            own.right += other.right;
            own.squared_error += other.squared_error;
        }
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let positions = f64::from(self.positions);
        write!(f, "| {}", self.positions)?;
        for tally in [self.network, self.playouts] {
            let interval = wilson(tally.right, positions);
            let rate = 100.0 * tally.right / positions;
            let half = 50.0 * (interval.high - interval.low);
            write!(f, " | {rate:.1} % ± {half:.1} | {:.3}", tally.squared_error / positions)?;
        }
        write!(f, " |")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opinions_are_compared_with_the_winner() {
        let mut tally = Tally::default();
        tally.add(0.75, Color::Black);
        tally.add(0.75, Color::White);
        tally.add(0.5, Color::White);
        assert_eq!(tally.right, 1.5);
        assert_eq!(tally.squared_error, 0.25 + 2.25 + 1.0);
    }
}
