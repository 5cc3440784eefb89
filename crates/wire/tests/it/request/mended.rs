//! What a provider would refuse of a conversation, and what stands there instead.
//!
//! Not here: what is left out, and what another model is told (`retold.rs`).

use fanfold_wire::{Endpoint, Protocol};
use serde_json::{Value, json};

use super::{Asking, Talk, asking};

#[test]
fn geminis_own_call_that_came_without_a_seal_gets_the_stand_in() {
    let parts = json!([
        {"functionCall": {"name": "Ls", "args": {"path": "src"}}},
        {"functionCall": {"id": "f2", "name": "Ls", "args": {}}},
    ]);
    let mut told = parts.clone();
    told[0]["thoughtSignature"] = json!("skip_thought_signature_validator");
    let reply = json!({"candidates": [{"finishReason": "STOP", "content": {"parts": parts}}]});
    let mut talk = Talk::default();
    talk.user("Go.").written(&reply, Some("p/m-1"));
    assert_eq!(talk.messages(&asking(Endpoint::Gemini))[1]["parts"], told);
}

#[test]
fn an_empty_id_is_none_in_geminis_call_as_in_its_result() {
    let call = json!({"functionCall": {"id": "", "name": "Ls"}, "thoughtSignature": "c2ln"});
    let reply = json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [call]}}]});
    let mut talk = Talk::default();
    talk.user("Go.").written(&reply, None);
    let messages = talk.messages(&asking(Endpoint::Gemini));
    assert_eq!(messages[1]["parts"][0]["functionCall"], json!({"name": "Ls"}));
    assert_eq!(messages[2]["parts"][0]["functionResponse"].get("id"), None);
}

#[test]
fn a_line_stands_where_the_user_has_to_say_something() {
    let roles = |endpoint, protocol| -> String {
        let mut talk = Talk::default();
        let text = json!({"role": "assistant", "content": "So."});
        let text = json!({"choices": [{"message": text, "finish_reason": "stop"}]});
        talk.user(" ").written(&text, None).written(&text, None).recorded("chat/stream.sse", None);
        let messages = talk.messages(&Asking { protocol, ..asking(endpoint) });
        let letter = |message: &Value| match message["role"].as_str() {
            _ if message.to_string().contains("cannot be shown") => '!',
            Some("user") => 'u',
            Some("assistant" | "model") => 'a',
            _ => '.',
        };
        messages.iter().map(letter).collect()
    };
    let table = [
        (Endpoint::Anthropic, "!aaau", "!aaau"),
        (Endpoint::OpenaiChat, ".!aaa..", ".!aaau"),
        (Endpoint::OpenaiResponses, "!aaa....", "!aaau"),
        (Endpoint::Gemini, "!a!a!au", "!a!a!au"),
    ];
    for (endpoint, native, plain) in table {
        let both = (roles(endpoint, Protocol::Native), roles(endpoint, Protocol::Plain));
        assert_eq!(both, (native.to_owned(), plain.to_owned()), "{endpoint:?}");
    }
}
