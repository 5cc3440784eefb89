//! Whole requests.

mod bodies;
mod growth;
mod mended;
mod plain;
mod retold;
mod thinking;

use std::collections::BTreeMap;

use fanfold_transcript::{
    Assistant, Body, Content, EntryId, Json, Outcome, Sha256, Transcript, User, View,
};
use fanfold_wire::{Endpoint, MediaBytes, Protocol, RequestParts, Thinking, decode, write_request};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::support::recording;

/// A store that holds one picture.
#[derive(Debug)]
pub(super) struct OnePicture;

pub(super) const PICTURE: Sha256 = Sha256([7; 32]);

impl MediaBytes for OnePicture {
    fn base64(&self, sha256: &Sha256) -> Option<String> {
        (*sha256 == PICTURE).then(|| "UElD".to_owned())
    }
}

/// A conversation in the making.
#[derive(Debug, Default)]
pub(super) struct Talk {
    transcript: Transcript,
    leaf: Option<EntryId>,
    calls: u32,
}

impl Talk {
    pub(super) fn user(&mut self, text: &str) -> &mut Self {
        self.said(vec![Content::text(text)])
    }

    pub(super) fn said(&mut self, content: Vec<Content>) -> &mut Self {
        self.append(Body::User(User { content }))
    }

    /// The recorded reply, as a model that was asked under this name gave it.
    pub(super) fn recorded(&mut self, name: &str, asked: Option<&str>) -> &mut Self {
        let mut reply = decode(recording(name), None, self.calls + 1).unwrap();
        reply.source.asked = asked.map(Into::into);
        self.reply(reply)
    }

    /// A reply whose calls all have one result.
    pub(super) fn reply(&mut self, mut reply: Assistant) -> &mut Self {
        for call in reply.calls_mut().filter(|call| call.outcome().is_none()) {
            call.settle(Outcome::ok_text(format!("result of {}", call.id))).unwrap();
        }
        self.calls += u32::try_from(reply.calls().count()).unwrap();
        self.append(Body::Assistant(reply))
    }

    /// A reply of a wire in its own JSON.
    pub(super) fn written(&mut self, reply: &Value, asked: Option<&str>) -> &mut Self {
        let mut reply = decode(reply.to_string().as_bytes(), None, self.calls + 1).unwrap();
        reply.source.asked = asked.map(Into::into);
        self.reply(reply)
    }

    pub(super) fn next_call(&self) -> u32 {
        self.calls + 1
    }

    fn append(&mut self, body: Body) -> &mut Self {
        self.leaf = Some(self.transcript.append(self.leaf, body).unwrap());
        self
    }

    pub(super) fn request(&self, ask: &Asking) -> Request {
        self.request_by(ask, |parts| write_request(ask.endpoint, parts))
    }

    pub(super) fn request_by(
        &self,
        ask: &Asking,
        write: impl FnOnce(&RequestParts<'_>) -> Json,
    ) -> Request {
        let view = View::of(&self.transcript, self.leaf.unwrap_or(EntryId(0))).unwrap();
        let schema =
            serde_json::json!({"type": "object", "properties": {"path": {"type": "string"}}});
        let tool = |name| fanfold_wire::ToolDefinition {
            name,
            description: "Lists files.",
            input_schema: &schema,
        };
        let tools = [tool("ReadFile"), tool("Ls")];
        let body = write(&RequestParts {
            model: ask.asked.split_once('/').map_or("m-1", |(_, model)| model),
            asked: ask.asked,
            system: ask.system,
            tools: &tools[..ask.tool_count],
            view: &view,
            max_output: ask.max_output,
            thinking: ask.thinking,
            protocol: ask.protocol,
            media: &OnePicture,
            cache_key: "20261130-171859-k3f9",
        });
        Request { text: body.text().to_owned() }
    }

    /// The values under the message key of the request.
    pub(super) fn messages(&self, ask: &Asking) -> Vec<Value> {
        serde_json::from_str(&self.request(ask).messages()).unwrap()
    }
}

/// How a request is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking {
    pub(super) endpoint: Endpoint,
    pub(super) asked: &'static str,
    pub(super) system: &'static str,
    pub(super) tool_count: usize,
    pub(super) max_output: Option<u64>,
    pub(super) thinking: Thinking,
    pub(super) protocol: Protocol,
}

pub(super) const fn asking(endpoint: Endpoint) -> Asking {
    Asking {
        endpoint,
        asked: "p/m-1",
        system: "Be brief.",
        tool_count: 2,
        max_output: None,
        thinking: Thinking::Off,
        protocol: Protocol::Native,
    }
}

/// A request as it goes out.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) text: String,
}

impl Request {
    /// The conversation in it, byte for byte.
    pub(super) fn messages(&self) -> String {
        let body: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&self.text).unwrap();
        let keys = ["messages", "input", "contents"];
        keys.iter().find_map(|key| body.get(*key)).unwrap().get().to_owned()
    }

    /// What stands beside the conversation.
    pub(super) fn head(&self) -> Value {
        let mut body: Value = serde_json::from_str(&self.text).unwrap();
        for key in ["messages", "input", "contents"] {
            body.as_object_mut().unwrap().shift_remove(key);
        }
        body
    }
}
