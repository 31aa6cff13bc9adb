//! What came of an experiment, as files: `report.md`, a CSV file per table, an SVG file per plot.
//!
//! A report has no date and no machine in it: the same results give the same files, and a difference between two reports is a
//! difference between two results. What is needed to get the results again is: the command, the seed, the version.

use std::fs;
use std::io;
use std::path::Path;

use crate::data_table::DataTable;
use crate::line_log::write_file;
use crate::plot::Plot;
use crate::table::Style;

/// Where figures come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The command line.
    pub command: String,
    /// What determines everything random.
    pub seed: u64,
    /// The program.
    pub version: String,
}

/// A report under construction; its parts keep their order.
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    provenance: Provenance,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Table(DataTable),
    Plot(Plot),
}

/// Name of the report in its directory.
pub const REPORT_NAME: &str = "report.md";

impl Report {
    /// A report that says nothing yet.
    pub fn new(title: &str, provenance: Provenance) -> Report {
        Report { title: title.to_owned(), provenance, parts: Vec::new() }
    }

    /// Adds a paragraph in Markdown.
    pub fn text(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, table: DataTable) {
        self.parts.push(Part::Table(table));
    }

    /// Adds a plot.
    pub fn plot(&mut self, plot: Plot) {
        self.parts.push(Part::Plot(plot));
    }

    /// The texts and tables for a terminal.
    pub fn to_plain(&self) -> String {
        let mut blocks = Vec::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => blocks.push(format!("{text}\n")),
                Part::Table(table) => blocks.push(format!("{}\n{}", table.title, table.render(Style::Plain))),
                Part::Plot(_) => {}
            }
        }
        blocks.join("\n")
    }

    /// The report as Markdown, with links to its plots and CSV files.
    pub fn to_markdown(&self) -> String {
        let mut blocks = vec![format!("# {}\n", self.title), format!("{}\n", self.provenance.to_line("`"))];
        for part in &self.parts {
            blocks.push(match part {
                Part::Text(text) => format!("{text}\n"),
                Part::Table(table) => {
                    let (title, name) = (&table.title, &table.name);
                    format!("**{title}** ([CSV]({name}.csv))\n\n{}", table.render(Style::Markdown))
                }
                Part::Plot(plot) => format!("![{}]({}.svg)\n", plot.title, plot.name),
            });
        }
        blocks.join("\n")
    }

    /// Writes all files into a directory, which may be new.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        fs::create_dir_all(directory)?;
        let line = self.provenance.to_line("");
        for part in &self.parts {
            match part {
                Part::Text(_) => {}
                Part::Table(table) => {
                    let text = format!("# {line}\n{}", table.to_csv());
                    write_file(&directory.join(format!("{}.csv", table.name)), &text)?;
                }
                Part::Plot(plot) => {
                    write_file(&directory.join(format!("{}.svg", plot.name)), &plot.to_svg(&line))?;
                }
            }
        }
        write_file(&directory.join(REPORT_NAME), &self.to_markdown())
    }
}

impl Provenance {
    /// Everything in one line, the command between two marks.
    fn to_line(&self, mark: &str) -> String {
        let Provenance { command, seed, version } = self;
        format!("{mark}{command}{mark}, seed {seed}, version {version}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Mark, Series};

    #[test]
    fn all_files_are_written_and_carry_their_provenance() {
        let provenance =
            Provenance { command: "tesuji lab x".to_owned(), seed: 7, version: "1.2.3".to_owned() };
        let mut report = Report::new("Trial", provenance);
        report.text("A paragraph.");
        let mut table = DataTable::new("counts", "Counts", &["a", "b"]);
        table.add(vec!["x".into(), 1.into()]);
        report.table(table);
        let series = Series::new("ours", 0, vec![Mark::sure(1.0, 2.0)]);
        report.plot(Plot::new("curve", "Curve", Axis::linear("x"), Axis::linear("y"), vec![series]));
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("new");
        report.write(&directory).unwrap();
        let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
        let markdown = read(REPORT_NAME);
        for part in ["# Trial\n", "`tesuji lab x`, seed 7, version 1.2.3", "**Counts** ([CSV](counts.csv))"] {
            assert!(markdown.contains(part), "{part}: {markdown}");
        }
        assert!(markdown.contains("![Curve](curve.svg)"));
        assert_eq!(read("counts.csv"), "# tesuji lab x, seed 7, version 1.2.3\na,b\nx,1\n");
        assert!(read("curve.svg").contains("tesuji lab x, seed 7"));
        let plain = report.to_plain();
        assert_eq!(plain, "A paragraph.\n\nCounts\na  b\nx  1\n");
    }
}
