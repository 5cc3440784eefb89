//! From a written reply to the timed bytes of a wire's stream, as the provider would send them.
//!
//! Not here: which reply is given (`play.rs`), and each provider's events (`encode/`).

mod anthropic;
mod chat;
mod events;
mod gemini;
mod responses;

use std::fmt;

use fanfold_transcript::{Usage, Wire};

use self::events::Write;
use super::format::{Break, Piece, Said, ScriptedCall, ScriptedStop, Spoken};

/// What a scripted model answers to one request. The set is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A stream of server-sent events.
    Stream {
        /// In the order of time.
        chunks: Vec<Chunk>,
        /// How it ends after the last one.
        end: End,
    },
    /// An HTTP status other than success, with a JSON body in the provider's own form.
    Refusal {
        /// From 400 to 599.
        status: u16,
        /// The `Retry-After` header, in seconds.
        retry_after_s: Option<u64>,
        /// The body.
        body: String,
    },
    /// Nothing at all; then the connection ends.
    Silent {
        /// How long, in milliseconds.
        ms: u64,
    },
}

/// Some bytes of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// When they are sent, in milliseconds since the request.
    pub at_ms: u64,
    /// The bytes; a chunk may end anywhere.
    pub bytes: Vec<u8>,
}

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As it should.
    Whole,
    /// The connection breaks.
    Broken,
}

/// What a written reply is encoded with.
pub struct Saying<'a> {
    /// The model's name in the reply.
    pub model: &'a str,
    /// Part of every id that is made up: ids of one conversation differ when their tags do. Letters
    /// and digits.
    pub tag: &'a str,
    /// The cost of the reply, where the script does not say.
    pub usage: Usage,
    /// Makes the provider's seal. It is given what is sealed: the text of a thinking piece
    /// (Anthropic, OpenAI Responses); for Gemini the first call's name, a space and its arguments as
    /// the part holds them; or all thinking of a reply without calls.
    pub seal: &'a dyn Fn(&str) -> String,
}

impl fmt::Debug for Saying<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, tag, usage, seal: _ } = self;
        let mut fields = f.debug_struct("Saying");
        fields.field("model", model).field("tag", tag).field("usage", usage).finish_non_exhaustive()
    }
}

/// The stream of a written reply, whole or broken. `None` for a wire that scripts do not speak.
#[must_use]
pub fn encode(
    wire: Wire,
    spoken: &Spoken,
    break_at: Option<Break>,
    saying: &Saying<'_>,
) -> Option<Answer> {
    let writer: Box<dyn Write + '_> = match wire {
        Wire::Anthropic => Box::new(anthropic::Writer::new(saying)),
        Wire::OpenaiChat => Box::new(chat::Writer::new(saying)),
        Wire::OpenaiResponses => Box::new(responses::Writer::new(saying)),
        Wire::Gemini => Box::new(gemini::Writer::new(saying)),
        Wire::Bedrock | Wire::Cohere | Wire::Plain => return None,
    };
    Some(Timeline::new(writer).play(spoken, break_at))
}

/// The bytes so far.
struct Timeline<'a> {
    writer: Box<dyn Write + 'a>,
    chunks: Vec<Chunk>,
    now_ms: u64,
}

impl<'a> Timeline<'a> {
    fn new(writer: Box<dyn Write + 'a>) -> Self {
        Self { writer, chunks: Vec::new(), now_ms: 0 }
    }

    fn play(mut self, spoken: &Spoken, break_at: Option<Break>) -> Answer {
        let begin = self.writer.begin();
        self.push(0, begin.into_bytes());
        for (n, piece) in spoken.pieces.iter().enumerate() {
            let is_last = n + 1 == spoken.pieces.len();
            let cut = spoken.stop == ScriptedStop::OutputLimit && is_last;
            let events = write_piece(&mut *self.writer, piece, cut);
            match break_at {
                Some(at) if at.after == n => return self.break_off(at, &events.concat()),
                Some(_) | None => self.spread(events, piece.at_ms),
            }
        }
        if let Some(at) = break_at {
            let end = self.writer.end(spoken.stop);
            return self.break_off(at, &end);
        }
        let ends_at_ms = spoken.ends_at_ms.unwrap_or(self.now_ms);
        let end = self.writer.end(spoken.stop);
        self.push(ends_at_ms, end.into_bytes());
        Answer::Stream { chunks: self.chunks, end: End::Whole }
    }

    /// Sends the events of a piece evenly until it is complete.
    fn spread(&mut self, events: Vec<String>, at_ms: Option<u64>) {
        let from = self.now_ms;
        let span = at_ms.unwrap_or(from).saturating_sub(from);
        let count = u64::try_from(events.len()).unwrap_or(u64::MAX);
        for (n, event) in (1..).zip(events) {
            self.push(from + span.saturating_mul(n) / count, event.into_bytes());
        }
    }

    /// Breaks before these bytes, or half through them.
    fn break_off(mut self, at: Break, next: &str) -> Answer {
        if at.mid_piece {
            let half = next.as_bytes()[..next.len() / 2].to_vec();
            self.push(self.now_ms, half);
        }
        Answer::Stream { chunks: self.chunks, end: End::Broken }
    }

    fn push(&mut self, at_ms: u64, bytes: Vec<u8>) {
        self.now_ms = at_ms;
        if !bytes.is_empty() {
            self.chunks.push(Chunk { at_ms, bytes });
        }
    }
}

fn write_piece(writer: &mut dyn Write, piece: &Piece, cut: bool) -> Vec<String> {
    match &piece.said {
        Said::Text(text) => writer.text(&deltas(text, piece.chunks)),
        Said::Thinking(text) => writer.thinking(text, &deltas(text, piece.chunks)),
        Said::Call(call) => {
            let text = call.arguments_text();
            let cut = cut && !is_json(&text);
            writer.call(call, &deltas(&text, piece.chunks), cut)
        }
    }
}

/// The text in so many parts, or one a character where it has fewer. At least one part.
fn deltas(text: &str, count: usize) -> Vec<&str> {
    let length = text.chars().count();
    let count = count.clamp(1, length.max(1));
    let mut rest = text.chars();
    let part = |n| {
        let whole = rest.as_str();
        // Cut so that the parts differ by one character at most.
        let size = length * (n + 1) / count - length * n / count;
        if size > 0 {
            rest.nth(size - 1);
        }
        &whole[..whole.len() - rest.as_str().len()]
    };
    (0..count).map(part).collect()
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// A call's id at the provider: its own, or one made of the kind, the tag and its number.
fn id_of(call: &ScriptedCall, kind: &str, tag: &str, number: usize) -> String {
    match &call.id {
        Some(id) => id.to_string(),
        None => format!("{kind}_{tag}_{number}"),
    }
}
