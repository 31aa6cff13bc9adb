//! Our own weight files: `safetensors` with the network's description, its provenance and a checksum inside.
//!
//! The file is what any reader of `safetensors` expects: a header in JSON, then the numbers. In its metadata stand `format` (the version
//! of what is described here), `model` (the description of [`Model`], as JSON) and `sha256` (of the description and all
//! tensors). Tensors have the names of [`Model::tensors`] and are f32 or f16. The same model always makes the same bytes.
//!
//! Files come from strangers: sizes are compared with what is there before anything is allocated, and every kind of mismatch
//! is an error of its own. The checksum finds accidents and careless changes; it is no signature.

mod container;
mod half;

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest, Sha256};

pub use container::ContainerError;
use container::{Container, Kind};

use crate::model::{CheckError, Model};

/// The version of the format that is written, and the only one that can be read.
const FORMAT: &str = "tesuji-1";
/// Keys of the metadata.
const FORMAT_KEY: &str = "format";
const MODEL_KEY: &str = "model";
const CHECKSUM_KEY: &str = "sha256";

/// How weights are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// As they are.
    F32,
    /// Rounded to half the size; costs 0.02 % of win rate on average.
    F16,
}

/// Why a file is no network of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnError {
    /// It is no `safetensors` file.
    Container(ContainerError),
    /// It is one, but not of a network of ours: a key of the metadata is missing.
    Foreign(&'static str),
    /// It is of a newer or unknown format.
    Format(String),
    /// The checksum is not that of the contents.
    Checksum,
    /// The description cannot be understood.
    Description(String),
    /// The description does not hold together, or a weight is not finite.
    Check(CheckError),
    /// A tensor of the description is not in the file.
    Missing(String),
    /// A tensor of the file is not in the description.
    Unexpected(String),
    /// A tensor has another shape than the description says.
    Shape {
        /// Its name.
        tensor: String,
        /// Its shape in the file.
        found: Vec<usize>,
        /// Its shape in the description.
        expected: Vec<usize>,
    },
}

impl fmt::Display for OwnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OwnError::Container(error) => error.fmt(f),
            OwnError::Foreign(key) => write!(f, "not a network of Tesuji: no \"{key}\" in its metadata"),
            OwnError::Format(found) => write!(f, "the format \"{found}\" is unknown: only {FORMAT} is known"),
            OwnError::Checksum => write!(f, "the checksum is wrong: the file was damaged or changed"),
            OwnError::Description(message) => write!(f, "the description cannot be understood: {message}"),
            OwnError::Check(error) => error.fmt(f),
            OwnError::Missing(name) => write!(f, "tensor {name} is missing"),
            OwnError::Unexpected(name) => write!(f, "tensor {name} does not belong to the network"),
            OwnError::Shape { tensor, found, expected } => {
                write!(f, "tensor {tensor} has the shape {found:?} instead of {expected:?}")
            }
        }
    }
}

impl std::error::Error for OwnError {}

/// Why a network cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// It does not hold together.
    Check(CheckError),
    /// A weight of this tensor is too large for half precision.
    Overflow(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Check(error) => error.fmt(f),
            WriteError::Overflow(name) => write!(f, "{name}: a weight is too large for 16 bits"),
        }
    }
}

impl std::error::Error for WriteError {}

/// Whether bytes look like a file of this format, or of another one in the same container.
pub fn is_own(bytes: &[u8]) -> bool {
    container::looks_like(bytes)
}

/// Reads a network from the bytes of a file.
pub fn read(bytes: &[u8]) -> Result<Model, OwnError> {
    let mut container = Container::parse(bytes).map_err(OwnError::Container)?;
    let mut value = |key| container.metadata.remove(key).ok_or(OwnError::Foreign(key));
    let format = value(FORMAT_KEY)?;
    let description = value(MODEL_KEY)?;
    let checksum = value(CHECKSUM_KEY)?;
    if format != FORMAT {
        return Err(OwnError::Format(format.chars().take(40).collect()));
    }
    if checksum != self::checksum(&description, &container) {
        return Err(OwnError::Checksum);
    }
    let mut model: Model =
        serde_json::from_str(&description).map_err(|error| OwnError::Description(error.to_string()))?;
    model.check_description().map_err(OwnError::Check)?;
    let mut used = 0;
    for tensor in model.tensors_mut() {
        let Some(view) = container.tensors.get(&tensor.name) else {
            return Err(OwnError::Missing(tensor.name));
        };
        if view.shape != tensor.shape {
            let (found, expected) = (view.shape.clone(), tensor.shape);
            return Err(OwnError::Shape { tensor: tensor.name, found, expected });
        }
        *tensor.data = match view.kind {
            Kind::F32 => view.bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect(),
            Kind::F16 => view
                .bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| half::to_f32(u16::from_le_bytes(bytes)))
                .collect(),
        };
        used += 1;
    }
    if used < container.tensors.len() {
        let names: Vec<String> = model.tensors().into_iter().map(|tensor| tensor.name).collect();
        let unexpected = container.tensors.into_keys().find(|name| !names.contains(name));
        return Err(OwnError::Unexpected(unexpected.unwrap_or_default()));
    }
    model.check().map_err(OwnError::Check)?;
    Ok(model)
}

/// The bytes of a file with a network.
pub fn write(model: &Model, precision: Precision) -> Result<Vec<u8>, WriteError> {
    model.check().map_err(WriteError::Check)?;
    let mut buffers = Vec::new();
    for tensor in model.tensors() {
        let (kind, bytes): (Kind, Vec<u8>) = match precision {
            Precision::F32 => {
                (Kind::F32, tensor.data.iter().flat_map(|weight| weight.to_le_bytes()).collect())
            }
            Precision::F16 => {
                let halves: Vec<u16> = tensor.data.iter().map(|&weight| half::from_f32(weight)).collect();
                if !halves.iter().all(|&bits| half::is_finite(bits)) {
                    return Err(WriteError::Overflow(tensor.name));
                }
                (Kind::F16, halves.iter().flat_map(|bits| bits.to_le_bytes()).collect())
            }
        };
        buffers.push((tensor.name, tensor.shape, kind, bytes));
    }
    let tensors = buffers.iter().map(|(name, shape, kind, bytes)| {
        (name.clone(), container::View { kind: *kind, shape: shape.clone(), bytes })
    });
    let description = serde_json::to_string(model).expect("a description has nothing that JSON cannot say");
    let mut container = Container { metadata: BTreeMap::new(), tensors: tensors.collect() };
    let checksum = checksum(&description, &container);
    container.metadata.insert(FORMAT_KEY.to_owned(), FORMAT.to_owned());
    container.metadata.insert(MODEL_KEY.to_owned(), description);
    container.metadata.insert(CHECKSUM_KEY.to_owned(), checksum);
    Ok(container.to_bytes())
}

/// The checksum of a description and all tensors with their names, kinds and shapes.
fn checksum(description: &str, container: &Container<'_>) -> String {
    let mut hash = Sha256::new();
    // Lengths stand before texts and lists, so that no two contents make the same stream.
    let text = |hash: &mut Sha256, text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    text(&mut hash, FORMAT);
    text(&mut hash, description);
    for (name, view) in &container.tensors {
        text(&mut hash, name);
        text(&mut hash, view.kind.name());
        hash.update((view.shape.len() as u64).to_le_bytes());
        for &side in &view.shape {
            hash.update((side as u64).to_le_bytes());
        }
        hash.update(view.bytes);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ResidualPlan, residual};

    /// A file with another description and the right checksum, as somebody with bad intentions would make it.
    fn forge(bytes: &[u8], description: &str) -> Vec<u8> {
        let mut container = Container::parse(bytes).unwrap();
        let checksum = checksum(description, &container);
        container.metadata.insert(MODEL_KEY.to_owned(), description.to_owned());
        container.metadata.insert(CHECKSUM_KEY.to_owned(), checksum);
        container.to_bytes()
    }

    fn example() -> (Vec<u8>, String) {
        let plan = ResidualPlan { head_channels: 2, hidden: 2, pool_every: 2, ..ResidualPlan::new(2, 4) };
        let mut model = residual("example", &plan);
        model.allocate().unwrap();
        (write(&model, Precision::F32).unwrap(), serde_json::to_string(&model).unwrap())
    }

    fn refusal(bytes: &[u8]) -> OwnError {
        read(bytes).map(|model| model.name).expect_err("a bad file")
    }

    #[test]
    fn descriptions_that_do_not_fit_are_refused_although_the_checksum_is_right() {
        let (bytes, description) = example();
        assert!(read(&forge(&bytes, &description)).is_ok());
        let change = |old: &str, new: &str| {
            assert!(description.contains(old), "{old}");
            refusal(&forge(&bytes, &description.replacen(old, new, 1)))
        };
        assert!(matches!(change("\"residual\":", "\"convolution\":"), OwnError::Description(_)));
        assert!(matches!(change("\"name\":", "\"nom\":"), OwnError::Description(_)));
        assert!(matches!(change("\"katago7\"", "\"katago8\""), OwnError::Description(_)));
        assert!(matches!(change("\"channels\":4", "\"channels\":5"), OwnError::Check(_)));
        assert!(matches!(change("\"channels\":4", "\"channels\":-4"), OwnError::Description(_)));
        let all = description.replace(":4", ":8000");
        assert!(matches!(refusal(&forge(&bytes, &all)), OwnError::Check(_) | OwnError::Shape { .. }));
        // Another side of a kernel: the description holds together, but the tensor is not that.
        let error = change("\"height\":3,\"width\":3", "\"height\":1,\"width\":3");
        assert!(
            matches!(&error, OwnError::Shape { tensor, .. } if tensor == "trunk.stem.weights"),
            "{error}"
        );
        // A head less: the description holds together, but tensors are left over.
        let begin = description.find("\"value\":").unwrap();
        let end = description.find(",\"scaling\":").unwrap();
        let headless = format!("{}\"value\":null{}", &description[..begin], &description[end..]);
        let error = refusal(&forge(&bytes, &headless));
        assert!(matches!(&error, OwnError::Unexpected(tensor) if tensor.starts_with("value.")), "{error}");
        assert!(matches!(refusal(&forge(&bytes, "{}")), OwnError::Description(_)));
        let deep = "[".repeat(10_000);
        assert!(matches!(refusal(&forge(&bytes, &deep)), OwnError::Description(_)));
    }

    /// Every number of the description replaced by others, one after another: an answer each time, never a panic.
    #[test]
    fn no_number_of_a_description_is_believed() {
        let (bytes, description) = example();
        let is_digit = |place: usize| description.as_bytes()[place].is_ascii_digit();
        let starts = (1..description.len()).filter(|&place| is_digit(place) && !is_digit(place - 1));
        let mut refused = 0;
        let mut tried = 0;
        for start in starts {
            let end = (start..description.len()).find(|&place| !is_digit(place)).unwrap();
            for number in ["0", "1", "3", "8192", "18446744073709551615", "1e30", "-1", "null"] {
                let forged = format!("{}{number}{}", &description[..start], &description[end..]);
                refused += usize::from(read(&forge(&bytes, &forged)).is_err());
                tried += 1;
            }
        }
        // Plane numbers and factors of scores may be others; sizes may not.
        assert!(tried > 500 && refused > tried / 2, "{refused} of {tried}");
    }
}
