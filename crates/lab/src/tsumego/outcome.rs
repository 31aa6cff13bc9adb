//! Tables and plots of the experiment.

use std::collections::BTreeMap;

use tesuji_solve::{Fate, Judgement};

use super::comparison::{Comparison, Grade, Ratio, TRIVIAL, is_comparable};
use super::curve::{Curve, GOAL, Needed, checkpoints};
use super::trial::Proof;
use super::variant::VARIANTS;
use crate::data_table::{Cell, DataTable};
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::Report;
use crate::statistics::{Estimate, Sample};

/// A problem that the prover was asked about.
pub struct Proved {
    /// The collection that it comes from.
    pub collection: String,
    /// How hard it is said to be, or what it is about.
    pub rank: String,
    /// What came of it; nothing if it is no problem.
    pub proof: Option<Proof>,
}

/// A problem that was searched with all rules.
pub struct Measured {
    /// Its name.
    pub name: String,
    /// What it is about.
    pub kind: String,
    /// Number of empty points in its region.
    pub empty_points: usize,
    /// By rule, in the order of [`VARIANTS`].
    pub curves: Vec<Curve>,
}

/// How many problems were not searched with all rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Those that plain UCT solves at once.
    pub trivial: usize,
    /// Those that it does not solve with the playouts allowed.
    pub too_hard: usize,
}

/// Adds what the prover did, by collection and rank.
pub fn add_provers_table(report: &mut Report, problems: &[Proved]) {
    let columns = [
        "collection",
        "rank",
        "problems",
        "unusable",
        "decided %",
        "agree",
        "contradict",
        "no answer",
        "median nodes",
        "nodes",
        "seconds",
    ];
    let mut table = DataTable::new("prover", "Proofs by df-pn", &columns);
    let mut rows: BTreeMap<(&str, Option<&str>), Vec<&Proved>> = BTreeMap::new();
    for problem in problems {
        rows.entry((&problem.collection, None)).or_default().push(problem);
        rows.entry((&problem.collection, Some(&problem.rank))).or_default().push(problem);
    }
    for ((collection, rank), problems) in rows {
        let proofs: Vec<&Proof> = problems.iter().filter_map(|problem| problem.proof.as_ref()).collect();
        let decided = proofs.iter().filter(|proof| proof.fate != Fate::Unknown).count();
        let judged = |judgement| proofs.iter().filter(|proof| proof.judgement == judgement).count() as u64;
        let mut nodes: Vec<u64> = proofs.iter().map(|proof| proof.nodes).collect();
        nodes.sort_unstable();
        table.add(vec![
            collection.into(),
            match rank {
                None => "all".into(),
                Some("") => Cell::Missing,
                Some(rank) => rank.into(),
            },
            (proofs.len() as u64).into(),
            ((problems.len() - proofs.len()) as u64).into(),
            Cell::share(decided, proofs.len()),
            judged(Judgement::Agrees).into(),
            judged(Judgement::Contradicts).into(),
            judged(Judgement::NoAnswer).into(),
            nodes.get(nodes.len() / 2).map_or(Cell::Missing, |&median| median.into()),
            nodes.iter().sum::<u64>().into(),
            Cell::Number(proofs.iter().map(|proof| proof.seconds).sum(), 2),
        ]);
    }
    report.table(table);
}

/// Adds what the rules needed, and how they compare.
pub fn add_comparison(report: &mut Report, problems: &[Measured], left_out: LeftOut, seed: u64) {
    let comparisons: Vec<Comparison> = VARIANTS
        .iter()
        .enumerate()
        .map(|(at, variant)| {
            let pairs = problems.iter().map(|problem| (&problem.curves[variant.base], &problem.curves[at]));
            Comparison::of(pairs, seed)
        })
        .collect();
    let comparable = problems.iter().filter(|problem| is_comparable(&problem.curves[0])).count();
    let LeftOut { trivial, too_hard } = left_out;
    report.text(format!(
        "{} problems have right and wrong first moves. By a few searches in advance, {trivial} are trivial for plain UCT, {too_hard} too hard within the \
         limit of playouts. Of the other {}, {comparable} are compared: those on which plain UCT is right in {:.0} % of its searches after at least {TRIVIAL} \
         playouts and within their limit, four times what the searches in advance needed. A ratio below 1 means fewer playouts for {:.0} %. A problem counts \
         as better or worse if the 95 % interval of its ratio, by drawing the seeds again, does not hold 1.",
        problems.len() + trivial + too_hard,
        problems.len(),
        100.0 * GOAL,
        100.0 * GOAL,
    ));
    report.table(summary(&comparisons));
    report.plot(ratio_plot(&comparisons));
    report.plot(mean_plot(problems));
    report.table(by_kind(problems, &comparisons));
    report.table(by_problem(problems));
    let paper = &comparisons[1].ratios;
    let by_value = |a: &&Ratio, b: &&Ratio| a.value.total_cmp(&b.value);
    if let Some((best, worst)) = paper.iter().min_by(by_value).zip(paper.iter().max_by(by_value)) {
        report.plot(problem_plot("best", &problems[best.problem]));
        report.plot(problem_plot("worst", &problems[worst.problem]));
    }
}

fn summary(comparisons: &[Comparison]) -> DataTable {
    let columns = [
        "rule",
        "compared with",
        "problems",
        "ratio, geometric mean",
        "ratio, mean",
        "better",
        "same",
        "worse",
        "not reached",
        "playouts to a proof, ratio",
    ];
    let mut table = DataTable::new("summary", "Playouts needed for 90 %, as a ratio", &columns);
    for (variant, comparison) in VARIANTS.iter().zip(comparisons).skip(1) {
        let count = |grade| (comparison.count(grade) as u64).into();
        let missed = comparison.ratios.iter().filter(|ratio| !ratio.is_reached).count();
        table.add(vec![
            variant.name.into(),
            VARIANTS[variant.base].name.into(),
            (comparison.ratios.len() as u64).into(),
            geometric(comparison.log_ratio(|_| true)),
            Cell::mean(comparison.plain_ratio(), 3),
            count(Grade::Better),
            count(Grade::Same),
            count(Grade::Worse),
            (missed as u64).into(),
            geometric(Sample::of(comparison.log_proofs.iter().copied())),
        ]);
    }
    table
}

/// A mean of logarithms as a ratio.
fn geometric(logs: Option<Sample>) -> Cell {
    Cell::estimate(logs.map(ratio_of_logs), 3)
}

fn ratio_of_logs(logs: Sample) -> Estimate {
    let Estimate { value, interval } = Estimate::mean(logs);
    Estimate { value: value.exp(), interval: interval.map(|interval| interval.map(f64::exp)) }
}

fn by_kind(problems: &[Measured], comparisons: &[Comparison]) -> DataTable {
    let mut columns = vec!["kind", "problems"];
    columns.extend(VARIANTS[1..].iter().map(|variant| variant.name));
    let mut table = DataTable::new("kinds", "Ratio (geometric mean) by kind of problem", &columns);
    let mut kinds: Vec<&str> = problems.iter().map(|problem| problem.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let belongs = |problem: usize| problems[problem].kind == kind;
        let count = comparisons[0].ratios.iter().filter(|ratio| belongs(ratio.problem)).count();
        let mut row = vec![kind.into(), (count as u64).into()];
        row.extend(comparisons[1..].iter().map(|comparison| geometric(comparison.log_ratio(belongs))));
        table.add(row);
    }
    table
}

fn by_problem(problems: &[Measured]) -> DataTable {
    let mut columns = vec!["problem", "empty points", "limit"];
    columns.extend(VARIANTS.iter().map(|variant| variant.name));
    let mut table = DataTable::new("problems", "Playouts for 90 %, by problem", &columns);
    for problem in problems {
        let limit = problem.curves[0].limit;
        let mut row: Vec<Cell> =
            vec![problem.name.as_str().into(), (problem.empty_points as u64).into(), limit.into()];
        row.extend(problem.curves.iter().map(|curve| match curve.needed() {
            Needed::Playouts(playouts) => Cell::Number(playouts, 0),
            Needed::MoreThan(_) => Cell::Missing,
        }));
        table.add(row);
    }
    table
}

/// The mean ratio of each rule, the paper's beside it.
fn ratio_plot(comparisons: &[Comparison]) -> Plot {
    let names: Vec<&str> = VARIANTS[1..].iter().map(|variant| variant.label).collect();
    let ours = comparisons[1..].iter().enumerate().filter_map(|(at, comparison)| {
        let sample = comparison.log_ratio(|_| true)?;
        Some(Mark::estimate(at as f64, ratio_of_logs(sample)))
    });
    let paper = VARIANTS[1..].iter().enumerate();
    let paper = paper.filter_map(|(at, variant)| Some(Mark::sure(at as f64, variant.paper?)));
    let series =
        vec![Series::new("ours, 95 %", 0, ours.collect()), Series::paper("paper", 1, paper.collect())];
    let y = Axis::linear("playouts for 90 %, ratio").showing(1.0);
    Plot::new("ratio", "Playouts needed with proof probability", Axis::named("rule", &names), y, series)
}

/// The share of right answers by playouts, averaged over all problems that can be compared.
fn mean_plot(problems: &[Measured]) -> Plot {
    let chosen: Vec<&Measured> =
        problems.iter().filter(|problem| is_comparable(&problem.curves[0])).collect();
    let longest = chosen.iter().map(|problem| problem.curves[0].limit).max().unwrap_or(0);
    let series = VARIANTS.iter().enumerate().map(|(at, variant)| {
        let shares: Vec<Vec<f64>> = chosen.iter().map(|problem| problem.curves[at].shares()).collect();
        let marks = checkpoints(longest).enumerate().filter_map(|(k, playouts)| {
            // A search that ended keeps its last answer.
            let sample =
                Sample::of(shares.iter().filter_map(|shares| shares.get(k).or(shares.last()).copied()))?;
            Some(Mark::sure(playouts as f64, sample.mean))
        });
        Series::new(variant.label, at, marks.collect())
    });
    let y = Axis::linear("share of right first moves").showing(GOAL);
    Plot::new("right", "Right first moves, mean over problems", Axis::log("playouts"), y, series.collect())
}

/// The share of right answers by playouts for plain UCT and the paper's two rules.
fn problem_plot(name: &str, problem: &Measured) -> Plot {
    let series = VARIANTS[..3].iter().zip(&problem.curves).enumerate().map(|(at, (variant, curve))| {
        let marks = checkpoints(curve.limit).zip(curve.shares());
        Series::new(
            variant.name,
            at,
            marks.map(|(playouts, share)| Mark::sure(playouts as f64, share)).collect(),
        )
    });
    let title = format!("{name} for c = 0.5: {}", problem.name);
    let y = Axis::linear("share of right first moves").showing(GOAL);
    Plot::new(name, &title, Axis::log("playouts"), y, series.collect())
}
