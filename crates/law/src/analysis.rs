//! The JSON analysis engine answers every message: with an error if it is bad, and in full otherwise.
//!
//! What is certainly bad is read here from JSON alone: text that is no object, or has no id.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};
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
        br#"{"id":"i","action":"terminate_all"}"#,
    ],
    words: &[
        b"null", b"true", b"-1", b"1e999", b"1e30", b"0.5", b"9223372036854775808", b"[]", b"{}", b"[[", b"\"", b"\\u0000", b"\\ud800",
        b"\"id\":", b"\"moves\":", b"\"komi\":", b"\"B\"", b"\"W\"", b"\"pass\"", b"\"A1\"", b"\"Z25\"", b"\"(0,0)\"", b",", b":", b"\n",
        b"\"analyzeTurns\":", b"\"maxVisits\":", b"\"boardXSize\":25", b"\"rules\":\"japanese\"", b"\"action\":", b"\xFF",
    ],
};

/// The id of the message that ends what the input began.
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
    connection.send(&text);
    connection.send(&json!({ "id": LAST, "action": "terminate_all" }).to_string());
    connection.wait_for_answers();
    drop(connection);
    let replies = replies.lock().unwrap_or_else(PoisonError::into_inner);
    let replies: Vec<Value> = replies
        .iter()
        .map(|reply| serde_json::from_str(reply).expect("a reply is JSON"))
        .filter(|reply: &Value| reply["id"] != LAST)
        .collect();
    let id = serde_json::from_str::<Value>(&text).ok().and_then(|message| match message {
        Value::Object(object) => object.get("id").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    });
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
