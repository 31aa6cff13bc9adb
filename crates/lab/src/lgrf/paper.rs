//! Figures of the paper: Fuego with reply tables against Fuego, 9×9, Chinese rules, komi 6.5, 10 seconds a move.

/// Result of a variant: its preset's name without what follows the number of moves, games, and wins with Black and with White.
pub(super) struct Result {
    pub(super) preset: &'static str,
    pub(super) games: u64,
    pub(super) wins: [u64; 2],
}

/// Tables 1 and 2. Of LGRF/EN-1 the paper prints 62.33 %, which its wins do not make.
pub(super) const RESULTS: [Result; 4] = [
    Result { preset: "lgrf-1", games: 3000, wins: [752, 756] },
    Result { preset: "lgrf-2", games: 3000, wins: [767, 753] },
    Result { preset: "lgrf-en-1", games: 900, wins: [285, 270] },
    Result { preset: "lgrf-en-2", games: 900, wins: [255, 269] },
];

/// The paper's result of a variant, on whatever playouts we try it.
pub(super) fn result(preset: &str) -> Option<&'static Result> {
    let name = preset.strip_suffix("-light").unwrap_or(preset);
    RESULTS.iter().find(|result| result.preset == name)
}

impl Result {
    /// Games won, in both colours.
    pub(super) fn won(&self) -> u64 {
        self.wins.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_that_the_paper_prints() {
        let share = |preset| result(preset).map(|result| 100.0 * result.won() as f64 / result.games as f64);
        assert!((share("lgrf-1").unwrap() - 50.27).abs() < 0.01);
        assert!((share("lgrf-2-light").unwrap() - 50.67).abs() < 0.01);
        assert!((share("lgrf-en-1").unwrap() - 61.67).abs() < 0.01);
        assert!((share("lgrf-en-2").unwrap() - 58.22).abs() < 0.01);
        assert_eq!(share("lgrf-classic-1"), None);
    }
}
