//! Playouts are made of small rules: the first that has an answer decides the move.

use super::{Lesson, Position, Usage};
use crate::rng::Rng;
use tesuji_board::{Chain, Point};

/// Chooses moves of playouts, alone or as one of several. Sees the board and the last moves, never the tree.
pub trait PlayoutRule {
    /// A playout begins here.
    #[inline(always)]
    fn start(&mut self, _position: &Position) {}

    /// A legal point for the side to move that fills no own eye, or nothing if the rule does not apply.
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point>;

    /// While a move is played: a stone comes off the board. See [`tesuji_board::MoveObserver`].
    #[inline(always)]
    fn stone_removed(&mut self, _point: Point) {}

    /// While a move is played: a chain's liberties change, or it is that of the new stone.
    #[inline(always)]
    fn liberties_changed(&mut self, _chain: Chain) {}

    /// A move was played, whoever proposed it.
    #[inline(always)]
    fn played(&mut self, _position: &Position) {}

    /// A simulation with a winner is over.
    #[inline(always)]
    fn learn(&mut self, _lesson: &Lesson<'_>) {}

    /// Another game begins: what was learned does not hold any more, and counting starts again.
    fn forget(&mut self) {}

    /// Where the moves of the game's playouts came from, if the rule counts that.
    fn usage(&self) -> Usage {
        Usage::default()
    }
}

/// A tuple of rules asks each in turn.
macro_rules! compose {
    ($($rule:ident),+) => {
        #[allow(non_snake_case)]
        impl<$($rule: PlayoutRule),+> PlayoutRule for ($($rule,)+) {
            #[inline(always)]
            fn start(&mut self, position: &Position) {
                let ($($rule,)+) = self;
                $($rule.start(position);)+
            }

            #[inline(always)]
            fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
                let ($($rule,)+) = self;
                $(
                    if let Some(point) = $rule.propose(position, rng) {
                        return Some(point);
                    }
                )+
                None
            }

            #[inline(always)]
            fn stone_removed(&mut self, point: Point) {
                let ($($rule,)+) = self;
                $($rule.stone_removed(point);)+
            }

            #[inline(always)]
            fn liberties_changed(&mut self, chain: Chain) {
                let ($($rule,)+) = self;
                $($rule.liberties_changed(chain);)+
            }

            #[inline(always)]
            fn played(&mut self, position: &Position) {
                let ($($rule,)+) = self;
                $($rule.played(position);)+
            }

            #[inline(always)]
            fn learn(&mut self, lesson: &Lesson<'_>) {
                let ($($rule,)+) = self;
                $($rule.learn(lesson);)+
            }

            fn forget(&mut self) {
                let ($($rule,)+) = self;
                $($rule.forget();)+
            }

            fn usage(&self) -> Usage {
                let ($($rule,)+) = self;
                let mut sum = Usage::default();
                $(sum += $rule.usage();)+
                sum
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

impl<R: PlayoutRule, const PERCENT: usize> PlayoutRule for Sometimes<R, PERCENT> {
    #[inline(always)]
    fn start(&mut self, position: &Position) {
        self.0.start(position);
    }

    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        if rng.below(100) < PERCENT { self.0.propose(position, rng) } else { None }
    }

    #[inline(always)]
    fn stone_removed(&mut self, point: Point) {
        self.0.stone_removed(point);
    }

    #[inline(always)]
    fn liberties_changed(&mut self, chain: Chain) {
        self.0.liberties_changed(chain);
    }

    #[inline(always)]
    fn played(&mut self, position: &Position) {
        self.0.played(position);
    }

    #[inline(always)]
    fn learn(&mut self, lesson: &Lesson<'_>) {
        self.0.learn(lesson);
    }

    fn forget(&mut self) {
        self.0.forget();
    }

    fn usage(&self) -> Usage {
        self.0.usage()
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

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;
    use tesuji_board::{Board, Color, Move, Size};

    /// A rule that writes down what it is called for.
    pub(in crate::playout) struct Spy(Rc<RefCell<Vec<&'static str>>>);

    impl Spy {
        fn note(&self, call: &'static str) {
            self.0.borrow_mut().push(call);
        }
    }

    impl PlayoutRule for Spy {
        fn start(&mut self, _position: &Position) {
            self.note("start");
        }

        fn propose(&mut self, _position: &mut Position, _rng: &mut Rng) -> Option<Point> {
            self.note("propose");
            None
        }

        fn stone_removed(&mut self, _point: Point) {
            self.note("stone_removed");
        }

        fn liberties_changed(&mut self, _chain: Chain) {
            self.note("liberties_changed");
        }

        fn played(&mut self, _position: &Position) {
            self.note("played");
        }

        fn learn(&mut self, _lesson: &Lesson<'_>) {
            self.note("learn");
        }

        fn forget(&mut self) {
            self.note("forget");
        }

        fn usage(&self) -> Usage {
            Usage { moves: 1, random: 2, replies: [3, 4, 5, 6] }
        }
    }

    /// Checks that a rule around another hands on every call.
    #[track_caller]
    pub(in crate::playout) fn check_forwarding<R: PlayoutRule>(wrap: impl Fn(Spy) -> R) {
        let calls = Rc::default();
        let mut rule = wrap(Spy(Rc::clone(&calls)));
        let mut position = Position::new(Board::new(Size::square(5).unwrap()), Color::Black);
        let (before, winner) = ([Move::Pass; 2], Color::Black);
        rule.start(&position);
        rule.propose(&mut position, &mut Rng::new(1));
        let center = position.board.empty(12);
        rule.stone_removed(center);
        rule.liberties_changed(position.board.chain_at(center));
        rule.played(&position);
        rule.learn(&Lesson { moves: &[], tree_moves: 0, before, first_mover: Color::Black, winner });
        rule.forget();
        assert_eq!(
            *calls.borrow(),
            ["start", "propose", "stone_removed", "liberties_changed", "played", "learn", "forget"]
        );
        assert_eq!(rule.usage(), Usage { moves: 1, random: 2, replies: [3, 4, 5, 6] });
    }
}

#[cfg(test)]
mod tests {
    use super::super::CaptureLast;
    use super::testing::check_forwarding;
    use super::*;

    #[test]
    fn rules_around_rules_hand_on_every_call() {
        check_forwarding(Sometimes::<_, 100>);
        check_forwarding(|spy| (spy,));
        check_forwarding(|spy| (CaptureLast, spy));
        check_forwarding(|spy| ((CaptureLast, CaptureLast), (CaptureLast, Sometimes::<_, 100>(spy))));
    }
}
