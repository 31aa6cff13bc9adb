//! Playouts as an evaluator of Go positions: they answer at once.

use super::{End, Ending, Lesson, PlayoutRule, Position, Usage, area_difference, owner, run};
use crate::evaluate::{Evaluation, Evaluator, Judged};
use crate::findings::Findings;
use crate::go::{Go, Root};
use crate::point_statistics::PointStatistics;
use crate::rng::Rng;
use crate::walk::Leaf;
use std::sync::Arc;
use tesuji_board::{Color, Point};

/// Numbers that shape the results of playouts.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutOptions {
    /// Stop a playout when one side leads by this share of the points in stones; 1 or more = never.
    pub mercy: f32,
    /// Part of the result that depends on the margin instead of on winning; keeps the engine from giving up points.
    pub score_bonus: f32,
    /// A clock in nanoseconds to measure playouts by; the search has none of its own.
    pub stopwatch: Option<fn() -> u64>,
}

/// Judges a leaf by one playout.
pub struct Playouts<R> {
    rule: R,
    rng: Rng,
    options: PlayoutOptions,
    ending: Ending,
    points: Vec<Point>,
    findings: Findings,
    statistics: Option<Arc<PointStatistics>>,
}

impl<R: PlayoutRule> Playouts<R> {
    /// Playouts by a rule, determined by a generator.
    pub fn new(rule: R, rng: Rng, options: PlayoutOptions) -> Playouts<R> {
        let (points, findings) = (Vec::new(), Findings::default());
        let ending = Ending::natural(0);
        Playouts { rule, rng, options, ending, points, findings, statistics: None }
    }

    /// The same, counting who owns what in the end.
    pub(crate) fn with_statistics(self, statistics: Option<Arc<PointStatistics>>) -> Playouts<R> {
        Playouts { statistics, ..self }
    }

    /// Plays a position out, adding the moves to those of the leaf.
    #[inline]
    fn play_out(&mut self, position: &mut Position, root: &Root, leaf: &mut Leaf) -> Evaluation {
        let started = self.options.stopwatch.map(|now| now());
        let tree_moves = leaf.moves.len();
        let end =
            run(&mut self.rule, position, &mut self.rng, self.ending, |_, mv| leaf.moves.push(mv.code()));
        let black_score = area_difference(&position.board) as f32 - root.white_points();
        self.count(position, leaf.first_move());
        // A draw or an aborted playout teaches nothing.
        if end != End::TooLong && black_score != 0.0 {
            let winner = if black_score > 0.0 { Color::Black } else { Color::White };
            if let Some(statistics) = &self.statistics {
                let owned = |&point: &Point| (point, owner(&position.board, point));
                statistics.add(winner, self.points.iter().map(owned));
            }
            let start = root.start();
            self.rule.learn(&Lesson {
                moves: &leaf.moves,
                tree_moves,
                before: [start.before_last, start.last],
                first_mover: start.to_move,
                winner,
            });
        }
        if let (Some(now), Some(started)) = (self.options.stopwatch, started) {
            self.findings.nanoseconds += now().saturating_sub(started);
        }
        let result =
            if end == End::TooLong { 0.5 } else { root.result(black_score, self.options.score_bonus) };
        Evaluation { black_score: Some(black_score), ..Evaluation::of_result(result) }
    }

    fn count(&mut self, position: &Position, first: Option<u16>) {
        let black = self.points.iter().map(|&point| match owner(&position.board, point) {
            Some(Color::Black) => 1.0,
            Some(Color::White) => -1.0,
            None => 0.0,
        });
        self.findings.add(first, black);
    }
}

impl<R: PlayoutRule> Evaluator<Go> for Playouts<R> {
    #[inline]
    fn submit(&mut self, domain: &mut Go, mut leaf: Leaf) -> Option<Judged> {
        let (position, root) = domain.position_and_root();
        let evaluation = self.play_out(position, root, &mut leaf);
        Some(Judged { leaf, evaluation })
    }
}

impl<R: PlayoutRule + Send> GoEvaluator for Playouts<R> {
    fn begin(&mut self, root: &Root) {
        let size = root.board().size();
        let mercy = self.options.mercy * size.area() as f32;
        self.ending = Ending {
            mercy: (self.options.mercy < 1.0).then_some(mercy.ceil() as u16),
            ..Ending::natural(size.area())
        };
        self.points = size.points().collect();
        self.findings = Findings::of_root(root);
        if let Some(statistics) = &self.statistics {
            statistics.begin(root);
        }
    }

    fn forget(&mut self) {
        self.rule.forget();
        if let Some(statistics) = &self.statistics {
            statistics.forget();
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn usage(&self) -> Usage {
        self.rule.usage()
    }
}

/// An evaluator of Go positions, as a search of games uses it.
pub trait GoEvaluator: Evaluator<Go> + Send {
    /// Leaves of another position come next; what was found so far is handed over.
    fn begin(&mut self, root: &Root);

    /// Another game begins: what was learned does not hold any more.
    fn forget(&mut self) {}

    /// What the leaves since [`GoEvaluator::begin`] came to.
    fn findings(&self) -> &Findings;

    /// Where the moves of this game's playouts came from, if that is counted.
    fn usage(&self) -> Usage {
        Usage::default()
    }
}
