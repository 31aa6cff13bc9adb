//! A review as one page of HTML: no script, no other file, nothing from a network; it prints.

use std::fmt::Write;

use tesuji_board::{Color, Game, Move};
use tesuji_sgf::GameRecord;

use crate::annotate::lead;
use crate::chart::Chart;
use crate::loss::{Loss, Phase, Review};
use crate::picture::{Marks, picture};
use crate::strength;

/// Moves of a better line that are shown.
const LINE: usize = 8;

const STYLE: &str = "
:root{--back:#fff;--ink:#222;--soft:#666;--rule:#ddd;--curve:#1f6fb2;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--back:#191919;--ink:#e6e6e6;--soft:#a5a5a5;--rule:#3a3a3a;--curve:#74b3e8;--bad:#f28b82}}
body{background:var(--back);color:var(--ink);font:16px/1.45 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}
p{margin:.3rem 0}.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:600}
table{border-collapse:collapse}th,td{padding:.25rem .8rem;border-bottom:1px solid var(--rule);text-align:right}th:first-child,td:first-child{text-align:left}
.chart{width:100%;height:auto;font:12px system-ui,sans-serif}.chart text{fill:var(--soft);text-anchor:end}
.rule{stroke:var(--rule);fill:none}.curve{stroke:var(--curve);stroke-width:2;fill:none}.mark{fill:var(--bad)}
.mistake{break-inside:avoid;border-top:1px solid var(--rule);padding:.6rem 0}
.pair{display:flex;flex-wrap:wrap;gap:1rem}.pair figure{margin:0;flex:1 1 16rem;max-width:20rem}figcaption{font-size:.9rem;color:var(--soft)}
.board{width:100%;height:auto;font:bold 10px system-ui,sans-serif}.wood{fill:#dcb35c}.grid{stroke:#5b4413;fill:none}.star{fill:#5b4413}
.stone{stroke:#333;stroke-width:.6}.stone.black{fill:#111}.stone.white{fill:#fafafa}
.ring{fill:none;stroke-width:2}.ring.black{stroke:#fafafa}.ring.white{stroke:#111}
.board text{text-anchor:middle;dominant-baseline:central}.board text.black{fill:#fafafa}.board text.white{fill:#111}.board text.name{fill:var(--soft);font-weight:normal}
@media(max-width:32rem){th,td{padding:.25rem .35rem}.chart{font-size:16px}}
@media print{
:root{--back:#fff;--ink:#222;--soft:#555;--rule:#ccc;--curve:#1f6fb2;--bad:#b3261e}
@page{margin:14mm}
body{max-width:none;margin:0;padding:0;font-size:11pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
h2{break-after:avoid}.chart,table{break-inside:avoid}.pair{flex-wrap:nowrap}.pair figure{flex:0 1 8.2cm}
}
";

/// The page of a review: graphs, what was lost when, and the `most` biggest mistakes. `record` says who played.
pub fn page(review: &Review, record: &GameRecord, most: usize) -> String {
    let mut html = String::new();
    let (title, mut notes) = describe(record, review);
    notes.extend(strength::notes(record, review.game()));
    let written = write_page(&mut html, review, &title, &notes, most);
    debug_assert!(written.is_ok(), "text takes everything");
    html
}

/// Who played, and on which terms.
fn describe(record: &GameRecord, review: &Review) -> (String, Vec<String>) {
    let name = |name: &str, rank: &str, color: &str| {
        let name = if name.is_empty() { color } else { name };
        if rank.is_empty() { name.to_owned() } else { format!("{name} ({rank})") }
    };
    let black = name(&record.black_name, &record.black_rank, "Black");
    let white = name(&record.white_name, &record.white_rank, "White");
    let (game, rules) = (review.game(), review.game().rules());
    let mut terms = format!(
        "{} board, {} rules, komi {}, {} moves",
        game.size(),
        rules.name().unwrap_or("other"),
        rules.komi,
        game.move_number()
    );
    if record.handicap > 1 {
        terms += &format!(", handicap {}", record.handicap);
    }
    let visits: u64 =
        review.turns().filter_map(|turn| review.finding(turn)).map(|finding| finding.visits).sum();
    let by = format!("Reviewed by Tesuji {} with {visits} visits.", env!("CARGO_PKG_VERSION"));
    let notes = [terms, record.date.clone(), by].into_iter().filter(|note| !note.is_empty()).collect();
    (format!("{black} – {white}"), notes)
}

fn write_page(
    html: &mut String,
    review: &Review,
    title: &str,
    notes: &[String],
    most: usize,
) -> std::fmt::Result {
    let title = escape(title);
    write!(
        html,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    )?;
    for note in notes {
        writeln!(html, "<p class=\"soft\">{}</p>", escape(note))?;
    }
    let known = review.turns().filter(|&turn| review.finding(turn).is_some()).count();
    if known < review.turns().len() {
        writeln!(
            html,
            "<p class=\"bad\">Not finished: {known} of {} positions are analysed.</p>",
            review.turns().len()
        )?;
    }
    let mistakes = review.mistakes(most);
    write_charts(html, review, &mistakes)?;
    write_table(html, review)?;
    writeln!(html, "<h2>The biggest mistakes</h2>")?;
    if mistakes.is_empty() {
        writeln!(html, "<p>None were found.</p>")?;
    }
    mistakes.iter().try_for_each(|loss| write_mistake(html, review, loss))?;
    writeln!(html, "</body></html>")
}

fn write_charts(html: &mut String, review: &Review, mistakes: &[Loss<'_>]) -> std::fmt::Result {
    let marked: Vec<usize> = mistakes.iter().map(|loss| loss.number).collect();
    let of = |value: fn(&crate::Finding) -> f64| -> Vec<Option<f64>> {
        review.turns().map(|turn| review.finding(turn).map(value)).collect()
    };
    let (chances, leads) = (of(|finding| 100.0 * finding.win_rate), of(|finding| finding.lead));
    for (title, values, range, even, unit) in [
        ("Black's chance of winning", &chances, (0.0, 100.0), 50.0, " %"),
        ("Points by which Black leads", &leads, (-5.0, 5.0), 0.0, ""),
    ] {
        let chart = Chart { title, values, range, even, unit, marked: &marked };
        writeln!(html, "<h2>{title}</h2>\n{}", chart.svg())?;
    }
    Ok(())
}

fn write_table(html: &mut String, review: &Review) -> std::fmt::Result {
    writeln!(
        html,
        "<h2>Points lost</h2>\n<table><tr><th></th><th>Black</th><th>per move</th><th>White</th><th>per move</th></tr>"
    )?;
    let mut totals = [(0.0, 0); 2];
    let cells = |losses: [(f64, usize); 2]| -> String {
        let cell = |(points, moves): (f64, usize)| {
            format!("<td>{points:.1}</td><td>{:.2}</td>", points / moves.max(1) as f64)
        };
        losses.map(cell).concat()
    };
    for phase in Phase::ALL {
        let losses = [Color::Black, Color::White].map(|color| review.lost(color, phase));
        for (total, part) in totals.iter_mut().zip(losses) {
            *total = (total.0 + part.0, total.1 + part.1);
        }
        writeln!(html, "<tr><td>{}</td>{}</tr>", phase.name(), cells(losses))?;
    }
    writeln!(html, "<tr><td>all</td>{}</tr></table>", cells(totals))
}

fn write_mistake(html: &mut String, review: &Review, loss: &Loss<'_>) -> std::fmt::Result {
    let (Some(better), Some(before)) = (loss.better, position(review.game(), loss.number - 1)) else {
        return Ok(());
    };
    let size = review.game().size();
    let who = if loss.color == Color::Black { "Black" } else { "White" };
    let played = loss.mv.to_gtp(size);
    let line: Vec<(Color, Move)> = better.colored_moves(size, loss.color).into_iter().take(LINE).collect();
    let words: Vec<String> = line.iter().map(|(_, mv)| mv.to_gtp(size)).collect();
    let after = position(review.game(), loss.number).unwrap_or_else(|| before.clone());
    let of_move = Marks { last: Some((loss.color, loss.mv)), line: &[] };
    let of_line = Marks { last: None, line: &line };
    let words = escape(&words.join(" "));
    write!(
        html,
        "<section class=\"mistake\" id=\"move-{number}\"><p><strong>Move {number}, {who} {played}</strong>: \
         <span class=\"bad\">{points:.1} points</span>, {chance:.0} % less chance</p>\n\
         <div class=\"pair\"><figure>{first}<figcaption>played: {played}</figcaption></figure>\
         <figure>{second}<figcaption>better: {words} ({lead})</figcaption></figure></div></section>\n",
        number = loss.number,
        points = loss.points,
        chance = 100.0 * loss.win_rate,
        first = picture(after.board(), &of_move, &format!("{who} plays {played}")),
        second = picture(before.board(), &of_line, &format!("better: {words}")),
        lead = lead(better.lead),
    )
}

/// The game after so many moves.
fn position(game: &Game, turn: usize) -> Option<Game> {
    let mut earlier = game.clone();
    earlier.undo(game.move_number().checked_sub(turn)?).ok()?;
    Some(earlier)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
