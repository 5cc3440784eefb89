//! No bytes make the decoder panic, how they are cut never matters, and what is written back reads
//! as the same.

use fanfold_transcript::{Arguments, Assistant};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{RECORDINGS, follow, pieces, show, steps};

fn check(bytes: &[u8], seed: u64) {
    let whole = follow([bytes]);
    let cut = follow(pieces(bytes, seed));
    assert_eq!(show(&cut.1), show(&whole.1));
    assert_eq!(cut.1, whole.1);
    assert_eq!(steps(&cut), steps(&whole));
    if let Ok(mut reply) = whole.1 {
        let written = fanfold_wire::write_reply(&reply);
        if let Ok(again) =
            fanfold_wire::decode(written.text().as_bytes(), Some(reply.source.wire), 1)
        {
            assert_eq!(fanfold_wire::write_reply(&again), written);
            let readable = |reply: &Assistant| {
                reply.calls().filter(|call| call.arguments.object().is_some()).count()
            };
            assert!(readable(&again) >= readable(&reply));
        }
        for call in reply.calls_mut() {
            call.settle(fanfold_transcript::Outcome::ok_text("x")).unwrap();
        }
        assert!(fanfold_wire::write_results(&reply).is_ok());
    }
}

/// A place in a recording and what is done there.
#[derive(Clone, Debug)]
enum Edit {
    Set(u8),
    Insert(u8),
    Delete(usize),
    Repeat(usize),
    Truncate,
}

fn edit() -> impl Strategy<Value = Edit> {
    let byte = || prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\",:\\\n\r0u'".to_vec())];
    prop_oneof![
        4 => byte().prop_map(Edit::Set),
        4 => byte().prop_map(Edit::Insert),
        3 => (1..200_usize).prop_map(Edit::Delete),
        3 => (1..400_usize).prop_map(Edit::Repeat),
        1 => Just(Edit::Truncate),
    ]
}

fn apply(bytes: &mut Vec<u8>, at: prop::sample::Index, edit: &Edit) {
    if bytes.is_empty() {
        return;
    }
    let at = at.index(bytes.len());
    let end = |length: usize| at.saturating_add(length).min(bytes.len());
    match *edit {
        Edit::Set(byte) => bytes[at] = byte,
        Edit::Insert(byte) => bytes.insert(at, byte),
        Edit::Delete(length) => drop(bytes.drain(at..end(length))),
        Edit::Repeat(length) => {
            let copy = bytes[at..end(length)].to_vec();
            bytes.splice(at..at, copy);
        }
        Edit::Truncate => bytes.truncate(at),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_recordings_are_read_the_same_in_any_pieces(
        which in 0..RECORDINGS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), edit()), 1..4),
        seed in any::<u64>(),
    ) {
        let mut bytes = RECORDINGS[which].1.to_vec();
        for (at, edit) in &edits {
            apply(&mut bytes, *at, edit);
        }
        check(&bytes, seed);
    }

    #[test]
    fn lines_of_a_stream_in_any_order_are_read_the_same_in_any_pieces(
        which in 0..RECORDINGS.len(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 1..30),
        seed in any::<u64>(),
    ) {
        let text = RECORDINGS[which].1;
        let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        let bytes: Vec<u8> = order
            .iter()
            .flat_map(|index| [*index.get(&lines), b"\n\n"].concat())
            .collect();
        check(&bytes, seed);
    }

    #[test]
    fn any_bytes_are_read_the_same_in_any_pieces(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\",:\\ \n\rdata'()=;".to_vec())], 0..200),
        seed in any::<u64>(),
    ) {
        check(&bytes, seed);
    }

    #[test]
    fn any_arguments_are_read_and_none_that_may_be_cut_are_guessed(
        text in prop_oneof![
            "[{}\\[\\]\"':,\\\\a1 \n]{0,40}",
            "\\{'?a'?: ?[\"']?[a-z ]{0,5}[\"']?,?\\}?",
        ],
    ) {
        let read = |finish: &str| {
            let call = json!({"id": "a", "function": {"name": "Ls", "arguments": text}});
            let message = json!({"role": "assistant", "tool_calls": [call]});
            let choice = json!({"message": message, "finish_reason": finish});
            let reply = crate::support::decode(&json!({ "choices": [choice] }).to_string()).unwrap();
            reply.calls().next().unwrap().arguments.clone()
        };
        let (whole, cut) = (read("stop"), read("length"));
        prop_assert!(cut.guess().is_none());
        if whole.guess().is_some() {
            prop_assert_eq!(cut, Arguments::Cut);
        }
    }
}
