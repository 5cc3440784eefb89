//! A reply put together from its chunks, or from one chunk that is all.
//!
//! Plain text of several chunks becomes one part. A part with a signature is never merged with
//! another: Gemini wants it back just as it was.

use fanfold_transcript::{
    Arguments, ArgumentsProblem, Assistant, Block, CallId, Source, Stop, Wire,
};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::partial_args::PartialArgs;
use super::read::{self, Part};
use crate::assembly::Assembly;
use crate::cursor::{Cursor, as_handed_out};
use crate::error::DecodeError;
use crate::live::{CallIds, Live};
use crate::merge::overlay;
use crate::raw::{self, RawObject};

/// The reply so far.
#[derive(Debug)]
pub(crate) struct Stream {
    ids: CallIds,
    model: Option<Box<str>>,
    response_id: Option<Box<str>>,
    usage: Map<String, Value>,
    slots: Vec<Slot>,
    /// The slot of the call whose arguments are still coming.
    open: Option<usize>,
    /// The chunk being read, counted from 1.
    chunk: usize,
    taken: Cursor,
    recorded: bool,
    stop: Option<Stop>,
}

/// A part in the making.
#[derive(Debug)]
enum Slot {
    /// As it came; a call that was whole at once has its id.
    Whole { raw: Box<RawValue>, call: Option<CallId> },
    /// Text and nothing else; `chunk` is the last one it came from.
    Text { text: String, thought: bool, chunk: usize, raw: Option<Box<RawValue>> },
    /// A call whose arguments come in pieces.
    Call { id: CallId, part: RawObject, arguments: PartialArgs },
}

impl Stream {
    pub(crate) fn new(ids: CallIds) -> Self {
        Self {
            ids,
            model: None,
            response_id: None,
            usage: Map::new(),
            slots: Vec::new(),
            open: None,
            chunk: 0,
            taken: Cursor::default(),
            recorded: false,
            stop: None,
        }
    }

    /// Reads a whole reply, which is a stream of one chunk.
    pub(crate) fn whole(reply: &RawObject, ids: CallIds) -> Result<Assistant, DecodeError> {
        let mut stream = Box::new(Self::new(ids));
        stream.event(reply, &mut Live::new(ids))?;
        stream.finish()
    }

    fn chunk(&mut self, chunk: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        self.chunk += 1;
        let response_id = chunk.word("responseId").or(self.response_id.clone());
        if self.stop.is_some() && self.response_id != response_id {
            return Err(DecodeError::SeveralReplies);
        }
        self.response_id = response_id;
        self.model = chunk.word("modelVersion").or(self.model.take());
        overlay(&mut self.usage, chunk.map("usageMetadata")?);
        if chunk.object("promptFeedback").is_some_and(|feedback| feedback.has("blockReason")) {
            self.stop = Some(Stop::Refused);
        }
        // A bare message of a conversation is complete.
        if chunk.has("parts") {
            self.stop = Some(Stop::Finished);
            return self.parts(chunk, live);
        }
        let candidates = chunk.objects("candidates");
        let first = |candidate: &&RawObject| candidate.number("index").unwrap_or(0) == 0;
        let Some(candidate) = candidates.iter().find(first) else { return Ok(()) };
        self.parts(&candidate.object("content").unwrap_or_default(), live)?;
        self.stop = read::stop(candidate).or(self.stop.take());
        Ok(())
    }

    fn parts(&mut self, content: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        for raw in content.array("parts").unwrap_or_default() {
            let part = raw::object(&raw).unwrap_or_default();
            if let Some(function) = part.object("functionCall") {
                self.function(raw, part, &function, live)?;
            } else if let Some(text) = part.string("text") {
                self.text(raw, &part, text, live);
            } else {
                self.slots.push(Slot::Whole { raw, call: None });
            }
        }
        Ok(())
    }

    fn text(&mut self, raw: Box<RawValue>, part: &RawObject, piece: String, live: &mut Live) {
        let is_thought = part.is_true("thought");
        if is_thought {
            live.thinking(&piece);
        } else {
            live.text(&piece);
        }
        if part.entries().any(|(key, _)| !matches!(key, "text" | "thought")) {
            self.slots.push(Slot::Whole { raw, call: None });
            return;
        }
        match self.slots.last_mut() {
            Some(Slot::Text { text, thought, chunk, raw })
                if *thought == is_thought && *chunk < self.chunk =>
            {
                text.push_str(&piece);
                *chunk = self.chunk;
                *raw = None;
            }
            // The last chunk often brings an empty text, which is no part of the reply.
            Some(_) if piece.is_empty() && self.chunk > 1 => {}
            Some(_) | None => self.slots.push(Slot::Text {
                text: piece,
                thought: is_thought,
                chunk: self.chunk,
                raw: Some(raw),
            }),
        }
    }

    fn function(
        &mut self,
        raw: Box<RawValue>,
        part: RawObject,
        function: &RawObject,
        live: &mut Live,
    ) -> Result<(), DecodeError> {
        let continues = function.is_true("willContinue");
        let named = function.word("name").is_some();
        let pieces = function.objects("partialArgs");
        if !named && let Some(Slot::Call { part: begun, arguments, .. }) = self.open() {
            pieces.iter().for_each(|piece| arguments.apply(piece));
            for (key, value) in part.entries().filter(|(key, _)| *key != "functionCall") {
                begun.push(key, value.to_owned());
            }
            if !continues {
                self.close(live);
            }
            return Ok(());
        }
        self.close(live);
        if !continues && pieces.is_empty() {
            let call = Some(live_call(function, live)?);
            self.slots.push(Slot::Whole { raw, call });
            return Ok(());
        }
        let mut arguments = PartialArgs::new(function.map("args")?);
        pieces.iter().for_each(|piece| arguments.apply(piece));
        self.open = Some(self.slots.len());
        self.slots.push(Slot::Call { id: live.open()?, part, arguments });
        if !continues {
            self.close(live);
        }
        Ok(())
    }

    fn open(&mut self) -> Option<&mut Slot> {
        self.slots.get_mut(self.open?)
    }

    /// The arguments of the open call are complete.
    fn close(&mut self, live: &mut Live) {
        if let Some(Slot::Call { id, part, arguments }) = self.open() {
            let (part, read) = (whole_part(part, arguments), read(arguments));
            let function = part.object("functionCall").unwrap_or_default();
            live.ready(read::call(*id, &function, Some(read)));
        }
        self.open = None;
    }
}

impl Assembly for Stream {
    fn event(&mut self, event: &RawObject, live: &mut Live) -> Result<(), DecodeError> {
        let recorded = event.has("method") && event.has("response");
        if recorded && std::mem::replace(&mut self.recorded, true) {
            return Err(DecodeError::SeveralReplies);
        }
        let Some(response) = event.get("response") else { return self.chunk(event, live) };
        let chunks = raw::array(response).unwrap_or_else(|| vec![response.to_owned()]);
        for chunk in chunks.iter().filter_map(|chunk| raw::object(chunk)) {
            self.chunk(&chunk, live)?;
        }
        Ok(())
    }

    /// A finish reason is no end: usage may follow it.
    fn is_over(&self) -> bool {
        false
    }

    fn take_blocks(&mut self, call: CallId, live: &Live) -> Vec<Block> {
        let slots = &self.slots;
        let places = self.taken.until(call, slots.len(), |place| slots[place].call(), live);
        let mut ids = self.ids;
        let parts = places.iter().map(|&place| slots[place].part(false));
        let blocks: Result<_, _> = parts.map(|part| read::read_part(part, &mut ids)).collect();
        let calls = places.iter().filter_map(|&place| slots[place].call());
        as_handed_out(blocks.unwrap_or_default(), calls, live)
    }

    fn finish(self: Box<Self>) -> Result<Assistant, DecodeError> {
        if self.slots.is_empty() && self.stop.is_none() {
            let expected = "an object with `candidates`";
            return Err(DecodeError::NoReply { wire: Wire::Gemini, expected });
        }
        let stop = self.stop.unwrap_or(Stop::Unfinished);
        let mut ids = self.ids;
        // The end of a reply closes a call, but only a reply that ended well.
        let cut = self.open.filter(|_| stop != Stop::Finished);
        let slots = self.slots.iter().enumerate();
        let parts = slots.map(|(at, slot)| slot.part(cut == Some(at)));
        let blocks = parts.map(|part| read::read_part(part, &mut ids)).collect::<Result<_, _>>()?;
        let source = Source {
            asked: None,
            wire: Wire::Gemini,
            model: self.model,
            response_id: self.response_id,
            extras: None,
        };
        let usage = read::usage(&RawObject::of(&self.usage));
        Ok(Assistant { blocks, source, stop, usage })
    }
}

impl Slot {
    const fn call(&self) -> Option<CallId> {
        match self {
            Self::Whole { call, .. } => *call,
            Self::Text { .. } => None,
            Self::Call { id, .. } => Some(*id),
        }
    }

    fn part(&self, cut: bool) -> Part {
        match self {
            Self::Whole { raw, .. } | Self::Text { raw: Some(raw), .. } => {
                Part { raw: raw.clone(), arguments: None }
            }
            Self::Text { text, thought, raw: None, .. } => {
                let mut part = RawObject::default();
                part.set("text", raw::of(text));
                if *thought {
                    part.set("thought", raw::of(&true));
                }
                Part { raw: raw::of(&part), arguments: None }
            }
            Self::Call { part, arguments, .. } => {
                let cut = cut || arguments.is_growing();
                let read = if cut { Arguments::Cut } else { read(arguments) };
                Part { raw: raw::of(&whole_part(part, arguments)), arguments: Some(read) }
            }
        }
    }
}

/// A call that is whole as it comes.
fn live_call(function: &RawObject, live: &mut Live) -> Result<CallId, DecodeError> {
    let id = live.open()?;
    live.ready(read::call(id, function, None));
    Ok(id)
}

/// The part as a whole reply would have held it.
fn whole_part(part: &RawObject, arguments: &PartialArgs) -> RawObject {
    let function = part.object("functionCall").unwrap_or_default();
    let mut function = function.without(&["willContinue", "partialArgs"]);
    function.set("args", raw::of(arguments.arguments()));
    let mut part = part.unique();
    part.set("functionCall", raw::of(&function));
    part
}

fn read(arguments: &PartialArgs) -> Arguments {
    match arguments.problem() {
        Some(problem) => Arguments::Unreadable(ArgumentsProblem::NotJson(problem.as_str().into())),
        None => Arguments::strict(arguments.arguments().clone()),
    }
}
