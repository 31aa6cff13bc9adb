//! A game between two players of this very program: no processes, no protocol, no clock.
//!
//! For experiments of many short games between players that can be trusted. The board is counted as it stands, so the rules should
//! be some by which players capture what is dead.

use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_board::{Color, Game, Move, tromp_taylor_lead};

/// Somebody who plays a game from its beginning to its end.
pub trait Contestant {
    /// What to do in a position where it is its turn.
    fn choose(&mut self, game: &Game) -> Action;
}

/// What a contestant does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It makes this move.
    Move(Move),
    /// It gives up.
    Resign,
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duel {
    /// Who won; nobody after a draw.
    pub winner: Option<Color>,
    /// Moves of the whole game.
    pub moves: usize,
}

/// Moves per point after which a game is counted as it is.
const MOST_MOVES_PER_POINT: usize = 3;

/// Plays a game to its end; contestants by colour. An illegal move loses. Nothing if `stop` was raised before the end.
pub fn play(mut game: Game, contestants: [&mut dyn Contestant; 2], stop: &AtomicBool) -> Option<Duel> {
    let most = MOST_MOVES_PER_POINT * game.size().area();
    while !game.is_over() && game.move_number() < most {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let color = game.to_move();
        let made = match contestants[color.index()].choose(&game) {
            Action::Move(mv) => game.play(color, mv).is_ok(),
            Action::Resign => false,
        };
        if !made {
            return Some(Duel { winner: Some(!color), moves: game.move_number() });
        }
    }
    let black_lead = tromp_taylor_lead(game.board()) as f32 - game.white_points();
    let winner = match black_lead {
        lead if lead > 0.0 => Some(Color::Black),
        lead if lead < 0.0 => Some(Color::White),
        _ => None,
    };
    Some(Duel { winner, moves: game.move_number() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Rules, Size};

    /// Plays its list, then passes, or resigns if it may.
    struct Script(Vec<&'static str>, Action);

    impl Contestant for Script {
        fn choose(&mut self, game: &Game) -> Action {
            match self.0.is_empty() {
                true => self.1,
                false => Action::Move(Move::from_gtp(self.0.remove(0), game.size()).unwrap()),
            }
        }
    }

    fn check(komi: f32, black: Script, white: Script, winner: Option<Color>, moves: usize) {
        let rules = Rules { komi, ..Rules::named("cgos").unwrap() };
        let game = Game::new(Size::square(5).unwrap(), rules);
        let (mut black, mut white) = (black, white);
        let expected = Some(Duel { winner, moves });
        assert_eq!(play(game, [&mut black, &mut white], &AtomicBool::new(false)), expected);
    }

    #[test]
    fn games_end_by_passes_resignation_or_a_mistake() {
        let passing = |moves: &[&'static str]| Script(moves.to_vec(), Action::Move(Move::Pass));
        let resigning = || Script(vec![], Action::Resign);
        check(6.5, passing(&["C3"]), passing(&[]), Some(Color::Black), 3);
        check(25.5, passing(&["C3"]), passing(&[]), Some(Color::White), 3);
        check(25.0, passing(&["C3"]), passing(&[]), None, 3);
        check(6.5, passing(&["C3"]), resigning(), Some(Color::Black), 1);
        check(6.5, passing(&["C3"]), passing(&["C3"]), Some(Color::Black), 1);
    }
}
