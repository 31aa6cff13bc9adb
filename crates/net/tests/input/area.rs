//! The area planes against the definition, point by point.

use crate::support::{Rng, encode_with, game, input, plain, points};
use std::collections::BTreeSet;
use tesuji_board::{Board, Color, Game, Point, Rules, Scoring, Size, Suicide, Tax};
use tesuji_net::model::InputSet;

const OWN: usize = 18;
const OPPONENT: usize = 19;

type Set = BTreeSet<Point>;

/// The connected sets of points for which `belongs` holds.
fn pieces(size: Size, belongs: impl Fn(Point) -> bool) -> Vec<Set> {
    let mut left: Set = size.points().filter(|&point| belongs(point)).collect();
    let mut found = Vec::new();
    while let Some(start) = left.pop_first() {
        let mut piece = Set::from([start]);
        let mut open = vec![start];
        while let Some(point) = open.pop() {
            for side in size.neighbors(point) {
                if left.remove(&side) {
                    piece.insert(side);
                    open.push(side);
                }
            }
        }
        found.push(piece);
    }
    found
}

fn touches(size: Size, point: Point, set: &Set) -> bool {
    size.neighbors(point).any(|side| set.contains(&side))
}

/// How often the rarer clauses decided.
#[derive(Debug, Default)]
struct Events {
    alive: usize,
    inner_one: usize,
    inner_two: usize,
    overwritten: usize,
    seki_by_atari: usize,
    seki_by_touch: usize,
    spoiled_by_suicide: usize,
}

fn alive_chains(board: &Board, color: Color, suicide: Suicide) -> (Vec<Set>, Vec<Set>) {
    let size = board.size();
    let mut chains = pieces(size, |point| board.color(point) == Some(color));
    let regions = pieces(size, |point| board.color(point) != Some(color));
    loop {
        let enclosed = |region: &&Set| {
            let touched_by_dead = |&point: &Point| {
                size.neighbors(point).any(|side| {
                    board.color(side) == Some(color) && !chains.iter().any(|chain| chain.contains(&side))
                })
            };
            !region.iter().any(touched_by_dead)
        };
        let vital = |region: &&Set, chain: &Set| {
            let mut must =
                region.iter().filter(|&&point| suicide == Suicide::Allowed || board.is_empty(point));
            must.all(|&point| touches(size, point, chain))
        };
        let count =
            |chain: &Set| regions.iter().filter(enclosed).filter(|region| vital(region, chain)).count();
        let left: Vec<Set> = chains.iter().filter(|chain| count(chain) >= 2).cloned().collect();
        if left.len() == chains.len() {
            return (chains, regions);
        }
        chains = left;
    }
}

/// Owners of all points in reading order.
fn slow_area(board: &Board, suicide: Suicide, tax: Tax, events: &mut Events) -> Vec<Option<Color>> {
    let size = board.size();
    let at = |point: Point| size.ordinal(point);
    let mut owners: Vec<Option<Color>> = vec![None; size.area()];
    for color in Color::BOTH {
        if board.stone_count(color) == 0 {
            continue;
        }
        let (alive, regions) = alive_chains(board, color, suicide);
        let alive: Set = alive.into_iter().flatten().collect();
        events.alive += alive.len();
        if suicide == Suicide::Allowed {
            let (more, _) = alive_chains(board, color, Suicide::Forbidden);
            events.spoiled_by_suicide += usize::from(more.iter().flatten().count() > alive.len());
        }
        for &point in &alive {
            owners[at(point)] = Some(color);
        }
        for region in regions {
            let is_own = |point: Point| board.color(point) == Some(color);
            let around =
                || region.iter().flat_map(|&point| size.neighbors(point)).filter(|&side| is_own(side));
            let has_opponent = region.iter().any(|&point| board.color(point).is_some());
            let inner = region.iter().filter(|&&point| !size.neighbors(point).any(is_own)).count();
            if around().all(|side| alive.contains(&side)) && (!has_opponent || inner <= 1) {
                events.inner_one += usize::from(has_opponent && inner == 1);
                for &point in &region {
                    events.overwritten += usize::from(owners[at(point)] == Some(!color));
                    owners[at(point)] = Some(color);
                }
            } else {
                let enclosed = around().all(|side| alive.contains(&side));
                events.inner_two += usize::from(enclosed && has_opponent && inner == 2);
                if !has_opponent {
                    for &point in &region {
                        owners[at(point)].get_or_insert(color);
                    }
                }
            }
        }
    }
    for point in size.points() {
        if let (None, Some(color)) = (owners[at(point)], board.color(point)) {
            owners[at(point)] = Some(color);
        }
    }
    if tax == Tax::None {
        return owners;
    }
    let mut taxed = owners.clone();
    for color in Color::BOTH {
        for piece in pieces(size, |point| owners[at(point)] == Some(color)) {
            let in_atari = |&point: &Point| {
                board.color(point) == Some(color) && board.liberty_count(board.chain_at(point)) == 1
            };
            let touches_none = |&point: &Point| {
                size.neighbors(point).any(|side| board.is_empty(side) && owners[at(side)].is_none())
            };
            let (atari, touch) = (piece.iter().any(in_atari), piece.iter().any(touches_none));
            events.seki_by_atari += usize::from(atari && !touch);
            events.seki_by_touch += usize::from(touch && !atari);
            if atari || touch {
                for &point in piece.iter().filter(|&&point| board.color(point) != Some(color)) {
                    taxed[at(point)] = None;
                }
            }
        }
    }
    taxed
}

fn planes_of(owners: &[Option<Color>], size: Size, color: Color) -> String {
    let is_owned = |&(i, _): &(usize, Point)| owners[i] == Some(color);
    size.points()
        .enumerate()
        .filter(is_owned)
        .map(|(_, point)| point.to_gtp(size))
        .collect::<Vec<_>>()
        .join(" ")
}

fn check_game(game: &Game, area_with_suicide: bool, events: &mut Events) {
    let mut input = input(InputSet::Katago7);
    input.area_with_suicide = area_with_suicide;
    let planes = encode_with(game, &input);
    let rules = game.rules();
    let suicide = if area_with_suicide { Suicide::Allowed } else { rules.suicide };
    let owners = match rules.scoring {
        Scoring::Area => slow_area(game.board(), suicide, rules.tax, events),
        Scoring::Territory => vec![None; game.size().area()],
    };
    let (own, opponent) = (game.to_move(), !game.to_move());
    assert_eq!(points(&planes, OWN), planes_of(&owners, game.size(), own), "{}", game.board());
    assert_eq!(points(&planes, OPPONENT), planes_of(&owners, game.size(), opponent), "{}", game.board());
}

#[test]
fn random_positions_against_the_definition() {
    let mut rng = Rng(2);
    let mut events = Events::default();
    for round in 0..9000 {
        let mut game = rng.game(2..8, 5);
        // Evenly filled boards hardly ever have two eyes: one side moves alone for a while.
        let color = rng.pick(&Color::BOTH);
        for _ in 0..rng.below(game.size().area()) {
            let legal: Vec<Point> = game.legal_points(color).collect();
            let legal: Vec<Point> = legal
                .into_iter()
                .filter(|&point| !game.board().neighborhood(point).is_eye_of(color))
                .collect();
            if legal.is_empty() {
                break;
            }
            let point = rng.pick(&legal);
            game.play(color, tesuji_board::Move::Play(point)).unwrap();
        }
        check_game(&game, round % 4 == 0, &mut events);
    }
    let Events { alive, inner_one, inner_two, overwritten, seki_by_atari, seki_by_touch, spoiled_by_suicide } =
        events;
    for (count, least) in [
        (alive, 1000),
        (inner_one, 10),
        (inner_two, 5),
        (overwritten, 10),
        (seki_by_atari, 100),
        (seki_by_touch, 100),
        (spoiled_by_suicide, 3),
    ] {
        assert!(count >= least, "{count} times is too rare to be a test");
    }
}

fn check(diagram: &str, rules: Rules, black: &str, white: &str) {
    let game = game(diagram, rules);
    let planes = encode_with(&game, &input(InputSet::Katago7));
    assert_eq!(points(&planes, OWN), black, "{diagram}");
    assert_eq!(points(&planes, OPPONENT), white, "{diagram}");
}

#[test]
fn stones_and_what_one_colour_borders() {
    check("....\n.X..\n....", plain(), "A3 B3 C3 D3 A2 B2 C2 D2 A1 B1 C1 D1", "");
    check(".XO.\n.XO.\n.XO.", plain(), "A3 B3 A2 B2 A1 B1", "C3 D3 C2 D2 C1 D1");
    check(".X.O\n.X.O\n.X.O", plain(), "A3 B3 A2 B2 A1 B1", "D3 D2 D1");
    check("...\n...", plain(), "", "");
}

#[test]
fn territory_scoring_has_no_area() {
    check(".XO.\n.XO.", Rules { scoring: Scoring::Territory, ..plain() }, "", "");
}

#[test]
fn a_stone_that_cannot_live_is_no_area() {
    // Black lives with two eyes; White's stone in the larger one has one point out of touch.
    check(".XO..\nXX...\n.XXXX\nXX...", plain(), "A4 B4 A3 B3 A2 B2 C2 D2 E2 A1 B1 C1 D1 E1", "C4");
}

#[test]
fn a_tax_takes_eyes_in_seki() {
    let seki = Rules { tax: Tax::Seki, ..plain() };
    // Three of the four areas are in atari.
    let rows = ".XO.O\nXXOOO\nOOXXX\n.OX..";
    let (black, white) = ("A4 B4 A3 B3 C2 D2 E2 C1 D1 E1", "C4 D4 E4 C3 D3 E3 A2 B2 A1 B1");
    check(rows, plain(), black, white);
    check(rows, seki, "B4 A3 B3 C2 D2 E2 C1 D1 E1", "C4 E4 C3 D3 E3 A2 B2 B1");
    // Both areas touch points that belong to nobody.
    check(".X.O\n.X.O\n.X.O", seki, "B3 B2 B1", "D3 D2 D1");
    check(".XO.\n.XO.\n.XO.", seki, "A3 B3 A2 B2 A1 B1", "C3 D3 C2 D2 C1 D1");
}

#[test]
fn suicide_can_take_an_eye() {
    // White can fill the eye of two points, and does not count there while that is forbidden.
    let rows = "O.X\nXX.\nXXX\nX.X";
    check(rows, plain(), "A4 B4 C4 A3 B3 C3 A2 B2 C2 A1 B1 C1", "");
    check(rows, Rules { suicide: Suicide::Allowed, ..plain() }, "C4 A3 B3 C3 A2 B2 C2 A1 B1 C1", "A4");
}
