//! A request that was refused: where, and in the words of the provider.
//!
//! Not here: HTTP. The status of every refusal but a missing key is 400.

use fanfold_transcript::Wire;
use serde_json::{Value, json};

/// The first rule that a request breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {said}")]
pub struct Refusal {
    /// The HTTP status: 400, or 401 without a key.
    pub status: u16,
    /// The place in the body, as `messages.1.content.0`.
    pub at: String,
    /// What is said of it, as near to the real provider's words as they are known.
    pub said: String,
}

impl Refusal {
    /// A refusal of what stands at this place.
    pub(crate) fn of(at: impl Into<String>, said: impl Into<String>) -> Self {
        Self { status: 400, at: at.into(), said: said.into() }
    }

    /// A request without a key in this header.
    #[must_use]
    pub fn no_key(header: &str) -> Self {
        Self { status: 401, at: header.to_owned(), said: "no API key was provided".to_owned() }
    }

    /// The body of the answer, in the provider's own shape.
    #[must_use]
    pub fn body(&self, wire: Wire) -> Value {
        let message = self.to_string();
        let is_auth = self.status == 401;
        match wire {
            Wire::Anthropic => {
                let kind = if is_auth { "authentication_error" } else { "invalid_request_error" };
                json!({"type": "error", "error": {"type": kind, "message": message}})
            }
            Wire::Gemini => {
                let status = if is_auth { "UNAUTHENTICATED" } else { "INVALID_ARGUMENT" };
                json!({"error": {"code": self.status, "message": message, "status": status}})
            }
            Wire::OpenaiChat
            | Wire::OpenaiResponses
            | Wire::Bedrock
            | Wire::Cohere
            | Wire::Plain => json!({"error": {
                "message": message,
                "type": "invalid_request_error",
                "param": self.at,
                "code": if is_auth { json!("invalid_api_key") } else { Value::Null },
            }}),
        }
    }
}
