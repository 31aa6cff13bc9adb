//! `tesuji web` as a process, and the least of HTTP and WebSocket that it takes to talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::process::tesuji;

/// Longer than anything takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A server that is killed with the test.
pub(crate) struct WebServer {
    child: Child,
    pub(crate) address: SocketAddr,
    /// What the server says people should open.
    pub(crate) url: String,
}

impl WebServer {
    /// Starts a server that keeps its games in a directory.
    pub(crate) fn start(games: &Path, arguments: &[&str]) -> WebServer {
        let mut child = tesuji(&["web", "--port", "0", "--games"])
            .arg(games)
            .args(["--memory", "1024", "--threads", "1", "--seed", "1"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        let url = url.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
        let place = url.trim_start_matches("http://").split('/').next().unwrap();
        WebServer { address: place.parse().unwrap(), child, url }
    }

    /// Ends it as nothing else would: no chance to clean up.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request with these headers and returns status, headers and body.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = connect(self.address);
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        let host = self.address.to_string();
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {host}\r\n");
        }
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        // A server that refuses what is too long does not read it to the end.
        stream.write_all(body).ok();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok();
        Answer::parse(&bytes)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], b"")
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// An answer to a request.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        Answer { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// One end of a WebSocket.
pub(crate) struct WebSocket(BufReader<TcpStream>);

impl WebSocket {
    /// Opens one, or returns the status of the refusal.
    pub(crate) fn open(server: &WebServer, path: &str, headers: &[(&str, &str)]) -> Result<WebSocket, u16> {
        let mut stream = connect(server.address);
        let mut head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
            server.address
        );
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        stream.write_all(format!("{head}\r\n").as_bytes()).map_err(|_| 0u16)?;
        let mut reader = BufReader::new(stream);
        let mut status = None;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return Err(status.unwrap_or(0));
            }
            status = status.or_else(|| line.split(' ').nth(1)?.parse().ok());
            if line == "\r\n" {
                break;
            }
        }
        if status == Some(101) { Ok(WebSocket(reader)) } else { Err(status.unwrap_or(0)) }
    }

    /// Sends a text, masked with zeros.
    pub(crate) fn send(&mut self, text: &str) -> std::io::Result<()> {
        let mut frame = vec![0x81];
        match text.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length @ 126..65536 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.get_mut().write_all(&frame)
    }

    /// The next text as JSON; nothing if the connection ends.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).ok()?;
            let mut length = u64::from(head[1] & 0x7f);
            if length >= 126 {
                let mut bytes = [0; 8];
                let from = if length == 126 { 6 } else { 0 };
                self.0.read_exact(&mut bytes[from..]).ok()?;
                length = u64::from_be_bytes(bytes);
            }
            let mut payload = vec![0; length as usize];
            self.0.read_exact(&mut payload).ok()?;
            match head[0] & 0xf {
                1 => return serde_json::from_slice(&payload).ok(),
                8 => return None,
                _ => {}
            }
        }
    }
}
