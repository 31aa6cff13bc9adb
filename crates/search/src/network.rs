//! A network as an evaluator of Go positions, alone or with a playout beside it.
//!
//! The network says who wins, by how much and which moves are likely. Positions wait in a [`Seat`] until as many have come as are
//! evaluated together; with one at a time the answer comes at once. A position that two passes ended is judged as if nobody had passed:
//! what it comes to is then a matter of who owns what, and that is what a network is good at.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use tesuji_board::{Board, Color, Game, Md2, Move, Size};
use tesuji_net::input::{Line, SYMMETRIES};
use tesuji_net::{Reader, Seat};

use crate::domain::Domain;
use crate::evaluate::{Evaluation, Evaluator, Judged, Moves};
use crate::findings::Findings;
use crate::go::{Go, Root};
use crate::opinion::{Opinion, Opinions};
use crate::playout::{GoEvaluator, Usage};
use crate::rng::Rng;
use crate::select::Prior;
use crate::tree::kind_of;
use crate::walk::Leaf;

/// How a network is used.
#[derive(Clone, Copy, Debug)]
pub struct NetworkOptions {
    /// Positions evaluated together by one thread.
    pub batch: usize,
    /// Whether its probabilities of moves are what is thought of a new node's moves.
    pub names_moves: bool,
    /// Whether its value is part of a leaf's result.
    pub judges: bool,
    /// Whether its errors are corrected by the kind of position.
    pub corrects_bias: bool,
    /// Part of the network's result that depends on the margin instead of on winning.
    pub score_bonus: f32,
    /// Symmetries in which it is shown the position that a search starts from; the mean of its answers counts there.
    pub root_symmetries: usize,
    /// Above 1 less likely moves become likelier.
    pub policy_temperature: f32,
    /// Most moves of a new node, a pass not counted.
    pub most_moves: usize,
    /// Bytes for opinions that may be needed again, for all threads together.
    pub memory: usize,
}

/// A network, and a playout where one is wanted too.
pub struct Networked {
    options: NetworkOptions,
    reader: Reader,
    playouts: Option<Box<dyn GoEvaluator>>,
    rng: Rng,
    seat: Option<Seat>,
    /// Opinions of all threads, for boards of the seat's size.
    shared: Arc<OpinionsBySize>,
    opinions: Option<Arc<Opinions>>,
    /// What the key of a position begins with: opinions under other rules are others.
    root_key: u64,
    /// The position that the search starts from, as rules and as a network see it.
    root: Root,
    root_line: Line,
    line: Line,
    /// By place in the seat.
    waiting: Vec<Waiting>,
    answered: VecDeque<Judged>,
    opinion: Opinion,
    findings: Findings,
}

/// A leaf in the seat.
struct Waiting {
    leaf: Leaf,
    to_move: Color,
    key: u64,
    /// What a playout from it came to.
    playout: Option<Evaluation>,
}

/// The opinions that the threads of a search share; those of the last size of board.
#[derive(Debug, Default)]
pub struct OpinionsBySize(Mutex<Option<(Size, Arc<Opinions>)>>);

impl OpinionsBySize {
    fn of(&self, size: Size, bytes: usize) -> Arc<Opinions> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((of, opinions)) if *of == size => Arc::clone(opinions),
            _ => Arc::clone(&kept.insert((size, Arc::new(Opinions::new(bytes, size.area())))).1),
        }
    }
}

/// How much of an optimistic policy is mixed in, as in KataGo's search below the root.
const OPTIMISM: f32 = 1.0;

impl Networked {
    /// An evaluator that asks a network in symmetries drawn from a generator.
    pub fn new(
        reader: Reader,
        playouts: Option<Box<dyn GoEvaluator>>,
        rng: Rng,
        options: NetworkOptions,
        shared: Arc<OpinionsBySize>,
    ) -> Networked {
        let game = Game::new(Size::square(9).expect("a legal size"), tesuji_board::Rules::default());
        let line = Line::from_game(&game, Color::Black);
        Networked {
            options,
            reader,
            playouts,
            rng,
            seat: None,
            shared,
            opinions: None,
            root_key: 0,
            root: Root::of(&game, Color::Black),
            root_line: line.clone(),
            line,
            waiting: Vec::new(),
            answered: VecDeque::new(),
            opinion: Opinion::default(),
            findings: Findings::default(),
        }
    }

    /// Asks about the position of the line in several symmetries, one after the other; whether the answers were understood.
    fn ask_in_symmetries(&mut self, key: u64) -> bool {
        let first = self.rng.below(SYMMETRIES);
        let Some(seat) = &mut self.seat else { return false };
        let count = self.options.root_symmetries.min(SYMMETRIES);
        for turn in 0..count {
            let place = seat.add(&self.line.view(), (first + turn) % SYMMETRIES);
            if seat.evaluate(OPTIMISM).is_err() {
                return false;
            }
            let evaluation = seat.evaluation(place);
            if turn == 0 {
                self.opinion.note(key, evaluation);
            } else {
                self.opinion.blend(evaluation, 1.0 / (turn + 1) as f32);
            }
        }
        if let Some(opinions) = &self.opinions {
            opinions.keep(&self.opinion);
        }
        true
    }

    /// Evaluates what waits.
    fn evaluate(&mut self) {
        let Some(seat) = &mut self.seat else { return };
        // Outputs that are not numbers cannot happen with weights that were checked; a draw does no harm.
        let is_understood = seat.evaluate(OPTIMISM).is_ok();
        for (place, Waiting { leaf, to_move, key, playout }) in self.waiting.drain(..).enumerate() {
            if is_understood {
                let evaluation = seat.evaluation(place);
                self.findings.add_ownership(leaf.first_move(), &evaluation.ownership, to_move);
                self.opinion.note(key, evaluation);
                if let Some(opinions) = &self.opinions {
                    opinions.keep(&self.opinion);
                }
            }
            let opinion = is_understood.then_some(&self.opinion);
            self.answered.push_back(answer(&self.options, &self.root, leaf, to_move, opinion, playout));
        }
    }
}

/// Names the position that a line stands at, under the rules of the root.
fn position_key(root_key: u64, line: &Line) -> u64 {
    let (board, track) = (line.board(), line.track());
    let ko = board.ko_point(track.to_move()).map_or(0, |point| point.index() as u64 + 1);
    let passed = u64::from(track.pass_ends_phase());
    let state = (ko << 2) | (passed << 1) | u64::from(track.to_move() == Color::White);
    (root_key ^ board.hash() ^ state.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The kind of a position, in all of which a network may make the same error: by its last two moves since the root and the stones around the last one.
fn kind_of_position(moves: &[u16], board: &Board) -> u16 {
    let mut latest = moves.iter().rev();
    let (last, before) = (latest.next().copied().unwrap_or(0), latest.next().copied().unwrap_or(0));
    let around = match Move::from_code(last) {
        Move::Play(point) => u64::from(Md2::around(board, point).0),
        Move::Pass => 0,
    };
    let player = u64::from(moves.len().is_multiple_of(2));
    kind_of(around << 33 ^ u64::from(last) << 17 ^ u64::from(before) << 1 ^ player)
}

/// What a leaf came to, by a network, a playout or both.
fn answer(
    options: &NetworkOptions,
    root: &Root,
    mut leaf: Leaf,
    to_move: Color,
    opinion: Option<&Opinion>,
    playout: Option<Evaluation>,
) -> Judged {
    if leaf.wants_moves() {
        weigh_moves(leaf.answer_moves(), opinion, root.board().size(), options);
    }
    let wants_value = options.judges && leaf.wants_value();
    let value = opinion.filter(|_| wants_value).and_then(|opinion| value(opinion, to_move, root, options));
    let evaluation = match (value, playout) {
        (Some(value), Some(playout)) => {
            let black_score = value.black_score.or(playout.black_score);
            Evaluation { result: playout.result, network: value.network, black_score }
        }
        (value, playout) => value.or(playout).unwrap_or(Evaluation::of_result(0.5)),
    };
    Judged { leaf, evaluation }
}

/// A network's value and score for the side to move at the root.
fn value(opinion: &Opinion, to_move: Color, root: &Root, options: &NetworkOptions) -> Option<Evaluation> {
    let win_rate = opinion.win_rate?;
    let black_score = opinion.lead.map(|lead| if to_move == Color::Black { lead } else { -lead });
    let win = if to_move == root.to_move() { win_rate } else { 1.0 - win_rate };
    let (share, bonus) = (black_score.map_or(win, |score| root.share(score)), options.score_bonus);
    let result = (win * (1.0 - bonus) + share * bonus).clamp(0.0, 1.0);
    Some(Evaluation { result, network: Some(result), black_score })
}

/// Gives the moves their probabilities, puts the likeliest first and leaves out what is too many.
fn weigh_moves(moves: &mut Moves, opinion: Option<&Opinion>, size: Size, options: &NetworkOptions) {
    let Some(opinion) = opinion.filter(|opinion| opinion.policy.len() == size.area()) else { return };
    let exponent = 1.0 / options.policy_temperature;
    for (code, prior) in moves.iter_mut() {
        let probability = match Move::from_code(*code) {
            Move::Play(point) => opinion.policy[size.ordinal(point)],
            Move::Pass => opinion.pass,
        };
        prior.policy = if exponent == 1.0 { probability } else { probability.powf(exponent) };
    }
    moves.sort_unstable_by(|a, b| b.1.policy.total_cmp(&a.1.policy).then(a.0.cmp(&b.0)));
    if moves.len() > options.most_moves {
        let mut kept = 0;
        moves.retain(|(code, _)| {
            let is_kept = *code == Move::Pass.code() || kept < options.most_moves;
            kept += usize::from(*code != Move::Pass.code());
            is_kept
        });
    }
    let total: f32 = moves.iter().map(|(_, prior)| prior.policy).sum();
    if total > 0.0 {
        moves.iter_mut().for_each(|(_, prior)| prior.policy /= total);
    }
}

impl Evaluator<Go> for Networked {
    fn batch(&self) -> usize {
        self.options.batch
    }

    fn names_moves(&self) -> bool {
        self.options.names_moves
    }

    fn looks_closer_at_root(&self) -> bool {
        self.options.root_symmetries > 1
    }

    fn submit(&mut self, domain: &mut Go, mut leaf: Leaf) -> Option<Judged> {
        if leaf.wants_moves() {
            let moves = leaf.answer_moves();
            moves.clear();
            domain.moves(moves);
            debug_assert!(moves.iter().all(|(_, prior)| *prior != Prior::NONE));
        }
        let asks = leaf.wants_moves() || (self.options.judges && leaf.wants_value());
        let (mut key, mut is_known) = (0, !asks);
        if self.seat.is_some() && asks {
            self.line.copy_from(&self.root_line);
            for &code in judged_moves(leaf.moves(), domain.has_ended()) {
                self.line.play(Move::from_code(code));
            }
            key = position_key(self.root_key, &self.line);
            leaf.kind = self.options.corrects_bias.then(|| kind_of_position(leaf.moves(), self.line.board()));
            if leaf.is_root() && self.looks_closer_at_root() {
                is_known = self.ask_in_symmetries(key);
            } else {
                is_known =
                    self.opinions.as_ref().is_some_and(|opinions| opinions.find(key, &mut self.opinion));
            }
            if let (Some(seat), false) = (&mut self.seat, is_known) {
                seat.add(&self.line.view(), self.rng.below(SYMMETRIES));
            }
        }
        let to_move = self.line.track().to_move();
        let playout = match &mut self.playouts {
            Some(playouts) => {
                let judged = playouts.submit(domain, leaf)?;
                leaf = judged.leaf;
                Some(judged.evaluation)
            }
            None => None,
        };
        if is_known || self.seat.is_none() {
            let opinion = (asks && is_known).then_some(&self.opinion);
            return Some(answer(&self.options, &self.root, leaf, to_move, opinion, playout));
        }
        self.waiting.push(Waiting { leaf, to_move, key, playout });
        if self.waiting.len() >= self.options.batch.max(1) {
            self.evaluate();
        }
        if self.options.batch <= 1 { self.answered.pop_front() } else { None }
    }

    fn collect(&mut self) -> Option<Judged> {
        if self.answered.is_empty() && !self.waiting.is_empty() {
            self.evaluate();
        }
        self.answered.pop_front()
    }
}

/// The moves up to the position that is shown to the network: without the two passes that ended the game.
fn judged_moves(moves: &[u16], has_ended: bool) -> &[u16] {
    let pass = Move::Pass.code();
    let passes = moves.iter().rev().take_while(|&&code| code == pass).count();
    if has_ended { &moves[..moves.len() - passes.min(2)] } else { moves }
}

/// Different for rules and komi that are different.
fn rules_key(root: &Root) -> u64 {
    let mut hasher = DefaultHasher::new();
    format!("{:?}", root.game().rules()).hash(&mut hasher);
    root.white_points().to_bits().hash(&mut hasher);
    hasher.finish()
}

impl GoEvaluator for Networked {
    fn begin(&mut self, root: &Root) {
        let size = root.board().size();
        if self.seat.as_ref().is_none_or(|seat| seat.size() != size) {
            self.seat = self.reader.seat(size, self.options.batch);
        }
        self.opinions = Some(self.shared.of(size, self.options.memory));
        self.root_key = rules_key(root);
        self.root.clone_from(root);
        self.root_line = Line::from_game(root.game(), root.to_move());
        self.line = self.root_line.clone();
        self.findings = Findings::of_root(root);
        if let Some(playouts) = &mut self.playouts {
            playouts.begin(root);
        }
    }

    fn forget(&mut self) {
        if let Some(opinions) = &self.opinions {
            opinions.clear();
        }
        if let Some(playouts) = &mut self.playouts {
            playouts.forget();
        }
    }

    fn findings(&self) -> &Findings {
        &self.findings
    }

    fn usage(&self) -> Usage {
        self.playouts.as_ref().map_or_else(Usage::default, |playouts| playouts.usage())
    }
}
