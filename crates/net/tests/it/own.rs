//! Our own weight files: what is written comes back, and nothing else is believed.

use tesuji_net::model::{CheckError, Model, ResidualPlan, paper_policy, paper_value, residual};
use tesuji_net::own::{ContainerError, OwnError, Precision, WriteError, read, write};
use tesuji_net::{FormatError, katago};

use crate::answer::fixture;
use crate::seeded::fill;

/// A small net of ours with weights from a seed.
fn small() -> Model {
    let mut model =
        residual("small", &ResidualPlan { head_channels: 3, hidden: 4, ..ResidualPlan::new(3, 6) });
    model.provenance.origin = "a test \"with\" ünusual letters".to_owned();
    model.allocate().unwrap();
    fill(&mut model);
    model
}

#[test]
fn what_is_written_comes_back() {
    let mut models = vec![small()];
    for mut model in [paper_policy(5, 5), paper_value(4, 3)] {
        model.allocate().unwrap();
        fill(&mut model);
        models.push(model);
    }
    for name in ["v8.bin.gz", "v14.bin.gz", "v15.bin.gz", "v15-fixed.txt.gz"] {
        models.push(katago::read(&fixture(name)).unwrap());
    }
    for model in models {
        let bytes = write(&model, Precision::F32).unwrap();
        assert!(read(&bytes).unwrap() == model, "{}", model.name);
        assert!(tesuji_net::read(&bytes).unwrap() == model, "{}", model.name);
        assert_eq!(bytes, write(&model, Precision::F32).unwrap());
    }
}

#[test]
fn half_precision_rounds_once() {
    let model = small();
    let bytes = write(&model, Precision::F16).unwrap();
    assert!(bytes.len() < write(&model, Precision::F32).unwrap().len() * 2 / 3);
    let rounded = read(&bytes).unwrap();
    let mut differences = 0;
    for (exact, rounded) in model.tensors().iter().zip(rounded.tensors()) {
        for (exact, rounded) in exact.data.iter().zip(rounded.data) {
            assert!((exact - rounded).abs() <= exact.abs() / 2048.0 + 2f32.powi(-25), "{exact} {rounded}");
            differences += usize::from(exact != rounded);
        }
    }
    assert!(differences > model.parameters() / 2, "nothing was rounded");
    assert!(read(&write(&rounded, Precision::F16).unwrap()).unwrap() == rounded);
}

#[test]
fn weights_that_cannot_be_written_are_named() {
    let mut model = small();
    model.trunk.stem.weights[5] = 70000.0;
    assert_eq!(write(&model, Precision::F16), Err(WriteError::Overflow("trunk.stem.weights".to_owned())));
    model.trunk.stem.weights[5] = f32::NAN;
    let error = write(&model, Precision::F32).unwrap_err();
    assert!(
        matches!(&error, WriteError::Check(CheckError { part, .. }) if part == "trunk.stem.weights"),
        "{error}"
    );
}

#[test]
fn a_cut_or_lengthened_file_is_refused() {
    let bytes = write(&small(), Precision::F32).unwrap();
    for length in (0..bytes.len()).step_by(11) {
        assert!(read(&bytes[..length]).is_err(), "cut to {length}");
    }
    let more = [&bytes[..], b"x"].concat();
    assert!(matches!(refusal(&more), OwnError::Container(ContainerError::Coverage { .. })));
}

/// One bit of a weight, one letter of the description or of the checksum.
#[test]
fn a_changed_file_is_refused() {
    let bytes = write(&small(), Precision::F32).unwrap();
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert_eq!(refusal(&changed), OwnError::Checksum);
    let changed = replace(&bytes, "ünusual", "Ünusual");
    assert_eq!(refusal(&changed), OwnError::Checksum);
    let changed = replace(&bytes, "tesuji-1", "tesuji-2");
    assert_eq!(refusal(&changed), OwnError::Format("tesuji-2".to_owned()));
    let changed = replace(&bytes, "\"format\":", "\"farmot\":");
    assert_eq!(refusal(&changed), OwnError::Foreign("format"));
    let changed = replace(&bytes, "\"F32\"", "\"I32\"");
    assert!(matches!(refusal(&changed), OwnError::Container(ContainerError::Kind { .. })));
    let changed = replace(&bytes, "\"shape\":[6]", "\"shape\":[7]");
    assert!(matches!(refusal(&changed), OwnError::Container(ContainerError::Size(_))));
    // No byte of the file may change without being noticed, blanks of the header apart.
    let mut noticed = 0;
    for place in (0..bytes.len()).step_by(3) {
        let mut changed = bytes.clone();
        changed[place] ^= 4;
        if read(&changed).is_err() {
            noticed += 1;
        } else {
            assert_eq!(bytes[place], b' ', "byte {place}");
        }
    }
    assert!(noticed + 8 > bytes.len() / 3);
}

#[test]
fn huge_sizes_are_not_believed() {
    for (header, length) in [("{}", u64::MAX), ("{}", 1 << 40), ("{}", 3), ("[]", 2), ("{\"a\":1}", 7)] {
        let bytes = [&length.to_le_bytes()[..], header.as_bytes()].concat();
        assert!(
            matches!(read(&bytes).map(|model| model.name), Err(OwnError::Container(_))),
            "{header} {length}"
        );
    }
    let header = br#"{"x":{"dtype":"F32","shape":[4294967296,4294967296,16],"data_offsets":[0,0]}}"#;
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header].concat();
    assert_eq!(refusal(&bytes), OwnError::Container(ContainerError::Size("x".to_owned())));
}

#[test]
fn a_container_of_others_is_named_as_such() {
    let header = br#"{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header, &[0; 4]].concat();
    assert_eq!(refusal(&bytes), OwnError::Foreign("format"));
    let error = tesuji_net::read(&bytes).map(|model| model.name).unwrap_err();
    assert_eq!(error, FormatError::Own(OwnError::Foreign("format")));
}

fn refusal(bytes: &[u8]) -> OwnError {
    read(bytes).map(|model| model.name).expect_err("a bad file")
}

fn replace(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let place = bytes.windows(old.len()).position(|window| window == old.as_bytes()).unwrap();
    [&bytes[..place], new.as_bytes(), &bytes[place + old.len()..]].concat()
}
