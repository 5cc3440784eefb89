//! Replies as short text, and streams fed piece by piece.

use fanfold_transcript::{Arguments, Assistant, Block, BlockBody, Content, Reading};
use fanfold_wire::{DecodeError, Decoder, Progress};

/// Every recording by name.
pub(crate) const RECORDINGS: [(&str, &[u8]); 18] = [
    ("anthropic/whole.json", include_bytes!("../recordings/anthropic/whole.json")),
    ("anthropic/stream.sse", include_bytes!("../recordings/anthropic/stream.sse")),
    ("anthropic/cut.jsonl", include_bytes!("../recordings/anthropic/cut.jsonl")),
    ("chat/whole.json", include_bytes!("../recordings/chat/whole.json")),
    ("chat/stream.sse", include_bytes!("../recordings/chat/stream.sse")),
    ("chat/cut.jsonl", include_bytes!("../recordings/chat/cut.jsonl")),
    ("responses/whole.json", include_bytes!("../recordings/responses/whole.json")),
    ("responses/stream.sse", include_bytes!("../recordings/responses/stream.sse")),
    ("responses/cut.jsonl", include_bytes!("../recordings/responses/cut.jsonl")),
    ("gemini/whole.json", include_bytes!("../recordings/gemini/whole.json")),
    ("gemini/stream.sse", include_bytes!("../recordings/gemini/stream.sse")),
    ("gemini/cut.json", include_bytes!("../recordings/gemini/cut.json")),
    ("bedrock/whole.json", include_bytes!("../recordings/bedrock/whole.json")),
    ("bedrock/stream.sse", include_bytes!("../recordings/bedrock/stream.sse")),
    ("bedrock/cut.jsonl", include_bytes!("../recordings/bedrock/cut.jsonl")),
    ("cohere/whole.json", include_bytes!("../recordings/cohere/whole.json")),
    ("cohere/stream.sse", include_bytes!("../recordings/cohere/stream.sse")),
    ("cohere/cut.jsonl", include_bytes!("../recordings/cohere/cut.jsonl")),
];

pub(crate) fn recording(name: &str) -> &'static [u8] {
    RECORDINGS.iter().find(|(known, _)| *known == name).expect("a recording of this name").1
}

/// What came of a reply: the steps on the way, each with the number of bytes fed, and the end.
pub(crate) type Followed = (Vec<(usize, Progress)>, Result<Assistant, DecodeError>);

/// Feeds the pieces; the steps of a reply that fails are those up to the failure.
pub(crate) fn follow<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Followed {
    let mut decoder = Decoder::new(None, 1);
    let (mut steps, mut fed) = (Vec::new(), 0);
    for piece in pieces {
        fed += piece.len();
        let taken = decoder.feed(piece);
        while let Some(step) = decoder.poll() {
            if let Progress::CallReady(id) = step {
                let call = decoder.call(id).cloned();
                assert_eq!(call.as_ref().map(|call| call.id), Some(id));
                let taken = decoder.take_blocks_until(id);
                assert_eq!(taken.last().and_then(|block| block.as_call()), call.as_ref());
            }
            steps.push((fed, step));
        }
        if let Err(error) = taken {
            return (steps, Err(error));
        }
    }
    (steps, decoder.finish())
}

/// The steps without their places, text joined.
pub(crate) fn steps(followed: &Followed) -> String {
    let mut shown: Vec<String> = Vec::new();
    for (_, step) in &followed.0 {
        match step {
            Progress::Text(text) => shown.push(format!("{text:?}")),
            Progress::Thinking(text) => shown.push(format!("({text})")),
            Progress::CallOpened(id) => shown.push(format!("{id}?")),
            Progress::CallReady(id) => shown.push(format!("{id}!")),
            Progress::Restarted => shown.push("again".to_owned()),
        }
    }
    shown.join(" ")
}

/// A reply in one line, such as `finished: (thinking) "text" c1=Ls{"path":"src"}`.
pub(crate) fn show(reply: &Result<Assistant, DecodeError>) -> String {
    match reply {
        Err(error) => format!("error: {error}"),
        Ok(reply) => {
            let stop = format!("{:?}", reply.stop).to_lowercase();
            let blocks: Vec<String> = reply.blocks.iter().map(show_block).collect();
            format!("{stop}: {}", blocks.join(" ")).trim_end().to_owned()
        }
    }
}

fn show_block(block: &Block) -> String {
    match &block.body {
        BlockBody::Content(Content::Text(text)) => match &block.signature {
            Some(seal) => format!("{text:?}({seal})"),
            None => format!("{text:?}"),
        },
        BlockBody::Content(_) => "opaque".to_owned(),
        BlockBody::Thinking(text) => match &block.signature {
            Some(seal) => format!("({text}#{seal})"),
            None => format!("({text})"),
        },
        BlockBody::Call(call) => {
            let id = call.wire_id.as_deref().map(|id| format!("[{id}]")).unwrap_or_default();
            format!("{}{id}={}{}", call.id, call.tool, show_arguments(&call.arguments))
        }
    }
}

pub(crate) fn show_arguments(arguments: &Arguments) -> String {
    match arguments {
        Arguments::Object { object, reading } => {
            let mark = match reading {
                Reading::Strict => "",
                Reading::Unwrapped => "~",
                Reading::Literal => "~~",
            };
            format!("{mark}{}", serde_json::to_string(object).unwrap())
        }
        Arguments::Guessed { object, .. } => {
            format!("?{}", serde_json::to_string(object).unwrap())
        }
        Arguments::Unreadable(problem) => format!("<{problem}>"),
        Arguments::Cut => "<cut>".to_owned(),
    }
}

pub(crate) fn decode(text: &str) -> Result<Assistant, DecodeError> {
    fanfold_wire::decode(text.as_bytes(), None, 1)
}

/// Cuts the bytes at borders drawn from a small generator.
pub(crate) fn pieces(bytes: &[u8], seed: u64) -> Vec<&[u8]> {
    let (mut state, mut rest, mut pieces) = (seed, bytes, Vec::new());
    while !rest.is_empty() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let size = usize::try_from(state >> 58).unwrap_or(1).clamp(1, rest.len());
        let (piece, after) = rest.split_at(size);
        pieces.push(piece);
        rest = after;
    }
    pieces
}
