//! The strict providers, and whether all of them take the next request of a conversation.
//!
//! Each wire is asked under two names, since what a request says depends on who is asked. Not here:
//! the rules, which come with the test kit.

use fanfold_testkit::strict::{Memory, Past, Seals, check};
use fanfold_transcript::{Protocol, Sha256, View};
use fanfold_wire::{
    Endpoint, MediaBytes, RequestParts, RequestWriter, Thinking, ToolDefinition, write_request,
};
use serde_json::json;

/// The names under which models are asked: an endpoint has two.
pub(in crate::fuzz) const ASKED: [&str; 8] = [
    "anthropic/claude-opus-4-6",
    "anthropic/other",
    "openai-chat/gpt-5.5",
    "openai-chat/other",
    "openai/gpt-5",
    "openai/other",
    "gemini/gemini-3.8-flash",
    "gemini/other",
];

/// A stored picture or document whose bytes are there.
pub(in crate::fuzz) const KEPT: Sha256 = Sha256([7; 32]);

struct Media;

impl MediaBytes for Media {
    fn base64(&self, sha256: &Sha256) -> Option<String> {
        (*sha256 == KEPT).then(|| "UElD".to_owned())
    }
}

/// Providers that remember what they were asked.
pub(in crate::fuzz) struct Providers {
    seats: Vec<Seat>,
}

struct Seat {
    endpoint: Endpoint,
    asked: &'static str,
    memory: Memory,
    writer: RequestWriter,
}

impl Providers {
    /// Any seal will do for them: those of recordings were made elsewhere.
    pub(in crate::fuzz) fn new(past: Past) -> Self {
        let endpoints = Endpoint::ALL.into_iter().flat_map(|endpoint| [endpoint; 2]);
        let seat = |(endpoint, asked)| {
            let memory = Memory::new(past, Seals::Any);
            Seat { endpoint, asked, memory, writer: RequestWriter::default() }
        };
        Self { seats: endpoints.zip(ASKED).map(seat).collect() }
    }

    /// Asks them all to go on with this conversation.
    ///
    /// # Errors
    /// Who refuses what, and the request; or that going on from the last one gives another.
    pub(in crate::fuzz) fn take(
        &mut self,
        view: &View<'_>,
        protocol: Protocol,
        thinking: Thinking,
    ) -> Result<(), String> {
        let schema = json!({"type": "object"});
        let tool = |name| ToolDefinition { name, description: "A tool.", input_schema: &schema };
        let tools = [tool("Ls"), tool("ReadFile")];
        for Seat { endpoint, asked, memory, writer } in &mut self.seats {
            let parts = RequestParts {
                model: asked.split('/').next_back().unwrap_or_default(),
                asked,
                system: "Be brief.",
                tools: &tools,
                view,
                max_output: None,
                thinking,
                protocol,
                media: &Media,
                cache_key: "session",
            };
            let body = write_request(*endpoint, &parts);
            if writer.write(*endpoint, &parts) != body {
                return Err(format!("{asked}: going on differs from {}", body.text()));
            }
            check(endpoint.wire(), body.text().as_bytes(), memory)
                .map_err(|refusal| format!("{asked} says {refusal}, to {}", body.text()))?;
        }
        Ok(())
    }
}
