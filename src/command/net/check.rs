//! `tesuji net check`: are these files networks, do they answer, and do this machine's kernels say the same as the slow, obvious
//! forward pass?

use crate::say::say;
use anyhow::{Context, ensure};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_board::{Game, KoRule, Rules, Scoring, Size};
use tesuji_net::input::{Encoder, Layout, Line, Planes};
use tesuji_net::model::{Boards, Model};
use tesuji_net::output::{Decoder, Evaluation, Logits, Question};
use tesuji_net::{Input, Isa, Network, load, reference};

/// The board that a network for any size is asked about: not a square, so that rows and columns cannot be mistaken.
const WIDTH: usize = 9;
const HEIGHT: usize = 7;
/// How far a probability or an owner may be off in f32.
const TOLERANCE: f32 = 0.001;

#[derive(Args)]
pub(crate) struct Options {
    /// Networks: KataGo's .bin.gz or .txt.gz, or our .safetensors.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut errors = 0;
        for path in &self.files {
            match check(path) {
                Ok(answer) => say!("{}: {answer}", path.display()),
                Err(error) => {
                    say!("{error:#}");
                    errors += 1;
                }
            }
        }
        say!("{} files, {errors} errors", self.files.len());
        Ok(if errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Reads a network and asks it; answers what it said.
fn check(path: &Path) -> anyhow::Result<String> {
    let model = load(path)?;
    let (width, height) = match model.boards {
        Boards::Any => (WIDTH, HEIGHT),
        Boards::Only { width, height } => (width, height),
    };
    let size = Size::new(width, height)?;
    let evaluation = ask(&model, size).with_context(|| format!("{}: no answer", path.display()))?;
    let mut answer = format!("{}, {} weights, good; empty {size}:", model.name, model.parameters());
    if let Some(outcome) = evaluation.outcome {
        answer += &format!(" Black wins {:.1} %", 100.0 * outcome.win_rate());
    }
    if let Some(lead) = evaluation.lead {
        answer += &format!(" by {lead:.1}");
    }
    let best = evaluation.policy.iter().copied().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((place, probability)) = best {
        let point = size.points().nth(place).map(|point| point.to_gtp(size)).unwrap_or_default();
        answer += &format!(" with {point} ({:.1} %)", 100.0 * probability);
    }
    Ok(answer)
}

/// Asks about the empty board, with the best kernels of this machine and without, and compares.
fn ask(model: &Model, size: Size) -> anyhow::Result<Evaluation> {
    let game = Game::new(size, Rules::default());
    let line = Line::from_game(&game, game.to_move());
    let mut encoded = Planes::new(size);
    Encoder::new(&model.input, size).encode(&line.view(), &mut encoded);
    let mut planes = vec![0.0; model.input.planes.len() * size.area()];
    encoded.write_planes(&model.input.planes, Layout::PlaneMajor, &mut planes)?;
    let mut globals = vec![0.0; model.input.globals.len()];
    encoded.write_globals(&model.input.globals, &mut globals)?;

    let no_result = game.rules().ko == KoRule::Simple || game.rules().scoring == Scoring::Territory;
    let question = Question { legal: &vec![true; size.area()], no_result, optimism: 0.0 };
    let decoder = Decoder::new(model);
    let mut logits = Logits::default();
    reference::evaluate(model, size, &planes, &globals, &mut logits)?;
    let mut exact = Evaluation::default();
    decoder.decode(&logits, question, &mut exact)?;

    let isa = Isa::best_exact();
    let mut session = Network::new(model, isa)?.session(size, 1).context("the board is not for it")?;
    session.evaluate(&[Input::Encoded(&encoded)], std::slice::from_mut(&mut logits))?;
    let mut fast = Evaluation::default();
    decoder.decode(&logits, question, &mut fast)?;
    let difference = difference(&exact, &fast);
    ensure!(difference <= TOLERANCE, "the kernels for {isa} are off by {difference}");
    Ok(exact)
}

/// The largest difference of a probability or an owner.
fn difference(exact: &Evaluation, fast: &Evaluation) -> f32 {
    let outcome = |evaluation: &Evaluation| evaluation.outcome.map(|outcome| [outcome.win, outcome.loss]);
    let (exact_outcome, fast_outcome) = (outcome(exact), outcome(fast));
    let lists = [
        (exact.policy.as_slice(), fast.policy.as_slice()),
        (&[exact.pass], &[fast.pass]),
        (&exact.ownership, &fast.ownership),
        (exact_outcome.as_slice().as_flattened(), fast_outcome.as_slice().as_flattened()),
    ];
    let pairs = lists.into_iter().flat_map(|(exact, fast)| exact.iter().zip(fast));
    pairs.map(|(exact, fast)| (exact - fast).abs()).fold(0.0, f32::max)
}
