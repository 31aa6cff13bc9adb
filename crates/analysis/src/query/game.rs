//! The game of a query: board, rules, stones and moves.

use serde_json::Value;
use tesuji_board::{
    Color, Game, IllegalMove, KoRule, MAX_KOMI, MAX_SIDE, MIN_SIDE, Move, Point, Rules, Size,
};

use super::MOST_MOVES;
use crate::field::{Complaint, Fields};

pub(super) fn read_game(fields: &mut Fields) -> Result<Game, Complaint> {
    let sides = i64::from(MIN_SIDE)..=i64::from(MAX_SIDE);
    let mut side = |name: &str| match fields.integer(name, sides.clone()) {
        Ok(None) => Err(Complaint::of(name, "is missing")),
        Ok(Some(side)) => Ok(side as usize),
        Err(complaint) => Err(complaint),
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    let size = Size::new(width, height).map_err(|error| Complaint::of("boardXSize", error))?;
    let mut rules = match fields.value("rules") {
        None => return fields.complain("rules", "is missing"),
        Some(rules) => read_rules(rules)?,
    };
    if let Some(bonus) = fields.value("whiteHandicapBonus") {
        let set = rules.set("whiteHandicapBonus", &word_of(&bonus));
        set.map_err(|error| Complaint::of("whiteHandicapBonus", error))?;
    }
    if let Some(komi) = fields.number("komi", f64::from(-MAX_KOMI)..=f64::from(MAX_KOMI))? {
        rules.komi = komi as f32;
    }
    let stones = read_moves(fields, "initialStones", size)?.unwrap_or_default();
    let Some(moves) = read_moves(fields, "moves", size)? else {
        return fields.complain("moves", "is missing");
    };
    let first = match fields.value("initialPlayer") {
        None => None,
        Some(player) => match color_of(&player) {
            Some(color) => Some(color),
            None => return fields.complain("initialPlayer", "must be \"B\" or \"W\""),
        },
    };
    let mut game = Game::new(size, rules);
    let stones: Option<Vec<(Point, Option<Color>)>> =
        stones.into_iter().map(|(color, mv)| Some((mv.point()?, Some(color)))).collect();
    let Some(stones) = stones else { return fields.complain("initialStones", "a pass is no stone") };
    let is_handicap = stones.len() > 1 && stones.iter().all(|stone| stone.1 == Some(Color::Black));
    let usual_first = if is_handicap { Color::White } else { Color::Black };
    let first = first.or(moves.first().map(|&(color, _)| color)).unwrap_or(usual_first);
    game.set_up(stones, first).map_err(|error| Complaint::of("initialStones", error))?;
    for (number, (color, mv)) in moves.into_iter().enumerate() {
        // The words that KaTrain looks for.
        let illegal =
            |error| Complaint::of("moves", format!("Illegal move {number}: {}: {error}", mv.to_gtp(size)));
        play(&mut game, color, mv).map_err(illegal)?;
    }
    Ok(game)
}

/// Makes a move of a record. Those who played it may not have known that the rules forbid a repetition.
fn play(game: &mut Game, color: Color, mv: Move) -> Result<(), IllegalMove> {
    let played = game.play(color, mv);
    if played != Err(IllegalMove::Superko) {
        return played;
    }
    let rules = *game.rules();
    game.set_rules(Rules { ko: KoRule::Simple, ..rules });
    let played = game.play(color, mv);
    game.set_rules(rules);
    played
}

fn read_rules(value: Value) -> Result<Rules, Complaint> {
    let wrong = |error| Complaint::of("rules", error);
    match value {
        Value::String(name) => Rules::named(&name).map_err(wrong),
        Value::Object(keys) => {
            let mut rules = Rules::named("tromp-taylor").map_err(wrong)?;
            for (key, value) in keys {
                rules.set(&key, &word_of(&value)).map_err(wrong)?;
            }
            Ok(rules)
        }
        _ => Err(Complaint::of("rules", "must be the name of rules or an object")),
    }
}

/// Pairs of a colour and a vertex.
fn read_moves(fields: &mut Fields, name: &str, size: Size) -> Result<Option<Vec<(Color, Move)>>, Complaint> {
    let Some(list) = fields.list(name)? else { return Ok(None) };
    if list.len() > MOST_MOVES {
        return fields.complain(name, format!("more than {MOST_MOVES}"));
    }
    let mut moves = Vec::with_capacity(list.len());
    for value in &list {
        let pair = value.as_array().map(Vec::as_slice);
        let Some([color, Value::String(text)]) = pair else {
            return fields.complain(name, "must be an array of pairs such as [\"B\",\"D4\"]");
        };
        let Some(color) = color_of(color) else {
            return fields.complain(name, format!("{color} is no player: \"B\" or \"W\""));
        };
        match vertex(text, size) {
            Ok(mv) => moves.push((color, mv)),
            Err(problem) => return fields.complain(name, problem),
        }
    }
    Ok(Some(moves))
}

/// A GTP vertex, or coordinates from the top left such as `(2,0)`.
pub(super) fn vertex(text: &str, size: Size) -> Result<Move, String> {
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let (x, y) = inside.split_once(',').ok_or_else(|| format!("'{text}' is not a vertex"))?;
        let coordinates = x.trim().parse().ok().zip(y.trim().parse().ok());
        let point = coordinates.and_then(|(x, y)| size.point(x, y));
        return point.map(Move::Play).ok_or_else(|| format!("'{text}' is not on a {size} board"));
    }
    Move::from_gtp(text, size).map_err(|error| error.to_string())
}

pub(super) fn color_of(value: &Value) -> Option<Color> {
    match value.as_str()?.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// A JSON value as a word of the table of rules.
fn word_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
