//! What leaves came to, apart from who won.

/// Sums over the leaves that one evaluator judged.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Leaves judged.
    pub evaluations: u64,
    /// Nanoseconds that took, if there is a stopwatch.
    pub nanoseconds: u64,
    /// By point in reading order: the sum of its ownership, 1 Black's, −1 White's.
    pub black_ownership: Vec<f64>,
}

impl Findings {
    /// None yet, for a board of so many points.
    pub fn of_area(area: usize) -> Findings {
        Findings { black_ownership: vec![0.0; area], ..Findings::default() }
    }
}
