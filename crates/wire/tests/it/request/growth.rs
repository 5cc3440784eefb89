//! A conversation that grows: past bytes stay, ids stay apart, every call has its result.

use std::collections::BTreeSet;

use fanfold_transcript::{Content, Media, MediaSource, Wire};
use fanfold_wire::{Endpoint, Protocol, RequestWriter};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Asking, PICTURE, Talk, asking};
use crate::support::RECORDINGS;

#[derive(Clone, Debug)]
enum Next {
    User(&'static str),
    Picture,
    Recorded(usize, Option<&'static str>),
}

fn next() -> impl Strategy<Value = Next> {
    let asked = prop::sample::select(vec![None, Some("p/m-1"), Some("p/m-2")]);
    prop_oneof![
        2 => prop::sample::select(vec!["Go on.", " ", "Stop?\n"]).prop_map(Next::User),
        1 => Just(Next::Picture),
        5 => (0..RECORDINGS.len(), asked).prop_map(|(which, asked)| Next::Recorded(which, asked)),
    ]
}

fn grow(talk: &mut Talk, next: &Next) {
    match *next {
        Next::User(text) => talk.user(text),
        Next::Picture => {
            let source = MediaSource::Stored { sha256: PICTURE, bytes: 3 };
            talk.said(vec![Content::Image(Media { media_type: "image/png".into(), source })])
        }
        Next::Recorded(which, asked) => talk.recorded(RECORDINGS[which].0, asked),
    };
}

/// The ids of all calls, and those of all results, in their order.
fn ids(messages: &[Value], endpoint: Endpoint) -> (Vec<String>, Vec<String>) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    for message in messages {
        match endpoint {
            Endpoint::Anthropic => {
                for block in list(message, "content") {
                    match block["type"].as_str() {
                        Some("tool_use") => calls.push(text(&block["id"])),
                        Some("tool_result") => results.push(text(&block["tool_use_id"])),
                        _ => {}
                    }
                }
            }
            Endpoint::OpenaiChat => {
                calls.extend(list(message, "tool_calls").iter().map(|call| text(&call["id"])));
                results.extend(message.get("tool_call_id").map(text));
            }
            Endpoint::OpenaiResponses => match message["type"].as_str() {
                Some("function_call") => calls.push(text(&message["call_id"])),
                Some("function_call_output") => results.push(text(&message["call_id"])),
                _ => {}
            },
            // Ids are optional here: the names stand for what has none.
            Endpoint::Gemini => {
                for part in list(message, "parts") {
                    for (key, found) in
                        [("functionCall", &mut calls), ("functionResponse", &mut results)]
                    {
                        if let Some(one) = part.get(key) {
                            found.push(text(one.get("id").unwrap_or(&json!(""))));
                        }
                    }
                }
            }
        }
    }
    (calls, results)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn past_bytes_never_change_and_every_call_is_answered_once(
        steps in prop::collection::vec(next(), 1..12),
    ) {
        let mut writer = RequestWriter::default();
        for endpoint in Endpoint::ALL {
            for protocol in [Protocol::Native, Protocol::Plain] {
                let ask = Asking { protocol, ..asking(endpoint) };
                let (mut talk, mut before) = (Talk::default(), "[".to_owned());
                for step in &steps {
                    grow(&mut talk, step);
                    let request = talk.request(&ask);
                    let goes_on = talk.request_by(&ask, |parts| writer.write(endpoint, parts));
                    prop_assert_eq!(&goes_on.text, &request.text);
                    let messages = request.messages();
                    prop_assert!(messages.starts_with(&before), "{before}\n{messages}");
                    before = messages.strip_suffix(']').unwrap().to_owned();
                }
                let (calls, results) = ids(&talk.messages(&ask), endpoint);
                prop_assert_eq!(&calls, &results);
                let named: Vec<&String> = calls.iter().filter(|id| !id.is_empty()).collect();
                prop_assert_eq!(named.iter().collect::<BTreeSet<_>>().len(), named.len());
                prop_assert!(protocol == Protocol::Native || calls.is_empty());
            }
        }
    }
}

#[test]
fn an_id_that_a_provider_uses_again_is_replaced_in_call_and_result() {
    let reply = json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": [
        {"id": "call_0", "type": "function", "function": {"name": "Ls", "arguments": "{}"}},
        {"id": "call_1", "type": "function", "function": {"name": "Ls", "arguments": "{}"}},
    ]}}]});
    let mut talk = Talk::default();
    talk.user("Go.").written(&reply, None).written(&reply, None).written(&reply, None);
    let ask = asking(Endpoint::OpenaiChat);
    let expected = ["call_0", "call_1", "fanfold_c3", "fanfold_c4", "fanfold_c5", "fanfold_c6"];
    let (calls, results) = ids(&talk.messages(&ask), ask.endpoint);
    assert_eq!(calls, expected);
    assert_eq!(results, expected);
}

#[test]
fn a_reply_may_send_what_looks_like_a_replacement() {
    let reply = |ids: [&str; 2]| {
        let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "Ls", "input": {}});
        json!({"type": "message", "role": "assistant", "content": ids.map(call)})
    };
    let mut talk = Talk::default();
    talk.user("Go.").written(&reply(["a", "a"]), None).written(&reply(["fanfold_c2", "b"]), None);
    let ask = asking(Endpoint::Anthropic);
    let expected = ["a", "fanfold_c2", "fanfold_c3", "b"];
    assert_eq!(ids(&talk.messages(&ask), ask.endpoint).0, expected);
}

#[test]
fn ids_of_others_are_kept_where_the_provider_takes_them() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "Ls", "arguments": "{}"}});
    let ids_sent = ["call_1", "a.b:c", &"x".repeat(41), ""];
    let reply = json!({"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "tool_calls": ids_sent.map(call)}}]});
    let mut talk = Talk::default();
    talk.user("Go.").written(&reply, Some("p/m-2"));
    let table = [
        (Endpoint::Anthropic, ["call_1", "fanfold_c2", "fanfold_c3", "fanfold_c4"]),
        (Endpoint::OpenaiResponses, ["call_1", "a.b:c", "fanfold_c3", "fanfold_c4"]),
        (Endpoint::OpenaiChat, ["call_1", "a.b:c", "fanfold_c3", "fanfold_c4"]),
        (Endpoint::Gemini, ["call_1", "a.b:c", "", ""]),
    ];
    for (endpoint, expected) in table {
        let (calls, results) = ids(&talk.messages(&asking(endpoint)), endpoint);
        assert_eq!(calls, expected, "{endpoint:?}");
        assert_eq!(results, expected, "{endpoint:?}");
    }
    let own = Asking { asked: "p/m-2", ..asking(Endpoint::OpenaiChat) };
    assert_eq!(ids(&talk.messages(&own), own.endpoint).0[2], "x".repeat(41));
}

#[test]
fn only_the_four_endpoints_can_be_asked() {
    for endpoint in Endpoint::ALL {
        assert_eq!(Endpoint::of(endpoint.wire()), Some(endpoint));
    }
    for wire in [Wire::Bedrock, Wire::Cohere, Wire::Plain] {
        assert_eq!(Endpoint::of(wire), None);
    }
}
