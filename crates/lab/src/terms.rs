//! What makes findings comparable: those of two seeds, or of two settings, do not add up.

use serde_json::{Map, Value};

/// Terms by name.
pub type Terms = Map<String, Value>;

/// The names of the terms in which two differ.
pub fn differing(old: &Terms, new: &Terms) -> Vec<String> {
    let mut names: Vec<String> = old.keys().chain(new.keys()).cloned().collect();
    names.sort();
    names.dedup();
    names.retain(|name| old.get(name) != new.get(name));
    names
}

/// A short, stable name for a text (FNV-1a, 64 bits).
pub fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}
