//! The server, asked by a plain HTTP client.

use fanfold_model::Script;
use fanfold_testkit::StrictServer;
use fanfold_transcript::{Assistant, Outcome, Wire};
use serde_json::{Value, json};

use crate::client::{self, Got, path, post};

const WIRES: [Wire; 4] = [Wire::Anthropic, Wire::OpenaiChat, Wire::OpenaiResponses, Wire::Gemini];

/// Thinking, words and two calls; then an answer.
const LOOP: &str = r#"{"replies": [
    {"say": [
        {"thinking": "First the list."},
        {"text": "I look."},
        {"call": {"tool": "Ls", "arguments": {"path": "src"}}},
        {"call": {"tool": "Glob", "arguments": {}}}
    ], "usage": {"input": 50, "output": 20}},
    {"say": [{"text": "Two files."}]}
]}"#;

async fn serve(script: &str) -> StrictServer {
    StrictServer::start(Script::parse(script).unwrap()).await.unwrap()
}

/// Asks for a stream, or for a whole reply.
async fn ask(server: &StrictServer, wire: Wire, request: &Value, streams: bool) -> Got {
    let mut request = request.clone();
    if wire != Wire::Gemini {
        request["stream"] = json!(streams);
    }
    client::ask(server, wire, &request.to_string(), streams).await
}

fn first_request(wire: Wire) -> Value {
    let user = json!({"role": "user", "content": "Look around."});
    match wire {
        Wire::Anthropic => json!({"model": "claude", "max_tokens": 100, "messages": [user]}),
        Wire::OpenaiResponses => json!({"model": "gpt", "input": [user]}),
        Wire::Gemini => {
            json!({"contents": [{"role": "user", "parts": [{"text": "Look around."}]}]})
        }
        _ => json!({"model": "gpt", "messages": [user]}),
    }
}

/// The request that answers the calls of this reply.
fn next_request(wire: Wire, request: &Value, reply: &mut Assistant) -> Value {
    for call in reply.calls_mut() {
        call.settle(Outcome::ok_text("a.txt")).unwrap();
    }
    let written = [fanfold_wire::write_reply(reply), fanfold_wire::write_results(reply).unwrap()];
    let mut request = request.clone();
    let key = match wire {
        Wire::OpenaiResponses => "input",
        Wire::Gemini => "contents",
        _ => "messages",
    };
    for part in written {
        let messages = request[key].as_array_mut().unwrap();
        match serde_json::from_str(part.text()).unwrap() {
            Value::Array(parts) => messages.extend(parts),
            part => messages.push(part),
        }
    }
    request
}

#[tokio::test]
async fn a_tool_loop_streams_on_every_wire() {
    for wire in WIRES {
        let server = serve(LOOP).await;
        let request = first_request(wire);
        let got = ask(&server, wire, &request, true).await;
        assert_eq!(got.status, 200, "{wire}");
        let mut reply = fanfold_wire::decode(&got.bytes, Some(wire), 1).unwrap();
        let tools: Vec<_> = reply.calls().map(|call| call.tool.to_string()).collect();
        assert_eq!(tools, ["Ls", "Glob"], "{wire}");
        let next = next_request(wire, &request, &mut reply);
        let got = ask(&server, wire, &next, true).await;
        assert_eq!(server.refusals(), [], "{wire}");
        let reply = fanfold_wire::decode(&got.bytes, Some(wire), 3).unwrap();
        assert_eq!(reply.calls().count(), 0, "{wire}");
        let models: Vec<_> = server.requests().into_iter().map(|one| one.wire).collect();
        assert_eq!(models, [wire, wire]);
    }
}

#[tokio::test]
async fn a_whole_reply_says_what_the_stream_says() {
    for wire in WIRES {
        let (streamed, whole) = (serve(LOOP).await, serve(LOOP).await);
        let request = first_request(wire);
        let streamed = ask(&streamed, wire, &request, true).await;
        let got = ask(&whole, wire, &request, false).await;
        let mut replies =
            [&streamed, &got].map(|got| fanfold_wire::decode(&got.bytes, Some(wire), 1).unwrap());
        let texts =
            replies.each_ref().map(|reply| fanfold_wire::write_reply(reply).text().to_owned());
        assert_eq!(texts[0], texts[1], "{wire}");
        assert_eq!(replies[0].stop, replies[1].stop, "{wire}");
        assert_eq!(replies[0].usage, replies[1].usage, "{wire}");
        let next = next_request(wire, &request, &mut replies[1]);
        let got = ask(&whole, wire, &next, false).await;
        assert_eq!(got.status, 200, "{wire}: {}", String::from_utf8_lossy(&got.bytes));
    }
}

#[tokio::test]
async fn what_breaks_a_rule_is_refused_in_the_provider_s_own_words_and_logged() {
    for (wire, pointer, said) in [
        (Wire::Anthropic, "/error/message", "max_tokens: Field required"),
        (Wire::OpenaiChat, "/error/message", "model: Field required"),
        (Wire::OpenaiResponses, "/error/message", "model: Field required"),
        (Wire::Gemini, "/error/message", "contents: Field required"),
    ] {
        let server = serve(LOOP).await;
        let mut request = first_request(wire);
        for key in ["max_tokens", "contents"] {
            request.as_object_mut().unwrap().remove(key);
        }
        if wire != Wire::Anthropic {
            request.as_object_mut().unwrap().remove("model");
        }
        let got = ask(&server, wire, &request, true).await;
        assert_eq!(got.status, 400);
        assert_eq!(got.json().pointer(pointer).unwrap(), said);
        assert_eq!(server.refusals().iter().map(ToString::to_string).collect::<Vec<_>>(), [said]);
        let logged = server.requests().remove(0);
        assert_eq!((logged.wire, logged.refusal.is_some()), (wire, true));
    }
}

#[tokio::test]
async fn a_key_must_be_there_and_the_address_right() {
    let server = serve(LOOP).await;
    for wire in WIRES {
        let url = format!("{}{}", server.url(), path(wire, true));
        let got = post(url, &[], &first_request(wire).to_string()).await;
        assert_eq!(got.status, 401, "{wire}");
    }
    let url = format!("{}/v1/messages", server.url());
    let got = post(url, &[("x-api-key", "k")], &first_request(Wire::Anthropic).to_string()).await;
    assert!(got.json()["error"]["message"].as_str().unwrap().contains("anthropic-version"));
    for path in ["/v2/messages", "/v1beta/models/m:countTokens", "/v1beta/models/m"] {
        let got = post(format!("{}{path}", server.url()), &[], "{}").await;
        assert_eq!(got.status, 404, "{path}");
    }
    let stream = format!("{}/v1beta/models/m:streamGenerateContent", server.url());
    let got =
        post(stream, &[("x-goog-api-key", "k")], &first_request(Wire::Gemini).to_string()).await;
    assert!(got.json()["error"]["message"].as_str().unwrap().contains("alt=sse"));
    assert_eq!(server.refusals().len(), 6);
}

#[tokio::test]
async fn faults_come_as_they_are_scripted() {
    let script = r#"{"replies": [{
        "faults": [
            {"status": 429, "retry_after_s": 7},
            {"broken": {"after": 1, "mid_piece": true}},
            {"silent_ms": 20},
            "empty"
        ],
        "say": [{"text": "Hello."}, {"text": " Again."}]
    }]}"#;
    for wire in WIRES {
        let server = serve(script).await;
        let request = first_request(wire);
        let got = ask(&server, wire, &request, true).await;
        assert_eq!((got.status, got.retry_after.as_deref()), (429, Some("7")), "{wire}");
        assert!(got.json()["error"]["message"].is_string(), "{wire}");
        let got = ask(&server, wire, &request, true).await;
        assert_eq!((got.status, got.is_whole), (200, false), "{wire}");
        assert!(String::from_utf8_lossy(&got.bytes).contains("Hello."), "{wire}");
        let got = ask(&server, wire, &request, true).await;
        assert_eq!((got.bytes.len(), got.is_whole), (0, false), "{wire}");
        let got = ask(&server, wire, &request, true).await;
        assert!(got.is_whole, "{wire}");
        let got = ask(&server, wire, &request, true).await;
        let reply = fanfold_wire::decode(&got.bytes, Some(wire), 1).unwrap();
        assert!(fanfold_wire::write_reply(&reply).text().contains("Again."), "{wire}");
        assert_eq!(server.refusals(), [], "{wire}");
    }
}

#[tokio::test]
async fn thinking_that_was_touched_is_refused() {
    for (wire, place) in [
        (Wire::Anthropic, "/messages/1/content/0/thinking"),
        (Wire::OpenaiResponses, "/input/1/summary/0/text"),
        (Wire::Gemini, "/contents/1/parts/2/functionCall/args/path"),
    ] {
        let server = serve(LOOP).await;
        let request = first_request(wire);
        let got = ask(&server, wire, &request, true).await;
        let mut reply = fanfold_wire::decode(&got.bytes, Some(wire), 1).unwrap();
        let mut next = next_request(wire, &request, &mut reply);
        let text = next.pointer_mut(place);
        *text.unwrap_or_else(|| panic!("{wire}")) = json!("touched");
        assert_eq!(ask(&server, wire, &next, true).await.status, 400, "{wire}");
        assert_eq!(server.refusals().len(), 1, "{wire}");
    }
}
