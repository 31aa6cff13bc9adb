//! What a move tells its observer, against what the slow board says has changed.

use crate::compare::{place, point};
use crate::slow::{Place, Position, chain, liberties, places};
use std::collections::{BTreeMap, BTreeSet};
use tesuji_board::{Board, Chain, Color, MoveObserver, Point};

/// Notes everything.
#[derive(Default)]
struct Notes {
    removed: Vec<(Point, Color)>,
    changed: Vec<Chain>,
}

impl MoveObserver for Notes {
    fn stone_removed(&mut self, point: Point, color: Color) {
        self.removed.push((point, color));
    }

    fn liberties_changed(&mut self, chain: Chain) {
        self.changed.push(chain);
    }
}

/// The chains of a position, each with its liberties.
fn chains(position: &Position) -> BTreeMap<Vec<Place>, Vec<Place>> {
    let stones = places(position).filter(|&(x, y)| position[y][x].is_some());
    // Once a chain: by its first stone in the order of `chain`.
    let chains = stones.map(|at| (at, chain(position, at))).filter(|(at, stones)| stones[0] == *at);
    chains.map(|(_, stones)| (stones.clone(), liberties(position, &stones))).collect()
}

/// Plays a move under observation on a copy of `board` and checks what was told; returns the board after it, and the
/// numbers of stones and chains told.
pub(crate) fn observe(
    board: &Board,
    color: Color,
    at: Place,
    before: &Position,
    after: &Position,
) -> (Board, [usize; 2]) {
    let size = board.size();
    let mut board = board.clone();
    let mut notes = Notes::default();
    board.play_observed(point(size, at), color, &mut notes);

    let mut with_stone = before.clone();
    with_stone[at.1][at.0] = Some(color);
    let gone = places(after).filter(|&(x, y)| after[y][x].is_none());
    let gone: Vec<(Place, Color)> = gone.filter_map(|(x, y)| Some(((x, y), with_stone[y][x]?))).collect();
    let mut told: Vec<(Place, Color)> =
        notes.removed.iter().map(|&(stone, color)| (place(size, stone), color)).collect();
    told.sort_by_key(|&((x, y), _)| (y, x));
    assert_eq!(told, gone, "each removed stone is told once");

    let is_suicide = after[at.1][at.0].is_none();
    let (old, new) = (chains(before), chains(after));
    let changed: BTreeSet<&Vec<Place>> = new
        .iter()
        .filter(|(stones, liberties)| old.get(*stones) != Some(liberties))
        .map(|(stones, _)| stones)
        .collect();
    let told: BTreeSet<Vec<Place>> = notes
        .changed
        .iter()
        .map(|&chain| {
            let mut stones: Vec<Place> = board.stones(chain).map(|stone| place(size, stone)).collect();
            stones.sort();
            stones
        })
        .collect();
    assert!(told.iter().all(|stones| new.contains_key(stones)), "a chain that is told is on the board");
    assert!(changed.iter().all(|stones| told.contains(*stones)), "a chain that changed is told");
    assert!(is_suicide || told.len() == changed.len(), "only chains that changed are told");
    (board, [gone.len(), changed.len()])
}
