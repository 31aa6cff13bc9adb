//! Draws the move of a level.

use tesuji_board::{Move, Point, Size};
use tesuji_net::output::Evaluation;
use tesuji_search::{MoveReport, Report, Rng};

use super::Manner;

/// The part of all visits that a move needs for its value to count.
const LEAST_VISITS: f32 = 0.01;

/// A move among `points` with the probability that people play it, in the manner of a level; nothing if people play none
/// of them.
pub(crate) fn draw(
    manner: Manner,
    size: Size,
    policy: &Evaluation,
    points: &[Point],
    report: &Report,
    rng: &mut Rng,
) -> Option<Move> {
    let sharpness = 1.0 / manner.temperature;
    let prior = |point: Point| policy.policy.get(size.ordinal(point)).copied().unwrap_or(0.0).powf(sharpness);
    let mut weighted: Vec<(Point, f32)> = points.iter().map(|&point| (point, prior(point))).collect();
    if manner.point_weight > 0.0 {
        let value = |mv: &MoveReport| mv.score_lead * manner.point_weight;
        let was_looked_at = |mv: &&MoveReport| mv.visits as f32 >= LEAST_VISITS * report.visits as f32;
        let looked_at = || report.moves.iter().filter(was_looked_at);
        let (best, worst) = looked_at()
            .map(value)
            .fold((f32::NEG_INFINITY, f32::INFINITY), |(best, worst): (f32, f32), value| {
                (best.max(value), worst.min(value))
            });
        if best >= worst {
            for (point, weight) in &mut weighted {
                let known = looked_at().find(|mv| mv.mv == Move::Play(*point));
                // What the search did not want to look at is no better than what it did.
                *weight *= (known.map_or(worst, value) - best).exp();
            }
        }
    }
    let total: f32 = weighted.iter().map(|(_, weight)| weight).sum();
    let mut left = rng.unit() * total;
    let drawn = weighted.iter().find(|(_, weight)| {
        left -= weight;
        *weight > 0.0 && left <= 0.0
    });
    drawn.map(|&(point, _)| Move::Play(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_search::MoveReport;

    /// Points A, B, C with policy 0.6, 0.3, 0.1; the search looked at A and B only, and likes B.
    fn frequencies(temperature: f32, point_weight: f32) -> [f32; 3] {
        let manner = Manner { temperature, point_weight };
        let size = Size::square(3).unwrap();
        let points: Vec<Point> = size.points().take(3).collect();
        let mut policy = Evaluation { policy: vec![0.0; 9], ..Evaluation::default() };
        policy.policy[..3].copy_from_slice(&[0.6, 0.3, 0.1]);
        let of = |point: Point, visits: u64, score_lead: f32| MoveReport {
            mv: Move::Play(point),
            visits,
            win_rate: 0.5,
            parts: None,
            lower_bound: 0.0,
            prior: 0.0,
            score_lead,
            score_deviation: 0.0,
            black_ownership: Vec::new(),
            variation: Vec::new(),
            variation_visits: Vec::new(),
            proven: None,
        };
        let moves = vec![of(points[1], 900, 3.0), of(points[0], 99, 1.5), of(points[2], 1, 50.0)];
        let report = Report { moves, visits: 1000, ..Report::default() };
        let mut rng = Rng::new(3);
        let mut counts = [0.0; 3];
        for _ in 0..4000 {
            let drawn = draw(manner, size, &policy, &points, &report, &mut rng);
            let place = points.iter().position(|&point| drawn == Some(Move::Play(point))).unwrap();
            counts[place] += 1.0 / 4000.0;
        }
        counts
    }

    #[test]
    fn moves_are_drawn_as_people_play_and_by_their_values() {
        let near = |found: [f32; 3], expected: [f32; 3]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.03)
        };
        assert!(near(frequencies(1.0, 0.0), [0.6, 0.3, 0.1]));
        let shares = |[a, b, c]: [f32; 3]| [a, b, c].map(|share| share / (a + b + c));
        // Above a temperature of 1 they are drawn more evenly.
        assert!(near(frequencies(1.8, 0.0), shares([0.6f32, 0.3, 0.1].map(|share| share.powf(1.0 / 1.8)))));
        // σ = 1.5 and temperature 0.4: a move that is 1.5 points worse counts 1/e as much, and so does one that was hardly looked at.
        let weighed = |worse: f32| [0.6f32.powf(2.5) * worse, 0.3f32.powf(2.5), 0.1f32.powf(2.5) * worse];
        assert!(near(frequencies(0.4, 1.0 / 1.5), shares(weighed((-1.0f32).exp()))));
        assert!(frequencies(0.4, 5.0)[1] > 0.99);
    }

    #[test]
    fn where_people_play_nothing_nothing_is_drawn() {
        let size = Size::square(3).unwrap();
        let points: Vec<Point> = size.points().collect();
        let policy = Evaluation { policy: vec![0.0; 9], ..Evaluation::default() };
        let draw = |points| {
            draw(
                Manner { temperature: 0.4, point_weight: 1.0 },
                size,
                &policy,
                points,
                &Report::default(),
                &mut Rng::new(1),
            )
        };
        assert_eq!((draw(&points), draw(&[])), (None, None));
    }
}
