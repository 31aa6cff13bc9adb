//! KataGo's inputs of version 7: 22 planes, 19 global numbers.
//!
//! Everything is for the side to move. Planes 7, 8, 20, 21 and global numbers 12, 13 belong to the second phase of KataGo's
//! territory rules, which is never played here; they stay 0.

use super::line::View;
use super::planes::Planes;
use super::{Places, area, ladder};
use tesuji_board::{Board, Cell, Color, KoRule, Move, Rules, Scoring, Size, Suicide, Tax};

/// Planes of the set.
pub const PLANES: usize = 22;
/// Global numbers of the set.
pub const GLOBALS: usize = 19;

const ON_BOARD: u32 = 0;
const OWN: u32 = 1;
const OPPONENT: u32 = 2;
/// The plane of chains with no liberty, if there were any: those with 1, 2, 3 follow it.
const LIBERTIES: u32 = 2;
const KO: u32 = 6;
const MOVES: u32 = 9;
const LADDERS: u32 = 14;
const LADDER_CAPTURES: u32 = 17;
const OWN_AREA: u32 = 18;
const OPPONENT_AREA: u32 = 19;

/// Points of komi that are 1 for a network.
const KOMI_UNIT: f32 = 20.0;
/// Points by which komi may exceed the area of the board.
const KOMI_MARGIN: f32 = 20.0;

/// What a network is told besides the position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Whether area planes are computed as if suicide were allowed, whatever the rules; a flag of newer networks.
    pub area_with_suicide: bool,
    /// By how many doublings the side to move searches more than its opponent.
    pub playout_doubling_advantage: f32,
    /// The rules that it is told, whatever those of the game: for a network that has learned under no others. Komi is that of the game.
    pub assumed_rules: Option<Rules>,
}

impl Options {
    fn rules<'a>(&'a self, view: &'a View<'_>) -> &'a Rules {
        self.assumed_rules.as_ref().unwrap_or(view.track.rules())
    }
}

/// Makes the inputs; keeps its memory from one position to the next.
#[derive(Clone)]
pub struct Katago7 {
    places: Places,
    ladders: ladder::Reader,
    area: area::Reader,
}

impl Katago7 {
    /// For boards of any size, at first of this one: another later costs an allocation.
    pub fn new(size: Size) -> Katago7 {
        Katago7 {
            places: Places::new(size),
            ladders: ladder::Reader::new(size),
            area: area::Reader::new(size),
        }
    }

    /// Writes the inputs for a position.
    pub fn encode(&mut self, view: &View<'_>, options: Options, planes: &mut Planes) {
        let size = view.board().size();
        self.places.fit(size);
        let (points, globals) = planes.begin(size, GLOBALS);
        self.add_stones(view, points);
        self.add_bans(view, points);
        let shown = self.add_moves(view, points, globals);
        self.add_ladders(view, shown, points);
        self.add_area(view, options, points);
        add_globals(view, options, globals);
    }

    /// Planes 0 to 5; the first to write.
    fn add_stones(&self, view: &View<'_>, points: &mut [u64]) {
        let board = view.board();
        let own = view.to_move().cell();
        for (word, &point) in points.iter_mut().zip(self.places.points()) {
            *word = 1 << ON_BOARD;
            let cell = board.cell(point);
            if cell != Cell::Empty {
                *word |= 1 << if cell == own { OWN } else { OPPONENT };
                let liberties = board.liberty_count(board.chain_at(point));
                if liberties <= 3 {
                    *word |= 1 << (LIBERTIES + liberties as u32);
                }
            }
        }
    }

    /// Plane 6.
    fn add_bans(&self, view: &View<'_>, points: &mut [u64]) {
        let board = view.board();
        let bans = view.track.superko_bans(board);
        for point in bans.iter().chain(ladder::ko_point(board)) {
            points[self.places.ordinal(point)] |= 1 << KO;
        }
    }

    /// Planes 9 to 13, and global numbers 0 to 4 for passes; returns the number of moves shown.
    fn add_moves(&self, view: &View<'_>, points: &mut [u64], globals: &mut [f32]) -> usize {
        let mut count = 0;
        for mv in view.track.shown() {
            match mv {
                Move::Play(point) => points[self.places.ordinal(point)] |= 1 << (MOVES + count as u32),
                Move::Pass => globals[count] = 1.0,
            }
            count += 1;
        }
        count
    }

    /// Planes 14 to 17. Where fewer moves are shown than the older boards are back, a newer board stands in for them.
    fn add_ladders(&mut self, view: &View<'_>, shown: usize, points: &mut [u64]) {
        let now = self.ladders.read(view.board());
        let mut stones = now.stones;
        for (i, board) in view.boards.into_iter().enumerate() {
            if (1..=shown).contains(&i) {
                stones = self.ladders.stones(board);
            }
            for point in stones.iter() {
                points[self.places.ordinal(point)] |= 1 << (LADDERS + i as u32);
            }
        }
        for point in now.captures[(!view.to_move()).index()].iter() {
            points[self.places.ordinal(point)] |= 1 << LADDER_CAPTURES;
        }
    }

    /// Planes 18 and 19.
    fn add_area(&mut self, view: &View<'_>, options: Options, points: &mut [u64]) {
        let rules = options.rules(view);
        if rules.scoring == Scoring::Territory {
            return;
        }
        let suicide = if options.area_with_suicide { Suicide::Allowed } else { rules.suicide };
        let owners = self.area.read(view.board(), suicide, rules.tax);
        let own = view.to_move().cell();
        for (word, &point) in points.iter_mut().zip(self.places.points()) {
            let owner = owners[point];
            if owner != Cell::Empty {
                *word |= 1 << if owner == own { OWN_AREA } else { OPPONENT_AREA };
            }
        }
    }
}

/// Global numbers from 5 on.
fn add_globals(view: &View<'_>, options: Options, globals: &mut [f32]) {
    let rules = options.rules(view);
    let switch = |on: bool| if on { 1.0 } else { 0.0 };
    let komi = own_komi(view.board(), view.track.white_points(), view.to_move());
    globals[5] = komi / KOMI_UNIT;
    (globals[6], globals[7]) = match rules.ko {
        KoRule::Simple => (0.0, 0.0),
        KoRule::Positional => (1.0, 0.5),
        KoRule::Situational => (1.0, -0.5),
    };
    globals[8] = switch(rules.suicide == Suicide::Allowed);
    globals[9] = switch(rules.scoring == Scoring::Territory);
    globals[10] = switch(rules.tax != Tax::None);
    globals[11] = switch(rules.tax == Tax::All);
    globals[14] = switch(view.track.pass_ends_phase());
    globals[15] = switch(options.playout_doubling_advantage != 0.0);
    globals[16] = 0.5 * options.playout_doubling_advantage;
    globals[17] = switch(rules.has_button && view.track.is_button_left());
    if rules.scoring == Scoring::Area {
        globals[18] = parity_wave(komi, view.board().size().area());
    }
}

/// Komi for the side to move, within what a board can be worth.
fn own_komi(board: &Board, white_points: f32, to_move: Color) -> f32 {
    let most = board.size().area() as f32 + KOMI_MARGIN;
    let komi = if to_move == Color::White { white_points } else { -white_points };
    komi.clamp(-most, most)
}

/// How far komi is from one with which the game could be a draw, as a wave of period 2: 0 there and halfway between, ½ and −½
/// around.
fn parity_wave(komi: f32, area: usize) -> f32 {
    let parity = (area % 2) as f32;
    let drawable = ((komi - parity) / 2.0).floor() * 2.0 + parity;
    let above = komi - drawable;
    if above < 0.5 {
        above
    } else if above < 1.5 {
        1.0 - above
    } else {
        above - 2.0
    }
}
