//! `tesuji rank`: how strong the players of games are, by their moves.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use tesuji_board::{Color, Game, Rules};
use tesuji_engine::{Evidence, Imitator};
use tesuji_sgf::{GameRecord, parse};

use crate::say::say;

/// The side of the boards that ranks were learned on.
const LEARNED_SIDE: usize = 9;

#[derive(Args)]
pub(crate) struct Options {
    /// Games: SGF files. All games of a player are judged together.
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
            let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
            let parsed = parse(&bytes).with_context(|| format!("{shown} is no SGF"))?;
            for tree in &parsed.collection.games {
                let record = GameRecord::from_tree(tree).with_context(|| shown.clone())?;
                let game = record
                    .replay_leniently(record.rules_or(Rules::default()))
                    .with_context(|| shown.clone())?;
                is_foreign |= !(game.size().is_square() && game.size().width() == LEARNED_SIDE);
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
            say!("{name}: {} ({games} {plural}, {} moves)", describe(evidence), evidence.moves());
        }
        if is_foreign {
            eprintln!("warning: ranks were learned on 9x9; other boards allow no more than a guess");
        }
        Ok(())
    }
}

/// What the moves of a player say about the rank.
pub(crate) fn evidence(imitator: &mut Imitator, game: &Game, color: Color) -> Evidence {
    let mut evidence = Evidence::default();
    visit(game, |position, mover, mv| {
        if mover == color
            && mv.point().is_some()
            && let Some(probabilities) = imitator.probabilities(position, color, mv)
        {
            evidence.add(&probabilities);
        }
    });
    evidence
}

/// Calls `look` with every position of a game and the move that was played in it.
pub(crate) fn visit(game: &Game, mut look: impl FnMut(&Game, Color, tesuji_board::Move)) {
    let mut position = game.clone();
    while position.move_number() > 0 {
        let Some((color, mv)) = position.last_move() else { return };
        if position.undo(1).is_err() {
            return;
        }
        look(&position, color, mv);
    }
}

/// The rank with its interval, for people.
pub(crate) fn describe(evidence: &Evidence) -> String {
    let estimate = evidence.estimate();
    let (low, high) = estimate.interval;
    format!("plays like {} (90 %: {low} to {high}; OGS ranks of 2014–20)", estimate.rank)
}
