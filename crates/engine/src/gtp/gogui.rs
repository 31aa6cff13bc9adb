//! GoGui's analyze commands: what the engine thinks, drawn on the board.

use tesuji_board::{Color, Size};
use tesuji_gtp::{Command, CommandTable, Reply, Session};
use tesuji_search::Report;

use super::Controlled;
use super::graphics;
use super::status::color_name;
use crate::settings::{Field, PARAMETERS};

/// What GoGui offers its user: type of the answer, label, command.
const ANALYZE_COMMANDS: &str = "\
dboard/Ownership/tesuji-ownership
cboard/Territory/tesuji-territory
gfx/Influence/tesuji-influence
gfx/Variation/tesuji-variation
gfx/Visits/tesuji-visits
gfx/Policy of the network/tesuji-policy
string/Score/final_score
string/Explain last move/gomill-explain_last_move
plist/Dead stones/final_status_list dead
param/Parameters/tesuji-parameters";

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table
        .add("gogui-analyze_commands", |_, _, _| Ok(ANALYZE_COMMANDS.to_owned()))
        .add("tesuji-ownership", ownership)
        .add("tesuji-territory", territory)
        .add("tesuji-influence", |state, _, _| draw(state, graphics::influence))
        .add("tesuji-variation", |state, _, _| draw(state, graphics::variation))
        .add("tesuji-visits", |state, _, _| draw(state, graphics::visits))
        .add("tesuji-parameters", parameters);
}

fn draw(state: &mut Controlled, picture: fn(&Report, Color, Size) -> String) -> Reply {
    let game = state.engine.game();
    let (color, size) = (game.to_move(), game.size());
    Ok(picture(&state.engine.report(color), color, size))
}

fn ownership(state: &mut Controlled, _: &Command, _: &mut Session<'_>) -> Reply {
    let game = state.engine.game();
    let (color, size) = (game.to_move(), game.size());
    let report = state.engine.report(color);
    let rows = report.black_ownership.chunks(size.width());
    let row = |values: &[f32]| values.iter().map(|value| format!("{value:.2}")).collect::<Vec<_>>().join(" ");
    Ok("\n".to_owned() + &rows.map(row).collect::<Vec<_>>().join("\n"))
}

fn territory(state: &mut Controlled, _: &Command, _: &mut Session<'_>) -> Reply {
    let judgement = state.engine.judge();
    let size = state.engine.game().size();
    let row = |y| {
        let points = (0..size.width()).filter_map(move |x| size.point(x, y));
        points.map(|point| color_name(judgement.owner(point))).collect::<Vec<_>>().join(" ")
    };
    Ok("\n".to_owned() + &(0..size.height()).map(row).collect::<Vec<_>>().join("\n"))
}

/// Without arguments the list that GoGui makes a dialog of; with name and value it sets one.
fn parameters(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    if !command.args.is_empty() {
        let (name, value) = (command.word(0, "parameter")?, command.word(1, "value")?);
        state.engine.set_parameter(name, value).map_err(|error| error.to_string())?;
        return Ok(String::new());
    }
    let lines = PARAMETERS.iter().map(|parameter| {
        let (kind, value) = (&parameter.field, parameter.value(state.engine.settings()));
        match kind {
            Field::Switch(_) => format!("[bool] {} {}", parameter.name, u8::from(value == "true")),
            Field::Integer(..)
            | Field::Number(..)
            | Field::Gammas(_)
            | Field::Level(_)
            | Field::Search(_) => {
                format!("[string] {} {value}", parameter.name)
            }
        }
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
