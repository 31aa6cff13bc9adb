//! How strong the players of a game look by their moves, and which of their moves stronger players would not make.

use tesuji_board::{Color, Game, Move};
use tesuji_engine::{Evidence, Imitator};
use tesuji_net::input::Rank;
use tesuji_sgf::GameRecord;

/// The side of the boards that ranks were learned on.
const LEARNED_SIDE: usize = 9;

/// How many ranks stronger the players are whom a review compares with.
const STRONGER: i32 = 4;

/// The probability of a move that was played, for players of every rank.
type ByRank = [f32; Rank::COUNT];

/// Whether ranks were learned on boards of a game's size; on others an estimate is no more than a guess.
pub fn knows_ranks_on(game: &Game) -> bool {
    game.size().is_square() && game.size().width() == LEARNED_SIDE
}

/// What the moves of a player say about the rank.
pub fn evidence(imitator: &mut Imitator, game: &Game, color: Color) -> Evidence {
    let mut evidence = Evidence::default();
    visit(imitator, game, color, |_, _, probabilities| evidence.add(probabilities));
    evidence
}

/// The rank with its interval, for people.
pub fn describe_rank(evidence: &Evidence) -> String {
    let estimate = evidence.estimate();
    let (low, high) = estimate.interval;
    format!("plays like {} (90 %: {low} to {high}; OGS ranks of 2014–20)", estimate.rank)
}

/// Sentences about both players for a review; none on boards where ranks mean nothing.
pub(crate) fn notes(record: &GameRecord, game: &Game) -> Vec<String> {
    if !knows_ranks_on(game) {
        return Vec::new();
    }
    let mut imitator = Imitator::default();
    let sides = [(Color::Black, "Black", &record.black_rank), (Color::White, "White", &record.white_rank)];
    sides
        .into_iter()
        .flat_map(|(color, name, rank)| notes_on_player(&mut imitator, game, color, name, rank))
        .collect()
}

fn notes_on_player(
    imitator: &mut Imitator,
    game: &Game,
    color: Color,
    name: &str,
    rank: &str,
) -> Vec<String> {
    let mut evidence = Evidence::default();
    let mut moves: Vec<(usize, Move, ByRank)> = Vec::new();
    visit(imitator, game, color, |number, mv, probabilities| {
        evidence.add(probabilities);
        moves.push((number, mv, *probabilities));
    });
    if moves.is_empty() {
        return Vec::new();
    }
    let mut notes = vec![format!("{name} {}.", describe_rank(&evidence))];
    let own: Rank = rank.parse().unwrap_or(evidence.estimate().rank);
    let stronger = own.moved(STRONGER);
    let outgrown: Vec<String> = moves
        .iter()
        .filter(|(_, _, by_rank)| is_outgrown(by_rank[own.steps()], by_rank[stronger.steps()]))
        .map(|(number, mv, by_rank)| {
            format!("{number} {} ({:.1} %)", mv.to_gtp(game.size()), 100.0 * by_rank[stronger.steps()])
        })
        .collect();
    if stronger > own && !outgrown.is_empty() {
        notes.push(format!(
            "Moves of {name}'s that {stronger} players would hardly make: {}.",
            outgrown.join(", ")
        ));
    }
    notes
}

/// Whether stronger players hardly make a move that others make at least half as often again.
fn is_outgrown(own: f32, stronger: f32) -> bool {
    stronger < 0.05 && own > 1.5 * stronger
}

/// Calls `look` with the number of every move of a player's that is no pass, the move, and its probability by rank.
fn visit(imitator: &mut Imitator, game: &Game, color: Color, mut look: impl FnMut(usize, Move, &ByRank)) {
    let mut position = game.clone();
    if position.undo(game.move_number()).is_err() {
        return;
    }
    for &(mover, mv) in game.moves() {
        if mover == color
            && mv.point().is_some()
            && let Some(probabilities) = imitator.probabilities(&position, color, mv)
        {
            look(position.move_number() + 1, mv, &probabilities);
        }
        if position.play(mover, mv).is_err() {
            return;
        }
    }
}
