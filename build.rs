//! Gives the program an identity: its version, and a fingerprint of everything that it is made of.
//!
//! Findings of two builds may differ, so logs and job stores keep them apart. The fingerprint covers the sources, the weights and the problems
//! that are compiled in, the versions of all dependencies, the target and the compiler: the same tree, built with the same compiler for the
//! same target, has the same identity on every machine, and no other has. The profile is left out: it changes how fast, not what.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// What the program is made of, from the root of the project.
const PARTS: [&str; 7] =
    ["src", "crates", "tests/tsumego", "tests/next_move", "Cargo.toml", "Cargo.lock", "build.rs"];

/// Directories of crates that are not part of the program.
const ASIDE: [&str; 4] = ["tests", "examples", "benches", "target"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    for part in PARTS {
        println!("cargo::rerun-if-changed={part}");
        collect(&root.join(part), &mut files)?;
    }
    files.sort();
    let mut hash = Fingerprint::default();
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        hash.add(name.as_bytes());
        hash.add(&fs::read(file)?);
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    hash.add(&Command::new(rustc).arg("--version").output()?.stdout);
    for name in ["TARGET", "CARGO_ENCODED_RUSTFLAGS"] {
        println!("cargo::rerun-if-env-changed={name}");
        hash.add(env::var(name).unwrap_or_default().as_bytes());
    }
    println!(
        "cargo::rustc-env=TESUJI_BUILD={}-{:016x}",
        env::var("CARGO_PKG_VERSION").unwrap_or_default(),
        hash.0
    );
    Ok(())
}

/// All files below a path that are part of the program.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_aside = entry.file_type()?.is_dir() && ASIDE.iter().any(|aside| name == *aside);
        if !is_aside && !name.to_string_lossy().starts_with('.') {
            collect(&entry.path(), files)?;
        }
    }
    Ok(())
}

/// FNV-1a, 64 bits, over parts that cannot run into each other.
struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn add(&mut self, part: &[u8]) {
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}
