//! What a script looks at in a request: its replies, its size, its words.
//!
//! Not here: whether a provider would accept it.

use std::borrow::Cow;

use fanfold_transcript::{Json, Wire};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::format::When;

/// Bytes that count as a token.
const BYTES_PER_TOKEN: usize = 4;

/// How many replies of the model the request holds.
///
/// A reply in OpenAI Responses is a run of items that the model wrote.
#[must_use]
pub fn replies_in(wire: Wire, body: &Json) -> usize {
    let messages = messages(wire, body);
    let items = messages
        .iter()
        .map(|message| serde_json::from_str::<Item<'_>>(message.get()).unwrap_or_default());
    match wire {
        Wire::OpenaiResponses => {
            let mut speaks = false;
            let starts = items.filter(|item| {
                let spoke = std::mem::replace(&mut speaks, item.is_model());
                speaks && !spoke
            });
            starts.count()
        }
        Wire::Gemini => items.filter(|item| item.role.as_deref() == Some("model")).count(),
        Wire::Anthropic | Wire::OpenaiChat | Wire::Bedrock | Wire::Cohere | Wire::Plain => {
            items.filter(|item| item.role.as_deref() == Some("assistant")).count()
        }
    }
}

/// A request with its counts.
#[derive(Debug)]
pub(super) struct Request<'a> {
    wire: Wire,
    body: &'a Json,
    pub(super) replies: usize,
    pub(super) tokens: u64,
}

impl<'a> Request<'a> {
    pub(super) fn new(wire: Wire, body: &'a Json) -> Self {
        let tokens = tokens_of(body.text().len());
        Self { wire, body, replies: replies_in(wire, body), tokens }
    }

    /// Whether all that is asked for holds.
    pub(super) fn fits(&self, when: &When) -> bool {
        let When { contains, last_contains, tokens_above, replies } = when;
        let last_holds = |words: &str| {
            let messages = messages(self.wire, self.body);
            messages.last().is_some_and(|last| holds(last.get(), words))
        };
        tokens_above.is_none_or(|above| self.tokens > above)
            && replies.is_none_or(|count| self.replies == count)
            && last_contains.as_deref().is_none_or(last_holds)
            && contains.as_deref().is_none_or(|words| holds(self.body.text(), words))
    }

    /// Letters and digits that stand in no id of the request.
    pub(super) fn fresh_tag(&self) -> String {
        let taken = |tag: &String| self.body.text().contains(&format!("_{tag}_"));
        let plain = format!("r{}", self.replies);
        let more = (2..).map(|n: u32| format!("{plain}x{n}"));
        std::iter::once(plain.clone()).chain(more).find(|tag| !taken(tag)).unwrap_or(plain)
    }
}

/// An estimate of the tokens in so many bytes.
pub(super) fn tokens_of(bytes: usize) -> u64 {
    u64::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u64::MAX)
}

/// What tells whose a message is.
#[derive(Default, Deserialize)]
struct Item<'a> {
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
}

impl Item<'_> {
    /// Whether the model wrote this item of OpenAI Responses.
    fn is_model(&self) -> bool {
        match self.role.as_deref() {
            Some(role) => role == "assistant",
            None => self.kind.as_deref().is_some_and(|kind| !kind.ends_with("_output")),
        }
    }
}

/// The messages, whatever the wire calls them.
#[derive(Default, Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    contents: Option<&'a RawValue>,
}

fn messages(wire: Wire, body: &Json) -> Vec<&RawValue> {
    let body: Body<'_> = serde_json::from_str(body.text()).unwrap_or_default();
    let list = match wire {
        Wire::OpenaiResponses => body.input,
        Wire::Gemini => body.contents,
        Wire::Anthropic | Wire::OpenaiChat | Wire::Bedrock | Wire::Cohere | Wire::Plain => {
            body.messages
        }
    };
    list.and_then(|list| serde_json::from_str(list.get()).ok()).unwrap_or_default()
}

/// Whether some string in the JSON holds the words. What is nested too deep is searched as it stands.
fn holds(json: &str, words: &str) -> bool {
    let Ok(value) = serde_json::from_str(json) else { return json.contains(words) };
    let mut left: Vec<Value> = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) if text.contains(words) => return true,
            Value::Array(values) => left.extend(values),
            Value::Object(fields) => left.extend(fields.into_iter().map(|(_, value)| value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    false
}
