//! One entry of `faults`: each kind has a form of its own.
//!
//! Not here: what a fault does (`play.rs`).

use serde::Deserialize;
use serde_json::Value;

use super::{ScriptError, read, within_a_day, wrong};
use crate::script::format::{Break, ScriptedFault, StatusFault};

/// The forms, for the message.
const FORMS: &str = "expected one of {\"status\": N}, {\"broken\": {\"after\": N}}, \
    {\"silent_ms\": N}, \"empty\", {\"prompt_too_long\": {\"above_tokens\": N}}";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TooLongFields {
    above_tokens: u64,
}

pub(super) fn parse(value: Value, place: &str) -> Result<ScriptedFault, ScriptError> {
    if value == "empty" {
        return Ok(ScriptedFault::Empty);
    }
    let Value::Object(mut fields) = value else { return Err(wrong(place, FORMS)) };
    if fields.contains_key("status") {
        let fault: StatusFault = read(Value::Object(fields), place)?;
        if !(400..600).contains(&fault.status) {
            let place = format!("{place}.status");
            return Err(wrong(&place, "expected a status from 400 to 599"));
        }
        return Ok(ScriptedFault::Status(fault));
    }
    let name = fields.keys().next().cloned().unwrap_or_default();
    let only = fields.len() == 1;
    let value = fields.remove(&name).filter(|_| only).unwrap_or_default();
    let inner = format!("{place}.{name}");
    match name.as_str() {
        "broken" if only => Ok(ScriptedFault::Broken(read::<Break>(value, &inner)?)),
        "silent_ms" if only => {
            let ms = read(value, &inner)?;
            within_a_day(ms, &inner)?;
            Ok(ScriptedFault::Silent { ms })
        }
        "prompt_too_long" if only => {
            let TooLongFields { above_tokens } = read(value, &inner)?;
            Ok(ScriptedFault::PromptTooLong { above_tokens })
        }
        _ => Err(wrong(place, FORMS)),
    }
}
