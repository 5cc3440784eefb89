//! The entries of a view as the messages of a request, oldest first.
//!
//! Not here: how one wire writes one message, and how a reply is told to another model (`retell.rs`).

use fanfold_transcript::{Assistant, Block, BlockBody, Body, Content, Protocol};
use serde_json::value::RawValue;

use super::retell::{Told, retell};
use super::shown::shown;
use super::{Endpoint, Form, RequestParts, Thinking};
use crate::ids::RequestIds;
use crate::{plain, results};

/// What a request says of the past.
pub(super) struct Conversation {
    pub(super) messages: Vec<Box<RawValue>>,
    /// Replies of the running tool loop have lost their thinking.
    pub(super) has_lost_thinking: bool,
}

/// Writes the conversation that the request continues.
pub(super) fn write(endpoint: Endpoint, parts: &RequestParts<'_>) -> Conversation {
    let mut writer = Writer {
        endpoint,
        form: endpoint.form(),
        parts,
        ids: RequestIds::new(endpoint.wire()),
        messages: Vec::new(),
        ends_in_results: false,
        has_lost_thinking: false,
    };
    for entry in parts.view.entries() {
        match &entry.body {
            Body::User(user) => writer.user(&user.content),
            Body::Assistant(reply) => match parts.protocol {
                Protocol::Native => writer.reply(reply),
                Protocol::Plain => writer.plain_reply(reply),
            },
        }
    }
    let Writer { messages, has_lost_thinking, .. } = writer;
    Conversation { messages, has_lost_thinking }
}

struct Writer<'a> {
    endpoint: Endpoint,
    form: &'static dyn Form,
    parts: &'a RequestParts<'a>,
    ids: RequestIds,
    messages: Vec<Box<RawValue>>,
    /// The last reply is followed by its results. For Anthropic what a user says next belongs to
    /// the same message, so the tool loop goes on.
    ends_in_results: bool,
    has_lost_thinking: bool,
}

impl Writer<'_> {
    fn user(&mut self, content: &[Content]) {
        let content = shown(content, self.endpoint, self.parts.media);
        let is_blank = |one: &Content| one.as_text().is_some_and(|text| text.trim().is_empty());
        let content: Vec<Content> = content.into_iter().filter(|one| !is_blank(one)).collect();
        if content.is_empty() {
            return;
        }
        self.messages.push(self.form.user(&content));
        self.has_lost_thinking &= self.ends_in_results;
    }

    fn reply(&mut self, reply: &Assistant) {
        let Told { reply, has_lost } = retell(reply, self.endpoint, self.parts);
        let ids = self.ids.of(&reply);
        self.has_lost_thinking |= has_lost || self.lacks_thinking(&reply);
        let said = self.form.reply(&reply, &ids);
        if said.is_empty() {
            return;
        }
        self.messages.extend(said);
        self.ends_in_results = reply.calls().next().is_some();
        if self.ends_in_results {
            let answers = results::answers(&reply).expect("every call of a view has its outcome");
            self.messages.extend(self.form.results(&reply, &answers, &ids));
        }
    }

    /// A model that thinks by budget has to begin each reply of a tool loop with thinking.
    ///
    /// Source: platform.claude.com, "Thinking with tool use": a final assistant message must start
    /// with a thinking block when `thinking` is `enabled`; with `adaptive` it need not.
    fn lacks_thinking(&self, reply: &Assistant) -> bool {
        let by_budget = match self.parts.thinking {
            Thinking::Budget { .. } => self.endpoint == Endpoint::Anthropic,
            Thinking::Off | Thinking::Adaptive { .. } | Thinking::Effort(_) => false,
        };
        let thinks = |block: &Block| matches!(block.body, BlockBody::Thinking(_));
        by_budget && !reply.blocks.first().is_some_and(thinks)
    }

    /// With the plain protocol all is text, so nothing of it has a seal that could be lost.
    fn plain_reply(&mut self, reply: &Assistant) {
        let text = plain::protocol::said(reply);
        if !text.is_empty() {
            let spoken = Assistant::new(reply.source.clone(), vec![Block::text(&text)]);
            let Told { reply, .. } = retell(&spoken, self.endpoint, self.parts);
            self.messages.extend(self.form.reply(&reply, &self.ids.of(&reply)));
        }
        if let Some(results) = plain::protocol::results(reply) {
            self.messages.push(self.form.user(&[Content::text(results)]));
        }
    }
}
