//! One player: its game, its search, its clocks, and what it remembers between commands.
//!
//! Protocols sit on top and speak to this type alone. It prints nothing. What the search found is valid only for the
//! position it was run on, so it is kept with that position and forgotten when the board changes. The ownership behind a verdict
//! is kept as long as the stones stay the same: dead stones reported after the game are those on which the
//! decision to pass was based.

mod think;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tesuji_board::{CannotUndo, Color, Game, IllegalMove, Move, Point, Rules, SetUpError, Size};

use crate::clock::Clocks;
use crate::decision::Purpose;
use crate::player::Player;
use crate::settings::{ParameterError, Scope, Settings};
use crate::time_system::TimeSystem;

/// A Go engine.
pub struct Engine {
    player: Player,
    game: Game,
    /// The games that set-up replaced, for undo.
    before_set_up: Vec<Game>,
    clocks: Clocks,
    /// The position the searcher can report on.
    searched: Option<Position>,
    /// Whether the opponent of the last generated move is to answer it.
    awaits_answer: bool,
    explanation: String,
}

/// A request for a move.
pub struct MoveRequest<'a> {
    /// Whose move.
    pub color: Color,
    /// What for.
    pub purpose: Purpose,
    /// Ends the search early.
    pub stop: Arc<AtomicBool>,
    /// How often somebody wants to see how far the search is.
    pub interval: Option<Duration>,
    /// The moves to choose from.
    pub allows: &'a dyn Fn(Move) -> bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    hash: u64,
    moves: usize,
    to_move: Color,
}

impl Engine {
    /// An engine at the beginning of a game.
    pub fn new(settings: Settings, game: Game) -> Engine {
        Engine {
            player: Player::new(settings),
            game,
            before_set_up: Vec::new(),
            clocks: Clocks::new(TimeSystem::default()),
            searched: None,
            awaits_answer: false,
            explanation: String::new(),
        }
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        self.player.settings()
    }

    /// The clocks of both players.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The clocks, to correct.
    pub fn clocks_mut(&mut self) -> &mut Clocks {
        &mut self.clocks
    }

    /// Why the last generated move was made; empty before the first.
    pub fn explanation(&self) -> &str {
        &self.explanation
    }

    /// Sets a parameter by name; unchanged on an error.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), ParameterError> {
        let mut settings = self.settings().clone();
        let scope = settings.set(name, value)?;
        settings.check([name])?;
        match scope {
            Scope::Play => *self.player.settings_mut() = settings,
            Scope::Search => {
                self.player = Player::new(settings);
                self.searched = None;
            }
        }
        Ok(())
    }

    /// Sets the time system and both clocks with it.
    pub fn set_time_system(&mut self, system: TimeSystem) {
        self.clocks = Clocks::new(system);
    }

    /// Starts a game on an empty board with the same rules and fresh clocks.
    pub fn new_game(&mut self, size: Size) {
        let game = Game::new(size, *self.game.rules());
        self.set_game(game);
        let system = self.clocks.of(Color::Black).system();
        self.clocks = Clocks::new(system);
    }

    /// Replaces the game.
    pub fn set_game(&mut self, game: Game) {
        self.player.begin_game();
        self.game = game;
        self.before_set_up.clear();
        self.awaits_answer = false;
        self.searched = None;
    }

    /// Changes the rules; komi stays, as clients expect.
    pub fn set_rules(&mut self, rules: Rules) {
        let komi = self.game.rules().komi;
        self.game.set_rules(Rules { komi, ..rules });
        self.forget_search();
    }

    /// Sets komi.
    pub fn set_komi(&mut self, komi: f32) {
        let rules = *self.game.rules();
        if komi != rules.komi {
            self.game.set_rules(Rules { komi, ..rules });
            self.forget_search();
        }
    }

    /// Makes a move; the game is unchanged on an error.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(color, mv)?;
        self.awaits_answer = false;
        Ok(())
    }

    /// Makes moves; the game is unchanged if one of them is illegal.
    pub fn play_all(&mut self, moves: &[(Color, Move)]) -> Result<(), IllegalMove> {
        let mut game = self.game.clone();
        for &(color, mv) in moves {
            game.play(color, mv)?;
        }
        self.game = game;
        self.awaits_answer = false;
        Ok(())
    }

    /// Takes back moves, and set-ups, which count as one move each; the game is unchanged on an error.
    pub fn undo(&mut self, count: usize) -> Result<(), CannotUndo> {
        let available = self.game.move_number()
            + self.before_set_up.iter().map(|game| game.move_number() + 1).sum::<usize>();
        if count > available {
            return Err(CannotUndo);
        }
        let mut left = count;
        while left > self.game.move_number() {
            left -= self.game.move_number() + 1;
            match self.before_set_up.pop() {
                Some(game) => self.game = game,
                None => return Err(CannotUndo),
            }
        }
        self.player.forget_losses();
        self.awaits_answer = false;
        self.game.undo(left)
    }

    /// Puts stones on points or empties them; undo takes it back; the game is unchanged on an error.
    pub fn set_up(&mut self, stones: &[(Point, Option<Color>)], to_move: Color) -> Result<(), SetUpError> {
        let before = self.game.clone();
        self.game.set_up(stones.iter().copied(), to_move)?;
        self.before_set_up.push(before);
        self.awaits_answer = false;
        Ok(())
    }

    /// Says whose turn it is.
    pub fn set_to_move(&mut self, color: Color) {
        if color != self.game.to_move() {
            let before = self.game.clone();
            self.game.set_to_move(color);
            self.before_set_up.push(before);
        }
    }

    /// Applies a change to the game that may fail; the game is unchanged on an error.
    pub fn change_game<T, E>(&mut self, change: impl FnOnce(&mut Game) -> Result<T, E>) -> Result<T, E> {
        let mut game = self.game.clone();
        let result = change(&mut game)?;
        self.set_game(game);
        Ok(result)
    }

    /// Forgets everything the search has learned.
    pub fn clear_search(&mut self) {
        self.player.clear();
        self.forget_search();
    }

    fn position(&self, to_move: Color) -> Position {
        Position { hash: self.game.board().hash(), moves: self.game.move_number(), to_move }
    }

    /// The search adapts to new rules by itself; only what it found under the old ones is void.
    fn forget_search(&mut self) {
        self.searched = None;
        self.awaits_answer = false;
    }
}

impl<'a> MoveRequest<'a> {
    /// A request for a move in an ordinary game.
    pub fn new(color: Color, stop: Arc<AtomicBool>) -> MoveRequest<'a> {
        MoveRequest { color, purpose: Purpose::Play, stop, interval: None, allows: &|_| true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Decision;
    use tesuji_board::Scoring;

    fn engine(side: usize, playouts: u64) -> Engine {
        let settings = Settings { playouts, ..Settings::of_preset("flat").unwrap() };
        Engine::new(settings, Game::new(Size::square(side).unwrap(), Rules::default()))
    }

    fn flag(raised: bool) -> Arc<AtomicBool> {
        Arc::new(AtomicBool::new(raised))
    }

    fn generate(engine: &mut Engine, color: Color) -> Decision {
        engine.generate(&MoveRequest::new(color, flag(false)), &mut |_| ()).decision
    }

    fn point(engine: &Engine, x: usize, y: usize) -> Point {
        engine.game().size().point(x, y).unwrap()
    }

    #[test]
    fn undo_reaches_behind_set_up() {
        let mut engine = engine(5, 10);
        let (a, b) = (point(&engine, 0, 0), point(&engine, 2, 2));
        engine.play(Color::Black, Move::Play(a)).unwrap();
        engine.set_up(&[(a, None), (b, Some(Color::White))], Color::White).unwrap();
        engine.play(Color::White, Move::Pass).unwrap();
        assert_eq!(engine.undo(4), Err(CannotUndo));
        assert_eq!((engine.game().move_number(), engine.game().board().is_empty(a)), (1, true));
        engine.undo(2).unwrap();
        assert_eq!((engine.game().move_number(), engine.game().board().is_empty(a)), (1, false));
        engine.undo(1).unwrap();
        assert_eq!(engine.undo(1), Err(CannotUndo));
    }

    #[test]
    fn komi_outlives_rules_and_games() {
        let mut engine = engine(5, 10);
        engine.set_komi(-2.5);
        engine.set_rules(Rules::named("japanese").unwrap());
        engine.new_game(Size::square(7).unwrap());
        assert_eq!((engine.game().rules().komi, engine.game().rules().scoring), (-2.5, Scoring::Territory));
    }

    #[test]
    fn moves_that_contain_an_illegal_one_are_not_made() {
        let mut engine = engine(5, 10);
        let mv = Move::Play(point(&engine, 1, 1));
        assert!(engine.play_all(&[(Color::Black, mv), (Color::White, mv)]).is_err());
        assert_eq!(engine.game().move_number(), 0);
    }

    #[test]
    fn resigns_only_when_lost_for_some_moves_and_allowed_to() {
        let resignation = |resign: &str| {
            let mut engine = engine(5, 200);
            engine.set_komi(100.0);
            engine.set_parameter("resign", resign).unwrap();
            (1..=5).find(|_| generate(&mut engine, Color::Black) == Decision::Resign)
        };
        assert_eq!(resignation("on"), Some(3));
        assert_eq!(resignation("off"), None);
    }

    #[test]
    fn plays_a_whole_game_and_stands_by_its_verdict() {
        let mut engine = engine(5, 500);
        engine.set_parameter("resign", "off").unwrap();
        let mut color = Color::Black;
        while !engine.game().is_over() {
            generate(&mut engine, color);
            color = !color;
            assert!(engine.game().move_number() < 300, "{}", engine.game().board());
        }
        let first = engine.judge();
        let second = engine.judge();
        assert_eq!(first.verdict, second.verdict);
        // The verdict is what the last pass was based on, so nothing was searched for it.
        assert_ne!(engine.searched, Some(engine.position(Color::White)));
    }

    #[test]
    fn answers_no_pass_while_the_opponent_could_still_take_something() {
        // With A2 Black saves two stones and wins; without it White takes them and wins.
        let diagram = tesuji_board::Diagram::parse(
            "X . X X O . O
             . X X X O O O
             X X X X O . O
             . O O O O O O
             X X O O O . O",
        )
        .unwrap();
        let rules = Rules { komi: -8.0, ..Rules::named("chinese").unwrap() };
        let mut game = Game::from_position(diagram.board, Color::White, rules);
        game.play(Color::White, Move::Pass).unwrap();
        let settings = Settings { playouts: 2000, ..Settings::of_preset("rave").unwrap() };
        let mut engine = Engine::new(settings, game);
        let saving = Move::Play(point(&engine, 0, 3));
        assert_eq!(generate(&mut engine, Color::Black), Decision::Move(saving));
    }

    #[test]
    fn analysis_reports_at_least_once_and_ponders_only_when_wanted() {
        let mut engine = engine(5, 100);
        let mut reports = 0;
        engine.analyze(Color::White, Duration::from_secs(60), &flag(true), &mut |report| {
            assert!(report.visits > 0);
            reports += 1;
        });
        assert_eq!(reports, 1);

        let simulations = |engine: &Engine| engine.player.analysis().effort.simulations;
        generate(&mut engine, Color::Black);
        let before = simulations(&engine);
        engine.ponder(&flag(true));
        assert_eq!(simulations(&engine), before);
        engine.set_parameter("ponder", "on").unwrap();
        engine.ponder(&flag(true));
        assert!(simulations(&engine) > before);
    }

    #[test]
    fn clocks_count_the_time_of_generated_moves() {
        let mut engine = engine(5, 100);
        let main = Duration::from_secs(10);
        engine.set_time_system(TimeSystem::Absolute { main });
        generate(&mut engine, Color::Black);
        assert!(engine.clocks().of(Color::Black).left() < main);
        assert_eq!(engine.clocks().of(Color::White).left(), main);
    }
}
