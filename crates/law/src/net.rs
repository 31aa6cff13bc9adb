//! A file of a network is understood or refused; one that is understood can be asked, written and read back.
//!
//! Every input is tried as it is and packed, so that the checksum of the packing does not keep damaged files from the reader.
//! That memory stays within what a file can justify is tested beside the reader, where allocations can be counted.

use flate2::Crc;
use tesuji_board::Size;
use tesuji_net::model::{Boards, Model};
use tesuji_net::output::{Decoder, Evaluation, Logits, Question};
use tesuji_net::own::{self, Precision, WriteError};
use tesuji_net::{onnx, reference};

use crate::{Law, Reception};

/// One channel, kernels of one point, one block: as small as networks of KataGo's get. In turn: one as text, one with numbers in
/// binary, one with nested and pooling blocks, one with attention; and one of our files that lacks everything but its form.
pub(crate) const LAW: Law = Law {
    name: "net",
    statement: "a network file is refused, or the network can be asked, written and read back; nothing panics",
    check,
    examples: &[
        b"n 8 22 19 t 1 1 1 1 1 1 c 1 1 22 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \
          m 19 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 ordinary_block b n 1 1 0 0 0 1 a c 1 1 1 1 1 1 2 \
          n 1 1 1 1 0 1 2 3 a c 1 1 1 1 1 1 -2 n 1 1 0 0 0 1 a \
          p c 1 1 1 1 1 1 1 c 1 1 1 1 1 1 1 n 1 1 0 0 0 1 a m 3 1 1 1 1 n 1 1 0 0 0 1 a c 1 1 1 1 1 1 1 m 3 1 1 1 1 \
          v c 1 1 1 1 1 1 1 n 1 1 0 0 0 1 a m 3 1 1 1 1 b 1 0 a m 1 3 1 1 1 b 3 0 0 0 m 1 4 1 1 1 1 b 4 0 0 0 0 \
          c 1 1 1 1 1 1 1\n",
        b"n 10 22 19 t 0 1 1 1 1 1 c 1 1 22 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \
          m 19 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 n 1 1e-20 0 0 @BIN@\0\0\0\0\n@BIN@\0\0\x80?\na \
          p c 1 1 1 1 1 1 @BIN@\0\0\x80?\nc 1 1 1 1 1 1 1 n 1 1 0 0 0 1 a m 3 1 @BIN@\0\0\x80?\0\0\x80?\0\0\x80?\n\
          n 1 1 0 0 0 1 a c 1 1 1 1 1 1 1 m 3 1 1 1 1 \
          v c 1 1 1 1 1 1 1 n 1 1 0 0 0 1 a m 3 1 1 1 1 b 1 0 a m 1 3 1 1 1 b 3 0 0 0 m 1 6 1 1 1 1 1 1 \
          b 6 0 0 0 0 0 0 c 1 1 1 1 1 1 @BIN@\0\0\x80?\n",
        b"n 14 22 19 20 20 20 20 40 0.25 150 t 1 1 1 1 1 1 c 1 1 22 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \
          m 19 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 nested_bottleneck_block b 1 n 1 1 0 0 0 1 a ACTIVATION_MISH \
          c 1 1 1 1 1 1 1 gpool_block b n 1 1 0 0 0 1 a ACTIVATION_RELU c 1 1 1 1 1 1 1 c 1 1 1 1 1 1 1 \
          n 1 1 0 0 0 1 a ACTIVATION_SILU m 3 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_IDENTITY c 1 1 1 1 1 1 1 \
          n 1 1 0 0 0 1 a ACTIVATION_MISH c 1 1 1 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_MISH \
          p c 1 1 1 1 1 1 1 c 1 1 1 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_MISH m 3 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_MISH \
          c 1 1 1 2 1 1 1 1 m 3 2 1 1 1 1 1 1 v c 1 1 1 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_MISH m 3 1 1 1 1 b 1 0 \
          a ACTIVATION_MISH m 1 3 1 1 1 b 3 0 0 0 m 1 6 1 1 1 1 1 1 b 6 0 0 0 0 0 0 c 1 1 1 1 1 1 1\n",
        b"n 15 22 19 20 20 20 20 40 0.25 150 0 1 0 0 0 0 0 0 t 2 2 1 1 1 1 1 0 0 0 0 0 \
          c 1 1 22 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \
          m 19 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \
          transformer_attention_block b 2 1 2 1 1 1 n 2 1e-6 1 1 q 2 4 1 1 1 1 1 1 1 1 k 2 2 1 1 1 1 v 2 1 1 1 \
          o 2 2 1 1 1 1 r 1 1 2 0.5 0.25 transformer_ffn_block b 2 1 1 n 2 1e-6 1 1 l 2 1 1 1 g 2 1 1 1 l 1 2 1 1 \
          n 2 1e-6 1 0 1 1 0 0 a ACTIVATION_SILU p c 1 1 2 1 1 1 1 1 c 1 1 2 1 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_SILU \
          m 3 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_SILU c 1 1 1 2 1 1 1 1 m 3 1 1 1 1 b 1 0 a ACTIVATION_SILU m 1 2 1 1 \
          v c 1 1 2 1 1 1 1 1 n 1 1 0 0 0 1 a ACTIVATION_SILU m 3 1 1 1 1 b 1 0 a ACTIVATION_SILU m 1 3 1 1 1 b 3 0 0 0 \
          m 1 6 1 1 1 1 1 1 b 6 0 0 0 0 0 0 c 1 1 1 1 1 1 1\n",
        b"\x7a\0\0\0\0\0\0\0{\"__metadata__\":{\"format\":\"tesuji-1\",\"model\":\"{}\",\"sha256\":\"00\"},\
          \"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}    \0\0\x80?",
    ],
    words: &[
        b"1 ", b"0 ", b"2 ", b"3 ", b"-1 ", b"8192 ", b"1e39 ", b"1e-30 ", b"nan ", b"18446744073709551616 ",
        b"@BIN@", b"\0\0\x80?", b"\0\0\xc0\x7f", b" ", b"\n", b"ordinary_block b ", b"gpool_block b ",
        b"nested_bottleneck_block b 1 ", b"transformer_attention_block b ", b"transformer_ffn_block b ",
        b"ACTIVATION_RELU ", b"ACTIVATION_MISH ", b"ACTIVATION_SILU ", b"n 1 1 0 0 0 1 a ", b"c 1 1 1 1 1 1 1 ",
        b"c 3 3 1 1 1 1 1 1 1 1 1 1 1 1 1 ", b"m 3 1 1 1 1 ", b"b 1 0 ", b"\x1f\x8b\x08", b"{\"", b"\":[", b"}",
    ],
};

fn check(input: &[u8]) -> Reception {
    let bare = understood(input);
    let unpacked = understood(&pack(input));
    // What is packed twice is not unpacked twice, and our own files are not packed at all.
    if !input.starts_with(&[0x1f, 0x8b]) && !own::is_own(input) {
        assert!(bare == unpacked, "packing makes a difference");
    }
    let Some(model) = bare else { return Reception::Refused };
    model.check().expect("a model that was read holds together");
    ask(&model);
    onnx::write(&model).expect("a model that holds together can be exported");
    let written = own::write(&model, Precision::F32).expect("a model that holds together can be written");
    assert!(own::read(&written).as_ref() == Ok(&model), "what is written comes back");
    match own::write(&model, Precision::F16) {
        Ok(half) => drop(own::read(&half).expect("what is written can be read")),
        Err(WriteError::Overflow(tensor)) => assert!(!tensor.is_empty()),
        Err(WriteError::Check(error)) => panic!("{error}"),
    }
    Reception::Accepted
}

/// A gzip file (RFC 1952) of stored blocks (RFC 1951): packing costs nothing that way.
fn pack(input: &[u8]) -> Vec<u8> {
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for block in input.chunks(usize::from(u16::MAX)) {
        let length = block.len() as u16;
        packed.push(0);
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(block);
    }
    // An empty block ends the list.
    packed.extend([1, 0, 0, 255, 255]);
    let mut checksum = Crc::new();
    checksum.update(input);
    packed.extend(checksum.sum().to_le_bytes());
    packed.extend((input.len() as u32).to_le_bytes());
    packed
}

fn understood(bytes: &[u8]) -> Option<Model> {
    match tesuji_net::read(bytes) {
        Ok(model) => Some(model),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

/// Asks about a small board; whatever the weights, there is an answer or an error.
fn ask(model: &Model) {
    let (width, height) = match model.boards {
        Boards::Any => (3, 2),
        Boards::Only { width, height } => (width, height),
    };
    let size = Size::new(width, height).expect("a model that holds together has boards that exist");
    let planes = vec![1.0; model.input.planes.len() * size.area()];
    let globals = vec![0.5; model.input.globals.len()];
    let mut logits = Logits::default();
    reference::evaluate(model, size, &planes, &globals, &mut logits).expect("the inputs fit the model");
    let mut evaluation = Evaluation::default();
    let question = Question { legal: &vec![true; size.area()], no_result: true, optimism: 0.2 };
    if Decoder::new(model).decode(&logits, question, &mut evaluation).is_ok() {
        let sum = evaluation.pass + evaluation.policy.iter().sum::<f32>();
        assert!((sum - 1.0).abs() < 1e-3, "probabilities sum to {sum}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_what_they_should_be() {
        let (own, katago) = LAW.examples.split_last().unwrap();
        for example in katago {
            if let Err(error) = tesuji_net::read(example) {
                panic!("{error}");
            }
        }
        let error = own::read(own).map(|model| model.name).unwrap_err();
        assert_eq!(error, own::OwnError::Checksum);
    }
}
