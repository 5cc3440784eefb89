//! Each call of a reply gets one result, under an id that its provider takes and no other call has.
//!
//! Ids are read without the wire crate (`corpus/parts.rs`). Not here: what a result says.

use fanfold_transcript::{Assistant, Outcome, Wire};
use fanfold_wire::{write_reply, write_results};

use crate::corpus::parts::{self, Key};

/// Settles all calls and holds the results against the calls as written.
///
/// # Errors
/// Which result is missing, or goes under which id.
pub(super) fn one_per_call(reply: &mut Assistant) -> Result<(), String> {
    for call in reply.calls_mut() {
        call.settle(Outcome::ok_text("done")).map_err(|error| error.to_string())?;
    }
    let (wire, count) = (reply.source.wire, reply.calls().count());
    let results = write_results(reply).map_err(|error| error.to_string())?;
    let answered = parts::result_keys(wire, &results)?;
    if answered.len() != count {
        return Err(format!("{count} calls, {} results: {}", answered.len(), results.text()));
    }
    if wire == Wire::Plain {
        return Ok(());
    }
    let written = write_reply(reply);
    let asked = parts::call_keys(wire, &written)?;
    if asked != answered {
        let written = written.text();
        return Err(format!("results for {answered:?}, calls {asked:?} in {written}"));
    }
    for (at, key) in answered.iter().enumerate() {
        let is_twin = key.id.is_some() && answered[..at].iter().any(|other| other.id == key.id);
        if is_twin || !is_legal(key, wire) {
            return Err(format!("{key:?} is no id of its own in {answered:?}"));
        }
    }
    Ok(())
}

/// Whether a provider takes the id; Gemini's calls may be without.
fn is_legal(key: &Key, wire: Wire) -> bool {
    let Some(id) = &key.id else { return wire == Wire::Gemini };
    let strict = matches!(wire, Wire::Anthropic | Wire::Bedrock);
    let takes = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !id.is_empty()
        && id.chars().all(|c| if strict { takes(c) } else { !c.is_control() })
        && (wire != Wire::Bedrock || id.len() <= 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_judged() {
        let legal = |id: &str, wire| is_legal(&Key { id: Some(id.to_owned()), tool: None }, wire);
        assert!(legal("toolu_1", Wire::Anthropic) && legal("call 1", Wire::OpenaiChat));
        assert!(!legal("call 1", Wire::Anthropic) && !legal("", Wire::OpenaiChat));
        assert!(legal(&"x".repeat(64), Wire::Bedrock) && !legal(&"x".repeat(65), Wire::Bedrock));
        let none = Key { id: None, tool: None };
        assert!(is_legal(&none, Wire::Gemini) && !is_legal(&none, Wire::Cohere));
    }
}
