//! Each call has exactly one result, in the next message, before anything else.
//!
//! Source of all: "Handle tool calls", "Formatting requirements" (platform.claude.com), and the
//! 400s of anthropics/claude-code#1776 and anomalyco/opencode#10616. Stricter: consecutive messages
//! of the user are not taken as one.

use std::collections::BTreeSet;

use super::{blocks, is_of, is_type};
use crate::strict::names::unique;
use crate::strict::node::Node;
use crate::strict::refusal::Refusal;

pub(super) fn check(messages: &[Node<'_>]) -> Result<(), Refusal> {
    let mut ids = BTreeSet::new();
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        let blocks = blocks(message);
        if is_of(message, "user") {
            check_results(message, &blocks, &open)?;
            open.clear();
            continue;
        }
        message.must(open.is_empty(), &unanswered(&open))?;
        for call in blocks.iter().filter(|block| is_type(block, "tool_use")) {
            let id = call.need_text("id")?;
            unique(&mut ids, id, call, "`tool_use` ids must be unique")?;
            open.push(id);
        }
    }
    let end = || Refusal::of("messages", unanswered(&open));
    if open.is_empty() { Ok(()) } else { Err(end()) }
}

fn check_results(message: &Node<'_>, blocks: &[Node<'_>], open: &[&str]) -> Result<(), Refusal> {
    let mut answered = BTreeSet::new();
    let mut is_behind_other = false;
    for block in blocks {
        if !is_type(block, "tool_result") {
            is_behind_other = true;
            continue;
        }
        let id = block.need_text("tool_use_id")?;
        let orphan = format!(
            "unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` \
             block must have a corresponding `tool_use` block in the previous message."
        );
        block.must(open.contains(&id), &orphan)?;
        let twice = format!(
            "each tool_use must have a single result. Found multiple `tool_result` blocks with \
             id: {id}"
        );
        unique(&mut answered, id, block, &twice)?;
        block.must(!is_behind_other, "tool_result blocks must come before all other content")?;
    }
    let missing: Vec<_> = open.iter().copied().filter(|id| !answered.contains(id)).collect();
    message.must(missing.is_empty(), &unanswered(&missing))
}

fn unanswered(ids: &[&str]) -> String {
    format!(
        "`tool_use` ids were found without `tool_result` blocks immediately after: {}. Each \
         `tool_use` block must have a corresponding `tool_result` block in the next message.",
        ids.join(", ")
    )
}
