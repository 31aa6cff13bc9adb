//! What the network says of a position without any search: KataGo's `kata-raw-nn`, and its policy as a picture for GoGui.

use std::fmt::Write;

use tesuji_board::{Color, Game, Move};
use tesuji_gtp::{Command, CommandTable, Reply, Session};
use tesuji_net::input::{Line, SYMMETRIES};
use tesuji_net::output::{Evaluation, Outcome};

use super::Controlled;

/// How much of an optimistic policy KataGo mixes into what it prints.
const OPTIMISM: f32 = 0.2;
/// Probability from which on the picture labels a move.
const SHOWN: f32 = 0.005;

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table.add("kata-raw-nn", raw).add("tesuji-policy", policy);
}

/// `kata-raw-nn [symmetry|all]`.
fn raw(state: &mut Controlled, command: &Command, _: &mut Session<'_>) -> Reply {
    let all = 0..SYMMETRIES;
    let symmetries = match command.args.first().map(String::as_str) {
        None => 0..1,
        Some("all") => all,
        Some(text) => match text.parse() {
            Ok(number) if all.contains(&number) => number..number + 1,
            _ => return Err(format!("'{text}' is no symmetry: 0 to 7, or all")),
        },
    };
    let mut text = String::new();
    for symmetry in symmetries {
        let evaluation = evaluate(state, symmetry)?;
        print(&mut text, state.engine.game(), symmetry, &evaluation).map_err(|error| error.to_string())?;
    }
    Ok(text.trim_end().to_owned())
}

/// The likeliest moves, as labels in percent.
fn policy(state: &mut Controlled, _: &Command, _: &mut Session<'_>) -> Reply {
    let evaluation = evaluate(state, 0)?;
    let size = state.engine.game().size();
    let labels = size.points().zip(&evaluation.policy).filter(|&(_, &probability)| probability >= SHOWN);
    let label = |(point, probability): (_, &f32)| {
        format!(" {} {:.0}", Move::Play(point).to_gtp(size), probability * 100.0)
    };
    let labels: String = labels.map(label).collect();
    Ok(format!("LABEL{labels}\nTEXT Policy in percent; pass {:.1} %", evaluation.pass * 100.0))
}

fn evaluate(state: &mut Controlled, symmetry: usize) -> Result<Evaluation, String> {
    let net = state.engine.settings().net.clone();
    let game = state.engine.game();
    let missing = || match net.path() {
        Some(path) => format!("{} cannot be used for this board", path.display()),
        None => "the program has no network for this board; start with --net FILE".to_owned(),
    };
    let mut seat =
        net.wait(game.size()).and_then(|reader| reader.seat(game.size(), 1)).ok_or_else(missing)?;
    let line = Line::from_game(game, game.to_move());
    let place = seat.add(&line.view(), symmetry);
    seat.evaluate(OPTIMISM).map_err(|error| error.to_string())?;
    Ok(seat.evaluation(place).clone())
}

fn print(text: &mut String, game: &Game, symmetry: usize, evaluation: &Evaluation) -> std::fmt::Result {
    let white = game.to_move() == Color::White;
    let sign = if white { 1.0 } else { -1.0 };
    let unknown = Outcome { win: 0.5, loss: 0.5, no_result: 0.0 };
    let Outcome { win, loss, no_result } = evaluation.outcome.unwrap_or(unknown);
    let (white_win, white_loss) = if white { (win, loss) } else { (loss, win) };
    let signed = |value: Option<f32>| sign * value.unwrap_or(0.0);
    writeln!(text, "symmetry {symmetry}")?;
    writeln!(text, "whiteWin {white_win:.6}")?;
    writeln!(text, "whiteLoss {white_loss:.6}")?;
    writeln!(text, "noResult {no_result:.6}")?;
    writeln!(text, "whiteLead {:.3}", signed(evaluation.lead))?;
    writeln!(text, "whiteScoreSelfplay {:.3}", signed(evaluation.score_mean))?;
    writeln!(text, "whiteScoreSelfplaySq {:.3}", evaluation.score_square.unwrap_or(0.0))?;
    writeln!(text, "varTimeLeft {:.3}", evaluation.variance_time.unwrap_or(-1.0))?;
    writeln!(text, "shorttermWinlossError {:.3}", evaluation.short_term_value_error.unwrap_or(-1.0))?;
    writeln!(text, "shorttermScoreError {:.3}", evaluation.short_term_score_error.unwrap_or(-1.0))?;
    let width = game.size().width();
    writeln!(text, "policy")?;
    let legal = |index: usize| {
        let point = game.size().points().nth(index);
        point.is_some_and(|point| game.legality(game.to_move(), point).is_ok())
    };
    for (row, values) in evaluation.policy.chunks(width).enumerate() {
        for (column, value) in values.iter().enumerate() {
            if legal(row * width + column) {
                write!(text, "{value:8.6} ")?;
            } else {
                write!(text, "    NAN ")?;
            }
        }
        writeln!(text)?;
    }
    writeln!(text, "policyPass {:8.6} ", evaluation.pass)?;
    writeln!(text, "whiteOwnership")?;
    for values in evaluation.ownership.chunks(width) {
        values.iter().try_for_each(|value| write!(text, "{:9.7} ", sign * value))?;
        writeln!(text)?;
    }
    writeln!(text)
}
