//! A network as an evaluator of Go positions, alone or with a playout beside it.
//!
//! The network says who wins, by how much and which moves are likely. Positions wait in a [`Seat`] until as many have come as are
//! evaluated together; with one at a time the answer comes at once. A position that two passes ended is judged as if nobody had passed:
//! what it comes to is then a matter of who owns what, and that is what a network is good at.

use std::collections::VecDeque;

use tesuji_board::{Color, Game, Move, Size};
use tesuji_net::input::{Line, SYMMETRIES};
use tesuji_net::output::Evaluation as Opinion;
use tesuji_net::{Reader, Seat};

use crate::domain::Domain;
use crate::evaluate::{Evaluation, Evaluator, Judged, Moves};
use crate::findings::Findings;
use crate::go::{Go, Root};
use crate::playout::{GoEvaluator, Usage};
use crate::rng::Rng;
use crate::select::Prior;
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
    /// The part of a result that is the playout's, where there is one; the paper's λ.
    pub playout_share: f32,
    /// Part of the network's result that depends on the margin instead of on winning.
    pub score_bonus: f32,
    /// Above 1 less likely moves become likelier.
    pub policy_temperature: f32,
}

/// A network, and a playout where one is wanted too.
pub struct Networked {
    options: NetworkOptions,
    reader: Reader,
    playouts: Option<Box<dyn GoEvaluator>>,
    rng: Rng,
    seat: Option<Seat>,
    /// The position that the search starts from, as rules and as a network see it.
    root: Root,
    root_line: Line,
    line: Line,
    /// By place in the seat.
    waiting: Vec<Waiting>,
    answered: VecDeque<Judged>,
    findings: Findings,
}

/// A leaf in the seat.
struct Waiting {
    leaf: Leaf,
    to_move: Color,
    /// What a playout from it came to.
    playout: Option<Evaluation>,
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
    ) -> Networked {
        let game = Game::new(Size::square(9).expect("a legal size"), tesuji_board::Rules::default());
        let line = Line::from_game(&game, Color::Black);
        Networked {
            options,
            reader,
            playouts,
            rng,
            seat: None,
            root: Root::of(&game, Color::Black),
            root_line: line.clone(),
            line,
            waiting: Vec::new(),
            answered: VecDeque::new(),
            findings: Findings::default(),
        }
    }

    /// Evaluates what waits.
    fn evaluate(&mut self) {
        let Some(seat) = &mut self.seat else { return };
        let understood = seat.evaluate(OPTIMISM).is_ok();
        for (place, Waiting { mut leaf, to_move, playout }) in self.waiting.drain(..).enumerate() {
            // Outputs that are no numbers cannot happen with weights that were checked; a draw does no harm.
            let opinion = if understood { Some(seat.evaluation(place)) } else { None };
            if leaf.wants_moves() {
                let size = seat.size();
                weigh_moves(leaf.answer_moves(), opinion, size, self.options.policy_temperature);
            }
            let network = opinion.and_then(|opinion| {
                self.findings.add_ownership(&opinion.ownership, to_move);
                network_evaluation(opinion, to_move, &self.root, self.options.score_bonus)
            });
            let evaluation = match (network.filter(|_| self.options.judges), playout) {
                (Some(network), Some(playout)) => mixed(network, playout, self.options.playout_share),
                (Some(network), None) => network,
                (None, Some(playout)) => playout,
                (None, None) => Evaluation::of_result(0.5),
            };
            self.answered.push_back(Judged { leaf, evaluation });
        }
    }
}

/// A network's value and score for the side to move at the root.
fn network_evaluation(opinion: &Opinion, to_move: Color, root: &Root, bonus: f32) -> Option<Evaluation> {
    let outcome = opinion.outcome?;
    let lead = opinion.lead.or(opinion.score_mean);
    let black_score = lead.map(|lead| if to_move == Color::Black { lead } else { -lead });
    let win = if to_move == root.to_move() { outcome.win_rate() } else { 1.0 - outcome.win_rate() };
    let share = black_score.map_or(win, |score| root.share(score));
    let result = (win * (1.0 - bonus) + share * bonus).clamp(0.0, 1.0);
    Some(Evaluation { result, network: Some(result), black_score })
}

/// A leaf's result by both (Silver et al. 2016).
fn mixed(network: Evaluation, playout: Evaluation, share: f32) -> Evaluation {
    let result = network.result * (1.0 - share) + playout.result * share;
    Evaluation { result, network: network.network, black_score: network.black_score.or(playout.black_score) }
}

/// Gives the moves their probabilities and puts the likeliest first.
fn weigh_moves(moves: &mut Moves, opinion: Option<&Opinion>, size: Size, temperature: f32) {
    let Some(opinion) = opinion.filter(|opinion| opinion.policy.len() == size.area()) else { return };
    let exponent = 1.0 / temperature;
    for (code, prior) in moves.iter_mut() {
        let probability = match Move::from_code(*code) {
            Move::Play(point) => opinion.policy[size.ordinal(point)],
            Move::Pass => opinion.pass,
        };
        prior.policy = if exponent == 1.0 { probability } else { probability.powf(exponent) };
    }
    let total: f32 = moves.iter().map(|(_, prior)| prior.policy).sum();
    if total > 0.0 {
        moves.iter_mut().for_each(|(_, prior)| prior.policy /= total);
    }
    moves.sort_unstable_by(|a, b| b.1.policy.total_cmp(&a.1.policy).then(a.0.cmp(&b.0)));
}

impl Evaluator<Go> for Networked {
    fn batch(&self) -> usize {
        self.options.batch
    }

    fn names_moves(&self) -> bool {
        self.options.names_moves
    }

    fn submit(&mut self, domain: &mut Go, mut leaf: Leaf) -> Option<Judged> {
        if leaf.wants_moves() {
            let moves = leaf.answer_moves();
            moves.clear();
            domain.moves(moves);
            debug_assert!(moves.iter().all(|(_, prior)| *prior != Prior::NONE));
        }
        let seat = self.seat.as_mut();
        let asks = self.options.judges || leaf.wants_moves();
        if let (Some(seat), true) = (seat, asks) {
            self.line.copy_from(&self.root_line);
            for &code in judged_moves(leaf.moves(), domain.has_ended()) {
                self.line.play(Move::from_code(code));
            }
            seat.add(&self.line.view(), self.rng.below(SYMMETRIES));
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
        if !asks || self.seat.is_none() {
            let evaluation = playout.unwrap_or(Evaluation::of_result(0.5));
            return Some(Judged { leaf, evaluation });
        }
        self.waiting.push(Waiting { leaf, to_move, playout });
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

impl GoEvaluator for Networked {
    fn begin(&mut self, root: &Root) {
        let size = root.board().size();
        if self.seat.as_ref().is_none_or(|seat| seat.size() != size) {
            self.seat = self.reader.seat(size, self.options.batch);
        }
        self.root.clone_from(root);
        self.root_line = Line::from_game(root.game(), root.to_move());
        self.line = self.root_line.clone();
        self.findings = Findings::of_area(size.area());
        if let Some(playouts) = &mut self.playouts {
            playouts.begin(root);
        }
    }

    fn forget(&mut self) {
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
