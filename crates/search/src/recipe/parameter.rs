//! The parameters of a search, each with its type: one table that GTP, configuration files and the command line share.
//!
//! [`Parameters`] is a plain struct; the table [`PARAMETERS`] reads and writes its fields by name. Every row says whether the
//! chosen combination uses the parameter at all.

use std::fmt;

use super::choice::{
    AdaptationChoice, Choice, PlayoutChoice, PriorChoice, ReplyChoice, ReplyOwnership, ReplyPlace,
    RuleChoice, ValueChoice, WalkChoice,
};
use crate::playout::{Deleters, Order, Reach, Stored};
use crate::select::{
    ProxyAncestors, ProxyChosen, ProxyCount, ProxyEffect, ProxyFirst, ProxyMean, ProxyPlace,
};

/// One row of the table.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it does, with its source.
    pub description: &'static str,
    /// The values it takes.
    pub kind: Kind,
    /// Whether a combination uses it.
    pub used: fn(&Parameters) -> bool,
    read: fn(&Parameters) -> String,
    write: fn(&mut Parameters, &str, &Kind) -> bool,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number within bounds.
    Number(f32, f32),
    /// A whole number within bounds.
    Integer(u32, u32),
    /// `true` or `false`.
    Switch,
    /// One of these names.
    Choice(fn() -> Vec<&'static str>),
}

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterError {
    /// There is none with this name.
    Unknown(String),
    /// The value is not one of the parameter's.
    Value {
        /// The parameter.
        name: &'static str,
        /// The values it takes.
        expected: String,
        /// What was asked for.
        found: String,
    },
}

impl Kind {
    /// The values, for people.
    pub fn values(&self) -> String {
        match self {
            Kind::Number(least, greatest) => format!("a number from {least} to {greatest}"),
            Kind::Integer(least, greatest) => format!("an integer from {least} to {greatest}"),
            Kind::Switch => "true or false".to_owned(),
            Kind::Choice(names) => format!("one of {}", names().join(", ")),
        }
    }
}

/// A type that parameters have.
trait Setting: Sized {
    fn show(&self) -> String;
    fn parse(text: &str, kind: &Kind) -> Option<Self>;
}

impl Setting for f32 {
    fn show(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str, kind: &Kind) -> Option<f32> {
        let &Kind::Number(least, greatest) = kind else { return None };
        // A NaN is in no range.
        text.parse().ok().filter(|number| (least..=greatest).contains(number))
    }
}

impl Setting for u32 {
    fn show(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str, kind: &Kind) -> Option<u32> {
        let &Kind::Integer(least, greatest) = kind else { return None };
        text.parse().ok().filter(|number| (least..=greatest).contains(number))
    }
}

impl Setting for bool {
    fn show(&self) -> String {
        self.to_string()
    }

    fn parse(text: &str, _kind: &Kind) -> Option<bool> {
        match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "yes" | "1" => Some(true),
            "false" | "off" | "no" | "0" => Some(false),
            _ => None,
        }
    }
}

impl<T: Choice> Setting for T {
    fn show(&self) -> String {
        self.name().to_owned()
    }

    fn parse(text: &str, _kind: &Kind) -> Option<T> {
        T::named(text)
    }
}

fn names<T: Choice>() -> Vec<&'static str> {
    T::ALL.iter().map(|(name, _)| *name).collect()
}

fn number(least: f32, greatest: f32) -> Kind {
    Kind::Number(least, greatest)
}

fn integer(least: u32, greatest: u32) -> Kind {
    Kind::Integer(least, greatest)
}

fn choice<T: Choice>() -> Kind {
    Kind::Choice(names::<T>)
}

macro_rules! parameters {
    ($($field:ident: $type:ty = $default:expr, $name:literal, $kind:expr, $used:expr, $text:literal;)+) => {
        /// The values of all parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Parameters {
            $(#[doc = $text] pub $field: $type,)+
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($field: $default,)+ }
            }
        }

        /// All parameters, the axes first.
        pub static PARAMETERS: std::sync::LazyLock<Vec<Parameter>> = std::sync::LazyLock::new(|| vec![
            $(Parameter {
                name: $name,
                description: $text,
                kind: $kind,
                used: $used,
                read: |parameters| parameters.$field.show(),
                write: |parameters, text, kind| match <$type>::parse(text, kind) {
                    Some(value) => {
                        parameters.$field = value;
                        true
                    }
                    None => false,
                },
            },)+
        ]);
    };
}

fn always(_: &Parameters) -> bool {
    true
}

fn has_tree(p: &Parameters) -> bool {
    p.walk != WalkChoice::Flat
}

fn has_rave(p: &Parameters) -> bool {
    has_tree(p) && p.rule == RuleChoice::Rave
}

fn has_ucb(p: &Parameters) -> bool {
    has_tree(p) && matches!(p.rule, RuleChoice::Ucb1 | RuleChoice::Ucb1Tuned)
}

fn has_puct(p: &Parameters) -> bool {
    has_tree(p) && p.rule == RuleChoice::Puct
}

/// Whether the walk goes on below a node as long as it foresees that the node stays the best.
pub(super) fn is_depth_first(p: &Parameters) -> bool {
    matches!(p.walk, WalkChoice::Dfuct | WalkChoice::DfuctExact)
}

fn has_unforeseen_puct(p: &Parameters) -> bool {
    has_puct(p) && !is_depth_first(p)
}

fn has_widening(p: &Parameters) -> bool {
    has_tree(p) && p.widening
}

fn has_replies(p: &Parameters) -> bool {
    has_tree(p) && !matches!(p.replies, ReplyChoice::None | ReplyChoice::Counted)
}

fn has_expanded_replies(p: &Parameters) -> bool {
    has_tree(p) && matches!(p.replies, ReplyChoice::LgrfEn1 | ReplyChoice::LgrfEn2)
}

fn has_places(p: &Parameters) -> bool {
    has_replies(p) && p.playout == PlayoutChoice::Rules
}

fn has_adaptation(p: &Parameters) -> bool {
    has_tree(p) && p.adaptation != AdaptationChoice::None
}

fn has_proxies(p: &Parameters) -> bool {
    p.walk == WalkChoice::Proxy
}

fn has_playouts(p: &Parameters) -> bool {
    has_tree(p) && p.playout != PlayoutChoice::None
}

/// Whether playouts draw by learned rates.
fn has_rates(p: &Parameters) -> bool {
    has_tree(p) && p.playout == PlayoutChoice::Learned
}

fn has_rates_as_priors(p: &Parameters) -> bool {
    has_tree(p) && p.prior == PriorChoice::Gammas
}

/// Whether who owns which point after playouts can change priors.
fn has_point_statistics(p: &Parameters) -> bool {
    has_playouts(p) && !matches!(p.prior, PriorChoice::None | PriorChoice::Net)
}

/// Whether it does.
pub(super) fn prefers_open_points(p: &Parameters) -> bool {
    has_point_statistics(p) && (p.prior_criticality != 0.0 || p.prior_openness != 0.0)
}

/// Whether gammas are used for anything.
pub(super) fn has_gammas(p: &Parameters) -> bool {
    has_rates(p) || has_rates_as_priors(p)
}

/// Whether a network is asked for anything.
pub(super) fn has_network(p: &Parameters) -> bool {
    has_tree(p) && (p.prior == PriorChoice::Net || p.value == ValueChoice::Net)
}

fn has_network_policy(p: &Parameters) -> bool {
    has_tree(p) && p.prior == PriorChoice::Net
}

/// Whether both playouts and a network judge leaves.
pub(super) fn has_both(p: &Parameters) -> bool {
    has_playouts(p) && p.value == ValueChoice::Net
}

/// Whether moves near a proof are preferred.
pub(super) fn has_proof_numbers(p: &Parameters) -> bool {
    has_tree(p) && p.proof_bonus > 0.0
}

/// Whether the rule is one that can be refined.
fn can_be_refined(p: &Parameters) -> bool {
    has_puct(p) && p.walk == WalkChoice::Uct && !has_both(p) && !has_proof_numbers(p)
}

/// Whether the moves of the root can be shared out beforehand.
pub(super) fn can_be_halved(p: &Parameters) -> bool {
    has_puct(p) && p.walk == WalkChoice::Uct
}

/// Whether results are kept for refinements.
pub(super) fn is_refined(p: &Parameters) -> bool {
    can_be_refined(p) && p.puct_spread > 0.0 || corrects_bias(p)
}

/// Whether the errors of a network are corrected.
pub(super) fn corrects_bias(p: &Parameters) -> bool {
    can_be_corrected(p) && p.bias_correction > 0.0
}

fn can_be_corrected(p: &Parameters) -> bool {
    can_be_refined(p) && p.value == ValueChoice::Net
}

fn has_weighed_priors(p: &Parameters) -> bool {
    has_rave(p) && p.prior != PriorChoice::None
}

parameters! {
    walk: WalkChoice = WalkChoice::Uct, "walk", choice::<WalkChoice>(), always,
        "how simulations go through the tree";
    rule: RuleChoice = RuleChoice::Ucb1, "rule", choice::<RuleChoice>(), has_tree,
        "how a move of the tree is chosen";
    widening: bool = false, "widening", Kind::Switch, has_tree,
        "consider few moves of a node at first, by their priors (progressive widening)";
    playout: PlayoutChoice = PlayoutChoice::Rules, "playout", choice::<PlayoutChoice>(), has_tree,
        "what plays a leaf out";
    replies: ReplyChoice = ReplyChoice::None, "replies", choice::<ReplyChoice>(), has_tree,
        "which replies playouts remember";
    adaptation: AdaptationChoice = AdaptationChoice::None, "adaptation", choice::<AdaptationChoice>(), has_tree,
        "how playouts adapt while a search goes on";
    prior: PriorChoice = PriorChoice::None, "prior", choice::<PriorChoice>(), has_tree,
        "what is thought of a move before any simulation";
    value: ValueChoice = ValueChoice::None, "value", choice::<ValueChoice>(), has_tree,
        "what else judges a leaf, beside playouts";
    expand_after: u32 = 3, "expand-after", integer(0, 1_000_000), has_tree,
        "visits of a move before the tree grows below it (Fuego: 3)";
    mercy: f32 = 0.3, "mercy", number(0.0, 1.0), has_playouts,
        "share of the points one side must lead by in stones to end a playout; 1 = never (Fuego: 0.3)";
    playout_temperature: f32 = 1.0, "playout-temperature", number(0.1, 10.0), has_rates,
        "above 1 the less likely moves of learned playouts become likelier";
    adaptation_moves: u32 = 0, "adaptation-moves", integer(0, 2), has_adaptation,
        "last moves that what playouts learn depends on, beside the move itself (n-grams)";
    adaptation_rate: f32 = 0.01, "adaptation-rate", number(0.0, 2.0), has_adaptation,
        "how much a playout changes the logarithm of a rate (PPA: 1)";
    score_bonus: f32 = 0.02, "score-bonus", number(0.0, 1.0), has_tree,
        "part of a leaf's result that depends on the margin (Fuego: 0.02)";
    playout_share: f32 = 0.5, "playout-share", number(0.0, 1.0), has_both,
        "part of playouts in the value of a move, the rest is the network's (Cygo: lambda, 0.7)";
    net_batch: u32 = 1, "net-batch", integer(1, 64), has_network,
        "positions that a network evaluates together, per thread";
    net_policy_temperature: f32 = 1.0, "net-policy-temperature", number(0.1, 10.0), has_network_policy,
        "above 1 the network's less likely moves become likelier";
    root_symmetries: u32 = 1, "root-symmetries", integer(1, 8), has_network_policy,
        "symmetries in which a network is shown the position that a search starts from (KataGo: 1)";
    net_moves: u32 = 0, "net-moves", integer(0, 1000), has_network_policy,
        "most moves of a new node, the likeliest first, a pass not counted; 0 = all (Cygo: 20)";
    prior_temperature: f32 = 1.0, "prior-temperature", number(0.1, 10.0), has_rates_as_priors,
        "above 1 the less likely moves of prior=gammas become likelier";
    prior_criticality: f32 = 0.0, "prior-criticality", number(-10.0, 10.0), has_point_statistics,
        "what the prior opinion of a move gains where the winners of playouts own its point more often than by chance";
    prior_openness: f32 = 0.0, "prior-openness", number(-10.0, 10.0), has_point_statistics,
        "what the prior opinion of a move gains where playouts leave open who owns its point";
    prior_weight: f32 = 12.0, "prior-weight", number(0.0, 1e4), has_weighed_priors,
        "RAVE: simulations that the prior opinion of a move is worth (Fuego: 9 or 18)";
    rave_initial: f32 = 1.0, "rave-initial", number(1e-3, 1e6), has_rave,
        "RAVE: weight of the first results against a real one (Fuego: 1)";
    rave_final: f32 = 5000.0, "rave-final", number(1e-3, 1e9), has_rave,
        "RAVE: limit of the weight for many results (Fuego: 5000)";
    rave_exploration: f32 = 0.0, "rave-exploration", number(0.0, 10.0), has_rave,
        "RAVE: factor of the exploration term (Fuego: 0)";
    rave_first_play: f32 = 1.0, "rave-first-play", number(0.0, 10.0), has_rave,
        "RAVE: value of a move about which nothing is known (Fuego: 1)";
    rave_ignored_every: u32 = 20, "rave-ignored-every", integer(0, 1_000_000), has_rave,
        "RAVE: every how many choices it is ignored; 0 = never (Fuego: 20)";
    ucb_exploration: f32 = 1.0, "ucb-exploration", number(0.0, 10.0), has_ucb,
        "UCB1 and UCB1-Tuned: factor of the exploration term (papers: 1)";
    widening_start: f32 = 5.0, "widening-start", number(0.0, 1e6), has_widening,
        "visits of a node before its second-best move by prior is considered (Ray: 40)";
    widening_base: f32 = 1.05, "widening-base", number(1.0, 10.0), has_widening,
        "how much longer each further move has to wait than the one before it (Ray: 1.8)";
    puct_exploration: f32 = 1.0, "puct-exploration", number(0.0, 100.0), has_puct,
        "PUCT: factor of the exploration term (Cygo: 5 on a scale of -1 to 1)";
    puct_first_play_reduction: f32 = 0.2, "puct-first-play-reduction", number(0.0, 1.0), has_puct,
        "PUCT: how far below the mean an untried move is valued (KataGo: 0.2)";
    puct_first_play_by_policy: bool = false, "puct-first-play-by-policy", Kind::Switch, has_unforeseen_puct,
        "PUCT: an untried move falls that far only when the whole policy is tried, less before (KataGo: true)";
    puct_growth: f32 = 0.0, "puct-growth", number(0.0, 10.0), has_unforeseen_puct,
        "PUCT: how much of itself the factor gains for every e-fold of the visits beyond 500 (KataGo: 0.45)";
    puct_spread: f32 = 0.0, "puct-spread", number(0.0, 1.0), can_be_refined,
        "PUCT: how much of the factor is proportional to the spread of results below a node (KataGo: 0.85)";
    bias_correction: f32 = 0.0, "bias-correction", number(0.0, 1.0), can_be_corrected,
        "PUCT: part of what a network gets wrong after the same two moves that is taken off its values (KataGo: 0.45)";
    root_halving: u32 = 0, "root-halving", integer(0, 64), can_be_halved,
        "PUCT: moves of the root among which a given number of simulations is shared by sequential halving; 0 = off (Gumbel: 16)";
    proof_bonus: f32 = 0.0, "proof-bonus", number(0.0, 10.0), has_tree,
        "PN-MCTS: factor of what a move gains by being near a proof; 0 = proof numbers are not kept";
    reply_place: ReplyPlace = ReplyPlace::First, "reply-place", choice::<ReplyPlace>(), has_places,
        "LGRF: where replies come among the rules of playouts";
    reply_order: Order = Order::ByFamily, "reply-order", choice::<Order>(), has_expanded_replies,
        "LGRF: which tables are asked first";
    reply_reach: Reach = Reach::AllTables, "reply-reach", choice::<Reach>(), has_expanded_replies,
        "LGRF: in which tables losing moves delete";
    reply_en_stored: Stored = Stored::Winners, "reply-en-stored", choice::<Stored>(), has_expanded_replies,
        "LGRF: which moves in the tree EN tables store";
    reply_en_deleters: Deleters = Deleters::AllMoves, "reply-en-deleters", choice::<Deleters>(),
        has_expanded_replies, "LGRF: which losing moves delete EN entries";
    reply_threads: ReplyOwnership = ReplyOwnership::Shared, "reply-threads", choice::<ReplyOwnership>(),
        has_replies, "LGRF: whose tables they are";
    proxy_bonus: f32 = 0.5, "proxy-bonus", number(0.0, 10.0), has_proxies,
        "proxy nodes: factor of what their share adds (paper: C1, 0 to 1)";
    proxy_mean: ProxyMean = ProxyMean::Fixed, "proxy-mean", choice::<ProxyMean>(), has_proxies,
        "proxy nodes: their mean is fixed when they are made, or follows the move's";
    proxy_first: ProxyFirst = ProxyFirst::One, "proxy-first", choice::<ProxyFirst>(), has_proxies,
        "proxy nodes: what their count begins with";
    proxy_count: ProxyCount = ProxyCount::Chosen, "proxy-count", choice::<ProxyCount>(), has_proxies,
        "proxy nodes: whether the share is of choices alone or of the first count too";
    proxy_chosen: ProxyChosen = ProxyChosen::Restart, "proxy-chosen", choice::<ProxyChosen>(), has_proxies,
        "proxy nodes: what happens if one is chosen";
    proxy_ancestors: ProxyAncestors = ProxyAncestors::Unchanged, "proxy-ancestors",
        choice::<ProxyAncestors>(), has_proxies, "proxy nodes: what a choice does to the visits above";
    proxy_place: ProxyPlace = ProxyPlace::Everywhere, "proxy-place", choice::<ProxyPlace>(), has_proxies,
        "proxy nodes: below which moves they are";
    proxy_effect: ProxyEffect = ProxyEffect::Bonus, "proxy-effect", choice::<ProxyEffect>(), has_proxies,
        "proxy nodes: the share is a bonus or a malus (paper), or a reward at most";
}

impl Parameter {
    /// The parameter of a name.
    pub fn named(name: &str) -> Result<&'static Parameter, ParameterError> {
        let found = PARAMETERS.iter().find(|parameter| parameter.name == name);
        found.ok_or_else(|| ParameterError::Unknown(name.to_owned()))
    }

    /// Its value as text that [`Parameters::set`] reads again.
    pub fn value(&self, parameters: &Parameters) -> String {
        (self.read)(parameters)
    }
}

impl Parameters {
    /// Sets a parameter from text; unchanged on an error.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ParameterError> {
        let parameter = Parameter::named(name)?;
        let mut changed = self.clone();
        if !(parameter.write)(&mut changed, text, &parameter.kind) {
            let (expected, found) = (parameter.kind.values(), text.to_owned());
            return Err(ParameterError::Value { name: parameter.name, expected, found });
        }
        *self = changed;
        Ok(())
    }

    /// The parameters that the combination uses, with their values.
    pub fn used(&self) -> impl Iterator<Item = (&'static str, String)> {
        let used = PARAMETERS.iter().filter(|parameter| (parameter.used)(self));
        used.map(|parameter| (parameter.name, parameter.value(self)))
    }

    /// These parameters with some others than by default.
    pub fn with(changes: &[(&str, &str)]) -> Result<Parameters, ParameterError> {
        let mut parameters = Parameters::default();
        changes.iter().try_for_each(|(name, text)| parameters.set(name, text))?;
        Ok(parameters)
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::Unknown(name) => {
                let names: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
                write!(f, "unknown parameter '{name}'; there are {}", names.join(", "))
            }
            ParameterError::Value { name, expected, found } => {
                write!(f, "parameter {name} takes {expected}, not '{found}'")
            }
        }
    }
}

impl std::error::Error for ParameterError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_of_its_parameter() {
        let mut parameters = Parameters::default();
        for parameter in PARAMETERS.iter() {
            let text = parameter.value(&parameters);
            assert_eq!(parameters.set(parameter.name, &text), Ok(()), "{}", parameter.name);
        }
        assert_eq!(parameters, Parameters::default());
    }

    #[test]
    fn bad_values_change_nothing() {
        let mut parameters = Parameters::default();
        assert!(parameters.set("mercy", "0.5").is_ok());
        let before = parameters.clone();
        for (name, text) in [
            ("mercy", "2"),
            ("mercy", "x"),
            ("mercy", "nan"),
            ("merci", "0.1"),
            ("expand-after", "1.5"),
            ("expand-after", "-1"),
            ("reply-place", "1.9"),
            ("walk", "run"),
            ("widening", "perhaps"),
        ] {
            assert!(parameters.set(name, text).is_err(), "{name} {text}");
        }
        assert_eq!(parameters, before);
        assert!(parameters.set("reply-place", "after-captures").is_ok());
        assert_eq!(parameters.reply_place, ReplyPlace::AfterUrgent);
    }

    #[test]
    fn a_parameter_belongs_to_the_combinations_that_use_it() {
        let used = |name: &str, changes: &[(&str, &str)]| {
            (Parameter::named(name).unwrap().used)(&Parameters::with(changes).unwrap())
        };
        assert!(used("rave-final", &[("rule", "rave")]) && !used("rave-final", &[("rule", "puct")]));
        assert!(used("reply-place", &[("replies", "lgrf-1")]));
        assert!(!used("reply-place", &[("replies", "lgrf-1"), ("playout", "light")]));
        assert!(!used("rule", &[("walk", "flat")]) && used("walk", &[("walk", "flat")]));
    }
}
