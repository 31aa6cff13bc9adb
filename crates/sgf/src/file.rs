//! Files that are written as a whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file that is either there as a whole or not at all: a failure leaves what was there before, and nothing else. What is no
/// ordinary file, such as a pipe, is written to directly.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    // The file that a link points to is what the user means.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return fs::write(&path, text);
    }
    let partial = partial_name(&path);
    let written = write_and_sync(&partial, text).and_then(|()| fs::rename(&partial, &path));
    if written.is_err() {
        // It may not have been made at all; the first error is the one that matters.
        let _ = fs::remove_file(&partial);
    }
    written
}

fn partial_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".partial");
    name.into()
}

fn write_and_sync(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_a_failure_leaves_nothing() {
        let directory = std::env::temp_dir().join(format!("tesuji-sgf-file-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("a.txt");
        write_file(&path, "one").unwrap();
        write_file(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert!(write_file(&directory, "a directory is no file").is_err());
        assert!(write_file(&directory.join("none/a.txt"), "no such directory").is_err());
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_device_is_an_error_and_stays_a_device() {
        let full = Path::new("/dev/full");
        assert_eq!(write_file(full, "text").unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert!(!fs::metadata(full).unwrap().is_file());
    }
}
