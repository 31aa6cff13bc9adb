//! The searches somebody wants, by name: the only place where a name becomes a type.
//!
//! Adding a preset is one line in [`PRESETS`].

use std::fmt;
use std::sync::Arc;

use tesuji_search::playout::{
    Composed, Context, Counted, Heavy, Holder, Light, Policy, RandomSafe, Replies, ReplyTables, TreeMoves,
    Urgent, Useful,
};
use tesuji_search::select::{Rave, Select};
use tesuji_search::{
    Dfuct, DfuctExact, Flat, GoOptions, Ignorant, Knowledge, Learned, ProxyUct, ReplyOwnership, ReplyPlace,
    SearchOptions, Searcher, Tactical, TreeSearch, Uct, Walk,
};

use crate::settings::Settings;

/// A named way to search.
pub struct Preset {
    /// The name on command lines and in configuration files.
    pub name: &'static str,
    /// One line for people.
    pub description: &'static str,
    construct: fn(&Settings) -> Box<dyn Searcher>,
}

/// Every preset, roughly weakest first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "flat",
        description: "flat Monte-Carlo: the same number of light playouts for every move, no tree",
        construct: |settings| Box::new(Flat::new(settings.seed)),
    },
    Preset {
        name: "uct-light",
        description: "plain UCT with UCB1 on light playouts, as in the papers",
        construct: |settings| tree_search(settings, settings.search.ucb1(), Light, Ignorant),
    },
    Preset {
        name: "uct",
        description: "UCT with UCB1-Tuned on Fuego-class playouts",
        construct: |settings| tree_search(settings, settings.search.ucb1_tuned(), Heavy::default(), Tactical),
    },
    Preset {
        name: "puct",
        description: "PUCT with a policy from tactics and patterns, on Fuego-class playouts",
        construct: |settings| tree_search(settings, settings.search.puct(), Heavy::default(), Tactical),
    },
    Preset {
        name: "proxy-light",
        description: "uct-light with proxy nodes against deceptive moves",
        construct: |settings| {
            walking::<ProxyUct, _, _, _>(settings, settings.search.proxy(), Light, Ignorant)
        },
    },
    Preset {
        name: "proxy",
        description: "UCT with UCB1 and proxy nodes on Fuego-class playouts",
        construct: |settings| {
            walking::<ProxyUct, _, _, _>(settings, settings.search.proxy(), Heavy::default(), Ignorant)
        },
    },
    Preset {
        name: "puct-learned",
        description: "PUCT with a policy learned from games, on Fuego-class playouts",
        construct: |settings| {
            tree_search(settings, settings.search.puct(), Heavy::default(), Learned::default())
        },
    },
    Preset {
        name: "dfuct-light",
        description: "uct-light, depth first: goes on below a node while its best move stays ahead of the second",
        construct: |settings| walking::<Dfuct, _, _, _>(settings, settings.search.ucb1(), Light, Ignorant),
    },
    Preset {
        name: "dfuct-exact-light",
        description: "uct-light, depth first, with the very same leaves",
        construct: |settings| {
            walking::<DfuctExact, _, _, _>(settings, settings.search.ucb1(), Light, Ignorant)
        },
    },
    Preset {
        name: "dfuct",
        description: "puct, depth first: goes on below a node while its best move stays ahead of the second",
        construct: |settings| {
            walking::<Dfuct, _, _, _>(settings, settings.search.puct(), Heavy::default(), Tactical)
        },
    },
    Preset {
        name: "dfuct-exact",
        description: "puct, depth first, with the very same leaves",
        construct: |settings| {
            walking::<DfuctExact, _, _, _>(settings, settings.search.puct(), Heavy::default(), Tactical)
        },
    },
    Preset {
        name: "dfuct-rave",
        description: "rave-plain, depth first; what other moves teach is held back until the search leaves a node",
        construct: |settings| {
            walking::<DfuctExact, _, _, _>(settings, settings.search.rave(), Heavy::default(), Tactical)
        },
    },
    Preset {
        name: "dfuct-rave-light",
        description: "rave-light, depth first; what other moves teach is held back until the search leaves a node",
        construct: |settings| walking::<Dfuct, _, _, _>(settings, settings.search.rave(), Light, Tactical),
    },
    Preset {
        name: "rave-light",
        description: "UCT with RAVE on light playouts",
        construct: |settings| tree_search(settings, settings.search.rave(), Light, Tactical),
    },
    Preset {
        name: "lgrf-0-light",
        description: "rave-light with no reply tables, but counts the random moves of its playouts: what the others are compared with",
        construct: |settings| replying_lightly(settings, TreeMoves::Ignored, Context::None),
    },
    Preset {
        name: "lgrf-1-light",
        description: "rave-light with last good replies to one move of playouts",
        construct: |settings| replying_lightly(settings, TreeMoves::Ignored, Context::One),
    },
    Preset {
        name: "lgrf-2-light",
        description: "rave-light with last good replies to one and two moves of playouts",
        construct: |settings| replying_lightly(settings, TreeMoves::Ignored, Context::Two),
    },
    Preset {
        name: "lgrf-en-1-light",
        description: "rave-light with last good replies to one move, with a table of their own for moves in the tree",
        construct: |settings| replying_lightly(settings, TreeMoves::Apart, Context::One),
    },
    Preset {
        name: "lgrf-en-2-light",
        description: "rave-light with last good replies to one and two moves, with tables of their own for moves in the tree",
        construct: |settings| replying_lightly(settings, TreeMoves::Apart, Context::Two),
    },
    Preset {
        name: "lgrf-classic-1-light",
        description: "rave-light with last good replies to one move, in the tree or in playouts, as in Orego",
        construct: |settings| replying_lightly(settings, TreeMoves::Alike, Context::One),
    },
    Preset {
        name: "lgrf-classic-2-light",
        description: "rave-light with last good replies to one and two moves, in the tree or in playouts, as in Orego",
        construct: |settings| replying_lightly(settings, TreeMoves::Alike, Context::Two),
    },
    Preset {
        name: "lgrf-0",
        description: "rave-plain with no reply tables, but counts the random moves of its playouts: what the others are compared with",
        construct: |settings| replying(settings, TreeMoves::Ignored, Context::None),
    },
    Preset {
        name: "lgrf-1",
        description: "rave-plain with last good replies to one move of playouts",
        construct: |settings| replying(settings, TreeMoves::Ignored, Context::One),
    },
    Preset {
        name: "lgrf-2",
        description: "rave-plain with last good replies to one and two moves of playouts",
        construct: |settings| replying(settings, TreeMoves::Ignored, Context::Two),
    },
    Preset {
        name: "lgrf-en-1",
        description: "rave-plain with last good replies to one move, with a table of their own for moves in the tree",
        construct: |settings| replying(settings, TreeMoves::Apart, Context::One),
    },
    Preset {
        name: "lgrf-en-2",
        description: "rave-plain with last good replies to one and two moves, with tables of their own for moves in the tree",
        construct: |settings| replying(settings, TreeMoves::Apart, Context::Two),
    },
    Preset {
        name: "lgrf-classic-1",
        description: "rave-plain with last good replies to one move, in the tree or in playouts, as in Orego",
        construct: |settings| replying(settings, TreeMoves::Alike, Context::One),
    },
    Preset {
        name: "lgrf-classic-2",
        description: "rave-plain with last good replies to one and two moves, in the tree or in playouts, as in Orego",
        construct: |settings| replying(settings, TreeMoves::Alike, Context::Two),
    },
    Preset {
        name: "rave-plain",
        description: "UCT with RAVE and priors from tactics and a few patterns, on Fuego-class playouts",
        construct: |settings| tree_search(settings, settings.search.rave(), Heavy::default(), Tactical),
    },
    Preset {
        name: "rave",
        description: "UCT with RAVE, priors learned from games and progressive widening, on Fuego-class playouts",
        construct: |settings| {
            // What RAVE hides, good priors show: to ignore it now and then cost games (docs/experiments/prior.md).
            let rave = Rave { ignored_every: 0, ..settings.search.rave() };
            let rule = settings.search.widened(rave);
            tree_search(settings, rule, Heavy::default(), Learned::default())
        },
    },
];

/// The preset of somebody who names none.
pub const DEFAULT_PRESET: &str = "rave";

/// Memory of the process besides the tree, in bytes: code, boards, buffers, the list that pruning needs.
const MEMORY_BESIDES_TREE: usize = 12 << 20;

fn tree_search<S, P, K>(settings: &Settings, rule: S, policy: P, knowledge: K) -> Box<dyn Searcher>
where
    S: Select,
    P: Policy + Clone + Send + 'static,
    K: Knowledge + Clone + Send + 'static,
{
    walking::<Uct, S, P, K>(settings, rule, policy, knowledge)
}

fn walking<W, S, P, K>(settings: &Settings, rule: S, policy: P, knowledge: K) -> Box<dyn Searcher>
where
    W: Walk<S> + 'static,
    S: Select,
    P: Policy + Clone + Send + 'static,
    K: Knowledge + Clone + Send + 'static,
{
    let memory = (settings.memory as usize) << 20;
    let options = SearchOptions {
        threads: settings.threads as usize,
        tree_bytes: (memory - memory / 20).saturating_sub(MEMORY_BESIDES_TREE),
        seed: settings.seed,
        expand_after: settings.search.expand_after(),
        go: GoOptions { stopwatch: settings.stopwatch, ..settings.search.go() },
    };
    Box::new(TreeSearch::<S, P, K, W>::walking(rule, policy, knowledge, options))
}

/// `rave-plain` with reply tables, at the place and owned as the settings say.
fn replying(settings: &Settings, tree_moves: TreeMoves, context: Context) -> Box<dyn Searcher> {
    let scheme = settings.search.replies(tree_moves, context);
    match settings.search.reply_ownership() {
        ReplyOwnership::Shared => placed(settings, Replies::<Arc<ReplyTables>>::new(scheme)),
        ReplyOwnership::PerThread => placed(settings, Replies::<Box<ReplyTables>>::new(scheme)),
    }
}

fn placed<H: Holder + 'static>(settings: &Settings, replies: Replies<H>) -> Box<dyn Searcher> {
    let rule = settings.search.rave();
    let (urgent, useful, random) = (Urgent::default(), Useful::default(), Counted::<RandomSafe>::default());
    match settings.search.reply_place() {
        ReplyPlace::First => {
            tree_search(settings, rule, Composed((replies, urgent, useful, random)), Tactical)
        }
        ReplyPlace::AfterUrgent => {
            tree_search(settings, rule, Composed((urgent, replies, useful, random)), Tactical)
        }
        ReplyPlace::Last => {
            tree_search(settings, rule, Composed((urgent, useful, replies, random)), Tactical)
        }
    }
}

/// `rave-light` with reply tables, owned as the settings say.
fn replying_lightly(settings: &Settings, tree_moves: TreeMoves, context: Context) -> Box<dyn Searcher> {
    let (rule, scheme) = (settings.search.rave(), settings.search.replies(tree_moves, context));
    let random = Counted::<Light>::default();
    match settings.search.reply_ownership() {
        ReplyOwnership::Shared => {
            let replies = Replies::<Arc<ReplyTables>>::new(scheme);
            tree_search(settings, rule, Composed((replies, random)), Tactical)
        }
        ReplyOwnership::PerThread => {
            let replies = Replies::<Box<ReplyTables>>::new(scheme);
            tree_search(settings, rule, Composed((replies, random)), Tactical)
        }
    }
}

/// No preset has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPreset(pub String);

impl Preset {
    /// The preset of a name, in any case.
    pub fn named(name: &str) -> Result<&'static Preset, UnknownPreset> {
        let found = PRESETS.iter().find(|preset| preset.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownPreset(name.to_owned()))
    }

    /// A fresh search with these settings.
    pub fn searcher(&self, settings: &Settings) -> Box<dyn Searcher> {
        (self.construct)(settings)
    }
}

impl fmt::Display for UnknownPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
        write!(f, "unknown preset '{}'; known are {}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownPreset {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_default_exists() {
        for (i, preset) in PRESETS.iter().enumerate() {
            assert!(PRESETS[..i].iter().all(|other| other.name != preset.name), "{}", preset.name);
            assert!(!preset.description.is_empty());
        }
        assert!(Preset::named(DEFAULT_PRESET).is_ok());
        assert!(Preset::named("FLAT").is_ok());
        assert!(Preset::named("none").is_err_and(|error| error.to_string().contains("flat")));
    }
}
