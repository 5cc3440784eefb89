//! Each fault of a script is heard as what it stands for, once, before the reply.

use fanfold_transcript::{Stop, Wire};
use fanfold_wire::FaultKind;

use crate::script::{WIRES, answer, line, model, request, script};

const SAY: &str = r#""say": [
    {"text": "One."},
    {"call": {"tool": "Ls", "arguments": {"path": "src"}}},
    {"call": {"tool": "Ls", "arguments": {"path": "docs"}}, "chunks": 9}
]"#;

#[tokio::test(start_paused = true)]
async fn each_fault_is_heard_once_and_then_the_reply() {
    let rows = [
        (r#"{"status": 429, "retry_after_s": 7}"#, "rate_limited"),
        (r#"{"status": 529}"#, "overloaded"),
        (r#"{"status": 503}"#, "overloaded"),
        (r#"{"status": 500}"#, "server"),
        (r#"{"status": 401}"#, "auth"),
        (r#"{"status": 403}"#, "auth"),
        (r#"{"status": 400, "message": "no such field"}"#, "refused"),
        (r#"{"broken": {"after": 0}}"#, "broken_stream"),
        (r#"{"broken": {"after": 1, "mid_piece": true}}"#, "broken_stream"),
        (r#"{"broken": {"after": 9}}"#, "broken_stream"),
        (r#"{"silent_ms": 60000}"#, "timeout"),
        (r#""empty""#, "empty_reply"),
    ];
    for wire in WIRES {
        let faults = rows.map(|(fault, _)| fault).join(",");
        let model = model(wire, &format!(r#"[{{"faults": [{faults}], {SAY}}}]"#));
        for (written, kind) in rows {
            let Err((fault, _)) = answer(&model, request(wire, 0, "x")).await else {
                panic!("{wire}: a reply in place of {written}");
            };
            // Gemini sends nothing before its first piece.
            let at_once = wire == Wire::Gemini && written.contains(r#""after": 0}"#);
            let kind = if at_once { "network" } else { kind };
            assert_eq!(fault.kind.as_str(), kind, "{wire}: {written}: {fault}");
            let wait = written.contains("retry_after_s").then_some(7000);
            assert_eq!(fault.retry_after_ms, wait, "{wire}: {written}");
        }
        let reply = answer(&model, request(wire, 0, "x")).await.unwrap();
        let expected = r#"text(One.) Ls{"path":"src"} Ls{"path":"docs"}"#;
        assert_eq!(line(&reply), expected, "{wire}");
    }
}

#[tokio::test]
async fn what_came_before_a_break_is_kept() {
    for wire in WIRES {
        let fault = r#"{"broken": {"after": 2, "mid_piece": true}}"#;
        let model = model(wire, &format!(r#"[{{"faults": [{fault}], {SAY}}}]"#));
        let (_, begun) = answer(&model, request(wire, 0, "x")).await.unwrap_err();
        let begun = begun.unwrap();
        assert_eq!(begun.stop, Stop::Unfinished, "{wire}");
        let first = begun.calls().next().unwrap();
        assert_eq!(first.sent.as_ref(), r#"{"path":"src"}"#, "{wire}");
        for later in begun.calls().skip(1) {
            assert_eq!(later.arguments, fanfold_transcript::Arguments::Cut, "{wire}");
        }
    }
}

#[tokio::test]
async fn a_reply_that_broke_after_its_end_is_whole() {
    use fanfold_model::script::{Answer, Player};
    for wire in WIRES {
        let written = Player::new(script(wire, &format!("[{{{SAY}}}]")));
        let answered = written.answer(wire, &request(wire, 0, "x"), &str::to_owned);
        let Answer::Stream { chunks, .. } = answered else { panic!("{answered:?}") };
        let bytes: Vec<u8> = chunks.into_iter().flat_map(|chunk| chunk.bytes).collect();
        let bytes = serde_json::to_string(std::str::from_utf8(&bytes).unwrap()).unwrap();
        let raw = format!(r#"[{{"raw": [{{"at_ms": 0, "bytes": {bytes}}}], "broken": true}}]"#);
        let reply = answer(&model(wire, &raw), request(wire, 0, "x")).await.unwrap();
        assert_eq!(reply.text(), "One.", "{wire}");
    }
}

#[tokio::test]
async fn a_prompt_is_too_long_until_it_is_shorter() {
    let fault = r#"{"prompt_too_long": {"above_tokens": 1000}}"#;
    for wire in WIRES {
        let model = model(wire, &format!(r#"[{{"faults": [{fault}], {SAY}}}]"#));
        let long = request(wire, 0, &"word ".repeat(1000));
        for _ in 0..2 {
            let (fault, _) = answer(&model, long.clone()).await.unwrap_err();
            assert_eq!(fault.kind.as_str(), "too_long", "{wire}: {fault}");
        }
        assert!(answer(&model, request(wire, 0, "word")).await.is_ok(), "{wire}");
    }
}

#[tokio::test]
async fn faults_alone_never_answer() {
    let once = r#"[{"faults": [{"status": 500}]}]"#;
    let always = r#"[{"faults": [{"status": 500}, {"broken": {"after": 0}}], "repeat": true}]"#;
    for (replies, expected) in [(once, "server refused refused"), (always, "server network server")]
    {
        let model = model(Wire::Anthropic, replies);
        let mut kinds = Vec::new();
        for _ in 0..3 {
            let failed = answer(&model, request(Wire::Anthropic, 0, "x")).await.unwrap_err();
            kinds.push(failed.0.kind.as_str());
            let refused = failed.0.kind == FaultKind::Refused;
            assert_eq!(refused, failed.0.said.contains("number 0"), "{}", failed.0);
        }
        assert_eq!(kinds.join(" "), expected);
    }
}
