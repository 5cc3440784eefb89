//! Each recording, decoded whole and in every kind of pieces.

use fanfold_transcript::{Assistant, Usage, Wire};
use fanfold_wire::{Progress, decode, write_reply};
use serde_json::Value;

use crate::support::{Followed, RECORDINGS, follow, recording, show, steps};

fn whole(name: &str) -> Followed {
    follow([recording(name)])
}

#[test]
fn pieces_of_any_size_give_the_same_reply_and_the_same_steps_at_the_same_bytes() {
    for (name, bytes) in RECORDINGS {
        let expected = whole(name);
        let single = follow(bytes.chunks(1));
        assert_eq!(single.1, expected.1, "{name}");
        assert_eq!(steps(&single), steps(&expected), "{name}");
        for size in [2, 3, 7, 64, 1000] {
            let pieces = follow(bytes.chunks(size));
            assert_eq!(pieces.1, expected.1, "{name} by {size}");
            let rounded: Vec<(usize, Progress)> = single
                .0
                .iter()
                .map(|(fed, step)| {
                    (fed.div_ceil(size).saturating_mul(size).min(bytes.len()), step.clone())
                })
                .collect();
            assert_eq!(pieces.0, rounded, "{name} by {size}");
        }
    }
}

#[test]
fn replies_read_as_they_were_meant() {
    let table = [
        (
            "anthropic",
            r#"finished: (Two files.#c2ln+/==) (#ZW5j) "Reading café notes." opaque c1[toolu_1]=ReadFile{"file_path":"a.txt","limit":15.0} c2[toolu_2]=Ls{}"#,
        ),
        (
            "chat",
            r#"finished: (Both at once.) "Looking." c1[call_1]=ReadFile{"file_path":"a.txt"} c2[call_2]=Ls{}"#,
        ),
        (
            "responses",
            r#"finished: (Both at once.#ZW5j+/==) "Looking." opaque c1[call_1]=ReadFile{"file_path":"a.txt"} c2[call_2]=Ls{}"#,
        ),
        (
            "gemini",
            r#"finished: (Both at once.) "Looking." c1=ReadFile{"file_path":"a.txt","limit":15.0} c2[f2]=Ls{}"#,
        ),
        (
            "bedrock",
            r#"finished: (Both at once.#c2ln+/==) (#ZW5j) "Looking." c1[tooluse_1]=ReadFile{"file_path":"a.txt","limit":15.0} c2[tooluse_2]=Ls{}"#,
        ),
        (
            "cohere",
            r#"finished: (Both at once.) "Looking." c1[call_1]=ReadFile{"file_path":"a.txt"} c2[call_2]=Ls{}"#,
        ),
    ];
    for (wire, expected) in table {
        assert_eq!(show(&whole(&format!("{wire}/whole.json")).1), expected);
        assert_eq!(show(&whole(&format!("{wire}/stream.sse")).1), expected);
    }
}

#[test]
fn a_stream_is_the_whole_reply_in_pieces() {
    let value = |reply: &Assistant| -> Vec<Value> {
        reply.blocks.iter().map(|block| block.original.as_ref().unwrap().value().unwrap()).collect()
    };
    for wire in ["anthropic", "chat", "responses", "gemini", "bedrock", "cohere"] {
        let whole_reply = whole(&format!("{wire}/whole.json")).1.unwrap();
        let streamed = whole(&format!("{wire}/stream.sse")).1.unwrap();
        assert_eq!(value(&streamed), value(&whole_reply), "{wire}");
        assert_eq!(streamed.usage, whole_reply.usage, "{wire}");
        assert_eq!(streamed.source.model, whole_reply.source.model, "{wire}");
        assert_eq!(streamed.source.response_id, whole_reply.source.response_id, "{wire}");
        let written = [&whole_reply, &streamed].map(|reply| write_reply(reply).value().unwrap());
        assert_eq!(written[0], written[1], "{wire}");
    }
}

#[test]
fn a_call_is_handed_out_while_the_rest_still_streams() {
    let table = [
        ("anthropic/stream.sse", r#"(Two ) (files.) "Reading caf" "é notes." c1? c1! c2? c2!"#),
        ("chat/stream.sse", r#"(Both at) ( once.) "Look" "ing." c1? c1! c2? c2!"#),
        ("responses/stream.sse", r#"(Both at once.) "Look" "ing." c1? c1! c2? c2!"#),
        ("gemini/stream.sse", r#"(Both at ) (once.) "Look" "ing." c1? c1! c2? c2!"#),
        ("bedrock/stream.sse", r#"(Both at) ( once.) "Look" "ing." c1? c1! c2? c2!"#),
        ("cohere/stream.sse", r#"(Both at) ( once.) "Look" "ing." c1? c1! c2? c2!"#),
        ("anthropic/cut.jsonl", "c1? c1! c2?"),
        ("chat/cut.jsonl", "c1? c1! c2?"),
        ("responses/cut.jsonl", "c1? c1! c2?"),
        ("gemini/cut.json", "c1? c1! c2?"),
        ("bedrock/cut.jsonl", "c1? c1! c2?"),
        ("cohere/cut.jsonl", "c1? c1! c2?"),
    ];
    for (name, expected) in table {
        assert_eq!(steps(&whole(name)), expected, "{name}");
    }
}

#[test]
fn a_call_cut_by_the_output_limit_is_cut_and_its_sibling_is_not() {
    let table = [
        (
            "anthropic/cut.jsonl",
            r#"outputlimit: c1[toolu_1]=Ls{"path":"src"} c2[toolu_2]=WriteFile<cut>"#,
        ),
        ("chat/cut.jsonl", r#"outputlimit: c1[a]=Ls{"path":"src"} c2[b]=WriteFile<cut>"#),
        ("responses/cut.jsonl", r#"outputlimit: c1[a]=Ls{"path":"src"} c2[b]=WriteFile<cut>"#),
        ("bedrock/cut.jsonl", r#"outputlimit: c1[a]=Ls{"path":"src"} c2[b]=WriteFile<cut>"#),
        ("cohere/cut.jsonl", r#"outputlimit: c1[a]=Ls{"path":"src"} c2[b]=WriteFile<cut>"#),
        ("gemini/cut.json", r#"outputlimit: c1=Ls{"path":"src"} c2=WriteFile<cut>"#),
    ];
    for (name, expected) in table {
        assert_eq!(show(&whole(name).1), expected, "{name}");
    }
}

#[test]
fn a_recording_that_ends_anywhere_never_completes_a_call_by_itself() {
    for (name, bytes) in RECORDINGS.iter().filter(|(name, _)| !name.ends_with("whole.json")) {
        let full = whole(name).1.unwrap();
        for end in 1..bytes.len() {
            let Ok(reply) = follow([&bytes[..end]]).1 else { continue };
            for (call, meant) in reply.calls().zip(full.calls()) {
                if let Some(object) = call.arguments.object() {
                    assert_eq!(Some(object), meant.arguments.object(), "{name} at {end}");
                }
            }
        }
    }
}

#[test]
fn usage_is_counted_without_the_cached_part() {
    let usage = |input, cache_read, cache_write, output, reasoning| Usage {
        input: Some(input),
        cache_read: Some(cache_read),
        cache_write,
        output: Some(output),
        reasoning,
    };
    let table = [
        ("anthropic", Wire::Anthropic, usage(10, 4, Some(2), 30, None)),
        ("chat", Wire::OpenaiChat, usage(15, 5, None, 12, Some(3))),
        ("responses", Wire::OpenaiResponses, usage(15, 5, None, 12, Some(3))),
        ("gemini", Wire::Gemini, usage(15, 5, None, 12, Some(3))),
        ("bedrock", Wire::Bedrock, usage(10, 4, Some(2), 30, None)),
        ("cohere", Wire::Cohere, usage(15, 5, None, 12, None)),
    ];
    for (name, wire, expected) in table {
        let reply = whole(&format!("{name}/whole.json")).1.unwrap();
        assert_eq!((reply.source.wire, reply.usage), (wire, expected));
    }
}

#[test]
fn reasoning_that_is_counted_beside_the_completion_is_output_too() {
    for (total, output) in [(731, 77), (679, 25)] {
        let reply = format!(
            r#"{{"choices":[{{"message":{{"role":"assistant","content":"hi"}}}}],"usage":{{
            "prompt_tokens":654,"completion_tokens":25,"total_tokens":{total},
            "completion_tokens_details":{{"reasoning_tokens":52}}}}}}"#
        );
        let usage = decode(reply.as_bytes(), Some(Wire::OpenaiChat), 1).unwrap().usage;
        assert_eq!((usage.output, usage.reasoning), (Some(output), Some(52)));
    }
}
