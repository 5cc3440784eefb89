//! Holds arguments against a tool's JSON Schema: all problems are told at once, each with the argument
//! it is about and what was expected.
//!
//! Two habits of models are met on the way: null for an optional argument means absent, and a list or
//! an object that was written as a string is read, once. Not here: reading arguments into a type.

mod problem;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::tool::BadArguments;

/// The most problems that are told.
const PROBLEMS_MAX: usize = 20;

/// How deep arguments are looked into for nulls and strings to read.
const DEPTH_MAX: usize = 16;

/// A tool's JSON Schema: made when it is first looked at, compiled when arguments first meet it.
///
/// A start that uses one tool of many pays for one.
pub struct Schema {
    json: LazyLock<Value, Make>,
    /// The text says why there is none.
    validator: OnceLock<Result<Validator, Box<str>>>,
}

type Make = Box<dyn FnOnce() -> Value + Send>;

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema").field(&self.json).finish()
    }
}

impl From<Value> for Schema {
    fn from(json: Value) -> Self {
        Self::new(move || json)
    }
}

impl Schema {
    /// The schema that `make` gives; it is asked once, when the schema is first needed.
    pub fn new(make: impl FnOnce() -> Value + Send + 'static) -> Self {
        let make: Make = Box::new(make);
        Self { json: LazyLock::new(make), validator: OnceLock::new() }
    }

    /// The schema itself.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The arguments as the tool of this name and schema takes them.
    ///
    /// # Errors
    /// When they do not fit, with all that is wrong; or when the schema itself is no JSON Schema.
    pub fn fit(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Result<Map<String, Value>, BadArguments> {
        let schema = self.json();
        let validator = self.validator.get_or_init(|| {
            // A schema never reaches out of itself: nothing is fetched.
            jsonschema::validator_for(schema).map_err(|error| error.to_string().into())
        });
        let validator = validator
            .as_ref()
            .map_err(|error| BadArguments(format!("{name}: its schema cannot be used: {error}")))?;
        let mut arguments = arguments.clone();
        ease_object(&mut arguments, schema, DEPTH_MAX);
        let arguments = Value::Object(arguments);
        let problems: Vec<String> =
            validator.iter_errors(&arguments).flat_map(|e| problem::texts(&e, schema)).collect();
        match (problems.as_slice(), arguments) {
            ([], Value::Object(arguments)) => Ok(arguments),
            ([problem], _) => Err(BadArguments(format!("{name}: {problem}"))),
            (problems, _) => Err(BadArguments(listed(name, problems))),
        }
    }
}

fn listed(name: &str, problems: &[String]) -> String {
    let mut text = format!("{name}: {} problems with the arguments:", problems.len());
    for problem in problems.iter().take(PROBLEMS_MAX) {
        text.extend(["\n- ", problem]);
    }
    if problems.len() > PROBLEMS_MAX {
        let more = problems.len() - PROBLEMS_MAX;
        text.extend(["\n- and ", &more.to_string(), " more"]);
    }
    text
}

/// Drops the nulls of optional arguments, and eases what is left.
fn ease_object(object: &mut Map<String, Value>, schema: &Value, depth: usize) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let required = |name: &str| {
        let required = schema.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|required| required == name))
    };
    object.retain(|name, value| {
        !(value.is_null() && properties.contains_key(name) && !required(name))
    });
    for (name, value) in object {
        if let (Some(schema), Some(depth)) = (properties.get(name), depth.checked_sub(1)) {
            ease(value, schema, depth);
        }
    }
}

fn ease(value: &mut Value, schema: &Value, depth: usize) {
    if let Value::String(text) = value {
        let types = types(schema);
        let wants = |name: &str| types.contains(&name) && !types.contains(&"string");
        match serde_json::from_str(text) {
            Ok(list @ Value::Array(_)) if wants("array") => *value = list,
            Ok(object @ Value::Object(_)) if wants("object") => *value = object,
            Ok(_) | Err(_) => {}
        }
    }
    for schema in branches(schema) {
        match value {
            Value::Object(object) => ease_object(object, schema, depth),
            Value::Array(items) => {
                if let (Some(schema), Some(depth)) = (schema.get("items"), depth.checked_sub(1)) {
                    items.iter_mut().for_each(|item| ease(item, schema, depth));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The schema itself and those of which one must fit.
fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    let either = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
    std::iter::once(schema).chain(either.flatten())
}

/// The types that a schema names, null among them.
fn types(schema: &Value) -> Vec<&str> {
    let named = branches(schema).filter_map(|schema| schema.get("type"));
    named
        .flat_map(|named| match named {
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            Value::String(name) => vec![name.as_str()],
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        })
        .collect()
}
