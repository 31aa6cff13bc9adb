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

/// What stands at the top of a report, before any figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// What the experiment is called.
    pub title: &'static str,
    /// The paper whose question it asks: authors, title, year.
    pub paper: &'static str,
    /// What is asked and how, in a few sentences.
    pub summary: &'static str,
    /// The words at the head of columns, and names within them, each with its meaning. Numbers at the head of columns are
    /// explained by a word that begins with a number.
    pub terms: &'static [(&'static str, &'static str)],
}

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
    heading: Heading,
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
    pub fn new(heading: &Heading, provenance: Provenance) -> Report {
        Report { heading: *heading, provenance, parts: Vec::new() }
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
        let Heading { title, paper, summary, terms } = self.heading;
        let terms = terms.iter().map(|(term, meaning)| format!("{term}: {meaning}\n"));
        let mut blocks =
            vec![format!("{title}\n"), format!("Paper: {paper}\n"), format!("{summary}\n"), terms.collect()];
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
        let Heading { title, paper, summary, terms } = self.heading;
        let terms = terms.iter().map(|(term, meaning)| format!("- **{term}**: {meaning}\n"));
        let mut blocks = vec![
            format!("# {title}\n"),
            format!("Paper: {paper}.\n"),
            format!("{summary}\n"),
            terms.collect(),
            format!("{}\n", self.provenance.to_line("`")),
        ];
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

    /// Words at the head of columns that the heading does not explain.
    pub fn unexplained(&self) -> Vec<String> {
        let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
        let is_explained = |word: &str| {
            self.heading.terms.iter().any(|(term, _)| *term == word || (is_number(word) && is_number(term)))
        };
        let tables = self.parts.iter().filter_map(|part| match part {
            Part::Table(table) => Some(table),
            Part::Text(_) | Part::Plot(_) => None,
        });
        tables.flat_map(DataTable::columns).filter(|word| !is_explained(word)).map(str::to_owned).collect()
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
    use crate::job::Work;
    use crate::next_move::ProblemFile;
    use crate::plot::{Axis, Mark, Series};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn all_files_are_written_and_carry_their_provenance() {
        let provenance =
            Provenance { command: "tesuji lab x".to_owned(), seed: 7, version: "1.2.3".to_owned() };
        let heading = Heading {
            title: "Trial",
            paper: "A. Author: A Question, 1999",
            summary: "What it is about.",
            terms: &[("a", "a letter")],
        };
        let mut report = Report::new(&heading, provenance);
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
        let top = "Trial\n\nPaper: A. Author: A Question, 1999\n\nWhat it is about.\n\na: a letter\n\n";
        assert_eq!(plain, format!("{top}A paragraph.\n\nCounts\na  b\nx  1\n"));
        let top = "# Trial\n\nPaper: A. Author: A Question, 1999.\n\nWhat it is about.\n\n- **a**: a letter\n\n`tesuji lab x`";
        assert!(markdown.starts_with(top), "{markdown}");
        assert_eq!(report.unexplained(), ["b"]);
    }

    fn empty(heading: &Heading) -> Report {
        Report::new(heading, Provenance { command: String::new(), seed: 1, version: String::new() })
    }

    #[test]
    fn every_experiment_explains_its_columns_and_names() {
        use crate::{deceptive, dfuct, lgrf, tsumego};
        let mut reports = Vec::new();
        let mut report = empty(&dfuct::HEADING);
        // Its table of what DFUCT misses is there only if something was audited.
        let line = r#"{"id":"a","size":5,"to_move":"B","accepted":["cc"]}"#;
        let work = dfuct::Dfuct {
            rule: dfuct::Rule::Ucb1,
            milestones: vec![10],
            settings: Vec::new(),
            memory: 1,
            seed: 1,
        };
        let sample = dfuct::Sample { problems: ProblemFile::parse(line).problems, heavy: 0, audited: 1 };
        let jobs = work.jobs(&sample);
        let mut tools = work.tools().unwrap();
        let mut run = |task| work.work(&mut tools, task, &AtomicBool::new(false)).unwrap();
        let results: Vec<_> = jobs.iter().map(|job| run(&job.task)).collect();
        dfuct::write(&mut report, &jobs, &results);
        reports.push(report);
        let mut report = empty(&lgrf::HEADING);
        lgrf::write(&mut report, &[], &[], &[]);
        reports.push(report);
        let mut report = empty(&deceptive::HEADING);
        deceptive::write(&mut report, &[], &[]);
        reports.push(report);
        let mut report = empty(&tsumego::HEADING);
        tsumego::add_comparison(&mut report, &[], tsumego::LeftOut::default(), 1);
        tsumego::add_provers_table(&mut report, &[]);
        reports.push(report);
        for report in &reports {
            let tables = report.parts.iter().filter(|part| matches!(part, Part::Table(_))).count();
            assert!(tables > 1, "{}: {tables} tables", report.heading.title);
            assert_eq!(report.unexplained(), Vec::<String>::new(), "{}", report.heading.title);
            assert!(report.heading.summary.matches(". ").count() >= 2, "{}", report.heading.summary);
        }
        let knows = |heading: &Heading, name: &str| heading.terms.iter().any(|(term, _)| *term == name);
        for (reading, _) in deceptive::READINGS {
            assert!(knows(&deceptive::HEADING, reading), "{reading}");
        }
        for variant in tsumego::VARIANTS {
            assert!(knows(&tsumego::HEADING, variant.name), "{}", variant.name);
        }
    }
}
