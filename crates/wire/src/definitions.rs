//! The tools offered to a model, as each wire wants them described.
//!
//! Not here: the rest of a request, and whether what a schema says suits a provider.

use std::borrow::Cow;

use fanfold_transcript::{Json, Wire};
use serde_json::{Value, json};

/// A tool as it is offered to a model.
#[derive(Clone, Copy, Debug)]
pub struct ToolDefinition<'a> {
    /// The name the model calls it by.
    pub name: &'a str,
    /// What it does, for the model.
    pub description: &'a str,
    /// JSON Schema of its arguments.
    pub input_schema: &'a Value,
}

/// The array of tools for a request of this wire.
#[must_use]
pub fn write_definitions(format: Wire, tools: &[ToolDefinition<'_>]) -> Json {
    let all: Vec<Value> = tools.iter().map(|tool| definition(format, *tool)).collect();
    match format {
        Wire::Gemini if !all.is_empty() => Json::of(&json!([{ "functionDeclarations": all }])),
        Wire::Gemini
        | Wire::Anthropic
        | Wire::OpenaiChat
        | Wire::OpenaiResponses
        | Wire::Bedrock
        | Wire::Cohere
        | Wire::Plain => Json::of(&Value::Array(all)),
    }
}

fn definition(format: Wire, tool: ToolDefinition<'_>) -> Value {
    let ToolDefinition { name, description, input_schema } = tool;
    let schema = &whole(input_schema);
    match format {
        Wire::Anthropic | Wire::Plain => {
            json!({ "name": name, "description": description, "input_schema": schema })
        }
        Wire::OpenaiChat | Wire::Cohere => json!({
            "type": "function",
            "function": { "name": name, "description": description, "parameters": schema },
        }),
        Wire::OpenaiResponses => json!({
            "type": "function", "name": name, "description": description,
            "parameters": schema, "strict": false,
        }),
        Wire::Gemini => {
            json!({ "name": name, "description": description, "parametersJsonSchema": schema })
        }
        Wire::Bedrock => json!({ "toolSpec": {
            "name": name, "description": description, "inputSchema": { "json": schema },
        }}),
    }
}

/// The schema with the keys without which a provider refuses the whole request.
///
/// Sources: OpenAI, "object schema missing properties" and "schema must be a JSON Schema of 'type:
/// "object"'"; Anthropic, "input_schema.type: Field required".
fn whole(schema: &Value) -> Cow<'_, Value> {
    let Some(keys) = schema.as_object() else { return Cow::Borrowed(schema) };
    let mut keys = keys.clone();
    keys.entry("type").or_insert_with(|| json!("object"));
    if keys["type"] == "object" {
        keys.entry("properties").or_insert_with(|| json!({}));
    }
    Cow::Owned(Value::Object(keys))
}
