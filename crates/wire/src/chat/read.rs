//! A whole message, as it came or as it was put together from a stream.

use fanfold_transcript::{Assistant, Block, BlockBody, Content, Json, Source, Stop, Usage, Wire};
use serde_json::value::RawValue;

use super::THINKING;
use crate::arguments::{self, End, Place, Sent};
use crate::error::DecodeError;
use crate::live::CallIds;
use crate::raw::{self, RawObject};

/// A whole completion, or a bare assistant message.
pub(crate) fn read(reply: &RawObject, ids: CallIds) -> Result<Assistant, DecodeError> {
    if !reply.has("choices") {
        return read_message(&RawObject::default(), reply, Stop::Finished, ids);
    }
    let choices = reply.objects("choices");
    let first = choices.iter().find(|choice| choice.number("index").unwrap_or(0) == 0);
    let missing =
        || DecodeError::NoReply { wire: Wire::OpenaiChat, expected: "a `message` in `choices`" };
    let choice = first.or(choices.first()).ok_or_else(missing)?;
    let message = choice.object("message").ok_or_else(missing)?;
    read_message(reply, &message, stop(choice).unwrap_or(Stop::Finished), ids)
}

/// The message of a completion, of which `head` names the model and the usage.
pub(crate) fn read_message(
    head: &RawObject,
    message: &RawObject,
    stop: Stop,
    mut ids: CallIds,
) -> Result<Assistant, DecodeError> {
    let refused = stop == Stop::Finished && message.word("refusal").is_some();
    let end = End::of(&stop);
    let mut read = vec!["role"];
    let mut blocks = Vec::new();
    if let Some(key) = THINKING.into_iter().find(|key| message.word(key).is_some()) {
        read.push(key);
        let text = message.string(key).unwrap_or_default();
        blocks.push(piece(message, key, BlockBody::Thinking(text.into())));
    }
    let content = read_content(message);
    if !content.is_empty() {
        read.push("content");
        blocks.extend(content);
    }
    if let Some(calls) = message.array("tool_calls") {
        read.push("tool_calls");
        let count = calls.len();
        for (index, call) in calls.into_iter().enumerate() {
            // Where pieces of calls may interleave, a stream that breaks can cut any of them.
            let place = Place::new(index + 1 == count || stop == Stop::Unfinished);
            blocks.push(read_call(call, place, end, &mut ids)?);
        }
    }
    if let Some(function) =
        message.object("function_call").filter(|_| !read.contains(&"tool_calls"))
    {
        read.push("function_call");
        let sent = Sent::new(arguments::text(&function, "arguments"), Place::Last, end);
        let tool = function.string("name").unwrap_or_default();
        let call = arguments::call(ids.next()?, None, &tool, sent);
        blocks.push(piece(message, "function_call", BlockBody::Call(call)));
    }
    let extras = message.without(&read);
    let source = Source {
        asked: None,
        wire: Wire::OpenaiChat,
        model: head.word("model"),
        response_id: head.word("id"),
        extras: (!extras.is_empty()).then(|| raw::json(&extras)),
    };
    let stop = if refused { Stop::Refused } else { stop };
    Ok(Assistant { blocks, source, stop, usage: usage(head) })
}

/// A block whose original is one key of the message.
fn piece(message: &RawObject, key: &str, body: BlockBody) -> Block {
    let mut original = RawObject::default();
    if let Some(value) = message.raw(key) {
        original.set(key, value.to_owned());
    }
    Block { body, signature: None, original: Some(raw::json(&original)) }
}

/// The content: one text, or parts. An empty text is no block.
fn read_content(message: &RawObject) -> Vec<Block> {
    if let Some(text) = message.word("content") {
        return vec![piece(message, "content", BlockBody::Content(Content::Text(text)))];
    }
    message.array("content").unwrap_or_default().into_iter().map(read_part).collect()
}

fn read_part(part: Box<RawValue>) -> Block {
    let object = raw::object(&part).unwrap_or_default();
    let text = |object: &RawObject| object.string("text").unwrap_or_default();
    let body = match object.string("type").as_deref() {
        Some("text") => BlockBody::Content(Content::Text(text(&object).into())),
        Some("thinking") => {
            let parts = || object.objects("thinking").iter().map(text).collect();
            BlockBody::Thinking(object.string("thinking").unwrap_or_else(parts).into())
        }
        _ => BlockBody::Content(Content::Opaque(Json::from(part.clone()))),
    };
    Block { body, signature: None, original: Some(Json::from(part)) }
}

fn read_call(
    call: Box<RawValue>,
    place: Place,
    end: End,
    ids: &mut CallIds,
) -> Result<Block, DecodeError> {
    let object = raw::object(&call).unwrap_or_default();
    let function = object.object("function").unwrap_or_default();
    let sent = Sent::new(arguments::text(&function, "arguments"), place, end);
    let tool = function.string("name").unwrap_or_default();
    let body = BlockBody::Call(arguments::call(ids.next()?, object.word("id"), &tool, sent));
    Ok(Block { body, signature: None, original: Some(Json::from(call)) })
}

/// Why the choice says that it stopped.
pub(super) fn stop(choice: &RawObject) -> Option<Stop> {
    Some(match &*choice.word("finish_reason")? {
        "stop" | "tool_calls" | "function_call" | "tool_use" | "end_turn" | "eos" => Stop::Finished,
        "length" | "max_tokens" | "model_length" => Stop::OutputLimit,
        "content_filter" | "refusal" => Stop::Refused,
        // The server broke off by itself.
        "insufficient_system_resource" | "error" => Stop::Unfinished,
        other => Stop::Other(other.into()),
    })
}

/// The prompt is counted with its cached part, which is taken off here.
fn usage(head: &RawObject) -> Usage {
    let usage = head.object("usage").unwrap_or_default();
    let prompt = usage.object("prompt_tokens_details").unwrap_or_default();
    let output = usage.object("completion_tokens_details").unwrap_or_default();
    let reasoning = output.number("reasoning_tokens");
    let cache_read =
        prompt.number("cached_tokens").or_else(|| usage.number("prompt_cache_hit_tokens"));
    let cache_write = prompt.number("cache_write_tokens");
    let cached = cache_read.unwrap_or(0).saturating_add(cache_write.unwrap_or(0));
    Usage {
        input: usage.number("prompt_tokens").map(|all| all.saturating_sub(cached)),
        cache_read,
        cache_write,
        output: output_tokens(&usage, reasoning),
        reasoning,
    }
}

/// The output with its reasoning. That is a part of `completion_tokens`, but with xAI, which counts it
/// beside them; only the total tells.
fn output_tokens(usage: &RawObject, reasoning: Option<u64>) -> Option<u64> {
    let completion = usage.number("completion_tokens")?;
    let all = completion.saturating_add(reasoning.unwrap_or(0));
    let prompt = usage.number("prompt_tokens").unwrap_or(0);
    let is_apart = usage.number("total_tokens") == Some(prompt.saturating_add(all));
    Some(if is_apart { all } else { completion })
}
