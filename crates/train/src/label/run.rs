//! Labels many games with several threads.

use super::explore::ExplorePlan;
use super::game::{ActiveGame, Wanted};
use super::play::PlayPlan;
use crate::sample::GameSample;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use tesuji_board::Size;
use tesuji_net::output::DecodeError;
use tesuji_net::{Reader, Seat};

/// Which positions to label.
pub enum Plan<'a> {
    /// Those of given games.
    Follow(&'a [GameSample]),
    /// Those of games that the network plays, from this number on.
    Play(&'a PlayPlan, usize),
    /// For each game, from this number on, those of a line that a search comes to.
    Explore(ExplorePlan<'a>, usize),
}

/// A game that was labelled.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its number: in the list of games, or among those that are played.
    pub number: usize,
    /// The game with its labels.
    pub sample: GameSample,
}

/// Who labels.
#[derive(Clone, Copy, Debug)]
pub struct Pool<'a> {
    /// The network.
    pub reader: &'a Reader,
    /// Threads.
    pub threads: usize,
    /// Games of each thread whose positions are evaluated together.
    pub together: usize,
}

/// Why positions cannot be labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelError {
    /// The network was made for other boards.
    Board(Size),
    /// Its answer means nothing.
    Decode(DecodeError),
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelError::Board(size) => write!(f, "the network was not made for {size}"),
            LabelError::Decode(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LabelError {}

/// Labels games; calls `finished` with each when it is done, in no particular order, until all are or `stop` is raised. An error of `finished`
/// ends everything and is returned.
pub fn label<E: From<LabelError>>(
    pool: Pool<'_>,
    plan: &Plan<'_>,
    wanted: &Wanted,
    stop: &AtomicBool,
    mut finished: impl FnMut(Finished) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let ended = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..pool.threads.max(1) {
            let (send, next, ended) = (send.clone(), &next, &ended);
            let worker = Labeller { pool, plan, wanted };
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
struct Labeller<'a> {
    pool: Pool<'a>,
    plan: &'a Plan<'a>,
    wanted: &'a Wanted,
}

impl Labeller<'_> {
    fn run(
        self,
        next: &AtomicUsize,
        is_over: impl Fn() -> bool,
        finished: impl Fn(Finished),
    ) -> Result<(), LabelError> {
        let mut active: Vec<ActiveGame> = Vec::new();
        let mut seat: Option<Seat> = None;
        let mut probabilities = Vec::new();
        let play = match self.plan {
            Plan::Play(plan, _) => Some(*plan),
            Plan::Follow(_) | Plan::Explore(..) => None,
        };
        while !is_over() {
            while active.len() < self.pool.together.max(1) {
                match self.begin(next.fetch_add(1, Ordering::Relaxed)) {
                    None => break,
                    Some(Ok(game)) => active.push(game),
                    Some(Err(done)) => finished(*done),
                }
            }
            let Some(size) = active.first().map(|game| game.sample.size) else { break };
            let mut own = match seat.take().filter(|seat| seat.size() == size) {
                Some(seat) => seat,
                None => {
                    let fresh = self.pool.reader.seat(size, self.pool.together);
                    fresh.ok_or(LabelError::Board(size))?
                }
            };
            // Games of other sizes wait until these are done.
            let asked: Vec<Option<usize>> = active
                .iter()
                .map(|game| {
                    let has_place = game.sample.size == size && own.waiting() < own.capacity();
                    has_place.then(|| game.ask(&mut own))
                })
                .collect();
            own.evaluate(0.0).map_err(LabelError::Decode)?;
            let mut going = Vec::with_capacity(active.len());
            for (mut game, place) in active.drain(..).zip(asked) {
                let goes_on = place.is_none_or(|place| {
                    game.answer(own.evaluation(place), self.wanted, play, &mut probabilities)
                });
                if goes_on {
                    going.push(game);
                } else {
                    finished(Finished { number: game.number, sample: game.sample });
                }
            }
            active = going;
            seat = Some(own);
        }
        Ok(())
    }

    /// Begins the game of a number, or says at once that there is nothing to do for it; nothing if all have begun.
    fn begin(&self, index: usize) -> Option<Result<ActiveGame, Box<Finished>>> {
        match self.plan {
            Plan::Follow(games) => {
                let sample = games.get(index)?;
                let done = || Box::new(Finished { number: index, sample: sample.clone() });
                Some(ActiveGame::follow(index, sample.clone(), self.wanted).ok_or_else(done))
            }
            Plan::Play(plan, first) => {
                let number = first + index;
                (number < plan.games).then(|| Ok(ActiveGame::play(number, plan, self.wanted)))
            }
            Plan::Explore(plan, first) => {
                let number = first + index;
                let sample = plan.games.get(number)?;
                let without_labels = || GameSample { labels: Vec::new(), ..sample.clone() };
                let done = || Box::new(Finished { number, sample: without_labels() });
                Some(ActiveGame::explore(number, sample, plan, self.wanted).ok_or_else(done))
            }
        }
    }
}
