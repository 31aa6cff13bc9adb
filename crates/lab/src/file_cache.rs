//! Files that jobs need, by checksum: fetched once, kept in a directory, and never believed to be what they are called.

use std::collections::HashMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::checksum::{Checksum, Summing};

/// Where files can be had.
pub trait Library: Send + Sync {
    /// Writes the contents of a file.
    fn fetch(&self, checksum: &Checksum, to: &mut dyn Write) -> Result<(), FetchError>;
}

/// Why a file is not to be had.
#[derive(Debug)]
pub enum FetchError {
    /// Nobody has it.
    Unknown(Checksum),
    /// What came is another file.
    Other(Checksum),
    /// It cannot be kept here.
    Io(PathBuf, io::Error),
    /// Whoever has it cannot be reached.
    Away(String),
}

/// A directory of files with their checksums as names.
pub struct FileCache {
    directory: PathBuf,
    origin: Box<dyn Library>,
    /// Files that were looked into since we started. The lock also keeps two threads from fetching the same one.
    known: Mutex<HashMap<Checksum, PathBuf>>,
}

impl FileCache {
    /// A cache in a directory, which may be new.
    pub fn new(directory: PathBuf, origin: Box<dyn Library>) -> FileCache {
        FileCache { directory, origin, known: Mutex::new(HashMap::new()) }
    }

    /// The path of a file, which is fetched if it is not there or not what its name says.
    pub fn path(&self, checksum: &Checksum) -> Result<PathBuf, FetchError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = known.get(checksum) {
            return Ok(path.clone());
        }
        let path = self.directory.join(checksum.as_str());
        if !Checksum::of_file(&path).is_ok_and(|found| found == *checksum) {
            self.fetch(checksum, &path)?;
        }
        known.insert(checksum.clone(), path.clone());
        Ok(path)
    }

    /// Under another name first: other processes share the directory, and this one may be killed.
    fn fetch(&self, checksum: &Checksum, path: &Path) -> Result<(), FetchError> {
        let draft = self.directory.join(format!("{checksum}.{}", std::process::id()));
        let failed = |error| FetchError::Io(draft.clone(), error);
        fs::create_dir_all(&self.directory).map_err(failed)?;
        let mut sum = Summing::new(File::create(&draft).map_err(failed)?);
        let fetched = self.origin.fetch(checksum, &mut sum).and_then(|()| {
            let (file, found) = sum.finish();
            if found != *checksum {
                return Err(FetchError::Other(checksum.clone()));
            }
            file.sync_all().and_then(|()| fs::rename(&draft, path)).map_err(failed)
        });
        if fetched.is_err() {
            let _ = fs::remove_file(&draft);
        }
        fetched
    }
}

impl fmt::Debug for FileCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FileCache").field(&self.directory).finish()
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchError::Unknown(checksum) => write!(f, "the store has no file with the checksum {checksum}"),
            FetchError::Other(checksum) => {
                write!(f, "what the store calls {checksum} has another checksum, and is not used")
            }
            FetchError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            FetchError::Away(reason) => write!(f, "a file cannot be fetched: {reason}"),
        }
    }
}

impl std::error::Error for FetchError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Shelf {
        contents: &'static [u8],
        asked: Arc<AtomicUsize>,
    }

    impl Library for Shelf {
        fn fetch(&self, _checksum: &Checksum, to: &mut dyn Write) -> Result<(), FetchError> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            to.write_all(self.contents).map_err(|error| FetchError::Io(PathBuf::new(), error))
        }
    }

    #[test]
    fn files_are_fetched_once_and_looked_into() {
        let directory = tempfile::tempdir().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let cache = |contents: &'static [u8]| {
            let shelf = Shelf { contents, asked: Arc::clone(&asked) };
            FileCache::new(directory.path().join("cache"), Box::new(shelf))
        };
        let weights = Checksum::of(&mut &b"weights"[..]).unwrap();
        let liar = cache(b"something else").path(&weights);
        assert!(matches!(liar, Err(FetchError::Other(_))), "{liar:?}");
        assert_eq!(fs::read_dir(directory.path().join("cache")).unwrap().count(), 0, "nothing is kept of it");
        let honest = cache(b"weights");
        let path = honest.path(&weights).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"weights");
        assert_eq!(honest.path(&weights).unwrap(), path);
        assert_eq!(cache(b"").path(&weights).unwrap(), path, "another process finds it");
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        // Damaged in the meantime.
        fs::write(&path, "weighty").unwrap();
        assert_eq!(cache(b"weights").path(&weights).unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), b"weights");
    }
}
