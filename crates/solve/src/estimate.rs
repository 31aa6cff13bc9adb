//! First guesses of proof numbers, which make the search look at likely moves first.

use crate::arena::Arena;
use crate::position::{Action, Position};
use crate::table::Numbers;

pub(crate) struct Estimate {
    numbers: Numbers,
}

impl Estimate {
    pub(crate) fn of(arena: &Arena, parent: &Position, action: Action, position: &Position) -> Estimate {
        let _ = (arena, parent, action, position);
        Estimate { numbers: Numbers { phi: 1, delta: 1 } }
    }

    pub(crate) fn numbers(self) -> Numbers {
        self.numbers
    }
}
