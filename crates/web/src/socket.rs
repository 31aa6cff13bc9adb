//! One WebSocket: lines in, lines out, a ping now and then.

use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::outbox::Outbox;

/// Longest message that is read, in bytes: a query with a long game and every option is a hundredth of that.
pub(crate) const MAX_MESSAGE: usize = 1 << 20;
/// How often a silent client is asked whether it is there.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// How long a client may take to accept one message.
const SEND_TIME: Duration = Duration::from_secs(20);

/// Somebody to talk to; dropped when the client is gone.
pub(crate) trait Conversation: Send + 'static {
    /// A message of the client. Must not take long: everybody's network runs in the same thread.
    fn hear(&mut self, line: &str);
}

/// Accepts a WebSocket; what `begin` makes hears the client and answers into the outbox.
pub(crate) fn accept<C: Conversation>(
    upgrade: WebSocketUpgrade,
    begin: impl FnOnce(Arc<Outbox>) -> C + Send + 'static,
) -> Response {
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(async move |socket| {
        let outbox = Arc::new(Outbox::default());
        let conversation = begin(Arc::clone(&outbox));
        converse(socket, &outbox, conversation).await;
    })
}

async fn converse(mut socket: WebSocket, outbox: &Outbox, mut conversation: impl Conversation) {
    let mut ping = interval(PING_INTERVAL);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let message = tokio::select! {
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => {
                    conversation.hear(text.as_str());
                    continue;
                }
                Some(Ok(Message::Binary(bytes))) => {
                    // Some clients send their JSON as bytes.
                    conversation.hear(&String::from_utf8_lossy(&bytes));
                    continue;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            waiting = outbox.next() => match waiting {
                Some(text) => Message::Text(Utf8Bytes::from(text)),
                None => return,
            },
            _ = ping.tick() => Message::Ping(axum::body::Bytes::new()),
        };
        if !matches!(timeout(SEND_TIME, socket.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
}
