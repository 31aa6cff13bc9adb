//! Values that several commands take as arguments.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tesuji_board::{Color, Rules, Size, parse_komi};
use tesuji_engine::suggestion;
use tesuji_solve::Solver;

/// Reads a board size: `9` or, for rectangles, `3x4` (width, height).
pub(crate) fn size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
    let side = |side: &str| {
        side.trim().parse().map_err(|_| format!("'{text}' is no board size: expected one such as 9 or 3x4"))
    };
    Size::new(side(width)?, side(height)?).map_err(|error| error.to_string())
}

/// Reads the name of a set of rules.
pub(crate) fn rules(text: &str) -> Result<Rules, String> {
    Rules::named(text).map_err(|error| format!("{error}{}", suggestion(text, Rules::names())))
}

/// Reads a komi in points.
pub(crate) fn komi(text: &str) -> Result<f32, String> {
    parse_komi(text).map_err(|error| error.to_string())
}

/// Reads `black` or `white`, or the first letter of either.
pub(crate) fn color(text: &str) -> Result<Color, String> {
    Color::parse(text).ok_or_else(|| "expected black or white".to_owned())
}

/// Reads a weight or a length.
pub(crate) fn amount(text: &str) -> Result<f32, String> {
    let amount = text.parse().ok().filter(|&amount: &f32| amount.is_finite() && amount >= 0.0);
    amount.ok_or_else(|| format!("'{text}' is not a number that is 0 or more"))
}

/// Reads a part of a whole.
pub(crate) fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("'{text}' is not a number from 0 to 1"))
}

/// Whether a name stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file, or of standard input if the name is `-`.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if !is_standard_input(path) {
        return std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(bytes)
}

/// What tables call a file: its name up to the first dot.
pub(crate) fn source_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Files as messages name them.
pub(crate) fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<String>>().join(", ")
}

/// A solver with all of `--memory`, in mebibytes, whose threads work together.
pub(crate) fn team(memory: usize, threads: usize) -> anyhow::Result<Solver> {
    ensure!(memory > 0, "--memory must be at least 1");
    let bytes = memory.saturating_mul(1 << 20);
    Solver::for_threads(bytes, threads).with_context(|| format!("--memory {memory} is more than there is"))
}

/// A solver with its share of `--memory`, in mebibytes.
pub(crate) fn solver(memory: usize, shares: usize) -> anyhow::Result<Solver> {
    ensure!(memory > 0, "--memory must be at least 1");
    let bytes = memory.saturating_mul(1 << 20) / shares.max(1);
    Solver::try_new(bytes).with_context(|| format!("--memory {memory} is more than there is"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_shares_are_numbers_in_range() {
        assert_eq!((amount("0"), amount("2.5"), share("1")), (Ok(0.0), Ok(2.5), Ok(1.0)));
        for text in ["-1", "nan", "inf", "", "much"] {
            assert!(amount(text).is_err() && share(text).is_err(), "{text}");
        }
        assert!(share("1.1").is_err());
    }

    #[test]
    fn sources_are_named_after_their_files() {
        assert_eq!(source_name(Path::new("a/b.jsonl.zst")), "b");
        assert_eq!(source_name(Path::new("b")), "b");
    }

    #[test]
    fn sizes() {
        assert_eq!(size("9"), Ok(Size::square(9).unwrap()));
        assert_eq!(size("3x4"), Ok(Size::new(3, 4).unwrap()));
        assert_eq!(size("3 × 4"), Ok(Size::new(3, 4).unwrap()));
        for wrong in ["", "x", "9x", "1", "26", "9x9x9", "-9", "nine"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
