//! What gammas are learned from.

use super::in_parallel;
use crate::sample::GameSample;
use std::collections::HashMap;
use tesuji_board::{Board, Md2, Move, Neighborhood, Point};
use tesuji_search::Rng;
use tesuji_search::playout::{FeatureReader, Features, GROUPS, Position, Values};

/// How positions are picked and shapes are chosen.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Plan {
    /// Share of the moves of a game to learn from, in percent.
    pub share: usize,
    /// Games kept back for the test, in percent.
    pub held_out: usize,
    /// An MD2 pattern gets a gamma of its own if it was played this often …
    pub least_played: u32,
    /// … or could have been played this often.
    pub least_seen: u32,
    /// Won and lost games of every feature against one of gamma 1 that are added to the real ones: keeps rare features from extremes.
    pub prior: f64,
    /// Determines everything random.
    pub seed: u64,
}

/// Positions with their candidates.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    pub(super) candidates: Vec<Candidate>,
    /// Where the candidates of each position end, and which of them was played.
    pub(super) ends: Vec<(u32, u16)>,
}

/// A move that could be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// A place in [`Course::shapes`].
    pub(super) shape: u32,
    /// A place in [`Course::values`]; until all are known, all values in one number.
    pub(super) values: u32,
}

/// All that is learned from.
pub struct Course {
    /// MD2 patterns with gammas of their own, by code; each is a shape.
    pub(super) md2: Vec<Md2>,
    /// Neighbourhoods, by code; each is a shape of its own after those, for where the MD2 pattern is unknown.
    pub(super) near: Vec<Neighborhood>,
    /// By shape: the place of its neighbourhood.
    pub(super) near_of: Vec<u32>,
    /// The combinations of values that occur.
    pub(super) values: Vec<[usize; GROUPS.len()]>,
    /// What to learn from, in fixed parts.
    pub(super) lessons: Vec<Positions>,
    /// What to be tested on, in fixed parts.
    pub(super) tests: Vec<Positions>,
}

/// Parts that threads work on: fixed, because sums depend on it.
const PARTS: usize = 32;

/// Combinations of values.
fn combinations() -> usize {
    GROUPS.iter().map(|group| group.values.len()).product()
}

/// All values in one number, the first group the least.
fn packed(values: Values) -> u32 {
    GROUPS
        .iter()
        .zip(values)
        .rev()
        .fold(0, |code, (group, value)| code * group.values.len() as u32 + u32::from(value))
}

/// Inverse of [`packed`].
fn unpacked(mut code: usize) -> [usize; GROUPS.len()] {
    std::array::from_fn(|group| {
        let count = GROUPS[group].values.len();
        let value = code % count;
        code /= count;
        value
    })
}

/// How often a pattern was there to be played, and was.
#[derive(Clone, Copy, Default)]
struct Count {
    seen: u32,
    played: u32,
}

impl Course {
    /// Makes a course of games, of which the first are kept back; `tell` hears how many parts of the work are done, of [`Course::STEPS`].
    pub fn new(games: &[GameSample], plan: &Plan, threads: usize, tell: &(impl Fn(usize) + Sync)) -> Course {
        let (tests, lessons) = games.split_at(games.len() * plan.held_out / 100);
        let part_of = |games: &[GameSample], part: usize| {
            let bound = |part: usize| games.len() * part / PARTS;
            bound(part)..bound(part + 1)
        };
        let censuses = in_parallel(threads, PARTS, |part| {
            let range = part_of(lessons, part);
            let census = census(&lessons[range.clone()], range.start, plan);
            tell(1);
            census
        });
        let mut md2: HashMap<u32, Count> = HashMap::new();
        let mut near: Vec<u16> = Vec::new();
        for (counts, codes) in censuses {
            near.extend(codes);
            for (code, count) in counts {
                let sum = md2.entry(code).or_default();
                sum.seen += count.seen;
                sum.played += count.played;
            }
        }
        md2.retain(|_, count| count.played >= plan.least_played || count.seen >= plan.least_seen);
        let mut md2: Vec<Md2> = md2.into_keys().map(Md2).collect();
        md2.sort_unstable();
        near.extend(md2.iter().map(|&code| near_of(code).0));
        near.sort_unstable();
        near.dedup();
        let near: Vec<Neighborhood> = near.into_iter().map(Neighborhood).collect();
        let shapes = Shapes {
            near: near.iter().enumerate().map(|(place, code)| (code.0, (md2.len() + place) as u32)).collect(),
            md2: md2.iter().enumerate().map(|(place, code)| (code.0, place as u32)).collect(),
        };
        let extracted = |games: &[GameSample]| {
            in_parallel(threads, PARTS, |part| {
                let range = part_of(games, part);
                let positions = extract(&games[range.clone()], range.start, plan, &shapes);
                tell(1);
                positions
            })
        };
        let of_md2 = md2.iter().map(|&code| shapes.near[&near_of(code).0] - md2.len() as u32);
        let near_of = of_md2.chain(0..near.len() as u32).collect();
        let (mut lessons, mut tests) = (extracted(lessons), extracted(tests));
        let values = number_values(lessons.iter_mut().chain(&mut tests));
        Course { near_of, values, lessons, tests, md2, near }
    }

    /// Parts of the work of [`Course::new`].
    pub const STEPS: usize = 3 * PARTS;

    /// Positions to learn from and to be tested on.
    pub fn positions(&self) -> [usize; 2] {
        [&self.lessons, &self.tests].map(|parts| parts.iter().map(|part| part.ends.len()).sum())
    }

    /// Neighbourhoods and MD2 patterns with gammas.
    pub fn shapes(&self) -> [usize; 2] {
        [self.near.len(), self.md2.len()]
    }
}

/// Gives every combination of values that occurs a place among them, which takes far less room than all that could.
fn number_values<'a>(parts: impl Iterator<Item = &'a mut Positions>) -> Vec<[usize; GROUPS.len()]> {
    let mut parts: Vec<&mut Positions> = parts.collect();
    let mut places = vec![u32::MAX; combinations()];
    for candidate in parts.iter().flat_map(|part| &part.candidates) {
        places[candidate.values as usize] = 0;
    }
    let mut values = Vec::new();
    for (code, place) in places.iter_mut().enumerate().filter(|(_, place)| **place == 0) {
        *place = values.len() as u32;
        values.push(unpacked(code));
    }
    for candidate in parts.iter_mut().flat_map(|part| &mut part.candidates) {
        candidate.values = places[candidate.values as usize];
    }
    values
}

/// The neighbourhood within a canonical pattern, canonical itself.
fn near_of(md2: Md2) -> Neighborhood {
    tesuji_board::canonical_neighborhood(Neighborhood(md2.0 as u16), tesuji_board::Color::Black)
}

/// Places of shapes by their codes.
struct Shapes {
    near: HashMap<u16, u32>,
    md2: HashMap<u32, u32>,
}

/// Calls `look` with the picked positions of games, the first of which has this number, and the moves played there.
fn visit(games: &[GameSample], first: usize, plan: &Plan, mut look: impl FnMut(&Position, Point)) {
    for (number, game) in games.iter().enumerate() {
        let mut rng = Rng::for_stream(plan.seed, (first + number) as u64);
        let mut board = Board::new(game.size);
        game.setup.iter().for_each(|&(color, point)| board.set_up(point, color));
        let mut position = Position::new(board, game.first);
        for &(color, mv) in &game.moves {
            if color != position.to_move {
                // Somebody moved twice; the moves before are nobody's answer then.
                position = Position::new(position.board.clone(), color);
            }
            if let Move::Play(point) = mv {
                if !position.board.is_empty(point) {
                    break;
                }
                if rng.below(100) < plan.share {
                    look(&position, point);
                }
            }
            position.play(mv);
        }
    }
}

fn census(games: &[GameSample], first: usize, plan: &Plan) -> (HashMap<u32, Count>, Vec<u16>) {
    let mut counts: HashMap<u32, Count> = HashMap::new();
    let mut near = vec![false; 1 << 16];
    let mut reader = FeatureReader::default();
    visit(games, first, plan, |position, played| {
        reader.read(position, |point, features| {
            let count = counts.entry(features.md2.0).or_default();
            count.seen += 1;
            count.played += u32::from(point == played);
            near[usize::from(features.near.0)] = true;
        });
    });
    (counts, (0..=u16::MAX).filter(|&code| near[usize::from(code)]).collect())
}

fn extract(games: &[GameSample], first: usize, plan: &Plan, shapes: &Shapes) -> Positions {
    let mut positions = Positions::default();
    let mut reader = FeatureReader::default();
    visit(games, first, plan, |position, played| {
        let start = positions.candidates.len();
        let mut place = None;
        reader.read(position, |point, Features { near, md2, values }| {
            if point == played {
                place = Some(positions.candidates.len() - start);
            }
            // A neighbourhood that only the test has is as good as any.
            let shape = shapes.md2.get(&md2.0).or_else(|| shapes.near.get(&near.0)).copied().unwrap_or(0);
            positions.candidates.push(Candidate { shape, values: packed(values) });
        });
        match place {
            Some(place) => positions.ends.push((positions.candidates.len() as u32, place as u16)),
            // An own eye was filled: nothing that playouts could learn.
            None => positions.candidates.truncate(start),
        }
    });
    positions
}

impl Positions {
    /// Every position: its candidates, and which of them was played.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[Candidate], usize)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, played)| {
            let candidates = &self.candidates[start..end as usize];
            start = end as usize;
            (candidates, usize::from(played))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_unpacked_as_they_were_packed() {
        assert!(combinations() <= u32::MAX as usize);
        for code in (0..combinations()).step_by(997) {
            assert_eq!(packed(unpacked(code).map(|value| value as u8)) as usize, code);
        }
    }
}
