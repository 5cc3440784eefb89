//! What a script may say, and what is told to whoever wrote it wrongly.

use fanfold_model::Script;
use fanfold_transcript::Wire;

/// Wrong scripts, and how the message about each begins.
const WRONG: &[(&str, &str)] = &[
    ("{", "the script is not JSON: EOF while parsing an object at line 1 column 1"),
    ("[]", "the script: "),
    ("{}", "the script: missing field `replies`"),
    (r#"{"replies": [], "x": 1}"#, "the script: unknown field `x`, expected one of `wire`"),
    (
        r#"{"wire": "bedrock", "replies": []}"#,
        r#"wire: unknown wire "bedrock"; one of anthropic, openai-chat, openai-responses, gemini"#,
    ),
    (r#"{"replies": [{}]}"#, "replies[0]: nothing in it; expected `say`, `raw` or `faults`"),
    (r#"{"replies": [{"says": []}]}"#, "replies[0]: unknown field `says`, expected one of"),
    (r#"{"replies": [{"say": [{"txt": "a"}]}]}"#, "replies[0].say[0]: unknown field `txt`"),
    (
        r#"{"replies": [{"say": []}, {"say": [{"text": "a"}, {"text": "a", "thinking": "b"}]}]}"#,
        "replies[1].say[1]: expected exactly one of `text`, `thinking`, `call`",
    ),
    (r#"{"replies": [{"say": [{"call": {}}]}]}"#, "replies[0].say[0].call: missing field `tool`"),
    (
        r#"{"replies": [{"say": [{"call": {"tool": "Ls", "arguments": 3}}]}]}"#,
        "replies[0].say[0].call.arguments: expected an object",
    ),
    (r#"{"replies": [{"say": [{"text": "a", "chunks": 0}]}]}"#, "replies[0].say[0]: "),
    (
        r#"{"replies": [{"say": [{"text": "a", "at_ms": 9}], "ends_at_ms": 5}]}"#,
        "replies[0].say: 5 ms comes after 9 ms; times may not go back",
    ),
    (r#"{"replies": [{"say": [], "ends_at_ms": 86400001}]}"#, "replies[0].say: 86400001 ms is"),
    (
        r#"{"replies": [{"faults": [{"silent_ms": 86400001}]}]}"#,
        "replies[0].faults[0].silent_ms: 86400001 ms is longer than a day",
    ),
    (r#"{"replies": [{"say": [], "raw": []}]}"#, "replies[0]: both `say` and `raw`"),
    (r#"{"replies": [{"raw": [], "stop": "finished"}]}"#, "replies[0].stop: goes with `say` only"),
    (r#"{"replies": [{"say": [], "broken": true}]}"#, "replies[0].broken: goes with `raw` only"),
    (r#"{"replies": [{"say": [], "stop": "bored"}]}"#, "replies[0]: unknown variant `bored`"),
    (r#"{"replies": [{"say": [], "usage": {"in": 1}}]}"#, "replies[0].usage: unknown field `in`"),
    (r#"{"replies": [{"when": {}, "say": []}]}"#, "replies[0].when: no condition in it"),
    (r#"{"replies": [{"when": {"n": 1}, "say": []}]}"#, "replies[0].when: unknown field `n`"),
    (
        r#"{"replies": [{"faults": ["full"]}]}"#,
        r#"replies[0].faults[0]: expected one of {"status""#,
    ),
    (r#"{"replies": [{"faults": [{"status": 200}]}]}"#, "replies[0].faults[0].status: expected"),
    (
        r#"{"replies": [{"faults": [{"broken": {"befor": 1}}]}]}"#,
        "replies[0].faults[0].broken: unknown field `befor`",
    ),
    (
        r#"{"replies": [{"say": [], "repeat": true}, {"say": []}]}"#,
        "replies[0].repeat: without `when`, only the last reply may repeat",
    ),
];

#[test]
fn the_smallest_scripts_are_scripts() {
    let script = Script::parse(r#"{"replies": []}"#).unwrap();
    assert_eq!((script.wire, &*script.model), (Wire::Anthropic, "script"));
    let script = Script::parse(r#"{"wire": "gemini", "model": "m", "replies": [{"say": []}]}"#);
    let script = script.unwrap();
    assert_eq!((script.wire, &*script.model, script.replies.len()), (Wire::Gemini, "m", 1));
}

#[test]
fn errors_name_the_place() {
    for (text, expected) in WRONG {
        let error = Script::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}\n  gives {error}\n  not   {expected}");
    }
}

#[test]
fn the_example_of_the_readme_is_a_script() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/turn.json");
    let script = Script::read(path.as_ref()).unwrap();
    assert!(script.replies.iter().all(|reply| reply.when.is_none()), "it is resumed by number");
}

#[test]
fn the_scripts_of_the_documentation_are_scripts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scripts.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> =
        text.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 4, "{} examples", blocks.len());
    for block in blocks {
        Script::parse(block).unwrap_or_else(|error| panic!("{error} in\n{block}"));
    }
}
