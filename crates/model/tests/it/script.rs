//! The scripted model as an agent hears it: which reply comes, when, and how it fails.

use std::fmt::Write as _;

use fanfold_model::{Ask, Heard, Model as _, Script, ScriptModel};
use fanfold_transcript::{Assistant, BlockBody, Json, Wire};
use fanfold_wire::{Fault, Progress};
use tokio::time::Instant;

/// The wires that scripts speak.
pub(crate) const WIRES: [Wire; 4] =
    [Wire::Anthropic, Wire::OpenaiChat, Wire::OpenaiResponses, Wire::Gemini];

/// A model that speaks this wire; `replies` is the JSON of its replies.
pub(crate) fn model(wire: Wire, replies: &str) -> ScriptModel {
    ScriptModel::new(script(wire, replies))
}

pub(crate) fn script(wire: Wire, replies: &str) -> Script {
    Script::parse(&format!(r#"{{"wire": "{wire}", "replies": {replies}}}"#)).unwrap()
}

/// A request that holds so many replies of the model, and then these words of the user.
pub(crate) fn request(wire: Wire, replies: usize, words: &str) -> Json {
    let (list, past, last) = match wire {
        Wire::OpenaiResponses => (
            "input",
            concat!(
                r#"{"role":"user","content":"go on"},{"type":"reasoning","summary":[]},"#,
                r#"{"type":"function_call","call_id":"a","name":"Ls","arguments":"{}"},"#,
                r#"{"type":"function_call_output","call_id":"a","output":"x"},"#,
            ),
            r#"{"role":"user","content":[{"type":"input_text","text":"WORDS"}]}"#,
        ),
        Wire::Gemini => (
            "contents",
            concat!(
                r#"{"role":"user","parts":[{"text":"go on"}]},"#,
                r#"{"role":"model","parts":[{"text":"yes"}]},"#,
            ),
            r#"{"role":"user","parts":[{"text":"WORDS"}]}"#,
        ),
        _ => (
            "messages",
            r#"{"role":"user","content":"go on"},{"role":"assistant","content":"yes"},"#,
            r#"{"role":"user","content":"WORDS"}"#,
        ),
    };
    let messages = past.repeat(replies) + &last.replace("WORDS", words);
    Json::parse(&format!(r#"{{"{list}":[{messages}]}}"#)).unwrap()
}

/// Everything that is heard of one request, with its time in milliseconds.
pub(crate) async fn hear(model: &dyn fanfold_model::Model, body: Json) -> Vec<(u64, Heard)> {
    let start = Instant::now();
    let mut reply = model.ask(Ask { body, first_call: 1 });
    let mut heard = Vec::new();
    while let Some(one) = reply.next().await {
        heard.push((u64::try_from(start.elapsed().as_millis()).unwrap(), one));
    }
    heard
}

/// The reply, or why there is none.
pub(crate) async fn answer(
    model: &dyn fanfold_model::Model,
    body: Json,
) -> Result<Assistant, (Fault, Option<Box<Assistant>>)> {
    match hear(model, body).await.pop().unwrap().1 {
        Heard::Replied(reply) => Ok(*reply),
        Heard::Failed { fault, begun } => Err((fault, begun)),
        other => panic!("the last thing heard is {other:?}"),
    }
}

/// The blocks in one line: `thinking(…) text(…) Ls{…}`.
pub(crate) fn line(reply: &Assistant) -> String {
    let block = |block: &fanfold_transcript::Block| match &block.body {
        BlockBody::Thinking(text) => format!("thinking({text})"),
        BlockBody::Content(content) => format!("text({})", content.as_text().unwrap_or("?")),
        BlockBody::Call(call) => format!("{}{}", call.tool, call.sent),
    };
    let blocks: Vec<String> = reply.blocks.iter().map(block).collect();
    blocks.into_iter().filter(|block| block != "text()").collect::<Vec<_>>().join(" ")
}

async fn text_of(model: &ScriptModel, body: Json) -> String {
    match answer(model, body).await {
        Ok(reply) => reply.text(),
        Err((fault, _)) => format!("{}: {fault}", fault.kind.as_str()),
    }
}

#[tokio::test]
async fn the_number_of_replies_in_the_request_chooses() {
    let replies =
        r#"[{"say":[{"text":"zero"}]},{"say":[{"text":"one"}]},{"say":[{"text":"two"}]}]"#;
    for wire in WIRES {
        let model = model(wire, replies);
        // A second attempt gets the same reply, and a new process goes on where the last one was.
        for (n, expected) in [(1, "one"), (1, "one"), (0, "zero"), (2, "two")] {
            assert_eq!(text_of(&model, request(wire, n, "x")).await, expected, "{wire}");
        }
        let none = text_of(&model, request(wire, 3, "x")).await;
        assert!(none.starts_with("refused: "), "{wire}: {none}");
        assert!(none.contains("asks for number 3 (from 0), but there are 3"), "{wire}: {none}");
    }
}

#[tokio::test]
async fn conditions_come_before_numbers_and_are_used_once() {
    let replies = r#"[
        {"when": {"last_contains": "blue"}, "say": [{"text": "sky"}]},
        {"when": {"contains": "on", "replies": 1}, "say": [{"text": "one"}]},
        {"when": {"tokens_above": 500}, "say": [{"text": "long"}], "repeat": true},
        {"say": [{"text": "else"}], "repeat": true}
    ]"#;
    for wire in WIRES {
        let model = model(wire, replies);
        let long = "long ".repeat(500);
        let asked = [
            (0, "red", "else"),
            (0, "blue", "sky"),
            (0, "blue", "else"),
            (1, "red", "one"),
            (1, "red", "else"),
            (0, &long, "long"),
            (7, &long, "long"),
            (7, "red", "else"),
        ];
        for (n, words, expected) in asked {
            let said = text_of(&model, request(wire, n, words)).await;
            assert_eq!(said, expected, "{wire}: {n} {words:.9}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn pieces_come_in_their_own_time() {
    let replies = r#"[{"say": [
        {"text": "abcd", "chunks": 4, "at_ms": 40},
        {"call": {"tool": "One", "arguments": {"n": 1}}, "at_ms": 100},
        {"call": {"tool": "Two", "arguments": {"n": 2}}, "at_ms": 600, "chunks": 3}
    ], "ends_at_ms": 1000}]"#;
    for wire in WIRES {
        let mut drawn = String::new();
        for (at_ms, heard) in hear(&model(wire, replies), request(wire, 0, "x")).await {
            match heard {
                Heard::Progress(Progress::Text(text)) => write!(drawn, "{at_ms}:{text} ").unwrap(),
                Heard::Call { call, blocks } => {
                    assert_eq!(blocks.last().unwrap().as_call(), Some(&call), "{wire}");
                    write!(drawn, "{at_ms}:{} ", call.tool).unwrap();
                }
                Heard::Replied(reply) => {
                    assert_eq!(line(&reply), r#"text(abcd) One{"n":1} Two{"n":2}"#, "{wire}");
                    write!(drawn, "{at_ms}:end").unwrap();
                }
                Heard::Progress(_) | Heard::RequestId(_) => {}
                Heard::Failed { fault, .. } => panic!("{wire}: {fault}"),
            }
        }
        assert_eq!(drawn, "10:a 20:b 30:c 40:d 100:One 600:Two 1000:end", "{wire}");
    }
}

#[tokio::test]
async fn ids_differ_within_a_conversation_even_when_it_was_shortened() {
    let calls = r#"[{"say": [{"call": {"tool": "Ls"}}, {"call": {"tool": "Ls"}}, {"text": ""}]}]"#;
    for wire in [Wire::Anthropic, Wire::OpenaiChat, Wire::OpenaiResponses] {
        let model = model(wire, calls);
        let mut words = "x".to_owned();
        for _ in 0..3 {
            let reply = answer(&model, request(wire, 0, &words)).await.unwrap();
            for call in reply.calls() {
                let id = call.wire_id.as_deref().unwrap();
                assert!(!words.contains(id), "{wire}: {id} again");
                words = words + " " + id;
            }
        }
    }
}

#[tokio::test]
async fn dropping_the_reply_ends_it() {
    let model = model(Wire::Anthropic, r#"[{"faults": [{"silent_ms": 80000000}]}]"#);
    let reply = model.ask(Ask { body: request(Wire::Anthropic, 0, "x"), first_call: 1 });
    drop(reply);
}
