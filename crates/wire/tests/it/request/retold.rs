//! Past replies: to the model that made them as they were, to any other without what only that one
//! understands.

use fanfold_transcript::{
    Assistant, Block, BlockBody, Content, Decline, Media, MediaSource, Outcome, Source, Stop, Wire,
};
use fanfold_wire::{Endpoint, decode, write_reply};
use serde_json::{Value, json};

use super::{Asking, PICTURE, Talk, asking};
use crate::support::recording;

const RECORDED: [(Endpoint, &str); 4] = [
    (Endpoint::Anthropic, "anthropic/stream.sse"),
    (Endpoint::OpenaiChat, "chat/stream.sse"),
    (Endpoint::OpenaiResponses, "responses/stream.sse"),
    (Endpoint::Gemini, "gemini/stream.sse"),
];

#[test]
fn a_model_gets_its_own_replies_byte_for_byte() {
    for (endpoint, name) in RECORDED {
        let written = write_reply(&decode(recording(name), None, 1).unwrap());
        let written = written.text().trim_matches(['[', ']']);
        for asked in [None, Some("p/m-1")] {
            let mut talk = Talk::default();
            talk.user("Go.").recorded(name, asked);
            assert!(talk.request(&asking(endpoint)).text.contains(written), "{name}");
        }
        let mut talk = Talk::default();
        talk.user("Go.").recorded(name, Some("p/m-2"));
        assert!(!talk.request(&asking(endpoint)).text.contains(written), "{name}");
    }
}

/// What a reply becomes that says `Looking.` and calls ReadFile and Ls under these ids.
fn neutral(endpoint: Endpoint, ids: [Option<&str>; 2], arguments: &Value) -> Vec<Value> {
    let [a, b] = ids;
    let sent = |arguments: &Value| arguments.to_string();
    let named = |mut call: Value, id: Option<&str>| {
        if let Some(id) = id {
            call["id"] = json!(id);
        }
        call
    };
    match endpoint {
        Endpoint::Anthropic => vec![json!({"role": "assistant", "content": [
            {"type": "text", "text": "Looking."},
            {"type": "tool_use", "id": a, "name": "ReadFile", "input": arguments},
            {"type": "tool_use", "id": b, "name": "Ls", "input": {}},
        ]})],
        Endpoint::OpenaiChat => {
            vec![json!({"role": "assistant", "content": "Looking.", "tool_calls": [
                {"type": "function", "id": a, "function": {"name": "ReadFile", "arguments": sent(arguments)}},
                {"type": "function", "id": b, "function": {"name": "Ls", "arguments": "{}"}},
            ]})]
        }
        Endpoint::OpenaiResponses => vec![
            json!({"type": "message", "role": "assistant", "content": [
                {"type": "output_text", "text": "Looking.", "annotations": []}]}),
            json!({"type": "function_call", "call_id": a, "name": "ReadFile", "arguments": sent(arguments)}),
            json!({"type": "function_call", "call_id": b, "name": "Ls", "arguments": "{}"}),
        ],
        Endpoint::Gemini => vec![json!({"role": "model", "parts": [
            {"text": "Looking."},
            {
                "thoughtSignature": "skip_thought_signature_validator",
                "functionCall": named(json!({"name": "ReadFile", "args": arguments}), a),
            },
            {"functionCall": named(json!({"name": "Ls"}), b)},
        ]})],
    }
}

/// Writes arguments that are a text as the others are written.
fn respace(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match value.as_str().filter(|_| key == "arguments") {
                    Some(text) => {
                        let arguments: Value = serde_json::from_str(text).unwrap();
                        *value = json!(arguments.to_string());
                    }
                    None => respace(value),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(respace),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn any_other_model_gets_text_and_calls_in_its_own_form() {
    let path = json!({"file_path": "a.txt"});
    let limited = json!({"file_path": "a.txt", "limit": 15.0});
    let table: [(&str, [Option<&str>; 2], &Value); 5] = [
        ("chat/stream.sse", [Some("call_1"), Some("call_2")], &path),
        ("responses/stream.sse", [Some("call_1"), Some("call_2")], &path),
        ("gemini/stream.sse", [None, Some("f2")], &limited),
        ("bedrock/stream.sse", [Some("tooluse_1"), Some("tooluse_2")], &limited),
        ("cohere/stream.sse", [Some("call_1"), Some("call_2")], &path),
    ];
    for (name, ids, arguments) in table {
        for endpoint in Endpoint::ALL {
            let mut talk = Talk::default();
            talk.user("Go.").recorded(name, Some("p/m-2"));
            let ask = Asking { system: "", ..asking(endpoint) };
            let mut messages = talk.messages(&ask);
            messages.iter_mut().for_each(respace);
            let ids = match endpoint {
                Endpoint::Gemini => ids,
                Endpoint::Anthropic | Endpoint::OpenaiChat | Endpoint::OpenaiResponses => {
                    [Some(ids[0].unwrap_or("fanfold_c1")), ids[1]]
                }
            };
            let expected = neutral(endpoint, ids, arguments);
            assert_eq!(messages[1..=expected.len()], expected, "{name} to {endpoint:?}");
        }
    }
}

#[test]
fn results_are_messages_of_their_own_and_a_user_speaks_behind_them() {
    let mut talk = Talk::default();
    talk.user("Go.").recorded("anthropic/stream.sse", None).user("Faster.");
    let roles = |endpoint| -> Vec<String> {
        let messages = talk.messages(&Asking { system: "", ..asking(endpoint) });
        let role = |message: &Value| {
            message["role"].as_str().or(message["type"].as_str()).unwrap().to_owned()
        };
        messages.iter().map(role).collect()
    };
    assert_eq!(roles(Endpoint::Anthropic), ["user", "assistant", "user", "user"]);
    assert_eq!(roles(Endpoint::OpenaiChat), ["user", "assistant", "tool", "tool", "user"]);
    assert_eq!(roles(Endpoint::Gemini), ["user", "model", "user", "user"]);
    let output = "function_call_output";
    assert_eq!(
        roles(Endpoint::OpenaiResponses),
        ["user", "assistant", "function_call", "function_call", output, output, "user"]
    );
    let results = &talk.messages(&asking(Endpoint::Gemini))[2]["parts"];
    assert_eq!(results.as_array().unwrap().len(), 2);
}

/// A reply of these blocks that broke off, by the model that is asked.
fn broken(wire: Wire, blocks: Vec<Block>) -> Assistant {
    let mut reply = Assistant::new(Source::new(wire), blocks);
    reply.stop = Stop::Unfinished;
    reply
}

#[test]
fn what_holds_nothing_is_left_out() {
    let thinking = || Block::new(BlockBody::Thinking("half".into()));
    for endpoint in Endpoint::ALL {
        let mut talk = Talk::default();
        let wire = endpoint.wire();
        talk.user("Go.")
            .reply(broken(wire, Vec::new()))
            .user("  \n")
            .reply(broken(wire, vec![thinking()]));
        let mut other = broken(wire, vec![Block::text(" "), thinking()]);
        other.source.asked = Some("p/m-2".into());
        talk.reply(other).user("Again.");
        let said = talk.messages(&Asking { system: "", ..asking(endpoint) });
        // Gemini's thoughts and DeepSeek's are no sealed blocks; Gemini's may stand alone.
        let expected = if endpoint == Endpoint::Gemini { 3 } else { 2 };
        assert_eq!(said.len(), expected, "{endpoint:?}: {said:?}");
    }
}

#[test]
fn anthropic_gets_no_white_space_at_the_end_of_a_reply() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let reply = json!({"type": "message", "role": "assistant", "content": [text("a "), text("b \n"), text("\n")]});
    for asked in [None, Some("p/m-2")] {
        let mut talk = Talk::default();
        talk.user("Go.").written(&reply, asked);
        let messages = talk.messages(&asking(Endpoint::Anthropic));
        assert_eq!(messages[1]["content"], json!([text("a "), text("b")]), "{asked:?}");
    }
}

#[test]
fn reasoning_without_its_seal_or_its_item_takes_the_ids_of_its_siblings_along() {
    let reasoning = |sealed: Option<&str>| json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": sealed});
    let message = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Hi.", "annotations": []}]});
    let reply =
        |output: Value| json!({"object": "response", "status": "completed", "output": output});
    let ids = |output: Value| {
        let mut talk = Talk::default();
        talk.user("Go.").written(&reply(output), None);
        let items = talk.messages(&asking(Endpoint::OpenaiResponses));
        items[1..]
            .iter()
            .map(|item| item["id"].as_str().unwrap_or("-").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(json!([reasoning(Some("x")), message])), ["rs_1", "msg_1"]);
    assert_eq!(ids(json!([reasoning(None), message])), ["-"]);
    assert_eq!(ids(json!([message, reasoning(Some("x"))])), ["-"]);
    assert_eq!(ids(json!([reasoning(Some("x"))])), [""; 0]);
}

#[test]
fn made_up_names_go_back_in_a_form_that_is_taken() {
    let long = "n".repeat(200);
    let names = ["functions.Ls", "é", "", &long, "1st"];
    let call = |name: &str| json!({"functionCall": {"name": name, "args": {}}, "thoughtSignature": "c2ln"});
    let reply =
        json!({"candidates": [{"finishReason": "STOP", "content": {"parts": names.map(call)}}]});
    let sent = |endpoint: Endpoint| -> Vec<String> {
        let mut talk = Talk::default();
        talk.user("Go.").written(&reply, None);
        let found = crate::writing::all_of(&Value::from(talk.messages(&asking(endpoint))), "name");
        found.into_iter().take(5).collect()
    };
    let cut = |count: usize| "n".repeat(count);
    let expected = |first: &str, length: usize, last: &str| {
        [first, "_", "unnamed", &cut(length), last].map(ToOwned::to_owned)
    };
    assert_eq!(sent(Endpoint::Anthropic), expected("functions_Ls", 128, "1st"));
    assert_eq!(sent(Endpoint::OpenaiChat), expected("functions_Ls", 64, "1st"));
    assert_eq!(sent(Endpoint::Gemini), expected("functions.Ls", 64, "_st"));
}

#[test]
fn media_of_results_are_inlined_or_noted() {
    let stored = Media {
        media_type: "image/png".into(),
        source: MediaSource::Stored { sha256: PICTURE, bytes: 3 },
    };
    let shown = |endpoint: Endpoint, ok: bool| {
        let mut reply = decode(recording("chat/cut.jsonl"), None, 1).unwrap();
        let mut outcome = Outcome::ok_text("A picture.");
        if !ok {
            outcome = Outcome::declined(Decline::DeniedByUser, "No.");
        }
        outcome.content.push(Content::Image(stored.clone()));
        reply.calls_mut().next().unwrap().settle(outcome).unwrap();
        let mut talk = Talk::default();
        talk.user("Go.").reply(reply);
        let text = talk.request(&asking(endpoint)).text;
        (text.contains("UElD"), text.contains("not shown"))
    };
    for endpoint in Endpoint::ALL {
        let takes_media = endpoint != Endpoint::OpenaiChat;
        assert_eq!(shown(endpoint, true), (takes_media, !takes_media), "{endpoint:?}");
        assert_eq!(shown(endpoint, false), (false, false), "{endpoint:?}");
    }
}
