//! Ladders: can a chain be captured by giving atari with every move?
//!
//! The attacker plays liberties of the prey only. The defender extends, or captures any chain in atari that is beside the prey.
//! The prey escapes with three liberties, and also with two when it is its turn: that is no ladder.
//!
//! Ko counts for the prey: the attacker never retakes one at once, and a defender who only lacks the right to
//! retake has escaped. `Captured` therefore needs no ko threats.
//!
//! A move without an alternative is played on the board at hand, and boards are only stacked where the reading
//! branches, so a plain ladder is read on a few boards whatever its length.

use crate::board::{Board, Suicide};
use crate::color::Color;
use crate::point::Point;
use crate::point_set::PointSet;
use arrayvec::ArrayVec;

/// Most moves of the attacker in a row: more than any ladder on the largest board takes.
const MAX_DEPTH: usize = 400;

/// Whether the attacker captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ladder {
    /// The prey is captured whatever its owner plays.
    Captured,
    /// The prey gets away from every atari.
    Escapes,
    /// Reading stopped at its limit.
    Unknown,
}

/// The outcome of a ladder and the move that brings it about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderReading {
    /// Whether the prey is captured.
    pub outcome: Ladder,
    /// The move with which the player to move reaches the goal; none if it is out of reach or there without a move.
    pub key_move: Option<Point>,
    /// Number of moves tried.
    pub nodes: usize,
}

/// Reads ladders; keeps its boards from one reading to the next.
#[derive(Default)]
pub struct LadderReader {
    boards: Vec<Board>,
    nodes: usize,
    node_limit: usize,
}

impl LadderReader {
    /// A reader that has not allocated anything yet.
    pub fn new() -> LadderReader {
        LadderReader::default()
    }

    /// Reads the ladder of the chain at `prey` with `player` to move, trying at most about `node_limit` moves.
    ///
    /// A point without a stone has escaped.
    pub fn read(&mut self, board: &Board, prey: Point, player: Color, node_limit: usize) -> LadderReading {
        self.nodes = 0;
        self.node_limit = node_limit;
        let reading = |(outcome, key_move), nodes| LadderReading { outcome, key_move, nodes };
        let Some(owner) = board.color(prey) else { return reading((Ladder::Escapes, None), 0) };
        match self.boards.first_mut() {
            Some(first) => first.copy_from(board),
            None => self.boards.push(board.clone()),
        }
        let prey = Prey { stone: prey, owner };
        let found = if player == owner { self.defend(0, prey, 0) } else { self.attack(0, prey, 0) };
        reading(found, self.nodes)
    }

    /// The outcome with the attacker to move on the board at `level`, which is used up.
    fn attack(&mut self, level: usize, prey: Prey, depth: usize) -> (Ladder, Option<Point>) {
        let board = &self.boards[level];
        let attacker = !prey.owner;
        let chain = board.chain_at(prey.stone);
        if board.liberty_count(chain) > 2 {
            return (Ladder::Escapes, None);
        }
        let liberties: ArrayVec<Point, 2> = board.liberties(chain).collect();
        if let [last] = liberties[..] {
            let may_capture = board.ko_point(attacker) != Some(last);
            return if may_capture { (Ladder::Captured, Some(last)) } else { (Ladder::Escapes, None) };
        }
        if depth >= MAX_DEPTH {
            return (Ladder::Unknown, None);
        }
        let mut moves: ArrayVec<Point, 2> = ArrayVec::new();
        for (i, &point) in liberties.iter().enumerate() {
            let left = liberties[1 - i];
            // Points opened by an extension to the liberty that is left, and the liberty taken is none of them.
            let opened = board.size().neighbors(left).filter(|&side| board.is_empty(side) && side != point);
            if opened.count() < 3 && board.legality(point, attacker, Suicide::Forbidden).is_ok() {
                moves.push(point);
            }
        }
        // Where the prey could run farther is the better side to stop it.
        moves.sort_by_key(|&point| std::cmp::Reverse(board.neighborhood(point).empty_sides()));
        let mut best = (Ladder::Escapes, None);
        for (i, &point) in moves.iter().enumerate() {
            let at = self.branch(level, i + 1 < moves.len());
            if !self.try_move(at, point, attacker) {
                return (Ladder::Unknown, None);
            }
            match self.defend(at, prey, depth + 1).0 {
                Ladder::Captured => return (Ladder::Captured, Some(point)),
                Ladder::Unknown => best = (Ladder::Unknown, None),
                Ladder::Escapes => {}
            }
        }
        best
    }

    /// The outcome with the defender to move on the board at `level`, which is used up.
    fn defend(&mut self, level: usize, prey: Prey, depth: usize) -> (Ladder, Option<Point>) {
        let board = &self.boards[level];
        if board.liberty_count(board.chain_at(prey.stone)) > 1 {
            return (Ladder::Escapes, None);
        }
        let moves = match defences(board, prey) {
            Defences::Moves(moves) => moves,
            Defences::Ko => return (Ladder::Escapes, None),
        };
        let count = moves.len();
        let mut best = (Ladder::Captured, None);
        for (i, point) in moves.iter().enumerate() {
            let at = self.branch(level, i + 1 < count);
            if !self.try_move(at, point, prey.owner) {
                return (Ladder::Unknown, None);
            }
            match self.attack(at, prey, depth).0 {
                Ladder::Escapes => return (Ladder::Escapes, Some(point)),
                Ladder::Unknown => best = (Ladder::Unknown, None),
                Ladder::Captured => {}
            }
        }
        best
    }

    /// Where to play the next move: on a copy if the board will be needed again.
    fn branch(&mut self, level: usize, is_needed_again: bool) -> usize {
        if !is_needed_again {
            return level;
        }
        let (below, above) = self.boards.split_at_mut(level + 1);
        match above.first_mut() {
            Some(board) => board.copy_from(&below[level]),
            None => self.boards.push(self.boards[level].clone()),
        }
        level + 1
    }

    /// Plays unless the limit is reached.
    fn try_move(&mut self, level: usize, point: Point, color: Color) -> bool {
        if self.nodes >= self.node_limit {
            return false;
        }
        self.nodes += 1;
        self.boards[level].play_unchecked(point, color);
        true
    }
}

#[derive(Clone, Copy)]
struct Prey {
    stone: Point,
    owner: Color,
}

enum Defences {
    /// The legal moves that may save the prey.
    Moves(PointSet),
    /// One of the moves is only forbidden because it retakes a ko at once.
    Ko,
}

fn defences(board: &Board, prey: Prey) -> Defences {
    let chain = board.chain_at(prey.stone);
    let captures = board
        .stones(chain)
        .flat_map(|stone| board.sides(stone, (!prey.owner).cell()))
        .map(|side| board.chain_at(side))
        .filter(|&attackers| board.liberty_count(attackers) == 1)
        .filter_map(|attackers| board.first_liberty(attackers));
    let mut moves = PointSet::EMPTY;
    for point in captures.chain(board.first_liberty(chain)) {
        if board.ko_point(prey.owner) == Some(point) {
            return Defences::Ko;
        }
        if !board.is_suicide(point, prey.owner) {
            moves.insert(point);
        }
    }
    Defences::Moves(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Diagram;
    use crate::point::Size;
    use crate::testing::{Rng, random_position};

    const PLENTY: usize = 1000;

    /// The prey is the chain of the marked stone, the key move the point called `a`.
    fn check(diagram: &str, expected: Ladder) {
        let parsed = Diagram::parse(diagram).unwrap();
        let player = parsed.to_play.unwrap();
        let reading = LadderReader::new().read(&parsed.board, parsed.marked()[0], player, PLENTY);
        assert_eq!(reading.outcome, expected, "{diagram}");
        assert_eq!(reading.key_move, parsed.point('a'), "{diagram}");
    }

    #[test]
    fn a_ladder_runs_to_the_edge() {
        check(
            ".........\n...X.....\n..X@a....\n..X......\n.........\n.........\n.........\n.........\n.........\n\
             to play: X",
            Ladder::Captured,
        );
        check(
            ".........\n...X.....\n..X@X....\n..X......\n.........\n.........\n.........\n.........\n.........\n\
             to play: O",
            Ladder::Captured,
        );
    }

    #[test]
    fn a_stone_in_the_way_breaks_it() {
        check(
            ".........\n...X.....\n..X@.....\n..X......\n.........\n.........\n......O..\n.........\n.........\n\
             to play: X",
            Ladder::Escapes,
        );
        check(
            ".........\n...X.....\n..X@X....\n..Xa.....\n.........\n.........\n......O..\n.........\n.........\n\
             to play: O",
            Ladder::Escapes,
        );
        check(
            ".........\n...X.....\n..X@a....\n..X......\n.........\n.....X...\n......O..\n.........\n.........\n\
             to play: X",
            Ladder::Captured,
        );
    }

    #[test]
    fn the_edge_stops_a_crawling_chain() {
        check("......\n......\n..a...\nXX@...\nto play: X", Ladder::Captured);
        check("......\n......\n....O.\nXX@...\nto play: X", Ladder::Escapes);
    }

    #[test]
    fn capturing_an_attacker_saves_the_prey() {
        check(".....\n.OXX.\naX@.X\n.OXX.\n.....\nto play: O", Ladder::Escapes);
        check("......\n.XOXX.\nX.X@.X\n.XOXX.\n......\nto play: O", Ladder::Captured);
    }

    #[test]
    fn a_capture_that_can_be_retaken_does_not_help() {
        check("XXXXX.\nX@@@X.\nX@a.X.\nto play: X", Ladder::Captured);
        check("XXXXX.\nX@@@X.\nX@X.X.\nto play: O", Ladder::Captured);
    }

    #[test]
    fn a_ko_counts_for_the_prey() {
        check(".XO.\nX@aO\n.XO.\nto play: X", Ladder::Captured);
        check(".XO.\nX@.O\n.XO.\nto play: X\nko: C2", Ladder::Escapes);
        check("..OX..\n.OXaX.\n.X@X..\n.X.X..\nto play: O", Ladder::Escapes);
        check("..OX..\n.OX.X.\n.X@X..\n.X.X..\nto play: O\nko: D3", Ladder::Escapes);
    }

    #[test]
    fn chains_with_enough_liberties_are_in_no_ladder() {
        check("...\n.@.\n...\nto play: X", Ladder::Escapes);
        check(".X.\nX@.\n...\nto play: O", Ladder::Escapes);
    }

    #[test]
    fn reading_stops_at_its_limit() {
        let size = Size::square(19).unwrap();
        let mut board = Board::new(size);
        for (x, y, color) in
            [(3, 2, Color::Black), (2, 3, Color::Black), (2, 4, Color::Black), (3, 3, Color::White)]
        {
            board.set_up(size.point(x, y).unwrap(), color);
        }
        let prey = size.point(3, 3).unwrap();
        let mut reader = LadderReader::new();
        let full = reader.read(&board, prey, Color::Black, PLENTY);
        assert_eq!(full.outcome, Ladder::Captured);
        assert!((30..100).contains(&full.nodes), "{}", full.nodes);
        assert!(reader.boards.len() <= 4, "a plain ladder branches at the edge only");
        let cut = reader.read(&board, prey, Color::Black, full.nodes - 1);
        assert_eq!((cut.outcome, cut.key_move, cut.nodes), (Ladder::Unknown, None, full.nodes - 1));
    }

    /// The same question answered by trying every defence and never sharing a board; none if it gets too deep.
    fn slow_is_captured(board: &Board, prey: Point, player: Color, depth: usize) -> Option<bool> {
        let owner = board.color(prey)?;
        let liberties: Vec<Point> = board.liberties(board.chain_at(prey)).collect();
        if liberties.len() > 2 || (player == owner && liberties.len() > 1) {
            return Some(false);
        }
        if player != owner && liberties.len() == 1 {
            return Some(board.ko_point(player) != Some(liberties[0]));
        }
        if depth == 0 {
            return None;
        }
        if player == owner && matches!(defences(board, Prey { stone: prey, owner }), Defences::Ko) {
            return Some(false);
        }
        let moves = if player == owner { board.empties() } else { &liberties };
        let mut is_unknown = false;
        for &point in moves {
            let mut next = board.clone();
            if next.play(point, player, Suicide::Forbidden).is_ok() {
                match slow_is_captured(&next, prey, !player, depth - 1) {
                    None => is_unknown = true,
                    Some(captured) if captured != (player == owner) => return Some(captured),
                    Some(_) => {}
                }
            }
        }
        (!is_unknown).then_some(player == owner)
    }

    #[test]
    fn reading_agrees_with_trying_everything() {
        let mut rng = Rng::new(7);
        let mut reader = LadderReader::new();
        let mut counts = [0; 2];
        for _ in 0..300 {
            let size = Size::new(3 + rng.below(4), 3 + rng.below(4)).unwrap();
            let plies = rng.below(size.area());
            let board = random_position(&mut rng, size, plies, Suicide::Forbidden);
            for prey in size.points().filter(|&point| !board.is_empty(point)) {
                for player in Color::BOTH {
                    let fast = reader.read(&board, prey, player, PLENTY).outcome;
                    if let Some(captured) = slow_is_captured(&board, prey, player, 30) {
                        let expected = if captured { Ladder::Captured } else { Ladder::Escapes };
                        assert_eq!(fast, expected, "{player} to play at {} in\n{board}", prey.to_gtp(size));
                        counts[usize::from(captured)] += 1;
                    }
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
    }
}
