//! How well a network that imitates people predicts them, how well it tells their ranks, and whether levels lose as many points as people do.
//!
//! Games come from people of known ranks and are none that the network has learned from. For every move of theirs: is it the likeliest one of the
//! network that knows the rank, of the same network that does not, of the engine? How many points does it lose, and how many does the move lose that the level of
//! the same rank makes in the same position, if a search at full strength is the judge? And for every rank: how far off is the estimate from the moves of some games
//! together? The records do not say who played, so games of one rank stand for games of one player.

use std::fmt::{self, Write};

use tesuji_board::{Color, Game, Move};
use tesuji_engine::decision::Decision;
use tesuji_engine::{Allowance, Evidence, Imitator, Level, MoveQuestion, Player};
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
    lost_by_people: Losses,
    lost_by_level: Losses,
}

/// Points lost by moves.
#[derive(Clone, Copy, Debug, Default)]
struct Losses {
    moves: u64,
    sum: f64,
    squares: f64,
}

/// Who says how many points a move loses.
pub struct Judge {
    /// Plays at full strength.
    pub player: Player,
    /// Plays at the level of who is judged.
    pub level: Player,
    /// Simulations of the judge in every position.
    pub simulations: u64,
    /// Most moves of a band that are judged.
    pub moves: u64,
    /// Every Nth move is judged.
    pub every: u64,
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
    judge: Option<Judge>,
    bands: Vec<Band>,
    /// By rank: what the moves of each game say.
    evidence: Vec<Vec<Evidence>>,
}

impl Study {
    /// A study that asks an engine too, with so many simulations about every Nth move, if there is one, and a judge, if there is one.
    pub fn new(engine: Option<(Player, u64, u64)>, judge: Option<Judge>) -> Study {
        Study {
            imitator: Imitator::default(),
            engine,
            judge,
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
        if let Some(judge) = &mut self.judge
            && band.moves.is_multiple_of(judge.every)
            && band.lost_by_people.moves < judge.moves
            && let Some([by_people, by_level]) = judge.losses(position, color, mv, rank)
        {
            band.lost_by_people.add(by_people);
            band.lost_by_level.add(by_level);
        }
    }

    /// What was found, as Markdown.
    pub fn report(&self) -> String {
        let mut text = String::from(
            "| rank | moves | rank known | rank unknown | engine | loss, known | loss, unknown |\n|---|---|---|---|---|---|---|\n",
        );
        for (place, band) in self.bands.iter().enumerate().filter(|(_, band)| band.moves > 0) {
            let share = |hits: u64, moves: u64| {
                let interval = wilson(hits as f64, moves as f64);
                let rate = 100.0 * hits as f64 / moves.max(1) as f64;
                format!("{rate:.1} % ± {:.1}", 50.0 * (interval.high - interval.low))
            };
            let engine = if band.asked > 0 { share(band.engine, band.asked) } else { "–".to_owned() };
            let loss = |tally: &Tally| tally.loss / band.moves as f64;
            _ = writeln!(
                text,
                "| {} | {} | {} | {} | {engine} | {:.3} | {:.3} |",
                ranks(place),
                band.moves,
                share(band.knowing.hits, band.moves),
                share(band.unknowing.hits, band.moves),
                loss(&band.knowing),
                loss(&band.unknowing),
            );
        }
        self.report_losses(&mut text);
        text += "\n| games | estimates | mean error in ranks | always the mean | in the 90 % interval | its width |\n|---|---|---|---|---|---|\n";
        for games in GAMES {
            self.report_estimates(games, &mut text);
        }
        text
    }

    fn report_losses(&self, text: &mut String) {
        if self.judge.is_none() {
            return;
        }
        *text += "\n| rank | moves judged | points lost by people | by the level | level / people |\n|---|---|---|---|---|\n";
        for (place, band) in self.bands.iter().enumerate().filter(|(_, band)| band.lost_by_people.moves > 0) {
            let (people, level) = (&band.lost_by_people, &band.lost_by_level);
            let ratio = level.mean() / people.mean();
            _ = writeln!(text, "| {} | {} | {people} | {level} | {ratio:.2} |", ranks(place), people.moves);
        }
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

/// The ranks of a band.
fn ranks(place: usize) -> String {
    let rank = |steps: usize| {
        Rank::from_steps(steps.min(Rank::COUNT - 1)).map_or(String::new(), |rank| rank.to_string())
    };
    format!("{}–{}", rank(place * BAND), rank(place * BAND + BAND - 1))
}

impl Judge {
    /// Points lost by the move of a person and by that of the level of the same rank; nothing if the game is over after one of them.
    fn losses(&mut self, position: &Game, color: Color, mv: Move, rank: Rank) -> Option<[f32; 2]> {
        self.level.clear();
        self.level.set_level(Level::Rank(rank));
        let question = MoveQuestion { color, ..MoveQuestion::of(position) };
        // It plays as it would in a game, with the simulations of its level.
        let choice = self.level.choose(&question, &Allowance::by(&Simulations(u64::MAX)), &mut |_| ());
        let Decision::Move(of_level) = choice.decision else { return None };
        let best = self.lead(position, color)?;
        let by_person = best + self.lead_after(position, color, mv)?;
        let by_level =
            if of_level == mv { by_person } else { best + self.lead_after(position, color, of_level)? };
        Some([by_person, by_level])
    }

    /// The opponent's lead after a move.
    fn lead_after(&mut self, position: &Game, color: Color, mv: Move) -> Option<f32> {
        let mut after = position.clone();
        after.play(color, mv).ok()?;
        self.lead(&after, !color)
    }

    /// What the side to move gets with its best move.
    fn lead(&mut self, position: &Game, color: Color) -> Option<f32> {
        self.player.clear();
        self.player.search(position, color, &Simulations(self.simulations));
        self.player.analysis().moves.first().map(|best| best.score_lead)
    }
}

impl Losses {
    fn add(&mut self, points: f32) {
        self.moves += 1;
        self.sum += f64::from(points);
        self.squares += f64::from(points * points);
    }

    fn mean(&self) -> f64 {
        self.sum / self.moves.max(1) as f64
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.moves.max(1) as f64;
        let variance = self.squares / count - self.mean().powi(2);
        write!(f, "{:.2} ± {:.2}", self.mean(), 1.96 * (variance.max(0.0) / count).sqrt())
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
        let mut study = Study::new(None, None);
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
