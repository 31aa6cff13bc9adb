//! From parameters to a search: the only place where names become types.

use std::fmt;
use std::sync::Arc;

use super::choice::{
    AdaptationChoice, Choice, PlayoutChoice, PriorChoice, ReplyChoice, RuleChoice, ValueChoice, WalkChoice,
};
use super::parameter::{
    Parameters, can_be_halved, corrects_bias, has_both, has_gammas, has_network, has_proof_numbers,
    is_depth_first, is_refined, prefers_open_points,
};
use super::playouts::PlayoutParts;
use crate::flat::Flat;
use crate::knowledge::{ByRates, Ignorant, Knowledge, Learned, Tactical, Undecided};
use crate::network::{NetworkOptions, Networked};
use crate::playout::{GammaSets, GammaTable, GoEvaluator};
use crate::point_statistics::PointStatistics;
use crate::rng::Rng;
use crate::searcher::Searcher;
use crate::select::{
    Blended, Lines, ProofDriven, Proxied, ProxySwitches, Puct, Rave, Refined, Scored, Select, Ucb1,
    Ucb1Tuned, Widened,
};
use crate::tree_search::{SearchOptions, ThreadParts, TreeSearch};
use crate::walk::{Dfuct, DfuctExact, ProxyUct, Uct, Walk};
use tesuji_net::Reader;

/// Random streams from this one on belong to networks: more threads than anybody has.
const NETWORK_STREAMS: u64 = 1 << 32;

/// Opinions of a network that a search keeps at most: some hundred thousand on 9×9, some ten thousand on 19×19.
const MOST_OPINION_BYTES: usize = 64 << 20;

/// What a search may use, and what determines it apart from its parameters.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Threads, at least 1.
    pub threads: usize,
    /// Bytes for the tree.
    pub tree_bytes: usize,
    /// Determines everything random.
    pub seed: u64,
    /// A clock in nanoseconds to measure playouts by; slows the search down a little.
    pub stopwatch: Option<fn() -> u64>,
    /// The network, where there is one.
    pub network: Option<Reader>,
    /// Gammas for learned playouts other than those in the program.
    pub gammas: Option<Arc<GammaTable>>,
}

/// Why a combination makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A depth-first walk with a rule that it cannot foresee.
    NotForeseeable,
    /// An exact depth-first walk with widening.
    WideningIsNotForeseen,
    /// Neither playouts nor a network.
    NothingJudges,
    /// Replies without playouts.
    RepliesWithoutPlayouts,
    /// Adapting playouts without playouts.
    AdaptationWithoutPlayouts,
    /// A search that asks a network, and there is none.
    NoNetwork,
    /// Proof numbers with another walk than the one from the root.
    ProofNumbersElsewhere,
    /// Proof numbers with a rule on two kinds of values, or with UCB1-Tuned.
    ProofNumbersBesideOthers,
}

impl Parameters {
    /// A fresh search.
    pub fn searcher(&self, resources: &Resources) -> Result<Box<dyn Searcher>, Refusal> {
        self.check()?;
        if self.walk == WalkChoice::Flat {
            return Ok(Box::new(Flat::new(resources.seed)));
        }
        if has_network(self) && resources.network.is_none() {
            return Err(Refusal::NoNetwork);
        }
        if has_proof_numbers(self) {
            return match self.rule {
                RuleChoice::Ucb1 => self.on_proofs(self.ucb1(), resources),
                RuleChoice::Rave => self.on_proofs(self.rave(), resources),
                RuleChoice::Puct => self.on_proofs(self.puct(), resources),
                RuleChoice::Ucb1Tuned => Err(Refusal::ProofNumbersBesideOthers),
            };
        }
        if has_both(self) {
            return match self.rule {
                RuleChoice::Ucb1 => self.on_lines(self.blended(self.ucb1()), resources),
                RuleChoice::Rave => self.on_lines(self.blended(self.rave()), resources),
                RuleChoice::Puct => self.on_lines(self.blended(self.puct()), resources),
                RuleChoice::Ucb1Tuned => self.on_scores(self.blended(self.ucb1_tuned()), resources),
            };
        }
        if is_refined(self) {
            return self.on_way_from_root(
                Refined { rule: self.puct(), bias_correction: self.bias_correction },
                resources,
            );
        }
        match self.rule {
            RuleChoice::Ucb1 => self.on_lines(self.ucb1(), resources),
            RuleChoice::Rave => self.on_lines(self.rave(), resources),
            RuleChoice::Puct => self.on_lines(self.puct(), resources),
            RuleChoice::Ucb1Tuned => self.on_scores(self.ucb1_tuned(), resources),
        }
    }

    /// Whether it asks a network for anything.
    pub fn asks_network(&self) -> bool {
        has_network(self)
    }

    /// Whether its playouts or its priors are by learned rates.
    pub fn asks_gammas(&self) -> bool {
        has_gammas(self)
    }

    /// Whether the combination makes sense.
    pub fn check(&self) -> Result<(), Refusal> {
        if is_depth_first(self) && self.rule == RuleChoice::Ucb1Tuned {
            Err(Refusal::NotForeseeable)
        } else if self.walk == WalkChoice::DfuctExact && self.widening {
            Err(Refusal::WideningIsNotForeseen)
        } else if has_proof_numbers(self) && self.walk != WalkChoice::Uct {
            Err(Refusal::ProofNumbersElsewhere)
        } else if has_proof_numbers(self) && (has_both(self) || self.rule == RuleChoice::Ucb1Tuned) {
            Err(Refusal::ProofNumbersBesideOthers)
        } else if self.walk == WalkChoice::Flat || self.playout != PlayoutChoice::None {
            Ok(())
        } else if self.value == ValueChoice::None {
            Err(Refusal::NothingJudges)
        } else if self.replies != ReplyChoice::None {
            Err(Refusal::RepliesWithoutPlayouts)
        } else if self.adaptation != AdaptationChoice::None {
            Err(Refusal::AdaptationWithoutPlayouts)
        } else {
            Ok(())
        }
    }

    fn on_lines(&self, rule: impl Lines, resources: &Resources) -> Result<Box<dyn Searcher>, Refusal> {
        Ok(match (self.walk, self.widening) {
            (WalkChoice::Dfuct, false) => self.search::<_, Dfuct>(rule, resources),
            (WalkChoice::Dfuct, true) => self.search::<_, Dfuct>(self.widened(rule), resources),
            (WalkChoice::DfuctExact, _) => self.search::<_, DfuctExact>(rule, resources),
            _ => return self.on_scores(rule, resources),
        })
    }

    fn on_scores(&self, rule: impl Scored, resources: &Resources) -> Result<Box<dyn Searcher>, Refusal> {
        Ok(match (self.walk, self.widening) {
            (WalkChoice::Proxy, false) => self.search::<_, ProxyUct>(self.proxied(rule), resources),
            (WalkChoice::Proxy, true) => {
                self.search::<_, ProxyUct>(self.proxied(self.widened(rule)), resources)
            }
            _ => return self.on_way_from_root(rule, resources),
        })
    }

    fn on_proofs(&self, rule: impl Scored, resources: &Resources) -> Result<Box<dyn Searcher>, Refusal> {
        self.on_way_from_root(ProofDriven { rule, bonus: self.proof_bonus }, resources)
    }

    fn on_way_from_root(
        &self,
        rule: impl Scored,
        resources: &Resources,
    ) -> Result<Box<dyn Searcher>, Refusal> {
        Ok(match self.widening {
            false => self.search::<_, Uct>(rule, resources),
            true => self.search::<_, Uct>(self.widened(rule), resources),
        })
    }

    fn search<S: Select, W: Walk<S> + 'static>(&self, rule: S, resources: &Resources) -> Box<dyn Searcher> {
        Box::new(self.tree_search::<S, W>(rule, resources))
    }

    /// A search by a walk and a rule of your own; the other parameters count.
    pub fn tree_search<S: Select, W: Walk<S>>(&self, rule: S, resources: &Resources) -> TreeSearch<S, W> {
        let options = SearchOptions {
            tree_bytes: resources.tree_bytes - self.opinion_bytes(resources),
            expand_after: self.expand_after,
            prior_weight: self.prior_weight,
            // Only where the parameter is used, whatever its value.
            root_halving: if can_be_halved(self) { self.root_halving as usize } else { 0 },
        };
        let statistics = prefers_open_points(self).then(Arc::<PointStatistics>::default);
        let evaluators = self.evaluators_counting(resources, statistics.as_ref());
        let knowledge = || match &statistics {
            None => self.knowledge(resources),
            Some(statistics) => Box::new(Undecided {
                knowledge: self.knowledge(resources),
                statistics: Arc::clone(statistics),
                criticality: self.prior_criticality,
                openness: self.prior_openness,
            }),
        };
        let parts = |evaluator| ThreadParts { knowledge: knowledge(), evaluator };
        TreeSearch::new(rule, options, evaluators.into_iter().map(parts).collect())
    }

    /// The part of the memory that is for opinions of the network.
    fn opinion_bytes(&self, resources: &Resources) -> usize {
        if has_network(self) { (resources.tree_bytes / 8).min(MOST_OPINION_BYTES) } else { 0 }
    }

    /// What is thought of moves before any simulation.
    pub fn knowledge(&self, resources: &Resources) -> Box<dyn Knowledge> {
        match self.prior {
            PriorChoice::None | PriorChoice::Net => Box::new(Ignorant),
            PriorChoice::Tactics => Box::new(Tactical),
            PriorChoice::Patterns => Box::new(Learned::default()),
            PriorChoice::Gammas => {
                Box::new(ByRates::new(GammaSets::new(resources.gammas.as_deref(), self.prior_temperature)))
            }
        }
    }

    /// What judges leaves, one for every thread; without a network where there is none.
    pub fn evaluators(&self, resources: &Resources) -> Vec<Box<dyn GoEvaluator>> {
        self.evaluators_counting(resources, None)
    }

    fn evaluators_counting(
        &self,
        resources: &Resources,
        statistics: Option<&Arc<PointStatistics>>,
    ) -> Vec<Box<dyn GoEvaluator>> {
        let playouts = PlayoutParts { resources, statistics };
        let Some(reader) = resources.network.as_ref().filter(|_| has_network(self)) else {
            return self.playout_evaluators(playouts);
        };
        let options = NetworkOptions {
            batch: self.net_batch as usize,
            names_moves: self.prior == PriorChoice::Net,
            judges: self.value == ValueChoice::Net,
            corrects_bias: corrects_bias(self),
            score_bonus: self.score_bonus,
            root_symmetries: self.root_symmetries as usize,
            policy_temperature: self.net_policy_temperature,
            most_moves: if self.net_moves == 0 { usize::MAX } else { self.net_moves as usize },
            memory: self.opinion_bytes(resources),
        };
        let opinions = Arc::default();
        let threads = resources.threads.max(1) as u64;
        let mut playouts = self.playout_evaluators(playouts).into_iter();
        // Streams of their own, so that symmetries and playouts do not depend on each other.
        let rng = |thread: u64| Rng::for_stream(resources.seed, thread + NETWORK_STREAMS);
        let of_thread = |thread| -> Box<dyn GoEvaluator> {
            let shared = Arc::clone(&opinions);
            Box::new(Networked::new(reader.clone(), playouts.next(), rng(thread), options, shared))
        };
        (0..threads).map(of_thread).collect()
    }

    /// The UCB1 rule.
    pub fn ucb1(&self) -> Ucb1 {
        Ucb1 { exploration: self.ucb_exploration }
    }

    /// The UCB1-Tuned rule.
    pub fn ucb1_tuned(&self) -> Ucb1Tuned {
        Ucb1Tuned { exploration: self.ucb_exploration }
    }

    /// The RAVE rule.
    pub fn rave(&self) -> Rave {
        Rave {
            initial_weight: self.rave_initial,
            final_weight: self.rave_final,
            exploration: self.rave_exploration,
            first_play: self.rave_first_play,
            ignored_every: self.rave_ignored_every,
        }
    }

    /// The PUCT rule.
    pub fn puct(&self) -> Puct {
        let foreseen = is_depth_first(self);
        Puct {
            exploration: self.puct_exploration,
            growth: if foreseen { 0.0 } else { self.puct_growth },
            first_play_reduction: self.puct_first_play_reduction,
            by_tried_policy: !foreseen && self.puct_first_play_by_policy,
            spread_scale: self.puct_spread,
        }
    }

    /// A rule on means that are part playouts and part network.
    pub fn blended<S: Scored>(&self, rule: S) -> Blended<S> {
        Blended { rule, playout_share: self.playout_share }
    }

    /// A rule that considers few moves at first.
    pub fn widened<S: Scored>(&self, rule: S) -> Widened<S> {
        Widened::new(rule, self.widening_start, self.widening_base)
    }

    /// A rule with proxy nodes.
    pub fn proxied<S: Scored>(&self, rule: S) -> Proxied<S> {
        let switches = ProxySwitches {
            mean: self.proxy_mean,
            first: self.proxy_first,
            counted: self.proxy_count,
            chosen: self.proxy_chosen,
            ancestors: self.proxy_ancestors,
            place: self.proxy_place,
            effect: self.proxy_effect,
        };
        Proxied { rule, bonus: self.proxy_bonus, switches }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotForeseeable => write!(
                f,
                "walk={} and {} foresee which move a rule will choose; rule={} cannot be foreseen",
                WalkChoice::Dfuct.name(),
                WalkChoice::DfuctExact.name(),
                RuleChoice::Ucb1Tuned.name()
            ),
            Refusal::WideningIsNotForeseen => write!(
                f,
                "walk={} is exact only if all moves of a node are considered; use walk={} with widening=true",
                WalkChoice::DfuctExact.name(),
                WalkChoice::Dfuct.name()
            ),
            Refusal::NothingJudges => {
                write!(f, "playout=none and value=none: nothing would judge the leaves")
            }
            Refusal::RepliesWithoutPlayouts => {
                write!(f, "replies are remembered for playouts, and with playout=none there are none")
            }
            Refusal::AdaptationWithoutPlayouts => {
                write!(f, "playouts adapt to the position, and with playout=none there are none")
            }
            Refusal::ProofNumbersElsewhere => write!(
                f,
                "proof-bonus works with walk={} alone, the only walk that keeps proof numbers",
                WalkChoice::Uct.name()
            ),
            Refusal::ProofNumbersBesideOthers => write!(
                f,
                "proof-bonus works with rule={}, {} and {}, and with playouts or a network's values, not with both",
                RuleChoice::Ucb1.name(),
                RuleChoice::Rave.name(),
                RuleChoice::Puct.name()
            ),
            Refusal::NoNetwork => {
                write!(f, "prior=net and value=net need a network, and there is none: name one with --net")
            }
        }
    }
}

impl std::error::Error for Refusal {}
