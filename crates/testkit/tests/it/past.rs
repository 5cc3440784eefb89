//! Past turns are repeated byte for byte.

use fanfold_testkit::strict::{Memory, Past, Seals, check};
use fanfold_transcript::Wire;
use serde_json::{Value, json};

use crate::support::ask_of;

fn begun(key: &str) -> Value {
    json!({
        "model": "m",
        "prompt_cache_key": key,
        "messages": [{"role": "user", "content": "Hi"}],
    })
}

fn gone_on(key: &str, said: &str) -> Value {
    let mut request = begun(key);
    let more = [
        json!({"role": "assistant", "content": said}),
        json!({"role": "user", "content": "And now?"}),
    ];
    request["messages"].as_array_mut().unwrap().extend(more);
    request
}

#[test]
fn a_past_message_may_not_change() {
    let mut memory = Memory::default();
    let mut ask = |request: &Value| ask_of(&mut memory, Wire::OpenaiChat, request);
    ask(&begun("a")).unwrap();
    ask(&gone_on("a", "Hello.")).unwrap();
    ask(&gone_on("a", "Hello.")).expect("the same again, after a fault");
    let refusal = ask(&gone_on("a", "Hello!")).unwrap_err();
    assert_eq!(refusal.at, "messages.1");
    assert!(refusal.said.contains("past turns are byte-identical"), "{refusal}");
    let mut tools = gone_on("a", "Hello.");
    tools["tools"] = json!([{"type": "function", "function": {"name": "Ls"}}]);
    assert_eq!(ask(&tools).unwrap_err().at, "tools");
    // A refused request is not remembered, and other conversations are others.
    ask(&gone_on("a", "Hello.")).unwrap();
    ask(&gone_on("b", "Hello!")).unwrap();
    ask(&begun("a")).expect("a new conversation");
    ask(&gone_on("a", "Hello!")).unwrap();
}

#[test]
fn bytes_are_compared_and_not_values() {
    let mut memory = Memory::default();
    let mut ask = |body: &str| check(Wire::OpenaiChat, body.as_bytes(), &mut memory);
    let request = gone_on("a", "Hello.").to_string();
    ask(&request).unwrap();
    let reordered = r#"{"content":"Hello.","role":"assistant"}"#;
    let refusal = ask(&request.replace(r#"{"role":"assistant","content":"Hello."}"#, reordered));
    assert_eq!(refusal.unwrap_err().at, "messages.1");
}

#[test]
fn cache_marks_may_move() {
    let mut memory = Memory::default();
    let mark = |request: &mut Value, on: usize| {
        let text = request["messages"][on]["content"].take();
        let block = json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}});
        request["messages"][on]["content"] = json!([block]);
    };
    let mut request = gone_on("", "Hello.");
    request["max_tokens"] = json!(10);
    request.as_object_mut().unwrap().remove("prompt_cache_key");
    let content = json!([{"type": "text", "text": "Hi"}]);
    request["messages"][0]["content"] = content;
    ask_of(&mut memory, Wire::Anthropic, &request).unwrap();
    mark(&mut request, 2);
    request["messages"][0]["content"][0]["cache_control"] = json!({"type": "ephemeral"});
    let refusal = ask_of(&mut memory, Wire::Anthropic, &request).unwrap_err();
    assert_eq!(refusal.at, "messages.2", "a text became a block");
    request["messages"][2]["content"] = json!("And now?");
    ask_of(&mut memory, Wire::Anthropic, &request).unwrap();
}

#[test]
fn it_can_be_switched_off() {
    let mut memory = Memory::new(Past::Free, Seals::Checked);
    for said in ["Hello.", "Hello!"] {
        ask_of(&mut memory, Wire::OpenaiChat, &gone_on("a", said)).unwrap();
    }
}

#[test]
fn seals_of_others_can_be_let_pass() {
    let signed = json!({
        "model": "claude-opus-4-6",
        "max_tokens": 10,
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": [
                {"type": "redacted_thinking", "data": "abc"},
                {"type": "text", "text": "Hello."},
            ]},
            {"role": "user", "content": "And now?"},
        ],
    });
    let mut any = Memory::new(Past::Identical, Seals::Any);
    ask_of(&mut any, Wire::Anthropic, &signed).unwrap();
    let refusal = ask_of(&mut Memory::default(), Wire::Anthropic, &signed).unwrap_err();
    assert_eq!(refusal.at, "messages.1.content.0");
    assert!(refusal.said.contains("Invalid `data` in `redacted_thinking` block"), "{refusal}");
}
