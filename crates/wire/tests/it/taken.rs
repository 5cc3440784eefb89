//! The blocks that go to disk before a call of a streaming reply may start.

use fanfold_transcript::{Block, CallId};
use fanfold_wire::{Decoder, Progress};
use proptest::prelude::*;

use crate::support::{RECORDINGS, pieces, recording};

/// Feeds the pieces; each call's blocks are taken when it is handed out.
fn take<'a>(bytes: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Vec<Block>>, Vec<Block>) {
    let mut decoder = Decoder::new(None, 1);
    let mut parts = Vec::new();
    for piece in bytes {
        decoder.feed(piece).unwrap();
        while let Some(step) = decoder.poll() {
            if let Progress::CallReady(id) = step {
                let call = decoder.call(id).cloned();
                let part = decoder.take_blocks_until(id);
                assert!(part.iter().any(|block| block.as_call() == call.as_ref()));
                assert!(decoder.take_blocks_until(id).is_empty(), "taken once");
                parts.push(part);
            }
        }
    }
    assert!(decoder.take_blocks_until(CallId::new(99)).is_empty());
    (parts, decoder.finish().unwrap().blocks)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_taken_for_the_calls_are_the_beginning_of_the_reply(
        which in 0..RECORDINGS.len(),
        seed in any::<u64>(),
    ) {
        let (parts, whole) = take(pieces(RECORDINGS[which].1, seed));
        let taken: Vec<Block> = parts.concat();
        prop_assert_eq!(&taken[..], &whole[..taken.len()]);
    }
}

#[test]
fn each_stream_gives_its_calls_with_what_stands_before_them() {
    for (wire, counts) in [
        ("anthropic", [5, 1]),
        ("chat", [3, 1]),
        ("responses", [4, 1]),
        ("gemini", [3, 1]),
        ("bedrock", [4, 1]),
    ] {
        let (parts, whole) = take([recording(&format!("{wire}/stream.sse"))]);
        // The last call has no arguments and may be known at the end of the reply only.
        for (part, count) in parts.iter().zip(counts) {
            assert_eq!(part.len(), count, "{wire}");
        }
        assert!(!parts.is_empty() && whole.len() == counts.iter().sum::<usize>(), "{wire}");
    }
}

#[test]
fn a_call_that_is_still_open_comes_with_its_own() {
    let chat = r#"
{"choices":[{"delta":{"content":"Both.","tool_calls":[{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\""}}]}}]}
{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"Ls","arguments":"{\"x\":2}"}}]}}]}
{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]}
{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}
"#;
    let anthropic = r#"
{"type":"message_start","message":{"content":[]}}
{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Both."}}
{"type":"content_block_stop","index":0}
{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"Ls","input":{}}}
{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"b","name":"Ls","input":{}}}
{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"x\":2}"}}
{"type":"content_block_stop","index":2}
{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}
{"type":"content_block_stop","index":1}
{"type":"message_stop"}
"#;
    for stream in [chat, anthropic] {
        let (parts, whole) = take([stream.as_bytes()]);
        assert_eq!(parts, [vec![whole[0].clone(), whole[2].clone()], vec![whole[1].clone()]]);
    }
}

#[test]
fn a_decoder_says_whether_anything_came() {
    let mut decoder = Decoder::new(None, 1);
    decoder.feed(b"data: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\n").unwrap();
    assert!(!decoder.has_spoken());
    let text =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}"#;
    decoder.feed(format!("data: {text}\n\n").as_bytes()).unwrap();
    assert!(decoder.has_spoken());
}
