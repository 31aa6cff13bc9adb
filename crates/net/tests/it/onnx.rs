//! Exports to ONNX: well formed wherever the test runs, and evaluated by ONNX Runtime where that is installed.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use tesuji_board::Size;
use tesuji_net::model::{Boards, Model, ResidualPlan, paper_policy, paper_value, residual};
use tesuji_net::output::Logits;
use tesuji_net::{katago, onnx, reference};

use crate::answer::fixture;
use crate::seeded::{Random, fill};

/// ONNX Runtime computes in f32, and the nets here are small.
const TOLERANCE: f32 = 2e-5;
/// What names another interpreter than `python3`.
const PYTHON: &str = "TESUJI_PYTHON";

fn models() -> Vec<Model> {
    let names = ["v8.bin.gz", "v12.bin.gz", "v14.bin.gz", "v15.bin.gz", "v15-fixed.txt.gz"];
    let mut models: Vec<Model> = names.iter().map(|name| katago::read(&fixture(name)).unwrap()).collect();
    let plan = ResidualPlan { head_channels: 3, hidden: 4, ..ResidualPlan::new(3, 6) };
    for mut model in [residual("small", &plan), paper_policy(7, 5), paper_value(5, 7)] {
        model.allocate().unwrap();
        fill(&mut model);
        models.push(model);
    }
    models
}

#[derive(Clone, Serialize, Deserialize)]
struct Tensor {
    shape: Vec<usize>,
    values: Vec<f32>,
}

#[test]
fn onnx_runtime_agrees_with_the_reference() {
    let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    let probe = Command::new(&python).args(["-c", "import numpy, onnxruntime"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        println!("skipped: {python} has no numpy and onnxruntime ({PYTHON} names another interpreter)");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("net.onnx");
    let mut compared = 0;
    for model in models() {
        std::fs::write(&path, onnx::write(&model).unwrap()).unwrap();
        let sizes = match model.boards {
            Boards::Any => vec![(9, 9), (5, 8), (2, 2)],
            Boards::Only { width, height } => vec![(width, height)],
        };
        for (width, height) in sizes {
            let size = Size::new(width, height).unwrap();
            compared += compare(&python, &path, &model, size);
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// Asks for two positions at once; answers how many numbers were compared.
fn compare(python: &str, path: &Path, model: &Model, size: Size) -> usize {
    let mut random = Random::new(3);
    let (planes, globals) = (model.input.planes.len() * size.area(), model.input.globals.len());
    let planes: Vec<f32> = (0..2 * planes).map(|_| random.uniform(1.0)).collect();
    let globals: Vec<f32> = (0..2 * globals).map(|_| random.uniform(1.0)).collect();
    let shape = vec![2, model.input.planes.len(), size.height(), size.width()];
    let mut inputs = BTreeMap::from([("planes", Tensor { shape, values: planes.clone() })]);
    if !globals.is_empty() {
        inputs.insert("globals", Tensor { shape: vec![2, globals.len() / 2], values: globals.clone() });
    }
    let outputs = run(python, path, &serde_json::to_vec(&inputs).unwrap());
    let mut compared = 0;
    for position in 0..2 {
        let half = |values: &[f32]| values[position * values.len() / 2..][..values.len() / 2].to_vec();
        let mut logits = Logits::default();
        reference::evaluate(model, size, &half(&planes), &half(&globals), &mut logits).unwrap();
        let lists = [
            ("policy", &logits.policy),
            ("pass", &logits.pass),
            ("outcome", &logits.outcome),
            ("score", &logits.score),
            ("ownership", &logits.ownership),
        ];
        for (name, expected) in lists {
            let found = outputs.get(name).map_or(Vec::new(), |tensor| half(&tensor.values));
            assert_eq!(found.len(), expected.len(), "{} {name}", model.name);
            for (found, expected) in found.iter().zip(expected) {
                let difference = (found - expected).abs();
                let what = (&model.name, name, size);
                assert!(difference <= TOLERANCE * (1.0 + expected.abs()), "{what:?}: {found} not {expected}");
            }
            compared += expected.len();
        }
    }
    compared
}

fn run(python: &str, path: &Path, inputs: &[u8]) -> BTreeMap<String, Tensor> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture/run_onnx.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(inputs).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Every node reads what stands before it, every constant has the bytes of its shape, every output is made.
#[test]
fn graphs_are_well_formed() {
    for model in models() {
        let file = fields(&onnx::write(&model).unwrap());
        let graph = fields(bytes_of(&file, 7).next().unwrap());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let name_in = |message: &[u8], field| text(bytes_of(&fields(message), field).next().unwrap());
        let mut known = HashSet::new();
        for constant in bytes_of(&graph, 5) {
            let parts = fields(constant);
            let sides = parts.iter().filter(|part| part.0 == 1).map(|part| part.1 as usize);
            let width = if parts.iter().any(|part| part.0 == 2 && part.1 == 7) { 8 } else { 4 };
            let bytes = bytes_of(&parts, 9).next().unwrap();
            assert_eq!(bytes.len(), width * sides.product::<usize>());
            assert!(known.insert(name_in(constant, 8)));
        }
        known.extend(bytes_of(&graph, 11).map(|input| name_in(input, 1)));
        for node in bytes_of(&graph, 1) {
            let parts = fields(node);
            for input in bytes_of(&parts, 1) {
                assert!(known.contains(&text(input)), "{}", text(input));
            }
            assert!(known.insert(name_in(node, 2)), "two values of one name");
        }
        assert!(bytes_of(&graph, 12).count() > 0);
        for output in bytes_of(&graph, 12) {
            assert!(known.contains(&name_in(output, 1)));
        }
    }
}

/// A field of a message: its number, its value if it is a number, and its bytes if it has some.
type Field = (u64, u64, Vec<u8>);

fn fields(mut bytes: &[u8]) -> Vec<Field> {
    fn varint(bytes: &mut &[u8]) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let (first, rest) = bytes.split_first().unwrap();
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                break;
            }
        }
        value
    }
    let mut result = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let (value, length) = match tag & 7 {
            0 => (varint(&mut bytes), 0),
            2 => (0, varint(&mut bytes) as usize),
            5 => (0, 4),
            other => panic!("wire type {other}"),
        };
        let (content, rest) = bytes.split_at(length);
        result.push((tag >> 3, value, content.to_vec()));
        bytes = rest;
    }
    result
}

fn bytes_of(fields: &[Field], number: u64) -> impl Iterator<Item = &[u8]> {
    fields.iter().filter(move |field| field.0 == number).map(|field| field.2.as_slice())
}
