//! Files of KataGo's that are broken, cut, absurd or evil: each gets an error that says what and where.

use std::io::Read;

use flate2::read::GzDecoder;
use tesuji_net::katago::{Fault, ReadError, read};
use tesuji_net::model::Problem;

use crate::answer::fixture;
use crate::seeded::pack;

#[test]
fn a_cut_file_is_refused_wherever_it_is_cut() {
    for name in ["v8.bin.gz", "v11.txt.gz", "v15.bin.gz"] {
        let packed = fixture(name);
        let bare = unpack(&packed);
        for length in (0..packed.len()).step_by(7) {
            assert!(read(&packed[..length]).is_err(), "{name} cut to {length}");
        }
        // The last byte is the end of a line, and in a text the last digit may go without being missed.
        for length in (0..bare.len() - 40).step_by(3) {
            let error = read(&bare[..length]).map(|model| model.name).expect_err("a cut file");
            assert!(!error.layer.is_empty(), "{name} cut to {length}: {error}");
        }
    }
    let bare = unpack(&fixture("v8.bin.gz"));
    let error = read(&bare[..bare.len() - 2]).unwrap_err();
    assert_eq!((error.layer.as_str(), error.fault), ("convolution vo", Fault::Truncated));
}

#[test]
fn bare_and_packed_files_are_the_same() {
    for name in ["v8.bin.gz", "v9.txt.gz", "v15.bin.gz"] {
        let packed = fixture(name);
        assert_eq!(read(&packed).unwrap(), read(&unpack(&packed)).unwrap());
    }
}

#[test]
fn nothing_may_follow_the_last_layer() {
    let packed = fixture("v8.bin.gz");
    let bare = unpack(&packed);
    read(&[&bare[..], b" \n\t\r\n"].concat()).unwrap();
    for more in [&b"x"[..], b"\0", b"\nconv 1 1 1 1 1 1\n"] {
        let text = [&bare[..], more].concat();
        check_fault(read(&text), "end of file", &Fault::Trailing);
        check_fault(read(&pack(&text)), "end of file", &Fault::Trailing);
        check_fault(read(&[&packed[..], more].concat()), "end of file", &Fault::Trailing);
    }
}

#[test]
fn a_broken_checksum_is_noticed() {
    let mut packed = fixture("v8.bin.gz");
    let checksum = packed.len() - 8;
    packed[checksum] ^= 1;
    let error = read(&packed).unwrap_err();
    assert!(matches!(error.fault, Fault::Gzip(_)), "{error}");
}

#[test]
fn weights_must_be_finite() {
    let bare = unpack(&fixture("v8.bin.gz"));
    let place = find(&bare, b"g2\n12\n4\n@BIN@") + 13;
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut file = bare.clone();
        file[place..place + 4].copy_from_slice(&bad.to_le_bytes());
        check_fault(read(&file), "matrix g2", &Fault::NotFinite);
    }
    let text = String::from_utf8(unpack(&fixture("v9.txt.gz"))).unwrap();
    let place = text.find("\nv3b\n3\n").unwrap() + 7;
    for bad in ["nan", "inf", "-inf", "1e39"] {
        let file = format!("{}{bad} {}", &text[..place], &text[place..]);
        check_fault(read(file.as_bytes()), "bias v3b", &Fault::NotFinite);
    }
}

#[test]
fn a_batch_norm_needs_a_positive_variance() {
    let bare = unpack(&fixture("v8.bin.gz"));
    let begin = b"block0.2.norm\n6\n1e-20\n1\n1\n@BIN@";
    // The means of six channels lie between.
    let place = find(&bare, begin) + begin.len() + 6 * 4 + b"\n@BIN@".len();
    let mut file = bare.clone();
    file[place..place + 4].copy_from_slice(&(-1f32).to_le_bytes());
    let fault = Fault::Range { what: "a variance", found: "-1".to_owned() };
    check_fault(read(&file), "batch norm block0.2.norm", &fault);
}

#[test]
fn unknown_versions_and_kinds_are_named() {
    let bare = unpack(&fixture("v8.bin.gz"));
    for version in [0, 3, 7, 16, 17, 4_000_000_000u32] {
        let file = replace(&bare, b"v8\n8\n", format!("v8\n{version}\n").as_bytes());
        check_fault(read(&file), "header", &Fault::Version(version));
    }
    let file = replace(&bare, b"\n22\n19\n", b"\n23\n19\n");
    check_unsupported(&file, "header", "a network that reads 23 planes");
    let file = replace(&bare, b"ordinary_block", b"dilated_block");
    check_unsupported(&file, "matrix ginputw", "a block of the kind \"dilated_block\"");
    let file = replace(&bare, b"conv1\n5\n5\n22\n6\n1\n1\n", b"conv1\n5\n5\n22\n6\n1\n2\n");
    check_unsupported(&file, "convolution conv1", "dilation of columns by 2");

    let bare = unpack(&fixture("v14.bin.gz"));
    let file = replace(&bare, b"trunk.act\nACTIVATION_MISH", b"trunk.act\nACTIVATION_GELU");
    check_unsupported(&file, "activation trunk.act", "activation ACTIVATION_GELU");
    let file = replace(&bare, b"ordinary_block", b"transformer_ffn_block");
    check_unsupported(&file, "convolution block0.down", "a block of the kind \"transformer_ffn_block\"");

    let bare = unpack(&fixture("v15.bin.gz"));
    let file = replace(&bare, b"150.0\n0\n1\n0\n", b"150.0\n1\n1\n0\n");
    check_unsupported(&file, "header", "a network that imitates players and needs to be told which");
    let file = replace(&bare, b"150.0\n0\n1\n0\n", b"150.0\n0\n1\n7\n");
    check_unsupported(&file, "header", "header field 7");
    let file = replace(&bare, b"block0.1\n6\n7\n1\n", b"block0.1\n6\n7\n0\n");
    check_unsupported(&file, "feed-forward block block0.1", "a feed-forward block without gate");
}

#[test]
fn layers_must_fit_each_other() {
    // A pass of two outputs, as if the version were a later one; the weights are there.
    let bare = unpack(&fixture("v8.bin.gz"));
    let place = find(&bare, b"pass\n12\n1\n@BIN@");
    let two = [b"pass\n12\n2\n@BIN@".as_slice(), &[0; 48]].concat();
    let file = [&bare[..place], &two, &bare[place + 15..]].concat();
    let error = read(&file).unwrap_err();
    let Fault::Check(inner) = &error.fault else { panic!("{error}") };
    assert_eq!(inner.part, "policy.pass");
    assert!(matches!(inner.problem, Problem::Size { what: "outputs", found: 2, expected: 1 }), "{error}");
}

#[test]
fn sizes_are_not_believed() {
    let head = "name 8 22 19 trunk 1 96 96 96 96 96 conv1 ";
    for (sizes, fault) in [
        (
            "9 9 8192 8192 1 1 @BIN@",
            Fault::Range { what: "the number of weights", found: "[9, 9, 8192, 8192]".to_owned() },
        ),
        ("3 3 8192 512 1 1 @BIN@", Fault::Truncated),
        (
            "3 3 22 99999999999999999999 1 1",
            Fault::Word { expected: "number of channels", found: "99999999999999999999".to_owned() },
        ),
        (
            "3 3 22 18446744073709551615 1 1",
            Fault::Range { what: "number of channels", found: "18446744073709551615".to_owned() },
        ),
        ("0 3 22 96 1 1", Fault::Range { what: "kernel height", found: "0".to_owned() }),
        ("3 -3 22 96 1 1", Fault::Word { expected: "kernel width", found: "-3".to_owned() }),
        ("11 3 22 96 1 1", Fault::Range { what: "kernel height", found: "11".to_owned() }),
    ] {
        check_fault(read(format!("{head}{sizes}").as_bytes()), "convolution conv1", &fault);
    }
    let blocks = read(b"name 8 22 19 trunk 1000000 96").unwrap_err();
    assert_eq!(blocks.fault, Fault::Range { what: "number of blocks", found: "1000000".to_owned() });
}

#[test]
fn bottlenecks_end_somewhere() {
    let mut file = "name 14 22 19 1 1 1 1 1 1 1 trunk 1 1 1 1 1 1 ".to_owned();
    file += &format!("conv 1 1 22 1 1 1 {} matmul 19 1 {} ", "0 ".repeat(22), "0 ".repeat(19));
    for _ in 0..6 {
        file += "nested_bottleneck_block deep 1 norm 1 1e-20 0 0 0 1 act ACTIVATION_RELU conv 1 1 1 1 1 1 0 ";
    }
    check_unsupported(file.as_bytes(), "block deep", "more than 4 bottlenecks in one another");
}

#[test]
fn bombs_do_not_go_off() {
    // Blanks without end, a name without end, and weights that are all the same.
    let blanks = pack(&vec![b' '; 64 << 20]);
    check_fault(read(&blanks), "header", &Fault::Bomb);
    let name = pack(&vec![b'x'; 64 << 20]);
    assert!(matches!(read(&name).unwrap_err().fault, Fault::Word { .. }));
    let weights = [&b"name 8 22 19 trunk 1 96 96 96 96 96 conv1 3 3 8192 512 1 1 @BIN@"[..], &[0; 64 << 20]];
    check_fault(read(&pack(&weights.concat())), "convolution conv1", &Fault::Bomb);
}

fn check_fault(result: Result<tesuji_net::model::Model, ReadError>, layer: &str, fault: &Fault) {
    let error = result.map(|model| model.name).expect_err("a bad file");
    assert_eq!((error.layer.as_str(), &error.fault), (layer, fault), "{error}");
}

fn check_unsupported(file: &[u8], layer: &str, what: &str) {
    check_fault(read(file), layer, &Fault::Unsupported(what.to_owned()));
}

fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
    bytes
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    let place = bytes.windows(part.len()).position(|window| window == part);
    place.unwrap_or_else(|| panic!("no {}", part.escape_ascii()))
}

fn replace(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let place = find(bytes, old);
    [&bytes[..place], new, &bytes[place + old.len()..]].concat()
}
