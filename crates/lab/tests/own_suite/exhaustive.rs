//! The last moves of a game, played perfectly: alpha–beta to the end under area counting and positional superko.
//!
//! Nobody fills an own eye; everything else that is legal is tried, passing included.

use tesuji_board::{Board, Color, Move, tromp_taylor_lead};
use tesuji_search::playout::is_sensible;

/// A search with a limit of nodes.
pub(crate) struct Endgame {
    nodes: u64,
    limit: u64,
    /// A board for every depth: they are too large for the stack of a recursion.
    boards: Vec<Board>,
}

/// More than any lead.
const MOST: i32 = 1000;
/// Moves of the longest line; positions that need more are not decided.
const LONGEST: usize = 40;

impl Endgame {
    /// A search of at most so many nodes in all.
    pub(crate) fn new(limit: u64) -> Endgame {
        Endgame { nodes: 0, limit, boards: Vec::new() }
    }

    /// What a player may try.
    pub(crate) fn moves(board: &Board, color: Color) -> Vec<Move> {
        let sensible = board.empties().iter().filter(|&&point| is_sensible(board, point, color));
        let mut moves: Vec<Move> = sensible.map(|&point| Move::Play(point)).collect();
        moves.sort_by_key(|mv| mv.code());
        moves.push(Move::Pass);
        moves
    }

    /// Black's lead in area if `color` makes a move and both play perfectly from there; nothing if a limit is reached.
    pub(crate) fn black_lead_after(&mut self, board: &Board, color: Color, mv: Move) -> Option<i32> {
        // The deepest move is made at the last depth that is searched.
        self.boards.resize_with(LONGEST + 2, || board.clone());
        self.boards[0].copy_from(board);
        let lead = self.try_move(0, color, mv, false, (-MOST, MOST))??;
        Some(if color == Color::Black { lead } else { -lead })
    }

    /// The lead of `color` after a move; nothing inside if it repeats a position, nothing at all if a limit is reached.
    fn try_move(
        &mut self,
        depth: usize,
        color: Color,
        mv: Move,
        passed: bool,
        (low, high): (i32, i32),
    ) -> Option<Option<i32>> {
        if mv == Move::Pass && passed {
            let lead = tromp_taylor_lead(&self.boards[depth]);
            return Some(Some(if color == Color::Black { lead } else { -lead }));
        }
        let (before, after) = self.boards.split_at_mut(depth + 1);
        after[0].copy_from(&before[depth]);
        match mv {
            Move::Play(point) => after[0].play_unchecked(point, color),
            Move::Pass => after[0].pass(),
        }
        if mv != Move::Pass && before.iter().any(|earlier| earlier.hash() == after[0].hash()) {
            return Some(None);
        }
        Some(Some(-self.best(depth + 1, !color, mv == Move::Pass, (-high, -low))?))
    }

    /// The lead of `color`, to move, within a window; nothing if a limit is reached.
    fn best(&mut self, depth: usize, color: Color, passed: bool, (mut low, high): (i32, i32)) -> Option<i32> {
        self.nodes += 1;
        if self.nodes > self.limit || depth > LONGEST {
            return None;
        }
        let mut best = -MOST;
        for mv in Endgame::moves(&self.boards[depth], color) {
            let Some(lead) = self.try_move(depth, color, mv, passed, (low, high))? else { continue };
            best = best.max(lead);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        Some(best)
    }
}
