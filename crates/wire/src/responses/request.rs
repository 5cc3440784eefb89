//! The body of a request to `/responses`.
//!
//! The conversation is sent whole each time and nothing of it is stored at OpenAI. Not here: requests
//! that continue a stored response.

use fanfold_transcript::{Assistant, Block, Content, Wire};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::write::{self, is_incomplete, items, write_media};
use crate::definitions::write_definitions;
use crate::ids::WireIds;
use crate::raw::{self, RawObject};
use crate::request::{Form, Head, Thinking};
use crate::results::Answer;

/// A request to OpenAI Responses.
pub(crate) struct Request;

impl Form for Request {
    fn user(&self, content: &[Content]) -> Box<RawValue> {
        let part = |content: &Content| match content.as_text() {
            Some(text) => Some(json!({ "type": "input_text", "text": text })),
            None => write_media(content),
        };
        let parts: Vec<Value> = content.iter().filter_map(part).collect();
        raw::of(&json!({ "type": "message", "role": "user", "content": parts }))
    }

    fn reply(&self, reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>> {
        items(reply, ids)
    }

    fn results(
        &self,
        _reply: &Assistant,
        answers: &[Answer<'_>],
        ids: &WireIds,
    ) -> Vec<Box<RawValue>> {
        write::results(answers, ids)
    }

    fn body(&self, head: &Head<'_>, messages: &[Box<RawValue>]) -> Box<RawValue> {
        let parts = head.parts;
        let mut body = RawObject::default();
        body.set("model", raw::of(&parts.model));
        body.set("stream", raw::of(&true));
        body.set("store", raw::of(&false));
        // Models that do not reason refuse to be asked for it, so whoever asks one says `Off`.
        if parts.thinking != Thinking::Off {
            body.set("include", raw::of(&["reasoning.encrypted_content"]));
        }
        body.set("prompt_cache_key", raw::of(&parts.cache_key));
        if let Some(max) = parts.max_output {
            body.set("max_output_tokens", raw::of(&max));
        }
        if let Some(effort) = head.thinking.effort() {
            body.set("reasoning", raw::of(&json!({ "effort": effort.as_str() })));
        }
        if !head.tools.is_empty() {
            let tools = write_definitions(Wire::OpenaiResponses, head.tools);
            body.set("tools", tools.raw().to_owned());
        }
        if !head.system.trim().is_empty() {
            body.set("instructions", raw::of(&head.system));
        }
        body.written_with("input", &messages)
    }

    /// Of what is not stored, OpenAI knows only what the item itself holds: without its encrypted
    /// content, "Item with id … not found. Items are not persisted when `store` is set to false".
    fn is_lost(&self, thinking: &Block) -> bool {
        thinking.signature.is_none() || is_incomplete(thinking)
    }
}
