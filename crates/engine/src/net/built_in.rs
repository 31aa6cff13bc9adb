//! The networks that come with the program. What each has learned from is in `docs/networks.md` and in the files themselves.

use std::sync::{Mutex, PoisonError};

use tesuji_board::Size;
use tesuji_net::model::Model;
use tesuji_net::{Isa, Reader, own};

/// A network in the program, and the boards that it plays better than the engine without one.
struct BuiltIn {
    weights: &'static [u8],
    /// Smallest and largest side.
    sides: (usize, usize),
}

const BUILT_IN: [BuiltIn; 2] = [
    BuiltIn { weights: include_bytes!("../../nets/9x9.safetensors"), sides: (7, 11) },
    BuiltIn { weights: include_bytes!("../../nets/19x19.safetensors"), sides: (12, 19) },
];

impl BuiltIn {
    fn serves(&self, size: Size) -> bool {
        let (least, most) = self.sides;
        [size.width(), size.height()].iter().all(|side| (least..=most).contains(side))
    }
}

/// The networks that have been needed so far, by their places and instructions.
static READY: Mutex<Vec<(usize, Isa, Reader)>> = Mutex::new(Vec::new());

/// The network for boards of a size; nothing if none is for them.
pub(super) fn reader(size: Size, isa: Isa) -> Option<Reader> {
    let place = BUILT_IN.iter().position(|net| net.serves(size))?;
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., reader)) = ready.iter().find(|(at, of, _)| (*at, *of) == (place, isa)) {
        return Some(reader.clone());
    }
    // The files are tested to be whole.
    let reader = Reader::new(&own::read(BUILT_IN[place].weights).ok()?, isa).ok()?;
    ready.push((place, isa, reader.clone()));
    Some(reader)
}

/// The same as data, for those who let it learn on.
pub(super) fn model(size: Size) -> Option<Model> {
    // The files are tested to be whole.
    BUILT_IN.iter().find(|net| net.serves(size)).and_then(|net| own::read(net.weights).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Color, Game, Move, Rules};
    use tesuji_net::input::Line;

    #[test]
    fn every_network_can_be_read_and_serves_its_boards() {
        for net in &BUILT_IN {
            for side in [net.sides.0, net.sides.1] {
                let size = Size::square(side).unwrap();
                assert!(reader(size, Isa::Portable).is_some_and(|reader| reader.serves(size)), "{side}");
            }
        }
        assert!(reader(Size::square(2).unwrap(), Isa::Portable).is_none());
    }

    /// An opening is about even whatever the rules are called, and nobody passes in it.
    #[test]
    fn they_know_openings_under_all_rules() {
        for net in &BUILT_IN {
            let size = Size::square((net.sides.0 + net.sides.1) / 2).unwrap();
            let mut seat = reader(size, Isa::Portable).unwrap().seat(size, 1).unwrap();
            for name in Rules::names() {
                let mut game = Game::new(size, Rules { komi: 7.0, ..Rules::named(name).unwrap() });
                game.play(Color::Black, Move::Play(size.point(3, 5).unwrap())).unwrap();
                seat.add(&Line::from_game(&game, Color::White).view(), 0);
                seat.evaluate(0.0).unwrap();
                let evaluation = seat.evaluation(0);
                let (lead, pass) = (evaluation.lead.unwrap(), evaluation.pass);
                assert!(lead.abs() < 10.0 && pass < 0.01, "{name}: {lead} points, pass {pass}");
            }
        }
    }

    #[test]
    fn they_are_small_and_say_where_they_come_from() {
        assert!(BUILT_IN.iter().map(|net| net.weights.len()).sum::<usize>() <= 12 << 20);
        for net in &BUILT_IN {
            let model = own::read(net.weights).unwrap();
            assert!(
                !model.provenance.data.is_empty() && !model.provenance.licence.is_empty(),
                "{}",
                model.name
            );
        }
    }
}
