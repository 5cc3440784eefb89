//! `fanfold tools` prints what a provider wants.

use crate::{Run, field, parse, text};

fn tools(arguments: &[&str]) -> serde_json::Value {
    let arguments: Vec<&str> = ["tools"].iter().chain(arguments).copied().collect();
    let output = Run::new().with(&arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    parse(&output.stdout)
}

#[test]
fn every_format_lists_every_tool() {
    let names = [
        "EditFile",
        "FindAndEdit",
        "FormatFile",
        "Glob",
        "Grep",
        "Ls",
        "ReadFile",
        "Shell",
        "WriteFile",
        "response",
        "wait",
    ];
    assert_eq!(field(&tools(&[]), "name"), names);
    assert_eq!(tools(&[])[0]["input_schema"]["type"], "object");
    let chat = tools(&["--format", "openai-chat"]);
    assert_eq!(chat.as_array().unwrap().len(), names.len());
    assert_eq!(chat[0]["function"]["name"], "EditFile");
    assert_eq!(field(&tools(&["--format", "openai-responses"]), "type"), ["function"; 11]);
    let gemini = tools(&["--format", "gemini"]);
    assert_eq!(field(&gemini[0]["functionDeclarations"], "name"), names);
}

#[test]
fn one_tool_by_name() {
    let shell = tools(&["Shell"]);
    assert_eq!(field(&shell, "name"), ["Shell"]);
    assert_eq!(shell[0]["input_schema"]["required"], serde_json::json!(["command"]));
    let output = Run::new().with(&["tools", "shel"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("did you mean Shell?"));
}
