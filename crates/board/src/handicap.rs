//! Handicap stones: the fixed points of the GTP 2 specification, free placement, and placement by the opponent.
//!
//! Fixed handicap is generalised to rectangles by looking at each side alone: stones stand on the third line of
//! a side shorter than 13, else on the fourth.

use crate::color::Color;
use crate::game::Game;
use crate::point::{Point, Size};
use std::fmt;

/// Smallest side with fixed handicap.
const MIN_FIXED_SIDE: usize = 7;
/// Smallest odd side with handicap stones on its middle line.
const MIN_MIDDLE_SIDE: usize = 9;
/// From this side on, the corner stones stand on the fourth line.
const FOURTH_LINE_SIDE: usize = 13;

/// Why handicap stones cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapError {
    /// There are stones already.
    BoardNotEmpty,
    /// The number of stones is not from 2 to this.
    Count {
        /// The largest number for the board.
        max: usize,
    },
    /// A stone is not on the board.
    OffBoard,
    /// A point is named twice.
    Repeated,
}

impl fmt::Display for HandicapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandicapError::BoardNotEmpty => f.write_str("board not empty"),
            HandicapError::Count { max: 0 } => f.write_str("this board has no fixed handicap"),
            HandicapError::Count { max } => write!(f, "the number of stones must be 2 to {max}"),
            HandicapError::OffBoard => f.write_str("a stone is not on the board"),
            HandicapError::Repeated => f.write_str("a point is named twice"),
        }
    }
}

impl std::error::Error for HandicapError {}

/// Largest fixed handicap of a size; 0 if it has none.
pub fn max_fixed_handicap(size: Size) -> usize {
    let sides = [size.width(), size.height()];
    if sides.iter().any(|&side| side < MIN_FIXED_SIDE) {
        0
    } else if sides.iter().all(|&side| side % 2 == 1 && side >= MIN_MIDDLE_SIDE) {
        9
    } else {
        4
    }
}

/// Largest free handicap of a size: a legal position needs an empty point.
pub fn max_free_handicap(size: Size) -> usize {
    size.area() - 1
}

/// The points of a fixed handicap in the order of the GTP specification.
pub fn fixed_handicap(size: Size, count: usize) -> Result<Vec<Point>, HandicapError> {
    let max = max_fixed_handicap(size);
    if !(2..=max).contains(&count) {
        return Err(HandicapError::Count { max });
    }
    let [(left, center, right), (top, middle, bottom)] = [size.width(), size.height()].map(|side| {
        let line = if side < FOURTH_LINE_SIDE { 2 } else { 3 };
        (line, side / 2, side - 1 - line)
    });
    let mut places = vec![(left, bottom), (right, top), (left, top), (right, bottom)];
    if count >= 6 {
        places.extend([(left, middle), (right, middle)]);
    }
    if count >= 8 {
        places.extend([(center, bottom), (center, top)]);
    }
    places.truncate(count);
    // From five on, an odd number has the centre.
    if places.len() < count || (count > 4 && count % 2 == 1) {
        places.truncate(count - 1);
        places.push((center, middle));
    }
    Ok(places.into_iter().filter_map(|(x, y)| size.point(x, y)).collect())
}

/// The points of our choice for a free handicap: the fixed ones, then as far apart as the board allows.
pub fn free_handicap(size: Size, count: usize) -> Result<Vec<Point>, HandicapError> {
    let max = max_free_handicap(size);
    if !(2..=max).contains(&count) {
        return Err(HandicapError::Count { max });
    }
    let mut stones = fixed_handicap(size, count.min(max_fixed_handicap(size))).unwrap_or_default();
    while stones.len() < count {
        let free = size.points().filter(|point| !stones.contains(point));
        // The last of equals, as `max_by_key` has it, is as good as any.
        match free.max_by_key(|&point| room(size, point, &stones)) {
            Some(point) => stones.push(point),
            None => break,
        }
    }
    Ok(stones)
}

/// Squared distance to the nearest stone, or to the edge as if twice as far: a stone on the third line is
/// as well placed as one with a gap of five to the next.
fn room(size: Size, point: Point, stones: &[Point]) -> usize {
    let (x, y) = (size.x(point), size.y(point));
    let line = x.min(y).min(size.width() - 1 - x).min(size.height() - 1 - y) + 1;
    let distance = |&stone: &Point| size.x(stone).abs_diff(x).pow(2) + size.y(stone).abs_diff(y).pow(2);
    stones.iter().map(distance).min().unwrap_or(usize::MAX).min((2 * line).pow(2))
}

impl Game {
    /// Places a fixed handicap on the empty board and returns its points; White is to move.
    pub fn place_fixed_handicap(&mut self, count: usize) -> Result<Vec<Point>, HandicapError> {
        let stones = fixed_handicap(self.size(), count)?;
        self.set_handicap(&stones)?;
        Ok(stones)
    }

    /// Places a handicap of our choice on the empty board and returns its points; White is to move.
    pub fn place_free_handicap(&mut self, count: usize) -> Result<Vec<Point>, HandicapError> {
        let stones = free_handicap(self.size(), count)?;
        self.set_handicap(&stones)?;
        Ok(stones)
    }

    /// Places handicap stones on the empty board as told; White is to move; the game is unchanged on an error.
    pub fn set_handicap(&mut self, stones: &[Point]) -> Result<(), HandicapError> {
        let max = max_free_handicap(self.size());
        if self.board().empties().len() < self.size().area() {
            return Err(HandicapError::BoardNotEmpty);
        }
        if !(2..=max).contains(&stones.len()) {
            return Err(HandicapError::Count { max });
        }
        if stones.iter().enumerate().any(|(i, stone)| stones[..i].contains(stone)) {
            return Err(HandicapError::Repeated);
        }
        // Black stones alone always have a liberty while a point is empty.
        self.set_up(stones.iter().map(|&point| (point, Some(Color::Black))), Color::White)
            .map_err(|_| HandicapError::OffBoard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn game(width: usize, height: usize) -> Game {
        Game::new(Size::new(width, height).unwrap(), Rules::named("chinese").unwrap())
    }

    fn check_fixed(side: usize, count: usize, expected: &str) {
        let mut game = game(side, side);
        let stones = game.place_fixed_handicap(count).unwrap();
        let vertices: Vec<_> = stones.iter().map(|stone| stone.to_gtp(game.size())).collect();
        assert_eq!(vertices.join(" "), expected);
        assert_eq!(game.board().stone_count(Color::Black), count);
        assert_eq!((game.to_move(), game.handicap()), (Color::White, count));
    }

    #[test]
    fn fixed_points() {
        check_fixed(19, 2, "D4 Q16");
        check_fixed(19, 3, "D4 Q16 D16");
        check_fixed(19, 4, "D4 Q16 D16 Q4");
        check_fixed(19, 5, "D4 Q16 D16 Q4 K10");
        check_fixed(19, 6, "D4 Q16 D16 Q4 D10 Q10");
        check_fixed(19, 7, "D4 Q16 D16 Q4 D10 Q10 K10");
        check_fixed(19, 8, "D4 Q16 D16 Q4 D10 Q10 K4 K16");
        check_fixed(19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        check_fixed(13, 5, "D4 K10 D10 K4 G7");
        check_fixed(12, 4, "C3 K10 C10 K3");
        check_fixed(9, 3, "C3 G7 C7");
        check_fixed(7, 4, "C3 E5 C5 E3");
    }

    #[test]
    fn limits_of_fixed_handicap() {
        for (width, height, max) in
            [(6, 6, 0), (7, 7, 4), (8, 8, 4), (9, 9, 9), (18, 18, 4), (25, 9, 9), (9, 5, 0)]
        {
            assert_eq!(max_fixed_handicap(Size::new(width, height).unwrap()), max);
            for count in [0, 1, max + 1] {
                assert_eq!(
                    game(width, height).place_fixed_handicap(count),
                    Err(HandicapError::Count { max })
                );
            }
        }
    }

    #[test]
    fn free_handicap_fits_every_board() {
        for (width, height) in [(2, 2), (2, 25), (3, 3), (5, 5), (6, 8), (9, 9), (10, 10), (19, 19)] {
            let max = max_free_handicap(Size::new(width, height).unwrap());
            for count in (2..=max.min(30)).chain([max]) {
                let mut game = game(width, height);
                let stones = game.place_free_handicap(count).unwrap();
                assert_eq!((stones.len(), game.handicap()), (count, count));
            }
            assert_eq!(game(width, height).place_free_handicap(max + 1), Err(HandicapError::Count { max }));
        }
    }

    #[test]
    fn handicap_by_the_opponent_is_checked() {
        let mut game = game(9, 9);
        let at = |x, y| game.size().point(x, y).unwrap();
        let (a, b) = (at(2, 2), at(6, 6));
        let outside = Size::square(25).unwrap().point(24, 24).unwrap();
        assert_eq!(game.set_handicap(&[a]), Err(HandicapError::Count { max: 80 }));
        assert_eq!(game.set_handicap(&[a, b, a]), Err(HandicapError::Repeated));
        assert_eq!(game.set_handicap(&[a, outside]), Err(HandicapError::OffBoard));
        assert_eq!(game.board().empties().len(), 81);
        game.set_handicap(&[a, b]).unwrap();
        assert_eq!(game.set_handicap(&[a, b]), Err(HandicapError::BoardNotEmpty));
        assert_eq!(game.white_points(), 7.5 + 2.0);
    }
}
