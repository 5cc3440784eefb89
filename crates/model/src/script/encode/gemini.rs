//! Gemini `streamGenerateContent`: parts in chunks. Its seal stands on the first call, or after the
//! text where there was thinking.

use serde_json::{Map, Value, json};

use super::Saying;
use super::events::{Write, unnamed};
use crate::script::format::{ScriptedCall, ScriptedStop};

pub(super) struct Writer<'a> {
    saying: &'a Saying<'a>,
    thoughts: String,
    calls: usize,
}

impl<'a> Writer<'a> {
    pub(super) const fn new(saying: &'a Saying<'a>) -> Self {
        Self { saying, thoughts: String::new(), calls: 0 }
    }

    fn part(&self, part: &Value) -> String {
        let content = json!({"role": "model", "parts": [part]});
        self.chunk(&json!({"content": content, "index": 0}), None)
    }

    fn chunk(&self, candidate: &Value, usage: Option<Value>) -> String {
        let mut chunk = json!({
            "candidates": [candidate],
            "modelVersion": self.saying.model,
            "responseId": self.saying.tag,
        });
        if let (Some(usage), Value::Object(chunk)) = (usage, &mut chunk) {
            chunk.insert("usageMetadata".to_owned(), usage);
        }
        unnamed(&chunk)
    }

    fn usage(&self) -> Value {
        let usage = self.saying.usage;
        let cached = usage.cache_read.unwrap_or(0);
        // The input is counted with its cached part here, the output without the thoughts.
        let prompt = usage.input.unwrap_or(0).saturating_add(cached);
        let output = usage.output.unwrap_or(0);
        let thoughts = usage.reasoning.unwrap_or(0);
        json!({
            "promptTokenCount": prompt,
            "cachedContentTokenCount": cached,
            "candidatesTokenCount": output.saturating_sub(thoughts),
            "thoughtsTokenCount": thoughts,
            "totalTokenCount": prompt.saturating_add(output),
        })
    }
}

impl Write for Writer<'_> {
    fn begin(&mut self) -> String {
        String::new()
    }

    fn text(&mut self, deltas: &[&str]) -> Vec<String> {
        deltas.iter().map(|text| self.part(&json!({"text": text}))).collect()
    }

    fn thinking(&mut self, whole: &str, deltas: &[&str]) -> Vec<String> {
        self.thoughts.push_str(whole);
        deltas.iter().map(|text| self.part(&json!({"text": text, "thought": true}))).collect()
    }

    /// A call comes whole, whatever the deltas; one that was cut stays open.
    fn call(&mut self, call: &ScriptedCall, deltas: &[&str], cut: bool) -> Vec<String> {
        let text = deltas.concat();
        let mut function = Map::new();
        function.extend(call.id.as_ref().map(|id| ("id".to_owned(), json!(id))));
        function.insert("name".to_owned(), json!(call.tool));
        if cut {
            function.insert("willContinue".to_owned(), json!(true));
        } else {
            // Arguments that are no JSON stay a text: this wire has no other place for them.
            let arguments = serde_json::from_str(&text).unwrap_or_else(|_| json!(text));
            function.insert("args".to_owned(), arguments);
        }
        let mut part = Map::new();
        if self.calls == 0 {
            // A call that was cut comes back with the empty object.
            let arguments = function.get("args").cloned().unwrap_or_else(|| json!({}));
            let seal = (self.saying.seal)(&format!("{} {arguments}", call.tool));
            part.insert("thoughtSignature".to_owned(), json!(seal));
        }
        part.insert("functionCall".to_owned(), Value::Object(function));
        self.calls += 1;
        vec![self.part(&Value::Object(part))]
    }

    fn end(&mut self, stop: ScriptedStop) -> String {
        let reason = match stop {
            ScriptedStop::Finished => "STOP",
            ScriptedStop::OutputLimit => "MAX_TOKENS",
            ScriptedStop::Refused => "SAFETY",
        };
        let part = if self.calls == 0 && !self.thoughts.is_empty() {
            json!({"text": "", "thoughtSignature": (self.saying.seal)(&self.thoughts)})
        } else {
            json!({"text": ""})
        };
        let content = json!({"role": "model", "parts": [part]});
        let candidate = json!({"content": content, "finishReason": reason, "index": 0});
        self.chunk(&candidate, Some(self.usage()))
    }
}
