//! Inputs allocate nothing after set-up: counted, in a binary of its own because the count is of the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use tesuji_board::{Board, Color, Game, KoRule, Move, Rules, Size};
use tesuji_net::input::{Encoder, Line, Planes, Turns};
use tesuji_net::model::{Input, InputSet};

/// The system's allocator, with a count of calls.
struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed to the system's allocator unchanged; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A legal move that fills no eye, chosen by a simple generator of numbers.
fn random_move(board: &Board, color: Color, state: &mut u64) -> Move {
    for _ in 0..200 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let point = board.empties()[(*state >> 33) as usize % board.empties().len()];
        if !board.neighborhood(point).is_eye_of(color) && board.is_legal_no_suicide(point, color) {
            return Move::Play(point);
        }
    }
    Move::Pass
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn inputs_of_whole_games_allocate_nothing() {
    let mut state = 1;
    for (side, moves) in [(9, 120), (19, 400)] {
        let size = Size::square(side).unwrap();
        let turns = Turns::of(size);
        let mut encoders = [InputSet::Katago7, InputSet::PaperPolicy, InputSet::PaperValue]
            .map(|set| Encoder::new(&Input::all(set), size));
        let mut planes = Planes::new(size);
        let mut turned = Planes::new(size);
        let mut legal = Vec::with_capacity(size.area());
        for ko in [KoRule::Simple, KoRule::Positional, KoRule::Situational] {
            let rules = Rules { ko, ..Rules::default() };
            let mut line = Line::from_game(&Game::new(size, rules), Color::Black);
            let mut copy = line.clone();
            let before = CALLS.load(Ordering::Relaxed);
            let mut ones = 0;
            for number in 0..moves {
                let mv = random_move(line.board(), line.track().to_move(), &mut state);
                line.play(mv);
                copy.copy_from(&line);
                for encoder in &mut encoders {
                    encoder.encode(&copy.view(), &mut planes);
                    turned.turn_from(&planes, turns.get(number));
                    ones += turned.ones().count();
                }
                line.track().write_legal(line.board(), &mut legal);
            }
            assert_eq!(CALLS.load(Ordering::Relaxed) - before, 0, "{size}, {ko:?}");
            assert!(ones > moves * size.area());
        }
    }
}
