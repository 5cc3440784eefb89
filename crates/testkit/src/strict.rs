//! The strict provider: refuses what the real providers refuse, and a little more.
//!
//! [`check`] is the rules as a function: one file per wire, each rule with its source. Where the
//! real ones differ by model, account or day, the strictest is taken; what they accept and Fanfold
//! promises never to send (other bytes for a past turn) is refused as well. Not here: what is
//! answered to a request that is accepted.

mod anthropic;
mod gemini;
mod memory;
mod names;
mod node;
mod openai_chat;
mod openai_responses;
mod refusal;
mod seal;

use fanfold_transcript::Wire;
use serde_json::Value;

pub use memory::{Memory, Past};
pub use refusal::Refusal;
pub use seal::Seals;

use node::Node;
use seal::Sealer;

/// A request that breaks no rule.
#[derive(Debug)]
pub struct Accepted {
    /// The model asked for; `None` where the address names it and not the body.
    pub model: Option<String>,
    /// Whether the body asks for a stream. Gemini asks for it in the address.
    pub streams: bool,
    sealer: Sealer,
}

impl Accepted {
    /// The signature of this text in the reply to this request. Ask for the texts of a reply in
    /// their order: each seal holds the one before it.
    #[must_use]
    pub fn seal(&self, text: &str) -> String {
        self.sealer.seal(text)
    }
}

/// Checks a request as the provider of this wire would.
///
/// An accepted one is remembered: the next of its conversation must repeat it byte for byte.
///
/// # Errors
/// The first rule that it breaks.
pub fn check(wire: Wire, body: &[u8], memory: &mut Memory) -> Result<Accepted, Refusal> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| Refusal::of("body", format!("the body is not valid JSON: {error}")))?;
    let root = Node::root(&value);
    root.object()?;
    let sealer = match wire {
        Wire::Anthropic => anthropic::check(&root, memory.seals())?,
        Wire::OpenaiChat => openai_chat::check(&root)?,
        Wire::OpenaiResponses => openai_responses::check(&root, memory.seals())?,
        Wire::Gemini => gemini::check(&root, memory.seals())?,
        Wire::Bedrock | Wire::Cohere | Wire::Plain => {
            return Err(Refusal::of("body", format!("no provider speaks {}", wire.as_str())));
        }
    };
    memory.keep(wire, body, &value)?;
    let model = value["model"].as_str().map(str::to_owned);
    Ok(Accepted { model, streams: value["stream"] == true, sealer })
}
