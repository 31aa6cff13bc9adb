//! What the past of a game decides, against the same told from the whole game at once: by looking at all moves and all pictures of
//! the board instead of keeping counts.

use crate::support::{Rng, empty, encode, game, picture, plain, play, points};
use tesuji_board::{Board, Color, Game, HandicapBonus, KoRule, Move, PointSet, Rules, Scoring, Suicide};
use tesuji_net::input::{Line, Planes, Track};
use tesuji_net::model::InputSet;

fn v7(game: &Game) -> Planes {
    encode(game, InputSet::Katago7)
}

/// A game as a list of moves and of pictures: the n-th picture is the board before the n-th move.
struct Whole<'a> {
    game: &'a Game,
    pictures: Vec<String>,
}

impl<'a> Whole<'a> {
    fn new(game: &'a Game) -> Whole<'a> {
        let mut board = game.initial_board().clone();
        let mut pictures = vec![picture(&board)];
        for &(color, mv) in game.moves() {
            match mv {
                Move::Play(point) => board.play_unchecked(point, color),
                Move::Pass => board.pass(),
            }
            pictures.push(picture(&board));
        }
        Whole { game, pictures }
    }

    fn moves(&self) -> &[(Color, Move)] {
        self.game.moves()
    }

    fn is_simple(&self) -> bool {
        self.game.rules().ko == KoRule::Simple
    }

    /// The number of the move that took the button.
    fn button(&self) -> Option<usize> {
        let first = self.moves().iter().position(|&(_, mv)| mv == Move::Pass);
        first.filter(|_| self.game.rules().has_button)
    }

    /// Passes at the end of the first `count` moves, the one that took the button left out.
    fn last_passes(&self, count: usize) -> usize {
        let is_pass = |&i: &usize| self.moves()[i].1 == Move::Pass && self.button() != Some(i);
        (0..count).rev().take_while(is_pass).count()
    }

    /// Whether `color` passed before move `count` in the position before it.
    fn passed_here(&self, count: usize, color: Color) -> bool {
        let first = self.button().map_or(0, |button| button + 1);
        let same =
            |i: usize| self.moves()[i] == (color, Move::Pass) && self.pictures[i] == self.pictures[count];
        self.is_simple() && (first..count).any(same)
    }

    fn ends(&self, i: usize) -> bool {
        let (color, mv) = self.moves()[i];
        if mv == Move::Pass {
            let is_button = self.button() == Some(i);
            return self.last_passes(i + 1) >= 2 || (!is_button && self.passed_here(i, color));
        }
        let after_pass = (0..i).rev().find(|&j| self.moves()[j].1 == Move::Pass).map_or(0, |j| j + 1);
        let to_move = |position: usize| match position.checked_sub(1) {
            Some(before) => !self.moves()[before].0,
            None => self.game.first_to_move(),
        };
        let same = |&position: &usize| {
            self.pictures[position] == self.pictures[i + 1] && to_move(position) == !color
        };
        self.is_simple() && (after_pass..=i + 1).filter(same).count() >= 3
    }

    fn is_hidden(&self) -> bool {
        let rules = self.game.rules();
        let count = self.moves().len();
        rules.friendly_pass
            && rules.scoring == Scoring::Area
            && self.last_passes(count) == 1
            && !self.passed_here(count, self.game.to_move())
    }

    fn shown(&self) -> Vec<Move> {
        let count = self.moves().len();
        let first = (0..count).rev().find(|&i| self.ends(i)).unwrap_or(0);
        if self.is_hidden() {
            return Vec::new();
        }
        (first..count).rev().take(5).map(|i| self.moves()[i].1).collect()
    }

    fn pass_ends(&self) -> bool {
        let count = self.moves().len();
        !self.is_hidden() && (self.last_passes(count) > 0 || self.passed_here(count, self.game.to_move()))
    }

    fn white_points(&self) -> f32 {
        let rules = self.game.rules();
        let stones = |color: Color| {
            let played = self.moves().iter().filter(|&&(by, mv)| by == color && mv != Move::Pass).count();
            played + self.game.initial_board().stone_count(color)
        };
        let first_white = self.moves().iter().position(|&(by, mv)| by == Color::White && mv != Move::Pass);
        let before = &self.moves()[..first_white.unwrap_or(self.moves().len())];
        let mut handicap = self.game.initial_board().stone_count(Color::Black);
        handicap += before.iter().filter(|&&(by, mv)| by == Color::Black && mv != Move::Pass).count();
        let has_handicap = handicap >= 2 && self.game.initial_board().stone_count(Color::White) == 0;
        let bonus = match rules.handicap_bonus {
            _ if !has_handicap => 0,
            HandicapBonus::Zero => 0,
            HandicapBonus::PerStone => handicap,
            HandicapBonus::PerStoneButFirst => handicap - 1,
        };
        let excess = match rules.scoring {
            Scoring::Area => 0.0,
            Scoring::Territory => stones(Color::Black) as f32 - stones(Color::White) as f32,
        };
        let button = match self.button().map(|i| self.moves()[i].0) {
            Some(Color::White) => 0.5,
            Some(Color::Black) => -0.5,
            None => 0.0,
        };
        rules.komi + bonus as f32 + excess + button
    }

    /// The points that superko forbids and nothing else does.
    fn bans(&self) -> PointSet {
        let (board, color) = (self.game.board(), self.game.to_move());
        let first = self.button().map_or(0, |button| button + 1);
        let is_banned = |board: &Board, point| {
            if board.legality(point, color, self.game.rules().suicide).is_err() {
                return false;
            }
            let mut next = board.clone();
            next.play_unchecked(point, color);
            let after = picture(&next);
            let is_single_suicide = after == picture(board);
            let same = |i: usize| {
                let to_move = i.checked_sub(1).map_or(self.game.first_to_move(), |i| !self.moves()[i].0);
                self.pictures[i] == after
                    && match self.game.rules().ko {
                        KoRule::Simple => false,
                        KoRule::Positional => true,
                        KoRule::Situational => to_move == !color,
                    }
            };
            !is_single_suicide && (first..self.pictures.len()).any(same)
        };
        self.game.size().points().filter(|&point| is_banned(board, point)).collect()
    }
}

#[test]
fn random_games_against_the_whole_game() {
    let mut rng = Rng(3);
    let mut events = [0; 8];
    for round in 0..10_000 {
        let mut rules = rng.rules();
        rules.handicap_bonus =
            rng.pick(&[HandicapBonus::Zero, HandicapBonus::PerStone, HandicapBonus::PerStoneButFirst]);
        let (mut width, mut height) = (2 + rng.below(2), 2 + rng.below(3));
        if round % 2 == 0 {
            // Where positions come back soonest.
            (width, height) = (2, 2);
            rules = Rules { ko: KoRule::Simple, scoring: Scoring::Area, ..rules };
        }
        let mut game = empty(width, height, rules);
        let (moves, pass_percent) = (rng.below(50), rng.pick(&[3, 20, 50]));
        let mut line = Line::from_game(&game, game.to_move());
        for _ in 0..moves {
            rng.step(&mut game, pass_percent);
            line.play(game.last_move().unwrap().1);
        }
        let whole = Whole::new(&game);
        let track = Track::of(&game, game.to_move());
        for track in [&track, line.track()] {
            assert_eq!(track.shown().collect::<Vec<_>>(), whole.shown(), "{:?} {rules:?}", game.moves());
            assert_eq!(track.pass_ends_phase(), whole.pass_ends(), "{:?} {rules:?}", game.moves());
            assert_eq!(track.is_over(), moves > 0 && whole.ends(moves - 1));
            assert_eq!(track.white_points(), whole.white_points(), "{:?} {rules:?}", game.moves());
            assert_eq!(track.superko_bans(game.board()), whole.bans(), "{:?} {rules:?}", game.moves());
        }
        // Everything legal for the game is legal here, except suicide of a single stone.
        let mut legal = Vec::new();
        track.write_legal(game.board(), &mut legal);
        for (point, is_legal) in game.size().points().zip(legal) {
            let mut next = game.board().clone();
            let is_legal_there = game.legality(game.to_move(), point).is_ok();
            let is_pass = is_legal_there && {
                next.play_unchecked(point, game.to_move());
                picture(&next) == picture(game.board())
            };
            assert_eq!(is_legal, is_legal_there && !is_pass);
        }
        let last = game.last_move().map(|(_, mv)| mv);
        let by_repetition = track.is_over() && last.is_some_and(|mv| mv != Move::Pass);
        let by_second_pass_here = track.is_over() && whole.last_passes(moves) == 1;
        let hides = whole.is_hidden();
        let button = whole.button().is_some();
        let would_hide =
            rules.friendly_pass && rules.scoring == Scoring::Area && whole.last_passes(moves) == 1 && !hides;
        let mut without_button = game.clone();
        without_button.set_rules(Rules { has_button: false, ..rules });
        let button_lifts = button && Whole::new(&without_button).bans() != whole.bans();
        for (event, happened) in events.iter_mut().zip([
            by_repetition,
            by_second_pass_here,
            hides,
            would_hide,
            button_lifts,
            !whole.bans().is_empty(),
            track.is_over(),
            whole.shown().len() < moves.min(5) && !hides,
        ]) {
            *event += usize::from(happened);
        }
    }
    assert!(events.iter().all(|&count| count >= 5), "{events:?}");
}

#[test]
fn a_track_returns_to_its_marks() {
    let mut rng = Rng(4);
    for _ in 0..200 {
        let rules = rng.rules();
        let mut game = empty(3, 3, rules);
        for _ in 0..rng.below(20) {
            rng.step(&mut game, 20);
        }
        let mut track = Track::of(&game, game.to_move());
        let mark = track.mark();
        let expected = format!("{track:?}");
        for _ in 0..rng.below(20) {
            rng.step(&mut game, 20);
            let (color, mv) = game.last_move().unwrap();
            track.play(color, mv, game.board().hash());
        }
        assert_eq!(format!("{track:?}"), format!("{:?}", Track::of(&game, game.to_move())));
        track.rewind(&mark);
        assert_eq!(format!("{track:?}"), expected);
    }
}

#[test]
fn superko_is_shown_by_its_rule() {
    // White's last stone takes three. Black's answer on A1 makes a position again that had Black to move.
    let cycle = "A1 A2 B2 pass B1 A2";
    let ban = |ko, has_button| points(&v7(&play(empty(2, 2, Rules { ko, has_button, ..plain() }), cycle)), 6);
    assert_eq!(ban(KoRule::Positional, false), "A1");
    assert_eq!(ban(KoRule::Situational, false), "");
    assert_eq!(ban(KoRule::Simple, false), "");
    assert_eq!(ban(KoRule::Positional, true), "");
}

#[test]
fn a_simple_ko_is_shown() {
    let start = ".XO.\nX.XO\n.XO.\nto play: O";
    assert_eq!(points(&v7(&play(game(start, plain()), "B2")), 6), "C2");
    assert_eq!(points(&v7(&play(game(start, plain()), "B2 A1")), 6), "");
}

fn shown(game: &Game) -> (Vec<String>, Vec<f32>, f32) {
    let planes = v7(game);
    let moves = (9..14).map(|plane| points(&planes, plane)).collect();
    (moves, planes.globals()[..5].to_vec(), planes.globals()[14])
}

#[test]
fn the_last_five_moves_are_shown_newest_first() {
    let game = play(empty(3, 3, plain()), "A1 B1 C1 pass B2 C3 A3");
    let (moves, passes, _) = shown(&game);
    assert_eq!(moves, ["A3", "C3", "B2", "", "C1"]);
    assert_eq!(passes, [0.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn moves_out_of_turn_end_what_is_shown() {
    let mut game = empty(3, 3, plain());
    for (color, point) in [(Color::Black, (0, 0)), (Color::Black, (1, 0)), (Color::White, (2, 0))] {
        game.play(color, Move::Play(game.size().point(point.0, point.1).unwrap())).unwrap();
    }
    assert_eq!(shown(&game).0, ["C3", "B3", "", "", ""]);
    let line = Line::from_game(&game, Color::White);
    assert_eq!(line.track().shown().count(), 0, "White's own move came last");
}

#[test]
fn a_first_pass_is_shown_unless_passes_are_friendly() {
    let moves = "A1 B1 pass";
    let strict = play(empty(3, 3, plain()), moves);
    assert_eq!(
        shown(&strict),
        (["", "B1", "A1", "", ""].map(String::from).to_vec(), vec![1.0, 0.0, 0.0, 0.0, 0.0], 1.0)
    );
    let friendly = play(empty(3, 3, Rules { friendly_pass: true, ..plain() }), moves);
    assert_eq!(shown(&friendly), (vec![String::new(); 5], vec![0.0; 5], 0.0));
    let over = play(friendly, "pass");
    assert_eq!(shown(&over), (vec![String::new(); 5], vec![1.0, 0.0, 0.0, 0.0, 0.0], 1.0));
    let resumed = play(over, "C3");
    assert_eq!(shown(&resumed).0, ["C3", "", "", "", ""]);
    assert_eq!((shown(&resumed).1[1], shown(&resumed).2), (1.0, 0.0));
}

#[test]
fn the_button_is_taken_by_the_first_pass() {
    let rules = Rules { has_button: true, komi: 7.0, ..plain() };
    let left = play(empty(3, 3, rules), "A1");
    assert_eq!((v7(&left).globals()[17], v7(&left).globals()[5]), (1.0, 7.0 / 20.0));
    let taken = play(left, "pass");
    let planes = v7(&taken);
    assert_eq!((planes.globals()[17], planes.globals()[5]), (0.0, -7.5 / 20.0));
    assert_eq!(planes.globals()[14], 0.0, "a pass now would be the first");
    assert_eq!(v7(&play(taken, "pass")).globals()[14], 1.0);
}

#[test]
fn komi_is_clipped_and_for_the_side_to_move() {
    let komi = |komi, moves| v7(&play(empty(3, 3, Rules { komi, ..plain() }), moves)).globals()[5];
    assert_eq!(komi(7.5, ""), -7.5 / 20.0);
    assert_eq!(komi(7.5, "A1"), 7.5 / 20.0);
    assert_eq!(komi(100.0, "A1"), 29.0 / 20.0);
    assert_eq!(komi(-100.0, "A1"), -29.0 / 20.0);
}

#[test]
fn komi_under_territory_scoring_counts_moves() {
    let rules = Rules { komi: 6.5, scoring: Scoring::Territory, ..plain() };
    assert_eq!(v7(&play(empty(3, 3, rules), "A1")).globals()[5], 7.5 / 20.0);
    assert_eq!(v7(&play(empty(3, 3, rules), "A1 pass")).globals()[5], -7.5 / 20.0);
    assert_eq!(v7(&play(empty(3, 3, rules), "A1 B1")).globals()[5], -6.5 / 20.0);
    assert_eq!(v7(&game("XX.\n...\n..O\nto play: O", rules)).globals()[5], 7.5 / 20.0);
}

#[test]
fn handicap_counts_past_passes_of_white() {
    let bonus = |handicap_bonus, moves| {
        let rules = Rules { komi: 0.5, handicap_bonus, ..plain() };
        Track::of(&play(empty(5, 5, rules), moves), Color::White).white_points() - 0.5
    };
    assert_eq!(bonus(HandicapBonus::PerStone, "A1 B1"), 0.0);
    assert_eq!(bonus(HandicapBonus::PerStone, "A1 pass C3 pass E5 B2 C2"), 3.0);
    assert_eq!(bonus(HandicapBonus::PerStoneButFirst, "A1 pass C3 pass E5 B2 C2"), 2.0);
    assert_eq!(bonus(HandicapBonus::Zero, "A1 pass C3 pass E5 B2 C2"), 0.0);
    let set_up = |rows| {
        let rules = Rules { komi: 0.5, handicap_bonus: HandicapBonus::PerStone, ..plain() };
        Track::of(&game(rows, rules), Color::White).white_points() - 0.5
    };
    assert_eq!(set_up("X..\n...\n..X\nto play: O"), 2.0);
    assert_eq!(set_up("X..\n.O.\n..X\nto play: O"), 0.0);
    assert_eq!(set_up("X..\n...\n...\nto play: O"), 0.0);
}

#[test]
fn a_third_repetition_ends_the_game_under_simple_ko() {
    let moves = "B1 A2 B2 A1 B1 B2 B1 A2 B2 A1 B1 B2";
    let before = play(empty(2, 2, plain()), moves);
    assert!(!Track::of(&before, before.to_move()).is_over());
    assert_eq!(shown(&before).0, ["B2", "B1", "A1", "B2", "A2"]);
    let over = play(before, "B1");
    assert!(Track::of(&over, over.to_move()).is_over());
    assert_eq!(shown(&over), (["B1", "", "", "", ""].map(String::from).to_vec(), vec![0.0; 5], 0.0));
    let superko = Rules { ko: KoRule::Situational, ..plain() };
    let repeats = play(empty(2, 2, superko), "B1 A2 B2 A1 B1 B2");
    assert_eq!(points(&v7(&repeats), 6), "B1");
}

#[test]
fn the_same_pass_twice_ends_the_game_under_simple_ko() {
    // Black is to pass where Black has passed before, with moves in between.
    let moves = "A2 A1 B2 B1 pass B2 A2 A1 B2 B1";
    let before = play(empty(2, 2, plain()), moves);
    assert_eq!(shown(&before).2, 1.0, "no pass was made just now, and yet one would be the last");
    let over = play(before, "pass");
    assert!(Track::of(&over, over.to_move()).is_over());
    assert_eq!(shown(&over).1, [1.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_friendly_pass_is_shown_where_the_answer_would_be_the_same_pass_twice() {
    let rules = Rules { friendly_pass: true, suicide: Suicide::Allowed, ..plain() };
    let game = play(empty(2, 2, rules), "pass A1 A2 pass B1 pass pass B2 pass");
    assert_eq!(shown(&game), (vec![String::new(); 5], vec![1.0, 0.0, 0.0, 0.0, 0.0], 1.0));
}
