//! One problem of arguments, as a sentence for the model.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::types;
use crate::quote::shortened;

/// What is wrong; several texts where one error names several arguments.
pub(super) fn texts(error: &ValidationError<'_>, schema: &Value) -> Vec<String> {
    let pointer = error.instance_path().as_str();
    let path = path(pointer);
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let expected = expected(at(schema, &format!("{pointer}/{name}")));
            vec![format!("{} is missing{expected}", argument(&path, name))]
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| unknown(&path, name, at(schema, pointer))).collect()
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let closest = context.iter().find(|errors| {
                errors.iter().all(|inner| inner.instance_path().as_str().len() > pointer.len())
            });
            match closest {
                Some(errors) => errors.iter().flat_map(|error| texts(error, schema)).collect(),
                None => vec![unfit(error, &path, at(schema, pointer))],
            }
        }
        Kind::Type { .. } => vec![unfit(error, &path, at(schema, pointer))],
        _ => {
            let masked = error.masked_with("it").to_string();
            vec![format!("`{path}` is {}: {masked}", shown(error.instance()))]
        }
    }
}

fn unfit(error: &ValidationError<'_>, path: &str, schema: Option<&Value>) -> String {
    format!("`{path}` is {}{}", shown(error.instance()), expected(schema))
}

/// `; expected …`, where the schema says what.
fn expected(schema: Option<&Value>) -> String {
    let words: Vec<&str> = schema.map(types).unwrap_or_default().into_iter().map(word).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    if words.is_empty() { String::new() } else { format!("; expected {}", words.join(" or ")) }
}

/// The type in words; nothing for null, which is only another way to say nothing.
fn word(name: &str) -> &str {
    match name {
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "an object",
        "null" => "",
        other => other,
    }
}

fn unknown(path: &str, name: &str, schema: Option<&Value>) -> String {
    let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    let names: Vec<&str> =
        properties.into_iter().flat_map(|p| p.keys()).map(String::as_str).collect();
    let plain = |name: &str| name.to_lowercase().replace(['_', '-'], "");
    let score = |known: &&str| strsim::jaro_winkler(&plain(&shortened(name)), &plain(known));
    let nearest = names.iter().copied().max_by(|a, b| score(a).total_cmp(&score(b)));
    let hint = match nearest.filter(|known| score(known) >= 0.8) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if names.is_empty() => "; it takes none".to_owned(),
        None => format!("; expected {}", names.join(", ")),
    };
    format!("{} is unknown{hint}", argument(path, &shortened(name)))
}

fn argument(path: &str, name: &str) -> String {
    if path.is_empty() { format!("`{name}`") } else { format!("`{path}.{name}`") }
}

/// The value as JSON, bounded.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            shortened(&value.to_string())
        }
    }
}

/// A JSON pointer as one would write it: `edits[0].old`.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        match name.parse::<usize>() {
            Ok(_) => path.extend(["[", &name, "]"]),
            Err(_) if path.is_empty() => path += &name,
            Err(_) => path.extend([".", &name]),
        }
    }
    shortened(&path)
}

/// The part of the schema that is about the value at a pointer, as far as it is plain to see.
fn at<'a>(schema: &'a Value, pointer: &str) -> Option<&'a Value> {
    pointer.split('/').skip(1).try_fold(schema, |schema, step| {
        let name = step.replace("~1", "/").replace("~0", "~");
        super::branches(schema).find_map(|branch| {
            let property = branch.get("properties").and_then(|properties| properties.get(&name));
            property.or_else(|| branch.get("items").filter(|_| name.parse::<usize>().is_ok()))
        })
    })
}
