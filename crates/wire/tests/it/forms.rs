//! Which format an input is, and what is said when it is none.

use fanfold_transcript::Wire;
use fanfold_wire::{DecodeError, Decoder, Limits, decode};

use crate::support::{recording, show};

#[test]
fn the_format_is_told_by_the_shape() {
    let table = [
        (
            r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"x"}]}"#,
            "anthropic",
        ),
        (
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Ls","input":{}}]}"#,
            "anthropic",
        ),
        (
            r#"[{"type":"thinking","thinking":"x"},{"type":"tool_use","id":"a","name":"Ls","input":{}}]"#,
            "anthropic",
        ),
        (r#"{"choices":[{"message":{"role":"assistant","content":"x"}}]}"#, "openai-chat"),
        (r#"{"role":"assistant","content":null,"tool_calls":[]}"#, "openai-chat"),
        (r#"{"role":"assistant","content":"x"}"#, "openai-chat"),
        (r#"{"object":"response","output":[]}"#, "openai-responses"),
        (
            r#"[{"type":"function_call","call_id":"a","name":"Ls","arguments":"{}"}]"#,
            "openai-responses",
        ),
        (
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}"#,
            "openai-responses",
        ),
        (
            r#"{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}]}"#,
            "gemini",
        ),
        (r#"{"response":{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}}"#, "gemini"),
        (
            r#"{"method":"m","response":[{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}]}"#,
            "gemini",
        ),
        (r#"{"role":"model","parts":[{"text":"x"}]}"#, "gemini"),
        ("```json\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"x\"}]}}]}\n```", "gemini"),
        ("{\"type\":\"response.created\"\n{\"type\":\"response.completed\"}", "openai-responses"),
        (
            r#"{"tool_calls":[{"id":"a","type":"function","function":{"name":"Ls","arguments":"{}"}}]}"#,
            "plain",
        ),
        (r#"{"type":"tool_use","id":"a","name":"Ls","input":{}}"#, "plain"),
        (r#"{"output":{"message":{"role":"assistant","content":[{"text":"x"}]}}}"#, "bedrock"),
        (r#"{"role":"assistant","content":[{"toolUse":{"name":"Ls","input":{}}}]}"#, "bedrock"),
        (r#"{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"x"}}}"#, "bedrock"),
        (r#"{"toolUse":{"name":"Ls","input":{}}}"#, "plain"),
        (
            r#"{"message":{"role":"assistant","content":[{"type":"text","text":"x"}]},"finish_reason":"COMPLETE"}"#,
            "cohere",
        ),
        (r#"{"role":"assistant","tool_plan":"x","tool_calls":[]}"#, "cohere"),
        (
            r#"{"choices":[{"message":{"role":"assistant","content":"x"}}],"metadata":{}}"#,
            "openai-chat",
        ),
    ];
    for (text, expected) in table {
        match decode(text.as_bytes(), None, 1) {
            Ok(reply) => assert_eq!(reply.source.wire.as_str(), expected, "{text}"),
            // A single item has the shape of a message, but is no reply by itself.
            Err(error) => assert_eq!(
                (expected, text.contains("output_text")),
                ("openai-responses", true),
                "{error}"
            ),
        }
    }
}

#[test]
fn another_format_than_the_one_asked_for_is_refused() {
    for asked in Wire::ALL {
        for (wire, name) in [
            (Wire::Anthropic, "anthropic"),
            (Wire::OpenaiChat, "chat"),
            (Wire::OpenaiResponses, "responses"),
            (Wire::Gemini, "gemini"),
            (Wire::Bedrock, "bedrock"),
            (Wire::Cohere, "cohere"),
        ] {
            for file in ["whole.json", "stream.sse"] {
                let bytes = recording(&format!("{name}/{file}"));
                match decode(bytes, Some(asked), 1) {
                    Ok(reply) => assert_eq!(reply.source.wire, asked),
                    Err(error) => {
                        assert_ne!(asked, wire);
                        assert_eq!(error, DecodeError::WrongWire { asked, found: wire });
                    }
                }
            }
        }
    }
    // No element tells what an empty list is a list of.
    for wire in [Wire::Anthropic, Wire::OpenaiResponses, Wire::Plain] {
        assert_eq!(decode(b"[]", Some(wire), 1).unwrap().source.wire, wire);
    }
    // What a provider wrote may also be read as plain calls, fenced or not.
    let message =
        r#"{"role":"assistant","tool_calls":[{"function":{"name":"Ls","arguments":"{}"}}]}"#;
    for text in [message.to_owned(), format!("```json\n{message}\n```")] {
        assert_eq!(decode(text.as_bytes(), Some(Wire::Plain), 1).unwrap().calls().count(), 1);
    }
    // Cohere's message may be no other than that of Chat Completions.
    let reply = decode(message.as_bytes(), Some(Wire::Cohere), 1).unwrap();
    assert_eq!(reply.source.wire, Wire::Cohere);
    let plain = br#"{"tool":"Ls","args":{}}"#;
    let error = decode(plain, Some(Wire::Gemini), 1).unwrap_err();
    assert_eq!(error.to_string(), "the input looks like plain, not like gemini");
    let error = decode(br#"{"answer":42}"#, Some(Wire::Gemini), 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no reply in the gemini input: expected an object with `candidates`"
    );
}

#[test]
fn an_error_of_the_provider_is_quoted() {
    let table = [
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            "Overloaded",
        ),
        (
            r#"{"error":{"message":"bad call","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"{\"name\": \"x\"}"}}"#,
            "bad call; the model wrote: {\"name\": \"x\"}",
        ),
        (r#"{"error":"model not found"}"#, "model not found"),
        (r#"[{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED"}}]"#, "quota"),
        (
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"Overloaded\"}}\n\n",
            "Overloaded",
        ),
        ("data: {\"error\":{\"message\":\"late\"}}\n\n", "late"),
        (
            "data: {\"type\":\"response.created\",\"response\":{}}\n\ndata: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\",\"message\":\"sorry\"}}}\n\n",
            "sorry",
        ),
        (
            r#"{"object":"response","status":"failed","output":[],"error":{"message":"sorry"}}"#,
            "sorry",
        ),
        (r#"{"type":"error","code":"x"}"#, r#"{"type":"error","code":"x"}"#),
        (r#"{"throttlingException":{"message":"too many"}}"#, "too many"),
    ];
    for (text, expected) in table {
        let shown = show(&decode(text.as_bytes(), None, 1));
        assert_eq!(shown, format!("error: the provider reports an error: {expected}"), "{text}");
    }
}

#[test]
fn what_is_no_reply_is_said_to_be_none() {
    let table = [
        (r#"{"choices":[]}"#, "no reply in the openai-chat input"),
        (r#"{"usageMetadata":{}}"#, "no reply in the gemini input"),
        (r#"{"object":"response"}"#, "no reply in the openai-responses input"),
        ("data: {\"type\":\"ping\"}\n\n", "the stream holds no event of a known format"),
        ("data: hello\n\n", "an event of the stream is not JSON"),
        (
            "data: {\"choices\":[{\"delta\":{}}]}\n\ndata: {\"choi\n\ndata: x\n\n",
            "an event of the stream is not JSON",
        ),
        ("{\"choices\":[{\"delta\":{}}]}\nhello", "the text between two events is not JSON"),
        (
            "{\"choices\":[{\"delta\":{}}]}\n{\"a\":{\"b\":1}\n{\"c\":1}\n",
            "an event of the stream is not JSON: unclosed",
        ),
        (
            "{\"method\":\"m\",\"response\":[{\"candidates\":[]}]}\n{\"method\":\"m\",\"response\":[]}",
            "the input holds more than one reply",
        ),
        (
            "{\"choices\":[{\"delta\":{\"content\":\"x\n{\"choices\":[{\"delta\":{}}]}\n",
            "the input is not JSON: control character (\\u0000-\\u001F) found while parsing a string at line 1",
        ),
        ("<tool_call>", "the input is not JSON"),
    ];
    for (text, expected) in table {
        let shown = show(&decode(text.as_bytes(), None, 1));
        assert!(shown.starts_with(&format!("error: {expected}")), "{text}: {shown}");
    }
}

#[test]
fn limits_are_kept_before_anything_is_stored() {
    let limits = Limits { bytes_max: 40, calls_max: 2 };
    let mut decoder = Decoder::with_limits(None, 1, limits);
    decoder.feed(&[b' '; 40]).unwrap();
    assert_eq!(decoder.feed(b"x"), Err(DecodeError::TooLarge { limit: 40 }));

    let limits = Limits { calls_max: 2, ..Limits::default() };
    for (calls, fits) in [(2, true), (3, false)] {
        let text = format!("[{}]", vec![r#"{"tool":"Ls","args":{}}"#; calls].join(","));
        let mut decoder = Decoder::with_limits(None, 1, limits);
        decoder.feed(text.as_bytes()).unwrap();
        let error = (!fits).then_some(DecodeError::TooManyCalls { limit: 2 });
        assert_eq!(decoder.finish().err(), error);
    }
}

#[test]
fn a_call_that_was_handed_out_survives_whatever_breaks_the_stream() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"Ls","arguments":"{}"}}]}}]}"#;
    let start = format!("data: {call}\n\n");
    let second = format!("data: [DONE]\n\n{start}");
    let table = [
        ("data: oops\n\n", "unfinished: c1[a]=Ls{}"),
        (&second, "finished: c1[a]=Ls{}"),
        (&"x".repeat(1000), "unfinished: c1[a]=Ls{}"),
    ];
    for (breaks, expected) in table {
        let limits = Limits { bytes_max: 500, ..Limits::default() };
        let mut decoder = Decoder::with_limits(None, 1, limits);
        decoder.feed(start.as_bytes()).unwrap();
        assert!(decoder.feed(breaks.as_bytes()).is_err(), "{breaks}");
        assert_eq!(decoder.feed(start.as_bytes()), Ok(()));
        assert_eq!(show(&decoder.finish()), expected);
    }
    let mut decoder = Decoder::with_limits(None, 1, Limits { bytes_max: 40, ..Limits::default() });
    decoder.feed(br#"{"tool":"Ls","args":{}}"#).unwrap();
    assert!(decoder.feed(&[b' '; 40]).is_err());
    assert!(decoder.finish().is_err());
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let value = format!(
        r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"x","y":{deep}}}}}"#
    );
    assert_eq!(decode(value.as_bytes(), None, 1), Err(DecodeError::TooDeep { limit: 128 }));
    // Where nothing has to look inside, it is just carried.
    let block = format!(
        r#"[{{"type":"tool_use","id":"a","name":"Ls","input":{{}}}},{{"type":"x","y":{deep}}}]"#
    );
    let reply = decode(block.as_bytes(), None, 1).unwrap();
    assert!(fanfold_wire::write_reply(&reply).text().contains(&deep));
    assert!(decode(deep.as_bytes(), None, 1).is_err());
    assert!(decode("{\"a\":".repeat(100_000).as_bytes(), None, 1).is_err());
}
