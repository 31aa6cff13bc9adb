//! Gradients against PyTorch's autograd, where PyTorch is installed: `TESUJI_PYTHON` names an interpreter that has it, else `python3` is tried.

use std::fs;
use std::path::Path;
use std::process::Command;
use tesuji_board::Size;
use tesuji_net::model::{
    Activation, Block, Bottleneck, Conv, Model, NormAct, Plain, Residual, ResidualPlan, paper_policy,
    paper_value, residual,
};
use tesuji_search::Rng;
use tesuji_train::network::{Network, Normalization};
use tesuji_train::optimizer::{Optimizer, Rule, Schedule, Shape};
use tesuji_train::{Batch, Cut, Learner, LossWeights, Method, State, Weighted};

/// An interpreter with PyTorch, if there is one.
fn python() -> Option<String> {
    let named = std::env::var("TESUJI_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let tried = Command::new(&named).args(["-c", "import torch, numpy"]).output();
    tried.is_ok_and(|output| output.status.success()).then_some(named)
}

fn noise_batch(model: &Model, size: Size, count: usize) -> Batch {
    let mut batch = Batch::new(size, count, model.input.planes.len(), model.input.globals.len());
    let mut rng = Rng::new(9);
    batch.planes.iter_mut().for_each(|value| *value = f32::from(u8::from(rng.unit() < 0.3)));
    batch.globals.iter_mut().for_each(|value| *value = rng.unit() - 0.5);
    let targets = &mut batch.targets;
    for list in [&mut targets.policy, &mut targets.reply, &mut targets.outcome] {
        let each = list.values.len() / count;
        for (position, values) in list.values.chunks_exact_mut(each).enumerate() {
            values.iter_mut().for_each(|value| *value = rng.unit().powi(4));
            if position % 2 == 0 {
                values[each - 1] = 0.0;
            }
            let sum: f32 = values.iter().sum();
            values.iter_mut().for_each(|value| *value /= sum);
        }
    }
    targets.score.values.iter_mut().for_each(|value| *value = 40.0 * rng.unit() - 20.0);
    targets.lead.values.iter_mut().for_each(|value| *value = 40.0 * rng.unit() - 20.0);
    targets.deviation.values.iter_mut().for_each(|value| *value = 1.0 + 15.0 * rng.unit());
    targets.ownership.values.iter_mut().for_each(|value| *value = 2.0 * rng.unit() - 1.0);
    for list in lists(&mut batch).map(|(_, list)| list) {
        list.weights.iter_mut().for_each(|weight| *weight = if rng.below(4) == 0 { 0.0 } else { 1.0 });
    }
    batch
}

fn lists(batch: &mut Batch) -> [(&'static str, &mut Weighted); 7] {
    let targets = &mut batch.targets;
    [
        ("policy", &mut targets.policy),
        ("reply", &mut targets.reply),
        ("outcome", &mut targets.outcome),
        ("score", &mut targets.score),
        ("deviation", &mut targets.deviation),
        ("lead", &mut targets.lead),
        ("ownership", &mut targets.ownership),
    ]
}

fn write_floats(path: &Path, values: &[f32]) {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(path, bytes).unwrap();
}

fn check(python: &str, model: &Model, normalization: Normalization, side: usize) {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let network = Network::new(model, normalization).unwrap();
    let size = Size::square(side).unwrap();
    let count = 8;
    let mut batch = noise_batch(model, size, count);
    let mut parameters = network.initial_parameters(4);
    let mut rng = Rng::new(5);
    parameters.iter_mut().for_each(|value| *value += 0.1 * (rng.unit() - 0.5));

    let layout: Vec<_> =
        network.layout().entries().iter().map(|e| (e.name.clone(), e.shape.clone())).collect();
    let losses = LossWeights::default();
    let targets = serde_json::json!({
        "count": count, "width": side, "height": side, "losses": losses,
        "batch_norm": normalization == Normalization::Batch,
    });
    fs::write(at("model.json"), serde_json::to_string(network.description()).unwrap()).unwrap();
    fs::write(at("layout.json"), serde_json::to_string(&layout).unwrap()).unwrap();
    fs::write(at("targets.json"), targets.to_string()).unwrap();
    write_floats(&at("parameters.bin"), &parameters);
    write_floats(&at("planes.bin"), &batch.planes);
    write_floats(&at("globals.bin"), &batch.globals);
    for (name, list) in lists(&mut batch) {
        write_floats(&at(&format!("{name}.bin")), &list.values);
        write_floats(&at(&format!("{name}.weights.bin")), &list.weights);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/autograd.py");
    let output = Command::new(python).arg(script).arg(root.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected_loss: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    let bytes = fs::read(at("gradients.bin")).unwrap();
    let expected: Vec<f32> = bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();

    let optimizer = Optimizer {
        rule: Rule::SGD,
        schedule: Schedule { rate: 0.1, warm_up: 0, shape: Shape::Constant },
        weight_decay: 0.0,
        clip: 0.0,
    };
    let state = State::new(&network, &optimizer, parameters);
    let method = Method {
        steps: 1,
        optimizer,
        losses,
        average_decay: 0.9,
        statistics_decay: 0.9,
        cut: Cut { shard: count, lanes: 1 },
    };
    let mut learner = Learner::new(network, method, state, 1);
    let (tally, found) = learner.gradient(&batch);
    let loss = tally.loss().unwrap();
    assert!((loss - expected_loss).abs() < 1e-4 * expected_loss, "loss {loss} for {expected_loss}");
    let found = found.to_vec();
    for entry in learner.network().layout().entries() {
        let (found, expected) = (&found[entry.range.clone()], &expected[entry.range.clone()]);
        let length = |values: &mut dyn Iterator<Item = f32>| {
            values.map(|value| f64::from(value) * f64::from(value)).sum::<f64>().sqrt()
        };
        let size = length(&mut expected.iter().copied());
        let error = length(&mut found.iter().zip(expected).map(|(found, expected)| found - expected));
        assert!(size > 0.0, "{} has no gradient", entry.name);
        assert!(error < 1e-4 * size + 1e-7, "{} on {side}: off by {error} of {size}", entry.name);
    }
}

#[test]
fn gradients_are_those_of_autograd() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python with torch and numpy here (TESUJI_PYTHON may name one)");
        return;
    };
    let plan = |activation| ResidualPlan { activation, ..ResidualPlan::new(3, 24) };
    let mut nested = residual("nested", &plan(Activation::Silu));
    nested.trunk.blocks.push(Block::Bottleneck(Bottleneck {
        pre: NormAct::new(24, Activation::Mish),
        down: Conv::new(1, 24, 10),
        blocks: vec![Block::Residual(Residual::new(10, 10, Activation::Mish))],
        post: NormAct::new(10, Activation::Relu),
        up: Conv::new(1, 10, 24),
    }));
    for normalization in [Normalization::Batch, Normalization::Fixed] {
        check(&python, &residual("ours", &plan(Activation::Mish)), normalization, 9);
        check(&python, &residual("ours", &plan(Activation::Relu)), normalization, 19);
        check(&python, &nested, normalization, 13);
    }
    for mut model in [paper_policy(9, 9), paper_value(9, 9)] {
        // Two layers of the eleven: the others are the same.
        model.trunk.blocks.truncate(2);
        assert!(matches!(model.trunk.blocks[0], Block::Plain(Plain { .. })));
        check(&python, &model, Normalization::Fixed, 9);
    }
}
