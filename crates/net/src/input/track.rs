//! The course of a game as far as a network may see it: kept move by move, without boards.
//!
//! A [`Track`] knows the last moves, passes, button, komi and which positions were there before. A game makes one
//! ([`Track::of`]), and a search goes on with it: [`Track::play`] after each move, [`Track::mark`] and [`Track::rewind`] to
//! return. None of them looks at the moves before, or allocates in a game of usual length.
//!
//! What counts as the end of a phase, which positions are compared and what White is given follow KataGo, whose networks have learned
//! them so. They differ from [`Game`] where that is simpler: [`Game::is_over`] knows two passes alone, and [`Game::handicap`]
//! stops at a pass.

use tesuji_board::zobrist::WHITE_TO_MOVE;
use tesuji_board::{Board, Color, Game, KoRule, Move, Point, PointSet, Rules, Scoring, Suicide, hash_after};

/// Most moves that any set of planes shows.
pub const MOST_RECENT: usize = 8;

/// Moves and passes for which there is room from the beginning.
const EXPECTED_MOVES: usize = 512;
const EXPECTED_PASSES: usize = 64;

/// Moves shown by KataGo's planes.
const MOST_SHOWN: usize = 5;

/// The course of a game.
#[derive(Debug)]
pub struct Track {
    rules: Rules,
    now: Mark,
    /// The positions since the start, each with the side to move unless the ko rule compares stones alone.
    positions: Vec<u64>,
    /// The positions in which somebody passed, with the one who did; kept under simple ko only.
    passes: Vec<u64>,
}

/// A moment of a [`Track`] to return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    to_move: Color,
    /// Hash of the stones.
    hash: u64,
    /// Newest first.
    recent: [Option<(Color, Move)>; MOST_RECENT],
    /// Moves since the game was over, its last one included; counted up to the length of `recent`.
    shown: usize,
    /// Passes in a row that count towards the end.
    ending_passes: u32,
    is_over: bool,
    button: Button,
    /// Black stones before White's first, if they can be a handicap.
    handicap: Handicap,
    /// Stones that Black has put on the board, minus White's.
    black_excess: i32,
    /// Points that ever had a stone.
    touched: PointSet,
    position_count: usize,
    /// The first of the positions that still count.
    first_position: usize,
    pass_count: usize,
    first_pass: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Button {
    /// The rules have none.
    None,
    /// The first to pass takes it.
    Left,
    /// This player has it.
    Taken(Color),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handicap {
    /// White has not played yet.
    Growing(usize),
    /// Nothing changes it any more.
    Fixed(usize),
}

impl Track {
    /// A game that begins with this position.
    pub fn start(board: &Board, to_move: Color, rules: &Rules) -> Track {
        let placed = |color: Color| board.stone_count(color) as i32 + board.prisoners(!color) as i32;
        let has_white = board.stone_count(Color::White) > 0;
        let mut track = Track {
            rules: *rules,
            now: Mark {
                to_move,
                hash: board.hash(),
                recent: [None; MOST_RECENT],
                shown: 0,
                ending_passes: 0,
                is_over: false,
                button: if rules.has_button { Button::Left } else { Button::None },
                handicap: if has_white {
                    Handicap::Fixed(0)
                } else {
                    Handicap::Growing(board.stone_count(Color::Black))
                },
                black_excess: placed(Color::Black) - placed(Color::White),
                touched: board.size().points().filter(|&point| !board.is_empty(point)).collect(),
                position_count: 0,
                first_position: 0,
                pass_count: 0,
                first_pass: 0,
            },
            positions: Vec::with_capacity(EXPECTED_MOVES),
            passes: Vec::with_capacity(EXPECTED_PASSES),
        };
        track.add_position(board.hash(), to_move);
        track
    }

    /// The course of a game, with `to_move` to play now.
    pub fn of(game: &Game, to_move: Color) -> Track {
        let mut track = Track::start(game.initial_board(), game.first_to_move(), game.rules());
        let after = game.history().situations().iter().skip(1);
        for (&(color, mv), &(hash, _)) in game.moves().iter().zip(after) {
            track.play(color, mv, hash);
        }
        track.now.to_move = to_move;
        track
    }

    /// Makes this equal to `other` in memory that is there already.
    pub fn copy_from(&mut self, other: &Track) {
        self.rules = other.rules;
        self.now = other.now;
        self.positions.clone_from(&other.positions);
        self.passes.clone_from(&other.passes);
    }

    /// Adds a move after which the stones have this [`Board::hash`].
    pub fn play(&mut self, color: Color, mv: Move, hash: u64) {
        let now = &mut self.now;
        let is_simple = self.rules.ko == KoRule::Simple;
        let mut ends = false;
        match mv {
            Move::Pass if now.button == Button::Left => {
                now.button = Button::Taken(color);
                now.ending_passes = 0;
                now.first_position = self.positions.len();
                now.first_pass = self.passes.len();
            }
            Move::Pass => {
                // Two passes of one player are not an end: the opponent was never asked.
                now.ending_passes = if color == now.to_move { now.ending_passes + 1 } else { 1 };
                ends = now.ending_passes >= 2;
                if is_simple {
                    let key = with_side(hash, color);
                    ends |= self.passes[now.first_pass..].contains(&key);
                    self.passes.push(key);
                    now.pass_count = self.passes.len();
                    now.first_position = self.positions.len();
                }
            }
            Move::Play(point) => {
                now.ending_passes = 0;
                now.touched.insert(point);
                now.black_excess += if color == Color::Black { 1 } else { -1 };
                now.handicap = match (now.handicap, color) {
                    (Handicap::Growing(stones), Color::Black) => Handicap::Growing(stones + 1),
                    (Handicap::Growing(stones), Color::White) => Handicap::Fixed(stones),
                    (fixed, _) => fixed,
                };
            }
        }
        now.hash = hash;
        now.to_move = !color;
        now.recent.rotate_right(1);
        now.recent[0] = Some((color, mv));
        self.add_position(hash, !color);
        ends |= is_simple && mv != Move::Pass && self.occurrences() >= 3;
        let now = &mut self.now;
        now.shown = if ends { 1 } else { (now.shown + 1).min(MOST_RECENT) };
        now.is_over = ends;
    }

    /// This moment, to return to.
    pub fn mark(&self) -> Mark {
        self.now
    }

    /// Returns to a moment before the last moves of this track.
    pub fn rewind(&mut self, mark: &Mark) {
        self.now = *mark;
        self.positions.truncate(mark.position_count);
        self.passes.truncate(mark.pass_count);
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who is to move.
    pub fn to_move(&self) -> Color {
        self.now.to_move
    }

    /// Whether the game has ended: by passes, or by a third repetition under simple ko. Moves may follow nevertheless.
    pub fn is_over(&self) -> bool {
        self.now.is_over
    }

    /// The last moves, newest first, all of them.
    pub fn recent(&self) -> impl Iterator<Item = (Color, Move)> + '_ {
        self.now.recent.iter().map_while(|&entry| entry)
    }

    /// The last moves, newest first, that KataGo's planes show: while players alternate, and not past the end of a game.
    pub fn shown(&self) -> impl Iterator<Item = Move> + '_ {
        let most = if self.hides_history() { 0 } else { self.now.shown.min(MOST_SHOWN) };
        let expected = [!self.now.to_move, self.now.to_move].into_iter().cycle();
        self.recent().take(most).zip(expected).map_while(|((color, mv), by)| (color == by).then_some(mv))
    }

    /// Whether a pass now would end the game, or its main phase under territory scoring, as far as a network is told.
    pub fn pass_ends_phase(&self) -> bool {
        !self.hides_history() && (self.a_pass_is_second() || self.passed_here_before())
    }

    /// Whether nobody has taken the button yet.
    pub fn is_button_left(&self) -> bool {
        self.now.button == Button::Left
    }

    /// Points that White is given: komi, handicap bonus, button, and under territory scoring the stones that Black has put
    /// on the board minus White's, which makes area of territory.
    pub fn white_points(&self) -> f32 {
        let (Handicap::Growing(stones) | Handicap::Fixed(stones)) = self.now.handicap;
        let bonus = if stones < 2 { 0 } else { self.rules.handicap_bonus.points(stones) };
        let stones = match self.rules.scoring {
            Scoring::Area => 0,
            Scoring::Territory => self.now.black_excess,
        };
        let button = match self.now.button {
            Button::Taken(Color::White) => 0.5,
            Button::Taken(Color::Black) => -0.5,
            Button::None | Button::Left => 0.0,
        };
        self.rules.komi + bonus as f32 + stones as f32 + button
    }

    /// The points where superko alone forbids the side to move to play on `board`, which must be the position now.
    ///
    /// Suicide of a single stone is left out: [`Track::is_legal`] refuses it without looking back.
    pub fn superko_bans(&self, board: &Board) -> PointSet {
        let mut bans = PointSet::EMPTY;
        if self.rules.ko == KoRule::Simple {
            return bans;
        }
        let color = self.now.to_move;
        let earlier = &self.positions[self.now.first_position..];
        for &point in board.empties() {
            // Where there never was a stone, one makes a position that never was, unless it is suicide.
            let is_suicide = board.is_suicide(point, color);
            if !is_suicide && !self.now.touched.contains(point) {
                continue;
            }
            if board.ko_point(color) == Some(point) || (is_suicide && !self.may_commit_suicide(board, point))
            {
                continue;
            }
            if earlier.contains(&self.key(hash_after(board, point, color), !color)) {
                bans.insert(point);
            }
        }
        bans
    }

    /// Whether the side to move may play on a point of `board`, the position now, superko aside.
    pub fn is_legal(&self, board: &Board, point: Point) -> bool {
        let color = self.now.to_move;
        board.legality(point, color, self.rules.suicide).is_ok()
            && (!board.is_suicide(point, color) || self.may_commit_suicide(board, point))
    }

    /// Writes for every point in reading order whether the side to move may play there.
    ///
    /// Suicide of a single stone, which is a pass in all but name, is never legal, as in KataGo.
    pub fn write_legal(&self, board: &Board, legal: &mut Vec<bool>) {
        let bans = self.superko_bans(board);
        let is_legal = |point| self.is_legal(board, point) && !bans.contains(point);
        legal.clear();
        legal.extend(board.size().points().map(is_legal));
    }

    /// Whether suicide on the point is allowed and takes more than one stone.
    fn may_commit_suicide(&self, board: &Board, point: Point) -> bool {
        self.rules.suicide == Suicide::Allowed && board.neighborhood(point).sides_of(self.now.to_move) > 0
    }

    fn a_pass_is_second(&self) -> bool {
        self.now.button != Button::Left && self.now.ending_passes >= 1
    }

    /// Whether the side to move has passed in this very position, which under simple ko makes another pass the last.
    fn passed_here_before(&self) -> bool {
        let key = with_side(self.now.hash, self.now.to_move);
        self.passes[self.now.first_pass..].contains(&key)
    }

    /// Whether a first pass is kept from the network: players may pass before dead stones are off, and play on.
    fn hides_history(&self) -> bool {
        self.rules.friendly_pass
            && self.rules.scoring == Scoring::Area
            && self.now.ending_passes == 1
            && !self.passed_here_before()
    }

    fn add_position(&mut self, hash: u64, to_move: Color) {
        self.positions.push(self.key(hash, to_move));
        self.now.position_count = self.positions.len();
    }

    /// How often the position now was there, as far as positions count.
    fn occurrences(&self) -> usize {
        let counting = &self.positions[self.now.first_position..];
        counting.last().map_or(0, |last| counting.iter().filter(|&key| key == last).count())
    }

    /// What the ko rule compares.
    fn key(&self, hash: u64, to_move: Color) -> u64 {
        if self.rules.ko == KoRule::Positional { hash } else { with_side(hash, to_move) }
    }
}

impl Clone for Track {
    /// With room for the rest of a game, which a derived one would not have.
    fn clone(&self) -> Track {
        let mut track = Track {
            rules: self.rules,
            now: self.now,
            positions: Vec::with_capacity(EXPECTED_MOVES),
            passes: Vec::with_capacity(EXPECTED_PASSES),
        };
        track.copy_from(self);
        track
    }
}

fn with_side(hash: u64, color: Color) -> u64 {
    if color == Color::White { hash ^ WHITE_TO_MOVE } else { hash }
}
