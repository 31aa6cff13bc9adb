//! Go positions in which one side has to find the only moves, made of proved life-and-death problems.
//!
//! Around the problem the attacker owns the rest of the board, alive beyond doubt, with holes of two points: moves there are legal for both
//! sides and change nothing. Komi is such that the fate of the target decides the game. So every wrong move in the problem and every
//! move elsewhere loses to few answers, and looks good as long as these are not found.

use std::fmt;
use std::sync::atomic::AtomicBool;

use tesuji_board::{Board, Color, Game, Move, Point, PointSet, Rules, Size, Suicide, UnconditionalLife};
use tesuji_solve::{Detail, Fate, Limits, Outside, Problem, ReadError, Solution, Solver, read_problems};

/// A position with its proved answers.
#[derive(Clone)]
pub struct Puzzle {
    /// Its name.
    pub name: String,
    /// The position; the side to move wins if and only if it plays a right move.
    pub game: Game,
    right: Vec<Move>,
}

/// Why a file gives no puzzles.
#[derive(Debug)]
pub enum PuzzleError {
    /// It cannot be read.
    Read(ReadError),
}

impl Puzzle {
    /// Whether a move wins.
    pub fn is_right(&self, mv: Move) -> bool {
        self.right.contains(&mv)
    }
}

/// Holes that there must be: two keep the attacker alive.
const FEWEST_HOLES: usize = 3;
/// Steps of the prover per question.
const NODES: u64 = 200_000;
/// Memory of the prover.
const SOLVER_BYTES: usize = 16 << 20;

/// The problems of a file that make puzzles, each proved anew after the rest of the board has been filled.
pub fn puzzles(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let records = read_problems("problems.jsonl", text.as_bytes()).map_err(PuzzleError::Read)?;
    let mut solver = Solver::new(SOLVER_BYTES);
    let usable = records.into_iter().filter_map(Result::ok);
    Ok(usable
        .filter_map(|record| {
            let problem = record.draft.clone().complete().ok()?.problem;
            make(&record.id, &problem, &mut solver)
        })
        .collect())
}

fn make(name: &str, problem: &Problem, solver: &mut Solver) -> Option<Puzzle> {
    let attacker = !problem.defender();
    if problem.outside() != Outside::Owned(attacker) {
        return None;
    }
    let board = filled(problem, attacker)?;
    let region: PointSet = problem.region().iter().collect();
    let whole = Problem::new(
        board.clone(),
        region,
        problem.targets(),
        problem.to_move(),
        problem.goal(),
        problem.outside(),
    )
    .ok()?;
    let wanted = if problem.goal().is_attack() { Fate::Dies } else { Fate::Lives };
    let solution = solve(solver, &whole);
    // Whoever does not move there loses it, whatever the ko threats.
    let after_tenuki = solve(solver, &whole.with_other_side_first());
    let is_critical = after_tenuki.fate != wanted && matches!(after_tenuki.fate, Fate::Lives | Fate::Dies);
    let right: Vec<Move> = solution.best_moves.clone();
    let is_decided = solution.fate == wanted && !right.is_empty() && !right.contains(&Move::Pass);
    (is_decided && is_critical).then(|| Puzzle { name: name.to_owned(), game: game(&whole, board), right })
}

fn solve(solver: &mut Solver, problem: &Problem) -> Solution {
    let stop = AtomicBool::new(false);
    solver.solve(problem, Detail::AllMoves, &Limits { nodes: NODES, stop: &stop, has_time: &|| true })
}

/// The game in which the attacker wins if and only if the target dies.
fn game(problem: &Problem, board: Board) -> Game {
    let area = board.size().area() as f32;
    // Dead, the attacker has all points; alive, the defender has at least the target's stones, which then count twice.
    let lead = area - problem.target_stones().len() as f32 + 0.5;
    let komi = if problem.defender() == Color::White { lead } else { -lead };
    let rules = Rules { komi, ..Rules::named("cgos").unwrap_or_default() };
    Game::from_position(board, problem.to_move(), rules)
}

/// The board with everything outside the region the attacker's, but for holes; nothing if the attacker is not alive then.
fn filled(problem: &Problem, attacker: Color) -> Option<Board> {
    let (mut board, size) = (problem.board().clone(), problem.board().size());
    let is_outside = |point: Point| !problem.region().contains(point) && problem.board().is_empty(point);
    let mut holes = PointSet::default();
    let mut count = 0;
    for point in size.points() {
        let pairs =
            [size.point(size.x(point) + 1, size.y(point)), size.point(size.x(point), size.y(point) + 1)];
        for other in pairs.into_iter().flatten() {
            if fits(&board, size, [point, other], &holes, attacker, is_outside) {
                holes.extend([point, other]);
                count += 1;
            }
        }
    }
    for point in size.points().filter(|&point| is_outside(point) && !holes.contains(point)) {
        board.play(point, attacker, Suicide::Forbidden).ok()?;
    }
    let living = UnconditionalLife::of(&board, attacker, Suicide::Forbidden).stones;
    let mut outside =
        size.points().filter(|&p| board.color(p) == Some(attacker) && !problem.region().contains(p));
    (count >= FEWEST_HOLES && outside.all(|point| living.contains(point))).then_some(board)
}

/// Whether two points can be a hole: nothing but the attacker's stones will be around them.
fn fits(
    board: &Board,
    size: Size,
    hole: [Point; 2],
    holes: &PointSet,
    attacker: Color,
    is_outside: impl Fn(Point) -> bool,
) -> bool {
    let is_wall = |point: Point| {
        hole.contains(&point)
            || (!holes.contains(point) && (is_outside(point) || board.color(point) == Some(attacker)))
    };
    hole.iter().all(|&point| {
        is_outside(point)
            && !holes.contains(point)
            && size.neighbors(point).chain(size.diagonals(point)).all(&is_wall)
    })
}

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PuzzleError::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PuzzleError {}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::tromp_taylor_lead;

    fn own() -> Vec<Puzzle> {
        puzzles(include_str!("../../../../tests/tsumego/own.jsonl")).unwrap()
    }

    /// Takes off the board what the result leaves no place for, and counts.
    fn black_wins(puzzle: &Puzzle, problem: &Problem, dies: bool) -> bool {
        let mut board = Board::new(puzzle.game.size());
        let targets = problem.target_stones();
        for point in puzzle.game.size().points() {
            let stays = !problem.region().contains(point) || (!dies && targets.contains(point));
            if let Some(color) = puzzle.game.board().color(point).filter(|_| stays) {
                board.set_up(point, color);
            }
        }
        tromp_taylor_lead(&board) as f32 > puzzle.game.white_points()
    }

    #[test]
    fn there_are_enough_and_the_target_decides_the_game() {
        let puzzles = own();
        assert!(puzzles.len() >= 24, "{}", puzzles.len());
        let text = include_str!("../../../../tests/tsumego/own.jsonl");
        let records = read_problems("own.jsonl", text.as_bytes()).unwrap();
        for record in records.into_iter().flatten() {
            let Some(puzzle) = puzzles.iter().find(|puzzle| puzzle.name == record.id) else { continue };
            let problem = record.draft.clone().complete().unwrap().problem;
            assert_eq!(puzzle.right, record.accepted, "{}", record.id);
            let attacker_is_black = problem.defender() == Color::White;
            assert_eq!(black_wins(puzzle, &problem, true), attacker_is_black, "{}", record.id);
            let lives_black_wins = black_wins(puzzle, &problem, false);
            assert_eq!(lives_black_wins, !attacker_is_black, "{}", record.id);
            let legal = puzzle.game.legal_points(puzzle.game.to_move()).count();
            assert!(legal >= 4, "{}: {legal} moves", record.id);
        }
    }
}
