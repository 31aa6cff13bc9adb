//! How well a network that imitates people predicts them, and how well it tells their ranks.
//!
//! Games come from people of known ranks and are none that the network has learned from. For every move of theirs: is it the likeliest one of the
//! network that knows the rank, of the same network that does not, of the engine? And for every rank: how far off is the estimate from the moves of some games
//! together? The records do not say who played, so games of one rank stand for games of one player.

use std::fmt::Write;

use tesuji_board::{Color, Game, Move};
use tesuji_engine::decision::Decision;
use tesuji_engine::{Allowance, Evidence, Imitator, MoveQuestion, Player};
use tesuji_net::input::{People, Rank};
use tesuji_net::output::Evaluation;
use tesuji_search::Simulations;

use crate::statistics::wilson;

/// Ranks that a row of a table holds together.
const BAND: usize = 5;
/// Games whose moves are judged together.
const GAMES: [usize; 3] = [1, 5, 15];

/// Ranks next to each other.
#[derive(Clone, Copy, Debug, Default)]
struct Band {
    moves: u64,
    knowing: Tally,
    unknowing: Tally,
    asked: u64,
    engine: u64,
}

/// How well a network predicted.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    hits: u64,
    loss: f64,
}

/// What was found so far.
pub struct Study {
    imitator: Imitator,
    /// The engine, how many simulations it makes, and every which move it is asked about.
    engine: Option<(Player, u64, u64)>,
    bands: Vec<Band>,
    /// By rank: what the moves of each game say.
    evidence: Vec<Vec<Evidence>>,
}

impl Study {
    /// A study that asks an engine too, with so many simulations about every so manieth move, if there is one.
    pub fn new(engine: Option<(Player, u64, u64)>) -> Study {
        Study {
            imitator: Imitator::default(),
            engine,
            bands: vec![Band::default(); Rank::COUNT.div_ceil(BAND)],
            evidence: vec![Vec::new(); Rank::COUNT],
        }
    }

    /// Games of players of a rank so far.
    pub fn games(&self, rank: Rank) -> usize {
        self.evidence[rank.steps()].len()
    }

    /// Looks at the moves of a player in a game.
    pub fn add(&mut self, game: &Game, people: &People, color: Color) {
        let Some(rank) = people.rank(color) else { return };
        let mut evidence = Evidence::default();
        let mut position = game.clone();
        while let Some((mover, mv)) = position.last_move() {
            if position.undo(1).is_err() {
                break;
            }
            if mover == color && mv.point().is_some() {
                self.look(&position, color, mv, rank);
                if let Some(probabilities) = self.imitator.probabilities(&position, color, mv) {
                    evidence.add(&probabilities);
                }
            }
        }
        self.evidence[rank.steps()].push(evidence);
    }

    fn look(&mut self, position: &Game, color: Color, mv: Move, rank: Rank) {
        let band = &mut self.bands[rank.steps() / BAND];
        band.moves += 1;
        if let Some(policy) = self.imitator.policy(position, color, rank) {
            band.knowing.add(position, policy, mv);
        }
        if let Some(policy) = self.imitator.policy_of_anybody(position, color) {
            band.unknowing.add(position, policy, mv);
        }
        if let Some((player, simulations, every)) = &mut self.engine
            && band.moves.is_multiple_of(*every)
        {
            player.clear();
            let control = Simulations(*simulations);
            let question = MoveQuestion { color, ..MoveQuestion::of(position) };
            let choice = player.choose(&question, &Allowance::by(&control), &mut |_| ());
            band.asked += 1;
            band.engine += u64::from(choice.decision == Decision::Move(mv));
        }
    }

    /// What was found, as Markdown.
    pub fn report(&self) -> String {
        let mut text = String::from(
            "| rank | moves | rank known | rank unknown | engine | loss, known | loss, unknown |\n|---|---|---|---|---|---|---|\n",
        );
        for (place, band) in self.bands.iter().enumerate().filter(|(_, band)| band.moves > 0) {
            let rank = |steps: usize| {
                Rank::from_steps(steps.min(Rank::COUNT - 1)).map_or(String::new(), |rank| rank.to_string())
            };
            let share = |hits: u64, moves: u64| {
                let interval = wilson(hits as f64, moves as f64);
                let rate = 100.0 * hits as f64 / moves.max(1) as f64;
                format!("{rate:.1} % ± {:.1}", 50.0 * (interval.high - interval.low))
            };
            let engine = if band.asked > 0 { share(band.engine, band.asked) } else { "–".to_owned() };
            let loss = |tally: &Tally| tally.loss / band.moves as f64;
            _ = writeln!(
                text,
                "| {}–{} | {} | {} | {} | {engine} | {:.3} | {:.3} |",
                rank(place * BAND),
                rank(place * BAND + BAND - 1),
                band.moves,
                share(band.knowing.hits, band.moves),
                share(band.unknowing.hits, band.moves),
                loss(&band.knowing),
                loss(&band.unknowing),
            );
        }
        text += "\n| games | estimates | mean error in ranks | always the mean | in the 90 % interval | its width |\n|---|---|---|---|---|---|\n";
        for games in GAMES {
            self.report_estimates(games, &mut text);
        }
        text
    }

    fn report_estimates(&self, games: usize, text: &mut String) {
        let (mut truths, mut error, mut inside, mut width) = (Vec::new(), 0.0, 0, 0);
        for (steps, all) in self.evidence.iter().enumerate() {
            for part in all.chunks_exact(games) {
                let mut evidence = Evidence::default();
                part.iter().for_each(|one| evidence.join(one));
                let estimate = evidence.estimate();
                let (low, high) = (estimate.interval.0.steps(), estimate.interval.1.steps());
                truths.push(steps as f64);
                error += (estimate.mean - steps as f64).abs();
                inside += usize::from((low..=high).contains(&steps));
                width += high - low;
            }
        }
        let count = truths.len().max(1) as f64;
        let mean = truths.iter().sum::<f64>() / count;
        let guess = truths.iter().map(|truth| (truth - mean).abs()).sum::<f64>() / count;
        _ = writeln!(
            text,
            "| {games} | {} | {:.2} | {guess:.2} | {:.0} % | {:.1} |",
            truths.len(),
            error / count,
            100.0 * inside as f64 / count,
            width as f64 / count
        );
    }
}

impl Tally {
    fn add(&mut self, position: &Game, policy: &Evaluation, mv: Move) {
        let Some(place) = mv.point().map(|point| position.size().ordinal(point)) else { return };
        let played = policy.policy[place];
        self.hits += u64::from(policy.policy.iter().all(|&other| other <= played) && policy.pass <= played);
        self.loss -= f64::from(played.max(1e-6)).ln();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Rules, Size};

    #[test]
    fn moves_are_counted_for_the_rank_of_who_made_them() {
        let size = Size::square(9).unwrap();
        let mut game = Game::new(size, Rules::default());
        for vertex in ["E5", "C3", "G7", "C7"] {
            game.play(game.to_move(), Move::from_gtp(vertex, size).unwrap()).unwrap();
        }
        let people = People { black: "12k".parse().ok(), white: None, ..People::default() };
        let mut study = Study::new(None);
        study.add(&game, &people, Color::Black);
        study.add(&game, &people, Color::White);
        assert_eq!((study.games("12k".parse().unwrap()), study.games("11k".parse().unwrap())), (1, 0));
        let report = study.report();
        assert!(
            report.contains("| 15k–11k | 2 |")
                && report.contains("| 1 | 1 |")
                && report.contains("| 15 | 0 |"),
            "{report}"
        );
    }
}
