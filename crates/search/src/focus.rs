//! What somebody wants to know of a position besides the best move: which moves to look at, and what each of them leads to.

use tesuji_board::{Color, Move, Size};

/// Restricts a search near its root, and says what to keep apart. The default restricts nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Focus {
    /// By colour, then by point in reading order with the pass last: the depth from which on the move may be considered, 0 for always.
    banned_until: [Vec<u16>; 2],
    /// Whether to find out who owns what after each move of the root.
    pub by_move: bool,
    /// Above 1 the unlikely moves of the root become likelier, where a policy guides the search.
    pub root_temperature: f32,
}

impl Default for Focus {
    fn default() -> Focus {
        Focus { banned_until: [Vec::new(), Vec::new()], by_move: false, root_temperature: 1.0 }
    }
}

impl Focus {
    /// Keeps `color` from a move in nodes that are fewer than `depth` moves away from the root.
    pub fn ban(&mut self, color: Color, mv: Move, depth: u16, size: Size) {
        let until = &mut self.banned_until[color.index()];
        until.resize(size.area() + 1, 0);
        let place = &mut until[place(mv, size)];
        *place = depth.max(*place);
    }

    /// Whether it keeps anybody from anything.
    pub fn has_bans(&self) -> bool {
        self.banned_until.iter().any(|until| !until.is_empty())
    }

    /// Whether `color` may consider a move at a depth, 0 being the root.
    pub fn allows(&self, color: Color, mv: Move, depth: usize, size: Size) -> bool {
        let until = &self.banned_until[color.index()];
        until.get(place(mv, size)).is_none_or(|&until| depth >= usize::from(until))
    }
}

fn place(mv: Move, size: Size) -> usize {
    mv.point().map_or(size.area(), |point| size.ordinal(point))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ban_holds_for_a_colour_down_to_a_depth() {
        let size = Size::new(5, 3).unwrap();
        let corner = Move::from_gtp("E1", size).unwrap();
        let mut focus = Focus::default();
        assert!(!focus.has_bans());
        focus.ban(Color::White, corner, 3, size);
        focus.ban(Color::White, corner, 2, size);
        focus.ban(Color::White, Move::Pass, 1, size);
        assert!(focus.has_bans());
        let allowed = |color, mv| [0, 1, 2, 3].map(|depth| focus.allows(color, mv, depth, size));
        assert_eq!(allowed(Color::White, corner), [false, false, false, true]);
        assert_eq!(allowed(Color::White, Move::Pass), [false, true, true, true]);
        assert_eq!(allowed(Color::White, Move::from_gtp("A3", size).unwrap()), [true; 4]);
        assert_eq!(allowed(Color::Black, corner), [true; 4]);
    }
}
