//! What an engine does with its search: choose moves, analyse, ponder, judge.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tesuji_board::{Color, Game, Move};
use tesuji_search::Report;

use super::{Engine, MoveRequest};
use crate::decision::Decision;
use crate::judge::Judgement;
use crate::limit::{OpenEnded, move_budget, move_control, second_thought_control, verdict_control};
use crate::player::{Allowance, Choice, MoveQuestion};
use crate::time_budget::Budget;

impl Engine {
    /// Searches and chooses a move without making it, showing reports on the way.
    pub fn choose(&mut self, request: &MoveRequest<'_>, watch: &mut dyn FnMut(&Report)) -> Choice {
        let MoveRequest { color, purpose, allows, interval, .. } = *request;
        let (budget, clock) = (self.move_budget(color), self.clocks.of(color));
        let control = move_control(self.player.settings(), budget, &request.stop);
        let second_thought = || second_thought_control(budget, clock);
        let question = MoveQuestion { game: &self.game, color, purpose, allows };
        let allowance = Allowance { control: &control, second_thought: &second_thought, interval };
        let choice = self.player.choose(&question, &allowance, watch);
        self.searched = Some(self.position(color));
        self.explanation = explain(&self.game, &choice);
        choice
    }

    /// Searches, chooses a move and makes it, on the player's clock.
    pub fn generate(&mut self, request: &MoveRequest<'_>, watch: &mut dyn FnMut(&Report)) -> Choice {
        let started = Instant::now();
        let color = request.color;
        let mut choice = self.choose(request, watch);
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
            watch(&self.player.analysis());
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
        if self.settings().ponder && self.awaits_answer && !self.game.is_over() {
            self.search(self.game.to_move(), &OpenEnded { stop, until: None });
        }
    }

    /// What the search knows about the position now with `color` to move; it searches a little if that is nothing.
    pub fn report(&mut self, color: Color) -> Report {
        if self.searched != Some(self.position(color)) {
            self.search_briefly(color);
        }
        self.player.analysis()
    }

    /// The verdict on the position now.
    pub fn judge(&mut self) -> Judgement {
        self.player.judge(&self.game)
    }

    fn search_briefly(&mut self, color: Color) {
        self.search(color, &verdict_control());
    }

    fn search(&mut self, color: Color, control: &dyn tesuji_search::Control) {
        self.player.search(&self.game, color, control);
        self.searched = Some(self.position(color));
    }

    fn move_budget(&self, color: Color) -> Budget {
        move_budget(self.player.settings(), self.clocks.of(color), &self.game)
    }
}

fn explain(game: &Game, choice: &Choice) -> String {
    let Choice { decision, reason, report, simulations } = choice;
    let size = game.size();
    let action = match decision {
        Decision::Move(mv) => mv.to_gtp(size),
        Decision::Resign => "resign".to_owned(),
    };
    let mut text = format!("{action}: {reason}; {simulations} playouts, {} visits", report.visits);
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
