//! What networks answer, against answers that `fixture/make.py` computed with numpy.

use std::path::Path;

use serde::Deserialize;
use tesuji_board::Size;
use tesuji_net::model::{Model, ResidualPlan, paper_policy, paper_value, residual};
use tesuji_net::output::{Decoder, Evaluation, Logits, Question};
use tesuji_net::{katago, reference};

use crate::seeded;

/// Weights are f32 and answers have seven digits.
const TOLERANCE: f64 = 2e-6;

#[derive(Deserialize)]
struct Case {
    net: String,
    seed: u64,
    width: usize,
    height: usize,
    no_result: bool,
    optimism: f32,
    logits: ExpectedLogits,
    evaluation: ExpectedEvaluation,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ExpectedLogits {
    policy: Vec<f64>,
    pass: Vec<f64>,
    outcome: Vec<f64>,
    score: Vec<f64>,
    ownership: Vec<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ExpectedEvaluation {
    policy: Vec<f64>,
    pass: f64,
    outcome: Option<[f64; 3]>,
    score_mean: Option<f64>,
    score_square: Option<f64>,
    lead: Option<f64>,
    variance_time: Option<f64>,
    short_term_value_error: Option<f64>,
    short_term_score_error: Option<f64>,
    ownership: Vec<f64>,
}

#[test]
fn small_networks_of_every_version() {
    let mut checked = 0;
    for case in cases("small.json") {
        let kind = if ["v9", "v11", "v15-fixed"].contains(&case.net.as_str()) { "txt" } else { "bin" };
        let model = katago::read(&fixture(&format!("{}.{kind}.gz", case.net))).unwrap();
        check(&model, &case);
        checked += 1;
    }
    assert_eq!(checked, 27);
}

#[test]
fn a_network_as_large_as_b6c96() {
    let model = katago::read(&seeded::b6c96()).unwrap();
    let cases = cases("b6c96.json");
    assert_eq!(cases.len(), 3);
    for case in &cases {
        check(&model, case);
    }
}

/// Networks that KataGo's format cannot say: other heads, plain layers, a board of one size.
#[test]
fn networks_of_our_own_kind_and_of_the_papers() {
    let cases = cases("own.json");
    assert_eq!(cases.len(), 4);
    for case in &cases {
        let plan = ResidualPlan { head_channels: 3, hidden: 4, ..ResidualPlan::new(3, 6) };
        let mut model = match case.net.as_str() {
            "residual" => residual("residual", &plan),
            "paper-policy" => paper_policy(case.width, case.height),
            "paper-value" => paper_value(case.width, case.height),
            other => panic!("{other}"),
        };
        model.allocate().unwrap();
        seeded::fill(&mut model);
        check(&model, case);
    }
}

fn check(model: &Model, case: &Case) {
    let size = Size::new(case.width, case.height).unwrap();
    let (planes, globals, legal) = seeded::position(case.seed, model, size.area());
    let mut logits = Logits::default();
    reference::evaluate(model, size, &planes, &globals, &mut logits).unwrap();
    let expected = &case.logits;
    let name = |what| format!("{} on {}x{}: {what}", case.net, case.width, case.height);
    check_list(&logits.policy, &expected.policy, &name("policy logits"));
    check_list(&logits.pass, &expected.pass, &name("pass logits"));
    check_list(&logits.outcome, &expected.outcome, &name("outcome logits"));
    check_list(&logits.score, &expected.score, &name("score logits"));
    check_list(&logits.ownership, &expected.ownership, &name("ownership logits"));

    let mut evaluation = Evaluation::default();
    let question = Question { legal: &legal, no_result: case.no_result, optimism: case.optimism };
    Decoder::new(model).decode(&logits, question, &mut evaluation).unwrap();
    let expected = &case.evaluation;
    check_list(&evaluation.policy, &expected.policy, &name("policy"));
    check_list(&[evaluation.pass], &[expected.pass], &name("pass"));
    let outcome = evaluation.outcome.map(|outcome| [outcome.win, outcome.loss, outcome.no_result]);
    check_list(
        outcome.as_slice().as_flattened(),
        expected.outcome.as_slice().as_flattened(),
        &name("outcome"),
    );
    check_list(&evaluation.ownership, &expected.ownership, &name("ownership"));
    for (what, found, expected) in [
        ("mean", evaluation.score_mean, expected.score_mean),
        ("square", evaluation.score_square, expected.score_square),
        ("lead", evaluation.lead, expected.lead),
        ("time", evaluation.variance_time, expected.variance_time),
        ("value error", evaluation.short_term_value_error, expected.short_term_value_error),
        ("score error", evaluation.short_term_score_error, expected.short_term_score_error),
    ] {
        assert_eq!(found.is_some(), expected.is_some(), "{}", name(what));
        check_list(found.as_slice(), expected.as_slice(), &name(what));
    }
}

fn check_list(found: &[f32], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let found = f64::from(found);
        let difference = (found - expected).abs();
        assert!(difference <= TOLERANCE * (1.0 + expected.abs()), "{what} {place}: {found} not {expected}");
    }
}

fn cases(name: &str) -> Vec<Case> {
    serde_json::from_slice(&fixture(name)).unwrap()
}

/// A file of the directory `fixture`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    std::fs::read(directory.join(name)).unwrap()
}
