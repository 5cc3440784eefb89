//! The schema as the reader of a file needs it: which keys there are and what each takes.
//!
//! Made from the schema, so that the promise and the check cannot differ. Not here: what a single value
//! may be (`kind.rs`).

use std::fmt;
use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::key::Key;
use crate::kind::{Format, Kind};
use crate::schema::schema;

/// What may stand under a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// An object with fixed keys.
    Section(Section),
    /// An object with keys of the user's choice, each with the same shape.
    Table(Format, Box<Self>),
    /// A value without keys of its own.
    Value(Kind),
}

/// An object with fixed keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Section {
    /// The keys, in the order of the type.
    pub(crate) keys: Vec<(String, Shape)>,
    /// The keys that must be there.
    pub(crate) required: Vec<String>,
}

impl Shape {
    /// The shape of a whole settings file.
    pub(crate) fn root() -> &'static Self {
        static ROOT: OnceLock<Shape> = OnceLock::new();
        ROOT.get_or_init(|| Self::of(schema().as_value()))
    }

    /// The shape under a key.
    pub(crate) fn at(&self, key: &Key) -> Option<&Self> {
        key.levels().into_iter().try_fold(self, |shape, level| match shape {
            Self::Section(section) => section.get(level),
            Self::Table(_, entry) => Some(&**entry),
            Self::Value(_) => None,
        })
    }

    fn of(schema: &Value) -> Self {
        let part = |name: &str| schema.get(name).and_then(Value::as_object);
        if let Some(properties) = part("properties") {
            return Self::Section(Section::of(properties, schema.get("required")));
        }
        match part("additionalProperties") {
            Some(_) => {
                let names = schema.get("propertyNames").unwrap_or(&Value::Null);
                Self::Table(Format::of(names), Box::new(Self::of(&schema["additionalProperties"])))
            }
            None => Self::Value(Kind::of(schema)),
        }
    }
}

impl fmt::Display for Shape {
    /// What it takes, to follow "must be".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Section(_) | Self::Table(..) => f.write_str("an object"),
            Self::Value(kind) => kind.fmt(f),
        }
    }
}

impl Section {
    fn of(properties: &Map<String, Value>, required: Option<&Value>) -> Self {
        let keys = properties.iter().map(|(name, schema)| (name.clone(), Shape::of(schema)));
        let required = required.and_then(Value::as_array).into_iter().flatten();
        Self {
            keys: keys.collect(),
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }

    /// The shape under one of its keys.
    pub(crate) fn get(&self, name: &str) -> Option<&Shape> {
        self.keys.iter().find(|(known, _)| known == name).map(|(_, shape)| shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(shape: &Shape, see: &mut impl FnMut(&Kind)) {
        match shape {
            Shape::Section(section) => {
                section.keys.iter().for_each(|(_, shape)| every(shape, see));
            }
            Shape::Table(_, entry) => every(entry, see),
            Shape::Value(kind) => every_kind(kind, see),
        }
    }

    fn every_kind(kind: &Kind, see: &mut impl FnMut(&Kind)) {
        see(kind);
        match kind {
            Kind::List(item, _) => every_kind(item, see),
            Kind::Either(kinds) => kinds.iter().for_each(|kind| every_kind(kind, see)),
            Kind::Whole(..)
            | Kind::Text(_)
            | Kind::Word(_)
            | Kind::Switch
            | Kind::Null
            | Kind::Object
            | Kind::Unknown => {}
        }
    }

    #[test]
    fn every_part_of_the_schema_is_understood_and_every_number_has_bounds() {
        let mut seen = 0;
        every(Shape::root(), &mut |kind| {
            seen += 1;
            assert_ne!(*kind, Kind::Unknown);
            assert!(!matches!(kind, Kind::Whole(_, u64::MAX)), "a number without bounds");
        });
        assert!(seen > 60, "{seen}");
    }
}
