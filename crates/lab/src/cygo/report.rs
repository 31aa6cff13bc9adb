//! The report of the experiment: who won, by the two parameters, and what it cost.

use super::{BEST, paper};
use crate::data_table::{Cell, DataTable};
use crate::job::Job;
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::Report;
use crate::statistics::{Estimate, binomial_p};
use crate::variant::{Arm, GameFinding, GameTask, SideEffort, by_arm, wins};

type Group<'a> = (&'a Arm, Vec<&'a GameFinding>);

/// Adds everything that the games came to.
pub fn write(report: &mut Report, arms: &[Arm], jobs: &[Job<GameTask>], findings: &[GameFinding]) {
    let groups = by_arm(arms, jobs, findings);
    report.table(results(&groups));
    let share = |arm: &Arm| {
        paper::parameters(arm).0.filter(|_| paper::parameters(arm).1 == Some(BEST.1)).map(str::to_owned)
    };
    let threshold = |arm: &Arm| {
        paper::parameters(arm).1.filter(|_| paper::parameters(arm).0 == Some(BEST.0)).map(str::to_owned)
    };
    report.plot(sweep(&groups, "share", "λ, the playouts' part", share));
    report.plot(sweep(&groups, "threshold", "visits before a leaf gets its moves", threshold));
    report.table(costs(&groups));
}

fn results(groups: &[Group<'_>]) -> DataTable {
    let columns = ["variant", "against", "λ", "threshold", "games", "wins", "win %", "p", "paper win %"];
    let mut table =
        DataTable::new("results", "The engine with a network against the engine without", &columns);
    for (arm, findings) in groups {
        let (won, decided) = wins(findings);
        let (share, threshold) = paper::parameters(arm);
        let parameter = |text: Option<&str>| text.map_or(Cell::Missing, |text| text.to_owned().into());
        table.add(vec![
            arm.to_string().into(),
            arm.base.clone().into(),
            parameter(share),
            parameter(threshold),
            (findings.len() as u64).into(),
            (won as u64).into(),
            Cell::share(won, decided),
            Cell::Number(binomial_p(won as u64, (decided - won) as u64), 4),
            paper::wins(arm).map_or(Cell::Missing, |won| Cell::share(won, paper::GAMES)),
        ]);
    }
    table
}

/// Win rates of the variants for which `value` has a value of the parameter.
fn sweep(groups: &[Group<'_>], name: &str, label: &str, value: impl Fn(&Arm) -> Option<String>) -> Plot {
    let mark = |x: &str, won: usize, games: usize| {
        Some(Mark::estimate(x.parse().ok()?, Estimate::share(won, games)?))
    };
    let of = |pairs: &dyn Fn(&Group<'_>) -> Option<(usize, usize)>| {
        let mut marks: Vec<Mark> = groups
            .iter()
            .filter_map(|group| {
                let (won, games) = pairs(group)?;
                mark(&value(group.0)?, won, games)
            })
            .collect();
        marks.sort_by(|a, b| a.x.total_cmp(&b.x));
        marks
    };
    let ours = of(&|group| Some(wins(&group.1)));
    let papers = of(&|group| Some((paper::wins(group.0)?, paper::GAMES)));
    let series = vec![Series::new("ours", 0, ours), Series::paper("paper", 0, papers)];
    let (x, y) = (Axis::linear(label), Axis::linear("games won in %").showing(50.0));
    Plot::new(name, "Games won against the engine without a network", x, y, series)
}

fn costs(groups: &[Group<'_>]) -> DataTable {
    let columns = ["variant", "playouts/move", "its opponent's", "ms/move", "its opponent's"];
    let mut table = DataTable::new("costs", "What a move costs", &columns);
    for (arm, findings) in groups {
        let ratio = |side: fn(&GameFinding) -> &SideEffort, of: fn(&SideEffort) -> f64, digits: usize| {
            let sum =
                |of: fn(&SideEffort) -> f64| findings.iter().map(|finding| of(side(finding))).sum::<f64>();
            let decisions = sum(|effort| effort.decisions as f64);
            if decisions > 0.0 { Cell::Number(sum(of) / decisions, digits) } else { Cell::Missing }
        };
        table.add(vec![
            arm.to_string().into(),
            ratio(|finding| &finding.variant, |effort| effort.simulations as f64, 0),
            ratio(|finding| &finding.base, |effort| effort.simulations as f64, 0),
            ratio(|finding| &finding.variant, |effort| 1000.0 * effort.seconds, 1),
            ratio(|finding| &finding.base, |effort| 1000.0 * effort.seconds, 1),
        ]);
    }
    table
}
