//! One game of a network against itself, with what the network is to learn from it.
//!
//! Every position after the opening gets the value of its search; those with a full search also its visits, as the moves to learn. How the game ended is the
//! rest: nobody has to judge anything, because the rules count the board as it stands.

use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_board::{Color, Game, Move, Owner, Ownership, Rules, Verdict, tromp_taylor_lead};
use tesuji_engine::Settings;
use tesuji_net::Reader;
use tesuji_net::input::{Line, SYMMETRIES};
use tesuji_search::{Report, Rng};
use tesuji_train::sample::{GameEnd, GameSample, Label};

use super::mover::Mover;
use super::plan::GamePlan;
use crate::job::JobError;

/// A game that was played.
pub(super) struct Played {
    pub(super) sample: GameSample,
    /// Simulations.
    pub(super) simulations: u64,
    /// Who would have resigned first, in a game that was played out.
    pub(super) would_resign: Option<Color>,
}

/// Most moves of a label, and the least share of one.
const LABEL_MOVES: usize = 64;
const LEAST_SHARE: f32 = 0.001;
/// Lets the network's symmetries have random numbers of their own.
const SEARCH_SEEDS: u64 = 0x7365_6172_6368;

/// Plays the game of a number; nothing is different the next time.
pub(super) fn play(
    plan: &GamePlan,
    settings: &Settings,
    reader: &Reader,
    (seed, number): (u64, u64),
    stop: &AtomicBool,
) -> Result<Played, JobError> {
    let mut rng = Rng::for_stream(seed, number);
    let search_seed = Rng::for_stream(seed ^ SEARCH_SEEDS, number).next_u64();
    let mut mover = Mover::new(settings, plan.size, search_seed, plan.full_visits, plan.root_temperature)?;
    let komi = match rng.below(2) {
        0 => plan.rules.komi,
        _ => tesuji_train::label::vary_komi(plan.rules.komi, plan.komi_spread, &mut rng),
    };
    let mut game = Game::new(plan.size, Rules { komi, ..plan.rules });
    let is_played_out = rng.unit() < plan.played_out;
    open(plan, reader, &mut game, &mut rng)?;

    let mut sample = GameSample::new(plan.size, *game.rules());
    let mut outlook = Outlook::default();
    let (mut simulations, mut resigned) = (0, None);
    while !game.is_over() && game.move_number() < plan.most_moves() {
        if stop.load(Ordering::Relaxed) {
            return Err(JobError::Interrupted);
        }
        let color = game.to_move();
        let is_full = rng.unit() < plan.full_share;
        let visits = if is_full { plan.full_visits } else { plan.cheap_visits };
        let report = mover.look(&game, visits);
        simulations += visits;
        sample.labels.push(label(&game, &report, is_full));
        outlook.note(color, report.win_rate, plan);
        if let (Some(loser), false) = (outlook.lost, is_played_out) {
            resigned = Some(loser);
            break;
        }
        let mv = draw(plan, &game, &report, &mut rng);
        // The search proposes legal moves only, and a pass always is one.
        if game.play(color, mv).is_err() {
            _ = game.play(color, Move::Pass);
        }
    }
    sample.moves = game.moves().to_vec();
    sample.end = match resigned {
        Some(loser) => GameEnd::Win(!loser),
        None => GameEnd::Score(tromp_taylor_lead(game.board()) as f32 - game.white_points()),
    };
    if resigned.is_none() {
        sample.black_ownership = owners(&game);
    }
    Ok(Played { sample, simulations, would_resign: outlook.lost.filter(|_| resigned.is_none()) })
}

/// The first moves: in every other game some from all legal ones, then some from the policy.
fn open(plan: &GamePlan, reader: &Reader, game: &mut Game, rng: &mut Rng) -> Result<(), JobError> {
    let failed = |error: &dyn std::fmt::Display| JobError::Failed(format!("the network: {error}"));
    let random = if rng.below(2) == 0 { 0 } else { exponential(plan.random_opening, rng) };
    for _ in 0..random {
        let legal: Vec<_> =
            plan.size.points().filter(|&point| game.legality(game.to_move(), point).is_ok()).collect();
        if !legal.is_empty() {
            let point = legal[rng.below(legal.len())];
            _ = game.play(game.to_move(), Move::Play(point));
        }
    }
    let mut seat = reader.seat(plan.size, 1).ok_or_else(|| failed(&"is for other boards"))?;
    for _ in 0..exponential(plan.policy_opening, rng).min(plan.size.area() / 2) {
        if game.is_over() {
            break;
        }
        let line = Line::from_game(game, game.to_move());
        let place = seat.add(&line.view(), rng.below(SYMMETRIES));
        seat.evaluate(0.0).map_err(|error| failed(&error))?;
        // Nobody opens with a pass.
        let shares = seat.evaluation(place).policy.iter().map(|&p| p.powf(1.0 / plan.opening_temperature));
        let shares: Vec<f32> = shares.collect();
        let point = plan.size.points().nth(pick(&shares, rng));
        let mv = point.filter(|&point| game.legality(game.to_move(), point).is_ok());
        _ = game.play(game.to_move(), mv.map_or(Move::Pass, Move::Play));
    }
    Ok(())
}

/// How lost the game looks to the players.
#[derive(Default)]
struct Outlook {
    /// By colour: moves in a row.
    hopeless: [u32; 2],
    /// Who was the first to have had enough.
    lost: Option<Color>,
}

impl Outlook {
    fn note(&mut self, color: Color, win_rate: f32, plan: &GamePlan) {
        let count = &mut self.hopeless[color.index()];
        *count = if win_rate < plan.resign_below { *count + 1 } else { 0 };
        if *count >= plan.resign_moves.max(1) {
            self.lost = self.lost.or(Some(color));
        }
    }
}

fn label(game: &Game, report: &Report, is_full: bool) -> Label {
    let turn = u16::try_from(game.move_number()).unwrap_or(u16::MAX);
    let win = report.win_rate.clamp(0.0, 1.0);
    let mut label = Label { turn, outcome: Some([win, 1.0 - win, 0.0]), ..Label::default() };
    if is_full {
        let size = game.size();
        let total = report.moves.iter().map(|mv| mv.visits).sum::<u64>().max(1) as f32;
        let mut shares = vec![0.0; size.area() + 1];
        for mv in &report.moves {
            let code = mv.mv.point().map_or(size.area(), |point| size.ordinal(point));
            shares[code] = mv.visits as f32 / total;
        }
        label.set_policy(&shares, LABEL_MOVES, LEAST_SHARE);
    }
    label
}

/// A move by its visits: at the beginning almost as often as those say, later nearly the best one.
fn draw(plan: &GamePlan, game: &Game, report: &Report, rng: &mut Rng) -> Move {
    let done = (2.0 * game.move_number() as f32 / plan.size.area() as f32).min(1.0);
    let temperature = plan.early_temperature + done * (plan.late_temperature - plan.early_temperature);
    let most = report.moves.iter().map(|mv| mv.visits).max().unwrap_or(0).max(1) as f32;
    let share = |visits: u64| (visits as f32 / most).powf(1.0 / temperature.max(0.05));
    let shares: Vec<f32> = report.moves.iter().map(|mv| share(mv.visits)).collect();
    report.moves.get(pick(&shares, rng)).map_or(Move::Pass, |mv| mv.mv)
}

/// A place in a list, as likely as its share; the last one if rounding leaves something.
fn pick(shares: &[f32], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * shares.iter().sum::<f32>();
    let found = shares.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    found.unwrap_or(shares.len().saturating_sub(1))
}

/// A number with this mean.
fn exponential(mean: f32, rng: &mut Rng) -> usize {
    (-(1.0 - rng.unit()).ln() * mean) as usize
}

fn owners(game: &Game) -> Vec<i8> {
    let ownership = Ownership::by_area(game.board(), &Verdict::default());
    let worth = |point| match ownership.owner(point) {
        Owner::Black => 1,
        Owner::White => -1,
        Owner::Neutral => 0,
    };
    game.size().points().map(worth).collect()
}
