//! Each wire is answered in its own format: one result per call, in call order.

use serde_json::{Value, json};

use crate::{Run, parse, text};

fn answer(reply: &str) -> Value {
    let output = Run::new().with(&["exec"], reply.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    parse(&output.stdout)
}

#[test]
fn anthropic() {
    let answer = answer(
        &json!({"type": "message", "role": "assistant", "content": [
            {"type": "text", "text": "Two."},
            {"type": "tool_use", "id": "toolu_1", "name": "wait", "input": {"seconds": 0}},
            {"type": "tool_use", "id": "toolu_2", "name": "nope", "input": {}}
        ]})
        .to_string(),
    );
    assert_eq!(answer["role"], "user");
    let content = answer["content"].as_array().unwrap();
    assert_eq!(content.len(), 2);
    assert_eq!(content[0]["tool_use_id"], "toolu_1");
    assert_eq!(content[0].get("is_error"), None);
    assert_eq!(
        (&content[1]["tool_use_id"], &content[1]["is_error"]),
        (&json!("toolu_2"), &json!(true))
    );
}

#[test]
fn openai_chat() {
    let call = |id: &str, name: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
    let message = json!({"role": "assistant", "content": null,
        "tool_calls": [call("call_b", "Ls"), call("call_a", "nope")]});
    let reply =
        json!({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]});
    let answer = answer(&reply.to_string());
    assert_eq!(answer[0]["role"], "tool");
    assert_eq!(answer[0]["tool_call_id"], "call_b");
    assert_eq!(answer[1]["tool_call_id"], "call_a");
    assert!(answer[1]["content"].as_str().unwrap().contains("unknown_tool"));
}

#[test]
fn openai_chat_as_a_recorded_stream() {
    let delta = |calls: Value| {
        let chunk = json!({"object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": null}]});
        format!("data: {chunk}\n\n")
    };
    let call = |n: u32, id: &str| json!([{"index": n, "id": id, "type": "function", "function": {"name": "Ls", "arguments": ""}}]);
    let more = |n: u32, text: &str| json!([{"index": n, "function": {"arguments": text}}]);
    let stream = [
        delta(call(0, "call_1")),
        delta(more(0, "{\"path\"")),
        delta(more(0, ": \".\"}")),
        delta(call(1, "call_2")),
        delta(more(1, "{\"pa")),
    ];
    // The stream ends here: the second call was cut and must not run.
    let answer = answer(&stream.concat());
    assert_eq!(answer.as_array().unwrap().len(), 2);
    assert!(!answer[0]["content"].as_str().unwrap().contains("declined"));
    assert!(answer[1]["content"].as_str().unwrap().contains("cut_arguments"));
}

#[test]
fn openai_responses() {
    let call = |id: &str, name: &str| {
        json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
            "arguments": "{}", "status": "completed"})
    };
    let reply = json!({"object": "response", "status": "completed",
        "output": [{"type": "reasoning", "id": "rs_1", "summary": []}, call("call_1", "Ls"), call("call_2", "x")]});
    let answer = answer(&reply.to_string());
    assert_eq!(answer[0]["type"], "function_call_output");
    assert_eq!(
        (&answer[0]["call_id"], &answer[1]["call_id"]),
        (&json!("call_1"), &json!("call_2"))
    );
    assert_eq!(answer.as_array().unwrap().len(), 2);
}

#[test]
fn gemini() {
    let part = |name: &str| json!({"functionCall": {"name": name, "args": {}}});
    let content = json!({"role": "model", "parts": [part("Ls"), part("nope")]});
    let reply = json!({"candidates": [{"content": content, "finishReason": "STOP"}]});
    let answer = answer(&reply.to_string());
    assert_eq!(answer["role"], "user");
    let parts = answer["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[0]["functionResponse"]["name"], "Ls");
    assert!(parts[0]["functionResponse"]["response"]["output"].is_string());
    assert!(parts[1]["functionResponse"]["response"]["error"].is_string());
}

#[test]
fn plain_in_its_shapes() {
    let answer = answer(
        r#"```json
        {"tool_calls": [{"tool_name": "Ls", "tool_args": {}}, {"name": "Ls", "arguments": "{\"path\": \".\"}"}]}
        ```"#,
    );
    for result in answer.as_array().unwrap() {
        assert_eq!((&result["tool_name"], &result["outcome"]), (&json!("Ls"), &json!("ok")));
    }
    assert_eq!(answer.as_array().unwrap().len(), 2);
}
