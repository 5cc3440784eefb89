//! A place in a request: a JSON value that knows its path, so that every refusal can name it.
//!
//! Not here: any rule of a provider, but that a value has its type and a field is known.

use std::fmt::Display;

use serde_json::{Map, Value};

use super::refusal::Refusal;

/// A value and the path to it.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    pub(super) value: &'a Value,
    pub(super) at: String,
}

impl<'a> Node<'a> {
    pub(super) const fn root(value: &'a Value) -> Self {
        Self { value, at: String::new() }
    }

    /// This field, unless it is absent or null.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(Self { value, at: self.path(key) })
    }

    /// This field, which must be there.
    pub(super) fn need(&self, key: &str) -> Result<Self, Refusal> {
        self.get(key).ok_or_else(|| Refusal::of(self.path(key), "Field required"))
    }

    pub(super) fn object(&self) -> Result<&'a Map<String, Value>, Refusal> {
        self.value.as_object().ok_or_else(|| self.refuse("Input should be an object"))
    }

    pub(super) fn text(&self) -> Result<&'a str, Refusal> {
        self.value.as_str().ok_or_else(|| self.refuse("Input should be a valid string"))
    }

    /// The text of a field that must be there.
    pub(super) fn need_text(&self, key: &str) -> Result<&'a str, Refusal> {
        self.need(key)?.text()
    }

    pub(super) fn items(&self) -> Result<Vec<Self>, Refusal> {
        let list =
            self.value.as_array().ok_or_else(|| self.refuse("Input should be a valid array"))?;
        let item = |(n, value)| Self { value, at: self.path(n) };
        Ok(list.iter().enumerate().map(item).collect())
    }

    /// The items of a field; none where it is absent.
    pub(super) fn items_of(&self, key: &str) -> Result<Vec<Self>, Refusal> {
        self.get(key).map_or_else(|| Ok(Vec::new()), |node| node.items())
    }

    /// Refuses every field but these.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), Refusal> {
        match self.object()?.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(Refusal::of(self.path(key), "Extra inputs are not permitted")),
            None => Ok(()),
        }
    }

    /// Refuses this place.
    pub(super) fn refuse(&self, said: impl Into<String>) -> Refusal {
        Refusal::of(self.at.clone(), said)
    }

    /// Refuses this place unless something holds.
    pub(super) fn must(&self, holds: bool, said: &str) -> Result<(), Refusal> {
        if holds { Ok(()) } else { Err(self.refuse(said)) }
    }

    fn path(&self, step: impl Display) -> String {
        if self.at.is_empty() { step.to_string() } else { format!("{}.{step}", self.at) }
    }
}
