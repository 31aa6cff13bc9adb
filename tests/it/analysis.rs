//! The JSON analysis engine on pipes, as the programs that start KataGo speak to it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::process::{Directory, run_in, stderr, stdout, tesuji};

/// An engine that is spoken to line by line.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start(arguments: &[&str]) -> Session {
        let mut child = tesuji(&[&["analysis"], arguments].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Session { child, input, output }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn reply(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Replies up to the first that fits.
    fn reply_that(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let reply = self.reply();
            if fits(&reply) {
                return reply;
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.input = None;
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A query on an empty 9×9 board, with changes.
fn query(changes: Value) -> Value {
    let mut query = json!({
        "id": "q", "boardXSize": 9, "boardYSize": 9, "rules": "chinese", "komi": 7.5, "moves": [], "maxVisits": 100,
    });
    for (name, value) in changes.as_object().unwrap() {
        query[name] = value.clone();
    }
    query
}

/// All replies to some messages, the input being closed after them.
fn replies(messages: &[Value]) -> Vec<Value> {
    replies_of(&["analysis", "--workers", "1"], messages)
}

fn replies_of(args: &[&str], messages: &[Value]) -> Vec<Value> {
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let output = run_in(&std::env::temp_dir(), args, &input);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn a_query_is_answered_in_full() {
    let replies = replies(&[query(json!({
        "moves": [["B", "E5"], ["W", "C3"]], "analyzeTurns": [0, 2], "includeOwnership": true, "includePolicy": true,
        "includePVVisits": true, "includeMovesOwnership": true, "maxVisits": 200,
    }))]);
    let turns: Vec<_> = replies.iter().map(|reply| reply["turnNumber"].as_u64().unwrap()).collect();
    assert_eq!(turns, [0, 2]);
    for reply in &replies {
        assert_eq!((&reply["id"], &reply["isDuringSearch"]), (&json!("q"), &json!(false)));
        assert_eq!(reply["rootInfo"]["visits"], 200);
        assert_eq!(reply["rootInfo"]["currentPlayer"], "B");
        assert_eq!(reply["rootInfo"]["thisHash"].as_str().unwrap().len(), 32);
        let moves = reply["moveInfos"].as_array().unwrap();
        assert_eq!(moves.iter().map(|mv| mv["visits"].as_u64().unwrap()).sum::<u64>(), 200);
        for (order, mv) in moves.iter().enumerate() {
            assert_eq!(mv["order"], order);
            assert_eq!(
                (&mv["pv"][0], mv["pv"].as_array().unwrap().len()),
                (&mv["move"], mv["pvVisits"].as_array().unwrap().len())
            );
            let names = [
                "winrate",
                "scoreMean",
                "scoreLead",
                "scoreStdev",
                "scoreSelfplay",
                "prior",
                "utility",
                "lcb",
                "edgeVisits",
                "edgeWeight",
                "playSelectionValue",
            ];
            assert!(names.iter().all(|name| mv[*name].is_number()), "{mv}");
            let ownership = floats(&mv["ownership"]);
            assert_eq!(ownership.len(), 81);
            assert!(ownership.iter().all(|own| (-1.0..=1.0).contains(own)));
        }
        assert_eq!(reply["ownership"].as_array().unwrap().len(), 81);
        let policy = floats(&reply["policy"]);
        assert_eq!(policy.len(), 82);
        let illegal = policy.iter().filter(|&&probability| probability == -1.0).count();
        assert_eq!(illegal as u64, reply["turnNumber"].as_u64().unwrap());
        let total: f64 = policy.iter().filter(|&&probability| probability >= 0.0).sum();
        assert!((total - 1.0).abs() < 1e-3, "{total}");
    }
}

#[test]
fn the_ownership_of_moves_adds_up_to_that_of_the_position() {
    // With playouts: a network also has an opinion on the position itself, before any move.
    let asked = query(json!({ "includeOwnership": true, "includeMovesOwnership": true }));
    let reply = &replies_of(&["analysis", "--workers", "1", "--preset", "rave"], &[asked])[0];
    let mut sums = vec![0.0; 81];
    for mv in reply["moveInfos"].as_array().unwrap() {
        let visits = mv["visits"].as_f64().unwrap();
        sums.iter_mut().zip(floats(&mv["ownership"])).for_each(|(sum, own)| *sum += own * visits);
    }
    for (sum, own) in sums.iter().zip(floats(&reply["ownership"])) {
        assert!((sum / 100.0 - own).abs() < 2e-3, "{} {own}", sum / 100.0);
    }
}

#[test]
fn values_are_told_for_whom_the_query_says() {
    // White has nothing on the board and little hope.
    let stones = json!([["B", "C3"], ["B", "G7"], ["B", "C7"], ["B", "G3"], ["B", "E5"]]);
    let asked = |whose: &str| {
        query(json!({
            "id": whose, "initialStones": stones, "initialPlayer": "W", "komi": 0.5, "includeOwnership": true,
            "overrideSettings": { "reportAnalysisWinratesAs": whose }
        }))
    };
    let replies = replies(&["BLACK", "WHITE", "SIDETOMOVE"].map(asked));
    for reply in &replies {
        let is_blacks = reply["id"] == "BLACK";
        let lead = reply["rootInfo"]["scoreLead"].as_f64().unwrap();
        assert_eq!(reply["rootInfo"]["winrate"].as_f64().unwrap() > 0.9, is_blacks, "{reply}");
        assert_eq!((lead > 10.0, lead < -10.0), (is_blacks, !is_blacks));
        let center = reply["ownership"][40].as_f64().unwrap();
        assert_eq!((center > 0.5, center < -0.5), (is_blacks, !is_blacks));
        assert_eq!(reply["rootInfo"]["currentPlayer"], "W");
        let best = &reply["moveInfos"][0];
        let (win, bound) = (best["winrate"].as_f64().unwrap(), best["lcb"].as_f64().unwrap());
        assert_eq!(bound > win, is_blacks, "what is a lower bound for White is an upper one for Black");
    }
}

#[test]
fn only_moves_of_a_region_are_searched() {
    let region = json!(["A1", "B1", "C1"]);
    let replies = replies(&[
        query(json!({ "id": "allow", "allowMoves": [{ "player": "B", "moves": region, "untilDepth": 1 }] })),
        query(json!({ "id": "deep", "maxVisits": 400, "allowMoves": [
            { "player": "B", "moves": region, "untilDepth": 3 }, { "player": "W", "moves": region, "untilDepth": 3 }] })),
        query(
            json!({ "id": "avoid", "avoidMoves": [{ "player": "B", "moves": ["E5", "pass"], "untilDepth": 1 }] }),
        ),
    ]);
    let names = |reply: &Value, depth: usize| -> Vec<String> {
        let infos = reply["moveInfos"].as_array().unwrap();
        infos.iter().filter_map(|mv| Some(mv["pv"].get(depth)?.as_str()?.to_owned())).collect()
    };
    let [allow, deep, avoid] = &replies[..] else { panic!("{replies:?}") };
    assert!(!names(allow, 0).is_empty());
    assert!(names(allow, 0).iter().all(|mv| ["A1", "B1", "C1"].contains(&mv.as_str())));
    assert!(names(allow, 1).iter().any(|mv| !["A1", "B1", "C1"].contains(&mv.as_str())));
    assert!(!names(deep, 1).is_empty());
    assert!(names(deep, 1).iter().chain(&names(deep, 2)).all(|mv| ["A1", "B1", "C1"].contains(&mv.as_str())));
    assert!(!names(avoid, 0).is_empty() && !names(avoid, 0).iter().any(|mv| mv == "E5" || mv == "pass"));
}

#[test]
fn mistakes_are_answered_and_the_rest_goes_on() {
    let input = [
        "no json at all".to_owned(),
        "[1]".to_owned(),
        "{}".to_owned(),
        r#"{"id":7}"#.to_owned(),
        r#"{"id":"a","action":"dance"}"#.to_owned(),
        r#"{"id":"b","action":"terminate"}"#.to_owned(),
        query(json!({ "id": "c", "moves": [["B", "E5"], ["W", "E5"]] })).to_string(),
        query(json!({ "id": "d", "maxVisits": 5, "nonsense": 1, "overrideSettings": { "humanSLProfile": "x" } }))
            .to_string(),
        format!(r#"{{"id":"{}"}}"#, "x".repeat(3 << 20)),
        String::new(),
        r#"{"id":"e","action":"query_version"}"#.to_owned(),
    ]
    .join("\n");
    let output = run_in(&std::env::temp_dir(), &["analysis"], &input);
    assert!(output.status.success());
    let text = stdout(&output);
    let replies: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let error_of = |id: &str| {
        let found = replies.iter().find(|reply| reply["id"] == id && reply.get("error").is_some());
        let reply = found.unwrap_or_else(|| panic!("no error for {id}: {text}"));
        (reply["field"].as_str().unwrap_or_default().to_owned(), reply["error"].as_str().unwrap().to_owned())
    };
    let nameless: Vec<_> = replies.iter().filter(|reply| reply.get("id").is_none()).collect();
    assert_eq!(nameless.len(), 5, "{nameless:?}");
    assert!(nameless.iter().all(|reply| reply["error"].is_string()));
    assert_eq!(error_of("a").0, "action");
    assert_eq!(error_of("b"), ("terminateId".to_owned(), "is missing".to_owned()));
    let (field, error) = error_of("c");
    assert!(field == "moves" && error.contains("Illegal move 1"), "{error}");
    let warned: Vec<_> =
        replies.iter().filter(|reply| reply.get("warning").is_some()).map(|reply| &reply["field"]).collect();
    assert_eq!(warned, ["overrideSettings.humanSLProfile", "nonsense"]);
    let analysed = replies.iter().any(|reply| reply["id"] == "d" && reply["rootInfo"]["visits"] == 5);
    assert!(analysed, "{text}");
    assert!(replies.iter().any(|reply| reply["id"] == "e" && reply["version"] == env!("CARGO_PKG_VERSION")));
}

#[test]
fn pondering_reports_until_it_is_terminated() {
    let mut session = Session::start(&["--workers", "1"]);
    session.send(&query(json!({ "id": "p", "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.05 })));
    session.send(&query(json!({ "id": "w", "maxVisits": 10 })));
    let mut visits = 0;
    for _ in 0..3 {
        let reply = session.reply();
        assert_eq!((&reply["id"], &reply["isDuringSearch"]), (&json!("p"), &json!(true)));
        let now = reply["rootInfo"]["visits"].as_u64().unwrap();
        assert!(now > visits);
        visits = now;
    }
    session.send(&query(json!({ "id": "urgent", "maxVisits": 10, "priority": 5 })));
    let urgent = session.reply_that(|reply| reply["id"] == "urgent");
    assert_eq!(urgent["rootInfo"]["visits"], 10, "what has priority does not wait for an endless search");
    session.send(&json!({ "id": "t", "action": "terminate", "terminateId": "w" }));
    let nothing = session.reply_that(|reply| reply["id"] == "w");
    assert_eq!(nothing, json!({ "id": "w", "isDuringSearch": false, "noResults": true, "turnNumber": 0 }));
    session.send(&json!({ "id": "t", "action": "terminate_all" }));
    let last = session.reply_that(|reply| reply["id"] == "p" && reply["isDuringSearch"] == false);
    assert!(last["rootInfo"]["visits"].as_u64().unwrap() >= visits);
    session.send(&json!({ "id": "m", "action": "query_models" }));
    let models = session.reply_that(|reply| reply["id"] == "m");
    assert_eq!(models["models"].as_array().map(Vec::len), Some(1), "{models}");
    assert_eq!(models["models"][0]["internalName"], "built in");
    session.send(&json!({ "id": "c", "action": "clear_cache" }));
    assert_eq!(session.reply(), json!({ "id": "c", "action": "clear_cache" }));
    let question = json!({ "id": "e", "action": "even_handicap", "stronger": "5k", "weaker": "12k", "boardXSize": 19, "boardYSize": 19 });
    session.send(&question);
    let mut expected = question;
    (expected["stones"], expected["komi"]) = (json!(7), json!(0.5));
    assert_eq!(session.reply(), expected);
    session.send(&json!({ "id": "e", "action": "even_handicap", "stronger": "5k", "weaker": "strong", "boardXSize": 19, "boardYSize": 19 }));
    assert_eq!(
        session.reply(),
        json!({ "id": "e", "field": "weaker", "error": "must be a rank such as 12k" })
    );
}

#[test]
fn priority_decides_who_is_next() {
    let mut session = Session::start(&["--workers", "1"]);
    session.send(&query(json!({ "id": "first", "maxVisits": 2000 })));
    session.send(&query(json!({ "id": "low", "maxVisits": 10, "priority": -5 })));
    let turns = json!({ "id": "turns", "moves": [["B", "E5"]], "analyzeTurns": [0, 1], "priorities": [1, 9], "maxVisits": 10 });
    session.send(&query(turns));
    session.send(&query(json!({ "id": "high", "maxVisits": 10, "priority": 5 })));
    let order: Vec<_> = (0..5)
        .map(|_| {
            let reply = session.reply();
            format!("{}{}", reply["id"].as_str().unwrap(), reply["turnNumber"])
        })
        .filter(|name| name != "first0")
        .collect();
    assert_eq!(order, ["turns1", "high0", "turns0", "low0"]);
}

#[test]
fn the_end_of_the_input_waits_for_answers_unless_told_otherwise() {
    let input = format!("{}\n", query(json!({ "maxVisits": 10_000_000 })));
    let started = Instant::now();
    let output = run_in(&std::env::temp_dir(), &["analysis", "-quit-without-waiting"], &input);
    assert!(output.status.success() && started.elapsed() < Duration::from_secs(20));
    let last_line_open = query(json!({ "maxVisits": 50 })).to_string();
    let output = run_in(&std::env::temp_dir(), &["analysis"], &last_line_open);
    assert!(stdout(&output).contains("\"visits\":50"), "{}", stdout(&output));
}

#[test]
fn limits_on_time_and_rectangles_hold() {
    let replies = replies(&[
        query(json!({ "id": "time", "maxVisits": 10_000_000, "overrideSettings": { "maxTime": 0.1 } })),
        query(
            json!({ "id": "wide", "boardXSize": 25, "boardYSize": 2, "includeOwnership": true, "maxVisits": 20 }),
        ),
        query(
            json!({ "id": "small", "boardXSize": 2, "boardYSize": 2, "maxVisits": 50, "rules": "tromp-taylor" }),
        ),
    ]);
    assert_eq!(replies.len(), 3);
    assert_eq!(replies[1]["ownership"].as_array().unwrap().len(), 50);
    assert!(replies[2]["moveInfos"].as_array().is_some_and(|moves| !moves.is_empty()));
}

#[test]
fn it_starts_as_katrain_starts_katago() {
    let input = format!("{}\n", query(json!({ "maxVisits": 20 })));
    let arguments = [
        "analysis",
        "-model",
        "no-such-model.bin.gz",
        "-config",
        "no-such.cfg",
        "-override-config",
        "homeDataDir=/nowhere,maxVisits=9",
    ];
    let output = run_in(&std::env::temp_dir(), &arguments, &input);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("\"visits\":20"));
    let told = stderr(&output);
    assert!(
        told.contains("no-such-model.bin.gz") && told.contains("ready to begin handling requests"),
        "{told}"
    );
}

#[test]
fn a_network_tells_what_it_thinks_without_search() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/net/tests/fixture/v8.bin.gz");
    let input = format!(
        "{}\n",
        query(json!({ "maxVisits": 8, "includePolicy": true, "includeMovesOwnership": true }))
    );
    let output = run_in(&std::env::temp_dir(), &["analysis", "-model", model], &input);
    let reply: Value = serde_json::from_str(stdout(&output).trim()).unwrap();
    assert_eq!(reply["rootInfo"]["visits"], 8, "{}", stderr(&output));
    assert!((0.0..=1.0).contains(&reply["rootInfo"]["rawWinrate"].as_f64().unwrap()));
    assert!(reply["rootInfo"]["rawLead"].is_number());
    let policy = floats(&reply["policy"]);
    assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-3);
    assert_eq!(reply["moveInfos"][0]["ownership"].as_array().unwrap().len(), 81);
}

#[test]
fn a_model_that_is_none_is_no_reason_to_stop() {
    let directory = Directory::new("analysis-model");
    let model = directory.file("model.bin.gz", "this is no network");
    let input = format!("{}\n", query(json!({ "maxVisits": 8 })));
    let output = run_in(&directory.0, &["analysis", "-model", &model], &input);
    assert!(stdout(&output).contains("\"visits\":8"), "{}", stderr(&output));
    assert!(!stdout(&output).contains("rawWinrate"));
    assert!(stderr(&output).contains("model.bin.gz is not used"), "{}", stderr(&output));
}
