//! Whole networks with the kernels of AMX, against those with the model of its instructions and those in f32.

use tesuji_board::Size;

use super::{Comparison, Random, amx, distance_from_model};
use crate::kernel::isa::{Isa, Multiplier};
use crate::model::{
    Activation, Attention, Block, Bottleneck, Conv, Extent, FeedForward, MatMul, Model, NormAct, Pooling,
    Residual, ResidualPlan, RmsNorm, Role, residual,
};
use crate::network::Network;
use crate::output::Logits;
use crate::session::Input;

/// One block of each kind that multiplies, with random weights that keep the size of numbers from layer to layer.
fn model(random: &mut Random) -> Model {
    let channels = 40;
    let mut model = residual("one of each", &ResidualPlan::new(1, channels));
    let rms = || RmsNorm {
        channels,
        epsilon: 1e-5,
        extent: Extent::Point,
        scale: Vec::new(),
        bias: Vec::new(),
        has_bias: false,
    };
    let mish = Activation::Mish;
    model.trunk.blocks = vec![
        Block::Residual(Residual::new(channels, channels, mish)),
        Block::Pooling(Pooling::new(channels, 24, 16, mish)),
        Block::Bottleneck(Bottleneck {
            pre: NormAct::new(channels, mish),
            down: Conv::new(1, channels, 20),
            blocks: vec![Block::Residual(Residual::new(20, 20, mish))],
            post: NormAct::new(20, mish),
            up: Conv::new(1, 20, channels),
        }),
        Block::Attention(Attention {
            norm: rms(),
            heads: 4,
            kv_heads: 2,
            key_dim: 10,
            value_dim: 9,
            query: MatMul::new(channels, 40),
            key: MatMul::new(channels, 20),
            value: MatMul::new(channels, 18),
            out: MatMul::new(36, channels),
            rope: None,
        }),
        Block::FeedForward(FeedForward {
            norm: rms(),
            expand: MatMul::new(channels, 70),
            gate: MatMul::new(channels, 70),
            contract: MatMul::new(70, channels),
        }),
    ];
    model.allocate().unwrap();
    for tensor in model.tensors_mut() {
        let (middle, spread) = match tensor.role {
            Role::Weight => {
                let outputs = tensor.shape.last().copied().unwrap_or(1);
                (0.0, (3.0 * outputs as f32 / tensor.data.len() as f32).sqrt())
            }
            Role::Scale => (1.0, 0.3),
            Role::Bias | Role::Frequency => (0.0, 0.3),
        };
        tensor.data.fill_with(|| middle + spread * random.number());
    }
    model
}

/// All outputs for a batch of positions.
fn evaluate(network: &Network, size: Size, positions: &[(Vec<f32>, Vec<f32>)]) -> Vec<f32> {
    let inputs: Vec<Input<'_>> =
        positions.iter().map(|(planes, globals)| Input::Dense { planes, globals }).collect();
    let mut logits = vec![Logits::default(); positions.len()];
    network.session(size, positions.len()).unwrap().evaluate(&inputs, &mut logits).unwrap();
    let lists = logits
        .iter()
        .flat_map(|logits| [&logits.policy, &logits.pass, &logits.outcome, &logits.score, &logits.ownership]);
    lists.flatten().copied().collect()
}

#[test]
fn networks_with_amx_are_those_with_its_model() {
    let Some((name, multiplier)) = amx() else {
        eprintln!("skipped: this processor has neither AMX nor AVX-512 with bf16");
        return;
    };
    let random = &mut Random(21);
    let model = model(random);
    let [tiles, modelled, exact] = [
        (Isa::Amx, multiplier),
        (Isa::Amx, Multiplier::TileModel),
        (Isa::Portable, Multiplier::new(Isa::Portable).unwrap()),
    ]
    .map(|(isa, multiplier)| Network::with(&model, isa, multiplier).unwrap());
    // On a processor, a sum that is rounded differently may be another bf16 number, and the next layers make more of it.
    let from_model = [2e-3, 2e-2].map(|bound| distance_from_model(name, bound));
    // Three or four times what was measured with the emulator.
    let from_exact = [8e-3, 2e-2];
    for (width, height, boards) in [(9, 9, 3), (19, 19, 1), (7, 12, 2)] {
        let size = Size::new(width, height).unwrap();
        let positions: Vec<_> = (0..boards)
            .map(|_| {
                let planes = (0..model.input.planes.len() * size.area())
                    .map(|place| f32::from(place < size.area() || random.between(0, 5) == 0));
                (planes.collect(), random.numbers(model.input.globals.len()))
            })
            .collect();
        let found = evaluate(&tiles, size, &positions);
        for (what, network, [mean, worst]) in
            [("its model", &modelled, from_model), ("f32", &exact, from_exact)]
        {
            let mut comparison = Comparison::default();
            for (found, expected) in found.iter().zip(evaluate(network, size, &positions)) {
                comparison.add(f64::from(*found), f64::from(expected));
            }
            let errors = format!("{:.1e} on average, {:.1e} at worst", comparison.mean(), comparison.worst());
            println!("{name} and {what} on {width}x{height}: {errors}");
            let close = comparison.mean() <= mean && comparison.worst() <= worst;
            assert!(close, "{name} and {what} on {width}x{height}: {errors}");
        }
    }
}
