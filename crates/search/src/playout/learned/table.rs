//! Learned gammas as a file: what `tesuji train playout` and `tesuji train balance` write and the program ships.
//!
//! The file: six magic bytes, the version as `u16`, the provenance as text after its length in a `u32`; the number of groups and, for each, the
//! number of its values as bytes, then their gammas; the number of neighbourhoods as `u32`, then a `u16` code and a gamma each; the
//! number of MD2 patterns as `u32`, then a code of three bytes and a gamma each; at last the FNV-1a hash of all before it in
//! eight bytes. All little-endian; a gamma is its natural logarithm as `i16` in steps of 1/1024.

use super::feature::{GROUPS, MOST_VALUES};
use std::fmt;
use tesuji_board::{Color, Md2, Neighborhood, canonical_neighborhood};

const MAGIC: &[u8; 6] = b"TSJPLY";
/// The version that this program writes, and the only one that it reads.
const VERSION: u16 = 1;
const STEP: f32 = 1.0 / 1024.0;
/// Bytes of the hash at the end.
const HASH: usize = 8;

/// Learned gammas.
#[derive(Clone, Debug, PartialEq)]
pub struct GammaTable {
    /// Where they come from, for people.
    pub provenance: String,
    /// By group and value; 1 where there is nothing to say.
    pub values: [[f32; MOST_VALUES]; GROUPS.len()],
    /// Canonical neighbourhoods with their gammas, by code; others have 1.
    pub near: Vec<(Neighborhood, f32)>,
    /// Canonical MD2 patterns with what the gamma of their neighbourhood is multiplied by, by code; others have 1.
    pub md2: Vec<(Md2, f32)>,
}

/// Why bytes are no gammas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GammaError {
    /// They do not begin as a file of gammas does.
    Foreign,
    /// They are of another version.
    Version {
        /// Theirs.
        found: u16,
    },
    /// The hash does not fit: bytes are missing or changed.
    Damaged,
    /// They were made for other features.
    OtherFeatures,
    /// The hash fits, but not the contents.
    Contents,
}

impl fmt::Display for GammaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GammaError::Foreign => write!(f, "not a file of gammas for playouts"),
            GammaError::Version { found } if *found > VERSION => {
                write!(
                    f,
                    "gammas of version {found}, this program knows version {VERSION}: use a newer program"
                )
            }
            GammaError::Version { found } => {
                write!(f, "gammas of version {found}, this program knows version {VERSION}: train again")
            }
            GammaError::Damaged => {
                write!(f, "the checksum does not fit: the file of gammas is cut off or damaged")
            }
            GammaError::OtherFeatures => {
                write!(f, "gammas for other features than this program's: train again")
            }
            GammaError::Contents => write!(f, "the contents of the file of gammas make no sense"),
        }
    }
}

impl std::error::Error for GammaError {}

impl GammaTable {
    /// Gammas that are all 1.
    pub fn flat(provenance: &str) -> GammaTable {
        let values = [[1.0; MOST_VALUES]; GROUPS.len()];
        GammaTable { provenance: provenance.to_owned(), values, near: Vec::new(), md2: Vec::new() }
    }

    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<GammaTable, GammaError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(GammaError::Foreign)?;
        let found = rest.first_chunk().map(|&version| u16::from_le_bytes(version));
        let found = found.ok_or(GammaError::Damaged)?;
        if found != VERSION {
            return Err(GammaError::Version { found });
        }
        let (contents, hash) = bytes.split_last_chunk::<HASH>().ok_or(GammaError::Damaged)?;
        if fnv(contents) != u64::from_le_bytes(*hash) {
            return Err(GammaError::Damaged);
        }
        let mut bytes = Bytes(&contents[MAGIC.len() + size_of::<u16>()..]);
        let length = bytes.count()?;
        let provenance = String::from_utf8(bytes.take(length)?.to_vec()).map_err(|_| GammaError::Contents)?;
        let mut table = GammaTable::flat(&provenance);
        if bytes.array::<1>()? != [GROUPS.len() as u8] {
            return Err(GammaError::OtherFeatures);
        }
        for (group, values) in GROUPS.iter().zip(&mut table.values) {
            if bytes.array::<1>()? != [group.values.len() as u8] {
                return Err(GammaError::OtherFeatures);
            }
            for value in &mut values[..group.values.len()] {
                *value = bytes.gamma()?;
            }
        }
        for _ in 0..bytes.count()? {
            let code = Neighborhood(u16::from_le_bytes(bytes.array()?));
            table.near.push((code, bytes.gamma()?));
        }
        for _ in 0..bytes.count()? {
            let [a, b, c] = bytes.array()?;
            let code = Md2(u32::from_le_bytes([a, b, c, 0]));
            table.md2.push((code, bytes.gamma()?));
        }
        if bytes.0.is_empty() && table.is_canonical() { Ok(table) } else { Err(GammaError::Contents) }
    }

    /// The bytes of a file; gammas are rounded.
    pub fn write(&self) -> Vec<u8> {
        let quantised = |gamma: f32| {
            let steps = (gamma.ln() / STEP).round().clamp(-f32::from(i16::MAX), f32::from(i16::MAX));
            (steps as i16).to_le_bytes()
        };
        let count = |length: usize| (length as u32).to_le_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(count(self.provenance.len()));
        bytes.extend(self.provenance.as_bytes());
        bytes.push(GROUPS.len() as u8);
        for (group, values) in GROUPS.iter().zip(&self.values) {
            bytes.push(group.values.len() as u8);
            bytes.extend(values[..group.values.len()].iter().flat_map(|&gamma| quantised(gamma)));
        }
        bytes.extend(count(self.near.len()));
        for &(code, gamma) in &self.near {
            bytes.extend(code.0.to_le_bytes());
            bytes.extend(quantised(gamma));
        }
        bytes.extend(count(self.md2.len()));
        for &(code, gamma) in &self.md2 {
            bytes.extend(&code.0.to_le_bytes()[..3]);
            bytes.extend(quantised(gamma));
        }
        bytes.extend(fnv(&bytes).to_le_bytes());
        bytes
    }

    /// Whether all codes are canonical, in order and there once.
    fn is_canonical(&self) -> bool {
        let near = |&(code, _): &(Neighborhood, f32)| canonical_neighborhood(code, Color::Black) == code;
        let md2 = |&(code, _): &(Md2, f32)| code.canonical(Color::Black) == code;
        self.near.iter().all(near)
            && self.md2.iter().all(md2)
            && self.near.is_sorted_by(|a, b| a.0.0 < b.0.0)
            && self.md2.is_sorted_by(|a, b| a.0 < b.0)
    }
}

/// What is left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], GammaError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(GammaError::Contents)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], GammaError> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(GammaError::Contents)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn count(&mut self) -> Result<usize, GammaError> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    fn gamma(&mut self) -> Result<f32, GammaError> {
        Ok((f32::from(i16::from_le_bytes(self.array()?)) * STEP).exp())
    }
}

/// FNV-1a (Fowler, Noll, Vo): against accidents, not against anybody.
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> GammaTable {
        let mut table = GammaTable::flat("a test");
        table.values[2][1] = 1.5_f32;
        table.near = vec![(Neighborhood(0), 0.5), (Neighborhood(1), 2.0)];
        table.md2 = vec![(Md2(0), 0.25), (Md2(0x1_0000), 3.0)];
        table
    }

    #[test]
    fn files_read_back() {
        assert_eq!(fnv(b"foobar"), 0x85944171f73967e8, "the authors' test vector");
        let read = GammaTable::read(&example().write()).unwrap();
        assert_eq!(read.provenance, "a test");
        assert_eq!(GammaTable::read(&read.write()).unwrap(), read);
        assert!((read.values[2][1] - 1.5).abs() < 0.001 && (read.md2[1].1 - 3.0).abs() < 0.002);
        assert_eq!(read.near.len(), 2);
    }

    #[test]
    fn every_damage_is_found() {
        let bytes = example().write();
        let error = |bytes: &[u8]| GammaTable::read(bytes).unwrap_err();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            error(&changed);
            error(&bytes[..at]);
        }
        assert_eq!(error(b"TSJPRI01 and so on"), GammaError::Foreign);
        let rehashed = |contents: &[u8]| [contents, &fnv(contents).to_le_bytes()].concat();
        let contents = &bytes[..bytes.len() - HASH];
        let mut newer = contents.to_vec();
        newer[6] = 2;
        assert_eq!(error(&rehashed(&newer)), GammaError::Version { found: 2 });
        assert!(error(&rehashed(&newer)).to_string().contains("newer program"));
        let mut other = contents.to_vec();
        other[8 + 4 + 6] += 1;
        assert_eq!(error(&rehashed(&other)), GammaError::OtherFeatures);
        assert_eq!(error(&rehashed(&[contents, &[0]].concat())), GammaError::Contents);
        let mut twisted = example();
        twisted.md2[1].0 = Md2(0x4_0000);
        assert_eq!(error(&twisted.write()), GammaError::Contents, "not canonical");
    }
}
