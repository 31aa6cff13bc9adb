//! What an engine does with its search: choose moves, analyse, ponder, judge.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_board::{Color, Game, Move};
use tesuji_search::Report;

use super::{Choice, Engine, MoveRequest};
use crate::decision::{Basis, Decision, Purpose, Reasoned, choose_move, reconsider_pass};
use crate::judge::{Judgement, Leaning, impartial_ownership};
use crate::limit::{OpenEnded, Slice, move_budget, move_control, second_thought_control, verdict_control};
use crate::time_budget::Budget;

/// Visits below which a search says too little to resign.
const RESIGN_VISITS: u64 = 50;

impl Engine {
    /// Searches and chooses a move without making it, showing reports on the way.
    pub fn choose(&mut self, request: &MoveRequest<'_>, watch: &mut dyn FnMut(&Report)) -> Choice {
        let color = request.color;
        let control = move_control(&self.settings, self.move_budget(color), &request.stop);
        let finished = AtomicBool::new(false);
        let start = self.searcher.report().effort.simulations;
        let mut report = Report::default();
        while !finished.load(Ordering::Relaxed) {
            let until = request.interval.map(|interval| Instant::now() + interval);
            let made = report.effort.simulations.saturating_sub(start);
            self.search(color, &Slice { inner: &control, made, until, finished: &finished });
            report = self.searcher.report();
            // A search that ends by itself has nothing left to find out.
            if until.is_none_or(|until| Instant::now() < until) {
                break;
            }
            watch(&report);
        }
        report.moves.retain(|mv| (request.allows)(mv.mv));
        let mut ownership = report.black_ownership.clone();
        let mut reasoned = choose_move(&self.game, color, &report, request.purpose);
        if reasoned.basis != Basis::Search {
            // What decides now is what is claimed later: the verdict after a pass rests on the same ownership.
            ownership = self.ownership_after_pass(color);
            reasoned = reconsider_pass(&self.game, color, &report, &ownership, request.purpose);
        }
        let Reasoned { mut decision, mut reason, .. } = reasoned;
        if request.purpose == Purpose::Play && self.is_lost(color, &report) {
            (decision, reason) = (Decision::Resign, "the game looks lost");
        }
        // Only a pass claims anything about dead stones; a search for a move may be far too short for that.
        let passes = decision == Decision::Move(Move::Pass) && reasoned.basis != Basis::Search;
        let playouts = report.effort.simulations.saturating_sub(start);
        self.explanation = explain(&self.game, decision, reason, playouts, &report);
        self.judged = passes.then(|| (self.game.board().hash(), ownership));
        Choice { decision, reason, report }
    }

    /// Searches, chooses a move and makes it, on the player's clock.
    pub fn generate(&mut self, request: &MoveRequest<'_>, watch: &mut dyn FnMut(&Report)) -> Choice {
        let started = Instant::now();
        let color = request.color;
        let mut choice = self.choose(request, watch);
        let looks_lost = self.looks_lost(&choice.report);
        self.lost_moves[color.index()] = if looks_lost { self.lost_moves[color.index()] + 1 } else { 0 };
        if let Decision::Move(mv) = choice.decision
            && self.game.play(color, mv).is_err()
        {
            // The choice is among legal moves; a pass is the answer that cannot be wrong.
            choice.decision = Decision::Move(Move::Pass);
            self.game.play(color, Move::Pass).ok();
        }
        self.awaits_answer = true;
        self.clocks.of_mut(color).spend(started.elapsed());
        choice
    }

    /// Searches until `stop` rises, with a report after every interval; there is at least one.
    pub fn analyze(
        &mut self,
        color: Color,
        interval: Duration,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Report),
    ) {
        loop {
            let until = Instant::now() + interval;
            self.search(color, &OpenEnded { stop, until: Some(until) });
            watch(&self.searcher.report());
            // A search that knows everything returns at once; the reader still wants only one report per interval.
            while !stop.load(Ordering::Relaxed) && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(5));
            }
            if stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }

    /// Searches the opponent's answer to the last generated move until `stop` rises, if that is wanted.
    pub fn ponder(&mut self, stop: &AtomicBool) {
        if self.settings.ponder && self.awaits_answer && !self.game.is_over() {
            self.search(self.game.to_move(), &OpenEnded { stop, until: None });
        }
    }

    /// What the search knows about the position now with `color` to move; it searches a little if that is nothing.
    pub fn report(&mut self, color: Color) -> Report {
        if self.searched != Some(self.position(color)) {
            self.search_briefly(color);
        }
        self.searcher.report()
    }

    /// The verdict on the position now.
    pub fn judge(&mut self) -> Judgement {
        let hash = self.game.board().hash();
        let known = self.judged.take().filter(|(of, ownership)| *of == hash && !ownership.is_empty());
        let (_, ownership) = known
            .unwrap_or_else(|| (hash, impartial_ownership(&mut *self.judge, &self.game, verdict_control)));
        let judgement = Judgement::of(&self.game, &ownership, Leaning::Even);
        self.judged = Some((hash, ownership));
        judgement
    }

    /// Who owns what if `color` passes and the opponent makes the most of it.
    fn ownership_after_pass(&mut self, color: Color) -> Vec<f32> {
        let control = second_thought_control(self.move_budget(color), self.clocks.of(color));
        let mut passed = self.game.clone();
        // A pass is always legal.
        passed.play(color, Move::Pass).ok();
        self.judge.search(&passed, !color, &control);
        self.judge.report().black_ownership
    }

    fn search_briefly(&mut self, color: Color) {
        self.search(color, &verdict_control());
    }

    fn search(&mut self, color: Color, control: &dyn tesuji_search::Control) {
        self.searcher.search(&self.game, color, control);
        self.searched = Some(self.position(color));
    }

    fn move_budget(&self, color: Color) -> Budget {
        move_budget(&self.settings, self.clocks.of(color), &self.game)
    }

    fn is_lost(&self, color: Color, report: &Report) -> bool {
        let enough = self.lost_moves[color.index()] + 1 >= self.settings.resign_moves;
        self.settings.resign && enough && self.looks_lost(report)
    }

    fn looks_lost(&self, report: &Report) -> bool {
        let below =
            |best: &tesuji_search::MoveReport| f64::from(best.win_rate) < self.settings.resign_threshold;
        report.visits >= RESIGN_VISITS && report.moves.first().is_some_and(below)
    }
}

fn explain(game: &Game, decision: Decision, reason: &str, playouts: u64, report: &Report) -> String {
    let size = game.size();
    let action = match decision {
        Decision::Move(mv) => mv.to_gtp(size),
        Decision::Resign => "resign".to_owned(),
    };
    let mut text = format!("{action}: {reason}; {playouts} playouts, {} visits", report.visits);
    if let Some(best) = report.moves.first() {
        let variation: Vec<_> = best.variation.iter().map(|mv| mv.to_gtp(size)).collect();
        text += &format!(
            ", win rate {:.1} %, score {:+.1}, expecting {}",
            best.win_rate * 100.0,
            best.score_lead,
            variation.join(" ")
        );
    }
    text
}
