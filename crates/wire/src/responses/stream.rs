//! A response put together from its stream.
//!
//! An item counts as it stands in `output_item.done`; what the final response adds is added. A call
//! is complete with its item, or with its `arguments.done` where that is not followed by the item.

use std::collections::BTreeMap;

use fanfold_transcript::{Assistant, Block, CallId, Stop};
use serde_json::json;
use serde_json::value::RawValue;

use super::read;
use crate::arguments::{self, End, Place, Sent};
use crate::assembly::Assembly;
use crate::cursor::{Cursor, as_handed_out};
use crate::error::DecodeError;
use crate::live::{CallIds, Live};
use crate::raw::{self, RawObject};

/// The response so far.
#[derive(Debug)]
pub(crate) struct Stream {
    ids: CallIds,
    response: RawObject,
    slots: Vec<Slot>,
    /// The newest slot of each id and of each index.
    by_id: BTreeMap<Box<str>, usize>,
    by_index: BTreeMap<u64, usize>,
    /// A call of which the arguments are done; its item follows at once, on most servers.
    argued: Option<usize>,
    taken: Cursor,
    ended: bool,
}

/// One output item.
#[derive(Debug)]
struct Slot {
    item: RawObject,
    /// The pieces of its arguments, text or thinking.
    pieces: String,
    call: Option<CallId>,
    done: bool,
    handed_out: bool,
}

impl Stream {
    pub(crate) fn new(ids: CallIds) -> Self {
        Self {
            ids,
            response: RawObject::default(),
            slots: Vec::new(),
            by_id: BTreeMap::new(),
            by_index: BTreeMap::new(),
            argued: None,
            taken: Cursor::default(),
            ended: false,
        }
    }

    /// The item of the event: by its id where the server gives one, else by its index. Servers that
    /// give no stable ids give indexes, and the other way round.
    fn find(&mut self, event: &RawObject) -> Option<&mut Slot> {
        let at = self.place(event)?;
        self.slots.get_mut(at)
    }

    fn place(&self, event: &RawObject) -> Option<usize> {
        let item_id = || event.object("item").and_then(|item| item.word("id"));
        let by_id = event.word("item_id").or_else(item_id).and_then(|id| self.by_id.get(&id));
        let by_index = || {
            let at = self.by_index.get(&event.number("output_index")?)?;
            self.slots.get(*at).filter(|slot| !slot.done).map(|_| at)
        };
        by_id.or_else(by_index).copied()
    }

    /// A new item, unless it was announced before.
    fn add(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        if self.find(event).is_some() {
            return Ok(());
        }
        let item = event.object("item").unwrap_or_default();
        let call = if is_call(&item) { Some(live.open()?) } else { None };
        let at = self.slots.len();
        self.by_id.extend(item.word("id").map(|id| (id, at)));
        self.by_index.extend(event.number("output_index").map(|index| (index, at)));
        let pieces = arguments::text(&item, "arguments");
        self.slots.push(Slot { item, pieces, call, done: false, handed_out: false });
        Ok(())
    }

    fn append(&mut self, event: &RawObject) {
        let delta = event.string("delta").unwrap_or_default();
        if let Some(slot) = self.find(event) {
            slot.pieces.push_str(&delta);
        }
    }

    fn argue(&mut self, event: &RawObject) {
        let place = self.place(event).filter(|&at| !self.slots[at].done);
        if let Some(at) = place {
            self.slots[at].pieces = event.string("arguments").unwrap_or_default();
            self.argued = Some(at);
        }
    }

    /// An item is complete, announced before or not.
    fn complete(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        self.add(event, live)?;
        let item = event.object("item").unwrap_or_default();
        let Some(slot) = self.find(event) else { return Ok(()) };
        slot.finish(item, live);
        Ok(())
    }

    /// The last event, with the whole response or with its head only.
    fn end(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        self.ended = true;
        self.response = event.object("response").unwrap_or_default();
        for (at, item) in self.response.objects("output").into_iter().enumerate() {
            let known = match item.word("id") {
                Some(id) => self.by_id.get(&id).copied(),
                None => (at < self.slots.len()).then_some(at),
            };
            match known {
                Some(at) if self.slots[at].done => {}
                Some(at) => self.slots[at].finish(item, live),
                None => {
                    let mut event = RawObject::default();
                    event.set("item", raw::of(&item));
                    self.add(&event, live)?;
                    if let Some(slot) = self.slots.last_mut() {
                        slot.finish(item, live);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Assembly for Stream {
    fn event(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        let delta = || event.string("delta").unwrap_or_default();
        let kind = event.string("type");
        if kind.as_deref() != Some("response.output_item.done")
            && let Some(at) = self.argued.take()
        {
            self.slots[at].hand_out_object(live);
        }
        match kind.as_deref().unwrap_or_default() {
            "response.output_item.added" => self.add(event, live)?,
            "response.output_text.delta" | "response.refusal.delta" => {
                live.text(&delta());
                self.append(event);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                live.thinking(&delta());
                self.append(event);
            }
            "response.function_call_arguments.delta" => self.append(event),
            "response.function_call_arguments.done" => self.argue(event),
            "response.output_item.done" => self.complete(event, live)?,
            "response.completed" | "response.incomplete" | "response.done" => {
                self.end(event, live)?;
            }
            "response.created" if self.ended => return Err(DecodeError::SeveralReplies),
            "response.created" | "response.in_progress" => {
                self.response = event.object("response").unwrap_or_default();
            }
            _ => {}
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.ended
    }

    fn take_blocks(&mut self, call: CallId, live: &Live) -> Vec<Block> {
        let slots = &self.slots;
        let places = self.taken.until(call, slots.len(), |place| slots[place].call, live);
        let items = places.iter().map(|&place| slots[place].item()).collect();
        let blocks = read::read_all(items, End::Complete, self.ids).unwrap_or_default();
        as_handed_out(blocks, places.iter().filter_map(|&place| slots[place].call), live)
    }

    fn finish(self: Box<Self>) -> Result<Assistant, DecodeError> {
        let silent = if self.ended { Stop::Finished } else { Stop::Unfinished };
        let items = self.slots.iter().map(Slot::item).collect();
        read::read_response(&self.response, items, silent, self.ids)
    }
}

impl Slot {
    fn finish(&mut self, item: RawObject, live: &mut Live) {
        self.done = true;
        // What was announced as a call stays one, so that the calls keep their numbers.
        if is_call(&item) == self.call.is_some() {
            self.item = item;
        }
        self.pieces = arguments::text(&self.item, "arguments");
        self.hand_out_object(live);
        // That an item without arguments is complete, only its status can say.
        let completed = self.item.string("status").as_deref() == Some("completed");
        if completed && self.pieces.trim().is_empty() {
            self.hand_out(live);
        }
    }

    fn hand_out_object(&mut self, live: &mut Live) {
        if arguments::is_object(&self.pieces) {
            self.hand_out(live);
        }
    }

    fn hand_out(&mut self, live: &mut Live) {
        let Some(id) = self.call else { return };
        if !std::mem::replace(&mut self.handed_out, true) {
            let sent = Sent::new(self.pieces.clone(), Place::Inner, End::Complete);
            let tool = self.item.string("name").unwrap_or_default();
            live.ready(arguments::call(id, self.item.word("call_id"), &tool, sent));
        }
    }

    /// The item as a whole response would have held it, as far as it came.
    fn item(&self) -> Box<RawValue> {
        let mut item = self.item.clone();
        if !self.done {
            let text = &self.pieces;
            match item.string("type").as_deref() {
                Some("function_call") => item.set("arguments", raw::of(text)),
                Some("message") => {
                    let part = json!({"type": "output_text", "text": text, "annotations": []});
                    item.set("content", raw::of(&[part]));
                }
                Some("reasoning") => {
                    let part = json!({"type": "summary_text", "text": text});
                    item.set("summary", raw::of(&[part]));
                }
                _ => {}
            }
            item.set("status", raw::of(&"incomplete"));
        }
        raw::of(&item)
    }
}

fn is_call(item: &RawObject) -> bool {
    item.string("type").as_deref() == Some("function_call")
}
