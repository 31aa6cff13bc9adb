//! Light playouts: uniformly random among the legal moves that fill no own eye.

use super::{PlayoutRule, Position};
use crate::rng::Rng;
use tesuji_board::{Board, Color, Point};

/// Uniformly random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Light;

impl PlayoutRule for Light {
    #[inline(always)]
    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let color = position.to_move;
        choose_uniformly(&mut position.board, rng, |board, point| is_sensible(board, point, color))
    }
}

/// Whether a random player may want the empty `point`: legal, and no own eye.
#[inline(always)]
pub fn is_sensible(board: &Board, point: Point, color: Color) -> bool {
    let around = board.neighborhood(point);
    around.has_empty_side()
        || (!around.is_eye_of(color)
            && board.ko_point(color) != Some(point)
            && !board.is_suicide(point, color))
}

/// A uniformly random empty point among those that `accept` takes, if there is one.
///
/// Rejected points are set aside behind the part still drawn from, so each is looked at once and the
/// choice among the others stays uniform.
#[inline(always)]
pub(super) fn choose_uniformly(
    board: &mut Board,
    rng: &mut Rng,
    mut accept: impl FnMut(&Board, Point) -> bool,
) -> Option<Point> {
    let mut left = board.empties().len();
    while left > 0 {
        let i = rng.below(left);
        let point = board.empty(i);
        if accept(board, point) {
            return Some(point);
        }
        left -= 1;
        board.swap_empties(i, left);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::{End, Ending, area_difference, run};
    use tesuji_board::{Move, Size};

    fn playouts(side: usize, count: u32) -> (u64, u32) {
        let start = Position::new(Board::new(Size::square(side).unwrap()), Color::Black);
        let ending = Ending::natural(side * side);
        let mut position = start.clone();
        let mut rng = Rng::new(1);
        let (mut moves, mut black_wins) = (0, 0);
        for _ in 0..count {
            position.copy_from(&start);
            let end = run(&mut Light, &mut position, &mut rng, ending, |_, _| moves += 1);
            assert_eq!(end, End::Passes);
            black_wins += u32::from(area_difference(&position.board) > 7);
        }
        (moves, black_wins)
    }

    /// Any change of the board, the generator or the rule that alters a playout shows here.
    #[test]
    fn fixed_seed_counts_are_pinned() {
        assert_eq!(playouts(9, 1000), (110_820, 424));
        assert_eq!(playouts(19, 200), (91_104, 87));
    }

    /// The frequencies over many draws fit the uniform distribution over the sensible points, and nothing else occurs.
    #[test]
    fn the_choice_is_uniform() {
        let size = Size::square(7).unwrap();
        let mut rng = Rng::new(3);
        for game in 0..20 {
            let mut position = Position::new(Board::new(size), Color::Black);
            for _ in 0..10 + 4 * game {
                let point = Light.propose(&mut position, &mut rng);
                position.play(point.map_or(Move::Pass, Move::Play));
            }
            let color = position.to_move;
            let sensible: Vec<Point> = size
                .points()
                .filter(|&p| position.board.is_empty(p) && is_sensible(&position.board, p, color))
                .collect();
            if sensible.len() < 2 {
                continue;
            }
            let expected = 2000.0;
            let mut counts = vec![0.0; sensible.len()];
            for _ in 0..sensible.len() * expected as usize {
                let Some(point) = Light.propose(&mut position, &mut rng) else { panic!("passed") };
                counts[sensible.iter().position(|&p| p == point).expect("a sensible point")] += 1.0;
            }
            let chi_square: f64 = counts.iter().map(|n| (n - expected) * (n - expected) / expected).sum();
            // Wilson–Hilferty: the cube root of chi²/k is nearly normal; 4.5 standard deviations is one in 300,000.
            let k = (sensible.len() - 1) as f64;
            let z = ((chi_square / k).cbrt() - (1.0 - 2.0 / (9.0 * k))) / (2.0 / (9.0 * k)).sqrt();
            assert!(z < 4.5, "chi² {chi_square} with {k} degrees of freedom in game {game}");
        }
    }
}
