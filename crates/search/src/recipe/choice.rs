//! Named choices: the axes along which searches differ, and the switches of single methods.

use crate::playout::{Context, Deleters, Order, Reach, Stored, TreeMoves};
use crate::select::{
    ProxyAncestors, ProxyChosen, ProxyCount, ProxyEffect, ProxyFirst, ProxyMean, ProxyPlace,
};

/// A value out of a short list, known by name.
pub trait Choice: Copy + PartialEq + Sized + 'static {
    /// All of them, with their names.
    const ALL: &'static [(&'static str, Self)];

    /// Its name.
    fn name(self) -> &'static str {
        // Every value is in the list: the macro below writes both.
        Self::ALL.iter().find(|(_, choice)| *choice == self).map_or("", |(name, _)| name)
    }

    /// The value of a name.
    fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|&(_, choice)| choice)
    }
}

macro_rules! axis {
    ($(#[$doc:meta])* $kind:ident { $($(#[$about:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind { $($(#[$about])* $variant,)+ }

        named!($kind { $($variant = $name,)+ });
    };
}

macro_rules! named {
    ($kind:ident { $($variant:ident = $name:literal,)+ }) => {
        impl Choice for $kind {
            const ALL: &'static [(&'static str, $kind)] = &[$(($name, $kind::$variant),)+];
        }
    };
}

axis! {
    /// How simulations go through the tree.
    WalkChoice {
        /// No tree: the same number of playouts for every move.
        Flat = "flat",
        /// From the root every time.
        Uct = "uct",
        /// Depth first, remembering the best and the second move of each node.
        Dfuct = "dfuct",
        /// Depth first, remembering the eight best moves: the leaves of `uct`, unless the rule learns from moves played elsewhere.
        DfuctExact = "dfuct-exact",
        /// From the root, past proxies of deceptive moves.
        Proxy = "proxy",
    }
}

axis! {
    /// How a move of the tree is chosen.
    RuleChoice {
        /// UCB1.
        Ucb1 = "ucb1",
        /// UCB1-Tuned.
        Ucb1Tuned = "ucb1-tuned",
        /// RAVE.
        Rave = "rave",
        /// PUCT.
        Puct = "puct",
    }
}

axis! {
    /// What plays a leaf out.
    PlayoutChoice {
        /// Nothing: a network judges it.
        None = "none",
        /// Uniformly random moves.
        Light = "light",
        /// Captures, escapes, nakade, patterns: the rules of Fuego's playouts.
        Rules = "rules",
        /// Every move drawn by rates learned from games: Ray's playouts.
        Learned = "learned",
    }
}

axis! {
    /// Which replies playouts remember.
    ReplyChoice {
        /// None.
        None = "none",
        /// None, but the random moves of playouts are counted.
        Counted = "counted",
        /// Last good replies to one move of playouts.
        Lgrf1 = "lgrf-1",
        /// Last good replies to one and two moves of playouts.
        Lgrf2 = "lgrf-2",
        /// As `lgrf-1`, with a table of their own for moves in the tree.
        LgrfEn1 = "lgrf-en-1",
        /// As `lgrf-2`, with tables of their own for moves in the tree.
        LgrfEn2 = "lgrf-en-2",
        /// As `lgrf-1`, with moves in the tree and in playouts in one table.
        Classic1 = "classic-1",
        /// As `lgrf-2`, with moves in the tree and in playouts in one table.
        Classic2 = "classic-2",
    }
}

axis! {
    /// How playouts adapt while a search goes on.
    AdaptationChoice {
        /// They do not.
        None = "none",
        /// Playout policy adaptation: moves of the winner become likelier.
        Ppa = "ppa",
        /// Policy gradient: moves become likelier or less likely, the more so the less the result was expected.
        Gradient = "gradient",
    }
}

axis! {
    /// What is thought of a move before any simulation.
    PriorChoice {
        /// Nothing.
        None = "none",
        /// Tactics and a few patterns.
        Tactics = "tactics",
        /// Patterns and features learned from games.
        Patterns = "patterns",
        /// The rates by which learned playouts draw.
        Gammas = "gammas",
        /// A network.
        Net = "net",
    }
}

axis! {
    /// What else judges a leaf, beside playouts.
    ValueChoice {
        /// Nothing.
        None = "none",
        /// A network.
        Net = "net",
    }
}

axis! {
    /// Where stored replies come among the rules of playouts.
    ReplyPlace {
        /// Before everything.
        First = "first",
        /// After captures and escapes.
        AfterUrgent = "after-captures",
        /// Instead of random moves.
        Last = "instead-of-random",
    }
}

axis! {
    /// Whose reply tables are.
    ReplyOwnership {
        /// All threads use the same.
        Shared = "shared",
        /// Every thread has its own.
        PerThread = "per-thread",
    }
}

named!(Order { ByFamily = "en-first", ByContext = "longer-first", });
named!(Reach { AllTables = "all-tables", OwnTables = "own-tables", });
named!(Stored { Winners = "winners", All = "all", });
named!(Deleters { AllMoves = "all-moves", PlayoutMoves = "playout-moves", });
named!(ProxyMean { Fixed = "fixed", Following = "following", });
named!(ProxyFirst { One = "one", Answers = "answers", Visits = "visits", });
named!(ProxyCount { Chosen = "chosen", All = "all", });
named!(ProxyChosen { Restart = "restart", GoOn = "go-on", });
named!(ProxyAncestors { Unchanged = "unchanged", Counted = "counted", });
named!(ProxyPlace { Everywhere = "everywhere", Root = "root", Nowhere = "nowhere", });
named!(ProxyEffect { Bonus = "bonus", Reward = "reward", });

impl ReplyChoice {
    /// Which tables there are; nothing if none is asked for.
    pub(super) fn tables(self) -> Option<(TreeMoves, Context)> {
        match self {
            ReplyChoice::None => None,
            ReplyChoice::Counted => Some((TreeMoves::Ignored, Context::None)),
            ReplyChoice::Lgrf1 => Some((TreeMoves::Ignored, Context::One)),
            ReplyChoice::Lgrf2 => Some((TreeMoves::Ignored, Context::Two)),
            ReplyChoice::LgrfEn1 => Some((TreeMoves::Apart, Context::One)),
            ReplyChoice::LgrfEn2 => Some((TreeMoves::Apart, Context::Two)),
            ReplyChoice::Classic1 => Some((TreeMoves::Alike, Context::One)),
            ReplyChoice::Classic2 => Some((TreeMoves::Alike, Context::Two)),
        }
    }
}
