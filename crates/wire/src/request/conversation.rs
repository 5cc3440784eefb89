//! The entries of a view as the messages of a request, oldest first.
//!
//! Not here: how one wire writes one message, and how a reply is told to another model (`retell.rs`).

use fanfold_transcript::{Assistant, Block, BlockBody, Body, Content, Entry, EntryId, Protocol};
use serde_json::value::RawValue;

use super::retell::{Told, retell};
use super::shown::shown;
use super::{Endpoint, Form, RequestParts, Thinking};
use crate::ids::RequestIds;
use crate::{plain, results};

/// What stands for a message that has to be there.
const UNSAID: &str = "[What was said here cannot be shown.]";

/// What requests to one model say of the past, as far as it was written.
#[derive(Debug)]
pub(super) struct Conversation {
    reader: Reader,
    entries: Vec<EntryId>,
    ids: RequestIds,
    pub(super) messages: Vec<Box<RawValue>>,
    /// The last reply is followed by its results. For Anthropic what a user says next belongs to
    /// the same message, so the tool loop goes on.
    ends_in_results: bool,
    /// How many messages there were after the last reply without results.
    replied: usize,
    /// Replies of the running tool loop have lost their thinking.
    pub(super) has_lost_thinking: bool,
}

/// All that messages depend on beside their entries.
#[derive(Debug, PartialEq)]
struct Reader {
    endpoint: Endpoint,
    asked: Box<str>,
    protocol: Protocol,
    thinking: Thinking,
}

impl Reader {
    fn of(endpoint: Endpoint, parts: &RequestParts<'_>) -> Self {
        let RequestParts { protocol, thinking, .. } = *parts;
        Self { endpoint, asked: parts.asked.into(), protocol, thinking }
    }
}

impl Conversation {
    /// Nothing yet.
    pub(super) fn new(endpoint: Endpoint, parts: &RequestParts<'_>) -> Self {
        Self {
            reader: Reader::of(endpoint, parts),
            entries: Vec::new(),
            ids: RequestIds::new(endpoint.wire()),
            messages: Vec::new(),
            ends_in_results: false,
            replied: 0,
            has_lost_thinking: false,
        }
    }

    /// Whether this request continues what is written.
    pub(super) fn is_continued_by(&self, endpoint: Endpoint, parts: &RequestParts<'_>) -> bool {
        let shown = parts.view.entries();
        let begins = shown.iter().map(|entry| entry.id).take(self.entries.len());
        self.reader == Reader::of(endpoint, parts) && begins.eq(self.entries.iter().copied())
    }

    /// Writes the entries that are not written yet.
    pub(super) fn go_on(&mut self, parts: &RequestParts<'_>) {
        let endpoint = self.reader.endpoint;
        let new = &parts.view.entries()[self.entries.len()..];
        let mut writer = Writer { endpoint, form: endpoint.form(), parts, past: self };
        new.iter().for_each(|entry| writer.entry(entry));
    }
}

struct Writer<'a> {
    endpoint: Endpoint,
    form: &'static dyn Form,
    parts: &'a RequestParts<'a>,
    past: &'a mut Conversation,
}

impl Writer<'_> {
    fn entry(&mut self, entry: &Entry) {
        match &entry.body {
            Body::User(user) => self.user(&user.content),
            Body::Assistant(reply) => match self.parts.protocol {
                Protocol::Native => self.reply(reply),
                Protocol::Plain => self.plain_reply(reply),
            },
        }
        self.past.entries.push(entry.id);
    }

    fn user(&mut self, content: &[Content]) {
        let content = shown(content, self.endpoint, self.parts.media);
        let is_blank = |one: &Content| one.as_text().is_some_and(|text| text.trim().is_empty());
        let content: Vec<Content> = content.into_iter().filter(|one| !is_blank(one)).collect();
        if content.is_empty() {
            return;
        }
        self.past.messages.push(self.form.user(&content));
        self.past.has_lost_thinking &= self.past.ends_in_results;
    }

    fn reply(&mut self, reply: &Assistant) {
        let Told { reply, has_lost } = retell(reply, self.endpoint, self.parts);
        let ids = self.past.ids.of(&reply);
        self.past.has_lost_thinking |= has_lost || self.lacks_thinking(&reply);
        let said = self.form.reply(&reply, &ids);
        if said.is_empty() {
            return;
        }
        self.follow_the_user();
        self.past.messages.extend(said);
        self.past.ends_in_results = reply.calls().next().is_some();
        if self.past.ends_in_results {
            let answers = results::answers(&reply).expect("every call of a view has its outcome");
            self.past.messages.extend(self.form.results(&reply, &answers, &ids));
        } else {
            self.past.replied = self.past.messages.len();
        }
    }

    /// Anthropic wants the user to begin, and Gemini a call to follow the user or results. Where what
    /// was said is lost with a line of the journal, or a provider had paused, nothing would be there.
    fn follow_the_user(&mut self) {
        let is_bare =
            self.endpoint == Endpoint::Gemini && self.past.messages.len() == self.past.replied;
        if self.past.messages.is_empty() || is_bare {
            self.past.messages.push(self.form.user(&[Content::text(UNSAID)]));
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
            self.follow_the_user();
            self.past.messages.extend(self.form.reply(&reply, &self.past.ids.of(&reply)));
            self.past.replied = self.past.messages.len();
        }
        if let Some(results) = plain::protocol::results(reply) {
            self.past.messages.push(self.form.user(&[Content::text(results)]));
        }
    }
}
