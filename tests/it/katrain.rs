//! KaTrain's own core, from PyPI and unchanged, as a client of the JSON analysis engine.
//!
//! The test makes a virtual environment in the target directory once and keeps it. KaTrain's core wants Kivy, pysgf and chardet and nothing else; its
//! other dependencies are for sound and windows.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::process::Directory;
use crate::web_server::WebServer;

/// Of the versions that the script was written for.
const PACKAGES: [&str; 6] = [
    "katrain==1.20.0",
    "kivy==2.3.1",
    "pysgf==1.0.0",
    "chardet==5.2.0",
    "websocket-client==1.9.0",
    "certifi",
];

fn succeeds(command: &mut Command) -> Result<Output, String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(output),
        Ok(output) => Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The Python of an environment with KaTrain's core in it, or why there is none.
fn python() -> Result<PathBuf, String> {
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("katrain-1.20.0");
    let python = environment.join("bin/python");
    // Written last, so that a test that was killed does not leave half of it behind.
    let done = environment.join("done");
    if !done.exists() {
        succeeds(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
        let pip = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary",
            ":all:",
        ];
        succeeds(Command::new(&python).args(pip).args(PACKAGES))?;
        std::fs::write(done, "").map_err(|error| error.to_string())?;
    }
    Ok(python)
}

/// Drives KaTrain against an engine, named by a command line or an address.
fn drive(engine: &[&str]) {
    // Made once, by whichever test comes first.
    static PYTHON: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let python = match PYTHON.get_or_init(python) {
        Ok(python) => python,
        Err(error) if std::env::var_os("CI").is_none() => {
            eprintln!("skipped: no KaTrain to be had: {error}");
            return;
        }
        Err(error) => panic!("no KaTrain to be had: {error}"),
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/katrain/drive.py");
    match succeeds(Command::new(python).arg(script).args(engine)) {
        Ok(output) => assert!(String::from_utf8_lossy(&output.stdout).contains("all is well")),
        Err(said) => panic!("{said}"),
    }
}

#[test]
fn katrain_plays_and_analyses_with_every_strategy() {
    // As KaTrain starts it, but for the network and the configuration, which it would bring along.
    drive(&[env!("CARGO_BIN_EXE_tesuji"), "analysis", "-override-config", "homeDataDir=nowhere"]);
}

/// KaTrain's `remote` engine: the same over a WebSocket.
#[test]
fn katrain_does_the_same_over_a_websocket() {
    let directory = Directory::new("katrain-remote");
    let server = WebServer::start(&directory.0, &[]);
    drive(&[&format!("ws://{}/ws/analysis", server.address)]);
}
