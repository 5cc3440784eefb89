//! The ids under which calls go back to their provider.
//!
//! A wire id is kept unless it is missing, illegal or repeated in the reply; then a stable
//! replacement stands in for it, in the reply and in the results alike. Not here: ids repeated in
//! other replies of the same request.

use std::collections::{BTreeMap, BTreeSet};

use fanfold_transcript::{Assistant, Call, CallId, Wire};

/// The longest id that Bedrock takes, in bytes.
const BEDROCK_ID_MAX: usize = 64;

/// The id of every call of the reply.
pub(crate) fn wire_ids(reply: &Assistant) -> BTreeMap<CallId, String> {
    let sent: BTreeSet<&str> = reply.calls().filter_map(|call| call.wire_id.as_deref()).collect();
    let mut used = BTreeSet::new();
    let mut id_of = |call: &Call| match call.wire_id.as_deref() {
        Some(id) if is_legal(id, reply.source.wire) && used.insert(id.to_owned()) => id.to_owned(),
        Some(_) | None => replacement(call.id, &sent),
    };
    reply.calls().map(|call| (call.id, id_of(call))).collect()
}

/// Made of the call's own id, so that it never changes; longer if a model should have sent just that.
fn replacement(call: CallId, sent: &BTreeSet<&str>) -> String {
    let mut id = format!("fanfold_{call}");
    while sent.contains(&*id) {
        id.push('x');
    }
    id
}

fn is_legal(id: &str, wire: Wire) -> bool {
    let legal = |byte: u8| match wire {
        Wire::Anthropic | Wire::Bedrock => {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
        }
        Wire::OpenaiChat | Wire::OpenaiResponses | Wire::Gemini | Wire::Cohere | Wire::Plain => {
            byte.is_ascii_graphic() || byte == b' '
        }
    };
    let fits = wire != Wire::Bedrock || id.len() <= BEDROCK_ID_MAX;
    !id.is_empty() && fits && id.bytes().all(legal)
}

/// The name under which a call goes back: no provider takes an empty one.
pub(crate) fn name(call: &Call) -> &str {
    if call.tool.is_empty() { "unnamed" } else { &call.tool }
}
