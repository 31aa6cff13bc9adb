//! Searches by name. A preset is data: a name, a sentence and the parameters that differ from their defaults.
//!
//! Any parameter can be set on top of a preset, also those that choose the method; see [`tesuji_search::recipe`].

use std::fmt;

use tesuji_board::Size;
use tesuji_search::{Parameters, Refusal, Resources, Searcher};

use crate::settings::Settings;
use crate::suggestion::suggestion;

/// A named way to search.
#[derive(Debug)]
pub struct Preset {
    /// The name on command lines and in configuration files.
    pub name: &'static str,
    /// One line for people.
    pub description: &'static str,
    /// Parameters of the search other than by default.
    pub settings: &'static [(&'static str, &'static str)],
}

/// Every preset, roughly weakest first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "flat",
        description: "flat Monte-Carlo: the same number of light playouts for every move, no tree",
        settings: &[("walk", "flat")],
    },
    Preset {
        name: "uct-light",
        description: "plain UCT with UCB1 on light playouts, as in the papers",
        settings: &[("rule", "ucb1"), ("playout", "light")],
    },
    Preset {
        name: "uct",
        description: "UCT with UCB1-Tuned on Fuego-class playouts",
        settings: &[("rule", "ucb1-tuned"), ("prior", "tactics")],
    },
    Preset {
        name: "puct",
        description: "PUCT with a policy from tactics and patterns, on Fuego-class playouts",
        settings: &[("rule", "puct"), ("prior", "tactics")],
    },
    Preset {
        name: "proxy-light",
        description: "uct-light with proxy nodes against deceptive moves",
        settings: &[("walk", "proxy"), ("rule", "ucb1"), ("playout", "light")],
    },
    Preset {
        name: "proxy",
        description: "UCT with UCB1 and proxy nodes on Fuego-class playouts",
        settings: &[("walk", "proxy"), ("rule", "ucb1")],
    },
    Preset {
        name: "puct-learned",
        description: "PUCT with a policy learned from games, on Fuego-class playouts",
        settings: &[("rule", "puct"), ("prior", "patterns")],
    },
    Preset {
        name: "dfuct-light",
        description: "uct-light, depth first: goes on below a node while its best move stays ahead of the second",
        settings: &[("walk", "dfuct"), ("rule", "ucb1"), ("playout", "light")],
    },
    Preset {
        name: "dfuct-exact-light",
        description: "uct-light, depth first, with the very same leaves",
        settings: &[("walk", "dfuct-exact"), ("rule", "ucb1"), ("playout", "light")],
    },
    Preset {
        name: "dfuct",
        description: "puct, depth first: goes on below a node while its best move stays ahead of the second",
        settings: &[("walk", "dfuct"), ("rule", "puct"), ("prior", "tactics")],
    },
    Preset {
        name: "dfuct-exact",
        description: "puct, depth first, with the very same leaves",
        settings: &[("walk", "dfuct-exact"), ("rule", "puct"), ("prior", "tactics")],
    },
    Preset {
        name: "dfuct-rave",
        description: "rave-plain, depth first; what other moves teach is held back until the search leaves a node",
        settings: &[("walk", "dfuct-exact"), ("rule", "rave"), ("prior", "tactics")],
    },
    Preset {
        name: "dfuct-rave-light",
        description: "rave-light, depth first; what other moves teach is held back until the search leaves a node",
        settings: &[("walk", "dfuct"), ("rule", "rave"), ("prior", "tactics"), ("playout", "light")],
    },
    Preset {
        name: "rave-light",
        description: "UCT with RAVE on light playouts",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light")],
    },
    Preset {
        name: "lgrf-0-light",
        description: "rave-light with no reply tables, but counts the random moves of its playouts: what the others are compared with",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light"), ("replies", "counted")],
    },
    Preset {
        name: "lgrf-1-light",
        description: "rave-light with last good replies to one move of playouts",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light"), ("replies", "lgrf-1")],
    },
    Preset {
        name: "lgrf-2-light",
        description: "rave-light with last good replies to one and two moves of playouts",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light"), ("replies", "lgrf-2")],
    },
    Preset {
        name: "lgrf-en-1-light",
        description: "rave-light with last good replies to one move, with a table of their own for moves in the tree",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light"), ("replies", "lgrf-en-1")],
    },
    Preset {
        name: "lgrf-en-2-light",
        description: "rave-light with last good replies to one and two moves, with tables of their own for moves in the tree",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light"), ("replies", "lgrf-en-2")],
    },
    Preset {
        name: "lgrf-classic-1-light",
        description: "rave-light with last good replies to one move, in the tree or in playouts, as in Orego",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light"), ("replies", "classic-1")],
    },
    Preset {
        name: "lgrf-classic-2-light",
        description: "rave-light with last good replies to one and two moves, in the tree or in playouts, as in Orego",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("playout", "light"), ("replies", "classic-2")],
    },
    Preset {
        name: "ppa-light",
        description: "rave-light with playouts that adapt: moves of the winner become likelier, alone and as answers to the last move (PPA)",
        settings: &[
            ("rule", "rave"),
            ("prior", "tactics"),
            ("playout", "light"),
            ("replies", "counted"),
            ("adaptation", "ppa"),
            ("adaptation-moves", "1"),
        ],
    },
    Preset {
        name: "lgrf-0",
        description: "rave-plain with no reply tables, but counts the random moves of its playouts: what the others are compared with",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("replies", "counted")],
    },
    Preset {
        name: "lgrf-1",
        description: "rave-plain with last good replies to one move of playouts",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("replies", "lgrf-1")],
    },
    Preset {
        name: "lgrf-2",
        description: "rave-plain with last good replies to one and two moves of playouts",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("replies", "lgrf-2")],
    },
    Preset {
        name: "lgrf-en-1",
        description: "rave-plain with last good replies to one move, with a table of their own for moves in the tree",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("replies", "lgrf-en-1")],
    },
    Preset {
        name: "lgrf-en-2",
        description: "rave-plain with last good replies to one and two moves, with tables of their own for moves in the tree",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("replies", "lgrf-en-2")],
    },
    Preset {
        name: "lgrf-classic-1",
        description: "rave-plain with last good replies to one move, in the tree or in playouts, as in Orego",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("replies", "classic-1")],
    },
    Preset {
        name: "lgrf-classic-2",
        description: "rave-plain with last good replies to one and two moves, in the tree or in playouts, as in Orego",
        settings: &[("rule", "rave"), ("prior", "tactics"), ("replies", "classic-2")],
    },
    Preset {
        name: "ppa",
        description: "rave-plain with playouts whose random moves adapt: those of the winner become likelier, alone and as answers to the last move (PPA)",
        settings: &[
            ("rule", "rave"),
            ("prior", "tactics"),
            ("replies", "counted"),
            ("adaptation", "ppa"),
            ("adaptation-moves", "1"),
        ],
    },
    Preset {
        name: "rave-plain",
        description: "UCT with RAVE and priors from tactics and a few patterns, on Fuego-class playouts",
        settings: &[("rule", "rave"), ("prior", "tactics")],
    },
    Preset {
        name: "rave",
        description: "UCT with RAVE, priors learned from games and progressive widening, on Fuego-class playouts",
        settings: &[
            ("rule", "rave"),
            ("widening", "true"),
            ("prior", "patterns"),
            ("rave-ignored-every", "0"),
        ],
    },
    Preset {
        name: "rave-learned",
        description: "rave on learned playouts, which draw every move by rates learned from games, as Ray's do",
        settings: &[
            ("rule", "rave"),
            ("widening", "true"),
            ("playout", "learned"),
            ("prior", "patterns"),
            ("rave-ignored-every", "0"),
        ],
    },
    Preset {
        name: "cygo",
        description: "the Cygo paper's search: PUCT on playouts and a network's values together, the network's moves after 20 playouts",
        settings: &[
            ("rule", "puct"),
            ("puct-exploration", "2.5"),
            ("prior", "net"),
            ("value", "net"),
            ("playout-share", "0.7"),
            ("expand-after", "20"),
            ("net-moves", "20"),
        ],
    },
    Preset {
        name: "net",
        description: "PUCT with the policy and the value of a network, no playouts; rave on boards that there is no network for",
        settings: &[
            ("rule", "puct"),
            ("playout", "none"),
            ("prior", "net"),
            ("value", "net"),
            ("expand-after", "0"),
        ],
    },
];

/// The preset where none is named.
pub const DEFAULT_PRESET: &str = "net";

/// The preset that plays where there is no network for the board.
pub const WITHOUT_NET: &str = "rave";

/// Memory of the process besides the tree, in bytes: code, boards, buffers, the list that pruning needs.
const MEMORY_BESIDES_TREE: usize = 12 << 20;

impl Settings {
    /// A fresh search on boards of a size. Waits for the network if one is wanted; if there is none to be had for such boards, it is
    /// the search of [`WITHOUT_NET`].
    pub fn searcher(&self, size: Size) -> Result<Box<dyn Searcher>, Refusal> {
        let memory = (self.memory as usize) << 20;
        let network = if self.search.asks_network() { self.net.wait(size) } else { None };
        let fallback = Preset::named(WITHOUT_NET).map(Preset::parameters);
        let search = match fallback {
            Ok(fallback) if self.search.asks_network() && network.is_none() => fallback,
            _ => self.search.clone(),
        };
        search.searcher(&Resources {
            threads: self.threads as usize,
            tree_bytes: (memory - memory / 20).saturating_sub(MEMORY_BESIDES_TREE),
            seed: self.seed,
            stopwatch: self.stopwatch,
            network,
            gammas: self.gammas.table(),
        })
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

    /// The parameters of its search.
    pub fn parameters(&self) -> Parameters {
        // The table is tested to name parameters that exist, with values that they take.
        Parameters::with(self.settings).unwrap_or_default()
    }
}

impl fmt::Display for UnknownPreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
        let meant = suggestion(&self.0, known.iter().copied());
        write!(f, "unknown preset '{}'; known are {}{meant}", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownPreset {}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_search::Parameter;

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

    #[test]
    fn presets_make_sense_and_set_nothing_in_vain() {
        for preset in PRESETS {
            let parameters = Parameters::with(preset.settings).expect(preset.name);
            assert_eq!(parameters.check(), Ok(()), "{}", preset.name);
            for (name, _) in preset.settings {
                assert!((Parameter::named(name).unwrap().used)(&parameters), "{}: {name}", preset.name);
            }
        }
    }
}
