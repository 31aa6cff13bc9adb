//! Go as the rules say it: rows of stones, flood fill, and every earlier position kept whole.

use tesuji_board::{Color, IllegalMove, KoRule, Suicide};

/// Column from the left and row from the top.
pub(crate) type Place = (usize, usize);
/// Rows from the top.
pub(crate) type Position = Vec<Vec<Option<Color>>>;

/// What a stone does to a position.
pub(crate) struct Outcome {
    pub(crate) position: Position,
    /// Opponent's stones taken.
    pub(crate) captured: usize,
    /// Own stones removed, the new one included.
    pub(crate) suicided: usize,
}

#[derive(Clone)]
pub(crate) struct SlowGame {
    pub(crate) ko: KoRule,
    pub(crate) suicide: Suicide,
    pub(crate) position: Position,
    pub(crate) to_move: Color,
    pub(crate) prisoners: [u32; 2],
    pub(crate) moves: Vec<(Color, Option<Place>)>,
    /// Every position so far with the player to move, the present one last.
    pub(crate) situations: Vec<(Position, Color)>,
}

pub(crate) fn empty_position(width: usize, height: usize) -> Position {
    vec![vec![None; width]; height]
}

pub(crate) fn places(position: &Position) -> impl Iterator<Item = Place> + use<> {
    let (width, height) = (position[0].len(), position.len());
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

pub(crate) fn neighbors(position: &Position, (x, y): Place) -> Vec<Place> {
    let mut places = Vec::new();
    if y > 0 {
        places.push((x, y - 1));
    }
    if x > 0 {
        places.push((x - 1, y));
    }
    if x + 1 < position[0].len() {
        places.push((x + 1, y));
    }
    if y + 1 < position.len() {
        places.push((x, y + 1));
    }
    places
}

/// The stones connected to the one at `place`, sorted.
pub(crate) fn chain(position: &Position, place: Place) -> Vec<Place> {
    let color = position[place.1][place.0];
    let mut stones = vec![place];
    let mut next = 0;
    while next < stones.len() {
        for side in neighbors(position, stones[next]) {
            if position[side.1][side.0] == color && !stones.contains(&side) {
                stones.push(side);
            }
        }
        next += 1;
    }
    stones.sort();
    stones
}

/// The empty points beside a chain, sorted.
pub(crate) fn liberties(position: &Position, chain: &[Place]) -> Vec<Place> {
    let mut liberties: Vec<_> = chain.iter().flat_map(|&stone| neighbors(position, stone)).collect();
    liberties.retain(|&(x, y)| position[y][x].is_none());
    liberties.sort();
    liberties.dedup();
    liberties
}

fn remove_if_dead(position: &mut Position, place: Place) -> usize {
    let stones = chain(position, place);
    if !liberties(position, &stones).is_empty() {
        return 0;
    }
    for &(x, y) in &stones {
        position[y][x] = None;
    }
    stones.len()
}

/// Puts a stone on an empty point: the opponent's dead stones go first, then the own ones.
pub(crate) fn outcome(position: &Position, color: Color, place: Place) -> Outcome {
    let mut position = position.clone();
    position[place.1][place.0] = Some(color);
    let mut captured = 0;
    for (x, y) in neighbors(&position, place) {
        if position[y][x] == Some(!color) {
            captured += remove_if_dead(&mut position, (x, y));
        }
    }
    let suicided = remove_if_dead(&mut position, place);
    Outcome { position, captured, suicided }
}

impl SlowGame {
    pub(crate) fn new(position: Position, to_move: Color, ko: KoRule, suicide: Suicide) -> SlowGame {
        let situations = vec![(position.clone(), to_move)];
        SlowGame { ko, suicide, position, to_move, prisoners: [0; 2], moves: Vec::new(), situations }
    }

    pub(crate) fn empties(&self) -> Vec<Place> {
        places(&self.position).filter(|&(x, y)| self.position[y][x].is_none()).collect()
    }

    /// Whether a capture of this outcome undoes the opponent's play just made.
    pub(crate) fn retakes_ko(&self, color: Color, outcome: &Outcome) -> bool {
        let Some(&(last_color, Some(_))) = self.moves.last() else { return false };
        let (before, _) = &self.situations[self.situations.len() - 2];
        last_color != color && outcome.captured > 0 && outcome.position == *before
    }

    /// What playing here does, or why it may not be done.
    pub(crate) fn try_play(&self, color: Color, place: Place) -> Result<Outcome, IllegalMove> {
        if self.position[place.1][place.0].is_some() {
            return Err(IllegalMove::Occupied);
        }
        let outcome = outcome(&self.position, color, place);
        if self.retakes_ko(color, &outcome) {
            return Err(IllegalMove::Ko);
        }
        if outcome.suicided > 0 && self.suicide == Suicide::Forbidden {
            return Err(IllegalMove::Suicide);
        }
        let same_position = |(position, _): &&(Position, Color)| *position == outcome.position;
        let repeats = match self.ko {
            KoRule::Simple => false,
            KoRule::Positional => self.situations.iter().any(|situation| same_position(&situation)),
            KoRule::Situational => {
                self.situations.iter().filter(same_position).any(|&(_, to_move)| to_move == !color)
            }
        };
        if repeats { Err(IllegalMove::Superko) } else { Ok(outcome) }
    }

    /// Makes a move with the outcome that [`SlowGame::try_play`] gave, or passes.
    pub(crate) fn play(&mut self, color: Color, mv: Option<(Place, Outcome)>) {
        let place = mv.as_ref().map(|&(place, _)| place);
        if let Some((_, outcome)) = mv {
            self.position = outcome.position;
            self.prisoners[color as usize] += outcome.captured as u32;
            self.prisoners[!color as usize] += outcome.suicided as u32;
        }
        self.moves.push((color, place));
        self.to_move = !color;
        self.situations.push((self.position.clone(), self.to_move));
    }
}
