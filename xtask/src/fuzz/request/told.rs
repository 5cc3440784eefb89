//! One line of a conversation in words: what is said, by whom, and how calls end.
//!
//! Any line means something or nothing, so that damaged ones are conversations too. Not here: what
//! follows from it (`request.rs`).

use fanfold_model::Script;
use fanfold_model::script::{Answer, ReplyBody, Saying, encode};
use fanfold_transcript::{
    Assistant, Block, BlockBody, Content, Decline, Ending, Failure, Interruption, Json, Media,
    MediaSource, Outcome, Sha256, Skip, Source, Stop, Usage, Wire,
};
use fanfold_wire::{Decoder, Endpoint, Progress, decode};

use super::providers::{ASKED, KEPT};
use crate::fuzz::decode::RECORDINGS;

/// How a call may end.
const ENDINGS: [Ending; 12] = [
    Ending::Ok,
    Ending::Failed(Failure::ToolError),
    Ending::Failed(Failure::ExitCode),
    Ending::Failed(Failure::Panicked),
    Ending::Declined(Decline::CutArguments),
    Ending::Declined(Decline::DeniedByUser),
    Ending::Cancelled,
    Ending::TimedOut,
    Ending::Interrupted(Interruption::Stopped),
    Ending::Interrupted(Interruption::Crashed),
    Ending::Skipped(Skip::Stopped),
    Ending::Skipped(Skip::Aborted),
];

/// Cache marks as recordings have them.
const MARKS: [&str; 2] =
    [r#", "cache_control": {"type": "ephemeral"}"#, r#","cache_control":{"type":"ephemeral"}"#];

/// The words of a line, one after the other.
pub(super) struct Words<'a>(pub(super) &'a str);

impl<'a> Words<'a> {
    pub(super) fn word(&mut self) -> &'a str {
        let (word, rest) = self.0.split_once(' ').unwrap_or((self.0, ""));
        self.0 = rest;
        word
    }

    /// A number below `bound`; 0 where there is none.
    pub(super) fn number(&mut self, bound: usize) -> usize {
        self.word().parse::<usize>().unwrap_or_default() % bound.max(1)
    }
}

/// A piece of content by its name; text where it has none.
pub(super) fn content(mut words: Words<'_>) -> Content {
    let stored = |sha256| MediaSource::Stored { sha256, bytes: 3 };
    let media = |media_type: &str, source| Media { media_type: media_type.into(), source };
    let inline = || MediaSource::Inline { base64: "UElD".into() };
    let whole = words.0;
    match words.word() {
        "picture" => Content::Image(media("image/png", stored(KEPT))),
        "gone" => Content::Image(media("image/png", stored(Sha256([8; 32])))),
        "inline" => Content::Image(media("image/webp", inline())),
        "odd" => Content::Image(media("image/tiff", inline())),
        "link" => {
            Content::Image(media("image/gif", MediaSource::Link { url: "https://x/y.gif".into() }))
        }
        "pdf" => Content::Document(media("application/pdf", stored(KEPT))),
        "document" => Content::Document(media("text/plain", inline())),
        "json" => Json::parse(words.0).map_or_else(|_| Content::text(whole), Content::Json),
        "opaque" => Json::parse(words.0).map_or_else(|_| Content::text(whole), Content::Opaque),
        _ => Content::text(whole),
    }
}

/// `KIND` and a piece of content; without one there is none.
pub(super) fn outcome(mut words: Words<'_>) -> Outcome {
    let ending = ENDINGS[words.number(ENDINGS.len())];
    let mut outcome = Outcome::of_text(ending, "");
    outcome.content = match words.0 {
        "" => Vec::new(),
        text => vec![content(Words(text)), Content::text(text)],
    };
    outcome.exit_code = (ending == Ending::Failed(Failure::ExitCode)).then_some(3);
    outcome
}

/// `WHO RECORDING PERCENT`: so much of a recorded reply.
pub(super) fn recorded(mut words: Words<'_>, first_call: u32) -> Option<Assistant> {
    let (who, which, percent) =
        (words.number(9), words.number(RECORDINGS.len()), words.number(101));
    // No provider marks its own calls; a recording that does would soon hold too many marks.
    let marked = String::from_utf8_lossy(RECORDINGS[which]).into_owned();
    let unmarked = MARKS.iter().fold(marked, |text, mark| text.replace(mark, ""));
    let bytes = unmarked.as_bytes();
    heard(&bytes[..bytes.len() * percent / 100], None, who, first_call)
}

/// `WHO WIRE PERCENT REPLY`: so much of a reply as scripts write it.
pub(super) fn spoken(mut words: Words<'_>, first_call: u32) -> Option<Assistant> {
    let (who, wire) = (words.number(9), Endpoint::ALL[words.number(4)].wire());
    let percent = words.number(101);
    let script = Script::parse(&format!("{{\"replies\":[{}]}}", words.0)).ok()?;
    let ReplyBody::Spoken(spoken) = &script.replies.first()?.body else { return None };
    // Only a few tags, so that ids come again.
    let tag = format!("t{}", first_call % 3);
    let seal = |_: &str| "c2VhbGVk".to_owned();
    let saying = Saying { model: "m", tag: &tag, usage: Usage::default(), seal: &seal };
    let Answer::Stream { chunks, .. } = encode(wire, spoken, None, &saying)? else { return None };
    let bytes: Vec<u8> = chunks.into_iter().flat_map(|chunk| chunk.bytes).collect();
    heard(&bytes[..bytes.len() * percent / 100], Some(wire), who, first_call)
}

/// What an agent keeps of these bytes of a reply: all of one that came to its end, else the calls
/// that could start and what stands in front of them.
fn heard(bytes: &[u8], wire: Option<Wire>, who: usize, first_call: u32) -> Option<Assistant> {
    let mut reply = decode(bytes, wire, first_call).ok();
    if reply.as_ref().is_none_or(|reply| reply.stop == Stop::Unfinished) {
        reply = begun(bytes, wire, first_call);
    }
    let mut reply = reply?;
    // The last one is nobody.
    reply.source.asked = ASKED.get(who).map(|&asked| asked.into());
    drop_hosted(&mut reply);
    Some(reply)
}

/// Leaves out what a provider's own tools did: the strict ones offer none, so they take none.
pub(in crate::fuzz) fn drop_hosted(reply: &mut Assistant) {
    let is_hosted = |block: &Block| matches!(block.body, BlockBody::Content(Content::Opaque(_)));
    reply.blocks.retain(|block| !is_hosted(block));
}

fn begun(bytes: &[u8], wire: Option<Wire>, first_call: u32) -> Option<Assistant> {
    let mut decoder = Decoder::new(wire, first_call);
    let mut blocks = Vec::new();
    for piece in bytes.chunks(16) {
        decoder.feed(piece).ok()?;
        while let Some(step) = decoder.poll() {
            if let Progress::CallReady(call) = step {
                blocks.extend(decoder.take_blocks_until(call));
            }
        }
    }
    let wire = decode(bytes, wire, first_call).ok()?.source.wire;
    let mut reply = Assistant::new(Source::new(wire), blocks);
    reply.stop = Stop::Unfinished;
    (!reply.blocks.is_empty()).then_some(reply)
}
