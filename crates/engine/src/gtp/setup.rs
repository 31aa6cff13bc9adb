//! Positions that are not played move by move: handicap, set-up, SGF files.

use std::fs;
use std::path::Path;

use tesuji_board::{Color, Game, HandicapError};
use tesuji_gtp::{Command, CommandTable, Reply, Session};
use tesuji_net::input::Rank;
use tesuji_sgf::{GameRecord, read, replay_leniently, write_file};

use super::{Controlled, argument};
use crate::{Level, even_handicap};

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table
        .add("fixed_handicap", |state, command, _| {
            let count = command.parsed(0, "number of stones")?;
            place_handicap(state, |game| game.place_fixed_handicap(count))
        })
        .add("place_free_handicap", |state, command, _| {
            let count = command.parsed(0, "number of stones")?;
            place_handicap(state, |game| game.place_free_handicap(count))
        })
        .add("set_free_handicap", set_free_handicap)
        .add("tesuji-even_handicap", set_even_handicap)
        .add("set_position", set_position)
        .add("gogui-setup", gogui_setup)
        .add("gogui-setup_player", |state, command, _| {
            state.engine.set_to_move(argument::color(command, 0)?);
            Ok(String::new())
        })
        .add("gogui-play_sequence", play_sequence)
        .add("loadsgf", load_sgf)
        .add("printsgf", print_sgf)
        .add("clear_cache", |state, _, _| {
            state.engine.clear_search();
            Ok(String::new())
        });
}

fn place_handicap(
    state: &mut Controlled,
    place: impl FnOnce(&mut Game) -> Result<Vec<tesuji_board::Point>, HandicapError>,
) -> Reply {
    let stones = state.engine.change_game(place).map_err(|error| error.to_string())?;
    Ok(argument::join(stones, state.engine.game().size()))
}

fn set_free_handicap(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let size = state.engine.game().size();
    let stones: Vec<_> =
        command.args.iter().map(|word| argument::parse_point(word, size)).collect::<Result<_, _>>()?;
    state.engine.change_game(|game| game.set_handicap(&stones)).map_err(|error| error.to_string())?;
    Ok(String::new())
}

/// Komi and stones that make a game on the empty board even against somebody of a rank; answers with the colour of that player, komi and the stones.
fn set_even_handicap(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let own: Rank = command.parsed(0, "rank")?;
    let Level::Rank(other) = state.engine.settings().level else {
        return Err("the level is no rank".to_owned());
    };
    let size = state.engine.game().size();
    if state.engine.game().board().empties().len() < size.area() {
        return Err(HandicapError::BoardNotEmpty.to_string());
    }
    let (count, komi) = even_handicap(size, own.max(other), own.min(other));
    let stones = match count {
        0 => String::new(),
        _ => place_handicap(state, |game| {
            game.place_fixed_handicap(count).or_else(|_| game.place_free_handicap(count))
        })?,
    };
    if let Some(komi) = komi {
        state.engine.set_komi(komi);
    }
    let color = if own > other { "white" } else { "black" };
    Ok(format!("{color} {} {stones}", state.engine.game().rules().komi).trim_end().to_owned())
}

/// Replaces whatever was on the board; Black is to move.
fn set_position(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let (size, rules) = (state.engine.game().size(), *state.engine.game().rules());
    let stones = argument::stones(command, size)?;
    let mut game = Game::new(size, rules);
    game.set_up(stones, Color::Black).map_err(|error| error.to_string())?;
    state.engine.set_game(game);
    Ok(String::new())
}

/// Changes the position by some points; undo takes it back as if it were a move.
fn gogui_setup(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let game = state.engine.game();
    let (stones, to_move) = (argument::stones(command, game.size())?, game.to_move());
    state.engine.set_up(&stones, to_move).map_err(|error| error.to_string())?;
    Ok(String::new())
}

fn play_sequence(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let moves = argument::moves(command, state.engine.game().size())?;
    state.engine.play_all(&moves).map_err(|error| format!("illegal move: {error}"))?;
    Ok(String::new())
}

fn load_sgf(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    command.word(0, "file name")?;
    let (file, before_move) = split_file_name(&command.arg_text);
    let bytes = fs::read(file).map_err(|error| format!("cannot load file: {error}"))?;
    let parsed = read(&bytes).map_err(|error| format!("cannot load file: {error}"))?;
    let tree = parsed.collection.games.first().ok_or("cannot load file: there is no game in it")?;
    let record = GameRecord::from_tree(tree).map_err(|error| format!("cannot load file: {error}"))?;
    let count = before_move.map_or(usize::MAX, |number| number.saturating_sub(1));
    let rules = record.rules_or(*state.engine.game().rules());
    let mut game = record.start(rules).map_err(|error| format!("cannot load file: {error}"))?;
    let moves = record.moves.iter().copied().take(count);
    replay_leniently(&mut game, moves).map_err(|error| format!("cannot load file: {error}"))?;
    state.engine.set_game(game);
    Ok(String::new())
}

/// A file name, which may contain blanks, and the optional move number behind it.
fn split_file_name(text: &str) -> (&str, Option<usize>) {
    if !Path::new(text).exists()
        && let Some((file, number)) = text.rsplit_once(' ')
        && let Ok(number) = number.parse()
    {
        return (file.trim_end(), Some(number));
    }
    (text, None)
}

fn print_sgf(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let text = GameRecord::of_game(state.engine.game()).to_sgf();
    if command.args.is_empty() {
        return Ok(text);
    }
    write_file(Path::new(&command.arg_text), &text).map_err(|error| format!("cannot write file: {error}"))?;
    Ok(String::new())
}
