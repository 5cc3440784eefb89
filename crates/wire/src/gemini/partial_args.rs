//! Arguments that Gemini streams by JSON path: `{"jsonPath":"$.a.b[0]","stringValue":"x","willContinue":true}`.
//!
//! Not here: wildcards, slices and filters of JSON path, which name no single place.

use serde_json::{Map, Value};

use crate::raw::{self, DEPTH_MAX, RawObject};

/// Arguments as far as they came.
#[derive(Debug, Default)]
pub(super) struct PartialArgs {
    arguments: Map<String, Value>,
    /// The path whose string goes on in the next piece.
    growing: Option<String>,
    /// Why the arguments cannot be told, once a piece could not be placed.
    problem: Option<String>,
}

/// One step of a path.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

impl PartialArgs {
    pub(super) fn new(arguments: Map<String, Value>) -> Self {
        Self { arguments, ..Self::default() }
    }

    pub(super) const fn problem(&self) -> Option<&String> {
        self.problem.as_ref()
    }

    /// Whether a string has been begun and not ended.
    pub(super) const fn is_growing(&self) -> bool {
        self.growing.is_some()
    }

    pub(super) const fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// Places one piece.
    pub(super) fn apply(&mut self, piece: &RawObject) {
        let path = piece.string("jsonPath").unwrap_or_default();
        let continued = self.growing.as_deref() == Some(&*path);
        self.growing = piece.is_true("willContinue").then(|| path.clone());
        let Some(value) = value(piece) else { return };
        let place = steps(&path).and_then(|steps| place(&mut self.arguments, &steps));
        match (place, value) {
            (None, _) => {
                self.problem.get_or_insert_with(|| format!("no place for the value at {path:?}"));
            }
            (Some(Value::String(text)), Value::String(piece)) if continued => text.push_str(&piece),
            (Some(place), value) => *place = value,
        }
    }
}

/// The value of a piece; `None` when it carries none.
fn value(piece: &RawObject) -> Option<Value> {
    if piece.raw("nullValue").is_some() {
        return Some(Value::Null);
    }
    let keys = ["stringValue", "numberValue", "boolValue"];
    keys.iter().find_map(|key| raw::value(piece.get(key)?).ok())
}

/// The steps of a path that names one place in an object.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let step;
        if let Some(inside) = rest.strip_prefix('[') {
            let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\''));
            let (text, after) = match quote {
                Some(quote) => inside[1..].split_once(&format!("{quote}]"))?,
                None => inside.split_once(']')?,
            };
            step = match quote {
                Some(_) => Step::Key(text.to_owned()),
                None => Step::Index(text.parse().ok()?),
            };
            rest = after;
        } else {
            let key = rest.strip_prefix('.')?;
            let end = key.find(['.', '[']).unwrap_or(key.len());
            step = Step::Key(key[..end].to_owned());
            rest = &key[end..];
        }
        steps.push(step);
        if steps.len() >= DEPTH_MAX - 1 {
            return None;
        }
    }
    Some(steps)
}

/// The place that the steps lead to, made where it is missing. Arrays grow by one element at a time.
fn place<'a>(arguments: &'a mut Map<String, Value>, steps: &[Step]) -> Option<&'a mut Value> {
    let (Step::Key(first), rest) = steps.split_first()? else { return None };
    let mut at = arguments.entry(first.as_str()).or_insert(Value::Null);
    for step in rest {
        at = match step {
            Step::Key(key) => {
                if at.is_null() {
                    *at = Value::Object(Map::new());
                }
                at.as_object_mut()?.entry(key.as_str()).or_insert(Value::Null)
            }
            Step::Index(index) => {
                if at.is_null() {
                    *at = Value::Array(Vec::new());
                }
                let list = at.as_array_mut()?;
                if *index == list.len() {
                    list.push(Value::Null);
                }
                list.get_mut(*index)?
            }
        };
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn after(pieces: &[Value]) -> PartialArgs {
        let mut arguments = PartialArgs::default();
        for piece in pieces {
            arguments.apply(&RawObject::parse(&piece.to_string()).unwrap());
        }
        arguments
    }

    #[test]
    fn pieces_find_their_place() {
        let arguments = after(&[
            json!({"jsonPath": "$.a.b[0]", "stringValue": "x", "willContinue": true}),
            json!({"jsonPath": "$.a.b[0]", "stringValue": "y"}),
            json!({"jsonPath": "$.a.b[1].c", "numberValue": 1.5}),
            json!({"jsonPath": "$['d.e']", "boolValue": false}),
            json!({"jsonPath": "$.n", "nullValue": null}),
            json!({"jsonPath": "$.s", "stringValue": "old"}),
            json!({"jsonPath": "$.s", "stringValue": "new"}),
        ]);
        let expected = json!({"a": {"b": ["xy", {"c": 1.5}]}, "d.e": false, "n": null, "s": "new"});
        assert_eq!(Value::Object(arguments.arguments), expected);
        assert_eq!(arguments.problem, None);
    }

    #[test]
    fn what_has_no_place_is_a_problem_and_not_a_guess() {
        for path in
            ["", "$", "a", "$[0]", "$.a[4000000000]", "$.a[*]", "$..a[x]", "$.s.t", "$.a['é"]
        {
            let pieces = [
                json!({"jsonPath": "$.s", "stringValue": "x"}),
                json!({"jsonPath": path, "stringValue": "y"}),
            ];
            assert!(after(&pieces).problem.is_some(), "{path}");
        }
    }
}
