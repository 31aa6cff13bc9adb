//! Life and death from the rules of Go alone, by looking at every position. It knows nothing of the solver: no type, no rule, no short cut.
//!
//! *The game.* Both sides may play inside the region, or pass, which is a move elsewhere. A move may not bring back the board of two
//! moves ago (simple ko, by comparing boards). Each side has a number of ko threats as tokens: it puts one down elsewhere, the opponent answers
//! there, and it is the same side's turn on a board that differs from all before it. Two passes in a row end the game, unless one of
//! them lifted a ban: then somebody would rather play on. The attacker has won when all stones of the target have been captured;
//! a game that ends otherwise, or never, the defender has won.
//!
//! *The answer.* All boards that can arise make a graph. Positions won by the attacker spread backwards from captured targets, once for each number of
//! tokens, which needs the positions won with one token less and nothing else. So when one more token changes no position at all, no further one ever will: that is
//! what "any number of threats" means here.
//!
//! What is outside the region is as the problem says: stones there are never captured, and an empty point there is a liberty for good of the sides that it
//! belongs to.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// What may stand on a point. A stone of the target that is captured and put back is an ordinary one.
pub(crate) const EMPTY: u8 = 0;
pub(crate) const ATTACKER: u8 = 1;
pub(crate) const DEFENDER: u8 = 2;
pub(crate) const TARGET: u8 = 3;

/// Boards beyond which a question is not worth the time.
const MAX_NODES: usize = 15_000;

/// Most points of a board.
const MAX_POINTS: usize = 121;

/// Most points of a region, two bits each.
const MAX_INSIDE: usize = 32;

/// What is asked, as plain data.
pub(crate) struct Question {
    pub(crate) width: usize,
    /// What stands on each point, row by row.
    pub(crate) cells: Vec<u8>,
    /// Where moves may be played, at most [`MAX_INSIDE`] points.
    pub(crate) is_inside: Vec<bool>,
    /// Whether an empty point outside is a liberty of the attacker, and of the defender.
    pub(crate) has_outside: [bool; 2],
    pub(crate) is_attackers_turn: bool,
    /// The board that the first move may not bring back, if there was a move before it.
    pub(crate) forbidden: Option<Vec<u8>>,
}

/// What becomes of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Lives,
    Dies,
    /// Without threats the attacker wins, or does not; and so many threats of the loser change that, 3 for any greater number.
    Ko {
        attacker_wins: bool,
        needs: usize,
    },
}

/// The answer of the reference.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    /// First moves with which the side to move does as well as it can, `None` for a pass; no moves if it fails.
    pub(crate) best: Vec<Option<usize>>,
    /// Those that do so if threats are not counted.
    pub(crate) right: Vec<Option<usize>>,
    /// Positions in which the ko rule forbade a move.
    pub(crate) bans: usize,
    /// The verdict if the attacker were not allowed to pass.
    pub(crate) without_attackers_pass: Verdict,
}

/// A region with two bits for each of its points.
type Code = u64;

/// What stands on each point of a board.
type Cells = [u8; MAX_POINTS];

/// No board is forbidden.
const NOTHING: Code = Code::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    board: Code,
    is_attackers_turn: bool,
    /// The board that may not come back, if a move could bring it back.
    forbidden: Code,
    /// Whether the last move was a pass that lifted no ban.
    is_passed: bool,
}

/// How a position may go on.
#[derive(Default)]
struct Moves {
    /// Moves by point, and the positions after them.
    plays: Vec<(usize, usize)>,
    /// The position after a pass; nothing if that ends the game.
    pass: Option<usize>,
    /// The position after a threat and its answer.
    threat: usize,
    is_captured: bool,
}

struct Graph {
    nodes: Vec<Node>,
    moves: Vec<Moves>,
    /// By position: those before it.
    before: Vec<Vec<Before>>,
}

/// A position, and whether the way from there is a pass.
struct Before {
    node: usize,
    is_pass: bool,
}

/// Who wins each position with given numbers of tokens: whether the attacker does.
type Wins = Vec<bool>;

impl Question {
    /// The answer; nothing if there are too many boards.
    pub(crate) fn answer(&self) -> Option<Answer> {
        self.answer_within(MAX_NODES)
    }

    /// The same with another limit.
    pub(crate) fn answer_within(&self, most_nodes: usize) -> Option<Answer> {
        let graph = Ground::new(self).graph(most_nodes)?;
        let (verdict, best, right) = graph.answer(true);
        let bans = graph.nodes.iter().filter(|node| node.forbidden != NOTHING).count();
        Some(Answer { verdict, best, right, bans, without_attackers_pass: graph.answer(false).0 })
    }

    /// Whether the reference takes it.
    pub(crate) fn is_small(&self) -> bool {
        self.is_inside.iter().filter(|&&is_inside| is_inside).count() <= MAX_INSIDE
            && self.cells.len() <= MAX_POINTS
    }

    /// Whether the ban on the first move, if there is one, forbids a move; what is too large is not looked at.
    pub(crate) fn has_possible_ban(&self) -> bool {
        let Some(forbidden) = self.forbidden.as_ref().filter(|_| self.is_small()) else { return true };
        let ground = Ground::new(self);
        let (board, forbidden) = (ground.encode(&self.cells), ground.encode(forbidden));
        let boards = ground.boards_after(board, self.is_attackers_turn);
        boards.iter().any(|&(_, after)| same_stones(after, forbidden))
    }
}

/// A question with what is the same on all boards.
struct Ground<'a> {
    question: &'a Question,
    inside: Vec<usize>,
    /// By point: the points beside it.
    beside: Vec<Vec<usize>>,
}

impl Ground<'_> {
    fn new(question: &Question) -> Ground<'_> {
        let points = 0..question.cells.len();
        let inside: Vec<usize> = points.clone().filter(|&at| question.is_inside[at]).collect();
        assert!(question.is_small(), "too large for the reference");
        let place = |at: usize| (at % question.width, at / question.width);
        let are_beside = |one, other| {
            let ((x, y), (u, v)) = (place(one), place(other));
            usize::abs_diff(x, u) + usize::abs_diff(y, v) == 1
        };
        let beside =
            points.clone().map(|one| points.clone().filter(|&other| are_beside(one, other)).collect());
        Ground { question, beside: beside.collect(), inside }
    }

    fn encode(&self, cells: &[u8]) -> Code {
        self.inside.iter().rev().fold(0, |code, &at| code << 2 | Code::from(cells[at]))
    }

    fn decode(&self, code: Code) -> Cells {
        let mut cells = [EMPTY; MAX_POINTS];
        cells[..self.question.cells.len()].copy_from_slice(&self.question.cells);
        for (place, &at) in self.inside.iter().enumerate() {
            cells[at] = (code >> (2 * place) & 3) as u8;
        }
        cells
    }

    /// All positions that can arise.
    fn graph(&self, most_nodes: usize) -> Option<Graph> {
        let mut boards = Boards { ground: self, after: HashMap::default() };
        let mut numbers: HashMap<Node, usize, Mixing> = HashMap::default();
        let mut graph = Graph { nodes: Vec::new(), moves: Vec::new(), before: Vec::new() };
        let mut number = |nodes: &mut Vec<Node>, node: Node| {
            *numbers.entry(node).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        let start = Node {
            board: self.encode(&self.question.cells),
            is_attackers_turn: self.question.is_attackers_turn,
            forbidden: self.question.forbidden.as_ref().map_or(NOTHING, |cells| self.encode(cells)),
            is_passed: false,
        };
        number(&mut graph.nodes, start);
        while graph.moves.len() < graph.nodes.len() {
            let node = graph.nodes[graph.moves.len()];
            if is_captured(node.board) {
                graph.moves.push(Moves { is_captured: true, ..Moves::default() });
                continue;
            }
            let mut moves = Moves::default();
            let is_attackers_turn = !node.is_attackers_turn;
            for &(at, next) in boards.after(node.board, node.is_attackers_turn).iter() {
                if same_stones(next, node.forbidden) {
                    continue;
                }
                let replies = boards.after(next, is_attackers_turn);
                let may_come_back = replies.iter().any(|&(_, reply)| same_stones(reply, node.board));
                let forbidden = if may_come_back { node.board } else { NOTHING };
                let after = Node { board: next, is_attackers_turn, forbidden, is_passed: false };
                moves.plays.push((at, number(&mut graph.nodes, after)));
            }
            let lifts_ban = node.forbidden != NOTHING;
            if lifts_ban || !node.is_passed {
                let after = Node { is_attackers_turn, forbidden: NOTHING, is_passed: !lifts_ban, ..node };
                moves.pass = Some(number(&mut graph.nodes, after));
            }
            let after = Node { forbidden: NOTHING, is_passed: false, ..node };
            moves.threat = number(&mut graph.nodes, after);
            graph.moves.push(moves);
            if graph.nodes.len() > most_nodes {
                return None;
            }
        }
        graph.note_what_is_before();
        Some(graph)
    }

    /// The boards after every move that captures as the rules say and is no suicide.
    fn boards_after(&self, board: Code, is_attackers_turn: bool) -> Vec<(usize, Code)> {
        let cells = self.decode(board);
        let own = if is_attackers_turn { ATTACKER } else { DEFENDER };
        let empty = self.inside.iter().copied().filter(|&at| cells[at] == EMPTY);
        empty.filter_map(|at| Some((at, self.encode(&self.play(&cells, at, own)?)))).collect()
    }

    fn play(&self, cells: &Cells, at: usize, own: u8) -> Option<Cells> {
        let mut after = *cells;
        after[at] = own;
        for &side in &self.beside[at] {
            if after[side] != EMPTY && is_attacker(after[side]) != is_attacker(own) {
                self.remove_if_captured(&mut after, side);
            }
        }
        let mut without = after;
        self.remove_if_captured(&mut without, at);
        (without[at] != EMPTY).then_some(after)
    }

    /// Takes the chain of a stone off the board if it has no liberty.
    fn remove_if_captured(&self, cells: &mut Cells, start: usize) {
        let is_attackers = is_attacker(cells[start]);
        let has_outside = self.question.has_outside[usize::from(!is_attackers)];
        let (mut chain, mut length, mut is_in_chain) = ([start; MAX_POINTS], 1, [false; MAX_POINTS]);
        is_in_chain[start] = true;
        let mut done = 0;
        while done < length {
            let stone = chain[done];
            done += 1;
            if !self.question.is_inside[stone] {
                return;
            }
            for &side in &self.beside[stone] {
                if cells[side] == EMPTY {
                    if self.question.is_inside[side] || has_outside {
                        return;
                    }
                } else if is_attacker(cells[side]) == is_attackers && !is_in_chain[side] {
                    (chain[length], is_in_chain[side]) = (side, true);
                    length += 1;
                }
            }
        }
        for &stone in &chain[..length] {
            cells[stone] = EMPTY;
        }
    }
}

/// Moves by point, and the boards after them.
type Plays = Rc<[(usize, Code)]>;

/// The boards after each board and turn, found once.
struct Boards<'a> {
    ground: &'a Ground<'a>,
    after: HashMap<(Code, bool), Plays, Mixing>,
}

impl Boards<'_> {
    fn after(&mut self, board: Code, is_attackers_turn: bool) -> Plays {
        let find = || self.ground.boards_after(board, is_attackers_turn).into();
        self.after.entry((board, is_attackers_turn)).or_insert_with(find).clone()
    }
}

impl Graph {
    fn note_what_is_before(&mut self) {
        self.before.resize_with(self.nodes.len(), Vec::new);
        for (node, moves) in self.moves.iter().enumerate() {
            for &(_, next) in &moves.plays {
                self.before[next].push(Before { node, is_pass: false });
            }
            if let Some(next) = moves.pass {
                self.before[next].push(Before { node, is_pass: true });
            }
        }
    }

    fn answer(&self, attacker_may_pass: bool) -> (Verdict, Vec<Option<usize>>, Vec<Option<usize>>) {
        let none = vec![false; self.nodes.len()];
        let without = self.wins(attacker_may_pass, &none, &vec![true; self.nodes.len()]);
        // What the attacker wins with 0, 1, … tokens against none, and with none against 0, 1, …
        let (mut attackers, mut defenders) = (vec![without.clone()], vec![without]);
        while attackers.len() < 2 || attackers[attackers.len() - 2] != attackers[attackers.len() - 1] {
            let fewer = &attackers[attackers.len() - 1];
            attackers.push(self.wins(attacker_may_pass, fewer, &vec![true; self.nodes.len()]));
        }
        while defenders.len() < 2 || defenders[defenders.len() - 2] != defenders[defenders.len() - 1] {
            let fewer = &defenders[defenders.len() - 1];
            defenders.push(self.wins(attacker_may_pass, &none, fewer));
        }
        let is_attackers_turn = self.nodes[0].is_attackers_turn;
        let with = |layers: &[Wins], tokens: usize| layers[tokens.min(layers.len() - 1)][0];
        let any = usize::MAX;
        let verdict = if with(&defenders, any) {
            Verdict::Dies
        } else if !with(&attackers, any) {
            Verdict::Lives
        } else {
            let attacker_wins = with(&attackers, 0);
            let changes = |tokens: &usize| match attacker_wins {
                true => !with(&defenders, *tokens),
                false => with(&attackers, *tokens),
            };
            Verdict::Ko { attacker_wins, needs: (1..3).find(changes).unwrap_or(3) }
        };
        // The tokens of the side to move and of the other with which only the best moves succeed, and with which all right ones do.
        let (best, right) = match verdict {
            Verdict::Ko { attacker_wins, needs } if attacker_wins == is_attackers_turn => {
                ((0, needs - 1), (0, 0))
            }
            Verdict::Ko { needs, .. } => ((if needs == 3 { any } else { needs }, 0), (any, 0)),
            _ => ((0, any), (0, any)),
        };
        let fails = verdict == if is_attackers_turn { Verdict::Lives } else { Verdict::Dies };
        let first_moves = |(own, others)| {
            let (own_layers, other_layers) =
                if is_attackers_turn { (&attackers, &defenders) } else { (&defenders, &attackers) };
            let layer = |own: usize| match own {
                0 => &other_layers[usize::min(others, other_layers.len() - 1)],
                _ => &own_layers[own.min(own_layers.len() - 1)],
            };
            if fails {
                Vec::new()
            } else {
                self.first_moves(layer(own), (own > 0).then(|| layer(own - 1)), attacker_may_pass)
            }
        };
        (verdict, first_moves(best), first_moves(right))
    }

    /// First moves that succeed, be it after a threat, which leaves one token less.
    fn first_moves(
        &self,
        wins: &Wins,
        with_one_less: Option<&Wins>,
        attacker_may_pass: bool,
    ) -> Vec<Option<usize>> {
        let is_attackers_turn = self.nodes[0].is_attackers_turn;
        let start = &self.moves[0];
        let succeeds = |wins: &Wins, next: usize| wins[next] == is_attackers_turn;
        let mut moves: Vec<Option<usize>> = Vec::new();
        moves.extend(start.plays.iter().filter(|(_, next)| succeeds(wins, *next)).map(|&(at, _)| Some(at)));
        if let Some(wins) = with_one_less {
            let after_threat =
                self.moves[start.threat].plays.iter().filter(|(_, next)| succeeds(wins, *next));
            let new: Vec<_> =
                after_threat.map(|&(at, _)| Some(at)).filter(|mv| !moves.contains(mv)).collect();
            moves.extend(new);
        }
        moves.sort_unstable();
        if (attacker_may_pass || !is_attackers_turn) && start.pass.is_some_and(|next| succeeds(wins, next)) {
            moves.push(None);
        }
        moves
    }

    /// What the attacker wins, given what it wins when it or the defender has one token less: nothing and everything where there is no token.
    fn wins(&self, attacker_may_pass: bool, attackers_fewer: &[bool], defenders_fewer: &[bool]) -> Wins {
        let mut wins = vec![false; self.nodes.len()];
        let mut new = Vec::new();
        // Ways out that are left to the defender.
        let mut open: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (node, moves) in self.nodes.iter().zip(&self.moves) {
            let is_saved_by_threat = !defenders_fewer[moves.threat];
            open.push(moves.plays.len() + 1 + usize::from(is_saved_by_threat));
            let is_won = moves.is_captured || (node.is_attackers_turn && attackers_fewer[moves.threat]);
            if is_won {
                wins[open.len() - 1] = true;
                new.push(open.len() - 1);
            }
        }
        while let Some(won) = new.pop() {
            for &Before { node, is_pass } in &self.before[won] {
                let is_attackers_turn = self.nodes[node].is_attackers_turn;
                if wins[node] || (is_pass && is_attackers_turn && !attacker_may_pass) {
                    continue;
                }
                open[node] -= 1;
                if is_attackers_turn || open[node] == 0 {
                    wins[node] = true;
                    new.push(node);
                }
            }
        }
        wins
    }
}

fn is_attacker(cell: u8) -> bool {
    cell == ATTACKER
}

/// Whether no stone of the target is left.
fn is_captured(board: Code) -> bool {
    let ones = Code::MAX / 3;
    board & board >> 1 & ones == 0
}

/// Whether two boards have stones of the same colours, target or not.
fn same_stones(one: Code, other: Code) -> bool {
    if one == NOTHING || other == NOTHING {
        return false;
    }
    let ones = Code::MAX / 3;
    let plain = |board: Code| board & !(board >> 1 & board & ones);
    plain(one) == plain(other)
}

/// A hash that is fast, and good enough for boards.
#[derive(Default)]
struct Mixer(u64);

type Mixing = BuildHasherDefault<Mixer>;

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(byte.into());
    }

    fn write_u64(&mut self, number: u64) {
        // An odd number without pattern: the golden ratio in 64 bits.
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
