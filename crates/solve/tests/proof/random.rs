//! Every answer about random small problems against the reference; the one for larger regions too.

use crate::plain::{question, verdict};
use crate::random_problem::{LARGE, SMALL, describe, random_problem};
use crate::reference::{Answer, Verdict};
use crate::rng::Rng;
use crate::wide;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use tesuji_board::{Board, Move, Point};
use tesuji_solve::{Detail, Fate, Limits, LineEnd, Outside, Problem, Solution, Solver};

const PROBLEMS: usize = 3300;
const MIRRORED: usize = 300;

/// More than the reference for larger regions looks at for any of them.
const POSITIONS: usize = 200_000;

/// Every so many problems are also solved by two threads.
const TEAM_INTERVAL: usize = 5;

/// The same problem with left and right, and the colours, exchanged; and where a point is then.
fn mirrored(problem: &Problem) -> (Problem, impl Fn(Point) -> Point) {
    let size = problem.board().size();
    let mirror = move |point: Point| size.point(size.width() - 1 - size.x(point), size.y(point)).unwrap();
    let mut board = Board::new(size);
    for point in size.points() {
        if let Some(color) = problem.board().color(point) {
            board.set_up(mirror(point), !color);
        }
    }
    let region = problem.region().iter().map(mirror).collect();
    let targets: Vec<Point> = problem.targets().iter().copied().map(mirror).collect();
    let outside = match problem.outside() {
        Outside::Open => Outside::Open,
        Outside::Owned(color) => Outside::Owned(!color),
    };
    if let Some(ko) = problem.board().ko_point(problem.to_move()) {
        board.set_ko(mirror(ko), !problem.to_move());
    }
    let turned = Problem::new(board, region, &targets, !problem.to_move(), problem.goal(), outside);
    (turned.unwrap(), mirror)
}

/// Too large for the reference. The mirror image is searched in another order, so that a move left out by mistake would tell.
#[test]
fn a_mirror_image_has_the_same_answer() {
    let mut rng = Rng::new(6);
    let mut solver = Solver::new(16 << 20);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 100_000, stop: &stop, has_time: &|| true };
    let (mut decided, mut kos) = (0, 0);
    for _ in 0..MIRRORED {
        let problem = loop {
            if let Some(problem) = random_problem(&mut rng, &LARGE) {
                break problem;
            }
        };
        let (image, mirror) = mirrored(&problem);
        let [mut one, other] = [&problem, &image].map(|p| solver.solve(p, Detail::AllMoves, &limits));
        let is_whole = |solution: &Solution| solution.fate != Fate::Unknown && solution.undecided.is_empty();
        if is_whole(&one) && is_whole(&other) {
            assert_eq!(one.fate, other.fate, "{}", describe(&problem));
            for mv in &mut one.best_moves {
                *mv = mv.point().map_or(Move::Pass, |point| Move::Play(mirror(point)));
            }
            let moves = |solution: &Solution| solution.best_moves.iter().copied().collect::<HashSet<Move>>();
            assert_eq!(moves(&one), moves(&other), "{} in {}", one.fate, describe(&problem));
            decided += 1;
            kos += usize::from(matches!(one.fate, Fate::Ko(_)));
        }
    }
    assert!(decided >= MIRRORED * 9 / 10 && kos >= 10, "{decided} decided, {kos} kos");
}

/// How often something happened that the test is about.
#[derive(Debug, Default)]
struct Seen {
    lives: usize,
    dies: usize,
    /// Kos for which one threat is enough, and those that take more.
    kos: [usize; 2],
    /// The ko rule forbade a move somewhere.
    with_bans: usize,
    /// The verdict depends on whether the attacker may pass.
    by_pass: usize,
    /// The first move has a ban.
    banned_first: usize,
    repetitions: usize,
    rounds_with_a_price: usize,
}

impl Seen {
    fn note(&mut self, problem: &Problem, expected: &Answer, solution: &Solution) {
        match expected.verdict {
            Verdict::Lives => self.lives += 1,
            Verdict::Dies => self.dies += 1,
            Verdict::Ko { needs, .. } => self.kos[usize::from(needs > 1)] += 1,
        }
        self.with_bans += usize::from(expected.bans > 0);
        self.by_pass += usize::from(expected.without_attackers_pass != expected.verdict);
        self.banned_first += usize::from(problem.board().ko_point(problem.to_move()).is_some());
        self.repetitions += usize::from(solution.line.end == LineEnd::Repetition);
        self.rounds_with_a_price += usize::from(solution.line.end == LineEnd::ThreatsRunOut);
    }
}

#[test]
fn verdicts_threats_and_moves_are_those_of_the_reference() {
    let mut rng = Rng::new(5);
    let mut solver = Solver::new(4 << 20);
    // A table too small for the search: lost entries may cost time, never truth.
    let mut tiny = Solver::new(1 << 12);
    let mut team = Solver::for_threads(4 << 20, 2).unwrap().helped_after(10);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 2_000_000, stop: &stop, has_time: &|| true };
    let (mut done, mut seen) = (0, Seen::default());
    while done < PROBLEMS {
        let Some(problem) = random_problem(&mut rng, &SMALL) else { continue };
        let question = question(&problem);
        let Some(expected) = question.answer() else { continue };
        if expected.bans == 0 && rng.chance(80) {
            continue;
        }
        let solution = solver.solve(&problem, Detail::AllMoves, &limits);
        let context =
            || format!("{} in {}{expected:?} {:?}", solution.fate, describe(&problem), solution.line);
        assert_eq!(verdict(solution.fate), Some(expected.verdict), "{}", context());
        let found = wide::answer(&question, POSITIONS);
        let found = found.map(|found| (found.verdict, found.best, found.right));
        let all = (expected.verdict, expected.best.clone(), expected.right.clone());
        assert_eq!(found, Some(all), "by the reference for larger regions: {}", context());
        let [best, right] = expected.moves(&problem);
        assert_eq!(solution.best_moves, best, "{}", context());
        let as_set = |moves: &[Move]| moves.iter().copied().collect::<HashSet<Move>>();
        assert_eq!(as_set(&solution.right_moves), as_set(&right), "{}", context());
        assert!(solution.undecided.is_empty());
        let fate = tiny.solve(&problem, Detail::Fate, &Limits { nodes: 3_000, ..limits }).fate;
        assert!(fate == solution.fate || fate == Fate::Unknown, "{fate} with a tiny table: {}", context());
        if done % TEAM_INTERVAL == 0 {
            let together = team.solve(&problem, Detail::AllMoves, &limits);
            assert_eq!(together.fate, solution.fate, "by two threads: {}", context());
            assert_eq!(together.best_moves, best, "by two threads: {}", context());
        }
        seen.note(&problem, &expected, &solution);
        done += 1;
    }
    let Seen { lives, dies, kos: [one, more], with_bans, by_pass, .. } = seen;
    assert!(lives > 800 && dies > 1500 && one > 200 && more > 10, "{seen:?}");
    assert!(with_bans > 3000 && by_pass > 100 && seen.banned_first > 100, "{seen:?}");
    assert!(seen.repetitions > 20 && seen.rounds_with_a_price > 200, "{seen:?}");
}
