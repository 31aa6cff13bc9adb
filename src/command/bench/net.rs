//! `tesuji bench net`: evaluations per second of CPU time, for each instruction set of this machine by turns.

use crate::say::say;
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;
use tesuji_board::{Game, Move, Rules, Size};
use tesuji_lab::stopwatch::thread_seconds;
use tesuji_net::input::{Encoder, Line, Planes};
use tesuji_net::model::{Model, ResidualPlan, residual};
use tesuji_net::output::Logits;
use tesuji_net::{Input, Isa, MAX_BATCH, Network, Reader};
use tesuji_search::Rng;
use tesuji_train::network::{Network as Trained, Normalization};

#[derive(Args)]
pub(crate) struct Options {
    /// A network; without one, a net of our own kind with random weights.
    file: Option<PathBuf>,
    /// Blocks of the net with random weights.
    #[arg(long, default_value_t = 6, conflicts_with = "file")]
    blocks: usize,
    /// Channels of the net with random weights.
    #[arg(long, default_value_t = 64, conflicts_with = "file")]
    channels: usize,
    /// Side of the board.
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// Positions that are evaluated together.
    #[arg(long, default_value_t = 1)]
    batch: usize,
    /// Threads, each with a session of its own.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Instruction set, may be repeated; by default all that this machine has but the portable one.
    #[arg(long, value_name = "NAME")]
    isa: Vec<Isa>,
    /// How often each instruction set has its turn.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of CPU time of a turn, per thread.
    #[arg(long, default_value_t = 0.2)]
    seconds: f64,
}

/// Positions that are evaluated in a circle; a multiple of every power of two up to the largest batch.
const POSITIONS: usize = 2 * MAX_BATCH;
/// Moves between two positions of a game.
const STRIDE: usize = 4;

/// Random points that are tried before a random player passes.
const TRIES: usize = 50;

/// What a turn came to.
#[derive(Clone, Copy, Default)]
struct Turn {
    evaluations: usize,
    cpu: f64,
    wall: f64,
}

impl Turn {
    fn add(&mut self, other: Turn) {
        self.evaluations += other.evaluations;
        self.cpu += other.cpu;
        self.wall += other.wall;
    }

    fn per_cpu_second(self) -> f64 {
        self.evaluations as f64 / self.cpu
    }
}

/// The turns of one instruction set.
struct Contender {
    reader: Reader,
    network: Network,
    /// With positions that were encoded before.
    bare: Turn,
    /// With encoding, legal moves and decoding.
    whole: Turn,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        ensure!((1..=MAX_BATCH).contains(&self.batch), "--batch must be from 1 to {MAX_BATCH}");
        ensure!(self.threads > 0 && self.rounds > 0, "--threads and --rounds must be at least 1");
        ensure!(self.seconds > 0.0, "--seconds must be positive");
        let size = Size::square(self.size)?;
        let started = Instant::now();
        let model = self.model()?;
        say!("net {} loaded in {:.1} ms", model.name, milliseconds(started));
        let lines = positions(size)?;
        let mut encoder = Encoder::new(&model.input, size);
        let encoded: Vec<Planes> = lines
            .iter()
            .map(|line| {
                let mut planes = Planes::new(size);
                encoder.encode(&line.view(), &mut planes);
                planes
            })
            .collect();
        let mut contenders = Vec::new();
        for isa in self.instruction_sets() {
            let started = Instant::now();
            let network = Network::new(&model, isa)?;
            let session = network.session(size, self.batch);
            session.with_context(|| format!("{} is not for boards of {size}", model.name))?;
            say!("{isa}: ready in {:.1} ms", milliseconds(started));
            let reader = Reader::new(&model, isa)?;
            contenders.push(Contender { reader, network, bare: Turn::default(), whole: Turn::default() });
        }
        for _ in 0..self.rounds {
            for contender in &mut contenders {
                let Contender { reader, network, .. } = &*contender;
                let bare = self.turn(|| self.evaluate_encoded(network, size, &encoded))?;
                let whole = self.turn(|| self.evaluate_lines(reader, size, &lines))?;
                contender.bare.add(bare);
                contender.whole.add(whole);
            }
        }
        for Contender { network, bare, whole, .. } in &contenders {
            say!(
                "isa {} size {size} batch {} threads {} evaluations/cpu-s {:.0} with-encoding/cpu-s {:.0} evaluations/s {:.0}",
                network.isa(),
                self.batch,
                self.threads,
                bare.per_cpu_second(),
                whole.per_cpu_second(),
                bare.evaluations as f64 / bare.wall,
            );
        }
        Ok(())
    }

    fn model(&self) -> anyhow::Result<Model> {
        if let Some(path) = &self.file {
            return Ok(tesuji_net::load(path)?);
        }
        let name = format!("{}x{}", self.blocks, self.channels);
        let description = residual(&name, &ResidualPlan::new(self.blocks, self.channels));
        description.check_description()?;
        let network = Trained::new(&description, Normalization::Batch)?;
        Ok(network.export(&network.initial_parameters(1), &network.initial_statistics()))
    }

    fn instruction_sets(&self) -> Vec<Isa> {
        if !self.isa.is_empty() {
            return self.isa.clone();
        }
        Isa::ALL.into_iter().filter(|&isa| isa != Isa::Portable && isa.is_available()).collect()
    }

    /// One turn of all threads; `worker` answers with evaluations and seconds of CPU time.
    fn turn(&self, worker: impl Fn() -> anyhow::Result<Turn> + Sync) -> anyhow::Result<Turn> {
        let mut total = Turn::default();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(&worker)).collect();
            for thread in threads {
                let turn = thread.join().map_err(|_| anyhow!("a thread has panicked"))??;
                let wall = total.wall.max(turn.wall);
                total.add(turn);
                total.wall = wall;
            }
            Ok(total)
        })
    }

    /// Repeats something that evaluates a batch until the time is over.
    fn repeat(&self, mut evaluate: impl FnMut(usize) -> anyhow::Result<()>) -> anyhow::Result<Turn> {
        evaluate(0)?;
        let (started, cpu) = (Instant::now(), thread_seconds());
        let mut turn = Turn::default();
        let mut place = 0;
        while turn.cpu < self.seconds {
            evaluate(place)?;
            place = (place + self.batch) % (POSITIONS - self.batch + 1);
            turn.evaluations += self.batch;
            turn.cpu = thread_seconds() - cpu;
        }
        turn.wall = started.elapsed().as_secs_f64();
        Ok(turn)
    }

    fn evaluate_encoded(&self, network: &Network, size: Size, encoded: &[Planes]) -> anyhow::Result<Turn> {
        let mut session = network.session(size, self.batch).context("another size")?;
        let inputs: Vec<Input<'_>> = encoded.iter().map(Input::Encoded).collect();
        let mut logits = vec![Logits::default(); self.batch];
        self.repeat(|place| Ok(session.evaluate(&inputs[place..place + self.batch], &mut logits)?))
    }

    fn evaluate_lines(&self, reader: &Reader, size: Size, lines: &[Line]) -> anyhow::Result<Turn> {
        let mut seat = reader.seat(size, self.batch).context("another size")?;
        self.repeat(|place| {
            for line in &lines[place..place + self.batch] {
                seat.add(&line.view(), 0);
            }
            Ok(seat.evaluate(0.0)?)
        })
    }
}

fn milliseconds(since: Instant) -> f64 {
    1e3 * since.elapsed().as_secs_f64()
}

/// Positions of random games, from the beginning to a board full of stones.
fn positions(size: Size) -> anyhow::Result<Vec<Line>> {
    let mut rng = Rng::new(1);
    let mut lines = Vec::new();
    while lines.len() < POSITIONS {
        let mut game = Game::new(size, Rules::default());
        for number in 0..size.area() {
            let points =
                (0..TRIES).filter_map(|_| size.point(rng.below(size.width()), rng.below(size.height())));
            let moves: Vec<Move> = points.map(Move::Play).chain([Move::Pass]).collect();
            let color = game.to_move();
            moves.into_iter().find(|&mv| game.play(color, mv).is_ok());
            if number % STRIDE == 0 && lines.len() < POSITIONS {
                lines.push(Line::from_game(&game, game.to_move()));
            }
        }
    }
    Ok(lines)
}
