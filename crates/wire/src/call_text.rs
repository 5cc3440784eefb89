//! Calls that a model wrote as text: like a program's, or in `<tool_call>` tags.
//!
//! All of the text is calls, or none of it is: prose around them is an error, so that nothing is
//! ever half read. Not here: what a call looks like between the tags (`plain.rs`).

use fanfold_transcript::Reading;
use serde_json::value::RawValue;

use crate::literal::{self, Literal};
use crate::{notation, raw};

const OPENING: &str = "<tool_call>";
const CLOSING: &str = "</tool_call>";

/// What is expected of such a text, for an error message.
pub(crate) const FORMS: &str = "expected JSON, or calls such as name(key=value) or \
    <tool_call>{…}</tool_call>, and nothing around them";

/// Reads the calls as the list that plain JSON would have held.
pub(crate) fn find(text: &str) -> Option<Literal> {
    let text = raw::mend_surrogates(text.trim());
    let unfenced = literal::unfence(&text);
    let text = unfenced.as_deref().unwrap_or(&text);
    if text.starts_with(OPENING) {
        return tagged(text);
    }
    let value = notation::calls(text).ok()?;
    Some(Literal { value, reading: Reading::Literal })
}

fn tagged(text: &str) -> Option<Literal> {
    let mut calls: Vec<Box<RawValue>> = Vec::new();
    let (mut rest, mut reading) = (text, Reading::Unwrapped);
    while !rest.is_empty() {
        let (call, after) = rest.strip_prefix(OPENING)?.split_once(CLOSING)?;
        let call = literal::find(call).ok()?;
        reading = reading.max(call.reading);
        calls.push(call.value);
        rest = after.trim_start();
    }
    Some(Literal { value: raw::of(&calls), reading })
}
