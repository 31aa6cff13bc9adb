//! Who won a game in which both passed.
//!
//! The board as it stands names the wrong winner in half the games, because engines pass with dead stones on it. So the
//! methods are tried in an order of trust, and the record says which one spoke: both engines agree on the dead stones;
//! an arbiter; both engines play on until nothing dead is left; our own playouts. Rules without agreement about
//! dead stones (such as Tromp–Taylor's) leave no choice: all stones are alive.

use std::time::Duration;

use tesuji_board::{
    Board, Color, Game, GameResult, Move, Owner, Ownership, Point, PointSet, Rules, Scoring, Tax, Verdict,
    area_lead, territory_lead,
};
use tesuji_search::Rng;
use tesuji_search::playout::{End, Ending as PlayoutEnd, Heavy, Position, owner, run};

use crate::player::{COUNT_TIMEOUT, MoveAnswer, Player};
use crate::record::CountMethod;

/// What the methods need besides the game.
pub struct Counter<'a> {
    /// The methods in the order they are tried.
    pub methods: &'a [CountMethod],
    /// The command that starts the arbiter, if there is one.
    pub arbiter: Option<&'a str>,
    /// For commands that need no thinking.
    pub timeout: Duration,
    /// For one move of a clean-up.
    pub move_timeout: Duration,
    /// Makes the referee's own playouts reproducible.
    pub seed: u64,
}

/// The usual order of methods for these rules.
pub fn default_methods(rules: &Rules) -> &'static [CountMethod] {
    use CountMethod::{Agreement, Arbiter, Board, Cleanup, Playouts};
    if rules.scoring == Scoring::Area && !rules.friendly_pass {
        &[Board]
    } else {
        &[Agreement, Arbiter, Cleanup, Playouts]
    }
}

impl Counter<'_> {
    /// The result of a game that is over, and the method that found it; if none does, all stones count as alive.
    pub fn count(&self, players: &mut [&mut Player; 2], game: &Game) -> (GameResult, CountMethod) {
        for &method in self.methods {
            let result = match method {
                CountMethod::Agreement => agreed(players, game).map(|verdict| result_of(game, &verdict)),
                CountMethod::Arbiter => self.ask_arbiter(game),
                CountMethod::Cleanup => self.clean_up(players, game),
                CountMethod::Playouts => Some(result_of(game, &play_out(game, self.seed))),
                CountMethod::Board => None,
            };
            if let Some(result) = result {
                return (result, method);
            }
        }
        (result_of(game, &Verdict::default()), CountMethod::Board)
    }

    fn ask_arbiter(&self, game: &Game) -> Option<GameResult> {
        let size = game.size();
        let mut arbiter = Player::start(self.arbiter?, self.timeout).ok()?;
        arbiter.new_game(size, game.rules()).ok()?;
        for &(color, mv) in game.moves() {
            arbiter.play(color, mv, size).ok()?;
        }
        let text = arbiter.ask_within("final_score", COUNT_TIMEOUT).ok()?;
        arbiter.quit();
        // GNU Go adds words after the result.
        let result = GameResult::parse(text.split_whitespace().next()?).ok()?;
        matches!(result, GameResult::Win(..) | GameResult::Draw).then_some(result)
    }

    /// Lets both engines capture what they think dead, then counts the board.
    fn clean_up(&self, players: &mut [&mut Player; 2], game: &Game) -> Option<GameResult> {
        for player in players.iter_mut() {
            if !player.knows(CLEANUP).ok()? {
                return None;
            }
        }
        let size = game.size();
        let mut cleaned = game.clone();
        let mut passes = 0;
        for _ in 0..3 * size.area() {
            let color = cleaned.to_move();
            let (_, answer) = players[color.index()].choose(CLEANUP, color, size, self.move_timeout);
            let mv = match answer.ok()? {
                MoveAnswer::Move(mv) => mv,
                MoveAnswer::Resign => Move::Pass,
            };
            cleaned.play(color, mv).ok()?;
            players[(!color).index()].play(color, mv, size).ok()?;
            passes = if mv == Move::Pass { passes + 1 } else { 0 };
            if passes == 2 {
                return Some(result_after_cleanup(game, cleaned.board()));
            }
        }
        None
    }
}

const CLEANUP: &str = "kgs-genmove_cleanup";

/// Playouts that decide which stones are dead; a stone on the verge is off by 3 % of them at most.
const PLAYOUTS: usize = 1000;

/// The dead stones, if both engines name the same; stones in seki matter only to rules that tax them.
fn agreed(players: &mut [&mut Player; 2], game: &Game) -> Option<Verdict> {
    let mut same = |status: &str| {
        let [first, second] = players;
        let stones = first.stones(status, game.size()).ok()??;
        (second.stones(status, game.size()).ok()?? == stones).then_some(stones)
    };
    let dead: PointSet =
        same("dead")?.into_iter().filter(|&point| game.board().color(point).is_some()).collect();
    let seki =
        if game.rules().tax == Tax::None { PointSet::default() } else { same("seki")?.into_iter().collect() };
    Some(Verdict { dead, seki })
}

fn result_after_cleanup(game: &Game, cleaned: &Board) -> GameResult {
    let all_alive = Verdict::default();
    match game.rules().scoring {
        Scoring::Area => with_bonuses(game, area_lead(cleaned, &all_alive)),
        // Playing on costs territory, so it only shows which stones were dead.
        Scoring::Territory => {
            let owners = Ownership::by_area(cleaned, &all_alive);
            let is_dead = |&point: &Point| {
                let stone = game.board().color(point);
                stone.is_some_and(|color| owners.owner(point) == Owner::from(!color))
            };
            let dead = game.size().points().filter(is_dead).collect();
            result_of(game, &Verdict { dead, ..Verdict::default() })
        }
    }
}

/// A chain is dead when its points are mostly the opponent's after playouts with either side to move first.
fn play_out(game: &Game, seed: u64) -> Verdict {
    let size = game.size();
    let board = game.board();
    let mut rng = Rng::new(seed);
    let mut policy = Heavy::default();
    let mut black_lead = vec![0i32; size.area()];
    for number in 0..PLAYOUTS {
        let mut position = Position::new(board.clone(), Color::BOTH[number % 2]);
        let end = run(&mut policy, &mut position, &mut rng, PlayoutEnd::natural(size.area()), |_, _| ());
        if end != End::Passes {
            continue;
        }
        for (lead, point) in black_lead.iter_mut().zip(size.points()) {
            *lead += owner(&position.board, point).map_or(0, black_sign);
        }
    }
    let mut dead = PointSet::default();
    for (stone, color) in board.chain_representatives() {
        let stones = || board.stones(board.chain_at(stone));
        let lead: i32 = stones().map(|point| black_lead[size.ordinal(point)]).sum();
        if lead * black_sign(color) < 0 {
            stones().for_each(|point| _ = dead.insert(point));
        }
    }
    Verdict { dead, ..Verdict::default() }
}

fn result_of(game: &Game, verdict: &Verdict) -> GameResult {
    let lead = match game.rules().scoring {
        Scoring::Area => area_lead(game.board(), verdict),
        Scoring::Territory => territory_lead(game.board(), verdict),
    };
    with_bonuses(game, lead)
}

fn with_bonuses(game: &Game, lead: i32) -> GameResult {
    let first_pass = game.moves().iter().find(|(_, mv)| *mv == Move::Pass);
    let button = match first_pass {
        Some(&(color, _)) if game.rules().has_button => 0.5 * black_sign(color) as f32,
        _ => 0.0,
    };
    tesuji_board::Score::with_komi(lead, game.white_points() - button).into()
}

fn black_sign(color: Color) -> i32 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_board::{Diagram, Rules};

    fn game(diagram: &str, rules: Rules) -> Game {
        let board = Diagram::parse(diagram).unwrap().board;
        let mut game = Game::from_position(board, Color::Black, rules);
        game.play(Color::Black, Move::Pass).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
        game
    }

    fn area() -> Rules {
        Rules { komi: 0.5, ..Rules::default() }
    }

    /// Both live with two eyes; the white stones in Black's corner are dead.
    const DEAD_CORNER: &str = "\
        .OO.XO.\n\
        ....XO.\n\
        XX..XOO\n\
        .XXXXO.\n\
        XXX.XOO\n\
        X.X.XO.\n\
        XXXXXOO";

    #[test]
    fn playouts_find_dead_stones() {
        let game = game(DEAD_CORNER, area());
        let dead = play_out(&game, 1).dead;
        let names: Vec<String> = dead.iter().map(|point| point.to_gtp(game.size())).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.contains(&"B7".to_owned()) && names.contains(&"C7".to_owned()));
        assert_eq!(result_of(&game, &Verdict { dead, ..Verdict::default() }).to_string(), "B+20.5");
        // As it stands, the region around the dead stones is nobody's.
        assert_eq!(result_of(&game, &Verdict::default()).to_string(), "B+8.5");
    }

    #[test]
    fn cleanup_counts_area_directly_and_territory_by_the_dead() {
        let cleaned = DEAD_CORNER.replacen(".OO.", ".XX.", 1).replacen("....", "XX..", 1);
        let cleaned = Diagram::parse(&cleaned).unwrap().board;
        assert_eq!(result_after_cleanup(&game(DEAD_CORNER, area()), &cleaned).to_string(), "B+20.5");
        let territory = Rules { komi: 0.5, ..Rules::named("japanese").unwrap() };
        let expected = result_of(
            &game(DEAD_CORNER, territory),
            &Verdict { dead: play_out(&game(DEAD_CORNER, area()), 1).dead, ..Verdict::default() },
        );
        assert_eq!(result_after_cleanup(&game(DEAD_CORNER, territory), &cleaned), expected);
    }

    #[test]
    fn the_button_goes_to_the_first_pass() {
        let rules = Rules { komi: 0.0, ..Rules::named("aga-button").unwrap() };
        assert_eq!(result_of(&game(".X.\n...", rules), &Verdict::default()).to_string(), "B+6.5");
    }
}
