//! What a solver finds out about a problem.

use crate::problem::Threats;
use crate::side::Side;
use serde::{Deserialize, Serialize};
use std::fmt;
use tesuji_board::{Move, Size};

/// What becomes of the target when both sides play their best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It lives whatever the threats.
    Lives,
    /// It dies whatever the threats.
    Dies,
    /// It depends on who has more ko threats.
    Ko(Ko),
    /// A limit was reached before there was a proof.
    Unknown,
}

/// A ko for the life of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ko {
    /// Who wins it if nobody has a threat: the side that takes first, in the common case.
    pub favours: Side,
    /// How many threats the other side needs against none.
    pub needs: Needs,
}

/// A number of ko threats that changes the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Needs {
    /// One is enough.
    One,
    /// Two are needed.
    Two,
    /// More than two.
    Many,
}

impl Needs {
    /// The threats themselves.
    pub fn threats(self) -> Threats {
        match self {
            Needs::One => Threats::Number(1),
            Needs::Two => Threats::Number(2),
            Needs::Many => Threats::Unlimited,
        }
    }

    fn verb_ending(self) -> &'static str {
        if self == Needs::One { "s" } else { "" }
    }

    /// The most threats that are not enough.
    pub fn too_few(self) -> Threats {
        match self {
            Needs::One => Threats::NONE,
            Needs::Two => Threats::Number(1),
            Needs::Many => Threats::Number(2),
        }
    }
}

impl Fate {
    /// Reads a fate in the words in which it is printed.
    pub fn parse(text: &str) -> Option<Fate> {
        let kos = [Side::Attacker, Side::Defender].into_iter().flat_map(|favours| {
            [Needs::One, Needs::Two, Needs::Many].map(|needs| Fate::Ko(Ko { favours, needs }))
        });
        let mut all = [Fate::Lives, Fate::Dies, Fate::Unknown].into_iter().chain(kos);
        all.find(|fate| fate.to_string() == text)
    }

    /// The threats, attacker's first, with which the side to move reaches this fate only by its best moves: it has as few as
    /// are enough, or the opponent as many as do not help. Where the side to move fails anyway, it has no end of them.
    pub fn decisive_threats(self, mover: Side) -> [Threats; 2] {
        let (movers, opponents) = match self {
            Fate::Ko(ko) if ko.favours == mover => (Threats::NONE, ko.needs.too_few()),
            Fate::Ko(ko) => (ko.needs.threats(), Threats::NONE),
            Fate::Lives if mover == Side::Attacker => (Threats::Unlimited, Threats::NONE),
            Fate::Dies if mover == Side::Defender => (Threats::Unlimited, Threats::NONE),
            _ => (Threats::NONE, Threats::Unlimited),
        };
        by_side(mover, movers, opponents)
    }

    /// The threats, attacker's first, with which every first move succeeds that reaches this fate or a better or worse ko of the
    /// same kind: none where the ko favours the side to move, and no end of its own where it does not.
    pub fn level_threats(self, mover: Side) -> [Threats; 2] {
        match self {
            Fate::Ko(ko) if ko.favours == mover => [Threats::NONE; 2],
            Fate::Ko(_) => by_side(mover, Threats::Unlimited, Threats::NONE),
            _ => self.decisive_threats(mover),
        }
    }
}

fn by_side(mover: Side, movers: Threats, opponents: Threats) -> [Threats; 2] {
    match mover {
        Side::Attacker => [movers, opponents],
        Side::Defender => [opponents, movers],
    }
}

impl fmt::Display for Needs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Needs::One => "one threat",
            Needs::Two => "two threats",
            Needs::Many => "many threats",
        })
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Lives => f.write_str("lives"),
            Fate::Dies => f.write_str("dies"),
            Fate::Ko(Ko { favours: Side::Attacker, needs }) => {
                write!(f, "ko: dies without threats; {needs} save{} it", needs.verb_ending())
            }
            Fate::Ko(Ko { favours: Side::Defender, needs }) => {
                write!(f, "ko: lives without threats; {needs} kill{} it", needs.verb_ending())
            }
            Fate::Unknown => f.write_str("unknown"),
        }
    }
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// The target is captured, or the capture cannot be prevented.
    Captured,
    /// The target is unconditionally alive.
    Alive,
    /// The attacker has no move left that does not lose something, and gives up.
    NoMove,
    /// The position comes again: the target lives.
    Repetition,
    /// The position comes again, and each round costs the defender a threat: the target dies.
    ThreatsRunOut,
    /// The proof of the rest was not at hand.
    Open,
}

impl fmt::Display for LineEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineEnd::Captured => "captured",
            LineEnd::Alive => "alive",
            LineEnd::NoMove => "no useful move left",
            LineEnd::Repetition => "repetition",
            LineEnd::ThreatsRunOut => "and so on, each round costs the defender a threat",
            LineEnd::Open => "…",
        })
    }
}

/// A line of play from a position of the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Moves of both sides in turn.
    pub moves: Vec<Move>,
    /// Which of them retake a ko at once: after a threat elsewhere, and its answer.
    pub after_threat: Vec<usize>,
    /// What stands at its end.
    pub end: LineEnd,
}

impl Line {
    /// The moves as GTP has them, and how it ends.
    pub fn to_gtp(&self, size: Size) -> String {
        let name = |(at, mv): (usize, &Move)| {
            let threat = if self.after_threat.contains(&at) { "(threat) " } else { "" };
            format!("{threat}{}", mv.to_gtp(size))
        };
        let moves: Vec<String> = self.moves.iter().enumerate().map(name).collect();
        format!("{} ({})", moves.join(" "), self.end)
    }

    /// The same line with a move before it.
    pub(crate) fn after(mut self, mv: Move, is_after_threat: bool) -> Line {
        self.moves.insert(0, mv);
        self.after_threat.iter_mut().for_each(|at| *at += 1);
        if is_after_threat {
            self.after_threat.insert(0, 0);
        }
        self
    }
}

/// How much to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The fate of the target.
    Fate,
    /// And a best first move, with a line of play.
    Line,
    /// And all best first moves.
    AllMoves,
    /// And for each other first move a line that refutes it.
    Refutations,
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What becomes of the target.
    pub fate: Fate,
    /// Whether the principal line comes to a seki: a position in which the target and a chain of the attacker beside it are both
    /// proved to be safe, whoever moves first.
    pub is_seki: bool,
    /// First moves that reach the fate, if it is better for the side to move than failure; all of them from
    /// [`Detail::AllMoves`] on.
    pub best_moves: Vec<Move>,
    /// First moves that succeed as well as the best do, if the number of threats is not counted: all that live, or kill, or reach
    /// a ko that favours the same side. From [`Detail::AllMoves`] on.
    pub right_moves: Vec<Move>,
    /// First moves of which no proof was found within the limits.
    pub undecided: Vec<Move>,
    /// Best play of both sides.
    pub line: Line,
    /// Other first moves, each with a line that starts with it.
    pub refutations: Vec<Line>,
    /// Nodes searched.
    pub nodes: u64,
}

impl Solution {
    /// The fate in words, with what is known of the way of life: two eyes, seki, or a fight without end.
    pub fn verdict(&self) -> String {
        let way = match self.line.end {
            _ if self.fate != Fate::Lives => "",
            _ if self.is_seki => " in seki",
            LineEnd::Repetition => " by repetition",
            LineEnd::NoMove | LineEnd::Open if !self.line.moves.is_empty() => " (seki not excluded)",
            _ => "",
        };
        format!("{}{way}", self.fate)
    }

    /// Whether the side to move reaches its goal without condition; nothing if unknown or a ko.
    pub fn succeeds(&self, mover: Side) -> Option<bool> {
        match self.fate {
            Fate::Lives => Some(mover == Side::Defender),
            Fate::Dies => Some(mover == Side::Attacker),
            Fate::Ko(_) | Fate::Unknown => None,
        }
    }
}
