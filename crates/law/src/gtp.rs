//! The engine answers every command line exactly once, in order, with its id, and no handler panics.
//!
//! What a line is, is read here from the protocol's text alone. Commands that write files, or that let a search run for as long
//! as it likes, are not tried: an input with one of them is refused before it reaches the engine.

use std::io::Cursor;

use tesuji_board::{Game, Rules, Size};
use tesuji_engine::Engine;
use tesuji_engine::gtp::{Controlled, run};
use tesuji_engine::settings::Settings;

use crate::{Law, Reception};

pub(crate) const LAW: Law = Law {
    name: "gtp",
    statement: "every command line gets exactly one answer, with its id; no handler panics",
    check,
    examples: &[
        b"1 protocol_version\n2 name\nlist_commands\nknown_command play\nquit\nname\n",
        b"boardsize 5\nclear_board\nkomi 6.5\nplay B C3\nplay w d3\ngenmove b\nundo\nshowboard\n",
        b"\t 10  play black A1 # comment\r\n\r\n# comment\nplay white pass\nfinal_score\nfinal_status_list dead",
        b"fixed_handicap 2\nset_free_handicap A1 B2\nset_position B A1 W B2\ngogui-setup b A1\nloadsgfx\n",
        b"kata-set-rules japanese\nkata-get-rules\nkata-set-rule ko SIMPLE\ntime_settings 0 1 1\ntime_left b 1 1\n",
        b"lz-analyze b interval 1\nname\nkata-analyze 1 ownership true\n\nreg_genmove w\ngogui-play_sequence b A1 w B2\n",
        b"99999999999999999999 name\n7\n-1 name\n0 quit\n",
    ],
    words: &[
        b"play ", b"B ", b"white ", b"pass", b"A1", b"C3", b"Z25", b"resign", b"genmove ", b"undo\n", b"komi ", b"\n", b"\r\n",
        b" # ", b"\t", b"1 ", b"nan", b"-1", b"4294967296 ", b"quit", b"rectangular_boardsize 3 4\n", b"clear_board\n",
        b"showboard\n", b"gg-undo 2\n", b"final_status alive", b"kgs-rules aga\n", b"{\"ko\":\"SIMPLE\"}", b"\0", b"\xFF",
    ],
};

/// Names, or parts of names, of commands that are not tried.
const UNTRIED: [&str; 4] = ["sgf", "param", "setoption", "kgs-time"];
/// Parts of names of commands that search.
const SEARCHING: [&str; 7] = ["gen", "final", "analyze", "search", "heatmap", "raw-nn", "tesuji-"];
/// Most searches in one input.
const MAX_SEARCHES: usize = 4;
/// Largest side of a board, so that searches are short.
const MAX_SIDE: usize = 7;

fn check(input: &[u8]) -> Reception {
    let lines: Vec<String> = input.split(|&byte| byte == b'\n').map(code).collect();
    if !is_affordable(&lines) {
        return Reception::Refused;
    }
    let mut expected = Vec::new();
    for line in lines.iter().filter(|line| !line.is_empty()) {
        let (id, name) = id_and_name(line);
        expected.push(id);
        if name == Some("quit") {
            break;
        }
    }
    let answers = answers_to(input);
    let heads: Vec<_> = answers.iter().map(|answer| head(answer)).collect();
    assert_eq!(heads, expected.iter().map(|id| Some(*id)).collect::<Vec<_>>(), "{answers:#?}");
    for answer in &answers {
        assert!(!answer.contains("internal error"), "{answer}");
    }
    if answers.iter().any(|answer| answer.starts_with('=')) {
        Reception::Accepted
    } else {
        Reception::Refused
    }
}

fn answers_to(input: &[u8]) -> Vec<String> {
    let settings = Settings { playouts: 1, ..Settings::of_preset("flat").expect("there is a flat search") };
    let size = Size::square(3).expect("3 is a side");
    let mut state = Controlled::new(Engine::new(settings, Game::new(size, Rules::default())));
    let mut output = Vec::new();
    run(&mut state, Cursor::new(input.to_vec()), &mut output).expect("a thread can start");
    let text = String::from_utf8(output).expect("answers are text");
    let mut answers: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
    assert_eq!(answers.pop().as_deref(), Some(""), "the last answer ends with an empty line");
    answers
}

/// A line as the protocol reads it: without control characters, comments and blanks around it.
fn code(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let kept = text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_ascii_control());
    let kept: String = kept.take_while(|&c| c != '#').collect();
    kept.trim_matches(' ').to_owned()
}

/// The id an answer must have, and the name of the command.
fn id_and_name(line: &str) -> (Option<u32>, Option<&str>) {
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    if first.bytes().all(|byte| byte.is_ascii_digit()) {
        match first.parse() {
            Ok(id) => (Some(id), words.next()),
            // A number that is no id belongs to no command.
            Err(_) => (None, None),
        }
    } else {
        (None, Some(first))
    }
}

/// The id of an answer, if it is one.
fn head(answer: &str) -> Option<Option<u32>> {
    let rest = answer.strip_prefix(['=', '?'])?;
    let id = rest.split([' ', '\n']).next().unwrap_or_default();
    if id.is_empty() { Some(None) } else { id.parse().ok().map(Some) }
}

fn is_affordable(lines: &[String]) -> bool {
    let has = |parts: &'static [&str]| move |line: &&String| parts.iter().any(|part| line.contains(part));
    let is_large = |line: &&String| {
        let mut numbers = line.split(' ').filter_map(|word| word.parse::<usize>().ok());
        line.contains("boardsize") && numbers.any(|number| number > MAX_SIDE)
    };
    !lines.iter().any(|line| has(&UNTRIED)(&line) || is_large(&line))
        && lines.iter().filter(has(&SEARCHING)).count() <= MAX_SEARCHES
}
