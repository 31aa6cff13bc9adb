//! Who plays: ranks and servers, as a network that imitates people is told them.
//!
//! A rank is a *cumulative code*: one number per step of the scale, 1 for every step that the player has climbed. So what a network learns
//! about a step holds for all ranks above it, and the few games at the ends of the scale are read as small corrections to their neighbours.

use super::katago7;
use std::fmt;
use std::str::FromStr;
use tesuji_board::Color;

/// A player's rank, from 30k to 9d.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// How many ranks there are.
    pub const COUNT: usize = 39;
    /// 30k.
    pub const LOWEST: Rank = Rank(0);
    /// 9d.
    pub const HIGHEST: Rank = Rank(Rank::COUNT as u8 - 1);
    /// Steps from 30k to 1d, the first rank that is counted upwards.
    const FIRST_DAN: u8 = 30;

    /// All ranks, the lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..Rank::COUNT as u8).map(Rank)
    }

    /// The rank so many steps above 30k, if there is one.
    pub const fn from_steps(steps: usize) -> Option<Rank> {
        if steps < Rank::COUNT { Some(Rank(steps as u8)) } else { None }
    }

    /// Steps above 30k.
    pub fn steps(self) -> usize {
        self.0.into()
    }

    /// The rank so many steps above this one, or below it; the ends of the scale where there is none.
    pub fn moved(self, steps: i32) -> Rank {
        Rank((i32::from(self.0) + steps).clamp(0, Rank::COUNT as i32 - 1) as u8)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.checked_sub(Rank::FIRST_DAN) {
            Some(above) => write!(f, "{}d", above + 1),
            None => write!(f, "{}k", Rank::FIRST_DAN - self.0),
        }
    }
}

/// A text is no rank from 30k to 9d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRank;

impl fmt::Display for NoRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a rank is 30k to 1k or 1d to 9d")
    }
}

impl std::error::Error for NoRank {}

/// `12k`, `3d`; also as records write them, `12 kyu`, `3 dan`, `3D`, with a `?` of doubt.
impl FromStr for Rank {
    type Err = NoRank;

    fn from_str(text: &str) -> Result<Rank, NoRank> {
        let text = text.trim().trim_end_matches(['?', '*', '+']).to_ascii_lowercase();
        let digits = text.find(|c: char| !c.is_ascii_digit()).ok_or(NoRank)?;
        let number: u8 = text[..digits].parse().map_err(|_| NoRank)?;
        match (text[digits..].trim(), number) {
            ("k" | "kyu", 1..=30) => Ok(Rank(Rank::FIRST_DAN - number)),
            ("d" | "dan", 1..=9) => Ok(Rank(Rank::FIRST_DAN + number - 1)),
            _ => Err(NoRank),
        }
    }
}

/// Where people play; each server has its own scale of ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Server {
    /// The Online Go Server, with the ranks it had before 2021.
    #[default]
    Ogs,
    /// The KGS Go Server.
    Kgs,
    /// Fox Weiqi.
    Fox,
}

impl Server {
    /// All servers.
    pub const ALL: [Server; 3] = [Server::Ogs, Server::Kgs, Server::Fox];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Server::Ogs => "ogs",
            Server::Kgs => "kgs",
            Server::Fox => "fox",
        }
    }

    /// The server of a name.
    pub fn named(name: &str) -> Option<Server> {
        Server::ALL.into_iter().find(|server| server.name().eq_ignore_ascii_case(name))
    }
}

/// The two who play, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct People {
    /// Rank of who has the black stones; nothing for programs and strangers.
    pub black: Option<Rank>,
    /// Rank of who has the white stones.
    pub white: Option<Rank>,
    /// Where they play.
    pub server: Server,
}

impl People {
    /// Two players of one rank.
    pub fn both(rank: Rank) -> People {
        People { black: Some(rank), white: Some(rank), server: Server::default() }
    }

    /// One player of a rank, and a stranger.
    pub fn one(color: Color, rank: Rank) -> People {
        let of = |own: Color| (color == own).then_some(rank);
        People { black: of(Color::Black), white: of(Color::White), server: Server::default() }
    }

    /// The rank of a player.
    pub fn rank(&self, color: Color) -> Option<Rank> {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    /// The same game, in which the rank of a player is not known.
    pub fn without(self, color: Color) -> People {
        match color {
            Color::Black => People { black: None, ..self },
            Color::White => People { white: None, ..self },
        }
    }
}

/// Numbers of one player: whether the rank is known, and one for each step.
const CODE: usize = Rank::COUNT;

/// Global numbers of the set of planes for people: version 7's, the two ranks, the server.
pub const GLOBALS: usize = katago7::GLOBALS + 2 * CODE + Server::ALL.len();

/// Writes the numbers that follow those of version 7.
pub(super) fn add_people(people: &People, to_move: Color, globals: &mut [f32]) {
    let (ranks, servers) = globals[katago7::GLOBALS..GLOBALS].split_at_mut(2 * CODE);
    for (code, color) in ranks.chunks_exact_mut(CODE).zip([to_move, !to_move]) {
        if let Some(rank) = people.rank(color) {
            code[..=rank.steps()].fill(1.0);
        }
    }
    for (number, server) in servers.iter_mut().zip(Server::ALL) {
        *number = f32::from(u8::from(server == people.server));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_read_as_they_are_printed_and_as_records_write_them() {
        for (steps, rank) in Rank::all().enumerate() {
            assert_eq!((rank.to_string().parse(), rank.steps()), (Ok(rank), steps));
        }
        let all: Vec<String> = Rank::all().map(|rank| rank.to_string()).collect();
        assert_eq!(
            (all[0].as_str(), all[29].as_str(), all[30].as_str(), all[38].as_str()),
            ("30k", "1k", "1d", "9d")
        );
        for (text, steps) in [("12 kyu", 18), ("3D", 32), ("7k?", 23), (" 1 dan ", 30)] {
            assert_eq!(text.parse::<Rank>().map(Rank::steps), Ok(steps), "{text}");
        }
        for text in ["", "k", "31k", "0k", "10d", "3p", "bot", "?", "12", "999k", "-1k", "é"] {
            assert_eq!(text.parse::<Rank>(), Err(NoRank), "{text}");
        }
        assert_eq!(
            (Rank::LOWEST.moved(-3), Rank::LOWEST.moved(31), Rank::HIGHEST.moved(4)),
            (Rank::LOWEST, Rank(31), Rank::HIGHEST)
        );
    }

    #[test]
    fn codes_are_cumulative_and_for_the_side_to_move() {
        let people = People { black: Rank::from_steps(2), white: None, server: Server::Kgs };
        for to_move in Color::BOTH {
            let mut globals = [0.0; GLOBALS];
            add_people(&people, to_move, &mut globals);
            let ones: Vec<usize> = (0..GLOBALS).filter(|&i| globals[i] == 1.0).collect();
            // 30k, 29k and 28k are climbed; the own code begins at 19, the opponent's at 58, the servers at 97.
            let first = if to_move == Color::Black { 19 } else { 58 };
            assert_eq!(ones, [first, first + 1, first + 2, 98]);
        }
    }
}
