//! The one value in a text: strictly, unwrapped from what models put around it, or in another
//! grammar than JSON.
//!
//! Unwrapped are: a JSON string that holds JSON, a code fence, and text after a complete value.
//! Another grammar must be all of the text. Not here: its rules (`notation.rs`), and text *before*
//! a value.

use std::borrow::Cow;

use fanfold_transcript::Reading;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::{notation, raw};

/// A JSON value and how it was found.
#[derive(Debug)]
pub(crate) struct Literal {
    /// The value, lone surrogates mended.
    pub(crate) value: Box<RawValue>,
    pub(crate) reading: Reading,
}

/// Why there is no such value.
#[derive(Debug)]
pub(crate) enum NoLiteral {
    /// What the strict reading stumbled over.
    NotJson(String),
    /// Another value may follow the first one: to take only the first would be a silent loss.
    Several,
}

/// How often JSON in a JSON string is decoded: more is no slip but data.
const ENCODINGS_MAX: usize = 2;

/// Finds the value of `text`.
pub(crate) fn find(text: &str) -> Result<Literal, NoLiteral> {
    let mut literal = first(text)?;
    for _ in 0..ENCODINGS_MAX {
        let Some(inner) = raw::string(&literal.value) else { break };
        literal = match first(&inner) {
            Ok(found) => Literal { reading: found.reading.max(Reading::Unwrapped), ..found },
            Err(NoLiteral::Several) => return Err(NoLiteral::Several),
            // A string that holds no JSON is a string.
            Err(NoLiteral::NotJson(_)) => break,
        };
    }
    Ok(literal)
}

/// The value at the start of `text`, fences taken off.
fn first(text: &str) -> Result<Literal, NoLiteral> {
    let text = raw::mend_surrogates(text.trim());
    let strict = match strict(&text) {
        Ok(value) => return Ok(Literal { value, reading: Reading::Strict }),
        Err(problem) => NoLiteral::NotJson(problem),
    };
    let unfenced = unfence(&text);
    let body = unfenced.as_deref().unwrap_or(&text);
    if body.starts_with(['{', '[']) {
        let mut values = serde_json::Deserializer::from_str(body).into_iter::<Box<RawValue>>();
        if let Some(Ok(value)) = values.next() {
            return match holds_object(&body[values.byte_offset()..]) {
                true => Err(NoLiteral::Several),
                false => Ok(Literal { value, reading: Reading::Unwrapped }),
            };
        }
    }
    let value = notation::literal(body).map_err(|_| strict)?;
    Ok(Literal { value, reading: Reading::Literal })
}

/// The object that the text may have been meant to be, where quotes or closers are missing.
pub(crate) fn guess(text: &str) -> Option<Map<String, Value>> {
    let text = raw::mend_surrogates(text.trim());
    let unfenced = unfence(&text);
    let guess = notation::guess(unfenced.as_deref().unwrap_or(&text))?;
    serde_json::from_str(guess.get()).ok()
}

/// Whether an object begins in the text behind a value, complete or cut: right at its start, or
/// wherever a key or a closing brace follows the brace. A brace in prose is followed by neither.
fn holds_object(text: &str) -> bool {
    let begins = |after: &str| after.trim_start().starts_with(['"', '}']);
    text.trim_start().starts_with('{') || text.split('{').skip(1).any(begins)
}

fn strict(text: &str) -> Result<Box<RawValue>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// What stands in the code fence that the text begins with, and what stands after it.
pub(crate) fn unfence(text: &str) -> Option<Cow<'_, str>> {
    let (_language, body) = text.strip_prefix("```")?.split_once('\n')?;
    let (inside, after) = body.rsplit_once("```")?;
    let joined = || Cow::Owned(format!("{}{after}", inside.trim()));
    Some(if after.trim().is_empty() { Cow::Borrowed(inside.trim()) } else { joined() })
}
