//! A message put together from its chunks.

use fanfold_transcript::{Assistant, Block, CallId, Stop, Wire};
use serde_json::{Map, Value, json};

use super::THINKING;
use super::calls::Calls;
use super::read;
use crate::assembly::Assembly;
use crate::cursor::{Cursor, as_handed_out};
use crate::error::DecodeError;
use crate::live::{CallIds, Live};
use crate::merge::{merge, overlay};
use crate::raw::{self, RawObject};

/// The completion so far.
#[derive(Debug)]
pub(crate) struct Stream {
    ids: CallIds,
    head: Map<String, Value>,
    message: Map<String, Value>,
    calls: Calls,
    /// The one call of the older `function_call` form, which has neither index nor id.
    legacy: Calls,
    taken: Cursor,
    /// Whether text and thinking, which stand in front of all calls, were taken.
    has_taken_text: bool,
    stop: Option<Stop>,
    done: bool,
}

impl Stream {
    pub(crate) fn new(ids: CallIds) -> Self {
        Self {
            ids,
            head: Map::new(),
            message: Map::new(),
            calls: Calls::default(),
            legacy: Calls::default(),
            taken: Cursor::default(),
            has_taken_text: false,
            stop: None,
            done: false,
        }
    }

    fn delta(&mut self, mut delta: Map<String, Value>, live: &mut Live) -> Result<(), DecodeError> {
        let piece = |key: &str| delta.get(key).and_then(Value::as_str).unwrap_or_default();
        let thinking = THINKING.into_iter().map(piece).find(|text| !text.is_empty());
        live.thinking(thinking.unwrap_or_default());
        live.text(piece("content"));
        if let Some(Value::Array(calls)) = delta.remove("tool_calls") {
            for call in calls.into_iter().filter(|_| self.legacy.is_empty()) {
                if let Value::Object(call) = call {
                    self.calls.delta(call, live)?;
                }
            }
        }
        // A server that sends both forms says the same thing twice.
        if let Some(Value::Object(function)) = delta.remove("function_call")
            && self.calls.is_empty()
        {
            let call = json!({ "index": 0, "function": function });
            if let Value::Object(call) = call {
                self.legacy.delta(call, live)?;
            }
        }
        // These say the same in every chunk; all else is appended.
        let constant = ["role", "index"].into_iter();
        let constant: Map<_, _> = constant.filter_map(|key| delta.remove_entry(key)).collect();
        overlay(&mut self.message, constant);
        merge(&mut self.message, delta);
        Ok(())
    }
}

/// The message as a whole reply would have held it.
fn whole(mut message: Map<String, Value>, calls: Vec<Value>, legacy: Vec<Value>) -> RawObject {
    message.remove("index");
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    for mut call in legacy {
        message.insert("function_call".to_owned(), call["function"].take());
    }
    RawObject::of(&message)
}

impl Assembly for Stream {
    fn event(&mut self, chunk: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        for key in ["id", "model", "usage"] {
            if let Some(news) = chunk.get(key) {
                overlay(&mut self.head, Map::from_iter([(key.to_owned(), raw::value(news)?)]));
            }
        }
        let choices = chunk.objects("choices");
        if self.done && !choices.is_empty() {
            return Err(DecodeError::SeveralReplies);
        }
        for choice in choices {
            if choice.number("index").unwrap_or(0) != 0 {
                continue;
            }
            let key = if choice.has("delta") { "delta" } else { "message" };
            self.delta(choice.map(key)?, live)?;
            self.stop = read::stop(&choice).or(self.stop.take());
        }
        Ok(())
    }

    fn done(&mut self) {
        self.done = true;
    }

    fn is_over(&self) -> bool {
        self.done
    }

    fn take_blocks(&mut self, call: CallId, live: &Live) -> Vec<Block> {
        let is_legacy = !self.legacy.is_empty();
        let calls = if is_legacy { &self.legacy } else { &self.calls };
        let places = self.taken.until(call, calls.count(), |place| Some(calls.id(place)), live);
        let values: Vec<Value> = places.iter().map(|&place| calls.value(place)).collect();
        let ids = places.iter().map(|&place| calls.id(place));
        let text = match std::mem::replace(&mut self.has_taken_text, true) {
            true => Map::new(),
            false => self.message.clone(),
        };
        let message = match is_legacy {
            true => whole(text, Vec::new(), values),
            false => whole(text, values, Vec::new()),
        };
        let read = read::read_message(&RawObject::default(), &message, Stop::Finished, self.ids);
        as_handed_out(read.map(|reply| reply.blocks).unwrap_or_default(), ids, live)
    }

    fn finish(mut self: Box<Self>) -> Result<Assistant, DecodeError> {
        let silent = if self.done { Stop::Finished } else { Stop::Unfinished };
        let message = whole(self.message, self.calls.values(), self.legacy.values());
        if message.is_empty() && self.stop.is_none() {
            let expected = "a `message` or `delta` in `choices`";
            return Err(DecodeError::NoReply { wire: Wire::OpenaiChat, expected });
        }
        let stop = self.stop.take().unwrap_or(silent);
        read::read_message(&RawObject::of(&self.head), &message, stop, self.ids)
    }
}
