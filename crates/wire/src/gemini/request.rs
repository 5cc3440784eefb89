//! The body of a request to `streamGenerateContent`.
//!
//! Not here: the model and the wish for a stream, which stand in the address.

use fanfold_transcript::{Assistant, Block, Content, Wire};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::write::{self, content, parts, write_media};
use crate::definitions::write_definitions;
use crate::ids::WireIds;
use crate::raw::{self, RawObject};
use crate::request::{Effort, Form, Head, Thinking};
use crate::results::Answer;

/// A request to Gemini.
pub(crate) struct Request;

impl Form for Request {
    fn user(&self, said: &[Content]) -> Box<RawValue> {
        let part = |content: &Content| match content.as_text() {
            Some(text) => Some(json!({ "text": text })),
            None => write_media(content),
        };
        let parts = said.iter().filter_map(part).map(|part| raw::of(&part));
        content("user", &parts.collect::<Vec<_>>())
    }

    fn reply(&self, reply: &Assistant, ids: &WireIds) -> Vec<Box<RawValue>> {
        let parts = parts(reply, ids);
        // The API refuses a content without parts.
        (!parts.is_empty()).then(|| content("model", &parts)).into_iter().collect()
    }

    fn results(
        &self,
        _reply: &Assistant,
        answers: &[Answer<'_>],
        ids: &WireIds,
    ) -> Vec<Box<RawValue>> {
        vec![content("user", &write::results(answers, ids))]
    }

    fn body(&self, head: &Head<'_>, messages: &[Box<RawValue>]) -> Box<RawValue> {
        let mut body = RawObject::default();
        let mut config = Map::new();
        if let Some(max) = head.parts.max_output {
            config.insert("maxOutputTokens".to_owned(), Value::from(max));
        }
        if let Some(thinking) = thinking(head.thinking) {
            config.insert("thinkingConfig".to_owned(), thinking);
        }
        if !config.is_empty() {
            body.set("generationConfig", raw::of(&config));
        }
        if !head.tools.is_empty() {
            let tools = write_definitions(Wire::Gemini, head.tools);
            body.set("tools", tools.raw().to_owned());
        }
        if !head.system.trim().is_empty() {
            let parts = json!({ "parts": [{ "text": head.system }] });
            body.set("systemInstruction", raw::of(&parts));
        }
        body.written_with("contents", &messages)
    }

    fn is_lost(&self, _thinking: &Block) -> bool {
        false
    }
}

/// A level and a budget in one request are refused. Source: ai.google.dev, "Gemini thinking".
fn thinking(thinking: Thinking) -> Option<Value> {
    let mut config = match thinking {
        Thinking::Off => return None,
        Thinking::Budget { tokens } => json!({ "includeThoughts": true, "thinkingBudget": tokens }),
        Thinking::Adaptive { .. } | Thinking::Effort(_) => json!({ "includeThoughts": true }),
    };
    if let Some(effort) = thinking.effort() {
        config["thinkingLevel"] = Value::from(level(effort));
    }
    Some(config)
}

const fn level(effort: Effort) -> &'static str {
    match effort {
        Effort::Minimal | Effort::Low | Effort::Medium | Effort::High => effort.as_str(),
        Effort::Xhigh | Effort::Max => Effort::High.as_str(),
    }
}
