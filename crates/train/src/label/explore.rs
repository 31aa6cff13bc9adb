//! Positions that a search comes to: what a network has to judge when it plays, and what games do not show.
//!
//! A search tries moves that nobody plays, and it is where a network is wrong about them that it goes astray. So from one position of every game a short search is made; one of the
//! moves that it tried is taken, the good ones no more often than the others, and the game goes on from there along the line that the search expects. All positions of that line are
//! labelled: a search costs more than a label.

use crate::sample::{GameEnd, GameSample};
use tesuji_board::{Game, Move};
use tesuji_net::Reader;
use tesuji_search::recipe::{PlayoutChoice, PriorChoice, RuleChoice, ValueChoice};
use tesuji_search::{Parameters, Resources, Rng, Simulations};

/// Where positions are to be found.
#[derive(Clone, Copy, Debug)]
pub struct ExplorePlan<'a> {
    /// Games that searches start from.
    pub games: &'a [GameSample],
    /// The network that searches.
    pub reader: &'a Reader,
    /// Simulations of a search.
    pub simulations: u64,
}

/// Bytes for the tree of a search: enough for some thousand simulations.
const TREE_BYTES: usize = 8 << 20;

/// Visits that a move needs to count as tried.
const TRIED: u64 = 2;

impl ExplorePlan<'_> {
    /// A game up to one of its positions, with that position, and from there along a line that a search looked at; nothing if it tried nothing.
    pub(super) fn stray(&self, mut sample: GameSample, rng: &mut Rng) -> Option<(GameSample, Game)> {
        sample.moves.truncate(rng.below(sample.moves.len() + 1));
        sample.labels.clear();
        sample.end = GameEnd::Unknown;
        let mut game = sample.start().ok()?;
        for &(color, mv) in &sample.moves {
            game.play(color, mv).ok()?;
        }
        let mut color = game.to_move();
        for mv in self.line(&game, rng)? {
            sample.moves.push((color, mv));
            color = !color;
        }
        Some((sample, game))
    }

    /// A line that a search from a position looked at.
    fn line(&self, game: &Game, rng: &mut Rng) -> Option<Vec<Move>> {
        // A fresh search for every position, so that what it finds depends on nothing else.
        let parameters = Parameters {
            rule: RuleChoice::Puct,
            playout: PlayoutChoice::None,
            prior: PriorChoice::Net,
            value: ValueChoice::Net,
            expand_after: 0,
            ..Parameters::default()
        };
        let resources = Resources {
            threads: 1,
            tree_bytes: TREE_BYTES,
            seed: rng.next_u64(),
            stopwatch: None,
            network: Some(self.reader.clone()),
            gammas: None,
        };
        let mut searcher = parameters.searcher(&resources).ok()?;
        searcher.search(game, game.to_move(), &Simulations(self.simulations));
        let report = searcher.report();
        let tried: Vec<_> = report.moves.iter().filter(|mv| mv.visits >= TRIED).collect();
        if tried.is_empty() {
            return None;
        }
        Some(tried[rng.below(tried.len())].variation.clone())
    }
}
