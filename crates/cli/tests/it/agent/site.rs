//! A place of a test's own: a home, a workspace, a provider, and the binary at work in them.
//!
//! Not here: what is checked.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::provider::Provider;
use crate::{parse, stop, text};

/// Where a test happens.
pub(crate) struct Site {
    directory: tempfile::TempDir,
    pub(crate) provider: Provider,
}

/// A turn that is over.
pub(crate) struct Turn {
    pub(crate) code: Option<i32>,
    pub(crate) events: Vec<Value>,
    pub(crate) stderr: String,
}

/// A turn that is being worked on.
pub(crate) struct Working {
    child: Child,
    lines: BufReader<ChildStdout>,
    pub(crate) events: Vec<Value>,
}

impl Site {
    /// A site whose provider plays these replies.
    pub(crate) fn new(replies: &Value) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for folder in ["home", "work"] {
            std::fs::create_dir(directory.path().join(folder)).unwrap();
        }
        let provider = Provider::start(&serde_json::json!({"replies": replies}));
        Self { directory, provider }
    }

    /// The folder that holds the sessions and the user's settings.
    pub(crate) fn home(&self) -> PathBuf {
        self.directory.path().join("home")
    }

    /// A file of the workspace.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join("work").join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        std::fs::write(self.file(name), content).unwrap();
    }

    /// The content of a file of the workspace; empty when there is none.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    /// Writes the user's settings.
    pub(crate) fn settings(&self, text: &str) {
        let folder = self.home().join("fanfold");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("settings.json"), text).unwrap();
    }

    /// The binary with these arguments and no environment but the site's.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fanfold"));
        command.args(arguments).current_dir(self.directory.path().join("work"));
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        for name in ["HOME", "FANFOLD_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, self.home());
        }
        for name in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] {
            command.env(name, "any");
        }
        command.envs(self.provider.addresses());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Starts a turn in which every call is allowed.
    pub(crate) fn start(&self, arguments: &[impl AsRef<OsStr>]) -> Working {
        let mut command = self.command(&["run", "--json", "--yes"]);
        let mut child = command.args(arguments).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Working { child, lines, events: Vec::new() }
    }

    /// Does a whole turn.
    pub(crate) fn turn(&self, arguments: &[impl AsRef<OsStr>]) -> Turn {
        self.start(arguments).end()
    }

    /// The newest session as `sessions show` tells it.
    pub(crate) fn shown(&self) -> Value {
        let output = self.output(&["sessions", "show", "last", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        parse(&output.stdout)
    }

    /// The ids of the sessions.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let folder = std::fs::read_dir(self.home().join("sessions"));
        let names = folder.into_iter().flatten().flatten();
        names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    pub(crate) fn journal(&self, session: &str) -> PathBuf {
        self.home().join("sessions").join(session).join("journal.jsonl")
    }

    /// Waits until a line of the only session's journal holds all of these.
    pub(crate) fn until_journaled(&self, parts: &[&str]) {
        let journal = self.journal(&self.session());
        let begun = Instant::now();
        let holds = |line: &str| parts.iter().all(|part| line.contains(part));
        while !std::fs::read_to_string(&journal).unwrap().lines().any(holds) {
            assert!(begun.elapsed() < Duration::from_secs(30), "{parts:?} was never journaled");
            thread::yield_now();
        }
    }

    /// The only session.
    pub(crate) fn session(&self) -> String {
        let sessions = self.sessions();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        sessions.into_iter().next().unwrap()
    }
}

impl Working {
    /// The next event; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<&Value> {
        let mut line = String::new();
        let length = self.lines.read_line(&mut line).unwrap();
        (length > 0).then(|| self.events.push(parse(line.as_bytes())))?;
        self.events.last()
    }

    /// Waits for such an event.
    pub(crate) fn until(&mut self, is_it: impl Fn(&Value) -> bool) {
        while !is_it(self.next().expect("the event comes before the end")) {}
    }

    /// Waits until this call is in this state, or was.
    pub(crate) fn until_call(&mut self, call: &str, state: &str) {
        let is_it = |event: &Value| event["call"] == call && event["state"] == state;
        if !self.events.iter().any(is_it) {
            self.until(is_it);
        }
    }

    /// Ends it as a power cut would.
    pub(crate) fn kill(mut self) -> Turn {
        self.child.kill().unwrap();
        self.end()
    }

    /// Ctrl-C.
    pub(crate) fn interrupt(&self) {
        stop::interrupt(&self.child);
    }

    /// Waits for its end. A line that a kill cut off is no event.
    pub(crate) fn end(mut self) -> Turn {
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).unwrap();
        let whole = rest.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        self.events.extend(whole.map(|line| parse(line.as_bytes())));
        let output = self.child.wait_with_output().unwrap();
        let stderr = text(&output.stderr);
        Turn { code: output.status.code(), events: self.events, stderr }
    }
}

impl Turn {
    /// The events of this type.
    pub(crate) fn of(&self, name: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["type"] == name).collect()
    }

    /// It was answered with this text.
    pub(crate) fn answered(&self, answer: &str) {
        let last = self.events.last().map(|event| (&event["text"], &event["ended"]));
        let expected = (&Value::from(answer), &Value::from("answered"));
        assert_eq!(
            (self.code, last),
            (Some(0), Some(expected)),
            "{}\n{:#?}",
            self.stderr,
            self.events
        );
    }

    /// Every call with its status, in the order of the calls.
    pub(crate) fn statuses(&self) -> Vec<String> {
        let ended = self.of("call").into_iter().filter(|event| event["state"] == "ended");
        let mut all: Vec<(u32, &str)> = ended
            .map(|event| {
                let number = event["call"].as_str().unwrap()[1..].parse().unwrap();
                (number, event["status"].as_str().unwrap())
            })
            .collect();
        all.sort_unstable();
        all.into_iter().map(|(number, status)| format!("c{number} {status}")).collect()
    }
}

/// The processes that carry the mark of a call of a session.
pub(crate) fn processes_of(session: &str) -> Vec<String> {
    let mark = format!("FANFOLD_CALL={session}:");
    let marked = |path: &Path| {
        let environment = std::fs::read(path.join("environ")).unwrap_or_default();
        text(&environment).contains(&mark)
    };
    let entries = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| marked(path)).map(|path| path.display().to_string()).collect()
}
