//! The analysis protocol over WebSocket, exactly as on standard input: one JSON object a message.
//!
//! Reports of a search under way replace each other on their way to a slow client; everything else arrives.

use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use tesuji_analysis::{Connection, Service};

use crate::outbox::Outbox;
use crate::socket::Conversation;

/// A client of the analysis engine; its queries end with it.
pub(crate) struct Client(Connection);

/// What tells a report that may be replaced.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    #[serde(default)]
    id: Value,
    turn_number: Option<u64>,
    is_during_search: Option<bool>,
}

impl Client {
    pub(crate) fn new(service: &Service, outbox: Arc<Outbox>) -> Client {
        Client(service.connect(move |reply| match serde_json::from_str(&reply) {
            Ok(Reply { id, turn_number: Some(turn), is_during_search: Some(is_partial) }) => {
                let subject = format!("{id} {turn}");
                if is_partial {
                    outbox.send_state(subject, reply);
                } else {
                    outbox.send_last(&subject, reply);
                }
            }
            _ => outbox.send(reply),
        }))
    }
}

impl Conversation for Client {
    fn hear(&mut self, message: &str) {
        // Several lines in one message are several queries, as on standard input.
        message.lines().filter(|line| !line.trim().is_empty()).for_each(|line| self.0.send(line));
    }
}
