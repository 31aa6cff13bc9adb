//! `tesuji train net`: a network learns from games and labels. `train sl` and `train value` are the same with one loss each.

use crate::argument;
use crate::say::say;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::progress;
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use tesuji_board::{Rules, Size};
use tesuji_lab::line_log::write_file;
use tesuji_lab::plot::{Axis, Mark, Plot, Series};
use tesuji_net::input::{People, Rank, Server};
use tesuji_net::model::{
    Activation, Input, InputSet, Model, ResidualPlan, paper_policy, paper_value, residual,
};
use tesuji_train::network::{Normalization, with_people};
use tesuji_train::optimizer::{Optimizer, Rule, Schedule, Shape};
use tesuji_train::run::{Curve, Event, NewData, Pace, Recipe, Row, Trainer};
use tesuji_train::sample::{Balance, GameSample, SampleSet, Side, Split};
use tesuji_train::{Cut, LossWeights, Method, Mix, SourceReport, Tally, read_games};

#[derive(Args)]
pub(crate) struct Options {
    /// Games to learn from: files of samples, files of game lines, SGF files or folders of them; `kgs:FILE` and `fox:FILE` say where people
    /// played, which matters with `--people`.
    #[arg(required = true)]
    files: Vec<String>,
    /// Directory of the run; one that is there goes on.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Kind of network.
    #[arg(long, value_enum, default_value_t = Kind::Residual)]
    kind: Kind,
    /// What the network is called.
    #[arg(long, default_value = "net")]
    name: String,
    /// Blocks of a residual network.
    #[arg(long, value_name = "N", default_value_t = 6)]
    blocks: usize,
    /// Channels of a residual network.
    #[arg(long, value_name = "N", default_value_t = 64)]
    channels: usize,
    /// Every which block pools over the board; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pool_every: usize,
    /// Channels of the heads.
    #[arg(long, value_name = "N", default_value_t = 32)]
    head_channels: usize,
    /// Hidden numbers of the value head.
    #[arg(long, value_name = "N", default_value_t = 64)]
    hidden: usize,
    /// Activation.
    #[arg(long, value_enum, default_value_t = ActivationName::Relu)]
    activation: ActivationName,
    /// Learn to imitate people of a rank: the net reads both players' ranks, rare ranks are seen more often, and sides without a rank teach nothing.
    #[arg(long)]
    people: bool,
    /// Only boards of this size.
    #[arg(long, value_name = "SIDE")]
    size: Option<usize>,
    /// A network to begin with, which then learns without batch norm.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Grow it to the size that `--blocks` and `--channels` ask for; without this it keeps its shape.
    #[arg(long, requires = "from")]
    grow: bool,
    /// Train without batch norm.
    #[arg(long)]
    no_batch_norm: bool,
    /// Steps to make.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    steps: u64,
    /// Positions of a batch.
    #[arg(long, value_name = "N", default_value_t = 256)]
    batch: usize,
    /// Positions that are normed together.
    #[arg(long, value_name = "N", default_value_t = 32)]
    shard: usize,
    /// Optimiser.
    #[arg(long, value_enum, default_value_t = OptimizerName::Adam)]
    optimizer: OptimizerName,
    /// Longest step; by default 0.002 for Adam and 0.05 for SGD.
    #[arg(long, value_name = "RATE")]
    rate: Option<f32>,
    /// How steps get shorter.
    #[arg(long, value_enum, default_value_t = ShapeName::Cosine)]
    schedule: ShapeName,
    /// Steps until the longest one.
    #[arg(long, value_name = "N", default_value_t = 500)]
    warm_up: u64,
    /// How fast weights shrink, as a share of the step.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = argument::share)]
    weight_decay: f32,
    /// Longest gradient; 0 for any.
    #[arg(long, value_name = "LENGTH", default_value_t = 5.0, value_parser = argument::amount)]
    clip: f32,
    /// What remains of the averaged weights in a step.
    #[arg(long, value_name = "SHARE", default_value_t = 0.999, value_parser = argument::share)]
    average: f32,
    /// Weight of the move that was played where no label names moves; 0 ignores it.
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, value_parser = argument::amount)]
    played_move: f32,
    /// Weight of the game's result and score where no label has an opinion; 0 ignores them.
    #[arg(long, value_name = "WEIGHT", default_value_t = 1.0, value_parser = argument::amount)]
    played_result: f32,
    /// Share of the game's result where a label has an opinion too.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = argument::share)]
    result_share: f32,
    /// Weights of losses other than usual, such as policy=1,reply=0.15,outcome=1.5,score=0.5,deviation=0.1,lead=0.5,ownership=1.
    #[arg(long, value_name = "NAME=WEIGHT", value_delimiter = ',')]
    losses: Vec<String>,
    /// Games kept back, in thousandths.
    #[arg(long, value_name = "THOUSANDTHS", default_value_t = 20)]
    validation: u16,
    /// Positions of those games that are looked at.
    #[arg(long, value_name = "N", default_value_t = 4096)]
    examined: usize,
    /// Steps between two looks at them.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    examine_every: u64,
    /// Steps between two lines of the report.
    #[arg(long, value_name = "N", default_value_t = 100)]
    report_every: u64,
    /// Seconds between two checkpoints.
    #[arg(long, value_name = "SECONDS", default_value_t = 180)]
    checkpoint_every: u64,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Go on with other data than the run had so far, and with other settings; the shape of the network stays.
    #[arg(long)]
    new_data: bool,
    /// What the network learned from, for its file.
    #[arg(long, value_name = "TEXT", default_value = "")]
    data: String,
    /// Its licence, for its file.
    #[arg(long, value_name = "TEXT", default_value = "")]
    licence: String,
}

/// What is learned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Everything that is known.
    All,
    /// Moves.
    Policy,
    /// Results.
    Value,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Our own: residual blocks, all heads, any board.
    Residual,
    /// The Cygo paper's policy net, 12 layers of 192 channels.
    PaperPolicy,
    /// The Cygo paper's value net.
    PaperValue,
}

#[derive(Clone, Copy, ValueEnum)]
enum ActivationName {
    Relu,
    Mish,
    Silu,
}

#[derive(Clone, Copy, ValueEnum)]
enum OptimizerName {
    Adam,
    Sgd,
}

#[derive(Clone, Copy, ValueEnum)]
enum ShapeName {
    Cosine,
    Constant,
    /// A tenth after 60 %, a hundredth after 85 % of the steps.
    Drops,
}

impl Options {
    pub(crate) fn run(self, stage: Stage) -> anyhow::Result<()> {
        let set = self.read_set()?;
        let initial = match &self.from {
            Some(path) => Some(self.initial(tesuji_net::load(path)?)?),
            None => None,
        };
        let recipe = self.recipe(&set, initial.as_ref(), stage)?;
        let pace =
            Pace { threads: self.threads, checkpoint_every: Duration::from_secs(self.checkpoint_every) };
        let new_data = if self.new_data { NewData::Accept } else { NewData::Refuse };
        let mut trainer = Trainer::open(&self.out, recipe, &set, initial.as_ref(), new_data, pace)?;
        let stop = progress::stop_flag()?;
        let layout = trainer.network().layout().len();
        say!(
            "{}: {layout} parameters, {} positions to learn from, {} kept back, step {} of {}",
            self.name,
            set.positions(Side::Training),
            set.positions(Side::Validation),
            trainer.step(),
            self.steps
        );
        let plot = self.out.join("curve.svg");
        let mut failed = None;
        let is_done = trainer.run(&stop, |event| match event {
            Event::Report { row, steps, speed } => report(row, steps, speed, self.batch),
            Event::Saved { curve } => {
                failed = draw(curve, &self.name, &plot).err().or(failed.take());
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        if !is_done {
            progress::exit_interrupted();
        }
        let last = trainer.curve().rows.iter().rev().find_map(|row| row.validation);
        let net = self.out.join("net.safetensors");
        match last.and_then(|tally| result(stage, &tally)) {
            Some(result) => say!("{}: {result}", net.display()),
            None => say!("{}", net.display()),
        }
        Ok(())
    }

    /// A network to begin with, told of people if that is wanted.
    fn initial(&self, model: Model) -> anyhow::Result<Model> {
        if !self.people || model.input.set == InputSet::People {
            return Ok(model);
        }
        let name = model.name.clone();
        with_people(model).with_context(|| format!("{name} cannot be told of people"))
    }

    fn read_set(&self) -> anyhow::Result<SampleSet> {
        let split = Split { validation: self.validation };
        let size = self.size.map(Size::square).transpose()?;
        let mut set = SampleSet::default();
        let mut balance = Balance::default();
        if self.people {
            let mut counts = [0; Rank::COUNT];
            self.read_files(&mut |game| Balance::count(&game, &mut counts))?;
            balance = Balance::of(&counts);
        }
        let report = self.read_files(&mut |game| {
            if size.is_none_or(|size| game.size == size) {
                set.add_balanced(&game, split.side(&game), &balance);
            }
        })?;
        for message in &report.messages {
            eprintln!("{message}");
        }
        if report.broken + report.cut > 0 {
            eprintln!(
                "{} broken games passed over, {} cut before an illegal move",
                report.broken, report.cut
            );
        }
        Ok(set)
    }

    /// Calls `visit` with every game, with its players if they matter.
    fn read_files(&self, visit: &mut dyn FnMut(GameSample)) -> anyhow::Result<SourceReport> {
        let mut report = SourceReport::default();
        for file in &self.files {
            let named = file.split_once(':').and_then(|(name, rest)| Some((Server::named(name)?, rest)));
            let (server, path) = named.unwrap_or((Server::default(), file));
            read_games(Path::new(path), Rules::default(), &mut report, &mut |mut game| {
                game.people = game.people.filter(|_| self.people).map(|people| People { server, ..people });
                visit(game);
            })?;
        }
        Ok(report)
    }

    fn recipe(&self, set: &SampleSet, initial: Option<&Model>, stage: Stage) -> anyhow::Result<Recipe> {
        let is_batch = !self.no_batch_norm && initial.is_none() && self.kind == Kind::Residual;
        let rule = match self.optimizer {
            OptimizerName::Adam => Rule::ADAM,
            OptimizerName::Sgd => Rule::SGD,
        };
        let default_rate = match self.optimizer {
            OptimizerName::Adam => 0.002,
            OptimizerName::Sgd => 0.05,
        };
        let shape = match self.schedule {
            ShapeName::Cosine => Shape::Cosine { floor: 0.01 },
            ShapeName::Constant => Shape::Constant,
            ShapeName::Drops => Shape::Drops { at: vec![0.6, 0.85], factor: 0.1 },
        };
        let rate = self.rate.unwrap_or(default_rate);
        ensure!(rate.is_finite() && rate > 0.0, "a step must have a length above 0");
        ensure!(self.batch > 0 && self.shard > 0, "a batch has at least one position");
        ensure!(self.report_every > 0 && self.examine_every > 0, "reports are at least one step apart");
        let method = Method {
            steps: self.steps,
            optimizer: Optimizer {
                rule,
                schedule: Schedule { rate, warm_up: self.warm_up.min(self.steps / 2), shape },
                weight_decay: self.weight_decay,
                clip: self.clip,
            },
            losses: self.loss_weights(stage)?,
            average_decay: self.average,
            statistics_decay: 0.99,
            cut: Cut { shard: self.shard, lanes: 2 },
        };
        Ok(Recipe {
            model: self.model(set, initial)?,
            normalization: if is_batch { Normalization::Batch } else { Normalization::Fixed },
            method,
            batch: self.batch,
            mix: Mix {
                played_move: self.played_move,
                result: self.played_result,
                result_share: self.result_share,
            },
            split: Split { validation: self.validation },
            examined: self.examined,
            examine_every: self.examine_every,
            report_every: self.report_every,
            seed: self.seed,
        })
    }

    fn model(&self, set: &SampleSet, initial: Option<&Model>) -> anyhow::Result<Model> {
        let mut model = match (initial, self.kind) {
            (Some(initial), _) if !self.grow => {
                let mut model = initial.clone();
                model.tensors_mut().into_iter().for_each(|tensor| tensor.data.clear());
                model
            }
            (_, Kind::Residual) => residual(
                &self.name,
                &ResidualPlan {
                    pool_every: self.pool_every,
                    head_channels: self.head_channels,
                    hidden: self.hidden,
                    activation: match self.activation {
                        ActivationName::Relu => Activation::Relu,
                        ActivationName::Mish => Activation::Mish,
                        ActivationName::Silu => Activation::Silu,
                    },
                    input: match initial {
                        Some(initial) => initial.input.clone(),
                        None => Input::all(if self.people { InputSet::People } else { InputSet::Katago7 }),
                    },
                    ..ResidualPlan::new(self.blocks, self.channels)
                },
            ),
            (_, kind) => {
                let size = set.sizes().next().context("there is no position to learn from")?;
                match kind {
                    Kind::PaperValue => paper_value(size.width(), size.height()),
                    _ => paper_policy(size.width(), size.height()),
                }
            }
        };
        model.name.clone_from(&self.name);
        model.provenance.origin = format!("tesuji {} train net", env!("CARGO_PKG_VERSION"));
        model.provenance.licence.clone_from(&self.licence);
        model.provenance.data.clone_from(&self.data);
        model.provenance.rules = set.only_rules().unwrap_or_default().to_owned();
        model.provenance.training =
            format!("{} steps of {} positions, seed {}", self.steps, self.batch, self.seed);
        if let Some(initial) = initial {
            model.provenance.training += &format!(", begun with {}", initial.name);
        }
        model.check_description()?;
        Ok(model)
    }

    fn loss_weights(&self, stage: Stage) -> anyhow::Result<LossWeights> {
        let mut weights = stage.losses();
        for part in &self.losses {
            let (name, weight) =
                part.split_once('=').with_context(|| format!("'{part}' is no NAME=WEIGHT"))?;
            let weight = argument::amount(weight).map_err(anyhow::Error::msg)?;
            *match name {
                "policy" => &mut weights.policy,
                "reply" => &mut weights.reply,
                "outcome" => &mut weights.outcome,
                "score" => &mut weights.score,
                "deviation" => &mut weights.deviation,
                "lead" => &mut weights.lead,
                "ownership" => &mut weights.ownership,
                _ => bail!(
                    "unknown loss '{name}'; known are policy, reply, outcome, score, deviation, lead, ownership"
                ),
            } = weight;
        }
        Ok(weights)
    }
}

impl Stage {
    /// The losses that count by default.
    fn losses(self) -> LossWeights {
        let none = LossWeights {
            policy: 0.0,
            reply: 0.0,
            outcome: 0.0,
            score: 0.0,
            deviation: 0.0,
            lead: 0.0,
            ownership: 0.0,
        };
        match self {
            Stage::All => LossWeights::default(),
            Stage::Policy => LossWeights { policy: 1.0, ..none },
            Stage::Value => LossWeights { outcome: 1.0, ..none },
        }
    }
}

/// What a stage of the paper's came to, on games kept back.
fn result(stage: Stage, tally: &Tally) -> Option<String> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    match stage {
        Stage::All => None,
        Stage::Policy => Some(format!("best move {} on games kept back", percent(tally.policy.accuracy()?))),
        Stage::Value => Some(format!(
            "winner {}, squared error {:.3} (from 0 to 4) on games kept back",
            percent(tally.outcome.accuracy()?),
            tally.value.loss()?
        )),
    }
}

fn report(row: &Row, steps: u64, speed: f64, batch: usize) {
    let left = steps.saturating_sub(row.step) as f64 * batch as f64 / speed.max(1e-9);
    eprintln!(
        "step {}/{steps}  {}  gradient {:.2}  {speed:.0} positions/s  {} left",
        row.step,
        summary(&row.training),
        row.gradient,
        hours(left)
    );
    if let Some(validation) = &row.validation {
        eprintln!("  kept back: {}", summary(validation));
    }
}

fn summary(tally: &Tally) -> String {
    let mut text = format!("loss {:.4}", tally.loss().unwrap_or(f64::NAN));
    let mut add = |name: &str, value: Option<f64>, unit: &str, factor: f64| {
        if let Some(value) = value {
            text += &format!("  {name} {:.*}{unit}", if factor > 1.0 { 1 } else { 3 }, factor * value);
        }
    };
    add("policy", tally.policy.loss(), "", 1.0);
    add("best move", tally.policy.accuracy(), " %", 100.0);
    add("result", tally.outcome.loss(), "", 1.0);
    add("winner", tally.outcome.accuracy(), " %", 100.0);
    add("squared error", tally.value.loss(), "", 1.0);
    add("score off by", tally.score.loss(), "", 1.0);
    add("ownership", tally.ownership.loss(), "", 1.0);
    text
}

fn hours(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round();
    if minutes < 60.0 { format!("{minutes} min") } else { format!("{:.1} h", minutes / 60.0) }
}

/// Draws what went down.
fn draw(curve: &Curve, name: &str, path: &Path) -> anyhow::Result<()> {
    let marks = |pick: &dyn Fn(&Row) -> Option<f64>| -> Vec<Mark> {
        let mark = |row: &Row| Some(Mark::sure(row.step as f64, pick(row)?));
        curve.rows.iter().filter_map(mark).collect()
    };
    let series = vec![
        Series::new("policy, training", 0, marks(&|row| row.training.policy.loss())),
        Series::new("policy, kept back", 1, marks(&|row| row.validation?.policy.loss())),
        Series::new("result, training", 2, marks(&|row| row.training.outcome.loss())),
        Series::new("result, kept back", 3, marks(&|row| row.validation?.outcome.loss())),
    ];
    let plot = Plot::new("curve", name, Axis::linear("steps"), Axis::linear("cross-entropy"), series);
    write_file(path, &plot.to_svg("tesuji train net")).with_context(|| path.display().to_string())
}
