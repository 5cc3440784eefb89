//! How fast replies of about 1 MB are decoded, beside the floor: `serde_json` reading the same JSON.
//!
//! The floor of a whole reply is one `Value`; that of a stream is its lines split and each event read
//! as a `Value`. Both are measured in turn. Not here: whether what comes out is right (`tests`).
//! Without `--bench` it only shows that it works, on small replies.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "a bench measures time")]
#![expect(clippy::unwrap_used, reason = "a bench fails by a panic")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use fanfold_transcript::Wire;
use fanfold_wire::Decoder;
use serde_json::{Value, json};

/// The floor and the decoder take turns this often; the medians are shown.
const ROUNDS: usize = 15;

/// What a reply holds.
#[derive(Clone, Copy)]
enum Load {
    /// So many pieces of text.
    Text(usize),
    /// So many calls, each with arguments in pieces.
    Calls(usize),
}

/// One row of the table.
struct Sample {
    name: String,
    input: String,
    /// Events of a stream; 1 for a whole reply.
    events: usize,
    /// Bytes fed at once.
    piece: usize,
}

fn main() {
    let real = std::env::args().any(|arg| arg == "--bench");
    let scale = if real { 1 } else { 100 };
    println!("| reply | MB | events | MB/s | µs per event | floor MB/s | times the floor |");
    println!("|{}", "---|".repeat(7));
    for sample in samples(scale) {
        println!("{}", row(&sample));
    }
}

fn samples(scale: usize) -> Vec<Sample> {
    // A whole text is one, and has to be longer for the same size.
    let loads = [
        ("text", Load::Text(6_000 / scale), Load::Text(30_000 / scale)),
        ("200 calls", Load::Calls(200), Load::Calls(200)),
    ];
    let mut samples = Vec::new();
    for (what, streamed, at_once) in loads {
        let streams = [
            (Wire::Anthropic, anthropic(streamed)),
            (Wire::OpenaiChat, chat(streamed)),
            (Wire::OpenaiResponses, responses(streamed)),
            (Wire::Gemini, gemini(streamed)),
        ];
        for (wire, events) in streams {
            let input = events.iter().map(|event| format!("data: {event}\n\n")).collect();
            let name = format!("{wire} stream, {what}");
            samples.push(Sample { name, input, events: events.len(), piece: usize::MAX });
            let input = whole(wire, at_once).to_string();
            let name = format!("{wire} whole, {what}");
            samples.push(Sample { name, input, events: 1, piece: usize::MAX });
        }
    }
    let delta = json!({"choices": [{"index": 0, "delta": {"content": text(10_000_000 / scale)}}]});
    let input = format!("data: {delta}\n\n");
    for (how, piece) in [("by 1,400 bytes", 1_400), ("at once", usize::MAX)] {
        let name = format!("one delta of 10 MB, {how}");
        samples.push(Sample { name, input: input.clone(), events: 1, piece });
    }
    samples
}

fn row(sample: &Sample) -> String {
    let (mut floors, mut times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        floor(&sample.input);
        floors.push(start.elapsed());
        let start = Instant::now();
        decode(sample);
        times.push(start.elapsed());
    }
    let (floor, time) = (median(floors), median(times));
    let bytes = sample.input.len() as f64 / 1e6;
    format!(
        "| {} | {bytes:.2} | {} | {:.0} | {:.2} | {:.0} | {:.1} |",
        sample.name,
        sample.events,
        bytes / time.as_secs_f64(),
        time.as_secs_f64() * 1e6 / sample.events as f64,
        bytes / floor.as_secs_f64(),
        time.as_secs_f64() / floor.as_secs_f64(),
    )
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn decode(sample: &Sample) {
    let mut decoder = Decoder::new(None, 1);
    for piece in sample.input.as_bytes().chunks(sample.piece) {
        decoder.feed(piece).unwrap();
        while let Some(step) = decoder.poll() {
            black_box(step);
        }
    }
    black_box(decoder.finish().unwrap());
}

fn floor(input: &str) {
    if input.starts_with('{') {
        black_box(serde_json::from_slice::<Value>(input.as_bytes()).unwrap());
        return;
    }
    for event in input.lines().filter_map(|line| line.strip_prefix("data: ")) {
        black_box(serde_json::from_slice::<Value>(event.as_bytes()).unwrap());
    }
}

/// Text with what has to be escaped: a quote and a line break every 60 bytes or so.
fn text(bytes: usize) -> String {
    let words = "the reader meets \"the story\" first, and the rest is told when asked\n";
    words.chars().cycle().take(bytes).collect()
}

/// The text in pieces of 20 to 40 characters.
fn deltas(pieces: usize) -> Vec<String> {
    (0..pieces).map(|at| text(20 + at * 7 % 21)).collect()
}

/// The arguments of a call: of 200 in one reply, about 5 kB.
fn object(call: usize) -> Value {
    json!({"file_path": format!("src/{call}.rs"), "content": text(4_800)})
}

/// Pieces of the arguments, cut between characters.
fn fragments(call: usize) -> Vec<String> {
    let all: Vec<char> = object(call).to_string().chars().collect();
    all.chunks(30).map(|piece| piece.iter().collect()).collect()
}

fn anthropic(load: Load) -> Vec<Value> {
    let mut events = vec![json!({"type": "message_start", "message": {"id": "m", "content": []}})];
    let delta = |index: usize, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let open = |index: usize, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let close = |index: usize| json!({"type": "content_block_stop", "index": index});
    match load {
        Load::Text(pieces) => {
            events.push(open(0, json!({"type": "text", "text": ""})));
            let piece = |text| delta(0, json!({"type": "text_delta", "text": text}));
            events.extend(deltas(pieces).into_iter().map(piece));
            events.push(close(0));
        }
        Load::Calls(calls) => {
            for at in 0..calls {
                let call = json!({"type": "tool_use", "id": format!("toolu_{at}"), "name": "WriteFile", "input": {}});
                events.push(open(at, call));
                let piece =
                    |text| delta(at, json!({"type": "input_json_delta", "partial_json": text}));
                events.extend(fragments(at).into_iter().map(piece));
                events.push(close(at));
            }
        }
    }
    events.push(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}));
    events.push(json!({"type": "message_stop"}));
    events
}

fn chat(load: Load) -> Vec<Value> {
    let chunk = |delta: Value| {
        json!({"id": "c", "object": "chat.completion.chunk", "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
    };
    let call = |piece: Value| chunk(json!({"tool_calls": [piece]}));
    let mut events: Vec<Value> = match load {
        Load::Text(pieces) => {
            deltas(pieces).into_iter().map(|text| chunk(json!({"content": text}))).collect()
        }
        Load::Calls(calls) => (0..calls)
            .flat_map(|at| {
                let start = json!({"index": at, "id": format!("call_{at}"), "type": "function",
                    "function": {"name": "WriteFile", "arguments": ""}});
                let piece = move |text| json!({"index": at, "function": {"arguments": text}});
                std::iter::once(start).chain(fragments(at).into_iter().map(piece))
            })
            .map(call)
            .collect(),
    };
    events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
    events
}

fn responses(load: Load) -> Vec<Value> {
    let mut events =
        vec![json!({"type": "response.created", "response": {"status": "in_progress"}})];
    let mut item = |item: Value, kind: &str, pieces: Vec<String>, done: Value| {
        let id = item["id"].clone();
        events.push(json!({"type": "response.output_item.added", "item": item}));
        let delta =
            |text| json!({"type": format!("response.{kind}.delta"), "item_id": id, "delta": text});
        events.extend(pieces.into_iter().map(delta));
        events.push(json!({"type": "response.output_item.done", "item": done}));
    };
    for (done, pieces) in items(load) {
        let mut begun = done.clone();
        let (key, kind) = match load {
            Load::Text(_) => ("content", "output_text"),
            Load::Calls(_) => ("arguments", "function_call_arguments"),
        };
        begun.as_object_mut().unwrap().remove(key);
        item(begun, kind, pieces, done);
    }
    events.push(json!({"type": "response.completed", "response": {"status": "completed"}}));
    events
}

/// The items of a response with the pieces in which they come.
fn items(load: Load) -> Vec<(Value, Vec<String>)> {
    match load {
        Load::Text(pieces) => {
            let pieces = deltas(pieces);
            let part = json!({"type": "output_text", "text": pieces.concat(), "annotations": []});
            let message = json!({"type": "message", "id": "msg", "role": "assistant",
                "status": "completed", "content": [part]});
            vec![(message, pieces)]
        }
        Load::Calls(calls) => (0..calls)
            .map(|at| {
                let call = json!({"type": "function_call", "id": format!("fc_{at}"),
                    "call_id": format!("call_{at}"), "name": "WriteFile",
                    "arguments": object(at).to_string(), "status": "completed"});
                (call, fragments(at))
            })
            .collect(),
    }
}

fn gemini(load: Load) -> Vec<Value> {
    let chunk = |part: Value| json!({"candidates": [{"content": {"parts": [part]}}]});
    let mut events: Vec<Value> = parts(load).into_iter().map(chunk).collect();
    events.push(json!({"candidates": [{"finishReason": "STOP"}]}));
    events
}

fn parts(load: Load) -> Vec<Value> {
    match load {
        Load::Text(pieces) => {
            deltas(pieces).into_iter().map(|text| json!({ "text": text })).collect()
        }
        Load::Calls(calls) => {
            let call = |at| json!({"functionCall": {"name": "WriteFile", "args": object(at)}});
            (0..calls).map(call).collect()
        }
    }
}

/// A whole reply. Text comes in one piece.
fn whole(wire: Wire, load: Load) -> Value {
    let (text, calls) = match load {
        Load::Text(pieces) => (deltas(pieces).concat(), 0),
        Load::Calls(calls) => (String::new(), calls),
    };
    match wire {
        Wire::Anthropic => {
            let call = |at| json!({"type": "tool_use", "id": format!("toolu_{at}"), "name": "WriteFile", "input": object(at)});
            let text = json!({"type": "text", "text": text});
            let content: Value = std::iter::once(text).chain((0..calls).map(call)).collect();
            json!({"type": "message", "content": content, "stop_reason": "end_turn"})
        }
        Wire::OpenaiChat => {
            let call = |at| {
                json!({"id": format!("call_{at}"), "type": "function",
                "function": {"name": "WriteFile", "arguments": object(at).to_string()}})
            };
            let calls: Value = (0..calls).map(call).collect();
            let message = json!({"role": "assistant", "content": text, "tool_calls": calls});
            json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
        }
        Wire::OpenaiResponses => {
            let output: Value = items(load).into_iter().map(|(item, _)| item).collect();
            json!({"object": "response", "status": "completed", "output": output})
        }
        Wire::Gemini => {
            let parts = if calls == 0 { vec![json!({ "text": text })] } else { parts(load) };
            json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})
        }
        // Not measured.
        Wire::Bedrock | Wire::Cohere | Wire::Plain => json!([]),
    }
}
