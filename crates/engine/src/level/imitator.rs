//! What people of a rank play, by the network that has learned it.

use std::sync::{Mutex, PoisonError};

use tesuji_board::{Color, Game, Move};
use tesuji_net::input::{Line, People, Rank};
use tesuji_net::output::Evaluation;
use tesuji_net::{Isa, Reader, Seat, own};

/// The network; what it has learned from is in `docs/levels.md` and in the file itself.
const WEIGHTS: &[u8] = include_bytes!("../../nets/people.safetensors");

/// Knows what people of every rank play. Made for 9×9; on other boards it is an approximation.
#[derive(Default)]
pub struct Imitator {
    seat: Option<Seat>,
}

impl Imitator {
    /// What players of a rank play in a position with `color` to move, against others of their rank.
    pub fn policy(&mut self, game: &Game, color: Color, rank: Rank) -> Option<&Evaluation> {
        self.ask(game, color, &[People::both(rank)])?;
        self.seat.as_ref().map(|seat| seat.evaluation(0))
    }

    /// What people of whom nothing is known play.
    pub fn policy_of_anybody(&mut self, game: &Game, color: Color) -> Option<&Evaluation> {
        self.ask(game, color, &[People::default()])?;
        self.seat.as_ref().map(|seat| seat.evaluation(0))
    }

    /// The probability of a move for players of every rank, whoever they play.
    pub fn probabilities(&mut self, game: &Game, color: Color, mv: Move) -> Option<[f32; Rank::COUNT]> {
        let people: Vec<People> = Rank::all().map(|rank| People::one(color, rank)).collect();
        self.ask(game, color, &people)?;
        let seat = self.seat.as_ref()?;
        let of = |evaluation: &Evaluation| match mv {
            Move::Play(point) => evaluation.policy.get(game.size().ordinal(point)).copied(),
            Move::Pass => Some(evaluation.pass),
        };
        let mut probabilities = [0.0; Rank::COUNT];
        for (place, probability) in probabilities.iter_mut().enumerate() {
            *probability = of(seat.evaluation(place))?;
        }
        Some(probabilities)
    }

    /// Evaluates a position for several pairs of players.
    fn ask(&mut self, game: &Game, color: Color, people: &[People]) -> Option<()> {
        if self.seat.as_ref().is_none_or(|seat| seat.size() != game.size()) {
            self.seat = reader()?.seat(game.size(), Rank::COUNT);
        }
        let seat = self.seat.as_mut()?;
        let line = Line::from_game(game, color);
        for &people in people.iter().take(seat.capacity()) {
            seat.set_people(people);
            seat.add(&line.view(), 0);
        }
        seat.evaluate(0.0).ok()
    }
}

/// The network, ready for this machine; made when it is first needed.
fn reader() -> Option<Reader> {
    static READY: Mutex<Option<Reader>> = Mutex::new(None);
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    if ready.is_none() {
        // The file is tested to be whole.
        *ready = Reader::new(&own::read(WEIGHTS).ok()?, Isa::best()).ok();
    }
    ready.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Rules, Size};
    use tesuji_net::model::InputSet;

    #[test]
    fn the_network_is_small_reads_ranks_and_says_where_it_comes_from() {
        let model = own::read(WEIGHTS).unwrap();
        assert!(WEIGHTS.len() <= 3 << 20);
        assert_eq!(model.input.set, InputSet::People);
        assert!(!model.provenance.data.is_empty() && !model.provenance.licence.is_empty());
    }

    #[test]
    fn every_board_gets_probabilities_that_depend_on_the_rank() {
        for side in [9, 13, 19] {
            let game = Game::new(Size::square(side).unwrap(), Rules::default());
            let mut imitator = Imitator::default();
            let mut policy = |rank: Rank| imitator.policy(&game, Color::Black, rank).unwrap().clone();
            let (weak, strong) = (policy(Rank::LOWEST), policy(Rank::HIGHEST));
            for policy in [&weak, &strong] {
                assert!((policy.policy.iter().sum::<f32>() + policy.pass - 1.0).abs() < 1e-3);
            }
            assert_ne!(weak.policy, strong.policy);
            let corner = Move::Play(game.size().points().next().unwrap());
            let by_rank = imitator.probabilities(&game, Color::Black, corner).unwrap();
            assert!(by_rank.iter().all(|probability| (0.0..0.5).contains(probability)));
        }
    }
}
