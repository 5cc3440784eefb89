//! Arguments as models get them wrong, and what is made of them.

use fanfold_transcript::Arguments;
use serde_json::json;

use crate::support::{decode, show_arguments};

/// The arguments of a call whose arguments are this text, in a reply that ended so.
fn chat(arguments: &str, finish: &str) -> String {
    let call =
        json!({"id": "a", "type": "function", "function": {"name": "Ls", "arguments": arguments}});
    let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    let reply = json!({"choices": [{"message": message, "finish_reason": finish}]}).to_string();
    show_arguments(&decode(&reply).unwrap().calls().next().unwrap().arguments)
}

// https://github.com/NousResearch/hermes-agent/issues/83937
#[test]
fn arguments_are_read_in_stages() {
    let table = [
        (r#"{"a":1}"#, r#"{"a":1}"#),
        (" \n{\"a\": 1}\n", r#"{"a":1}"#),
        ("", "{}"),
        ("  ", "{}"),
        ("null", "{}"),
        (r#""{\"a\":1}""#, r#"~{"a":1}"#),
        (r#""\"{\\\"a\\\":1}\"""#, r#"~{"a":1}"#),
        ("```json\n{\"a\":1}\n```", r#"~{"a":1}"#),
        ("```\n{\"a\":\"```\"}\n```\nDone.", r#"~{"a":"```"}"#),
        (r#"{"a":1} That lists it."#, r#"~{"a":1}"#),
        (r#"{"a":1}}"#, r#"~{"a":1}"#),
        (r#"{"a":1} fills {name} and { x }"#, r#"~{"a":1}"#),
        // A text in the arguments stays what it is.
        (r#"{"content":"{\"a\":1}","n":"null"}"#, r#"{"content":"{\"a\":1}","n":"null"}"#),
        (r#"{"content":"\ud83d"}"#, "{\"content\":\"\u{fffd}\"}"),
        (r#"{"content":"\ud83d\ude00"}"#, r#"{"content":"😀"}"#),
        (r#"{"a":1,"a":2}"#, r#"{"a":2}"#),
        // Another grammar, whole.
        (r#"{"a":"grep \d+"}"#, r#"~~{"a":"grep \\d+"}"#),
        (r#"{"a": True, "b": None,}"#, r#"~~{"a":true,"b":null}"#),
        ("{'a': 1}", r#"~~{"a":1}"#),
        ("```python\n{'a': 1}\n```", r#"~~{"a":1}"#),
        (r#""{'a': 1}""#, r#"~~{"a":1}"#),
        ("None", "~~{}"),
        // A guess.
        (r#"{"a":"x"#, r#"?{"a":"x"}"#),
        ("{a: src/lib.rs}", r#"?{"a":"src/lib.rs"}"#),
    ];
    for (text, expected) in table {
        assert_eq!(chat(text, "tool_calls"), expected, "{text}");
    }
}

// https://github.com/ai-dynamo/dynamo/pull/12332
#[test]
fn what_even_a_guess_would_not_mend_is_not_read() {
    let table = [
        (r#"{"a":1}{"a":2}"#, "several JSON objects"),
        (r#"{"a":1} and then {"a":2}"#, "several JSON objects"),
        (r#"{"a":1}{"a":"#, "several JSON objects"),
        (r#"{"a":1} {a: 2}"#, "several JSON objects"),
        (r#"{"a":1} or { }"#, "several JSON objects"),
        (r#""{\"a\":1}{\"a\":2}""#, "several JSON objects"),
        ("[1]", "not an array"),
        ("3", "not a number"),
        (r#""x""#, "not a string"),
        ("true", "not a boolean"),
        (r#"{"a":"#, "not valid JSON: EOF"),
        (r#"{"cmd":"echo "hi""}"#, "not valid JSON: expected"),
        ("Listing {\"a\":1}", "not valid JSON: expected"),
        ("{'a': 1} and more", "not valid JSON: key must be"),
        ("{'a': 1}{'a': 2}", "not valid JSON: key must be"),
        ("['a']", "not an array"),
    ];
    for (text, expected) in table {
        let shown = chat(text, "tool_calls");
        assert!(shown.contains(expected), "{text}: {shown}");
    }
    let deep = format!("{}1{}", "{\"a\":".repeat(50_000), "}".repeat(50_000));
    assert!(chat(&deep, "tool_calls").contains("nested deeper than 128"));
}

#[test]
fn at_the_output_limit_an_incomplete_call_is_cut() {
    let guessable = [r#"{"a":1"#, r#"{"a":"x"#, "{a: src}"];
    for text in
        [r#"{"a":"#, "{", "", " ", "\"{\\\"a", "```json\n{\"a\":1"].into_iter().chain(guessable)
    {
        assert_eq!(chat(text, "length"), "<cut>", "{text}");
    }
    assert_eq!(chat(r#"{"a":1}"#, "length"), r#"{"a":1}"#);
    assert_eq!(chat("{'a':1}", "length"), r#"~~{"a":1}"#);
    assert!(chat("[1]", "length").contains("not an array"));
}

#[test]
fn a_whole_message_at_its_limit_has_its_last_call_cut() {
    let message = |last: &str| {
        let text = json!({
            "type": "message", "role": "assistant", "stop_reason": "max_tokens",
            "content": [
                {"type": "tool_use", "id": "a", "name": "Ls", "input": {}},
                {"type": last, "id": "b", "name": "Ls", "input": {"path": "sr"}, "text": ""},
            ],
        });
        let reply = decode(&text.to_string()).unwrap();
        reply.calls().map(|call| show_arguments(&call.arguments)).collect::<Vec<_>>()
    };
    assert_eq!(message("tool_use"), ["{}", "<cut>"]);
    assert_eq!(message("text"), ["{}"]);
}

#[test]
fn a_call_that_is_not_the_last_is_cut_only_where_it_is_open() {
    let arguments = |first: &str| {
        let call = |text: &str| json!({"id": "a", "function": {"name": "Ls", "arguments": text}});
        let message = json!({"role": "assistant", "tool_calls": [call(first), call("{}")]});
        let choice = json!({"message": message, "finish_reason": "length"});
        let reply = decode(&json!({ "choices": [choice] }).to_string()).unwrap();
        show_arguments(&reply.calls().next().unwrap().arguments)
    };
    let table = [
        (r#"{"a":"x"#, "<cut>"),
        (r#"{"a":1"#, "<cut>"),
        ("{a: src}", r#"?{"a":"src"}"#),
        ("", "{}"),
    ];
    for (text, expected) in table {
        assert_eq!(arguments(text), expected, "{text}");
    }
}

// https://github.com/NousResearch/hermes-agent/issues/83937
#[test]
fn missing_arguments_of_a_provider_are_none() {
    let replies = [
        r#"{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Ls"}]}"#,
        r#"{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Ls","input":null}]}"#,
        r#"{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"Ls"}}]},"finish_reason":"stop"}]}"#,
        r#"{"object":"response","status":"completed","output":[{"type":"function_call","call_id":"a","name":"Ls"}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"Ls"}}]},"finishReason":"STOP"}]}"#,
        r#"{"output":{"message":{"role":"assistant","content":[{"toolUse":{"name":"Ls"}}]}},"stopReason":"tool_use"}"#,
        r#"{"message":{"role":"assistant","tool_calls":[{"function":{"name":"Ls","arguments":"null"}}]},"finish_reason":"TOOL_CALL"}"#,
        r#"{"message":{"role":"assistant","tool_calls":[{"function":{"name":"Ls","arguments":""}}]},"finish_reason":"TOOL_CALL"}"#,
    ];
    for reply in replies {
        let reply = decode(reply).unwrap();
        assert_eq!(reply.calls().next().unwrap().arguments, Arguments::none());
    }
}
