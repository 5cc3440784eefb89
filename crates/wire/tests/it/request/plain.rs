//! A conversation in which tools are described, called and answered in the text.

use fanfold_transcript::{Assistant, Block, Source, Wire};
use fanfold_wire::{Endpoint, Protocol, read_plain};
use serde_json::json;

use super::{Asking, Talk, asking};
use crate::support::show_arguments;

fn plain(endpoint: Endpoint) -> Asking {
    Asking { protocol: Protocol::Plain, ..asking(endpoint) }
}

fn said(text: &str) -> Assistant {
    Assistant::new(Source::new(Wire::OpenaiChat), vec![Block::text(text)])
}

/// The calls of the text in one line.
fn calls(text: &str) -> String {
    let reply = read_plain(said(text), 5);
    assert_eq!(reply.text(), text);
    assert_eq!(reply.blocks.len(), 1 + reply.calls().count());
    let show = |call: &fanfold_transcript::Call| {
        format!("{}={}{}", call.id, call.tool, show_arguments(&call.arguments))
    };
    reply.calls().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn calls_are_found_in_the_text() {
    let one = r#"{"tool_name":"Ls","tool_args":{"path":"src"}}"#;
    let ls = r#"Ls{"path":"src"}"#;
    let table = [
        (one.to_owned(), format!("c5={ls}")),
        (format!("[{one},{one}]"), format!("c5={ls} c6={ls}")),
        (format!("```json\n{one}\n```"), "c5=Ls~{\"path\":\"src\"}".to_owned()),
        (
            format!("I look.\n\n```json\n{one}\n```\nThen I read."),
            "c5=Ls~{\"path\":\"src\"}".to_owned(),
        ),
        (
            format!("```\n{one}\n```\nand\n```\n[{one}]\n```"),
            "c5=Ls~{\"path\":\"src\"} c6=Ls~{\"path\":\"src\"}".to_owned(),
        ),
        (format!("```sh\nls\n```\n```\n{one}\n```"), "c5=Ls~{\"path\":\"src\"}".to_owned()),
        ("{'tool_name': 'Ls', 'tool_args': {}}".to_owned(), "c5=Ls~~{}".to_owned()),
        (format!("<tool_call>{one}</tool_call>"), "c5=Ls~{\"path\":\"src\"}".to_owned()),
        ("All is done.".to_owned(), String::new()),
        (String::new(), String::new()),
        ("[1] says so.".to_owned(), String::new()),
        (r#"{"answer": 42}"#.to_owned(), String::new()),
        (format!("[{one}, 5]"), String::new()),
        (one[..20].to_owned(), String::new()),
        ("```python\nLs(path='src')\n```".to_owned(), "c5=Ls~~{\"path\":\"src\"}".to_owned()),
        ("So:\n```python\nprint(x=1)\n```".to_owned(), String::new()),
        (format!("So:\n```\n{one}"), String::new()),
    ];
    for (text, expected) in table {
        assert_eq!(calls(&text), expected, "{text}");
    }
}

#[test]
fn a_reply_with_calls_of_its_own_is_left_alone() {
    let mut reply = said(r#"{"tool_name":"Ls","tool_args":{}}"#);
    let own = read_plain(said(r#"{"tool_name":"Grep","tool_args":{}}"#), 3);
    reply.blocks.extend(own.blocks.into_iter().skip(1));
    assert_eq!(read_plain(reply.clone(), 9), reply);
}

#[test]
fn the_system_prompt_says_how_to_call() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    for endpoint in Endpoint::ALL {
        let request = talk.request(&plain(endpoint)).text;
        assert!(
            request.contains("Be brief.\\n\\n# Tools")
                && request.contains("## Ls\\nLists files.\\n")
        );
        let value: serde_json::Value = serde_json::from_str(&request).unwrap();
        assert!(value.get("tools").is_none());
    }
    let without = Asking { tool_count: 0, ..plain(Endpoint::Anthropic) };
    assert_eq!(talk.request(&without).head()["system"][0]["text"], "Be brief.");
}

#[test]
fn past_replies_and_results_are_text() {
    let call = "Now.\n```json\n{\"tool_name\":\"Ls\",\"tool_args\":{}}\n```";
    let mut talk = Talk::default();
    talk.user("Go.");
    let reply = read_plain(said(call), talk.next_call());
    talk.reply(reply).user("And?").recorded("chat/stream.sse", Some("p/m-2"));
    let messages =
        talk.messages(&Asking { system: "", tool_count: 0, ..plain(Endpoint::OpenaiChat) });
    let note = "\n(arguments were read tolerantly: unwrapped)";
    let results = |from: u32, tools: &[&str], note: &str| {
        let numbered = tools.iter().zip(from..);
        let result = |(tool, n): (&&str, u32)| json!({"tool_name": tool, "outcome": "ok", "result": format!("result of c{n}{note}")});
        json!(numbered.map(result).collect::<Vec<_>>()).to_string()
    };
    let apart = r#"[{"tool_name":"ReadFile","tool_args":{"file_path":"a.txt"}},{"tool_name":"Ls","tool_args":{}}]"#;
    let expected = [
        ("user", "Go.".to_owned()),
        ("assistant", call.to_owned()),
        ("user", results(1, &["Ls"], note)),
        ("user", "And?".to_owned()),
        ("assistant", format!("Looking.\n{apart}")),
        ("user", results(2, &["ReadFile", "Ls"], "")),
    ];
    let found: Vec<(String, String)> = messages
        .iter()
        .map(|message| {
            let text = |key: &str| message[key].as_str().unwrap().to_owned();
            (text("role"), text("content"))
        })
        .collect();
    assert_eq!(found, expected.map(|(role, text)| (role.to_owned(), text)));
}

#[test]
fn what_was_called_in_text_can_be_told_natively() {
    let mut talk = Talk::default();
    talk.user("Go.");
    for endpoint in Endpoint::ALL {
        let mut reply = said(r#"{"tool_name":"Ls","tool_args":{"path":"src"}}"#);
        reply.source = Source::new(endpoint.wire());
        reply.source.asked = Some("p/m-1".into());
        let mut talk = Talk::default();
        talk.user("Go.").reply(read_plain(reply, 1));
        let text = talk.request(&asking(endpoint)).text;
        assert!(text.contains("result of c1"), "{endpoint:?}");
        assert_eq!(text.contains("skip_thought_signature_validator"), endpoint == Endpoint::Gemini);
    }
}
