//! How strong a player is to be, as people say it: a rank, a step above the ranks, or all it can.
//!
//! A rank plays as people of that rank do: its moves are drawn from a network that has learned what they play ([`Imitator`]). The search
//! decides what a person always gets right: when the game is over, which stones are dead, when to resign. People read, which the network does not, the
//! more the stronger they are, so the values of the search join in: a move's probability is times `exp(lead / σ)`, and σ falls with the rank. Above the ranks of the
//! games the policy is the highest rank's, and each step has a smaller σ and reads more. What the
//! games are and what these names are worth is in `docs/levels.md`.

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

/// The lowest rank that reads, 15k, its σ, and that of the highest one.
const READS_FROM: Rank = rank(15);
const SIGMA: (f32, f32) = (40.0, 1.5);

/// σ of the steps above the ranks, and the simulations whose values weigh their moves.
const STEPS: [(f32, u64); 3] = [(0.8, 250), (0.4, 500), (0.2, 1000)];

/// Simulations that see when a game is over and whether it is lost, and whose values weigh the moves of a rank that reads.
const SIMULATIONS_OF_RANK: u64 = 100;

/// Below this rank, 19k, and above the other, 5d, there are fewer than 500 games of each rank.
const FEW_BELOW: Rank = rank(11);
const FEW_ABOVE: Rank = rank(34);

/// The ranks, 25k to 16k, whose moves are drawn at temperature 1, and the temperatures of the lowest and of the highest rank.
const DRAWS_AS_PEOPLE: (Rank, Rank) = (rank(5), rank(14));
const TEMPERATURE: (f32, f32) = (1.8, 0.4);

/// σ and simulations of a step, from 1.
fn step_above(step: u8) -> Option<(f32, u64)> {
    STEPS.get(usize::from(step).checked_sub(1)?).copied()
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
                format!("about {rank} (OGS, 2014–20, few games)")
            }
            Level::Rank(rank) => format!("about {rank} (OGS, 2014–20)"),
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

    /// σ: a move that leads by so many points more is e times as likely. Nothing where values do not count. It is points and not the win rate, because people lose no points for nothing in decided
    /// games either, and because a player who does loses to one who does not.
    pub(crate) fn softness(self) -> Option<f32> {
        match self {
            Level::Rank(rank) => {
                let above = rank.steps().checked_sub(READS_FROM.steps())? as f32;
                let span = (Rank::HIGHEST.steps() - READS_FROM.steps()) as f32;
                // Falls by the same factor from rank to rank.
                Some(SIGMA.0 * (SIGMA.1 / SIGMA.0).powf(above / span))
            }
            Level::Above(step) => step_above(step).map(|(softness, _)| softness),
            Level::Full => None,
        }
    }

    /// How evenly moves are drawn: 1 as the network expects them of people, less for what they play most often. People who read avoid mistakes that a network which draws its moves makes, and
    /// the more the stronger they are; beginners make more than it expects. [`TEMPERATURE`] is such that both lose about as many points per move.
    pub(crate) fn temperature(self) -> f32 {
        let Some(rank) = self.rank() else { return 1.0 };
        let (from, to) = DRAWS_AS_PEOPLE;
        let share = |part: usize, whole: usize| part as f32 / whole as f32;
        if rank < from {
            1.0 + (TEMPERATURE.0 - 1.0) * share(from.steps() - rank.steps(), from.steps())
        } else if rank > to {
            let span = Rank::HIGHEST.steps() - to.steps();
            1.0 - (1.0 - TEMPERATURE.1) * share(rank.steps() - to.steps(), span)
        } else {
            1.0
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
/// usual komi. A rule of thumb: on 19×19 a stone a rank, on smaller boards as many ranks a stone as they are smaller.
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
    fn names_are_honest() {
        let described = |name: &str| name.parse::<Level>().unwrap().description();
        assert_eq!(described("12k"), "about 12k (OGS, 2014–20)");
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
