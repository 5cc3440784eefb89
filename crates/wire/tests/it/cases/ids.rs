//! Ids that are missing.
//!
//! Not here: ids that are repeated or illegal (`writing.rs`).

use fanfold_transcript::Outcome;
use fanfold_wire::{write_reply, write_results};
use serde_json::{Value, json};

use crate::support::{decode, show};

// https://github.com/earendil-works/pi/issues/9057
#[test]
fn an_item_without_its_own_id_keeps_the_id_of_its_call() {
    let item = |call_id: &str| json!({"type": "function_call", "call_id": call_id, "name": "Ls", "arguments": "{}"});
    let (a, b) = (item("call_a"), item("call_b"));
    let whole = json!({"object": "response", "status": "completed", "output": [a, b]}).to_string();
    let done = |index: u8, item: &Value| {
        let event =
            json!({"type": "response.output_item.done", "output_index": index, "item": item});
        format!("data: {event}\n\n")
    };
    let completed =
        json!({"type": "response.completed", "response": {"status": "completed", "output": []}});
    let stream = format!("{}{}data: {completed}\n\n", done(0, &a), done(1, &b));
    for text in [whole, stream] {
        let mut reply = decode(&text);
        assert_eq!(show(&reply), "finished: c1[call_a]=Ls{} c2[call_b]=Ls{}", "{text}");
        let reply = reply.as_mut().unwrap();
        let written = write_reply(reply).value().unwrap();
        assert_eq!(written.as_array().unwrap().len(), 2);
        for (item, id) in written.as_array().unwrap().iter().zip(["call_a", "call_b"]) {
            assert_eq!((&item["call_id"], item.get("id")), (&json!(id), None), "{text}");
        }
        for call in reply.calls_mut() {
            call.settle(Outcome::ok_text("x")).unwrap();
        }
        let results = write_results(reply).unwrap().value().unwrap();
        assert_eq!(
            [&results[0]["call_id"], &results[1]["call_id"]],
            [&json!("call_a"), &json!("call_b")]
        );
    }
}
