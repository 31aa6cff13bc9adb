//! Between records and games: the one place where what is written meets the rules.
//!
//! A record says what was played; [`Game`] says whether it could be. Old files name no rules or wrong ones, so the
//! caller says what holds then ([`GameRecord::rules_or`]). Players and servers let long cycles pass, so there is
//! [`replay_leniently`] beside [`replay_moves`].

use std::fmt;

use tesuji_board::{Color, Game, IllegalMove, KoRule, Move, Point, Rules, SetUpError, Size};

use crate::game::GameRecord;
use crate::line::GameLine;
use crate::property::Komi;
use crate::rules_name::usual_name;
use crate::scan::ScannedGame;

/// Why a record is no legal game, and how far it is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// Number of the move that fails, from 1; 0 is the position before the first.
    pub move_number: usize,
    /// What is wrong with it.
    pub reason: ReplayReason,
}

/// What cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayReason {
    /// The stones before the first move are no position.
    SetUp(SetUpError),
    /// The move is illegal.
    Move {
        /// Who makes it.
        color: Color,
        /// Where, as in GTP.
        vertex: String,
        /// Why it is illegal.
        illegal: IllegalMove,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            ReplayReason::SetUp(error) => write!(f, "set-up: {error}"),
            ReplayReason::Move { color, vertex, illegal } => {
                write!(f, "move {} ({} {vertex}): {illegal}", self.move_number, color.letter())
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Makes `moves` one by one in `game`, calling `after_each` with the game as it then is.
///
/// After an error the game holds the moves before the illegal one.
pub fn replay_moves(
    game: &mut Game,
    moves: impl IntoIterator<Item = (Color, Move)>,
    mut after_each: impl FnMut(&Game),
) -> Result<(), ReplayError> {
    for (color, mv) in moves {
        game.play(color, mv).map_err(|illegal| ReplayError {
            move_number: game.move_number() + 1,
            reason: ReplayReason::Move { color, vertex: mv.to_gtp(game.size()), illegal },
        })?;
        after_each(game);
    }
    Ok(())
}

/// Makes `moves` in `game` although positions may repeat: what was played stands, and the game's ko rule holds from then on.
///
/// After an error the game holds the moves before the illegal one.
pub fn replay_leniently(
    game: &mut Game,
    moves: impl IntoIterator<Item = (Color, Move)>,
) -> Result<(), ReplayError> {
    let rules = *game.rules();
    game.set_rules(Rules { ko: KoRule::Simple, ..rules });
    let replayed = replay_moves(game, moves, |_| ());
    game.set_rules(rules);
    replayed
}

impl GameRecord {
    /// The rules the record names, or `fallback` if it names none that are known, with the record's komi if it has one.
    pub fn rules_or(&self, fallback: Rules) -> Rules {
        let rules = Rules::named(&self.rules).unwrap_or(fallback);
        Rules { komi: self.komi.points().map_or(rules.komi, |komi| komi as f32), ..rules }
    }

    /// The game before its first move.
    pub fn start(&self, rules: Rules) -> Result<Game, ReplayError> {
        start(self.size, &self.setup_black, &self.setup_white, self.to_play, rules)
    }

    /// The game after its last move.
    pub fn replay(&self, rules: Rules) -> Result<Game, ReplayError> {
        let mut game = self.start(rules)?;
        replay_moves(&mut game, self.moves.iter().copied(), |_| ())?;
        Ok(game)
    }

    /// The game after its last move, as [`replay_leniently`] makes it.
    pub fn replay_leniently(&self, rules: Rules) -> Result<Game, ReplayError> {
        let mut game = self.start(rules)?;
        replay_leniently(&mut game, self.moves.iter().copied())?;
        Ok(game)
    }

    /// The record of a game so far; names, date and result are for the caller to fill in.
    pub fn of_game(game: &Game) -> GameRecord {
        let initial = game.initial_board();
        let stones = |color| game.size().points().filter(|&p| initial.color(p) == Some(color)).collect();
        let komi = game.rules().komi;
        GameRecord {
            // Through text, so that 6.3 does not become 6.300000190734863.
            komi: komi.to_string().parse().map_or(Komi::Missing, Komi::Points),
            handicap: u16::try_from(game.handicap()).unwrap_or(u16::MAX),
            rules: game.rules().name().map_or("", usual_name).to_owned(),
            setup_black: stones(Color::Black),
            setup_white: stones(Color::White),
            to_play: game.first_to_move(),
            moves: game.moves().to_vec(),
            ..GameRecord::new(game.size())
        }
    }
}

impl GameLine {
    /// The game before its first move.
    pub fn start(&self, rules: Rules) -> Result<Game, ReplayError> {
        start(self.size, &self.setup, &[], self.first(), rules)
    }
}

impl ScannedGame {
    /// The game before its first move.
    pub fn start(&self, rules: Rules) -> Result<Game, ReplayError> {
        start(self.size, &self.setup_black, &self.setup_white, self.to_play, rules)
    }
}

fn start(
    size: Size,
    black: &[Point],
    white: &[Point],
    to_play: Color,
    rules: Rules,
) -> Result<Game, ReplayError> {
    let mut game = Game::new(size, rules);
    let stones = [(black, Color::Black), (white, Color::White)].into_iter();
    let stones = stones.flat_map(|(points, color)| points.iter().map(move |&point| (point, Some(color))));
    game.set_up(stones, to_play)
        .map_err(|error| ReplayError { move_number: 0, reason: ReplayReason::SetUp(error) })?;
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    fn record(sgf: &str) -> GameRecord {
        GameRecord::from_tree(&parse(sgf.as_bytes()).unwrap().collection.games[0]).unwrap()
    }

    fn check_error(sgf: &str, expected: &str) {
        let record = record(sgf);
        let error = record.replay(record.rules_or(Rules::default())).err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(expected), "{sgf}");
    }

    #[test]
    fn a_game_reads_back_from_its_record() {
        let sgf = "(;SZ[9]KM[6.3]HA[2]RU[Japanese]AB[cc][gg];W[ee];B[];W[cd])";
        let written = record(sgf);
        let game = written.replay(written.rules_or(Rules::default())).unwrap();
        assert_eq!((game.move_number(), game.handicap(), game.rules().name()), (3, 2, Some("japanese")));
        let again = GameRecord::of_game(&game);
        assert_eq!(again, written);
    }

    #[test]
    fn illegal_games_say_where_and_why() {
        check_error("(;SZ[9];B[ee];W[ee])", "move 2 (W E5): the point is occupied");
        check_error("(;SZ[5]RU[chinese]AB[ba][ab];W[aa])", "move 1 (W A5): suicide is forbidden");
        let ko = "(;SZ[5]RU[Japanese]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])";
        check_error(ko, "move 2 (W B4): the ko may not be retaken at once");
        check_error("(;SZ[2]AB[aa:bb])", "set-up: a stone has no liberties");
    }

    #[test]
    fn a_repetition_that_was_played_stands() {
        // The suicide of a single stone changes nothing, so it repeats the position before it.
        let record = record("(;SZ[9]RU[tromp-taylor]AB[ba][ab];W[aa];B[cc])");
        let rules = record.rules_or(Rules::default());
        let error = record.replay(rules).err().unwrap();
        assert!(matches!(error.reason, ReplayReason::Move { illegal: IllegalMove::Superko, .. }), "{error}");
        let game = record.replay_leniently(rules).unwrap();
        assert_eq!((game.moves(), game.rules()), (&record.moves[..], &rules));
    }

    #[test]
    fn the_caller_decides_what_an_unknown_name_means() {
        let record = record("(;SZ[9]RU[house rules]KM[0])");
        let rules = record.rules_or(Rules::named("aga").unwrap());
        assert_eq!((rules.name(), rules.komi), (Some("aga"), 0.0));
    }
}
