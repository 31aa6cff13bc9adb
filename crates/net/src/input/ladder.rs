//! Ladders as KataGo's networks know them.
//!
//! A chain of one liberty is caught if it cannot get away with its owner to move; a chain of two, if it is caught after the attacker
//! has played one of them. Unlike [`tesuji_board::LadderReader`], which answers for a player, this is a definition to be met exactly: an
//! attacker's move that takes a ko counts as a failure, a double ko as a success, and the whole search is forgotten after
//! [`MOST_MOVES`] moves.
//!
//! Most chains are settled within two moves, so moves are made and taken back on one copy of the board, and the position of an
//! earlier move, which was usually read when it was the newest, is looked up.

use arrayvec::ArrayVec;
use tesuji_board::{Board, Cell, Chain, Color, Point, PointSet, Size, UndoLog};

/// Moves of one search, after which the chain is taken to escape.
const MOST_MOVES: usize = 25_000;

/// Moves in a row, after which the chain is taken to escape: more than any ladder on the largest board has; bounds the recursion.
const MOST_DEPTH: usize = 1_000;

/// Positions whose ladders are remembered; a power of two.
const REMEMBERED: usize = 1_024;

/// What was found on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ladders {
    /// Stones of chains that are caught.
    pub(super) stones: PointSet,
    /// By colour of the prey: first moves that catch a chain of two liberties.
    pub(super) captures: [PointSet; 2],
}

/// Reads ladders; keeps its memory from one position to the next.
#[derive(Clone)]
pub(super) struct Reader {
    board: Box<Board>,
    log: UndoLog,
    moves: Vec<Point>,
    /// Moves made in the search under way.
    made: usize,
    remembered: Vec<Option<Remembered>>,
}

#[derive(Clone, Copy)]
struct Remembered {
    hash: u64,
    ko: Option<Point>,
    stones: PointSet,
}

#[derive(Clone, Copy)]
struct Prey {
    stone: Point,
    owner: Color,
}

impl Reader {
    pub(super) fn new(size: Size) -> Reader {
        Reader {
            board: Box::new(Board::new(size)),
            log: UndoLog::new(),
            moves: Vec::new(),
            made: 0,
            remembered: vec![None; REMEMBERED],
        }
    }

    /// The stones of caught chains on a board that may have been read before.
    pub(super) fn stones(&mut self, board: &Board) -> PointSet {
        let (slot, hash, ko) = (slot(board), board.hash(), ko_point(board));
        match &self.remembered[slot] {
            Some(known) if known.hash == hash && known.ko == ko && self.board.size() == board.size() => {
                known.stones
            }
            _ => self.read(board).stones,
        }
    }

    /// All ladders of a board, whoever is to move.
    pub(super) fn read(&mut self, board: &Board) -> Ladders {
        self.load(board);
        let ko = ko_point(board);
        let mut found = Ladders::default();
        for (stone, owner) in board.chain_representatives() {
            let chain = board.chain_at(stone);
            let prey = Prey { stone, owner };
            let is_caught = match board.liberty_count(chain) {
                1 => self.search(prey),
                2 => {
                    let captures = &mut found.captures[owner.index()];
                    self.first_moves(board, chain, prey, ko, captures)
                }
                _ => false,
            };
            if is_caught {
                found.stones.extend(board.stones(chain));
            }
        }
        self.remembered[slot(board)] = Some(Remembered { hash: board.hash(), ko, stones: found.stones });
        found
    }

    /// The moves that save a chain of `color` in atari from its ladder; they may be forbidden on the real board.
    pub(super) fn escapes(&mut self, board: &Board, color: Color) -> PointSet {
        self.load(board);
        let mut escapes = PointSet::EMPTY;
        for (stone, owner) in board.chain_representatives() {
            if owner != color || board.liberty_count(board.chain_at(stone)) != 1 {
                continue;
            }
            let prey = Prey { stone, owner };
            self.moves.clear();
            self.add_defences(prey);
            for i in 0..self.moves.len() {
                let point = self.moves[i];
                if self.board.is_suicide(point, color) {
                    continue;
                }
                self.made = 0;
                self.make(point, color);
                if !self.attack(prey, 1) {
                    escapes.insert(point);
                }
                self.board.undo(&mut self.log);
            }
        }
        escapes
    }

    /// Makes the board to read on; without its ko, which only first moves heed.
    fn load(&mut self, board: &Board) {
        if self.board.size() != board.size() {
            self.remembered.fill(None);
        }
        self.board.copy_from(board);
        self.board.pass();
    }

    /// Whether one of the two liberties of a chain is a first move that catches it; adds those that do.
    fn first_moves(
        &mut self,
        board: &Board,
        chain: Chain,
        prey: Prey,
        ko: Option<Point>,
        captures: &mut PointSet,
    ) -> bool {
        let mut liberties = board.liberties(chain);
        let (Some(a), Some(b)) = (liberties.next(), liberties.next()) else { return false };
        let mut is_caught = false;
        for (point, left) in [(a, b), (b, a)] {
            if Some(point) == ko || runs_away(board, left, prey) || board.is_suicide(point, !prey.owner) {
                continue;
            }
            self.board.play_recorded(point, !prey.owner, &mut self.log);
            // A ko does not save the chain here.
            self.board.pass();
            if self.search(prey) {
                captures.insert(point);
                is_caught = true;
            }
            self.board.undo(&mut self.log);
        }
        is_caught
    }

    /// Whether a chain with its owner to move is caught.
    fn search(&mut self, prey: Prey) -> bool {
        self.made = 0;
        self.moves.clear();
        self.defend(prey, 0) && self.made < MOST_MOVES
    }

    fn defend(&mut self, prey: Prey, depth: usize) -> bool {
        let chain = self.board.chain_at(prey.stone);
        if self.board.liberty_count(chain) > 1 || self.board.ko_point(prey.owner).is_some() {
            return false;
        }
        if depth >= MOST_DEPTH {
            return false;
        }
        let first = self.moves.len();
        self.add_defences(prey);
        let end = self.moves.len();
        let mut is_caught = true;
        for i in first..end {
            let point = self.moves[i];
            if self.board.is_suicide(point, prey.owner) {
                continue;
            }
            if !self.make(point, prey.owner) {
                is_caught = false;
                break;
            }
            is_caught = self.attack(prey, depth + 1);
            self.board.undo(&mut self.log);
            if !is_caught {
                break;
            }
        }
        self.moves.truncate(first);
        is_caught
    }

    fn attack(&mut self, prey: Prey, depth: usize) -> bool {
        let board = &*self.board;
        let chain = board.chain_at(prey.stone);
        match board.liberty_count(chain) {
            0 | 1 => return true,
            2 => {}
            _ => return false,
        }
        let mut liberties = board.liberties(chain);
        let (Some(a), Some(b)) = (liberties.next(), liberties.next()) else { return false };
        if is_double_ko(board, chain, [a, b], prey) {
            return true;
        }
        // The side on which the chain has more room is the better one to stop it.
        let room = |point: Point| board.neighborhood(point).empty_sides();
        let order = if room(b) > room(a) { [(b, a), (a, b)] } else { [(a, b), (b, a)] };
        for (point, left) in order {
            let board = &*self.board;
            if board.ko_point(!prey.owner) == Some(point)
                || runs_away(board, left, prey)
                || board.is_suicide(point, !prey.owner)
            {
                continue;
            }
            if !self.make(point, !prey.owner) {
                return false;
            }
            let is_caught = self.defend(prey, depth + 1);
            self.board.undo(&mut self.log);
            if is_caught {
                return true;
            }
        }
        false
    }

    /// Plays unless the search has become too long.
    fn make(&mut self, point: Point, color: Color) -> bool {
        if self.made >= MOST_MOVES {
            return false;
        }
        self.made += 1;
        self.board.play_recorded(point, color, &mut self.log);
        true
    }

    /// Adds the captures beside a chain in atari and its last liberty to `moves`, each once.
    fn add_defences(&mut self, prey: Prey) {
        let board = &*self.board;
        let first = self.moves.len();
        let chain = board.chain_at(prey.stone);
        for point in attackers_in_atari(board, chain, prey.owner).chain(board.first_liberty(chain)) {
            if !self.moves[first..].contains(&point) {
                self.moves.push(point);
            }
        }
    }
}

/// The last liberties of opposing chains beside a chain, some of them more than once.
fn attackers_in_atari(board: &Board, chain: Chain, owner: Color) -> impl Iterator<Item = Point> + '_ {
    let attackers = board.stones(chain).flat_map(move |stone| board.sides(stone, (!owner).cell()));
    attackers
        .map(|side| board.chain_at(side))
        .filter(|&attacker| board.liberty_count(attacker) == 1)
        .filter_map(|attacker| board.first_liberty(attacker))
}

/// Whether a chain that extends to the liberty left has four liberties, hence three if the attacker took one before: then nothing
/// that the attacker plays first hinders it. What the extension captures does not count, since the attacker may save it.
fn runs_away(board: &Board, left: Point, prey: Prey) -> bool {
    const ENOUGH: usize = 4;
    let joined = board.chains_beside(left, prey.owner);
    if joined.iter().any(|&chain| board.liberty_count(chain) > ENOUGH) {
        return true;
    }
    let mut found: ArrayVec<Point, ENOUGH> = board.sides(left, Cell::Empty).collect();
    for liberty in joined.iter().flat_map(|&chain| board.liberties(chain)).filter(|&liberty| liberty != left)
    {
        if found.is_full() {
            return true;
        }
        if !found.contains(&liberty) {
            found.push(liberty);
        }
    }
    found.is_full()
}

/// Whether both liberties are mouths of kos of which the owner can win but one at a time, so that connecting does not help.
fn is_double_ko(board: &Board, chain: Chain, liberties: [Point; 2], prey: Prey) -> bool {
    liberties.iter().all(|&point| is_ko_mouth(board, point, prey.owner))
        && liberties.iter().all(|&point| board.liberties_after(point, prey.owner, 3) <= 2)
        && attackers_in_atari(board, chain, prey.owner).next().is_none()
}

/// Whether the attacker would take exactly one stone on a point amid the owner's stones.
fn is_ko_mouth(board: &Board, point: Point, owner: Color) -> bool {
    if !board.neighborhood(point).is_surrounded_by(owner) {
        return false;
    }
    let mut in_atari = board
        .sides(point, owner.cell())
        .map(|side| board.chain_at(side))
        .filter(|&chain| board.liberty_count(chain) == 1);
    matches!((in_atari.next(), in_atari.next()), (Some(chain), None) if board.chain_size(chain) == 1)
}

/// The point that may not be retaken at once, whoever that concerns.
pub(super) fn ko_point(board: &Board) -> Option<Point> {
    Color::BOTH.into_iter().find_map(|color| board.ko_point(color))
}

fn slot(board: &Board) -> usize {
    board.hash() as usize % REMEMBERED
}
