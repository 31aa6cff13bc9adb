//! Learned weights, in memory and as a file.
//!
//! The file: magic bytes, the number of features and the number of shapes as little-endian `u32`, one `i16` per feature, then
//! a `u32` hash and an `i16` per shape. Weights are in steps of 1/1024.

use super::feature::{FEATURES, Features};
use super::view::Shapes;
use crate::shape_table::ShapeTable;
use std::fmt;

const MAGIC: &[u8; 8] = b"TSJPRI01";
const STEP: f32 = 1.0 / 1024.0;

/// The weights of shapes and features.
#[derive(Clone)]
pub struct Weights {
    features: Box<[f32; FEATURES]>,
    shapes: ShapeTable<f32>,
}

/// Why bytes are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// They do not begin as a file of weights does.
    NotWeights,
    /// They were made for other features.
    OtherFeatures {
        /// How many features the file has.
        found: usize,
    },
    /// There are fewer or more bytes than the header says.
    Length {
        /// Bytes that the header asks for.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotWeights => write!(f, "not a file of weights for moves"),
            WeightsError::OtherFeatures { found } => {
                write!(f, "made for {found} features, this program has {FEATURES}: train again")
            }
            WeightsError::Length { expected, found } => {
                write!(f, "{expected} bytes expected, {found} found: the file is damaged")
            }
        }
    }
}

impl std::error::Error for WeightsError {}

impl Weights {
    /// Weights from the values of all features and of some shapes.
    pub fn new(features: [f32; FEATURES], shapes: impl ExactSizeIterator<Item = (u32, f32)>) -> Weights {
        Weights { features: Box::new(features), shapes: ShapeTable::new(shapes) }
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::NotWeights)?;
        let (counts, rest) = rest.split_at_checked(8).ok_or(WeightsError::NotWeights)?;
        let count = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| counts[at + i])) as usize;
        let (features, shapes) = (count(0), count(4));
        if features != FEATURES {
            return Err(WeightsError::OtherFeatures { found: features });
        }
        let expected = 2 * features + 6 * shapes;
        if rest.len() != expected {
            let header = MAGIC.len() + 8;
            return Err(WeightsError::Length { expected: expected + header, found: bytes.len() });
        }
        let weight = |bytes: &[u8]| f32::from(i16::from_le_bytes([bytes[0], bytes[1]])) * STEP;
        let (features, shapes) = rest.split_at(2 * features);
        let record = |bytes: &[u8]| {
            (u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]), weight(&bytes[4..]))
        };
        let features = std::array::from_fn(|i| weight(&features[2 * i..]));
        Ok(Weights::new(features, shapes.chunks_exact(6).map(record)))
    }

    /// The bytes of a file with these values; shapes in the order of their hashes.
    pub fn write(features: &[f32; FEATURES], shapes: &[(u32, f32)]) -> Vec<u8> {
        let quantised = |weight: f32| ((weight / STEP).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes();
        let mut sorted = shapes.to_vec();
        sorted.sort_by_key(|&(hash, _)| hash);
        let mut bytes = MAGIC.to_vec();
        bytes.extend((FEATURES as u32).to_le_bytes());
        bytes.extend((sorted.len() as u32).to_le_bytes());
        bytes.extend(features.iter().flat_map(|&weight| quantised(weight)));
        for (hash, weight) in sorted {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(quantised(weight));
        }
        bytes
    }

    /// Sum of the weights of the shapes that are known.
    #[inline]
    pub fn of_shapes(&self, shapes: &Shapes) -> f32 {
        shapes.iter().filter_map(|&hash| self.shapes.get(hash)).sum()
    }

    /// The weight of a shape, 0 if it is not known.
    pub fn of_shape(&self, shape: u32) -> f32 {
        self.shapes.get(shape).unwrap_or_default()
    }

    /// Sum of the weights of features.
    #[inline]
    pub fn of_features(&self, features: &Features) -> f32 {
        features.iter().map(|&feature| self.features[usize::from(feature)]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_read_back_and_damage_is_found() {
        let features = std::array::from_fn(|i| i as f32 / 512.0 - 0.25);
        let bytes = Weights::write(&features, &[(9, -1.5), (3, 0.75)]);
        let weights = Weights::read(&bytes).ok().unwrap();
        assert_eq!(*weights.features, features);
        assert_eq!(weights.of_shapes(&[3, 9, 4, 5]), -0.75);
        let error = |bytes: &[u8]| Weights::read(bytes).err();
        assert_eq!(error(b"TSJ"), Some(WeightsError::NotWeights));
        assert_eq!(error(MAGIC), Some(WeightsError::NotWeights));
        let (expected, found) = (bytes.len(), bytes.len() - 1);
        assert_eq!(error(&bytes[..found]), Some(WeightsError::Length { expected, found }));
        let mut other = bytes.clone();
        other[8] ^= 1;
        assert!(matches!(error(&other), Some(WeightsError::OtherFeatures { .. })));
    }
}
