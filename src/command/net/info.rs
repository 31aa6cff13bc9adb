//! `tesuji net info`: what a network is.

use crate::say::say;
use clap::Args;
use std::path::PathBuf;
use tesuji_net::load;
use tesuji_net::model::{
    Activation, Block, Boards, Family, InputSet, Model, PolicyOutput, ScoreOutput, ValueHead,
};

#[derive(Args)]
pub(crate) struct Options {
    /// A network: KataGo's .bin.gz or .txt.gz, or our .safetensors.
    file: PathBuf,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let model = load(&self.file)?;
        let provenance = &model.provenance;
        let or_unknown = |text: &str| if text.is_empty() { "not stated".to_owned() } else { text.to_owned() };
        for (key, value) in [
            ("name", model.name.clone()),
            ("kind", kind(&model)),
            ("boards", boards(&model)),
            ("input", input(&model)),
            ("trunk", trunk(&model)),
            ("policy", policy(&model)),
            ("value", value(&model)),
            ("weights", model.parameters().to_string()),
            ("rules", if provenance.rules.is_empty() { "any".to_owned() } else { provenance.rules.clone() }),
            ("licence", or_unknown(&provenance.licence)),
            ("origin", or_unknown(&provenance.origin)),
        ] {
            say!("{key:<9}{value}");
        }
        for (key, value) in [("data", &provenance.data), ("training", &provenance.training)] {
            if !value.is_empty() {
                say!("{key:<9}{value}");
            }
        }
        Ok(())
    }
}

fn kind(model: &Model) -> String {
    match model.family {
        Family::Katago { version } => format!("KataGo, version {version}"),
        Family::Paper => "plain convolutions, as in the Cygo paper".to_owned(),
        Family::Tesuji => "Tesuji".to_owned(),
    }
}

fn boards(model: &Model) -> String {
    match model.boards {
        Boards::Any => "any size".to_owned(),
        Boards::Only { width, height } => format!("{width}x{height} only"),
    }
}

fn input(model: &Model) -> String {
    let input = &model.input;
    let set = match input.set {
        InputSet::Katago7 => "KataGo's version 7",
        InputSet::People => "KataGo's version 7 with both players' ranks and the server",
        InputSet::PaperPolicy => "the paper's 48, for moves",
        InputSet::PaperValue => "the paper's 48, for values",
    };
    let part = if input.is_all() { "" } else { "part of " };
    format!("{} planes, {} global numbers: {part}{set}", input.planes.len(), input.globals.len())
}

fn trunk(model: &Model) -> String {
    let trunk = &model.trunk;
    let mut kinds = Vec::new();
    count(&trunk.blocks, &mut kinds);
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let end =
        trunk.tip.as_ref().map(|tip| tip.activation).or(trunk.stem_act.as_ref().map(|act| act.activation));
    format!(
        "{} channels, {} blocks ({}), first layer {}x{}, {}",
        trunk.channels,
        trunk.blocks.len(),
        kinds.join(", "),
        trunk.stem.width,
        trunk.stem.height,
        end.map_or("no activation", activation)
    )
}

/// Counts blocks by kind, those inside of others too.
fn count(blocks: &[Block], kinds: &mut Vec<(&'static str, usize)>) {
    for block in blocks {
        let kind = match block {
            Block::Plain(_) => "plain",
            Block::Residual(_) => "residual",
            Block::Pooling(_) => "pooling",
            Block::Bottleneck(_) => "bottleneck",
            Block::Attention(_) => "attention",
            Block::FeedForward(_) => "feed-forward",
        };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
        if let Block::Bottleneck(block) = block {
            count(&block.blocks, kinds);
        }
    }
}

fn activation(activation: Activation) -> &'static str {
    match activation {
        Activation::Identity => "no activation",
        Activation::Relu => "ReLU",
        Activation::Mish => "mish",
        Activation::Silu => "SiLU",
    }
}

fn policy(model: &Model) -> String {
    let Some(head) = &model.policy else { return "none".to_owned() };
    let names = head.outputs().iter().map(|output| match output {
        PolicyOutput::Move => "move",
        PolicyOutput::Optimistic => "optimistic move",
        PolicyOutput::Reply => "opponent's reply",
    });
    let names: Vec<&str> = names.collect();
    format!("{}{}", names.join(", "), if head.has_pass() { "" } else { "; no pass" })
}

fn value(model: &Model) -> String {
    let Some(head) = &model.value else { return "none".to_owned() };
    let mut names = match head.outcomes() {
        3 => vec!["win", "loss", "no result"],
        2 => vec!["win", "loss"],
        _ => vec!["win or loss"],
    };
    names.extend(head.scores().iter().map(|score| match score {
        ScoreOutput::Mean => "mean score",
        ScoreOutput::Stdev => "its deviation",
        ScoreOutput::Lead => "lead",
        ScoreOutput::VarianceTime => "time to the decision",
        ScoreOutput::ShortTermValueError => "error of the win rate",
        ScoreOutput::ShortTermScoreError => "error of the score",
    }));
    if matches!(head, ValueHead::Pooled(_)) && head.has_ownership() {
        names.push("ownership");
    }
    names.join(", ")
}
