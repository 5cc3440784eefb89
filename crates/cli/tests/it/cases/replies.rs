//! Replies with something wrong in them: what runs and what does not.
//!
//! Not here: how they are read, which is shown beside `fanfold-wire`.

use serde_json::json;

use super::anthropic;
use crate::{Run, parse, text};

// https://github.com/QwenLM/qwen-code/issues/8382
#[test]
fn an_id_of_an_earlier_turn_keeps_no_call_from_running() {
    let run = Run::new();
    let reply = anthropic(&[("shell_0", "Shell", json!({"command": "echo x >> f"}))]).to_string();
    for _ in 0..2 {
        let output = run.with(&["exec", "--yes", "--records", "records"], reply.as_bytes());
        assert_eq!(parse(&output.stdout)["content"][0]["tool_use_id"], "shell_0");
    }
    assert_eq!(std::fs::read_to_string(run.path().join("f")).unwrap(), "x\nx\n");
}

// https://github.com/QwenLM/qwen-code/pull/2021
#[test]
fn half_a_file_is_not_written_whatever_the_provider_says_of_the_end() {
    let written = r#"{"file_path":"f","content":"the first half of"#;
    for finish in ["stop", "tool_calls", "length"] {
        let run = Run::new();
        let function = json!({"name": "WriteFile", "arguments": written});
        let call = json!({"id": "call_a", "type": "function", "function": function});
        let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
        let choice = json!({"index": 0, "message": message, "finish_reason": finish});
        let output =
            run.with(&["exec", "--yes"], json!({"choices": [choice]}).to_string().as_bytes());
        let answer = parse(&output.stdout);
        let result = answer[0]["content"].as_str().unwrap();
        assert!(result.starts_with("[declined: "), "{finish}: {result}");
        assert!(!run.path().join("f").exists(), "{finish}");
    }
}

// https://github.com/LibreChat-AI/agents/pull/280
#[test]
fn a_call_cut_by_the_output_limit_is_told_so_whichever_provider_cut_it() {
    let input = json!({"file_path": "f"});
    let mut message = anthropic(&[("a", "WriteFile", input.clone())]);
    message["stop_reason"] = json!("max_tokens");
    let function = json!({"name": "WriteFile", "arguments": "{\"file_path\":\"f\""});
    let choice = json!({"finish_reason": "length", "message": {"role": "assistant",
        "tool_calls": [{"id": "a", "type": "function", "function": function}]}});
    // Gemini closes whole arguments itself; only a call that comes in pieces shows that it is open.
    let piece = json!({"jsonPath": "$.file_path", "stringValue": "f", "willContinue": true});
    let part = json!({"functionCall":
        {"name": "WriteFile", "partialArgs": [piece], "willContinue": true}});
    let tool_use = json!({"toolUse": {"toolUseId": "a", "name": "WriteFile", "input": input}});
    let replies = [
        message,
        json!({"choices": [choice]}),
        json!({"candidates": [{"finishReason": "MAX_TOKENS", "content": {"parts": [part]}}]}),
        json!({"stopReason": "max_tokens",
            "output": {"message": {"role": "assistant", "content": [tool_use]}}}),
    ];
    for reply in replies {
        let run = Run::new();
        let answer = text(&run.with(&["exec", "--yes"], reply.to_string().as_bytes()).stdout);
        assert!(answer.contains("[declined: cut_arguments]"), "{reply}: {answer}");
        assert!(answer.contains("output limit"), "{reply}: {answer}");
        assert!(!run.path().join("f").exists(), "{reply}");
    }
}
