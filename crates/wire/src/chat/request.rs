//! The body of a request to `/chat/completions`.
//!
//! Not here: the peculiarities of single servers, but for OpenAI's own and what another refuses.

use fanfold_transcript::{Assistant, Block, BlockBody, Content, Wire};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::write::{self, message};
use crate::definitions::write_definitions;
use crate::ids::WireIds;
use crate::media::address;
use crate::raw::{self, RawObject};
use crate::request::{Effort, Form, Head};
use crate::results::Answer;

/// The provider under which OpenAI itself is asked in this format.
const OPENAI: &str = "openai-chat";

/// A provider that refuses `stream_options` and tells the usage without being asked: "Extra inputs are
/// not permitted".
const MISTRAL: &str = "mistral";

/// A request to OpenAI Chat Completions or a server like it.
pub(crate) struct Request;

impl Form for Request {
    /// One text is written as a text: not every server takes parts.
    fn user(&self, content: &[Content]) -> Box<RawValue> {
        let content = match content {
            [only] if only.as_text().is_some() => json!(only.as_text()),
            parts => parts.iter().filter_map(part).collect(),
        };
        raw::of(&json!({ "role": "user", "content": content }))
    }

    fn reply(&self, reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>> {
        let thinks = |block: &Block| matches!(block.body, BlockBody::Thinking(_));
        let says_something = !reply.blocks.iter().all(thinks);
        says_something.then(|| message(reply, ids)).into_iter().collect()
    }

    fn results(
        &self,
        reply: &Assistant,
        answers: &[Answer<'_>],
        ids: &WireIds,
    ) -> Vec<Box<RawValue>> {
        write::results(reply, answers, ids)
    }

    fn body(&self, head: &Head<'_>, messages: &[Box<RawValue>]) -> Box<RawValue> {
        let parts = head.parts;
        let provider = parts.asked.split('/').next();
        let is_openai = provider == Some(OPENAI);
        let mut body = RawObject::default();
        body.set("model", raw::of(&parts.model));
        body.set("stream", raw::of(&true));
        if provider != Some(MISTRAL) {
            body.set("stream_options", raw::of(&json!({ "include_usage": true })));
        }
        // OpenAI's newer models refuse `max_tokens`; many other servers know nothing else, and some
        // refuse every key that they do not know.
        if is_openai {
            body.set("prompt_cache_key", raw::of(&parts.cache_key));
        }
        if let Some(max) = parts.max_output {
            let key = if is_openai { "max_completion_tokens" } else { "max_tokens" };
            body.set(key, raw::of(&max));
        }
        if let Some(effort) = effort(head, is_openai) {
            body.set("reasoning_effort", raw::of(&effort));
        }
        if !head.tools.is_empty() {
            let tools = write_definitions(Wire::OpenaiChat, head.tools);
            body.set("tools", tools.raw().to_owned());
        }
        let system = json!({ "role": "system", "content": head.system });
        let system = (!head.system.trim().is_empty()).then(|| raw::of(&system));
        body.written_with("messages", &system.iter().chain(messages).collect::<Vec<_>>())
    }

    fn is_lost(&self, _thinking: &Block) -> bool {
        false
    }
}

/// How much the model is to think. OpenAI's models from GPT-5.1 on take tools here only when they are
/// told not to think, which has to be said; those before them know no such word.
///
/// Source: the API's own error, "Function tools with reasoning_effort are not supported for MODEL in
/// /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."
fn effort(head: &Head<'_>, is_openai: bool) -> Option<&'static str> {
    let is_first = |model: &str| {
        model.strip_prefix("gpt-5").is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    if is_openai && !head.tools.is_empty() && !is_first(head.parts.model) {
        return head.parts.thinking.effort().map(|_| "none");
    }
    head.thinking.effort().map(Effort::as_str)
}

fn part(content: &Content) -> Option<Value> {
    match content {
        Content::Text(_) | Content::Json(_) => {
            content.as_text().map(|text| json!({ "type": "text", "text": text }))
        }
        Content::Image(media) => {
            Some(json!({ "type": "image_url", "image_url": { "url": address(media)? } }))
        }
        Content::Document(media) => Some(json!({
            "type": "file",
            "file": { "filename": "document.pdf", "file_data": address(media)? },
        })),
        Content::Opaque(_) => None,
    }
}
