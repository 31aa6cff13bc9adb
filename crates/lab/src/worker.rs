//! The threads that play the games of a match, one after another.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tesuji_board::Color;

use crate::opening::Opening;
use crate::plan::{Lifetime, MatchPlan, fill_command};
use crate::player::{Fault, Player};
use crate::record::GameLine;
use crate::referee::{Played, Side, play_game};
use crate::schedule::Job;

/// A finished game and its SGF.
pub(crate) type Finished = (GameLine, String);

/// What workers share.
pub(crate) struct Shared {
    pub(crate) plan: MatchPlan,
    pub(crate) openings: Vec<Opening>,
    pub(crate) queue: Mutex<VecDeque<Job>>,
    /// Raised when no more results are wanted; games under way are given up.
    pub(crate) abandon: AtomicBool,
}

/// Starts the workers; the channel is closed when the last of them has ended.
pub(crate) fn start_workers(shared: &Arc<Shared>) -> io::Result<Receiver<Finished>> {
    let (sender, results) = mpsc::channel();
    for number in 0..shared.plan.parallel.max(1) {
        let worker = Worker { shared: Arc::clone(shared), kept: BTreeMap::new(), results: sender.clone() };
        thread::Builder::new().name(format!("match-{number}")).spawn(move || worker.work())?;
    }
    Ok(results)
}

struct Worker {
    shared: Arc<Shared>,
    /// Engines that live as long as the match, by index.
    kept: BTreeMap<usize, Player>,
    results: Sender<Finished>,
}

impl Worker {
    fn work(mut self) {
        while let Some(job) = self.next_job() {
            let Some(finished) = self.play(job) else { break };
            if self.results.send(finished).is_err() {
                break;
            }
        }
        for (_, player) in std::mem::take(&mut self.kept) {
            player.quit();
        }
    }

    fn next_job(&self) -> Option<Job> {
        if self.shared.abandon.load(Ordering::Relaxed) {
            return None;
        }
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// Plays one game; `None` if it was abandoned.
    fn play(&mut self, job: Job) -> Option<Finished> {
        let shared = Arc::clone(&self.shared);
        let plan = &shared.plan;
        let [black_seed, white_seed, referee_seed] = job.seeds(plan.seed);
        let empty = Opening::new();
        let round = usize::try_from(job.round - 1).unwrap_or(usize::MAX);
        let opening = shared.openings.get(round).unwrap_or(&empty);
        let clocks = [job.black, job.white].map(|index| plan.engines[index].clock);
        let black = self.player(job.black, black_seed, job.game);
        let white = self.player(job.white, white_seed, job.game);
        let played = match (black, white) {
            (Ok(mut black), Ok(mut white)) => {
                let sides = [
                    Side { player: &mut black, clock: clocks[0] },
                    Side { player: &mut white, clock: clocks[1] },
                ];
                let played = play_game(sides, opening, &plan.terms, referee_seed, &shared.abandon)?;
                self.put_back(job.black, black, played.broken == Some(Color::Black));
                self.put_back(job.white, white, played.broken == Some(Color::White));
                played
            }
            (Err(fault), _) => Played::forfeit(&plan.terms, Color::Black, fault, &shared.abandon)?,
            (_, Err(fault)) => Played::forfeit(&plan.terms, Color::White, fault, &shared.abandon)?,
        };
        let [black, white] = [job.black, job.white].map(|index| plan.engines[index].name.as_str());
        let sgf = played.record([black, white]).to_sgf();
        let line = GameLine {
            match_id: plan.id(),
            game: job.game,
            round: job.round,
            black: black.to_owned(),
            white: white.to_owned(),
            result: played.result,
            ending: played.ending,
            counted_by: played.counted_by,
            detail: played.detail,
            moves: played.game.move_number() as u64,
            effort: played.effort,
        };
        Some((line, sgf))
    }

    fn player(&mut self, engine: usize, seed: u64, game: u64) -> Result<Player, Fault> {
        if let Some(player) = self.kept.remove(&engine) {
            return Ok(player);
        }
        let plan = &self.shared.plan;
        let command = fill_command(&plan.engines[engine].command, seed, game);
        Player::start(&command, plan.terms.command_timeout)
    }

    fn put_back(&mut self, engine: usize, player: Player, broken: bool) {
        match self.shared.plan.lifetime {
            // Dropping kills it: one that broke off a game is not asked for anything any more.
            _ if broken => {}
            Lifetime::Game => player.quit(),
            Lifetime::Match => _ = self.kept.insert(engine, player),
        }
    }
}
