//! The loop: play, learn, compare, and again.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::Color;
use tesuji_net::model::Model;
use tesuji_net::{load, own};
use tesuji_train::network::{CompileError, Network, Normalization};
use tesuji_train::optimizer::{Optimizer, Rule, Schedule, Shape};
use tesuji_train::run::{self, NewData, Pace, Recipe, Row, Trainer};
use tesuji_train::sample::{GameEnd, GameSample, SampleSet, Side, Split, read_samples};
use tesuji_train::{Cut, LossWeights, Method, Mix, Tally};

use super::directory::Directory;
use super::error::SelfPlayError;
use super::gate::GateWork;
use super::mover::NetFile;
use super::plan::Plan;
use super::record::{CycleRecord, GateRecord};
use super::work::{PlayFinding, PlayWork};
use crate::checksum::Checksum;
use crate::host::Host;
use crate::job::{Builds, Flow, JobStore, RunError, Session, Venue, Work, Workforce};
use crate::terms::Terms;

/// Where jobs, and the files that they need, are kept for those who do them.
pub trait Depot {
    /// A store for jobs that have this directory to themselves.
    fn store(&mut self, directory: &Path) -> Result<Box<dyn JobStore>, SelfPlayError>;

    /// Lets those who do the jobs have a file.
    fn share(&mut self, path: &Path, checksum: &Checksum) -> Result<(), SelfPlayError>;
}

/// Who does the work, and how; none of it changes what comes of it.
pub struct Crew<'a> {
    /// Where jobs are kept.
    pub depot: &'a mut dyn Depot,
    /// Who does them.
    pub workforce: Workforce,
    /// The build of this program.
    pub build: &'a str,
    /// Whether findings of other builds are taken.
    pub builds: Builds,
    /// Whether jobs that were given up are tried again.
    pub retry: bool,
    /// How training uses the machine.
    pub pace: Pace,
    /// Ends everything once raised; nothing is lost.
    pub stop: &'a AtomicBool,
}

/// Something to tell whoever watches.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Games are played: so many of so many.
    Playing(usize, usize),
    /// Something was learned; steps in all after this cycle.
    Learning(&'a Row, u64),
    /// A network is compared: games so far, and at most.
    Gating(usize, usize),
    /// A cycle is over.
    Over(&'a CycleRecord),
}

/// What is known of the games of a cycle besides themselves.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Summary {
    moves: u64,
    positions: u64,
    simulations: u64,
    black_wins: u64,
    resigned: u64,
    resignations: [u64; 2],
}

/// A run of self-play.
pub struct Service {
    directory: Directory,
    plan: Plan,
    /// The network, without weights.
    model: Model,
}

/// A network with random weights, to begin with nothing.
pub fn random_network(description: &Model, seed: u64) -> Result<Model, CompileError> {
    let network = Network::new(description, Normalization::Batch)?;
    Ok(network.export(&network.initial_parameters(seed), &network.initial_statistics()))
}

impl Service {
    /// Opens or begins a run; `start` makes the network that a new one begins with.
    pub fn open(
        root: &Path,
        plan: Plan,
        start: impl FnOnce() -> Result<Model, SelfPlayError>,
    ) -> Result<Service, SelfPlayError> {
        let directory = Directory::open(root, &plan)?;
        let path = directory.net(0);
        if !path.exists() {
            let model = start()?;
            if model.policy.is_none() || model.value.is_none() {
                return Err(SelfPlayError::HalfNetwork);
            }
            write_net(&directory, 0, &model)?;
        }
        let mut model = load(&path)?;
        if !model.supports(plan.game.size) {
            return Err(SelfPlayError::Board(plan.game.size));
        }
        model.tensors_mut().into_iter().for_each(|tensor| tensor.data.clear());
        Ok(Service { directory, plan, model })
    }

    /// The cycles that are over.
    pub fn records(&self) -> &[CycleRecord] {
        self.directory.records()
    }

    /// Goes on until there are so many cycles in all.
    pub fn run(
        &mut self,
        cycles: u64,
        crew: &mut Crew<'_>,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), SelfPlayError> {
        while (self.records().len() as u64) < cycles {
            self.cycle(crew, watch)?;
            if let Some(record) = self.records().last() {
                watch(Event::Over(record));
            }
        }
        Ok(())
    }

    fn cycle(&mut self, crew: &mut Crew<'_>, watch: &mut dyn FnMut(Event<'_>)) -> Result<(), SelfPlayError> {
        let last = self.records().last();
        let (cycle, player) = last.map_or((1, 0), |last| (last.cycle + 1, last.generation));
        let (steps_before, rating_before) = last.map_or((0, 0.0), |last| (last.steps, last.rating));
        let best =
            self.records().iter().rfind(|record| record.gate.is_promoted).map_or(0, |record| record.cycle);
        let summary = match self.directory.summary(cycle)? {
            Some(summary) => summary,
            None => self.play(cycle, best, crew, watch)?,
        };
        let steps = steps_before + self.plan.learning.steps(summary.positions);
        let (window, seen, kept_back) = self.learn(cycle, summary, steps_before, steps, crew, watch)?;
        let gate = self.compare(cycle, best, crew, watch)?;
        let gain = if gate.is_promoted { gate.elo() } else { 0.0 };
        let Summary { moves, positions, simulations, black_wins, resigned, resignations } = summary;
        self.directory.add(CycleRecord {
            cycle,
            player,
            games: self.plan.games,
            moves,
            positions,
            simulations,
            black_wins,
            resigned,
            resignations,
            window,
            steps,
            loss: seen.loss(),
            kept_back: kept_back.and_then(|tally| tally.loss()),
            gate,
            generation: player + u64::from(gate.is_promoted),
            rating: rating_before + gain,
        })
    }

    /// Plays the games of a cycle.
    fn play(
        &self,
        cycle: u64,
        best: u64,
        crew: &mut Crew<'_>,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Summary, SelfPlayError> {
        let work = PlayWork {
            plan: self.plan.game.clone(),
            net: self.net_file(best, crew)?,
            seed: self.plan.seed,
            host: Host::default(),
        };
        let first = (cycle - 1) * self.plan.games;
        let (terms, jobs) = (work.terms(), PlayWork::jobs(first..first + self.plan.games));
        let mut store = crew.depot.store(&self.directory.jobs(cycle, "games"))?;
        let mut session = crew.session(&mut *store, work, terms)?;
        let findings = session.complete(&jobs, |progress| {
            watch(Event::Playing(progress.done, progress.total));
            Flow::GoOn
        })?;
        let mut summary = Summary::default();
        let games = findings
            .all()?
            .iter()
            .map(|finding| self.take(finding, &mut summary))
            .collect::<Result<Vec<_>, _>>()?;
        self.directory.keep_games(cycle, &games, &summary)?;
        Ok(summary)
    }

    /// The game of a finding, which is counted.
    fn take(&self, finding: &PlayFinding, summary: &mut Summary) -> Result<GameSample, SelfPlayError> {
        let game = finding.game(&self.plan.game).ok_or(SelfPlayError::NoGame)?;
        let outcome = game.end.outcome(Color::Black);
        summary.moves += game.moves.len() as u64;
        summary.positions += game.labels.len() as u64;
        summary.simulations += finding.simulations;
        summary.black_wins += u64::from(outcome.is_some_and(|[win, ..]| win == 1.0));
        summary.resigned += u64::from(matches!(game.end, GameEnd::Win(_)));
        if let Some(is_right) = finding.right_to_resign {
            summary.resignations[0] += 1;
            summary.resignations[1] += u64::from(is_right);
        }
        Ok(game)
    }

    /// Learns up to a step; how many positions there were to learn from, and losses in training and on games kept back.
    fn learn(
        &self,
        cycle: u64,
        new: Summary,
        before: u64,
        steps: u64,
        crew: &mut Crew<'_>,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<(u64, Tally, Option<Tally>), SelfPlayError> {
        let recipe = self.recipe(steps);
        let set = self.window(cycle, new, recipe.split)?;
        let start = load(&self.directory.net(0))?;
        let directory = self.directory.training();
        let mut trainer = Trainer::open(&directory, recipe, &set, Some(&start), NewData::Accept, crew.pace)?;
        let is_done = trainer.run(crew.stop, |event| {
            if let run::Event::Report { row, .. } = event {
                watch(Event::Learning(row, steps));
            }
        })?;
        if !is_done {
            return Err(SelfPlayError::Interrupted);
        }
        write_net(&self.directory, cycle, &trainer.export())?;
        let mut seen = Tally::default();
        let rows = trainer.curve().rows.iter().filter(|row| row.step > before);
        rows.for_each(|row| seen += row.training);
        let kept_back = trainer.curve().rows.last().and_then(|row| row.validation);
        Ok((set.positions(Side::Training) as u64, seen, kept_back))
    }

    /// The games to learn from: whole cycles, the latest first, until there are enough positions.
    fn window(&self, cycle: u64, new: Summary, split: Split) -> Result<SampleSet, SelfPlayError> {
        let before = self.records().iter().map(|record| record.positions);
        let positions: Vec<u64> = before.chain([new.positions]).collect();
        let wanted = self.plan.learning.window(positions.iter().sum());
        let (mut first, mut found) = (cycle, new.positions);
        while found < wanted && first > 1 {
            first -= 1;
            found += positions[first as usize - 1];
        }
        let mut set = SampleSet::default();
        for cycle in first..=cycle {
            read_samples(&self.directory.games(cycle), |game| _ = set.add(&game, split.side(&game)))?;
        }
        Ok(set)
    }

    fn recipe(&self, steps: u64) -> Recipe {
        let learning = self.plan.learning;
        let schedule = Schedule { rate: learning.rate, warm_up: WARM_UP, shape: Shape::Constant };
        Recipe {
            model: self.model.clone(),
            normalization: match learning.has_batch_norm {
                true => Normalization::Batch,
                false => Normalization::Fixed,
            },
            method: Method {
                steps,
                optimizer: Optimizer { rule: Rule::ADAM, schedule, weight_decay: WEIGHT_DECAY, clip: CLIP },
                losses: LossWeights::default(),
                average_decay: learning.average,
                statistics_decay: 0.99,
                cut: Cut::default(),
            },
            batch: learning.batch,
            // Cheap searches say nothing about moves, and the move that was drawn says less.
            mix: Mix { played_move: 0.0, result_share: learning.result_share, result: 1.0 },
            split: Split { validation: learning.validation },
            examined: EXAMINED,
            // At the end of a cycle only.
            examine_every: u64::MAX,
            report_every: REPORT_EVERY,
            seed: self.plan.seed,
        }
    }

    /// Compares the network of a cycle with the best before it.
    fn compare(
        &self,
        cycle: u64,
        best: u64,
        crew: &mut Crew<'_>,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<GateRecord, SelfPlayError> {
        let work = GateWork {
            game: self.plan.game.clone(),
            gate: self.plan.gate,
            nets: [self.net_file(cycle, crew)?, self.net_file(best, crew)?],
            // Other openings every time: a network must not be chosen for some of them.
            seed: self.plan.seed.wrapping_add(cycle),
            host: Host::default(),
        };
        let (terms, jobs) = (work.terms(), work.jobs());
        let mut store = crew.depot.store(&self.directory.jobs(cycle, "gate"))?;
        let mut session = crew.session(&mut *store, work, terms)?;
        let findings = session.complete(&jobs, |progress| {
            watch(Event::Gating(progress.done, progress.total));
            match self.plan.gate.verdict(progress.findings) {
                Some(_) => Flow::Enough,
                None => Flow::GoOn,
            }
        })?;
        if !findings.failures.is_empty() {
            return Err(RunError::Failed(findings.failures).into());
        }
        self.plan.gate.verdict(&findings.by_job).ok_or(SelfPlayError::Interrupted)
    }

    /// The network of a cycle, where those who do the jobs find it.
    fn net_file(&self, cycle: u64, crew: &mut Crew<'_>) -> Result<NetFile, SelfPlayError> {
        let path = self.directory.net(cycle);
        let net = NetFile::here(path.clone()).map_err(|error| SelfPlayError::Io(path.clone(), error))?;
        crew.depot.share(&path, &net.checksum)?;
        Ok(net)
    }
}

/// Steps until the longest one: the moments of the optimiser begin with nothing.
const WARM_UP: u64 = 100;
/// As in `tesuji train net`.
const WEIGHT_DECAY: f32 = 0.01;
const CLIP: f32 = 5.0;
const EXAMINED: usize = 2048;
/// Steps between two rows of the curve.
const REPORT_EVERY: u64 = 50;

impl Crew<'_> {
    fn session<'s, W: Work>(
        &self,
        store: &'s mut dyn JobStore,
        work: W,
        terms: Terms,
    ) -> Result<Session<'s, W>, SelfPlayError>
    where
        Self: 's,
    {
        let Crew { workforce, build, builds, retry, stop, .. } = *self;
        Ok(Session::begin(Venue { store, build, builds, workforce, retry, stop }, work, terms)?)
    }
}

fn write_net(directory: &Directory, cycle: u64, model: &Model) -> Result<(), SelfPlayError> {
    let path = directory.net(cycle);
    let bytes = own::write(model, own::Precision::F32);
    let bytes = bytes.map_err(|error| SelfPlayError::Io(path.clone(), std::io::Error::other(error)))?;
    directory.replace(&path, &bytes)
}
