//! The machine that games are played on: where this program is, and what else may be started or read there.
//!
//! At home everything is allowed: whoever sits there typed it. A worker takes its jobs from elsewhere. It starts this very program, with options
//! that read and write no file, and no other command that its own user has not allowed; networks come by checksum.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_engine::preset::Preset;
use tesuji_gtp::words::split_words;

use crate::checksum::Checksum;
use crate::file_cache::{FetchError, FileCache};
use crate::job::JobError;

/// A machine.
#[derive(Clone, Debug)]
pub struct Host {
    /// This program.
    pub program: PathBuf,
    /// What else may be done.
    pub trust: Trust,
}

/// Whether those who ask are trusted.
#[derive(Clone, Debug)]
pub enum Trust {
    /// The user of this machine asks.
    Everything,
    /// Somebody else does.
    Only {
        /// Command lines that may be started all the same.
        commands: Vec<String>,
        /// Where networks come from; nothing if there are none.
        files: Option<Arc<FileCache>>,
    },
}

/// Options of `tesuji gtp` that may come from elsewhere: none of them reads or writes a file. Each has a value.
const HARMLESS: [&str; 7] =
    ["--playouts", "--seed", "--set", "--threads", "--memory", "--time-per-move", "--isa"];
/// The option that names a network.
const NET: &str = "--net";

impl Host {
    /// A machine whose user says what is started.
    pub fn trusted(program: PathBuf) -> Host {
        Host { program, trust: Trust::Everything }
    }

    /// Whether a command line may be started, or why not.
    pub fn check(&self, command: &str) -> Result<(), JobError> {
        match &self.trust {
            Trust::Only { commands, .. } if !commands.iter().any(|line| line == command) => {
                Err(JobError::Refused(format!("this worker does not allow the command '{command}'")))
            }
            _ => Ok(()),
        }
    }

    /// The file of a network that is known by its checksum.
    pub fn net(&self, net: &Checksum) -> Result<PathBuf, JobError> {
        match &self.trust {
            Trust::Only { files, .. } => fetch(files.as_deref(), Some(net)),
            Trust::Everything => {
                Err(JobError::Refused("networks are not fetched where files are at hand".to_owned()))
            }
        }
    }

    /// The words after `--preset` as they are to be written here, the file of a network included.
    pub fn preset(&self, text: &str, net: Option<&Checksum>) -> Result<String, JobError> {
        let refused = |reason: String| JobError::Refused(reason);
        let words = split_words(text).map_err(|error| refused(format!("'{text}': {error}")))?;
        let (name, mut words) = match words.split_first() {
            Some((name, words)) => (name.as_str(), words.iter().map(String::as_str)),
            None => return Err(refused("a preset without a name".to_owned())),
        };
        Preset::named(name).map_err(|error| refused(error.to_string()))?;
        let Trust::Only { files, .. } = &self.trust else { return Ok(text.to_owned()) };
        let mut line = vec![name.to_owned()];
        while let Some(word) = words.next() {
            let (option, own_value) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b)));
            let value = own_value.or_else(|| words.next());
            let value = value.ok_or_else(|| refused(format!("the option '{option}' has no value")))?;
            let value = match option {
                NET => text_of(&fetch(files.as_deref(), net)?)?,
                _ if HARMLESS.contains(&option) => value.to_owned(),
                _ => return Err(refused(format!("this worker does not allow the option '{option}'"))),
            };
            line.push(format!("{option}={value}"));
        }
        let line: Vec<String> = line.iter().map(|word| quoted(word)).collect();
        Ok(line.join(" "))
    }
}

impl Default for Host {
    /// A machine on which nothing may be started but this program, wherever it is.
    fn default() -> Host {
        Host { program: PathBuf::new(), trust: Trust::Only { commands: Vec::new(), files: None } }
    }
}

/// The file that a preset names as its network, as it is written there.
pub fn net_of_preset(text: &str) -> Option<PathBuf> {
    let mut words = split_words(text).ok()?.into_iter();
    while let Some(word) = words.next() {
        if word == NET {
            return words.next().map(PathBuf::from);
        }
        if let Some(path) = word.strip_prefix(NET).and_then(|rest| rest.strip_prefix('=')) {
            return Some(PathBuf::from(path));
        }
    }
    None
}

/// The text as one word of a command line.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,:/+%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn fetch(files: Option<&FileCache>, net: Option<&Checksum>) -> Result<PathBuf, JobError> {
    let (Some(files), Some(net)) = (files, net) else {
        return Err(JobError::Refused(
            "a network without a checksum, or a worker that fetches none".to_owned(),
        ));
    };
    files.path(net).map_err(|error| match error {
        FetchError::Unknown(_) | FetchError::Other(_) => JobError::Refused(error.to_string()),
        FetchError::Io(..) | FetchError::Away(_) => JobError::Failed(error.to_string()),
    })
}

fn text_of(path: &Path) -> Result<String, JobError> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| JobError::Failed(format!("the path {} is no text", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_from_elsewhere_are_read_as_the_program_reads_them() {
        let host = Host::default();
        let check = |text: &str, expected: &str| assert_eq!(host.preset(text, None).unwrap(), expected);
        check("uct", "uct");
        check("uct --playouts 9 --set resign=false", "uct --playouts=9 --set=resign=false");
        check("uct --set 'resign = false'", "uct '--set=resign = false'");
        check("uct --set \"x='; rm -rf /\"", r"uct '--set=x='\''; rm -rf /'");
        for (text, reason) in [
            ("", "without a name"),
            ("nobody", "nobody"),
            ("uct --config /etc/passwd", "'--config'"),
            ("uct '--config' /etc/passwd", "'--config'"),
            ("uct --con\\fig=/etc/passwd", "'--config'"),
            ("uct --playouts 9 \"--config=x\"", "'--config'"),
            ("uct /etc/passwd", "has no value"),
            ("uct x y", "'x'"),
            ("uct --playouts", "has no value"),
            ("uct 'open", "is not closed"),
            ("net --net /etc/passwd", "without a checksum"),
        ] {
            let error = host.preset(text, None).unwrap_err();
            assert!(matches!(&error, JobError::Refused(why) if why.contains(reason)), "{text}: {error}");
        }
    }

    #[test]
    fn the_network_of_a_preset_is_found() {
        for (text, expected) in [
            ("net --net a/b.bin.gz --playouts 9", Some("a/b.bin.gz")),
            ("net --playouts 9 --net='a b'", Some("a b")),
            ("net --net", None),
            ("uct --networks x", None),
        ] {
            assert_eq!(net_of_preset(text), expected.map(PathBuf::from), "{text}");
        }
    }
}
