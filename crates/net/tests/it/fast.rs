//! The fast evaluation, with every instruction set of this machine, against the slow and obvious one.

use tesuji_board::{Game, Move, Rules, Size};
use tesuji_net::input::{Encoder, Layout, Line, Planes};
use tesuji_net::model::{
    Activation, Attention, Block, Bottleneck, Conv, Extent, FeedForward, Input as ModelInput, InputSet,
    MatMul, Model, Norm, NormAct, Plain, Pooling, Residual, ResidualPlan, RmsNorm, Role, Rope, Tip,
    paper_policy, paper_value, residual,
};
use tesuji_net::output::Logits;
use tesuji_net::{Input, Isa, Network, katago, reference};

use crate::answer::fixture;
use crate::seeded::{self, Random};

/// That a list of numbers is what it should be.
fn check_list(isa: Isa, found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    // Numbers near zero are sums of larger ones, so an error is measured by those.
    let scale = expected.iter().fold(0.25f32, |largest, x| largest.max(x.abs()));
    let errors: Vec<f32> = found.iter().zip(expected).map(|(x, y)| (x - y).abs() / scale).collect();
    let worst = errors.iter().copied().fold(0.0, f32::max);
    if !isa.is_exact() {
        // Eight bits per number, and random weights: layers average nothing out as trained ones do.
        let mean = (errors.iter().map(|x| x * x).sum::<f32>() / errors.len().max(1) as f32).sqrt();
        assert!(mean < 0.05 && worst < 0.15, "{what}: off by {mean:.1e} on average, {worst:.1e} at worst");
    } else {
        assert!(worst < 1e-4, "{what}: off by {worst:.1e}");
    }
}

/// Those that this machine has.
fn available() -> Vec<Isa> {
    let (available, missing): (Vec<Isa>, Vec<Isa>) = Isa::ALL.into_iter().partition(|isa| isa.is_available());
    missing.iter().for_each(|isa| println!("skipped: {isa}"));
    available
}

/// A position for a model: mostly zeros.
fn position(model: &Model, size: Size, random: &mut Random) -> (Vec<f32>, Vec<f32>) {
    let mut planes: Vec<f32> = (0..model.input.planes.len() * size.area())
        .map(|_| if random.integer().is_multiple_of(6) { random.uniform(1.0) } else { 0.0 })
        .collect();
    if random.integer().is_multiple_of(2) {
        planes[..size.area()].fill(1.0);
    }
    let globals = (0..model.input.globals.len()).map(|_| random.uniform(1.0)).collect();
    (planes, globals)
}

/// Compares a batch of positions on one board size with what they should be.
fn check(network: &Network, model: &Model, size: Size, boards: usize, batch: usize, random: &mut Random) {
    let positions: Vec<_> = (0..boards).map(|_| position(model, size, random)).collect();
    let inputs: Vec<Input<'_>> =
        positions.iter().map(|(planes, globals)| Input::Dense { planes, globals }).collect();
    let mut logits = vec![Logits::default(); boards];
    let mut session = network.session(size, batch).unwrap();
    // Twice, because the second time finds what the first left in the buffers.
    for _ in 0..2 {
        session.evaluate(&inputs, &mut logits).unwrap();
    }
    for ((planes, globals), found) in positions.iter().zip(&logits) {
        let mut expected = Logits::default();
        reference::evaluate(model, size, planes, globals, &mut expected).unwrap();
        let what = format!("{} with {} on {}x{}", model.name, network.isa(), size.width(), size.height());
        for (list, found, expected) in [
            ("policy", &found.policy, &expected.policy),
            ("pass", &found.pass, &expected.pass),
            ("outcome", &found.outcome, &expected.outcome),
            ("score", &found.score, &expected.score),
            ("ownership", &found.ownership, &expected.ownership),
        ] {
            check_list(network.isa(), found, expected, &format!("{what}: {list}"));
        }
    }
}

/// Fills a described model with random weights that keep the size of numbers from layer to layer.
fn randomise(model: &mut Model, seed: u64) {
    let mut random = Random::new(seed);
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
        tensor.data.fill_with(|| middle + random.uniform(spread));
    }
}

fn norm_act(channels: usize, activation: Activation) -> NormAct {
    NormAct::new(channels, activation)
}

fn rms(channels: usize, extent: Extent, has_bias: bool) -> RmsNorm {
    RmsNorm { channels, epsilon: 1e-5, extent, scale: Vec::new(), bias: Vec::new(), has_bias }
}

fn attention(channels: usize, rope: Option<Rope>, key_dim: usize, value_dim: usize) -> Block {
    let (heads, kv_heads) = (4, 2);
    Block::Attention(Attention {
        norm: rms(channels, Extent::Point, false),
        heads,
        kv_heads,
        key_dim,
        value_dim,
        query: MatMul::new(channels, heads * key_dim),
        key: MatMul::new(channels, kv_heads * key_dim),
        value: MatMul::new(channels, kv_heads * value_dim),
        out: MatMul::new(heads * value_dim, channels),
        rope,
    })
}

fn feed_forward(channels: usize, hidden: usize) -> Block {
    Block::FeedForward(FeedForward {
        norm: rms(channels, Extent::Point, false),
        expand: MatMul::new(channels, hidden),
        gate: MatMul::new(channels, hidden),
        contract: MatMul::new(hidden, channels),
    })
}

fn bottleneck(channels: usize, narrow: usize, activation: Activation, blocks: Vec<Block>) -> Block {
    Block::Bottleneck(Bottleneck {
        pre: norm_act(channels, activation),
        down: Conv::new(1, channels, narrow),
        blocks,
        post: norm_act(narrow, activation),
        up: Conv::new(1, narrow, channels),
    })
}

/// Networks in which each kind of block follows each other kind somewhere.
fn zoo() -> Vec<Model> {
    let base = |name: &str, channels: usize, activation: Activation, blocks: Vec<Block>| {
        let mut model = residual(name, &ResidualPlan { activation, ..ResidualPlan::new(1, channels) });
        model.trunk.blocks = blocks;
        model
    };
    let (relu, mish, silu) = (Activation::Relu, Activation::Mish, Activation::Silu);
    let residual_block =
        |channels, activation| Block::Residual(Residual::new(channels, channels, activation));
    let pooling = |channels, regular, activation| {
        Block::Pooling(Pooling::new(channels, regular, channels - regular, activation))
    };
    let learned = |pairs| Rope::Learned { kv_heads: 2, pairs, frequencies: Vec::new() };
    let mut models = vec![
        base(
            "odd channels",
            21,
            relu,
            vec![residual_block(21, relu), pooling(21, 13, relu), residual_block(21, relu)],
        ),
        base("whole lanes", 48, mish, vec![pooling(48, 32, mish), pooling(48, 16, silu)]),
        base("no blocks", 17, relu, Vec::new()),
        base(
            "bottlenecks",
            40,
            mish,
            vec![
                bottleneck(40, 24, mish, vec![residual_block(24, mish), pooling(24, 16, mish)]),
                bottleneck(40, 18, silu, vec![bottleneck(18, 7, relu, Vec::new()), residual_block(18, silu)]),
                bottleneck(40, 33, relu, vec![feed_forward(33, 50)]),
            ],
        ),
        base(
            "transformer",
            36,
            silu,
            vec![
                attention(36, Some(learned(5)), 10, 9),
                feed_forward(36, 70),
                attention(36, Some(Rope::Fixed { theta: 100.0 }), 32, 16),
                residual_block(36, relu),
                bottleneck(36, 20, mish, vec![attention(20, None, 7, 17), feed_forward(20, 16)]),
                attention(36, Some(learned(16)), 32, 33),
            ],
        ),
        base(
            "plain",
            20,
            relu,
            vec![
                Block::Plain(Plain::new(3, 20, 20, relu)),
                residual_block(20, relu),
                Block::Plain(Plain::new(5, 20, 20, mish)),
                Block::Plain(Plain::new(1, 20, 20, Activation::Identity)),
                feed_forward(20, 24),
                Block::Plain(Plain::new(7, 20, 20, silu)),
            ],
        ),
    ];
    for (extent, has_bias) in [(Extent::Point, false), (Extent::Board, true)] {
        let mut model = base("tip", 19, relu, vec![residual_block(19, relu)]);
        model.trunk.tip = Some(Tip { norm: Norm::Rms(rms(19, extent, has_bias)), activation: mish });
        models.push(model);
    }
    let mut model = base("no tip", 23, relu, vec![residual_block(23, relu)]);
    model.trunk.tip = None;
    model.trunk.stem_act = Some(norm_act(23, mish));
    model.policy = None;
    models.push(model);
    let mut model = base("no value", 16, relu, vec![residual_block(16, relu)]);
    model.input =
        ModelInput { planes: vec![1, 2, 0, 5], globals: vec![3], ..ModelInput::all(InputSet::Katago7) };
    model.trunk.stem = Conv::new(3, 4, 16);
    model.trunk.globals = Some(MatMul::new(1, 16));
    model.value = None;
    models.push(model);
    for (seed, model) in models.iter_mut().enumerate() {
        randomise(model, seed as u64);
    }
    models
}

#[test]
fn all_blocks_on_boards_of_all_sizes() {
    for isa in available() {
        let mut random = Random::new(1);
        let networks: Vec<_> =
            zoo().into_iter().map(|model| (Network::new(&model, isa).unwrap(), model)).collect();
        let mut boards = 0;
        for width in 2..=25 {
            // A square, and a rectangle.
            for height in [width, 2 + (random.integer() % 24) as usize] {
                let (network, model) = &networks[boards % networks.len()];
                check(network, model, Size::new(width, height).unwrap(), 1, 1, &mut random);
                boards += 1;
            }
        }
    }
}

#[test]
fn batches_of_all_sizes() {
    for isa in available() {
        let mut random = Random::new(2);
        for (index, model) in zoo().iter().enumerate() {
            let network = Network::new(model, isa).unwrap();
            let size = Size::new(5 + index % 3, 4 + index % 4).unwrap();
            for batch in [1, 2, 3, 16] {
                check(&network, model, size, 1 + (index * batch) % 16, batch, &mut random);
            }
        }
    }
}

#[test]
fn batch_and_neighbours_do_not_change_an_answer() {
    let model = &zoo()[0];
    let size = Size::square(9).unwrap();
    let mut random = Random::new(3);
    let positions: Vec<_> = (0..16).map(|_| position(model, size, &mut random)).collect();
    let inputs: Vec<Input<'_>> =
        positions.iter().map(|(planes, globals)| Input::Dense { planes, globals }).collect();
    for isa in available() {
        let network = Network::new(model, isa).unwrap();
        let mut alone = vec![Logits::default(); 16];
        network.session(size, 1).unwrap().evaluate(&inputs, &mut alone).unwrap();
        for batch in 2..=16 {
            let mut together = vec![Logits::default(); 16];
            network.session(size, batch).unwrap().evaluate(&inputs, &mut together).unwrap();
            assert_eq!(alone, together, "{isa}, batches of {batch}");
        }
    }
}

#[test]
fn networks_of_katago() {
    for isa in available() {
        let mut random = Random::new(4);
        for name in [
            "v8.bin",
            "v9.txt",
            "v10.bin",
            "v11.txt",
            "v12.bin",
            "v13.bin",
            "v14.bin",
            "v15.bin",
            "v15-fixed.txt",
        ] {
            let model = katago::read(&fixture(&format!("{name}.gz"))).unwrap();
            let network = Network::new(&model, isa).unwrap();
            for (width, height) in [(9, 9), (19, 19), (7, 11)] {
                check(&network, &model, Size::new(width, height).unwrap(), 3, 2, &mut random);
            }
        }
        let model = katago::read(&seeded::b6c96()).unwrap();
        let network = Network::new(&model, isa).unwrap();
        check(&network, &model, Size::square(9).unwrap(), 3, 2, &mut random);
        check(&network, &model, Size::square(19).unwrap(), 1, 1, &mut random);
    }
}

#[test]
fn encoded_positions_are_those_of_dense_planes() {
    let size = Size::new(9, 7).unwrap();
    let mut game = Game::new(size, Rules::default());
    for (x, y) in [(2, 2), (6, 4), (6, 2), (3, 3), (2, 3), (8, 6)] {
        game.play(game.to_move(), Move::Play(size.point(x, y).unwrap())).unwrap();
    }
    let line = Line::from_game(&game, game.to_move());
    // The last one reads some of the planes, in its own order.
    for model in [&zoo()[0], zoo().last().unwrap()] {
        let mut encoded = Planes::new(size);
        Encoder::new(&model.input, size).encode(&line.view(), &mut encoded);
        let mut planes = vec![0.0; model.input.planes.len() * size.area()];
        encoded.write_planes(&model.input.planes, Layout::PlaneMajor, &mut planes).unwrap();
        let mut globals = vec![0.0; model.input.globals.len()];
        encoded.write_globals(&model.input.globals, &mut globals).unwrap();
        let mut session = Network::new(model, Isa::Portable).unwrap().session(size, 2).unwrap();
        let mut logits = [Logits::default(), Logits::default()];
        let dense = Input::Dense { planes: &planes, globals: &globals };
        session.evaluate(&[Input::Encoded(&encoded), dense], &mut logits).unwrap();
        assert_eq!(logits[0], logits[1]);
        assert!(logits[0].policy.iter().any(|&logit| logit != 0.0));
        let other = Planes::new(Size::square(5).unwrap());
        let error = session.evaluate(&[Input::Encoded(&other)], &mut logits[..1]).unwrap_err();
        assert_eq!(error, reference::InputError::Board(Size::square(5).unwrap()));
    }
}

#[test]
fn networks_of_the_paper() {
    let size = Size::new(5, 6).unwrap();
    for isa in available() {
        let mut random = Random::new(5);
        for mut model in [paper_policy(5, 6), paper_value(5, 6)] {
            randomise(&mut model, 7);
            let network = Network::new(&model, isa).unwrap();
            check(&network, &model, size, 3, 2, &mut random);
            assert!(network.session(Size::square(13).unwrap(), 1).is_none());
        }
    }
}

#[test]
fn threads_share_a_network() {
    let model = &zoo()[3];
    let network = Network::new(model, Isa::best_exact()).unwrap();
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let network = network.clone();
            scope.spawn(move || {
                let size = Size::square(5 + 2 * seed).unwrap();
                check(&network, model, size, 4, 3, &mut Random::new(seed as u64));
            });
        }
    });
}

#[test]
fn wrong_inputs_are_refused() {
    let model = &zoo()[0];
    let size = Size::square(5).unwrap();
    let mut session = Network::new(model, Isa::Portable).unwrap().session(size, 2).unwrap();
    let mut logits = [Logits::default()];
    let (planes, globals) = position(model, size, &mut Random::new(6));
    let input = Input::Dense { planes: &planes[1..], globals: &globals };
    let error = session.evaluate(&[input], &mut logits).unwrap_err();
    assert_eq!(error.to_string(), "549 plane values instead of 550");
    let input = Input::Dense { planes: &planes, globals: &[] };
    let error = session.evaluate(&[input], &mut logits).unwrap_err();
    assert_eq!(error.to_string(), "0 global inputs instead of 19");
    let mut broken = model.clone();
    broken.trunk.stem.weights[3] = f32::NAN;
    assert!(Network::new(&broken, Isa::Portable).is_err());
}

#[test]
fn names_of_instruction_sets() {
    for isa in Isa::ALL {
        assert_eq!(isa.name().parse(), Ok(isa));
    }
    let error = "mmx".parse::<Isa>().unwrap_err();
    assert!(error.to_string().contains("portable avx2 avx512"), "{error}");
}
