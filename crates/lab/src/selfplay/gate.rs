//! Games of a new network against the best so far as jobs, and what they prove.
//!
//! The test looks at pairs of games in the order of their numbers, whoever finished them first, and what lies behind the pair that decides it
//! does not count. So the verdict is the same however many play, and whatever was interrupted.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use tesuji_board::{Color, Game};
use tesuji_engine::Settings;

use super::mover::{Mover, NetFile};
use super::plan::{GamePlan, GatePlan};
use super::record::GateRecord;
use crate::duel::{self, Contestant};
use crate::host::Host;
use crate::job::{Job, JobError, Work};
use crate::opening::{OpeningSource, read_opening, write_opening};
use crate::sprt::{Decision, Pairs, Sprt};
use crate::statistics::Tally;
use crate::terms::Terms;

/// How networks are compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GateWork {
    /// Board and rules.
    pub game: GamePlan,
    /// The rest.
    pub gate: GatePlan,
    /// The new network and the best so far.
    pub nets: [NetFile; 2],
    /// Decides openings and searches.
    pub seed: u64,
    /// The machine; everybody has another one.
    #[serde(skip)]
    pub host: Host,
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateTask {
    /// The colour of the new network.
    #[serde(with = "crate::written::color")]
    pub color: Color,
    /// The first moves.
    pub opening: Vec<String>,
    /// Seeds of the new network and of the best.
    pub seeds: [u64; 2],
}

/// Half points of the new network in a game: 0, 1 or 2.
pub type GateFinding = u8;

impl GateWork {
    /// What games depend on besides their tasks.
    pub fn terms(&self) -> Terms {
        let value = |value: serde_json::Result<serde_json::Value>| value.unwrap_or_default();
        Terms::from_iter([
            ("game".to_owned(), value(serde_json::to_value(&self.game))),
            ("gate".to_owned(), value(serde_json::to_value(self.gate))),
            ("network checksum".to_owned(), self.nets[0].checksum.as_str().into()),
            ("best network checksum".to_owned(), self.nets[1].checksum.as_str().into()),
            ("seed".to_owned(), self.seed.into()),
        ])
    }

    /// All games that may be needed, those of a pair side by side.
    pub fn jobs(&self) -> Vec<Job<GateTask>> {
        let GamePlan { size, rules, .. } = self.game;
        let openings =
            OpeningSource::Random(self.gate.opening_plies).list(size, rules, self.seed, self.gate.pairs);
        let game = |number: usize| {
            let seeds = [2 * number, 2 * number + 1].map(|n| self.seed.wrapping_mul(1 << 32) + n as u64);
            let opening = write_opening(&openings[number / 2], size);
            let color = if number.is_multiple_of(2) { Color::Black } else { Color::White };
            Job { key: format!("gate {number}"), task: GateTask { color, opening, seeds } }
        };
        (0..2 * self.gate.pairs).map(game).collect()
    }
}

impl GatePlan {
    /// What games prove, by their numbers; nothing while the next one of them is not there. Without a decision by the test the likelier
    /// hypothesis counts.
    pub fn verdict(&self, games: &[Option<GateFinding>]) -> Option<GateRecord> {
        let sprt = Sprt::new(self.elo0, self.elo1);
        let (mut pairs, mut tally) = (Pairs::default(), Tally::default());
        let record = |tally: Tally, llr: f64, is_promoted: bool| {
            let Tally { wins, draws, losses } = tally;
            GateRecord { wins, draws, losses, llr, is_promoted }
        };
        for pair in games.chunks(2) {
            let &[Some(first), Some(second)] = pair else { return None };
            for half_points in [first, second] {
                match half_points {
                    0 => tally.losses += 1,
                    1 => tally.draws += 1,
                    _ => tally.wins += 1,
                }
            }
            pairs.add(usize::from(first) + usize::from(second));
            let state = sprt.state(&pairs);
            if state.decision != Decision::Open {
                return Some(record(tally, state.llr, state.decision == Decision::AcceptElo1));
            }
        }
        let llr = sprt.state(&pairs).llr;
        Some(record(tally, llr, llr > 0.0))
    }
}

impl Work for GateWork {
    const KIND: &'static str = "gate";
    type Task = GateTask;
    type Finding = GateFinding;
    type Tools = [Settings; 2];

    fn tools(&self) -> Result<[Settings; 2], JobError> {
        let [new, best] = &self.nets;
        let ready = |net: &NetFile| Ok(net.ready(&self.host, self.game.size)?.0);
        Ok([ready(new)?, ready(best)?])
    }

    fn work(
        &self,
        settings: &mut [Settings; 2],
        task: &GateTask,
        stop: &AtomicBool,
    ) -> Result<GateFinding, JobError> {
        let GamePlan { size, rules, .. } = self.game;
        let mut start = Game::new(size, rules);
        for (color, mv) in read_opening(&task.opening, size).map_err(JobError::Refused)? {
            start.play(color, mv).map_err(|error| JobError::Refused(error.to_string()))?;
        }
        let player = |i: usize| Mover::new(&settings[i], size, task.seeds[i], self.gate.visits, 1.0);
        let (mut new, mut best) = (player(0)?, player(1)?);
        let mut by_color: [&mut dyn Contestant; 2] = [&mut new, &mut best];
        by_color.rotate_left(task.color.index());
        let duel = duel::play(start, by_color, stop).ok_or(JobError::Interrupted)?;
        Ok(match duel.winner {
            Some(winner) if winner == task.color => 2,
            Some(_) => 0,
            None => 1,
        })
    }
}
