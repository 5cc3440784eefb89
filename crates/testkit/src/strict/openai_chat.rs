//! What `POST /v1/chat/completions` of OpenAI refuses, and what compatible servers refuse besides.
//!
//! Not here: whether a model knows a setting; compatible servers add fields of their own, so only a
//! few unknown ones can be told.

use std::collections::BTreeSet;

use serde_json::Value;

use super::names::{is_word, unique};
use super::node::Node;
use super::refusal::Refusal;
use super::seal::Sealer;

/// Source: the Chat Completions reference, `messages`. The last three are what DeepSeek, Ollama and
/// OpenRouter add and want back.
const OF_MODEL: [&str; 9] = [
    "role",
    "content",
    "name",
    "refusal",
    "audio",
    "tool_calls",
    "reasoning_content",
    "reasoning",
    "reasoning_details",
];

/// Source: langchain-ai and microsoft/promptflow#3130 quote it.
const ORPHAN: &str = "Invalid parameter: messages with role 'tool' must be a response to a \
                      preceeding message with 'tool_calls'.";

/// Checks the request. Nothing on this wire is sealed.
pub(super) fn check(root: &Node<'_>) -> Result<Sealer, Refusal> {
    root.need_text("model")?;
    check_fields(root)?;
    check_tools(root)?;
    let messages = root.need("messages")?;
    let list = messages.items()?;
    messages.must(!list.is_empty(), "[] is too short - 'messages'")?;
    let mut open: Vec<&str> = Vec::new();
    for message in &list {
        let role = message.need("role")?;
        if role.text()? == "tool" {
            check_result(message, &mut open)?;
            continue;
        }
        message.must(open.is_empty(), &unanswered(&open))?;
        match role.text()? {
            "system" | "developer" | "user" => check_words(message)?,
            "assistant" => open = check_reply(message)?,
            _ => {
                let known = "'system', 'assistant', 'user', 'tool', and 'developer'";
                let said = format!("Invalid value. Supported values are: {known}.");
                return Err(role.refuse(said));
            }
        }
    }
    messages.must(open.is_empty(), &unanswered(&open))?;
    Ok(Sealer::new(String::new(), None))
}

/// Fields of other wires. Source: "Unrecognized request argument supplied: …".
fn check_fields(root: &Node<'_>) -> Result<(), Refusal> {
    const FOREIGN: [&str; 6] =
        ["system", "input", "instructions", "contents", "max_output_tokens", "cache_control"];
    let foreign = root.object()?.keys().find(|key| FOREIGN.contains(&key.as_str()));
    foreign.map_or(Ok(()), |key| {
        Err(root.refuse(format!("Unrecognized request argument supplied: {key}")))
    })?;
    // Source: the reference: `stream_options` "only when you set `stream: true`".
    let is_lone = root.get("stream_options").is_some() && root.value["stream"] != true;
    root.must(!is_lone, "The 'stream_options' parameter is only allowed when 'stream' is enabled.")
}

/// Source: the reference, `tools`: names of letters, digits, `_` and `-`, at most 64 long; at most
/// 128 tools.
fn check_tools(root: &Node<'_>) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    let tools = root.items_of("tools")?;
    root.must(tools.len() <= 128, "Invalid 'tools': array too long, at most 128")?;
    root.must(root.get("tools").is_none() || !tools.is_empty(), "[] is too short - 'tools'")?;
    for tool in tools {
        tool.must(tool.value["type"] == "function", "Invalid value for 'type'")?;
        let name = tool.need("function")?.need("name")?;
        check_name(&name)?;
        unique(&mut seen, name.text()?, &name, "Tool names must be unique.")?;
    }
    Ok(())
}

fn check_name(name: &Node<'_>) -> Result<(), Refusal> {
    let said = "Invalid name: string does not match pattern. Expected a string that matches the \
                pattern '^[a-zA-Z0-9_-]+$', at most 64 long.";
    name.must(is_word(name.text()?, 64), said)
}

/// What a user or a developer says: a text, or parts.
fn check_words(message: &Node<'_>) -> Result<(), Refusal> {
    message.only(&["role", "content", "name"])?;
    let content = message.need("content")?;
    if content.value.is_string() {
        return Ok(());
    }
    let parts = content.items()?;
    content.must(!parts.is_empty(), "[] is too short - 'messages.content'")?;
    for part in parts {
        let kind = part.need_text("type")?;
        let known = matches!(kind, "text" | "image_url" | "input_audio" | "file");
        part.must(known, "Invalid value. Supported values are: 'text', 'image_url', …")?;
        part.need(kind)?;
    }
    Ok(())
}

/// What the model said; gives the ids of its calls.
///
/// Source: "Invalid value for 'content': expected a string, got null." is the API's answer to a
/// null content without calls; ids are at most 40 long ("string too long. Expected a string with
/// maximum length 40"). Stricter: the API does not read the arguments, but servers that put them
/// into a template do (vLLM, and DeepSeek's own).
fn check_reply<'a>(message: &Node<'a>) -> Result<Vec<&'a str>, Refusal> {
    message.only(&OF_MODEL)?;
    let calls = message.items_of("tool_calls")?;
    let is_there = message.get("tool_calls").is_some();
    message.must(!is_there || !calls.is_empty(), "[] is too short - 'messages.tool_calls'")?;
    let says = message.get("content").is_some() || message.get("refusal").is_some();
    message.must(says || is_there, "Invalid value for 'content': expected a string, got null.")?;
    let mut ids = BTreeSet::new();
    let mut open = Vec::new();
    for call in calls {
        call.must(call.value["type"] == "function", "Invalid value for 'type'")?;
        let id = call.need("id")?;
        let length = id.text()?.len();
        id.must((1..=40).contains(&length), "string too long. Expected maximum length 40")?;
        unique(&mut ids, id.text()?, &id, "Duplicate value for 'tool_call_id' in 'tool_calls'")?;
        let function = call.need("function")?;
        check_name(&function.need("name")?)?;
        let arguments = function.need("arguments")?;
        let read = serde_json::from_str::<Value>(arguments.text()?);
        arguments.must(read.is_ok(), "the arguments are not valid JSON")?;
        open.push(id.text()?);
    }
    Ok(open)
}

/// One result; takes its call off the open ones.
fn check_result(message: &Node<'_>, open: &mut Vec<&str>) -> Result<(), Refusal> {
    message.only(&["role", "content", "tool_call_id", "name"])?;
    let id = message.need_text("tool_call_id")?;
    let at = open.iter().position(|one| *one == id).ok_or_else(|| message.refuse(ORPHAN))?;
    open.remove(at);
    let content = message.need("content")?;
    if content.value.is_string() {
        return Ok(());
    }
    let is_text = content.items()?.iter().all(|part| part.value["type"] == "text");
    content.must(is_text, "a tool message holds text only")
}

/// Source: QwenLM/qwen-code#606 and sdcb/chats#132.
fn unanswered(ids: &[&str]) -> String {
    format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to \
         each 'tool_call_id'. The following tool_call_ids did not have response messages: {}",
        ids.join(", ")
    )
}
