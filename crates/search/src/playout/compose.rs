//! A policy made of small rules: the first that has an answer decides the move.

use super::{Policy, Position};
use crate::rng::Rng;
use tesuji_board::{Move, Point};

/// One piece of a policy. Sees the board and the last moves, never the tree.
pub trait Rule {
    /// A playout begins here.
    #[inline(always)]
    fn start(&mut self, _position: &Position) {}

    /// A legal point for the side to move that fills no own eye, or nothing if the rule does not apply.
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point>;

    /// A move was played, whoever proposed it.
    #[inline(always)]
    fn played(&mut self, _position: &Position) {}
}

/// The policy that asks each rule of a tuple in turn and passes if none answers.
#[derive(Clone, Debug, Default)]
pub struct Composed<R>(pub R);

macro_rules! compose {
    ($($rule:ident),+) => {
        impl<$($rule: Rule),+> Policy for Composed<($($rule,)+)> {
            #[inline]
            #[allow(non_snake_case)]
            fn start(&mut self, position: &Position) {
                let ($($rule,)+) = &mut self.0;
                $($rule.start(position);)+
            }

            #[inline]
            #[allow(non_snake_case)]
            fn choose(&mut self, position: &mut Position, rng: &mut Rng) -> Move {
                let ($($rule,)+) = &mut self.0;
                $(
                    if let Some(point) = $rule.propose(position, rng) {
                        return Move::Play(point);
                    }
                )+
                Move::Pass
            }

            #[inline]
            #[allow(non_snake_case)]
            fn played(&mut self, position: &Position) {
                let ($($rule,)+) = &mut self.0;
                $($rule.played(position);)+
            }
        }
    };
}

compose!(A);
compose!(A, B);
compose!(A, B, C);
compose!(A, B, C, D);
compose!(A, B, C, D, E);
compose!(A, B, C, D, E, F);
compose!(A, B, C, D, E, F, G);
compose!(A, B, C, D, E, F, G, H);

/// A rule that is asked only in some percent of the cases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sometimes<R, const PERCENT: usize>(pub R);

impl<R: Rule, const PERCENT: usize> Rule for Sometimes<R, PERCENT> {
    #[inline(always)]
    fn start(&mut self, position: &Position) {
        self.0.start(position);
    }

    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        if rng.below(100) < PERCENT { self.0.propose(position, rng) } else { None }
    }

    #[inline(always)]
    fn played(&mut self, position: &Position) {
        self.0.played(position);
    }
}

/// A uniformly random one of the points, if any.
#[inline(always)]
pub(super) fn pick(points: &[Point], rng: &mut Rng) -> Option<Point> {
    match points {
        [] => None,
        [only] => Some(*only),
        _ => points.get(rng.below(points.len())).copied(),
    }
}
