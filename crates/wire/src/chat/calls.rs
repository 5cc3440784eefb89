//! The calls of a streaming message, pieced together.
//!
//! Pieces belong to a call by index where there is one, else by id, else to the last call; servers
//! differ in all three. A call is handed out once its arguments are exactly one JSON object. Text
//! that comes behind is then too late and ignored, but another object is another call, and one
//! without a name, so that the model is told. A call whose arguments stay empty or broken is
//! left for the end of the reply: as long as deltas may interleave, nothing says that no more comes.

use fanfold_transcript::CallId;
use serde_json::{Map, Value};

use crate::arguments::{self, End, Place, Sent};
use crate::error::DecodeError;
use crate::live::Live;
use crate::merge::overlay;
use crate::scan::Scanner;

/// The calls, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls {
    slots: Vec<Slot>,
}

/// What one delta says about a call.
#[derive(Debug)]
struct Piece {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// The keys of the delta and of its function that are not read.
    rest: Map<String, Value>,
    function_rest: Map<String, Value>,
}

impl Calls {
    /// Takes an element of `tool_calls`.
    pub(super) fn delta(
        &mut self,
        mut delta: Map<String, Value>,
        live: &mut Live,
    ) -> Result<(), DecodeError> {
        let mut function = match delta.remove("function") {
            Some(Value::Object(function)) => function,
            _ => Map::new(),
        };
        let piece = Piece {
            index: delta.remove("index").as_ref().and_then(Value::as_u64),
            id: text(delta.remove("id")),
            name: text(function.remove("name")),
            arguments: text(function.remove("arguments")),
            rest: delta,
            function_rest: function,
        };
        let at = match self.find(&piece) {
            Some(at) => at,
            None => {
                self.slots.push(Slot::new(piece.index, live.open()?));
                self.slots.len() - 1
            }
        };
        self.slots[at].take(piece, live);
        Ok(())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The call that the piece continues.
    fn find(&self, piece: &Piece) -> Option<usize> {
        let at = match piece.index {
            Some(_) => self.slots.iter().rposition(|slot| slot.index == piece.index)?,
            None if piece.id.is_empty() => self.slots.len().checked_sub(1)?,
            None => self.slots.iter().rposition(|slot| slot.id == piece.id)?,
        };
        (!self.slots[at].is_followed_by(piece)).then_some(at)
    }

    pub(super) const fn count(&self) -> usize {
        self.slots.len()
    }

    /// The elements of `tool_calls`, as a whole message holds them.
    pub(super) fn values(&self) -> Vec<Value> {
        self.slots.iter().map(Slot::value).collect()
    }

    /// One of them.
    pub(super) fn value(&self, place: usize) -> Value {
        self.slots[place].value()
    }

    /// The id of one of them.
    pub(super) fn id(&self, place: usize) -> CallId {
        self.slots[place].call
    }
}

/// A call in the making.
#[derive(Debug)]
struct Slot {
    call: CallId,
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    scanner: Scanner,
    /// The outermost bracket of the arguments was closed, for better or worse.
    closed: bool,
    handed_out: bool,
    rest: Map<String, Value>,
    function_rest: Map<String, Value>,
}

impl Slot {
    fn new(index: Option<u64>, call: CallId) -> Self {
        Self {
            call,
            index,
            id: String::new(),
            name: String::new(),
            arguments: String::new(),
            scanner: Scanner::default(),
            closed: false,
            handed_out: false,
            rest: Map::new(),
            function_rest: Map::new(),
        }
    }

    /// Whether the piece, though at the same place, begins another call.
    fn is_followed_by(&self, piece: &Piece) -> bool {
        let begun = !self.arguments.trim().is_empty();
        let named = !piece.name.is_empty();
        let argues = !piece.arguments.trim().is_empty();
        let object = piece.arguments.trim();
        if self.handed_out && object.starts_with('{') && object != self.arguments.trim() {
            return true;
        }
        if piece.id.is_empty() {
            let again = self.closed && argues;
            return named && begun && (again || piece.name != self.name);
        }
        // Some servers invent a new id for every piece, but name the call only once.
        let new_id = piece.id != self.id && (!self.id.is_empty() || begun);
        new_id && (named || piece.index.is_none() || (self.closed && argues))
    }

    fn take(&mut self, piece: Piece, live: &mut Live) {
        if self.handed_out {
            return;
        }
        if self.id.is_empty() {
            self.id = piece.id;
        }
        // A name comes once, again and again, growing, or in fragments.
        if piece.name.starts_with(&self.name) {
            self.name = piece.name;
        } else {
            self.name.push_str(&piece.name);
        }
        overlay(&mut self.rest, piece.rest);
        overlay(&mut self.function_rest, piece.function_rest);
        self.arguments.push_str(&piece.arguments);
        let mut closes = false;
        for byte in piece.arguments.bytes() {
            closes |= self.scanner.push(byte);
        }
        // Checked at the first closing bracket only, so that the time stays linear.
        let first = closes && !self.closed;
        self.closed |= closes;
        if first && arguments::is_object(&self.arguments) {
            self.handed_out = true;
            let sent = Sent::new(self.arguments.clone(), Place::Inner, End::Complete);
            let id = Some(self.id.as_str()).filter(|id| !id.is_empty()).map(Into::into);
            live.ready(arguments::call(self.call, id, &self.name, sent));
        }
    }

    fn value(&self) -> Value {
        let mut function = Map::new();
        function.insert("name".to_owned(), Value::from(&*self.name));
        function.insert("arguments".to_owned(), Value::from(&*self.arguments));
        overlay(&mut function, self.function_rest.clone());
        let mut call = Map::new();
        if !self.id.is_empty() {
            call.insert("id".to_owned(), Value::from(&*self.id));
        }
        call.insert("type".to_owned(), Value::from("function"));
        overlay(&mut call, self.rest.clone());
        call.insert("function".to_owned(), Value::Object(function));
        Value::Object(call)
    }
}

/// A text, or the JSON of what should have been one; nothing for `null`.
fn text(value: Option<Value>) -> String {
    match value {
        Some(Value::String(text)) => text,
        None | Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}
