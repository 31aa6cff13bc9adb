use super::*;
use crate::playout::{Light, PlayoutRule};
use crate::rng::Rng;
use tesuji_board::{Board, Size};

const PPA: AdaptationScheme = AdaptationScheme { learners: Learners::Winner, context: 0, rate: 0.1 };

fn size() -> Size {
    Size::square(3).unwrap()
}

/// An empty board after a move of White's on the point with this number.
fn position(last: usize) -> Position {
    let mut position = Position::new(Board::new(size()), Color::Black);
    position.last = Move::Play(size().points().nth(last).unwrap());
    position
}

/// Playouts of one move each; `winner` says who wins after a move on the point with this number.
fn teach(rule: &mut AdaptedRandom<Light>, count: usize, last: usize, winner: impl Fn(usize) -> Color) {
    let mut rng = Rng::new(3);
    let mut position = position(last);
    for _ in 0..count {
        rule.start(&position);
        let point = rule.propose(&mut position, &mut rng).unwrap();
        let place = size().points().position(|other| other == point).unwrap();
        let moves = [Move::Play(point).code()];
        rule.learn(&Lesson {
            moves: &moves,
            tree_moves: 0,
            before: [Move::Pass, position.last],
            first_mover: Color::Black,
            winner: winner(place),
        });
    }
}

/// How often each point is drawn.
fn shares(rule: &AdaptedRandom<Light>, last: usize) -> [f64; 9] {
    const DRAWS: usize = 20_000;
    let (mut rule, mut rng, mut position) = (rule.clone(), Rng::new(4), position(last));
    let mut counts = [0; 9];
    rule.start(&position);
    for _ in 0..DRAWS {
        let point = rule.propose(&mut position, &mut rng).unwrap();
        counts[size().points().position(|other| other == point).unwrap()] += 1;
    }
    counts.map(|count| f64::from(count) / DRAWS as f64)
}

/// 1/9 of 20,000 draws has a standard deviation of 0.0022.
fn is_uniform(shares: &[f64; 9], tolerance: f64) -> bool {
    shares.iter().all(|share| (share - 1.0 / 9.0).abs() < tolerance)
}

#[test]
fn without_lessons_all_moves_are_equally_likely() {
    let rule = AdaptedRandom::new(Light, PPA);
    assert!(is_uniform(&shares(&rule, 0), 0.01), "{:?}", shares(&rule, 0));
}

#[test]
fn moves_that_win_become_likelier_until_all_is_forgotten() {
    for learners in [Learners::Winner, Learners::Both] {
        let mut rule = AdaptedRandom::new(Light, AdaptationScheme { learners, ..PPA });
        teach(&mut rule, 400, 0, |place| if place == 4 { Color::Black } else { Color::White });
        let found = shares(&rule, 0);
        let others = (0..9).filter(|&place| place != 4).map(|place| found[place]);
        assert!(found[4] > 0.5 && others.fold(0.0, f64::max) < 0.2, "{learners:?}: {found:?}");
        assert_eq!(found, shares(&rule, 7), "whatever the last move");
        rule.forget();
        assert!(is_uniform(&shares(&rule, 0), 0.01));
    }
}

/// The draw that stands for all moves takes off on average what the chosen one adds.
#[test]
fn a_game_that_is_always_won_teaches_nothing() {
    let mut rule = AdaptedRandom::new(Light, AdaptationScheme { rate: 0.002, ..PPA });
    teach(&mut rule, 10_000, 0, |_| Color::Black);
    assert!(is_uniform(&shares(&rule, 0), 0.03), "{:?}", shares(&rule, 0));
    // What is expected changes the less, the surer it is.
    let mut rule = AdaptedRandom::new(Light, AdaptationScheme { learners: Learners::Both, ..PPA });
    teach(&mut rule, 3_000, 0, |_| Color::Black);
    let before = shares(&rule, 0);
    teach(&mut rule, 3_000, 0, |_| Color::Black);
    assert_eq!(before, shares(&rule, 0));
}

#[test]
fn losers_learn_only_by_gradient() {
    let lost = |learners| {
        let mut rule = AdaptedRandom::new(Light, AdaptationScheme { learners, ..PPA });
        teach(&mut rule, 60, 0, |_| Color::White);
        shares(&rule, 0)
    };
    assert!(is_uniform(&lost(Learners::Winner), 0.01));
    assert!(!is_uniform(&lost(Learners::Both), 0.01));
}

#[test]
fn what_answers_a_move_is_learned_apart() {
    let mut rule = AdaptedRandom::new(Light, AdaptationScheme { context: 1, ..PPA });
    teach(&mut rule, 100, 0, |place| if place == 4 { Color::Black } else { Color::White });
    let (same, other) = (shares(&rule, 0)[4], shares(&rule, 1)[4]);
    assert!(same > other + 0.1 && other > 0.15, "{same} {other}");
    let mut pairs = AdaptedRandom::new(Light, AdaptationScheme { context: 2, ..PPA });
    teach(&mut pairs, 100, 0, |place| if place == 4 { Color::Black } else { Color::White });
    assert!(shares(&pairs, 0)[4] > same);
}
