//! What leaves came to, apart from who won.

use tesuji_board::Color;

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

    /// Adds a leaf whose points belong so far to the side to move.
    pub fn add_ownership(&mut self, ownership: &[f32], to_move: Color) {
        if ownership.len() != self.black_ownership.len() {
            return;
        }
        self.evaluations += 1;
        let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
        for (sum, &own) in self.black_ownership.iter_mut().zip(ownership) {
            *sum += sign * f64::from(own);
        }
    }
}
