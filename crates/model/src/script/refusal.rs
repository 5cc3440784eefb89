//! Errors as each provider words them.
//!
//! Not here: when there is one (`play.rs`), and reading them (`fanfold-wire`).

use fanfold_transcript::Wire;
use serde_json::{Value, json};

use super::encode::Answer;
use super::format::StatusFault;

/// What providers call a status: Anthropic's type, OpenAI's type and code, Gemini's status, and a
/// message.
struct Words {
    anthropic: &'static str,
    openai: (&'static str, Option<&'static str>),
    gemini: &'static str,
    message: &'static str,
}

/// A refusal of this wire.
pub(super) fn answer(wire: Wire, fault: &StatusFault) -> Answer {
    let words = words(fault.status);
    let message = fault.message.as_deref().unwrap_or(words.message);
    let code = fault.code.as_deref();
    let body = match wire {
        Wire::OpenaiChat | Wire::OpenaiResponses => {
            let (kind, usual) = words.openai;
            let error =
                json!({"message": message, "type": kind, "param": null, "code": code.or(usual)});
            json!({"error": error})
        }
        Wire::Gemini => {
            let word = code.unwrap_or(words.gemini);
            json!({"error": {"code": fault.status, "message": message, "status": word}})
        }
        // The others are spoken by no script: any shape tells their reader as much.
        Wire::Anthropic | Wire::Bedrock | Wire::Cohere | Wire::Plain => {
            let word = code.unwrap_or(words.anthropic);
            json!({"type": "error", "error": {"type": word, "message": message}})
        }
    };
    let (status, retry_after_s) = (fault.status, fault.retry_after_s);
    Answer::Refusal { status, retry_after_s, body: body.to_string() }
}

/// The request is refused as it is, for this reason.
pub(super) fn refused(wire: Wire, message: &str) -> Answer {
    answer(wire, &fault(400, message, None))
}

/// The request has more tokens than the limit.
pub(super) fn too_long(wire: Wire, tokens: u64, limit: u64) -> Answer {
    let fault = match wire {
        Wire::OpenaiChat => {
            let message = format!(
                "This model's maximum context length is {limit} tokens. However, your messages \
                 resulted in {tokens} tokens. Please reduce the length of the messages."
            );
            fault(400, &message, Some("context_length_exceeded"))
        }
        Wire::OpenaiResponses => {
            let message = "Your input exceeds the context window of this model. Please adjust \
                your input and try again.";
            fault(400, message, Some("context_length_exceeded"))
        }
        Wire::Gemini => {
            let message = format!(
                "The input token count ({tokens}) exceeds the maximum number of tokens allowed \
                 ({limit})."
            );
            fault(400, &message, None)
        }
        Wire::Anthropic | Wire::Bedrock | Wire::Cohere | Wire::Plain => {
            let message = format!("prompt is too long: {tokens} tokens > {limit} maximum");
            fault(400, &message, None)
        }
    };
    answer(wire, &fault)
}

/// The provider's own word and message in an error body, as a [`StatusFault`] holds them.
pub(super) fn read_body(body: &[u8]) -> (Option<String>, Option<String>) {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |key: &str| body["error"][key].as_str().map(str::to_owned);
    // The `code` of Gemini is the status again, as a number.
    let code = ["code", "status", "type"].into_iter().find_map(text);
    (code, text("message"))
}

fn fault(status: u16, message: &str, code: Option<&str>) -> StatusFault {
    let (message, code) = (Some(message.into()), code.map(Into::into));
    StatusFault { status, retry_after_s: None, message, code }
}

fn words(status: u16) -> Words {
    let (anthropic, openai, gemini, message) = match status {
        401 => (
            "authentication_error",
            ("invalid_request_error", Some("invalid_api_key")),
            "UNAUTHENTICATED",
            "the API key is not valid",
        ),
        402 => {
            ("billing_error", ("billing_error", None), "RESOURCE_EXHAUSTED", "no credit is left")
        }
        403 => (
            "permission_error",
            ("invalid_request_error", None),
            "PERMISSION_DENIED",
            "the API key may not do this",
        ),
        404 => (
            "not_found_error",
            ("invalid_request_error", Some("model_not_found")),
            "NOT_FOUND",
            "the model does not exist",
        ),
        413 => (
            "request_too_large",
            ("invalid_request_error", None),
            "INVALID_ARGUMENT",
            "the request is larger than the maximum number of bytes",
        ),
        429 => (
            "rate_limit_error",
            ("requests", Some("rate_limit_exceeded")),
            "RESOURCE_EXHAUSTED",
            "too many requests",
        ),
        503 | 529 => ("overloaded_error", ("server_error", None), "UNAVAILABLE", "Overloaded"),
        504 => ("timeout_error", ("server_error", None), "DEADLINE_EXCEEDED", "it took too long"),
        500.. => ("api_error", ("server_error", None), "INTERNAL", "Internal server error"),
        _ => (
            "invalid_request_error",
            ("invalid_request_error", None),
            "INVALID_ARGUMENT",
            "the request is not valid",
        ),
    };
    Words { anthropic, openai, gemini, message }
}
