//! Go as a [`Domain`]: the position of a simulation and its rules.

use crate::domain::{Domain, Step};
use crate::evaluate::{Evaluation, Moves};
use crate::focus::Focus;
use crate::knowledge::Knowledge;
use crate::playout::{Position, is_sensible};
use crate::select::Prior;
use std::sync::Arc;
use tesuji_board::{Board, Color, Game, History, KoRule, Move, Scoring, Size, tromp_taylor_lead};

/// The position a search starts from, with what the rules need to know of the game.
#[derive(Clone)]
pub struct Root {
    start: Position,
    /// Whether a pass ends the game.
    passed: bool,
    /// Points added to White's area: komi, handicap compensation, and what turns territory into area.
    white_points: f32,
    ko_rule: KoRule,
    /// Whether two passes end the game with the board counted as it stands.
    counts_as_it_stands: bool,
    history: History,
    /// All of it, for those who look at more than the last moves.
    game: Arc<Game>,
    focus: Arc<Focus>,
}

impl Root {
    /// The current position of a game with `to_move` to play.
    pub fn of(game: &Game, to_move: Color) -> Root {
        let board = game.board();
        let moves = game.moves();
        let mv = |back: usize| moves.len().checked_sub(back).map_or(Move::Pass, |i| moves[i].1);
        let mut start = Position::new(board.clone(), to_move);
        (start.last, start.before_last) = (mv(1), mv(2));
        let passed = moves.last().is_some_and(|&(color, mv)| mv == Move::Pass && color != to_move);
        Root {
            start,
            passed,
            white_points: game.white_points() + territory_offset(game),
            ko_rule: game.rules().ko,
            counts_as_it_stands: game.rules().counts_the_board_as_it_stands(),
            history: game.history().clone(),
            game: Arc::new(game.clone()),
            focus: Arc::default(),
        }
    }

    /// The same position, to be looked at in some way.
    #[must_use]
    pub fn with_focus(mut self, focus: &Arc<Focus>) -> Root {
        self.focus = Arc::clone(focus);
        self
    }

    /// What is looked at.
    pub fn focus(&self) -> &Focus {
        &self.focus
    }

    /// Who is to move.
    pub fn to_move(&self) -> Color {
        self.start.to_move
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.start.board
    }

    /// Points added to White's area.
    pub fn white_points(&self) -> f32 {
        self.white_points
    }

    /// The game up to here.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// A score as a share of the board for the side to move here, 0 to 1.
    pub(crate) fn share(&self, black_score: f32) -> f32 {
        let score = if self.to_move() == Color::Black { black_score } else { -black_score };
        (0.5 + 0.5 * score / self.board().size().area() as f32).clamp(0.0, 1.0)
    }

    /// The position, with the moves before it.
    pub(crate) fn start(&self) -> &Position {
        &self.start
    }

    /// What a score is worth to the side to move here: a win, a draw or a loss, and `bonus` parts of it by the margin.
    pub(crate) fn result(&self, black_score: f32, bonus: f32) -> f32 {
        let score = if self.to_move() == Color::Black { black_score } else { -black_score };
        let win = if score > 0.0 {
            1.0
        } else if score < 0.0 {
            0.0
        } else {
            0.5
        };
        win * (1.0 - bonus) + self.share(black_score) * bonus
    }
}

/// By how much Black's area lead exceeds Black's territory lead if both sides play on for the same number of moves: the stones
/// Black has put on the board minus White's. Playouts count area whatever the rules.
fn territory_offset(game: &Game) -> f32 {
    match game.rules().scoring {
        Scoring::Area => 0.0,
        Scoring::Territory => {
            let placed =
                |color: Color| game.board().stone_count(color) as f32 + game.prisoners(!color) as f32;
            placed(Color::Black) - placed(Color::White)
        }
    }
}

/// Moves that are put in order; nobody minds in which order the hopeless ones after them come.
const MOST_SORTED: usize = 128;

/// The Go position of one thread's simulations.
pub struct Go {
    root: Root,
    /// How many simulations the prior opinion of a move is worth.
    prior_weight: f32,
    knowledge: Box<dyn Knowledge>,
    position: Position,
    passed: bool,
    ended: bool,
    /// Moves since the root.
    depth: usize,
    /// Positions since the root, for superko.
    path: Vec<(u64, Color)>,
    /// By level; never shrinks, so that keeping a position allocates nothing once a search has been as deep before.
    kept: Vec<Kept>,
}

/// A position on the way from the root.
struct Kept {
    position: Position,
    passed: bool,
    depth: usize,
    path_length: usize,
}

impl Go {
    /// A domain on the empty board of a size; [`Go::set_root`] gives it a game.
    pub fn new(knowledge: Box<dyn Knowledge>, prior_weight: f32, size: Size) -> Go {
        let game = Game::new(size, tesuji_board::Rules::default());
        let root = Root::of(&game, Color::Black);
        Go {
            prior_weight,
            knowledge,
            position: root.start.clone(),
            passed: false,
            ended: false,
            depth: 0,
            path: Vec::with_capacity(256),
            kept: Vec::new(),
            root,
        }
    }

    /// Starts from another position.
    pub fn set_root(&mut self, root: &Root) {
        self.root.clone_from(root);
        self.rewind();
    }

    /// The position that it starts from.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// The position where it stands, to be played out, and the one it starts from.
    pub(crate) fn position_and_root(&mut self) -> (&mut Position, &Root) {
        (&mut self.position, &self.root)
    }

    /// Whether two passes have ended the game here.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The position where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Leaves the moves that the focus allows: if none of them is sensible, the legal ones, and a pass if there are none at all.
    fn drop_banned(&self, moves: &mut Moves) {
        let (board, color) = (&self.position.board, self.position.to_move);
        let allows = |mv: Move| self.root.focus.allows(color, mv, self.depth, board.size());
        moves.retain(|&(code, _)| allows(Move::from_code(code)));
        if moves.is_empty() {
            let legal = board.empties().iter().filter(|&&point| board.is_legal_no_suicide(point, color));
            let allowed = legal.map(|&point| Move::Play(point)).filter(|&mv| allows(mv));
            moves.extend(allowed.map(|mv| (mv.code(), Prior::NONE)));
        }
        if moves.is_empty() {
            moves.push((Move::Pass.code(), Prior::NONE));
        }
    }

    /// Whether the position just reached occurred before.
    fn repeats(&self) -> bool {
        let (hash, to_move) = (self.position.board.hash(), self.position.to_move);
        self.root.history.forbids(self.root.ko_rule, hash, to_move)
            || self.path.iter().any(|&(earlier, earlier_to_move)| {
                earlier == hash && (self.root.ko_rule == KoRule::Positional || earlier_to_move == to_move)
            })
    }
}

impl Domain for Go {
    #[inline]
    fn rewind(&mut self) {
        self.position.copy_from(&self.root.start);
        self.passed = self.root.passed;
        self.ended = false;
        self.depth = 0;
        self.path.clear();
    }

    #[inline]
    fn save(&mut self, level: usize) {
        while self.kept.len() <= level {
            let position = self.position.clone();
            self.kept.push(Kept { position, passed: false, depth: 0, path_length: 0 });
        }
        let kept = &mut self.kept[level];
        kept.position.copy_from(&self.position);
        kept.passed = self.passed;
        kept.depth = self.depth;
        kept.path_length = self.path.len();
    }

    #[inline]
    fn restore(&mut self, level: usize) {
        let kept = &self.kept[level];
        self.position.copy_from(&kept.position);
        self.passed = kept.passed;
        self.depth = kept.depth;
        self.ended = false;
        self.path.truncate(kept.path_length);
    }

    #[inline]
    fn play(&mut self, code: u16) -> Step {
        let mv = Move::from_code(code);
        let ends = mv == Move::Pass && self.passed;
        self.passed = mv == Move::Pass;
        self.position.play(mv);
        self.depth += 1;
        self.ended = ends;
        if ends && !self.root.counts_as_it_stands {
            return Step::Judged;
        }
        if ends {
            let black_score = tromp_taylor_lead(&self.position.board) as f32 - self.root.white_points;
            let result = self.root.result(black_score, 0.0);
            return Step::Over(Evaluation {
                black_score: Some(black_score),
                ..Evaluation::of_result(result)
            });
        }
        if self.root.ko_rule != KoRule::Simple {
            // A pass is never forbidden, but the situation after it counts.
            if mv != Move::Pass && self.position.board.has_captures() && self.repeats() {
                return Step::Forbidden;
            }
            self.path.push((self.position.board.hash(), self.position.to_move));
        }
        Step::Open
    }

    fn moves(&mut self, moves: &mut Moves) {
        let (board, color) = (&self.position.board, self.position.to_move);
        for &point in board.empties() {
            if is_sensible(board, point, color) {
                moves.push((Move::Play(point).code(), Prior::NONE));
            }
        }
        moves.push((Move::Pass.code(), Prior::NONE));
        if self.root.focus.has_bans() {
            self.drop_banned(moves);
        }
        self.knowledge.judge(&self.position, moves);
        let total: f32 = moves.iter().map(|(_, prior)| prior.policy).sum();
        for (_, prior) in moves.iter_mut() {
            prior.policy /= total.max(f32::MIN_POSITIVE);
            prior.weight *= self.prior_weight;
        }
        let order = |a: &(u16, Prior), b: &(u16, Prior)| b.1.mean.total_cmp(&a.1.mean).then(a.0.cmp(&b.0));
        if moves.len() > MOST_SORTED {
            moves.select_nth_unstable_by(MOST_SORTED, order);
        }
        let best = moves.len().min(MOST_SORTED);
        moves[..best].sort_unstable_by(order);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::Ignorant;
    use crate::rng::Rng;
    use tesuji_board::{Diagram, Rules};

    fn go(game: &Game) -> Go {
        let mut go = Go::new(Box::new(Ignorant), 1.0, game.size());
        go.set_root(&Root::of(game, game.to_move()));
        go
    }

    /// Plays random moves in the domain and in the game; both must agree on what superko forbids.
    #[test]
    fn superko_is_that_of_the_game() {
        let size = Size::square(3).unwrap();
        let mut rng = Rng::new(1);
        let (mut forbidden, mut without_capture, mut passes) = (0, 0, 0);
        for rules in ["positional", "situational"] {
            let base = Rules::named("tromp-taylor").unwrap();
            let ko = if rules == "positional" { KoRule::Positional } else { KoRule::Situational };
            for _ in 0..800 {
                let mut game = Game::new(size, Rules { ko, ..base });
                // Part of the game lies before the root, the rest within the tree.
                let before = rng.below(20);
                let mut domain: Option<Go> = None;
                for number in 0..60 {
                    if number == before {
                        domain = Some(go(&game));
                    }
                    let (color, board) = (game.to_move(), game.board());
                    let points: Vec<_> =
                        size.points().filter(|&p| board.is_empty(p) && !board.is_suicide(p, color)).collect();
                    let points: Vec<_> =
                        points.into_iter().filter(|&p| board.ko_point(color) != Some(p)).collect();
                    let passes_now = points.is_empty() || (rng.below(6) == 0 && game.last_move().is_some());
                    let mv =
                        if passes_now { Move::Pass } else { Move::Play(points[rng.below(points.len())]) };
                    if mv == Move::Pass && game.last_move().is_some_and(|(_, last)| last == Move::Pass) {
                        break;
                    }
                    let stones = board.stone_count(!color);
                    let legal = game.play(color, mv).is_ok();
                    let Some(domain) = &mut domain else { continue };
                    let step = domain.play(mv.code());
                    assert_eq!(step == Step::Forbidden, !legal, "{mv:?} on\n{}", game.board());
                    passes += u32::from(mv == Move::Pass);
                    if !legal {
                        forbidden += 1;
                        let captures = domain.position.board.stone_count(!color) < stones;
                        without_capture += u32::from(!captures);
                        break;
                    }
                }
            }
        }
        assert!(forbidden > 100 && without_capture > 5 && passes > 100, "{forbidden} {without_capture}");
    }

    #[test]
    fn a_move_without_a_capture_can_repeat_a_position() {
        let diagram = Diagram::parse(
            "
            . . . .
            . . . .
            X X O .
            O O . O",
        )
        .unwrap();
        let rules = Rules { komi: 0.5, ..Rules::named("tromp-taylor").unwrap() };
        let mut game = Game::from_position(diagram.board, Color::Black, rules);
        let mut domain = go(&game);
        let size = game.size();
        for name in ["C1", "B1", "pass"] {
            let mv = Move::from_gtp(name, size).unwrap();
            game.play(game.to_move(), mv).unwrap();
            assert_eq!(domain.play(mv.code()), Step::Open, "{name}");
        }
        let back = Move::from_gtp("A1", size).unwrap();
        assert!(game.play(Color::White, back).is_err());
        assert_eq!(domain.play(back.code()), Step::Forbidden);
    }
}
