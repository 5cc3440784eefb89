//! Thinking: how it is asked for, and that it comes back as it was given, behind what it was given
//! behind.
//!
//! Not here: how a seal is made (`seal.rs`).

use serde_json::Value;

use super::{blocks, is_of, is_type};
use crate::strict::node::Node;
use crate::strict::refusal::Refusal;
use crate::strict::seal::{self, Broken, Sealer, Seals, canonical, hash};

/// The `thinking` field.
///
/// Source: "Extended thinking": the budget is at least 1,024 and below `max_tokens`, `tool_choice`
/// is `auto` or `none`, the temperature is 1; "Errors", "Common validation errors": `enabled` is
/// refused from 4.7 on, `adaptive` before 4.6.
pub(super) fn check_settings(root: &Node<'_>, model: &str, limit: u64) -> Result<(), Refusal> {
    let Some(thinking) = root.get("thinking") else { return Ok(()) };
    let version = generation(model);
    match thinking.need_text("type")? {
        "disabled" => return thinking.only(&["type"]),
        "adaptive" => {
            thinking.only(&["type", "display"])?;
            let is_known = version.is_none_or(|version| version >= (4, 6));
            thinking.must(is_known, "adaptive thinking is not supported on this model")?;
        }
        "enabled" => {
            thinking.only(&["type", "budget_tokens", "display"])?;
            let is_known = version.is_none_or(|version| version < (4, 7));
            thinking.must(is_known, "\"thinking.type.enabled\" is not supported for this model")?;
            let budget = thinking.need("budget_tokens")?;
            let tokens = budget.value.as_u64().unwrap_or_default();
            budget.must(tokens >= 1024, "Input should be greater than or equal to 1024")?;
            let said = "`max_tokens` must be greater than `thinking.budget_tokens`";
            budget.must(tokens < limit, said)?;
        }
        _ => return Err(thinking.refuse("Input should be 'enabled', 'disabled' or 'adaptive'")),
    }
    if let Some(choice) = root.get("tool_choice") {
        let is_free = matches!(choice.need_text("type")?, "auto" | "none");
        choice.must(is_free, "Thinking may not be enabled when tool_choice forces tool use.")?;
    }
    let heat = root.get("temperature");
    heat.map_or(Ok(()), |heat| {
        let said = "`temperature` may only be set to 1 when thinking is enabled";
        heat.must(heat.value.as_f64() == Some(1.0), said)
    })
}

/// The thinking of the messages, and what seals that of the reply.
pub(super) fn check(
    root: &Node<'_>,
    messages: &[Node<'_>],
    seals: Seals,
) -> Result<Sealer, Refusal> {
    check_start(root, messages)?;
    let mut prefix = Prefix::of(root);
    let mut previous: Option<&str> = None;
    let latest = messages.iter().rposition(|message| is_of(message, "assistant"));
    for (n, message) in messages.iter().enumerate() {
        let blocks = blocks(message);
        for block in blocks.iter().filter(|block| is_thinking(block)) {
            let (text, signature) = sealed(block)?;
            if seals == Seals::Checked {
                let end = prefix.end();
                seal::verify(signature, text, Some(&end), previous)
                    .map_err(|broken| block.refuse(said(broken, block, latest == Some(n))))?;
            }
            previous = Some(signature);
        }
        prefix.push(message);
    }
    Ok(Sealer::new(prefix.end(), previous))
}

/// While the calls of a reply are being answered, the reply must begin with its thinking.
///
/// Source: "Extended thinking", "Preserving thinking blocks"; the wording is the API's.
fn check_start(root: &Node<'_>, messages: &[Node<'_>]) -> Result<(), Refusal> {
    if root.value["thinking"]["type"] != "enabled" {
        return Ok(());
    }
    let last = messages.iter().rfind(|message| is_of(message, "assistant"));
    let blocks = last.map(blocks).unwrap_or_default();
    let Some(first) = blocks.first().filter(|_| blocks.iter().any(|b| is_type(b, "tool_use")))
    else {
        return Ok(());
    };
    let kind = first.value["type"].as_str().unwrap_or_default();
    let said = format!(
        "Expected `thinking` or `redacted_thinking`, but found `{kind}`. When `thinking` is \
         enabled, a final `assistant` message must start with a thinking block (preceding the \
         lastmost set of `tool_use` and `tool_result` blocks)."
    );
    first.must(is_thinking(first), &said)
}

/// The text of a thinking block, where it shows one, and its seal.
fn sealed<'a>(block: &Node<'a>) -> Result<(Option<&'a str>, &'a str), Refusal> {
    if is_type(block, "redacted_thinking") {
        block.only(&["type", "data"])?;
        return Ok((None, block.need_text("data")?));
    }
    block.only(&["type", "thinking", "signature"])?;
    Ok((Some(block.need_text("thinking")?), block.need_text("signature")?))
}

/// Source: "Preserved thinking" and "Fix a thinking block bound to a different conversation", which
/// give the wording; microsoft/vscode#318076 for the latest message.
fn said(broken: Broken, block: &Node<'_>, is_latest: bool) -> String {
    let kind = block.value["type"].as_str().unwrap_or_default();
    let field = if kind == "thinking" { "signature" } else { "data" };
    let why = match broken {
        Broken::Text if is_latest => {
            return "`thinking` or `redacted_thinking` blocks in the latest assistant message \
                    cannot be modified. These blocks must remain as they were in the original \
                    response."
                .to_owned();
        }
        Broken::Text | Broken::Forged => "",
        Broken::Prefix => " The block is bound to a different conversation. Remove the block.",
        Broken::Order => {
            " The block is bound to a different conversation: the thinking before it was left \
             out or moved. Remove the block."
        }
    };
    format!("Invalid `{field}` in `{kind}` block.{why}")
}

fn is_thinking(block: &Node<'_>) -> bool {
    is_type(block, "thinking") || is_type(block, "redacted_thinking")
}

/// What stands before a reply: the model, the instructions, the tools and the messages, cache marks
/// and thinking left out.
///
/// Source: "Prefix checks on thinking blocks"; enforced for accounts made since 2026-08-31.
/// Stricter: thinking of another model is dropped in silence by the API, and refused here.
struct Prefix(String);

impl Prefix {
    fn of(root: &Node<'_>) -> Self {
        let part = |key: &str| canonical(root.value.get(key).unwrap_or(&Value::Null));
        Self(hash(&["model", "system", "tools"].map(part).concat()))
    }

    fn push(&mut self, message: &Node<'_>) {
        let mut spoken = message.value.clone();
        if let Some(content) = spoken["content"].as_array_mut() {
            content.retain(|block| {
                !matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
            });
        }
        self.0 = hash(&format!("{}{}", self.0, canonical(&spoken)));
    }

    fn end(&self) -> String {
        self.0.clone()
    }
}

/// The version in a model's name: `claude-opus-4-6` is (4, 6). `None` when there is none.
pub(super) fn generation(model: &str) -> Option<(u32, u32)> {
    let numbers = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 2);
    let mut parts = model.split('-').skip_while(|part| numbers(part).is_none());
    let major = parts.next().and_then(numbers)?;
    Some((major, parts.next().and_then(numbers).unwrap_or(0)))
}
