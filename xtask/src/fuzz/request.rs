//! Target `request`: conversations, told in words, one thing a line.
//!
//! Held for any of them: as it grows, every request is one that all four providers take, under
//! either of two names, and its past is byte for byte that of the one before. Not here: what a
//! request should say; the wire crate's own tests have tables of that.

mod providers;
mod told;

use fanfold_testkit::strict::Past;
use fanfold_transcript::{
    Assistant, Block, BlockBody, Body, Content, EntryId, Outcome, Protocol, Transcript, User, View,
};
use fanfold_wire::{Thinking, read_plain};

pub(super) use self::providers::{ASKED, Providers};
use self::told::Words;
pub(super) use self::told::drop_hosted;
use super::search::Target;

pub(super) const TARGET: Target = Target { name: "request", samples, words: &WORDS, check };

/// More lines than this tell nothing new, and each asks all providers.
const LINES_MAX: usize = 16;

const SAMPLES: [&str; 6] = [
    "user look\nreply 0 1 100\nend 1 no such file\nuser and now?\nreply 2 4 100\nreply 4 7 100\nreply 6 10 100",
    "with picture\nuser see\nreply 0 2 70\nend 4 cut\nreply 2 5 70\nuser go on\nreply 4 8 80\nreply 6 11 90\nreply 8 13 100",
    "think 2\nuser go\nsay 0 0 100 {\"say\":[{\"thinking\":\"Hm.\"},{\"text\":\"I look.\"},{\"call\":{\"tool\":\"Ls\"}}]}\nsay 0 0 100 {\"say\":[{\"call\":{\"tool\":\"Ls\"}}]}\nuser stop\nsay 4 2 60 {\"say\":[{\"thinking\":\"Hm.\"},{\"call\":{\"tool\":\"Ls\"}},{\"text\":\"So.\"}]}",
    "user go\nend 0 picture\nend 9 json {\"a\":1}\nsay 6 3 100 {\"say\":[{\"thinking\":\"Hm.\"},{\"call\":{\"tool\":\"a b\",\"id\":\"x\"}},{\"call\":{\"tool\":\"Ls\",\"id\":\"x\",\"arguments\":\"{\"}}],\"stop\":\"output_limit\"}\nend 0\nsay 2 1 100 {\"say\":[{\"text\":\" \"},{\"call\":{\"tool\":\"Ls\",\"id\":\"x\"}}]}",
    "plain\nuser go\nsay 2 1 100 {\"say\":[{\"text\":\"{\\\"tool_name\\\":\\\"Ls\\\",\\\"tool_args\\\":{}}\"}]}\nend 2 pdf\nsay 0 0 100 {\"say\":[{\"thinking\":\"x\"},{\"text\":\"[{\\\"name\\\":\\\"Ls\\\",\\\"input\\\":{}}]\"}]}\nuser and?",
    "think 1\nwith link\nwith gone\nwith odd\nwith document\nwith opaque {}\nuser x\nreply 1 0 100\nreply 3 3 100\nuser y\nreply 5 6 100\nreply 7 9 100",
];

const WORDS: [&str; 32] = [
    "\n",
    "user x\n",
    "user  \n",
    "with picture\n",
    "with pdf\n",
    "with odd\n",
    "with json [1]\n",
    "with opaque {}\n",
    "end 0\n",
    "end 0 inline\n",
    "end 0 pdf\n",
    "end 1 link\n",
    "end 2 \n",
    "end 8 x\n",
    "end 11 x\n",
    "think 0\n",
    "think 1\n",
    "think 2\n",
    "think 3\n",
    "plain\n",
    "reply 0 1 100\n",
    "reply 2 4 100\n",
    "reply 4 7 60\n",
    "reply 6 10 100\n",
    "reply 8 12 100\n",
    "say 0 0 100 {\"say\":[{\"call\":{\"tool\":\"Ls\"}}]}\n",
    "say 2 1 50 {\"say\":[{\"thinking\":\"x\"},{\"call\":{\"tool\":\"Ls\"}}]}\n",
    "say 4 2 100 {\"say\":[{\"thinking\":\"x\"}]}\n",
    "say 6 3 80 {\"say\":[{\"thinking\":\"x\"},{\"call\":{\"tool\":\"Ls\"}}]}\n",
    "{\"thinking\":\"x\"},",
    "{\"text\":\"x \"},",
    "{\"call\":{\"tool\":\"Ls\",\"id\":\"a.b\",\"arguments\":\"[\"}},",
];

fn samples() -> Vec<Vec<u8>> {
    SAMPLES.map(|text| text.as_bytes().to_vec()).into()
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    let mut talk = Talk::default();
    // Every session begins with a message.
    talk.user(vec![Content::text("go")]);
    let mut providers = Providers::new(Past::Identical);
    for line in text.lines().take(LINES_MAX) {
        if talk.take(line) {
            let view = View::of(&talk.transcript, talk.leaf.unwrap_or(EntryId(0)));
            let view = view.map_err(|error| error.to_string())?;
            providers.take(&view, talk.protocol, talk.thinking)?;
        }
    }
    Ok(())
}

/// A conversation in the making.
#[derive(Default)]
struct Talk {
    transcript: Transcript,
    leaf: Option<EntryId>,
    calls: u32,
    protocol: Protocol,
    thinking: Thinking,
    /// What goes with the next message.
    with: Vec<Content>,
    /// How the next calls end; all others are well.
    ends: Vec<Outcome>,
}

impl Talk {
    /// Takes in a line; `true` when it ends where a model is asked.
    fn take(&mut self, line: &str) -> bool {
        let mut words = Words(line);
        match words.word() {
            "with" => self.with.push(told::content(words)),
            "end" => self.ends.push(told::outcome(words)),
            "think" => {
                self.thinking = match words.number(4) {
                    0 => Thinking::Off,
                    1 => Thinking::Adaptive { effort: None },
                    2 => Thinking::Budget { tokens: 2_048 },
                    _ => Thinking::Effort(fanfold_wire::Effort::Low),
                }
            }
            // A session keeps its protocol.
            "plain" if self.transcript.entries().len() == 1 => self.protocol = Protocol::Plain,
            "user" => {
                let mut content = std::mem::take(&mut self.with);
                content.push(Content::text(words.0));
                return self.user(content);
            }
            "reply" => return self.reply(told::recorded(words, self.calls + 1)),
            "say" => return self.reply(told::spoken(words, self.calls + 1)),
            _ => {}
        }
        false
    }

    fn user(&mut self, content: Vec<Content>) -> bool {
        let says = |one: &Content| one.as_text().is_some_and(|text| !text.trim().is_empty());
        // An empty message is no turn.
        let is_said = content.iter().any(says);
        if is_said {
            self.append(Body::User(User { content }));
        }
        is_said
    }

    fn reply(&mut self, reply: Option<Assistant>) -> bool {
        let Some(mut reply) = reply else { return false };
        if self.protocol == Protocol::Plain {
            reply = read_plain(reply, self.calls + 1);
        }
        if reply.blocks.iter().all(says_nothing) {
            return false;
        }
        let count = reply.calls().count();
        for call in reply.calls_mut() {
            let ok = || Outcome::ok_text("done");
            let end = if self.ends.is_empty() { ok() } else { self.ends.remove(0) };
            // A reply has no outcomes of its own.
            drop(call.settle(end));
        }
        self.calls += u32::try_from(count).unwrap_or_default();
        self.append(Body::Assistant(reply));
        count > 0
    }

    fn append(&mut self, body: Body) {
        if let Ok(entry) = self.transcript.append(self.leaf, body) {
            self.leaf = Some(entry);
        }
    }
}

/// A reply of nothing else is asked for again.
fn says_nothing(block: &Block) -> bool {
    match &block.body {
        BlockBody::Content(Content::Text(text)) => text.trim().is_empty(),
        BlockBody::Thinking(_) => true,
        BlockBody::Content(_) | BlockBody::Call(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(lines: &str) -> Talk {
        let mut talk = Talk::default();
        talk.user(vec![Content::text("go")]);
        for line in lines.lines() {
            talk.take(line);
        }
        talk
    }

    #[test]
    fn words_make_a_conversation() {
        let talk = talk("think 2\nend 4 cut\nreply 0 1 100\nwith pdf\nuser and?\nnonsense\nuser ");
        let entries = talk.transcript.entries();
        assert_eq!((entries.len(), talk.ends.len(), talk.with.len()), (3, 0, 0));
        let Body::Assistant(reply) = &entries[1].body else { panic!("a reply comes second") };
        let outcome = reply.calls().next().and_then(|call| call.outcome()).unwrap();
        assert_eq!(outcome.ending.reason(), Some("cut_arguments"));
    }

    #[test]
    fn a_request_that_is_refused_is_told() {
        let talk = talk("reply 0 1 100\nuser and?\nsay 0 0 100 {\"say\":[{\"text\":\"Done.\"}]}");
        let view = View::of(&talk.transcript, talk.leaf.unwrap()).unwrap();
        let mut providers = Providers::new(Past::Identical);
        let said = providers.take(&view, talk.protocol, talk.thinking).unwrap_err();
        // Nothing was said that the model could answer.
        assert!(said.starts_with("anthropic/claude-opus-4-6 says messages"), "{said}");
    }
}
