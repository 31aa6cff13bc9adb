//! Advice changes the order of the search and nothing else.

use crate::committed::problems;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tesuji_board::{Board, Color};
use tesuji_solve::{Advisor, Detail, Limits, Solution, Solver};

/// Thinks one point likely and all others not at all, another one each time.
struct Fool {
    asked: Arc<AtomicUsize>,
    policy: Vec<f32>,
}

impl Advisor for Fool {
    fn policy(&mut self, board: &Board, _: Color) -> Option<&[f32]> {
        let area = board.size().area();
        let turn = self.asked.fetch_add(1, Ordering::Relaxed);
        self.policy = vec![0.0; area];
        self.policy[(turn * 7) % area] = 1.0;
        Some(&self.policy)
    }
}

#[test]
fn a_fool_cannot_change_a_verdict() {
    let asked = Arc::new(AtomicUsize::new(0));
    let fool = Fool { asked: Arc::clone(&asked), policy: Vec::new() };
    let mut solvers = [Solver::new(16 << 20), Solver::new(16 << 20).advised_by(Box::new(fool))];
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: 2_000_000, stop: &stop, has_time: &|| true };
    let (mut other_work, mut hard) = (0, 0);
    for record in problems() {
        let problem = record.draft.clone().complete().unwrap().problem;
        let [alone, advised]: [Solution; 2] =
            solvers.each_mut().map(|solver| solver.solve(&problem, Detail::AllMoves, &limits));
        assert_eq!(alone.fate, advised.fate, "{}", record.id);
        assert_eq!(alone.best_moves, advised.best_moves, "{}", record.id);
        assert_eq!(alone.right_moves, advised.right_moves, "{}", record.id);
        hard += usize::from(alone.nodes > 4_000);
        other_work += usize::from(alone.nodes != advised.nodes);
    }
    assert!(hard > 0 && other_work > 0 && asked.load(Ordering::Relaxed) > 0, "nobody was asked");
}
