//! The documents say what the program does: examples of the README are run, pages and pictures are made again.
//!
//! In a code block, `$ ` begins a command, and what it prints follows. A block below a comment `<!-- $ command -->` is part of what
//! that command prints. Numbers that depend on the machine may differ: seconds, speeds, shares of the time, and columns headed by
//! one of `TIMED_COLUMNS`. With `TESUJI_BLESS=1` in the environment the README is rewritten instead, for a look at the difference.

use crate::process::{Directory, run, stdout};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Words before a share of the time.
const TIMED_SHARES: [&str; 2] = ["playouts", "tree"];
/// Heads of columns that depend on the machine.
const TIMED_COLUMNS: [&str; 2] = ["s/move", "longest"];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(name: &str) -> String {
    std::fs::read_to_string(project().join(name)).unwrap()
}

/// A place for commands to run in, with the documents in it.
fn workplace(name: &str) -> Directory {
    let directory = Directory::new(name);
    #[cfg(unix)]
    std::os::unix::fs::symlink(project().join("crates"), directory.0.join("crates")).unwrap();
    std::fs::create_dir(directory.0.join("docs")).unwrap();
    for entry in std::fs::read_dir(project().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, directory.0.join("docs").join(path.file_name().unwrap())).unwrap();
        }
    }
    directory
}

/// What a command line prints, in a shell that finds our program first.
fn output_of(command: &str, directory: &Directory) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_tesuji"));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(&directory.0)
        .env("PATH", path)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    stdout(&output)
}

/// Part of a document.
enum Part {
    /// Lines as they are.
    Text(String),
    /// A command and the lines it prints; the lines of the command come first if they are shown.
    Example { shown: String, command: String, printed: String, is_part: bool },
}

/// Takes a document apart.
fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut lines = text.lines().peekable();
    let mut hidden = None;
    let mut in_block = false;
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            in_block = !in_block;
            plain += &format!("{line}\n");
            if let Some(command) = hidden.take_if(|_| in_block) {
                let mut printed = String::new();
                while let Some(line) = lines.next_if(|line| !line.starts_with("```")) {
                    printed += &format!("{line}\n");
                }
                parts.push(Part::Text(std::mem::take(&mut plain)));
                parts.push(Part::Example { shown: String::new(), command, printed, is_part: true });
            }
            continue;
        }
        let Some(first) = line.strip_prefix("$ ").filter(|_| in_block) else {
            let comment = line.strip_prefix("<!-- $ ").and_then(|rest| rest.strip_suffix(" -->"));
            hidden = comment.map(str::to_owned).or(hidden);
            plain += &format!("{line}\n");
            continue;
        };
        let (mut shown, mut command) = (format!("{line}\n"), first.to_owned());
        while let Some(continued) = command.strip_suffix('\\').map(str::to_owned) {
            let line = lines.next().unwrap_or_default();
            shown += &format!("{line}\n");
            command = continued + line;
        }
        let mut printed = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```")) {
            printed += &format!("{line}\n");
        }
        parts.push(Part::Text(std::mem::take(&mut plain)));
        parts.push(Part::Example { shown, command, printed, is_part: false });
    }
    parts.push(Part::Text(plain));
    parts
}

/// The text with what depends on the machine left out.
fn without_times(text: &str) -> String {
    let mut result = String::new();
    let mut timed_columns: Vec<usize> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let heads: Vec<usize> = (0..words.len()).filter(|&i| TIMED_COLUMNS.contains(&words[i])).collect();
        if words.is_empty() || !heads.is_empty() {
            timed_columns = heads;
        }
        for (i, word) in words.iter().enumerate() {
            let is_number = word.trim_end_matches(['%', ',']).parse::<f64>().is_ok();
            let before = i.checked_sub(1).map_or("", |i| words[i]);
            let after = words.get(i + 1).map_or("", |word| word.trim_end_matches(','));
            let is_timed = before == "seconds"
                || before.ends_with("/s")
                || after == "s"
                || after.ends_with("/s")
                || (TIMED_SHARES.contains(&before) && after == "%")
                || timed_columns.contains(&i);
            result += if is_number && is_timed { "…" } else { word };
            result.push(' ');
        }
        result.push('\n');
    }
    result.trim_end().to_owned()
}

#[test]
fn the_examples_of_the_readme_are_real() {
    let directory = workplace("readme");
    let text = document("README.md");
    let (mut rewritten, mut examples, mut problems) = (String::new(), 0, String::new());
    for part in parts(&text) {
        match part {
            Part::Text(text) => rewritten += &text,
            Part::Example { shown, command, printed, is_part } => {
                examples += 1;
                let found = output_of(&command, &directory);
                let is_right = if is_part {
                    found.contains(printed.trim_end())
                } else {
                    without_times(&found) == without_times(&printed)
                };
                if !is_right {
                    let _ = writeln!(problems, "$ {command}\nprints\n{found}\nnot\n{printed}");
                }
                // What is only a part has to be cut out by hand.
                let said = if is_right || is_part { printed } else { found.trim_end().to_owned() + "\n" };
                rewritten += &format!("{shown}{said}");
            }
        }
    }
    assert!(examples >= 8, "only {examples} examples were found");
    if std::env::var_os("TESUJI_BLESS").is_some() {
        std::fs::write(project().join("README.md"), rewritten).unwrap();
    }
    assert!(problems.is_empty(), "\n{problems}");
}

#[test]
fn the_reference_is_up_to_date() {
    let page = stdout(&run(&["reference"]));
    let is_same = page == document("docs/reference.md");
    assert!(is_same, "tesuji reference > docs/reference.md, and look at the difference");
}

#[test]
fn the_picture_is_that_of_the_game() {
    let game = project().join("docs/game.sgf");
    let picture = stdout(&run(&["sgf", "draw", game.to_str().unwrap(), "--move", "60"]));
    assert!(
        picture == document("docs/board.svg"),
        "tesuji sgf draw docs/game.sgf --move 60 > docs/board.svg"
    );
}

/// Links between documents lead somewhere.
#[test]
fn links_lead_to_files() {
    for name in
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/reference.md", "docs/experiments/README.md"]
    {
        let folder = project().join(name).parent().unwrap().to_owned();
        for target in document(name).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap();
            if !file.is_empty() && !file.contains("://") {
                assert!(folder.join(file).exists(), "{name} links to {target}");
            }
        }
    }
}

#[test]
fn numbers_that_depend_on_the_machine_may_differ() {
    let same = |a: &str, b: &str| without_times(a) == without_times(b);
    assert!(same("moves 11 seconds 0.787 playouts/s 127015", "moves 11 seconds 1.2 playouts/s 9"));
    assert!(!same("moves 11 seconds 0.787", "moves 12 seconds 0.787"));
    assert!(same(
        "time in playouts 81.0 %, in the tree 19.0 %",
        "time in playouts 60.5 %, in the tree 39.5 %"
    ));
    assert!(!same("size 9 playouts 100", "size 9 playouts 200"));
    assert!(same(
        "3 nodes in 0.00 s, 2703 nodes/s, table 239 MiB",
        "3 nodes in 0.01 s, 9 nodes/s, table 239 MiB"
    ));
    assert!(!same("3 nodes in 0.00 s", "4 nodes in 0.00 s"));
    let table = |time: &str, moves: &str| format!("engine moves s/move longest s\na {moves} {time} {time}\n");
    assert!(same(&table("0.1", "7"), &table("0.3", "7")));
    assert!(!same(&table("0.1", "7"), &table("0.1", "8")));
}
