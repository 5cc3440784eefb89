//! What went wrong elsewhere and was told in public: the shortest input that shows it, end to end.
//!
//! Each test names its source. Not here: what needs no program to be shown, which stands beside the
//! part that it is about.

mod edits;
mod order;
mod output;
mod replies;
mod stops;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStderr, Output};

use nix::sys::stat::Mode;
use serde_json::{Value, json};

use crate::Run;
use crate::writing::settings;

/// A reply in Anthropic's format: the id, the tool and the input of each call.
fn anthropic(calls: &[(&str, &str, Value)]) -> Value {
    let block = |(id, tool, input): &(&str, &str, Value)| json!({"type": "tool_use", "id": id, "name": tool, "input": input});
    let content: Vec<Value> = calls.iter().map(block).collect();
    json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use"})
}

/// Declares tools that run beside everything, each until it is [`release`]d by its name.
fn declare_held(run: &Run, names: &[&str]) {
    let mut tools = json!({});
    for name in names {
        nix::unistd::mkfifo(&run.path().join(name), Mode::S_IRWXU).unwrap();
        tools[name] = json!({
            "description": "Prints what comes through its gate",
            "command": ["cat", name],
            "groups": "independent",
        });
    }
    settings(run, &json!({ "tools": tools }));
}

/// Lets a held tool end, as soon as it runs.
fn release(run: &Run, name: &str) {
    std::fs::write(run.path().join(name), format!("{name} was released\n")).unwrap();
}

/// A batch that runs and is listened to.
struct Batch {
    child: Child,
    said: BufReader<ChildStderr>,
}

impl Batch {
    fn start(run: &Run, reply: &Value, arguments: &[&str]) -> Self {
        let arguments: Vec<&str> = ["exec", "--yes"].iter().chain(arguments).copied().collect();
        let mut child = run.command(&arguments).spawn().unwrap();
        child.stdin.take().unwrap().write_all(reply.to_string().as_bytes()).unwrap();
        let said = BufReader::new(child.stderr.take().unwrap());
        Self { child, said }
    }

    /// Waits until all these calls have been said to have ended.
    fn until_ended(&mut self, calls: &[&str]) {
        let mut open = calls.to_vec();
        while !open.is_empty() {
            let mut line = String::new();
            assert_ne!(self.said.read_line(&mut line).unwrap(), 0, "{open:?} never ended");
            open.retain(|call| line.split_whitespace().next() != Some(call));
        }
    }

    fn finish(self) -> Output {
        self.child.wait_with_output().unwrap()
    }
}
