//! A tiny HTTP server on this machine that says exactly what a test tells it to.
//!
//! Not here: any understanding of requests. It is no stricter than a mirror.

use std::collections::BTreeMap;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What the server does once it has read a request.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Sends these bytes, as one write.
    Send(Vec<u8>),
    /// Says nothing until the client closes the connection.
    Hold,
}

/// A request as it came.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// What the server has seen.
#[derive(Debug)]
pub(crate) enum Seen {
    Request(Request),
    /// The client closed the connection that was held.
    Closed,
}

/// The server. It closes each connection after the last step.
#[derive(Debug)]
pub(crate) struct Loopback {
    pub(crate) base: String,
    seen: mpsc::UnboundedReceiver<Seen>,
}

impl Loopback {
    pub(crate) async fn start(steps: Vec<Step>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (sender, seen) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(serve(connection, steps.clone(), sender.clone()));
            }
        });
        Self { base, seen }
    }

    /// A stream of these bytes, each part one write; its length is not said beforehand.
    pub(crate) async fn streaming(parts: impl IntoIterator<Item = &[u8]>) -> Self {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: req_7\r\n\
                    connection: close\r\n\r\n";
        let parts = parts.into_iter().map(|part| Step::Send(part.to_vec()));
        Self::start([Step::Send(head.into())].into_iter().chain(parts).collect()).await
    }

    /// An answer with a body.
    pub(crate) async fn answering(status: &str, headers: &str, body: &str) -> Self {
        let length = body.len();
        let text = format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}");
        Self::start(vec![Step::Send(text.into())]).await
    }

    /// What it sees next.
    pub(crate) async fn sees(&mut self) -> Seen {
        self.seen.recv().await.unwrap()
    }

    /// The next request.
    pub(crate) async fn request(&mut self) -> Request {
        match self.sees().await {
            Seen::Request(request) => request,
            Seen::Closed => panic!("closed instead"),
        }
    }

    /// Whether nothing has been seen that was not asked for.
    pub(crate) fn has_seen_all(&mut self) -> bool {
        self.seen.try_recv().is_err()
    }
}

async fn serve(mut connection: TcpStream, steps: Vec<Step>, seen: mpsc::UnboundedSender<Seen>) {
    let Some(request) = read_request(&mut connection).await else { return };
    seen.send(Seen::Request(request)).ok();
    for step in steps {
        match step {
            Step::Send(bytes) => {
                if connection.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Step::Hold => {
                let mut rest = [0; 64];
                while connection.read(&mut rest).await.is_ok_and(|length| length > 0) {}
                seen.send(Seen::Closed).ok();
            }
        }
    }
}

async fn read_request(connection: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|end| end == b"\r\n\r\n") {
            break at;
        }
        read_more(connection, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let (line, rest) = head.split_once("\r\n").unwrap();
    let headers: BTreeMap<String, String> = rest
        .lines()
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length: usize = headers["content-length"].parse().unwrap();
    while bytes.len() < head_end + 4 + length {
        read_more(connection, &mut bytes).await?;
    }
    let body = String::from_utf8(bytes[head_end + 4..].to_vec()).unwrap();
    Some(Request { line: line.to_owned(), headers, body })
}

async fn read_more(connection: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut more = [0; 4096];
    let length = connection.read(&mut more).await.ok().filter(|length| *length > 0)?;
    bytes.extend_from_slice(&more[..length]);
    Some(())
}
