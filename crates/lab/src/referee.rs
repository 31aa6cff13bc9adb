//! Plays one game between two engines and decides how it ended.
//!
//! The referee trusts nobody: legality and superko are checked on its own board, time is measured on its own clock,
//! and whatever an engine does (crash, hang, nonsense) is a result with a reason, never an error of the match.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_board::{Color, Game, GameResult, Margin, Move, Rules, Size};
use tesuji_sgf::{GameRecord, RecordedResult};

use crate::clock::{Clock, OutOfTime, TimeControl};
use crate::count::Counter;
use crate::engine_spec::ClockUse;
use crate::opening::Opening;
use crate::player::{Fault, MoveAnswer, Player};
use crate::record::{CountMethod, Effort, Ending};

/// What all games of a match have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameTerms {
    /// Size of the board.
    #[serde(with = "crate::written::size")]
    pub size: Size,
    /// Rules and komi.
    #[serde(with = "crate::written::rules")]
    pub rules: Rules,
    /// The clock of either side.
    pub time: TimeControl,
    /// Seconds over the limit that are blamed on the pipe.
    pub lag: f64,
    /// Moves after which the game is drawn.
    pub move_limit: usize,
    /// Methods to find the score, in the order they are tried.
    pub methods: Vec<CountMethod>,
    /// The command that starts the arbiter, if there is one.
    pub arbiter: Option<String>,
    /// How long to wait for an answer that needs no thinking.
    #[serde(with = "crate::written::seconds")]
    pub command_timeout: Duration,
    /// How long to wait for a move without a clock.
    #[serde(with = "crate::written::seconds")]
    pub move_timeout: Duration,
}

/// One side of a game.
pub struct Side<'a> {
    /// The engine.
    pub player: &'a mut Player,
    /// What the clock means to it.
    pub clock: ClockUse,
}

/// A finished game.
pub struct Played {
    /// All moves that were legal.
    pub game: Game,
    /// How it ended.
    pub result: GameResult,
    /// What ended it.
    pub ending: Ending,
    /// How the score was found.
    pub counted_by: Option<CountMethod>,
    /// More about the ending, for people.
    pub detail: String,
    /// What each side spent, Black first.
    pub effort: [Effort; 2],
    /// Seconds and playouts of each move by its index in the game.
    pub costs: Vec<(usize, f64, Option<u64>)>,
    /// The side whose engine must not be used again.
    pub broken: Option<Color>,
}

/// Plays a game, Black's side first; `None` if `stop` was raised before it ended.
///
/// An engine may have been killed by the same key that raised `stop`, so a crash counts only if it stays down a moment later.
pub fn play_game(
    sides: [Side<'_>; 2],
    opening: &Opening,
    terms: &GameTerms,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Played> {
    let clocks = sides.each_ref().map(|side| Clock::new(side.time(terms)));
    let mut contest = Contest {
        sides,
        clocks,
        terms,
        game: Game::new(terms.size, terms.rules),
        effort: Default::default(),
        costs: Vec::new(),
    };
    let outcome = contest.prepare(opening).and_then(|()| contest.play_on(stop));
    if matches!(&outcome, Err((_, fault)) if fault.ending == Ending::Crash) {
        thread::sleep(STOP_GRACE);
    }
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let mut broken = None;
    let mut counted_by = None;
    let (result, ending, detail) = match outcome {
        Ok(Finish::Passes) => {
            let (result, method) = contest.count(seed);
            counted_by = Some(method);
            (result, Ending::Score, String::new())
        }
        Ok(Finish::Resignation(loser)) => {
            (GameResult::Win(!loser, Margin::Resignation), Ending::Resign, String::new())
        }
        Ok(Finish::TooLong) => {
            let detail = format!("no end after {} moves", contest.game.move_number());
            (GameResult::Draw, Ending::MoveLimit, detail)
        }
        Ok(Finish::Stopped) => return None,
        Err((loser, fault)) => {
            broken = Some(loser);
            let margin = if fault.ending == Ending::Time { Margin::Time } else { Margin::Forfeit };
            (GameResult::Win(!loser, margin), fault.ending, fault.detail)
        }
    };
    let Contest { game, effort, costs, .. } = contest;
    Some(Played { game, result, ending, counted_by, detail, effort, costs, broken })
}

impl Played {
    /// A game that was lost before its first move; `None` if `stop` is raised.
    pub fn forfeit(terms: &GameTerms, loser: Color, fault: Fault, stop: &AtomicBool) -> Option<Played> {
        thread::sleep(STOP_GRACE);
        (!stop.load(Ordering::Relaxed)).then(|| Played {
            game: Game::new(terms.size, terms.rules),
            result: GameResult::Win(!loser, Margin::Forfeit),
            ending: fault.ending,
            counted_by: None,
            detail: fault.detail,
            effort: Default::default(),
            costs: Vec::new(),
            broken: Some(loser),
        })
    }

    /// The game as a record to be written, with the names of Black and White.
    pub fn record(&self, names: [&str; 2]) -> GameRecord {
        let mut record = GameRecord::of_game(&self.game);
        record.result = RecordedResult::parse(&self.result.to_string());
        [record.black_name, record.white_name] = names.map(str::to_owned);
        for &(index, seconds, playouts) in &self.costs {
            let playouts = playouts.map_or_else(String::new, |playouts| format!(", {playouts} playouts"));
            record.comments.insert(index + 1, format!("{seconds:.3} s{playouts}"));
        }
        let mut end = format!("{} ({}", self.result, self.ending.word());
        if let Some(method) = self.counted_by {
            end += &format!(" by {}", method.word());
        }
        end.push(')');
        if !self.detail.is_empty() {
            end += &format!("\n{}", self.detail);
        }
        let last = record.comments.entry(record.moves.len()).or_default();
        if !last.is_empty() {
            last.push('\n');
        }
        last.push_str(&end);
        record
    }
}

impl Side<'_> {
    fn time(&self, terms: &GameTerms) -> TimeControl {
        if self.clock == ClockUse::Excused { TimeControl::Unlimited } else { terms.time }
    }
}

/// How long after a crash a stop may still be on its way.
const STOP_GRACE: Duration = Duration::from_millis(300);

/// The end of a game without a fault.
enum Finish {
    Passes,
    Resignation(Color),
    TooLong,
    Stopped,
}

/// A fault and whose it is.
type Blame = (Color, Fault);

/// The state of the game under way.
struct Contest<'a> {
    sides: [Side<'a>; 2],
    clocks: [Clock; 2],
    terms: &'a GameTerms,
    game: Game,
    effort: [Effort; 2],
    costs: Vec<(usize, f64, Option<u64>)>,
}

impl Contest<'_> {
    fn prepare(&mut self, opening: &Opening) -> Result<(), Blame> {
        for color in Color::BOTH {
            let side = &mut self.sides[color.index()];
            side.player.new_game(self.terms.size, &self.terms.rules).map_err(|fault| (color, fault))?;
            if side.clock == ClockUse::Told {
                side.player.set_clock(&self.terms.time).map_err(|fault| (color, fault))?;
            }
        }
        for &(color, mv) in opening {
            // The opening was checked when it was made.
            let illegal = |error| (color, fault(Ending::Illegal, format!("opening: {error}")));
            self.game.play(color, mv).map_err(illegal)?;
            for teller in Color::BOTH {
                self.tell(teller, color, mv)?;
            }
        }
        Ok(())
    }

    fn play_on(&mut self, stop: &AtomicBool) -> Result<Finish, Blame> {
        while !self.game.is_over() {
            if stop.load(Ordering::Relaxed) {
                return Ok(Finish::Stopped);
            }
            if self.game.move_number() >= self.terms.move_limit {
                return Ok(Finish::TooLong);
            }
            let color = self.game.to_move();
            let mv = match self.choose(color).map_err(|fault| (color, fault))? {
                MoveAnswer::Resign => return Ok(Finish::Resignation(color)),
                MoveAnswer::Move(mv) => mv,
            };
            let vertex = mv.to_gtp(self.terms.size);
            let illegal = |error| (color, fault(Ending::Illegal, format!("{vertex}: {error}")));
            self.game.play(color, mv).map_err(illegal)?;
            self.tell(!color, color, mv)?;
        }
        Ok(Finish::Passes)
    }

    /// Asks for a move and charges its time; the playouts are asked for when the clock has stopped.
    fn choose(&mut self, color: Color) -> Result<MoveAnswer, Fault> {
        let terms = self.terms;
        let clock = &mut self.clocks[color.index()];
        let Side { player, clock: clock_use } = &mut self.sides[color.index()];
        if *clock_use == ClockUse::Told {
            player.tell_time(color, clock)?;
        }
        let lag = Duration::try_from_secs_f64(terms.lag).unwrap_or_default();
        let limit = clock.limit().map_or(terms.move_timeout, |limit| limit + lag);
        let (seconds, answer) = player.choose("genmove", color, terms.size, limit);
        let spent = clock.spend(seconds, terms.lag);
        let answer = answer.inspect_err(|_| self.effort[color.index()].add(seconds, None))?;
        let playouts = player.last_playouts()?;
        self.effort[color.index()].add(seconds, playouts);
        if answer != MoveAnswer::Resign {
            self.costs.push((self.game.move_number(), seconds, playouts));
        }
        match spent {
            Ok(()) => Ok(answer),
            Err(OutOfTime) => Err(fault(Ending::Time, format!("{seconds:.3} s for a move, over the limit"))),
        }
    }

    fn tell(&mut self, teller: Color, color: Color, mv: Move) -> Result<(), Blame> {
        let player = &mut *self.sides[teller.index()].player;
        player.play(color, mv, self.terms.size).map_err(|fault| (teller, fault))
    }

    fn count(&mut self, seed: u64) -> (GameResult, CountMethod) {
        let terms = self.terms;
        let counter = Counter {
            methods: &terms.methods,
            arbiter: terms.arbiter.as_deref(),
            timeout: terms.command_timeout,
            move_timeout: terms.move_timeout,
            seed,
        };
        let [black, white] = &mut self.sides;
        counter.count(&mut [&mut *black.player, &mut *white.player], &self.game)
    }
}

fn fault(ending: Ending, detail: String) -> Fault {
    Fault { ending, detail }
}
