//! What is told of a search, in KataGo's words.
//!
//! Values are for whoever the query wants them for, lower bounds too: seen from the other side a lower bound is an upper one,
//! as in KataGo. Ownership is from 1, all theirs, to −1; the policy is in reading order with the pass last, −1 where a move is illegal.

use serde_json::{Map, Value, json};
use tesuji_board::{Color, Game, Point, canonical_hash};
use tesuji_net::output::Evaluation;
use tesuji_search::{MoveReport, Report};

use crate::query::Query;

/// A reply about a position of which nothing is known.
pub(crate) fn nothing(id: &str, turn: usize) -> Value {
    json!({ "id": id, "isDuringSearch": false, "noResults": true, "turnNumber": turn })
}

/// What a search is about.
pub(crate) struct Subject<'a> {
    pub(crate) query: &'a Query,
    pub(crate) turn: usize,
    pub(crate) game: &'a Game,
    /// What the network thinks of the position.
    pub(crate) opinion: Option<&'a Evaluation>,
    /// What people of a rank play in it.
    pub(crate) people: Option<&'a Evaluation>,
}

impl Subject<'_> {
    /// A reply with everything that is known.
    pub(crate) fn describe(&self, report: &Report, is_during_search: bool) -> Value {
        let visited = report.moves.iter().filter(|mv| mv.visits > 0);
        let moves: Vec<Value> = visited.enumerate().map(|(order, mv)| self.move_info(mv, order)).collect();
        if moves.is_empty() {
            return nothing(&self.query.id, self.turn);
        }
        let mut reply = json!({
            "id": self.query.id,
            "isDuringSearch": is_during_search,
            "turnNumber": self.turn,
            "moveInfos": moves,
            "rootInfo": self.root_info(report),
        });
        if self.query.wants.ownership {
            reply["ownership"] = self.ownership(&report.black_ownership);
        }
        if self.query.wants.policy {
            reply["policy"] = self.policy(report);
            if let Some(people) = self.people {
                reply["humanPolicy"] = self.human_policy(people);
            }
        }
        reply
    }

    fn move_info(&self, mv: &MoveReport, order: usize) -> Value {
        let size = self.game.size();
        let lead = self.score(mv.score_lead);
        let variation: Vec<String> = mv.variation.iter().map(|mv| mv.to_gtp(size)).collect();
        let mut info = json!({
            "move": mv.mv.to_gtp(size),
            "order": order,
            "visits": mv.visits,
            "edgeVisits": mv.visits,
            "weight": mv.visits as f64,
            "edgeWeight": mv.visits as f64,
            "playSelectionValue": mv.visits as f64,
            "winrate": self.chance(mv.win_rate),
            "lcb": self.chance(mv.lower_bound),
            "utility": self.score(2.0 * mv.win_rate - 1.0),
            "utilityLcb": self.score(2.0 * mv.lower_bound - 1.0),
            "scoreLead": lead,
            "scoreMean": lead,
            "scoreSelfplay": lead,
            "scoreStdev": rounded(mv.score_deviation),
            "prior": rounded(mv.prior),
            "pv": variation,
        });
        if let Some(people) = self.people {
            let probability =
                mv.mv.point().map_or(Some(&people.pass), |point| people.policy.get(size.ordinal(point)));
            info["humanPrior"] = json!(rounded(probability.copied().unwrap_or(0.0)));
        }
        if self.query.wants.variation_visits {
            info["pvVisits"] = json!(mv.variation_visits);
            info["pvEdgeVisits"] = json!(mv.variation_visits);
        }
        if self.query.focus.by_move && !mv.black_ownership.is_empty() {
            info["ownership"] = self.ownership(&mv.black_ownership);
        }
        info
    }

    fn root_info(&self, report: &Report) -> Value {
        let lead = self.score(report.score_lead);
        let (hash, symmetric) = hashes(self.game);
        let mut info = json!({
            "currentPlayer": if self.to_move() == Color::Black { "B" } else { "W" },
            "visits": report.visits,
            "weight": report.visits as f64,
            "winrate": self.chance(report.win_rate),
            "utility": self.score(2.0 * report.win_rate - 1.0),
            "scoreLead": lead,
            "scoreSelfplay": lead,
            "scoreStdev": rounded(report.score_deviation),
            "thisHash": hash,
            "symHash": symmetric,
        });
        if let (Some(opinion), Some(info)) = (self.opinion, info.as_object_mut()) {
            self.add_opinion(opinion, info);
        }
        info
    }

    /// What the network says without any search.
    fn add_opinion(&self, opinion: &Evaluation, info: &mut Map<String, Value>) {
        if let Some(outcome) = opinion.outcome {
            info.insert("rawWinrate".to_owned(), json!(self.chance(outcome.win_rate())));
            info.insert("rawNoResultProb".to_owned(), json!(rounded(outcome.no_result)));
        }
        let scores = [("rawLead", opinion.lead), ("rawScoreSelfplay", opinion.score_mean)];
        for (name, score) in scores {
            if let Some(score) = score {
                info.insert(name.to_owned(), json!(self.score(score)));
            }
        }
        let deviation = opinion.score_mean.zip(opinion.score_square);
        let deviation = deviation.map(|(mean, square)| (square - mean * mean).max(0.0).sqrt());
        let plain = [
            ("rawScoreSelfplayStdev", deviation),
            ("rawStWrError", opinion.short_term_value_error),
            ("rawStScoreError", opinion.short_term_score_error),
            ("rawVarTimeLeft", opinion.variance_time),
        ];
        for (name, value) in plain {
            if let Some(value) = value {
                info.insert(name.to_owned(), json!(rounded(value)));
            }
        }
    }

    /// In the order of the policy.
    fn human_policy(&self, people: &Evaluation) -> Value {
        let of = |(point, &probability): (Point, &f32)| {
            let is_legal = self.game.legality(self.to_move(), point).is_ok();
            if is_legal { rounded(probability) } else { -1.0 }
        };
        let points = self.game.size().points().zip(&people.policy).map(of);
        points.chain([rounded(people.pass)]).collect()
    }

    fn policy(&self, report: &Report) -> Value {
        let (size, color) = (self.game.size(), self.to_move());
        let network = self.opinion.filter(|opinion| opinion.policy.len() == size.area());
        let mut policy = vec![0.0; size.area() + 1];
        match network {
            Some(opinion) => {
                policy[..size.area()].copy_from_slice(&opinion.policy);
                policy[size.area()] = opinion.pass;
            }
            None => {
                for mv in &report.moves {
                    let place = mv.mv.point().map_or(size.area(), |point| size.ordinal(point));
                    policy[place] = mv.prior;
                }
            }
        }
        for (probability, point) in policy.iter_mut().zip(size.points()) {
            if self.game.legality(color, point).is_err() {
                *probability = -1.0;
            }
        }
        policy.into_iter().map(rounded).collect()
    }

    fn ownership(&self, black: &[f32]) -> Value {
        // Given for the side to move, a value is turned round exactly if a chance is.
        let is_blacks = self.query.perspective.flips(self.to_move()) != (self.to_move() == Color::Black);
        let sign = if is_blacks { 1.0 } else { -1.0 };
        black.iter().map(|own| (f64::from(sign * own) * 1e4).round() / 1e4 + 0.0).collect()
    }

    /// A probability for the side to move.
    fn chance(&self, probability: f32) -> f64 {
        rounded(if self.flips() { 1.0 - probability } else { probability })
    }

    /// A score for the side to move.
    fn score(&self, score: f32) -> f64 {
        rounded(if self.flips() { -score } else { score })
    }

    fn flips(&self) -> bool {
        self.query.perspective.flips(self.to_move())
    }

    fn to_move(&self) -> Color {
        self.game.to_move()
    }
}

/// Six digits after the point, and no minus in front of zero.
fn rounded(value: f32) -> f64 {
    if value.is_finite() { (f64::from(value) * 1e6).round() / 1e6 + 0.0 } else { 0.0 }
}

/// Names of the position, and of it up to symmetry: 32 hexadecimal digits of stones, and of ko and player.
fn hashes(game: &Game) -> (String, String) {
    let (board, size) = (game.board(), game.size());
    let (least, symmetry) = canonical_hash(board);
    let ko = board.ko_point(game.to_move());
    let rest = |ko: Option<usize>| {
        let number = ko.map_or(0, |ordinal| 2 + 2 * ordinal as u64) + game.to_move().index() as u64;
        let sides = (size.width() * 32 + size.height()) as u64;
        // Any odd multiplier spreads the digits.
        ((number << 10 | sides) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let here = rest(ko.map(|point| size.ordinal(point)));
    let there = rest(ko.map(|point| size.ordinal(symmetry.point(size, point))));
    (format!("{:016X}{here:016X}", board.hash()), format!("{least:016X}{there:016X}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Move, Rules, Size};

    #[test]
    fn a_symmetric_position_has_the_same_name_up_to_symmetry() {
        let named = |vertex: &str| {
            let size = Size::square(9).unwrap();
            let mut game = Game::new(size, Rules::default());
            game.play(Color::Black, Move::from_gtp(vertex, size).unwrap()).unwrap();
            hashes(&game)
        };
        let (c4, g4, d4) = (named("C4"), named("G4"), named("D4"));
        assert_ne!(c4.0, g4.0);
        assert_eq!(c4.1, g4.1);
        assert_ne!(c4.1, d4.1);
        assert_eq!((c4.0.len(), c4.1.len()), (32, 32));
    }
}
