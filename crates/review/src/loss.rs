//! What each move of a game cost.

use std::cmp::Ordering;

use tesuji_board::{Color, Game, Move};

use crate::finding::{Candidate, Finding};

/// A game with what is known of its positions.
#[derive(Clone)]
pub struct Review {
    game: Game,
    findings: Vec<Option<Finding>>,
}

/// What one move cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss<'a> {
    /// Number of the move, from 1.
    pub number: usize,
    /// Who made it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Points lost by it, at least 0.
    pub points: f64,
    /// Chance of winning lost by it, at least 0.
    pub win_rate: f64,
    /// What was better, unless the move was the best itself.
    pub better: Option<&'a Candidate>,
}

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Until about a seventh of the points have been played on: 50 moves on 19×19.
    Opening,
    /// Until about half of them have: 180 moves on 19×19.
    Middle,
    /// The rest.
    Endgame,
}

impl Phase {
    /// All, in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middle, Phase::Endgame];

    /// The phase of a move by its number, on a board of so many points.
    pub fn of(number: usize, area: usize) -> Phase {
        if number * 7 <= area {
            Phase::Opening
        } else if number * 2 <= area {
            Phase::Middle
        } else {
            Phase::Endgame
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middle => "middle game",
            Phase::Endgame => "endgame",
        }
    }
}

impl Review {
    /// A game of which nothing is known.
    pub fn new(game: Game) -> Review {
        let findings = vec![None; game.move_number() + 1];
        Review { game, findings }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Keeps a finding if it rests on more than what is known; those of other games are ignored.
    pub fn learn(&mut self, finding: Finding) {
        if let Some(place) = self.findings.get_mut(finding.turn)
            && place.as_ref().is_none_or(|known| known.visits <= finding.visits)
        {
            *place = Some(finding);
        }
    }

    /// The numbers of all positions.
    pub fn turns(&self) -> std::ops::Range<usize> {
        0..self.findings.len()
    }

    /// What is known of the position after `turn` moves.
    pub fn finding(&self, turn: usize) -> Option<&Finding> {
        self.findings.get(turn)?.as_ref()
    }

    /// Simulations that the opinion of a position rests on.
    pub(crate) fn visits(&self, turn: usize) -> u64 {
        self.finding(turn).map_or(0, |finding| finding.visits)
    }

    /// What a move cost, if the positions before and after it are known.
    pub fn loss(&self, number: usize) -> Option<Loss<'_>> {
        let (before, after) = (self.finding(number.checked_sub(1)?)?, self.finding(number)?);
        let &(color, mv) = self.game.moves().get(number - 1)?;
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let played = mv.to_gtp(self.game.size());
        let best = before.candidates.first().filter(|best| best.variation.first() != Some(&played));
        // Opinions change from one position to the next; that is no fault of a move that nothing is better than.
        let fault = if best.is_some() { sign } else { 0.0 };
        Some(Loss {
            number,
            color,
            mv,
            points: (fault * (before.lead - after.lead)).max(0.0),
            win_rate: (fault * (before.win_rate - after.win_rate)).max(0.0),
            better: best,
        })
    }

    /// All losses that are known, in the order of the game.
    pub fn losses(&self) -> impl Iterator<Item = Loss<'_>> {
        (1..self.findings.len()).filter_map(|number| self.loss(number))
    }

    /// The moves that cost most and had better ones, the worst first.
    pub fn mistakes(&self, most: usize) -> Vec<Loss<'_>> {
        let mut losses: Vec<Loss<'_>> =
            self.losses().filter(|loss| loss.better.is_some() && loss.points > 0.0).collect();
        losses.sort_by(worse_first);
        losses.truncate(most);
        losses
    }

    /// The positions before and after the worst moves.
    pub(crate) fn turns_of_mistakes(&self, most: usize) -> Vec<usize> {
        let mut turns: Vec<usize> =
            self.mistakes(most).iter().flat_map(|loss| [loss.number - 1, loss.number]).collect();
        turns.sort_unstable();
        turns.dedup();
        turns
    }

    /// Points that a player lost in a phase, and in how many moves.
    pub fn lost(&self, color: Color, phase: Phase) -> (f64, usize) {
        let area = self.game.size().area();
        let losses =
            self.losses().filter(|loss| loss.color == color && Phase::of(loss.number, area) == phase);
        losses.fold((0.0, 0), |(points, moves), loss| (points + loss.points, moves + 1))
    }
}

/// By points and chances together: half a board of points in a won game matters less than the game itself.
fn worse_first(a: &Loss<'_>, b: &Loss<'_>) -> Ordering {
    let weight = |loss: &Loss<'_>| loss.points + 20.0 * loss.win_rate;
    weight(b).total_cmp(&weight(a)).then(a.number.cmp(&b.number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Rules, Size};

    fn finding(turn: usize, lead: f64, win_rate: f64, best: &str) -> Finding {
        let candidate = Candidate { visits: 9, win_rate, lead, variation: vec![best.to_owned()] };
        Finding { turn, visits: 10, win_rate, lead, candidates: vec![candidate] }
    }

    fn review() -> Review {
        let size = Size::square(5).unwrap();
        let mut game = Game::new(size, Rules::default());
        for (color, name) in [(Color::Black, "A1"), (Color::White, "C3"), (Color::Black, "pass")] {
            game.play(color, Move::from_gtp(name, size).unwrap()).unwrap();
        }
        let mut review = Review::new(game);
        for (turn, lead, win_rate, best) in
            [(0, 5.0, 0.6, "C3"), (1, 1.0, 0.5, "C3"), (2, 2.0, 0.55, "B2"), (3, -20.0, 0.0, "D4")]
        {
            review.learn(finding(turn, lead, win_rate, best));
        }
        review
    }

    #[test]
    fn losses_are_for_whoever_moved() {
        let review = review();
        let losses: Vec<_> =
            review.losses().map(|loss| (loss.number, loss.points, loss.better.is_some())).collect();
        assert_eq!(losses, [(1, 4.0, true), (2, 0.0, false), (3, 22.0, true)]);
        assert_eq!(review.mistakes(9).iter().map(|loss| loss.number).collect::<Vec<_>>(), [3, 1]);
        assert_eq!(review.turns_of_mistakes(9), [0, 1, 2, 3]);
        assert_eq!(review.turns_of_mistakes(1), [2, 3]);
        assert_eq!(review.lost(Color::Black, Phase::Opening), (26.0, 2));
        assert_eq!(review.lost(Color::White, Phase::Opening), (0.0, 1));
    }

    #[test]
    fn what_rests_on_more_is_kept() {
        let mut review = review();
        review.learn(Finding { visits: 5, ..finding(0, 99.0, 1.0, "A1") });
        assert_eq!(review.finding(0).unwrap().lead, 5.0);
        review.learn(Finding { visits: 50, ..finding(0, 7.0, 0.7, "A1") });
        assert_eq!(review.finding(0).unwrap().lead, 7.0);
        assert_eq!(review.loss(1).unwrap().better, None, "the move is the best one after all");
        review.learn(finding(77, 1.0, 1.0, "A1"));
        assert_eq!(review.turns(), 0..4);
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let mut review = Review::new(review().game().clone());
        review.learn(finding(0, 1.0, 0.5, "C3"));
        assert_eq!(review.losses().count(), 0);
        review.learn(finding(1, 1.0, 0.5, "C3"));
        assert_eq!(review.losses().count(), 1);
    }

    #[test]
    fn phases_follow_the_board() {
        let phases = [50, 51, 52, 180, 181].map(|number| Phase::of(number, 361));
        assert_eq!(phases, [Phase::Opening, Phase::Opening, Phase::Middle, Phase::Middle, Phase::Endgame]);
    }
}
