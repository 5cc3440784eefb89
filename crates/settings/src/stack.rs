//! The layers one over the other: for each key the value in force and where it was said.
//!
//! Objects merge by key, lists replace; only the lists under `permissions` are joined, so that a denial
//! stays one whatever a later layer says. Not here: what a layer may say (`trust.rs`).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::Settings;
use crate::key::Key;
use crate::layer::Layer;
use crate::origin::{LayerKind, Origin};
use crate::problem::SettingsError;
use crate::shape::Shape;

/// Layers, merged.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    entries: BTreeMap<Key, Entry>,
}

/// A value in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// Where it was said; more than one place where lists are joined, the weakest layer first.
    pub origins: Vec<Origin>,
}

impl Default for Stack {
    /// The defaults alone.
    fn default() -> Self {
        let origin = Origin { layer: LayerKind::Default, name: "default".into(), line: None };
        let mut entries = BTreeMap::new();
        let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
        flatten(Shape::root(), defaults, Key::default(), &mut |key, value| {
            entries.insert(key, Entry { value, origins: vec![origin.clone()] });
        });
        Self { entries }
    }
}

impl Stack {
    /// Lays a layer over those that are there.
    pub fn lay(&mut self, layer: Layer) {
        for (key, leaf) in layer.leaves {
            match self.entries.get_mut(&key) {
                Some(Entry { value: Value::Array(list), origins }) if is_joined(&key) => {
                    origins.retain(|origin| origin.layer != LayerKind::Default);
                    origins.push(leaf.origin);
                    if let Value::Array(more) = leaf.value {
                        list.extend(more);
                    }
                }
                _ => {
                    let entry = Entry { value: leaf.value, origins: vec![leaf.origin] };
                    self.entries.insert(key, entry);
                }
            }
        }
    }

    /// The value in force under a key that has no keys of its own.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Every key and its value, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Entry)> {
        self.entries.iter()
    }

    /// The settings in force.
    ///
    /// # Errors
    /// When a tool lacks what it must have; the places where it was spoken of are named.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        let mut root = Value::Object(Map::new());
        for (key, entry) in &self.entries {
            place(&mut root, &key.levels(), &entry.value);
        }
        let mut error = SettingsError::default();
        self.require(Shape::root(), &root, &Key::default(), &mut error);
        error.unless_any(())?;
        serde_json::from_value(root).map_err(|problem| {
            let mut error = SettingsError::default();
            let origin = Origin { layer: LayerKind::Default, name: "settings".into(), line: None };
            error.add(origin, || problem.to_string());
            error
        })
    }

    fn require(&self, shape: &Shape, value: &Value, key: &Key, error: &mut SettingsError) {
        let Value::Object(map) = value else { return };
        match shape {
            Shape::Section(section) => {
                for name in section.required.iter().filter(|name| !map.contains_key(*name)) {
                    let within = self.entries.iter().find(|(other, _)| other.is_within(key));
                    if let Some(origin) = within.and_then(|(_, entry)| entry.origins.last()) {
                        error.add(origin.clone(), || format!("{key} needs {name}"));
                    }
                }
                for (name, shape) in &section.keys {
                    let value = map.get(name).unwrap_or(&Value::Null);
                    self.require(shape, value, &key.child(name), error);
                }
            }
            Shape::Table(_, entry) => {
                map.iter().for_each(|(name, v)| self.require(entry, v, &key.child(name), error));
            }
            Shape::Value(_) => {}
        }
    }
}

/// Whether the lists of all layers are joined under this key.
fn is_joined(key: &Key) -> bool {
    key.levels().first() == Some(&"permissions")
}

/// Gives each value that has no keys of its own.
fn flatten(shape: &Shape, value: Value, key: Key, give: &mut impl FnMut(Key, Value)) {
    match (shape, value) {
        (Shape::Section(section), Value::Object(mut map)) => {
            for (name, shape) in &section.keys {
                if let Some(value) = map.shift_remove(name) {
                    flatten(shape, value, key.child(name), give);
                }
            }
        }
        // Nobody has entries by default.
        (Shape::Table(..), _) => {}
        (_, value) => give(key, value),
    }
}

/// Puts a value under its key.
fn place(root: &mut Value, levels: &[&str], value: &Value) {
    match (levels, root) {
        ([], root) => *root = value.clone(),
        ([level, inner @ ..], Value::Object(map)) => {
            let below = map.entry(*level).or_insert_with(|| Value::Object(Map::new()));
            place(below, inner, value);
        }
        // The shape decides what has keys of its own, so this place is an object.
        ([_, ..], _) => {}
    }
}
