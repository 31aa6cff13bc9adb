//! The rules of Go on a part of a board, by bit sets: one bit for each point of the region.

use super::store::{NONE, Numbers};
use crate::reference::{ATTACKER, DEFENDER, EMPTY, Question, TARGET};

/// A set of points of the region.
pub(super) type Set = u64;

/// Most points of a region.
pub(super) const MAX_INSIDE: usize = Set::BITS as usize;

/// No point.
pub(super) const NOWHERE: u8 = MAX_INSIDE as u8;

pub(super) const ATTACKERS: usize = 0;
pub(super) const DEFENDERS: usize = 1;

/// Tokens of both sides in one number: none; so many of the defender; or `FIRST_OF_ATTACKER` and more, so many of the attacker.
pub(super) type Tokens = u8;

pub(super) const NO_TOKENS: Tokens = 0;
pub(super) const FIRST_OF_ATTACKER: Tokens = 101;
/// Any number of the attacker: a win takes finitely many.
pub(super) const ANY_OF_ATTACKER: Tokens = 200;

/// Everything that the outcome depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub(super) stones: [Set; 2],
    /// Stones of the target that were never captured.
    pub(super) targets: Set,
    /// The side to move.
    pub(super) turn: u8,
    /// Where a stone would bring back the board of two moves ago.
    pub(super) banned: u8,
    pub(super) tokens: Tokens,
}

/// A way on from a position.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) action: Action,
    pub(super) after: Position,
    pub(super) captured: u8,
    /// The node of the position after it, if it is known.
    pub(super) node: u32,
    /// The effort that it may take.
    pub(super) numbers: Numbers,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Play(u8),
    Pass,
    /// A token is put down and answered, and it is the same side's turn.
    Token,
}

impl Action {
    /// A number below `MAX_INSIDE + 2`.
    pub(super) fn index(self) -> usize {
        match self {
            Action::Play(at) => usize::from(at),
            Action::Pass => MAX_INSIDE,
            Action::Token => MAX_INSIDE + 1,
        }
    }
}

impl Position {
    pub(super) fn is_attackers_turn(&self) -> bool {
        usize::from(self.turn) == ATTACKERS
    }

    /// Whether the attacker has won.
    pub(super) fn is_captured(&self) -> bool {
        self.targets == 0
    }

    /// The position after a token and its answer; nothing if there is no token, or no ban that it would lift.
    pub(super) fn after_token(&self) -> Option<Position> {
        let tokens = match self.tokens {
            _ if self.banned == NOWHERE => return None,
            ANY_OF_ATTACKER if self.is_attackers_turn() => ANY_OF_ATTACKER,
            FIRST_OF_ATTACKER if self.is_attackers_turn() => NO_TOKENS,
            tokens if tokens > FIRST_OF_ATTACKER && self.is_attackers_turn() => tokens - 1,
            1..FIRST_OF_ATTACKER if !self.is_attackers_turn() => self.tokens - 1,
            _ => return None,
        };
        Some(Position { tokens, ..self.without_ban() })
    }

    pub(super) fn without_ban(&self) -> Position {
        Position { banned: NOWHERE, ..*self }
    }

    fn after_pass(&self) -> Position {
        Position { turn: 1 - self.turn, ..self.without_ban() }
    }
}

impl Choice {
    fn new(action: Action, after: Position, captured: u32) -> Choice {
        Choice { action, after, captured: captured.min(9) as u8, node: NONE, numbers: Numbers::NEW }
    }
}

/// What is the same on all boards.
pub(super) struct Ground {
    /// By point of the region: its place on the board.
    pub(super) inside: Vec<usize>,
    beside: Vec<Set>,
    pub(super) all: Set,
    /// Points beside something outside that is not the defender's.
    pub(super) open: Set,
    /// By side: where a stone is joined to a stone or a liberty outside that nothing can take.
    pub(super) safe: [Set; 2],
}

impl Ground {
    /// The ground of a question and its first position; nothing if the region is too large.
    pub(super) fn new(question: &Question) -> Option<(Ground, Position)> {
        let inside: Vec<usize> = (0..question.cells.len()).filter(|&at| question.is_inside[at]).collect();
        if inside.len() > MAX_INSIDE {
            return None;
        }
        let width = question.width;
        let are_beside = |one: usize, other: usize| {
            usize::abs_diff(one % width, other % width) + usize::abs_diff(one / width, other / width) == 1
        };
        let set_of = |is_in: &dyn Fn(usize) -> bool| {
            let places = inside.iter().enumerate().filter(|&(_, &at)| is_in(at));
            places.fold(0, |set: Set, (place, _)| set | 1 << place)
        };
        let is_safe = |at: usize, own: &dyn Fn(u8) -> bool, has_outside: bool| {
            let outside = (0..question.cells.len()).filter(|&side| !question.is_inside[side]);
            outside
                .filter(|&side| are_beside(at, side))
                .map(|side| question.cells[side])
                .any(|cell| if cell == EMPTY { has_outside } else { own(cell) })
        };
        let is_attacker = |cell: u8| cell == ATTACKER;
        let is_defender = |cell: u8| cell == DEFENDER || cell == TARGET;
        let [attackers_outside, defenders_outside] = question.has_outside;
        let safe = [
            set_of(&|at| is_safe(at, &is_attacker, attackers_outside)),
            set_of(&|at| is_safe(at, &is_defender, defenders_outside)),
        ];
        let beside = inside.iter().map(|&one| set_of(&|other| are_beside(one, other))).collect();
        let open = set_of(&|at| {
            let outside = (0..question.cells.len()).filter(|&side| !question.is_inside[side]);
            outside.filter(|&side| are_beside(at, side)).any(|side| !is_defender(question.cells[side]))
        });
        let ground = Ground { open, beside, all: set_of(&|_| true), safe, inside: inside.clone() };
        let stones_of =
            |cells: &[u8]| [set_of(&|at| is_attacker(cells[at])), set_of(&|at| is_defender(cells[at]))];
        let mut start = Position {
            stones: stones_of(&question.cells),
            targets: set_of(&|at| question.cells[at] == TARGET),
            turn: u8::from(!question.is_attackers_turn),
            banned: NOWHERE,
            tokens: NO_TOKENS,
        };
        if let Some(forbidden) = &question.forbidden {
            let forbidden = stones_of(forbidden);
            let back = |&at: &u8| ground.play(&start, at).is_some_and(|(after, _)| after.stones == forbidden);
            start.banned = (0..ground.inside.len() as u8).find(back).unwrap_or(NOWHERE);
        }
        Some((ground, start))
    }

    /// All ways on but those that cannot be better than another: see the top of `wide`.
    pub(super) fn choices(&self, position: &Position, choices: &mut Vec<Choice>) {
        let mut empty = self.all & !(position.stones[ATTACKERS] | position.stones[DEFENDERS]);
        while empty != 0 {
            let at = empty.trailing_zeros() as u8;
            empty &= empty - 1;
            if at == position.banned {
                continue;
            }
            if let Some((after, captured)) = self.play(position, at) {
                choices.push(Choice::new(Action::Play(at), after, captured));
            }
        }
        if !position.is_attackers_turn() || position.banned != NOWHERE {
            choices.push(Choice::new(Action::Pass, position.after_pass(), 0));
        }
        if let Some(after) = position.after_token() {
            choices.push(Choice::new(Action::Token, after, 0));
        }
    }

    /// The position after a stone on an empty point, and how many stones it captures; nothing if that is suicide.
    fn play(&self, position: &Position, at: u8) -> Option<(Position, u32)> {
        let mut after = self.place(position, at)?;
        let other = usize::from(after.turn);
        let captured = position.stones[other] & !after.stones[other];
        if captured.count_ones() == 1 {
            let back = captured.trailing_zeros() as u8;
            let reply = self.place(&after, back);
            if reply.is_some_and(|reply| reply.stones == position.stones) {
                after.banned = back;
            }
        }
        Some((after, captured.count_ones()))
    }

    /// The same without a look at bans.
    fn place(&self, position: &Position, at: u8) -> Option<Position> {
        let (own, other) = (usize::from(position.turn), usize::from(1 - position.turn));
        let mut stones = position.stones;
        if (stones[own] | stones[other]) >> at & 1 != 0 {
            return None;
        }
        stones[own] |= 1 << at;
        let mut sides = self.beside[usize::from(at)] & stones[other];
        while sides != 0 {
            let chain = self.chain(stones[other], sides.trailing_zeros());
            sides &= !chain;
            if !self.has_liberty(chain, other, &stones) {
                stones[other] &= !chain;
            }
        }
        let chain = self.chain(stones[own], u32::from(at));
        let targets = position.targets & stones[DEFENDERS];
        let turn = other as u8;
        self.has_liberty(chain, own, &stones).then_some(Position {
            stones,
            targets,
            turn,
            banned: NOWHERE,
            ..*position
        })
    }

    /// The points beside a set.
    pub(super) fn around(&self, set: Set) -> Set {
        let (mut around, mut left) = (0, set);
        while left != 0 {
            around |= self.beside[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        around & !set
    }

    /// The chain that holds a stone.
    pub(super) fn chain(&self, stones: Set, start: u32) -> Set {
        let (mut chain, mut new): (Set, Set) = (1 << start, 1 << start);
        while new != 0 {
            let at = new.trailing_zeros() as usize;
            new &= new - 1;
            let more = self.beside[at] & stones & !chain;
            chain |= more;
            new |= more;
        }
        chain
    }

    fn has_liberty(&self, chain: Set, side: usize, stones: &[Set; 2]) -> bool {
        if chain & self.safe[side] != 0 {
            return true;
        }
        let empty = self.all & !(stones[ATTACKERS] | stones[DEFENDERS]);
        let mut left = chain;
        while left != 0 {
            if self.beside[left.trailing_zeros() as usize] & empty != 0 {
                return true;
            }
            left &= left - 1;
        }
        false
    }
}
