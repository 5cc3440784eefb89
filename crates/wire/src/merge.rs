//! How the delta of a stream changes the value it belongs to.
//!
//! Not here: which keys of which wire are an exception.

use serde_json::{Map, Value};

/// Merges `delta` into `object`: strings are appended, arrays extended, objects merged, all else set.
///
/// `null` says nothing, except where there is nothing yet.
pub(crate) fn merge(object: &mut Map<String, Value>, delta: Map<String, Value>) {
    for (key, piece) in delta {
        match object.get_mut(&key) {
            None => {
                object.insert(key, piece);
            }
            Some(present) => merge_value(present, piece),
        }
    }
}

fn merge_value(present: &mut Value, piece: Value) {
    match (present, piece) {
        (_, Value::Null) => {}
        (Value::String(text), Value::String(piece)) => text.push_str(&piece),
        (Value::Array(list), Value::Array(piece)) => list.extend(piece),
        (Value::Object(object), Value::Object(piece)) => merge(object, piece),
        (present, piece) => *present = piece,
    }
}

/// Sets every key of `news` that is not `null`; what an object holds already stays unless it is named.
pub(crate) fn overlay(object: &mut Map<String, Value>, news: Map<String, Value>) {
    for (key, new) in news {
        match (object.get_mut(&key), new) {
            (Some(Value::Object(old)), Value::Object(new)) => overlay(old, new),
            (Some(_), Value::Null) => {}
            (_, new) => {
                object.insert(key, new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn deltas_append_and_news_replace() {
        let map = |value: Value| value.as_object().cloned().unwrap();
        let start = map(json!({"t": "a", "l": [1], "n": null, "o": {"x": "1"}, "k": 5}));
        let delta = map(json!({"t": "b", "l": [2], "n": "c", "o": {"x": "2"}, "k": null, "z": 1}));
        let mut merged = start.clone();
        merge(&mut merged, delta.clone());
        let expected = json!({"t": "ab", "l": [1, 2], "n": "c", "o": {"x": "12"}, "k": 5, "z": 1});
        assert_eq!(Value::Object(merged), expected);
        let mut replaced = start;
        overlay(&mut replaced, delta);
        let expected = json!({"t": "b", "l": [2], "n": "c", "o": {"x": "2"}, "k": 5, "z": 1});
        assert_eq!(Value::Object(replaced), expected);
    }
}
