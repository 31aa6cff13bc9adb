//! Gradients against finite differences of a slow network in double precision that shares no code with the fast one.

mod reference;

use super::{Mode, Network, Normalization, Prepared, Worker};
use crate::loss::{LossWeights, Losses};
use crate::pass::{Cut, Pass};
use crate::target::{Batch, Weighted};
use reference::Reference;
use tesuji_board::Size;
use tesuji_net::model::{
    Activation, Bias, Block, Boards, Bottleneck, Conv, Input, InputSet, MatMul, Model, NormAct, PassHead,
    Plain, PolicyHead, Residual, ResidualPlan, ValueHead, paper_policy, paper_value, residual,
};
use tesuji_net::output::Logits;
use tesuji_net::reference::evaluate;
use tesuji_search::Rng;

/// A batch of noise: planes of zeros and ones, targets that are missing now and then.
pub(crate) fn noise_batch(model: &Model, size: Size, count: usize, seed: u64) -> Batch {
    let (planes, globals) = (model.input.planes.len(), model.input.globals.len());
    let mut batch = Batch::new(size, count, planes, globals);
    let mut rng = Rng::new(seed);
    let mut symmetric = || 2.0 * rng.unit() - 1.0;
    batch.planes.iter_mut().for_each(|value| *value = f32::from(u8::from(symmetric() > 0.4)));
    batch.globals.iter_mut().for_each(|value| *value = symmetric());
    let targets = &mut batch.targets;
    for list in [&mut targets.score, &mut targets.lead, &mut targets.ownership] {
        list.values.iter_mut().for_each(|value| *value = 0.99 * symmetric());
    }
    for list in [&mut targets.score, &mut targets.lead] {
        list.values.iter_mut().for_each(|value| *value *= 30.0);
    }
    targets.deviation.values.iter_mut().for_each(|value| *value = 8.0 + 7.0 * symmetric());
    for list in [&mut targets.policy, &mut targets.reply, &mut targets.outcome] {
        for position in 0..count {
            let (values, _) = list.of_mut(position);
            values.iter_mut().for_each(|value| *value = symmetric().max(0.0) + 1e-3);
            // A head without pass learns only from positions whose target is none.
            if position % 2 == 0
                && let Some(last) = values.last_mut()
            {
                *last = 0.0;
            }
            let sum: f32 = values.iter().sum();
            values.iter_mut().for_each(|value| *value /= sum);
        }
    }
    let mut weights = |list: &mut Weighted| {
        list.weights.iter_mut().for_each(|weight| *weight = if symmetric() > 0.5 { 0.0 } else { 1.0 });
    };
    weights(&mut targets.policy);
    weights(&mut targets.reply);
    weights(&mut targets.outcome);
    weights(&mut targets.score);
    weights(&mut targets.deviation);
    weights(&mut targets.lead);
    weights(&mut targets.ownership);
    batch
}

/// Parameters of noise: every one of them matters, biases too.
pub(crate) fn noise_parameters(network: &Network, seed: u64) -> Vec<f32> {
    let mut parameters = network.initial_parameters(seed);
    let mut rng = Rng::new(seed + 1);
    parameters.iter_mut().for_each(|value| *value += 0.2 * (2.0 * rng.unit() - 1.0));
    parameters
}

/// Compares every gradient of a network on a board (some of those of large tensors) with differences.
fn check(model: &Model, normalization: Normalization, width: usize, height: usize) {
    let network = Network::new(model, normalization).unwrap();
    let size = Size::new(width, height).unwrap();
    let batch = noise_batch(model, size, 5, 11);
    let mut parameters = noise_parameters(&network, 3);
    let weights = LossWeights { reply: 0.7, deviation: 0.6, ..LossWeights::default() };
    let losses = Losses::new(model, network.program().outputs, weights);
    let mut pass = Pass::new(Cut { shard: 8, lanes: 1 }, 1);
    let tally = pass.learn(&network, &losses, &parameters, &batch);
    let mut reference = Reference::new(&network, weights, &batch, &parameters);
    let expected = reference.loss();
    let found = tally.total / batch.count as f64;
    assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "loss {found}, expected {expected}");

    let mut rng = Rng::new(5);
    for entry in network.layout().entries() {
        let own = &pass.gradients()[entry.range.clone()];
        let size = own.iter().map(|&g| f64::from(g) * f64::from(g)).sum::<f64>().sqrt();
        let mean = size / (own.len() as f64).sqrt();
        assert!(size > 0.0 && size.is_finite(), "{}: {size}", entry.name);
        let own = own.to_vec();
        for _ in 0..own.len().min(12) {
            let place = rng.below(own.len());
            let slope = reference.slope(entry.range.start + place);
            let error = (f64::from(own[place]) - slope).abs();
            assert!(
                error < 1e-3 * slope.abs() + 2e-3 * mean + 1e-7,
                "{} [{place}] on {width}x{height}: {} instead of {slope}",
                entry.name,
                own[place]
            );
        }
    }
    // The same from shards in two lanes and two threads, where the norm does not depend on the shard.
    if normalization == Normalization::Fixed {
        let whole = pass.gradients().to_vec();
        let mut pass = Pass::new(Cut { shard: 2, lanes: 2 }, 2);
        pass.learn(&network, &losses, &parameters, &batch);
        let error = whole.iter().zip(pass.gradients()).map(|(a, b)| (*a - *b).abs()).fold(0.0, f32::max);
        let largest = whole.iter().map(|value| value.abs()).fold(0.0, f32::max);
        assert!(error < 1e-4 * largest.max(1.0), "{error}");
    }
    parameters.clear();
}

/// A small input: some planes and globals of KataGo's.
fn input() -> Input {
    Input { planes: vec![0, 1, 2], globals: vec![5, 8], ..Input::all(InputSet::Katago7) }
}

fn small(activation: Activation) -> ResidualPlan {
    ResidualPlan {
        input: input(),
        pool_every: 2,
        head_channels: 3,
        hidden: 4,
        activation,
        ..ResidualPlan::new(2, 6)
    }
}

#[test]
fn residual_and_pooling_blocks_with_all_heads() {
    for activation in [Activation::Relu, Activation::Mish, Activation::Silu] {
        let model = residual("test", &small(activation));
        check(&model, Normalization::Batch, 9, 9);
        check(&model, Normalization::Fixed, 7, 5);
    }
}

#[test]
fn more_channels_than_a_vector_has() {
    let plan = ResidualPlan { head_channels: 17, ..small(Activation::Mish) };
    check(&residual("test", &ResidualPlan { channels: 35, ..plan }), Normalization::Batch, 5, 4);
}

#[test]
fn bottlenecks_and_a_hidden_layer_before_the_pass() {
    let mut model = residual("test", &small(Activation::Mish));
    let act = |channels| NormAct::new(channels, Activation::Silu);
    model.trunk.blocks.push(Block::Bottleneck(Bottleneck {
        pre: act(6),
        down: Conv::new(1, 6, 3),
        blocks: vec![Block::Residual(Residual::new(3, 4, Activation::Mish))],
        post: act(3),
        up: Conv::new(1, 3, 6),
    }));
    let Some(PolicyHead::Pooled(head)) = &mut model.policy else { panic!("ours has such a head") };
    head.pass = PassHead::Hidden {
        hidden: MatMul::new(9, 5),
        bias: Bias::new(5),
        activation: Activation::Mish,
        out: MatMul::new(5, 2),
    };
    check(&model, Normalization::Batch, 5, 5);
    check(&model, Normalization::Fixed, 5, 5);
}

/// The paper's nets with everything made small.
fn papers() -> [Model; 2] {
    [paper_policy(5, 5), paper_value(5, 5)].map(|mut model| {
        model.input.planes = vec![0, 1, 2, 3];
        model.trunk.channels = 6;
        model.trunk.stem = Conv::new(5, 4, 6);
        model.trunk.stem_act = Some(NormAct::new(6, Activation::Relu));
        model.trunk.blocks = vec![Block::Plain(Plain::new(3, 6, 6, Activation::Relu))];
        if let Some(PolicyHead::Point(head)) = &mut model.policy {
            head.conv = Conv::new(1, 6, 1);
        }
        if let Some(ValueHead::Dense(head)) = &mut model.value {
            head.conv = Conv::new(1, 6, 1);
            (head.hidden, head.hidden_bias) = (MatMul::new(25, 7), Bias::new(7));
            head.out = MatMul::new(7, 1);
        }
        model.boards = Boards::Only { width: 5, height: 5 };
        model
    })
}

#[test]
fn plain_layers_and_the_papers_heads() {
    for model in papers() {
        check(&model, Normalization::Fixed, 5, 5);
        check(&model, Normalization::Batch, 5, 5);
    }
}

/// What is exported, evaluated by the slow reference of `tesuji_net`, which shares nothing with this crate, answers as the network
/// did here with the statistics that it remembers.
#[test]
fn exported_networks_answer_as_they_did_in_training() {
    let mut models = vec![(residual("test", &small(Activation::Mish)), Normalization::Batch)];
    models.extend(papers().map(|model| (model, Normalization::Fixed)));
    for (model, normalization) in models {
        let network = Network::new(&model, normalization).unwrap();
        let size = Size::square(5).unwrap();
        let batch = noise_batch(&model, size, 3, 1);
        let parameters = noise_parameters(&network, 2);
        let mut rng = Rng::new(3);
        let statistics: Vec<f32> = (0..network.statistics_len()).map(|_| 0.5 + rng.unit()).collect();
        let boards = crate::layer::Boards { width: 5, height: 5, count: 3 };
        let (mut prepared, mut worker) = (Prepared::default(), Worker::default());
        prepared.update(&network, &boards, &parameters, 1);
        let (planes, globals) = worker.inputs(network.program(), &boards);
        planes.copy_from_slice(&batch.planes);
        globals.copy_from_slice(&batch.globals);
        worker.forward(&network, &boards, &parameters, &prepared, Mode::Remembered(&statistics));
        let exported = network.export(&parameters, &statistics);
        exported.check().unwrap();
        assert_eq!(network.import(&exported).map(|parameters| parameters.len()), Some(parameters.len()));
        let outputs = network.program().outputs;
        for position in 0..3 {
            let each = batch.planes.len() / 3;
            let own = &batch.planes[position * each..][..each];
            let channels = each / 25;
            let planes: Vec<f32> = (0..each).map(|i| own[i % 25 * channels + i / 25]).collect();
            let globals = batch.globals.len() / 3;
            let globals = &batch.globals[position * globals..][..globals];
            let mut expected = Logits::default();
            evaluate(&exported, size, &planes, globals, &mut expected).unwrap();
            let compare = |slot: Option<usize>, expected: &[f32], order: &dyn Fn(usize) -> usize| {
                let Some(slot) = slot else { return assert!(expected.is_empty()) };
                let found = &worker.values(slot)[position * expected.len()..][..expected.len()];
                for (index, found) in found.iter().enumerate() {
                    let expected = expected[order(index)];
                    assert!(
                        (found - expected).abs() < 1e-3 * expected.abs().max(1.0),
                        "{found} for {expected}"
                    );
                }
            };
            let width = expected.policy.len() / 25;
            compare(outputs.policy, &expected.policy, &|i| i % width * 25 + i / width);
            compare(outputs.pass, &expected.pass, &|i| i);
            compare(outputs.score, &expected.score, &|i| i);
            compare(outputs.ownership, &expected.ownership, &|i| i);
            if expected.outcome.len() == 1 {
                expected.outcome[0] = expected.outcome[0].atanh();
            }
            compare(outputs.outcome, &expected.outcome, &|i| i);
        }
    }
}

/// A larger network that begins as a smaller one says the same, by the reference of `tesuji_net`, until it learns.
#[test]
fn a_network_that_grew_says_what_it_said() {
    let size = Size::square(5).unwrap();
    let plan = |blocks, channels| ResidualPlan {
        head_channels: 3,
        hidden: 5,
        ..ResidualPlan::new(blocks, channels)
    };
    let smaller = residual("small", &plan(4, 8));
    let network = Network::new(&smaller, Normalization::Fixed).unwrap();
    let smaller = network.export(&noise_parameters(&network, 1), &network.initial_statistics());
    let says = |model: &Model| {
        let batch = noise_batch(model, size, 1, 2);
        let mut logits = Logits::default();
        evaluate(model, size, &batch.planes, &batch.globals, &mut logits).unwrap();
        [logits.policy, logits.pass, logits.outcome, logits.score, logits.ownership].concat()
    };
    for (blocks, channels) in [(4, 12), (6, 8), (7, 13)] {
        let network =
            Network::new(&residual("large", &plan(blocks, channels)), Normalization::Fixed).unwrap();
        let grown = network.export(&network.grow(&smaller, 3).unwrap(), &network.initial_statistics());
        for (before, after) in says(&smaller).into_iter().zip(says(&grown)) {
            assert!((before - after).abs() < 1e-3 * before.abs().max(1.0), "{before} became {after}");
        }
        // And it does not go back.
        let network = Network::new(&smaller, Normalization::Fixed).unwrap();
        assert!(network.grow(&grown, 3).is_none());
    }
    let others = residual("other", &ResidualPlan { activation: Activation::Mish, ..plan(4, 12) });
    assert!(Network::new(&others, Normalization::Fixed).unwrap().grow(&smaller, 3).is_none());
    let wider_heads = residual("other", &ResidualPlan { head_channels: 4, ..plan(4, 12) });
    assert!(Network::new(&wider_heads, Normalization::Fixed).unwrap().grow(&smaller, 3).is_none());
}

#[test]
fn threads_do_not_change_a_bit() {
    let model = residual("test", &small(Activation::Relu));
    let network = Network::new(&model, Normalization::Batch).unwrap();
    let batch = noise_batch(&model, Size::square(9).unwrap(), 23, 1);
    let parameters = noise_parameters(&network, 2);
    let losses = Losses::new(&model, network.program().outputs, LossWeights::default());
    let results = [1, 2, 3].map(|threads| {
        let mut pass = Pass::new(Cut { shard: 4, lanes: 3 }, threads);
        let tally = pass.learn(&network, &losses, &parameters, &batch);
        (tally, pass.gradients().to_vec(), pass.statistics().to_vec())
    });
    assert!(results[0] == results[1] && results[1] == results[2]);
}
