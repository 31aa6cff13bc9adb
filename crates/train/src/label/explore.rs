//! Positions that a search comes to: what a network has to judge when it plays, and what games do not show.
//!
//! A search tries moves that nobody plays, and it is where a network is wrong about them that it goes astray. So from one position of every game a short search is made; one of the
//! moves that it tried is taken, the good ones no more often than the others, and the game goes on from there for a part of the line that the search expects.

use crate::sample::{GameEnd, GameSample};
use tesuji_board::Game;
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
    /// A game up to one of its positions, and from there to one that a search came to; nothing if the search tried nothing.
    pub(super) fn stray(&self, sample: &GameSample, rng: &mut Rng) -> Option<GameSample> {
        let mut strayed = GameSample { end: GameEnd::Unknown, labels: Vec::new(), ..sample.clone() };
        strayed.moves.truncate(rng.below(sample.moves.len() + 1));
        let mut game = strayed.start().ok()?;
        for &(color, mv) in &strayed.moves {
            game.play(color, mv).ok()?;
        }
        for mv in self.line(&game, rng)? {
            let color = game.to_move();
            game.play(color, mv).ok()?;
            strayed.moves.push((color, mv));
        }
        (!game.is_over()).then_some(strayed)
    }

    /// A part of a line that a search from a position looked at.
    fn line(&self, game: &Game, rng: &mut Rng) -> Option<Vec<tesuji_board::Move>> {
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
        let mut line = tried[rng.below(tried.len())].variation.clone();
        line.truncate(1 + rng.below(line.len().max(1)));
        Some(line)
    }
}
