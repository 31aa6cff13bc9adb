//! What the search knows, in the three dialects of analysis.
//!
//! All values are for the player to move. KataGo's has fractions, always with a decimal point; the others have whole numbers of
//! ten-thousandths, because Sabaki from 0.60 on reads every command so that does not begin with `kata`. An info block ends with its variation, and
//! with the visits of its moves if they are asked for: readers take everything up to the next keyword for moves.

use tesuji_board::{Color, Move, Size};
use tesuji_search::{MoveReport, Report};

use super::analysis_request::AnalysisRequest;
use super::status::from_side;

/// Who defined the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `lz-analyze`.
    Leela,
    /// `kata-analyze`.
    Kata,
    /// `analyze`, as Sabaki reads it.
    Sabaki,
}

/// One line with everything the request asks for.
pub(super) fn line(dialect: Dialect, report: &Report, request: &AnalysisRequest, size: Size) -> String {
    let shown = report.moves.iter().filter(|mv| request.allows(mv.mv));
    let visited = shown.clone().filter(|mv| mv.visits > 0).count();
    let mut moves: Vec<&MoveReport> = shown.collect();
    // Unvisited moves are shown only to reach the number asked for.
    moves.sort_by_key(|mv| mv.visits == 0);
    moves.truncate(visited.max(request.min_moves).clamp(1, request.max_moves.max(1)));
    let blocks = moves.iter().enumerate().map(|(order, mv)| {
        let block = match dialect {
            Dialect::Leela => leela(mv, order, size),
            Dialect::Kata => kata(mv, order, report, size),
            Dialect::Sabaki => sabaki(mv, order, size),
        };
        block + &variation_visits(mv, request)
    });
    let mut text = blocks.collect::<Vec<_>>().join(" ");
    if dialect != Dialect::Leela {
        if request.root_info {
            text += &root_info(dialect, report, request.color);
        }
        if request.ownership {
            text += " ownership";
            for &black in &report.black_ownership {
                text += &format!(" {}", float(from_side(black, request.color)));
            }
        }
    }
    text
}

/// A float with a decimal point, whatever the value.
pub(super) fn float(value: f32) -> String {
    // A minus in front of zero would be right and confusing.
    let value = if value.is_finite() { value + 0.0 } else { 0.0 };
    format!("{value:.6}")
}

/// A probability in ten-thousandths.
fn ten_thousandths(probability: f32) -> u32 {
    (probability.clamp(0.0, 1.0) * 10000.0).round() as u32
}

fn variation_visits(mv: &MoveReport, request: &AnalysisRequest) -> String {
    let visits: String = mv.variation_visits.iter().map(|visits| format!(" {visits}")).collect();
    let keys = [(request.pv_visits, "pvVisits"), (request.pv_edge_visits, "pvEdgeVisits")];
    keys.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, key)| format!(" {key}{visits}")).collect()
}

/// Moves with blanks between.
pub(super) fn variation(moves: &[Move], size: Size) -> String {
    moves.iter().map(|mv| mv.to_gtp(size)).collect::<Vec<_>>().join(" ")
}

fn leela(mv: &MoveReport, order: usize, size: Size) -> String {
    let [win_rate, prior, lcb] = [mv.win_rate, mv.prior, mv.lower_bound].map(ten_thousandths);
    format!(
        "info move {} visits {} winrate {win_rate} prior {prior} lcb {lcb} order {order} pv {}",
        mv.mv.to_gtp(size),
        mv.visits,
        variation(&mv.variation, size),
    )
}

fn kata(mv: &MoveReport, order: usize, report: &Report, size: Size) -> String {
    let [win_rate, lead, prior, lcb] = [mv.win_rate, mv.score_lead, mv.prior, mv.lower_bound].map(float);
    let deviation = float(report.score_deviation);
    let [utility, utility_lcb] = [mv.win_rate, mv.lower_bound].map(utility);
    format!(
        "info move {} visits {} edgeVisits {} utility {utility} winrate {win_rate} scoreMean {lead} \
         scoreStdev {deviation} scoreLead {lead} scoreSelfplay {lead} prior {prior} lcb {lcb} \
         utilityLcb {utility_lcb} weight {} order {order} pv {}",
        mv.mv.to_gtp(size),
        mv.visits,
        mv.visits,
        float(mv.visits as f32),
        variation(&mv.variation, size),
    )
}

fn sabaki(mv: &MoveReport, order: usize, size: Size) -> String {
    let [win_rate, prior, lcb] = [mv.win_rate, mv.prior, mv.lower_bound].map(ten_thousandths);
    let lead = float(mv.score_lead);
    format!(
        "info move {} visits {} winrate {win_rate} scoreLead {lead} prior {prior} lcb {lcb} order {order} pv {}",
        mv.mv.to_gtp(size),
        mv.visits,
        variation(&mv.variation, size),
    )
}

fn root_info(dialect: Dialect, report: &Report, color: Color) -> String {
    let win_rate = match dialect {
        Dialect::Kata => float(report.win_rate),
        Dialect::Leela | Dialect::Sabaki => ten_thousandths(report.win_rate).to_string(),
    };
    let [lead, deviation] = [report.score_lead, report.score_deviation].map(float);
    format!(
        " rootInfo currentPlayer {} visits {} utility {} winrate {win_rate} scoreMean {lead} scoreStdev {deviation} \
         scoreLead {lead} scoreSelfplay {lead} weight {}",
        color.letter(),
        report.visits,
        utility(report.win_rate),
        float(report.visits as f32),
    )
}

/// KataGo's scale for winning: −1 lost, 1 won.
fn utility(win_rate: f32) -> String {
    float(2.0 * win_rate - 1.0)
}
