//! What makes results comparable, in a file beside them.
//!
//! A log can be continued only by a run on the same terms: results of two seeds, or of two programs, do not add up.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value};

use crate::line_log::{LineLogError, write_file};

/// Terms by name.
pub type Terms = Map<String, Value>;

/// Writes the terms if there is no such file yet; otherwise the names of those in which the file differs.
pub fn agree(path: &Path, terms: &Terms) -> Result<Vec<String>, LineLogError> {
    let failed = |error| LineLogError::Io(path.to_owned(), error);
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let text = serde_json::to_string_pretty(terms).unwrap_or_default();
            write_file(path, &(text + "\n")).map_err(failed)?;
            return Ok(Vec::new());
        }
        text => text.map_err(failed)?,
    };
    let old: Terms = serde_json::from_str(&text)
        .map_err(|error| LineLogError::Damaged(path.to_owned(), error.line(), error.to_string()))?;
    let mut names: Vec<String> = old.keys().chain(terms.keys()).cloned().collect();
    names.sort();
    names.dedup();
    names.retain(|name| old.get(name) != terms.get(name));
    Ok(names)
}
