//! The commands every controller uses: who are you, board, komi, moves, undo.

use tesuji_board::{Color, Diagram, Game, Move, Size, parse_komi};
use tesuji_gtp::{Command, CommandTable, Reply, Session, StopOn};

use super::{Controlled, argument, graphics};
use crate::decision::{Decision, Purpose};
use crate::engine::MoveRequest;

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table
        .add("name", |state, _, _| Ok(state.name.clone()))
        .add("version", |state, _, _| Ok(state.version.clone()))
        .add("boardsize", boardsize)
        .add("rectangular_boardsize", rectangular_boardsize)
        .add("clear_board", clear_board)
        .add("komi", komi)
        .add("get_komi", |state, _, _| Ok(state.engine.game().rules().komi.to_string()))
        .add("play", play)
        .add("genmove", |state, command, session| generate(state, command, session, Purpose::Play))
        .add("kgs-genmove_cleanup", |state, command, session| {
            generate(state, command, session, Purpose::CleanUp)
        })
        .add("reg_genmove", search_only)
        .add("kata-search", search_only)
        .add("undo", |state, _, _| undo(state, 1))
        .add("gg-undo", gg_undo)
        .add("showboard", |state, _, _| Ok(format!("\n{}", picture(state.engine.game()))));
}

/// A decision as GTP writes it.
pub(super) fn vertex_of(decision: Decision, size: Size) -> String {
    match decision {
        Decision::Move(mv) => mv.to_gtp(size),
        Decision::Resign => "resign".to_owned(),
    }
}

fn boardsize(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    command.at_most(2)?;
    let width = command.parsed(0, "board size")?;
    let height = if command.args.len() > 1 { command.parsed(1, "board size")? } else { width };
    resize(state, width, height)
}

fn rectangular_boardsize(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let (width, height) = (command.parsed(0, "width")?, command.parsed(1, "height")?);
    resize(state, width, height)
}

fn resize(state: &mut Controlled, width: usize, height: usize) -> Reply {
    let size = Size::new(width, height).map_err(|_| "unacceptable size")?;
    state.engine.new_game(size);
    Ok(String::new())
}

fn clear_board(state: &mut Controlled, _: &Command, _: &mut Session<'_>) -> Reply {
    let size = state.engine.game().size();
    state.engine.new_game(size);
    Ok(String::new())
}

fn komi(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let komi = parse_komi(command.word(0, "komi")?).map_err(|error| error.to_string())?;
    state.engine.set_komi(komi);
    Ok(String::new())
}

fn play(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let color = argument::color(command, 0)?;
    if command.word(1, "vertex")?.eq_ignore_ascii_case("resign") {
        // Some controllers report a resignation as a move; the position stays as it is.
        return Ok(String::new());
    }
    let mv = argument::vertex(command, 1, state.engine.game().size())?;
    state.engine.play(color, mv).map_err(|error| format!("illegal move: {error}"))?;
    Ok(String::new())
}

fn generate(state: &mut Controlled, command: &Command, session: &mut Session<'_>, purpose: Purpose) -> Reply {
    let color = color_to_move(state, command)?;
    let size = state.engine.game().size();
    let stop = session.stop_flag(StopOn::Interrupt);
    let interval = graphics::interval(state.engine.settings());
    let request = MoveRequest { purpose, interval, ..MoveRequest::new(color, stop) };
    let choice = state.engine.generate(&request, &mut |report| graphics::print_live(report, color, size));
    Ok(vertex_of(choice.decision, size))
}

fn search_only(state: &mut Controlled, command: &Command, session: &mut Session<'_>) -> Reply {
    let color = color_to_move(state, command)?;
    let request = MoveRequest::new(color, session.stop_flag(StopOn::Interrupt));
    let choice = state.engine.choose(&request, &mut |_| ());
    Ok(vertex_of(choice.decision, state.engine.game().size()))
}

/// The colour of the command, or the player whose turn it is if there is none.
fn color_to_move(state: &Controlled, command: &Command) -> Result<Color, String> {
    command.at_most(1)?;
    if command.args.is_empty() { Ok(state.engine.game().to_move()) } else { argument::color(command, 0) }
}

fn gg_undo(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let count = if command.args.is_empty() { 1 } else { command.parsed(0, "number of moves")? };
    undo(state, count)
}

fn undo(state: &mut Controlled, count: usize) -> Reply {
    state.engine.undo(count).map_err(|error| error.to_string())?;
    Ok(String::new())
}

/// The board with what a reader wants to know beside it.
fn picture(game: &Game) -> String {
    let mut diagram = Diagram::of(game.board());
    diagram.to_play = Some(game.to_move());
    if let Some((_, Move::Play(point))) = game.last_move()
        && !game.board().is_empty(point)
    {
        diagram.last_move = Some(point);
    }
    let rules = game.rules();
    format!(
        "{diagram}captured by X: {}, by O: {}\nmove {}, komi {}, {} rules",
        game.prisoners(Color::Black),
        game.prisoners(Color::White),
        game.move_number(),
        rules.komi,
        rules.name().unwrap_or("own"),
    )
}
