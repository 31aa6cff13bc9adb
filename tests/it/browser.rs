//! The page as people meet it: in a browser, driven by the scripts in `tests/browser`. And its bundle, which must be what its sources give.
//!
//! Needs Node.js with npm, and Chromium; under CI they must be there, elsewhere the tests say that they were skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::process::Directory;

/// One after the other: a browser and a bundler at once are too much for a small machine that plays games meanwhile.
static TURN: Mutex<()> = Mutex::new(());

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether a program can be started; under CI it is an error if not.
fn is_there(name: &str) -> bool {
    let found = Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("CI").is_none(), "{name} is missing; .ci/run installs it");
    if !found {
        eprintln!("skipped: there is no {name}");
    }
    found
}

/// Runs a program to its end and shows what it said if it failed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}");
    text
}

/// A copy of a directory with a `package.json`, and what that needs, away from the sources.
fn installed(name: &str, directory: &Directory) -> PathBuf {
    let copy = directory.0.join("package");
    copy_tree(&root().join(name), &copy);
    run(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&copy));
    copy
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.file_name() == "node_modules" {
            continue;
        } else if entry.path().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_bundle_is_what_the_sources_give() {
    let _turn = TURN.lock();
    if !is_there("node") || !is_there("npm") {
        return;
    }
    let directory = Directory::new("page");
    let page = installed("crates/web/page", &directory);
    let built = directory.0.join("assets");
    run(Command::new("node").arg("build.mjs").arg(&built).current_dir(&page));
    let committed = root().join("crates/web/assets");
    for entry in fs::read_dir(&committed).unwrap().flatten() {
        let name = entry.file_name();
        let same = fs::read(built.join(&name)).unwrap() == fs::read(entry.path()).unwrap();
        assert!(
            same,
            "{name:?} is stale: run `npm ci && npm run build` in crates/web/page and commit the result"
        );
    }
    run(Command::new("npm").arg("test").current_dir(&page));
}

/// Runs a script of `tests/browser` with the program and a directory, unless something is missing.
fn drive(script: &str, name: &str) {
    let _turn = TURN.lock();
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    if !is_there("node") || !is_there("npm") || !is_there(&chromium) {
        return;
    }
    let directory = Directory::new(name);
    let scripts = installed("tests/browser", &directory);
    let program = env!("CARGO_BIN_EXE_tesuji");
    println!(
        "{}",
        run(Command::new("node").arg(script).arg(program).arg(&directory.0).current_dir(&scripts))
    );
}

#[test]
fn a_person_plays_analyses_reviews_and_solves() {
    drive("board.mjs", "browser");
}

#[test]
fn eight_tabs_and_a_program_share_the_engine() {
    drive("crowd.mjs", "crowd");
}
