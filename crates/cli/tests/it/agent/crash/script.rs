//! What the model of a round asks for: reads, edits, shells, waits, and two faults on the way.
//!
//! Each call that changes something leaves a mark of its own, `mark-STEP-PLACE`, on a line of a file.
//! Not here: when it is killed.

use serde_json::{Value, json};

/// The file that edits go to; marks come before its last line.
pub(super) const NOTES: &str = "notes.txt";

/// The file that shells add to.
pub(super) const LOG: &str = "log.txt";

/// The replies. The last one answers all later requests too: what a crash cuts off a reply is not
/// asked for again.
pub(super) fn replies() -> Value {
    json!([
        step(0, &["read", "shell", "ls", "shell"]),
        step(1, &["read", "edit", "read", "wait"]),
        step(2, &["leaves", "shell"]),
        step(3, &["read", "edit", "edit", "grep", "edit"]),
        step(4, &["wait", "wait", "slow", "read", "edit"]),
        step(5, &["read", "edit", "shell", "leaves"]),
        {"say": [{"thinking": "Enough."}, {"text": "The end.", "chunks": 4, "at_ms": 30}], "repeat": true},
    ])
}

/// A reply that streams for a while.
fn step(step: usize, calls: &[&str]) -> Value {
    let mut say = vec![
        json!({"thinking": format!("Step {step} by step."), "chunks": 3, "at_ms": 10}),
        json!({"text": format!("Step {step}."), "chunks": 2, "at_ms": 20}),
    ];
    for (place, kind) in calls.iter().enumerate() {
        let call = call(kind, &format!("mark-{step}-{place}"));
        say.push(json!({"call": call, "chunks": 3, "at_ms": 20 * (place + 2)}));
    }
    let faults = match step {
        2 => json!([{"status": 429, "retry_after_s": 0}]),
        3 => json!([{"broken": {"after": 2, "mid_piece": true}}]),
        _ => json!([]),
    };
    json!({"say": say, "faults": faults})
}

fn call(kind: &str, mark: &str) -> Value {
    let shell = |line: &str| json!({"tool": "Shell", "arguments": {"command": line}});
    match kind {
        "read" => json!({"tool": "ReadFile", "arguments": {"file_path": NOTES}}),
        "ls" => json!({"tool": "Ls", "arguments": {}}),
        "grep" => json!({"tool": "Grep", "arguments": {"pattern": "mark"}}),
        "wait" => json!({"tool": "wait", "arguments": {"seconds": 0.1}}),
        "shell" => shell(&format!("echo {mark} >> {LOG}")),
        "slow" => shell(&format!("sleep 0.1; echo {mark} >> {LOG}; sleep 0.1")),
        // What it leaves behind is nobody's child after a kill.
        "leaves" => shell(&format!(
            "(setsid sleep 300 > /dev/null 2>&1 &); echo {mark} >> {LOG}; sleep 0.1"
        )),
        "edit" => json!({"tool": "EditFile", "arguments": {
            "file_path": NOTES, "old_string": "END", "new_string": format!("{mark}\nEND"),
        }}),
        _ => panic!("no call is called {kind}"),
    }
}
