//! The original of a block on its way back: verbatim, unless something in it must change.
//!
//! Not here: what must change. Each wire knows which keys hold id, name and arguments.

use fanfold_transcript::Block;
use serde_json::value::RawValue;

use crate::raw::{self, RawObject};

/// An object as it came, with the changes it needs. Without changes not even its spacing differs.
#[derive(Debug, Default)]
pub(crate) struct Original {
    text: Option<Box<RawValue>>,
    object: RawObject,
}

impl Original {
    /// The original of a block; empty when no wire wrote it.
    pub(crate) fn of(block: &Block) -> Self {
        block.original.as_ref().map(|json| Self::new(json.raw())).unwrap_or_default()
    }

    fn new(text: &RawValue) -> Self {
        match raw::object(text) {
            Some(object) => Self { text: Some(text.to_owned()), object },
            None => Self::default(),
        }
    }

    /// The object at `key`, to be changed on its own and put back.
    pub(crate) fn nested(&self, key: &str) -> Self {
        self.object.get(key).map(Self::new).unwrap_or_default()
    }

    pub(crate) const fn object(&self) -> &RawObject {
        &self.object
    }

    /// Whether nothing was changed so far.
    pub(crate) const fn is_as_sent(&self) -> bool {
        self.text.is_some()
    }

    /// Replaces the value of `key`, if it differs.
    pub(crate) fn set(&mut self, key: &str, value: Box<RawValue>) {
        if self.object.raw(key).map(RawValue::get) != Some(value.get()) {
            self.object.set(key, value);
            self.text = None;
        }
    }

    /// Makes `key` this string, however it is escaped.
    pub(crate) fn set_word(&mut self, key: &str, word: &str) {
        if self.object.string(key).as_deref() != Some(word) {
            self.set(key, raw::of(&word));
        }
    }

    /// Leaves `key` out.
    pub(crate) fn remove(&mut self, key: &str) {
        if self.object.has(key) {
            self.object = self.object.without(&[key]);
            self.text = None;
        }
    }

    pub(crate) fn write(self) -> Box<RawValue> {
        self.text.unwrap_or_else(|| raw::of(&self.object))
    }
}
