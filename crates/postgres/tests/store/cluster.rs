//! A PostgreSQL server of its own for a test, in a temporary directory, spoken to through a socket there.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A running server; it ends with the test.
pub(crate) struct Cluster {
    directory: tempfile::TempDir,
    binaries: PathBuf,
}

impl Cluster {
    /// Starts a server; where PostgreSQL is not installed the test says so and does nothing, but fails in continuous integration.
    pub(crate) fn start() -> Option<Cluster> {
        let Some(binaries) = binaries() else {
            assert!(std::env::var_os("CI").is_none(), "PostgreSQL is missing");
            // Past the harness, which hides what a passing test prints.
            let _ = writeln!(
                std::io::stderr(),
                "test with PostgreSQL skipped, nothing was done: it is not installed"
            );
            return None;
        };
        let directory = tempfile::tempdir().unwrap();
        let cluster = Cluster { directory, binaries };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(cluster.path()));
        }
        run(cluster
            .command("initdb")
            .args([
                "--auth-local=trust",
                "--auth-host=scram-sha-256",
                "--username=tesuji",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "-D",
            ])
            .arg(cluster.data()));
        cluster.begin();
        Some(cluster)
    }

    /// Starts the server again.
    pub(crate) fn begin(&self) {
        self.begin_with("-c listen_addresses=''");
    }

    /// Starts the server with more options.
    pub(crate) fn begin_with(&self, more: &str) {
        let socket = self.path().display();
        let options = format!("-c unix_socket_directories='{socket}' -c max_connections=300 {more}");
        run(self
            .command("pg_ctl")
            .args(["-w", "-o", &options, "-l"])
            .arg(self.path().join("log"))
            .arg("-D")
            .arg(self.data())
            .arg("start"));
    }

    /// Ends the server as if it had crashed.
    pub(crate) fn crash(&self) {
        run(self.command("pg_ctl").args(["-w", "-m", "immediate", "-D"]).arg(self.data()).arg("stop"));
    }

    /// The address of a database of this name, which is made if it is not there.
    pub(crate) fn database(&self, name: &str) -> String {
        let made = self
            .command("createdb")
            .arg("-h")
            .arg(self.path())
            .args(["-U", "tesuji", name])
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&made.stderr).into_owned();
        assert!(made.status.success() || error.contains("already exists"), "{error}");
        self.address(name, "tesuji")
    }

    /// The address of a database for a role.
    pub(crate) fn address(&self, name: &str, role: &str) -> String {
        let socket = self.path().display().to_string().replace('/', "%2F");
        format!("postgres://{role}@{socket}/{name}")
    }

    /// Its directory.
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Where PostgreSQL's programs are.
    #[allow(dead_code, reason = "not every test binary starts other scripts")]
    pub(crate) fn binaries(&self) -> &Path {
        &self.binaries
    }

    fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// A program of PostgreSQL, which does not run for root.
    fn command(&self, name: &str) -> Command {
        self.as_server(&self.binaries.join(name))
    }

    /// A program that runs as the user of the server.
    pub(crate) fn as_server(&self, program: &Path) -> Command {
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.path()).env_remove("PGPASSWORD");
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.command("pg_ctl").args(["-m", "immediate", "-D"]).arg(self.data()).arg("stop").output();
    }
}

/// Runs a program that must succeed.
pub(crate) fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// Where the programs of the newest PostgreSQL are; Debian keeps them out of the path.
fn binaries() -> Option<PathBuf> {
    let in_path = std::env::var_os("PATH").map(|folders| std::env::split_paths(&folders).collect::<Vec<_>>());
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok();
    let mut versions: Vec<PathBuf> =
        versions.into_iter().flatten().flatten().map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    let all = versions.into_iter().rev().chain(in_path.unwrap_or_default());
    all.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
}
