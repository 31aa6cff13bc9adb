//! `tesuji net check`: are these files networks, and do they answer?

use crate::say::say;
use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tesuji_board::{Game, KoRule, Rules, Scoring, Size};
use tesuji_net::input::{Encoder, Layout, Line, Planes};
use tesuji_net::model::{Boards, Model};
use tesuji_net::output::{Decoder, Evaluation, Logits, Question};
use tesuji_net::{load, reference};

/// The board that a network for any size is asked about: not a square, so that rows and columns cannot be mistaken.
const WIDTH: usize = 9;
const HEIGHT: usize = 7;

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

fn ask(model: &Model, size: Size) -> anyhow::Result<Evaluation> {
    let rules = Rules::default();
    let game = Game::new(size, rules);
    let line = Line::from_game(&game, game.to_move());
    let mut planes = Planes::new(size);
    Encoder::new(&model.input, size).encode(&line.view(), &mut planes);
    let mut values = vec![0.0; model.input.planes.len() * size.area()];
    planes.write_planes(&model.input.planes, Layout::PlaneMajor, &mut values)?;
    let mut globals = vec![0.0; model.input.globals.len()];
    planes.write_globals(&model.input.globals, &mut globals)?;
    let mut logits = Logits::default();
    reference::evaluate(model, size, &values, &globals, &mut logits)?;
    let no_result = game.rules().ko == KoRule::Simple || game.rules().scoring == Scoring::Territory;
    let question = Question { legal: &vec![true; size.area()], no_result, optimism: 0.0 };
    let mut evaluation = Evaluation::default();
    Decoder::new(model).decode(&logits, question, &mut evaluation)?;
    Ok(evaluation)
}
