//! `tesuji rank`: how strong the players of games are, by their moves.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_board::{Color, Rules};
use tesuji_engine::{Evidence, Imitator};
use tesuji_review::{describe_rank, evidence, knows_ranks_on};
use tesuji_sgf::{GameRecord, read};

use crate::argument;
use crate::say::say;

#[derive(Args)]
pub(crate) struct Options {
    /// Games: .sgf, .gib or .ngf files; - is standard input. All games of a player are judged together.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only this player, by name.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
}

/// What is known of a player.
#[derive(Default)]
struct Known {
    games: usize,
    evidence: Evidence,
}

impl Options {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut players: BTreeMap<String, Known> = BTreeMap::new();
        let mut imitator = Imitator::default();
        let mut is_foreign = false;
        for path in &self.files {
            let shown = path.display().to_string();
            let bytes = argument::read(path)?;
            let parsed = read(&bytes).with_context(|| format!("{shown} is no game record"))?;
            for tree in &parsed.collection.games {
                let record = GameRecord::from_tree(tree).with_context(|| shown.clone())?;
                let game = record
                    .replay_leniently(record.rules_or(Rules::default()))
                    .with_context(|| shown.clone())?;
                is_foreign |= !knows_ranks_on(&game);
                for (color, name) in [(Color::Black, &record.black_name), (Color::White, &record.white_name)]
                {
                    let side = if color == Color::Black { "Black" } else { "White" };
                    let name = if name.is_empty() { format!("{side} of {shown}") } else { name.clone() };
                    if self.player.as_ref().is_none_or(|player| *player == name) {
                        let known = players.entry(name).or_default();
                        known.games += 1;
                        known.evidence.join(&evidence(&mut imitator, &game, color));
                    }
                }
            }
        }
        ensure!(players.values().any(|known| known.evidence.moves() > 0), "there is no move to judge");
        for (name, Known { games, evidence }) in &players {
            let plural = if *games == 1 { "game" } else { "games" };
            say!("{name}: {} ({games} {plural}, {} moves)", describe_rank(evidence), evidence.moves());
        }
        if is_foreign {
            eprintln!("warning: ranks were learned on 9x9; other boards allow no more than a guess");
        }
        Ok(())
    }
}
