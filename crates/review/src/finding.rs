//! What an analysis says of one position.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tesuji_board::{Color, Move, Size};

/// What is known of the position after some moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Number of moves before it.
    pub turn: usize,
    /// Simulations that it rests on.
    pub visits: u64,
    /// Black's chance, 0 to 1.
    pub win_rate: f64,
    /// Points by which Black leads.
    pub lead: f64,
    /// The best moves, best first.
    pub candidates: Vec<Candidate>,
}

/// One move of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Simulations through it.
    pub visits: u64,
    /// Black's chance after it.
    pub win_rate: f64,
    /// Points by which Black then leads.
    pub lead: f64,
    /// The move and how play goes on, as in GTP.
    pub variation: Vec<String>,
}

/// Moves that are kept of a position.
const CANDIDATES: usize = 5;
/// Moves of a variation that are kept.
const LONGEST: usize = 12;

impl Finding {
    /// Reads the last reply to a query whose values are Black's; nothing if it is another message.
    pub(crate) fn of_reply(reply: &Value) -> Option<Finding> {
        if reply["isDuringSearch"] != false {
            return None;
        }
        let root = reply.get("rootInfo")?;
        let candidate = |info: &Value| {
            let words = info["pv"].as_array()?.iter().take(LONGEST);
            Some(Candidate {
                visits: info["visits"].as_u64()?,
                win_rate: info["winrate"].as_f64()?,
                lead: info["scoreLead"].as_f64()?,
                variation: words.filter_map(|word| word.as_str().map(str::to_owned)).collect(),
            })
        };
        Some(Finding {
            turn: reply["turnNumber"].as_u64()? as usize,
            visits: root["visits"].as_u64()?,
            win_rate: root["winrate"].as_f64()?,
            lead: root["scoreLead"].as_f64()?,
            candidates: reply["moveInfos"]
                .as_array()?
                .iter()
                .take(CANDIDATES)
                .filter_map(candidate)
                .collect(),
        })
    }
}

impl Candidate {
    /// The variation as moves; it ends where a word is none.
    pub fn moves(&self, size: Size) -> Vec<Move> {
        self.variation.iter().map_while(|word| Move::from_gtp(word, size).ok()).collect()
    }

    /// The variation with the colours of a player who begins.
    pub fn colored_moves(&self, size: Size, first: Color) -> Vec<(Color, Move)> {
        let colors = std::iter::successors(Some(first), |&color| Some(!color));
        colors.zip(self.moves(size)).collect()
    }
}
