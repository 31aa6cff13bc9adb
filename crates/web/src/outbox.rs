//! What waits to be sent to one client.
//!
//! Whoever puts something in never waits. A report of a search still under way replaces an older one of the same search that was not sent yet: a slow client
//! sees fewer of them, and each is the newest. What must arrive is kept in order; if too much of it waits, the client is given up.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// Messages that may wait.
const MAX_MESSAGES: usize = 4096;
/// Bytes that may wait.
const MAX_BYTES: usize = 16 << 20;

/// A queue between the threads that work and the one that sends.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    messages: VecDeque<Message>,
    bytes: usize,
    is_closed: bool,
}

#[derive(Debug)]
struct Message {
    /// What it is a passing state of, if it is.
    replaceable: Option<String>,
    text: String,
}

impl Outbox {
    /// Something that must arrive.
    pub(crate) fn send(&self, text: String) {
        self.put(None, None, text);
    }

    /// A state of `subject` that the next one makes useless.
    pub(crate) fn send_state(&self, subject: String, text: String) {
        self.put(Some(subject), None, text);
    }

    /// The last word on `subject`, which makes its states useless and must arrive.
    pub(crate) fn send_last(&self, subject: &str, text: String) {
        self.put(None, Some(subject), text);
    }

    fn put(&self, replaceable: Option<String>, ended: Option<&str>, text: String) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.is_closed {
            return;
        }
        if let Some(subject) = replaceable.as_deref().or(ended) {
            let is_old = |message: &Message| message.replaceable.as_deref() == Some(subject);
            if let Some(at) = queue.messages.iter().position(is_old)
                && let Some(old) = queue.messages.remove(at)
            {
                queue.bytes -= old.text.len();
            }
        }
        queue.bytes += text.len();
        queue.messages.push_back(Message { replaceable, text });
        if queue.messages.len() > MAX_MESSAGES || queue.bytes > MAX_BYTES {
            *queue = Queue { is_closed: true, ..Queue::default() };
        }
        drop(queue);
        self.changed.notify_one();
    }

    /// The next message; nothing if the client has been given up.
    pub(crate) async fn next(&self) -> Option<String> {
        loop {
            {
                let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(message) = queue.messages.pop_front() {
                    queue.bytes -= message.text.len();
                    return Some(message.text);
                }
                if queue.is_closed {
                    return None;
                }
            }
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(outbox: &Outbox) -> Vec<String> {
        let mut queue = outbox.queue.lock().unwrap();
        queue.bytes = 0;
        queue.messages.drain(..).map(|message| message.text).collect()
    }

    #[test]
    fn states_are_replaced_and_everything_else_is_kept_in_order() {
        let outbox = Outbox::default();
        outbox.send("first".to_owned());
        outbox.send_state("a".to_owned(), "a1".to_owned());
        outbox.send_state("b".to_owned(), "b1".to_owned());
        outbox.send_state("a".to_owned(), "a2".to_owned());
        outbox.send("second".to_owned());
        outbox.send_last("b", "b2".to_owned());
        assert_eq!(drain(&outbox), ["first", "a2", "second", "b2"]);
    }

    #[test]
    fn who_reads_nothing_is_given_up() {
        let outbox = Outbox::default();
        let mebibyte = "x".repeat(1 << 20);
        for _ in 0..100 {
            outbox.send_state("a".to_owned(), mebibyte.clone());
        }
        assert_eq!(drain(&outbox).len(), 1);
        (0..20).for_each(|_| outbox.send(mebibyte.clone()));
        assert!(outbox.queue.lock().unwrap().is_closed);
        assert!(drain(&outbox).is_empty());
        let many = Outbox::default();
        (0..=MAX_MESSAGES).for_each(|_| many.send(String::new()));
        assert!(many.queue.lock().unwrap().is_closed);
    }
}
