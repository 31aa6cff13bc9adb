//! Pictures for GoGui: replies of its "gfx" commands and live graphics on stderr during a search.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use tesuji_board::{Color, Move, Size};
use tesuji_search::Report;

use super::status::from_side;
use crate::settings::Settings;

/// Time between two live pictures.
const LIVE_INTERVAL: Duration = Duration::from_millis(500);
/// Moves of the variation that are still readable on a board.
const SHOWN_VARIATION: usize = 12;

/// How often a search shall be shown, if at all.
pub(super) fn interval(settings: &Settings) -> Option<Duration> {
    settings.live_graphics.then_some(LIVE_INTERVAL)
}

/// The expected continuation as numbered moves.
pub(super) fn variation(report: &Report, color: Color, size: Size) -> String {
    let mut text = "VAR".to_owned();
    let mut player = color;
    for &mv in report.moves.first().map_or(&[][..], |best| &best.variation).iter().take(SHOWN_VARIATION) {
        // Writing to a string cannot fail.
        let _ = write!(text, " {} {}", player.letter().to_ascii_lowercase(), mv.to_gtp(size));
        player = !player;
    }
    text + "\n" + &status_line(report, color)
}

/// The share of visits of every move in percent, as labels.
pub(super) fn visits(report: &Report, color: Color, size: Size) -> String {
    let mut text = "LABEL".to_owned();
    for mv in &report.moves {
        let percent = mv.visits * 100 / report.visits.max(1);
        if let (Move::Play(point), 1..) = (mv.mv, percent) {
            let _ = write!(text, " {} {percent}", point.to_gtp(size));
        }
    }
    text + "\n" + &status_line(report, color)
}

/// Who will own the points.
pub(super) fn influence(report: &Report, color: Color, size: Size) -> String {
    let mut text = "INFLUENCE".to_owned();
    for (point, black) in size.points().zip(&report.black_ownership) {
        let _ = write!(text, " {} {black:.2}", point.to_gtp(size));
    }
    text + "\n" + &status_line(report, color)
}

/// Shows a running search to a GoGui that reads stderr.
pub(super) fn print_live(report: &Report, color: Color, size: Size) {
    let text = format!("gogui-gfx:\n{}\n\n", variation(report, color, size));
    // Nobody may be reading.
    let _ = io::stderr().write_all(text.as_bytes());
}

fn status_line(report: &Report, color: Color) -> String {
    format!(
        "TEXT {} visits, win rate {:.1} %, score B{:+.1}",
        report.visits,
        report.win_rate * 100.0,
        from_side(report.score_lead, color)
    )
}
