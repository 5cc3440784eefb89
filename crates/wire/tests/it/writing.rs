//! Replies and results on their way back.

use fanfold_transcript::{
    Assistant, CallId, Content, Cut, Decline, Ending, Failure, Json, Media, MediaSource, Outcome,
    Sha256, Skip, Wire,
};
use fanfold_wire::{ToolDefinition, write_definitions, write_reply, write_results};
use serde_json::{Value, json};

use crate::support::{decode, recording};

/// The reply with each call settled by the next outcome.
fn settled(text: &str, outcomes: Vec<Outcome>) -> Assistant {
    let mut reply = decode(text).unwrap();
    for (call, outcome) in reply.calls_mut().zip(outcomes) {
        call.settle(outcome).unwrap();
    }
    reply
}

fn results(text: &str, outcomes: Vec<Outcome>) -> Value {
    write_results(&settled(text, outcomes)).unwrap().value().unwrap()
}

/// A reply of this wire that calls `Ls` under these ids.
fn reply(wire: Wire, ids: &[&str]) -> String {
    let all = |call: &dyn Fn(&str) -> Value| ids.iter().map(|id| call(id)).collect::<Value>();
    let whole = match wire {
        Wire::Anthropic => json!({"type": "message", "role": "assistant", "content":
            all(&|id| json!({"type": "tool_use", "id": id, "name": "Ls", "input": {}}))}),
        Wire::OpenaiChat => {
            json!({"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "tool_calls":
            all(&|id| json!({"id": id, "type": "function", "function": {"name": "Ls", "arguments": "{}"}}))}}]})
        }
        Wire::OpenaiResponses => json!({"object": "response", "status": "completed", "output":
            all(&|id| json!({"type": "function_call", "id": "fc", "call_id": id, "name": "Ls", "arguments": "{}"}))}),
        Wire::Gemini => json!({"candidates": [{"finishReason": "STOP", "content": {"parts":
            all(&|id| json!({"functionCall": {"id": id, "name": "Ls", "args": {}}}))}}]}),
        Wire::Bedrock => {
            json!({"stopReason": "tool_use", "output": {"message": {"role": "assistant",
            "content": all(&|id| json!({"toolUse": {"toolUseId": id, "name": "Ls", "input": {}}}))}}})
        }
        Wire::Cohere => {
            json!({"finish_reason": "TOOL_CALL", "message": {"role": "assistant", "tool_calls":
            all(&|id| json!({"id": id, "type": "function", "function": {"name": "Ls", "arguments": "{}"}}))}})
        }
        Wire::Plain => all(&|id| json!({"id": id, "tool_name": "Ls", "tool_args": {}})),
    };
    whole.to_string()
}

/// Every value of `key` in the document, in order.
pub(crate) fn all_of(value: &Value, key: &str) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().flat_map(|value| all_of(value, key)).collect(),
        Value::Object(object) => object
            .iter()
            .flat_map(|(name, value)| match value.as_str() {
                Some(text) if name == key => vec![text.to_owned()],
                _ => all_of(value, key),
            })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[test]
fn whole_replies_go_back_byte_for_byte() {
    for (wire, list) in [
        ("anthropic", "content"),
        ("responses", "output"),
        ("gemini", "parts"),
        ("bedrock", "content"),
    ] {
        let bytes = recording(&format!("{wire}/whole.json"));
        let text = std::str::from_utf8(bytes).unwrap();
        let written = write_reply(&decode(text).unwrap());
        let start = text.find(&format!("\"{list}\": [")).unwrap();
        // The blocks stand one on a line.
        let blocks = text[start..].lines().skip(1).map(|line| line.trim().trim_end_matches(','));
        let blocks: Vec<&str> = blocks.take_while(|line| line.starts_with('{')).collect();
        assert!(blocks.len() > 3);
        assert!(
            written.text().ends_with(&format!("[{}]", blocks.join(",")))
                || written.text().ends_with(&format!("[{}]}}", blocks.join(","))),
            "{}",
            written.text()
        );
    }
    for (name, message) in [("chat", "/choices/0/message"), ("cohere", "/message")] {
        let text = std::str::from_utf8(recording(&format!("{name}/whole.json"))).unwrap();
        let written = write_reply(&decode(text).unwrap());
        let whole: Value = serde_json::from_str(text).unwrap();
        assert_eq!(Some(&written.value().unwrap()), whole.pointer(message));
        for line in text.lines().filter(|line| line.trim_start().starts_with("{\"id\": \"call")) {
            assert!(written.text().contains(line.trim().trim_end_matches(',')), "{line}");
        }
    }
}

#[test]
fn what_a_broken_stream_leaves_behind_does_not_go_back() {
    let events = r#"
{"type":"message_start","message":{"content":[]}}
{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"half"}}
{"type":"content_block_start","index":1,"content_block":{"type":"text","text":" "}}
"#;
    let reply = decode(events).unwrap();
    assert_eq!(reply.blocks.len(), 2);
    assert_eq!(write_reply(&reply).text(), r#"{"role":"assistant","content":[]}"#);
}

#[test]
fn what_ran_goes_back_whatever_came_later() {
    let anthropic = r#"
{"type":"message_start","message":{"content":[]}}
{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"Ls","input":{}}}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}
{"type":"content_block_stop","index":0}
{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"x\":2}"}}
"#;
    let responses = r#"
{"type":"response.output_item.added","item":{"type":"function_call","id":"f","call_id":"a","name":"Ls"}}
{"type":"response.function_call_arguments.done","item_id":"f","arguments":"{\"x\":1}"}
{"type":"response.in_progress","response":{}}
{"type":"response.output_item.done","item":{"type":"function_call","id":"f","call_id":"a","name":"Ls","arguments":"{\"x\":2}"}}
"#;
    for (events, written) in [
        (anthropic, r#"{"type":"tool_use","id":"a","name":"Ls","input":{"x":1}}"#),
        (
            responses,
            r#"{"type":"function_call","id":"f","call_id":"a","name":"Ls","arguments":"{\"x\":1}"}"#,
        ),
    ] {
        let reply = decode(events).unwrap();
        assert_eq!(reply.calls().next().unwrap().arguments.object(), json!({"x": 1}).as_object());
        assert!(write_reply(&reply).text().contains(written), "{}", write_reply(&reply).text());
    }
}

#[test]
fn reasoning_that_was_cut_does_not_go_back() {
    let events = r#"
{"type":"response.output_item.added","item":{"type":"reasoning","id":"r","summary":[]}}
{"type":"response.reasoning_summary_text.delta","item_id":"r","delta":"half"}
"#;
    let reply = decode(events).unwrap();
    assert_eq!((reply.blocks.len(), write_reply(&reply).text()), (1, "[]"));
}

#[test]
fn a_plain_call_without_arguments_stays_without() {
    let text = r#"[{"tool_name":"Ls"}]"#;
    assert_eq!(write_reply(&decode(text).unwrap()).text(), text);
}

#[test]
fn messages_of_chat_keep_their_other_keys() {
    for message in [
        r#"{"role":"assistant","content":null,"refusal":null,"annotations":[],"tool_calls":[{"id":"a","type":"function","function":{"name":"Ls","arguments":"{}"}}]}"#,
        r#"{"role":"assistant","content":"","reasoning_content":"hm","tool_calls":[{"id":"a","function":{"name":"Ls","arguments":"{}"},"index":0}]}"#,
        r#"{"role":"assistant","reasoning":"hm","tool_calls":[{"id":"a","type":"function","function":{"name":"Ls","arguments":"{}"}}]}"#,
        r#"{"role":"assistant","content":null,"function_call":{"name":"Ls","arguments":"{}"}}"#,
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"x"}],"audio":{"id":"y"}}"#,
    ] {
        let text = format!(r#"{{"choices":[{{"message":{message},"finish_reason":"stop"}}]}}"#);
        let written = write_reply(&decode(&text).unwrap()).value().unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(message).unwrap());
    }
}

/// An id of 65 bytes, one more than Bedrock takes.
const LONG: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

// https://github.com/can1357/oh-my-pi/issues/2055
#[test]
fn ids_that_a_provider_would_refuse_are_replaced_in_reply_and_results_alike() {
    let table = [
        (
            Wire::Anthropic,
            "id",
            "tool_use_id",
            vec!["a", "a", "functions.Ls:0", "", "fanfold_c2"],
            vec!["a", "fanfold_c2x", "fanfold_c3", "fanfold_c4", "fanfold_c2"],
        ),
        (
            Wire::OpenaiChat,
            "id",
            "tool_call_id",
            vec!["a", "functions.Ls:0", "functions.Ls:0", "é"],
            vec!["a", "functions.Ls:0", "fanfold_c3", "fanfold_c4"],
        ),
        (
            Wire::OpenaiResponses,
            "call_id",
            "call_id",
            vec!["a", "a", "\n"],
            vec!["a", "fanfold_c2", "fanfold_c3"],
        ),
        (Wire::Gemini, "id", "id", vec!["a", "a", "b"], vec!["a", "fanfold_c2", "b"]),
        (
            Wire::Bedrock,
            "toolUseId",
            "toolUseId",
            vec!["a", "a", "x:y", LONG, &LONG[1..]],
            vec!["a", "fanfold_c2", "fanfold_c3", "fanfold_c4", &LONG[1..]],
        ),
        (Wire::Cohere, "id", "tool_call_id", vec!["a:0", "a:0"], vec!["a:0", "fanfold_c2"]),
    ];
    for (wire, key, result_key, sent, expected) in table {
        let text = reply(wire, &sent);
        let written = write_reply(&decode(&text).unwrap()).value().unwrap();
        assert_eq!(
            all_of(&written, key).into_iter().filter(|id| id != "fc").collect::<Vec<_>>(),
            expected
        );
        let done = sent.iter().map(|_| Outcome::ok_text("x")).collect();
        assert_eq!(all_of(&results(&text, done), result_key), expected);
    }
    // Where a Gemini call has no id, its result has none.
    let text =
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"Ls","args":{}}}]}}]}"#;
    assert!(all_of(&results(text, vec![Outcome::ok_text("x")]), "id").is_empty());
}

#[test]
fn arguments_that_are_no_object_go_back_as_what_was_read() {
    let table = [
        ("{ \"a\": 1.0e2 }", "{ \"a\": 1.0e2 }"),
        ("", "{}"),
        ("null", "{}"),
        (r#""{\"a\":1}""#, r#"{"a":1}"#),
        (r#"{"a":"\ud83d"}"#, "{\"a\":\"\u{fffd}\"}"),
        (r#"{"a":"#, r#"{"INVALID_JSON":"{\"a\":"}"#),
        ("{'a':1}", r#"{"a":1}"#),
        ("{a: b}", r#"{"INVALID_JSON":"{a: b}"}"#),
    ];
    for (sent, expected) in table {
        let call = json!({"id": "a", "function": {"name": "", "arguments": sent}});
        let text = json!({"choices": [{"message": {"tool_calls": [call]}}]}).to_string();
        let written = write_reply(&decode(&text).unwrap()).value().unwrap();
        assert_eq!(
            written["tool_calls"][0]["function"],
            json!({"name": "unnamed", "arguments": expected})
        );
    }
}

#[test]
fn each_call_gets_one_result_in_the_order_of_the_calls() {
    let outcomes = || vec![Outcome::ok_text("done"), Outcome::tool_error("no")];
    let table = [
        (
            Wire::Anthropic,
            json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "done"},
            {"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": true}]}),
        ),
        (
            Wire::OpenaiChat,
            json!([
            {"role": "tool", "tool_call_id": "a", "content": "done"},
            {"role": "tool", "tool_call_id": "b", "content": "no"}]),
        ),
        (
            Wire::OpenaiResponses,
            json!([
            {"type": "function_call_output", "call_id": "a", "output": "done"},
            {"type": "function_call_output", "call_id": "b", "output": "no"}]),
        ),
        (
            Wire::Gemini,
            json!({"role": "user", "parts": [
            {"functionResponse": {"name": "Ls", "response": {"output": "done"}, "id": "a"}},
            {"functionResponse": {"name": "Ls", "response": {"error": "no"}, "id": "b"}}]}),
        ),
        (
            Wire::Bedrock,
            json!({"role": "user", "content": [
            {"toolResult": {"toolUseId": "a", "content": [{"text": "done"}], "status": "success"}},
            {"toolResult": {"toolUseId": "b", "content": [{"text": "no"}], "status": "error"}}]}),
        ),
        (
            Wire::Cohere,
            json!([
            {"role": "tool", "tool_call_id": "a", "content": "done"},
            {"role": "tool", "tool_call_id": "b", "content": "no"}]),
        ),
        (
            Wire::Plain,
            json!([
            {"tool_name": "Ls", "outcome": "ok", "result": "done"},
            {"tool_name": "Ls", "outcome": "failed", "result": "no"}]),
        ),
    ];
    for (wire, expected) in table {
        let text = reply(wire, &["a", "b"]);
        assert_eq!(results(&text, outcomes()), expected, "{wire}");
        let open = write_results(&settled(&text, vec![Outcome::ok_text("x")])).unwrap_err().open;
        assert_eq!(open, [CallId::new(2)], "{wire}");
    }
}

#[test]
fn a_result_says_what_its_text_does_not() {
    let exit = Outcome {
        exit_code: Some(1),
        cut: Some(Cut { bytes: 9, lines: 1 }),
        ..Outcome::of_text(Ending::Failed(Failure::ExitCode), "Exit code: 1")
    };
    let table = [
        (Outcome::ok_text(""), ""),
        (Outcome::tool_error("no such file"), "no such file"),
        (exit, "Exit code: 1"),
        (Outcome::of_text(Ending::Failed(Failure::Panicked), "oh"), "[failed: panicked]\noh"),
        (Outcome::declined(Decline::CutArguments, "cut"), "[declined: cut_arguments]\ncut"),
        (Outcome::of_text(Ending::Cancelled, ""), "[cancelled]"),
        (Outcome::of_text(Ending::TimedOut, "half"), "[timed_out: deadline]\nhalf"),
        (
            Outcome::of_text(Ending::Skipped(Skip::Stopped), "not run"),
            "[skipped: stopped]\nnot run",
        ),
    ];
    for (outcome, expected) in table {
        let written = results(&reply(Wire::OpenaiChat, &["a"]), vec![outcome]);
        assert_eq!(written[0]["content"], expected);
    }
}

#[test]
fn a_result_says_how_the_arguments_were_bent() {
    let written = |arguments: &str, outcome| {
        let call = json!({"id": "a", "function": {"name": "Ls", "arguments": arguments}});
        let text = json!({"choices": [{"message": {"tool_calls": [call]}}]}).to_string();
        results(&text, vec![outcome])[0]["content"].as_str().unwrap().to_owned()
    };
    let table = [
        ("{}", "x"),
        ("{} ok", "x\n(arguments were read tolerantly: unwrapped)"),
        ("{'a': 1}", "x\n(arguments were read tolerantly: literal)"),
        (
            "{a: b}",
            "x\n(the arguments are not valid JSON: key must be a string at line 1 column 2; they were guessed to mean {\"a\":\"b\"})",
        ),
    ];
    for (arguments, expected) in table {
        assert_eq!(written(arguments, Outcome::ok_text("x")), expected);
    }
    // The refusal itself says what would have been guessed.
    let refused = written("{a: b}", Outcome::declined(Decline::RepairedGuess, "no"));
    assert_eq!(refused, "[declined: repaired_guess]\nno");
    let long = written(&format!("{{a: {}", "é".repeat(500)), Outcome::tool_error("x"));
    assert!(long.ends_with("é…)") && long.chars().count() < 550, "{long}");
}

#[test]
fn media_go_where_the_wire_has_a_place_for_them_and_only_with_a_success() {
    let image = |source| Content::Image(Media { media_type: "image/png".into(), source });
    let inline = || image(MediaSource::Inline { base64: "AA==".into() });
    let kept = image(MediaSource::Stored { sha256: Sha256([0; 32]), bytes: 1 });
    let mut ok = Outcome::ok_text("seen");
    ok.content.extend([inline(), kept]);
    let mut failed = Outcome::tool_error("no");
    failed.content.push(inline());
    let outcomes = || vec![ok.clone(), failed.clone()];
    let of = |wire| results(&reply(wire, &["a", "b"]), outcomes());
    let text = "seen\n[image/png: not shown]";
    let anthropic = of(Wire::Anthropic);
    assert_eq!(
        anthropic["content"][0]["content"],
        json!([
        {"type": "text", "text": text},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}])
    );
    assert_eq!(anthropic["content"][1]["content"], "no");
    assert_eq!(of(Wire::OpenaiChat)[0]["content"], format!("{text}\n[image/png: not shown]"));
    assert_eq!(
        of(Wire::OpenaiResponses)[0]["output"],
        json!([
        {"type": "input_text", "text": text},
        {"type": "input_image", "image_url": "data:image/png;base64,AA=="}])
    );
    let gemini = of(Wire::Gemini);
    assert_eq!(gemini["parts"].as_array().unwrap().len(), 3);
    assert_eq!(
        gemini["parts"][2],
        json!({"inlineData": {"mimeType": "image/png", "data": "AA=="}})
    );
    assert_eq!(
        of(Wire::Bedrock)["content"][0]["toolResult"]["content"],
        json!([{"text": text}, {"image": {"format": "png", "source": {"bytes": "AA=="}}}])
    );
    let mut data = Outcome::ok_text("");
    data.content = vec![Content::Json(Json::parse(r#"{"n":1.0}"#).unwrap())];
    let bedrock = results(&reply(Wire::Bedrock, &["a"]), vec![data.clone()]);
    let content = &bedrock["content"][0]["toolResult"]["content"];
    assert_eq!(content, &json!([{"json": {"n": 1.0}}]));
    assert_eq!(results(&reply(Wire::Plain, &["a"]), vec![data])[0]["result"], json!({"n": 1.0}));
}

#[test]
fn tools_are_described_as_each_provider_wants() {
    let schema = json!({"type": "object", "properties": {}});
    let (bare, empty) = (json!({"type": "object"}), json!({}));
    let tool = |input_schema| ToolDefinition { name: "Ls", description: "Lists", input_schema };
    let table = [
        (Wire::Anthropic, json!([{"name": "Ls", "description": "Lists", "input_schema": schema}])),
        (
            Wire::OpenaiChat,
            json!([{"type": "function", "function": {"name": "Ls", "description": "Lists", "parameters": schema}}]),
        ),
        (
            Wire::OpenaiResponses,
            json!([{"type": "function", "name": "Ls", "description": "Lists", "parameters": schema, "strict": false}]),
        ),
        (
            Wire::Gemini,
            json!([{"functionDeclarations": [{"name": "Ls", "description": "Lists", "parametersJsonSchema": schema}]}]),
        ),
        (
            Wire::Bedrock,
            json!([{"toolSpec": {"name": "Ls", "description": "Lists", "inputSchema": {"json": schema}}}]),
        ),
        (
            Wire::Cohere,
            json!([{"type": "function", "function": {"name": "Ls", "description": "Lists", "parameters": schema}}]),
        ),
        (Wire::Plain, json!([{"name": "Ls", "description": "Lists", "input_schema": schema}])),
    ];
    for (wire, expected) in table {
        for given in [&schema, &bare, &empty] {
            assert_eq!(write_definitions(wire, &[tool(given)]).value().unwrap(), expected);
        }
        assert_eq!(write_definitions(wire, &[]).text(), "[]");
    }
}
