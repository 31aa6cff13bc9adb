//! Minorisation–maximisation: every group of features in turn gets the gammas that make the moves played likeliest, the others being as they are.
//!
//! For a feature that was played `W` times, `γ ← (W + a) / (S/γ + 2a/(1 + γ))`, where `S` is how often it should have been played by the
//! present gammas, and `a` the won and lost games of the prior (Coulom 2007). No step makes the moves played less likely.

use super::course::{Candidate, Course, Positions};
use super::in_parallel;
use std::fmt;
use tesuji_search::playout::{GROUPS, GammaTable, MOST_VALUES};

/// Gammas while they are learned.
pub struct Lesson<'a> {
    course: &'a Course,
    prior: f64,
    threads: usize,
    /// By group: values, then neighbourhoods, then MD2 patterns.
    gammas: Vec<Vec<f64>>,
    /// As `gammas`: how often each was played.
    wins: Vec<Vec<f64>>,
    /// By shape: the product of the gammas of its neighbourhood and pattern.
    of_shapes: Vec<f64>,
    /// By combination of values: the product of their gammas.
    of_values: Vec<f64>,
}

/// Places in `gammas` after the groups of values.
const NEAR: usize = GROUPS.len();
const MD2: usize = NEAR + 1;

/// How well moves are predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Score {
    /// Positions.
    pub positions: usize,
    /// How often the move played was the likeliest, among the five likeliest, among the ten; moves as likely as it come first.
    pub among: [usize; 3],
    /// Sum of the logarithms of the probabilities of the moves played.
    pub log_likelihood: f64,
}

impl<'a> Lesson<'a> {
    /// A lesson that begins with gammas of 1, or with those of an earlier state.
    pub fn new(course: &'a Course, prior: f64, threads: usize, earlier: Option<Vec<Vec<f64>>>) -> Lesson<'a> {
        let mut sizes: Vec<usize> = GROUPS.iter().map(|group| group.values.len()).collect();
        sizes.extend(course.shapes());
        let flat = || sizes.iter().map(|&size| vec![1.0; size]).collect();
        let mut lesson = Lesson {
            course,
            prior,
            threads,
            gammas: earlier.unwrap_or_else(flat),
            wins: sizes.iter().map(|&size| vec![0.0; size]).collect(),
            of_shapes: Vec::new(),
            of_values: Vec::new(),
        };
        for (candidates, played) in course.lessons.iter().flat_map(Positions::iter) {
            let candidate = candidates[played];
            for group in 0..lesson.wins.len() {
                if let Some(value) = lesson.feature(group, candidate) {
                    lesson.wins[group][value] += 1.0;
                }
            }
        }
        lesson.multiply();
        lesson
    }

    /// One round: every group once; `tell` hears when one is done.
    pub fn round(&mut self, mut tell: impl FnMut()) {
        // Shapes first: they say most, and the others are judged by what is left to say.
        for group in (0..self.gammas.len()).rev() {
            self.improve(group);
            tell();
        }
    }

    /// Groups in a round.
    pub const GROUPS: usize = MD2 + 1;

    /// The gammas, for a later [`Lesson::new`].
    pub fn gammas(&self) -> &[Vec<f64>] {
        &self.gammas
    }

    /// How well the moves kept back are predicted.
    pub fn test(&self) -> Score {
        let parts = in_parallel(self.threads, self.course.tests.len(), |part| {
            let mut score = Score::default();
            for (candidates, played) in self.course.tests[part].iter() {
                let strength = self.strength(candidates[played]);
                let total: f64 = candidates.iter().map(|&candidate| self.strength(candidate)).sum();
                let at_least = candidates.iter().filter(|&&other| self.strength(other) >= strength).count();
                score.positions += 1;
                score.log_likelihood += (strength / total).ln();
                for (count, limit) in score.among.iter_mut().zip([1, 5, 10]) {
                    *count += usize::from(at_least <= limit);
                }
            }
            score
        });
        parts.into_iter().fold(Score::default(), |sum, part| Score {
            positions: sum.positions + part.positions,
            among: std::array::from_fn(|i| sum.among[i] + part.among[i]),
            log_likelihood: sum.log_likelihood + part.log_likelihood,
        })
    }

    /// The gammas as playouts read them.
    pub fn table(&self, provenance: &str) -> GammaTable {
        let mut table = GammaTable::flat(provenance);
        for (values, gammas) in table.values.iter_mut().zip(&self.gammas) {
            values[..MOST_VALUES.min(gammas.len())]
                .iter_mut()
                .zip(gammas)
                .for_each(|(to, &from)| *to = from as f32);
        }
        let as_table = |gammas: &[f64]| gammas.iter().map(|&gamma| gamma as f32).collect::<Vec<_>>();
        table.near = self.course.near.iter().copied().zip(as_table(&self.gammas[NEAR])).collect();
        table.md2 = self.course.md2.iter().copied().zip(as_table(&self.gammas[MD2])).collect();
        table
    }

    /// The value that a candidate has in a group: nothing where there is nothing to learn.
    fn feature(&self, group: usize, candidate: Candidate) -> Option<usize> {
        match group {
            NEAR => Some(self.course.near_of[candidate.shape as usize] as usize),
            MD2 => Some(candidate.shape as usize).filter(|&shape| shape < self.course.md2.len()),
            _ => Some(self.course.values[candidate.values as usize][group]).filter(|&value| value > 0),
        }
    }

    fn improve(&mut self, group: usize) {
        let expected = self.expected(group);
        for (value, gamma) in self.gammas[group].iter_mut().enumerate() {
            // Value 0 of a group is what the others are compared with.
            if group < NEAR && value == 0 {
                continue;
            }
            let (wins, prior) = (self.wins[group][value], self.prior);
            *gamma = (wins + prior) / (expected[value] / *gamma + 2.0 * prior / (1.0 + *gamma));
        }
        self.multiply();
    }

    /// How often each feature of a group should have been played.
    fn expected(&self, group: usize) -> Vec<f64> {
        let is_shape = group >= NEAR;
        let parts = in_parallel(self.threads, self.course.lessons.len(), |part| {
            // By shape or by combination; told apart afterwards, which is less work.
            let mut shares = vec![0.0; if is_shape { self.of_shapes.len() } else { self.of_values.len() }];
            for (candidates, _) in self.course.lessons[part].iter() {
                let total: f64 = candidates.iter().map(|&candidate| self.strength(candidate)).sum();
                let scale = 1.0 / total;
                for &candidate in candidates {
                    let place = if is_shape { candidate.shape } else { candidate.values };
                    shares[place as usize] += self.strength(candidate) * scale;
                }
            }
            let mut expected = vec![0.0; self.gammas[group].len()];
            for (place, share) in shares.into_iter().enumerate().filter(|&(_, share)| share > 0.0) {
                let place = place as u32;
                let candidate = Candidate {
                    shape: if is_shape { place } else { 0 },
                    values: if is_shape { 0 } else { place },
                };
                if let Some(value) = self.feature(group, candidate) {
                    expected[value] += share;
                }
            }
            expected
        });
        let mut sum = vec![0.0; self.gammas[group].len()];
        for part in parts {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    #[inline(always)]
    fn strength(&self, candidate: Candidate) -> f64 {
        self.of_shapes[candidate.shape as usize] * self.of_values[candidate.values as usize]
    }

    fn multiply(&mut self) {
        let gammas = &self.gammas;
        let md2 = gammas[MD2].iter().copied().chain(std::iter::repeat(1.0));
        let shapes = self.course.near_of.iter().zip(md2);
        self.of_shapes = shapes.map(|(&near, md2)| gammas[NEAR][near as usize] * md2).collect();
        let product = |values: &[usize; GROUPS.len()]| {
            (0..GROUPS.len()).map(|group| gammas[group][values[group]]).product()
        };
        self.of_values = self.course.values.iter().map(product).collect();
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions.max(1) as f64;
        let [one, five, ten] = self.among.map(|count| 100.0 * count as f64 / positions);
        write!(
            f,
            "{} positions, first {one:.2} %, among five {five:.2} %, among ten {ten:.2} %, log-likelihood {:.4}",
            self.positions,
            self.log_likelihood / positions
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::Plan;
    use super::*;
    use crate::sample::GameSample;
    use tesuji_board::{Board, Color, Move, Rules, Size};
    use tesuji_search::Rng;
    use tesuji_search::playout::{Ending, GammaSets, Position, Rated, run};

    const PLAN: Plan = Plan { share: 60, held_out: 20, least_played: 3, least_seen: 60, prior: 1.0, seed: 3 };

    /// Games by playouts of known gammas.
    fn games(table: &GammaTable, count: usize) -> Vec<GameSample> {
        let size = Size::square(7).unwrap();
        let mut rule = Rated::new(GammaSets::new(Some(table), 1.0));
        let mut rng = Rng::new(9);
        let game = |_| {
            let mut game = GameSample::new(size, Rules::default());
            let mut position = Position::new(Board::new(size), Color::Black);
            run(&mut rule, &mut position, &mut rng, Ending::merciful(49), |color, mv: Move| {
                game.moves.push((color, mv));
            });
            game
        };
        (0..count).map(game).collect()
    }

    fn known() -> GammaTable {
        let mut table = GammaTable::flat("a test");
        table.values[0][1..6].copy_from_slice(&[6.0, 5.0, 2.0, 1.0, 1.0]);
        table.values[2][2] = 20.0;
        table.values[4][1] = 0.1;
        table
    }

    #[test]
    fn gammas_that_made_the_games_are_found_again() {
        let games = games(&known(), 300);
        let course =
            Course::new(&games, &Plan { least_played: 1 << 30, least_seen: 1 << 30, ..PLAN }, 2, &|_| ());
        let mut lesson = Lesson::new(&course, 1.0, 2, None);
        let likelihood = lesson.test().log_likelihood;
        (0..60).for_each(|_| lesson.round(|| ()));
        assert!(lesson.test().log_likelihood > likelihood);
        let table = lesson.table("");
        let near = |found: f32, wanted: f32| (found / wanted).ln().abs() < 0.25;
        for (group, value) in [(0, 1), (0, 2), (0, 3), (0, 4), (2, 2), (4, 1)] {
            let (found, wanted) = (table.values[group][value], known().values[group][value]);
            assert!(near(found, wanted), "{}: {found} instead of {wanted}", GROUPS[group].values[value]);
        }
    }

    /// Every step makes the moves learned from likelier, priors apart, and neither threads nor a stop on the way change a bit.
    #[test]
    fn rounds_are_exact() {
        let games = games(&known(), 60);
        let course = Course::new(&games, &PLAN, 1, &|_| ());
        let other = Course::new(&games, &PLAN, 3, &|_| ());
        assert_eq!(course.shapes(), other.shapes());
        assert!(course.shapes()[1] > 50, "{:?}", course.shapes());
        let mut whole = Lesson::new(&course, 1.0, 1, None);
        (0..4).for_each(|_| whole.round(|| ()));
        let mut half = Lesson::new(&other, 1.0, 3, None);
        (0..2).for_each(|_| half.round(|| ()));
        let mut rest = Lesson::new(&other, 1.0, 2, Some(half.gammas().to_vec()));
        (0..2).for_each(|_| rest.round(|| ()));
        assert_eq!(whole.gammas(), rest.gammas());
        assert_eq!(whole.test(), rest.test());
        assert_eq!(whole.table("x").write(), rest.table("x").write());
    }

    #[test]
    fn what_was_played_becomes_likelier_with_every_group() {
        let games = games(&known(), 60);
        let course = Course::new(&games, &Plan { held_out: 0, ..PLAN }, 2, &|_| ());
        let likelihood = |lesson: &Lesson<'_>| -> f64 {
            let positions = course.lessons.iter().flat_map(Positions::iter);
            positions
                .map(|(candidates, played)| {
                    let total: f64 = candidates.iter().map(|&candidate| lesson.strength(candidate)).sum();
                    (lesson.strength(candidates[played]) / total).ln()
                })
                .sum()
        };
        let mut lesson = Lesson::new(&course, 0.0001, 2, None);
        let mut last = likelihood(&lesson);
        for group in (0..Lesson::GROUPS).chain(0..Lesson::GROUPS) {
            lesson.improve(group);
            let now = likelihood(&lesson);
            assert!(now >= last - 1e-3, "group {group}: {last} to {now}");
            last = now;
        }
    }
}
