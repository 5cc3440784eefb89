//! Where each wire keeps its blocks and ids, read from JSON without the wire crate.
//!
//! A second, simple reading: the judge must not share the code of the judged. Not here: streams,
//! whose whole reply nobody recorded.

use std::collections::BTreeMap;

use fanfold_transcript::{Assistant, Json, Wire};
use serde_json::Value;
use serde_json::value::RawValue;

/// What ties a result to its call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The wire's id; `None` where the wire does without.
    pub id: Option<String>,
    /// The tool's name, on wires whose results carry it.
    pub tool: Option<String>,
}

/// Compares what was recorded as one JSON document with what was written.
///
/// # Errors
/// Which block differs.
pub(super) fn compare(recorded: &[u8], reply: &Assistant, written: &Json) -> Result<(), String> {
    let wire = reply.source.wire;
    // A stream is not one document, or is a list of them.
    let Ok(document) = serde_json::from_slice::<&RawValue>(recorded) else { return Ok(()) };
    if document.get().starts_with('[') {
        return Ok(());
    }
    if matches!(wire, Wire::OpenaiChat | Wire::Cohere) {
        same_message(wire, document.get(), written.text())?;
    }
    let recorded = blocks(wire, message(wire, document.get()).as_deref().unwrap_or("{}"));
    let written = blocks(wire, written.text());
    if recorded.len() != written.len() {
        return Err(format!("{} blocks were recorded, {} written", recorded.len(), written.len()));
    }
    let ids_replaced = has_replaced_ids(wire, reply);
    for (at, (recorded, written)) in recorded.iter().zip(&written).enumerate() {
        let (recorded, written) = (recorded.get(), written.get());
        if recorded != written && !is_mended(wire, recorded, written, ids_replaced) {
            let (at, recorded, written) = (at + 1, start(recorded), start(written));
            return Err(format!("block {at} was recorded as {recorded} and written as {written}"));
        }
    }
    Ok(())
}

/// Enough of a block to find it, on one line and with its white space.
fn start(block: &str) -> String {
    block.chars().take(160).map(|c| if c == '\n' { '⏎' } else { c }).collect()
}

/// Whether two blocks differ only where the provider would refuse what was recorded: in an id that
/// is missing or repeated, in an empty name, or in arguments that are no JSON object.
fn is_mended(wire: Wire, recorded: &str, written: &str, ids_replaced: bool) -> bool {
    let (id, name, arguments) = match wire {
        Wire::Anthropic => ("/id", "/name", "/input"),
        Wire::OpenaiChat | Wire::Cohere => ("/id", "/function/name", "/function/arguments"),
        Wire::OpenaiResponses => ("/call_id", "/name", "/arguments"),
        Wire::Gemini => ("/functionCall/id", "/functionCall/name", "/functionCall/args"),
        Wire::Bedrock => ("/toolUse/toolUseId", "/toolUse/name", "/toolUse/input"),
        Wire::Plain => return false,
    };
    let read = |text| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (mut recorded, mut written) = (read(recorded), read(written));
    let arguments_mended =
        !is_object(recorded.pointer(arguments)) && is_object(written.pointer(arguments));
    let is_empty = |call: &Value| call.pointer(name).is_some_and(|name| *name == "");
    let named = is_empty(&recorded) && !is_empty(&written);
    for (slot, may_differ) in [(id, ids_replaced), (name, named), (arguments, arguments_mended)] {
        if let (true, Some(new)) = (may_differ, written.pointer_mut(slot)) {
            *new = Value::Null;
            if let Some(old) = recorded.pointer_mut(slot) {
                *old = Value::Null;
            }
        }
    }
    (ids_replaced || named || arguments_mended) && recorded == written
}

/// Whether this is an object, or a text that holds one.
fn is_object(arguments: Option<&Value>) -> bool {
    let Some(text) = arguments.and_then(Value::as_str) else {
        return arguments.is_some_and(Value::is_object);
    };
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())
}

/// The keys of the calls in a written reply, in order.
///
/// # Errors
/// When it is not JSON.
pub(crate) fn call_keys(wire: Wire, written: &Json) -> Result<Vec<Key>, String> {
    let blocks = blocks(wire, written.text());
    let blocks: Result<Vec<Value>, _> =
        blocks.iter().map(|raw| serde_json::from_str(raw.get())).collect();
    let blocks = blocks.map_err(|error| error.to_string())?;
    let key = |block: &Value| match wire {
        Wire::Anthropic => (block["type"] == "tool_use").then(|| Key::id(&block["id"])),
        Wire::OpenaiChat | Wire::Cohere => Some(Key::id(&block["id"])),
        Wire::OpenaiResponses => {
            let is_call = block["type"] == "function_call" || block["type"] == "custom_tool_call";
            is_call.then(|| Key::id(&block["call_id"]))
        }
        Wire::Gemini => block.get("functionCall").map(Key::id_and_name),
        Wire::Bedrock => block.get("toolUse").map(|call| Key::id(&call["toolUseId"])),
        Wire::Plain => None,
    };
    Ok(blocks.iter().filter_map(key).collect())
}

/// The keys of written results, in order.
///
/// # Errors
/// When they are not JSON.
pub(crate) fn result_keys(wire: Wire, results: &Json) -> Result<Vec<Key>, String> {
    let results = results.value().map_err(|error| error.to_string())?;
    let (list, key): (&Value, fn(&Value) -> Key) = match wire {
        Wire::Anthropic => (&results["content"], |result| Key::id(&result["tool_use_id"])),
        Wire::OpenaiChat | Wire::Cohere => (&results, |result| Key::id(&result["tool_call_id"])),
        Wire::Bedrock => {
            (&results["content"], |result| Key::id(&result["toolResult"]["toolUseId"]))
        }
        Wire::OpenaiResponses => (&results, |result| Key::id(&result["call_id"])),
        Wire::Gemini => (&results["parts"], |part| Key::id_and_name(&part["functionResponse"])),
        Wire::Plain => (&results, |result| Key::id_and_name(result)),
    };
    Ok(list.as_array().into_iter().flatten().map(key).collect())
}

impl Key {
    fn id(id: &Value) -> Self {
        Self { id: id.as_str().map(str::to_owned), tool: None }
    }

    fn id_and_name(call: &Value) -> Self {
        Self { tool: call["name"].as_str().map(str::to_owned), ..Self::id(&call["id"]) }
    }
}

/// The part of a recorded document that goes back to the provider.
fn message(wire: Wire, document: &str) -> Option<String> {
    let path: &[&str] = match wire {
        Wire::Anthropic | Wire::Plain => &[],
        Wire::OpenaiChat => &["choices", "0", "message"],
        Wire::OpenaiResponses => &["output"],
        Wire::Gemini => &["candidates", "0", "content"],
        Wire::Bedrock => &["output", "message"],
        Wire::Cohere => &["message"],
    };
    path.iter().try_fold(document.to_owned(), |text, step| {
        let inner = match step.parse::<usize>() {
            Ok(at) => items(&text).into_iter().nth(at)?,
            Err(_) => fields(&text).remove(*step)?,
        };
        Some(inner.get().to_owned())
    })
}

/// The blocks of a message, byte for byte.
fn blocks(wire: Wire, message: &str) -> Vec<Box<RawValue>> {
    let key = match wire {
        Wire::Anthropic | Wire::Bedrock => "content",
        Wire::OpenaiChat | Wire::Cohere => "tool_calls",
        Wire::Gemini => "parts",
        Wire::OpenaiResponses | Wire::Plain => return items(message),
    };
    fields(message).remove(key).map(|list| items(list.get())).unwrap_or_default()
}

fn items(text: &str) -> Vec<Box<RawValue>> {
    serde_json::from_str(text).unwrap_or_default()
}

fn fields(text: &str) -> BTreeMap<String, Box<RawValue>> {
    serde_json::from_str(text).unwrap_or_default()
}

/// A chat message is one object: beside its calls it must say the same, where it says anything.
fn same_message(wire: Wire, document: &str, written: &str) -> Result<(), String> {
    let read = |text: &str| {
        let mut value: Value = serde_json::from_str(text).unwrap_or_default();
        if let Some(fields) = value.as_object_mut() {
            fields.retain(|key, field| key != "tool_calls" && !field.is_null());
        }
        value
    };
    let recorded = read(message(wire, document).as_deref().unwrap_or("{}"));
    let written = read(written);
    if recorded == written { Ok(()) } else { Err(format!("{recorded} became {written}")) }
}

/// Whether an id had to be replaced, so that not every byte can be the recorded one.
fn has_replaced_ids(wire: Wire, reply: &Assistant) -> bool {
    let ids: Vec<_> = reply.calls().map(|call| call.wire_id.as_deref()).collect();
    let repeats = |at: usize| ids[at].is_some() && ids[..at].contains(&ids[at]);
    (0..ids.len()).any(repeats) || wire != Wire::Gemini && ids.contains(&None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanfold_transcript::Source;

    #[test]
    fn only_what_a_provider_would_refuse_may_differ() {
        let call = |id: &str, arguments: &str, index: u8| {
            let function = serde_json::json!({ "name": "Ls", "arguments": arguments });
            serde_json::json!({ "id": id, "function": function, "index": index }).to_string()
        };
        let table = [
            (call("a", "{\"p\": ", 0), call("a", "{}", 0), false, true),
            (call("a", "{\"p\": ", 0), call("a", "{}", 1), false, false),
            (call("a", "{\"p\":1}", 0), call("a", "{\"p\":2}", 0), false, false),
            (call("a", "{}", 0), call("b", "{}", 0), false, false),
            (call("a", "{}", 0), call("b", "{}", 0), true, true),
            (call("a", "null", 0), call("a", "{", 0), false, false),
        ];
        for (recorded, written, ids_replaced, expected) in table {
            let mended = is_mended(Wire::OpenaiChat, &recorded, &written, ids_replaced);
            assert_eq!(mended, expected, "{recorded} {written}");
        }
    }

    #[test]
    fn a_changed_block_is_found() {
        let recorded = br#"{"content": [{"type":"text", "text":"a"}]}"#;
        let reply = Assistant::new(Source::new(Wire::Anthropic), Vec::new());
        let compare = |text: &str| compare(recorded, &reply, &Json::parse(text).unwrap());
        assert!(compare(r#"{"content":[{"type":"text", "text":"a"}]}"#).is_ok());
        assert!(compare(r#"{"content":[{"type":"text","text":"a"}]}"#).is_err());
        assert!(compare(r#"{"content":[]}"#).is_err());
    }
}
