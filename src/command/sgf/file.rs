//! Which files a command is to read, and what is in them.

use anyhow::Context;
use std::path::{Path, PathBuf};

use crate::argument;

/// What a file name promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// SGF, or what a server writes instead.
    Sgf,
    /// One game a line, perhaps compressed.
    Lines,
}

impl Format {
    /// By the extension: `.sgf`, `.gib`, `.ngf`, or `.txt` and `.txt.zst`.
    pub(super) fn of(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        if [".sgf", ".gib", ".ngf"].iter().any(|extension| name.ends_with(extension)) {
            Some(Format::Sgf)
        } else if name.ends_with(".txt") || name.ends_with(".txt.zst") {
            Some(Format::Lines)
        } else {
            None
        }
    }
}

/// The files among `paths`, in order; of directories, all files below them that `is_wanted`, by name.
///
/// Plain text files in directories are left out: they are read-mes as often as games.
pub(super) fn files(paths: &[PathBuf], is_wanted: fn(Format) -> bool) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            add_directory(path, is_wanted, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// The bytes of an SGF file; those of other formats are translated.
pub(super) fn read_sgf(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = argument::read(path)?;
    let is_sgf = path.extension().is_none_or(|extension| extension.eq_ignore_ascii_case("sgf"));
    if is_sgf {
        return Ok(bytes);
    }
    let read = tesuji_sgf::read(&bytes).with_context(|| path.display().to_string())?;
    Ok(tesuji_sgf::write(&read.collection).into_bytes())
}

fn add_directory(path: &Path, is_wanted: fn(Format) -> bool, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let cannot_read = || format!("cannot read {}", path.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).with_context(cannot_read)? {
        entries.push(entry.with_context(cannot_read)?);
    }
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a directory is not followed, as it may lead in a circle.
        if entry.file_type().with_context(cannot_read)?.is_dir() {
            add_directory(&path, is_wanted, files)?;
        } else if Format::of(&path).is_some_and(is_wanted) && !is_plain_text(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_plain_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_extension() {
        let format = |name: &str| Format::of(Path::new(name));
        assert_eq!(format("a/b.SGF"), Some(Format::Sgf));
        assert_eq!(format("b.gib"), Some(Format::Sgf));
        assert_eq!(format("b.txt"), Some(Format::Lines));
        assert_eq!(format("b.txt.zst"), Some(Format::Lines));
        assert_eq!(format("b.jsonl.zst"), None);
        assert_eq!(format("sgf"), None);
    }
}
