//! A written reply becomes the stream of each wire, and reads back as what was written.

use fanfold_model::script::{Answer, End, Player};
use fanfold_transcript::{Assistant, Stop, Usage, Wire};
use fanfold_wire::{Decoder, decode};

use crate::script::{WIRES, line, request, script};

/// The bytes of the first reply, and how they end.
fn bytes(wire: Wire, reply: &str) -> (Vec<u8>, End) {
    let player = Player::new(script(wire, &format!("[{reply}]")));
    let seal = |text: &str| format!("seal<{}>", text.len());
    match player.answer(wire, &request(wire, 0, "x"), &seal) {
        Answer::Stream { chunks, end } => {
            (chunks.into_iter().flat_map(|chunk| chunk.bytes).collect(), end)
        }
        other => panic!("{other:?}"),
    }
}

fn read(wire: Wire, reply: &str) -> Assistant {
    let (bytes, end) = bytes(wire, reply);
    assert_eq!(end, End::Whole);
    decode(&bytes, Some(wire), 1)
        .unwrap_or_else(|error| panic!("{wire}: {error}\n{}", String::from_utf8_lossy(&bytes)))
}

#[test]
fn every_wire_reads_back_what_was_written() {
    let rows = [
        (r#"{"text": "Zwölf 🦊 boxes.\n"}"#, "text(Zwölf 🦊 boxes.\n)"),
        (r#"{"thinking": "Hm."}, {"text": "Yes."}"#, "thinking(Hm.) text(Yes.)"),
        (r#"{"call": {"tool": "Ls"}}"#, "Ls{}"),
        (
            r#"{"thinking": "Both."}, {"text": "Look"},
               {"call": {"tool": "Ls", "arguments": {"path": "a \"b\" \\ é\n"}}},
               {"call": {"tool": "Glob", "arguments": {"pattern": "*", "deep": [1, 2.5, null]}}}"#,
            r#"thinking(Both.) text(Look) Ls{"path":"a \"b\" \\ é\n"} Glob{"pattern":"*","deep":[1,2.5,null]}"#,
        ),
        (r#"{"call": {"tool": "Ls", "arguments": "{\"path\":\"x\"}"}}"#, r#"Ls{"path":"x"}"#),
        ("", ""),
    ];
    for wire in WIRES {
        for (say, expected) in rows {
            let reply = read(wire, &format!(r#"{{"say": [{say}]}}"#));
            assert_eq!(line(&reply), expected, "{wire}");
            assert_eq!(reply.stop, Stop::Finished, "{wire}");
            assert_eq!(reply.source.model.as_deref(), Some("script"), "{wire}");
            for call in reply.calls() {
                assert!(call.arguments.object().is_some(), "{wire}: {call:?}");
            }
        }
    }
}

#[test]
fn how_it_is_cut_changes_nothing() {
    let say = |chunks: usize| {
        format!(
            r#"{{"say": [{{"thinking": "Größer?", "chunks": {chunks}}}, {{"text": "ßüß and so on", "chunks": {chunks}}},
            {{"call": {{"tool": "Ls", "arguments": {{"path": "é/ü"}}}}, "chunks": {chunks}}}],
            "usage": {{"input": 1, "output": 1}}}}"#
        )
    };
    for wire in WIRES {
        let whole = read(wire, &say(1));
        for chunks in [2, 3, 7, 1000] {
            let reply = read(wire, &say(chunks));
            assert_eq!(line(&reply), line(&whole), "{wire}, {chunks} chunks");
            assert_eq!(reply, whole, "{wire}, {chunks} chunks");
        }
        let (bytes, _) = bytes(wire, &say(5));
        let mut decoder = Decoder::new(Some(wire), 1);
        for byte in bytes {
            decoder.feed(&[byte]).unwrap();
        }
        assert_eq!(decoder.finish().unwrap(), whole, "{wire}, byte by byte");
    }
}

#[test]
fn the_stop_is_the_provider_s_own() {
    let stops = [
        ("finished", Stop::Finished),
        ("output_limit", Stop::OutputLimit),
        ("refused", Stop::Refused),
    ];
    for wire in WIRES {
        for (name, stop) in &stops {
            let reply = read(wire, &format!(r#"{{"say": [{{"text": "a"}}], "stop": "{name}"}}"#));
            assert_eq!(reply.stop, *stop, "{wire}");
        }
    }
}

#[test]
fn a_call_cut_by_the_output_limit_reads_as_cut_and_its_sibling_does_not() {
    let reply = r#"{"say": [
        {"call": {"tool": "Ls", "arguments": {"path": "src"}}},
        {"call": {"tool": "WriteFile", "arguments": "{\"file_path\": \"a.txt\", \"conte"}}
    ], "stop": "output_limit"}"#;
    for wire in WIRES {
        let reply = read(wire, reply);
        let calls: Vec<_> = reply.calls().collect();
        assert!(calls[0].arguments.object().is_some(), "{wire}");
        assert_eq!(calls[1].arguments, fanfold_transcript::Arguments::Cut, "{wire}");
    }
}

#[test]
fn broken_arguments_stay_broken() {
    for wire in WIRES {
        let reply =
            read(wire, r#"{"say": [{"call": {"tool": "Ls", "arguments": "{\"path\": ]"}}]}"#);
        let call = reply.calls().next().unwrap();
        assert_eq!(call.arguments.object(), None, "{wire}: {call:?}");
    }
}

#[test]
fn the_cost_is_as_written_or_estimated() {
    let usage = r#""usage": {"input": 100, "cache_read": 40, "output": 9, "reasoning": 4}"#;
    for wire in WIRES {
        let written = read(wire, &format!(r#"{{"say": [{{"text": "a"}}], {usage}}}"#)).usage;
        let Usage { input, cache_read, cache_write: _, output, reasoning } = written;
        assert_eq!((input, cache_read, output), (Some(100), Some(40), Some(9)), "{wire}");
        // Anthropic does not say which part of its output was thinking.
        let expected = if wire == Wire::Anthropic { None } else { Some(4) };
        assert_eq!(reasoning, expected, "{wire}");
        let estimated = read(wire, r#"{"say": [{"text": "twelve bytes"}]}"#).usage;
        let size = u64::try_from(request(wire, 0, "x").text().len() / 4).unwrap();
        assert_eq!((estimated.input, estimated.output), (Some(size), Some(3)), "{wire}");
    }
}

#[test]
fn seals_stand_where_the_provider_puts_them() {
    let thinking = r#"{"say": [{"thinking": "12345"}, {"text": "done"}]}"#;
    let calls = r#"{"say": [{"call": {"tool": "Ls"}}, {"call": {"tool": "Ls"}}, {"text": "a"}]}"#;
    let seals = |wire, reply| {
        let blocks = read(wire, reply).blocks;
        let seals = blocks.into_iter().map(|block| block.signature.map(String::from));
        seals.map(Option::unwrap_or_default).collect::<Vec<String>>().join("|")
    };
    let rows = [
        (Wire::Anthropic, "seal<5>|", "||"),
        (Wire::OpenaiChat, "|", "||"),
        (Wire::OpenaiResponses, "seal<5>|", "||"),
        (Wire::Gemini, "||seal<5>", "seal<5>||"),
    ];
    for (wire, of_thinking, of_calls) in rows {
        assert_eq!(seals(wire, thinking), of_thinking, "{wire}");
        assert_eq!(seals(wire, calls), of_calls, "{wire}");
    }
}

#[test]
fn ids_are_the_script_s_own_where_it_names_them() {
    for wire in WIRES {
        let reply = read(wire, r#"{"say": [{"call": {"tool": "Ls", "id": "mine"}}]}"#);
        assert_eq!(reply.calls().next().unwrap().wire_id.as_deref(), Some("mine"), "{wire}");
    }
}

#[test]
fn the_largest_numbers_do_no_harm() {
    let max = u64::MAX;
    for wire in WIRES {
        let usage = format!(r#"{{"input": {max}, "cache_read": {max}, "output": {max}}}"#);
        let text = format!(r#"{{"text": "abc", "chunks": {max}, "at_ms": 86400000}}"#);
        let fault = format!(r#"{{"broken": {{"after": {max}, "mid_piece": true}}}}"#);
        let reply = format!(r#"{{"say": [{text}], "usage": {usage}}}"#);
        assert_eq!(read(wire, &reply).text(), "abc", "{wire}");
        let broken = reply.replacen('{', &format!(r#"{{"faults": [{fault}], "#), 1);
        assert_eq!(bytes(wire, &broken).1, End::Broken, "{wire}");
    }
}
