//! Anthropic Messages: blocks with an index, each started, extended and stopped.

use serde_json::{Value, json};

use super::events::{Write, framed, named};
use super::{Saying, id_of};
use crate::script::format::{ScriptedCall, ScriptedStop};

pub(super) struct Writer<'a> {
    saying: &'a Saying<'a>,
    blocks: usize,
    calls: usize,
}

impl<'a> Writer<'a> {
    pub(super) const fn new(saying: &'a Saying<'a>) -> Self {
        Self { saying, blocks: 0, calls: 0 }
    }

    /// A whole block, from its start to its stop.
    fn block(&mut self, start: &Value, deltas: Vec<Value>, last: Option<Value>) -> Vec<String> {
        let index = self.blocks;
        self.blocks += 1;
        let delta = |delta: Value| {
            named(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
        };
        let event = json!({"type": "content_block_start", "index": index, "content_block": start});
        let stop = named(&json!({"type": "content_block_stop", "index": index}));
        let close = last.map(delta).unwrap_or_default() + &stop;
        framed(&named(&event), deltas.into_iter().map(delta).collect(), &close)
    }
}

impl Write for Writer<'_> {
    fn begin(&mut self) -> String {
        let usage = self.saying.usage;
        named(&json!({"type": "message_start", "message": {
            "id": format!("msg_{}", self.saying.tag),
            "type": "message",
            "role": "assistant",
            "model": self.saying.model,
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": {
                "input_tokens": usage.input.unwrap_or(0),
                "cache_creation_input_tokens": usage.cache_write.unwrap_or(0),
                "cache_read_input_tokens": usage.cache_read.unwrap_or(0),
                "output_tokens": 1,
            },
        }}))
    }

    fn text(&mut self, deltas: &[&str]) -> Vec<String> {
        let delta = |text: &&str| json!({"type": "text_delta", "text": text});
        let deltas = deltas.iter().map(delta).collect();
        self.block(&json!({"type": "text", "text": ""}), deltas, None)
    }

    fn thinking(&mut self, whole: &str, deltas: &[&str]) -> Vec<String> {
        let delta = |text: &&str| json!({"type": "thinking_delta", "thinking": text});
        let deltas = deltas.iter().map(delta).collect();
        let seal = json!({"type": "signature_delta", "signature": (self.saying.seal)(whole)});
        let start = json!({"type": "thinking", "thinking": "", "signature": ""});
        self.block(&start, deltas, Some(seal))
    }

    fn call(&mut self, call: &ScriptedCall, deltas: &[&str], _cut: bool) -> Vec<String> {
        self.calls += 1;
        let id = id_of(call, "toolu", self.saying.tag, self.calls);
        let start = json!({"type": "tool_use", "id": id, "name": call.tool, "input": {}});
        let delta = |text: &&str| json!({"type": "input_json_delta", "partial_json": text});
        self.block(&start, deltas.iter().map(delta).collect(), None)
    }

    fn end(&mut self, stop: ScriptedStop) -> String {
        let reason = match stop {
            ScriptedStop::Finished if self.calls > 0 => "tool_use",
            ScriptedStop::Finished => "end_turn",
            ScriptedStop::OutputLimit => "max_tokens",
            ScriptedStop::Refused => "refusal",
        };
        let delta = named(&json!({
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": self.saying.usage.output.unwrap_or(0)},
        }));
        delta + &named(&json!({"type": "message_stop"}))
    }
}
