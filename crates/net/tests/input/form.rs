//! Layouts, symmetries, and memory that is used again.

use crate::support::{Rng, encode, input, plain};
use tesuji_board::{Game, Size};
use tesuji_net::input::{Encoder, Layout, Line, Planes, Turn, Turns, WrongLength, symmetry};
use tesuji_net::model::InputSet;

const SETS: [InputSet; 4] =
    [InputSet::Katago7, InputSet::People, InputSet::PaperPolicy, InputSet::PaperValue];

#[test]
fn dense_arrays_hold_what_the_bits_say() {
    let mut rng = Rng(5);
    let game = rng.game(4..7, 5);
    let planes = encode(&game, InputSet::Katago7);
    let area = game.size().area();
    let chosen = [2, 0, 18, 1];
    let mut major = vec![f32::NAN; chosen.len() * area];
    planes.write_planes(&chosen, Layout::PlaneMajor, &mut major).unwrap();
    let mut last = vec![f32::NAN; 6 * area];
    planes.write_planes(&chosen, Layout::ChannelLast { channels: 6 }, &mut last).unwrap();
    for (i, &plane) in chosen.iter().enumerate() {
        for point in 0..area {
            let expected = f32::from(u8::from(planes.ones().any(|one| one == (plane, point))));
            assert_eq!(major[i * area + point], expected);
            assert_eq!(last[point * 6 + i], expected);
            assert_eq!(last[point * 6 + 4..][..2], [0.0, 0.0]);
        }
    }
    let count: u32 = planes.points().iter().map(|word| word.count_ones()).sum();
    assert_eq!(planes.ones().count(), count as usize);
    let mut globals = [f32::NAN; 3];
    planes.write_globals(&[18, 5, 99], &mut globals).unwrap();
    assert_eq!(globals, [planes.globals()[18], planes.globals()[5], 0.0]);
}

#[test]
fn arrays_of_a_wrong_length_are_refused() {
    let planes = Planes::new(Size::square(3).unwrap());
    let mut values = [0.0; 10];
    let wrong = |expected| Err(WrongLength { found: 10, expected });
    assert_eq!(planes.write_planes(&[0], Layout::PlaneMajor, &mut values), wrong(9));
    assert_eq!(planes.write_planes(&[0, 1], Layout::ChannelLast { channels: 1 }, &mut values), wrong(18));
    assert_eq!(planes.write_globals(&[0], &mut values), wrong(1));
    assert_eq!(wrong(9).unwrap_err().to_string(), "an array of 10 numbers where 9 are needed");
}

#[test]
fn numbers_of_symmetries() {
    let size = Size::square(3).unwrap();
    let image = |number: usize| -> Vec<u16> { Turn::new(size, number).places().to_vec() };
    assert_eq!(image(0), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(image(1), [6, 7, 8, 3, 4, 5, 0, 1, 2], "top and bottom");
    assert_eq!(image(2), [2, 1, 0, 5, 4, 3, 8, 7, 6], "left and right");
    assert_eq!(image(4), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
    // Top and bottom first: the top left goes to the bottom left, which transposed is the top right.
    assert_eq!(image(5)[0], 2);
    let rectangle = Turns::of(Size::new(4, 3).unwrap());
    for number in 0..4 {
        assert_eq!(rectangle.get(number), rectangle.get(number + 4));
    }
    assert_eq!(rectangle.size(), Size::new(4, 3).unwrap());
}

#[test]
fn what_is_turned_can_be_taken_back() {
    let mut rng = Rng(6);
    for size in [Size::square(5).unwrap(), Size::new(5, 3).unwrap()] {
        let turns = Turns::of(size);
        for number in 0..8 {
            let turn = turns.get(number);
            let area = size.area();
            let policy: Vec<f32> = (0..2 * area + 1).map(|_| rng.below(1000) as f32).collect();
            let mut turned = policy.clone();
            for board in 0..2 {
                for (point, &place) in turn.places().iter().enumerate() {
                    turned[board * area + usize::from(place)] = policy[board * area + point];
                }
            }
            let mut back = vec![f32::NAN; policy.len()];
            turn.take_back(&turned, &mut back);
            assert_eq!(back, policy);
        }
    }
}

/// The input of a mirrored game is the mirrored input: no plane prefers a direction.
#[test]
fn mirrored_games_have_mirrored_inputs() {
    let mut rng = Rng(7);
    for round in 0..150 {
        let game = rng.game(3..10, 5);
        let size = game.size();
        let number = rng.below(8);
        let symmetry = symmetry(size, number);
        let mut image = Game::new(size, *game.rules());
        for &(color, mv) in game.moves() {
            image.play(color, symmetry.play(size, mv)).unwrap();
        }
        let set = SETS[round % SETS.len()];
        let mut turned = Planes::new(size);
        turned.turn_from(&encode(&game, set), &Turn::new(size, number));
        assert!(turned == encode(&image, set), "symmetry {number} of\n{}", game.board());
    }
}

#[test]
fn an_encoder_forgets_the_position_before() {
    let mut rng = Rng(8);
    for set in SETS {
        let mut encoder = Encoder::new(&input(set), Size::square(19).unwrap());
        let mut planes = Planes::new(Size::square(2).unwrap());
        for _ in 0..200 {
            let game = rng.game(2..8, 10);
            let mut line = Line::from_game(&game, game.to_move());
            let mut other = Line::from_game(&Game::new(game.size(), plain()), game.to_move());
            other.copy_from(&line);
            for line in [&mut line, &mut other] {
                encoder.encode(&line.view(), &mut planes);
                assert!(planes == encode(&game, set), "{}", game.board());
            }
        }
    }
}

/// A line that moves are added to shows the same as one made from the whole game.
#[test]
fn lines_grow_with_their_game() {
    let mut rng = Rng(9);
    let mut encoder = Encoder::new(&input(InputSet::Katago7), Size::square(9).unwrap());
    let mut planes = Planes::new(Size::square(9).unwrap());
    for _ in 0..60 {
        let mut game = rng.game(3..9, 10);
        let mut line = Line::from_game(&game, game.to_move());
        for _ in 0..20 {
            rng.step(&mut game, 10);
            line.play(game.last_move().unwrap().1);
            encoder.encode(&line.view(), &mut planes);
            assert!(planes == encode(&game, InputSet::Katago7), "{}", game.board());
        }
    }
}
