//! Step lengths over time.

/// How long steps are.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// The longest.
    pub rate: f32,
    /// Steps in which the length grows from nothing to that.
    pub warm_up: u64,
    /// What happens then.
    pub shape: Shape,
}

/// How step lengths shrink after the warm-up.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// Not at all.
    Constant,
    /// Along half a cosine.
    Cosine {
        /// Share of the longest that is left at the end.
        floor: f32,
    },
    /// In sudden drops.
    Drops {
        /// When, as shares of all steps from 0 to 1.
        at: Vec<f32>,
        /// By which factor each time.
        factor: f32,
    },
}

impl Schedule {
    /// The length of step `step`, from 0, of `steps`.
    pub fn rate(&self, step: u64, steps: u64) -> f32 {
        if step < self.warm_up {
            return self.rate * (step + 1) as f32 / self.warm_up as f32;
        }
        let after = steps.saturating_sub(self.warm_up).max(1);
        let done = ((step - self.warm_up) as f64 / after as f64).min(1.0);
        let share = match &self.shape {
            Shape::Constant => 1.0,
            Shape::Cosine { floor } => {
                let cosine = 0.5 * (1.0 + (std::f64::consts::PI * done).cos());
                f64::from(*floor) + (1.0 - f64::from(*floor)) * cosine
            }
            Shape::Drops { at, factor } => {
                let share = step as f64 / steps.max(1) as f64;
                let drops = at.iter().filter(|&&at| share >= f64::from(at)).count();
                f64::from(*factor).powi(drops as i32)
            }
        };
        (f64::from(self.rate) * share) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: Shape, warm_up: u64, expected: &[(u64, f32)]) {
        let schedule = Schedule { rate: 2.0, warm_up, shape };
        for &(step, rate) in expected {
            let found = schedule.rate(step, 100);
            assert!((found - rate).abs() < 1e-6, "{schedule:?} at {step}: {found}");
        }
    }

    #[test]
    fn lengths_over_time() {
        check(Shape::Constant, 0, &[(0, 2.0), (99, 2.0), (1000, 2.0)]);
        check(Shape::Constant, 4, &[(0, 0.5), (1, 1.0), (3, 2.0), (4, 2.0)]);
        check(Shape::Cosine { floor: 0.1 }, 0, &[(0, 2.0), (50, 1.1), (100, 0.2), (200, 0.2)]);
        check(Shape::Cosine { floor: 0.0 }, 20, &[(9, 1.0), (20, 2.0), (60, 1.0), (100, 0.0)]);
        let drops = Shape::Drops { at: vec![0.5, 0.75], factor: 0.1 };
        check(drops, 0, &[(0, 2.0), (49, 2.0), (50, 0.2), (75, 0.02), (99, 0.02)]);
    }
}
