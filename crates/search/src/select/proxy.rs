//! Proxy nodes against deceptive moves (Uchida, Asaka 2014), on top of any rule that scores edges; the paper's is UCB1.
//!
//! A move is deceptive if few answers to it are far better than the rest: its mean looks good until they are found. Once every answer
//! has been tried, a virtual answer joins them, the *proxy*, which holds the mean of the move. It competes by the rule, and where all
//! answers are alike it is chosen as often as they are; where one stands out it is chosen less. That share is what the rule makes use of.
//! A rule that does not try every answer gets its proxy once the node has as many visits as it considers answers; the answers
//! tried until then are those that count.
//!
//! The walk [`crate::ProxyUct`] keeps the proxy of a move in its edge; this file says what it is worth.

use super::{Lines, Scored, Scratch, Select, Siblings, Standing, best, lines};
use crate::tree::{Columns, Edges, Value};

/// A rule with proxies, by the switches that the paper leaves open; [`ProxySwitches::default`] reads it as literally as it can be.
#[derive(Clone, Copy, Debug)]
pub struct Proxied<S> {
    /// The rule.
    pub rule: S,
    /// Factor of what a proxy's share adds; C1 in the paper, 0 to 1.
    pub bonus: f32,
    /// How the paper is read.
    pub switches: ProxySwitches,
}

/// What the paper leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProxySwitches {
    /// The mean of a proxy.
    pub mean: ProxyMean,
    /// How often a new proxy counts as chosen.
    pub first: ProxyFirst,
    /// Which of a proxy's counts its share is made of.
    pub counted: ProxyCount,
    /// What happens when a proxy is chosen.
    pub chosen: ProxyChosen,
    /// What a choice of a proxy does to the visits above it.
    pub ancestors: ProxyAncestors,
    /// Which moves have proxies.
    pub place: ProxyPlace,
    /// What a proxy's share is used for.
    pub effect: ProxyEffect,
}

/// The mean of a proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyMean {
    /// That of its move when it was made.
    #[default]
    Fixed,
    /// That of its move now.
    Following,
}

/// How often a new proxy counts as chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyFirst {
    /// Once.
    #[default]
    One,
    /// As often as there are answers.
    Answers,
    /// As often as its move was visited.
    Visits,
}

/// Which of a proxy's counts its share is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyCount {
    /// How often it was chosen.
    #[default]
    Chosen,
    /// That, and what it began with.
    All,
}

/// What happens when a proxy is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyChosen {
    /// The simulation begins again at the root.
    #[default]
    Restart,
    /// The simulation goes on with the best answer.
    GoOn,
}

/// What a choice of a proxy does to the visits above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyAncestors {
    /// Nothing.
    #[default]
    Unchanged,
    /// Each edge on the way counts one more visit, at its own mean.
    Counted,
}

/// Which moves have proxies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyPlace {
    /// All whose answers have all been tried.
    #[default]
    Everywhere,
    /// Those at the root.
    Root,
    /// None: plain UCT.
    Nowhere,
}

/// What a proxy's share is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyEffect {
    /// As in the paper: it is added to the score of the move, `C1 (1/(i+1) − n_d/(n + n_d))` with i answers.
    #[default]
    Bonus,
    /// Ours: as a share of what is fair, and never less than nothing, `C1 max(0, 1 − (i+1) n_d/(n + n_d))`: it does not shrink with the number
    /// of answers, and no move is punished for answers that are alike.
    Reward,
}

/// The proxy among the answers to a move, packed into 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ProxyState {
    /// The mean of the move when the proxy was made, for the side that makes the move.
    pub(crate) mean: f32,
    /// Number of answers; 0 if there is no proxy yet.
    pub(crate) answers: u32,
    /// What its count began with.
    pub(crate) first: u32,
    /// How often it was chosen.
    pub(crate) chosen: u32,
}

/// Bits of means, numbers of answers, first counts and choices.
const MEAN_BITS: u32 = 24;
const ANSWER_BITS: u32 = 10;
const FIRST_BITS: u32 = 10;
const CHOSEN_BITS: u32 = 16;

const fn largest(bits: u32) -> u32 {
    (1 << bits) - 1
}

impl ProxyState {
    pub(crate) fn pack(self) -> u64 {
        let mean = (self.mean.clamp(0.0, 1.0) * largest(MEAN_BITS) as f32) as u64;
        let capped = |value: u32, bits: u32| u64::from(value.min(largest(bits)));
        capped(self.chosen, CHOSEN_BITS)
            | capped(self.first, FIRST_BITS) << CHOSEN_BITS
            | capped(self.answers, ANSWER_BITS) << (CHOSEN_BITS + FIRST_BITS)
            | mean << (CHOSEN_BITS + FIRST_BITS + ANSWER_BITS)
    }

    #[inline(always)]
    pub(crate) fn unpack(word: u64) -> ProxyState {
        let field = |shift: u32, bits: u32| (word >> shift) as u32 & largest(bits);
        let mean = field(CHOSEN_BITS + FIRST_BITS + ANSWER_BITS, MEAN_BITS);
        ProxyState {
            mean: mean as f32 / largest(MEAN_BITS) as f32,
            answers: field(CHOSEN_BITS + FIRST_BITS, ANSWER_BITS),
            first: field(CHOSEN_BITS, FIRST_BITS),
            chosen: field(0, CHOSEN_BITS),
        }
    }
}

/// What to follow in a node whose move has a proxy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contest {
    /// The best answer.
    pub(crate) best: usize,
    /// Whether the proxy beats it.
    pub(crate) proxy_wins: bool,
    /// The proxy as it is after the contest.
    pub(crate) state: ProxyState,
}

impl<S: Scored> Proxied<S> {
    /// Chooses among the answers to a move with this value and, once all of them have been tried, its proxy.
    pub(crate) fn contest(
        &self,
        edges: &Edges<'_>,
        into: Value,
        mut state: ProxyState,
        scratch: &mut Scratch,
    ) -> Contest {
        let survey = lines::survey(self, edges, scratch);
        let at = best(&scratch.scores.0[..survey.padded]);
        let (best, score) = (scratch.place::<Self>(at), scratch.scores.0[at]);
        let considered = scratch.columns.copied;
        let is_early = !S::UNTRIED_FIRST && survey.total_visits < considered as u64;
        if score >= f32::MAX || is_early || into.proven().is_some() {
            return Contest { best, proxy_wins: false, state };
        }
        if state.answers == 0 {
            let tried = scratch.columns.visits.0[..considered].iter().filter(|&&visits| visits > 0).count();
            state.mean = into.mean;
            state.answers = if S::UNTRIED_FIRST { edges.len() } else { tried } as u32;
            state.first = match self.switches.first {
                ProxyFirst::One => 1,
                ProxyFirst::Answers => state.answers,
                ProxyFirst::Visits => into.visits,
            };
        }
        let mean = match self.switches.mean {
            ProxyMean::Fixed => state.mean,
            ProxyMean::Following => into.mean,
        };
        // It is as likely as any answer.
        let policy = 1.0 / (state.answers + 1) as f32;
        let visits = state.first + state.chosen;
        let standing = Standing { visits, mean: 1.0 - mean, policy, ..Standing::default() };
        let proxy_wins = self.rule.score(standing, &survey.moment) > score;
        state.chosen += u32::from(proxy_wins);
        Contest { best, proxy_wins, state }
    }

    /// How often the proxy was chosen relative to all visits; 1/(i+1) is what it gets where all answers are alike.
    #[inline(always)]
    fn share(&self, state: ProxyState, visits: f32) -> f32 {
        let count = match self.switches.counted {
            ProxyCount::Chosen => state.chosen,
            ProxyCount::All => state.chosen + state.first,
        };
        count as f32 / (visits + count as f32).max(1.0)
    }

    /// What is added to the score of an edge.
    #[inline(always)]
    fn addition(&self, edge: Standing) -> f32 {
        let state = ProxyState::unpack(edge.proxy);
        // Nothing can be added to a proven result.
        if state.answers == 0 || edge.mean.abs() > 1.0 {
            return 0.0;
        }
        let fair = 1.0 / (state.answers + 1) as f32;
        let share = self.share(state, edge.n());
        match self.switches.effect {
            // The paper adds it from the first choice of the proxy on.
            ProxyEffect::Bonus if state.chosen == 0 => 0.0,
            ProxyEffect::Bonus => self.bonus * (fair - share),
            ProxyEffect::Reward => self.bonus * (1.0 - share / fair).max(0.0),
        }
    }
}

impl<S: Scored> Select for Proxied<S> {
    const COLUMNS: Columns = S::COLUMNS.and(Columns::PROXY);
    const LEARNS_FROM_ALL_MOVES: bool = S::LEARNS_FROM_ALL_MOVES;

    lines::as_its_rule!(width, reach, playout_share, bias_correction);

    #[inline]
    fn choose(&self, edges: &Edges<'_>, scratch: &mut Scratch) -> usize {
        lines::choose(self, edges, scratch)
    }
}

impl<S: Scored> Scored for Proxied<S> {
    type Moment = S::Moment;
    const READS_MEAN: bool = S::READS_MEAN;
    const UNTRIED_FIRST: bool = S::UNTRIED_FIRST;

    #[inline(always)]
    fn attends(&self, scratch: &mut Scratch) -> bool {
        self.rule.attends(scratch)
    }

    #[inline(always)]
    fn reads_tried_policy(&self) -> bool {
        self.rule.reads_tried_policy()
    }

    #[inline(always)]
    fn moment(&self, siblings: Siblings) -> S::Moment {
        self.rule.moment(siblings)
    }

    #[inline(always)]
    fn score(&self, edge: Standing, moment: &S::Moment) -> f32 {
        self.rule.score(edge, moment) + self.addition(edge)
    }
}

impl<S: Lines> Lines for Proxied<S> {
    const MEAN_LEEWAY: f32 = S::MEAN_LEEWAY;

    #[inline(always)]
    fn clock(&self, moment: &S::Moment) -> Option<f32> {
        self.rule.clock(moment)
    }

    #[inline(always)]
    fn start(&self, edge: Standing, moment: &S::Moment) -> f32 {
        self.rule.start(edge, moment) + self.addition(edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::select::testing::{TestEdge, node};
    use crate::select::{Prior, Ucb1};
    use crate::tree::Tree;
    use std::sync::atomic::Ordering::Relaxed;

    fn rule(bonus: f32, switches: ProxySwitches) -> Proxied<Ucb1> {
        Proxied { rule: Ucb1 { exploration: 0.0 }, bonus, switches }
    }

    /// The edge chosen among some with visits, mean and packed proxy.
    fn choice(rule: &Proxied<Ucb1>, edges: &[(u32, f32, u64)]) -> usize {
        let tree = Tree::new(1, Proxied::<Ucb1>::COLUMNS);
        let plain: Vec<TestEdge> = edges.iter().map(|edge| (edge.0, edge.1, Prior::NONE)).collect();
        let made = tree.edges(node(&tree, &plain));
        made.proxies().iter().zip(edges).for_each(|(word, edge)| word.store(edge.2, Relaxed));
        rule.choose(&made, &mut Scratch::default())
    }

    fn state(answers: u32, chosen: u32) -> ProxyState {
        ProxyState { mean: 0.5, answers, first: 1, chosen }
    }

    #[test]
    fn a_state_survives_packing() {
        let old = ProxyState { mean: 0.25, answers: 362, first: 900, chosen: 40_000 };
        let new = ProxyState::unpack(old.pack());
        assert!((new.mean - old.mean).abs() < 1e-6);
        assert_eq!((new.answers, new.first, new.chosen), (362, 900, 40_000));
        assert_eq!(ProxyState::default().pack(), 0);
        let full = ProxyState { answers: 5000, first: 5000, chosen: 1 << 20, ..old };
        let full = ProxyState::unpack(full.pack());
        assert_eq!((full.answers, full.first, full.chosen), (1023, 1023, 65_535));
    }

    #[test]
    fn a_rare_proxy_makes_a_move_interesting() {
        // 9 answers, chosen 2 times in 198 visits: 0.1 − 0.01 = 0.09; chosen 22 times: 0.1 − 0.1 = 0.
        let rare = (198, 0.50, state(9, 2).pack());
        let usual = (198, 0.55, state(9, 22).pack());
        let default = ProxySwitches::default();
        assert_eq!(choice(&rule(1.0, default), &[rare, usual]), 0);
        assert_eq!(choice(&rule(0.5, default), &[rare, usual]), 1, "0.545 against 0.55");
        assert_eq!(choice(&rule(0.0, default), &[rare, usual]), 1);
        let never = (198, 0.54, state(9, 0).pack());
        assert_eq!(choice(&rule(1.0, default), &[never, usual]), 1, "nothing before the first choice");
    }

    #[test]
    fn a_reward_does_not_depend_on_the_number_of_answers_and_never_punishes() {
        let reward = ProxySwitches { effect: ProxyEffect::Reward, ..ProxySwitches::default() };
        // Shares 0.01 of a fair 0.1, and 0.001 of a fair 0.01: both 0.9 of the factor.
        let few = (198, 0.50, state(9, 2).pack());
        let many = (1998, 0.51, state(99, 2).pack());
        assert_eq!(choice(&rule(0.1, reward), &[few, many]), 1);
        assert_eq!(choice(&rule(0.1, reward), &[few, (198, 0.58, 0)]), 0, "0.59 against 0.58");
        assert_eq!(choice(&rule(0.1, reward), &[few, (198, 0.60, 0)]), 1);
        // Chosen far more often than is fair: nothing.
        let common = (198, 0.50, state(9, 100).pack());
        assert_eq!(choice(&rule(1.0, reward), &[common, (198, 0.49, 0)]), 0);
        assert_eq!(choice(&rule(1.0, ProxySwitches::default()), &[common, (198, 0.49, 0)]), 1);
    }
}
