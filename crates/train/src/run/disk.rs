//! Files that are either the old ones or the new ones.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Replaces a file as a whole; it is on the disk afterwards. After an error the old file is still there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let partial = path.with_extension("partial");
    let written = File::create(&partial).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if let Err(error) = written {
        // On a full disk what was written only takes space from others.
        _ = fs::remove_file(&partial);
        return Err(error);
    }
    fs::rename(&partial, path)?;
    // The name itself is on the disk once the directory is.
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => File::open(parent)?.sync_all(),
        _ => Ok(()),
    }
}
