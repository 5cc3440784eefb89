//! The real binary, run as a user would.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agent;
mod agent_cases;
mod approvals;
mod bad_input;
mod batch;
mod cases;
mod formats;
mod interactive;
mod records;
mod run;
mod run_input;
mod run_stop;
mod sessions;
mod settings;
mod stop;
mod terminal;
mod tools;
mod writing;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A call of the binary in a directory of its own.
struct Run {
    directory: tempfile::TempDir,
}

impl Run {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The command, with a home of its own so that no settings of the user come in.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fanfold"));
        command.args(arguments).current_dir(self.path());
        command.env("HOME", self.path()).env_remove("XDG_CONFIG_HOME").env_remove("FANFOLD_HOME");
        for name in ["FANFOLD_MODEL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn with(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = self.command(arguments).spawn().unwrap();
        // A command that refuses its arguments does not read its input.
        child.stdin.take().unwrap().write_all(input).ok();
        child.wait_with_output().unwrap()
    }

    /// Runs plain calls; gives the results and the report.
    fn calls(&self, calls: &Value, arguments: &[&str]) -> (Value, Value) {
        let arguments: Vec<&str> =
            ["exec", "--yes", "--report", "report.json"].iter().chain(arguments).copied().collect();
        let output = self.with(&arguments, calls.to_string().as_bytes());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let report = std::fs::read(self.path().join("report.json")).unwrap();
        (parse(&output.stdout), parse(&report))
    }
}

fn call(tool: &str, arguments: Value) -> Value {
    json!({"tool_name": tool, "tool_args": arguments})
}

fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{error}: {}", text(bytes)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// One field of each element.
fn field<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|element| element[name].as_str().unwrap_or("-")).collect()
}
