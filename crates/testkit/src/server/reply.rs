//! An answer of the script as an HTTP response: a stream with its timing, or a whole reply.
//!
//! Not here: what the script answers.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use fanfold_model::script::{Answer, Chunk, End};
use fanfold_transcript::Wire;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, ReadBuf};
use tokio::time::{Instant, sleep_until};
use tokio_util::io::ReaderStream;

use super::{Answered, whole};

/// Bytes on their way from the script to the socket.
const PIPE_BYTES: usize = 64 << 10;

pub(super) async fn write(wire: Wire, answered: Answered) -> Response {
    let begun = Instant::now();
    match answered.answer {
        Answer::Stream { chunks, end } if answered.streams => stream(begun, chunks, end),
        Answer::Stream { chunks, end } => {
            let last_ms = chunks.last().map_or(0, |chunk| chunk.at_ms);
            sleep_until(begun + Duration::from_millis(last_ms)).await;
            let bytes: Vec<u8> = chunks.into_iter().flat_map(|chunk| chunk.bytes).collect();
            match (end, whole::of(wire, &bytes)) {
                (End::Broken, _) => stream(begun, Vec::new(), End::Broken),
                (End::Whole, Ok(reply)) => json(200, &reply),
                (End::Whole, Err(problem)) => (StatusCode::BAD_GATEWAY, problem).into_response(),
            }
        }
        Answer::Refusal { status, retry_after_s, body } => {
            let mut response = respond(status, "application/json", Body::from(body));
            if let Some(seconds) = retry_after_s {
                response.headers_mut().insert("retry-after", seconds.into());
            }
            response
        }
        Answer::Silent { ms } => {
            let nothing = Chunk { at_ms: ms, bytes: Vec::new() };
            stream(begun, vec![nothing], End::Broken)
        }
    }
}

/// A JSON document with this status.
pub(super) fn json(status: u16, value: &Value) -> Response {
    respond(status, "application/json", Body::from(value.to_string()))
}

/// Server-sent events at their times. A broken end closes the connection without the last, empty
/// chunk that ends a body.
fn stream(begun: Instant, chunks: Vec<Chunk>, end: End) -> Response {
    let (mut pipe, reader) = tokio::io::duplex(PIPE_BYTES);
    tokio::spawn(async move {
        for chunk in chunks {
            sleep_until(begun + Duration::from_millis(chunk.at_ms)).await;
            // Nobody listens any more.
            if pipe.write_all(&chunk.bytes).await.is_err() {
                return;
            }
        }
    });
    let body = ReaderStream::new(reader.chain(Ending { end, is_flushed: false }));
    respond(200, "text/event-stream", Body::from_stream(body))
}

fn respond(status: u16, kind: &'static str, body: Body) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [("content-type", kind), ("request-id", "req_strict")], body).into_response()
}

/// Reads nothing more, or an error.
struct Ending {
    end: End,
    /// An error at once would overtake what came before it: the server drops what it has not sent.
    is_flushed: bool,
}

impl AsyncRead for Ending {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        _: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.end {
            End::Whole => Poll::Ready(Ok(())),
            End::Broken if self.is_flushed => {
                Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()))
            }
            End::Broken => {
                self.is_flushed = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}
