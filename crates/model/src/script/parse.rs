//! From the text of a script to the script. Errors name the place.
//!
//! Not here: what the fields mean (`format.rs`, `docs/scripts.md`).

mod fault;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use fanfold_transcript::{Usage, Wire};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::format::{
    Piece, RawChunk, ReplyBody, Said, Script, ScriptedCall, ScriptedReply, ScriptedStop, Spoken,
    When,
};

/// The wires that a script may speak.
const WIRES: [Wire; 4] = [Wire::Anthropic, Wire::OpenaiChat, Wire::OpenaiResponses, Wire::Gemini];

/// The longest time in a script, in milliseconds: a day.
const TIME_MAX_MS: u64 = 86_400_000;

/// Why a script cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("cannot read the script {path}: {problem}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: std::io::Error,
    },
    /// No JSON.
    #[error("the script is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// JSON that is no script.
    #[error("{place}: {problem}")]
    Wrong {
        /// Where, such as `replies[2].say[0]`.
        place: String,
        /// What is wrong there.
        problem: String,
    },
}

impl Script {
    /// Reads a script from its text.
    ///
    /// # Errors
    /// When it is not JSON, or no script: with the place.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let value: Value = serde_json::from_str(text).map_err(ScriptError::NotJson)?;
        let file: ScriptFields = read(value, "the script")?;
        let wire = match file.wire {
            None => Wire::Anthropic,
            Some(name) => wire(&name).map_err(|problem| wrong("wire", problem))?,
        };
        let reply = |(n, value)| parse_reply(value, &format!("replies[{n}]"));
        let replies: Result<Vec<_>, _> = file.replies.into_iter().enumerate().map(reply).collect();
        let script =
            Self { wire, model: file.model.unwrap_or_else(|| "script".into()), replies: replies? };
        script.check_repeats()?;
        Ok(script)
    }

    /// Reads a script from its file.
    ///
    /// # Errors
    /// Likewise, and when the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, ScriptError> {
        let text = std::fs::read_to_string(path)
            .map_err(|problem| ScriptError::Unreadable { path: path.to_owned(), problem })?;
        Self::parse(&text)
    }

    /// A reply that answers all later numbers leaves none for another one.
    fn check_repeats(&self) -> Result<(), ScriptError> {
        let numbered = || self.replies.iter().enumerate().filter(|(_, one)| one.when.is_none());
        let last = numbered().next_back().map(|(n, _)| n);
        match numbered().find(|(n, reply)| reply.repeat && Some(*n) != last) {
            None => Ok(()),
            Some((n, _)) => Err(wrong(
                &format!("replies[{n}].repeat"),
                "without `when`, only the last reply may repeat",
            )),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFields {
    wire: Option<String>,
    model: Option<Box<str>>,
    replies: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyFields {
    when: Option<Value>,
    #[serde(default)]
    faults: Vec<Value>,
    say: Option<Vec<Value>>,
    stop: Option<ScriptedStop>,
    usage: Option<Value>,
    ends_at_ms: Option<u64>,
    raw: Option<Vec<Value>>,
    #[serde(default)]
    broken: bool,
    #[serde(default)]
    repeat: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceFields {
    text: Option<Box<str>>,
    thinking: Option<Box<str>>,
    call: Option<Value>,
    at_ms: Option<u64>,
    chunks: Option<NonZeroUsize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UsageFields {
    input: Option<u64>,
    cache_read: Option<u64>,
    cache_write: Option<u64>,
    output: Option<u64>,
    reasoning: Option<u64>,
}

fn parse_reply(value: Value, place: &str) -> Result<ScriptedReply, ScriptError> {
    let mut fields: ReplyFields = read(value, place)?;
    let when: Option<When> =
        fields.when.take().map(|when| read(when, &format!("{place}.when"))).transpose()?;
    if when == Some(When::default()) {
        return Err(wrong(&format!("{place}.when"), "no condition in it"));
    }
    let faults = std::mem::take(&mut fields.faults);
    let faults = each(faults, &format!("{place}.faults"), fault::parse)?;
    let repeat = fields.repeat;
    let body = parse_body(fields, place)?;
    if body == ReplyBody::FaultsOnly && faults.is_empty() {
        return Err(wrong(place, "nothing in it; expected `say`, `raw` or `faults`"));
    }
    Ok(ScriptedReply { when, faults, body, repeat })
}

fn parse_body(fields: ReplyFields, place: &str) -> Result<ReplyBody, ScriptError> {
    let ReplyFields { say, stop, usage, ends_at_ms, raw, broken, .. } = fields;
    let said = say.is_some();
    let only_said = [
        ("stop", stop.is_some()),
        ("usage", usage.is_some()),
        ("ends_at_ms", ends_at_ms.is_some()),
    ];
    if let Some((name, _)) = only_said.into_iter().find(|(_, given)| *given && !said) {
        return Err(wrong(&format!("{place}.{name}"), "goes with `say` only"));
    }
    if broken && raw.is_none() {
        let problem = "goes with `raw` only; a fault breaks what is said";
        return Err(wrong(&format!("{place}.broken"), problem));
    }
    match (say, raw) {
        (Some(_), Some(_)) => Err(wrong(place, "both `say` and `raw`; one of them")),
        (None, None) => Ok(ReplyBody::FaultsOnly),
        (Some(pieces), None) => {
            let pieces = each(pieces, &format!("{place}.say"), parse_piece)?;
            let times = pieces.iter().map(|piece| piece.at_ms);
            in_order(times.chain([ends_at_ms]), &format!("{place}.say"))?;
            let usage = usage.map(|usage| parse_usage(usage, &format!("{place}.usage")));
            Ok(ReplyBody::Spoken(Spoken {
                pieces,
                stop: stop.unwrap_or_default(),
                usage: usage.transpose()?.unwrap_or_default(),
                ends_at_ms,
            }))
        }
        (None, Some(chunks)) => {
            let place = format!("{place}.raw");
            let chunks: Vec<RawChunk> = each(chunks, &place, read)?;
            in_order(chunks.iter().map(|chunk| Some(chunk.at_ms)), &place)?;
            Ok(ReplyBody::Raw { chunks, broken })
        }
    }
}

fn parse_piece(value: Value, place: &str) -> Result<Piece, ScriptError> {
    let fields: PieceFields = read(value, place)?;
    let said = match (fields.text, fields.thinking, fields.call) {
        (Some(text), None, None) => Said::Text(text),
        (None, Some(thinking), None) => Said::Thinking(thinking),
        (None, None, Some(call)) => Said::Call(parse_call(call, &format!("{place}.call"))?),
        _ => return Err(wrong(place, "expected exactly one of `text`, `thinking`, `call`")),
    };
    Ok(Piece { said, at_ms: fields.at_ms, chunks: fields.chunks.map_or(1, NonZeroUsize::get) })
}

fn parse_call(value: Value, place: &str) -> Result<ScriptedCall, ScriptError> {
    let call: ScriptedCall = read(value, place)?;
    if !matches!(call.arguments, Value::Object(_) | Value::String(_)) {
        let place = format!("{place}.arguments");
        return Err(wrong(&place, "expected an object, or the text of one"));
    }
    Ok(call)
}

fn parse_usage(value: Value, place: &str) -> Result<Usage, ScriptError> {
    let UsageFields { input, cache_read, cache_write, output, reasoning } = read(value, place)?;
    Ok(Usage { input, cache_read, cache_write, output, reasoning })
}

fn wire(name: &str) -> Result<Wire, String> {
    let names = WIRES.map(Wire::as_str).join(", ");
    let found = WIRES.into_iter().find(|wire| wire.as_str() == name);
    found.ok_or_else(|| format!("unknown wire {name:?}; one of {names}"))
}

fn each<T>(
    values: Vec<Value>,
    place: &str,
    read: impl Fn(Value, &str) -> Result<T, ScriptError>,
) -> Result<Vec<T>, ScriptError> {
    let element = |(n, value)| read(value, &format!("{place}[{n}]"));
    values.into_iter().enumerate().map(element).collect()
}

fn in_order(times: impl Iterator<Item = Option<u64>>, place: &str) -> Result<(), ScriptError> {
    let mut before = 0;
    for at in times.flatten() {
        if at < before {
            let problem = format!("{at} ms comes after {before} ms; times may not go back");
            return Err(wrong(place, problem));
        }
        before = at;
    }
    within_a_day(before, place)
}

fn within_a_day(ms: u64, place: &str) -> Result<(), ScriptError> {
    if ms <= TIME_MAX_MS {
        return Ok(());
    }
    Err(wrong(place, format!("{ms} ms is longer than a day ({TIME_MAX_MS} ms)")))
}

fn read<T: DeserializeOwned>(value: Value, place: &str) -> Result<T, ScriptError> {
    T::deserialize(value).map_err(|error| wrong(place, error))
}

fn wrong(place: &str, problem: impl fmt::Display) -> ScriptError {
    ScriptError::Wrong { place: place.to_owned(), problem: problem.to_string() }
}
