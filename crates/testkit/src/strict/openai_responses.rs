//! What `POST /v1/responses` of OpenAI refuses.
//!
//! Nothing is stored here: whatever needs an earlier response of the server is refused, as with
//! `store: false`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::names::{is_word, unique};
use super::node::Node;
use super::refusal::Refusal;
use super::seal::{self, Sealer, Seals};

/// Source: the Responses reference, "Create a model response".
const FIELDS: [&str; 30] = [
    "background",
    "context_management",
    "conversation",
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "moderation",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
];

/// Checks the request and gives what seals its reply.
pub(super) fn check(root: &Node<'_>, seals: Seals) -> Result<Sealer, Refusal> {
    let unknown = root.object()?.keys().find(|key| !FIELDS.contains(&key.as_str()));
    if let Some(key) = unknown {
        return Err(Refusal::of(key.as_str(), format!("Unknown parameter: '{key}'.")));
    }
    root.need_text("model")?;
    if let Some(previous) = root.get("previous_response_id") {
        return Err(previous.refuse("Previous response not found."));
    }
    // Source: "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16".
    if let Some(max) = root.get("max_output_tokens") {
        let is_enough = max.value.as_u64().is_some_and(|max| max >= 16);
        max.must(is_enough, "integer below minimum value. Expected a value >= 16")?;
    }
    check_tools(root)?;
    let input = root.need("input")?;
    if input.value.is_string() {
        return Ok(Sealer::new(String::new(), None));
    }
    let items = input.items()?;
    input.must(!items.is_empty(), "at least one item of input is required")?;
    items.iter().try_for_each(check_item)?;
    check_pairs(&items)?;
    check_reasoning(&items, seals)?;
    Ok(Sealer::new(String::new(), None))
}

/// Source: the reference, `tools`: a name of letters, digits, `_` and `-`, at most 64 long.
fn check_tools(root: &Node<'_>) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    for tool in root.items_of("tools")? {
        if tool.need_text("type")? == "function" {
            let name = tool.need("name")?;
            check_name(&name)?;
            unique(&mut seen, name.text()?, &name, "Tool names must be unique.")?;
        }
    }
    Ok(())
}

fn check_name(name: &Node<'_>) -> Result<(), Refusal> {
    let said = "string does not match pattern. Expected a string that matches the pattern \
                '^[a-zA-Z0-9_-]+$', at most 64 long.";
    name.must(is_word(name.text()?, 64), said)
}

/// One item by itself.
///
/// Source: the reference, `input`. An id of another kind is "Expected an ID that begins with 'fc'"
/// (openai-python and vercel/ai issues quote it).
fn check_item(item: &Node<'_>) -> Result<(), Refusal> {
    let kind = item.get("type");
    let kind = kind.as_ref().map_or(Ok("message"), Node::text)?;
    let id = match kind {
        "message" => {
            check_message(item)?;
            // The API takes any id of a message that begins with `msg`.
            "msg"
        }
        "function_call" => {
            item.only(&["type", "id", "call_id", "name", "arguments", "status", "namespace"])?;
            check_call_id(&item.need("call_id")?)?;
            check_name(&item.need("name")?)?;
            let arguments = item.need("arguments")?;
            let read = serde_json::from_str::<Value>(arguments.text()?);
            arguments.must(read.is_ok(), "the arguments are not valid JSON")?;
            "fc"
        }
        "function_call_output" => {
            item.only(&["type", "id", "call_id", "output", "status"])?;
            check_call_id(&item.need("call_id")?)?;
            let output = item.need("output")?;
            let is_output = output.value.is_string() || output.value.is_array();
            output.must(is_output, "Invalid type for 'output': expected a string or a list")?;
            "fc"
        }
        "reasoning" => {
            item.only(&["type", "id", "summary", "content", "encrypted_content", "status"])?;
            item.need("summary")?.items()?;
            "rs"
        }
        _ => return Err(item.refuse(format!("Invalid value: '{kind}'."))),
    };
    let given = item.get("id");
    given.map_or(Ok(()), |given| {
        let is_right = given.text()?.starts_with(id);
        given.must(is_right, &format!("Expected an ID that begins with '{id}'."))
    })
}

/// Source: the reference, `input`: "Invalid value: 'input_text'. Supported values are:
/// 'output_text' and 'refusal'." and the reverse.
fn check_message(item: &Node<'_>) -> Result<(), Refusal> {
    item.only(&["type", "id", "role", "content", "status", "phase"])?;
    let role = item.need("role")?;
    let known: &[&str] = match role.text()? {
        "assistant" => &["output_text", "refusal"],
        "user" | "system" | "developer" => &["input_text", "input_image", "input_file"],
        other => return Err(role.refuse(format!("Invalid value: '{other}'."))),
    };
    let content = item.need("content")?;
    if content.value.is_string() {
        return Ok(());
    }
    for part in content.items()? {
        let kind = part.need_text("type")?;
        let said = format!("Invalid value: '{kind}'. Supported values are: {known:?}.");
        part.must(known.contains(&kind), &said)?;
    }
    Ok(())
}

/// Source: "string too long. Expected a string with maximum length 64".
fn check_call_id(id: &Node<'_>) -> Result<(), Refusal> {
    let length = id.text()?.len();
    id.must((1..=64).contains(&length), "string too long. Expected maximum length 64")
}

/// Each call has one output behind it, and each output a call before it.
///
/// Source: bytedance/trae-agent#245 ("No tool output found") and continuedev/continue#10092 ("No
/// tool call found"). Stricter: the same id for two calls.
fn check_pairs(items: &[Node<'_>]) -> Result<(), Refusal> {
    let (mut seen, mut open) = (BTreeSet::new(), BTreeSet::new());
    for item in items {
        match item.value["type"].as_str() {
            Some("function_call") => {
                let id = item.need_text("call_id")?;
                unique(&mut seen, id, item, "Duplicate 'call_id' in function calls")?;
                open.insert(id);
            }
            Some("function_call_output") => {
                let id = item.need_text("call_id")?;
                let orphan =
                    format!("No tool call found for function call output with call_id {id}.");
                item.must(open.remove(id), &orphan)?;
            }
            _ => {}
        }
    }
    let missing = open.first().map(|id| format!("No tool output found for function call {id}."));
    missing.map_or(Ok(()), |said| Err(Refusal::of("input", said)))
}

/// Reasoning comes back sealed, as it was, and before what it led to.
///
/// Source: maximhq/bifrost#5410 ("not found"), Wei-Shaw/sub2api#3138 (`invalid_encrypted_content`),
/// coder/xum#59 ("without its required following item"). Stricter: the API reads the encrypted
/// content only, so a changed summary would pass.
fn check_reasoning(items: &[Node<'_>], seals: Seals) -> Result<(), Refusal> {
    for (n, item) in items.iter().enumerate() {
        if !is_reasoning(item) {
            continue;
        }
        let id = item.value["id"].as_str().unwrap_or_default();
        let lost = format!(
            "Item with id '{id}' not found. Items are not persisted when `store` is set to false. \
             Try again with `store` set to true, or remove this item from your input."
        );
        let content = item.get("encrypted_content").ok_or_else(|| item.refuse(lost))?;
        if seals == Seals::Checked {
            let summary = item.need("summary")?.items()?;
            let texts: Vec<_> =
                summary.iter().filter_map(|part| part.value["text"].as_str()).collect();
            let text = texts.join("\n\n");
            seal::verify(content.text()?, Some(&text), None, None).map_err(|_| {
                content.refuse(
                    "The encrypted content could not be verified. Reason: Encrypted content \
                     could not be decrypted or parsed.",
                )
            })?;
        }
        let next = items[n..].iter().find(|item| !is_reasoning(item));
        let is_followed = next.is_some_and(|next| {
            next.value["type"] == "function_call" || next.value["role"] == "assistant"
        });
        let alone = format!(
            "Item '{id}' of type 'reasoning' was provided without its required following item."
        );
        item.must(is_followed, &alone)?;
    }
    Ok(())
}

fn is_reasoning(item: &Node<'_>) -> bool {
    item.value["type"] == "reasoning"
}
