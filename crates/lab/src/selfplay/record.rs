//! What a cycle came to, and the table of all of them.

use serde::{Deserialize, Serialize};

use crate::plot::{Axis, Mark, Plot, Series};
use crate::statistics::elo_of_rate;

/// A cycle that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CycleRecord {
    /// Its number, from 1.
    pub cycle: u64,
    /// The generation that played.
    pub player: u64,
    /// Games of the cycle.
    pub games: u64,
    /// Moves of these games.
    pub moves: u64,
    /// Positions of theirs that have a label.
    pub positions: u64,
    /// Simulations of these games.
    pub simulations: u64,
    /// Games that Black won.
    pub black_wins: u64,
    /// Games that ended by resignation.
    pub resigned: u64,
    /// Games that were played out although somebody would have resigned, and how many of those the other one won.
    pub resignations: [u64; 2],
    /// Positions that were learned from.
    pub window: u64,
    /// Steps of training in all.
    pub steps: u64,
    /// Mean loss of the last steps.
    pub loss: Option<f64>,
    /// Mean loss on games kept back.
    pub kept_back: Option<f64>,
    /// The gate.
    pub gate: GateRecord,
    /// The best generation after it; 0 is the one that the run began with.
    pub generation: u64,
    /// Its rating in Elo, that of generation 0 being 0: the sum of what the gates showed.
    pub rating: f64,
}

/// What came of a gate, from the view of the new network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateRecord {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// Whether it is the best network now.
    pub is_promoted: bool,
}

impl GateRecord {
    /// The difference that the games show, drawn a little towards none so that it is always finite.
    pub fn elo(&self) -> f64 {
        let games = (self.wins + self.draws + self.losses) as f64;
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        elo_of_rate((points + 0.5) / (games + 1.0))
    }
}

/// The table of a run: everything in it depends on the plan alone, and nothing on when it was done.
pub fn table_csv(records: &[CycleRecord]) -> String {
    let mut text = "cycle,player,games,moves,positions,simulations,black_wins,resigned,would_resign,would_lose,window,steps,loss,kept_back,\
                    gate_wins,gate_draws,gate_losses,llr,promoted,generation,rating\n"
        .to_owned();
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.5}"));
    for record in records {
        let CycleRecord { cycle, player, games, moves, positions, simulations, .. } = record;
        let CycleRecord { black_wins, resigned, resignations, window, steps, gate, .. } = record;
        let [would_resign, would_lose] = resignations;
        let GateRecord { wins, draws, losses, llr, is_promoted } = gate;
        text += &format!(
            "{cycle},{player},{games},{moves},{positions},{simulations},{black_wins},{resigned},{would_resign},{would_lose},{window},{steps},\
             {},{},{wins},{draws},{losses},{llr:.3},{},{},{:.1}\n",
            number(record.loss),
            number(record.kept_back),
            u8::from(*is_promoted),
            record.generation,
            record.rating
        );
    }
    text
}

/// The rating over games.
pub fn table_plot(records: &[CycleRecord]) -> Plot {
    let mut games = 0;
    let mut marks = vec![Mark::sure(0.0, 0.0)];
    for record in records {
        games += record.games;
        marks.push(Mark::sure(games as f64, record.rating));
    }
    let series = vec![Series::new("best network", 0, marks)];
    Plot::new("rating", "rating over games", Axis::linear("games"), Axis::linear("Elo by gates"), series)
}
