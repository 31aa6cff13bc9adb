//! Games in which policies draw their moves, many at a time.

use crate::label::LabelError;
use crate::sample::{GameEnd, GameSample};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tesuji_board::{Color, Game, Move, Owner, Ownership, Point, Rules, Size, Verdict, tromp_taylor_lead};
use tesuji_net::input::{Line, SYMMETRIES};
use tesuji_net::{Reader, Seat};
use tesuji_search::Rng;

/// How policies play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyPlay {
    /// The board.
    pub size: Size,
    /// The rules, by which the board has to count as it stands.
    pub rules: Rules,
    /// Temperature of the probabilities that moves are drawn from.
    pub temperature: f32,
    /// With the number of a game it decides all that is drawn in it.
    pub seed: u64,
    /// Threads, and games of each that are evaluated together; neither changes anything.
    pub threads: usize,
    /// See `threads`.
    pub together: usize,
}

/// Why there are no games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Somebody said so.
    Interrupted,
    /// A network cannot be asked.
    Network(LabelError),
}

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// The policy of this place.
    Policy(usize),
    /// Chance: any legal move.
    Chance,
}

/// A game under way.
struct Active {
    number: u64,
    game: Game,
    rng: Rng,
}

impl PolicyPlay {
    /// Plays games of some numbers; `turn` says who moves in which position. In the order of their numbers.
    pub(super) fn games(
        &self,
        policies: &[&Reader],
        numbers: Range<u64>,
        turn: &(dyn Fn(u64, &Game) -> Turn + Sync),
        stop: &AtomicBool,
    ) -> Result<Vec<GameSample>, Stopped> {
        let threads = self.threads.max(1) as u64;
        let mut all = thread::scope(|scope| {
            let of_thread = |thread: u64| {
                let own: Vec<u64> = numbers.clone().filter(|number| number % threads == thread).collect();
                scope.spawn(move || self.some(policies, own, turn, stop))
            };
            let running: Vec<_> = (0..threads).map(of_thread).collect();
            let mut all = Vec::new();
            for handle in running {
                all.extend(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(all)
        })?;
        all.sort_by_key(|(number, _)| *number);
        Ok(all.into_iter().map(|(_, sample)| sample).collect())
    }

    /// The games of one thread.
    fn some(
        &self,
        policies: &[&Reader],
        numbers: Vec<u64>,
        turn: &(dyn Fn(u64, &Game) -> Turn + Sync),
        stop: &AtomicBool,
    ) -> Result<Vec<(u64, GameSample)>, Stopped> {
        let seat = |reader: &&Reader| {
            let seat = reader.seat(self.size, self.together);
            seat.ok_or(Stopped::Network(LabelError::Board(self.size)))
        };
        let mut seats = policies.iter().map(seat).collect::<Result<Vec<Seat>, Stopped>>()?;
        let together = seats.iter().map(Seat::capacity).min().unwrap_or(1);
        let mut waiting = numbers.into_iter();
        let (mut active, mut done): (Vec<Active>, Vec<(u64, GameSample)>) = (Vec::new(), Vec::new());
        loop {
            let free = together - active.len();
            active.extend(waiting.by_ref().take(free).map(|number| self.begin(number)));
            if active.is_empty() {
                return Ok(done);
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Stopped::Interrupted);
            }
            let turns: Vec<Turn> = active.iter().map(|own| turn(own.number, &own.game)).collect();
            for (place, seat) in seats.iter_mut().enumerate() {
                let asked: Vec<usize> =
                    (0..active.len()).filter(|&i| turns[i] == Turn::Policy(place)).collect();
                for &i in &asked {
                    let Active { number, game, .. } = &active[i];
                    let symmetry = symmetry(*number, game.move_number());
                    seat.add(&Line::from_game(game, game.to_move()).view(), symmetry);
                }
                if !asked.is_empty() {
                    seat.evaluate(0.0).map_err(|error| Stopped::Network(LabelError::Decode(error)))?;
                }
                for (answer, &i) in asked.iter().enumerate() {
                    let Active { game, rng, .. } = &mut active[i];
                    let mv = self.draw(game, &seat.evaluation(answer).policy, rng);
                    play(game, mv);
                }
            }
            for (own, _) in active.iter_mut().zip(&turns).filter(|(_, turn)| **turn == Turn::Chance) {
                let legal: Vec<Point> =
                    own.game.size().points().filter(|&point| is_legal(&own.game, point)).collect();
                let mv =
                    if legal.is_empty() { Move::Pass } else { Move::Play(legal[own.rng.below(legal.len())]) };
                play(&mut own.game, mv);
            }
            let most = 3 * self.size.area();
            let (over, going): (Vec<Active>, Vec<Active>) =
                active.into_iter().partition(|own| own.game.is_over() || own.game.move_number() >= most);
            done.extend(over.into_iter().map(|own| (own.number, sample_of(&own.game))));
            active = going;
        }
    }

    fn begin(&self, number: u64) -> Active {
        Active { number, game: Game::new(self.size, self.rules), rng: Rng::for_stream(self.seed, number) }
    }

    /// A move that makes sense, as likely as the policy says; a pass if there is none.
    fn draw(&self, game: &Game, policy: &[f32], rng: &mut Rng) -> Move {
        let exponent = 1.0 / self.temperature.max(0.05);
        let shares: Vec<(Point, f32)> = game
            .size()
            .points()
            .zip(policy)
            .filter(|(point, _)| makes_sense(game, *point))
            // What the network thinks impossible may be all that is left.
            .map(|(point, share)| (point, share.max(1e-9).powf(exponent)))
            .collect();
        let mut left = rng.unit() * shares.iter().map(|(_, share)| share).sum::<f32>();
        let found = shares.iter().find(|(_, share)| {
            left -= share;
            left < 0.0
        });
        found.or(shares.last()).map_or(Move::Pass, |(point, _)| Move::Play(*point))
    }
}

/// The symmetry in which a policy sees a position of a game. Whoever learns from its moves has to see the position in the same one: a move that is likely in one
/// symmetry may be all but impossible in another.
pub(super) fn symmetry(number: u64, moves: usize) -> usize {
    ((number + moves as u64) % SYMMETRIES as u64) as usize
}

fn is_legal(game: &Game, point: Point) -> bool {
    game.legality(game.to_move(), point).is_ok()
}

/// Whether a move is legal and fills no eye of its own, as in the paper's planes.
pub(super) fn makes_sense(game: &Game, point: Point) -> bool {
    let board = game.board();
    board.color(point).is_none()
        && !board.neighborhood(point).is_eye_of(game.to_move())
        && is_legal(game, point)
}

fn play(game: &mut Game, mv: Move) {
    let color = game.to_move();
    // Moves were asked for legality, and a pass always is legal.
    if game.play(color, mv).is_err() {
        _ = game.play(color, Move::Pass);
    }
}

/// A finished game, counted.
fn sample_of(game: &Game) -> GameSample {
    let ownership = Ownership::by_area(game.board(), &Verdict::default());
    let worth = |point| match ownership.owner(point) {
        Owner::Black => 1,
        Owner::White => -1,
        Owner::Neutral => 0,
    };
    GameSample {
        moves: game.moves().to_vec(),
        end: GameEnd::Score(tromp_taylor_lead(game.board()) as f32 - game.white_points()),
        black_ownership: game.size().points().map(worth).collect(),
        ..GameSample::new(game.size(), *game.rules())
    }
}

/// What a game was worth to a player: 1, −1, or 0 after a draw.
pub(super) fn worth(sample: &GameSample, color: Color) -> f32 {
    sample.end.outcome(color).map_or(0.0, |[win, loss, _]| win - loss)
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stopped::Interrupted => f.write_str("it was interrupted"),
            Stopped::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Stopped {}
