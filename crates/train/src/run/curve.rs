//! How losses went down: rows of numbers over steps.

use crate::loss::Tally;

/// What was seen up to some step.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Row {
    /// Steps made.
    pub step: u64,
    /// Seconds spent, over all parts of the run.
    pub seconds: f64,
    /// Length of the last step.
    pub rate: f32,
    /// Mean length of the gradient.
    pub gradient: f64,
    /// Losses in training since the row before.
    pub training: Tally,
    /// Losses on games kept back, if they were looked at: with the averaged weights.
    pub validation: Option<Tally>,
}

/// The rows of a run.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Curve {
    /// By ascending step.
    pub rows: Vec<Row>,
}

/// Columns that exist for training and for validation.
const TALLY: [&str; 10] = [
    "loss",
    "policy",
    "policy_accuracy",
    "reply",
    "outcome",
    "outcome_accuracy",
    "value_error",
    "score_error",
    "lead_error",
    "ownership",
];

impl Curve {
    /// The rows as a table with one line of names; a value that is not known is empty.
    pub fn to_csv(&self) -> String {
        let mut text = "step,seconds,rate,gradient".to_owned();
        for prefix in ["training", "validation"] {
            TALLY.iter().for_each(|name| text += &format!(",{prefix}_{name}"));
        }
        text.push('\n');
        for row in &self.rows {
            text += &format!("{},{:.1},{:e},{:.4}", row.step, row.seconds, row.rate, row.gradient);
            let validation = row.validation.unwrap_or_default();
            for value in values(&row.training).into_iter().chain(values(&validation)) {
                text.push(',');
                if let Some(value) = value {
                    text += &format!("{value:.5}");
                }
            }
            text.push('\n');
        }
        text
    }
}

fn values(tally: &Tally) -> [Option<f64>; TALLY.len()] {
    [
        tally.loss(),
        tally.policy.loss(),
        tally.policy.accuracy(),
        tally.reply.loss(),
        tally.outcome.loss(),
        tally.outcome.accuracy(),
        tally.value.loss(),
        tally.score.loss(),
        tally.lead.loss(),
        tally.ownership.loss(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_field_for_every_name() {
        let tally = Tally { positions: 4.0, total: 10.0, ..Tally::default() };
        let row = |step, validation| Row {
            step,
            seconds: 1.5,
            rate: 0.01,
            gradient: 2.0,
            training: tally,
            validation,
        };
        let csv = Curve { rows: vec![row(10, None), row(20, Some(tally))] }.to_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.split(',').count() == 4 + 2 * TALLY.len()));
        assert!(lines[1].starts_with("10,1.5,1e-2,2.0000,2.50000,,"), "{}", lines[1]);
        assert_eq!(lines[2].split(',').nth(14), Some("2.50000"));
    }
}
