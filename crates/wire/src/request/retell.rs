//! A past reply as the model that is asked may see it.
//!
//! What is its own stays as it was, less what it would refuse. What somebody else said is told
//! without what only they understand. Not here: ids, which depend on the whole request (`ids.rs`).

use std::borrow::Cow;

use fanfold_transcript::{Assistant, Block, BlockBody, Call, Content, Json, Outcome, Source};
use serde_json::json;

use super::shown::{has_hidden, shown};
use super::{Endpoint, RequestParts};
use crate::gemini;
use crate::media::note;

/// The longest id of another provider that is kept, in bytes. Chat Completions takes no longer one,
/// Responses 64: "Expected a string with maximum length 40".
const FOREIGN_ID_MAX: usize = 40;

/// A reply as it is shown.
pub(super) struct Told<'a> {
    pub(super) reply: Cow<'a, Assistant>,
    /// Thinking of the reply is not shown.
    pub(super) has_lost: bool,
}

/// Tells the reply to the model that is asked.
pub(super) fn retell<'a>(
    reply: &'a Assistant,
    endpoint: Endpoint,
    parts: &RequestParts<'_>,
) -> Told<'a> {
    let teller = Teller { endpoint, parts };
    if !teller.is_own(reply) {
        return Told { reply: Cow::Owned(teller.neutral(reply)), has_lost: true };
    }
    let lost = teller.lost_thinking(reply);
    // Items of Responses belong together by their ids: without its reasoning none of them is kept.
    if !lost.is_empty() && endpoint == Endpoint::OpenaiResponses {
        return Told { reply: Cow::Owned(teller.neutral(reply)), has_lost: true };
    }
    Told { reply: teller.own(reply, &lost), has_lost: !lost.is_empty() }
}

struct Teller<'a> {
    endpoint: Endpoint,
    parts: &'a RequestParts<'a>,
}

impl Teller<'_> {
    /// Whether the model that is asked made the reply. A call without an original was not read from
    /// its wire but from a text.
    fn is_own(&self, reply: &Assistant) -> bool {
        let Source { wire, asked, .. } = &reply.source;
        let has_original = |block: &Block| block.as_call().is_none() || block.original.is_some();
        *wire == self.endpoint.wire()
            && asked.as_deref().is_none_or(|asked| asked == self.parts.asked)
            && reply.blocks.iter().all(has_original)
    }

    /// The places of thinking that would be refused: without its seal, or with nothing behind it.
    ///
    /// Sources: Anthropic, "the final block in an assistant message cannot be `thinking`"; OpenAI,
    /// "item of type 'reasoning' was provided without its required following item".
    fn lost_thinking(&self, reply: &Assistant) -> Vec<usize> {
        let form = self.endpoint.form();
        let thinks = |block: &Block| matches!(block.body, BlockBody::Thinking(_));
        let needs_more = match self.endpoint {
            Endpoint::Anthropic | Endpoint::OpenaiResponses => true,
            Endpoint::OpenaiChat | Endpoint::Gemini => false,
        };
        let said = |block: &Block| !thinks(block) && !is_blank(block);
        let last_said = reply.blocks.iter().rposition(said);
        let dangles = |at: usize| needs_more && last_said.is_none_or(|last| last < at);
        let blocks = reply.blocks.iter().enumerate().filter(|(_, block)| thinks(block));
        blocks.filter(|(at, block)| form.is_lost(block) || dangles(*at)).map(|(at, _)| at).collect()
    }

    /// The reply with its originals, less what is lost.
    fn own<'a>(&self, reply: &'a Assistant, lost: &[usize]) -> Cow<'a, Assistant> {
        let trimmed = self.trimmed(reply);
        let unsealed = self.unsealed(reply);
        let changes = |block: &Block| {
            self.is_void(block) || block.as_call().is_some_and(|call| self.changes(call))
        };
        let is_whole = lost.is_empty() && trimmed.is_none() && unsealed.is_none();
        if is_whole && !reply.blocks.iter().any(changes) {
            return Cow::Borrowed(reply);
        }
        let mut told = Assistant::new(reply.source.clone(), Vec::new());
        for (at, block) in reply.blocks.iter().enumerate() {
            if lost.contains(&at) || self.is_void(block) {
                continue;
            }
            let mut block = block.clone();
            if let BlockBody::Call(call) = &block.body {
                block.body = BlockBody::Call(self.call(call));
            }
            if unsealed == Some(at) {
                block.original = Some(stand_in());
            }
            told.blocks.push(match &trimmed {
                Some((place, text)) if *place == at => Block::text(text),
                Some(_) | None => block,
            });
        }
        Cow::Owned(told)
    }

    /// The first call, where Gemini sent it without the seal that it wants back on it.
    fn unsealed(&self, reply: &Assistant) -> Option<usize> {
        let at = reply.blocks.iter().position(|block| block.as_call().is_some())?;
        let gemini = self.endpoint == Endpoint::Gemini;
        (gemini && reply.blocks[at].signature.is_none()).then_some(at)
    }

    /// Whether this is an empty part, which Gemini sends but does not take back.
    fn is_void(&self, block: &Block) -> bool {
        let is_empty = match &block.body {
            BlockBody::Content(Content::Text(text)) | BlockBody::Thinking(text) => text.is_empty(),
            BlockBody::Content(_) | BlockBody::Call(_) => false,
        };
        self.endpoint == Endpoint::Gemini && is_empty && block.signature.is_none()
    }

    /// The last text, where Anthropic would refuse it for the white space at its end: "final
    /// assistant content cannot end with trailing whitespace". It goes wherever the text stands, so
    /// that past bytes do not depend on what came later.
    fn trimmed<'a>(&self, reply: &'a Assistant) -> Option<(usize, &'a str)> {
        let at = reply.blocks.iter().rposition(|block| !is_blank(block))?;
        let text = plain_text(&reply.blocks[at])?;
        let anthropic = self.endpoint == Endpoint::Anthropic;
        (anthropic && text.trim_end() != text).then(|| (at, text.trim_end()))
    }

    /// The reply as text and calls in the endpoint's own form.
    fn neutral(&self, reply: &Assistant) -> Assistant {
        let mut blocks: Vec<Block> =
            reply.blocks.iter().filter_map(|block| self.neutral_block(block)).collect();
        if let Some(last) = blocks.last_mut()
            && let Some(text) = plain_text(last)
        {
            *last = Block::text(text.trim_end());
        }
        let first_call = blocks.iter_mut().find(|block| block.as_call().is_some());
        if let Some(call) = first_call.filter(|_| self.endpoint == Endpoint::Gemini) {
            call.original = Some(stand_in());
        }
        Assistant::new(Source::new(self.endpoint.wire()), blocks)
    }

    fn neutral_block(&self, block: &Block) -> Option<Block> {
        if is_blank(block) {
            return None;
        }
        match &block.body {
            BlockBody::Thinking(_) | BlockBody::Content(Content::Opaque(_)) => None,
            BlockBody::Content(Content::Text(text)) => Some(Block::text(text)),
            BlockBody::Content(Content::Json(json)) => Some(Block::text(json.text())),
            // No endpoint takes media as something that the model said.
            BlockBody::Content(Content::Image(media) | Content::Document(media)) => {
                Some(Block::text(&note(media)))
            }
            BlockBody::Call(call) => {
                let mut call = self.call(call);
                call.wire_id = call.wire_id.filter(|id| id.len() <= FOREIGN_ID_MAX);
                Some(Block::call(call))
            }
        }
    }

    /// Whether something of the call cannot be shown as it is.
    fn changes(&self, call: &Call) -> bool {
        let hides =
            |outcome: &Outcome| outcome.is_ok() && has_hidden(&outcome.content, self.endpoint);
        call.tool != legal_name(&call.tool, self.endpoint) || call.outcome().is_some_and(hides)
    }

    fn call(&self, call: &Call) -> Call {
        if !self.changes(call) {
            return call.clone();
        }
        let tool = legal_name(&call.tool, self.endpoint);
        let mut told = Call::new(call.id, &tool, call.arguments.clone());
        told.wire_id.clone_from(&call.wire_id);
        told.sent.clone_from(&call.sent);
        if let Some(outcome) = call.outcome() {
            let mut outcome = outcome.clone();
            // Of a result that is not ok, no media are shown at all.
            if outcome.is_ok() {
                outcome.content = shown(&outcome.content, self.endpoint, self.parts.media);
            }
            told.settle(outcome).expect("a new call has no outcome");
        }
        told
    }
}

/// What stands in Gemini's part beside a call that it has not sealed.
fn stand_in() -> Json {
    Json::of(&json!({ gemini::SIGNATURE: gemini::STAND_IN }))
}

/// The name of a tool, which a model may have made up, as every provider takes it back.
fn legal_name(name: &str, endpoint: Endpoint) -> Box<str> {
    let (more, length_max) = match endpoint {
        Endpoint::Anthropic => ("_-", 128),
        Endpoint::OpenaiChat | Endpoint::OpenaiResponses => ("_-", 64),
        Endpoint::Gemini => ("_-.:", 64),
    };
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_' || endpoint != Endpoint::Gemini;
    let legal = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
    let letters = name.chars().take(length_max).enumerate();
    letters.map(|(at, c)| if legal(c) && (at > 0 || begins(c)) { c } else { '_' }).collect()
}

fn plain_text(block: &Block) -> Option<&str> {
    match &block.body {
        BlockBody::Content(Content::Text(text)) => Some(text),
        BlockBody::Content(_) | BlockBody::Thinking(_) | BlockBody::Call(_) => None,
    }
}

fn is_blank(block: &Block) -> bool {
    plain_text(block).is_some_and(|text| text.trim().is_empty())
}
