//! What a number of games says about two players, with honest error bars.
//!
//! A draw is half a win and half a loss. Intervals are for 95 %. Wilson's interval is used for rates because it stays
//! inside 0 to 1 and is right for few games and for rates near the ends (Brown, Cai, DasGupta 2001); Elo numbers are
//! rates in other units, so their interval is the same one converted. The mean of several percentages gets its interval by drawing them
//! again (bootstrap: B. Efron 1979), which cannot leave 0 to 100 as Student's can.

use statrs::distribution::{ContinuousCDF, StudentsT};
use tesuji_search::Rng;

/// Standard normal quantile of a two-sided 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// Elo points per factor of ten in the odds.
const ELO_SCALE: f64 = 400.0;

/// A range that holds the truth with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of a monotone function of the number.
    pub fn map(self, convert: impl Fn(f64) -> f64) -> Interval {
        Interval { low: convert(self.low), high: convert(self.high) }
    }
}

/// Results from one player's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, 0 to 1; `None` without games.
    pub fn rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The interval of the rate; everything without games.
    pub fn interval(&self) -> Interval {
        wilson(self.points(), self.games() as f64)
    }

    /// The probability of a result at least this lopsided between equal players; draws say nothing.
    pub fn p_value(&self) -> f64 {
        binomial_p(self.wins, self.losses)
    }

    /// Elo difference with its interval; infinite when all games were won or lost, `None` without games.
    pub fn elo(&self) -> Option<(f64, Interval)> {
        Some((elo_of_rate(self.rate()?), self.interval().map(elo_of_rate)))
    }

    /// Both tallies together.
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }
}

/// Wilson's interval of a rate, for `successes` out of `trials`; half successes are allowed.
pub fn wilson(successes: f64, trials: f64) -> Interval {
    if trials <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let rate = successes / trials;
    let z2 = Z95 * Z95;
    let center = rate + z2 / (2.0 * trials);
    let spread = Z95 * (rate * (1.0 - rate) / trials + z2 / (4.0 * trials * trials)).sqrt();
    let scale = 1.0 + z2 / trials;
    // At the ends the formula gives 0 and 1 but for rounding, which Elo numbers would blow up.
    Interval {
        low: if successes <= 0.0 { 0.0 } else { (center - spread) / scale },
        high: if successes >= trials { 1.0 } else { (center + spread) / scale },
    }
}

/// The exact two-sided p of `wins` against `losses` if both were equally likely.
pub fn binomial_p(wins: u64, losses: u64) -> f64 {
    let games = (wins + losses) as f64;
    let few = wins.min(losses);
    let choose: f64 = (1..=few).map(|i| ((games - few as f64 + i as f64) / i as f64).ln()).sum();
    let mut term = (choose - games * std::f64::consts::LN_2).exp();
    let mut tail = term;
    for k in (1..=few).rev() {
        term *= k as f64 / (games - k as f64 + 1.0);
        tail += term;
    }
    (2.0 * tail).min(1.0)
}

/// The Elo difference at which a rate is expected.
pub fn elo_of_rate(rate: f64) -> f64 {
    -ELO_SCALE * (1.0 / rate - 1.0).log10()
}

/// The rate that is expected at an Elo difference.
pub fn rate_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / ELO_SCALE))
}

/// Mean and spread of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The standard deviation of the population they come from, as estimated; 0 for one value.
    pub deviation: f64,
}

impl Sample {
    /// Describes values; `None` if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Sample> {
        // Welford's update: no cancellation, and one pass.
        let (mut count, mut mean, mut squares) = (0, 0.0, 0.0);
        for value in values {
            count += 1;
            let delta = value - mean;
            mean += delta / f64::from(count);
            squares += delta * (value - mean);
        }
        let deviation = if count > 1 { f64::sqrt(squares / f64::from(count - 1)) } else { 0.0 };
        (count > 0).then_some(Sample { count: count as usize, mean, deviation })
    }

    /// The interval of the mean by Student's t; everything for one value.
    pub fn interval(&self) -> Interval {
        let freedom = self.count.saturating_sub(1) as f64;
        let Ok(student) = StudentsT::new(0.0, 1.0, freedom) else {
            return Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        };
        let spread = student.inverse_cdf(0.975) * self.deviation / (self.count as f64).sqrt();
        Interval { low: self.mean - spread, high: self.mean + spread }
    }
}

/// A number, with its 95 % interval if enough was observed for one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its interval.
    pub interval: Option<Interval>,
}

/// Observations for which an interval is given; of fewer it says little but that they are few.
const FEWEST: usize = 4;

/// How often values are drawn again: 25 of the means lie beyond either end of an interval.
const DRAWS: usize = 1000;

impl Estimate {
    /// A share in per cent with Wilson's interval; `None` without trials.
    pub fn share(successes: usize, trials: usize) -> Option<Estimate> {
        let interval = || wilson(successes as f64, trials as f64).map(|rate| 100.0 * rate);
        (trials > 0).then(|| Estimate {
            value: 100.0 * successes as f64 / trials as f64,
            interval: (trials >= FEWEST).then(interval),
        })
    }

    /// A mean with Student's interval, for values that know no bounds.
    pub fn mean(sample: Sample) -> Estimate {
        Estimate { value: sample.mean, interval: (sample.count >= FEWEST).then(|| sample.interval()) }
    }

    /// A mean of percentages; `None` without any.
    ///
    /// Values that are all 0 or 100 are failures and successes: they get Wilson's interval, because drawing again makes nothing new of them
    /// if they are all the same.
    pub fn percentage(values: &[f64]) -> Option<Estimate> {
        if values.iter().all(|&value| value == 0.0 || value == 100.0) {
            return Estimate::share(values.iter().filter(|&&value| value > 0.0).count(), values.len());
        }
        Estimate::drawn_mean(values)
    }

    /// A mean of values with bounds, such as differences between percentages: its interval stays within them. `None` without any.
    pub fn drawn_mean(values: &[f64]) -> Option<Estimate> {
        let value = Sample::of(values.iter().copied())?.mean;
        Some(Estimate { value, interval: (values.len() >= FEWEST).then(|| drawn_interval(values)) })
    }
}

/// The interval of the mean by drawing the values again; the same values have the same interval.
fn drawn_interval(values: &[f64]) -> Interval {
    let mut rng = Rng::new(values.len() as u64);
    let mut draw =
        || (0..values.len()).map(|_| values[rng.below(values.len())]).sum::<f64>() / values.len() as f64;
    let mut means: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
    means.sort_by(f64::total_cmp);
    Interval { low: means[DRAWS / 40], high: means[DRAWS - 1 - DRAWS / 40] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
    }

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses }
    }

    #[test]
    fn wilson_intervals() {
        // Computed by hand from the formula; the third is z²/(n + z²), the fourth its mirror image.
        for (successes, trials, low, high) in [
            (60.0, 100.0, 0.502003, 0.690599),
            (8.0, 10.0, 0.490162, 0.943318),
            (0.0, 10.0, 0.0, 0.277533),
            (10.0, 10.0, 0.722467, 1.0),
        ] {
            let interval = wilson(successes, trials);
            close(interval.low, low, 1e-6);
            close(interval.high, high, 1e-6);
        }
        assert_eq!(tally(0, 0, 0).interval(), Interval { low: 0.0, high: 1.0 });
        assert_eq!(tally(1, 2, 1).interval(), tally(2, 0, 2).interval());
    }

    #[test]
    fn binomial_p_values() {
        close(binomial_p(8, 2), 2.0 * (1.0 + 10.0 + 45.0) / 1024.0, 1e-15);
        close(binomial_p(2, 8), binomial_p(8, 2), 0.0);
        close(binomial_p(60, 40), 0.056_887_933_640, 1e-10);
        close(binomial_p(0, 20), 2f64.powi(-19), 1e-18);
        close(binomial_p(5, 5), 1.0, 0.0);
        close(binomial_p(0, 0), 1.0, 0.0);
        // Far beyond where factorials overflow, the normal approximation with continuity correction is good.
        close(binomial_p(50_500, 49_500), 0.001_590, 2e-5);
    }

    #[test]
    fn elo_numbers() {
        close(elo_of_rate(0.75), 190.848_501_888, 1e-8);
        close(rate_of_elo(190.848_501_888), 0.75, 1e-10);
        close(rate_of_elo(-400.0), 1.0 / 11.0, 1e-15);
        let (elo, interval) = tally(60, 0, 40).elo().unwrap();
        close(elo, 70.437, 1e-3);
        close(interval.low, elo_of_rate(0.502003), 1e-3);
        let (elo, interval) = tally(10, 0, 0).elo().unwrap();
        assert_eq!((elo, interval.high), (f64::INFINITY, f64::INFINITY));
        close(interval.low, elo_of_rate(0.722467), 1e-2);
        assert_eq!(tally(0, 0, 0).elo(), None);
    }

    #[test]
    fn samples() {
        let sample = Sample::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((sample.count, sample.mean), (8, 5.0));
        close(sample.deviation, (32.0f64 / 7.0).sqrt(), 1e-12);
        // The t quantile for 7 degrees of freedom is 2.364624.
        close(sample.interval().high - 5.0, 2.364_624 * (32.0f64 / 7.0 / 8.0).sqrt(), 1e-5);
        assert_eq!(Sample::of([]), None);
        assert_eq!(Sample::of([3.0]).unwrap().interval().high, f64::INFINITY);
    }

    #[test]
    fn percentages_stay_within_their_bounds_and_few_values_have_no_interval() {
        // Student's interval of these reaches 107.
        let high = [100.0, 100.0, 99.0, 60.0, 100.0, 98.0];
        assert!(Sample::of(high).unwrap().interval().high > 105.0);
        let Estimate { value, interval: Some(interval) } = Estimate::percentage(&high).unwrap() else {
            panic!()
        };
        close(value, 92.833_333, 1e-6);
        assert!(
            interval.low < 85.0 && interval.low > 60.0 && (95.0..=100.0).contains(&interval.high),
            "{interval:?}"
        );
        // Of many values it is Student's.
        let many: Vec<f64> = (0..400).map(|i| f64::from(i % 40) + 30.0).collect();
        let drawn = Estimate::percentage(&many).unwrap().interval.unwrap();
        let student = Sample::of(many).unwrap().interval();
        close(drawn.low, student.low, 0.3);
        close(drawn.high, student.high, 0.3);
        let all_right = Estimate::percentage(&[100.0; 10]).unwrap();
        close(all_right.interval.unwrap().low, 72.2467, 1e-4);
        for few in [&[100.0, 0.0, 100.0][..], &[20.0, 30.0, 40.0], &[50.0]] {
            assert_eq!(Estimate::percentage(few).unwrap().interval, None);
            assert_eq!(Estimate::mean(Sample::of(few.iter().copied()).unwrap()).interval, None);
        }
        assert_eq!((Estimate::share(2, 3).unwrap().interval, Estimate::share(0, 0)), (None, None));
        assert_eq!(Estimate::percentage(&[]), None);
        assert_eq!(Estimate::drawn_mean(&[0.0; 9]).unwrap().interval, Some(Interval { low: 0.0, high: 0.0 }));
    }
}
