use std::path::Path;

use crate::process::{Directory, run, stderr, stdout};

/// A small network of KataGo's format, made for the tests of the net crate.
fn fixture(name: &str) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/net/tests/fixture");
    directory.join(name).to_str().unwrap().to_owned()
}

#[test]
fn info_tells_what_a_network_is() {
    let output = run(&["net", "info", &fixture("v15.bin.gz")]);
    assert!(output.status.success());
    let text = stdout(&output);
    for line in [
        "name     fixture-v15",
        "kind     KataGo, version 15",
        "boards   any size",
        "input    22 planes, 19 global numbers: KataGo's version 7",
        "trunk    8 channels, 2 blocks (2 bottleneck, 2 attention, 1 feed-forward, 1 pooling, 1 residual), first layer 3x3, SiLU",
        "policy   move, optimistic move",
        "rules    any",
        "licence  not stated",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\nnot in\n{text}");
    }
}

#[test]
fn a_file_says_which_rules_its_network_knows() {
    let directory = Directory::new("net-rules");
    let out = directory.path("told.safetensors");
    let output = run(&["net", "export", &fixture("v8.bin.gz"), &out, "--rules", "japanese"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&run(&["net", "info", &out]));
    assert!(text.contains("\nrules    japanese\n"), "{text}");
    let output = run(&["net", "export", &fixture("v8.bin.gz"), &directory.path("a.onnx"), "--rules", "aga"]);
    assert!(!output.status.success());
}

#[test]
fn check_asks_good_networks_and_names_bad_ones() {
    let directory = Directory::new("net-check");
    let broken =
        directory.file("broken.bin.gz", "n 8 22 19 trunk 1 96 96 96 96 96 conv1 3 3 22 96 1 1 @BIN@");
    let good = [fixture("v8.bin.gz"), fixture("v14.bin.gz")];
    let output = run(&["net", "check", &good[0], &good[1]]);
    assert!(output.status.success(), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("2 files, 0 errors\n"), "{}", stdout(&output));
    let output = run(&["net", "check", &good[0], &broken, &directory.path("missing.bin.gz")]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    for part in [
        "fixture-v8, 5025 weights, good; empty 9x7: Black wins ",
        "broken.bin.gz: convolution conv1: the file ends too early",
        "missing.bin.gz: ",
        "3 files, 2 errors",
    ] {
        assert!(text.contains(part), "{part} not in {text}");
    }
}

/// There and back: both files say the same when asked.
#[test]
fn export_keeps_what_a_network_says() {
    let directory = Directory::new("net-export");
    let net = fixture("v14.bin.gz");
    let (own, half, onnx) =
        (directory.path("net.safetensors"), directory.path("half.safetensors"), directory.path("net.onnx"));
    assert!(run(&["net", "export", &net, &own]).status.success());
    assert!(run(&["net", "export", &net, &half, "--half"]).status.success());
    assert!(run(&["net", "export", &net, &onnx]).status.success());
    let said = |file: &str| {
        let text = stdout(&run(&["net", "check", file]));
        text.lines().next().unwrap().split_once(": ").unwrap().1.to_owned()
    };
    assert_eq!(said(&own), said(&net));
    assert!(said(&half).contains("good"));
    let length = |file: &str| std::fs::metadata(file).unwrap().len();
    assert!(length(&half) < length(&own) && length(&onnx) > length(&half));
    let info = |file: &str| stdout(&run(&["net", "info", file]));
    assert_eq!(info(&own), info(&net));

    let output = run(&["net", "export", &net, &directory.path("net.txt")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("the name must end in .onnx or .safetensors"), "{}", stderr(&output));
    let output = run(&["net", "export", &net, &onnx, "--half"]);
    assert!(stderr(&output).contains("--half is for .safetensors only"), "{}", stderr(&output));
    let output = run(&["net", "info", &onnx]);
    assert!(!output.status.success() && stderr(&output).contains("net.onnx"), "{}", stderr(&output));
}

/// Two decided games: the network and playouts say who wins them, in one row for five moves.
#[test]
fn bench_value_counts_winners_by_move() {
    let directory = Directory::new("bench-value");
    let games = "9 7 0 B+R ? ? eecegeecegddff\n9 7 0 W+20 ? ? aaeeabecacge\n".repeat(3);
    let file = directory.file("games.txt", &games);
    let command =
        ["bench", "value", &file, "--size", "9", "--validation", "1000", "--band", "5", "--playouts", "20"];
    let output = run(&command);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("\n| 0–4 | 6 | ") && text.contains("\n| all | "), "{text}");
    assert_eq!(stdout(&run(&command)), text, "a seed decides everything");
    let output = run(&["bench", "value", &file, "--size", "13"]);
    assert!(
        !output.status.success() && stderr(&output).contains("no game of this size"),
        "{}",
        stderr(&output)
    );
}
