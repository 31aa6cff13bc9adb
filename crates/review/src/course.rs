//! The course of a review: every position, then the mistakes again and longer.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tesuji_analysis::Service;
use tesuji_board::{Color, Game, Size};
use tesuji_engine::Settings;

use crate::finding::Finding;
use crate::loss::Review;

/// Visits of every position unless somebody says otherwise.
const VISITS: u64 = 400;
/// The same with a network, whose visits are worth more and take longer.
const VISITS_WITH_NET: u64 = 60;

/// Visits of every position unless somebody says otherwise: fewer if a network looks at boards of this size. Waits until it is loaded.
pub fn usual_visits(settings: &Settings, size: Size) -> u64 {
    let has_net = settings.search.asks_network() && settings.net.wait(size).is_some();
    if has_net { VISITS_WITH_NET } else { VISITS }
}

/// How thorough a review is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// Visits of every position.
    pub visits: u64,
    /// How many times as many the positions around mistakes get.
    pub factor: u64,
    /// Mistakes that are looked at again.
    pub mistakes: usize,
    /// Time for everything.
    pub time: Duration,
}

/// The part of the time that the first look at every position may take.
const FIRST_PART: f64 = 0.65;
/// How often somebody is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(50);

/// Analyses what `review` does not know yet, and tells `learn` of every finding with the number of positions still to come. Ends when
/// all is known, the time is over, or `stops`; whether all is known.
pub fn analyze(
    service: &Service,
    review: &mut Review,
    depth: &Depth,
    learn: &mut dyn FnMut(&Finding, usize),
    stops: &dyn Fn() -> bool,
) -> bool {
    let started = Instant::now();
    let first = Stage {
        turns: review.turns().filter(|&turn| review.finding(turn).is_none()).collect(),
        visits: depth.visits,
        until: started + depth.time.mul_f64(FIRST_PART),
    };
    // Late positions get their share too, even if the machine is slow.
    if !first.run(service, review, learn, stops) {
        return false;
    }
    let deep = depth.visits.saturating_mul(depth.factor);
    let wanted = review.turns_of_mistakes(depth.mistakes);
    let second = Stage {
        turns: wanted.into_iter().filter(|&turn| review.visits(turn) < deep).collect(),
        visits: deep,
        until: started + depth.time,
    };
    second.run(service, review, learn, stops)
}

/// Some positions to the same depth.
struct Stage {
    turns: Vec<usize>,
    visits: u64,
    until: Instant,
}

impl Stage {
    fn run(
        &self,
        service: &Service,
        review: &mut Review,
        learn: &mut dyn FnMut(&Finding, usize),
        stops: &dyn Fn() -> bool,
    ) -> bool {
        let mut left = self.turns.len();
        if left == 0 {
            return true;
        }
        let time = self.until.saturating_duration_since(Instant::now());
        let seconds = (time.as_secs_f64() * service.workers() as f64 / left as f64).max(0.05);
        let (sender, replies) = channel();
        let connection = service.connect(move |reply| drop(sender.send(reply)));
        connection.send(&self.query(review.game(), seconds).to_string());
        while left > 0 {
            match replies.recv_timeout(PATIENCE) {
                Ok(reply) => {
                    let reply: Value = serde_json::from_str(&reply).unwrap_or_default();
                    left -= 1;
                    if let Some(finding) = Finding::of_reply(&reply) {
                        learn(&finding, left);
                        review.learn(finding);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return false,
            }
            if stops() {
                return false;
            }
        }
        true
    }

    fn query(&self, game: &Game, seconds: f64) -> Value {
        let size = game.size();
        let name = |color: Color| if color == Color::Black { "B" } else { "W" };
        let board = game.initial_board();
        let stones =
            size.points().filter_map(|point| Some(json!([name(board.color(point)?), point.to_gtp(size)])));
        let moves = game.moves().iter().map(|&(color, mv)| json!([name(color), mv.to_gtp(size)]));
        let word = |value| match value {
            tesuji_board::RuleValue::Switch(switch) => json!(switch),
            tesuji_board::RuleValue::Word(word) => json!(word),
        };
        let rules: Map<String, Value> =
            game.rules().entries().map(|(key, value)| (key.to_owned(), word(value))).collect();
        json!({
            "id": "review",
            "boardXSize": size.width(), "boardYSize": size.height(),
            "rules": rules, "komi": game.rules().komi,
            "initialStones": stones.collect::<Vec<_>>(), "initialPlayer": name(game.first_to_move()),
            "moves": moves.collect::<Vec<_>>(),
            "analyzeTurns": self.turns,
            "maxVisits": self.visits,
            "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "maxTime": seconds },
        })
    }
}
