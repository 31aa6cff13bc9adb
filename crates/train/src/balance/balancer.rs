//! Gammas while they are balanced.

use super::gradient::{Sampler, black_result};
use super::parameter::Parameters;
use super::target::Targets;
use crate::gamma::in_parallel;
use std::fmt;
use tesuji_search::Rng;
use tesuji_search::playout::{Ending, GammaSets, GammaTable, Rated, run};

/// How gammas are balanced.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Plan {
    /// The first gammas are raised to the power of one by this.
    pub temperature: f64,
    /// Steps between two tests.
    pub steps: usize,
    /// Positions of a step.
    pub positions: usize,
    /// Playouts of each, two at least.
    pub playouts: usize,
    /// About the most that the logarithm of a gamma changes in a step.
    pub rate: f64,
    /// Playouts of each position that was kept back, two at least.
    pub test_playouts: usize,
    /// Determines everything random.
    pub seed: u64,
}

/// Gammas, and what is known of their gradients. Steps are those of Adam (Kingma, Ba 2015): a gamma is changed by how clear the sign of its
/// gradient is, not by its size, because the features of most moves have gradients a thousand times those of rare shapes; only the rarest are
/// held back, whose gradients are nothing but chance.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// Steps done.
    pub steps: u64,
    /// The logarithms of the gammas.
    pub logs: Vec<f64>,
    /// Means of them over the last steps, which have less of the noise of single steps: these are the result.
    pub averages: Vec<f64>,
    /// Means of the gradients, and of their squares.
    pub gradients: Vec<f64>,
    /// See `gradients`.
    pub squares: Vec<f64>,
}

/// How long the means of [`State`] remember: what is left of them after a step.
const KEPT_OF_GRADIENTS: f64 = 0.9;
const KEPT_OF_SQUARES: f64 = 0.99;
const KEPT_OF_AVERAGES: f64 = 0.98;
/// About the mean square of the gradient, by positions and playouts of a step, of a feature that comes up in one of a hundred playouts: rarer ones
/// change more slowly. Seen on 9×9.
const RARE: f64 = 3e-4;

/// Parts that threads work on: fixed, because sums depend on it.
const PARTS: usize = 16;

/// Tells the random numbers of tests from those of steps.
const TEST_SEED: u64 = 0x7465_7374;

/// How wrong playouts are about the positions kept back.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Error {
    /// Positions.
    pub positions: usize,
    /// Mean square of the difference between opinions and the mean of so many playouts.
    pub squared: f64,
    /// The same for very many playouts: less what is chance.
    pub bias: f64,
    /// Mean of the differences: above 0 if playouts think too well of Black.
    pub for_black: f64,
}

impl State {
    /// Before the first step.
    pub fn new(parameters: &Parameters, plan: &Plan) -> State {
        let logs = parameters.logs(plan.temperature);
        let zeros = vec![0.0; logs.len()];
        State { steps: 0, averages: logs.clone(), logs, gradients: zeros.clone(), squares: zeros }
    }

    /// Moves the gammas along a gradient.
    fn follow(&mut self, gradient: &[f64], plan: &Plan) {
        self.steps += 1;
        let whole = |kept: f64| 1.0 - kept.powf(self.steps as f64);
        let (of_gradients, of_squares) = (whole(KEPT_OF_GRADIENTS), whole(KEPT_OF_SQUARES));
        let rare = RARE * plan.positions as f64 / plan.playouts as f64;
        // At first a mean of all steps, so that the first gammas do not stay in it.
        let kept = KEPT_OF_AVERAGES.min(1.0 - 1.0 / self.steps as f64);
        for (place, &slope) in gradient.iter().enumerate() {
            let mean = &mut self.gradients[place];
            *mean = KEPT_OF_GRADIENTS * *mean + (1.0 - KEPT_OF_GRADIENTS) * slope;
            let square = &mut self.squares[place];
            *square = KEPT_OF_SQUARES * *square + (1.0 - KEPT_OF_SQUARES) * slope * slope;
            let scale = (*square / of_squares + rare).sqrt();
            self.logs[place] += plan.rate * (*mean / of_gradients) / scale;
            let average = &mut self.averages[place];
            *average = kept * *average + (1.0 - kept) * self.logs[place];
        }
    }
}

/// Balances gammas.
pub struct Balancer<'a> {
    lessons: &'a Targets,
    tests: &'a Targets,
    parameters: &'a Parameters,
    plan: Plan,
    threads: usize,
    state: State,
}

impl<'a> Balancer<'a> {
    /// Goes on from a state that fits the parameters; there must be something to learn from.
    pub fn new(
        [lessons, tests]: &'a [Targets; 2],
        parameters: &'a Parameters,
        plan: Plan,
        threads: usize,
        state: State,
    ) -> Balancer<'a> {
        Balancer { lessons, tests, parameters, plan, threads, state }
    }

    /// The state, for a later [`Balancer::new`].
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The gammas as playouts read them.
    pub fn table(&self, provenance: &str) -> GammaTable {
        self.parameters.table(&self.state.averages, provenance)
    }

    /// One step: the gradient of some positions, drawn at random, and a change along it.
    pub fn step(&mut self) {
        let sets = GammaSets::new(Some(&self.parameters.table(&self.state.logs, "")), 1.0);
        let plan = self.plan;
        let parts = in_parallel(self.threads, PARTS, |part| {
            let mut gradient = vec![0.0; self.parameters.count()];
            let mut sampler = Sampler::new(sets.clone(), self.parameters);
            let bound = |part: usize| plan.positions * part / PARTS;
            for number in bound(part)..bound(part + 1) {
                let stream = self.state.steps * plan.positions as u64 + number as u64;
                let mut rng = Rng::for_stream(plan.seed, stream);
                let target = self.lessons.get(rng.below(self.lessons.len()));
                let ending = Ending::merciful(target.0.board.size().area());
                sampler.add(&mut gradient, &target, plan.playouts.max(2), ending, &mut rng);
            }
            gradient
        });
        let mut sum = vec![0.0; self.parameters.count()];
        for part in parts {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        self.state.follow(&sum, &plan);
    }

    /// How wrong the gammas are about the positions kept back; always by the same random numbers.
    pub fn test(&self) -> Error {
        let sets = GammaSets::new(Some(&self.table("")), 1.0);
        let playouts = self.plan.test_playouts.max(2);
        let parts = in_parallel(self.threads, PARTS, |part| {
            let mut rule = Rated::new(sets.clone());
            let bound = |part: usize| self.tests.len() * part / PARTS;
            let mut sum = Error::default();
            for number in bound(part)..bound(part + 1) {
                let mut rng = Rng::for_stream(self.plan.seed ^ TEST_SEED, number as u64);
                let (start, komi, black_wins) = self.tests.get(number);
                let mut position = start.clone();
                let ending = Ending::merciful(start.board.size().area());
                let (mut results, mut squares) = (0.0, 0.0);
                for _ in 0..playouts {
                    position.copy_from(&start);
                    let end = run(&mut rule, &mut position, &mut rng, ending, |_, _| ());
                    let result = black_result(end, &position, komi);
                    results += result;
                    squares += result * result;
                }
                let count = playouts as f64;
                let mean = results / count;
                let chance = (squares / count - mean * mean) / (count - 1.0);
                let squared = (mean - black_wins).powi(2);
                sum.positions += 1;
                sum.squared += squared;
                sum.bias += squared - chance;
                sum.for_black += mean - black_wins;
            }
            sum
        });
        let add = |a: Error, b: Error| Error {
            positions: a.positions + b.positions,
            squared: a.squared + b.squared,
            bias: a.bias + b.bias,
            for_black: a.for_black + b.for_black,
        };
        let sum = parts.into_iter().fold(Error::default(), add);
        let count = sum.positions.max(1) as f64;
        Error {
            squared: sum.squared / count,
            bias: sum.bias / count,
            for_black: sum.for_black / count,
            ..sum
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} positions, squared bias {:.5}, mean squared error {:.5}, for Black {:+.4}",
            self.positions, self.bias, self.squared, self.for_black
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{GameSample, Label, Split};
    use tesuji_board::{Board, Color, Rules, Size};
    use tesuji_search::playout::Position;

    const PLAN: Plan = Plan {
        temperature: 1.0,
        steps: 9,
        positions: 24,
        playouts: 8,
        rate: 0.05,
        test_playouts: 40,
        seed: 5,
    };

    /// Positions of random games, judged by the playouts of the program, which capture and escape.
    fn targets(count: usize) -> [Targets; 2] {
        let size = Size::square(5).unwrap();
        let flat = GammaTable::flat("a test");
        let mut random = Rated::new(GammaSets::new(Some(&flat), 1.0));
        // A table of the test's own, because the program's may change: it captures, is not captured, and is right about everything.
        let mut capturing = GammaTable::flat("a test");
        capturing.values[2][1..].fill(20.0);
        capturing.values[4][1..].fill(0.05);
        let mut judge = Rated::new(GammaSets::new(Some(&capturing), 1.0));
        let mut rng = Rng::new(9);
        let ending = Ending::merciful(size.area());
        let games = (0..count).map(|_| {
            let mut game = GameSample::new(size, Rules { komi: 0.5, ..Rules::default() });
            let mut position = Position::new(Board::new(size), Color::Black);
            let short = Ending { max_moves: 6 + rng.below(8) as u32, ..ending };
            run(&mut random, &mut position, &mut rng, short, |color, mv| game.moves.push((color, mv)));
            let start = position.clone();
            let wins = (0..100).map(|_| {
                position.copy_from(&start);
                let end = run(&mut judge, &mut position, &mut rng, ending, |_, _| ());
                black_result(end, &position, 0.5)
            });
            let black = (wins.sum::<f64>() / 100.0) as f32;
            let own = if start.to_move == Color::Black { black } else { 1.0 - black };
            let turn = game.moves.len() as u16;
            game.labels = vec![Label { turn, outcome: Some([own, 1.0 - own, 0.0]), ..Label::default() }];
            game
        });
        let games: Vec<GameSample> = games.collect();
        Targets::of_games(games, size, Split { validation: 300 })
    }

    #[test]
    fn bias_becomes_smaller_on_positions_kept_back() {
        let targets = targets(400);
        let parameters = Parameters::new(GammaTable::flat("a test"));
        let plan = Plan { positions: 64, playouts: 16, ..PLAN };
        let state = State::new(&parameters, &plan);
        let mut balancer = Balancer::new(&targets, &parameters, plan, 2, state);
        let before = balancer.test();
        (0..150).for_each(|_| balancer.step());
        let after = balancer.test();
        assert!(after.positions > 50 && after.squared >= after.bias);
        assert!(before.bias > 0.01 && after.bias < 0.9 * before.bias, "{before}; {after}");
        let table = balancer.table("");
        assert!(table.values[2][2] > 1.2, "captures: {}", table.values[2][2]);
    }

    /// Neither threads nor a stop on the way change a bit.
    #[test]
    fn steps_are_exact() {
        let targets = targets(40);
        let parameters = Parameters::new(GammaSets::built_in(Size::square(5).unwrap()).clone());
        let begin = |threads, state| Balancer::new(&targets, &parameters, PLAN, threads, state);
        let mut whole = begin(1, State::new(&parameters, &PLAN));
        (0..6).for_each(|_| whole.step());
        let mut half = begin(3, State::new(&parameters, &PLAN));
        (0..3).for_each(|_| half.step());
        let mut rest = begin(2, half.state().clone());
        (0..3).for_each(|_| rest.step());
        assert_eq!(whole.state(), rest.state());
        assert_eq!(whole.test(), rest.test());
        assert_eq!(whole.table("x").write(), rest.table("x").write());
        assert_ne!(whole.state().logs, half.state().logs);
    }
}
