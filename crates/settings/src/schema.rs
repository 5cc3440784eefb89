//! The JSON Schema of a settings file, from the types.
//!
//! Two formats are Fanfold's own, `tool-name` and `model-name`, and `absolute-path` is a path that
//! begins with `/`. Not here: checking a file against it (`shape.rs`, `reader.rs`).

use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::Settings;

/// The schema as a document: the same bytes every time, with a final newline.
#[must_use]
pub fn schema_text() -> String {
    let mut schema = schema();
    // An editor finds the schema by this key; Fanfold does not read it.
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert("$schema".to_owned(), json!({"type": "string"}));
    }
    // Written as a schema and not as its value, the keywords come in their usual order.
    let text = serde_json::to_string_pretty(&schema).expect("a schema is plain JSON");
    text + "\n"
}

/// The schema, with every type written where it is used.
pub(crate) fn schema() -> Schema {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Settings>();
    clarify_object(schema.ensure_object());
    schema
}

/// Takes out what is of no use to a reader: defaults of whole sections, which stand at their keys
/// already, names of Rust's number types, and line breaks of comments.
fn clarify(schema: &mut Value) {
    match schema {
        Value::Object(map) => clarify_object(map),
        Value::Array(list) => list.iter_mut().for_each(clarify),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn clarify_object(map: &mut Map<String, Value>) {
    if map.contains_key("properties") {
        map.shift_remove("default");
    }
    if map.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
        map.shift_remove("format");
    }
    if let Some(Value::String(text)) = map.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    map.values_mut().for_each(clarify);
}
