//! The JSON analysis engine answers every message: with an error if it is bad, and in full otherwise.
//!
//! What is certainly bad is read here from JSON alone: text that is no object, has no id, or lacks what every query has.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Map, Value, json};
use tesuji_analysis::{Service, ServiceSettings};
use tesuji_engine::settings::Settings;

use crate::{Law, Reception};

pub(crate) const LAW: Law = Law {
    name: "analysis",
    statement: "every message to the analysis engine is answered, a bad one with an error; nothing panics",
    check,
    examples: &[
        br#"{"id":"a","boardXSize":5,"boardYSize":5,"rules":"chinese","komi":7.5,"moves":[["B","C3"],["W","pass"]],"analyzeTurns":[0,2],"maxVisits":2}"#,
        br#"{"id":"b","boardXSize":3,"boardYSize":7,"rules":{"ko":"SIMPLE","suicide":true},"moves":[],"initialStones":[["B","A1"],["W","B2"]],"initialPlayer":"W","maxVisits":3,"includeOwnership":true,"includePolicy":true,"includeMovesOwnership":true,"includePVVisits":true}"#,
        br#"{"id":"c","boardXSize":4,"boardYSize":4,"rules":"aga","moves":[["W","(1,1)"]],"avoidMoves":[{"player":"B","moves":["A1","pass"],"untilDepth":2}],"allowMoves":[{"player":"W","moves":[],"untilDepth":1}],"overrideSettings":{"reportAnalysisWinratesAs":"BLACK","wideRootNoise":0.04,"maxTime":0.001,"humanSLProfile":"rank_5k"},"priority":3}"#,
        br#"{"id":"d","boardXSize":2,"boardYSize":2,"rules":"tt","moves":[["B","A1"],["W","B2"],["B","A2"],["W","B1"]],"maxVisits":10000000,"reportDuringSearchEvery":0.001,"firstReportDuringSearchAfter":0.1,"priorities":[1],"whiteHandicapBonus":"N-1","rootPolicyTemperature":1.5}"#,
        br#"{"id":"e","action":"terminate","terminateId":"a","turnNumbers":[1,2]}"#,
        br#"{"id":"f","action":"query_version"}"#,
        br#"{"id":"g","action":"query_models"}"#,
        br#"{"id":"h","action":"clear_cache"}"#,
        br#"{"id":"j","action":"even_handicap","stronger":"5k","weaker":"12k","boardXSize":9,"boardYSize":9}"#,
        br#"{"id":"i","action":"terminate_all"}"#,
    ],
    words: &[
        b"null", b"true", b"-1", b"1e999", b"1e30", b"0.5", b"9223372036854775808", b"[]", b"{}", b"[[", b"\"", b"\\u0000", b"\\ud800",
        b"\"id\":", b"\"moves\":", b"\"komi\":", b"\"B\"", b"\"W\"", b"\"pass\"", b"\"A1\"", b"\"Z25\"", b"\"(0,0)\"", b",", b":", b"\n",
        b"\"analyzeTurns\":", b"\"maxVisits\":", b"\"boardXSize\":25", b"\"rules\":\"japanese\"", b"\"action\":", b"\xFF",
    ],
};

/// The id of the message that ends what the input began, unless it ends soon.
const LAST: &str = "\u{1}last";

fn check(input: &[u8]) -> Reception {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    let service = SERVICE.get_or_init(|| {
        let engine = Settings::of_preset("uct-light").expect("there is a light search");
        Service::new(ServiceSettings { workers: 1, memory: 64, ..ServiceSettings::new(engine) })
    });
    let text = String::from_utf8_lossy(input);
    let replies = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&replies);
    let connection =
        service.connect(move |reply| kept.lock().unwrap_or_else(PoisonError::into_inner).push(reply));
    let message: Option<Map<String, Value>> = serde_json::from_str(&text).ok();
    connection.send(&text);
    if !message.as_ref().is_some_and(is_short) {
        connection.send(&json!({ "id": LAST, "action": "terminate_all" }).to_string());
    }
    connection.wait_for_answers();
    drop(connection);
    let replies = replies.lock().unwrap_or_else(PoisonError::into_inner);
    let replies: Vec<Value> = replies
        .iter()
        .map(|reply| serde_json::from_str(reply).expect("a reply is JSON"))
        .filter(|reply: &Value| reply["id"] != LAST)
        .collect();
    let id = message.as_ref().and_then(|message| message.get("id")?.as_str()).map(str::to_owned);
    if id.as_deref() == Some(LAST) {
        return Reception::Refused;
    }
    let is_error = |reply: &&Value| reply.get("error").is_some();
    let errors = replies.iter().filter(is_error).count();
    assert!(replies.iter().all(Value::is_object), "{replies:?}");
    assert!(!replies.iter().any(|reply| reply.to_string().contains("internal error")), "{replies:?}");
    let Some(id) = id else {
        assert_eq!((errors, replies.len()), (1, 1), "{replies:?}");
        return Reception::Refused;
    };
    assert!(errors > 0 || !message.as_ref().is_some_and(is_certainly_bad), "no error: {replies:?}");
    if errors > 0 {
        assert_eq!(errors, 1, "{replies:?}");
        return Reception::Refused;
    }
    assert!(replies.iter().all(|reply| reply["id"] == id.as_str()), "{replies:?}");
    let answers = replies.iter().filter(|reply| reply.get("warning").is_none());
    assert!(answers.clone().count() > 0, "no answer");
    let ends = answers.filter(|reply| reply["isDuringSearch"] != true);
    assert!(ends.count() > 0, "no end");
    Reception::Accepted
}

/// Whether a message asks for so little that its search can come to its end.
fn is_short(message: &Map<String, Value>) -> bool {
    let has_few =
        |name, most| message.get(name).and_then(Value::as_array).is_none_or(|list| list.len() <= most);
    let visits = message.get("maxVisits").and_then(Value::as_u64);
    visits.is_some_and(|visits| visits <= 10)
        && has_few("analyzeTurns", 4)
        && !message.contains_key("overrideSettings")
}

/// Whether a message is neither an action nor a query with a board, rules and moves.
fn is_certainly_bad(message: &Map<String, Value>) -> bool {
    let actions =
        ["query_version", "query_models", "clear_cache", "even_handicap", "terminate", "terminate_all"];
    if let Some(action) = message.get("action") {
        return !action.as_str().is_some_and(|name| actions.contains(&name));
    }
    let side = |name| message.get(name).and_then(Value::as_f64);
    let has_board = |name| side(name).is_some_and(|side| side.fract() == 0.0 && (2.0..=25.0).contains(&side));
    let has_rules = matches!(message.get("rules"), Some(Value::String(_) | Value::Object(_)));
    let has_moves = message.get("moves").is_some_and(Value::is_array);
    !(has_board("boardXSize") && has_board("boardYSize") && has_rules && has_moves)
}
