//! What the games of a match add up to, engine by engine and pair by pair.

use std::collections::BTreeMap;

use tesuji_board::Color;

use crate::record::{CountMethod, Effort, Ending, GameLine};
use crate::sprt::{Decision, Pairs, Sprt, SprtState};
use crate::statistics::Tally;

/// The games of a match, added up.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Every two engines, in order of their indices.
    pub pairings: Vec<Pairing>,
    /// Every engine.
    pub engines: Vec<EngineTotal>,
    /// How often each method found the score.
    pub counted: BTreeMap<CountMethod, u64>,
    /// Games that ended after the sequential test had decided; they are counted nowhere else.
    pub late_games: usize,
    sprt: Option<(Sprt, SprtState)>,
}

/// Two engines against each other, from the side of the first.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The names.
    pub names: [String; 2],
    /// Games in which the first has Black, and those in which it has White.
    pub by_color: [Tally; 2],
    /// The games that make whole pairs over one opening.
    pub pairs: Pairs,
}

/// One engine against all others.
#[derive(Clone, Debug, Default)]
pub struct EngineTotal {
    /// Its name.
    pub name: String,
    /// All its games.
    pub tally: Tally,
    /// What it spent.
    pub effort: Effort,
    /// Its wins by what ended them.
    pub won_by: BTreeMap<Ending, u64>,
    /// Its losses by what ended them.
    pub lost_by: BTreeMap<Ending, u64>,
}

impl Summary {
    /// Adds up games in any order; with a sequential test, pairs are read in the order of their numbers up to the
    /// one that decides.
    pub fn new(names: Vec<String>, games: &[GameLine], sprt: Option<Sprt>) -> Summary {
        let mut games: Vec<&GameLine> = games.iter().collect();
        games.sort_by_key(|game| game.game);
        let all = games.len();
        let sprt = sprt.map(|sprt| {
            let (last, state) = run_test(&sprt, &names, &games);
            games.retain(|game| game.round <= last);
            (sprt, state)
        });
        let late_games = all - games.len();
        let mut pairings = Vec::new();
        for (index, first) in names.iter().enumerate() {
            for second in &names[index + 1..] {
                pairings.push(Pairing::new([first, second], &games));
            }
        }
        let mut counted = BTreeMap::new();
        for method in games.iter().filter_map(|game| game.counted_by) {
            *counted.entry(method).or_default() += 1;
        }
        let engines = names.into_iter().map(|name| EngineTotal::new(name, &games)).collect();
        Summary { pairings, engines, counted, late_games, sprt }
    }

    /// The sequential test, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt.map(|(sprt, _)| sprt)
    }

    /// Where the sequential test stands, if there is one.
    pub fn sprt_state(&self) -> Option<SprtState> {
        self.sprt.map(|(_, state)| state)
    }
}

impl Pairing {
    /// All games.
    pub fn total(&self) -> Tally {
        self.by_color[0].plus(self.by_color[1])
    }

    fn new(names: [&String; 2], games: &[&GameLine]) -> Pairing {
        let mut by_color = [Tally::default(); 2];
        for game in games {
            if let Some(color) = color_against(game, names) {
                add_result(&mut by_color[color.index()], game.half_points(color));
            }
        }
        let mut pairs = Pairs::default();
        whole_pairs(names, games).into_iter().for_each(|(_, half_points)| pairs.add(half_points));
        Pairing { names: names.map(String::clone), by_color, pairs }
    }
}

impl EngineTotal {
    fn new(name: String, games: &[&GameLine]) -> EngineTotal {
        let mut total = EngineTotal { name, ..EngineTotal::default() };
        for game in games {
            for color in Color::BOTH.into_iter().filter(|&color| game.player(color) == total.name) {
                let half_points = game.half_points(color);
                add_result(&mut total.tally, half_points);
                total.effort = total.effort.plus(game.effort[color.index()]);
                match half_points {
                    2 => *total.won_by.entry(game.ending).or_default() += 1,
                    0 => *total.lost_by.entry(game.ending).or_default() += 1,
                    _ => {}
                }
            }
        }
        total
    }
}

/// Runs the test over whole pairs in order; returns the round that decided, or the last one, and the state there.
fn run_test(sprt: &Sprt, names: &[String], games: &[&GameLine]) -> (u64, SprtState) {
    let mut pairs = Pairs::default();
    let mut state = sprt.state(&pairs);
    let [first, second] = names else { return (u64::MAX, state) };
    for (expected, (round, half_points)) in (1..).zip(whole_pairs([first, second], games)) {
        // A gap is a game still under way: what comes after it must wait, lest quick games count first.
        if round != expected {
            break;
        }
        pairs.add(half_points);
        state = sprt.state(&pairs);
        if state.decision != Decision::Open {
            return (round, state);
        }
    }
    (u64::MAX, state)
}

/// Rounds of which both games are finished, with the half points of the first engine, in order.
fn whole_pairs(names: [&String; 2], games: &[&GameLine]) -> Vec<(u64, usize)> {
    let mut halves: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for game in games {
        if let Some(color) = color_against(game, names) {
            halves.entry(game.round).or_default().push(game.half_points(color));
        }
    }
    let whole = halves.into_iter().filter(|(_, points)| points.len() == 2);
    whole.map(|(round, points)| (round, points.iter().sum())).collect()
}

/// The colour of the first engine in a game between the two.
fn color_against(game: &GameLine, [first, second]: [&String; 2]) -> Option<Color> {
    if game.black == *first && game.white == *second {
        Some(Color::Black)
    } else if game.white == *first && game.black == *second {
        Some(Color::White)
    } else {
        None
    }
}

fn add_result(tally: &mut Tally, half_points: usize) {
    match half_points {
        2 => tally.wins += 1,
        1 => tally.draws += 1,
        _ => tally.losses += 1,
    }
}
