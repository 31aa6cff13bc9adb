//! The service and its connections.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tesuji_engine::{Settings, even_handicap};

use crate::message::{Action, Message, read};
use crate::query::{Defaults, Limits, Perspective, Query};
use crate::reply::nothing;
use crate::schedule::{Refusal, Schedule};
use crate::task::{Charged, Client, Task};
use crate::worker::Workshop;

/// How a service analyses.
#[derive(Clone)]
pub struct ServiceSettings {
    /// The search of every worker. Threads are those of one search; visits and time per move are those of a query that does
    /// not say; memory does not count.
    pub engine: Settings,
    /// Positions that are searched at the same time; 0 is as many as the cores allow.
    pub workers: usize,
    /// Memory of all searches together, in MB.
    pub memory: u64,
    /// Whose chances are told if a query does not say.
    pub perspective: Perspective,
}

/// Visits of a query if neither it nor the settings say: those of the configuration that comes with KataGo.
const DEFAULT_VISITS: u64 = 500;
/// MB of all searches together.
const DEFAULT_MEMORY: u64 = 1024;
/// MB that a search should have at least.
const USUAL_SHARE: u64 = 64;
/// Searches that may be begun at once, if the memory allows.
const MOST_OPEN: u64 = 32;
/// Positions of one client that may wait.
const MOST_WAITING: usize = 20_000;
/// Bytes of one client's queries that may wait.
const MOST_LOAD: usize = 128 << 20;
/// What a move of a game takes in memory, about: it is kept with boards now and then.
const MOVE_WEIGHT: usize = 512;

impl ServiceSettings {
    /// As many workers as the cores allow, each with a search of these settings.
    pub fn new(engine: Settings) -> ServiceSettings {
        ServiceSettings { engine, workers: 0, memory: DEFAULT_MEMORY, perspective: Perspective::default() }
    }

    fn workers(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let by_cores = cores / self.engine.threads.max(1) as usize;
        if self.workers > 0 { self.workers } else { by_cores.max(1) }
    }
}

/// Analyses positions for any number of clients. Dropping it ends all searches.
pub struct Service {
    workshop: Arc<Workshop>,
    defaults: Defaults,
    clients: AtomicU64,
    workers: usize,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Service {
    /// Starts the workers. A network of the settings may still be loading: queries wait for it, everything else is answered.
    pub fn new(settings: ServiceSettings) -> Service {
        let workers = settings.workers();
        let open = (settings.memory / USUAL_SHARE).min(MOST_OPEN).max(workers as u64);
        let engine = &settings.engine;
        let defaults = Defaults {
            limits: Limits {
                visits: [engine.visits, engine.playouts]
                    .into_iter()
                    .find(|&n| n > 0)
                    .unwrap_or(DEFAULT_VISITS),
                time: (engine.time_per_move > 0.0).then(|| Duration::from_secs_f64(engine.time_per_move)),
            },
            perspective: settings.perspective,
        };
        let workshop = Arc::new(Workshop {
            schedule: Schedule::new(open as usize, workers),
            settings: Settings { memory: (settings.memory / open).max(1), ..settings.engine },
            idle: Mutex::default(),
            most_idle: workers,
        });
        let worker = || {
            let workshop = Arc::clone(&workshop);
            std::thread::spawn(move || workshop.work())
        };
        let threads = Mutex::new((0..workers).map(|_| worker()).collect());
        Service { workshop, defaults, clients: AtomicU64::new(0), workers, threads }
    }

    /// Positions that are searched at the same time.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// A client whose replies go to `replies`: one JSON object per call, without a line break, from any thread. It should
    /// return soon: a worker waits for it meanwhile.
    pub fn connect(&self, replies: impl Fn(String) + Send + Sync + 'static) -> Connection {
        let number = self.clients.fetch_add(1, Ordering::Relaxed);
        Connection {
            client: Arc::new(Client::new(number, replies)),
            workshop: Arc::clone(&self.workshop),
            defaults: self.defaults,
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.workshop.schedule.close();
        let threads = self.threads.get_mut().map(std::mem::take).unwrap_or_default();
        // Workers catch panics; there is nobody to tell.
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// One client. Dropping it ends all its queries at once; nothing is replied to any more.
pub struct Connection {
    client: Arc<Client>,
    workshop: Arc<Workshop>,
    defaults: Defaults,
}

impl Connection {
    /// Takes one message. Returns without waiting for any search; what is wrong with the message is replied.
    pub fn send(&self, line: &str) {
        let mut reply = |message| self.client.reply(&message);
        match read(line, &self.defaults, &mut reply) {
            Ok(Message::Query(query)) => self.ask(*query, line.len()),
            Ok(Message::Action(action, echo)) => self.act(action, echo),
            Err(complaint) => self.client.reply(&complaint),
        }
    }

    /// Positions that are not answered yet.
    pub fn unanswered(&self) -> usize {
        self.workshop.schedule.unfinished(self.client.number)
    }

    /// Waits until there is room for at least half as many positions as may wait. For clients that would rather wait than be refused.
    pub fn wait_for_room(&self) {
        if self.unanswered() > MOST_WAITING / 2 {
            self.workshop.schedule.wait_for(self.client.number, MOST_WAITING / 2);
        }
    }

    /// Waits until everything is answered.
    pub fn wait_for_answers(&self) {
        self.workshop.schedule.wait_for(self.client.number, 0);
    }

    fn ask(&self, query: Query, bytes: usize) {
        let weight = bytes + MOVE_WEIGHT * query.game.move_number();
        let refuse = |id: &str, refusal: Refusal| {
            let problem = match refusal {
                Refusal::TooMany => format!("too many queries wait: at most {MOST_WAITING} positions"),
                Refusal::Closed => "the engine has ended".to_owned(),
            };
            self.client.reply(&json!({ "error": problem, "id": id }));
        };
        if self.client.load() + weight > MOST_LOAD {
            return refuse(&query.id, Refusal::TooMany);
        }
        let id = query.id.clone();
        let turns = query.turns.clone();
        let of = Arc::new(Charged::new(query, weight, &self.client));
        let task = |(turn, priority)| Task {
            client: Arc::clone(&self.client),
            of: Arc::clone(&of),
            turn,
            priority,
            ends: Arc::new(AtomicBool::new(false)),
            search: None,
        };
        let tasks = turns.into_iter().map(task).collect();
        if let Err(refusal) = self.workshop.schedule.add(self.client.number, tasks, MOST_WAITING) {
            refuse(&id, refusal);
        }
    }

    fn act(&self, action: Action, mut echo: Map<String, Value>) {
        match action {
            Action::Version => {
                echo.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
                echo.insert("name".to_owned(), json!("Tesuji"));
                // What KataGo says of itself if it does not know.
                echo.insert("git_hash".to_owned(), json!("<omitted>"));
            }
            Action::Models => {
                let models: Vec<Value> = self.models().into_iter().collect();
                echo.insert("models".to_owned(), Value::Array(models));
            }
            Action::EvenHandicap { size, stronger, weaker } => {
                let (stones, komi) = even_handicap(size, stronger, weaker);
                echo.insert("stones".to_owned(), json!(stones));
                // The usual komi of the rules if none is said.
                echo.insert("komi".to_owned(), json!(komi));
            }
            Action::ClearCache => {
                self.workshop.forget();
            }
            Action::Terminate { id, turns } => {
                let is_meant = |of: &str, turn: usize| {
                    id.as_ref().is_none_or(|id| id == of)
                        && turns.as_ref().is_none_or(|turns| turns.contains(&(turn as i64)))
                };
                let ended = self.workshop.schedule.end(self.client.number, is_meant);
                for task in &ended {
                    self.client.reply(&nothing(&task.query().id, task.turn));
                }
            }
        }
        self.client.reply(&Value::Object(echo));
    }

    /// The network, if the search asks one.
    fn models(&self) -> Option<Value> {
        let settings = Some(&self.workshop.settings).filter(|settings| settings.search.asks_network())?;
        let path = settings.net.path().map(|path| path.display().to_string());
        let name = path.unwrap_or_else(|| "built in".to_owned());
        Some(json!({
            "name": name,
            "internalName": name,
            "maxBatchSize": 1,
            "usesHumanSLProfile": false,
            "usingFP16": "false",
            "version": 0,
        }))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.client.leave();
        self.workshop.schedule.remove(self.client.number);
    }
}
