//! Shell: runs a command line with `bash`, or `sh` where there is none.
//!
//! Not here: how a process is run and ended (`process.rs`), and whether a command line may run
//! (`fanfold-agent`).

mod line;
mod read_only;

use std::time::Duration;

use fanfold_schedule::Footprint;
use fanfold_transcript::{Content, Cut, Decline, Ending, Failure, Outcome, Subject};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::capture::{Captured, Sink, Stream};
use crate::place::Place;
use crate::process::{self, Ended, Exit, SpawnError, Spec, Why};
use crate::stop::StopCause;
use crate::tool::{Effect, Kind, Run, TypedTool};

/// How long a command may run, when neither it nor the settings say.
const TIMEOUT_MS: u64 = 120_000;

/// How long a command may ask to run in the foreground.
const TIMEOUT_MS_MAX: u64 = 600_000;

/// Keeps programs from waiting for a terminal that is not there, and from drawing on it.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// Runs a command line.
#[derive(Clone, Debug)]
pub struct Shell {
    grace: Duration,
    timeout_ms: u64,
    read_only_lines: bool,
}

impl Shell {
    /// A shell whose processes have this long between being told to end and being killed.
    #[must_use]
    pub const fn with_grace(grace: Duration) -> Self {
        Self { grace, timeout_ms: TIMEOUT_MS, read_only_lines: false }
    }

    /// The same shell, where a command that does not say how long it may run has this long, in
    /// milliseconds, and at most the ten minutes that it could ask for.
    #[must_use]
    pub const fn with_timeout(mut self, timeout_ms: u64) -> Self {
        self.timeout_ms = if timeout_ms < TIMEOUT_MS_MAX { timeout_ms } else { TIMEOUT_MS_MAX };
        self
    }

    /// The same shell; if `on`, a line that is proved to only read counts as Independent and reads
    /// the workspace, instead of being Exclusive.
    #[must_use]
    pub const fn with_read_only_lines(mut self, on: bool) -> Self {
        self.read_only_lines = on;
        self
    }
}

impl Default for Shell {
    fn default() -> Self {
        Self::with_grace(process::STOP_GRACE)
    }
}

/// What Shell is given.
#[expect(unnameable_types, reason = "its name is `<Shell as TypedTool>::Arguments`")]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShellArguments {
    /// The command line.
    command: String,
    /// What it does, in a few words, for the user.
    #[serde(default)]
    #[expect(dead_code, reason = "for whoever shows the call; running it needs none")]
    description: Option<String>,
    /// After how many milliseconds it is ended: 1 to 600000; 120000 when absent.
    #[serde(default)]
    timeout_ms: Option<u64>,
    /// Whether to start it as a background job and go on.
    #[serde(default)]
    run_in_background: Option<bool>,
}

impl TypedTool for Shell {
    type Arguments = ShellArguments;

    const NAME: &'static str = "Shell";
    const DESCRIPTION: &'static str = "Runs a command line with bash in the working directory and \
        returns `Exit code: N`, then stdout, then stderr. There is no terminal and stdin is empty. \
        Each call is a new shell: a `cd` or a variable does not last. Processes still running when \
        the command exits are ended. Long output keeps its beginning and its end.";
    const KIND: Kind = Kind::CodeExe;
    const EFFECT: Effect = Effect::MayChange;

    fn footprint(&self, arguments: &ShellArguments, place: &Place) -> Footprint {
        if self.read_only_lines && read_only::is_read_only(&arguments.command) {
            return place.reads(".");
        }
        Footprint::exclusive()
    }

    fn subject(&self, arguments: &ShellArguments) -> Subject {
        Subject::Line(line::read(&arguments.command))
    }

    fn run(
        &self,
        arguments: ShellArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        let (grace, timeout_ms) = (self.grace, self.timeout_ms);
        async move {
            if let Some(declined) = refusal(&arguments) {
                return declined;
            }
            let timeout = Duration::from_millis(arguments.timeout_ms.unwrap_or(timeout_ms));
            match run_with_any_shell(&arguments.command, timeout, grace, &run).await {
                Ok(ended) => outcome(&ended, timeout, &run.sink),
                Err(error) => Outcome::tool_error(error.to_string()),
            }
        }
    }
}

/// Why these arguments are declined, if they are.
fn refusal(arguments: &ShellArguments) -> Option<Outcome> {
    let timeout_ms = arguments.timeout_ms.unwrap_or(TIMEOUT_MS);
    let bad = |text: String| Some(Outcome::declined(Decline::BadArguments, text));
    if arguments.command.trim().is_empty() {
        return bad("Shell: `command` is empty".into());
    }
    if arguments.command.contains('\0') {
        return bad("Shell: `command` holds a NUL character, which no command line can".into());
    }
    if !(1..=TIMEOUT_MS_MAX).contains(&timeout_ms) {
        return bad(format!("Shell: `timeout_ms` must be 1 to {TIMEOUT_MS_MAX}, not {timeout_ms}"));
    }
    let background = arguments.run_in_background.unwrap_or(false);
    let text = "Shell: background jobs need a session, and there is none here; \
        call it without `run_in_background`";
    background.then(|| Outcome::declined(Decline::NotHere, text))
}

async fn run_with_any_shell(
    command: &str,
    timeout: Duration,
    grace: Duration,
    run: &Run,
) -> Result<Ended, SpawnError> {
    // A leading space keeps a command that begins like an option from being one.
    let line = if command.starts_with(['-', '+']) { format!(" {command}") } else { command.into() };
    let mut spec = Spec {
        program: "bash".into(),
        arguments: vec!["-c".into(), line.into()],
        directory: run.directory(),
        input: Vec::new(),
        environment: &ENVIRONMENT,
        timeout,
        grace,
    };
    match process::run(&spec, run).await {
        Err(SpawnError::NoProgram(_)) => {
            spec.program = "sh".into();
            process::run(&spec, run).await
        }
        done => done,
    }
}

fn outcome(ended: &Ended, timeout: Duration, sink: &Sink) -> Outcome {
    let (stdout, stderr) = (sink.captured(Stream::Stdout), sink.captured(Stream::Stderr));
    let ending = match (ended.why, ended.exit) {
        (Why::Told(cause), _) => cause.ending(),
        (Why::Timeout, _) => Ending::TimedOut,
        (Why::Exited, Some(Exit::Code(0))) => Ending::Ok,
        (Why::Exited, _) => Ending::Failed(Failure::ExitCode),
    };
    let text = text(ended, timeout, &stdout, &stderr);
    Outcome {
        ending,
        content: vec![Content::text(text)],
        exit_code: ended.exit.map(Exit::code),
        bytes: stdout.bytes.saturating_add(stderr.bytes),
        cut: both_cuts(&stdout, &stderr),
    }
}

fn both_cuts(stdout: &Captured, stderr: &Captured) -> Option<Cut> {
    let cut = stdout.cut.is_some() || stderr.cut.is_some();
    cut.then(|| Cut {
        bytes: stdout.bytes.saturating_add(stderr.bytes),
        lines: stdout.lines.saturating_add(stderr.lines),
    })
}

/// What the model reads: the exit code, both streams, and notes in brackets.
fn text(ended: &Ended, timeout: Duration, stdout: &Captured, stderr: &Captured) -> String {
    let mut text = match ended.exit {
        Some(Exit::Code(code)) => format!("Exit code: {code}"),
        Some(exit @ Exit::Signal(signal)) => {
            format!("Exit code: {} (killed by signal {signal})", exit.code())
        }
        None => "Exit code: none (it could not be ended)".into(),
    };
    let mut part = |part: &str| {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text += part;
    };
    for (title, stream) in [("", stdout), ("stderr:\n", stderr)] {
        if !stream.text.is_empty() {
            part(&format!("{title}{}", stream.text));
        }
    }
    for note in notes(ended, timeout) {
        part(&format!("({note})\n"));
    }
    text
}

fn notes(ended: &Ended, timeout: Duration) -> Vec<String> {
    let why = match ended.why {
        Why::Exited => match ended.left_behind {
            0 => None,
            1 => Some("1 process left behind was ended".into()),
            many => Some(format!("{many} processes left behind were ended")),
        },
        Why::Timeout => Some(format!("timed out after {} s and was ended", timeout.as_secs_f64())),
        Why::Told(StopCause::Stop) => Some("stopped while running".into()),
        Why::Told(StopCause::Deadline) => Some("ended at its deadline".into()),
        Why::Told(StopCause::Cancel) => Some("cancelled while running".into()),
    };
    let stuck = (ended.stuck > 0).then(|| format!("{} processes could not be ended", ended.stuck));
    why.into_iter().chain(stuck).collect()
}
