//! What `POST /v1/messages` of Anthropic refuses.
//!
//! Here: the request and the form of each message and block. Pairs of calls and results are in
//! `pairs.rs`, thinking in `thinking.rs`.

mod pairs;
mod thinking;

use std::collections::BTreeSet;

use super::names::{is_word, unique};
use super::node::Node;
use super::refusal::Refusal;
use super::seal::{Sealer, Seals};

/// Source: the Messages API reference, "Body parameters"; the wording of an unknown one is that of
/// anthropics/claude-code issues on `Extra inputs are not permitted`.
const FIELDS: [&str; 22] = [
    "cache_control",
    "container",
    "context_management",
    "inference_geo",
    "max_tokens",
    "mcp_servers",
    "messages",
    "metadata",
    "model",
    "output_config",
    "output_format",
    "service_tier",
    "speed",
    "stop_sequences",
    "stream",
    "system",
    "temperature",
    "thinking",
    "tool_choice",
    "tools",
    "top_k",
    "top_p",
];

/// Source: "Prompt caching", "Cache limitations"; the wording is that of agentjido/req_llm#480.
const MARKS_MAX: usize = 4;

const MESSAGE: [&str; 2] = ["role", "content"];

/// What a user may say. Source: the Messages API reference, `ContentBlockParam`.
const OF_USER: [&str; 6] =
    ["text", "image", "document", "search_result", "tool_result", "container_upload"];

/// What the model may have said.
const OF_MODEL: [&str; 4] = ["text", "thinking", "redacted_thinking", "tool_use"];

/// Checks the request and gives what seals its reply.
pub(super) fn check(root: &Node<'_>, seals: Seals) -> Result<Sealer, Refusal> {
    root.only(&FIELDS)?;
    let model = root.need_text("model")?;
    let max_tokens = root.need("max_tokens")?;
    // Source: the Messages API reference: `max_tokens` is required and at least 1.
    let limit = max_tokens.value.as_u64().filter(|limit| *limit > 0);
    let limit = limit.ok_or_else(|| max_tokens.refuse("Input should be greater than 0"))?;
    thinking::check_settings(root, model, limit)?;
    check_tools(root)?;
    check_marks(root)?;
    if let Some(system) = root.get("system").filter(|system| system.value.is_array()) {
        system.items()?.iter().try_for_each(check_text_block)?;
    }
    let messages = root.need("messages")?.items()?;
    check_messages(&messages, model)?;
    pairs::check(&messages)?;
    thinking::check(root, &messages, seals)
}

fn check_messages(messages: &[Node<'_>], model: &str) -> Result<(), Refusal> {
    let Some(first) = messages.first() else {
        return Err(Refusal::of("messages", "at least one message is required"));
    };
    // Source: the Messages API reference: the first message must be of the user.
    first.must(is_of(first, "user"), "first message must use the \"user\" role")?;
    for message in messages {
        check_message(message)?;
    }
    let last = messages.last().filter(|last| is_of(last, "assistant"));
    last.map_or(Ok(()), |last| check_prefill(last, model))
}

/// The role and the content of a message.
///
/// Source: the Messages API reference. Stricter: newer models take `system` entries among the
/// messages; Fanfold writes none.
fn check_message(message: &Node<'_>) -> Result<(), Refusal> {
    message.only(&MESSAGE)?;
    let role = message.need("role")?;
    let known = match role.text()? {
        "user" => &OF_USER[..],
        "assistant" => &OF_MODEL[..],
        _ => return Err(role.refuse("Input should be 'user' or 'assistant'")),
    };
    let content = message.need("content")?;
    if let Some(text) = content.value.as_str() {
        return check_text(&content, text);
    }
    let blocks = content.items()?;
    // Source: anthropics/claude-code issues: "messages: all messages must have non-empty content
    // except for the optional final assistant message".
    content.must(!blocks.is_empty(), "all messages must have non-empty content")?;
    for block in &blocks {
        let kind = block.need_text("type")?;
        let said = format!("Input tag '{kind}' does not match any of the expected tags: {known:?}");
        block.must(known.contains(&kind), &said)?;
        match kind {
            "text" => check_text_block(block)?,
            "tool_use" => check_call(block)?,
            "tool_result" => check_result(block)?,
            _ => {}
        }
    }
    Ok(())
}

fn check_text_block(block: &Node<'_>) -> Result<(), Refusal> {
    check_text(block, block.need_text("text")?)
}

/// Source: anthropics/claude-code#23369 and #59812: "text content blocks must be non-empty" and
/// "must contain non-whitespace text".
fn check_text(node: &Node<'_>, text: &str) -> Result<(), Refusal> {
    node.must(!text.is_empty(), "text content blocks must be non-empty")?;
    node.must(!text.trim().is_empty(), "text content blocks must contain non-whitespace text")
}

/// Source: maximhq/bifrost#5097 for the id's pattern; "Define tools" for the name's.
fn check_call(block: &Node<'_>) -> Result<(), Refusal> {
    block.only(&["type", "id", "name", "input", "cache_control", "caller"])?;
    check_id(&block.need("id")?)?;
    check_name(&block.need("name")?)?;
    let input = block.need("input")?;
    input.must(input.value.is_object(), "Input should be a valid dictionary")
}

fn check_result(block: &Node<'_>) -> Result<(), Refusal> {
    block.only(&["type", "tool_use_id", "content", "is_error", "cache_control"])?;
    check_id(&block.need("tool_use_id")?)?;
    let Some(content) = block.get("content").filter(|content| !content.value.is_string()) else {
        return Ok(());
    };
    let parts = content.items()?;
    for part in &parts {
        let kind = part.need_text("type")?;
        let known = ["text", "image", "document", "search_result"].contains(&kind);
        part.must(known, "a tool result holds text, images and documents")?;
        if kind == "text" {
            check_text_block(part)?;
        }
    }
    // Source: anthropics/claude-code issues: "all content must be type \"text\" if is_error".
    let is_error = block.get("is_error").is_some_and(|flag| flag.value == true);
    let is_text = parts.iter().all(|part| part.value["type"] == "text");
    content.must(!is_error || is_text, "all content must be type \"text\" if `is_error` is true")
}

fn check_id(id: &Node<'_>) -> Result<(), Refusal> {
    id.must(is_word(id.text()?, usize::MAX), "String should match pattern '^[a-zA-Z0-9_-]+$'")
}

fn check_name(name: &Node<'_>) -> Result<(), Refusal> {
    name.must(is_word(name.text()?, 128), "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'")
}

/// Source: "Define tools"; "tools: Tool names must be unique." is the API's answer to two alike.
fn check_tools(root: &Node<'_>) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    for tool in root.items_of("tools")? {
        let name = tool.need("name")?;
        check_name(&name)?;
        unique(&mut seen, name.text()?, &name, "Tool names must be unique.")?;
        if tool.get("type").is_none_or(|kind| kind.value == "custom") {
            let schema = tool.need("input_schema")?;
            schema.must(schema.value["type"] == "object", "Input should be 'object'")?;
        }
    }
    Ok(())
}

/// At most four marks, none of them on thinking.
///
/// Source: "Prompt caching"; the wording for thinking is that of Wei-Shaw/sub2api#225.
fn check_marks(root: &Node<'_>) -> Result<(), Refusal> {
    let mut count = usize::from(root.get("cache_control").is_some());
    let mut lists = vec![root.items_of("tools")?];
    let messages = root.items_of("messages")?;
    let contents = messages.iter().filter_map(|message| message.get("content"));
    for content in contents.chain(root.get("system")).filter(|list| list.value.is_array()) {
        lists.push(content.items()?);
    }
    for block in lists.iter().flatten() {
        let Some(mark) = block.get("cache_control") else { continue };
        let kind = block.value["type"].as_str().unwrap_or_default();
        mark.must(!kind.ends_with("thinking"), "Extra inputs are not permitted")?;
        count += 1;
    }
    let said = format!("A maximum of 4 blocks with cache_control may be provided. Found {count}.");
    root.must(count <= MARKS_MAX, &said)
}

/// A reply that the caller begins.
///
/// Source: "Errors", "Prefill not supported": models from 4.6 on refuse it; before, the text must
/// not end in white space ("final assistant content cannot end with trailing whitespace").
fn check_prefill(last: &Node<'_>, model: &str) -> Result<(), Refusal> {
    let takes_prefill = thinking::generation(model).is_some_and(|version| version < (4, 6));
    last.must(
        takes_prefill,
        "This model does not support assistant message prefill. The conversation must end with \
         a user message.",
    )?;
    let content = &last.value["content"];
    let text = content.as_str().or_else(|| content.as_array()?.last()?["text"].as_str());
    let is_trimmed = text.is_none_or(|text| text.trim_end() == text);
    last.must(is_trimmed, "final assistant content cannot end with trailing whitespace")
}

fn is_of(message: &Node<'_>, role: &str) -> bool {
    message.value["role"] == role
}

/// The blocks of a message; a lone text has none.
fn blocks<'a>(message: &Node<'a>) -> Vec<Node<'a>> {
    message.items_of("content").unwrap_or_default()
}

fn is_type(block: &Node<'_>, kind: &str) -> bool {
    block.value["type"] == kind
}
