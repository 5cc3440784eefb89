//! The settings from outside: texts in, settings, places and problems out.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod environment;
mod merge;
mod problems;
mod property;
mod trust;

use fanfold_settings::{Key, Layer, LayerKind, Stack};

/// A stack of files, the weaker first.
fn stack(files: &[(LayerKind, &str)]) -> Stack {
    let mut stack = Stack::default();
    for (layer, text) in files {
        stack.lay(
            Layer::file(text.as_bytes(), *layer, &format!("{}.json", layer.as_str())).unwrap(),
        );
    }
    stack
}

/// The value under a key and where it was said, as `VALUE (PLACE, …)`.
fn shown(stack: &Stack, key: &[&str]) -> String {
    let entry = stack.get(&Key::of(key)).unwrap();
    let from: Vec<String> = entry.origins.iter().map(ToString::to_string).collect();
    format!("{} ({})", entry.value, from.join(", "))
}
