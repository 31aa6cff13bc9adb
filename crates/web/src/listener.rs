//! Accepts connections, not more than so many at once, and ends those that say nothing.
//!
//! A connection counts until it is closed, a WebSocket as well: those are pinged (`socket.rs`), so a living one is never silent for long. Whoever
//! comes when there is no place is sent away at once; that costs nothing, and places come free by themselves.

use axum::serve::Listener;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Connections at once: a browser needs at most eight a tab.
pub(crate) const MAX_CONNECTIONS: usize = 256;
/// How long a new connection may take for its first byte.
const FIRST_BYTE: Duration = Duration::from_secs(10);
/// How long one may be silent; several times the interval of pings.
const SILENCE: Duration = Duration::from_secs(120);
/// How long to wait if the system has no more sockets for us.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(200);

/// A listener with a bounded number of connections.
pub(crate) struct BoundedListener {
    inner: TcpListener,
    places: Arc<Semaphore>,
}

impl BoundedListener {
    pub(crate) fn new(inner: TcpListener) -> BoundedListener {
        BoundedListener { inner, places: Arc::new(Semaphore::new(MAX_CONNECTIONS)) }
    }
}

impl Listener for BoundedListener {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.inner.accept().await {
                Ok((stream, address)) => {
                    // Without a place the stream is closed here.
                    if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
                        // Small messages are wanted now; where that cannot be had they come a little later.
                        stream.set_nodelay(true).ok();
                        let silence = Box::pin(sleep(FIRST_BYTE));
                        return (Connection { stream, silence, _place: place }, address);
                    }
                }
                Err(_) => sleep(OUT_OF_SOCKETS).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

/// A connection that has a place.
pub(crate) struct Connection {
    stream: TcpStream,
    silence: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                self.silence.as_mut().reset(Instant::now() + SILENCE);
                Poll::Ready(read)
            }
            Poll::Pending => match self.silence.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                Poll::Pending => Poll::Pending,
            },
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
