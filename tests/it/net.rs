//! Engines with a network: one of our own making, and files that are none.

use tesuji_net::model::{ResidualPlan, residual};
use tesuji_net::own::{Precision, write};

use crate::process::{Directory, run_in, stdout};

/// A small network with weights that mean nothing, as a file.
pub(crate) fn network(directory: &Directory) -> String {
    let mut model = residual("random", &ResidualPlan::new(2, 16));
    model.allocate().unwrap();
    let mut state = 1_u64;
    for tensor in model.tensors_mut() {
        for value in tensor.data.iter_mut() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *value += ((state >> 40) as f32 / (1 << 24) as f32 - 0.5) * 0.2;
        }
    }
    let path = directory.path("random.safetensors");
    std::fs::write(&path, write(&model, Precision::F32).unwrap()).unwrap();
    path
}

fn gtp(directory: &Directory, arguments: &[&str], commands: &str) -> (String, String) {
    let arguments: Vec<&str> = ["gtp", "--size", "7"].into_iter().chain(arguments.iter().copied()).collect();
    let output = run_in(&directory.0, &arguments, commands);
    assert!(output.status.success(), "{output:?}");
    (stdout(&output), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn an_engine_plays_with_a_network() {
    let directory = Directory::new("net-plays");
    let net = network(&directory);
    let commands = "genmove b\ngenmove w\nkata-raw-nn\nkata-raw-nn all\ntesuji-policy\nquit\n";
    for extra in [&["--playouts", "50"][..], &["--playouts", "50", "--set", "net-batch=4", "--threads", "2"]]
    {
        let arguments = [&["--net", &net], extra].concat();
        let (answers, errors) = gtp(&directory, &arguments, commands);
        assert_eq!(errors, "");
        let answers: Vec<&str> = answers.split("\n\n").collect();
        assert!(answers[0].starts_with("= ") && answers[1].starts_with("= "), "{answers:?}");
        let raw: Vec<&str> = answers[2].lines().collect();
        assert_eq!(
            (raw[0], raw.iter().filter(|line| line.starts_with("policy")).count()),
            ("= symmetry 0", 2)
        );
        // Seven rows of seven moves, two of them taken; with the pass they sum to 1.
        let at = raw.iter().position(|&line| line == "policy").unwrap();
        let words = raw[at + 1..at + 8].iter().flat_map(|line| line.split_whitespace());
        let values: Vec<f32> =
            words.clone().filter_map(|word| word.parse().ok()).filter(|p: &f32| p.is_finite()).collect();
        let pass: f32 = raw[at + 8].split_whitespace().nth(1).unwrap().parse().unwrap();
        assert_eq!((words.count(), values.len()), (49, 47));
        assert!((values.iter().sum::<f32>() + pass - 1.0).abs() < 1e-3, "{values:?}");
    }
}

#[test]
fn what_a_network_search_finds_does_not_depend_on_the_instructions() {
    let directory = Directory::new("net-isa");
    let net = network(&directory);
    let with = |isa: &str| {
        gtp(&directory, &["--net", &net, "--playouts", "30", "--isa", isa], "genmove b\nquit\n").0
    };
    assert_eq!(with("portable"), with("avx2"));
}

#[test]
fn a_network_that_cannot_be_used_does_not_end_the_session() {
    let directory = Directory::new("net-broken");
    let whole = std::fs::read(network(&directory)).unwrap();
    let cut = directory.path("cut.safetensors");
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let text = directory.file("text.bin.gz", "this is no network");
    let missing = directory.path("missing.bin.gz");
    for file in [&cut, &text, &missing] {
        let (answers, errors) =
            gtp(&directory, &["--net", file, "--playouts", "100"], "name\ngenmove b\nquit\n");
        assert!(answers.starts_with("= Tesuji\n\n= "), "{answers}");
        assert!(errors.contains(file.as_str()) && errors.contains("playing without a network"), "{errors}");
    }
}
