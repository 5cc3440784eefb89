//! Plain calls as the way in which a whole conversation is held.
//!
//! The model is told in the system prompt how to call, writes its calls as text, and reads the
//! results as text. Not here: the shapes of a call (`plain.rs`).

use std::fmt::Write as _;

use fanfold_transcript::{Assistant, Block, BlockBody, Reading};

use crate::arguments;
use crate::call_text;
use crate::decoder::Limits;
use crate::definitions::ToolDefinition;
use crate::literal::{self, Literal};
use crate::live::CallIds;

/// How a model calls, when it knows nothing of tools.
const HOW: &str = r#"# Tools

To call a tool, answer with nothing but JSON: one object, or an array of objects for several calls.

{"tool_name": "NAME", "tool_args": {"ARGUMENT": "VALUE"}}

Calls of one array run at the same time where they do not touch the same things. You get the results as an array in the order of the calls, each with its "outcome" and its "result". An answer that holds no call ends your turn.

These are the tools, each with the JSON Schema of its arguments:
"#;

/// The system prompt with a description of the tools behind it.
pub(crate) fn describe(system: &str, tools: &[ToolDefinition<'_>]) -> String {
    if tools.is_empty() {
        return system.to_owned();
    }
    let system = system.trim_end();
    let gap = if system.is_empty() { "" } else { "\n\n" };
    let mut text = format!("{system}{gap}{HOW}");
    for ToolDefinition { name, description, input_schema } in tools {
        let described = write!(text, "\n## {name}\n{}\n{input_schema}\n", description.trim());
        described.expect("a string takes any text");
    }
    text
}

/// What the model said, with its calls: they stand in its text, or are written behind it where it
/// called in another protocol. Empty when it said nothing.
pub(crate) fn said(reply: &Assistant) -> String {
    let text = reply.text();
    let called_apart =
        reply.blocks.iter().any(|block| block.as_call().is_some() && block.original.is_some());
    if called_apart {
        let calls = super::write(reply);
        return format!("{text}\n{calls}").trim_start().to_owned();
    }
    if text.trim().is_empty() { String::new() } else { text }
}

/// The results of the reply's calls; `None` when it made none.
pub(crate) fn results(reply: &Assistant) -> Option<String> {
    reply.calls().next()?;
    let results = super::write_results(reply).expect("every call of a view has its outcome");
    Some(results.get().to_owned())
}

/// Finds the calls that a model wrote as text: see [`Protocol::Plain`](crate::Protocol::Plain).
///
/// The text is calls in one of the forms that [`decode`](crate::decode) reads, or it has code fences
/// that hold nothing but calls as JSON, with any text around them. The calls become blocks behind the
/// text, numbered from `first_call`, and the text stays: what goes back to the model is what it wrote.
/// A reply without such calls, or with calls of its provider's own, comes back as it is; so does one
/// in which a call cannot be read, for nothing is ever half read.
#[must_use]
pub fn read_plain(mut reply: Assistant, first_call: u32) -> Assistant {
    if reply.calls().next().is_none() {
        let text = reply.text();
        let calls = whole(&text, first_call).unwrap_or_else(|| fenced(&text, first_call));
        reply.blocks.extend(calls);
    }
    reply
}

/// The calls, where all of the text is calls.
fn whole(text: &str, first_call: u32) -> Option<Vec<Block>> {
    let literal = literal::find(text).ok().or_else(|| call_text::find(text))?;
    let reading = literal.reading;
    read(&literal, first_call, reading)
}

/// The calls in all code fences that hold calls, in their order.
fn fenced(text: &str, first_call: u32) -> Vec<Block> {
    let mut calls: Vec<Block> = Vec::new();
    for inside in fences(text) {
        let Ok(literal) = literal::find(&inside) else { continue };
        let count = u32::try_from(calls.len()).unwrap_or(u32::MAX);
        let reading = literal.reading.max(Reading::Unwrapped);
        calls.extend(read(&literal, first_call.saturating_add(count), reading).unwrap_or_default());
    }
    calls
}

/// What stands between the lines that begin with three backticks.
fn fences(text: &str) -> Vec<String> {
    let (mut fences, mut open) = (Vec::new(), None::<String>);
    for line in text.lines() {
        let is_border = line.trim_start().starts_with("```");
        match &mut open {
            Some(_) if is_border => fences.extend(open.take()),
            Some(inside) => {
                inside.push_str(line);
                inside.push('\n');
            }
            None if is_border => open = Some(String::new()),
            None => {}
        }
    }
    fences
}

/// The blocks of the calls. They have no original: what the model wrote is the text.
fn read(literal: &Literal, first_call: u32, reading: Reading) -> Option<Vec<Block>> {
    let ids = CallIds::new(first_call, Limits::default());
    let mut calls = super::read(literal, ids).ok()?;
    calls.calls_mut().for_each(|call| arguments::note(call, reading));
    let without_original = |block: Block| match block.body {
        BlockBody::Call(_) => Block::new(block.body),
        BlockBody::Content(_) | BlockBody::Thinking(_) => block,
    };
    Some(calls.blocks.into_iter().map(without_original).collect())
}
