//! Calls that are not what they should be.
//!
//! Not here: the stages in which arguments are read (`arguments.rs`).

use fanfold_wire::write_reply;
use serde_json::{Value, json};

use crate::support::{decode, show};

// https://github.com/MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark/issues/55
#[test]
fn open_arguments_under_a_normal_end_are_neither_taken_for_whole_nor_sent_back() {
    for arguments in [r#"{"path":"#, r#"{"path":"a","content":"half of"#, r#"{"list":[1,"#] {
        let function = json!({"name": "WriteFile", "arguments": arguments});
        let message = json!({"role": "assistant", "content": null,
            "tool_calls": [{"id": "a", "type": "function", "function": function}]});
        let choice = json!({"index": 0, "message": message, "finish_reason": "tool_calls"});
        let usage = json!({"prompt_tokens": 9, "completion_tokens": 4096});
        let reply = decode(&json!({"choices": [choice], "usage": usage}).to_string()).unwrap();
        let call = reply.calls().next().unwrap();
        assert_eq!(call.arguments.object(), None, "{arguments}");
        let written = write_reply(&reply).value().unwrap();
        let sent = written["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
        let sent: Value = serde_json::from_str(sent).expect("what goes back is whole");
        assert_eq!(sent, json!({ "INVALID_JSON": arguments }));
    }
}

// https://github.com/sipeed/picoclaw/pull/2104
#[test]
fn a_text_that_looks_like_calls_stays_a_text() {
    let texts = [
        r#"<tool_call>{"name":"Ls","arguments":{}}</tool_call>"#,
        "<toolcall><name>Ls</name></toolcall>",
        r#"[{"name":"Ls","arguments":{}},{"name":"Glob","arguments":{"pattern":"*"}}]"#,
    ];
    for text in texts {
        let replies = [
            json!({"type": "message", "role": "assistant", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}]}),
            json!({"choices": [{"finish_reason": "stop",
                "message": {"role": "assistant", "content": text, "tool_calls": []}}]}),
            json!({"object": "response", "status": "completed", "output": [{"type": "message",
                "role": "assistant", "content": [{"type": "output_text", "text": text}]}]}),
            json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": text}]}}]}),
        ];
        for reply in replies {
            let shown = show(&decode(&reply.to_string()));
            assert_eq!(shown, format!("finished: {text:?}"), "{reply}");
        }
    }
}
