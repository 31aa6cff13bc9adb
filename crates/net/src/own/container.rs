//! The `safetensors` container: the length of a header, the header in JSON, then the tensors' bytes.
//!
//! Offsets must cover the bytes from end to end without gap or overlap, as the format demands.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Longest header; a description has some hundred bytes per layer.
const MAX_HEADER: usize = 16 << 20;
/// Headers are filled up with blanks to a multiple of this, so that numbers are aligned.
const ALIGNMENT: usize = 8;

/// Why bytes are no `safetensors` container, or one that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContainerError {
    /// The file ends before the header does.
    Truncated,
    /// The header is not what it should be.
    Header(String),
    /// A tensor is neither f32 nor f16.
    Kind {
        /// Its name.
        tensor: String,
        /// What it is.
        found: String,
    },
    /// A tensor's offsets do not fit its shape.
    Size(String),
    /// The tensors do not cover the bytes after the header exactly: the file is cut, or something follows.
    Coverage {
        /// Bytes that the header speaks of.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
}

impl fmt::Display for ContainerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContainerError::Truncated => write!(f, "the file ends too early"),
            ContainerError::Header(message) => write!(f, "the header is broken: {message}"),
            ContainerError::Kind { tensor, found } => {
                write!(f, "tensor {tensor} is of the type \"{found}\": only F32 and F16 are supported")
            }
            ContainerError::Size(tensor) => write!(f, "the place of tensor {tensor} does not fit its shape"),
            ContainerError::Coverage { expected, found } => {
                write!(f, "{found} bytes of tensors where the header speaks of {expected}")
            }
        }
    }
}

impl std::error::Error for ContainerError {}

/// The kinds of numbers that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    F32,
    F16,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::F32 => "F32",
            Kind::F16 => "F16",
        }
    }

    fn bytes(self) -> usize {
        match self {
            Kind::F32 => 4,
            Kind::F16 => 2,
        }
    }
}

/// One tensor, its bytes borrowed.
pub(super) struct View<'a> {
    pub(super) kind: Kind,
    pub(super) shape: Vec<usize>,
    pub(super) bytes: &'a [u8],
}

/// A container, its bytes borrowed.
pub(super) struct Container<'a> {
    pub(super) metadata: BTreeMap<String, String>,
    pub(super) tensors: BTreeMap<String, View<'a>>,
}

/// The header as JSON has it.
#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(rename = "__metadata__", default)]
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// Whether bytes begin as a container does.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    // A header of 16 MiB needs three bytes of its length: the others are 0, which no text has.
    bytes.len() > 8 && bytes[4..8] == [0; 4] && bytes[8] == b'{'
}

impl<'a> Container<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Container<'a>, ContainerError> {
        let Some((length, rest)) = bytes.split_first_chunk() else { return Err(ContainerError::Truncated) };
        let length = u64::from_le_bytes(*length);
        if length > MAX_HEADER as u64 {
            return Err(ContainerError::Header(format!("a length of {length}")));
        }
        let Some((header, data)) = rest.split_at_checked(length as usize) else {
            return Err(ContainerError::Truncated);
        };
        let header: Header =
            serde_json::from_slice(header).map_err(|error| ContainerError::Header(error.to_string()))?;
        let mut spans = Vec::new();
        let mut tensors = BTreeMap::new();
        for (name, entry) in header.tensors {
            let kind = match entry.dtype.as_str() {
                "F32" => Kind::F32,
                "F16" => Kind::F16,
                _ => return Err(ContainerError::Kind { tensor: name, found: entry.dtype }),
            };
            let [begin, end] = entry.data_offsets;
            let size = entry.shape.iter().try_fold(kind.bytes(), |product, &side| product.checked_mul(side));
            if size.and_then(|size| begin.checked_add(size)) != Some(end) {
                return Err(ContainerError::Size(name));
            }
            let Some(bytes) = data.get(begin..end) else {
                return Err(ContainerError::Coverage { expected: end, found: data.len() });
            };
            spans.push((begin, end));
            tensors.insert(name, View { kind, shape: entry.shape, bytes });
        }
        spans.sort_unstable();
        let mut covered = 0;
        for (begin, end) in spans {
            if begin != covered {
                return Err(ContainerError::Header(format!("a gap or an overlap at byte {covered}")));
            }
            covered = end;
        }
        if covered != data.len() {
            return Err(ContainerError::Coverage { expected: covered, found: data.len() });
        }
        Ok(Container { metadata: header.metadata, tensors })
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut end = 0;
        let mut tensors = BTreeMap::new();
        for (name, view) in &self.tensors {
            let begin = end;
            end += view.bytes.len();
            let (dtype, shape) = (view.kind.name().to_owned(), view.shape.clone());
            tensors.insert(name.clone(), Entry { dtype, shape, data_offsets: [begin, end] });
        }
        let header = Header { metadata: self.metadata.clone(), tensors };
        let mut header = serde_json::to_vec(&header).expect("names and numbers are JSON");
        header.resize(header.len().next_multiple_of(ALIGNMENT), b' ');
        let mut bytes = Vec::with_capacity(8 + header.len() + end);
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(&header);
        self.tensors.values().for_each(|view| bytes.extend(view.bytes));
        bytes
    }
}
