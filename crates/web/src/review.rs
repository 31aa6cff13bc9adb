//! Reviews for the page: the game that is shown, position by position, with the results that `tesuji review` would write.
//!
//! The positions go through the same service as everybody's analysis, so a review keeps nobody waiting. Whoever stops it gets what is known so far.

use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tesuji_analysis::Service;
use tesuji_board::{Color, Game, Rules};
use tesuji_engine::Settings;
use tesuji_review::{Depth, Finding, Loss, Phase, Review, analyze, annotate, page, usual_visits};
use tesuji_sgf::{Collection, GameRecord, GameTree, parse, write};

use crate::worker::Leash;

/// Mistakes that are looked at again and listed.
const MISTAKES: usize = 10;
/// How many times as many visits the positions around mistakes get.
const DEEPER: u64 = 5;
/// Most seconds for one review.
const MAX_SECONDS: f64 = 3600.0;
/// How often progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// What reviews games.
pub(crate) struct Reviewer {
    pub(crate) service: Arc<Service>,
    /// How the service searches.
    pub(crate) settings: Settings,
}

/// A game that is to be reviewed: the main line of the first one in an SGF text.
#[derive(Deserialize)]
pub(crate) struct Wish {
    sgf: String,
    #[serde(default = "default_seconds")]
    seconds: f64,
}

fn default_seconds() -> f64 {
    240.0
}

/// A game as it will be reviewed.
pub(crate) struct Reviewed {
    tree: GameTree,
    record: GameRecord,
    game: Game,
    time: Duration,
}

impl Wish {
    /// Reads the game, or says why it cannot be reviewed.
    pub(crate) fn read(&self) -> Result<Reviewed, String> {
        let mut games = parse(self.sgf.as_bytes()).map_err(|error| error.to_string())?.collection.games;
        if games.is_empty() {
            return Err("there is no game".to_owned());
        }
        let tree = games.swap_remove(0);
        let record = GameRecord::from_tree(&tree).map_err(|error| error.to_string())?;
        let game =
            record.replay_leniently(record.rules_or(Rules::default())).map_err(|error| error.to_string())?;
        if game.move_number() == 0 {
            return Err("there are no moves to review".to_owned());
        }
        if !(0.0..=MAX_SECONDS).contains(&self.seconds) {
            return Err(format!("seconds: {} is no time from 0 to {MAX_SECONDS} seconds", self.seconds));
        }
        Ok(Reviewed { tree, record, game, time: Duration::from_secs_f64(self.seconds) })
    }
}

impl Reviewer {
    /// Reviews a game, telling now and then what is known.
    pub(crate) fn review(&self, wish: Reviewed, leash: &Leash, progress: &dyn Fn(Value)) -> Value {
        let Reviewed { mut tree, record, game, time } = wish;
        let visits = usual_visits(&self.settings, game.size());
        let depth = Depth { visits, factor: DEEPER, mistakes: MISTAKES, time };
        let mut review = Review::new(game);
        let (started, told) = (Instant::now(), Cell::new(None::<Instant>));
        let mut values: Vec<Option<(f64, f64)>> = vec![None; review.turns().len()];
        let mut learn = |finding: &Finding, left: usize| {
            if let Some(value) = values.get_mut(finding.turn) {
                *value = Some((finding.win_rate, finding.lead));
            }
            if told.get().is_none_or(|told| told.elapsed() >= PROGRESS_INTERVAL) {
                told.set(Some(Instant::now()));
                let is_deep = values.iter().all(Option::is_some);
                progress(json!({ "values": values, "left": left, "isDeep": is_deep }));
            }
        };
        let late = time + time / 10 + Duration::from_secs(5);
        let stops = || leash.stop_flag().load(Ordering::Relaxed) || started.elapsed() > late;
        let is_complete = analyze(&self.service, &mut review, &depth, &mut learn, &stops);
        annotate(&mut tree, &review, MISTAKES);
        let findings: Vec<&Finding> = review.turns().filter_map(|turn| review.finding(turn)).collect();
        json!({
            "isComplete": is_complete,
            "seconds": started.elapsed().as_secs_f64(),
            "findings": findings,
            "mistakes": review.mistakes(MISTAKES).iter().map(|loss| mistake(&review, loss)).collect::<Vec<_>>(),
            "phases": Phase::ALL.map(|phase| lost(&review, phase)),
            "html": page(&review, &record, MISTAKES),
            "sgf": write(&Collection { games: vec![tree] }),
        })
    }
}

fn mistake(review: &Review, loss: &Loss<'_>) -> Value {
    json!({
        "number": loss.number,
        "color": loss.color.letter().to_string(),
        "move": loss.mv.to_gtp(review.game().size()),
        "points": loss.points,
        "winRate": loss.win_rate,
        "better": loss.better.map(|better| &better.variation),
    })
}

fn lost(review: &Review, phase: Phase) -> Value {
    let side = |color| {
        let (points, moves) = review.lost(color, phase);
        json!({ "points": points, "moves": moves })
    };
    json!({ "name": phase.name(), "black": side(Color::Black), "white": side(Color::White) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sgf: &str, seconds: f64) -> Result<Reviewed, String> {
        Wish { sgf: sgf.to_owned(), seconds }.read()
    }

    #[test]
    fn what_cannot_be_reviewed_is_said() {
        for (sgf, seconds, part) in [
            ("", 1.0, "expected a game"),
            ("(;SZ[9])", 1.0, "no moves"),
            ("(;SZ[9];B[ee];W[ee])", 1.0, "move 2"),
            ("(;SZ[9];B[ee])", -1.0, "seconds"),
            ("(;SZ[9];B[ee])", f64::NAN, "seconds"),
        ] {
            let error = read(sgf, seconds).err().unwrap_or_default();
            assert!(error.contains(part), "{sgf}: {error}");
        }
        assert_eq!(read("(;SZ[9];B[ee];W[cc])", 1.0).unwrap().game.move_number(), 2);
    }
}
