//! Analysis that runs until the next line of input, and the genmove forms that show what they think.

use std::time::Duration;

use serde_json::json;
use tesuji_board::{Color, Move, Size};
use tesuji_gtp::{Command, CommandTable, Reply, Session, StopOn};
use tesuji_search::{MoveReport, Report};

use super::analysis_request::AnalysisRequest;
use super::core::vertex_of;
use super::info::{self, Dialect};
use super::{Controlled, argument, graphics};
use crate::decision::{Decision, Purpose};
use crate::engine::{Engine, MoveRequest};
use crate::player::Choice;

/// Time between reports when the client does not say.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    for (name, generate, dialect) in [
        ("lz-analyze", "lz-genmove_analyze", Dialect::Leela),
        ("kata-analyze", "kata-genmove_analyze", Dialect::Kata),
        ("analyze", "genmove_analyze", Dialect::Sabaki),
    ] {
        table.add(name, move |state, command, session| analyze(state, command, session, dialect));
        table.add(generate, move |state, command, session| {
            move_with_info(state, command, session, dialect, Engine::generate)
        });
    }
    table
        .add("kata-search_analyze", |state, command, session| {
            move_with_info(state, command, session, Dialect::Kata, Engine::choose)
        })
        .add("cgos-genmove_analyze", cgos_genmove)
        .add("heatmap", heatmap);
}

type Choose = fn(&mut Engine, &MoveRequest<'_>, &mut dyn FnMut(&Report)) -> Choice;

fn analyze(state: &mut Controlled, command: &Command, session: &mut Session<'_>, dialect: Dialect) -> Reply {
    let game = state.engine.game();
    let size = game.size();
    let request = AnalysisRequest::parse(command, dialect, game.to_move(), size)?;
    let stop = session.stop_flag(StopOn::AnyLine);
    let interval = request.interval.unwrap_or(DEFAULT_INTERVAL);
    let live = state.engine.settings().live_graphics;
    session.begin_stream();
    state.engine.analyze(request.color, interval, &stop, &mut |report| {
        session.write_line(&info::line(dialect, report, &request, size));
        if live {
            graphics::print_live(report, request.color, size);
        }
    });
    Ok(String::new())
}

fn move_with_info(
    state: &mut Controlled,
    command: &Command,
    session: &mut Session<'_>,
    dialect: Dialect,
    choose: Choose,
) -> Reply {
    let game = state.engine.game();
    let size = game.size();
    let request = AnalysisRequest::parse(command, dialect, game.to_move(), size)?;
    let allows = |mv| request.allows(mv);
    let move_request = MoveRequest {
        color: request.color,
        purpose: Purpose::Play,
        stop: session.stop_flag(StopOn::Interrupt),
        interval: request.interval,
        allows: &allows,
    };
    session.begin_stream();
    let choice = choose(&mut state.engine, &move_request, &mut |report| {
        session.write_line(&info::line(dialect, report, &request, size));
    });
    session.write_line(&info::line(dialect, &choice.report, &request, size));
    Ok(format!("play {}", vertex_of(choice.decision, size)))
}

/// One line of JSON for the server's viewers, then the move.
fn cgos_genmove(state: &mut Controlled, command: &Command, session: &mut Session<'_>) -> Reply {
    let color = argument::color(command, 0)?;
    let size = state.engine.game().size();
    let request = MoveRequest::new(color, session.stop_flag(StopOn::Interrupt));
    session.begin_stream();
    let choice = state.engine.generate(&request, &mut |_| ());
    session.write_line(&cgos_json(&choice, color, size));
    Ok(format!("play {}", vertex_of(choice.decision, size)))
}

/// Moves beyond this number only make the game records of the server large.
const CGOS_MOVES: usize = 10;

fn cgos_json(choice: &Choice, color: Color, size: Size) -> String {
    let rounded = |value: f32| (f64::from(value) * 10000.0).round() / 10000.0;
    let report = &choice.report;
    let entry = |mv: &MoveReport| {
        json!({
            "move": mv.mv.to_gtp(size),
            "visits": mv.visits,
            "winrate": rounded(mv.win_rate),
            "score": rounded(mv.score_lead),
            "prior": rounded(mv.prior),
            // The server wants what follows the move.
            "pv": info::variation(mv.variation.get(1..).unwrap_or_default(), size),
        })
    };
    let played = |mv: &&MoveReport| Decision::Move(mv.mv) == choice.decision;
    let mut moves: Vec<_> = report.moves.iter().filter(|mv| mv.visits > 0).take(CGOS_MOVES).collect();
    if let Some(mv) = report.moves.iter().find(played) {
        moves.retain(|other| other.mv != mv.mv);
        moves.insert(0, mv);
    }
    let ownership = report.black_ownership.iter();
    json!({
        "winrate": rounded(report.win_rate),
        "score": rounded(report.score_lead),
        "visits": report.visits,
        "moves": moves.into_iter().map(entry).collect::<Vec<_>>(),
        "ownership": ownership.map(|&black| cgos_letter(super::status::from_side(black, color))).collect::<String>(),
        "comment": choice.reason,
    })
    .to_string()
}

/// An ownership from −1 to 1 as one of 63 letters.
fn cgos_letter(ownership: f32) -> char {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let index = ((ownership + 1.0) / 2.0).clamp(0.0, 1.0) * 62.0;
    char::from(LETTERS[index.round() as usize])
}

/// Where the visits went, in thousandths, as Leela Zero prints its policy.
fn heatmap(state: &mut Controlled, _: &Command, _: &mut Session<'_>) -> Reply {
    let game = state.engine.game();
    let (size, color) = (game.size(), game.to_move());
    let report = state.engine.report(color);
    let total: u64 = report.moves.iter().map(|mv| mv.visits).sum();
    let share = |mv: Move| {
        let visits = report.moves.iter().find(|report| report.mv == mv).map_or(0, |report| report.visits);
        visits * 1000 / total.max(1)
    };
    let mut text = String::from("\n");
    for y in 0..size.height() {
        let row = (0..size.width()).filter_map(|x| size.point(x, y));
        text += &row.map(|point| format!("{:4}", share(Move::Play(point)))).collect::<String>();
        text.push('\n');
    }
    Ok(format!("{text}pass: {}\nwinrate: {}", share(Move::Pass), info::float(report.win_rate)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cgos_letters_span_the_range() {
        assert_eq!([-1.0, 0.0, 1.0, 7.0].map(cgos_letter), ['A', 'f', '+', '+']);
    }
}
