//! Work for people at the board, over a WebSocket: answers to moves, the count at the end, solved problems, reviewed games.
//!
//! A message is a JSON object with an `id` of the client's choice and what to `do`; every answer carries the id, and is either what was asked for or
//! an `error`. `cancel` and `hurry` name an earlier id. A client that goes away takes its questions with it.

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tesuji_board::{Color, Game, Move, Owner, Ownership, PointSet, Scoring};
use tesuji_engine::decision::Decision;
use tesuji_engine::judge::Judgement;
use tesuji_engine::{
    Allowance, Budget, Clock, DEFAULT_LAG, GameStage, Level, MoveQuestion, NoLevel, Player, TimeSystem,
    TimedControl,
};
use tesuji_solve::Solver;

use crate::outbox::Outbox;
use crate::position::{Position, point};
use crate::review::{Reviewer, Wish};
use crate::socket::Conversation;
use crate::solve::{Question, solve};
use crate::worker::{Leash, Worker};

/// Simulations for a move at full strength without a clock: some seconds on 9×9.
const FULL_SIMULATIONS: u64 = 50_000;
/// Questions that a client may have open.
const MAX_OPEN: usize = 32;
/// Longest time for one move, in seconds.
const MAX_SECONDS: f64 = 3600.0;

/// The threads that do the work of all clients.
pub(crate) struct Threads {
    pub(crate) play: Worker<Player>,
    pub(crate) solve: Worker<Solver>,
    pub(crate) review: Worker<Reviewer>,
}

#[derive(Deserialize)]
struct Message {
    id: u64,
    #[serde(flatten)]
    order: Order,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Order {
    /// A move in a position, by a level, in some seconds, on a clock, or all of them.
    Answer { position: Position, level: Option<String>, seconds: Option<f64>, clock: Option<ClockState> },
    /// The result of a finished game, with these stones dead or with those that the engine thinks are.
    Count { position: Position, dead: Option<Vec<String>> },
    /// The fate of a group.
    Solve { question: Question },
    /// What was lost where in a whole game.
    Review(Wish),
    /// The answer is not wanted any more.
    Cancel { of: u64 },
    /// The answer is wanted now.
    Hurry { of: u64 },
}

/// What is left on the clock of whoever is to move, in seconds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClockState {
    main_left: f64,
    #[serde(default)]
    period: f64,
    #[serde(default)]
    periods_left: u32,
    #[serde(default)]
    increment: f64,
}

/// One client.
pub(crate) struct Desk {
    threads: Arc<Threads>,
    outbox: Arc<Outbox>,
    open: Arc<Mutex<HashMap<u64, Leash>>>,
}

impl Desk {
    pub(crate) fn new(threads: Arc<Threads>, outbox: Arc<Outbox>) -> Desk {
        Desk { threads, outbox, open: Arc::default() }
    }

    fn begin(&mut self, id: u64, order: Order) -> Result<(), String> {
        let position = match &order {
            Order::Answer { position, .. } | Order::Count { position, .. } => Some(position.game()),
            _ => None,
        };
        let game = position.transpose().map_err(|error| error.to_string())?;
        match (order, game) {
            (Order::Cancel { of }, _) => {
                self.with_open(|open| open.remove(&of)).iter().for_each(Leash::cancel);
                Ok(())
            }
            (Order::Hurry { of }, _) => {
                self.with_open(|open| open.get(&of).cloned()).iter().for_each(Leash::hurry);
                Ok(())
            }
            (Order::Answer { level, seconds, clock, .. }, Some(game)) => {
                let pace = Pace::new(level.as_deref(), seconds, clock, &game)?;
                let task = self.task(id)?;
                self.ask_player(task, move |player, task| answer(player, &game, &pace, &task.leash))
            }
            (Order::Count { dead, .. }, Some(game)) => {
                let dead = dead.map(|dead| dead_stones(&game, &dead)).transpose()?;
                let task = self.task(id)?;
                self.ask_player(task, move |player, _| count(player, &game, dead))
            }
            (Order::Solve { question }, _) => {
                let task = self.task(id)?;
                let asked = self.threads.solve.ask(move |solver| {
                    task.run(|task| solve(solver, question, &task.leash, &|value| task.progress(value)));
                });
                asked.map_err(|busy| busy.to_string())
            }
            (Order::Review(wish), _) => {
                let wish = wish.read()?;
                let task = self.task(id)?;
                let asked = self.threads.review.ask(move |reviewer| {
                    task.run(|task| Ok(reviewer.review(wish, &task.leash, &|value| task.progress(value))));
                });
                asked.map_err(|busy| busy.to_string())
            }
            // A game was made for both of these.
            (Order::Answer { .. } | Order::Count { .. }, None) => Err("there is no position".to_owned()),
        }
    }

    fn ask_player(
        &self,
        task: Task,
        work: impl FnOnce(&mut Player, &Task) -> Value + Send + 'static,
    ) -> Result<(), String> {
        let asked = self.threads.play.ask(move |player| task.run(|task| Ok(work(player, task))));
        asked.map_err(|busy| busy.to_string())
    }

    /// A new question with its leash.
    fn task(&self, id: u64) -> Result<Task, String> {
        let leash = Leash::default();
        let old = self.with_open(|open| {
            if open.len() >= MAX_OPEN {
                Err("too many questions at once")
            } else {
                Ok(open.insert(id, leash.clone()))
            }
        })?;
        // A second question with the same id takes the place of the first.
        old.iter().for_each(Leash::cancel);
        Ok(Task { id, leash, outbox: Arc::clone(&self.outbox), open: Arc::clone(&self.open) })
    }

    fn with_open<R>(&self, act: impl FnOnce(&mut HashMap<u64, Leash>) -> R) -> R {
        act(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Conversation for Desk {
    fn hear(&mut self, line: &str) {
        let message: Message = match serde_json::from_str(line) {
            Ok(message) => message,
            Err(error) => {
                let id = serde_json::from_str(line).ok().and_then(|value: Value| value.get("id").cloned());
                self.outbox.send(json!({ "id": id, "error": error.to_string() }).to_string());
                return;
            }
        };
        if let Err(error) = self.begin(message.id, message.order) {
            self.with_open(|open| open.remove(&message.id));
            self.outbox.send(json!({ "id": message.id, "error": error }).to_string());
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.with_open(|open| open.values().for_each(Leash::cancel));
    }
}

/// A question on its way through the threads.
struct Task {
    id: u64,
    leash: Leash,
    outbox: Arc<Outbox>,
    open: Arc<Mutex<HashMap<u64, Leash>>>,
}

impl Task {
    /// Does the work and sends the answer, as far as they are still wanted.
    fn run(&self, work: impl FnOnce(&Task) -> Result<Value, String>) {
        if self.leash.is_unwanted() {
            return;
        }
        let result = work(self);
        if self.leash.is_unwanted() {
            return;
        }
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        let (name, value) = match result {
            Ok(value) => ("result", value),
            Err(error) => ("error", Value::from(error)),
        };
        self.outbox.send_last(&self.subject(), json!({ "id": self.id, name: value }).to_string());
    }

    /// Tells how far it is.
    fn progress(&self, value: Value) {
        self.outbox.send_state(self.subject(), json!({ "id": self.id, "progress": value }).to_string());
    }

    fn subject(&self) -> String {
        format!("task {}", self.id)
    }
}

/// How long an answer may take.
struct Pace {
    budget: Budget,
    simulations: u64,
    level: Level,
}

impl Pace {
    fn new(
        level: Option<&str>,
        seconds: Option<f64>,
        clock: Option<ClockState>,
        game: &Game,
    ) -> Result<Pace, String> {
        let time = |name: &str, seconds: f64| match Duration::try_from_secs_f64(seconds) {
            Ok(time) if seconds <= MAX_SECONDS => Ok(time),
            _ => Err(format!("{name}: {seconds} is no time from 0 to {MAX_SECONDS} seconds")),
        };
        let mut budget = Budget::UNLIMITED;
        if let Some(clock) = &clock {
            let (main, period) = (time("mainLeft", clock.main_left)?, time("period", clock.period)?);
            let increment = time("increment", clock.increment)?;
            let mut left = Clock::new(if clock.period > 0.0 {
                TimeSystem::Byoyomi { main, period, periods: clock.periods_left.max(1) }
            } else if clock.increment > 0.0 {
                TimeSystem::Fischer { main, increment, cap: None, per_move: None }
            } else {
                TimeSystem::Absolute { main }
            });
            if clock.period > 0.0 && main.is_zero() {
                left.set_left(period, clock.periods_left.max(1));
            }
            budget = Budget::for_move(&left, GameStage::from(game), DEFAULT_LAG);
        }
        if let Some(seconds) = seconds {
            budget = budget.at_most(time("seconds", seconds)?);
        }
        let level = level.map_or(Ok(Level::Full), str::parse).map_err(|error: NoLevel| error.to_string())?;
        let simulations = if budget == Budget::UNLIMITED { FULL_SIMULATIONS } else { u64::MAX };
        Ok(Pace { budget, simulations, level })
    }
}

fn answer(player: &mut Player, game: &Game, pace: &Pace, leash: &Leash) -> Value {
    let control = TimedControl::new(pace.budget)
        .with_simulations(pace.simulations)
        .with_interrupt(Arc::clone(leash.stop_flag()));
    player.set_level(pace.level);
    let choice = player.choose(&MoveQuestion::of(game), &Allowance::by(&control), &mut |_| ());
    let name = match choice.decision {
        Decision::Resign => "resign".to_owned(),
        Decision::Move(mv) => mv.to_gtp(game.size()),
    };
    let is_black = game.to_move() == Color::Black;
    let (rate, lead) = (choice.report.win_rate, choice.report.score_lead);
    json!({
        "move": name,
        "reason": choice.reason,
        "visits": choice.report.visits,
        "blackWinRate": if is_black { rate } else { 1.0 - rate },
        "blackLead": if is_black { lead } else { -lead },
    })
}

/// The chains that the named stones belong to.
fn dead_stones(game: &Game, names: &[String]) -> Result<PointSet, String> {
    let board = game.board();
    let mut dead = PointSet::EMPTY;
    for name in names {
        let at = point(name, game.size())?;
        if board.is_empty(at) {
            return Err(format!("dead: there is no stone at {name}"));
        }
        dead.extend(board.stones(board.chain_at(at)));
    }
    Ok(dead)
}

fn count(player: &mut Player, game: &Game, dead: Option<PointSet>) -> Value {
    let judgement = match dead {
        Some(dead) => Judgement::with_dead(game, dead),
        None => player.judge(game),
    };
    let (size, rules, verdict) = (game.size(), game.rules(), &judgement.verdict);
    let counted = match rules.scoring {
        Scoring::Area => Ownership::by_area(game.board(), verdict),
        Scoring::Territory => Ownership::by_territory(game.board(), verdict),
    };
    let prisoners = |color: Color| {
        let dead = verdict.dead.iter().filter(|&stone| game.board().color(stone) == Some(!color)).count();
        game.prisoners(color) as usize + dead
    };
    let side = |color: Color, owner: Owner| match rules.scoring {
        Scoring::Area => json!({ "area": counted.count(owner) }),
        Scoring::Territory => json!({ "territory": counted.count(owner), "prisoners": prisoners(color) }),
    };
    let owner = |point| match judgement.owner(point) {
        Owner::Black => 'B',
        Owner::White => 'W',
        Owner::Neutral => '.',
    };
    json!({
        "dead": verdict.dead.iter().map(|stone| Move::Play(stone).to_gtp(size)).collect::<Vec<String>>(),
        "owners": size.points().map(owner).collect::<String>(),
        "black": side(Color::Black, Owner::Black),
        "white": side(Color::White, Owner::White),
        "whitePoints": game.white_points(),
        "blackLead": judgement.score.black_lead,
        "result": tesuji_board::GameResult::from(judgement.score).to_string(),
    })
}
