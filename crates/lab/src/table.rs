//! Tables for people: aligned text for the terminal, Markdown for documents.
//!
//! What was won is in other tables than what it cost: a resumed match repeats the former to the letter, never the latter.

use std::collections::BTreeMap;

use crate::record::Ending;
use crate::sprt::{Decision, EloModel, Sprt, SprtState};
use crate::statistics::{Interval, Tally};
use crate::summary::{Pairing, Summary};

/// How tables are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Columns aligned by blanks.
    #[default]
    Plain,
    /// Columns between bars, with a line of dashes.
    Markdown,
}

/// A table of words; the first column is aligned left, all others right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTable {
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table with these column names.
    pub fn new(header: &[&str]) -> TextTable {
        TextTable { rows: vec![header.iter().map(|&word| word.to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table as text, with a line end after each row.
    pub fn render(&self, style: Style) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &[String], column: usize| {
            let text = row.get(column).cloned().unwrap_or_default();
            if style == Style::Markdown { text.replace('|', "\\|") } else { text }
        };
        let width = |column: usize| {
            let lengths = self.rows.iter().map(|row| cell(row, column).chars().count());
            lengths.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells = widths.iter().enumerate().map(|(column, &width)| match column {
                0 => format!("{:<width$}", cell(row, column)),
                _ => format!("{:>width$}", cell(row, column)),
            });
            let cells: Vec<String> = cells.collect();
            match style {
                Style::Plain => text += cells.join("  ").trim_end(),
                Style::Markdown => text += &format!("| {} |", cells.join(" | ")),
            }
            text.push('\n');
            if style == Style::Markdown && index == 0 {
                let dashes = widths.iter().enumerate().map(|(column, &width)| match column {
                    0 => "-".repeat(width.max(1)),
                    _ => format!("{}:", "-".repeat(width.max(2) - 1)),
                });
                text += &format!("| {} |\n", dashes.collect::<Vec<_>>().join(" | "));
            }
        }
        text
    }
}

/// The results: every pairing with its statistics, the reasons, the sequential test. The same games give the same text.
pub fn results(summary: &Summary, style: Style) -> String {
    let mut table = TextTable::new(&[
        "engines",
        "games",
        "wins",
        "as B",
        "as W",
        "draws",
        "losses",
        "rate",
        "95 %",
        "p",
        "Elo",
        "95 %",
        "pairs 0–2",
    ]);
    summary.pairings.iter().for_each(|pairing| table.add(pairing_row(pairing)));
    let mut text = table.render(style);
    if summary.engines.len() > 2 {
        text.push('\n');
        text += &standings(summary).render(style);
    }
    text.push('\n');
    text += &reasons(summary).render(style);
    if !summary.counted.is_empty() {
        let words = summary.counted.iter().map(|(method, count)| format!("{count} by {}", method.word()));
        text += &format!("\nscores counted: {}\n", words.collect::<Vec<_>>().join(", "));
    }
    if let (Some(sprt), Some(state)) = (summary.sprt(), summary.sprt_state()) {
        text += &format!("\n{}\n", sprt_line(&sprt, &state));
    }
    if summary.late_games > 0 {
        text += &format!("{} games after the decision are not counted\n", summary.late_games);
    }
    text
}

/// The cost: time and playouts per move of every engine.
pub fn efforts(summary: &Summary, style: Style) -> String {
    let mut table = TextTable::new(&["engine", "moves", "s/move", "longest s", "playouts/move"]);
    for engine in &summary.engines {
        let effort = &engine.effort;
        let mean = |sum: f64, count: u64, digits: usize| {
            if count == 0 { "–".to_owned() } else { format!("{:.digits$}", sum / count as f64) }
        };
        table.add(vec![
            engine.name.clone(),
            effort.moves.to_string(),
            mean(effort.seconds, effort.moves, 3),
            format!("{:.3}", effort.longest),
            mean(effort.playouts as f64, effort.told, 0),
        ]);
    }
    table.render(style)
}

/// The match in a few words, for a progress bar.
pub fn headline(summary: &Summary) -> String {
    match summary.pairings.as_slice() {
        [only] => {
            let total = only.total();
            let rate = total.rate().map_or_else(|| "–".to_owned(), percent);
            let mut text = format!("{} {}–{}", only.names[0], total.wins, total.losses);
            if total.draws > 0 {
                text += &format!("–{}", total.draws);
            }
            text += &format!(" {rate} {}", interval(total.interval(), percent));
            if let Some(state) = summary.sprt_state() {
                text += &format!(" LLR {:.2}", state.llr);
            }
            text
        }
        _ => {
            let each = summary.engines.iter().map(|engine| {
                let rate = engine.tally.rate().map_or_else(|| "–".to_owned(), percent);
                format!("{} {rate}", engine.name)
            });
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

fn pairing_row(pairing: &Pairing) -> Vec<String> {
    let total = pairing.total();
    let [black, white] = pairing.by_color.map(|tally| format!("{}/{}", tally.wins, tally.games()));
    let mut row = vec![
        format!("{} – {}", pairing.names[0], pairing.names[1]),
        total.games().to_string(),
        total.wins.to_string(),
        black,
        white,
        total.draws.to_string(),
        total.losses.to_string(),
    ];
    row.extend(rate_cells(&total));
    row.push(p_value(total.p_value()));
    row.extend(elo_cells(&total));
    row.push(pairing.pairs.counts.map(|count| count.to_string()).join("/"));
    row
}

fn standings(summary: &Summary) -> TextTable {
    let mut engines: Vec<_> = summary.engines.iter().collect();
    let rate = |tally: &Tally| tally.rate().unwrap_or(0.0);
    engines.sort_by(|a, b| rate(&b.tally).total_cmp(&rate(&a.tally)));
    let mut table = TextTable::new(&["against all", "games", "wins", "draws", "losses", "rate", "95 %"]);
    for engine in engines {
        let tally = &engine.tally;
        let counts = [tally.games(), tally.wins, tally.draws, tally.losses].map(|count| count.to_string());
        let row = [engine.name.clone()].into_iter().chain(counts).chain(rate_cells(tally));
        table.add(row.collect());
    }
    table
}

/// Wins and losses of every engine by what ended the game; only endings that occurred have a column.
fn reasons(summary: &Summary) -> TextTable {
    let count = |by: &BTreeMap<Ending, u64>, ending| by.get(&ending).copied().unwrap_or(0);
    let occurred = |ending: &Ending| summary.engines.iter().any(|engine| count(&engine.lost_by, *ending) > 0);
    let endings: Vec<Ending> = Ending::ALL.into_iter().filter(occurred).collect();
    let header: Vec<&str> =
        ["won/lost by"].into_iter().chain(endings.iter().map(|ending| ending.word())).collect();
    let mut table = TextTable::new(&header);
    for engine in &summary.engines {
        let cell = |&ending: &Ending| {
            format!("{}/{}", count(&engine.won_by, ending), count(&engine.lost_by, ending))
        };
        table.add([engine.name.clone()].into_iter().chain(endings.iter().map(cell)).collect());
    }
    table
}

fn sprt_line(sprt: &Sprt, state: &SprtState) -> String {
    let model = match sprt.model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalised Elo",
    };
    let decision = match state.decision {
        Decision::Open => "open".to_owned(),
        Decision::AcceptElo0 => format!("accepts {}", sprt.elo0),
        Decision::AcceptElo1 => format!("accepts {}", sprt.elo1),
    };
    let Interval { low, high } = state.bounds;
    let (elo0, elo1) = (sprt.elo0, sprt.elo1);
    format!("SPRT {elo0} against {elo1} {model}: LLR {:.2} in ({low:.2}, {high:.2}), {decision}", state.llr)
}

fn rate_cells(tally: &Tally) -> [String; 2] {
    match tally.rate() {
        Some(rate) => [percent(rate), interval(tally.interval(), percent)],
        None => ["–".to_owned(), "–".to_owned()],
    }
}

fn elo_cells(tally: &Tally) -> [String; 2] {
    match tally.elo() {
        Some((elo, range)) => [signed(elo), interval(range, signed)],
        None => ["–".to_owned(), "–".to_owned()],
    }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { format!("{p:.0e}") } else { format!("{p:.3}") }
}

fn percent(rate: f64) -> String {
    format!("{:.1} %", 100.0 * rate)
}

fn signed(elo: f64) -> String {
    // An even result must not read −0.
    if elo.is_infinite() {
        if elo > 0.0 { "+∞".to_owned() } else { "−∞".to_owned() }
    } else if elo.abs() < 0.5 {
        "0".to_owned()
    } else {
        format!("{elo:+.0}").replace('-', "−")
    }
}

fn interval(range: Interval, show: fn(f64) -> String) -> String {
    format!("{}…{}", show(range.low), show(range.high)).replace(" %…", "…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameLine;
    use tesuji_board::GameResult;

    /// Games of `a` against `b`, two per word: the results of `a`, first with Black and then with White.
    fn games(pairs: &str) -> Vec<GameLine> {
        let mut games = Vec::new();
        for (index, letter) in pairs.chars().filter(|letter| letter.is_alphabetic()).enumerate() {
            let a_is_black = index % 2 == 0;
            let result = match (letter, a_is_black) {
                ('d', _) => "0",
                ('w', true) | ('l', false) => "B+R",
                _ => "W+2.5",
            };
            let (black, white) = if a_is_black { ("a", "b") } else { ("b", "a") };
            games.push(GameLine {
                match_id: "id".into(),
                game: index as u64 + 1,
                round: index as u64 / 2 + 1,
                black: black.into(),
                white: white.into(),
                result: GameResult::parse(result).unwrap(),
                ending: if result.ends_with('R') { Ending::Resign } else { Ending::Score },
                counted_by: None,
                detail: String::new(),
                moves: 50,
                effort: Default::default(),
            });
        }
        games
    }

    fn summary(pairs: &str, sprt: Option<Sprt>) -> Summary {
        Summary::new(vec!["a".into(), "b".into()], &games(pairs), sprt)
    }

    #[test]
    fn results_say_everything_about_a_pairing() {
        let text = results(&summary("ww wl dw ll w", None), Style::Plain);
        let mut lines = text.lines();
        assert_eq!(
            lines.next().unwrap().split_whitespace().collect::<Vec<_>>().join(" "),
            "engines games wins as B as W draws losses rate 95 % p Elo 95 % pairs 0–2"
        );
        assert_eq!(
            lines.next().unwrap().split_whitespace().collect::<Vec<_>>().join(" "),
            "a – b 9 5 3/5 2/4 1 3 61.1 % 30.9…84.7 % 0.727 +79 −140…+297 1/0/1/1/1"
        );
        assert!(text.contains("won/lost by"), "{text}");
    }

    #[test]
    fn markdown_has_bars_and_dashes() {
        let mut table = TextTable::new(&["name", "n"]);
        table.add(vec!["a|b".into(), "10".into()]);
        assert_eq!(table.render(Style::Markdown), "| name |  n |\n| ---- | -: |\n| a\\|b | 10 |\n");
        assert_eq!(table.render(Style::Plain), "name   n\na|b   10\n");
    }

    #[test]
    fn games_behind_the_decision_of_a_test_are_left_out() {
        let sprt = Some(Sprt::new(0.0, 400.0));
        let won = "ww ".repeat(8);
        let decided = summary(&won, sprt);
        let needed = 16 - decided.late_games as u64;
        assert!((4..16).contains(&needed), "{needed}");
        assert_eq!(decided.pairings[0].total().wins, needed);
        // Losses behind the decision change nothing but their own number.
        let more = summary(&format!("{won}ll ll"), sprt);
        assert_eq!(more.late_games, decided.late_games + 4);
        assert!(results(&more, Style::Plain).contains("accepts 400"));
        // With a hole in the second round, the test cannot read on.
        let mut holey = games(&won);
        holey.remove(3);
        let holey = Summary::new(vec!["a".into(), "b".into()], &holey, sprt);
        assert_eq!((holey.late_games, holey.sprt_state().unwrap().decision), (0, Decision::Open));
    }
}
