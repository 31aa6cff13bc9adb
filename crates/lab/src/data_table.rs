//! Tables of an experiment: the same figures as text for people and as CSV for programs.
//!
//! An estimate is one cell for people, `67.1 (62.0–71.9)`, and three columns for programs, so that nobody has to take words apart.

use crate::statistics::{Estimate, Interval, Sample};
use crate::table::{Style, TextTable};

/// A table with a title.
#[derive(Clone, Debug, PartialEq)]
pub struct DataTable {
    /// Its file's name without the ending.
    pub name: String,
    /// What stands above it.
    pub title: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// What stands in a row and a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing is known.
    Missing,
    /// Words.
    Word(String),
    /// A whole number.
    Count(u64),
    /// A number, shown with so many decimals.
    Number(f64, usize),
    /// A number with its 95 % interval, shown with so many decimals.
    Estimate(f64, Interval, usize),
}

impl DataTable {
    /// A table without rows.
    pub fn new(name: &str, title: &str, columns: &[&str]) -> DataTable {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        DataTable { name: name.to_owned(), title: title.to_owned(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn add(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// The words at the head of its columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(String::as_str)
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table for people.
    pub fn render(&self, style: Style) -> String {
        let header: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let mut table = TextTable::new(&header);
        self.rows.iter().for_each(|row| table.add(row.iter().map(Cell::to_text).collect()));
        table.render(style)
    }

    /// The table for programs: full precision, and columns `low` and `high` beside those that hold estimates.
    pub fn to_csv(&self) -> String {
        let is_estimate =
            |column: usize| self.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Estimate(..))));
        let mut lines = vec![Vec::new(); self.rows.len() + 1];
        for (column, name) in self.columns.iter().enumerate() {
            lines[0].push(quote(name));
            if is_estimate(column) {
                lines[0].extend([quote(&format!("{name} low")), quote(&format!("{name} high"))]);
            }
            for (line, row) in lines[1..].iter_mut().zip(&self.rows) {
                let cell = row.get(column).unwrap_or(&Cell::Missing);
                line.push(cell.to_field());
                if is_estimate(column) {
                    line.extend(match cell {
                        Cell::Estimate(_, interval, _) => {
                            [interval.low.to_string(), interval.high.to_string()]
                        }
                        _ => [String::new(), String::new()],
                    });
                }
            }
        }
        lines.into_iter().map(|line| line.join(",") + "\n").collect()
    }
}

impl Cell {
    /// A number with its interval, if it has one; missing if there is none.
    pub fn estimate(estimate: Option<Estimate>, digits: usize) -> Cell {
        match estimate {
            None => Cell::Missing,
            Some(Estimate { value, interval: None }) => Cell::Number(value, digits),
            Some(Estimate { value, interval: Some(interval) }) => Cell::Estimate(value, interval, digits),
        }
    }

    /// A share in per cent with Wilson's interval; missing without trials.
    pub fn share(successes: usize, trials: usize) -> Cell {
        Cell::estimate(Estimate::share(successes, trials), 1)
    }

    /// A mean with Student's interval; missing without values.
    pub fn mean(sample: Option<Sample>, digits: usize) -> Cell {
        Cell::estimate(sample.map(Estimate::mean), digits)
    }

    fn to_text(&self) -> String {
        match self {
            Cell::Missing => "–".to_owned(),
            Cell::Word(word) => word.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, digits) => format!("{value:.digits$}"),
            Cell::Estimate(value, Interval { low, high }, digits) => {
                format!("{value:.digits$} ({low:.digits$}–{high:.digits$})")
            }
        }
    }

    fn to_field(&self) -> String {
        match self {
            Cell::Missing => String::new(),
            Cell::Word(word) => quote(word),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, _) | Cell::Estimate(value, ..) => value.to_string(),
        }
    }
}

impl From<&str> for Cell {
    fn from(word: &str) -> Cell {
        Cell::Word(word.to_owned())
    }
}

impl From<String> for Cell {
    fn from(word: String) -> Cell {
        Cell::Word(word)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

/// A field of a CSV file (RFC 4180).
fn quote(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> DataTable {
        let mut table = DataTable::new("t", "Title", &["walk", "n", "ratio, paper", "ours"]);
        let interval = Interval { low: 0.5, high: 0.75 };
        table.add(vec![
            "a \"b\"".into(),
            3.into(),
            Cell::Number(0.67, 2),
            Cell::Estimate(0.625, interval, 2),
        ]);
        table.add(vec!["c".into(), 4.into(), Cell::Missing]);
        table
    }

    #[test]
    fn people_see_one_cell_and_programs_three_columns() {
        let text = table().render(Style::Markdown);
        assert!(text.contains("| a \"b\" | 3 |         0.67 | 0.62 (0.50–0.75) |"), "{text}");
        assert!(text.contains("| c     | 4 |            – |"), "{text}");
        let csv = "walk,n,\"ratio, paper\",ours,ours low,ours high\n\"a \"\"b\"\"\",3,0.67,0.625,0.5,0.75\nc,4,,,,\n";
        assert_eq!(table().to_csv(), csv);
    }

    #[test]
    fn shares_and_means_know_how_sure_they_are() {
        assert_eq!(Cell::share(0, 0), Cell::Missing);
        assert_eq!(Cell::share(60, 100).to_text(), "60.0 (50.2–69.1)");
        assert_eq!(Cell::mean(Sample::of([]), 1), Cell::Missing);
        assert_eq!(Cell::mean(Sample::of([2.0]), 1).to_text(), "2.0");
        assert_eq!(Cell::share(2, 3).to_text(), "66.7");
        assert_eq!(Cell::mean(Sample::of([2.0; 3]), 1).to_text(), "2.0");
        assert_eq!(Cell::mean(Sample::of([2.0; 4]), 1).to_text(), "2.0 (2.0–2.0)");
    }
}
