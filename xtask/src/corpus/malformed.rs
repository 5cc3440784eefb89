//! The collection of malformed calls: each becomes what its row expects, or stands in [`NOT_HERE`].
//!
//! A row that is a call is put into a chat completion, the wire most of them were recorded on; a row
//! that is a text is read as plain calls. Not here: rows that the wire alone cannot decide, because
//! they need a tool's schema.

use std::path::Path;

use fanfold_transcript::{Arguments, ArgumentsProblem, Reading, Wire};
use fanfold_wire::decode;
use serde_json::{Value, json};

use crate::corpus::reply::{self, Found};
use crate::corpus::{Tally, recording};
use crate::failure::Failure;

/// Rows that are not checked here, with the reason.
const NOT_HERE: [(&str, &[&str]); 5] = [
    ("read among the recordings of its wire", &["m031", "m034", "m035", "m037"]),
    ("its recording is not in the collection; a test of the wire crate", &["m032"]),
    ("needs the tool's schema", &["m025", "m049", "m052"]),
    ("decided by the agent, not by the wire", &["m038", "m064"]),
    ("arises only in a stream; a test of the wire crate", &["m058"]),
];

/// Checks every row; also gives the rows that are not checked.
///
/// # Errors
/// When the file is there and cannot be read as rows of JSON.
pub(super) fn check(path: &Path) -> Result<(Tally, Vec<String>), Failure> {
    let (mut tally, mut not_here) = (Tally::default(), Vec::new());
    if !path.is_file() {
        return Ok((tally, not_here));
    }
    tally.files = 1;
    let bytes = recording::read(path)?;
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let row: Value = serde_json::from_slice(line)
            .map_err(|error| Failure::check(format!("{}: {error}", path.display())))?;
        let id = row["id"].as_str().unwrap_or("without id");
        let kind = row["kind"].as_str().unwrap_or_default();
        let reason = NOT_HERE.iter().find(|(_, ids)| ids.contains(&id));
        match (reason, judge(kind, &row["raw"])) {
            (Some((why, _)), _) => not_here.push(format!("{id} {kind}: {why}")),
            (None, Some(result)) => tally.add(&format!("malformed {id} {kind}"), result),
            (None, None) => tally.problems.push(format!("malformed {id}: unknown kind {kind:?}")),
        }
    }
    Ok((tally, not_here))
}

/// Whether a row became what its kind demands; `None` for a kind that is not known.
fn judge(kind: &str, raw: &Value) -> Option<Result<Found, String>> {
    let demand: fn(&Arguments) -> bool = match kind {
        "truncated-arguments" | "empty-arguments-on-length" => |found| *found == Arguments::Cut,
        "concatenated-objects" => {
            |found| *found == Arguments::Unreadable(ArgumentsProblem::SeveralObjects)
        }
        "double-encoded" => {
            |found| matches!(found, Arguments::Object { reading: Reading::Unwrapped, .. })
        }
        "lone-surrogate" => |found| {
            found.object().is_some_and(|object| object.values().any(|text| *text == "\u{fffd}"))
        },
        "invalid-escape" => |found| is_literal(found) && holds(found, "\\d"),
        "python-literals" => {
            |found| is_literal(found) && holds(found, "true,") && holds(found, "null")
        }
        // It gets its result, under its id, like any other unknown tool.
        "duplicate-ids-one-turn" | "empty-name" => |found| found.object().is_some(),
        "bare-python-call" | "tool_call-xml" | "single-quoted" | "escaped-underscore" => {
            return Some(plain_calls(raw, 2));
        }
        "prose-then-call" | "call-as-string-in-list" => return Some(no_calls(raw)),
        "provider-rejected-generation" => return Some(provider_error(raw)),
        _ => return None,
    };
    let bytes = chat_completion(raw).to_string().into_bytes();
    let meets_demand = decode(&bytes, Some(Wire::OpenaiChat), 1)
        .map(|reply| reply.calls().all(|call| demand(&call.arguments)));
    Some(match meets_demand {
        Ok(true) => reply::check(&bytes, Wire::OpenaiChat),
        Ok(false) => Err(format!("not read as it should be: {raw}")),
        Err(error) => Err(error.to_string()),
    })
}

fn is_literal(found: &Arguments) -> bool {
    matches!(found, Arguments::Object { reading: Reading::Literal, .. })
}

/// Whether the JSON of the arguments holds this text.
fn holds(found: &Arguments, part: &str) -> bool {
    found.object().is_some_and(|object| Value::from(object.clone()).to_string().contains(part))
}

/// A text that is this many calls of `get_price`.
fn plain_calls(raw: &Value, count: usize) -> Result<Found, String> {
    let text = raw["text"].as_str().unwrap_or_default();
    let reply = decode(text.as_bytes(), None, 1).map_err(|error| error.to_string())?;
    let good = reply
        .calls()
        .filter(|call| &*call.tool == "get_price" && call.arguments.object().is_some())
        .count();
    match (reply.calls().count(), good) {
        (calls, good) if calls == count && good == count => Ok(Found::Reply { calls, cut: 0 }),
        (calls, good) => Err(format!("{calls} calls, {good} of them as they should be: {raw}")),
    }
}

/// A text of which nothing may be run.
fn no_calls(raw: &Value) -> Result<Found, String> {
    let text = raw["text"].as_str().unwrap_or_default();
    match decode(text.as_bytes(), None, 1) {
        Err(_) => Ok(Found::Reply { calls: 0, cut: 0 }),
        Ok(reply) => {
            Err(format!("{} calls of a text that is not all calls", reply.calls().count()))
        }
    }
}

fn provider_error(raw: &Value) -> Result<Found, String> {
    match reply::check(raw.to_string().as_bytes(), Wire::OpenaiChat)? {
        Found::ProviderError => Ok(Found::ProviderError),
        Found::Reply { .. } => Err("a provider's error was read as a reply".to_owned()),
    }
}

/// A whole reply that holds the call, or the calls, of a row.
fn chat_completion(raw: &Value) -> Value {
    let rows = raw.as_array().map_or(std::slice::from_ref(raw), Vec::as_slice);
    let finish = rows.iter().find_map(|row| row["finish_reason"].as_str()).unwrap_or("tool_calls");
    let call = |row: &Value| {
        let id = row["id"].as_str().unwrap_or("call_1");
        let function = json!({ "name": row["name"], "arguments": row["arguments"] });
        json!({ "id": id, "type": "function", "function": function })
    };
    let calls: Vec<Value> = rows.iter().map(call).collect();
    let message = json!({ "role": "assistant", "content": null, "tool_calls": calls });
    json!({ "choices": [{ "index": 0, "finish_reason": finish, "message": message }] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_judged() {
        let row = |arguments: &str, finish: &str| json!({ "name": "read", "arguments": arguments, "finish_reason": finish });
        let table = [
            ("truncated-arguments", row("{\"path\": \"a", "length"), true),
            ("truncated-arguments", row("{\"path\": \"a\"}", "length"), false),
            ("concatenated-objects", row("{\"path\":1}{\"path\":2}", "tool_calls"), true),
            ("provider-rejected-generation", json!({ "error": { "message": "no" } }), true),
            ("provider-rejected-generation", row("{}", "tool_calls"), false),
            ("invalid-escape", row(r#"{"cmd":"\d"}"#, "tool_calls"), true),
            ("invalid-escape", row(r#"{"cmd":"\\d"}"#, "tool_calls"), false),
            ("python-literals", row(r#"{"a": True, "b": None}"#, "tool_calls"), true),
            ("single-quoted", json!({ "text": "[['get_price', {}], ['get_price', {}]]" }), true),
            ("single-quoted", json!({ "text": "[['get_price', {}]]" }), false),
            ("prose-then-call", json!({ "text": "Look: get_price()" }), true),
            ("prose-then-call", json!({ "text": "get_price()" }), false),
        ];
        for (kind, raw, holds) in table {
            assert_eq!(judge(kind, &raw).map(|found| found.is_ok()), Some(holds), "{kind} {raw}");
        }
        assert_eq!(judge("unheard-of", &json!({})), None);
    }
}
