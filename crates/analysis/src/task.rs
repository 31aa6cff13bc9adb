//! One position to analyse, from the moment it waits until its last report.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use tesuji_board::Game;
use tesuji_engine::Player;
use tesuji_net::output::Evaluation;

use crate::query::Query;

/// Who asked, and where replies go.
pub(crate) struct Client {
    pub(crate) number: u64,
    replies: Box<dyn Fn(String) + Send + Sync>,
    /// Whether anybody still listens.
    listens: AtomicBool,
    /// What its unfinished queries weigh, in bytes.
    load: AtomicUsize,
}

/// A query that counts against its client's share of memory while anybody holds it.
pub(crate) struct Charged {
    pub(crate) query: Query,
    client: Arc<Client>,
    weight: usize,
}

/// A position that waits for a worker, or is with one.
pub(crate) struct Task {
    pub(crate) client: Arc<Client>,
    pub(crate) of: Arc<Charged>,
    pub(crate) turn: usize,
    pub(crate) priority: i64,
    /// Raised by `terminate`: tell what is known and stop.
    pub(crate) ends: Arc<AtomicBool>,
    /// What there is so far, if it was ever begun.
    pub(crate) search: Option<Box<Search>>,
}

/// A search that was begun.
pub(crate) struct Search {
    pub(crate) player: Player,
    pub(crate) game: Game,
    /// What the network thinks of the position, if there is one.
    pub(crate) opinion: Option<Evaluation>,
    /// What people of a rank play, if the query asks.
    pub(crate) people: Option<Evaluation>,
    /// Simulations made.
    pub(crate) made: u64,
    /// Time with a worker.
    pub(crate) spent: Duration,
    /// Time with a worker at which the next report is due.
    pub(crate) report_at: Option<Duration>,
}

impl Client {
    pub(crate) fn new(number: u64, replies: impl Fn(String) + Send + Sync + 'static) -> Client {
        let replies = Box::new(replies);
        Client { number, replies, listens: AtomicBool::new(true), load: AtomicUsize::new(0) }
    }

    /// Replies, if anybody still listens.
    pub(crate) fn reply(&self, message: &Value) {
        if self.listens() {
            (self.replies)(message.to_string());
        }
    }

    pub(crate) fn listens(&self) -> bool {
        self.listens.load(Ordering::Relaxed)
    }

    /// Nobody listens any more.
    pub(crate) fn leave(&self) {
        self.listens.store(false, Ordering::Relaxed);
    }

    /// Bytes that its unfinished queries hold.
    pub(crate) fn load(&self) -> usize {
        self.load.load(Ordering::Relaxed)
    }
}

impl Charged {
    pub(crate) fn new(query: Query, weight: usize, client: &Arc<Client>) -> Charged {
        client.load.fetch_add(weight, Ordering::Relaxed);
        Charged { query, client: Arc::clone(client), weight }
    }
}

impl Drop for Charged {
    fn drop(&mut self) {
        self.client.load.fetch_sub(self.weight, Ordering::Relaxed);
    }
}

impl Task {
    pub(crate) fn query(&self) -> &Query {
        &self.of.query
    }

    /// Whether it should end as soon as possible.
    pub(crate) fn is_ended(&self) -> bool {
        self.ends.load(Ordering::Relaxed) || !self.client.listens()
    }
}
