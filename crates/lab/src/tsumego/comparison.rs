//! Two rules on the same problems: who needs fewer playouts, and how sure is that?
//!
//! Problems differ by factors of a hundred, so ratios are compared, on a logarithmic scale where twice and half are equally far from even.
//! The interval of the mean is Student's over the problems; that of a single problem comes from drawing its seeds again and again (bootstrap: B. Efron, 1979).

use tesuji_search::Rng;

use super::curve::{Curve, Needed};
use crate::statistics::{Interval, Sample};

/// Problems on which the base needs fewer playouts than this are too easy to compare anything.
pub const TRIVIAL: f64 = 50.0;

/// How often seeds are drawn again.
const DRAWS: usize = 400;

/// Playouts on one problem, as a share of the base's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Place of the problem among all.
    pub problem: usize,
    /// The ratio; a lower bound if the goal was not reached.
    pub value: f64,
    /// Where it might be with other seeds.
    pub interval: Interval,
    /// Whether the goal was reached.
    pub is_reached: bool,
}

/// How a rule did on a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The interval of the ratio is below 1.
    Better,
    /// It holds 1.
    Same,
    /// It is above 1.
    Worse,
}

impl Ratio {
    /// Better and worse are said only where other seeds would hardly say otherwise.
    pub fn grade(&self) -> Grade {
        match self.interval {
            Interval { high, .. } if high < 1.0 => Grade::Better,
            Interval { low, .. } if low > 1.0 => Grade::Worse,
            _ => Grade::Same,
        }
    }
}

/// A rule against its base, over many problems.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The problems that can be compared.
    pub ratios: Vec<Ratio>,
    /// Log ratios of the playouts to a proof, on problems that most seeds of both rules prove.
    pub log_proofs: Vec<f64>,
}

impl Comparison {
    /// Compares curves of the base and of a rule, one pair per problem.
    pub fn of<'a>(pairs: impl Iterator<Item = (&'a Curve, &'a Curve)>, seed: u64) -> Comparison {
        let mut comparison = Comparison { ratios: Vec::new(), log_proofs: Vec::new() };
        for (problem, (base, curve)) in pairs.enumerate() {
            if let Some((base, ours)) = base.median_to_proof().zip(curve.median_to_proof()) {
                comparison.log_proofs.push((ours / base).ln());
            }
            if is_comparable(base) {
                let mut rng = Rng::for_stream(seed, problem as u64);
                comparison.ratios.push(ratio(problem, base, curve, &mut rng));
            }
        }
        comparison
    }

    /// The mean of the log ratios, over the problems that `belongs` names.
    pub fn log_ratio(&self, belongs: impl Fn(usize) -> bool) -> Option<Sample> {
        let chosen = self.ratios.iter().filter(|ratio| belongs(ratio.problem));
        Sample::of(chosen.map(|ratio| ratio.value.ln()))
    }

    /// The mean of the ratios themselves, as the paper has it: few large ones weigh much.
    pub fn plain_ratio(&self) -> Option<Sample> {
        Sample::of(self.ratios.iter().map(|ratio| ratio.value))
    }

    /// Number of problems with a grade.
    pub fn count(&self, grade: Grade) -> usize {
        self.ratios.iter().filter(|ratio| ratio.grade() == grade).count()
    }
}

/// Whether the base reaches the goal within the limit, and not at once.
pub fn is_comparable(base: &Curve) -> bool {
    matches!(base.needed(), Needed::Playouts(needed) if needed >= TRIVIAL)
}

fn ratio(problem: usize, base: &Curve, curve: &Curve, rng: &mut Rng) -> Ratio {
    let needed = curve.needed();
    let mut draw = || curve.needed_by_chance(rng).at_least() / base.needed_by_chance(rng).at_least();
    let mut drawn: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
    drawn.sort_by(f64::total_cmp);
    let interval = Interval { low: drawn[DRAWS / 40], high: drawn[DRAWS - 1 - DRAWS / 40] };
    Ratio {
        problem,
        value: needed.at_least() / base.needed().at_least(),
        interval,
        is_reached: needed.is_reached(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::curve::checkpoints;
    use super::*;

    const LIMIT: u64 = 4096;

    /// A hundred seeds that are right once they have `needed` playouts, a bit earlier or later.
    fn curve(needed: f64) -> Curve {
        let bits = |seed: u32| {
            let own = needed * (f64::from(seed) / 100.0 - 0.9).exp2();
            let right = checkpoints(LIMIT).enumerate().map(|(k, at)| u64::from(at as f64 >= own) << k);
            right.sum()
        };
        Curve { limit: LIMIT, right: (0..100).map(bits).collect(), proved: vec![needed as u64; 3] }
    }

    fn compare(pairs: &[(f64, f64)]) -> Comparison {
        let curves: Vec<(Curve, Curve)> = pairs.iter().map(|&(a, b)| (curve(a), curve(b))).collect();
        Comparison::of(curves.iter().map(|(base, ours)| (base, ours)), 1)
    }

    #[test]
    fn ratios_are_found_and_graded() {
        let found = compare(&[
            (400.0, 100.0),
            (300.0, 300.0),
            (100.0, 800.0),
            (100.0, 1e5),
            (10.0, 100.0),
            (1e5, 9.0),
        ]);
        let grades: Vec<Grade> = found.ratios.iter().map(Ratio::grade).collect();
        assert_eq!(
            grades,
            [Grade::Better, Grade::Same, Grade::Worse, Grade::Worse],
            "two cannot be compared"
        );
        assert!((found.ratios[0].value - 0.25).abs() < 0.03, "{:?}", found.ratios);
        assert!((found.ratios[1].value - 1.0).abs() < 1e-9);
        assert!((found.ratios[2].value - 8.0).abs() < 0.8);
        assert_eq!(found.ratios.iter().filter(|ratio| !ratio.is_reached).count(), 1);
        assert_eq!((found.count(Grade::Better), found.count(Grade::Worse)), (1, 2));
    }

    #[test]
    fn the_mean_ratio_is_geometric() {
        let found = compare(&[(200.0, 100.0), (100.0, 200.0)]);
        assert!(found.log_ratio(|_| true).unwrap().mean.abs() < 0.02);
        assert!((found.plain_ratio().unwrap().mean - 1.25).abs() < 0.05);
        assert!(found.log_ratio(|problem| problem == 0).unwrap().mean < -0.6);
        let proofs = Sample::of(found.log_proofs.iter().copied()).unwrap();
        assert!((proofs.count == 2) && proofs.mean.abs() < 1e-9);
    }
}
