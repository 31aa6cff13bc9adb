//! Where a run of self-play keeps everything.
//!
//! | file | what it is |
//! |---|---|
//! | `plan.json` | the plan |
//! | `cycles.jsonl` | a line for every cycle that is over; locked while the service runs |
//! | `table.csv`, `rating.svg` | the same for people, made anew from it |
//! | `games/00001.games`, `.json` | the games of a cycle, and what else is known of them |
//! | `nets/00001.safetensors` | the network that came out of a cycle and was promoted; 00000 is where the run began |
//! | `train/` | the training run: its checkpoint has all that it needs to go on |
//! | `jobs/` | games of the cycle under way |

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tesuji_train::sample::{GameSample, SampleFile};

use super::error::SelfPlayError;
use super::plan::Plan;
use super::record::{CycleRecord, table_csv, table_plot};
use crate::line_log::{LineLog, write_bytes};

/// The directory of a run, which nobody else uses meanwhile.
pub struct Directory {
    root: PathBuf,
    log: LineLog,
    records: Vec<CycleRecord>,
}

impl Directory {
    /// Opens or makes a directory for a plan.
    pub fn open(root: &Path, plan: &Plan) -> Result<Directory, SelfPlayError> {
        for part in ["games", "nets", "jobs"] {
            let path = root.join(part);
            fs::create_dir_all(&path).map_err(|error| SelfPlayError::Io(path, error))?;
        }
        let (log, records) = LineLog::open::<CycleRecord>(&root.join("cycles.jsonl"))?;
        let directory = Directory { root: root.to_owned(), log, records };
        let path = root.join("plan.json");
        match directory.read::<Plan>(&path)? {
            Some(found) if found == *plan => (),
            Some(_) => return Err(SelfPlayError::OtherPlan(root.to_owned())),
            None => directory.write(&path, plan)?,
        }
        if !directory.records.iter().zip(1..).all(|(record, number)| record.cycle == number) {
            return Err(SelfPlayError::Damaged(root.join("cycles.jsonl")));
        }
        directory.tidy()?;
        Ok(directory)
    }

    /// The cycles that are over.
    pub fn records(&self) -> &[CycleRecord] {
        &self.records
    }

    /// Ends a cycle.
    pub(super) fn add(&mut self, record: CycleRecord) -> Result<(), SelfPlayError> {
        self.log.add(&record)?;
        self.records.push(record);
        self.tidy()
    }

    /// The network that came out of a cycle.
    pub fn net(&self, cycle: u64) -> PathBuf {
        self.root.join(format!("nets/{cycle:05}.safetensors"))
    }

    /// The games of a cycle.
    pub fn games(&self, cycle: u64) -> PathBuf {
        self.root.join(format!("games/{cycle:05}.games"))
    }

    /// The training run.
    pub(super) fn training(&self) -> PathBuf {
        self.root.join("train")
    }

    /// The jobs of a cycle.
    pub(super) fn jobs(&self, cycle: u64, name: &str) -> PathBuf {
        self.root.join(format!("jobs/{cycle:05}-{name}"))
    }

    /// Keeps the games of a cycle with what else is known of them. They are all there, or none is.
    pub(super) fn keep_games(
        &self,
        cycle: u64,
        games: &[GameSample],
        summary: &impl Serialize,
    ) -> Result<(), SelfPlayError> {
        let path = self.games(cycle);
        self.write(&path.with_extension("json"), summary)?;
        let partial = path.with_extension("partial");
        let failed = |error| SelfPlayError::Io(path.clone(), error);
        match fs::remove_file(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => (),
        }
        let (mut file, _) = SampleFile::open(&partial, |_| ())?;
        for game in games {
            file.add(game)?;
        }
        file.flush()?;
        drop(file);
        fs::rename(&partial, &path).and_then(|()| sync(&path)).map_err(failed)
    }

    /// What else is known of the games of a cycle; nothing if they have not all been played.
    pub(super) fn summary<T: DeserializeOwned>(&self, cycle: u64) -> Result<Option<T>, SelfPlayError> {
        let path = self.games(cycle);
        if path.exists() { self.read(&path.with_extension("json")) } else { Ok(None) }
    }

    /// Replaces a file, or leaves it as it is.
    pub(super) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), SelfPlayError> {
        write_bytes(path, bytes)
            .and_then(|()| sync(path))
            .map_err(|error| SelfPlayError::Io(path.to_owned(), error))
    }

    fn write(&self, path: &Path, value: &impl Serialize) -> Result<(), SelfPlayError> {
        let text = serde_json::to_string_pretty(value);
        let text = text.map_err(|error| SelfPlayError::Io(path.to_owned(), error.into()))?;
        self.replace(path, text.as_bytes())
    }

    fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<Option<T>, SelfPlayError> {
        match fs::read(path) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map(Some).map_err(|_| SelfPlayError::Damaged(path.to_owned()))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(SelfPlayError::Io(path.to_owned(), error)),
        }
    }

    /// Writes the table, and removes what cycles that are over have left.
    fn tidy(&self) -> Result<(), SelfPlayError> {
        self.replace(&self.root.join("table.csv"), table_csv(&self.records).as_bytes())?;
        let plot = table_plot(&self.records).to_svg("tesuji selfplay");
        self.replace(&self.root.join("rating.svg"), plot.as_bytes())?;
        for record in &self.records {
            if !record.gate.is_promoted {
                gone(fs::remove_file(self.net(record.cycle)), &self.net(record.cycle))?;
            }
            for name in ["games", "gate"] {
                let path = self.jobs(record.cycle, name);
                gone(fs::remove_dir_all(&path), &path)?;
            }
        }
        Ok(())
    }
}

/// Somebody else may have removed it.
fn gone(removed: io::Result<()>, path: &Path) -> Result<(), SelfPlayError> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(SelfPlayError::Io(path.to_owned(), error))
        }
        _ => Ok(()),
    }
}

/// A new name is on the disk once its directory is.
fn sync(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |parent| File::open(parent)?.sync_all())
}
