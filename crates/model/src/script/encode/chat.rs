//! OpenAI Chat Completions: one message in deltas. Thinking goes under `reasoning_content`, as
//! compatible servers do; it has no seal.

use serde_json::{Value, json};

use super::events::{Write, framed, unnamed};
use super::{Saying, id_of};
use crate::script::format::{ScriptedCall, ScriptedStop};

pub(super) struct Writer<'a> {
    saying: &'a Saying<'a>,
    calls: usize,
}

impl<'a> Writer<'a> {
    pub(super) const fn new(saying: &'a Saying<'a>) -> Self {
        Self { saying, calls: 0 }
    }

    fn delta(&self, delta: &Value) -> String {
        self.chunk(&json!([{"index": 0, "delta": delta, "finish_reason": null}]), &Value::Null)
    }

    fn chunk(&self, choices: &Value, usage: &Value) -> String {
        unnamed(&json!({
            "id": format!("chatcmpl-{}", self.saying.tag),
            "object": "chat.completion.chunk",
            "created": 0,
            "model": self.saying.model,
            "choices": choices,
            "usage": usage,
        }))
    }

    fn usage(&self) -> Value {
        let usage = self.saying.usage;
        let cached = usage.cache_read.unwrap_or(0);
        // The input is counted with its cached part here.
        let prompt = usage.input.unwrap_or(0).saturating_add(cached);
        let output = usage.output.unwrap_or(0);
        json!({
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "total_tokens": prompt.saturating_add(output),
            "prompt_tokens_details": {"cached_tokens": cached},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning.unwrap_or(0)},
        })
    }
}

impl Write for Writer<'_> {
    fn begin(&mut self) -> String {
        self.delta(&json!({"role": "assistant", "content": ""}))
    }

    fn text(&mut self, deltas: &[&str]) -> Vec<String> {
        deltas.iter().map(|text| self.delta(&json!({"content": text}))).collect()
    }

    fn thinking(&mut self, _whole: &str, deltas: &[&str]) -> Vec<String> {
        deltas.iter().map(|text| self.delta(&json!({"reasoning_content": text}))).collect()
    }

    fn call(&mut self, call: &ScriptedCall, deltas: &[&str], _cut: bool) -> Vec<String> {
        let index = self.calls;
        self.calls += 1;
        let id = id_of(call, "call", self.saying.tag, self.calls);
        let function = json!({"name": call.tool, "arguments": ""});
        let begun = json!({"index": index, "id": id, "type": "function", "function": function});
        let delta = |text: &&str| {
            let more = json!({"index": index, "function": {"arguments": text}});
            self.delta(&json!({"tool_calls": [more]}))
        };
        let open = self.delta(&json!({"tool_calls": [begun]}));
        framed(&open, deltas.iter().map(delta).collect(), "")
    }

    fn end(&mut self, stop: ScriptedStop) -> String {
        let reason = match stop {
            ScriptedStop::Finished if self.calls > 0 => "tool_calls",
            ScriptedStop::Finished => "stop",
            ScriptedStop::OutputLimit => "length",
            ScriptedStop::Refused => "content_filter",
        };
        let choice = json!({"index": 0, "delta": {}, "finish_reason": reason});
        let last = self.chunk(&json!([choice]), &Value::Null);
        last + &self.chunk(&json!([]), &self.usage()) + "data: [DONE]\n\n"
    }
}
