//! The report of the experiment: who won, and where the moves of playouts came from.

use super::paper;
use crate::data_table::{Cell, DataTable};
use crate::job::Job;
use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::Report;
use crate::statistics::{Estimate, binomial_p};
use crate::variant::{Arm, GameFinding, GameTask, SideEffort, by_arm, wins};

/// The tables of replies, in the order of [`SideEffort::replies`].
const TABLES: [&str; 4] = ["EN-2 %", "EN-1 %", "LGRF-2 %", "LGRF-1 %"];

/// Adds everything that the games came to.
pub fn write(report: &mut Report, arms: &[Arm], jobs: &[Job<GameTask>], findings: &[GameFinding]) {
    let groups = by_arm(arms, jobs, findings);
    report.table(results(&groups));
    report.plot(win_rates(&groups));
    report.table(origins(&groups));
}

fn results(groups: &[(&Arm, Vec<&GameFinding>)]) -> DataTable {
    let columns = [
        "variant",
        "against",
        "games",
        "black wins",
        "white wins",
        "win %",
        "p",
        "paper games",
        "paper win %",
    ];
    let mut table =
        DataTable::new("results", "Variants against the same engine without reply tables", &columns);
    for (arm, findings) in groups {
        let won = |black: bool| findings.iter().filter(|f| f.won == Some(true) && f.black == black).count();
        let (black, white) = (won(true), won(false));
        let (_, decided) = wins(findings);
        let paper = paper::result(&arm.preset);
        table.add(vec![
            arm.to_string().into(),
            arm.base.clone().into(),
            (findings.len() as u64).into(),
            (black as u64).into(),
            (white as u64).into(),
            Cell::share(black + white, decided),
            Cell::Number(binomial_p((black + white) as u64, (decided - black - white) as u64), 4),
            paper.map_or(Cell::Missing, |paper| paper.games.into()),
            paper.map_or(Cell::Missing, |paper| Cell::share(paper.won() as usize, paper.games as usize)),
        ]);
    }
    table
}

fn win_rates(groups: &[(&Arm, Vec<&GameFinding>)]) -> Plot {
    let mark = |index: usize, won: usize, games: usize| {
        Some(Mark::estimate(index as f64, Estimate::share(won, games)?))
    };
    let ours = groups.iter().enumerate().filter_map(|(index, (_, findings))| {
        let (won, decided) = wins(findings);
        mark(index, won, decided)
    });
    let papers = groups.iter().enumerate().filter_map(|(index, (arm, _))| {
        paper::result(&arm.preset).and_then(|paper| mark(index, paper.won() as usize, paper.games as usize))
    });
    let series = vec![Series::new("ours", 0, ours.collect()), Series::paper("paper", 0, papers.collect())];
    let names: Vec<String> = groups.iter().map(|(arm, _)| arm.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (x, y) = (Axis::named("variant", &names), Axis::linear("games won in %").showing(50.0));
    Plot::new("win-rates", "Games won against the same engine without reply tables", x, y, series)
}

fn origins(groups: &[(&Arm, Vec<&GameFinding>)]) -> DataTable {
    let mut columns = vec!["side", "playouts/move", "ms/move"];
    columns.extend(TABLES);
    columns.extend(["random %", "moves/playout"]);
    let title = "Where the moves of playouts came from, in per cent of all moves of playouts";
    let mut table = DataTable::new("origins", title, &columns);
    for (arm, findings) in groups {
        let sides: [(String, Vec<&SideEffort>); 2] = [
            (arm.to_string(), findings.iter().map(|finding| &finding.variant).collect()),
            (format!("{}, its opponent", arm.base), findings.iter().map(|finding| &finding.base).collect()),
        ];
        for (name, efforts) in sides {
            let sum = |of: fn(&SideEffort) -> f64| efforts.iter().map(|effort| of(effort)).sum::<f64>();
            let (decisions, moves) = (sum(|e| e.decisions as f64), sum(|e| e.playout_moves as f64));
            let ratio = |part: f64, whole: f64, digits: usize| {
                if whole > 0.0 { Cell::Number(part / whole, digits) } else { Cell::Missing }
            };
            let simulations = sum(|e| e.simulations as f64);
            let mut row: Vec<Cell> = vec![
                name.into(),
                ratio(simulations, decisions, 0),
                ratio(1000.0 * sum(|e| e.seconds), decisions, 1),
            ];
            let hits = (0..TABLES.len()).map(|i| efforts.iter().map(|e| e.replies[i] as f64).sum::<f64>());
            row.extend(hits.map(|hits| ratio(100.0 * hits, moves, 1)));
            row.push(ratio(100.0 * sum(|e| e.random as f64), moves, 1));
            row.push(ratio(moves, simulations, 1));
            table.add(row);
        }
    }
    table
}
