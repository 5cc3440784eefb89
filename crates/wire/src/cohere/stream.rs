//! A reply put together from its stream.
//!
//! Content, calls and citations are counted apart, each by its own index. A call is complete at its
//! end, if its arguments are an object; one without, which the output limit may have cut away,
//! waits for the end of the reply.

use std::collections::BTreeMap;

use fanfold_transcript::{Assistant, Block, CallId, Stop, Wire};
use serde_json::{Map, Value, json};

use super::read;
use crate::arguments::{self, End, Place, Sent};
use crate::assembly::Assembly;
use crate::cursor::{Cursor, as_handed_out};
use crate::error::DecodeError;
use crate::live::{CallIds, Live};
use crate::merge::merge;
use crate::raw::{self, RawObject};

/// The reply so far.
#[derive(Debug)]
pub(crate) struct Stream {
    ids: CallIds,
    /// What the reply says beside its message: its id, why it stopped, and what it cost.
    head: RawObject,
    message: Map<String, Value>,
    /// The parts of the content by their index.
    content: BTreeMap<u64, Map<String, Value>>,
    calls: Vec<Slot>,
    citations: Vec<Value>,
    taken: Cursor,
    /// Whether text and plan, which stand in front of all calls, were taken.
    has_taken_text: bool,
    ended: bool,
}

/// A call in the making, at an index that a server may use again: the newest counts.
#[derive(Debug)]
struct Slot {
    index: u64,
    id: CallId,
    body: Map<String, Value>,
}

impl Stream {
    pub(crate) fn new(ids: CallIds) -> Self {
        Self {
            ids,
            head: RawObject::default(),
            message: Map::new(),
            content: BTreeMap::new(),
            calls: Vec::new(),
            citations: Vec::new(),
            taken: Cursor::default(),
            has_taken_text: false,
            ended: false,
        }
    }

    fn start(&mut self, event: &RawObject, message: &RawObject) -> Result<(), DecodeError> {
        if self.ended || !self.content.is_empty() || !self.calls.is_empty() {
            return Err(DecodeError::SeveralReplies);
        }
        for (key, value) in message.entries().filter(|(key, _)| !is_list(key)) {
            self.message.insert(key.to_owned(), raw::value(value)?);
        }
        if let Some(id) = event.get("id") {
            self.head.set("id", id.to_owned());
        }
        Ok(())
    }

    fn plan(&mut self, message: &RawObject, live: &mut Live) {
        let piece = message.string("tool_plan").unwrap_or_default();
        live.thinking(&piece);
        merge(&mut self.message, Map::from_iter([("tool_plan".to_owned(), Value::from(piece))]));
    }

    /// A piece of a part: its text, or what the model thinks.
    fn content(&mut self, index: u64, mut piece: Map<String, Value>, live: &mut Live) {
        let word = |key| piece.get(key).and_then(Value::as_str).unwrap_or_default();
        live.text(word("text"));
        live.thinking(word("thinking"));
        let kind = if piece.contains_key("thinking") { "thinking" } else { "text" };
        // The same in every piece, if it is there.
        let kind = piece.remove("type").unwrap_or_else(|| Value::from(kind));
        let part = self.content.entry(index).or_default();
        part.entry("type").or_insert(kind);
        merge(part, piece);
    }

    fn call(
        &mut self,
        index: u64,
        body: Map<String, Value>,
        live: &mut Live,
    ) -> Result<(), DecodeError> {
        self.calls.push(Slot { index, id: live.open()?, body });
        Ok(())
    }

    /// A piece of the arguments. That of a call that never began makes one without a name, so that
    /// the model is told.
    fn arguments(
        &mut self,
        index: u64,
        message: &RawObject,
        live: &mut Live,
    ) -> Result<(), DecodeError> {
        if !self.calls.iter().any(|slot| slot.index == index) {
            self.call(index, Map::new(), live)?;
        }
        let call = message.object("tool_calls").unwrap_or_default();
        let function = call.object("function").unwrap_or_default();
        let piece = arguments::text(&function, "arguments");
        let piece = json!({ "function": { "arguments": piece } });
        let slot = self.calls.iter_mut().rev().find(|slot| slot.index == index);
        if let (Some(slot), Value::Object(piece)) = (slot, piece) {
            merge(&mut slot.body, piece);
        }
        Ok(())
    }

    fn close(&self, index: u64, live: &mut Live) {
        let Some(slot) = self.calls.iter().rev().find(|slot| slot.index == index) else { return };
        let call = RawObject::of(&slot.body);
        let function = call.object("function").unwrap_or_default();
        let text = arguments::text(&function, "arguments");
        if live.call(slot.id).is_none() && arguments::is_object(&text) {
            let sent = Sent::new(text, Place::Inner, End::Complete);
            let tool = function.string("name").unwrap_or_default();
            live.ready(arguments::call(slot.id, call.word("id"), &tool, sent));
        }
    }

    /// The message as a whole reply would have held it, but for its calls.
    fn text(&self) -> Map<String, Value> {
        let mut message = self.message.clone();
        let content = self.content.values().cloned().map(Value::Object).collect();
        set_list(&mut message, "content", content);
        message.retain(|key, value| key != "tool_plan" || *value != "");
        message
    }
}

impl Assembly for Stream {
    fn event(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        let index = event.number("index").unwrap_or(0);
        let delta = event.object("delta").unwrap_or_default();
        let message = delta.object("message").unwrap_or_default();
        match event.string("type").as_deref().unwrap_or_default() {
            "message-start" => self.start(event, &message)?,
            "tool-plan-delta" => self.plan(&message, live),
            "content-start" | "content-delta" => {
                self.content(index, message.map("content")?, live);
            }
            "tool-call-start" => self.call(index, message.map("tool_calls")?, live)?,
            "tool-call-delta" => self.arguments(index, &message, live)?,
            "tool-call-end" => self.close(index, live),
            "citation-start" => self.citations.push(Value::Object(message.map("citations")?)),
            "message-end" => {
                self.ended = true;
                for key in ["finish_reason", "usage"] {
                    if let Some(value) = delta.get(key) {
                        self.head.set(key, value.to_owned());
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.ended
    }

    fn take_blocks(&mut self, call: CallId, live: &Live) -> Vec<Block> {
        let slots = &self.calls;
        let places = self.taken.until(call, slots.len(), |place| Some(slots[place].id), live);
        let calls = places.iter().map(|&place| Value::Object(slots[place].body.clone()));
        let mut message = match std::mem::replace(&mut self.has_taken_text, true) {
            true => Map::new(),
            false => self.text(),
        };
        set_list(&mut message, "tool_calls", calls.collect());
        let (head, message) = (RawObject::default(), RawObject::of(&message));
        let read = read::read_message(&head, &message, Stop::Finished, self.ids);
        let blocks = read.map(|reply| reply.blocks).unwrap_or_default();
        as_handed_out(blocks, places.iter().map(|&place| slots[place].id), live)
    }

    fn finish(self: Box<Self>) -> Result<Assistant, DecodeError> {
        let silent = if self.ended { Stop::Finished } else { Stop::Unfinished };
        let mut message = self.text();
        let calls = self.calls.into_iter().map(|slot| Value::Object(slot.body));
        set_list(&mut message, "tool_calls", calls.collect());
        set_list(&mut message, "citations", self.citations);
        let message = RawObject::of(&message);
        if message.is_empty() && !self.ended {
            let expected = "a `message-start` or a delta";
            return Err(DecodeError::NoReply { wire: Wire::Cohere, expected });
        }
        read::read_message(&self.head, &message, silent, self.ids)
    }
}

fn set_list(message: &mut Map<String, Value>, key: &str, list: Vec<Value>) {
    if !list.is_empty() {
        message.insert(key.to_owned(), Value::Array(list));
    }
}

/// Keys of the message that come in pieces of their own.
fn is_list(key: &str) -> bool {
    matches!(key, "content" | "tool_calls" | "citations")
}
