//! Gemini's rules.

use fanfold_transcript::Wire;
use serde_json::{Value, json};

use crate::support::{self, ask, drop_item, put_item};

/// A turn that is over, and one whose second step is being answered.
fn conversation() -> Value {
    let mut request = json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [{"functionDeclarations": [{"name": "Ls"}, {"name": "Glob"}]}],
        "contents": [{"role": "user", "parts": [{"text": "Look around."}]}],
    });
    let accepted = ask(Wire::Gemini, &request).unwrap();
    let signature = accepted.seal(r#"Ls {"path":"src"}"#);
    let call = json!({"name": "Ls", "args": {"path": "src"}});
    let calls = [
        json!({"functionCall": &call, "thoughtSignature": signature}),
        json!({"functionCall": {"name": "Glob", "args": {}, "id": "g1"}}),
    ];
    let results = [
        json!({"functionResponse": {"name": "Ls", "response": {"output": "a"}}}),
        json!({"functionResponse": {"name": "Glob", "response": {"output": "b"}, "id": "g1"}}),
    ];
    let more = [
        json!({"role": "model", "parts": &calls}),
        json!({"role": "user", "parts": &results}),
        json!({"role": "model", "parts": [{"text": "Two.", "thought": false}]}),
        json!({"role": "user", "parts": [{"text": "Again."}]}),
        json!({"role": "model", "parts": &calls}),
        json!({"role": "user", "parts": &results}),
        json!({"role": "model", "parts": &calls}),
        json!({"role": "user", "parts": &results}),
    ];
    request["contents"].as_array_mut().unwrap().extend(more);
    request
}

fn refused(changes: &[(&str, &str, support::Change)]) {
    support::refused(Wire::Gemini, &conversation(), changes);
}

#[test]
fn the_request() {
    refused(&[
        ("", "Unknown name \"stream\"", |r| r["stream"] = json!(true)),
        ("contents", "not specified", |r| r["contents"] = json!([])),
        ("tools.0.functionDeclarations.0.name", "Invalid function name", |r| {
            r["tools"][0]["functionDeclarations"][0]["name"] = json!("1s");
        }),
        ("tools.0.functionDeclarations.1.name", "Duplicate function", |r| {
            r["tools"][0]["functionDeclarations"][1]["name"] = json!("Ls");
        }),
    ]);
}

#[test]
fn contents_and_parts() {
    refused(&[
        ("contents.0.role", "valid role", |r| r["contents"][0]["role"] = json!("assistant")),
        ("contents.0", "must not be empty", |r| r["contents"][0]["parts"] = json!([])),
        ("contents.0.parts.0", "must have one initialized field", |r| {
            r["contents"][0]["parts"][0] = json!({});
        }),
        ("contents.0.parts.0", "must not be empty", |r| {
            r["contents"][0]["parts"][0]["text"] = json!("");
        }),
        ("contents.0.parts.0.say", "Extra inputs", |r| {
            r["contents"][0]["parts"][0]["say"] = json!("");
        }),
        ("contents.2.parts.0.functionResponse.response", "should be an object", |r| {
            r["contents"][2]["parts"][0]["functionResponse"]["response"] = json!("a");
        }),
        ("contents.1.parts.1.functionCall.args", "should be an object", |r| {
            r["contents"][1]["parts"][1]["functionCall"]["args"] = json!("{}");
        }),
        ("contents.4.parts.0", "not of this role", |r| {
            r["contents"][4]["parts"][0] = r["contents"][1]["parts"][0].clone();
        }),
    ]);
}

#[test]
fn turns() {
    support::accepted(
        Wire::Gemini,
        &conversation(),
        // Two of the user in a row, as after results that are followed by a message.
        &[|r| put_item(&mut r["contents"], 9, json!({"role": "user", "parts": [{"text": "!"}]}))],
    );
    refused(&[
        ("contents.1", "function call turn comes immediately after", |r| {
            put_item(&mut r["contents"], 1, json!({"role": "model", "parts": [{"text": "Hm."}]}));
            drop_item(&mut r["contents"], 0);
        }),
        ("contents.0", "function call turn comes immediately after", |r| {
            drop_item(&mut r["contents"], 0);
        }),
        ("contents.2", "number of function response parts", |r| {
            drop_item(&mut r["contents"][2]["parts"], 1);
        }),
        ("contents.2", "number of function response parts", |r| drop_item(&mut r["contents"], 2)),
        ("contents.3", "function response turn comes immediately after", |r| {
            let again = r["contents"][2].clone();
            put_item(&mut r["contents"], 3, again);
        }),
        ("contents.2.parts.0.functionResponse", "named as their calls", |r| {
            r["contents"][2]["parts"].as_array_mut().unwrap().reverse();
        }),
        ("contents.2.parts.1.functionResponse", "the ids of their calls", |r| {
            r["contents"][2]["parts"][1]["functionResponse"]["id"] = json!("g2");
        }),
        ("contents.8", "holds nothing that is said", |r| {
            put_item(&mut r["contents"][8]["parts"], 2, json!({"text": "And?"}));
        }),
        ("contents.3", "ends with a user turn", |r| {
            r["contents"].as_array_mut().unwrap().truncate(4);
        }),
        ("contents.7", "ends with a user turn", |r| drop_item(&mut r["contents"], 8)),
    ]);
}

#[test]
fn signatures() {
    support::accepted(
        Wire::Gemini,
        &conversation(),
        &[
            // A turn that is over needs none.
            |r| r["contents"][1]["parts"][0]["thoughtSignature"] = Value::Null,
            |r| {
                let signature = &mut r["contents"][5]["parts"][0]["thoughtSignature"];
                *signature = json!("context_engineering_is_the_way_to_go");
            },
            // As an official client writes the other one.
            |r| {
                let signature = &mut r["contents"][5]["parts"][0]["thoughtSignature"];
                *signature = json!("c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=");
            },
        ],
    );
    refused(&[
        ("contents.5.parts.0", "missing a thought_signature", |r| {
            r["contents"][5]["parts"][0]["thoughtSignature"] = Value::Null;
        }),
        ("contents.7.parts.0", "missing a thought_signature", |r| {
            r["contents"][7]["parts"][0]["thoughtSignature"] = Value::Null;
        }),
        ("contents.1.parts.0.thoughtSignature", "Corrupted thought signature", |r| {
            r["contents"][1]["parts"][0]["thoughtSignature"] = json!("bm8=");
        }),
        ("contents.1.parts.0.thoughtSignature", "Corrupted thought signature", |r| {
            r["contents"][1]["parts"][0]["functionCall"]["args"]["path"] = json!("lib");
        }),
    ]);
}
