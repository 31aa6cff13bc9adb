//! The ladder planes against a reader that copies a board for every move, tries every move and remembers nothing.

use crate::support::{Rng, encode, game, plain, points};
use tesuji_board::{Board, Color, Point, PointSet, Suicide};
use tesuji_net::model::InputSet;

const CAUGHT: usize = 14;
const CAPTURES: usize = 17;

fn check(diagram: &str, caught: &str, captures: &str) {
    let planes = encode(&game(diagram, plain()), InputSet::Katago7);
    assert_eq!(points(&planes, CAUGHT), caught, "{diagram}");
    assert_eq!(points(&planes, CAPTURES), captures, "{diagram}");
}

#[test]
fn a_plain_ladder_and_a_breaker() {
    check(
        ".........\n...X.....\n..XO.....\n..X......\n.........\n.........\n.........\n.........\n.........",
        "D7",
        "E7",
    );
    check(
        ".........\n...X.....\n..XO.....\n..X......\n.........\n.........\n......O..\n.........\n.........",
        "",
        "",
    );
}

#[test]
fn chains_of_both_colours_are_marked_but_only_the_opponents_have_captures() {
    for to_play in ["X", "O"] {
        check(&format!("XX.O.\nOOO..\n.....\n.....\nto play: {to_play}"), "A4 B4", "");
    }
    let ladder =
        ".........\n...X.....\n..XO.....\n..X......\n.........\n.........\n.........\n.........\n.........";
    check(&format!("{ladder}\nto play: O"), "D7", "");
}

#[test]
fn a_chain_in_atari_that_can_capture_is_not_caught() {
    check(".....\n.OXX.\n.XO.X\n.OXX.\n.....\nto play: X", "", "");
}

#[test]
fn an_attack_that_takes_a_ko_fails() {
    // White's C2 runs to C3 and joins B3. Black's only atari that works takes D4, and White could retake after a threat.
    let rows = "......\n..O...\n.XOX..\nXO.OX.\n.O.X..\nXXOX..\n..X...";
    let is_caught =
        |rows: &str| points(&encode(&game(rows, plain()), InputSet::Katago7), CAUGHT).contains("C2");
    assert!(!is_caught(rows));
    // Without White's stone on D4 there is nothing to retake.
    assert!(is_caught(&rows.replace("XO.OX.", "XO.XX.")));
}

#[derive(Clone, Copy)]
struct Slow {
    stone: Point,
    owner: Color,
}

impl Slow {
    fn liberties(self, board: &Board) -> Vec<Point> {
        board.liberties(board.chain_at(self.stone)).collect()
    }

    fn capturable(self, board: &Board) -> Vec<Point> {
        let chain = board.chain_at(self.stone);
        let mut found = Vec::new();
        for stone in board.stones(chain) {
            for side in board.size().neighbors(stone) {
                if board.color(side) == Some(!self.owner) {
                    let attackers = board.chain_at(side);
                    if board.liberty_count(attackers) == 1 {
                        found.extend(board.first_liberty(attackers));
                    }
                }
            }
        }
        found
    }

    /// Owner to move; `has_ko`: the attacker's move left one.
    fn caught_defending(self, board: &Board, has_ko: bool, count: &mut [usize; 4]) -> bool {
        if self.liberties(board).len() >= 2 {
            return false;
        }
        if has_ko {
            count[0] += 1;
            return false;
        }
        let mut moves = self.capturable(board);
        moves.extend(self.liberties(board));
        moves.iter().all(|&point| {
            let mut next = board.clone();
            next.play(point, self.owner, Suicide::Forbidden).is_err() || self.caught_attacked(&next, count)
        })
    }

    fn is_ko_mouth(self, board: &Board, point: Point) -> bool {
        let sides: Vec<Point> = board.size().neighbors(point).collect();
        let in_atari = |&&side: &&Point| board.liberty_count(board.chain_at(side)) == 1;
        sides.iter().all(|&side| board.color(side) == Some(self.owner))
            && sides.iter().filter(in_atari).count() == 1
            && sides.iter().filter(in_atari).all(|&side| board.chain_size(board.chain_at(side)) == 1)
    }

    fn caught_attacked(self, board: &Board, count: &mut [usize; 4]) -> bool {
        let liberties = self.liberties(board);
        if liberties.len() != 2 {
            return liberties.len() < 2;
        }
        if liberties.iter().all(|&point| self.is_ko_mouth(board, point)) {
            count[1] += 1;
            let few_after = |&point: &Point| {
                let mut next = board.clone();
                next.play_unchecked(point, self.owner);
                next.liberty_count(next.chain_at(point)) <= 2
            };
            if !liberties.iter().all(few_after) {
                count[2] += 1;
            } else if self.capturable(board).is_empty() {
                return true;
            }
        }
        liberties.iter().any(|&point| {
            let mut next = board.clone();
            if let Err(error) = next.play(point, !self.owner, Suicide::Forbidden) {
                count[3] += usize::from(error == tesuji_board::IllegalMove::Ko);
                return false;
            }
            self.caught_defending(&next, next.ko_point(self.owner).is_some(), count)
        })
    }
}

/// Caught stones, and captures by colour of the prey. Counts how often an attacker's ko saved a chain, both liberties were ko
/// mouths, connecting one gave liberties nevertheless, and a ko stopped the attacker.
fn slow_ladders(real: &Board, count: &mut [usize; 4]) -> (PointSet, [PointSet; 2]) {
    let (mut caught, mut captures) = (PointSet::EMPTY, [PointSet::EMPTY; 2]);
    let ko = Color::BOTH.into_iter().find_map(|color| real.ko_point(color));
    let mut board = real.clone();
    board.pass();
    for stone in real.size().points() {
        let Some(owner) = real.color(stone) else { continue };
        let prey = Slow { stone, owner };
        let liberties = prey.liberties(real);
        if liberties.len() == 1 && prey.caught_defending(&board, false, count) {
            caught.insert(stone);
        }
        if liberties.len() == 2 {
            for point in liberties.into_iter().filter(|&point| Some(point) != ko) {
                let mut next = board.clone();
                if next.play(point, !owner, Suicide::Forbidden).is_ok() {
                    next.pass();
                    if prey.caught_defending(&next, false, count) {
                        caught.insert(stone);
                        captures[owner.index()].insert(point);
                    }
                }
            }
        }
    }
    (caught, captures)
}

/// Boards are too large for the stack of a test that recurses with copies of them.
const STACK: usize = 1 << 29;

#[test]
fn random_positions_against_trying_everything() {
    std::thread::Builder::new().stack_size(STACK).spawn(compare_random_positions).unwrap().join().unwrap();
}

fn compare_random_positions() {
    let mut rng = Rng(1);
    let mut count = [0; 4];
    let (mut stones, mut moves) = (0, 0);
    for _ in 0..3000 {
        let mut game = rng.game(4..9, 5);
        rng.step(&mut game, 0);
        let planes = encode(&game, InputSet::Katago7);
        let (caught, captures) = slow_ladders(game.board(), &mut count);
        let names =
            |set: &PointSet| set.iter().map(|point| point.to_gtp(game.size())).collect::<Vec<_>>().join(" ");
        assert_eq!(points(&planes, CAUGHT), names(&caught), "{}", game.board());
        let prey = !game.to_move();
        assert_eq!(points(&planes, CAPTURES), names(&captures[prey.index()]), "{}", game.board());
        stones += caught.len();
        moves += captures[prey.index()].len();
    }
    assert!(stones > 5000 && moves > 1000, "{stones} stones, {moves} moves");
    let [left_kos, double_kos, roomy_double_kos, banned] = count;
    assert!(left_kos > 100 && double_kos > 50 && roomy_double_kos > 1 && banned > 100, "{count:?}");
}
