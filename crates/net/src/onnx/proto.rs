//! The few messages of ONNX that an export needs, in protobuf's wire format.
//!
//! Field numbers and types are those of `onnx.proto`, the published definition of the format.

/// A message under construction: fields one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

impl Message {
    /// A field that is a whole number.
    pub(super) fn integer(mut self, field: u32, value: i64) -> Message {
        self.varint(u64::from(field) << 3);
        // Negative numbers are ten bytes long, as two's complement.
        self.varint(value as u64);
        self
    }

    /// A field that is an f32.
    pub(super) fn float(mut self, field: u32, value: f32) -> Message {
        self.varint(u64::from(field) << 3 | 5);
        self.bytes.extend(value.to_le_bytes());
        self
    }

    /// A field that is a text or a list of bytes.
    pub(super) fn bytes(mut self, field: u32, value: &[u8]) -> Message {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(value.len() as u64);
        self.bytes.extend(value);
        self
    }

    /// A field that is a message.
    pub(super) fn message(self, field: u32, value: &Message) -> Message {
        self.bytes(field, &value.bytes)
    }

    /// The finished bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

/// `TensorProto.DataType`.
const FLOAT: i64 = 1;
const INT64: i64 = 7;
/// `AttributeProto.AttributeType`.
const ATTRIBUTE_FLOAT: i64 = 1;
const ATTRIBUTE_INT: i64 = 2;
const ATTRIBUTE_INTS: i64 = 7;

/// A size of an input or output: known, or named.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Fixed(usize),
    Named(&'static str),
}

/// A `ValueInfoProto`: an input or output of f32.
pub(super) fn value_info(name: &str, sides: &[Side]) -> Message {
    let shape = sides.iter().fold(Message::default(), |shape, side| {
        let dimension = match side {
            Side::Fixed(size) => Message::default().integer(1, *size as i64),
            Side::Named(name) => Message::default().bytes(2, name.as_bytes()),
        };
        shape.message(1, &dimension)
    });
    let tensor = Message::default().integer(1, FLOAT).message(2, &shape);
    let kind = Message::default().message(1, &tensor);
    Message::default().bytes(1, name.as_bytes()).message(2, &kind)
}

fn tensor(name: &str, kind: i64, shape: &[usize], bytes: &[u8]) -> Message {
    let dims = shape.iter().fold(Message::default(), |message, &side| message.integer(1, side as i64));
    dims.integer(2, kind).bytes(8, name.as_bytes()).bytes(9, bytes)
}

/// A `TensorProto` of f32.
pub(super) fn floats(name: &str, shape: &[usize], values: &[f32]) -> Message {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    tensor(name, FLOAT, shape, &bytes)
}

/// A `TensorProto` of whole numbers; a single one where the shape is empty.
pub(super) fn integers(name: &str, shape: &[usize], values: &[i64]) -> Message {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    tensor(name, INT64, shape, &bytes)
}

/// An attribute of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attribute<'a> {
    Float(&'a str, f32),
    Int(&'a str, i64),
    Ints(&'a str, &'a [i64]),
}

impl Attribute<'_> {
    fn message(self) -> Message {
        let named = |name: &str| Message::default().bytes(1, name.as_bytes());
        match self {
            Attribute::Float(name, value) => named(name).float(2, value).integer(20, ATTRIBUTE_FLOAT),
            Attribute::Int(name, value) => named(name).integer(3, value).integer(20, ATTRIBUTE_INT),
            Attribute::Ints(name, values) => {
                let list = values.iter().fold(named(name), |message, &value| message.integer(8, value));
                list.integer(20, ATTRIBUTE_INTS)
            }
        }
    }
}

/// A `NodeProto`.
pub(super) fn node(kind: &str, inputs: &[&str], output: &str, attributes: &[Attribute<'_>]) -> Message {
    let message = inputs.iter().fold(Message::default(), |node, input| node.bytes(1, input.as_bytes()));
    let message = message.bytes(2, output.as_bytes()).bytes(3, output.as_bytes()).bytes(4, kind.as_bytes());
    attributes.iter().fold(message, |node, attribute| node.message(5, &attribute.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of protobuf's documentation of its encoding.
    #[test]
    fn fields_are_encoded_as_documented() {
        assert_eq!(Message::default().integer(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::default().bytes(2, b"testing").into_bytes();
        assert_eq!(text, [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
        let inner = Message::default().integer(1, 150);
        assert_eq!(Message::default().message(3, &inner).into_bytes(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        let negative = Message::default().integer(1, -2).into_bytes();
        assert_eq!(negative, [0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
        assert_eq!(Message::default().float(2, 1.0).into_bytes(), [0x15, 0, 0, 0x80, 0x3f]);
    }
}
