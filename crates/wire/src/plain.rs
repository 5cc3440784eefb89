//! Calls written as plain JSON, in any of the shapes that models and programs use.
//!
//! Everything beside the call in an entry (thoughts, headlines, plans) is ignored. Not here: calls
//! in other grammars than JSON, which arrive as the JSON they stand for (`call_text.rs`), and a
//! conversation that is held in them (`protocol.rs`).

pub(crate) mod protocol;

use fanfold_transcript::{
    Arguments, ArgumentsProblem, Assistant, Block, BlockBody, Call, Content, Json, OpenCalls,
    Reading, Source, Wire,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::arguments::{self, End, Place, Sent};
use crate::error::DecodeError;
use crate::literal::{self, Literal};
use crate::live::CallIds;
use crate::raw::{self, RawObject};
use crate::results::{self, Answer};

/// The shapes, for an error message.
const SHAPES: &str = "{tool_name, tool_args}, {tool, args}, {name, input}, {name, arguments}, \
    {type: \"function\", name, parameters}, {function: {name, arguments}}, \
    {functionCall: {name, args}}, {toolUse: {toolUseId, name, input}}, {actions: [one]}, [[name, {arguments}]]";

/// Keys under which a list of calls may stand.
const LISTS: [&str; 3] = ["tool_calls", "calls", "items"];

/// An entry that is a call, taken apart.
struct Entry {
    tool: String,
    /// `None` when the entry has no such key; `null` is a value.
    arguments: Option<Box<RawValue>>,
    /// The key that holds the arguments in this shape.
    key: &'static str,
    id: Option<Box<str>>,
}

/// Reads one call, an array of calls, or an object that holds one.
pub(crate) fn read(literal: &Literal, mut ids: CallIds) -> Result<Assistant, DecodeError> {
    let mut blocks = Vec::new();
    let (elements, reading) = entries(&literal.value);
    for (index, element) in elements.into_iter().enumerate() {
        let entry = raw::object(&element).and_then(|object| entry(&object));
        let Some(entry) = entry.or_else(|| pair(&element)) else {
            let found = element.get().chars().take(80).collect();
            return Err(DecodeError::NotACall { index: index + 1, found, expected: SHAPES });
        };
        let (tool, sent) = read_arguments(&entry);
        let mut call = arguments::call(ids.next()?, entry.id, &tool, sent);
        arguments::note(&mut call, reading);
        let body = BlockBody::Call(call);
        blocks.push(Block { body, signature: None, original: Some(Json::from(element)) });
    }
    Ok(Assistant::new(Source::new(Wire::Plain), blocks))
}

/// The entries of the list, and how it was read; a single call is a list of one.
fn entries(value: &RawValue) -> (Vec<Box<RawValue>>, Reading) {
    if let Some(list) = raw::array(value) {
        return (list, Reading::Strict);
    }
    let alone = || (vec![value.to_owned()], Reading::Strict);
    let Some(object) = raw::object(value) else { return alone() };
    if entry(&object).is_some() {
        return alone();
    }
    let lists = LISTS.iter().filter_map(|key| object.get(key));
    lists.filter_map(list).next().unwrap_or_else(alone)
}

/// An array, also one that comes as a JSON string.
fn list(value: &RawValue) -> Option<(Vec<Box<RawValue>>, Reading)> {
    if let Some(list) = raw::array(value) {
        return Some((list, Reading::Strict));
    }
    let Literal { value, reading } = literal::find(&raw::string(value)?).ok()?;
    Some((raw::array(&value)?, reading))
}

/// A call as a name and its arguments, one behind the other.
fn pair(element: &RawValue) -> Option<Entry> {
    let [tool, arguments] = <[_; 2]>::try_from(raw::array(element)?).ok()?;
    raw::object(&arguments)?;
    let tool = raw::string(&tool)?;
    Some(Entry { tool, arguments: Some(arguments), key: "arguments", id: None })
}

fn entry(object: &RawObject) -> Option<Entry> {
    let id = ["id", "call_id", "toolUseId"].iter().find_map(|key| object.word(key));
    if let Some(tool) = object.string("tool_name") {
        return Some(Entry { tool, arguments: own(object, "tool_args"), key: "tool_args", id });
    }
    if let Some(tool) = object.string("tool") {
        return Some(Entry { tool, arguments: own(object, "args"), key: "args", id });
    }
    for key in ["function", "functionCall", "toolUse"] {
        if let Some(inner) = object.object(key) {
            let found = named(&inner)?;
            return Some(Entry { id: id.or(found.id), ..found });
        }
    }
    if let [only] = &*object.array("actions").unwrap_or_default() {
        let only = raw::object(only).filter(|only| !only.has("actions"))?;
        return entry(&only);
    }
    named(object)
}

/// A call with a `name`, whatever its arguments are called.
fn named(object: &RawObject) -> Option<Entry> {
    let tool = object.string("name")?;
    let keys = ["input", "arguments", "parameters", "args"];
    let key = keys.into_iter().find(|key| object.raw(key).is_some()).unwrap_or("arguments");
    let id = ["id", "call_id", "toolUseId"].iter().find_map(|key| object.word(key));
    Some(Entry { tool, arguments: own(object, key), key, id })
}

fn own(object: &RawObject, key: &str) -> Option<Box<RawValue>> {
    object.raw(key).map(ToOwned::to_owned)
}

/// The tool and its arguments. `tool:action` names both a tool and its `action` argument.
fn read_arguments(entry: &Entry) -> (String, Sent) {
    let mut sent = match &entry.arguments {
        Some(value) => {
            let text = raw::string(value).unwrap_or_else(|| value.get().to_owned());
            Sent::new(text, Place::Inner, End::Complete)
        }
        None => {
            let missing = Arguments::Unreadable(ArgumentsProblem::Missing(entry.key.into()));
            Sent { text: String::new(), arguments: missing }
        }
    };
    let split =
        entry.tool.split_once(':').filter(|(tool, action)| !tool.is_empty() && !action.is_empty());
    if let (Some((_, action)), Arguments::Object { object, .. }) = (split, &mut sent.arguments)
        && !object.contains_key("action")
    {
        object.insert("action".to_owned(), Value::from(action));
    }
    (split.map_or(&*entry.tool, |(tool, _)| tool).to_owned(), sent)
}

/// The calls in the first of the shapes.
pub(crate) fn write(reply: &Assistant) -> Box<RawValue> {
    let call = |call: &Call| match &call.arguments {
        Arguments::Object { object, .. } => json!({ "tool_name": call.tool, "tool_args": object }),
        Arguments::Unreadable(ArgumentsProblem::Missing(_)) => json!({ "tool_name": call.tool }),
        Arguments::Guessed { .. } | Arguments::Unreadable(_) | Arguments::Cut => {
            json!({ "tool_name": call.tool, "tool_args": call.sent })
        }
    };
    raw::of(&reply.calls().map(call).collect::<Vec<_>>())
}

/// The results, each with the status word; a single JSON content stays JSON.
pub(crate) fn write_results(reply: &Assistant) -> Result<Box<RawValue>, OpenCalls> {
    let result = |answer: &Answer<'_>| {
        let mut result = RawObject::default();
        result.set("tool_name", raw::of(&answer.call.tool));
        result.set("outcome", raw::of(&answer.outcome.status().as_str()));
        result.set(
            "result",
            match &*answer.outcome.content {
                [Content::Json(json)] if answer.text == json.text() => json.raw().to_owned(),
                _ => raw::of(&answer.text_only()),
            },
        );
        raw::of(&result)
    };
    Ok(raw::of(&results::answers(reply)?.iter().map(result).collect::<Vec<_>>()))
}
