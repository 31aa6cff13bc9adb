//! A policy that learns from winning (REINFORCE).
//!
//! In an iteration the policy plays some games against one of its earlier selves. Then comes one step: in won games the logarithm of the
//! probability of each of its moves goes up, in lost games down, by how much better or worse than the mean the game went. What
//! an iteration does depends on its number, the weights and the pool alone, so that a run goes on exactly where its last checkpoint was.

use super::play::{PolicyPlay, Stopped, Turn, makes_sense, symmetry, worth};
use crate::Tally;
use crate::feed::{Expander, Mix};
use crate::learner::{Diverged, Learner, Method, State, Weights};
use crate::loss::LossWeights;
use crate::network::{CompileError, Network, Normalization};
use crate::optimizer::{Optimizer, Rule, Schedule, Shape};
use crate::pass::Cut;
use crate::run::{Checkpoint, CheckpointError, Curve, Recipe, disk};
use crate::sample::{GameSample, Place, SampleSet, Side, Split};
use crate::target::{Batch, LEFT_OUT};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_board::{Color, Game};
use tesuji_net::input::{Turn as TurnOfBoard, Turns};
use tesuji_net::model::Model;
use tesuji_net::{Isa, NetworkError, Reader, own};
use tesuji_search::Rng;

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReinforcePlan {
    /// How policies play.
    pub play: PolicyPlay,
    /// Games of an iteration.
    pub games: u64,
    /// Positions of its step, drawn from the policy's own in these games.
    pub batch: usize,
    /// Length of steps.
    pub rate: f32,
    /// Iterations between two copies for the pool.
    pub pool_every: u64,
    /// Iterations between two trials against the policy that it began with.
    pub examine_every: u64,
    /// Games of a trial.
    pub examined: u64,
}

/// What an iteration came to.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ReinforceRow {
    /// Its number, from 1.
    pub iteration: u64,
    /// The iteration that its opponent is from; 0 is where the run began.
    pub opponent: u64,
    /// Points per game against it, 0 to 1.
    pub points: f64,
    /// Mean number of moves.
    pub moves: f64,
    /// Length of the gradient.
    pub gradient: f64,
    /// Games won, drawn and lost against the policy that the run began with, if they were played.
    pub trial: Option<[u64; 3]>,
}

/// Why a run cannot begin or go on. What was written down before stays as it was.
#[derive(Debug)]
pub enum ReinforceError {
    /// The network cannot be trained.
    Compile(CompileError),
    /// The network cannot be evaluated.
    Network(NetworkError),
    /// The network knows no moves.
    NoPolicy,
    /// The checkpoint cannot be used.
    Checkpoint(CheckpointError),
    /// The directory holds a run with other settings.
    OtherPlan(PathBuf),
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
    /// Games cannot be played.
    Stopped(Stopped),
    /// Numbers have left their range.
    Diverged(Diverged),
}

/// A run.
pub struct Reinforce {
    directory: PathBuf,
    plan: ReinforcePlan,
    learner: Learner,
    recipe: Recipe,
    rows: Vec<ReinforceRow>,
    seconds_before: f64,
}

/// What differs by use of one seed.
const OPPONENTS: u64 = 0x6f70_706f_6e65_6e74;
const DRAWS: u64 = 0x6472_6177_7300;
const TRIALS: u64 = 0x7472_6961_6c73;

impl Reinforce {
    /// Opens or makes a directory for a run, which begins with the weights of `initial`.
    pub fn open(directory: &Path, plan: ReinforcePlan, initial: &Model) -> Result<Reinforce, ReinforceError> {
        if initial.policy.is_none() {
            return Err(ReinforceError::NoPolicy);
        }
        let network = Network::new(initial, Normalization::Fixed).map_err(ReinforceError::Compile)?;
        let own = directory.join("pool");
        fs::create_dir_all(&own).map_err(|error| ReinforceError::Io(own, error))?;
        // A model's own description always fits it.
        let parameters = network.import(initial).ok_or(ReinforceError::NoPolicy)?;
        // How a run uses the machine is not part of what it does, nor is how long it goes on.
        let told = ReinforcePlan { play: PolicyPlay { threads: 1, together: 1, ..plan.play }, ..plan };
        let words = format!("{told:?}\nfrom {:016x}\n", fingerprint(&parameters));
        let path = directory.join("plan");
        match fs::read_to_string(&path) {
            Ok(found) if found == words => (),
            Ok(_) => return Err(ReinforceError::OtherPlan(directory.to_owned())),
            Err(_) => {
                disk::replace(&path, words.as_bytes()).map_err(|error| ReinforceError::Io(path, error))?;
            }
        }
        let recipe = recipe(&plan, network.description().clone());
        let found = Checkpoint::read(&directory.join(CHECKPOINT)).map_err(ReinforceError::Checkpoint)?;
        let is_new = found.is_none();
        let (state, seconds_before) = match found {
            Some(found) if found.recipe != recipe => {
                return Err(ReinforceError::OtherPlan(directory.to_owned()));
            }
            Some(found) => (found.state, found.seconds),
            None => (State::new(&network, &recipe.method.optimizer, parameters), 0.0),
        };
        let learner = Learner::new(network, recipe.method.clone(), state, plan.play.threads);
        let rows = read_rows(&directory.join(ROWS), learner.state().step)?;
        let run = Reinforce { directory: directory.to_owned(), plan, learner, recipe, rows, seconds_before };
        if is_new {
            run.write_net(&run.pool(0))?;
        }
        Ok(run)
    }

    /// What came of the iterations so far.
    pub fn rows(&self) -> &[ReinforceRow] {
        &self.rows
    }

    /// Goes on until there are so many iterations, or `stop` is raised; whether there are. Everything is written down every so often, and
    /// in the end.
    pub fn run(
        &mut self,
        iterations: u64,
        every: Duration,
        stop: &AtomicBool,
        mut watch: impl FnMut(&ReinforceRow),
    ) -> Result<bool, ReinforceError> {
        let started = Instant::now();
        let mut saved = started;
        let first = self.reader(
            &tesuji_net::load(&self.pool(0))
                .map_err(|error| ReinforceError::Io(self.pool(0), io::Error::other(error.to_string())))?,
        )?;
        while self.learner.state().step < iterations && !stop.load(Ordering::Relaxed) {
            match self.iterate(&first, stop) {
                Ok(row) => {
                    self.rows.push(row);
                    watch(&row);
                }
                Err(ReinforceError::Stopped(Stopped::Interrupted)) => break,
                Err(error) => return Err(error),
            }
            if saved.elapsed() >= every {
                self.save(started)?;
                saved = Instant::now();
            }
        }
        self.save(started)?;
        Ok(self.learner.state().step >= iterations)
    }

    /// One iteration.
    fn iterate(&mut self, first: &Reader, stop: &AtomicBool) -> Result<ReinforceRow, ReinforceError> {
        let iteration = self.learner.state().step + 1;
        let own = self.reader(&self.learner.export(Weights::Current))?;
        let copies = 1 + (iteration - 1) / self.plan.pool_every;
        let mut rng = Rng::for_stream(self.plan.play.seed ^ OPPONENTS, iteration);
        let opponent = rng.below(copies as usize) as u64 * self.plan.pool_every;
        let other = if opponent == 0 { first.clone() } else { self.load(opponent)? };
        let numbers = (iteration - 1) * self.plan.games..iteration * self.plan.games;
        let play = self.plan.play;
        let games =
            play.games(&[&own, &other], numbers.clone(), &turn, stop).map_err(ReinforceError::Stopped)?;
        let played: Vec<(Color, &GameSample)> = numbers.map(color_of).zip(&games).collect();
        let gradient = self.step(iteration, &played)?;
        let points: f64 = played.iter().map(|(color, game)| f64::from(0.5 + worth(game, *color) / 2.0)).sum();
        let moves: usize = games.iter().map(|game| game.moves.len()).sum();
        let trial = match iteration.is_multiple_of(self.plan.examine_every.max(1)) {
            true => Some(self.trial(first, stop)?),
            false => None,
        };
        if iteration.is_multiple_of(self.plan.pool_every) {
            self.write_net(&self.pool(iteration))?;
        }
        let count = games.len().max(1) as f64;
        Ok(ReinforceRow {
            iteration,
            opponent,
            points: points / count,
            moves: moves as f64 / count,
            gradient,
            trial,
        })
    }

    /// The step of an iteration; the length of its gradient.
    fn step(&mut self, iteration: u64, played: &[(Color, &GameSample)]) -> Result<f64, ReinforceError> {
        let mean =
            played.iter().map(|(color, game)| worth(game, *color)).sum::<f32>() / played.len().max(1) as f32;
        let mut set = SampleSet::default();
        let mut places: Vec<(Place, f32)> = Vec::new();
        for (number, (color, game)) in played.iter().enumerate() {
            set.add(game, Side::Training);
            let own =
                (0..).zip(&game.moves).filter(|(_, (mover, mv))| mover == color && mv.point().is_some());
            let gain = worth(game, *color) - mean;
            places.extend(own.map(|(turn, _)| (Place { game: number as u32, turn }, gain)));
        }
        let mut rng = Rng::for_stream(self.plan.play.seed ^ DRAWS, iteration);
        for taken in 0..places.len().min(self.plan.batch) {
            let other = taken + rng.below(places.len() - taken);
            places.swap(taken, other);
        }
        places.truncate(self.plan.batch);
        let turns = Turns::of(self.plan.play.size);
        let first = (iteration - 1) * self.plan.games;
        let seen = |place: Place| symmetry(first + u64::from(place.game), place.turn.into());
        let drawn: Vec<(Place, usize)> = places.iter().map(|&(place, _)| (place, seen(place))).collect();
        let mut batch = Batch::new(self.plan.play.size, 0, 0, 0);
        Expander::new(&self.recipe.model, self.recipe.mix).fill(
            &set,
            self.plan.play.size,
            &drawn,
            &mut batch,
        );
        for (position, (&(place, turn), (_, gain))) in drawn.iter().zip(&places).enumerate() {
            let (policy, weight) = batch.targets.policy.of_mut(position);
            *weight *= gain;
            leave_out(played[place.game as usize].1, place.turn, turns.get(turn), policy);
        }
        Ok(self.learner.step(&batch).map_err(ReinforceError::Diverged)?.gradient)
    }

    /// Games won, drawn and lost against the policy that the run began with.
    fn trial(&self, first: &Reader, stop: &AtomicBool) -> Result<[u64; 3], ReinforceError> {
        let own = self.reader(&self.learner.export(Weights::Current))?;
        let play = PolicyPlay { seed: self.plan.play.seed ^ TRIALS, ..self.plan.play };
        let games = play.games(&[&own, first], 0..self.plan.examined, &turn, stop);
        let games = games.map_err(ReinforceError::Stopped)?;
        let mut counts = [0; 3];
        for (number, game) in (0..).zip(&games) {
            let worth = worth(game, color_of(number));
            counts[if worth > 0.0 {
                0
            } else if worth == 0.0 {
                1
            } else {
                2
            }] += 1;
        }
        Ok(counts)
    }

    fn pool(&self, iteration: u64) -> PathBuf {
        self.directory.join(format!("pool/{iteration:06}.safetensors"))
    }

    fn load(&self, iteration: u64) -> Result<Reader, ReinforceError> {
        let path = self.pool(iteration);
        let model = tesuji_net::load(&path);
        self.reader(&model.map_err(|error| ReinforceError::Io(path, io::Error::other(error.to_string())))?)
    }

    fn reader(&self, model: &Model) -> Result<Reader, ReinforceError> {
        Reader::new(model, Isa::best_exact()).map_err(ReinforceError::Network)
    }

    fn write_net(&self, path: &Path) -> Result<(), ReinforceError> {
        let failed = |error: io::Error| ReinforceError::Io(path.to_owned(), error);
        let bytes = own::write(&self.learner.export(Weights::Current), own::Precision::F32);
        disk::replace(path, &bytes.map_err(|error| failed(io::Error::other(error)))?).map_err(failed)
    }

    fn save(&self, started: Instant) -> Result<(), ReinforceError> {
        // Rows first: those that the checkpoint does not know of are dropped, and none that it knows of is missing.
        let replace = |name: &str, bytes: &[u8]| {
            let path = self.directory.join(name);
            disk::replace(&path, bytes).map_err(|error| ReinforceError::Io(path, error))
        };
        let mut lines = Vec::new();
        for row in &self.rows {
            let line = serde_json::to_string(row);
            let failed =
                |error: serde_json::Error| ReinforceError::Io(self.directory.join(ROWS), error.into());
            lines.extend(line.map_err(failed)?.bytes().chain([b'\n']));
        }
        replace(ROWS, &lines)?;
        replace("curve.csv", rows_csv(&self.rows).as_bytes())?;
        let checkpoint = Checkpoint {
            recipe: self.recipe.clone(),
            fingerprint: 0,
            data_since: 0,
            state: self.learner.state().clone(),
            curve: Curve::default(),
            pending: Tally::default(),
            pending_gradient: 0.0,
            seconds: self.seconds_before + started.elapsed().as_secs_f64(),
        };
        checkpoint.write(&self.directory.join(CHECKPOINT)).map_err(ReinforceError::Checkpoint)?;
        self.write_net(&self.directory.join("net.safetensors"))
    }
}

const CHECKPOINT: &str = "checkpoint";
const ROWS: &str = "rows.jsonl";

/// Names some weights (FNV-1a).
fn fingerprint(weights: &[f32]) -> u64 {
    let add = |hash: u64, weight: &f32| (hash ^ u64::from(weight.to_bits())).wrapping_mul(0x0100_0000_01b3);
    weights.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

/// The learning policy has Black in every other game.
fn color_of(number: u64) -> Color {
    if number.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// Leaves out what the policy could not have played after so many moves: moves that make no sense are not drawn, and a loss would else teach to like them.
pub(super) fn leave_out(sample: &GameSample, moves: u16, turn: &TurnOfBoard, policy: &mut [f32]) {
    let Ok(mut game) = sample.start() else { return };
    for &(color, mv) in &sample.moves[..usize::from(moves)] {
        // They were played before.
        _ = game.play(color, mv);
    }
    for (point, &place) in sample.size.points().zip(turn.places()) {
        if !makes_sense(&game, point) {
            policy[usize::from(place)] = LEFT_OUT;
        }
    }
    if let Some(pass) = policy.get_mut(sample.size.area()) {
        *pass = LEFT_OUT;
    }
}

fn turn(number: u64, game: &Game) -> Turn {
    Turn::Policy(usize::from(game.to_move() != color_of(number)))
}

fn recipe(plan: &ReinforcePlan, model: Model) -> Recipe {
    let schedule = Schedule { rate: plan.rate, warm_up: 10, shape: Shape::Constant };
    let none = LossWeights {
        policy: 1.0,
        reply: 0.0,
        outcome: 0.0,
        score: 0.0,
        deviation: 0.0,
        lead: 0.0,
        ownership: 0.0,
    };
    Recipe {
        model,
        normalization: Normalization::Fixed,
        method: Method {
            steps: u64::MAX,
            // No decay: nothing but the games should move the policy.
            optimizer: Optimizer { rule: Rule::ADAM, schedule, weight_decay: 0.0, clip: 1.0 },
            losses: none,
            average_decay: 0.0,
            statistics_decay: 0.99,
            cut: Cut::default(),
        },
        batch: plan.batch,
        mix: Mix { played_move: 1.0, result_share: 0.0, result: 0.0 },
        split: Split { validation: 0 },
        examined: 0,
        examine_every: u64::MAX,
        report_every: u64::MAX,
        seed: plan.play.seed,
    }
}

/// The rows up to an iteration.
fn read_rows(path: &Path, last: u64) -> Result<Vec<ReinforceRow>, ReinforceError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(ReinforceError::Io(path.to_owned(), error)),
    };
    let read = |line: &str| {
        serde_json::from_str(line)
            .map_err(|error: serde_json::Error| ReinforceError::Io(path.to_owned(), error.into()))
    };
    let rows = text.lines().map(read).collect::<Result<Vec<ReinforceRow>, _>>()?;
    Ok(rows.into_iter().filter(|row| row.iteration <= last).collect())
}

/// The rows as a table with one line of names.
pub fn rows_csv(rows: &[ReinforceRow]) -> String {
    let mut text =
        "iteration,opponent,points,moves,gradient,trial_wins,trial_draws,trial_losses\n".to_owned();
    for row in rows {
        let ReinforceRow { iteration, opponent, points, moves, gradient, trial } = row;
        text += &format!("{iteration},{opponent},{points:.4},{moves:.1},{gradient:.4}");
        match trial {
            Some([wins, draws, losses]) => text += &format!(",{wins},{draws},{losses}\n"),
            None => text += ",,,\n",
        }
    }
    text
}

impl fmt::Display for ReinforceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReinforceError::Compile(error) => error.fmt(f),
            ReinforceError::Network(error) => error.fmt(f),
            ReinforceError::NoPolicy => f.write_str("the network knows no moves"),
            ReinforceError::Checkpoint(error) => error.fmt(f),
            ReinforceError::OtherPlan(path) => write!(
                f,
                "{} holds a run with other settings: use those, or another directory",
                path.display()
            ),
            ReinforceError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            ReinforceError::Stopped(error) => error.fmt(f),
            ReinforceError::Diverged(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReinforceError {}
