//! Which position a worker takes next.
//!
//! Among clients, the one that has had the least time goes first (each has a clock of worker time, as in fair process schedulers), so
//! that nobody can keep the others waiting by asking for much. Within a client, priority decides and then who came first. A
//! position that has been searched for a while goes back to the others when somebody waits, with its tree; few can be open
//! like that at once, because trees are large, and a client may have a quarter of them, for searches without end never close.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::task::Task;

/// What waits, and who works.
pub(crate) struct Schedule {
    state: Mutex<State>,
    /// Something can be taken, or the service ends.
    work: Condvar,
    /// Something was finished or taken away.
    less: Condvar,
    /// Positions that wait, for workers that ask often.
    waiting: AtomicUsize,
    /// Searches that may be begun and not finished.
    most_open: usize,
    /// Those of one client.
    most_of_client: usize,
}

#[derive(Default)]
struct State {
    lines: BTreeMap<u64, Line>,
    arrivals: u64,
    open: usize,
    closed: bool,
}

/// The positions of one client.
#[derive(Default)]
struct Line {
    waiting: BTreeMap<Place, Task>,
    running: Vec<Running>,
    /// Worker time used, in microseconds, without what runs now.
    used: u64,
}

/// Highest priority first, then first come.
type Place = (Reverse<i64>, u64);

struct Running {
    place: Place,
    id: String,
    turn: usize,
    since: Instant,
    ends: Arc<AtomicBool>,
}

/// A position together with its place in the line.
pub(crate) struct Taken {
    pub(crate) task: Task,
    place: Place,
}

/// Why positions are not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The client has too much under way.
    TooMany,
    /// The service has ended.
    Closed,
}

impl Schedule {
    pub(crate) fn new(most_open: usize, workers: usize) -> Schedule {
        Schedule {
            state: Mutex::default(),
            work: Condvar::new(),
            less: Condvar::new(),
            waiting: AtomicUsize::new(0),
            most_open,
            // One client alone can keep all workers busy.
            most_of_client: (most_open / 4).max(workers),
        }
    }

    /// Whether anybody waits.
    pub(crate) fn is_crowded(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Adds the positions of a query, all or none.
    pub(crate) fn add(&self, client: u64, tasks: Vec<Task>, most: usize) -> Result<(), Refusal> {
        let mut guard = self.lock();
        let state = &mut *guard;
        if state.closed {
            return Err(Refusal::Closed);
        }
        let now = Instant::now();
        let least = state.lines.values().filter(|line| line.is_busy()).map(|line| line.used_until(now)).min();
        let line = state.lines.entry(client).or_default();
        if line.len() + tasks.len() > most {
            return Err(Refusal::TooMany);
        }
        if !line.is_busy() {
            // Time that was not asked for is not saved up.
            line.used = line.used.max(least.unwrap_or(0));
        }
        self.waiting.fetch_add(tasks.len(), Ordering::Relaxed);
        for task in tasks {
            state.arrivals += 1;
            line.waiting.insert((Reverse(task.priority), state.arrivals), task);
        }
        drop(guard);
        self.work.notify_all();
        Ok(())
    }

    /// The next position; waits for one. Nothing if the service ends.
    pub(crate) fn take(&self) -> Option<Taken> {
        let mut guard = self.lock();
        loop {
            if guard.closed {
                return None;
            }
            if let Some(taken) = self.pick(&mut guard) {
                return Some(taken);
            }
            guard = self.work.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn pick(&self, state: &mut State) -> Option<Taken> {
        let now = Instant::now();
        let has_room = state.open < self.most_open;
        let first = |line: &Line| {
            let has_room = has_room && line.open() < self.most_of_client;
            let mut places = line.waiting.iter();
            places.find(|(_, task)| has_room || task.search.is_some()).map(|(&place, _)| place)
        };
        let candidates = state
            .lines
            .iter()
            .filter_map(|(&client, line)| Some((line.used_until(now), client, first(line)?)));
        let (_, client, place) = candidates.min()?;
        let line = state.lines.get_mut(&client)?;
        let task = line.waiting.remove(&place)?;
        line.running.push(Running {
            place,
            id: task.query().id.clone(),
            turn: task.turn,
            since: now,
            ends: Arc::clone(&task.ends),
        });
        state.open += usize::from(task.search.is_none());
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Some(Taken { task, place })
    }

    /// Puts a position back that was searched for some time.
    pub(crate) fn put_back(&self, taken: Taken) {
        let mut guard = self.lock();
        let Taken { task, place } = taken;
        let client = task.client.number;
        guard.open -= usize::from(task.search.is_none());
        match guard.lines.get_mut(&client) {
            Some(line) => {
                line.stop_running(place);
                line.waiting.insert(place, task);
                self.waiting.fetch_add(1, Ordering::Relaxed);
            }
            // The client left meanwhile.
            None => guard.open -= usize::from(task.search.is_some()),
        }
        drop(guard);
        self.work.notify_one();
    }

    /// A position is done.
    pub(crate) fn finish(&self, client: u64, place: Place) {
        let mut guard = self.lock();
        guard.open -= 1;
        if let Some(line) = guard.lines.get_mut(&client) {
            line.stop_running(place);
        }
        drop(guard);
        self.work.notify_one();
        self.less.notify_all();
    }

    /// Ends positions of a client. Those never begun are handed back; the others come to their end with a worker.
    pub(crate) fn end(&self, client: u64, is_meant: impl Fn(&str, usize) -> bool) -> Vec<Task> {
        let mut guard = self.lock();
        let Some(line) = guard.lines.get_mut(&client) else { return Vec::new() };
        for running in line.running.iter().filter(|running| is_meant(&running.id, running.turn)) {
            running.ends.store(true, Ordering::Relaxed);
        }
        let mut places = Vec::new();
        for (&place, task) in line.waiting.iter().filter(|(_, task)| is_meant(&task.query().id, task.turn)) {
            task.ends.store(true, Ordering::Relaxed);
            if task.search.is_none() {
                places.push(place);
            }
        }
        let ended: Vec<Task> = places.iter().filter_map(|place| line.waiting.remove(place)).collect();
        self.waiting.fetch_sub(ended.len(), Ordering::Relaxed);
        drop(guard);
        self.less.notify_all();
        ended
    }

    /// A client left: its positions are of no interest any more.
    pub(crate) fn remove(&self, client: u64) {
        let mut guard = self.lock();
        let Some(line) = guard.lines.remove(&client) else { return };
        self.waiting.fetch_sub(line.waiting.len(), Ordering::Relaxed);
        guard.open -= line.waiting.values().filter(|task| task.search.is_some()).count();
        line.running.iter().for_each(|running| running.ends.store(true, Ordering::Relaxed));
        drop(guard);
        // Trees are large: they are dropped after others can go on.
        drop(line);
        self.work.notify_all();
    }

    /// Positions of a client that are not done.
    pub(crate) fn unfinished(&self, client: u64) -> usize {
        self.lock().lines.get(&client).map_or(0, Line::len)
    }

    /// Waits until a client has at most so many positions that are not done.
    pub(crate) fn wait_for(&self, client: u64, at_most: usize) {
        let mut guard = self.lock();
        while !guard.closed && guard.lines.get(&client).map_or(0, Line::len) > at_most {
            guard = self.less.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The service ends: what runs is to stop, what waits is dropped.
    pub(crate) fn close(&self) {
        let mut guard = self.lock();
        guard.closed = true;
        let lines = std::mem::take(&mut guard.lines);
        let running = lines.values().flat_map(|line| &line.running);
        running.for_each(|running| running.ends.store(true, Ordering::Relaxed));
        drop(guard);
        self.work.notify_all();
        self.less.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn len(&self) -> usize {
        self.waiting.len() + self.running.len()
    }

    /// Searches begun and not finished.
    fn open(&self) -> usize {
        self.running.len() + self.waiting.values().filter(|task| task.search.is_some()).count()
    }

    fn is_busy(&self) -> bool {
        self.len() > 0
    }

    /// Worker time used so far. What runs counts: a search that nobody has asked to make room may have run for minutes, and whoever
    /// comes then starts level with it.
    fn used_until(&self, now: Instant) -> u64 {
        self.used + self.running.iter().map(|running| running.spent(now)).sum::<u64>()
    }

    fn stop_running(&mut self, place: Place) {
        let now = Instant::now();
        for running in self.running.extract_if(.., |running| running.place == place) {
            self.used += running.spent(now);
        }
    }
}

impl Running {
    /// Microseconds with its worker.
    fn spent(&self, now: Instant) -> u64 {
        now.saturating_duration_since(self.since).as_micros() as u64
    }
}

impl Taken {
    /// Its place in the line.
    pub(crate) fn place(&self) -> Place {
        self.place
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::query::tests::query;
    use crate::task::{Charged, Client};

    /// A position of a client of its own.
    fn task(number: u64) -> Task {
        let client = Arc::new(Client::new(number, |_| ()));
        let of = Arc::new(Charged::new(query(json!({})), 0, &client));
        Task { client, of, turn: 0, priority: 0, ends: Arc::default(), search: None }
    }

    /// As if a worker had been with what runs for a while.
    fn let_pass(schedule: &Schedule, seconds: u64) {
        let mut state = schedule.lock();
        for running in state.lines.values_mut().flat_map(|line| &mut line.running) {
            running.since -= Duration::from_secs(seconds);
        }
    }

    /// Who has the next four turns; each is longer than the one before, so that nobody is level with another.
    fn next_four(schedule: &Schedule) -> [u64; 4] {
        [10, 11, 12, 13].map(|seconds| {
            let taken = schedule.take().unwrap();
            let number = taken.task.client.number;
            let_pass(schedule, seconds);
            schedule.put_back(taken);
            number
        })
    }

    #[test]
    fn who_was_alone_for_long_does_not_wait_for_it() {
        let schedule = Schedule::new(8, 1);
        schedule.add(1, vec![task(1)], 9).unwrap();
        let alone = schedule.take().unwrap();
        let_pass(&schedule, 100);
        schedule.add(2, vec![task(2)], 9).unwrap();
        let_pass(&schedule, 1);
        schedule.put_back(alone);
        assert_eq!(next_four(&schedule), [2, 1, 2, 1]);
    }

    #[test]
    fn one_that_asks_for_much_has_no_more_than_the_others() {
        let schedule = Schedule::new(8, 1);
        schedule.add(1, vec![task(1), task(1), task(1)], 9).unwrap();
        schedule.add(2, vec![task(2)], 9).unwrap();
        assert_eq!(next_four(&schedule), [1, 2, 1, 2]);
    }
}
