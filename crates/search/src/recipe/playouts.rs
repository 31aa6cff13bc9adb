//! Playouts from parameters: which rules they are made of.

use std::sync::Arc;

use super::build::Resources;
use super::choice::{AdaptationChoice, PlayoutChoice, ReplyOwnership, ReplyPlace};
use super::parameter::Parameters;
use crate::playout::{
    AdaptationScheme, AdaptedRandom, AdaptedRated, Counted, GammaSets, GoEvaluator, Heavy, Holder, Learners,
    Light, PlayoutOptions, PlayoutRule, Playouts, RandomSafe, Rated, Replies, ReplyScheme, ReplyTables,
    Urgent, Useful,
};
use crate::point_statistics::PointStatistics;
use crate::rng::Rng;

/// What playouts are made with, beside parameters.
#[derive(Clone, Copy)]
pub(super) struct PlayoutParts<'a> {
    pub(super) resources: &'a Resources,
    /// Where they count who owns what, if somebody wants to know.
    pub(super) statistics: Option<&'a Arc<PointStatistics>>,
}

/// An evaluator for every thread.
type Evaluators = Vec<Box<dyn GoEvaluator>>;

impl Parameters {
    /// Playouts for every thread; none if there are to be none.
    pub(super) fn playout_evaluators(&self, parts: PlayoutParts<'_>) -> Evaluators {
        let Some((tree_moves, context)) = self.replies.tables() else {
            return match (self.playout, self.adaptation_scheme()) {
                (PlayoutChoice::None, _) => Vec::new(),
                (PlayoutChoice::Light, None) => self.playouts(Light, parts),
                (PlayoutChoice::Light, Some(scheme)) => {
                    self.playouts(AdaptedRandom::new(Light, scheme), parts)
                }
                (PlayoutChoice::Rules, None) => self.playouts(Heavy::default(), parts),
                (PlayoutChoice::Rules, Some(scheme)) => {
                    let random = AdaptedRandom::new(RandomSafe, scheme);
                    self.playouts((Urgent::default(), Useful::default(), random), parts)
                }
                (PlayoutChoice::Learned, None) => self.playouts(self.rated(parts), parts),
                (PlayoutChoice::Learned, Some(scheme)) => {
                    self.playouts(AdaptedRated::new(self.rated(parts), scheme), parts)
                }
            };
        };
        let scheme = ReplyScheme {
            expanded_deleters: self.reply_en_deleters,
            expanded_stored: self.reply_en_stored,
            reach: self.reply_reach,
            order: self.reply_order,
            ..ReplyScheme::new(tree_moves, context)
        };
        match self.reply_threads {
            ReplyOwnership::Shared => self.replying(Replies::<Arc<ReplyTables>>::new(scheme), parts),
            ReplyOwnership::PerThread => self.replying(Replies::<Box<ReplyTables>>::new(scheme), parts),
        }
    }

    fn replying<H>(&self, replies: Replies<H>, parts: PlayoutParts<'_>) -> Evaluators
    where
        H: Holder + 'static,
    {
        match (self.playout, self.adaptation_scheme()) {
            (PlayoutChoice::None, _) => Vec::new(),
            (PlayoutChoice::Light, None) => self.playouts((replies, Counted::new(Light)), parts),
            (PlayoutChoice::Light, Some(scheme)) => {
                let random = AdaptedRandom::new(Light, scheme);
                self.playouts((replies, Counted::new(random)), parts)
            }
            (PlayoutChoice::Learned, None) => {
                self.playouts((replies, Counted::new(self.rated(parts))), parts)
            }
            (PlayoutChoice::Learned, Some(scheme)) => {
                let rated = AdaptedRated::new(self.rated(parts), scheme);
                self.playouts((replies, Counted::new(rated)), parts)
            }
            (PlayoutChoice::Rules, None) => self.among_rules(replies, RandomSafe, parts),
            (PlayoutChoice::Rules, Some(scheme)) => {
                self.among_rules(replies, AdaptedRandom::new(RandomSafe, scheme), parts)
            }
        }
    }

    /// Rules with replies somewhere among them, and at last something random.
    fn among_rules<H, R>(&self, replies: Replies<H>, random: R, parts: PlayoutParts<'_>) -> Evaluators
    where
        H: Holder + 'static,
        R: PlayoutRule + Clone + Send + 'static,
    {
        let random = Counted::new(random);
        let (urgent, useful) = (Urgent::default(), Useful::default());
        match self.reply_place {
            ReplyPlace::First => self.playouts((replies, urgent, useful, random), parts),
            ReplyPlace::AfterUrgent => self.playouts((urgent, replies, useful, random), parts),
            ReplyPlace::Last => self.playouts((urgent, useful, replies, random), parts),
        }
    }

    /// How playouts adapt, if they do.
    fn adaptation_scheme(&self) -> Option<AdaptationScheme> {
        let learners = match self.adaptation {
            AdaptationChoice::None => return None,
            AdaptationChoice::Ppa => Learners::Winner,
            AdaptationChoice::Gradient => Learners::Both,
        };
        Some(AdaptationScheme {
            learners,
            context: self.adaptation_moves as usize,
            rate: self.adaptation_rate,
        })
    }

    /// Playouts by learned rates.
    fn rated(&self, parts: PlayoutParts<'_>) -> Rated {
        Rated::new(GammaSets::new(parts.resources.gammas.as_deref(), self.playout_temperature))
    }

    fn playouts<R>(&self, rule: R, parts: PlayoutParts<'_>) -> Evaluators
    where
        R: PlayoutRule + Clone + Send + 'static,
    {
        let PlayoutParts { resources, statistics } = parts;
        let options = PlayoutOptions {
            mercy: self.mercy,
            score_bonus: self.score_bonus,
            stopwatch: resources.stopwatch,
        };
        let of_thread = |thread: u64| -> Box<dyn GoEvaluator> {
            let rng = Rng::for_stream(resources.seed, thread);
            Box::new(Playouts::new(rule.clone(), rng, options).with_statistics(statistics.cloned()))
        };
        (0..resources.threads.max(1) as u64).map(of_thread).collect()
    }
}
