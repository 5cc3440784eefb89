//! A reply put together from its stream.
//!
//! Only calls are sure to be announced: a block of another kind begins with its first delta. A call
//! is complete at the end of its block, if its input is an object; one without input, which the
//! output limit may have cut away, is held back until something follows it.

use std::collections::BTreeMap;

use fanfold_transcript::{Assistant, Block, CallId, Stop};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::read::{self, Piece};
use crate::arguments::{self, End, Place, Sent};
use crate::assembly::Assembly;
use crate::cursor::{Cursor, as_handed_out};
use crate::error::DecodeError;
use crate::live::{CallIds, Live};
use crate::merge::merge;
use crate::raw::{self, RawObject, mend_surrogates};

/// The reply so far.
#[derive(Debug)]
pub(crate) struct Stream {
    ids: CallIds,
    /// What the reply says beside its content: why it stopped, and what it cost.
    head: RawObject,
    slots: Vec<Slot>,
    /// The newest slot of each index.
    at: BTreeMap<u64, usize>,
    taken: Cursor,
    ended: bool,
}

/// One content block.
#[derive(Debug)]
struct Slot {
    /// What a whole reply would have held, the input of a call apart.
    block: Map<String, Value>,
    input: String,
    call: Option<CallId>,
    closed: bool,
}

impl Stream {
    pub(crate) fn new(ids: CallIds) -> Self {
        let (head, slots, at) = (RawObject::default(), Vec::new(), BTreeMap::new());
        Self { ids, head, slots, at, taken: Cursor::default(), ended: false }
    }

    fn open(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        let block = event.map("start")?;
        if !block.is_empty() {
            self.add(index(event), block, live)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        index: u64,
        block: Map<String, Value>,
        live: &mut Live,
    ) -> Result<usize, DecodeError> {
        self.release(live);
        let call = if block.contains_key("toolUse") { Some(live.open()?) } else { None };
        let at = self.slots.len();
        self.at.insert(index, at);
        self.slots.push(Slot { block, input: String::new(), call, closed: false });
        Ok(at)
    }

    fn delta(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        let delta = event.object("delta").unwrap_or_default();
        let at = match self.at.get(&index(event)) {
            Some(&at) if !self.slots[at].closed => at,
            // Input that no call announced is a call all the same: without a name, so that the
            // model is told.
            Some(_) | None if delta.has("toolUse") => {
                let call = ("toolUse".to_owned(), Value::Object(Map::new()));
                self.add(index(event), Map::from_iter([call]), live)?
            }
            Some(_) | None => self.add(index(event), Map::new(), live)?,
        };
        let slot = &mut self.slots[at];
        if let Some(tool_use) = delta.object("toolUse") {
            slot.input.push_str(&tool_use.string("input").unwrap_or_default());
            return Ok(());
        }
        live.text(&delta.string("text").unwrap_or_default());
        let mut pieces = event.map("delta")?;
        if let Some(reasoning) = delta.object("reasoningContent") {
            live.thinking(&reasoning.string("text").unwrap_or_default());
            pieces = whole_reasoning(delta.map("reasoningContent")?);
        }
        merge(&mut slot.block, pieces);
        Ok(())
    }

    fn close(&mut self, event: &RawObject, live: &mut Live) {
        let Some(&at) = self.at.get(&index(event)) else { return };
        let slot = &mut self.slots[at];
        if !std::mem::replace(&mut slot.closed, true) && arguments::is_object(&slot.input) {
            slot.hand_out(live);
        }
    }

    /// Hands out the last call, if it came without input.
    fn release(&self, live: &mut Live) {
        let last = self.slots.last();
        if let Some(slot) = last.filter(|slot| slot.closed && slot.input.trim().is_empty()) {
            slot.hand_out(live);
        }
    }
}

impl Assembly for Stream {
    fn event(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        let Some(name) = super::EVENTS.into_iter().find(|name| event.has(name)) else {
            return Ok(());
        };
        let event = event.object(name).unwrap_or_default();
        match name {
            "messageStart" if self.ended || !self.slots.is_empty() => {
                return Err(DecodeError::SeveralReplies);
            }
            "contentBlockStart" => self.open(&event, live)?,
            "contentBlockDelta" => self.delta(&event, live)?,
            "contentBlockStop" => self.close(&event, live),
            "messageStop" => self.ended = true,
            _ => {}
        }
        let stop = read::stop(&event);
        if stop.is_some_and(|stop| End::of(&stop) == End::Complete) {
            self.release(live);
        }
        for key in ["stopReason", "usage"] {
            if let Some(value) = event.get(key) {
                self.head.set(key, value.to_owned());
            }
        }
        Ok(())
    }

    /// The stop is no end: usage follows it.
    fn is_over(&self) -> bool {
        false
    }

    fn take_blocks(&mut self, call: CallId, live: &Live) -> Vec<Block> {
        let slots = &self.slots;
        let places = self.taken.until(call, slots.len(), |place| slots[place].call, live);
        let pieces = places.iter().map(|&place| slots[place].piece()).collect();
        let blocks = read::read_all(pieces, End::Complete, self.ids).unwrap_or_default();
        as_handed_out(blocks, places.iter().filter_map(|&place| slots[place].call), live)
    }

    fn finish(self: Box<Self>) -> Result<Assistant, DecodeError> {
        let silent = if self.ended { Stop::Finished } else { Stop::Unfinished };
        let pieces = self.slots.iter().map(Slot::piece).collect();
        read::read_pieces(&self.head, pieces, silent, self.ids)
    }
}

impl Slot {
    fn hand_out(&self, live: &mut Live) {
        let Some(id) = self.call else { return };
        let tool_use = RawObject::of(&self.block).object("toolUse").unwrap_or_default();
        let sent = Sent::new(self.input.clone(), Place::Inner, End::Complete);
        let tool = tool_use.string("name").unwrap_or_default();
        live.ready(arguments::call(id, tool_use.word("toolUseId"), &tool, sent));
    }

    fn piece(&self) -> Piece {
        let mut block = RawObject::of(&self.block);
        if let Some(mut tool_use) = block.object("toolUse") {
            let whole = if arguments::is_object(&self.input) { self.input.trim() } else { "{}" };
            if let Ok(input) = RawValue::from_string(mend_surrogates(whole).into_owned()) {
                tool_use.set("input", input);
            }
            block.set("toolUse", raw::of(&tool_use));
        }
        let input = self.call.map(|_| self.input.clone());
        Piece { block: raw::of(&block), input, open: !self.closed }
    }
}

/// The pieces of reasoning, where a whole reply has them.
fn whole_reasoning(mut pieces: Map<String, Value>) -> Map<String, Value> {
    let inner = ["text", "signature"].into_iter();
    let inner: Map<_, _> = inner.filter_map(|key| pieces.remove_entry(key)).collect();
    if !inner.is_empty() {
        pieces.insert("reasoningText".to_owned(), Value::Object(inner));
    }
    Map::from_iter([("reasoningContent".to_owned(), Value::Object(pieces))])
}

fn index(event: &RawObject) -> u64 {
    event.number("contentBlockIndex").unwrap_or(0)
}
