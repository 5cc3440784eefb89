//! Which reply of a script answers a request, and what goes wrong first.
//!
//! Not here: the bytes of a reply (`encode.rs`).

use std::sync::{Mutex, PoisonError};

use fanfold_transcript::{Json, Usage, Wire};

use super::encode::{Answer, Chunk, End, Saying, encode};
use super::format::{
    Break, RawChunk, ReplyBody, Said, Script, ScriptedFault, ScriptedReply, Spoken,
};
use super::refusal;
use super::request::{Request, tokens_of};

/// A script being played: it remembers which replies and faults were used.
#[derive(Debug)]
pub struct Player {
    script: Script,
    /// For each reply of the script.
    used: Mutex<Vec<Used>>,
}

/// What was used up of a reply.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    faults: usize,
    answered: bool,
}

/// A reply that was chosen, and the fault that is given in its place.
struct Chosen<'a> {
    reply: &'a ScriptedReply,
    fault: Option<&'a ScriptedFault>,
}

impl Player {
    /// Plays the script from its start.
    #[must_use]
    pub fn new(script: Script) -> Self {
        let used = Mutex::new(vec![Used::default(); script.replies.len()]);
        Self { script, used }
    }

    /// The script.
    #[must_use]
    pub const fn script(&self) -> &Script {
        &self.script
    }

    /// Answers a request in the wire it came in; `seal` as in [`Saying`].
    ///
    /// The first reply answers whose condition holds and which is not used up; else the one of the
    /// request's number: of the replies without a condition, a request that holds `n` replies of
    /// the model gets the `n`-th, counted from 0.
    pub fn answer(&self, wire: Wire, body: &Json, seal: &dyn Fn(&str) -> String) -> Answer {
        let request = Request::new(wire, body);
        let Some(Chosen { reply, fault }) = self.choose(&request) else {
            return refusal::refused(wire, &self.none_left(request.replies));
        };
        let tag = request.fresh_tag();
        let speak = |spoken: &Spoken, break_at| {
            let usage = usage(spoken, request.tokens);
            let saying = Saying { model: &self.script.model, tag: &tag, usage, seal };
            encode(wire, spoken, break_at, &saying)
                .unwrap_or_else(|| refusal::refused(wire, &format!("a script cannot speak {wire}")))
        };
        match fault {
            Some(ScriptedFault::Status(fault)) => refusal::answer(wire, fault),
            Some(ScriptedFault::Silent { ms }) => Answer::Silent { ms: *ms },
            Some(ScriptedFault::Empty) => speak(&Spoken::default(), None),
            Some(ScriptedFault::PromptTooLong { above_tokens }) => {
                refusal::too_long(wire, request.tokens, *above_tokens)
            }
            Some(ScriptedFault::Broken(at)) => self.body(wire, &reply.body, Some(*at), speak),
            None => self.body(wire, &reply.body, None, speak),
        }
    }

    fn body(
        &self,
        wire: Wire,
        body: &ReplyBody,
        break_at: Option<Break>,
        speak: impl Fn(&Spoken, Option<Break>) -> Answer,
    ) -> Answer {
        match body {
            ReplyBody::Spoken(spoken) => speak(spoken, break_at),
            ReplyBody::Raw { .. } if wire != self.script.wire => {
                let own = self.script.wire;
                refusal::refused(wire, &format!("this reply was recorded from {own}, not {wire}"))
            }
            ReplyBody::Raw { chunks, broken } => replay(chunks, *broken, break_at),
            // Only a fault leads here: the connection breaks before anything is said.
            ReplyBody::FaultsOnly => Answer::Stream { chunks: Vec::new(), end: End::Broken },
        }
    }

    /// Chooses, and uses up what is given.
    fn choose(&self, request: &Request<'_>) -> Option<Chosen<'_>> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let replies = || self.script.replies.iter().zip(used.iter());
        let fits = |(reply, used): (&ScriptedReply, &Used)| {
            reply.when.as_ref().is_some_and(|when| {
                (reply.repeat || !used.answered)
                    && is_left(reply, *used, request)
                    && request.fits(when)
            })
        };
        let chosen = replies().position(fits).or_else(|| self.numbered(request.replies))?;
        let (reply, used) = (self.script.replies.get(chosen)?, used.get_mut(chosen)?);
        let fault = next_fault(reply, *used, request);
        if fault.is_none() && reply.body == ReplyBody::FaultsOnly {
            return None;
        }
        match fault {
            Some(ScriptedFault::PromptTooLong { .. }) => {}
            Some(
                ScriptedFault::Status(_)
                | ScriptedFault::Broken(_)
                | ScriptedFault::Silent { .. }
                | ScriptedFault::Empty,
            ) => used.faults += 1,
            None => used.answered = true,
        }
        Some(Chosen { reply, fault })
    }

    /// The place of the `n`-th reply without a condition, or of the last one that repeats.
    fn numbered(&self, n: usize) -> Option<usize> {
        let mut numbered =
            self.script.replies.iter().enumerate().filter(|(_, one)| one.when.is_none());
        let last = numbered.clone().next_back().filter(|(_, one)| one.repeat);
        numbered.nth(n).or(last).map(|(at, _)| at)
    }

    fn none_left(&self, n: usize) -> String {
        if self.numbered(n).is_some() {
            return format!("reply number {n} of the script is faults alone, and they are used up");
        }
        let count = self.script.replies.iter().filter(|one| one.when.is_none()).count();
        format!(
            "the script has no reply left for this request: no condition holds, and of the \
             replies without one it asks for number {n} (from 0), but there are {count}"
        )
    }
}

/// Whether the reply has anything to give to this request.
fn is_left(reply: &ScriptedReply, used: Used, request: &Request<'_>) -> bool {
    reply.body != ReplyBody::FaultsOnly || next_fault(reply, used, request).is_some()
}

/// The fault that is given next, if any: a prompt that is too long before all others.
fn next_fault<'a>(
    reply: &'a ScriptedReply,
    used: Used,
    request: &Request<'_>,
) -> Option<&'a ScriptedFault> {
    let limit = |fault: &ScriptedFault| match fault {
        ScriptedFault::PromptTooLong { above_tokens } => Some(*above_tokens),
        ScriptedFault::Status(_)
        | ScriptedFault::Broken(_)
        | ScriptedFault::Silent { .. }
        | ScriptedFault::Empty => None,
    };
    let too_long =
        |fault: &&ScriptedFault| limit(fault).is_some_and(|limit| request.tokens > limit);
    let passing: Vec<_> = reply.faults.iter().filter(|fault| limit(fault).is_none()).collect();
    // A reply of faults alone that repeats begins them anew.
    let again = reply.repeat && reply.body == ReplyBody::FaultsOnly && !passing.is_empty();
    let next = if again { used.faults % passing.len() } else { used.faults };
    reply.faults.iter().find(too_long).or_else(|| passing.get(next).copied())
}

/// A recorded stream as it came; its chunks are its pieces.
fn replay(raw: &[RawChunk], broken: bool, break_at: Option<Break>) -> Answer {
    let whole = break_at.map_or(raw.len(), |at| at.after.min(raw.len()));
    let chunk = |one: &RawChunk| Chunk { at_ms: one.at_ms, bytes: one.bytes.as_bytes().to_vec() };
    let mut chunks: Vec<Chunk> = raw[..whole].iter().map(chunk).collect();
    let torn = raw.get(whole).filter(|_| break_at.is_some_and(|at| at.mid_piece));
    chunks.extend(torn.map(|one| {
        let half = one.bytes.as_bytes()[..one.bytes.len() / 2].to_vec();
        Chunk { at_ms: one.at_ms, bytes: half }
    }));
    let end = if broken || break_at.is_some() { End::Broken } else { End::Whole };
    Answer::Stream { chunks, end }
}

/// The cost as the script says, else estimated.
fn usage(spoken: &Spoken, input: u64) -> Usage {
    let bytes = spoken.pieces.iter().map(|piece| match &piece.said {
        Said::Text(text) | Said::Thinking(text) => text.len(),
        Said::Call(call) => call.tool.len() + call.arguments_text().len(),
    });
    let output = tokens_of(bytes.sum()).max(1);
    let said = spoken.usage;
    Usage { input: said.input.or(Some(input)), output: said.output.or(Some(output)), ..said }
}
