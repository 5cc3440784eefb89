//! The arguments of a call: what the model wrote, read as an object, and what of it goes back.
//!
//! Tolerance is staged: strict JSON, then unwrapping, then another grammar (all in `literal.rs`),
//! then a guess, which stays marked as one and is never made of a call that may be cut. A text
//! inside the arguments is never decoded, whatever it looks like. Not here: the tool's schema.

use fanfold_transcript::{Arguments, ArgumentsProblem, Call, CallId, Reading, Stop};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::literal::{self, NoLiteral};
use crate::original::Original;
use crate::raw::{self, DEPTH_MAX, RawObject, mend_surrogates};
use crate::scan;

/// How the reply that holds a call came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By itself.
    Complete,
    /// At the output limit, by a filter, or with the recording: the last words may be missing.
    Short,
}

impl End {
    pub(crate) const fn of(stop: &Stop) -> Self {
        match stop {
            Stop::OutputLimit | Stop::Unfinished | Stop::Refused => Self::Short,
            Stop::Finished | Stop::Other(_) => Self::Complete,
        }
    }
}

/// Where a call stands among the blocks of its reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nothing shows that the model went on after it.
    Last,
    /// Something follows.
    Inner,
}

impl Place {
    pub(crate) const fn new(is_last: bool) -> Self {
        if is_last { Self::Last } else { Self::Inner }
    }
}

/// The arguments in `key` as text, whether the provider wraps their JSON in a string or not.
pub(crate) fn text(holder: &RawObject, key: &str) -> String {
    let Some(value) = holder.raw(key) else { return String::new() };
    raw::string(value).unwrap_or_else(|| value.get().to_owned())
}

/// A call as a provider sent it.
pub(crate) fn call(id: CallId, wire_id: Option<Box<str>>, tool: &str, sent: Sent) -> Call {
    let mut call = Call::new(id, tool, sent.arguments);
    call.wire_id = wire_id;
    call.sent = sent.text.into();
    call
}

/// Notes that the call was read with at least this much tolerance.
pub(crate) fn note(call: &mut Call, at_least: Reading) {
    if let Arguments::Object { reading, .. } = &mut call.arguments {
        *reading = at_least.max(*reading);
    }
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

    /// Arguments that a provider gives as JSON and therefore closes itself: nothing in them shows
    /// what is missing, so the last call of a reply that is cut counts as cut.
    pub(crate) fn closed(text: String, place: Place, end: End) -> Self {
        match (place, end) {
            (Place::Last, End::Short) => Self { text, arguments: Arguments::Cut },
            (Place::Last | Place::Inner, End::Complete | End::Short) => {
                Self::new(text, place, End::Complete)
            }
        }
    }
}

/// Reads arguments whose reply has ended: those that are cut are never repaired.
fn settle(text: &str, place: Place, end: End) -> Arguments {
    let arguments = read(text);
    if end == End::Complete {
        return arguments;
    }
    let broken = match &arguments {
        Arguments::Guessed { .. } | Arguments::Unreadable(ArgumentsProblem::NotJson(_)) => true,
        Arguments::Object { .. } | Arguments::Unreadable(_) | Arguments::Cut => false,
    };
    let cut = match place {
        Place::Last => broken || text.trim().is_empty(),
        Place::Inner => broken && scan::is_open(text),
    };
    if cut { Arguments::Cut } else { arguments }
}

/// Reads complete arguments. Nothing at all and `null` stand for no arguments.
pub(crate) fn read(text: &str) -> Arguments {
    if is_nothing(text) {
        return Arguments::none();
    }
    let literal = match literal::find(text) {
        Ok(literal) => literal,
        Err(NoLiteral::NotJson(problem)) => return guessed(text, problem),
        Err(NoLiteral::Several) => {
            return Arguments::Unreadable(ArgumentsProblem::SeveralObjects);
        }
    };
    let reading = literal.reading;
    match serde_json::from_str(literal.value.get()) {
        Ok(Value::Object(object)) => Arguments::Object { object, reading },
        Ok(Value::Null) => Arguments::Object { object: Map::new(), reading },
        Ok(Value::String(text)) if is_nothing(&text) => {
            Arguments::Object { object: Map::new(), reading: reading.max(Reading::Unwrapped) }
        }
        Ok(other) => Arguments::Unreadable(ArgumentsProblem::NotAnObject(kind(&other).into())),
        Err(_) if scan::depth(literal.value.get()) > DEPTH_MAX => {
            Arguments::Unreadable(not_json(format!("nested deeper than {DEPTH_MAX} levels")))
        }
        Err(error) => Arguments::Unreadable(not_json(error.to_string())),
    }
}

/// Arguments that only a guess can read, or not even that.
fn guessed(text: &str, problem: String) -> Arguments {
    let problem = not_json(problem);
    match literal::guess(text) {
        Some(object) => Arguments::Guessed { object, problem },
        None => Arguments::Unreadable(problem),
    }
}

/// Whether `text` is one complete JSON object, strictly.
pub(crate) fn is_object(text: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(&mend_surrogates(text)).is_ok()
}

/// The arguments as a request carries them: as they were sent where they are one JSON object,
/// because a provider refuses anything else, and otherwise the object that was read. A guess is not
/// put into the model's mouth.
pub(crate) fn written(call: &Call) -> Box<RawValue> {
    let as_sent = match &call.arguments {
        Arguments::Object { reading, .. } => *reading == Reading::Strict,
        Arguments::Guessed { .. } | Arguments::Unreadable(_) | Arguments::Cut => true,
    };
    let sent = call.sent.trim();
    if as_sent && is_object(sent) && mend_surrogates(sent) == sent {
        return RawValue::from_string(sent.to_owned()).expect("an object is JSON");
    }
    match &call.arguments {
        Arguments::Object { object, .. } => raw::of(object),
        Arguments::Guessed { .. } | Arguments::Unreadable(_) | Arguments::Cut => {
            match is_nothing(sent) {
                true => raw::of(&Map::new()),
                // The form that Anthropic's documents name for it.
                false => raw::of(&json!({ "INVALID_JSON": call.sent })),
            }
        }
    }
}

/// Makes `key` of `holder` the arguments, for a wire that holds them as a text.
pub(crate) fn write_text(call: &Call, holder: &mut Original, key: &str) {
    let written = written(call);
    if text(holder.object(), key).trim() != written.get() {
        holder.set_word(key, written.get());
    }
}

fn is_nothing(text: &str) -> bool {
    matches!(text.trim(), "" | "null")
}

fn not_json(problem: String) -> ArgumentsProblem {
    ArgumentsProblem::NotJson(problem.into())
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
