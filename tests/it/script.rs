//! Runs the scripts in `tests/gtp`; their format is described there.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

#[test]
fn every_answer_is_as_written() {
    let failures: Vec<String> = scripts().iter().filter_map(|script| script.run().err()).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n\n"));
}

#[test]
fn every_command_occurs_in_a_script() {
    let listed = answers(&["gtp"], "list_commands\n");
    let listed: BTreeSet<String> =
        listed[0].trim_start_matches('=').split_whitespace().map(str::to_owned).collect();
    let used: BTreeSet<String> =
        scripts().iter().flat_map(|script| &script.exchanges).map(|exchange| exchange.name()).collect();
    assert!(listed.len() > 60, "only {} commands are listed", listed.len());
    let missing: Vec<_> = listed.difference(&used).collect();
    assert!(missing.is_empty(), "no script has {missing:?}");
}

#[test]
fn the_program_alone_speaks_gtp_to_a_pipe() {
    assert_eq!(answers(&[], "protocol_version\n"), ["= 2"]);
}

/// What follows `key` in the info block that begins `text`.
fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let mut words = text.split_whitespace().skip_while(|word| *word != key);
    words.nth(1).unwrap_or_else(|| panic!("no {key} in {text}"))
}

/// Sabaki from 0.60 on takes the numbers of every command that does not begin with `kata` for ten-thousandths.
#[test]
fn only_kata_commands_print_fractions() {
    for command in ["lz-genmove_analyze", "genmove_analyze", "kata-genmove_analyze"] {
        let input = format!("{command} b\n");
        let args = ["gtp", "--size", "5", "--playouts", "200", "--seed", "1"];
        let answer = answers(&args, &input).remove(0);
        for key in ["winrate", "prior", "lcb"] {
            let text = value(&answer, key);
            if command.starts_with("kata") {
                assert!(text.contains('.') && text.parse::<f32>().unwrap() <= 1.0, "{command} {key} {text}");
            } else {
                assert!(text.parse::<u32>().is_ok_and(|number| number <= 10_000), "{command} {key} {text}");
            }
        }
        // Enough to tell a probability in ten-thousandths from one that was cut to 0 or 1.
        let scale = if command.starts_with("kata") { 1.0 } else { 10_000.0 };
        let win_rate = value(&answer, "winrate").parse::<f32>().unwrap() / scale;
        assert!((0.1..=1.0).contains(&win_rate), "{answer}");
    }
}

#[test]
fn visits_of_the_variation_are_shown_when_asked_for() {
    let args = ["gtp", "--size", "9", "--playouts", "400", "--seed", "1"];
    for (command, keys) in [
        ("kata-genmove_analyze b pvVisits true pvEdgeVisits true", &["pvVisits", "pvEdgeVisits"][..]),
        ("genmove_analyze b pvVisits true", &["pvVisits"]),
        ("kata-genmove_analyze b pvVisits false", &[]),
    ] {
        let answer = answers(&args, &format!("{command}\n")).remove(0);
        let blocks: Vec<&str> = answer.lines().nth(1).unwrap().split("info ").skip(1).collect();
        assert!(!blocks.is_empty(), "{answer}");
        for block in &blocks {
            let words: Vec<&str> = block.split_whitespace().collect();
            let after = |key: &str| {
                let start = words.iter().position(|word| *word == key).map(|i| i + 1)?;
                let end = words[start..]
                    .iter()
                    .position(|word| word.starts_with("pv"))
                    .map_or(words.len(), |i| start + i);
                Some(&words[start..end])
            };
            let moves = after("pv").unwrap();
            for key in ["pvVisits", "pvEdgeVisits"] {
                assert_eq!(after(key).is_some(), keys.contains(&key), "{block}");
                let Some(visits) = after(key) else { continue };
                let visits: Vec<u64> = visits.iter().map(|word| word.parse().unwrap()).collect();
                assert_eq!(visits.len(), moves.len(), "{block}");
                assert_eq!(visits[0].to_string(), value(block, "visits"));
                assert!(visits.is_sorted_by(|a, b| a >= b), "{block}");
            }
        }
        assert!(
            blocks.iter().any(|block| block.split(" pv ").nth(1).unwrap().split_whitespace().count() > 2)
        );
    }
}

/// Lizzie refuses engines that are not called KataGo unless the second part of their version is at least 15.
#[test]
fn lizzie_accepts_the_version() {
    let version = answers(&["gtp"], "version\n").remove(0);
    let parts: Vec<u32> =
        version.trim_start_matches("= ").split('.').map(|part| part.parse().unwrap()).collect();
    assert!(parts[1] >= 15, "{version}");
}

#[test]
fn live_graphics_go_to_stderr_alone() {
    let output = run(
        &["gtp", "--preset", "flat", "--size", "5", "--time-per-move", "0.8", "--set", "live-graphics=true"],
        "genmove b\n",
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.starts_with("gogui-gfx:\nVAR b "), "{errors}");
    let answer = String::from_utf8_lossy(&output.stdout);
    assert_eq!(answer.lines().count(), 2, "{answer}");
}

#[test]
fn patterns_match_what_they_should() {
    for (pattern, text, expected) in [
        ("= a", "= a", true),
        ("= a", "= ab", false),
        ("= *", "= anything at all", true),
        ("=*b*d", "= a b c d", true),
        ("=*b*d", "= a b c", false),
        ("= *.*", "= 12", false),
        ("*", "", true),
    ] {
        assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
    }
}

struct Script {
    path: PathBuf,
    args: Vec<String>,
    line_end: &'static str,
    indent: &'static str,
    last_newline: bool,
    exchanges: Vec<Exchange>,
}

/// A command and the answer expected.
struct Exchange {
    line_number: usize,
    command: String,
    answer: Vec<String>,
}

impl Exchange {
    fn name(&self) -> String {
        let mut words = self.command.split_whitespace();
        let first = words.next().unwrap_or_default();
        let is_id = first.bytes().all(|byte| byte.is_ascii_digit());
        (if is_id { words.next().unwrap_or_default() } else { first }).to_owned()
    }
}

impl Script {
    fn read(path: &Path) -> Script {
        let mut script = Script {
            path: path.to_owned(),
            // Answers must not depend on the machine.
            args: ["gtp", "--threads", "1"].map(str::to_owned).to_vec(),
            line_end: "\n",
            indent: "",
            last_newline: true,
            exchanges: Vec::new(),
        };
        let text = fs::read_to_string(path).expect("a readable script");
        for (i, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with("##") {
                continue;
            } else if let Some(args) = line.strip_prefix("#args ") {
                script.args.extend(args.split_whitespace().map(str::to_owned));
            } else if line == "#line-end crlf" {
                script.line_end = "\r\n";
            } else if line == "#indent" {
                script.indent = " \t ";
            } else if line == "#no-last-newline" {
                script.last_newline = false;
            } else if line == "#blank" {
                script.exchanges.push(Exchange {
                    line_number: i + 1,
                    command: String::new(),
                    answer: Vec::new(),
                });
            } else if line.starts_with(['=', '?', '|']) {
                let last = script.exchanges.last_mut().expect("a command before its answer");
                last.answer.push(line.trim_end().to_owned());
            } else {
                let exchange = Exchange { line_number: i + 1, command: line.to_owned(), answer: Vec::new() };
                script.exchanges.push(exchange);
            }
        }
        script
    }

    fn run(&self) -> Result<(), String> {
        let lines: Vec<String> =
            self.exchanges.iter().map(|exchange| format!("{}{}", self.indent, exchange.command)).collect();
        let mut input = lines.join(self.line_end);
        if self.last_newline {
            input += self.line_end;
        }
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let found = answers(&args, &input);
        let expected: Vec<&Exchange> = self.exchanges.iter().filter(|e| !e.answer.is_empty()).collect();
        let name = self.path.display();
        for (i, exchange) in expected.iter().enumerate() {
            let answer = found.get(i).map_or("(nothing)", String::as_str);
            let place = format!("{name}:{}: {}", exchange.line_number, exchange.command);
            check(&exchange.answer, answer)
                .map_err(|problem| format!("{place}\n{problem}\nanswered:\n{answer}"))?;
        }
        if found.len() > expected.len() {
            return Err(format!("{name}: answered {:?} without a question", found[expected.len()]));
        }
        Ok(())
    }
}

fn scripts() -> Vec<Script> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gtp");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the scripts").map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "gtp"));
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| Script::read(path)).collect()
}

/// What the program answers to all of `input`, one text per answer.
fn answers(args: &[&str], input: &str) -> Vec<String> {
    let output = String::from_utf8(run(args, input).stdout).expect("UTF-8");
    assert!(output.is_empty() || output.ends_with("\n\n"), "the last answer is cut off: {output:?}");
    output.split_terminator("\n\n").map(str::to_owned).collect()
}

/// Runs the program on `input` to its end.
fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(args)
        // Scripts name files relative to it.
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gtp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    // The program may leave on `quit` before it has read everything.
    let _ = writer.join();
    assert!(output.status.success(), "{:?}", output.status);
    output
}

fn check(expected: &[String], answer: &str) -> Result<(), String> {
    let mut lines = answer.lines();
    for (i, pattern) in expected.iter().enumerate() {
        if pattern == "|..." {
            return Ok(());
        }
        let pattern =
            pattern.strip_prefix('|').map_or(pattern.as_str(), |rest| rest.strip_prefix(' ').unwrap_or(rest));
        match lines.next() {
            Some(line) if matches(pattern, line.trim_end()) => {}
            _ => return Err(format!("line {} should be: {pattern}", i + 1)),
        }
    }
    if lines.next().is_some() { Err("the answer is longer".to_owned()) } else { Ok(()) }
}

/// Whether a text is the pattern with any text for every `*`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            (0..=text.len()).filter(|&i| text.is_char_boundary(i)).any(|i| matches(rest, &text[i..]))
        }),
    }
}
