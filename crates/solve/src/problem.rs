//! A life-and-death problem, and the rules of the game that decides it.
//!
//! # The problem game
//!
//! The *attacker* wants to capture the target, the *defender* to keep it. The two move in turn, the side to move
//! of the problem first.
//!
//! 1. A move is a stone on an empty point of the region, by the usual rules of capture; suicide is forbidden. Either
//!    side may pass instead, which stands for a move elsewhere.
//! 2. Outside the region nothing changes: stones there cannot be captured, nor can chains joined to them. An empty
//!    point beside the region is a liberty that is never filled, of both sides ([`Outside::Open`]) or of one
//!    colour alone ([`Outside::Owned`]).
//! 3. A stone that captures exactly one stone and then is a chain of one stone with that point as its only
//!    liberty makes a ko: the opponent is *banned* from that point in the next turn. Whatever they do then lifts the
//!    ban, a pass too.
//! 4. Each side has a number of *threats*: 0, 1, … A side that is banned may spend one: it threatens something elsewhere that the opponent
//!    cannot let happen, the opponent answers, and it is the same side's turn, without the ban. Here this is one step: the
//!    banned point is played, at the price of a threat.
//! 5. The attacker wins when no stone of the target is left: stones put back later do not count. In all
//!    other cases the target lives. Two passes in a row end the game, unless one of them lifted a ban; and it may never end. There is no superko:
//!    a target that is never captured lives, as in a double ko.
//!
//! *What a pass is for.* An attacker who passes with no ban to lift gives up: the defender passes too, which ends the game. An attacker who is
//! banned may pass to take the ko back later. If the defender cannot end the ko without losing an eye, the ban was worth nothing.
//! So a position with the attacker to move has a pass if it has a ban, and one with the defender to move always has; that two passes end the
//! game then needs no rule of its own, for the second one of the attacker is not there.
//!
//! *Any number of threats.* The target is **dead** if the attacker wins without threats, whatever the number of the defender's; it
//! **lives** if the attacker fails without threats of the defender, whatever the number of the attacker's own; all else is a **ko**. More threats
//! never hurt their owner: they need not be spent. [`Threats::Unlimited`] asks for all numbers at once. For an attacker it is as good
//! as no end of them: a win takes finitely many moves. For a defender it is not. A ko that comes round again and again, and costs the defender a threat
//! in each round, ends when they are spent, whatever their number was. So with any number of threats the attacker also wins a game in
//! which the defender spends them without end, and loses all others that never end.
//!
//! *Positions.* Whether a position is won depends on the position alone (stones, target stones left, side to move, ban, threats), never on how it came
//! about: with counted threats the attacker has to reach something on a finite graph. With any number of the defender's, let Wₙ be the positions
//! won against n threats. Wₙ₊₁ is made from Wₙ by the same steps as Wₙ from Wₙ₋₁, so these sets shrink until they stay the same for ever, and
//! the last of them is what the attacker wins by captures or by rounds with a price.

use std::fmt;
use tesuji_board::{Board, Chain, Color, Point, PointSet, Suicide, UnconditionalLife};

/// Most points that a region may have, stones included.
pub const MAX_REGION: usize = crate::arena::MAX_POINTS;

/// What the side to move wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Kill the target group.
    Kill,
    /// Make the target group live.
    Live,
    /// Capture the target chain; by the rules of the problem game the same as to kill.
    Capture,
    /// Keep the target chain from being captured; the same as to live.
    Save,
}

impl Goal {
    /// Reads the name of a goal, as problem files have it.
    pub fn parse(text: &str) -> Option<Goal> {
        match text {
            "kill" => Some(Goal::Kill),
            "live" => Some(Goal::Live),
            "capture" => Some(Goal::Capture),
            "save" => Some(Goal::Save),
            _ => None,
        }
    }

    /// Whether the side to move attacks the target.
    pub fn is_attack(self) -> bool {
        matches!(self, Goal::Kill | Goal::Capture)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Goal::Kill => "kill",
            Goal::Live => "live",
            Goal::Capture => "capture",
            Goal::Save => "save",
        })
    }
}

/// Whose liberties the empty points outside the region are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outside {
    /// Both sides': a chain that touches one cannot be captured, and a target that reaches one has escaped.
    Open,
    /// This colour's alone: usually the attacker's, and then there is no escape.
    Owned(Color),
}

impl Outside {
    /// Whether an empty point outside is a liberty of `color`.
    pub fn is_liberty_of(self, color: Color) -> bool {
        match self {
            Outside::Open => true,
            Outside::Owned(owner) => owner == color,
        }
    }
}

/// How often a side can retake a ko at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threats {
    /// This often.
    Number(u8),
    /// Any number of times, but in the end a finite one: see the top of the module.
    Unlimited,
}

impl Threats {
    /// No threat at all.
    pub const NONE: Threats = Threats::Number(0);

    pub(crate) fn has_one(self) -> bool {
        self != Threats::NONE
    }

    pub(crate) fn less_one(self) -> Threats {
        match self {
            Threats::Number(number) => Threats::Number(number.saturating_sub(1)),
            Threats::Unlimited => Threats::Unlimited,
        }
    }

    pub(crate) fn code(self) -> u16 {
        match self {
            Threats::Number(number) => u16::from(number),
            Threats::Unlimited => 256,
        }
    }
}

/// A problem that can be solved: its parts fit together.
#[derive(Clone)]
pub struct Problem {
    board: Board,
    region: PointSet,
    targets: Vec<Point>,
    to_move: Color,
    goal: Goal,
    outside: Outside,
}

/// Why something is not a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemError {
    /// No stone is named as the target.
    NoTarget,
    /// There is no stone where a target should be: it is captured already, or never was.
    TargetGone(Point),
    /// The target has stones of both colours.
    TwoColors,
    /// The target has the colour of the side that should attack it, or not that of the side that should save it.
    WrongColor(Goal, Color),
    /// There is no empty point in the region.
    RegionFull,
    /// The region has more points than [`MAX_REGION`].
    RegionTooLarge(usize),
    /// The target has a liberty outside the region, where no move is ever played.
    TargetOutOfReach(Point),
    /// A chain in the region has no liberty that counts: its only ones are the opponent's points outside.
    NoLiberties(Point),
    /// The target has two eyes already.
    AlreadyAlive,
}

impl fmt::Display for ProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemError::NoTarget => f.write_str("the problem has no target"),
            ProblemError::TargetGone(_) => f.write_str("there is no target stone: it is captured already"),
            ProblemError::TwoColors => f.write_str("the target has stones of both colours"),
            ProblemError::WrongColor(goal, color) => {
                write!(f, "{color} is to move and to {goal}, but the target has the wrong colour")
            }
            ProblemError::RegionFull => f.write_str("the region has no empty point"),
            ProblemError::RegionTooLarge(points) => {
                write!(f, "the region has {points} points; {MAX_REGION} is the limit")
            }
            ProblemError::TargetOutOfReach(_) => {
                f.write_str("the target has a liberty outside the region, so nothing can capture it")
            }
            ProblemError::NoLiberties(_) => {
                f.write_str("a chain in the region has no liberty but outside points that are not its own")
            }
            ProblemError::AlreadyAlive => f.write_str("the target is unconditionally alive already"),
        }
    }
}

impl std::error::Error for ProblemError {}

impl Problem {
    /// Puts a problem together and checks it. `targets` names a stone of each chain of the target. Chains all of whose
    /// liberties lie in the region can be captured, so their stones join the region.
    pub fn new(
        board: Board,
        region: PointSet,
        targets: &[Point],
        to_move: Color,
        goal: Goal,
        outside: Outside,
    ) -> Result<Problem, ProblemError> {
        let defender = if goal.is_attack() { !to_move } else { to_move };
        if targets.is_empty() {
            return Err(ProblemError::NoTarget);
        }
        if let Some(&gone) = targets.iter().find(|&&target| board.color(target).is_none()) {
            return Err(ProblemError::TargetGone(gone));
        }
        let wrong = targets.iter().filter(|&&target| board.color(target) != Some(defender)).count();
        if wrong == targets.len() {
            return Err(ProblemError::WrongColor(goal, to_move));
        } else if wrong > 0 {
            return Err(ProblemError::TwoColors);
        }
        let mut region = region;
        region.extend(targets.iter().flat_map(|&target| board.stones(board.chain_at(target))));
        close(&mut region, &board);
        if !region.iter().any(|point| board.is_empty(point)) {
            return Err(ProblemError::RegionFull);
        }
        if region.len() > MAX_REGION {
            return Err(ProblemError::RegionTooLarge(region.len()));
        }
        if let Some(stone) = stone_without_liberties(&board, &region, outside) {
            return Err(ProblemError::NoLiberties(stone));
        }
        let is_free = outside.is_liberty_of(defender);
        let escapes = |point: &Point| is_free && !region.contains(*point);
        let mut liberties = targets.iter().flat_map(|&target| board.liberties(board.chain_at(target)));
        if let Some(liberty) = liberties.find(escapes) {
            return Err(ProblemError::TargetOutOfReach(liberty));
        }
        let living = UnconditionalLife::of(&board, defender, Suicide::Forbidden).stones;
        if targets.iter().any(|&target| living.contains(target)) {
            return Err(ProblemError::AlreadyAlive);
        }
        Ok(Problem { board, region, targets: targets.to_vec(), to_move, goal, outside })
    }

    /// The whole board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Where moves may be played, and the stones that may be captured.
    pub fn region(&self) -> &PointSet {
        &self.region
    }

    /// A stone of each chain of the target.
    pub fn targets(&self) -> &[Point] {
        &self.targets
    }

    /// All stones of the target.
    pub fn target_stones(&self) -> PointSet {
        self.targets.iter().flat_map(|&target| self.board.stones(self.board.chain_at(target))).collect()
    }

    /// Who moves first.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// What the side to move wants.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Whose liberties are outside.
    pub fn outside(&self) -> Outside {
        self.outside
    }

    /// The colour of the target.
    pub fn defender(&self) -> Color {
        if self.goal.is_attack() { !self.to_move } else { self.to_move }
    }

    /// Number of empty points in the region.
    pub fn empty_points(&self) -> usize {
        self.region.iter().filter(|&point| self.board.is_empty(point)).count()
    }

    /// The same problem with the other side to move first, whose goal is then the opposite one.
    pub fn with_other_side_first(&self) -> Problem {
        let goal = match self.goal {
            Goal::Kill => Goal::Live,
            Goal::Live => Goal::Kill,
            Goal::Capture => Goal::Save,
            Goal::Save => Goal::Capture,
        };
        let mut board = self.board.clone();
        board.pass();
        Problem { board, goal, to_move: !self.to_move, ..self.clone() }
    }
}

/// Adds the stones of chains whose liberties all lie in the region, until there are no more such chains.
pub(crate) fn close(region: &mut PointSet, board: &Board) {
    let is_capturable =
        |chain: Chain, region: &PointSet| board.liberties(chain).all(|liberty| region.contains(liberty));
    // Stones add no liberties, so one round is enough.
    for (stone, _) in board.chain_representatives() {
        let chain = board.chain_at(stone);
        if is_capturable(chain, region) {
            region.extend(board.stones(chain));
        }
    }
}

/// A stone of a chain that can be captured and has no liberty by the rules of the problem game.
fn stone_without_liberties(board: &Board, region: &PointSet, outside: Outside) -> Option<Point> {
    let has_none = |&(stone, color): &(Point, Color)| {
        let chain = board.chain_at(stone);
        let counts = |liberty: Point| region.contains(liberty) || outside.is_liberty_of(color);
        board.stones(chain).all(|stone| region.contains(stone)) && !board.liberties(chain).any(counts)
    };
    board.chain_representatives().find(has_none).map(|(stone, _)| stone)
}
