//! A stream as the document that the same request without `stream` gets.
//!
//! The frame comes from the stream's first and last events, the reply itself from decoding it: so
//! what streams and what does not are one encoder. Not here: the events of a stream.

use fanfold_transcript::Wire;
use serde_json::{Value, json};

/// The document.
///
/// # Errors
/// When the stream is not one reply of this wire.
pub(super) fn of(wire: Wire, stream: &[u8]) -> Result<Value, String> {
    let reply = fanfold_wire::decode(stream, Some(wire), 1).map_err(|error| error.to_string())?;
    let said: Value = serde_json::from_str(fanfold_wire::write_reply(&reply).text())
        .map_err(|error| error.to_string())?;
    let events = events(stream);
    let last = |pointer: &str| {
        let found = events.iter().rev().filter_map(|event| event.pointer(pointer));
        found.clone().find(|value| !value.is_null()).cloned().unwrap_or_default()
    };
    let first = events.first().cloned().unwrap_or_default();
    Ok(match wire {
        Wire::Anthropic => {
            let mut message = first["message"].clone();
            message["content"] = said["content"].clone();
            message["stop_reason"] = last("/delta/stop_reason");
            let spent = last("/usage/output_tokens");
            message["usage"]["output_tokens"] = spent;
            message
        }
        Wire::OpenaiResponses => last("/response"),
        Wire::Gemini => {
            let mut chunk = events.last().cloned().unwrap_or_default();
            chunk["candidates"][0]["content"] = said;
            chunk
        }
        Wire::OpenaiChat | Wire::Bedrock | Wire::Cohere | Wire::Plain => json!({
            "id": first["id"],
            "object": "chat.completion",
            "created": first["created"],
            "model": first["model"],
            "choices": [{
                "index": 0,
                "message": said,
                "finish_reason": last("/choices/0/finish_reason"),
            }],
            "usage": last("/usage"),
        }),
    })
}

/// The JSON of each `data:` line.
fn events(stream: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(stream);
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data).ok()).collect()
}
