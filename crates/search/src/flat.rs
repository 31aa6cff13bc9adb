//! Flat Monte-Carlo: the same number of light playouts for every legal move, and no tree.
//!
//! The weakest player that still plays legal, finished games; the zero point of every comparison.

use crate::focus::Focus;
use crate::go::Root;
use crate::playout::{Ending, Light, Position, area_difference, is_sensible, run};
use crate::rng::Rng;
use crate::searcher::{Control, Effort, MoveReport, Progress, Report, Searcher};
use tesuji_board::{Color, Game, Move};

/// The flat search.
pub struct Flat {
    rng: Rng,
    candidates: Vec<Candidate>,
    /// Playout results that each point was Black's, minus those that it was White's.
    black_ownership: Vec<i32>,
    simulations: u64,
    focus: Focus,
}

struct Candidate {
    mv: Move,
    visits: u64,
    wins: f64,
    score: f64,
}

impl Flat {
    /// A search whose playouts are determined by the seed.
    pub fn new(seed: u64) -> Flat {
        let (candidates, black_ownership) = (Vec::new(), Vec::new());
        Flat { rng: Rng::new(seed), candidates, black_ownership, simulations: 0, focus: Focus::default() }
    }
}

impl Searcher for Flat {
    fn search(&mut self, game: &Game, to_move: Color, control: &dyn Control) {
        let board = game.board();
        let points = board.size().points();
        let legal = points.filter(|&p| game.legality(to_move, p).is_ok() && is_sensible(board, p, to_move));
        let moves = legal.map(Move::Play).chain([Move::Pass]);
        let moves = moves.filter(|&mv| self.focus.allows(to_move, mv, 0, board.size()));
        self.candidates = moves.map(|mv| Candidate { mv, visits: 0, wins: 0.0, score: 0.0 }).collect();
        if self.candidates.is_empty() {
            self.candidates.push(Candidate { mv: Move::Pass, visits: 0, wins: 0.0, score: 0.0 });
        }
        self.black_ownership = vec![0; board.size().area()];
        let mut start = Position::new(board.clone(), to_move);
        start.last = game.last_move().map_or(Move::Pass, |(_, mv)| mv);
        let mut position = start.clone();
        let white_points = Root::of(game, to_move).white_points();
        let mut progress = Progress { best_is_clear: true, ..Progress::default() };
        while !control.should_stop(&progress) {
            for candidate in &mut self.candidates {
                position.copy_from(&start);
                position.play(candidate.mv);
                run(
                    &mut Light,
                    &mut position,
                    &mut self.rng,
                    Ending::natural(board.size().area()),
                    |_, _| (),
                );
                let black_score = area_difference(&position.board) as f32 - white_points;
                let score = if to_move == Color::Black { black_score } else { -black_score };
                candidate.visits += 1;
                candidate.wins += if score > 0.0 {
                    1.0
                } else if score < 0.0 {
                    0.0
                } else {
                    0.5
                };
                candidate.score += f64::from(score);
                for (sum, point) in self.black_ownership.iter_mut().zip(board.size().points()) {
                    *sum += match crate::playout::owner(&position.board, point) {
                        Some(Color::Black) => 1,
                        Some(Color::White) => -1,
                        None => 0,
                    };
                }
            }
            progress.simulations += self.candidates.len() as u64;
            progress.root_visits = progress.simulations;
        }
        self.simulations += progress.simulations;
    }

    fn set_focus(&mut self, focus: Focus) {
        self.focus = focus;
    }

    fn report(&self) -> Report {
        let visits: u64 = self.candidates.iter().map(|candidate| candidate.visits).sum();
        let mut moves: Vec<MoveReport> = self.candidates.iter().map(Candidate::report).collect();
        // A pass is worth its playouts too, but it should not win a tie.
        moves.sort_by(|a, b| {
            b.win_rate
                .total_cmp(&a.win_rate)
                .then(b.score_lead.total_cmp(&a.score_lead))
                .then((a.mv == Move::Pass).cmp(&(b.mv == Move::Pass)))
        });
        Report {
            win_rate: moves.first().map_or(0.5, |best| best.win_rate),
            score_lead: moves.first().map_or(0.0, |best| best.score_lead),
            score_deviation: 0.0,
            black_ownership: self
                .black_ownership
                .iter()
                .map(|&sum| sum as f32 / visits.max(1) as f32)
                .collect(),
            effort: Effort { simulations: self.simulations, ..Effort::default() },
            visits,
            moves,
        }
    }

    fn clear(&mut self) {
        self.candidates.clear();
        self.black_ownership.clear();
        self.simulations = 0;
    }
}

impl Candidate {
    fn report(&self) -> MoveReport {
        let n = self.visits.max(1) as f64;
        let win_rate = self.wins / n;
        MoveReport {
            mv: self.mv,
            visits: self.visits,
            win_rate: win_rate as f32,
            parts: None,
            lower_bound: (win_rate - 1.96 * (win_rate * (1.0 - win_rate) / n).sqrt()) as f32,
            prior: 0.0,
            score_lead: (self.score / n) as f32,
            score_deviation: 0.0,
            black_ownership: Vec::new(),
            variation: vec![self.mv],
            variation_visits: vec![self.visits],
            proven: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searcher::Simulations;
    use tesuji_board::{Rules, Size};

    /// Each of Black's stones fills a point of their own, where White passes: territory counts that, area does not.
    #[test]
    fn stones_cost_territory() {
        let size = Size::square(5).unwrap();
        let leads = |rules: &str| {
            let rules = Rules { komi: 0.5, ..Rules::named(rules).unwrap() };
            let mut game = Game::new(size, rules);
            for x in 0..3 {
                game.play(Color::Black, Move::Play(size.point(x, 2).unwrap())).unwrap();
                game.play(Color::White, Move::Pass).unwrap();
            }
            let mut flat = Flat::new(1);
            flat.search(&game, Color::Black, &Simulations(200));
            let mut moves = flat.report().moves;
            moves.sort_by_key(|report| report.mv);
            moves.iter().map(|report| report.score_lead).collect::<Vec<_>>()
        };
        let (by_area, by_territory) = (leads("chinese"), leads("japanese"));
        assert_eq!(by_area.len(), by_territory.len());
        for (area, territory) in by_area.iter().zip(by_territory) {
            assert!((area - territory - 3.0).abs() < 1e-4, "{area} by area, {territory} by territory");
        }
    }
}
