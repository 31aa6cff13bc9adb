//! What is thought of a move before any simulation.

use crate::playout::{GammaSets, Position, Rated, matches_pattern};
use crate::point_statistics::PointStatistics;
use crate::prior::{Predictor, Weights};
use crate::select::Prior;
use std::sync::{Arc, LazyLock};
use tesuji_board::{Board, Color, Move, Point};

/// Has opinions of moves. `weight` is relative: the search scales it.
pub trait Knowledge: Send {
    /// Sets the priors of the moves of a position, given by their codes; `policy` need not sum to 1.
    fn judge(&mut self, position: &Position, moves: &mut [(u16, Prior)]);
}

/// No opinion: all moves are equal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignorant;

impl Knowledge for Ignorant {
    fn judge(&mut self, _position: &Position, moves: &mut [(u16, Prior)]) {
        for (code, prior) in moves {
            *prior = match Move::from_code(*code) {
                Move::Play(_) => Prior { mean: 0.5, weight: 0.0, policy: 1.0 },
                Move::Pass => Prior { mean: 0.4, weight: 0.0, policy: 0.1 },
            };
        }
    }
}

/// Tactics, patterns, the distance to the last move and the line, in the manner of Fuego's prior knowledge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tactical;

/// What all but the ignorant think of a pass while there are other moves.
const PASS: Prior = Prior { mean: 0.1, weight: 1.0, policy: 0.02 };

impl Knowledge for Tactical {
    fn judge(&mut self, position: &Position, moves: &mut [(u16, Prior)]) {
        for (code, prior) in moves {
            *prior = match Move::from_code(*code) {
                Move::Play(point) => {
                    let mean = mean_of(position, point).clamp(0.02, 0.98);
                    Prior { mean, weight: 1.0, policy: (7.0 * (mean - 0.5)).exp() }
                }
                Move::Pass => PASS,
            };
        }
    }
}

/// What strong players' games teach ([`crate::prior`]).
#[derive(Clone)]
pub struct Learned {
    small: Predictor<'static>,
    large: Predictor<'static>,
}

impl Default for Learned {
    fn default() -> Learned {
        Learned { small: Predictor::new(&SMALL_BOARD), large: Predictor::new(&LARGE_BOARD) }
    }
}

/// Learned by `tesuji train prior` from games of strong players on 9×9 and on 19×19 (docs/experiments/prior.md).
static SMALL_BOARD: LazyLock<Weights> = LazyLock::new(|| shipped(include_bytes!("../weights/prior-9.bin")));
static LARGE_BOARD: LazyLock<Weights> = LazyLock::new(|| shipped(include_bytes!("../weights/prior-19.bin")));

/// Points of the largest board that has more in common with 9×9 than with 19×19.
const SMALL_AREA: usize = 11 * 11;

fn shipped(file: &[u8]) -> Weights {
    Weights::read(file).expect("the weights in the program are whole")
}

/// Moves of this probability are expected to do as well as the rest of the game.
const EVEN_LOG_PROBABILITY: f32 = -4.5;
/// How much better a move is for each factor e of probability.
const MEAN_PER_LOG: f32 = 0.08;
/// What was learned counts more than what was guessed.
const LEARNED_WEIGHT: f32 = 8.0;

impl Knowledge for Learned {
    fn judge(&mut self, position: &Position, moves: &mut [(u16, Prior)]) {
        let small = position.board.size().area() <= SMALL_AREA;
        let predictor = if small { &mut self.small } else { &mut self.large };
        predictor.look_at(position);
        judge_by_strength(moves, |point| predictor.strength(position, point));
    }
}

/// The rates by which learned playouts draw ([`Rated`]).
#[derive(Clone)]
pub struct ByRates(Rated);

impl ByRates {
    /// Priors by these gammas.
    pub fn new(sets: GammaSets) -> ByRates {
        ByRates(Rated::new(sets))
    }
}

/// The logarithm of rates of 0, and of those that are hardly more.
const LEAST_STRENGTH: f32 = -15.0;

impl Knowledge for ByRates {
    fn judge(&mut self, position: &Position, moves: &mut [(u16, Prior)]) {
        self.0.look_at(position, |rates| {
            judge_by_strength(moves, |point| rates[point].ln().max(LEAST_STRENGTH));
        });
    }
}

/// Other knowledge, with moves preferred where playouts are undecided.
pub(crate) struct Undecided {
    pub(crate) knowledge: Box<dyn Knowledge>,
    pub(crate) statistics: Arc<PointStatistics>,
    /// What a move gains by the criticality of its point, as a part of a win for 1.
    pub(crate) criticality: f32,
    /// The same by its openness.
    pub(crate) openness: f32,
}

impl Knowledge for Undecided {
    fn judge(&mut self, position: &Position, moves: &mut [(u16, Prior)]) {
        self.knowledge.judge(position, moves);
        let view = self.statistics.view(position.to_move);
        for (code, prior) in moves {
            if let Move::Play(point) = Move::from_code(*code) {
                let found = view(point);
                let gain = self.criticality * found.criticality + self.openness * found.openness;
                prior.mean = (prior.mean + gain).clamp(0.02, 0.98);
                prior.policy *= (gain / MEAN_PER_LOG).exp();
            }
        }
    }
}

/// Priors of moves by the logarithms of their probabilities, up to a constant.
fn judge_by_strength(moves: &mut [(u16, Prior)], mut strength: impl FnMut(Point) -> f32) {
    let mut highest = f32::NEG_INFINITY;
    for (code, prior) in moves.iter_mut() {
        if let Move::Play(point) = Move::from_code(*code) {
            prior.mean = strength(point);
            highest = highest.max(prior.mean);
        }
    }
    let mut total = 0.0;
    for (code, prior) in moves.iter_mut() {
        if Move::from_code(*code) != Move::Pass {
            prior.policy = (prior.mean - highest).exp();
            total += prior.policy;
        }
    }
    let even = highest + total.ln() + EVEN_LOG_PROBABILITY;
    for (code, prior) in moves {
        *prior = match Move::from_code(*code) {
            Move::Play(_) => {
                let mean = (0.5 + MEAN_PER_LOG * (prior.mean - even)).clamp(0.02, 0.98);
                Prior { mean, weight: LEARNED_WEIGHT, policy: prior.policy / total }
            }
            Move::Pass => Prior { policy: 0.001, weight: LEARNED_WEIGHT, ..PASS },
        };
    }
}

fn mean_of(position: &Position, point: Point) -> f32 {
    let (board, color) = (&position.board, position.to_move);
    let mut mean = 0.5_f32;
    let captured = captured_stones(board, point, color);
    if captured == 0 && board.is_self_atari(point, color) {
        return 0.1;
    }
    if captured > 0 {
        mean = if captured > 1 { 0.9 } else { 0.75 };
    } else if saves_chain(board, point, color) {
        mean = 0.9;
    } else if gives_atari(board, point, color) {
        mean = 0.65;
    } else if matches_pattern(board, point, color) {
        mean = 0.6;
    }
    mean + 0.12 * nearness(board, point, position.last) + 0.05 * nearness(board, point, position.before_last)
        - line_penalty(board, point)
}

/// Stones of the opponent that a move captures.
fn captured_stones(board: &Board, point: Point, color: Color) -> usize {
    let chains = board.chains_beside(point, !color);
    chains
        .iter()
        .filter(|&&chain| board.liberty_count(chain) == 1)
        .map(|&chain| board.chain_size(chain))
        .sum()
}

/// Whether a move, known not to be a self-atari, gets an own chain out of atari.
fn saves_chain(board: &Board, point: Point, color: Color) -> bool {
    board.chains_beside(point, color).iter().any(|&chain| board.liberty_count(chain) == 1)
}

fn gives_atari(board: &Board, point: Point, color: Color) -> bool {
    board.chains_beside(point, !color).iter().any(|&chain| board.liberty_count(chain) == 2)
}

/// 1 beside a move, falling to 0 a few points away. Distance as in Ray: `dx + dy + max(dx, dy)`.
fn nearness(board: &Board, point: Point, mv: Move) -> f32 {
    let Move::Play(other) = mv else { return 0.0 };
    let size = board.size();
    let (dx, dy) = (size.x(point).abs_diff(size.x(other)), size.y(point).abs_diff(size.y(other)));
    let distance = dx + dy + dx.max(dy);
    match distance {
        0..=2 => 1.0,
        3 => 0.9,
        4 => 0.6,
        5..=6 => 0.35,
        7..=8 => 0.15,
        _ => 0.0,
    }
}

/// The first line is bad where nothing is around, the second a little on large boards.
fn line_penalty(board: &Board, point: Point) -> f32 {
    let size = board.size();
    let to_edge = |at: usize, side: usize| at.min(side - 1 - at);
    let line = to_edge(size.x(point), size.width()).min(to_edge(size.y(point), size.height()));
    let around = board.neighborhood(point);
    let lonely = Color::BOTH.iter().all(|&color| around.sides_of(color) + around.corners_of(color) == 0);
    match (line, lonely) {
        (0, true) => 0.2,
        (1, true) if size.area() > 121 => 0.07,
        (1, true) => 0.05,
        _ => 0.0,
    }
}
