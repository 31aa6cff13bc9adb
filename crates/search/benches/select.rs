//! How long a selection rule takes to choose among the edges of a node in the middle of a search.
#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_search::select::{Prior, Scratch, Select};
use tesuji_search::tree::{NewEdge, NodeId, Tree, Value};
use tesuji_search::{Parameters, Rng};

/// A node with all kinds of edges: some much visited, some never.
fn node(tree: &Tree, edges: u16) -> NodeId {
    let mut rng = Rng::new(1);
    let new: Vec<NewEdge> = (0..edges)
        .map(|code| {
            let prior = Prior { mean: rng.unit(), weight: 10.0, policy: 1.0 / f32::from(edges) };
            NewEdge { code, prior }
        })
        .collect();
    let node = tree.add_node(&new).expect("room for a node");
    for value in tree.edges(node).values() {
        let (visits, mean) = (1 + rng.below(100) as u32, rng.unit());
        value.store(Value { visits, mean, ..Value::default() }.pack(), Relaxed);
    }
    node
}

fn measure<S: Select>(criterion: &mut Criterion, name: &str, rule: &S) {
    for edges in [81, 361] {
        let tree = Tree::new(1 << 20, S::COLUMNS);
        let node = node(&tree, edges);
        let mut scratch = Scratch::default();
        criterion.bench_function(&format!("{name}/{edges}"), |bencher| {
            bencher.iter(|| rule.choose(&tree.edges(black_box(node)), &mut scratch));
        });
    }
}

fn select(criterion: &mut Criterion) {
    let parameters = Parameters::default();
    measure(criterion, "ucb1", &parameters.ucb1());
    measure(criterion, "ucb1-tuned", &parameters.ucb1_tuned());
    measure(criterion, "rave", &parameters.rave());
    measure(criterion, "puct", &parameters.puct());
}

criterion_group!(benches, select);
criterion_main!(benches);
