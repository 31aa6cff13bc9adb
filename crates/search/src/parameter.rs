//! The numbers of a search, by name: one table that GTP, configuration files and the command line share.

use crate::go::GoOptions;
use crate::playout::{Context, Deleters, Order, Reach, ReplyScheme, Stored, TreeMoves};
use crate::select::{
    Proxy, ProxyAncestors, ProxyChosen, ProxyCount, ProxyEffect, ProxyFirst, ProxyMean, ProxyPlace,
    ProxySwitches, Puct, Rave, Select, Ucb1, Ucb1Tuned, Widened,
};
use std::fmt;

/// The values of all parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    values: Vec<f32>,
}

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is unless set.
    pub default: f32,
    /// Least allowed value.
    pub least: f32,
    /// Greatest allowed value.
    pub greatest: f32,
    /// What it does, with its source.
    pub description: &'static str,
}

const fn row(
    name: &'static str,
    default: f32,
    least: f32,
    greatest: f32,
    description: &'static str,
) -> Parameter {
    Parameter { name, default, least, greatest, description }
}

/// All parameters.
pub const PARAMETERS: &[Parameter] = &[
    row("expand-after", 3.0, 0.0, 1e6, "visits of a move before the tree grows below it (Fuego: 3)"),
    row(
        "mercy",
        0.3,
        0.0,
        1.0,
        "share of the points one side must lead by in stones to end a playout; 1 = never (Fuego: 0.3)",
    ),
    row("score-bonus", 0.02, 0.0, 1.0, "part of a playout's result that depends on the margin (Fuego: 0.02)"),
    row(
        "prior-weight",
        12.0,
        0.0,
        1e4,
        "simulations that the prior opinion of a move is worth (Fuego: 9 or 18)",
    ),
    row("rave-initial", 1.0, 1e-3, 1e6, "RAVE: weight of the first results against a real one (Fuego: 1)"),
    row("rave-final", 5000.0, 1e-3, 1e9, "RAVE: limit of the weight for many results (Fuego: 5000)"),
    row("rave-exploration", 0.0, 0.0, 10.0, "RAVE: factor of the exploration term (Fuego: 0)"),
    row("rave-first-play", 1.0, 0.0, 10.0, "RAVE: value of a move about which nothing is known (Fuego: 1)"),
    row(
        "rave-ignored-every",
        20.0,
        0.0,
        1e6,
        "RAVE without learned priors: every how many choices it is ignored; 0 = never (Fuego: 20)",
    ),
    row("ucb-exploration", 1.0, 0.0, 10.0, "UCB1 and UCB1-Tuned: factor of the exploration term (papers: 1)"),
    row(
        "widening-start",
        5.0,
        0.0,
        1e6,
        "visits of a node before its second-best move by prior is considered (Ray: 40)",
    ),
    row(
        "widening-base",
        1.05,
        1.0,
        10.0,
        "how much longer each further move has to wait than the one before it (Ray: 1.8)",
    ),
    row(
        "puct-exploration",
        1.0,
        0.0,
        100.0,
        "PUCT: factor of the exploration term (Cygo: 5 on a scale of -1 to 1)",
    ),
    row(
        "puct-first-play-reduction",
        0.2,
        0.0,
        1.0,
        "PUCT: how far below the mean an untried move is valued (KataGo: 0.2)",
    ),
    row(
        "reply-place",
        0.0,
        0.0,
        2.0,
        "LGRF: replies come 0 = before everything, 1 = after captures and escapes, 2 = instead of random moves",
    ),
    row("reply-order", 0.0, 0.0, 1.0, "LGRF: tables are asked 0 = EN first, 1 = longer context first"),
    row("reply-reach", 0.0, 0.0, 1.0, "LGRF: losing moves delete in 0 = all tables, 1 = those of their kind"),
    row(
        "reply-en-stored",
        0.0,
        0.0,
        1.0,
        "LGRF: EN tables store 0 = winning moves, 1 = all moves in the tree",
    ),
    row("reply-en-deleters", 0.0, 0.0, 1.0, "LGRF: EN entries are deleted by 0 = all, 1 = playout moves"),
    row("reply-threads", 0.0, 0.0, 1.0, "LGRF: tables are 0 = shared by all threads, 1 = of each thread"),
    row("proxy-bonus", 0.5, 0.0, 10.0, "proxy nodes: factor of what their share adds (paper: C1, 0 to 1)"),
    row(
        "proxy-mean",
        0.0,
        0.0,
        1.0,
        "proxy nodes: their mean is 0 = fixed when they are made, 1 = the move's",
    ),
    row("proxy-first", 0.0, 0.0, 2.0, "proxy nodes: first count is 0 = 1, 1 = the answers, 2 = the visits"),
    row("proxy-count", 0.0, 0.0, 1.0, "proxy nodes: the share is of 0 = choices, 1 = the first count too"),
    row("proxy-chosen", 0.0, 0.0, 1.0, "proxy nodes: if one is chosen 0 = restart at the root, 1 = go on"),
    row("proxy-ancestors", 0.0, 0.0, 1.0, "proxy nodes: visits above one chosen 0 = unchanged, 1 = one more"),
    row("proxy-place", 0.0, 0.0, 2.0, "proxy nodes: below 0 = all moves, 1 = those at the root, 2 = none"),
    row(
        "proxy-effect",
        0.0,
        0.0,
        1.0,
        "proxy nodes: the share is 0 = a bonus or a malus (paper), 1 = a reward at most",
    ),
];

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterError {
    /// There is none with this name.
    Unknown(String),
    /// The text is not a number.
    NotANumber(String),
    /// The number is outside the bounds of the parameter.
    OutOfBounds(&'static Parameter, f32),
}

impl PartialEq for Parameter {
    fn eq(&self, other: &Parameter) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::Unknown(name) => {
                let names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
                write!(f, "unknown parameter '{name}'; there are {}", names.join(", "))
            }
            ParameterError::NotANumber(text) => write!(f, "'{text}' is not a number"),
            ParameterError::OutOfBounds(parameter, value) => {
                write!(
                    f,
                    "{} must be {} to {}, not {value}",
                    parameter.name, parameter.least, parameter.greatest
                )
            }
        }
    }
}

impl std::error::Error for ParameterError {}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters { values: PARAMETERS.iter().map(|parameter| parameter.default).collect() }
    }
}

impl Parameters {
    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<f32> {
        Some(self.values[index(name)?])
    }

    /// Sets a parameter from text.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        let at = index(name).ok_or_else(|| ParameterError::Unknown(name.to_string()))?;
        let value: f32 = text.trim().parse().map_err(|_| ParameterError::NotANumber(text.to_string()))?;
        let parameter = &PARAMETERS[at];
        if !(parameter.least..=parameter.greatest).contains(&value) {
            return Err(ParameterError::OutOfBounds(parameter, value));
        }
        self.values[at] = value;
        Ok(())
    }

    /// Every parameter with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, f32)> + '_ {
        PARAMETERS.iter().zip(self.values.iter().copied())
    }

    /// A parameter named in this file, which the table is tested to have.
    fn own(&self, name: &str) -> f32 {
        self.get(name).unwrap_or_default()
    }

    /// Visits of a move before the tree grows below it.
    pub fn expand_after(&self) -> u32 {
        self.own("expand-after") as u32
    }

    /// Shape of results.
    pub fn go(&self) -> GoOptions {
        GoOptions {
            mercy: self.own("mercy"),
            score_bonus: self.own("score-bonus"),
            prior_weight: self.own("prior-weight"),
            stopwatch: None,
        }
    }

    /// The RAVE rule.
    pub fn rave(&self) -> Rave {
        Rave {
            initial_weight: self.own("rave-initial"),
            final_weight: self.own("rave-final"),
            exploration: self.own("rave-exploration"),
            first_play: self.own("rave-first-play"),
            ignored_every: self.own("rave-ignored-every") as u32,
        }
    }

    /// A rule that considers few moves at first.
    pub fn widened<S: Select>(&self, rule: S) -> Widened<S> {
        Widened::new(rule, self.own("widening-start"), self.own("widening-base"))
    }

    /// The UCB1 rule.
    pub fn ucb1(&self) -> Ucb1 {
        Ucb1 { exploration: self.own("ucb-exploration") }
    }

    /// The UCB1-Tuned rule.
    pub fn ucb1_tuned(&self) -> Ucb1Tuned {
        Ucb1Tuned { exploration: self.own("ucb-exploration") }
    }

    /// The PUCT rule.
    pub fn puct(&self) -> Puct {
        Puct {
            exploration: self.own("puct-exploration"),
            first_play_reduction: self.own("puct-first-play-reduction"),
        }
    }
}

impl Parameters {
    /// A variant of reply tables, with the switches as they are set.
    pub fn replies(&self, tree_moves: TreeMoves, context: Context) -> ReplyScheme {
        let expanded_deleters =
            choice(self.own("reply-en-deleters"), [Deleters::AllMoves, Deleters::PlayoutMoves]);
        ReplyScheme {
            tree_moves,
            context,
            expanded_deleters,
            expanded_stored: choice(self.own("reply-en-stored"), [Stored::Winners, Stored::All]),
            reach: choice(self.own("reply-reach"), [Reach::AllTables, Reach::OwnTables]),
            order: choice(self.own("reply-order"), [Order::ByFamily, Order::ByContext]),
        }
    }

    /// UCB1 with proxy nodes, with the switches as they are set.
    pub fn proxy(&self) -> Proxy {
        let switches = ProxySwitches {
            mean: choice(self.own("proxy-mean"), [ProxyMean::Fixed, ProxyMean::Following]),
            first: choice(
                self.own("proxy-first"),
                [ProxyFirst::One, ProxyFirst::Answers, ProxyFirst::Visits],
            ),
            counted: choice(self.own("proxy-count"), [ProxyCount::Chosen, ProxyCount::All]),
            chosen: choice(self.own("proxy-chosen"), [ProxyChosen::Restart, ProxyChosen::GoOn]),
            ancestors: choice(
                self.own("proxy-ancestors"),
                [ProxyAncestors::Unchanged, ProxyAncestors::Counted],
            ),
            place: choice(
                self.own("proxy-place"),
                [ProxyPlace::Everywhere, ProxyPlace::Root, ProxyPlace::Nowhere],
            ),
            effect: choice(self.own("proxy-effect"), [ProxyEffect::Bonus, ProxyEffect::Reward]),
        };
        Proxy { exploration: self.own("ucb-exploration"), bonus: self.own("proxy-bonus"), switches }
    }

    /// Where replies come in the policy.
    pub fn reply_place(&self) -> ReplyPlace {
        choice(self.own("reply-place"), [ReplyPlace::First, ReplyPlace::AfterUrgent, ReplyPlace::Last])
    }

    /// Whose reply tables are.
    pub fn reply_ownership(&self) -> ReplyOwnership {
        choice(self.own("reply-threads"), [ReplyOwnership::Shared, ReplyOwnership::PerThread])
    }
}

/// Where stored replies come among the rules of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyPlace {
    /// Before everything.
    First,
    /// After captures and escapes.
    AfterUrgent,
    /// Instead of random moves.
    Last,
}

/// Whose reply tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyOwnership {
    /// All threads use the same.
    Shared,
    /// Every thread has its own.
    PerThread,
}

/// The option that a number within the bounds of its parameter stands for.
fn choice<T: Copy, const N: usize>(number: f32, options: [T; N]) -> T {
    options[(number as usize).min(N - 1)]
}

fn index(name: &str) -> Option<usize> {
    PARAMETERS.iter().position(|parameter| parameter.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_used_and_within_its_bounds() {
        let source = include_str!("parameter.rs");
        for parameter in PARAMETERS {
            assert!(
                (parameter.least..=parameter.greatest).contains(&parameter.default),
                "{}",
                parameter.name
            );
            assert!(
                source.contains(&format!("own(\"{}\")", parameter.name)),
                "{} is not used",
                parameter.name
            );
        }
        let named = source.matches("self.own(\"").count();
        assert!(named >= PARAMETERS.len());
    }

    #[test]
    fn bad_values_change_nothing() {
        let mut parameters = Parameters::default();
        assert!(parameters.set("mercy", "0.5").is_ok());
        assert_eq!(parameters.get("mercy"), Some(0.5));
        for (name, text) in [("mercy", "2"), ("mercy", "x"), ("mercy", "nan"), ("merci", "0.1")] {
            assert!(parameters.set(name, text).is_err(), "{name} {text}");
        }
        assert_eq!(parameters.get("mercy"), Some(0.5));
    }
}
