//! The body of a request to `/v1/messages`.
//!
//! Not here: the `anthropic-version` header, without which the body is refused.

use fanfold_transcript::{Assistant, Block, Content, Wire};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::write::{self, blocks, message, write_content};
use crate::definitions::write_definitions;
use crate::ids::WireIds;
use crate::raw::{self, RawObject};
use crate::request::{Effort, Form, Head, MAX_OUTPUT, Thinking};
use crate::results::Answer;

/// The smallest budget for thinking. Source: platform.claude.com, "Extended thinking".
const BUDGET_MIN: u64 = 1024;

/// A request to Anthropic.
pub(crate) struct Request;

impl Form for Request {
    fn user(&self, content: &[Content]) -> Box<RawValue> {
        let blocks = content.iter().filter_map(write_content).map(|block| raw::of(&block));
        message("user", &blocks.collect::<Vec<_>>())
    }

    fn reply(&self, reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>> {
        let blocks = blocks(reply, ids);
        // The API refuses a message without content.
        (!blocks.is_empty()).then(|| message("assistant", &blocks)).into_iter().collect()
    }

    fn results(
        &self,
        _reply: &Assistant,
        answers: &[Answer<'_>],
        ids: &WireIds,
    ) -> Vec<Box<RawValue>> {
        vec![message("user", &write::results(answers, ids))]
    }

    fn body(&self, head: &Head<'_>, messages: &[Box<RawValue>]) -> Box<RawValue> {
        let parts = head.parts;
        let max_tokens = parts.max_output.unwrap_or(MAX_OUTPUT);
        let mut body = RawObject::default();
        body.set("model", raw::of(&parts.model));
        body.set("max_tokens", raw::of(&max_tokens));
        body.set("stream", raw::of(&true));
        body.set("cache_control", raw::of(&cache_mark()));
        if let Some(thinking) = thinking(head.thinking, max_tokens) {
            body.set("thinking", raw::of(&thinking));
        }
        if let Some(effort) = head.thinking.effort() {
            body.set("output_config", raw::of(&json!({ "effort": word(effort) })));
        }
        if !head.tools.is_empty() {
            body.set("tools", tools(head));
        }
        if !head.system.trim().is_empty() {
            let block =
                json!({ "type": "text", "text": head.system, "cache_control": cache_mark() });
            body.set("system", raw::of(&[block]));
        }
        body.written_with("messages", &messages)
    }

    fn is_lost(&self, thinking: &Block) -> bool {
        write::is_lost(thinking)
    }
}

/// A mark up to which the request is cached. One stands on the last tool, one on the system prompt,
/// and one on the request itself: that one the API moves along with the last message, so no mark
/// ever stands in a past message. At most four are allowed.
///
/// Source: platform.claude.com, "Prompt caching", automatic caching and cache breakpoints.
fn cache_mark() -> Value {
    json!({ "type": "ephemeral" })
}

fn tools(head: &Head<'_>) -> Box<RawValue> {
    let mut tools = write_definitions(Wire::Anthropic, head.tools)
        .value()
        .unwrap_or_else(|_| Value::Array(Vec::new()));
    if let Some(last) = tools.as_array_mut().and_then(|tools| tools.last_mut()) {
        last["cache_control"] = cache_mark();
    }
    raw::of(&tools)
}

/// Sources: platform.claude.com, "Adaptive thinking", "Extended thinking" (`budget_tokens` must be
/// less than `max_tokens`).
fn thinking(thinking: Thinking, max_tokens: u64) -> Option<Value> {
    match thinking {
        Thinking::Off | Thinking::Effort(_) => None,
        Thinking::Adaptive { .. } => Some(json!({ "type": "adaptive" })),
        Thinking::Budget { tokens } => {
            let budget = tokens.max(BUDGET_MIN).min(max_tokens.saturating_sub(1));
            (budget >= BUDGET_MIN).then(|| json!({ "type": "enabled", "budget_tokens": budget }))
        }
    }
}

const fn word(effort: Effort) -> &'static str {
    match effort {
        Effort::Minimal => Effort::Low.as_str(),
        Effort::Low | Effort::Medium | Effort::High | Effort::Xhigh | Effort::Max => {
            effort.as_str()
        }
    }
}
