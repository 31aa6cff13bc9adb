//! What a client can say: a query, or an action.

use serde_json::{Map, Value, json};
use tesuji_board::Size;
use tesuji_net::input::Rank;

use crate::field::{Complaint, Fields};
use crate::query::{Defaults, Query};

/// Bytes of one message. A game of 10,000 moves has a fifth of that.
pub const MOST_BYTES: usize = 1 << 20;
/// What is kept of an id; longer ones only fill the memory.
const LONGEST_ID: usize = 1024;

/// A message that was understood.
pub(crate) enum Message {
    Query(Box<Query>),
    Action(Action, Map<String, Value>),
}

/// What to do at once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Version,
    Models,
    ClearCache,
    /// What makes a game even between players of two ranks.
    EvenHandicap {
        size: Size,
        stronger: Rank,
        weaker: Rank,
    },
    /// Ends queries: those of an id, or all; of some turns, or all.
    Terminate {
        id: Option<String>,
        turns: Option<Vec<i64>>,
    },
}

/// Reads a message. Warnings and errors are replies that are ready to be sent.
pub(crate) fn read(line: &str, defaults: &Defaults, reply: &mut dyn FnMut(Value)) -> Result<Message, Value> {
    if line.len() > MOST_BYTES {
        return Err(json!({ "error": format!("the message is longer than {MOST_BYTES} bytes") }));
    }
    let object = match serde_json::from_str(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return Err(json!({ "error": "a message must be a JSON object" })),
        Err(error) => return Err(json!({ "error": format!("not JSON: {error}") })),
    };
    let id = match object.get("id") {
        Some(Value::String(id)) if id.len() <= LONGEST_ID => id.clone(),
        Some(Value::String(_)) => {
            return Err(json!({ "error": format!("is longer than {LONGEST_ID} bytes"), "field": "id" }));
        }
        Some(_) => return Err(json!({ "error": "must be a string", "field": "id" })),
        None => return Err(json!({ "error": "is missing", "field": "id" })),
    };
    let message = if object.contains_key("action") {
        let echo = object.clone();
        read_action(object).map(|action| Message::Action(action, echo))
    } else {
        // KaTrain's remote engine takes whatever is not during the search for the end of a query, warnings too.
        let mut warn = |field: String, text: &str| {
            reply(
                json!({ "warning": text, "field": field, "id": id, "isDuringSearch": true, "noResults": true }),
            );
        };
        Query::read(id.clone(), object, defaults, &mut warn).map(|query| Message::Query(Box::new(query)))
    };
    message.map_err(|Complaint { field, problem }| match field {
        Some(field) => json!({ "error": problem, "field": field, "id": id }),
        None => json!({ "error": problem, "id": id }),
    })
}

fn read_action(object: Map<String, Value>) -> Result<Action, Complaint> {
    let mut fields = Fields::new(object, "");
    let name = fields.text("action")?.unwrap_or_default();
    Ok(match name.as_str() {
        "query_version" => Action::Version,
        "query_models" => Action::Models,
        "clear_cache" => Action::ClearCache,
        "even_handicap" => read_even_handicap(&mut fields)?,
        "terminate" => {
            let Some(id) = fields.text("terminateId")? else {
                return fields.complain("terminateId", "is missing");
            };
            Action::Terminate { id: Some(id), turns: read_turns(&mut fields)? }
        }
        "terminate_all" => Action::Terminate { id: None, turns: read_turns(&mut fields)? },
        _ => {
            let known = "query_version, query_models, clear_cache, even_handicap, terminate, terminate_all";
            return fields.complain("action", format!("unknown action '{name}'; known are {known}"));
        }
    })
}

fn read_even_handicap(fields: &mut Fields) -> Result<Action, Complaint> {
    let mut side = |name: &str| match fields.integer(name, 2..=25)? {
        Some(side) => Ok(side as usize),
        None => fields.complain(name, "is missing"),
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    let mut rank = |name: &str| match fields.text(name)?.map(|text| text.parse::<Rank>()) {
        Some(Ok(rank)) => Ok(rank),
        Some(Err(_)) => fields.complain(name, "must be a rank such as 12k"),
        None => fields.complain(name, "is missing"),
    };
    let (one, other) = (rank("stronger")?, rank("weaker")?);
    match Size::new(width, height) {
        Ok(size) => Ok(Action::EvenHandicap { size, stronger: one.max(other), weaker: one.min(other) }),
        Err(error) => fields.complain("boardXSize", error),
    }
}

fn read_turns(fields: &mut Fields) -> Result<Option<Vec<i64>>, Complaint> {
    fields.integers("turnNumbers", 0..=i64::MAX)
}
