//! The face of the search: what a player, an analysis or an experiment asks of it.
//!
//! A [`Searcher`] keeps what it has learned between calls. Searching the same game again goes on where it stopped, searching a
//! game that continues the last one keeps the subtree, anything else starts afresh; so nobody has to tell it about moves and undo.

use crate::focus::Focus;
use crate::playout::Usage;
use tesuji_board::{Color, Game, Move};

/// A search that can be run, interrupted, asked and run again.
pub trait Searcher: Send {
    /// Searches for `to_move` in the game until `control` says stop.
    fn search(&mut self, game: &Game, to_move: Color, control: &dyn Control);

    /// What the next searches look at; another focus than before starts them afresh.
    fn set_focus(&mut self, focus: Focus);

    /// Another game begins: forgets what only holds within one. What is known about positions may stay.
    fn begin_game(&mut self) {}

    /// What is known about the position searched last.
    fn report(&self) -> Report;

    /// Forgets everything, also what is kept from move to move.
    fn clear(&mut self);
}

/// Decides when a search stops. The search reads no clock: whoever hands in the control may.
pub trait Control: Sync {
    /// Asked by one thread, often; `true` stops all of them.
    fn should_stop(&self, progress: &Progress) -> bool;

    /// Whether the search is to find out who owns what: it then goes on judging the position after the result is proven.
    fn wants_ownership(&self) -> bool {
        false
    }

    /// Never more simulations than this in one call, whatever `should_stop` says.
    fn simulation_limit(&self) -> Option<u64> {
        None
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Simulations made by this call of [`Searcher::search`].
    pub simulations: u64,
    /// Visits of the root, with those kept from earlier searches.
    pub root_visits: u64,
    /// Visits of the two most visited moves.
    pub best_visits: u64,
    /// See `best_visits`.
    pub second_visits: u64,
    /// Whether the most visited move is also the one with the best value.
    pub best_is_clear: bool,
    /// Whether more simulations cannot change the move: the result is proven, or only one move is left.
    pub decided: bool,
    /// Whether the result is proven: simulations then end at the proof.
    pub proven: bool,
}

/// Stops after a number of simulations of this call.
#[derive(Clone, Copy, Debug)]
pub struct Simulations(pub u64);

impl Control for Simulations {
    fn should_stop(&self, progress: &Progress) -> bool {
        progress.simulations >= self.0
    }

    fn simulation_limit(&self) -> Option<u64> {
        Some(self.0)
    }
}

/// What a search found. Values are for the side to move at the root unless the name says otherwise.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The moves considered, best first as the engine would play them.
    pub moves: Vec<MoveReport>,
    /// Visits of the root.
    pub visits: u64,
    /// Probability that the side to move wins, 0 to 1.
    pub win_rate: f32,
    /// Expected score for the side to move, komi included.
    pub score_lead: f32,
    /// Standard deviation of the score over simulations.
    pub score_deviation: f32,
    /// Who ends up owning each point in reading order: 1 Black, −1 White. Empty if nothing was searched.
    pub black_ownership: Vec<f32>,
    /// What the searches since the last [`Searcher::clear`] cost.
    pub effort: Effort,
}

/// What is known about one move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub mv: Move,
    /// Simulations through it.
    pub visits: u64,
    /// Probability that the side to move wins with it, 0 to 1.
    pub win_rate: f32,
    /// What `win_rate` is made of, if both playouts and a network judged it.
    pub parts: Option<Parts>,
    /// Lower bound of the 95 % interval of `win_rate`.
    pub lower_bound: f32,
    /// The probability that it is the move to play, by what was thought of it before any simulation.
    pub prior: f32,
    /// Expected score for the side to move, komi included.
    pub score_lead: f32,
    /// Standard deviation of the score over the simulations through it.
    pub score_deviation: f32,
    /// Who ends up owning each point after it, as in [`Report`]; empty unless the [`Focus`] asks for it.
    pub black_ownership: Vec<f32>,
    /// The expected continuation, beginning with the move itself.
    pub variation: Vec<Move>,
    /// Visits of each move of `variation`.
    pub variation_visits: Vec<u64>,
    /// Whether it is a proven win (`Some(true)`) or loss.
    pub proven: Option<bool>,
}

/// The two opinions that a win rate is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// Mean result of playouts.
    pub playouts: f32,
    /// Mean value by the network.
    pub network: f32,
}

/// The cost of searches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Simulations made.
    pub simulations: u64,
    /// Nodes expanded now.
    pub nodes: u64,
    /// Bytes the tree occupies.
    pub tree_bytes: u64,
    /// Nanoseconds that all threads together spent in playouts, if a stopwatch was handed in.
    pub playout_nanoseconds: u64,
    /// How often the tree was pruned because its memory was full.
    pub prunings: u32,
    /// Where the moves of this game's playouts came from, if the policy counts that.
    pub usage: Usage,
}
