//! Games, planes as lists of points, random numbers.

use tesuji_board::{Board, Color, Diagram, Game, KoRule, Move, Rules, Scoring, Size, Suicide, Tax};
use tesuji_net::input::{Encoder, Line, Planes};
use tesuji_net::model::{Input, InputSet};

pub(crate) fn input(set: InputSet) -> Input {
    Input::all(set)
}

/// The input for the side to move of a game.
pub(crate) fn encode(game: &Game, set: InputSet) -> Planes {
    encode_with(game, &input(set))
}

pub(crate) fn encode_with(game: &Game, input: &Input) -> Planes {
    let mut planes = Planes::new(game.size());
    let line = Line::from_game(game, game.to_move());
    Encoder::new(input, game.size()).encode(&line.view(), &mut planes);
    planes
}

/// The points of a plane, in reading order.
pub(crate) fn points(planes: &Planes, plane: usize) -> String {
    let size = planes.size();
    let in_plane = |&(i, _): &(usize, _)| planes.points()[i] >> plane & 1 != 0;
    let names = size.points().enumerate().filter(in_plane).map(|(_, point)| point.to_gtp(size));
    names.collect::<Vec<_>>().join(" ")
}

/// A game that starts with a diagram, Black to move unless it says otherwise.
pub(crate) fn game(diagram: &str, rules: Rules) -> Game {
    let diagram = Diagram::parse(diagram).unwrap();
    Game::from_position(diagram.board, diagram.to_play.unwrap_or(Color::Black), rules)
}

/// A game after moves such as `D4 pass C3`, players in turn.
pub(crate) fn play(mut game: Game, moves: &str) -> Game {
    for word in moves.split_whitespace() {
        let mv = Move::from_gtp(word, game.size()).unwrap();
        let color = game.to_move();
        game.play(color, mv).unwrap_or_else(|error| panic!("{word}: {error}"));
    }
    game
}

pub(crate) fn empty(width: usize, height: usize, rules: Rules) -> Game {
    Game::new(Size::new(width, height).unwrap(), rules)
}

/// Rules without surprises: area, simple ko, no suicide, no bonus, first passes shown.
pub(crate) fn plain() -> Rules {
    let mut rules = Rules { komi: 7.5, ..Rules::named("tromp-taylor").unwrap() };
    rules.ko = KoRule::Simple;
    rules.suicide = Suicide::Forbidden;
    rules
}

/// A reproducible source of numbers: SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which must not be 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn rules(&mut self) -> Rules {
        let mut rules = Rules::default();
        rules.ko = self.pick(&[KoRule::Simple, KoRule::Positional, KoRule::Situational]);
        rules.suicide = self.pick(&[Suicide::Forbidden, Suicide::Allowed]);
        rules.scoring = self.pick(&[Scoring::Area, Scoring::Area, Scoring::Territory]);
        rules.tax = self.pick(&[Tax::None, Tax::Seki, Tax::All]);
        rules.has_button = rules.scoring == Scoring::Area && self.chance(30);
        rules.friendly_pass = self.chance(50);
        rules.komi = self.pick(&[7.5, 7.0, 0.0, -3.0, 6.5, 100.0]);
        rules
    }

    /// Plays a random legal move, or a pass.
    pub(crate) fn step(&mut self, game: &mut Game, pass_percent: usize) {
        let color = game.to_move();
        let legal: Vec<_> = game.legal_points(color).collect();
        let mv = if legal.is_empty() || self.chance(pass_percent) {
            Move::Pass
        } else {
            Move::Play(self.pick(&legal))
        };
        game.play(color, mv).unwrap();
    }

    /// A random game on a small board.
    pub(crate) fn game(&mut self, sides: std::ops::Range<usize>, pass_percent: usize) -> Game {
        let side = |rng: &mut Rng| sides.start + rng.below(sides.len());
        let size = Size::new(side(self), side(self)).unwrap();
        let rules = self.rules();
        let mut game = Game::new(size, rules);
        for _ in 0..self.below(2 * size.area()) {
            self.step(&mut game, pass_percent);
        }
        game
    }
}

/// The stones as text, coordinates left out.
pub(crate) fn picture(board: &Board) -> String {
    let size = board.size();
    let symbol = |point| match board.color(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    size.points().map(symbol).collect()
}
