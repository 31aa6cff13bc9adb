//! Go as a [`Domain`]: the position of a simulation, its rules and its result.

use crate::domain::{Domain, Step};
use crate::knowledge::Knowledge;
use crate::playout::{End, Ending, Lesson, Policy, Position, area_difference, is_sensible, owner, run};
use crate::rng::Rng;
use crate::select::Prior;
use tesuji_board::{Board, Color, Game, History, KoRule, Move, Point, Scoring, Size, tromp_taylor_lead};

/// The position a search starts from, with what the rules need to know of the game.
#[derive(Clone)]
pub struct Root {
    start: Position,
    /// Whether a pass ends the game.
    passed: bool,
    /// Points added to White's area: komi, handicap compensation, and what turns territory into area.
    white_points: f32,
    ko_rule: KoRule,
    history: History,
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
            history: game.history().clone(),
        }
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

/// Numbers that shape results.
#[derive(Clone, Copy, Debug)]
pub struct GoOptions {
    /// Stop a playout when one side leads by this share of the points in stones; 1 or more = never.
    pub mercy: f32,
    /// Part of the result that depends on the margin instead of on winning; keeps the engine from giving up points.
    pub score_bonus: f32,
    /// How many simulations the prior opinion of a move is worth.
    pub prior_weight: f32,
    /// A clock in nanoseconds to measure playouts by, if somebody wants to know; the search has none of its own.
    pub stopwatch: Option<fn() -> u64>,
}

/// The Go position of one thread's simulations.
pub struct Go<P, K> {
    root: Root,
    options: GoOptions,
    ending: Ending,
    policy: P,
    knowledge: K,
    rng: Rng,
    position: Position,
    passed: bool,
    /// Positions since the root, for superko.
    path: Vec<(u64, Color)>,
    simulation: Vec<u16>,
    /// By level; never shrinks, so that keeping a position allocates nothing once a search has been as deep before.
    kept: Vec<Kept>,
    points: Vec<Point>,
    tally: Tally,
}

/// A position on the way from the root.
struct Kept {
    position: Position,
    passed: bool,
    path_length: usize,
    simulation_length: usize,
}

/// What the playouts of a thread came to, apart from who won.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Playouts.
    pub playouts: u64,
    /// Nanoseconds they took, if there is a stopwatch.
    pub playout_nanoseconds: u64,
    /// Black's score in the last simulation, komi included.
    pub black_score: f32,
    /// By point in reading order: playouts that ended with it Black's, minus White's.
    pub black_ownership: Vec<i32>,
}

impl<P: Policy, K: Knowledge> Go<P, K> {
    /// A domain on the empty board of a size; [`Go::set_root`] gives it a game.
    pub fn new(policy: P, knowledge: K, rng: Rng, options: GoOptions, size: Size) -> Go<P, K> {
        let game = Game::new(size, tesuji_board::Rules::default());
        let root = Root::of(&game, Color::Black);
        let mut go = Go {
            options,
            ending: Ending::natural(size.area()),
            policy,
            knowledge,
            rng,
            position: root.start.clone(),
            passed: false,
            path: Vec::with_capacity(256),
            simulation: Vec::with_capacity(4 * size.area()),
            kept: Vec::new(),
            points: Vec::new(),
            tally: Tally::default(),
            root,
        };
        let root = go.root.clone();
        go.set_root(&root);
        go
    }

    /// Starts from another position, and a new tally.
    pub fn set_root(&mut self, root: &Root) {
        self.root.clone_from(root);
        let size = root.board().size();
        let mercy = self.options.mercy * size.area() as f32;
        self.ending = Ending {
            mercy: (self.options.mercy < 1.0).then_some(mercy.ceil() as u16),
            ..Ending::natural(size.area())
        };
        self.points = size.points().collect();
        self.tally = Tally { black_ownership: vec![0; size.area()], ..Tally::default() };
        self.rewind();
    }

    /// What the playouts since [`Go::set_root`] came to.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The playout policy.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// The playout policy, to make it forget.
    pub fn policy_mut(&mut self) -> &mut P {
        &mut self.policy
    }

    /// The result for the side to move at the root.
    fn result(&self, black_score: f32, bonus: f32) -> f32 {
        let score = if self.root.to_move() == Color::Black { black_score } else { -black_score };
        let win = if score > 0.0 {
            1.0
        } else if score < 0.0 {
            0.0
        } else {
            0.5
        };
        let share = (0.5 + 0.5 * score / self.points.len() as f32).clamp(0.0, 1.0);
        win * (1.0 - bonus) + share * bonus
    }

    /// Whether the position just reached occurred before.
    fn repeats(&self) -> bool {
        let (hash, to_move) = (self.position.board.hash(), self.position.to_move);
        self.root.history.forbids(self.root.ko_rule, hash, to_move)
            || self.path.iter().any(|&(earlier, earlier_to_move)| {
                earlier == hash && (self.root.ko_rule == KoRule::Positional || earlier_to_move == to_move)
            })
    }

    fn count_playout(&mut self) {
        self.tally.playouts += 1;
        for (sum, &point) in self.tally.black_ownership.iter_mut().zip(&self.points) {
            *sum += match owner(&self.position.board, point) {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => 0,
            };
        }
    }
}

impl<P: Policy, K: Knowledge> Domain for Go<P, K> {
    #[inline]
    fn rewind(&mut self) {
        self.position.copy_from(&self.root.start);
        self.passed = self.root.passed;
        self.path.clear();
        self.simulation.clear();
    }

    #[inline]
    fn save(&mut self, level: usize) {
        while self.kept.len() <= level {
            let position = self.position.clone();
            self.kept.push(Kept { position, passed: false, path_length: 0, simulation_length: 0 });
        }
        let kept = &mut self.kept[level];
        kept.position.copy_from(&self.position);
        kept.passed = self.passed;
        (kept.path_length, kept.simulation_length) = (self.path.len(), self.simulation.len());
    }

    #[inline]
    fn restore(&mut self, level: usize) {
        let kept = &self.kept[level];
        self.position.copy_from(&kept.position);
        self.passed = kept.passed;
        self.path.truncate(kept.path_length);
        self.simulation.truncate(kept.simulation_length);
    }

    #[inline]
    fn play(&mut self, code: u16) -> Step {
        self.simulation.push(code);
        let mv = Move::from_code(code);
        let ends = mv == Move::Pass && self.passed;
        self.passed = mv == Move::Pass;
        let opponent = !self.position.to_move;
        let stones_before = self.position.board.stone_count(opponent);
        self.position.play(mv);
        if ends {
            let black_score = tromp_taylor_lead(&self.position.board) as f32 - self.root.white_points;
            self.tally.black_score = black_score;
            return Step::Over(self.result(black_score, 0.0));
        }
        if self.root.ko_rule != KoRule::Simple && mv != Move::Pass {
            // Without a capture there are more stones than ever before on this path.
            if self.position.board.stone_count(opponent) < stones_before && self.repeats() {
                return Step::Forbidden;
            }
            self.path.push((self.position.board.hash(), self.position.to_move));
        }
        Step::Open
    }

    fn moves(&mut self, moves: &mut Vec<(u16, Prior)>) {
        let (board, color) = (&self.position.board, self.position.to_move);
        for &point in board.empties() {
            if is_sensible(board, point, color) {
                moves.push((Move::Play(point).code(), Prior::NONE));
            }
        }
        moves.push((Move::Pass.code(), Prior::NONE));
        self.knowledge.judge(&self.position, moves);
        let total: f32 = moves.iter().map(|(_, prior)| prior.policy).sum();
        for (_, prior) in moves.iter_mut() {
            prior.policy /= total.max(f32::MIN_POSITIVE);
            prior.weight *= self.options.prior_weight;
        }
        let order = |a: &(u16, Prior), b: &(u16, Prior)| b.1.mean.total_cmp(&a.1.mean).then(a.0.cmp(&b.0));
        if moves.len() > MOST_SORTED {
            moves.select_nth_unstable_by(MOST_SORTED, order);
        }
        let best = moves.len().min(MOST_SORTED);
        moves[..best].sort_unstable_by(order);
    }

    #[inline]
    fn evaluate(&mut self) -> f32 {
        let started = self.options.stopwatch.map(|now| now());
        let tree_moves = self.simulation.len();
        let simulation = &mut self.simulation;
        let end = run(&mut self.policy, &mut self.position, &mut self.rng, self.ending, |_, mv| {
            simulation.push(mv.code());
        });
        let black_score = area_difference(&self.position.board) as f32 - self.root.white_points;
        self.tally.black_score = black_score;
        self.count_playout();
        // A draw or an aborted playout teaches nothing.
        if end != End::TooLong && black_score != 0.0 {
            let start = &self.root.start;
            self.policy.learn(&Lesson {
                moves: &self.simulation,
                tree_moves,
                before: [start.before_last, start.last],
                first_mover: start.to_move,
                winner: if black_score > 0.0 { Color::Black } else { Color::White },
            });
        }
        if let (Some(now), Some(started)) = (self.options.stopwatch, started) {
            self.tally.playout_nanoseconds += now().saturating_sub(started);
        }
        if end == End::TooLong { 0.5 } else { self.result(black_score, self.options.score_bonus) }
    }

    fn simulation(&self) -> &[u16] {
        &self.simulation
    }
}
