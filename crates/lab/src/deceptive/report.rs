//! The report of the experiment: the share of the searches that deceptive moves got, and who was right in the end.

use super::trial::{Course, Stand};
use super::{GO_READINGS, SubjectName, TrialTask};
use crate::data_table::{Cell, DataTable};
use crate::job::Job;
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::Report;
use crate::statistics::{Estimate, Sample};

/// Trials that are told of together: the seeds of a tree, or all positions of Go.
struct Group<'a> {
    name: String,
    /// Whether the candidate in question should get the playouts.
    wanted: bool,
    /// By tree or position: its trials.
    subjects: Vec<(&'a str, Vec<&'a [Course]>)>,
}

/// The name of plain UCT among the readings.
const UCT: &str = "uct";

/// Adds everything that the trials came to.
pub fn write(report: &mut Report, jobs: &[Job<TrialTask>], results: &[Vec<Course>]) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (job, courses) in jobs.iter().zip(results) {
        let subject = &job.task.subject;
        let name = if matches!(subject, SubjectName::Puzzle(_)) { "Go positions" } else { subject.name() };
        let wanted = subject.wants_candidate();
        if !groups.iter().any(|group| group.name == name) {
            groups.push(Group { name: name.to_owned(), wanted, subjects: Vec::new() });
        }
        let Some(group) = groups.iter_mut().find(|group| group.name == name) else { continue };
        match group.subjects.iter_mut().find(|(other, _)| *other == subject.name()) {
            Some((_, trials)) => trials.push(courses),
            None => group.subjects.push((subject.name(), vec![courses])),
        }
    }
    report.text(
        "The share is that of the first candidate of a tree and that of all losing moves of a Go position. In trees marked + the first \
         candidate is the best move and should get the playouts; elsewhere it is a trap, and less is better once it has been \
         found out. The paper shows its share for one position in a figure without numbers: more of it with proxies.",
    );
    report.table(table(&groups, "shares", "Share of the root's playouts in per cent", |stand| stand.share));
    report.table(table(&groups, "right", "Right moves by best mean in per cent", |stand| {
        f64::from(u8::from(stand.right))
    }));
    report.table(differences(&groups));
    groups.iter().for_each(|group| report.plot(plot(group)));
}

impl Group<'_> {
    fn label(&self) -> String {
        let mark = if self.wanted { " +" } else { "" };
        let positions =
            if self.subjects.len() > 1 { format!(" ({})", self.subjects.len()) } else { String::new() };
        format!("{}{positions}{mark}", self.name)
    }

    fn readings(&self) -> Vec<&str> {
        let first = self.subjects.first().and_then(|(_, trials)| trials.first());
        first
            .map(|courses| courses.iter().map(|course| course.reading.as_str()).collect())
            .unwrap_or_default()
    }

    fn milestones(&self) -> Vec<u64> {
        let first = self.subjects.first().and_then(|(_, trials)| trials.first()?.first());
        first.map(|course| course.stands.iter().map(|stand| stand.simulations).collect()).unwrap_or_default()
    }

    /// A number per independent unit, in per cent: per seed of one tree, per position (mean of its seeds) where there are several.
    fn values(&self, reading: &str, at: usize, of: impl Fn(&Stand) -> f64) -> Vec<f64> {
        let one = |courses: &&[Course]| {
            let course = courses.iter().find(|course| course.reading == reading)?;
            Some(100.0 * of(course.stands.get(at)?))
        };
        let by_subject =
            self.subjects.iter().map(|(_, trials)| trials.iter().filter_map(one).collect::<Vec<_>>());
        if self.subjects.len() == 1 {
            by_subject.flatten().collect()
        } else {
            by_subject.filter_map(|values| Some(Sample::of(values)?.mean)).collect()
        }
    }
}

fn table(groups: &[Group<'_>], name: &str, title: &str, of: fn(&Stand) -> f64) -> DataTable {
    let milestones = groups.first().map(Group::milestones).unwrap_or_default();
    let mut columns = vec!["tree".to_owned(), "reading".to_owned()];
    columns.extend(milestones.iter().map(u64::to_string));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = DataTable::new(name, title, &columns);
    for group in groups {
        for reading in group.readings() {
            let mut row: Vec<Cell> = vec![group.label().into(), reading.into()];
            row.extend(
                (0..milestones.len())
                    .map(|at| Cell::estimate(Estimate::percentage(&group.values(reading, at, of)), 1)),
            );
            table.add(row);
        }
    }
    table
}

/// Every reading against plain UCT on the same seeds, the milestones together.
fn differences(groups: &[Group<'_>]) -> DataTable {
    let title = "Difference from UCT in points, mean over the numbers of playouts";
    let mut table = DataTable::new("differences", title, &["tree", "reading", "share", "right moves"]);
    for group in groups {
        let milestones = group.milestones().len();
        for reading in group.readings().into_iter().filter(|&reading| reading != UCT) {
            let difference = |of: fn(&Stand) -> f64| {
                let mean_of = |name: &str| -> Vec<f64> {
                    let columns: Vec<Vec<f64>> =
                        (0..milestones).map(|at| group.values(name, at, of)).collect();
                    let units = columns.first().map_or(0, Vec::len);
                    (0..units)
                        .map(|unit| columns.iter().map(|c| c[unit]).sum::<f64>() / milestones as f64)
                        .collect()
                };
                let (ours, uct) = (mean_of(reading), mean_of(UCT));
                let differences: Vec<f64> = ours.iter().zip(&uct).map(|(ours, uct)| ours - uct).collect();
                Cell::estimate(Estimate::drawn_mean(&differences), 1)
            };
            table.add(vec![
                group.label().into(),
                reading.into(),
                difference(|stand| stand.share),
                difference(|stand| f64::from(u8::from(stand.right))),
            ]);
        }
    }
    table
}

fn plot(group: &Group<'_>) -> Plot {
    let milestones = group.milestones();
    let shown = group.readings().into_iter().filter(|reading| GO_READINGS.contains(reading));
    let series = shown.enumerate().map(|(hue, reading)| {
        let marks = milestones.iter().enumerate().filter_map(|(at, &simulations)| {
            let values = group.values(reading, at, |stand| stand.share);
            Some(Mark::estimate(simulations as f64, Estimate::percentage(&values)?))
        });
        Series::new(reading, hue, marks.collect())
    });
    let file: String = group
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    Plot::new(
        &format!("share-{file}"),
        &format!("{}: share of the candidate in question", group.label()),
        Axis::log("playouts"),
        Axis::linear("share of the root's playouts in %").showing(0.0),
        series.collect(),
    )
}
