//! How strong a player is to be, as people say it: a rank, a step above the ranks, or all it can.
//!
//! A rank plays as people of that rank do: its moves are drawn from a network that has learned what they play ([`Imitator`]). The search
//! decides what a person always gets right: when the game is over, which stones are dead, when to resign. People read, which the network does not, the
//! more the stronger they are, so the values of the search join in: a move's probability is times `exp(lead / σ)`, and 1 / σ grows with the rank. Above the ranks of the
//! games the policy is the highest rank's, and each step has a smaller σ and reads more. Where there were no games to learn from, on large boards, values make the
//! levels, and the ranks are but names. What the games are and what these names are worth is in `docs/levels.md`.

mod draw;
mod estimate;
mod imitator;

pub(crate) use draw::draw;
pub use estimate::{Estimate, Evidence};
pub use imitator::Imitator;

use std::fmt;
use std::str::FromStr;

use tesuji_board::Size;
use tesuji_net::input::Rank;

/// How strong a player is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// As people of a rank play.
    Rank(Rank),
    /// So many steps above the ranks of the games, from 1.
    Above(u8),
    /// As strong as it can.
    #[default]
    Full,
}

/// How a level draws its moves from what people of its rank play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Manner {
    /// How evenly moves are drawn: 1 as the network expects them of people, less for what they play most often, more for all the rest.
    pub(crate) temperature: f32,
    /// What a point counts, 1 / σ: a move that leads by σ points more is e times as likely. It is points and not the win rate, because people lose no points for nothing
    /// in decided games either, and because a player who does loses to one who does not.
    pub(crate) point_weight: f32,
}

/// The manners of some ranks, the weakest first; the ranks in between have something in between.
type Anchors = [(Rank, Manner)];

/// Boards up to 11×11: what explains people's moves best, and such that both lose about as many points per move (`docs/experiments/levels.md`).
const SMALL_BOARD: [(Rank, Manner); 9] = [
    (rank(0), manner(1.8, 0.0)),
    (rank(5), manner(1.0, 0.0)),
    (rank(10), manner(1.0, 0.0)),
    (rank(15), manner(1.0, 0.03)),
    (rank(25), manner(1.0, 0.038)),
    (rank(29), manner(1.0, 0.05)),
    (rank(30), manner(1.0, 0.07)),
    (rank(34), manner(1.0, 0.18)),
    (rank(38), manner(1.0, 0.4)),
];

/// Larger boards, where there are hardly any games to learn ranks from: what makes every level stronger than the one below, whatever people of the rank lose there.
const LARGE_BOARD: [(Rank, Manner); 9] = [
    (rank(0), manner(1.8, 0.0)),
    (rank(5), manner(1.0, 0.0)),
    (rank(14), manner(1.0, 0.0)),
    (rank(15), manner(0.975, 0.025)),
    (rank(18), manner(0.9, 0.038)),
    (rank(25), manner(0.725, 0.1)),
    (rank(30), manner(0.6, 0.21)),
    (rank(34), manner(0.5, 0.38)),
    (rank(38), manner(0.4, 0.67)),
];

/// The largest area of a board that is small: 11×11.
const SMALL_AREA: usize = 121;

/// σ of the steps above the ranks, and the simulations whose values weigh their moves.
const STEPS: [(f32, u64); 3] = [(0.8, 250), (0.4, 500), (0.2, 1000)];

/// Simulations that see when a game is over and whether it is lost, and whose values weigh the moves of a rank that reads.
const SIMULATIONS_OF_RANK: u64 = 100;

/// Below this rank, 19k, and above the other, 5d, there are fewer than 500 games of each rank.
const FEW_BELOW: Rank = rank(11);
const FEW_ABOVE: Rank = rank(34);

/// σ and simulations of a step, from 1.
fn step_above(step: u8) -> Option<(f32, u64)> {
    STEPS.get(usize::from(step).checked_sub(1)?).copied()
}

const fn manner(temperature: f32, point_weight: f32) -> Manner {
    Manner { temperature, point_weight }
}

fn anchors(size: Size) -> &'static Anchors {
    if size.area() <= SMALL_AREA { &SMALL_BOARD } else { &LARGE_BOARD }
}

/// The manner of a rank by those of the nearest anchors.
fn manner_between(anchors: &Anchors, rank: Rank) -> Manner {
    let above = anchors.iter().position(|(anchor, _)| *anchor >= rank).unwrap_or(anchors.len() - 1);
    let ((low, from), (high, to)) = (anchors[above.saturating_sub(1)], anchors[above]);
    let part =
        (rank.steps() as f32 - low.steps() as f32) / (high.steps().saturating_sub(low.steps()).max(1)) as f32;
    let between = |from: f32, to: f32| from + (to - from) * part.clamp(0.0, 1.0);
    manner(between(from.temperature, to.temperature), between(from.point_weight, to.point_weight))
}

const fn rank(steps: usize) -> Rank {
    match Rank::from_steps(steps) {
        Some(rank) => rank,
        None => Rank::LOWEST,
    }
}

impl Level {
    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        let above = (1..=STEPS.len() as u8).map(Level::Above);
        Rank::all().map(Level::Rank).chain(above).chain([Level::Full])
    }

    /// What it is like, for people who choose.
    pub fn description(self) -> String {
        match self {
            Level::Rank(Rank::LOWEST) => "beginner".to_owned(),
            Level::Rank(rank) if rank < FEW_BELOW || rank > FEW_ABOVE => {
                format!("about {rank} on 9×9 (OGS, 2014–20, few games)")
            }
            Level::Rank(rank) => format!("about {rank} on 9×9 (OGS, 2014–20)"),
            Level::Above(step) => format!("above the ranks, step {step} of {}", STEPS.len()),
            Level::Full => "full strength".to_owned(),
        }
    }

    /// The rank whose moves it draws from; nothing at full strength.
    pub fn rank(self) -> Option<Rank> {
        match self {
            Level::Rank(rank) => Some(rank),
            Level::Above(_) => Some(Rank::HIGHEST),
            Level::Full => None,
        }
    }

    /// How it draws its moves on boards of a size; nothing at full strength.
    pub(crate) fn manner(self, size: Size) -> Option<Manner> {
        let of_rank = manner_between(anchors(size), self.rank()?);
        match self {
            Level::Above(step) => step_above(step).map(|(sigma, _)| manner(of_rank.temperature, 1.0 / sigma)),
            Level::Rank(_) | Level::Full => Some(of_rank),
        }
    }

    /// Points that a player of the level may be behind without seeing that the game is lost: a person resigns later than a search would. A rule of
    /// thumb: three quarters of a point for every rank below the highest.
    pub(crate) fn unseen_deficit(self) -> Option<f32> {
        match self {
            Level::Rank(rank) => Some(0.75 * (Rank::HIGHEST.steps() - rank.steps()) as f32),
            Level::Above(_) | Level::Full => None,
        }
    }

    /// Most simulations for a move; nothing at full strength.
    pub(crate) fn simulations(self) -> Option<u64> {
        match self {
            Level::Rank(_) => Some(SIMULATIONS_OF_RANK),
            Level::Above(step) => step_above(step).map(|(_, simulations)| simulations),
            Level::Full => None,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Rank(rank) => rank.fmt(f),
            Level::Above(step) => write!(f, "s{step}"),
            Level::Full => f.write_str("full"),
        }
    }
}

/// A text is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLevel;

impl fmt::Display for NoLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a level is {LEVELS}")
    }
}

impl std::error::Error for NoLevel {}

/// The levels there are, for people.
pub(crate) const LEVELS: &str = "a rank from 30k to 9d, s1 to s3 above that, or full";

/// Also KataGo's names of its human profiles, `rank_12k` and `preaz_12k`; `beginner` is the lowest rank.
impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Level, NoLevel> {
        let text = text.trim().to_ascii_lowercase();
        let name = text.strip_prefix("rank_").or_else(|| text.strip_prefix("preaz_")).unwrap_or(&text);
        if name == "beginner" {
            return Ok(Level::Rank(Rank::LOWEST));
        }
        let named = Level::all().find(|level| level.to_string() == name);
        named.or_else(|| name.parse().ok().map(Level::Rank)).ok_or(NoLevel)
    }
}

/// The handicap that makes a game even between players of two ranks: stones for the weaker one, who then has Black, and komi, or nothing for the
/// usual komi. A rule of thumb: on 19×19 a stone a rank, on smaller boards as many ranks a stone as they are smaller. On 9×9 people's games want more stones than that, and games between
/// levels fewer (`docs/experiments/levels.md`).
pub fn even_handicap(size: Size, stronger: Rank, weaker: Rank) -> (usize, Option<f32>) {
    let ranks = stronger.steps().saturating_sub(weaker.steps()) as f32;
    let stones = ranks * size.area() as f32 / 361.0;
    match stones.round() as usize {
        0 => (0, None),
        // Black moves first, and White has no compensation for it.
        1 => (0, Some(0.5)),
        stones => (stones.min(tesuji_board::max_free_handicap(size)).min(9), Some(0.5)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_are_printed_and_as_katago_names_them() {
        let all: Vec<Level> = Level::all().collect();
        assert!(all.is_sorted() && all.len() == 43);
        for level in &all {
            assert_eq!(level.to_string().parse(), Ok(*level));
        }
        for (text, name) in
            [("Rank_12k", "12k"), ("preaz_3d", "3d"), ("beginner", "30k"), ("FULL", "full"), ("1 dan", "1d")]
        {
            assert_eq!(text.parse::<Level>().map(|level| level.to_string()), Ok(name.to_owned()));
        }
        for text in ["", "5", "10", "31k", "s0", "s4", "strong", "rank_", "proyear_2023"] {
            assert_eq!(text.parse::<Level>(), Err(NoLevel), "{text}");
        }
    }

    #[test]
    fn stronger_levels_draw_more_sharply_and_look_at_values_more() {
        for side in [9, 13, 19] {
            let size = Size::square(side).unwrap();
            assert!(anchors(size).is_sorted_by_key(|(rank, _)| *rank));
            let manners: Vec<Manner> = Level::all().filter_map(|level| level.manner(size)).collect();
            assert_eq!(manners.len(), 42);
            assert!(manners.is_sorted_by(|weak, strong| weak.temperature >= strong.temperature));
            assert!(manners.is_sorted_by(|weak, strong| weak.point_weight <= strong.point_weight));
        }
    }

    #[test]
    fn ranks_between_two_anchors_draw_between_them() {
        let anchors = [(rank(10), manner(1.0, 0.0)), (rank(14), manner(0.6, 0.2))];
        let of = |steps| manner_between(&anchors, rank(steps));
        assert_eq!((of(0), of(10), of(14), of(38)), (anchors[0].1, anchors[0].1, anchors[1].1, anchors[1].1));
        let between = of(11);
        assert!((between.temperature - 0.9).abs() < 1e-6 && (between.point_weight - 0.05).abs() < 1e-6);
    }

    #[test]
    fn names_are_honest() {
        let described = |name: &str| name.parse::<Level>().unwrap().description();
        assert_eq!(described("12k"), "about 12k on 9×9 (OGS, 2014–20)");
        assert_eq!(described("30k"), "beginner");
        assert!(described("25k").contains("few games") && described("8d").contains("few games"));
    }

    #[test]
    fn handicaps_grow_with_the_difference_and_the_board() {
        let even = |side: usize, strong: &str, weak: &str| {
            even_handicap(Size::square(side).unwrap(), strong.parse().unwrap(), weak.parse().unwrap())
        };
        assert_eq!(even(19, "5k", "5k"), (0, None));
        assert_eq!(even(19, "5k", "6k"), (0, Some(0.5)));
        assert_eq!(even(19, "5k", "9k"), (4, Some(0.5)));
        assert_eq!(even(19, "9d", "20k"), (9, Some(0.5)));
        assert_eq!((even(9, "5k", "7k"), even(9, "5k", "10k")), ((0, None), (0, Some(0.5))));
        assert_eq!(even(9, "1d", "15k"), (3, Some(0.5)));
        // Who is weaker gets nothing from being called stronger.
        assert_eq!(even(9, "15k", "1d"), (0, None));
    }
}
