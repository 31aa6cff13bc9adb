//! Positions, and how likely Black wins in the opinion of somebody who knows better than playouts.

use crate::sample::{GameSample, Label, Side, Split};
use tesuji_board::{Board, Color, Size};
use tesuji_search::playout::Position;

/// Positions of games with opinions. They are played again whenever they are needed, which takes little beside their playouts.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    games: Vec<GameSample>,
    targets: Vec<Target>,
}

/// One position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target {
    game: u32,
    turn: u16,
    /// How likely Black wins.
    pub(super) black_wins: f64,
}

impl Targets {
    /// The positions of legal games on boards of a size that have an opinion about the winner: those to learn from, and those kept back.
    pub fn of_games(games: impl IntoIterator<Item = GameSample>, size: Size, split: Split) -> [Targets; 2] {
        let mut both = [Targets::default(), Targets::default()];
        for game in games.into_iter().filter(|game| game.size == size) {
            both[usize::from(split.side(&game) == Side::Validation)].add(game);
        }
        both
    }

    fn add(&mut self, mut game: GameSample) {
        let number = self.games.len() as u32;
        let labels = std::mem::take(&mut game.labels);
        let before = self.targets.len();
        for Label { turn, outcome, .. } in labels {
            if let Some([win, loss, void]) = outcome.filter(|_| usize::from(turn) <= game.moves.len()) {
                let whole = f64::from(win) + f64::from(loss) + f64::from(void);
                let wins = (f64::from(win) + 0.5 * f64::from(void)) / whole;
                let is_black = game.to_move(usize::from(turn)) == Color::Black;
                // What is no share, in a file that somebody else made, would spoil all gammas.
                if (0.0..=1.0).contains(&wins) {
                    let black_wins = if is_black { wins } else { 1.0 - wins };
                    self.targets.push(Target { game: number, turn, black_wins });
                }
            }
        }
        if self.targets.len() > before {
            self.games.push(game);
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Their games.
    pub fn games(&self) -> &[GameSample] {
        &self.games
    }

    /// All opinions in order, for a fingerprint.
    pub(super) fn all(&self) -> &[Target] {
        &self.targets
    }

    /// Only some, at even distances.
    #[must_use]
    pub fn thinned(mut self, most: usize) -> Targets {
        let count = most.min(self.targets.len());
        self.targets = (0..count).map(|i| self.targets[i * self.targets.len() / count]).collect();
        self
    }

    /// A position, its komi and the opinion.
    pub(super) fn get(&self, number: usize) -> (Position, f32, f64) {
        let Target { game, turn, black_wins } = self.targets[number];
        let game = &self.games[game as usize];
        let mut board = Board::new(game.size);
        game.setup.iter().for_each(|&(color, point)| board.set_up(point, color));
        let mut position = Position::new(board, game.first);
        for &(color, mv) in &game.moves[..usize::from(turn)] {
            if color != position.to_move {
                // Somebody moved twice; the moves before are nobody's answer then.
                position = Position::new(position.board, color);
            }
            position.play(mv);
        }
        (position, game.rules.komi, black_wins)
    }
}

impl Target {
    /// For a fingerprint.
    pub(super) fn to_bytes(self) -> [u8; 14] {
        let mut bytes = [0; 14];
        bytes[..4].copy_from_slice(&self.game.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.turn.to_le_bytes());
        bytes[6..].copy_from_slice(&self.black_wins.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Move, Rules};

    #[test]
    fn opinions_are_blacks_and_positions_are_those_of_their_turn() {
        let size = Size::square(9).unwrap();
        let mut game = GameSample::new(size, Rules { komi: 5.5, ..Rules::default() });
        for (color, vertex) in [(Color::Black, "E5"), (Color::White, "C3")] {
            game.moves.push((color, Move::from_gtp(vertex, size).unwrap()));
        }
        let label = |turn, outcome| Label { turn, outcome, ..Label::default() };
        let nonsense = Some([f32::NAN, 0.0, 1.0]);
        game.labels = vec![
            label(0, Some([0.75, 0.25, 0.0])),
            label(1, Some([0.75, 0.25, 0.0])),
            label(1, nonsense),
            label(2, None),
            label(2, Some([0.25, 0.25, 0.5])),
            label(3, Some([1.0, 0.0, 0.0])),
        ];
        let [lessons, tests] = Targets::of_games([game.clone()], size, Split { validation: 0 });
        assert!(tests.is_empty());
        let found: Vec<f64> = (0..lessons.len()).map(|number| lessons.get(number).2).collect();
        assert_eq!(found, [0.75, 0.25, 0.5]);
        let (position, komi, _) = lessons.get(1);
        assert_eq!((position.to_move, komi, position.last), (Color::White, 5.5, game.moves[0].1));
        assert_eq!(position.board.stone_count(Color::Black), 1);
        assert_eq!(lessons.thinned(2).len(), 2);
        let other = Size::square(7).unwrap();
        assert!(Targets::of_games([game.clone()], other, Split { validation: 0 })[0].is_empty());
        assert_eq!(Targets::of_games([game], size, Split { validation: 1000 })[1].len(), 3);
    }
}
