//! The loop of a run.

use super::checkpoint::{Checkpoint, CheckpointError};
use super::curve::{Curve, Row};
use super::disk;
use super::recipe::Recipe;
use crate::feed::{Expander, Order};
use crate::learner::{Diverged, Learner, State, Weights};
use crate::loss::Tally;
use crate::network::{CompileError, Network};
use crate::sample::{Place, SampleSet, Side};
use crate::target::Batch;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tesuji_board::Size;
use tesuji_net::model::Model;
use tesuji_net::own;

/// How a run uses the machine; none of it changes what is learned.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Threads that compute.
    pub threads: usize,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
}

/// Something to tell whoever watches.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A row was added to the curve.
    Report {
        /// The row.
        row: &'a Row,
        /// Steps in all.
        steps: u64,
        /// Positions per second since the row before.
        speed: f64,
    },
    /// Everything was written down.
    Saved {
        /// The curve so far.
        curve: &'a Curve,
    },
}

/// Why a run cannot begin or go on. What was written down before stays as it was.
#[derive(Debug)]
pub enum RunError {
    /// The network cannot be trained.
    Compile(CompileError),
    /// Boards of this size are in the data, and the network does not know them.
    Board(Size),
    /// There is nothing to learn from.
    NoData,
    /// The weights to begin with are those of another kind of network, or of a larger one.
    OtherNetwork,
    /// The checkpoint cannot be used.
    Checkpoint(CheckpointError),
    /// The directory has a run with another recipe.
    OtherRecipe(PathBuf),
    /// The directory has a run on other data.
    OtherData(PathBuf),
    /// A file cannot be written.
    Io(PathBuf, io::Error),
    /// Numbers have left their range.
    Diverged(Diverged),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Compile(error) => error.fmt(f),
            RunError::Board(size) => {
                write!(f, "the data has boards of {size}, which the network does not know")
            }
            RunError::NoData => f.write_str("there is no position to learn from"),
            RunError::OtherNetwork => f.write_str(
                "the weights to begin with are those of another kind of network, or of a larger one",
            ),
            RunError::Checkpoint(error) => error.fmt(f),
            RunError::OtherRecipe(path) => write!(
                f,
                "{} holds a run with other settings: use those, or another directory",
                path.display()
            ),
            RunError::OtherData(path) => write!(
                f,
                "{} holds a run on other data: use that, or say that new data is meant",
                path.display()
            ),
            RunError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            RunError::Diverged(error) => {
                write!(f, "{error}; the last checkpoint is as it was: go on from it with shorter steps")
            }
        }
    }
}

impl std::error::Error for RunError {}

/// What to do with a directory whose run learned from other data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewData {
    /// Refuse.
    Refuse,
    /// Go on with the data there is now, from its beginning, and with the settings there are now. Where these are other lengths of steps, their
    /// schedule begins with the next step.
    Accept,
}

/// A run.
pub struct Trainer<'a> {
    directory: PathBuf,
    recipe: Recipe,
    pace: Pace,
    set: &'a SampleSet,
    fingerprint: u64,
    data_since: u64,
    learner: Learner,
    /// Batches of the games kept back.
    examined: Vec<Batch>,
    curve: Curve,
    pending: Tally,
    pending_gradient: f64,
    /// Seconds that earlier parts of the run took.
    seconds_before: f64,
}

impl<'a> Trainer<'a> {
    /// Opens or makes a directory for a run. Weights to begin with are those of `initial`, or random ones; a run that is there goes on.
    pub fn open(
        directory: &Path,
        recipe: Recipe,
        set: &'a SampleSet,
        initial: Option<&Model>,
        new_data: NewData,
        pace: Pace,
    ) -> Result<Trainer<'a>, RunError> {
        if set.positions(Side::Training) == 0 {
            return Err(RunError::NoData);
        }
        if let Some(size) = set.sizes().find(|&size| !recipe.model.supports(size)) {
            return Err(RunError::Board(size));
        }
        let network = Network::new(&recipe.model, recipe.normalization).map_err(RunError::Compile)?;
        fs::create_dir_all(directory).map_err(|error| RunError::Io(directory.to_owned(), error))?;
        let fingerprint = set.fingerprint();
        let found = Checkpoint::read(&directory.join(CHECKPOINT)).map_err(RunError::Checkpoint)?;
        let mut checkpoint = match found {
            Some(found) if !found.recipe.goes_on_as(&recipe, new_data) => {
                return Err(RunError::OtherRecipe(directory.to_owned()));
            }
            Some(found) if found.fingerprint == fingerprint && found.recipe.reads_as(&recipe) => found,
            Some(found) if new_data == NewData::Accept => {
                Checkpoint { fingerprint, data_since: found.state.step, ..found }
            }
            Some(_) => return Err(RunError::OtherData(directory.to_owned())),
            None => {
                let parameters = match initial {
                    Some(model) => network
                        .import(model)
                        .or_else(|| network.grow(model, recipe.seed))
                        .ok_or(RunError::OtherNetwork)?,
                    None => network.initial_parameters(recipe.seed),
                };
                Checkpoint {
                    state: State::new(&network, &recipe.method.optimizer, parameters),
                    recipe: recipe.clone(),
                    fingerprint,
                    data_since: 0,
                    curve: Curve::default(),
                    pending: Tally::default(),
                    pending_gradient: 0.0,
                    seconds: 0.0,
                }
            }
        };
        if !checkpoint.recipe.is_scheduled_as(&recipe) {
            checkpoint.state.schedule_since = checkpoint.state.step;
        }
        let examined = examined_batches(&recipe, set);
        let learner = Learner::new(network, recipe.method.clone(), checkpoint.state, pace.threads);
        Ok(Trainer {
            directory: directory.to_owned(),
            recipe,
            pace,
            set,
            fingerprint,
            data_since: checkpoint.data_since,
            learner,
            examined,
            curve: checkpoint.curve,
            pending: checkpoint.pending,
            pending_gradient: checkpoint.pending_gradient,
            seconds_before: checkpoint.seconds,
        })
    }

    /// Steps made so far.
    pub fn step(&self) -> u64 {
        self.learner.state().step
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.learner.network()
    }

    /// What was seen so far.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// The network as it is now, for use.
    pub fn export(&self) -> Model {
        self.learner.export(Weights::Average)
    }

    /// Learns until all steps are made or `stop` is raised, and writes everything down. Whether all steps are made.
    pub fn run(&mut self, stop: &AtomicBool, mut watch: impl FnMut(Event<'_>)) -> Result<bool, RunError> {
        let steps = self.recipe.method.steps;
        let mut order = Order::new(self.set, self.recipe.seed, self.recipe.batch);
        let mut expander = Expander::new(&self.recipe.model, self.recipe.mix);
        let size = self.set.sizes().next().ok_or(RunError::NoData)?;
        let empty = || Batch::new(size, 0, 0, 0);
        let (mut current, mut next) = (empty(), empty());
        let started = Instant::now();
        let (mut last_saved, mut last_report, mut positions) = (started, started, 0);
        if self.step() < steps {
            self.fill(self.step(), &mut order, &mut expander, &mut current)?;
        }
        while self.step() < steps && !stop.load(Ordering::Relaxed) {
            let upcoming = self.step() + 1;
            let (set, since) = (self.set, self.data_since);
            // The next batch is made while this one is learned from.
            let result = thread::scope(|scope| {
                let maker = scope.spawn(|| {
                    if upcoming < steps
                        && let Some((size, drawn)) = order.batch(upcoming - since)
                    {
                        expander.fill(set, size, &drawn, &mut next);
                    }
                });
                let result = self.learner.step(&current);
                // A panic of the maker would have been one of ours.
                maker.join().map_or_else(|panic| std::panic::resume_unwind(panic), |()| result)
            });
            let step = result.map_err(RunError::Diverged)?;
            positions += current.count;
            std::mem::swap(&mut current, &mut next);
            self.pending += step.tally;
            self.pending_gradient += step.gradient;
            let done = self.step();
            if done.is_multiple_of(self.recipe.report_every) || done == steps {
                let seconds = self.seconds_before + started.elapsed().as_secs_f64();
                let row = self.row(seconds, step.rate);
                self.curve.rows.push(row);
                let speed = positions as f64 / last_report.elapsed().as_secs_f64().max(1e-9);
                (last_report, positions) = (Instant::now(), 0);
                watch(Event::Report { row: &row, steps, speed });
            }
            if last_saved.elapsed() >= self.pace.checkpoint_every {
                self.save(started)?;
                watch(Event::Saved { curve: &self.curve });
                last_saved = Instant::now();
            }
        }
        self.save(started)?;
        watch(Event::Saved { curve: &self.curve });
        Ok(self.step() >= steps)
    }

    fn fill(
        &self,
        step: u64,
        order: &mut Order<'_>,
        expander: &mut Expander,
        batch: &mut Batch,
    ) -> Result<(), RunError> {
        let (size, drawn) = order.batch(step - self.data_since).ok_or(RunError::NoData)?;
        expander.fill(self.set, size, &drawn, batch);
        Ok(())
    }

    /// What was seen since the last row.
    fn row(&mut self, seconds: f64, rate: f32) -> Row {
        let step = self.step();
        let since = self.curve.rows.last().map_or(0, |row| row.step);
        let is_due = step.is_multiple_of(self.recipe.examine_every) || step == self.recipe.method.steps;
        let mut validation = None;
        if is_due && !self.examined.is_empty() {
            let mut tally = Tally::default();
            for batch in &self.examined {
                tally += self.learner.examine(batch, Weights::Average);
            }
            validation = Some(tally);
        }
        let gradient = std::mem::take(&mut self.pending_gradient) / (step - since).max(1) as f64;
        let training = std::mem::take(&mut self.pending);
        Row { step, seconds, rate, gradient, training, validation }
    }

    fn save(&self, started: Instant) -> Result<(), RunError> {
        let checkpoint = Checkpoint {
            recipe: self.recipe.clone(),
            fingerprint: self.fingerprint,
            data_since: self.data_since,
            state: self.learner.state().clone(),
            curve: self.curve.clone(),
            pending: self.pending,
            pending_gradient: self.pending_gradient,
            seconds: self.seconds_before + started.elapsed().as_secs_f64(),
        };
        checkpoint.write(&self.directory.join(CHECKPOINT)).map_err(RunError::Checkpoint)?;
        let path = self.directory.join(NET);
        let bytes = own::write(&self.export(), own::Precision::F32);
        let bytes = bytes.map_err(|error| RunError::Io(path.clone(), io::Error::other(error)))?;
        disk::replace(&path, &bytes).map_err(|error| RunError::Io(path, error))?;
        let path = self.directory.join(CURVE);
        disk::replace(&path, self.curve.to_csv().as_bytes()).map_err(|error| RunError::Io(path, error))
    }
}

/// The files of a run.
const CHECKPOINT: &str = "checkpoint";
const NET: &str = "net.safetensors";
const CURVE: &str = "curve.csv";

/// The positions that a run is judged by: always the same, in batches of one board size.
fn examined_batches(recipe: &Recipe, set: &SampleSet) -> Vec<Batch> {
    let all = set.positions(Side::Validation);
    let mut expander = Expander::new(&recipe.model, recipe.mix);
    let mut batches = Vec::new();
    for group in set.groups(Side::Validation) {
        // Every which position, so that all games and all parts of them are there.
        let wanted = (recipe.examined * group.places.len()).div_ceil(all.max(1)).min(group.places.len());
        let pick = |index: usize| index * group.places.len() / wanted;
        let drawn: Vec<(Place, usize)> =
            (0..wanted).map(|index| (group.places[pick(index)], index % 8)).collect();
        for part in drawn.chunks(recipe.batch.max(1)) {
            let mut batch = Batch::new(group.size, 0, 0, 0);
            expander.fill(set, group.size, part, &mut batch);
            batches.push(batch);
        }
    }
    batches
}
