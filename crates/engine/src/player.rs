//! A player: from a position to an analysis, and from there to a decision. It owns no game and no clock.
//!
//! Everything that plays or judges goes through here: GTP, the terminal, suites of problems, the games of experiments. What they
//! add is where the position comes from and how long a move may take ([`Allowance`]).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_board::{Color, Game, Move};
use tesuji_search::{Control, Focus, MoveReport, Parameters, Report, Rng, Searcher};

use crate::decision::{Basis, Decision, Purpose, Reasoned, choose_move, reconsider_pass, sensible_points};
use crate::judge::{Judgement, Leaning, impartial_ownership};
use crate::lazy::LazySearcher;
use crate::level::{Imitator, Level, draw};
use crate::limit::{AtMost, Slice, unhurried_verdict_control, verdict_control};
use crate::preset::{Preset, WITHOUT_NET};
use crate::settings::Settings;
use crate::timed_control::TimedControl;

/// Searches positions and decides what to do in them.
pub struct Player {
    settings: Settings,
    searcher: Box<dyn Searcher>,
    /// For questions of who owns what, so that the tree of the game is kept.
    judge: Box<dyn Searcher>,
    /// For levels below full strength.
    imitator: Imitator,
    /// Ownership on which a verdict was based, with the hash of the stones.
    judged: Option<(u64, Vec<f32>)>,
    /// By colour: moves in a row that looked lost.
    lost_moves: [u64; 2],
    /// By colour: points behind at the beginning of the game, as who gives a handicap is.
    deficit: [f32; 2],
    /// Games begun, so that a level does not play the same one again.
    games: u64,
}

/// What a decision is wanted for.
#[derive(Clone, Copy)]
pub struct MoveQuestion<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Whose move.
    pub color: Color,
    /// What for.
    pub purpose: Purpose,
    /// The moves to choose from.
    pub allows: &'a dyn Fn(Move) -> bool,
}

impl<'a> MoveQuestion<'a> {
    /// What to play in a game, for the side to move.
    pub fn of(game: &'a Game) -> MoveQuestion<'a> {
        MoveQuestion { game, color: game.to_move(), purpose: Purpose::Play, allows: &|_| true }
    }
}

/// How long a decision may take.
#[derive(Clone, Copy)]
pub struct Allowance<'a> {
    /// Ends the search for the move.
    pub control: &'a dyn Control,
    /// Makes what ends a look at the position after a pass, when there is one.
    pub second_thought: &'a dyn Fn() -> TimedControl,
    /// How often somebody wants to see how far the search is.
    pub interval: Option<Duration>,
}

impl<'a> Allowance<'a> {
    /// A search by this control, and verdicts as thorough as they should be.
    pub fn by(control: &'a dyn Control) -> Allowance<'a> {
        Allowance { control, second_thought: &verdict_control, interval: None }
    }
}

/// A decision, and what it rests on.
#[derive(Clone, Debug)]
pub struct Choice {
    /// What to do.
    pub decision: Decision,
    /// Why, for people.
    pub reason: &'static str,
    /// What the search found.
    pub report: Report,
    /// Simulations made for it.
    pub simulations: u64,
}

/// Visits below which a search says too little to resign.
const RESIGN_VISITS: u64 = 50;

/// The part of the memory that goes to the search of verdicts, whose trees are small.
const JUDGE_PART: u64 = 8;

impl Player {
    /// A player with settings that have been [checked](Settings::check). Its search is made when it is first needed.
    pub fn new(settings: Settings) -> Player {
        let for_judge = settings.memory / JUDGE_PART;
        let searching = Settings { memory: (settings.memory - for_judge).max(1), ..settings.clone() };
        let mut judging = Settings { memory: for_judge.max(1), ..settings.clone() };
        if settings.search.asks_network() {
            // Dead stones are judged by playouts, which verdicts are tuned for, and which need no time to load.
            judging.search =
                Preset::named(WITHOUT_NET).map_or_else(|_| Parameters::default(), Preset::parameters);
        }
        Player {
            settings,
            searcher: Box::new(LazySearcher::new(searching)),
            judge: Box::new(LazySearcher::new(judging)),
            imitator: Imitator::default(),
            judged: None,
            lost_moves: [0; 2],
            deficit: [0.0; 2],
            games: 0,
        }
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings that do not concern the search itself.
    pub(crate) fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Plays at a level from now on.
    pub fn set_level(&mut self, level: Level) {
        self.settings.level = level;
    }

    /// Another game begins.
    pub fn begin_game(&mut self) {
        self.searcher.begin_game();
        self.judge.begin_game();
        self.lost_moves = [0; 2];
        self.deficit = [0.0; 2];
        self.judged = None;
        self.games += 1;
    }

    /// Forgets everything the search has learned.
    pub fn clear(&mut self) {
        self.searcher.clear();
        self.judge.clear();
        self.judged = None;
    }

    /// Moves were taken back: what looked lost need not any more.
    pub(crate) fn forget_losses(&mut self) {
        self.lost_moves = [0; 2];
    }

    /// What the next searches look at; verdicts look at everything.
    pub fn set_focus(&mut self, focus: Focus) {
        self.searcher.set_focus(focus);
    }

    /// Searches for `color` until the control says stop; [`Player::analysis`] has what was found.
    pub fn search(&mut self, game: &Game, color: Color, control: &dyn Control) {
        self.searcher.search(game, color, control);
    }

    /// What is known about the position searched last.
    pub fn analysis(&self) -> Report {
        self.searcher.report()
    }

    /// Searches and decides, showing what is known on the way. A decision to pass is thought over, and what it claims about dead
    /// stones is what [`Player::judge`] says of the position afterwards.
    pub fn choose(
        &mut self,
        question: &MoveQuestion<'_>,
        allowance: &Allowance<'_>,
        watch: &mut dyn FnMut(&Report),
    ) -> Choice {
        let MoveQuestion { game, color, purpose, allows } = *question;
        let control = AtMost { inner: allowance.control, simulations: self.settings.level.simulations() };
        let allowance = &Allowance { control: &control, ..*allowance };
        let start = self.analysis().effort.simulations;
        let mut report = self.search_in_slices(question, allowance, start, watch);
        report.moves.retain(|mv| allows(mv.mv));
        let mut reasoned = choose_move(game, color, &report, purpose);
        self.judged = None;
        if matches!(reasoned.basis, Basis::Won | Basis::Settled) {
            let after_pass = self.ownership_after_pass(question, allowance);
            reasoned = reconsider_pass(game, color, &report, &after_pass, purpose);
            if reasoned.decision == Decision::Move(Move::Pass) {
                self.judged = Some((game.board().hash(), after_pass));
            }
        }
        let Reasoned { mut decision, mut reason, basis } = reasoned;
        if basis == Basis::Values
            && let Some(mv) = self.imitate(question, &report)
        {
            (decision, reason) = (Decision::Move(mv), "a move that people of the level play");
        }
        let is_lost = self.note_outlook(game, color, &report);
        if purpose == Purpose::Play && is_lost && self.settings.resign {
            (decision, reason) = (Decision::Resign, "the game looks lost");
        }
        let simulations = report.effort.simulations.saturating_sub(start);
        Choice { decision, reason, report, simulations }
    }

    /// The verdict on a position: that of the last decision to pass in it, or one made now.
    pub fn judge(&mut self, game: &Game) -> Judgement {
        self.judge_by(game, verdict_control)
    }

    /// The same, with so many simulations for each player who could move next, however long they take.
    pub fn judge_thoroughly(&mut self, game: &Game, simulations: u64) -> Judgement {
        self.judge_by(game, || unhurried_verdict_control(simulations))
    }

    fn judge_by(&mut self, game: &Game, control: impl Fn() -> TimedControl) -> Judgement {
        let hash = game.board().hash();
        let known = self.judged.take().filter(|(of, ownership)| *of == hash && !ownership.is_empty());
        let (_, ownership) =
            known.unwrap_or_else(|| (hash, impartial_ownership(&mut *self.judge, game, control)));
        let judgement = Judgement::of(game, &ownership, Leaning::Even);
        self.judged = Some((hash, ownership));
        judgement
    }

    fn search_in_slices(
        &mut self,
        question: &MoveQuestion<'_>,
        allowance: &Allowance<'_>,
        start: u64,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let finished = AtomicBool::new(false);
        let mut report = Report::default();
        while !finished.load(Ordering::Relaxed) {
            let until = allowance.interval.map(|interval| Instant::now() + interval);
            let made = report.effort.simulations.saturating_sub(start);
            let slice = Slice { inner: allowance.control, made, until, finished: &finished };
            self.search(question.game, question.color, &slice);
            report = self.analysis();
            // A search that ends by itself has nothing left to find out.
            if until.is_none_or(|until| Instant::now() < until) {
                break;
            }
            watch(&report);
        }
        report
    }

    /// A move that people of the level would play; nothing at full strength.
    fn imitate(&mut self, question: &MoveQuestion<'_>, report: &Report) -> Option<Move> {
        let MoveQuestion { game, color, allows, .. } = *question;
        let level = self.settings.level;
        let policy = self.imitator.policy(game, color, level.rank()?)?;
        let mut points = sensible_points(game, color);
        points.retain(|&point| allows(Move::Play(point)));
        // The same game goes on in the same way, and no two positions share their luck, nor two games.
        let stream = game.board().hash() ^ game.move_number() as u64 ^ self.games << 32;
        let mut rng = Rng::for_stream(self.settings.seed, stream);
        draw(level.manner(game.size())?, game.size(), policy, &points, report, &mut rng)
    }

    /// Who owns what if the player passes and the opponent makes the most of it.
    fn ownership_after_pass(&mut self, question: &MoveQuestion<'_>, allowance: &Allowance<'_>) -> Vec<f32> {
        let mut passed = question.game.clone();
        // A pass is always legal.
        passed.play(question.color, Move::Pass).ok();
        self.judge.search(&passed, !question.color, &(allowance.second_thought)());
        self.judge.report().black_ownership
    }

    /// Counts moves in a row that look lost; whether there are enough of them to resign.
    fn note_outlook(&mut self, game: &Game, color: Color, report: &Report) -> bool {
        if game.move_number() < 2
            && let Some(best) = report.moves.first()
        {
            self.deficit[color.index()] = (-best.score_lead).max(0.0);
        }
        // Who gave a handicap hopes for mistakes until there is no time left for them.
        let unseen = self.settings.level.unseen_deficit().map(|points| points + self.deficit[color.index()]);
        let below = |best: &MoveReport| {
            f64::from(best.win_rate) < self.settings.resign_threshold
                && unseen.is_none_or(|points| best.score_lead < -points)
        };
        let looks_lost = report.visits >= RESIGN_VISITS && report.moves.first().is_some_and(below);
        let count = &mut self.lost_moves[color.index()];
        *count = if looks_lost { *count + 1 } else { 0 };
        *count >= self.settings.resign_moves
    }
}
