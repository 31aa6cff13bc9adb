//! Makes the set of problems in `tests/tsumego`: `cargo run --release --example make_tsumego > tests/tsumego/own.jsonl`.
//!
//! A problem is a small area in a corner or at a side, or in the middle, with the defender's wall around it, holes and stray stones
//! here and there, and the attacker's wall around that. What it is about is seen from its solution:
//! the solver proves the fate, and the principal line shows snapbacks and play under the stones. A kind takes
//! problems until it has enough of them.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;
use tesuji_board::{Board, Color, Move, Point, PointSet, Size, Suicide};
use tesuji_solve::{
    Detail, Draft, Fate, Goal, Judgement, Ko, Limits, LineEnd, Needs, Outside, Problem, Record, Side,
};
use tesuji_solve::{Solution, Solver, write_json_line};

/// Problems of each kind.
const QUOTA: usize = 4;

/// Problems of the whole set. The rarest kinds are not full then; filling them would take hours.
const ENOUGH: usize = 126;

/// Points of the areas without walls, in the order of difficulty: x from the left, y from the top.
const SHAPES: [(&str, &[(usize, usize)]); 10] = [
    ("straight three", &[(0, 0), (1, 0), (2, 0)]),
    ("bent three", &[(0, 0), (1, 0), (0, 1)]),
    ("straight four", &[(0, 0), (1, 0), (2, 0), (3, 0)]),
    ("pyramid four", &[(0, 0), (1, 0), (2, 0), (1, 1)]),
    ("square four", &[(0, 0), (1, 0), (0, 1), (1, 1)]),
    ("zigzag four", &[(0, 0), (1, 0), (1, 1), (2, 1)]),
    ("bulky five", &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]),
    ("crossed five", &[(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)]),
    ("rabbity six", &[(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 2)]),
    ("rectangular six", &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]),
];

fn main() {
    let mut maker =
        Maker { solver: Solver::new(16 << 20), kinds: BTreeMap::new(), seen: HashSet::new(), count: 0 };
    for (name, cells) in SHAPES {
        for (place, origin) in [("corner", (0, 0)), ("side", (3, 0)), ("centre", (3, 3))] {
            maker.make_shape(name, place, cells, origin);
        }
    }
    let mut rng = Rng(2024);
    while maker.count < ENOUGH {
        if let Some(problem) = random_problem(&mut rng) {
            maker.offer(&problem);
        }
    }
    for (kind, count) in &maker.kinds {
        eprintln!("{kind}: {count}");
    }
}

struct Maker {
    solver: Solver,
    kinds: BTreeMap<String, usize>,
    seen: HashSet<u64>,
    count: usize,
}

impl Maker {
    fn make_shape(&mut self, name: &str, place: &str, cells: &[(usize, usize)], (left, top): (usize, usize)) {
        let size = Size::square(9).expect("nine is a size");
        let area: PointSet = cells.iter().filter_map(|&(x, y)| size.point(left + x, top + y)).collect();
        let wall = |point| (!area.contains(point)).then_some(Color::White);
        let Some(board) = walled(size, &area, wall) else { return };
        for goal in [Goal::Kill, Goal::Live] {
            let to_move = if goal == Goal::Kill { Color::Black } else { Color::White };
            if let Some(problem) = problem(board.clone(), area, to_move, goal)
                && self.is_new(&problem)
            {
                let solution = self.solve(&problem);
                // A shape that dies or lives whoever moves is asked once.
                if goal == Goal::Live && solution.best_moves.contains(&Move::Pass) {
                    continue;
                }
                self.print(&format!("nakade, {name}, {place}, to {goal}"), "nakade", &problem, &solution);
            }
        }
    }

    fn is_new(&mut self, problem: &Problem) -> bool {
        self.seen.insert(problem.board().hash() ^ u64::from(problem.goal().is_attack()))
    }

    fn offer(&mut self, problem: &Problem) {
        if !self.is_new(problem) {
            return;
        }
        let quick = self.solve(problem);
        if quick.fate == Fate::Unknown || quick.nodes < 40 || quick.best_moves.len() > 2 {
            return;
        }
        for kind in kinds(problem, &quick) {
            let count = self.kinds.entry(kind.clone()).or_default();
            if *count < QUOTA {
                *count += 1;
                let name = format!("{kind}, {count}");
                self.print(&name, &kind, problem, &quick);
                return;
            }
        }
    }

    fn solve(&mut self, problem: &Problem) -> Solution {
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: 30_000, stop: &stop, has_time: &|| true };
        self.solver.solve(problem, Detail::AllMoves, &limits)
    }

    fn print(&mut self, name: &str, kind: &str, problem: &Problem, solution: &Solution) {
        if solution.fate == Fate::Unknown || !solution.undecided.is_empty() {
            return;
        }
        self.count += 1;
        let mut record = Record::new(Draft::new(problem.board().clone(), problem.to_move()));
        record.id = format!("own/{:03} {name}", self.count);
        record.source = "own".to_owned();
        record.category = kind.split(',').next().unwrap_or(kind).to_owned();
        record.accepted.clone_from(&solution.best_moves);
        debug_assert_ne!(Judgement::of(&record, problem, solution), Judgement::Undecided);
        println!("{}", write_json_line(&record, problem, solution));
    }
}

/// What a problem is about, the rarest first.
fn kinds(problem: &Problem, solution: &Solution) -> Vec<String> {
    let mut kinds = Vec::new();
    let events = Events::of(problem, solution);
    let mover = tesuji_solve::mover(problem);
    let succeeds = solution.succeeds(mover) == Some(true);
    if let Fate::Ko(Ko { favours, needs }) = solution.fate {
        let first = if favours == mover { "takes first" } else { "takes second" };
        let count = match needs {
            Needs::One => "one threat",
            Needs::Two => "two threats",
            Needs::Many => "many threats",
        };
        let side = if mover == Side::Attacker { "attacker" } else { "defender" };
        kinds.push(format!("ko, {side} {first}, {count}"));
    }
    if succeeds && solution.line.end == LineEnd::ThreatsRunOut {
        kinds.push("false eye".to_owned());
    }
    if succeeds && solution.is_seki && mover == Side::Defender {
        kinds.push("seki".to_owned());
    }
    if succeeds && events.is_under_the_stones {
        kinds.push("under the stones".to_owned());
    }
    if succeeds && events.is_snapback {
        kinds.push("snapback".to_owned());
    }
    if succeeds && events.is_semeai {
        kinds.push("semeai".to_owned());
    }
    if succeeds && solution.best_moves.len() == 1 && solution.best_moves[0] != Move::Pass {
        let size = problem.board().size();
        let is_edge = |point: Point, x: bool| (if x { size.x(point) } else { size.y(point) }) == 0;
        let touches = |x| problem.region().iter().any(|point| is_edge(point, x));
        let place = if touches(true) && touches(false) { "corner" } else { "side" };
        kinds.push(format!("{place}, to {}", problem.goal()));
    }
    kinds
}

/// What happens in the principal line.
#[derive(Default)]
struct Events {
    is_snapback: bool,
    is_under_the_stones: bool,
    is_semeai: bool,
}

impl Events {
    fn of(problem: &Problem, solution: &Solution) -> Events {
        let mut events = Events::default();
        let mut board = problem.board().clone();
        let mut color = problem.to_move();
        // Stones that the defender lost three or more at a time, and a stone just thrown in and taken.
        let (mut lost, mut thrown_in) = (PointSet::EMPTY, None);
        for mv in &solution.line.moves {
            if let Move::Play(point) = *mv {
                let before = board.clone();
                if board.play(point, color, Suicide::Forbidden).is_err() {
                    break;
                }
                let captured: Vec<Point> = board
                    .size()
                    .points()
                    .filter(|&stone| before.color(stone) == Some(!color) && board.is_empty(stone))
                    .collect();
                events.is_snapback |= captured.len() >= 2 && thrown_in == Some(point);
                events.is_under_the_stones |= color == problem.defender() && lost.contains(point);
                if color != problem.defender() && captured.len() >= 3 {
                    lost.extend(captured.iter().copied());
                }
                events.is_semeai |= captured.len() >= 3 && color == problem.to_move();
                thrown_in = (captured.len() == 1).then(|| captured[0]);
            }
            color = !color;
        }
        events.is_under_the_stones &= solution.fate == Fate::Lives;
        let inner =
            problem.region().iter().filter(|&p| problem.board().color(p) == Some(!problem.defender()));
        events.is_semeai &= inner.count() >= 3 && solution.fate == Fate::Lives;
        events
    }
}

/// A small area in a corner or at a side with stray stones and holes in its wall.
fn random_problem(rng: &mut Rng) -> Option<Problem> {
    let size = Size::square(9).ok()?;
    let (left, top) = [(0, 0), (0, 0), (3, 0)][rng.below(3)];
    let (width, height) = [(3, 2), (4, 2), (3, 3), (5, 2), (4, 1), (5, 1), (2, 2)][rng.below(7)];
    let area: PointSet =
        (0..width * height).filter_map(|i| size.point(left + i % width, top + i / width)).collect();
    // Many own stones inside make the defender play under them.
    let (stray, whites, hole) = [(20, 45, 10), (40, 45, 20), (60, 80, 0), (75, 65, 5)][rng.below(4)];
    let mut draws = Vec::new();
    for _ in 0..size.area() {
        draws.push((rng.below(100), rng.below(100)));
    }
    let board = walled(size, &area, |point| {
        let (first, second) = draws[size.ordinal(point)];
        if !area.contains(point) {
            (first >= hole).then_some(Color::White)
        } else if first < stray {
            Some(if second < whites { Color::White } else { Color::Black })
        } else {
            None
        }
    })?;
    let goal = if rng.below(2) == 0 { Goal::Kill } else { Goal::Live };
    let to_move = if goal == Goal::Kill { Color::Black } else { Color::White };
    problem(board, area, to_move, goal)
}

/// A board with what `put` says on the area and on the wall around it, and Black around that; nothing if a stone has no liberty.
fn walled(size: Size, area: &PointSet, put: impl Fn(Point) -> Option<Color>) -> Option<Board> {
    let grow = |inner: &PointSet| -> PointSet {
        let around = inner.iter().flat_map(|point| size.neighbors(point).chain(size.diagonals(point)));
        inner.iter().chain(around.collect::<Vec<Point>>()).collect()
    };
    let wall = grow(area);
    let outer = grow(&wall);
    let mut stones = Vec::new();
    for point in outer.iter() {
        let color = if wall.contains(point) { put(point) } else { Some(Color::Black) };
        stones.extend(color.map(|color| (point, color)));
    }
    let mut board = Board::new(size);
    for &(point, color) in &stones {
        if board.is_empty(point) {
            board.set_up(point, color);
        }
    }
    stones.iter().all(|&(point, color)| board.color(point) == Some(color)).then_some(board)
}

/// The problem about White's largest chain.
fn problem(board: Board, area: PointSet, to_move: Color, goal: Goal) -> Option<Problem> {
    let white = board.chain_representatives().filter(|&(_, color)| color == Color::White);
    let target =
        white.map(|(stone, _)| stone).max_by_key(|&stone| board.chain_size(board.chain_at(stone)))?;
    let size = board.size();
    let beside = area.iter().flat_map(|point| size.neighbors(point).chain(size.diagonals(point)));
    let region: PointSet = area.iter().chain(beside.collect::<Vec<Point>>()).collect();
    Problem::new(board, region, &[target], to_move, goal, Outside::Owned(Color::Black)).ok()
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * limit as u128) >> 64) as usize
    }
}
