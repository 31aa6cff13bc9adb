//! Runs of the laboratory, read from their directories while others write to them.
//!
//! A run is a directory with a `run.json` (see `tesuji_lab::job`), or one with tables: a training run writes a curve and no jobs. Nothing is locked
//! and nothing written: a line that is not finished yet is left out.

use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use tesuji_board::Color;
use tesuji_lab::job::{FINDINGS_NAME, RUN_NAME};
use tesuji_lab::record::GameLine;
use tesuji_lab::report::REPORT_NAME;
use tesuji_lab::summary::Summary;
use tesuji_lab::table::{Style, efforts, headline, results};

/// How deep below a directory of results runs are looked for.
const MAX_DEPTH: usize = 3;
/// Runs that are listed.
const MAX_RUNS: usize = 200;
/// Largest file that is shown.
const MAX_FILE: u64 = 8 << 20;
/// Largest log that is read.
const MAX_LOG: u64 = 256 << 20;
/// Points of a curve that a screen can show.
const MAX_POINTS: usize = 400;

/// Directories with results.
#[derive(Clone, Debug)]
pub(crate) struct Lab {
    roots: Vec<PathBuf>,
}

impl Lab {
    pub(crate) fn new(roots: Vec<PathBuf>) -> Lab {
        Lab { roots }
    }

    /// Every run, the newest first.
    pub(crate) fn list(&self) -> Value {
        let mut runs: Vec<(u64, Value)> = self
            .runs()
            .into_iter()
            .map(|(name, path)| (modified(&path), (name, path)))
            .map(overview)
            .collect();
        runs.sort_by_key(|&(modified, _)| std::cmp::Reverse(modified));
        let roots: Vec<String> = self.roots.iter().map(|root| root.display().to_string()).collect();
        json!({ "roots": roots, "runs": runs.into_iter().map(|(_, run)| run).collect::<Vec<Value>>() })
    }

    /// Everything about a run; nothing if there is none of that name.
    pub(crate) fn show(&self, name: &str) -> Option<Value> {
        let path = self.path(name)?;
        let (_, mut run) = overview((modified(&path), (name.to_owned(), path.clone())));
        let files = file_names(&path);
        run["report"] =
            files.iter().any(|name| name == REPORT_NAME).then(|| read_text(&path.join(REPORT_NAME))).into();
        run["files"] = files.into();
        run["terms"] = run_file(&path).map_or(Value::Null, |run| run["terms"].clone());
        if run["kind"] == "match" {
            run["match"] = match_so_far(&path);
        }
        Some(run)
    }

    /// A table, a drawing or a text of a run.
    pub(crate) fn file(&self, run: &str, name: &str) -> Option<(&'static str, Vec<u8>)> {
        let path = self.path(run)?;
        if !file_names(&path).iter().any(|known| known == name) {
            return None;
        }
        let bytes = fs::read(path.join(name)).ok()?;
        Some((media_type(name)?, bytes))
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        self.runs().into_iter().find(|(known, _)| known == name).map(|(_, path)| path)
    }

    fn runs(&self) -> Vec<(String, PathBuf)> {
        let mut found = Vec::new();
        for root in &self.roots {
            let name =
                root.file_name().map_or_else(|| ".".into(), |name| name.to_string_lossy().into_owned());
            look(root, &name, MAX_DEPTH, &mut found);
        }
        found.truncate(MAX_RUNS);
        found
    }
}

fn look(directory: &Path, name: &str, depth: usize, found: &mut Vec<(String, PathBuf)>) {
    let is_run =
        directory.join(RUN_NAME).is_file() || file_names(directory).iter().any(|file| file.ends_with(".csv"));
    if is_run && !found.iter().any(|(known, _)| known == name) {
        found.push((name.to_owned(), directory.to_owned()));
    }
    if depth == 0 || found.len() >= MAX_RUNS {
        return;
    }
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut below: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    below.sort();
    for path in below {
        let Some(part) = path.file_name().map(|part| part.to_string_lossy().into_owned()) else { continue };
        if !part.starts_with('.') {
            look(&path, &format!("{name}/{part}"), depth - 1, found);
        }
    }
}

fn overview((modified, (name, path)): (u64, (String, PathBuf))) -> (u64, Value) {
    let kind = run_file(&path).and_then(|run| run["kind"].as_str().map(str::to_owned));
    let (mut done, mut failed) = (0, 0);
    for_each_line(&path.join(FINDINGS_NAME), |line| {
        if line.contains("\"result\"") {
            done += 1;
        } else if line.contains("\"error\"") {
            failed += 1;
        }
    });
    let kind = kind.unwrap_or_else(|| "tables".to_owned());
    (modified, json!({ "name": name, "kind": kind, "done": done, "failed": failed, "modified": modified }))
}

fn run_file(path: &Path) -> Option<Value> {
    serde_json::from_str(&read_text(&path.join(RUN_NAME))).ok()
}

/// When something was last written there, in seconds since 1970.
fn modified(path: &Path) -> u64 {
    let times = fs::read_dir(path).into_iter().flatten().flatten();
    let seconds = times.filter_map(|entry| {
        entry.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs())
    });
    seconds.max().unwrap_or(0)
}

/// Files that may be shown, in order.
fn file_names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.metadata().is_ok_and(|data| data.is_file() && data.len() <= MAX_FILE))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| media_type(name).is_some())
        .collect();
    names.sort();
    names
}

fn media_type(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        "csv" => Some("text/csv; charset=utf-8"),
        "md" => Some("text/markdown; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

fn read_text(path: &Path) -> String {
    let is_small = fs::metadata(path).is_ok_and(|data| data.len() <= MAX_FILE);
    if is_small { fs::read_to_string(path).unwrap_or_default() } else { String::new() }
}

/// Hands over the whole lines of a log, if it is not absurdly long.
fn for_each_line(path: &Path, mut act: impl FnMut(&str)) {
    let Ok(file) = File::open(path) else { return };
    if file.metadata().map_or(true, |data| data.len() > MAX_LOG) {
        return;
    }
    let mut reader = BufReader::new(file);
    let mut line = String::new();
    while matches!(reader.read_line(&mut line), Ok(1..)) && line.ends_with('\n') {
        act(line.trim_end());
        line.clear();
    }
}

/// The tables of a match and the course of its first pairing.
fn match_so_far(path: &Path) -> Value {
    let mut games: Vec<GameLine> = Vec::new();
    for_each_line(&path.join(FINDINGS_NAME), |line| {
        let finding = serde_json::from_str(line).ok().and_then(|mut line: Value| {
            let line = line.get_mut("result")?.get_mut("line")?.take();
            serde_json::from_value(line).ok()
        });
        games.extend(finding);
    });
    games.sort_by_key(|game| game.game);
    let mut names: Vec<String> = Vec::new();
    for name in games.iter().flat_map(|game| [&game.black, &game.white]) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let Some(first) = names.first().cloned() else { return Value::Null };
    let summary = Summary::new(names, &games, None);
    let mut rates = Vec::new();
    let (mut played, mut half_points) = (0, 0);
    for game in &games {
        let color = Color::BOTH.into_iter().find(|&color| game.player(color) == first);
        if let Some(color) = color {
            played += 1;
            half_points += game.half_points(color);
            rates.push((played, half_points as f64 / (2 * played) as f64));
        }
    }
    let step = rates.len().div_ceil(MAX_POINTS).max(1);
    let is_shown = |&(index, _): &(usize, &(usize, f64))| (rates.len() - 1 - index).is_multiple_of(step);
    let shown: Vec<(usize, f64)> =
        rates.iter().enumerate().filter(is_shown).map(|(_, &point)| point).collect();
    json!({
        "headline": headline(&summary),
        "results": results(&summary, Style::Markdown),
        "efforts": efforts(&summary, Style::Markdown),
        "first": first,
        "rates": shown,
    })
}
