//! The report of the experiment: a table and a plot per question, ours beside the paper's.

use super::TrialTask;
use super::paper;
use super::trial::{Playouts, Snapshot, Trace, Way};
use crate::data_table::{Cell, DataTable};
use crate::job::Job;
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::Report;
use crate::statistics::{Estimate, Sample};

/// Trials of one kind on one size of board.
struct Group<'a> {
    playouts: Playouts,
    size: String,
    traces: Vec<&'a [Trace]>,
}

/// Adds everything that the trials came to.
pub fn write(report: &mut Report, jobs: &[Job<TrialTask>], results: &[Vec<Trace>]) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (job, traces) in jobs.iter().zip(results) {
        let (playouts, size) = (job.task.playouts, job.task.problem.size.to_string());
        let position = groups.iter().position(|group| group.playouts == playouts && group.size == size);
        let at = position.unwrap_or_else(|| {
            groups.push(Group { playouts, size, traces: Vec::new() });
            groups.len() - 1
        });
        groups[at].traces.push(traces);
    }
    groups.sort_by_key(|group| (group.playouts == Playouts::Heavy, group.size.len(), group.size.clone()));
    let full = results.iter().flatten().flat_map(|trace| &trace.snapshots).filter(|s| s.prunings > 0).count();
    if full > 0 {
        report.text(format!(
            "**{full} snapshots were taken after a tree had been full: their counts mean little. Allow more memory.**"
        ));
    }
    let decided =
        results.iter().flatten().filter(|trace| trace.snapshots.last().is_some_and(|s| s.is_decided));
    report.text(format!(
        "In {} of {} searches the result was proven before the end; from then on they count for the answers alone.",
        decided.count(),
        results.iter().flatten().count()
    ));
    reexpansions(report, &groups);
    overtakings(report, &groups);
    answers(report, &groups);
    times(report, &groups);
}

impl Group<'_> {
    /// What it is, for tables.
    fn name(&self) -> String {
        let playouts = match self.playouts {
            Playouts::Light => "light",
            Playouts::Heavy => "heavy",
        };
        format!("{} {playouts}", self.size)
    }

    fn milestones(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self
            .traces
            .iter()
            .copied()
            .flatten()
            .flat_map(|trace| &trace.snapshots)
            .map(|s| s.simulations)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What one way came to at a milestone, per problem on which it was tried.
    fn snapshots(&self, way: Way, milestone: u64) -> impl Iterator<Item = &Snapshot> {
        self.traces.iter().filter_map(move |traces| find(traces, way, milestone))
    }

    /// What a way came to beside UCT, per problem on which both were tried.
    fn pairs(&self, way: Way, milestone: u64) -> impl Iterator<Item = (&Snapshot, &Snapshot)> {
        self.traces.iter().filter_map(move |traces| {
            Some((find(traces, Way::Uct, milestone)?, find(traces, way, milestone)?))
        })
    }

    /// The snapshots that say something about costs.
    fn costs(&self, way: Way, milestone: u64) -> impl Iterator<Item = &Snapshot> {
        self.snapshots(way, milestone).filter(|snapshot| !snapshot.is_decided)
    }

    /// The pairs that say something about costs.
    fn cost_pairs(&self, way: Way, milestone: u64) -> impl Iterator<Item = (&Snapshot, &Snapshot)> {
        self.pairs(way, milestone).filter(|(uct, other)| !uct.is_decided && !other.is_decided)
    }

    /// A number of UCT and of a way, per problem, made into one.
    fn compare(&self, way: Way, milestone: u64, of: impl Fn(&Snapshot, &Snapshot) -> f64) -> Option<Sample> {
        let values = self.cost_pairs(way, milestone).map(|(uct, other)| of(uct, other));
        Sample::of(values.filter(|value| value.is_finite()))
    }

    fn mean(&self, way: Way, milestone: u64, of: impl Fn(&Snapshot) -> f64) -> Option<Sample> {
        Sample::of(self.costs(way, milestone).map(of))
    }
}

fn find(traces: &[Trace], way: Way, milestone: u64) -> Option<&Snapshot> {
    let trace = traces.iter().find(|trace| trace.way == way)?;
    trace.snapshots.iter().find(|snapshot| snapshot.simulations == milestone)
}

fn mark(x: u64, sample: Option<Sample>) -> Option<Mark> {
    sample.map(|sample| Mark::estimate(x as f64, Estimate::mean(sample)))
}

const DEPTH_FIRST: [(Way, &str); 2] = [(Way::Plain, "DFUCT"), (Way::Exact, "exact DFUCT")];

fn reexpansions(report: &mut Report, groups: &[Group<'_>]) {
    let columns = [
        "board",
        "playouts",
        "problems",
        "UCT per playout",
        "DFUCT / UCT",
        "exact / UCT",
        "paper: DFUCT / UCT",
    ];
    let title = "Internal re-expansions: moves into nodes that had all their children";
    let mut table = DataTable::new("reexpansions", title, &columns);
    let mut series = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let ratio = |way, milestone| {
            group.compare(way, milestone, |uct, other| other.reexpansions as f64 / uct.reexpansions as f64)
        };
        for milestone in group.milestones() {
            let per_playout = |s: &Snapshot| s.reexpansions as f64 / s.simulations as f64;
            let paper = paper::REEXPANSIONS.iter().find(|(at, _)| *at == milestone && group.size == "19x19");
            table.add(vec![
                group.name().into(),
                milestone.into(),
                (group.cost_pairs(Way::Plain, milestone).count() as u64).into(),
                Cell::mean(group.mean(Way::Uct, milestone, per_playout), 3),
                Cell::mean(ratio(Way::Plain, milestone), 3),
                Cell::mean(ratio(Way::Exact, milestone), 3),
                paper.map_or(Cell::Missing, |(_, ratio)| Cell::Number(*ratio, 2)),
            ]);
        }
        let marks = group.milestones().into_iter().filter_map(|at| mark(at, ratio(Way::Plain, at))).collect();
        series.push(Series::new(&format!("DFUCT, {}", group.name()), index, marks));
    }
    let marks = paper::REEXPANSIONS.iter().map(|&(at, ratio)| Mark::sure(at as f64, ratio)).collect();
    series.push(Series::paper("paper, 19x19", 5, marks));
    report.table(table);
    let (x, y) =
        (Axis::log("playouts"), Axis::linear("re-expansions, DFUCT / UCT").showing(0.0).showing(1.0));
    report.plot(Plot::new("reexpansions", "Internal re-expansions of DFUCT relative to UCT", x, y, series));
}

fn overtakings(report: &mut Report, groups: &[Group<'_>]) {
    let columns = [
        "board",
        "playouts",
        "problems",
        "of checks, %",
        "of conditions, %",
        "wrong decisions, % of playouts",
        "paper, %",
    ];
    let title = "A third move overtakes the second while DFUCT stays below the best";
    let mut table = DataTable::new("overtakings", title, &columns);
    for group in groups {
        for milestone in group.milestones() {
            let rate = |of: fn(&Snapshot) -> (u64, u64)| {
                let share = move |s: &Snapshot| 100.0 * of(s).1 as f64 / of(s).0.max(1) as f64;
                let shares: Vec<f64> = group.costs(Way::Audited, milestone).map(share).collect();
                Cell::estimate(Estimate::percentage(&shares), 3)
            };
            let problems = group.costs(Way::Audited, milestone).count() as u64;
            if problems > 0 {
                table.add(vec![
                    group.name().into(),
                    milestone.into(),
                    problems.into(),
                    rate(|s| s.checks),
                    rate(|s| s.conditions),
                    rate(|s| (s.simulations, s.wrong_decisions)),
                    format!("{}–{}", paper::OVERTAKEN.0, paper::OVERTAKEN.1).into(),
                ]);
            }
        }
    }
    if !table.is_empty() {
        report.table(table);
    }
}

fn answers(report: &mut Report, groups: &[Group<'_>]) {
    let columns = [
        "board",
        "playouts",
        "problems",
        "UCT, %",
        "DFUCT, %",
        "exact DFUCT, %",
        "only UCT",
        "only DFUCT",
        "paper: both, %",
    ];
    let mut table = DataTable::new("answers", "Right answers", &columns);
    let mut series = Vec::new();
    for (index, group) in groups.iter().filter(|group| group.playouts == Playouts::Light).enumerate() {
        let right = |way, milestone| {
            let all: Vec<bool> = group.snapshots(way, milestone).map(|s| s.is_right).collect();
            (all.iter().filter(|&&is_right| is_right).count(), all.len())
        };
        let cell = |way, milestone| {
            let (right, all) = right(way, milestone);
            Cell::share(right, all)
        };
        for milestone in group.milestones() {
            let differ = |only: Way| {
                let is_only = |(uct, plain): &(&Snapshot, &Snapshot)| match only {
                    Way::Uct => uct.is_right && !plain.is_right,
                    _ => plain.is_right && !uct.is_right,
                };
                Cell::Count(group.pairs(Way::Plain, milestone).filter(is_only).count() as u64)
            };
            let (right, all) = paper::RIGHT;
            table.add(vec![
                group.size.clone().into(),
                milestone.into(),
                (group.pairs(Way::Plain, milestone).count() as u64).into(),
                cell(Way::Uct, milestone),
                cell(Way::Plain, milestone),
                cell(Way::Exact, milestone),
                differ(Way::Uct),
                differ(Way::Plain),
                format!("about {}", 100 * right / all).into(),
            ]);
        }
        for (way, label, hue) in [(Way::Uct, "UCT", 0), (Way::Plain, "DFUCT", 1)] {
            let marks = group.milestones().into_iter().filter_map(|at| {
                let (right, all) = right(way, at);
                Some(Mark::estimate(at as f64, Estimate::share(right, all)?))
            });
            series.push(Series::new(&format!("{label}, {}", group.size), 2 * index + hue, marks.collect()));
        }
    }
    report.table(table);
    let (x, y) = (Axis::log("playouts"), Axis::linear("right answers, %").showing(0.0).showing(100.0));
    report.plot(Plot::new("answers", "Right answers", x, y, series));
}

fn times(report: &mut Report, groups: &[Group<'_>]) {
    let columns = [
        "board",
        "playouts",
        "way",
        "problems",
        "µs per playout",
        "of it playout",
        "of it tree",
        "paper: µs",
        "paper: tree",
    ];
    let title = "Processor time per simulation";
    let mut table = DataTable::new("times", title, &columns);
    let columns = [
        "board",
        "playouts",
        "way",
        "problems",
        "time saved, %",
        "of the tree's, %",
        "paper: time, %",
        "paper: tree's, %",
    ];
    let mut savings = DataTable::new("savings", "Time saved against UCT, problem by problem", &columns);
    let mut series = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        for milestone in group.milestones() {
            let us = |of: f64| 1e6 * of / milestone as f64;
            let paper = paper::TIMES.iter().find(|(at, _)| *at == milestone && group.size == "19x19");
            let was_tried = |(way, _): &(Way, &str)| group.costs(*way, milestone).next().is_some();
            for (way, label) in [(Way::Uct, "UCT")].into_iter().chain(DEPTH_FIRST).filter(was_tried) {
                let of_paper = paper.and_then(|(_, [uct, uct_playout, dfuct, dfuct_playout])| match way {
                    Way::Uct => Some((*uct, uct - uct_playout)),
                    Way::Plain => Some((*dfuct, dfuct - dfuct_playout)),
                    _ => None,
                });
                table.add(vec![
                    group.name().into(),
                    milestone.into(),
                    label.into(),
                    (group.costs(way, milestone).count() as u64).into(),
                    Cell::mean(group.mean(way, milestone, |s| us(s.seconds)), 2),
                    Cell::mean(group.mean(way, milestone, |s| us(s.playout_seconds)), 2),
                    Cell::mean(group.mean(way, milestone, |s| us(s.seconds - s.playout_seconds)), 2),
                    of_paper.map_or(Cell::Missing, |(total, _)| Cell::Number(total, 1)),
                    of_paper.map_or(Cell::Missing, |(_, tree)| Cell::Number(tree, 1)),
                ]);
            }
            for (way, label) in DEPTH_FIRST.into_iter().filter(was_tried) {
                let paper = paper::savings(milestone).filter(|_| group.size == "19x19" && way == Way::Plain);
                savings.add(vec![
                    group.name().into(),
                    milestone.into(),
                    label.into(),
                    (group.cost_pairs(way, milestone).count() as u64).into(),
                    Cell::mean(saved(group, way, milestone), 2),
                    Cell::mean(group.compare(way, milestone, |uct, other| saving(tree(uct), tree(other))), 1),
                    paper.map_or(Cell::Missing, |(total, _)| Cell::Number(total, 1)),
                    paper.map_or(Cell::Missing, |(_, tree)| Cell::Number(tree, 1)),
                ]);
            }
        }
        for (offset, (way, label)) in DEPTH_FIRST.into_iter().enumerate() {
            let marks: Vec<Mark> =
                group.milestones().into_iter().filter_map(|at| mark(at, saved(group, way, at))).collect();
            if !marks.is_empty() {
                series.push(Series::new(&format!("{label}, {}", group.name()), 2 * index + offset, marks));
            }
        }
    }
    let marks = paper::TIMES.iter().filter_map(|&(at, _)| Some(Mark::sure(at as f64, paper::savings(at)?.0)));
    series.push(Series::paper("paper, 19x19", 5, marks.collect()));
    report.table(table);
    report.table(savings);
    let (x, y) = (Axis::log("playouts"), Axis::linear("time saved, %").showing(0.0));
    report.plot(Plot::new("savings", "Time saved by DFUCT", x, y, series));
}

fn tree(snapshot: &Snapshot) -> f64 {
    snapshot.seconds - snapshot.playout_seconds
}

fn saving(before: f64, after: f64) -> f64 {
    100.0 * (1.0 - after / before)
}

fn saved(group: &Group<'_>, way: Way, milestone: u64) -> Option<Sample> {
    group.compare(way, milestone, |uct, other| saving(uct.seconds, other.seconds))
}
