//! What the strict provider remembers of a conversation: the bytes of its last accepted request.
//!
//! No real provider refuses a past turn that was written differently; each of them reads it anew at
//! full price, because its cache holds bytes. Fanfold promises not to do that. Not here: what else
//! a provider checks, which needs no memory.

use std::collections::BTreeMap;

use fanfold_transcript::Wire;
use serde_json::Value;
use serde_json::value::RawValue;

use super::refusal::Refusal;
use super::seal::{Seals, canonical};

/// Whether past turns must be repeated byte for byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Past {
    /// They must, cache marks aside.
    #[default]
    Identical,
    /// They may change: for tests that compact, or rewrite the past on purpose.
    Free,
}

/// The last accepted request of each conversation.
///
/// A conversation is told by its wire and its `prompt_cache_key`, else by what the user says first:
/// two at once that begin alike need a server each. One that begins anew replaces the old one.
#[derive(Debug, Default)]
pub struct Memory {
    past: Past,
    seals: Seals,
    conversations: BTreeMap<String, Vec<Part>>,
}

/// One message or other part of a request that must not change, as its bytes.
#[derive(Debug)]
struct Part {
    at: String,
    text: String,
    speaker: Speaker,
}

/// Whose words a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    User,
    Model,
    Other,
}

impl Memory {
    /// A memory that checks as told.
    #[must_use]
    pub fn new(past: Past, seals: Seals) -> Self {
        Self { past, seals, conversations: BTreeMap::new() }
    }

    pub(super) const fn seals(&self) -> Seals {
        self.seals
    }

    /// Remembers an accepted request in place of the one before it.
    ///
    /// # Errors
    /// The first part that is not as it was.
    pub(super) fn keep(&mut self, wire: Wire, body: &[u8], value: &Value) -> Result<(), Refusal> {
        if self.past == Past::Free {
            return Ok(());
        }
        let parts = parts(wire, body)?;
        let key = conversation(wire, value, &parts);
        let begins_anew = !parts.iter().any(|part| part.speaker == Speaker::Model);
        if let Some(past) = self.conversations.get(&key).filter(|_| !begins_anew) {
            let changed = past.iter().zip(&parts).find(|(old, new)| !old.is_repeated_by(new));
            if let Some((old, _)) = changed {
                let said = "past turns are byte-identical: this one is not as it was sent before";
                return Err(Refusal::of(old.at.clone(), said));
            }
        }
        self.conversations.insert(key, parts);
        Ok(())
    }
}

impl Part {
    /// Bytes decide; where one of the two holds a cache mark, what is left without marks does.
    fn is_repeated_by(&self, other: &Self) -> bool {
        let unmarked = |text: &str| serde_json::from_str(text).map(|value| canonical(&value)).ok();
        let is_marked = |text: &str| text.contains("\"cache_control\"");
        let same_text = self.text == other.text
            || (is_marked(&self.text) || is_marked(&other.text))
                && unmarked(&self.text) == unmarked(&other.text);
        self.at == other.at && same_text
    }
}

impl Speaker {
    fn of(message: &Value) -> Self {
        match (message["role"].as_str(), message["type"].as_str()) {
            (Some("assistant" | "model"), _) | (_, Some("function_call" | "reasoning")) => {
                Self::Model
            }
            (Some("user"), _) => Self::User,
            _ if message.is_string() => Self::User,
            _ => Self::Other,
        }
    }
}

/// The instructions, the tools, and each message.
fn parts(wire: Wire, body: &[u8]) -> Result<Vec<Part>, Refusal> {
    let bad = |error: serde_json::Error| Refusal::of("body", error.to_string());
    let fields: BTreeMap<String, &RawValue> = serde_json::from_slice(body).map_err(bad)?;
    let mut parts = Vec::new();
    for key in ["system", "instructions", "systemInstruction", "system_instruction", "tools"] {
        let text = fields.get(key).map_or("null", |raw| raw.get()).to_owned();
        parts.push(Part { at: key.to_owned(), text, speaker: Speaker::Other });
    }
    let key = match wire {
        Wire::OpenaiResponses => "input",
        Wire::Gemini => "contents",
        Wire::Anthropic | Wire::OpenaiChat | Wire::Bedrock | Wire::Cohere | Wire::Plain => {
            "messages"
        }
    };
    let Some(raw) = fields.get(key).copied() else { return Ok(parts) };
    // A lone text stands for one message.
    let messages: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap_or_else(|_| vec![raw]);
    let message = |(n, raw): (usize, &&RawValue)| {
        let value: Value = serde_json::from_str(raw.get()).unwrap_or_default();
        let speaker = Speaker::of(&value);
        Part { at: format!("{key}.{n}"), text: raw.get().to_owned(), speaker }
    };
    parts.extend(messages.iter().enumerate().map(message));
    Ok(parts)
}

fn conversation(wire: Wire, value: &Value, parts: &[Part]) -> String {
    let first = parts.iter().find(|part| part.speaker == Speaker::User);
    let begins = || first.map(first_text).unwrap_or_default();
    let key = value["prompt_cache_key"].as_str().map_or_else(begins, str::to_owned);
    format!("{} {key}", wire.as_str())
}

/// What the user says first, however it is wrapped.
fn first_text(part: &Part) -> String {
    let message: Value = serde_json::from_str(&part.text).unwrap_or_default();
    let list = ["content", "parts"].into_iter().find_map(|key| message.get(key));
    let content = list.unwrap_or(&message);
    let text = content.as_str().or_else(|| content[0]["text"].as_str());
    text.map_or_else(|| canonical(content), str::to_owned)
}
