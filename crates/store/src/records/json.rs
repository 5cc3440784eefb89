//! The JSON files of a record: their field names are a promise to programs that read them.
//!
//! Not here: when they are written.

use std::io::{self, Read};

use fanfold_transcript::{Cut, Stream};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::stream::StreamSize;
use super::{Input, Output};

/// The version of both files.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct InputFile<'a> {
    v: u32,
    call: String,
    tool: &'a str,
    wire_id: Option<&'a str>,
    arguments: Arguments,
}

/// As they were sent, byte for byte.
#[derive(Serialize)]
#[serde(untagged)]
enum Arguments {
    Object(Box<RawValue>),
    /// What is no JSON object.
    Text(String),
}

#[derive(Serialize)]
struct OutputFile<'a> {
    v: u32,
    status: &'a str,
    reason: Option<&'a str>,
    exit_code: Option<i32>,
    bytes: u64,
    cut: Option<CutFields>,
    started_ms: Option<u64>,
    ended_ms: u64,
    streams: Streams,
    /// Why something is missing.
    incomplete: Option<&'a str>,
    text: String,
}

#[derive(Serialize)]
struct CutFields {
    bytes: u64,
    lines: u64,
}

#[derive(Serialize, Deserialize)]
struct Streams {
    stdout: Size,
    stderr: Size,
}

#[derive(Serialize, Deserialize)]
struct Size {
    bytes: u64,
    head_bytes: u64,
    tail_bytes: u64,
}

/// What is read back of an output.
#[derive(Deserialize)]
struct Sizes {
    streams: Streams,
}

/// `input.json`.
pub(super) fn input(input: &Input) -> Vec<u8> {
    let Input { call, wire_id, tool, arguments } = input;
    let object = arguments.trim_start().starts_with('{');
    let raw = object.then(|| RawValue::from_string(arguments.to_string()).ok()).flatten();
    bytes(&InputFile {
        v: VERSION,
        call: call.to_string(),
        tool,
        wire_id: wire_id.as_deref(),
        arguments: raw.map_or_else(|| Arguments::Text(arguments.to_string()), Arguments::Object),
    })
}

/// `output.json`.
pub(super) fn output(
    output: &Output<'_>,
    [stdout, stderr]: [StreamSize; 2],
    problem: Option<&str>,
) -> Vec<u8> {
    let Output { outcome, span } = output;
    bytes(&OutputFile {
        v: VERSION,
        status: outcome.status().as_str(),
        reason: outcome.ending.reason(),
        exit_code: outcome.exit_code,
        bytes: outcome.bytes,
        cut: outcome.cut.as_ref().map(|&Cut { bytes, lines }| CutFields { bytes, lines }),
        started_ms: span.started.map(|started| started.0),
        ended_ms: span.ended.0,
        streams: Streams { stdout: stdout.into(), stderr: stderr.into() },
        incomplete: problem,
        text: outcome.text(),
    })
}

/// What an `output.json` says of a stream; `None` when it cannot be understood.
pub(super) fn size_of(file: impl Read, stream: Stream) -> io::Result<Option<StreamSize>> {
    let text = io::read_to_string(file)?;
    let sizes: Option<Sizes> = serde_json::from_str(&text).ok();
    Ok(sizes.map(|Sizes { streams }| match stream {
        Stream::Stdout => streams.stdout.into(),
        Stream::Stderr => streams.stderr.into(),
    }))
}

impl From<StreamSize> for Size {
    fn from(size: StreamSize) -> Self {
        let StreamSize { bytes, head_bytes, tail_bytes } = size;
        Self { bytes, head_bytes, tail_bytes }
    }
}

impl From<Size> for StreamSize {
    fn from(size: Size) -> Self {
        let Size { bytes, head_bytes, tail_bytes } = size;
        Self { bytes, head_bytes, tail_bytes }
    }
}

fn bytes(fields: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(fields).expect("text and numbers are valid JSON");
    bytes.push(b'\n');
    bytes
}
