//! `tesuji bench labels`: how close networks come to what another one, or a search, thought of positions.

use crate::say::say;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{anyhow, ensure};
use clap::Args;
use tesuji_board::{Game, Rules};
use tesuji_lab::statistics::wilson;
use tesuji_net::input::Line;
use tesuji_net::output::Evaluation;
use tesuji_net::{Isa, Reader, Seat, load};
use tesuji_train::sample::{GameSample, Label};
use tesuji_train::{SourceReport, read_games};

use super::super::progress;

#[derive(Args)]
pub(crate) struct Options {
    /// Files of samples with labels, as `tesuji label` makes them.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// A network; several make a row each.
    #[arg(long, value_name = "FILE", required = true)]
    net: Vec<PathBuf>,
    /// Most games, taken at even distances.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    games: usize,
    /// Moves that a row of the table holds; without it each network has one row.
    #[arg(long, value_name = "N")]
    band: Option<usize>,
    /// Instruction set; by default the fastest one that computes in f32.
    #[arg(long, value_name = "NAME")]
    isa: Option<Isa>,
}

/// How far a network is from labels, summed over positions.
#[derive(Clone, Copy, Default)]
struct Distance {
    positions: u32,
    best_moves: f64,
    /// Kullback–Leibler divergence of the policies in nats.
    divergence: f64,
    winners: f64,
    /// Of win rates on a scale from −1 to 1.
    squared_error: f64,
    points: f64,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!(self.games > 0 && self.band != Some(0), "--games and --band must be at least 1");
        let isa = self.isa.unwrap_or_else(Isa::best_exact);
        let mut readers = Vec::new();
        for path in &self.net {
            let named = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", path.display());
            let model = load(path).map_err(|error| named(&error))?;
            readers.push(Reader::new(&model, isa).map_err(|error| named(&error))?);
        }
        let games = self.read()?;
        ensure!(!games.is_empty(), "these files have no labels with a policy and a winner");
        let stop = progress::stop_flag()?;
        let bar = progress::bar(games.len() * readers.len(), false);
        say!(
            "| network | moves | positions | best move as labelled | divergence of the policy | winner as labelled | squared error of the value | lead off by |\n|---|---|---|---|---|---|---|---|"
        );
        for (path, reader) in self.net.iter().zip(&readers) {
            let mut distances: Vec<Distance> = Vec::new();
            let mut seat: Option<Seat> = None;
            for sample in &games {
                if stop.load(Ordering::Relaxed) {
                    progress::exit_interrupted();
                }
                let mut own = match seat.take().filter(|seat| seat.size() == sample.size) {
                    Some(seat) => seat,
                    None => reader
                        .seat(sample.size, 1)
                        .ok_or_else(|| anyhow!("{}: not for {}", path.display(), sample.size))?,
                };
                self.compare(sample, &mut own, &mut distances)?;
                seat = Some(own);
                bar.inc(1);
            }
            for (place, distance) in distances.iter().enumerate().filter(|(_, row)| row.positions > 0) {
                let moves = self.band.map_or_else(
                    || "all".to_owned(),
                    |band| format!("{}–{}", place * band, (place + 1) * band - 1),
                );
                bar.suspend(|| say!("| {} | {moves} {distance}", name(path)));
            }
            ensure!(
                distances.iter().any(|row| row.positions > 0),
                "{}: has no policy or no opinion of who wins",
                path.display()
            );
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn read(&self) -> anyhow::Result<Vec<GameSample>> {
        let mut games = Vec::new();
        let mut report = SourceReport::default();
        for path in &self.files {
            read_games(path, Rules::default(), &mut report, &mut |game| {
                if game.labels.iter().any(is_complete) {
                    games.push(game);
                }
            })?;
        }
        let count = self.games.min(games.len());
        Ok((0..count).map(|index| games[index * games.len() / count].clone()).collect())
    }

    /// Adds what a network thinks of the labelled positions of a game.
    fn compare(
        &self,
        sample: &GameSample,
        seat: &mut Seat,
        distances: &mut Vec<Distance>,
    ) -> anyhow::Result<()> {
        let Ok(mut game) = sample.start() else { return Ok(()) };
        let mut labels = sample.labels.iter().filter(|label| is_complete(label)).peekable();
        for turn in 0..=sample.moves.len() {
            while let Some(label) = labels.next_if(|label| usize::from(label.turn) == turn) {
                ask(&game, seat)?;
                let row = self.band.map_or(0, |band| turn / band);
                if distances.len() <= row {
                    distances.resize(row + 1, Distance::default());
                }
                distances[row].add(label, seat.evaluation(0));
            }
            let Some(&(color, mv)) = sample.moves.get(turn) else { break };
            // Records are cut before illegal moves.
            if game.play(color, mv).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Whether a label says what is compared.
fn is_complete(label: &Label) -> bool {
    !label.policy.is_empty() && label.outcome.is_some()
}

fn ask(game: &Game, seat: &mut Seat) -> anyhow::Result<()> {
    let line = Line::from_game(game, game.to_move());
    seat.add(&line.view(), 0);
    Ok(seat.evaluate(0.0)?)
}

impl Distance {
    fn add(&mut self, label: &Label, evaluation: &Evaluation) {
        let (Some([win, _, no_result]), Some(outcome)) = (label.outcome, evaluation.outcome) else { return };
        if evaluation.policy.is_empty() {
            return;
        }
        let probability = |code: u16| *evaluation.policy.get(usize::from(code)).unwrap_or(&evaluation.pass);
        let likeliest = (0..).zip(&evaluation.policy).fold(
            (evaluation.policy.len() as u16, evaluation.pass),
            |best, (code, &own)| {
                if own > best.1 { (code, own) } else { best }
            },
        );
        let (labelled, own) = (f64::from(win + 0.5 * no_result), f64::from(outcome.win_rate()));
        // Unlikely moves are not in the label.
        let total: f64 = label.policy.iter().map(|prior| f64::from(prior.share)).sum();
        self.positions += 1;
        self.best_moves += f64::from(label.policy.first().is_some_and(|best| best.code == likeliest.0));
        for prior in &label.policy {
            let share = f64::from(prior.share) / total;
            self.divergence += share * (share / f64::from(probability(prior.code)).max(1e-9)).ln();
        }
        self.winners += f64::from((labelled > 0.5) == (own > 0.5));
        self.squared_error += (2.0 * (labelled - own)).powi(2);
        self.points += label.lead.zip(evaluation.lead).map_or(0.0, |(a, b)| f64::from((a - b).abs()));
    }
}

impl std::fmt::Display for Distance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let positions = f64::from(self.positions);
        let rate = |count: f64| {
            let interval = wilson(count, positions);
            format!("{:.1} % ± {:.1}", 100.0 * count / positions, 50.0 * (interval.high - interval.low))
        };
        write!(
            f,
            "| {positions} | {} | {:.3} | {} | {:.4} | {:.2} |",
            rate(self.best_moves),
            self.divergence / positions,
            rate(self.winners),
            self.squared_error / positions,
            self.points / positions
        )
    }
}

/// A network's name in the table.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_net::output::Outcome;
    use tesuji_train::sample::MovePrior;

    #[test]
    fn a_network_is_compared_with_a_label() {
        let label = Label {
            policy: vec![MovePrior::new(1, 0.75), MovePrior::new(2, 0.25)],
            outcome: Some([0.9, 0.1, 0.0]),
            lead: Some(4.0),
            ..Label::default()
        };
        // Two points and the pass, which is the label's second move.
        let evaluation = Evaluation {
            policy: vec![0.2, 0.5],
            pass: 0.3,
            outcome: Some(Outcome { win: 0.4, loss: 0.6, no_result: 0.0 }),
            lead: Some(1.0),
            ..Evaluation::default()
        };
        let mut distance = Distance::default();
        distance.add(&label, &evaluation);
        assert_eq!((distance.positions, distance.best_moves, distance.winners), (1, 1.0, 0.0));
        assert!((distance.squared_error - 1.0).abs() < 1e-6, "{}", distance.squared_error);
        assert!((distance.points - 3.0).abs() < 1e-6);
        let expected = 0.75 * (0.75f64 / 0.5).ln() + 0.25 * (0.25f64 / 0.3).ln();
        assert!((distance.divergence - expected).abs() < 1e-4, "{}", distance.divergence);
    }
}
