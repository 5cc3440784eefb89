//! Target `decode`: replies of every wire, read whole, in pieces and after being written.
//!
//! Held for any bytes: how they are cut changes nothing; a call that was handed out stays; what is
//! written reads as the same and writes the same; each call gets one result under a legal id of its
//! own. Not here: what a reply should read as; the wire crate's own tests have tables of that.

mod answers;
mod reading;

use std::cell::RefCell;

use fanfold_transcript::{Assistant, Call, Wire};
use fanfold_wire::{decode, write_reply};

use self::reading::Reading;
use super::random::Random;
use super::search::Target;

pub(super) const TARGET: Target = Target { name: "decode", samples, words: &WORDS, check };

/// The recordings of the wire crate.
macro_rules! recordings {
    ($($name:literal)*) => {
        [$(include_bytes!(concat!("../../../crates/wire/tests/recordings/", $name)) as &[u8]),*]
    };
}

pub(super) const RECORDINGS: [&[u8]; 18] = recordings!(
    "anthropic/whole.json" "anthropic/stream.sse" "anthropic/cut.jsonl"
    "chat/whole.json" "chat/stream.sse" "chat/cut.jsonl"
    "responses/whole.json" "responses/stream.sse" "responses/cut.jsonl"
    "gemini/whole.json" "gemini/stream.sse" "gemini/cut.json"
    "bedrock/whole.json" "bedrock/stream.sse" "bedrock/cut.jsonl"
    "cohere/whole.json" "cohere/stream.sse" "cohere/cut.jsonl"
);

const PLAIN: [&str; 6] = [
    r#"[{"tool_name":"Ls","tool_args":{"path":"src"}},{"name":"Ls","input":null}]"#,
    r#"{"tool_calls":[{"id":"x","function":{"name":"Ls","arguments":"{\"path\":\"a\"}"}}]}"#,
    r#"{"actions":[{"tool":"memory:save","args":{"text":"x"}}]}"#,
    "```python\n[get_price(item='tea', qty=2), get_price(item='rice')]\n```",
    "<tool_call>\n{'name': 'read', 'arguments': {'path': 'a'}}\n</tool_call>",
    "[['read', {'path': 'a'}], ['read', {'path': None}]]",
];

const WORDS: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\ud83d",
    "\\ude00",
    "\n\n",
    "\r\n",
    "\u{feff}",
    "data: ",
    "data: [DONE]\n\n",
    "event: error\n",
    ": ping\n\n",
    "null",
    "{}",
    "[]",
    "\"\"",
    "-1",
    "1e999",
    "18446744073709551616",
    "\"id\":",
    "\"index\":",
    "\"name\":\"\"",
    "\"arguments\":",
    "\"type\":\"error\"",
    "\"error\":{\"message\":\"x\"}",
    "\"type\":\"tool_use\"",
    "\"input\":{}",
    "\"partial_json\":\"{\"",
    "\"finish_reason\":\"length\"",
    "\"stop_reason\":\"max_tokens\"",
    "\"functionCall\":",
    "\"toolUse\":",
    "\"content\":",
    "\"tool_calls\":",
];

fn samples() -> Vec<Vec<u8>> {
    RECORDINGS.into_iter().chain(PLAIN.map(str::as_bytes)).map(<[u8]>::to_vec).collect()
}

fn check(bytes: &[u8]) -> Result<(), String> {
    for format in Wire::ALL.map(Some).into_iter().chain([None]) {
        let name = format.map_or("any format", Wire::as_str);
        in_format(bytes, format).map_err(|problem| format!("read as {name}: {problem}"))?;
    }
    Ok(())
}

fn in_format(bytes: &[u8], format: Option<Wire>) -> Result<(), String> {
    let whole = Reading::of(bytes, format, || bytes.len().max(1))?;
    let lengths = RefCell::new(Random::new(1));
    let pieces = Reading::of(bytes, format, || lengths.borrow_mut().length(64))?;
    whole.compare(&pieces).map_err(|what| format!("in pieces: {what}"))?;
    let single = Reading::of(bytes, format, || 1)?;
    whole.compare(&single).map_err(|what| format!("byte by byte: {what}"))?;
    let Ok(mut reply) = whole.reply else { return Ok(()) };
    written_reads_the_same(&reply)?;
    answers::one_per_call(&mut reply)
}

/// Holds a reply against what is read when it is written.
fn written_reads_the_same(reply: &Assistant) -> Result<(), String> {
    let (wire, written) = (reply.source.wire, write_reply(reply));
    let again = match decode(written.text().as_bytes(), Some(wire), 1) {
        Ok(again) => again,
        // A reply in which nothing was said.
        Err(_) if reply.calls().next().is_none() => return Ok(()),
        Err(error) => return Err(format!("written as {}: {error}", written.text())),
    };
    let second = write_reply(&again);
    if second != written {
        let (first, second) = (written.text(), second.text());
        return Err(format!("written as {first}, and again as {second}"));
    }
    let (calls, calls_again) = (reply.calls().count(), again.calls().count());
    if calls != calls_again {
        return Err(format!("{calls} calls, {calls_again} when written and read"));
    }
    let changed = reply.calls().zip(again.calls()).find(|(call, again)| !same(call, again));
    match changed {
        Some((call, again)) => Err(format!("{call:?} is {again:?} when written and read")),
        None => Ok(()),
    }
}

/// Whether a call reads the same again. One that was read with tolerance is written as what it was
/// read as, so nothing is left to tolerate.
fn same(call: &Call, again: &Call) -> bool {
    let named = call.tool == again.tool || (call.tool.is_empty() && &*again.tool == "unnamed");
    let object = call.arguments.object();
    let read = object == again.arguments.object() && again.arguments.note().is_none();
    named && (object.is_none() || read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanfold_transcript::{Arguments, CallId};

    #[test]
    fn a_call_that_reads_otherwise_is_told_apart() {
        let call = |tool: &str, arguments| Call::new(CallId::new(1), tool, arguments);
        let none = call("Ls", Arguments::none());
        assert!(same(&none, &none));
        assert!(!same(&none, &call("Rm", Arguments::none())));
        assert!(!same(&none, &call("Ls", Arguments::Cut)));
        assert!(same(&call("", Arguments::Cut), &call("unnamed", Arguments::none())));
    }
}
