//! How many positions per second training gets through.
use std::time::Instant;
use tesuji_board::Size;
use tesuji_net::model::*;
use tesuji_train::network::*;
use tesuji_train::optimizer::*;
use tesuji_train::*;

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}

fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let [blocks, channels, size, batch, shard, steps, pool] = args[..] else { panic!() };
    let model = residual("speed", &ResidualPlan { pool_every: pool, ..ResidualPlan::new(blocks, channels) });
    let network = Network::new(&model, Normalization::Batch).unwrap();
    let optimizer = Optimizer {
        rule: Rule::SGD,
        schedule: Schedule { rate: 0.01, warm_up: 0, shape: Shape::Constant },
        weight_decay: 1e-4,
        clip: 0.0,
    };
    let state = State::new(&network, &optimizer, network.initial_parameters(1));
    let method = Method {
        steps: 100,
        optimizer,
        losses: LossWeights::default(),
        average_decay: 0.999,
        statistics_decay: 0.99,
        cut: Cut { shard, lanes: 1 },
    };
    let mut learner = Learner::new(network, method, state, 1);
    let size = Size::square(size).unwrap();
    let mut b = Batch::new(size, batch, 22, 19);
    let mut x = 1u32;
    b.planes.iter_mut().for_each(|v| {
        x = x.wrapping_mul(1664525).wrapping_add(1013904223);
        *v = if x >> 24 > 200 { 1.0 } else { 0.0 }
    });
    let t = &mut b.targets;
    for i in 0..batch {
        t.policy.values[i * (size.area() + 1) + i % size.area()] = 1.0;
        t.policy.weights[i] = 1.0;
        t.outcome.values[3 * i] = 1.0;
        t.outcome.weights[i] = 1.0;
        t.ownership.weights[i] = 1.0;
    }
    learner.step(&b).unwrap();
    let (w, c) = (Instant::now(), cpu());
    let mut best = 0f64;
    for _ in 0..steps {
        let t = Instant::now();
        learner.step(&b).unwrap();
        best = best.max(batch as f64 / t.elapsed().as_secs_f64());
    }
    let n = (steps * batch) as f64;
    println!(
        "{blocks}x{channels} {size} batch {batch} shard {shard}: {:.0}/s wall, {:.0}/cpu-s, best step {best:.0}/s",
        n / w.elapsed().as_secs_f64(),
        n / (cpu() - c)
    );
}
