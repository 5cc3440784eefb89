//! What one layer says: a file, the environment, or the flags.
//!
//! Not here: which layer wins (`stack.rs`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::key::Key;
use crate::origin::{LayerKind, Origin};
use crate::problem::SettingsError;
use crate::reader::Reader;
use crate::shape::Shape;
use crate::text::Text;

/// The most bytes of a settings file: 1 MiB.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// What one layer says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    pub(crate) leaves: BTreeMap<Key, Leaf>,
}

/// A value and where it was said. Lists are values; what has keys of its own is not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

impl Layer {
    /// Reads a file's bytes; `name` names it in errors. A file of comments says nothing.
    ///
    /// # Errors
    /// All problems of the file: too large, not UTF-8, no JSON, unknown or repeated keys, wrong types,
    /// numbers out of range.
    pub fn file(bytes: &[u8], layer: LayerKind, name: &str) -> Result<Self, SettingsError> {
        let whole = |what: &str, line: Option<usize>| {
            let mut error = SettingsError::default();
            error.add(Origin { layer, name: name.into(), line }, || what.to_owned());
            error
        };
        if bytes.len() > FILE_BYTES_MAX {
            return Err(whole("it is larger than 1 MiB", None));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line =
                bytes.iter().take(error.valid_up_to()).filter(|byte| **byte == b'\n').count();
            whole("it is not UTF-8 text", Some(line + 1))
        })?;
        // Some editors begin a file with a mark of its encoding.
        let text = Text::new(text.strip_prefix('\u{feff}').unwrap_or(text));
        let part = text.parse().map_err(|error| whole(&error.what, Some(error.line)))?;
        let mut reader = Reader::new(&text, layer, name);
        if let Some(part) = part {
            reader.read(Shape::root(), &part, &Key::default());
        }
        reader.error.unless_any(Self { leaves: reader.leaves })
    }

    /// What a flag of the command line says about one key. `flag` names it in errors.
    ///
    /// # Errors
    /// When there is no such key, or the value does not fit it.
    pub fn flag(key: &Key, value: &Value, flag: &str) -> Result<Self, SettingsError> {
        Self::one(key, &value.to_string(), LayerKind::Flag, flag)
    }

    /// One value, written as JSON.
    pub(crate) fn one(
        key: &Key,
        text: &str,
        layer: LayerKind,
        name: &str,
    ) -> Result<Self, SettingsError> {
        let text = Text::new(text);
        let mut reader = Reader::new(&text, layer, name);
        match (Shape::root().at(key), text.parse()) {
            (Some(shape), Ok(Some(part))) => reader.read(shape, &part, key),
            (Some(shape), Ok(None) | Err(_)) => {
                reader.wrong(0, || format!("{key} must be {shape}"));
            }
            (None, _) => reader.wrong(0, || format!("unknown key {key}")),
        }
        reader.error.unless_any(Self { leaves: reader.leaves })
    }
}
