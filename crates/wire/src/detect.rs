//! What the input is, told by its shape.
//!
//! Not here: reading any of it.

use fanfold_transcript::Wire;
use serde_json::value::RawValue;

use crate::bedrock;
use crate::error::{DecodeError, ProviderError};
use crate::raw::{self, RawObject};

/// What the events of Cohere begin with.
const COHERE_EVENTS: [&str; 5] = ["message-", "content-", "tool-plan-", "tool-call-", "citation-"];

/// The wire of a stream of which this is an event; `None` when it does not tell, or is no event.
pub(crate) fn stream(event: &RawObject) -> Option<Wire> {
    let kind = event.string("type").unwrap_or_default();
    if kind.starts_with("message_") || kind.starts_with("content_block_") {
        return Some(Wire::Anthropic);
    }
    if kind.starts_with("response.") {
        return Some(Wire::OpenaiResponses);
    }
    if COHERE_EVENTS.iter().any(|start| kind.starts_with(start)) {
        return Some(Wire::Cohere);
    }
    if sole(event).is_some_and(|(name, _)| bedrock::EVENTS.contains(&name)) {
        return Some(Wire::Bedrock);
    }
    if is_gemini(event) {
        return Some(Wire::Gemini);
    }
    let piece = match event.string("object").as_deref() {
        Some("chat.completion") => false,
        Some("chat.completion.chunk") => true,
        _ => event.objects("choices").iter().all(|one| one.has("delta") || !one.has("message")),
    };
    (event.has("choices") && piece).then_some(Wire::OpenaiChat)
}

/// A Gemini chunk, a whole Gemini reply (which is the same), either one wrapped, or a bare message.
fn is_gemini(event: &RawObject) -> bool {
    let chunk = |event: &RawObject| {
        ["candidates", "usageMetadata", "promptFeedback"].iter().any(|key| event.has(key))
    };
    let bare = event.string("role").as_deref() == Some("model") && event.has("parts");
    let wrapped = || {
        let response = event.get("response")?;
        let first = raw::array(response).and_then(|chunks| raw::object(chunks.first()?));
        first.or_else(|| raw::object(response))
    };
    chunk(event) || bare || wrapped().is_some_and(|inner| chunk(&inner))
}

/// The wire of a whole reply that is an object; `None` when it looks like none of the providers'.
pub(crate) fn object(reply: &RawObject, asked: Option<Wire>) -> Option<Wire> {
    if reply.has("choices") {
        return Some(Wire::OpenaiChat);
    }
    if reply.object("output").is_some_and(|output| output.has("message")) {
        return Some(Wire::Bedrock);
    }
    if is_cohere(reply) {
        return Some(Wire::Cohere);
    }
    if reply.string("object").as_deref() == Some("response") || reply.array("output").is_some() {
        return Some(Wire::OpenaiResponses);
    }
    if is_gemini(reply) {
        return Some(Wire::Gemini);
    }
    let content = reply.array("content");
    let message = reply.string("type").as_deref() == Some("message");
    match reply.string("role").as_deref() {
        // The messages of Cohere and of Chat Completions look alike.
        Some("assistant") if asked == Some(Wire::Cohere) && !message => asked,
        Some("assistant") if reply.has("tool_calls") => Some(Wire::OpenaiChat),
        Some("assistant") => match content {
            Some(parts) if is_output(&parts) && message => Some(Wire::OpenaiResponses),
            Some(parts) if is_untyped(&parts, asked) => Some(Wire::Bedrock),
            Some(_) => Some(Wire::Anthropic),
            None if message => Some(Wire::Anthropic),
            None => reply.raw("content").map(|_| Wire::OpenaiChat),
        },
        _ if message && content.is_some() => Some(Wire::Anthropic),
        _ => None,
    }
}

/// The wire of which these are the output items or content blocks.
pub(crate) fn array(elements: &[Box<RawValue>], asked: Option<Wire>) -> Option<Wire> {
    let kinds: Vec<String> = elements.iter().filter_map(|element| kind(element)).collect();
    let any = |of: &[&str]| kinds.iter().any(|kind| of.contains(&kind.as_str()));
    if any(&["function_call", "reasoning", "message"]) {
        return Some(Wire::OpenaiResponses);
    }
    if any(&["tool_use", "thinking", "redacted_thinking"]) {
        return Some(Wire::Anthropic);
    }
    let typed = kinds.len() == elements.len() && !any(&["function"]);
    asked.filter(|wire| typed && matches!(wire, Wire::Anthropic | Wire::OpenaiResponses))
}

/// A reply, or a message with the plan that only Cohere writes.
fn is_cohere(reply: &RawObject) -> bool {
    let message = reply.object("message");
    let whole = message.as_ref().is_some_and(|message| {
        let speaks = message.string("role").as_deref() == Some("assistant");
        speaks && (reply.has("finish_reason") || message.has("tool_plan"))
    });
    whole || message.is_none() && reply.has("role") && reply.has("tool_plan")
}

/// Blocks that are told apart by their keys, as Bedrock does it. An empty list tells nothing.
fn is_untyped(parts: &[Box<RawValue>], asked: Option<Wire>) -> bool {
    let untyped = parts.iter().all(|part| kind(part).is_none());
    untyped && (!parts.is_empty() || asked == Some(Wire::Bedrock))
}

fn is_output(parts: &[Box<RawValue>]) -> bool {
    parts
        .iter()
        .filter_map(|part| kind(part))
        .any(|kind| kind == "output_text" || kind == "refusal")
}

fn kind(element: &RawValue) -> Option<String> {
    raw::object(element)?.string("type")
}

/// Refuses a format that is not the one asked for.
pub(crate) fn agree(asked: Option<Wire>, found: Wire) -> Result<(), DecodeError> {
    match asked {
        Some(asked) if asked != found => Err(DecodeError::WrongWire { asked, found }),
        Some(_) | None => Ok(()),
    }
}

/// A stream without any event that belongs to a reply.
pub(crate) fn no_event(asked: Option<Wire>) -> DecodeError {
    let expected = "an event of a reply";
    match asked {
        Some(Wire::Plain) => {
            DecodeError::NoReply { wire: Wire::Plain, expected: "JSON, not server-sent events" }
        }
        Some(wire) => DecodeError::NoReply { wire, expected },
        None => DecodeError::NoEvent,
    }
}

/// An error of Bedrock under its name, such as `throttlingException`.
fn exception(event: &RawObject) -> Option<&RawValue> {
    sole(event).filter(|(name, _)| name.ends_with("Exception")).map(|(_, error)| error)
}

/// The only key of an event, with its object.
fn sole(event: &RawObject) -> Option<(&str, &RawValue)> {
    let mut entries = event.entries();
    let only = entries.next().filter(|(_, value)| raw::object(value).is_some());
    only.filter(|_| entries.next().is_none())
}

/// The error that a provider sends instead of a reply, or in the middle of one.
pub(crate) fn provider_error(event: &RawObject) -> Option<ProviderError> {
    let kind = event.string("type").unwrap_or_default();
    let failed = || event.object("response").filter(|_| kind == "response.failed");
    let inner = failed().map(|response| response.get("error").map(ToOwned::to_owned));
    let error = match inner {
        Some(error) => error.unwrap_or_else(|| raw::of(event)),
        None => match event.get("error").or_else(|| exception(event)) {
            Some(error) => error.to_owned(),
            None if kind == "error" => raw::of(event),
            None => return None,
        },
    };
    let Some(object) = raw::object(&error) else {
        let message = raw::string(&error).unwrap_or_else(|| error.get().to_owned());
        return Some(ProviderError { message, ..ProviderError::default() });
    };
    let message = object.string("message").unwrap_or_else(|| error.get().to_owned());
    let words = ["type", "code", "status"].iter().filter_map(|key| object.string(key));
    let kind = words.into_iter().find(|word| word != "error");
    Some(ProviderError { message, kind, failed_generation: object.string("failed_generation") })
}
