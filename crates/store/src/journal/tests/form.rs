//! The form of a line, and that every fact reads back as it was written.

use fanfold_transcript::{Json, Process, Spent, Usage};
use serde_json::{Value, json};

use super::*;

fn text_of(fact: &Fact) -> String {
    let mut bytes = Vec::new();
    line::write(&mut bytes, 7, Millis(1500), ROOT, fact);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_line_begins_with_the_same_five_fields() {
    let started = text_of(&Fact::Started { call: CallId::new(3) });
    let expected =
        r#"{"v":1,"seq":7,"t_ms":1500,"agent":"a0","type":"started","call":"c3"}"#.to_owned();
    assert_eq!(started, expected + "\n");
    for fact in facts() {
        let text = text_of(&fact);
        assert_eq!(text.matches('\n').count(), 1, "{text}");
        let head = head(&text).unwrap();
        assert_eq!((head.at, head.agent), (Millis(1500), ROOT));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["type"], head.kind);
    }
    assert_eq!(head("{}"), None);
}

#[test]
fn facts_read_back_as_they_were_written() {
    let spent = Spent {
        step: StepId(1),
        model: "a/b".into(),
        request_id: None,
        usage: Usage { input: Some(3), ..Usage::default() },
        cost_usd: Some(0.1 + 0.2),
    };
    let process = Process { call: CallId::new(1), pid: 2, group: 2, start_ticks: u64::MAX };
    // A reader of decimal numbers that is only nearly exact gets these wrong.
    let floats = [31.245_270_191_439_438, 121.487_919_511_619_45, 2.638_344_616_030_823e-256];
    let data = json!({"type": "session", "v": 2, "seq": -1, "floats": floats});
    let mut all = facts();
    all.push(Fact::Usage(spent));
    all.push(Fact::Process(process));
    all.push(Fact::Turn(TurnEnd::Final { text: "".into(), data: Some(data) }));
    all.push(Fact::Turn(TurnEnd::Stopped));
    let journaled = Journaled::parse(&written(&all)).unwrap();
    assert_eq!(problems(&journaled), [""; 0]);
    assert_eq!(facts_of(&journaled), all);
}

#[test]
fn arguments_as_deep_as_any_reply_can_hold_read_back() {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let value = Json::parse(&deep(126)).unwrap().value().unwrap();
    let fact = Fact::Turn(TurnEnd::Final { text: "[[".into(), data: Some(value) });
    let read = line::read(&text_of(&fact), 1).unwrap();
    assert_eq!(read.body, LineBody::Fact(fact));
    let arguments = serde_json::from_str(&format!(r#"{{"a":{}}}"#, deep(126))).unwrap();
    let arguments = Arguments::Object { object: arguments, reading: Default::default() };
    let mut block = Block::call(Call::new(CallId::new(1), "T", arguments));
    block.original = Some(Json::parse(&deep(50_000)).unwrap());
    let blocks = vec![block];
    let fact = Fact::Part { step: StepId(1), source: Source::new(Wire::Gemini), blocks };
    assert_eq!(line::read(&text_of(&fact), 1).unwrap().body, LineBody::Fact(fact));
    // Nobody wrote this one.
    let line = text_of(&Fact::Turn(TurnEnd::Stopped)).replace("1500", &deep(100_000));
    assert!(line::read(&line, 1).is_err());
    let line = text_of(&Fact::Turn(TurnEnd::Final { text: "".into(), data: Some(Value::Null) }));
    assert!(line::read(&line.replace("null", &deep(100_000)), 1).is_err());
}

#[test]
fn what_a_later_version_adds_is_kept_and_a_new_version_refused() {
    let unknown = r#"{"v":1,"seq":2,"t_ms":5,"agent":"a0","type":"snapshot","commit":"x"}"#;
    let mut lines = lines_of(&written(&facts()));
    lines[1] = format!("{unknown}\n").into_bytes();
    let journaled = Journaled::parse(&lines.concat()).unwrap();
    assert_eq!(problems(&journaled), [""; 0]);
    assert_eq!(journaled.lines[1].body, LineBody::Unknown(Json::parse(unknown).unwrap()));

    lines[1] = unknown.replace("snapshot", "started").into_bytes();
    lines[1].push(b'\n');
    let journaled = Journaled::parse(&lines.concat()).unwrap();
    let problem = "line 2: it cannot be read and is left out: missing field `call`";
    assert!(problems(&journaled)[0].starts_with(problem), "{:?}", problems(&journaled));

    for newer in [r#"{"v":2}"#, r#"{"v":2,"seq":"x"}"#, &unknown.replace("\"v\":1", "\"v\":2")] {
        lines[1] = format!("{newer}\n").into_bytes();
        let error = Journaled::parse(&lines.concat()).unwrap_err().to_string();
        assert!(error.starts_with("line 2 is of journal version 2, and"), "{error}");
    }
}
