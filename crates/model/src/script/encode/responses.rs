//! OpenAI Responses: output items, each announced, extended and given whole at its end.

use serde_json::{Value, json};

use super::events::{Write, framed, named};
use super::{Saying, id_of};
use crate::script::format::{ScriptedCall, ScriptedStop};

pub(super) struct Writer<'a> {
    saying: &'a Saying<'a>,
    /// The items that are whole.
    output: Vec<Value>,
    calls: usize,
    events: u64,
}

impl<'a> Writer<'a> {
    pub(super) const fn new(saying: &'a Saying<'a>) -> Self {
        Self { saying, output: Vec::new(), calls: 0, events: 0 }
    }

    /// The next event, with its number.
    fn event(&mut self, mut event: Value) -> String {
        event["sequence_number"] = json!(self.events);
        self.events += 1;
        named(&event)
    }

    /// An event of the item that is being written.
    fn item_event(&mut self, kind: &str, id: &str, mut more: Value) -> String {
        more["type"] = json!(kind);
        more["item_id"] = json!(id);
        more["output_index"] = json!(self.output.len());
        self.event(more)
    }

    fn open(&mut self, item: &Value) -> String {
        let index = self.output.len();
        let kind = "response.output_item.added";
        self.event(json!({"type": kind, "output_index": index, "item": item}))
    }

    fn close(&mut self, item: Value) -> String {
        let index = self.output.len();
        let kind = "response.output_item.done";
        let event = self.event(json!({"type": kind, "output_index": index, "item": &item}));
        self.output.push(item);
        event
    }

    fn id(&self, kind: &str) -> String {
        format!("{kind}_{}_{}", self.saying.tag, self.output.len() + 1)
    }

    fn response(&self, status: &str, usage: Value) -> Value {
        json!({
            "id": format!("resp_{}", self.saying.tag),
            "object": "response",
            "created_at": 0,
            "status": status,
            "error": null,
            "incomplete_details": null,
            "instructions": null,
            "metadata": {},
            "model": self.saying.model,
            "output": self.output,
            "parallel_tool_calls": true,
            "store": false,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
            "usage": usage,
        })
    }

    fn usage(&self) -> Value {
        let usage = self.saying.usage;
        let cached = usage.cache_read.unwrap_or(0);
        // The input is counted with its cached part here.
        let input = usage.input.unwrap_or(0).saturating_add(cached);
        let output = usage.output.unwrap_or(0);
        json!({
            "input_tokens": input,
            "input_tokens_details": {"cached_tokens": cached},
            "output_tokens": output,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning.unwrap_or(0)},
            "total_tokens": input.saturating_add(output),
        })
    }
}

impl Write for Writer<'_> {
    fn begin(&mut self) -> String {
        let response = self.response("in_progress", Value::Null);
        let created = self.event(json!({"type": "response.created", "response": &response}));
        created + &self.event(json!({"type": "response.in_progress", "response": response}))
    }

    fn text(&mut self, deltas: &[&str]) -> Vec<String> {
        let id = self.id("msg");
        let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
        let item = |status: &str, content: Value| {
            json!({
                "id": id,
                "type": "message",
                "role": "assistant",
                "status": status,
                "content": content,
            })
        };
        let place = json!({"content_index": 0});
        let with = |key: &str, value: Value| {
            let mut place = place.clone();
            place[key] = value;
            place
        };
        let mut open = self.open(&item("in_progress", json!([])));
        open += &self.item_event("response.content_part.added", &id, with("part", part("")));
        let delta = |text: &&str| {
            self.item_event("response.output_text.delta", &id, with("delta", json!(text)))
        };
        let events = deltas.iter().map(delta).collect();
        let whole = deltas.concat();
        let done = with("text", json!(whole));
        let mut close = self.item_event("response.output_text.done", &id, done);
        close += &self.item_event("response.content_part.done", &id, with("part", part(&whole)));
        close += &self.close(item("completed", json!([part(&whole)])));
        framed(&open, events, &close)
    }

    fn thinking(&mut self, whole: &str, deltas: &[&str]) -> Vec<String> {
        let id = self.id("rs");
        let part = |text: &str| json!({"type": "summary_text", "text": text});
        let with = |key: &str, value: Value| {
            let mut place = json!({"summary_index": 0});
            place[key] = value;
            place
        };
        let item = json!({"id": id, "type": "reasoning", "summary": []});
        let mut open = self.open(&item);
        let kind = |name: &str| format!("response.reasoning_summary_{name}");
        open += &self.item_event(&kind("part.added"), &id, with("part", part("")));
        let delta =
            |text: &&str| self.item_event(&kind("text.delta"), &id, with("delta", json!(text)));
        let events = deltas.iter().map(delta).collect();
        let mut close = self.item_event(&kind("text.done"), &id, with("text", json!(whole)));
        close += &self.item_event(&kind("part.done"), &id, with("part", part(whole)));
        close += &self.close(json!({
            "id": id,
            "type": "reasoning",
            "summary": [part(whole)],
            "encrypted_content": (self.saying.seal)(whole),
        }));
        framed(&open, events, &close)
    }

    fn call(&mut self, call: &ScriptedCall, deltas: &[&str], cut: bool) -> Vec<String> {
        self.calls += 1;
        let id = self.id("fc");
        let call_id = id_of(call, "call", self.saying.tag, self.calls);
        let item = |status: &str, text: &str| {
            json!({
                "id": id,
                "type": "function_call",
                "status": status,
                "call_id": call_id,
                "name": call.tool,
                "arguments": text,
            })
        };
        let open = self.open(&item("in_progress", ""));
        let kind = |name: &str| format!("response.function_call_arguments.{name}");
        let delta = |text: &&str| self.item_event(&kind("delta"), &id, json!({"delta": text}));
        let events = deltas.iter().map(delta).collect();
        let whole = deltas.concat();
        let close = if cut {
            self.close(item("incomplete", &whole))
        } else {
            self.item_event(&kind("done"), &id, json!({"arguments": whole}))
                + &self.close(item("completed", &whole))
        };
        framed(&open, events, &close)
    }

    fn end(&mut self, stop: ScriptedStop) -> String {
        let (status, reason) = match stop {
            ScriptedStop::Finished => ("completed", Value::Null),
            ScriptedStop::OutputLimit => ("incomplete", json!({"reason": "max_output_tokens"})),
            ScriptedStop::Refused => ("incomplete", json!({"reason": "content_filter"})),
        };
        let mut response = self.response(status, self.usage());
        response["incomplete_details"] = reason;
        let kind = format!("response.{status}");
        self.event(json!({"type": kind, "response": response}))
    }
}
