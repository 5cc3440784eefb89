//! A message put together from its stream.
//!
//! Blocks are told apart by their index, so deltas may interleave. A call is complete at the end of
//! its block; one without arguments is held back until something follows it, because the output
//! limit cuts a call there as well.

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
use crate::merge::{merge, overlay};
use crate::raw::{self, RawObject, mend_surrogates};

/// The message so far.
#[derive(Debug)]
pub(crate) struct Stream {
    ids: CallIds,
    head: Map<String, Value>,
    slots: Vec<Slot>,
    /// The slot of each index. Some servers use an index again: the newest counts.
    at: BTreeMap<u64, usize>,
    taken: Cursor,
    ended: bool,
    /// Another message began in the middle of this one. What follows is not read.
    broken: bool,
}

/// One content block.
#[derive(Debug)]
struct Slot {
    block: Map<String, Value>,
    /// The text of `input`, once there was a piece of it.
    input: Option<String>,
    call: Option<CallId>,
    closed: bool,
    /// Complete but for the chance that the output limit cut its arguments away.
    held: bool,
}

impl Stream {
    pub(crate) fn new(ids: CallIds) -> Self {
        Self {
            ids,
            head: Map::new(),
            slots: Vec::new(),
            at: BTreeMap::new(),
            taken: Cursor::default(),
            ended: false,
            broken: false,
        }
    }

    /// A second start drops what the first one had begun: a proxy has asked the model again. Where
    /// a call was handed out the first one stays, and is broken.
    fn start(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        if self.ended {
            return Err(DecodeError::SeveralReplies);
        }
        if !self.slots.is_empty() {
            let Some(ids) = live.restart() else {
                self.broken = true;
                return Ok(());
            };
            self.slots.clear();
            self.at.clear();
            self.ids = ids;
        }
        self.head = event.map("message")?;
        let content = match self.head.remove("content") {
            Some(Value::Array(content)) => content,
            _ => Vec::new(),
        };
        for (index, block) in (0..).zip(content) {
            if let Value::Object(block) = block {
                self.open(index, block, live)?;
                self.close(index, live);
            }
        }
        Ok(())
    }

    fn open(
        &mut self,
        index: u64,
        block: Map<String, Value>,
        live: &mut Live,
    ) -> Result<(), DecodeError> {
        self.release(live);
        let word = |key| block.get(key).and_then(Value::as_str).unwrap_or_default();
        live.text(if word("type") == "text" { word("text") } else { "" });
        live.thinking(if word("type") == "thinking" { word("thinking") } else { "" });
        let call = if word("type") == "tool_use" { Some(live.open()?) } else { None };
        self.at.insert(index, self.slots.len());
        let slot = Slot { block, input: None, call, closed: false, held: false };
        self.slots.push(slot);
        Ok(())
    }

    fn slot(&mut self, index: u64) -> Option<&mut Slot> {
        self.slots.get_mut(*self.at.get(&index)?)
    }

    fn delta(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        let mut delta = event.map("delta")?;
        let Some(slot) = self.slot(index(event)) else { return Ok(()) };
        let kind = delta.remove("type");
        let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
        let piece = |key| delta.get(key).and_then(Value::as_str).unwrap_or_default();
        match kind {
            "input_json_delta" => {
                slot.input.get_or_insert_default().push_str(piece("partial_json"));
                return Ok(());
            }
            "text_delta" => live.text(piece("text")),
            "thinking_delta" => live.thinking(piece("thinking")),
            // The signature comes whole.
            "signature_delta" => slot.block.extend([("signature".to_owned(), Value::from(""))]),
            "citations_delta" => {
                let citation = delta.remove("citation").map(|one| Value::Array(vec![one]));
                delta.extend(citation.map(|list| ("citations".to_owned(), list)));
            }
            // Of another kind nothing is known but that its keys belong to the block.
            _ => {}
        }
        merge(&mut slot.block, delta);
        Ok(())
    }

    fn close(&mut self, index: u64, live: &mut Live) {
        let Some(at) = self.at.get(&index).copied().filter(|&at| !self.slots[at].closed) else {
            return;
        };
        let is_last = at + 1 == self.slots.len();
        let slot = &mut self.slots[at];
        slot.closed = true;
        match slot.given() {
            Some(text) if arguments::is_object(&text) => slot.hand_out(text, live),
            Some(_) => {}
            None if is_last => slot.held = true,
            None => slot.hand_out(String::new(), live),
        }
    }

    /// Hands out the calls without arguments that something follows.
    fn release(&mut self, live: &mut Live) {
        // Only the last block is ever held back.
        if let Some(slot) = self.slots.last_mut().filter(|slot| slot.held) {
            slot.held = false;
            slot.hand_out(String::new(), live);
        }
    }

    fn update(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        overlay(&mut self.head, event.map("delta")?);
        for (key, news) in event.entries().filter(|(key, _)| !matches!(*key, "type" | "delta")) {
            overlay(&mut self.head, Map::from_iter([(key.to_owned(), raw::value(news)?)]));
        }
        let stop = event.object("delta").and_then(|delta| read::stop(&delta));
        if stop.is_some_and(|stop| End::of(&stop) == End::Complete) {
            self.release(live);
        }
        Ok(())
    }
}

impl Assembly for Stream {
    fn event(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        if self.broken {
            return Ok(());
        }
        match event.string("type").as_deref() {
            Some("message_start") => self.start(event, live),
            Some("content_block_start") => {
                self.open(index(event), event.map("content_block")?, live)
            }
            Some("content_block_delta") => self.delta(event, live),
            Some("content_block_stop") => {
                self.close(index(event), live);
                Ok(())
            }
            Some("message_delta") => self.update(event, live),
            Some("message_stop") => {
                self.ended = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_over(&self) -> bool {
        self.ended || self.broken
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
        read::read_pieces(&RawObject::of(&self.head), pieces, silent, self.ids)
    }
}

impl Slot {
    /// The text of the input: what came in pieces, or what the block was opened with.
    fn given(&self) -> Option<String> {
        let opened = || match self.block.get("input") {
            Some(Value::Object(input)) if !input.is_empty() => {
                Some(Value::Object(input.clone()).to_string())
            }
            _ => None,
        };
        self.input.clone().filter(|text| !text.trim().is_empty()).or_else(opened)
    }

    fn hand_out(&self, text: String, live: &mut Live) {
        let Some(id) = self.call else { return };
        let block = RawObject::of(&self.block);
        let tool = block.string("name").unwrap_or_default();
        let sent = Sent::new(text, Place::Inner, End::Complete);
        live.ready(arguments::call(id, block.word("id"), &tool, sent));
    }

    fn piece(&self) -> Piece {
        let input = self.given();
        let mut block = RawObject::of(&self.block);
        let whole = input.as_deref().filter(|text| arguments::is_object(text));
        if let Some(text) = whole
            && let Ok(raw) = RawValue::from_string(mend_surrogates(text.trim()).into_owned())
        {
            block.set("input", raw);
        }
        let input = self.call.map(|_| input.unwrap_or_default());
        Piece { block: raw::of(&block), input, open: !self.closed }
    }
}

fn index(event: &RawObject) -> u64 {
    event.number("index").unwrap_or(0)
}
