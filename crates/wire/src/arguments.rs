//! The arguments of a call: what the model wrote, read as an object.
//!
//! Tolerance is staged: strict JSON, then unwrapping (`literal.rs`). A text inside the arguments is
//! never decoded, whatever it looks like. Not here: the tool's schema.

use fanfold_transcript::{Arguments, ArgumentsProblem, Call, CallId, Reading};
use serde_json::{Map, Value};

use crate::literal::{self, NoLiteral};
use crate::raw::{DEPTH_MAX, RawObject, mend_surrogates};
use crate::scan;

/// How the reply that holds a call came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself.
    Complete,
    /// At the output limit, or with the recording: the last words may be missing.
    Short,
}

/// Where a call stands among the blocks of its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The reply ends with it.
    Last,
    /// Something follows.
    Inner,
}

/// A call as a provider sent it.
pub(crate) fn call(id: CallId, wire_id: Option<Box<str>>, tool: &str, sent: Sent) -> Call {
    let mut call = Call::new(id, tool, sent.arguments);
    call.wire_id = wire_id;
    call.sent = sent.text.into();
    call
}

/// Arguments as text and as read.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) text: String,
    pub(crate) arguments: Arguments,
}

impl Sent {
    pub(crate) fn new(text: impl Into<String>, place: Place, end: End) -> Self {
        let text = text.into();
        let arguments = settle(&text, place, end);
        Self { text, arguments }
    }
}

/// Reads arguments whose reply has ended: those that are cut are never repaired.
fn settle(text: &str, place: Place, end: End) -> Arguments {
    let arguments = read(text);
    if end == End::Complete {
        return arguments;
    }
    let unreadable = matches!(arguments, Arguments::Unreadable(ArgumentsProblem::NotJson(_)));
    let cut = match place {
        Place::Last => unreadable || text.trim().is_empty(),
        Place::Inner => unreadable && scan::is_open(text),
    };
    if cut { Arguments::Cut } else { arguments }
}

/// Reads complete arguments. Nothing at all and `null` stand for no arguments.
pub(crate) fn read(text: &str) -> Arguments {
    if is_nothing(text) {
        return Arguments::none();
    }
    if scan::depth(text) > DEPTH_MAX {
        return unreadable(format!("nested deeper than {DEPTH_MAX} levels"));
    }
    let literal = match literal::find(text) {
        Ok(literal) => literal,
        Err(NoLiteral::NotJson(problem)) => return unreadable(problem),
        Err(NoLiteral::Several) => {
            return Arguments::Unreadable(ArgumentsProblem::SeveralObjects);
        }
    };
    let reading = literal.reading;
    match serde_json::from_str(literal.value.get()) {
        Ok(Value::Object(object)) => Arguments::Object { object, reading },
        Ok(Value::Null) => Arguments::Object { object: Map::new(), reading },
        Ok(Value::String(text)) if is_nothing(&text) => {
            Arguments::Object { object: Map::new(), reading: Reading::Unwrapped }
        }
        Ok(other) => Arguments::Unreadable(ArgumentsProblem::NotAnObject(kind(&other))),
        Err(error) => unreadable(error.to_string()),
    }
}

/// Whether `text` is one complete JSON object, strictly.
pub(crate) fn is_object(text: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(&mend_surrogates(text)).is_ok()
}

/// What has to stand in a request in place of the arguments that were sent, because a provider
/// refuses a request whose arguments are not a JSON object; `None` where they are one.
pub(crate) fn replacement(call: &Call) -> Option<Map<String, Value>> {
    match &call.arguments {
        Arguments::Object { object, reading } => {
            let as_sent = *reading == Reading::Strict
                && call.sent.trim_start().starts_with('{')
                && mend_surrogates(&call.sent) == call.sent.as_ref();
            (!as_sent).then(|| object.clone())
        }
        Arguments::Unreadable(_) | Arguments::Cut if is_object(&call.sent) => None,
        Arguments::Unreadable(_) | Arguments::Cut if is_nothing(&call.sent) => Some(Map::new()),
        Arguments::Unreadable(_) | Arguments::Cut => {
            let sent = Value::from(call.sent.as_ref());
            Some(Map::from_iter([("INVALID_JSON".to_owned(), sent)]))
        }
    }
}

/// The same as a text, for a wire that holds arguments as one; also where `holder` has none yet.
pub(crate) fn replacement_text(call: &Call, holder: &RawObject) -> Option<String> {
    let missing = || (!holder.has("arguments")).then(|| call.sent.to_string());
    replacement(call).map(|object| Value::Object(object).to_string()).or_else(missing)
}

fn is_nothing(text: &str) -> bool {
    matches!(text.trim(), "" | "null")
}

fn unreadable(problem: String) -> Arguments {
    Arguments::Unreadable(ArgumentsProblem::NotJson(problem.into()))
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
