//! Journals of sessions of our own making.
//!
//! Not here: how a journal is written to a disk; the store does that.

use fanfold_transcript::{
    Assistant, CallId, Content, Decline, Ending, EntryId, Fact, Failure, MessageId, OfferedTool,
    Outcome, Process, Prompt, Protocol, Session, SessionId, Speaker, Spent, StepId, TurnEnd,
};
use fanfold_wire::decode;
use serde_json::json;

use crate::fuzz::decode::RECORDINGS;
use crate::fuzz::request::{ASKED, drop_hosted};

/// Recorded replies, and who was asked for each: one session a row.
const SESSIONS: [&[(usize, usize)]; 4] =
    [&[(0, 0), (1, 0)], &[(4, 2), (5, 2), (7, 4)], &[(10, 6), (11, 6), (1, 0)], &[(7, 4), (13, 8)]];

pub(super) fn samples() -> Vec<Vec<u8>> {
    SESSIONS.iter().map(|replies| Writer::session(replies)).collect()
}

/// A journal in the making.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    seq: u64,
    entry: u32,
    calls: u32,
}

impl Writer {
    /// A turn for each reply; of the last one's calls none has its outcome.
    fn session(replies: &[(usize, usize)]) -> Vec<u8> {
        let mut writer = Self::default();
        writer.begin();
        for (&(recording, who), n) in replies.iter().zip(1..) {
            let is_last = usize::try_from(n) == Ok(replies.len());
            writer.turn(n, recording, who, is_last);
        }
        writer.bytes
    }

    fn note(&mut self, fact: &Fact) {
        self.seq += 1;
        let fact = serde_json::to_string(fact).unwrap_or_default();
        let head = format!("{{\"v\":1,\"seq\":{0},\"t_ms\":{0},\"agent\":\"a0\",", self.seq);
        self.bytes.extend_from_slice(format!("{head}{}\n", &fact[1..]).as_bytes());
    }

    fn begin(&mut self) {
        let Ok(session) = "20261130-171859-k3f9".parse::<SessionId>() else { return };
        self.note(&Fact::Session(Session {
            session,
            workspace: "/w".into(),
            version: "0.1.0".into(),
            began_unix_ms: 1,
            seed: 7,
            boot: "b".into(),
        }));
        self.note(&Fact::Prompt(Prompt {
            system: "Be brief.".into(),
            tools: vec![OfferedTool {
                name: "Ls".into(),
                description: "Lists.".into(),
                input_schema: fanfold_transcript::Json::of(&json!({"type": "object"})),
            }],
            protocol: Protocol::Native,
        }));
    }

    fn next_entry(&mut self) -> (EntryId, Option<EntryId>) {
        self.entry += 1;
        (EntryId(self.entry), (self.entry > 1).then(|| EntryId(self.entry - 1)))
    }

    fn turn(&mut self, n: u32, recording: usize, who: usize, is_last: bool) {
        let (message, step) = (MessageId(n), StepId(n));
        let content = vec![Content::text(format!("Message {n}."))];
        self.note(&Fact::Said { message, by: Speaker::User, content });
        let (entry, parent) = self.next_entry();
        self.note(&Fact::User { entry, parent, message });
        let asked: Option<Box<str>> = ASKED.get(who).map(|&asked| asked.into());
        let model = asked.clone().unwrap_or_else(|| "m".into());
        self.note(&Fact::Request { step, attempt: 1, model: model.clone() });
        let Ok(mut reply) = decode(RECORDINGS[recording], None, self.calls + 1) else { return };
        reply.source.asked = asked;
        drop_hosted(&mut reply);
        let calls: Vec<CallId> = reply.calls().map(|call| call.id).collect();
        self.calls += u32::try_from(calls.len()).unwrap_or_default();
        self.streamed(step, &reply, is_last);
        if is_last && n.is_multiple_of(2) {
            return;
        }
        let usage = reply.usage;
        let (entry, parent) = self.next_entry();
        self.note(&Fact::Reply { step, entry, parent, reply });
        self.note(&Fact::Usage(Spent {
            step,
            model,
            request_id: None,
            usage,
            cost_usd: Some(0.1),
        }));
        if !is_last {
            self.settle(&calls);
            self.note(&Fact::Turn(TurnEnd::Final { text: "Done.".into(), data: None }));
        }
    }

    /// The first call starts while the reply streams.
    fn streamed(&mut self, step: StepId, reply: &Assistant, is_last: bool) {
        let Some(first) = reply.blocks.iter().position(|block| block.as_call().is_some()) else {
            return;
        };
        let blocks = reply.blocks[..=first].to_vec();
        let Some(call) = blocks[first].as_call().map(|call| call.id) else { return };
        self.note(&Fact::Part { step, source: reply.source.clone(), blocks });
        self.note(&Fact::Started { call });
        self.note(&Fact::Process(Process { call, pid: 9, group: 9, start_ticks: 9 }));
        if !is_last {
            self.note(&Fact::Seen { call, sights: vec![json!({"file": "a"})] });
            self.note(&Fact::Settled { call, outcome: Outcome::ok_text("a.rs") });
        }
    }

    /// All outcomes but the first one's, which came earlier.
    fn settle(&mut self, calls: &[CallId]) {
        let endings = [Ending::Failed(Failure::ToolError), Ending::Declined(Decline::BadArguments)];
        for (&call, ending) in calls.iter().skip(1).zip(endings.into_iter().cycle()) {
            self.note(&Fact::Answered { call, allowed: true });
            self.note(&Fact::Settled { call, outcome: Outcome::of_text(ending, "no") });
        }
    }
}
