//! What changes of gammas do to the mean result of the playouts of a position.
//!
//! The derivative of the mean result by the logarithm of a gamma is the mean of `z · ψ`: `z` is the result of a playout, `ψ` the sum over its moves
//! of how often the move has the feature, minus how often it was to be expected. Here another move is drawn by the same rates and stands for the
//! expectation: the mean is the same, and the features of two moves are found far faster than those of all.
//!
//! The squared error needs that derivative times the error, and the product of two means is not the mean of products. So for every playout the
//! error and the usual result are those of the others, which know nothing of it: no estimate of one batch meets itself.

use super::parameter::Parameters;
use tesuji_board::{Chain, Point};
use tesuji_search::Rng;
use tesuji_search::playout::{
    End, Ending, FeatureReader, GammaSets, PlayoutRule, Position, Rated, area_difference, run,
};

/// How a playout ended for Black: 1 a win, 0 a loss, a half if nobody won or it did not end.
pub(super) fn black_result(end: End, position: &Position, komi: f32) -> f64 {
    let lead = area_difference(&position.board) as f32 - komi;
    match (end, lead) {
        (End::TooLong, _) => 0.5,
        (_, lead) if lead > 0.0 => 1.0,
        (_, lead) if lead < 0.0 => 0.0,
        _ => 0.5,
    }
}

/// Learned playouts that write down what their moves have more of than others that could have been drawn.
struct Watched<'a> {
    rated: Rated,
    reader: FeatureReader,
    parameters: &'a Parameters,
    /// Places of gammas, and whose they are.
    trace: Vec<(u32, Sign)>,
}

/// Whether a move had a feature, or what could have been drawn instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Drawn,
    Other,
}

impl PlayoutRule for Watched<'_> {
    fn start(&mut self, position: &Position) {
        self.rated.start(position);
    }

    fn propose(&mut self, position: &mut Position, rng: &mut Rng) -> Option<Point> {
        let [drawn, other] = self.rated.propose_two(position, rng)?;
        if drawn != other {
            self.reader.look_at(position);
            for (point, sign) in [(drawn, Sign::Drawn), (other, Sign::Other)] {
                let features = self.reader.features(position, point);
                self.parameters.visit(&features, |place| self.trace.push((place, sign)));
            }
        }
        Some(drawn)
    }

    fn stone_removed(&mut self, point: Point) {
        self.rated.stone_removed(point);
    }

    fn liberties_changed(&mut self, chain: Chain) {
        self.rated.liberties_changed(chain);
    }

    fn played(&mut self, position: &Position) {
        self.rated.played(position);
    }
}

/// Finds gradients, position after position.
pub(super) struct Sampler<'a> {
    rule: Watched<'a>,
    /// Of each playout: its result, and where its part of the trace ends.
    results: Vec<(f64, usize)>,
}

impl<'a> Sampler<'a> {
    /// For playouts by these gammas.
    pub(super) fn new(sets: GammaSets, parameters: &'a Parameters) -> Sampler<'a> {
        let reader = FeatureReader::default();
        let rule = Watched { rated: Rated::new(sets), reader, parameters, trace: Vec::new() };
        Sampler { rule, results: Vec::new() }
    }

    /// Adds what makes the squared error of a position smaller: an estimate of half of its negative gradient from some playouts, two at least.
    pub(super) fn add(
        &mut self,
        gradient: &mut [f64],
        (start, komi, black_wins): &(Position, f32, f64),
        playouts: usize,
        ending: Ending,
        rng: &mut Rng,
    ) {
        self.rule.trace.clear();
        self.results.clear();
        let mut position = start.clone();
        for _ in 0..playouts {
            position.copy_from(start);
            let end = run(&mut self.rule, &mut position, rng, ending, |_, _| ());
            self.results.push((black_result(end, &position, *komi), self.rule.trace.len()));
        }
        let sum: f64 = self.results.iter().map(|(result, _)| result).sum();
        let mut begin = 0;
        for &(result, end) in &self.results {
            let others = (sum - result) / (playouts - 1) as f64;
            let weight = (black_wins - others) * (result - others) / playouts as f64;
            for &(place, sign) in &self.rule.trace[begin..end] {
                gradient[place as usize] += if sign == Sign::Drawn { weight } else { -weight };
            }
            begin = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Color, Diagram, Md2, Move};
    use tesuji_search::playout::GammaTable;

    /// Few moves, so that all playouts can be counted; who captures wins.
    const MERCY: usize = 4;
    const ENDING: Ending = Ending { mercy: Some(MERCY as u16), max_moves: 6 };
    const KOMI: f32 = 0.5;

    fn position() -> Position {
        let diagram = Diagram::parse(". X O .\n. X O .\nX X O O").unwrap();
        let mut position = Position::new(diagram.board.clone(), Color::White);
        position.last = Move::Play(diagram.board.size().point(0, 2).unwrap());
        position
    }

    /// A table with gammas of all kinds for the shapes that the position has.
    fn table(position: &Position) -> GammaTable {
        let mut table = GammaTable::flat("a test");
        let mut rng = Rng::new(4);
        table.values.iter_mut().for_each(|group| group[1..].fill_with(|| 0.5 + 2.0 * rng.unit()));
        let mut near = Vec::new();
        let mut md2: Vec<Md2> = Vec::new();
        FeatureReader::default().read(position, |_, features| {
            near.push(features.near);
            md2.push(features.md2);
        });
        near.sort_unstable_by_key(|code| code.0);
        near.dedup();
        md2.sort_unstable();
        md2.dedup();
        table.near = near.into_iter().map(|code| (code, 0.5 + 2.0 * rng.unit())).collect();
        // Some shapes have a neighbourhood alone.
        table.md2 = md2.into_iter().skip(1).map(|code| (code, 0.5 + 2.0 * rng.unit())).collect();
        table
    }

    /// The mean result by going through all playouts, each as likely as its gammas say.
    fn exact(position: &Position, parameters: &Parameters, logs: &[f64], left: u32) -> f64 {
        let mut moves = Vec::new();
        FeatureReader::default().read(position, |point, features| {
            let mut log = 0.0;
            parameters.visit(&features, |place| log += logs[place as usize]);
            moves.push((Move::Play(point), log.exp()));
        });
        if moves.is_empty() {
            moves.push((Move::Pass, 1.0));
        }
        let total: f64 = moves.iter().map(|(_, rate)| rate).sum();
        let mean = moves.into_iter().map(|(mv, rate)| {
            let mut next = position.clone();
            next.play(mv);
            let both_passed = mv == Move::Pass && position.last == Move::Pass;
            let stones = |color: Color| next.board.stone_count(color);
            let is_over = both_passed || stones(Color::Black).abs_diff(stones(Color::White)) >= MERCY;
            let value = match (is_over, left) {
                (true, _) => black_result(End::Passes, &next, KOMI),
                (false, 1) => 0.5,
                _ => exact(&next, parameters, logs, left - 1),
            };
            rate / total * value
        });
        mean.sum()
    }

    #[test]
    fn the_gradient_is_that_of_the_squared_error() {
        let start = position();
        let parameters = Parameters::new(table(&start));
        let logs = parameters.logs(1.0);
        let black_wins = 0.9;
        let error = |logs: &[f64]| (black_wins - exact(&start, &parameters, logs, ENDING.max_moves)).powi(2);
        let sets = GammaSets::new(Some(&parameters.table(&logs, "")), 1.0);
        let mut sampler = Sampler::new(sets, &parameters);
        let mut rng = Rng::new(8);
        let rounds = 20_000;
        let target = (start.clone(), KOMI, black_wins);
        let mut sums = vec![[0.0; 2]; parameters.count()];
        for _ in 0..rounds {
            let mut gradient = vec![0.0; parameters.count()];
            sampler.add(&mut gradient, &target, 4, ENDING, &mut rng);
            for (sum, part) in sums.iter_mut().zip(gradient) {
                *sum = [sum[0] + part, sum[1] + part * part];
            }
        }
        let mut clear = 0;
        for place in 0..parameters.count() {
            let changed = |by: f64| {
                let mut logs = logs.clone();
                logs[place] += by;
                error(&logs)
            };
            let expected = -(changed(1e-4) - changed(-1e-4)) / 4e-4;
            let mean = sums[place][0] / f64::from(rounds);
            let deviation = ((sums[place][1] / f64::from(rounds) - mean * mean) / f64::from(rounds)).sqrt();
            // Rates of shapes are rounded to eight bits in playouts.
            assert!(
                (mean - expected).abs() < 4.5 * deviation + 1e-4,
                "{place}: {mean} instead of {expected}"
            );
            clear += usize::from(expected.abs() > 8.0 * deviation && expected.abs() > 1e-3);
        }
        assert!(clear >= 5, "{clear} derivatives are clearly not 0");
    }
}
