//! Labels many games with several threads.

use super::game::{ActiveGame, Desk, Wanted};
use super::oracle::{Oracle, OracleError};
use super::play::PlayPlan;
use crate::sample::GameSample;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use tesuji_net::model::Model;
use tesuji_net::output::{Decoder, Logits};

/// Which positions to label.
pub enum Plan<'a> {
    /// Those of given games.
    Follow(&'a [GameSample]),
    /// Those of games that the network plays, from this number on.
    Play(&'a PlayPlan, usize),
}

/// A game that was labelled.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its number: in the list of games, or among those that are played.
    pub number: usize,
    /// The game with its labels.
    pub sample: GameSample,
}

/// Labels games, as many threads as there are oracles, each with `together` games at a time; calls `finished` with each game when it is done, in no
/// particular order, until all are or `stop` is raised. An error of `finished` ends everything and is returned.
pub fn label<O: Oracle, E: From<OracleError> + Send>(
    model: &Model,
    oracles: Vec<O>,
    together: usize,
    plan: &Plan<'_>,
    wanted: &Wanted,
    stop: &AtomicBool,
    mut finished: impl FnMut(Finished) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for oracle in oracles {
            let (send, next, ended) = (send.clone(), &next, &ended);
            let worker = Labeller { model, oracle, together: together.max(1), plan, wanted };
            scope.spawn(move || {
                let is_over = || stop.load(Ordering::Relaxed) || ended.load(Ordering::Relaxed);
                let result = worker.run(next, is_over, |finished| _ = send.send(Ok(finished)));
                if let Err(error) = result {
                    _ = send.send(Err(error));
                }
            });
        }
        drop(send);
        for message in receive {
            if let Err(error) = message.map_err(E::from).and_then(&mut finished) {
                ended.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

/// One thread.
struct Labeller<'a, O> {
    model: &'a Model,
    oracle: O,
    together: usize,
    plan: &'a Plan<'a>,
    wanted: &'a Wanted,
}

impl<O: Oracle> Labeller<'_, O> {
    fn run(
        mut self,
        next: &AtomicUsize,
        is_over: impl Fn() -> bool,
        finished: impl Fn(Finished),
    ) -> Result<(), OracleError> {
        let decoder = Decoder::new(self.model);
        let input = &self.model.input;
        let mut active: Vec<ActiveGame> = Vec::new();
        let mut desk: Option<(tesuji_board::Size, Desk)> = None;
        let (mut planes, mut globals, mut logits) = (Vec::new(), Vec::new(), Vec::new());
        let play = match self.plan {
            Plan::Follow(_) => None,
            Plan::Play(plan, _) => Some(*plan),
        };
        while !is_over() {
            while active.len() < self.together {
                match self.begin(next.fetch_add(1, Ordering::Relaxed)) {
                    None => break,
                    Some(Ok(game)) => active.push(game),
                    Some(Err(done)) => finished(done),
                }
            }
            let Some(size) = active.first().map(|game| game.sample.size) else { break };
            if desk.as_ref().is_none_or(|(made_for, _)| *made_for != size) {
                desk = Some((size, Desk::new(input, &decoder, size)));
            }
            let Some((_, desk)) = &mut desk else { break };
            planes.clear();
            globals.clear();
            let mut asked = 0;
            for game in active.iter().filter(|game| game.sample.size == size) {
                game.ask(desk, input, &mut planes, &mut globals);
                asked += 1;
            }
            logits.resize(asked, Logits::default());
            self.oracle.evaluate(size, &planes, &globals, &mut logits)?;
            let mut answers = logits.iter();
            let mut going = Vec::with_capacity(active.len());
            for mut game in active.drain(..) {
                let is_asked = game.sample.size == size;
                let goes_on = match is_asked.then(|| answers.next()).flatten() {
                    Some(logits) => game.answer(desk, logits, self.wanted, play),
                    None => true,
                };
                if goes_on {
                    going.push(game);
                } else {
                    finished(Finished { number: game.number, sample: game.sample });
                }
            }
            active = going;
        }
        Ok(())
    }

    /// Begins the game of a number, or says at once that there is nothing to do for it; nothing if all have begun.
    fn begin(&self, index: usize) -> Option<Result<ActiveGame, Finished>> {
        match self.plan {
            Plan::Follow(games) => {
                let sample = games.get(index)?;
                let done = || Finished { number: index, sample: sample.clone() };
                Some(ActiveGame::follow(index, sample.clone(), self.wanted).ok_or_else(done))
            }
            Plan::Play(plan, first) => {
                let number = first + index;
                if number >= plan.games {
                    return None;
                }
                let done = || Finished { number, sample: plan.start(&mut tesuji_search::Rng::new(0)) };
                Some(ActiveGame::play(number, plan, self.wanted).ok_or_else(done))
            }
        }
    }
}
