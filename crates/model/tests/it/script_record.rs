//! What was recorded from a model answers as the model did.

use std::path::Path;
use std::sync::Arc;

use fanfold_model::{Ask, Model as _, Recorder, Script, ScriptModel};
use fanfold_transcript::Wire;

use crate::script::{WIRES, answer, hear, request, script};

const REPLIES: &str = r#"[
    {"faults": [{"status": 429, "retry_after_s": 2}, {"broken": {"after": 1, "mid_piece": true}},
                {"silent_ms": 300}, "empty", {"status": 401, "message": "bad key sk-abcdef"}],
     "say": [{"thinking": "Größe", "at_ms": 30, "chunks": 4}, {"text": "Sö.", "at_ms": 60},
             {"call": {"tool": "Ls", "arguments": {"path": "é"}}, "at_ms": 90}]},
    {"say": [{"text": "Done."}]}
]"#;

/// How many times the first reply is asked for until it comes.
const ATTEMPTS: usize = 6;

fn play(path: &Path) -> ScriptModel {
    ScriptModel::new(Script::read(path).unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_recording_answers_as_the_model_did() {
    let folder = tempfile::tempdir().unwrap();
    for wire in WIRES {
        let path = folder.path().join(format!("{wire}.json"));
        let recorder = Arc::new(Recorder::create(&path, wire).unwrap());
        let live = ScriptModel::with_tap(script(wire, REPLIES), Arc::clone(&recorder) as _);
        let numbers: Vec<usize> = [0; ATTEMPTS].into_iter().chain([1]).collect();
        let mut heard = Vec::new();
        for n in &numbers {
            heard.push(format!("{:?}", answer_of(&live, wire, *n).await));
        }
        assert_eq!(recorder.trouble(), None);
        let replayed = play(&path);
        for (n, expected) in numbers.iter().zip(heard) {
            assert_eq!(format!("{:?}", answer_of(&replayed, wire, *n).await), expected, "{wire}");
        }
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(!written.contains("sk-abcdef") && !written.contains("SECRET"), "{wire}: {written}");
    }
}

/// Everything that is heard, with its time, less the words of a fault about a key.
async fn answer_of(model: &ScriptModel, wire: Wire, n: usize) -> Vec<String> {
    let heard = hear(model, request(wire, n, "SECRET")).await;
    let one = |(at_ms, heard)| format!("{at_ms} {heard:?}");
    let heard = heard.into_iter().map(one);
    heard
        .map(|line| if line.contains("Auth") { "a fault about a key".to_owned() } else { line })
        .collect()
}

#[tokio::test]
async fn every_reply_that_ended_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.json");
    let recorder = Arc::new(Recorder::create(&path, Wire::Gemini).unwrap());
    assert_eq!(Script::read(&path).unwrap().replies.len(), 0);
    let tap = Arc::clone(&recorder) as _;
    let live = ScriptModel::with_tap(
        script(Wire::Gemini, r#"[{"say": [{"text": "a"}], "repeat": true}]"#),
        tap,
    );
    for n in 0..3 {
        answer(&live, request(Wire::Gemini, n, "x")).await.unwrap();
        assert_eq!(Script::read(&path).unwrap().replies.len(), n + 1);
    }
}

#[tokio::test]
async fn a_reply_that_nobody_wanted_to_the_end_is_one_that_broke() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.json");
    let recorder = Arc::new(Recorder::create(&path, Wire::Anthropic).unwrap());
    let replies = r#"[{"say": [{"text": "a"}, {"text": "b", "at_ms": 80000000}]}]"#;
    let live = ScriptModel::with_tap(script(Wire::Anthropic, replies), recorder);
    let mut reply = live.ask(Ask { body: request(Wire::Anthropic, 0, "x"), first_call: 1 });
    reply.next().await.unwrap();
    drop(reply);
    while Script::read(&path).unwrap().replies.is_empty() {
        tokio::task::yield_now().await;
    }
    let (fault, begun) = answer(&play(&path), request(Wire::Anthropic, 0, "x")).await.unwrap_err();
    assert_eq!((fault.kind.as_str(), begun.unwrap().text().as_str()), ("broken_stream", "a"));
}

#[test]
fn a_recording_of_another_wire_is_refused_by_name() {
    use fanfold_model::script::{Answer, Player};
    let raw = r#"[{"raw": [{"at_ms": 0, "bytes": "data: {}\n\n"}]}]"#;
    let player = Player::new(script(Wire::Gemini, raw));
    let answer =
        player.answer(Wire::OpenaiChat, &request(Wire::OpenaiChat, 0, "x"), &str::to_owned);
    let Answer::Refusal { status: 400, body, .. } = answer else { panic!("{answer:?}") };
    assert!(body.contains("recorded from gemini, not openai-chat"), "{body}");
}

#[test]
fn a_file_that_cannot_be_written_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Recorder::create(&folder.path().join("no/such/folder.json"), Wire::Gemini).is_err());
}
