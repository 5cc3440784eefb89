//! The ids and names under which calls go back to their provider.
//!
//! A wire id is kept unless it is missing, illegal or was used before; then a stable replacement
//! stands in for it, in the reply and in the results alike. Not here: which replies make a request.

use std::collections::{BTreeMap, BTreeSet};

use fanfold_transcript::{Assistant, Call, CallId, Wire};

/// The longest id that Bedrock takes, in bytes.
const BEDROCK_ID_MAX: usize = 64;

/// The id of every call of a reply.
pub(crate) type WireIds = BTreeMap<CallId, String>;

/// The ids given out so far in one request. Providers use an id again in a later reply, but a
/// request in which one stands for two calls is refused or misread.
#[derive(Debug)]
pub(crate) struct RequestIds {
    wire: Wire,
    used: BTreeSet<String>,
}

impl RequestIds {
    pub(crate) const fn new(wire: Wire) -> Self {
        Self { wire, used: BTreeSet::new() }
    }

    /// The ids of the next reply. They depend on it and on the replies before it only.
    pub(crate) fn of(&mut self, reply: &Assistant) -> WireIds {
        let sent: BTreeSet<&str> =
            reply.calls().filter_map(|call| call.wire_id.as_deref()).collect();
        let mut id_of = |call: &Call| {
            let own = call.wire_id.as_deref().filter(|id| is_legal(id, self.wire));
            let id = match own.filter(|id| !self.used.contains(*id)) {
                Some(id) => id.to_owned(),
                None => replacement(call.id, |id| sent.contains(id) || self.used.contains(id)),
            };
            self.used.insert(id.clone());
            id
        };
        reply.calls().map(|call| (call.id, id_of(call))).collect()
    }
}

/// The id of every call of a reply that stands alone.
pub(crate) fn wire_ids(reply: &Assistant) -> WireIds {
    RequestIds::new(reply.source.wire).of(reply)
}

/// Made of the call's own id, so that it never changes; longer if a model should have sent just that.
fn replacement(call: CallId, is_taken: impl Fn(&str) -> bool) -> String {
    let mut id = format!("fanfold_{call}");
    while is_taken(&id) {
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
