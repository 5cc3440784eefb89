//! One line of a journal: `{"v":1,"seq":N,"t_ms":…,"agent":"a0","type":…}` and the fields of its fact.
//!
//! The order of the first five fields is part of the format: a list of sessions looks at no more. Not
//! here: several lines, and what a damaged one means for the rest (`reader.rs`).

use std::borrow::Cow;
use std::fmt;
use std::iter;

use fanfold_transcript::{AgentId, Fact, Json, Millis};
use serde::de::value::MapDeserializer;
use serde::{Deserialize, Serialize};

/// The version this crate writes, and the highest it reads.
const VERSION: u64 = 1;
/// Every JSON reader can hold a number up to this one exactly.
const SEQ_MAX: u64 = 1 << 53;
/// Where `serde_json` by itself stops. Arguments may be nested that deep before they are put in a line.
const DEPTH_USUAL: usize = 127;
/// How deep a line is entered: the arguments, and the few levels around them.
const DEPTH_MAX: usize = 160;

/// One line, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The how-manieth of its file, from 1.
    pub number: u64,
    /// Its sequence number, from 1; shared by all agents of the session.
    pub seq: u64,
    /// When it was written.
    pub at: Millis,
    /// Whose conversation it belongs to.
    pub agent: AgentId,
    /// What happened.
    pub body: LineBody,
}

/// What a line holds. The set is closed.
#[derive(Clone, Debug, PartialEq)]
pub enum LineBody {
    /// A fact.
    Fact(Fact),
    /// The whole line, of a type that a later Fanfold invented.
    Unknown(Json),
}

/// Why a text is no line.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// It is of this newer version.
    Newer(u64),
    /// It is damaged, with what is wrong.
    Damaged(String),
}

#[derive(Serialize)]
struct Written<'a> {
    v: u64,
    seq: u64,
    t_ms: u64,
    agent: AgentId,
    #[serde(flatten)]
    fact: &'a Fact,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    v: u64,
    seq: u64,
    t_ms: u64,
    agent: AgentId,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

/// All that can be expected of a line of any version.
#[derive(Deserialize)]
struct Version {
    v: u64,
}

/// Adds a line, with its line break.
pub(super) fn write(into: &mut Vec<u8>, seq: u64, at: Millis, agent: AgentId, fact: &Fact) {
    let line = Written { v: VERSION, seq, t_ms: at.0, agent, fact };
    serde_json::to_writer(&mut *into, &line).expect("a fact has text keys, and memory takes all");
    into.push(b'\n');
}

/// Reads the text of one line, with or without its line break.
pub(super) fn read(text: &str, number: u64) -> Result<Line, Unreadable> {
    let damaged = |error: serde_json::Error| Unreadable::Damaged(error.to_string());
    let envelope = serde_json::from_str(text).map_err(|error| {
        let version: Option<Version> = serde_json::from_str(text).ok();
        let newer = version.filter(|version| version.v > VERSION);
        newer.map_or_else(|| damaged(error), |version| Unreadable::Newer(version.v))
    })?;
    let Envelope { v, seq, t_ms, agent, kind } = envelope;
    if v > VERSION {
        return Err(Unreadable::Newer(v));
    }
    if v == 0 || !(1..=SEQ_MAX).contains(&seq) {
        return Err(Unreadable::Damaged(format!("version {v} with sequence number {seq}")));
    }
    let body = match fact(text) {
        Ok(fact) => LineBody::Fact(fact),
        Err(_) if is_unknown(&kind) => {
            let json = Json::parse(text);
            LineBody::Unknown(json.map_err(|error| Unreadable::Damaged(error.to_string()))?)
        }
        Err(error) => return Err(damaged(error)),
    };
    Ok(Line { number, seq, at: Millis(t_ms), agent, body })
}

fn fact(text: &str) -> serde_json::Result<Fact> {
    serde_json::from_str(text).or_else(|error| {
        if !(DEPTH_USUAL..=DEPTH_MAX).contains(&depth(text)) {
            return Err(error);
        }
        let mut deserializer = serde_json::Deserializer::from_str(text);
        deserializer.disable_recursion_limit();
        let fact = Fact::deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(fact)
    })
}

/// How deep brackets are nested in a JSON text.
fn depth(text: &str) -> usize {
    let (mut now, mut deepest) = (0_usize, 0);
    let (mut in_text, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => now += 1,
            b']' | b'}' if !in_text => now = now.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(now);
    }
    deepest
}

/// Whether no fact is of this type, as its own list of types says.
fn is_unknown(kind: &str) -> bool {
    let only_type = MapDeserializer::<_, Refusal>::new(iter::once(("type", kind)));
    matches!(Fact::deserialize(only_type), Err(Refusal::UnknownType))
}

/// Why a fact of nothing but a type is refused.
#[derive(Debug)]
enum Refusal {
    UnknownType,
    /// The type is known, and wants fields.
    Other,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownType => "unknown type",
            Self::Other => "no fact",
        })
    }
}

impl std::error::Error for Refusal {}

impl serde::de::Error for Refusal {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Other
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self::UnknownType
    }
}

/// What the beginning of a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    /// When it was written.
    pub(crate) at: Millis,
    /// Whose it is.
    pub(crate) agent: AgentId,
    /// Its type.
    pub(crate) kind: &'a str,
}

/// Looks at the beginning of a line and not at its fact; `None` when it is not as [`write`] makes it.
pub(crate) fn head(text: &str) -> Option<Head<'_>> {
    let rest = text.strip_prefix(r#"{"v":1,"seq":"#)?;
    let (_, rest) = rest.split_once(r#","t_ms":"#)?;
    let (at, rest) = rest.split_once(r#","agent":""#)?;
    let (agent, rest) = rest.split_once(r#"","type":""#)?;
    let (kind, _) = rest.split_once('"')?;
    Some(Head { at: Millis(at.parse().ok()?), agent: agent.parse().ok()?, kind })
}

/// The fact of a line, if it is one that can be read.
pub(crate) fn fact_of(text: &str) -> Option<Fact> {
    match read(text, 0).ok()?.body {
        LineBody::Fact(fact) => Some(fact),
        LineBody::Unknown(_) => None,
    }
}
