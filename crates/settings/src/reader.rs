//! Reads what one layer says, strictly: every problem with its line and key.
//!
//! Not here: what the layer may say (`trust.rs`), which layer wins (`stack.rs`).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value as Ast};
use jsonc_parser::common::Ranged as _;
use serde_json::{Map, Value};

use crate::key::Key;
use crate::kind::{Format, Kind, has_at_least};
use crate::layer::Leaf;
use crate::nearest::instead_of;
use crate::origin::{LayerKind, Origin};
use crate::problem::SettingsError;
use crate::shape::{Section, Shape};
use crate::text::{Text, to_json};

/// Collects the values and the problems of one text.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    text: &'a Text<'a>,
    layer: LayerKind,
    name: Arc<str>,
    pub(crate) leaves: BTreeMap<Key, Leaf>,
    pub(crate) error: SettingsError,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a Text<'a>, layer: LayerKind, name: &str) -> Self {
        let error = SettingsError::default();
        Self { text, layer, name: name.into(), leaves: BTreeMap::new(), error }
    }

    /// Reads the part that stands under a key.
    pub(crate) fn read(&mut self, shape: &Shape, part: &Ast<'_>, key: &Key) {
        match (shape, part) {
            (Shape::Section(section), Ast::Object(object)) => self.section(section, object, key),
            (Shape::Table(names, entry), Ast::Object(object)) => {
                self.table((*names, entry), object, key);
            }
            (Shape::Section(_) | Shape::Table(..), _) => self.misfit(shape, part, &key.to_string()),
            (Shape::Value(Kind::List(item, least)), Ast::Array(list))
                if has_at_least(&list.elements, *least) =>
            {
                self.list(item, list, key);
            }
            (Shape::Value(kind), _) => {
                if let Some(value) = self.value(kind, part, &key.to_string()) {
                    self.keep(key, value, part.start());
                }
            }
        }
    }

    /// Notes a problem at an offset of the text.
    pub(crate) fn wrong(&mut self, offset: usize, what: impl FnOnce() -> String) {
        self.error.add(self.origin(offset), what);
    }

    fn section(&mut self, section: &Section, object: &Object<'_>, key: &Key) {
        let mut first = BTreeMap::new();
        for property in &object.properties {
            let (name, at) = (property.name.as_str(), property.range.start);
            // A file may say which schema it follows.
            let is_schema = key.levels().is_empty() && name == "$schema";
            if is_schema || self.repeats(property, key, &mut first) {
                continue;
            }
            match section.get(name) {
                Some(shape) => self.read(shape, &property.value, &key.child(name)),
                None => self.wrong(at, || {
                    format!("unknown key {}{}", key.child(name), instead_of(name, key, section))
                }),
            }
        }
    }

    fn table(&mut self, (names, entry): (Format, &Shape), object: &Object<'_>, key: &Key) {
        let mut first = BTreeMap::new();
        for property in &object.properties {
            if self.repeats(property, key, &mut first) {
                continue;
            }
            let (name, at) = (property.name.as_str(), property.range.start);
            let child = key.child(name);
            if !names.accepts(name) {
                self.wrong(at, || format!("a key of {key} must be {names}, not {child}"));
                continue;
            }
            // An entry without keys is an entry: what it lacks is found when all layers are known.
            let empty = property.value.as_object().is_some_and(|entry| entry.properties.is_empty());
            if empty && matches!(entry, Shape::Section(..)) {
                self.keep(&child, Value::Object(Map::new()), at);
            }
            self.read(entry, &property.value, &child);
        }
    }

    fn list(&mut self, item: &Kind, list: &Array<'_>, key: &Key) {
        let values: Vec<Value> = list
            .elements
            .iter()
            .enumerate()
            .filter_map(|(at, part)| self.value(item, part, &format!("{key}[{at}]")))
            .collect();
        self.keep(key, Value::Array(values), list.range.start);
    }

    /// The value of a part, if it fits.
    fn value(&mut self, kind: &Kind, part: &Ast<'_>, key: &str) -> Option<Value> {
        match to_json(part) {
            Err(at) => {
                let found = self.text.quote(at);
                self.wrong(at.start, || format!("{key} holds {found}, which is no value here"));
                None
            }
            Ok(value) if kind.accepts(&value) => Some(value),
            Ok(_) => {
                self.misfit(kind, part, key);
                None
            }
        }
    }

    fn misfit(&mut self, expected: impl fmt::Display, part: &Ast<'_>, key: &str) {
        let found = self.text.quote(part.range());
        self.wrong(part.start(), || format!("{key} must be {expected}, not {found}"));
    }

    fn keep(&mut self, key: &Key, value: Value, offset: usize) {
        self.leaves.insert(key.clone(), Leaf { value, origin: self.origin(offset) });
    }

    /// Whether a key stands in an object already; that is a problem. `first` holds those seen so far.
    fn repeats<'p>(
        &mut self,
        property: &'p ObjectProp<'_>,
        key: &Key,
        first: &mut BTreeMap<&'p str, usize>,
    ) -> bool {
        let (name, at) = (property.name.as_str(), property.range.start);
        let Some(before) = first.insert(name, at) else { return false };
        let line = self.text.line(before);
        self.wrong(at, || format!("{} is given again, already in line {line}", key.child(name)));
        true
    }

    fn origin(&self, offset: usize) -> Origin {
        let line = match self.layer {
            LayerKind::User | LayerKind::Workspace => Some(self.text.line(offset)),
            LayerKind::Default | LayerKind::Environment | LayerKind::Flag => None,
        };
        Origin { layer: self.layer, name: Arc::clone(&self.name), line }
    }
}
