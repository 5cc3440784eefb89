//! FormatFile: the formatter configured for a file's extension, run on it.
//!
//! The formatter opens and writes the file itself, by its path: what beneath-the-root opening and
//! atomic replacement give the other file tools does not hold here. Some formatters touch other files
//! too; `rustfmt` follows `mod` lines. Not here: how a process is run and ended (`process.rs`).

mod difference;
mod formatters;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use fanfold_schedule::Footprint;
use fanfold_transcript::{Ending, Failure, Outcome};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::capture::{Sink, Stream};
use crate::place::{FileError, Halt, Place, Resolved, Whole, finished_off_thread, one_line};
use crate::process::{self, Ended, Exit, SpawnError, Spec, Why};
use crate::tool::{Effect, Run, TypedTool};
use difference::Difference;
use formatters::{Commands, Formatters};

/// How long a formatter may run.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Keeps formatters from colouring what they print.
const ENVIRONMENT: [(&str, &str); 2] = [("TERM", "dumb"), ("NO_COLOR", "1")];

/// Formats a file in place.
#[derive(Clone, Debug, Default)]
pub struct FormatFile {
    formatters: Formatters,
}

impl FormatFile {
    /// Formats with these commands by extension, such as `rs`, beside the built-in ones; the path of
    /// the file becomes the last argument. An empty command means: none for this extension.
    #[must_use]
    pub fn new(configured: BTreeMap<String, Vec<String>>) -> Self {
        Self { formatters: Formatters::new(configured) }
    }
}

/// What FormatFile is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<FormatFile as TypedTool>::Arguments`")]
pub struct FormatFileArguments {
    /// The file: absolute, or relative to the working directory.
    file_path: String,
}

impl TypedTool for FormatFile {
    type Arguments = FormatFileArguments;
    const NAME: &'static str = "FormatFile";
    const DESCRIPTION: &'static str = "Formats a file in place with the formatter configured for its \
        extension, such as rustfmt, gofmt, prettier or clang-format, and says how many lines \
        changed.";
    const EFFECT: Effect = Effect::MayChange;

    fn footprint(&self, arguments: &FormatFileArguments, place: &Place) -> Footprint {
        place.writes(&arguments.file_path)
    }

    fn run(
        &self,
        arguments: FormatFileArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        let formatters = self.formatters.clone();
        async move {
            match format(&formatters, &arguments.file_path, &run).await {
                Ok(outcome) | Err(outcome) => outcome,
            }
        }
    }
}

/// Runs the formatter; the error is the outcome of a call that came to no result.
async fn format(formatters: &Formatters, file_path: &str, run: &Run) -> Result<Outcome, Outcome> {
    let resolved = run.place.resolve(file_path);
    let path = resolved.map_err(|problem| Outcome::tool_error(problem.to_string()))?;
    let before = whole(&path, run).await?;
    let commands = formatters.of(path.path()).map_err(Outcome::tool_error)?;
    let ended = run_first(&commands, path.path(), run).await.map_err(Outcome::tool_error)?;
    let after = whole(&path, run).await?;
    if before.version != after.version {
        run.notes().rewrote(path.path(), before.version, after.version);
    }
    let shown = run.place.shown(path.path());
    let change = Difference::between(&before.content, &after.content);
    if matches!((ended.why, ended.exit), (Why::Exited, Some(Exit::Code(0)))) {
        return Ok(Outcome::ok_text(match change {
            Some(difference) => format!("{shown} changed: {difference}"),
            None => format!("{shown} is already formatted"),
        }));
    }
    let change = match change {
        Some(difference) => format!("{shown} changed all the same: {difference}"),
        None => format!("{shown} is unchanged"),
    };
    Ok(failure(&ended, &run.sink, &change))
}

/// All of the file, read where reading may block.
async fn whole(path: &Resolved, run: &Run) -> Result<Whole, Outcome> {
    let path = path.clone();
    let read = move |place: &Place, halt: &Halt| {
        let whole = if place.protects(path.path()) {
            Err(FileError::Protected)
        } else {
            place.read_whole(&path, halt)
        };
        whole.map_err(|error| place.failed(&path, &error, halt))
    };
    finished_off_thread(run.clone(), read).await?
}

/// Runs the first of these commands that is installed.
async fn run_first(commands: &Commands, path: &Path, run: &Run) -> Result<Ended, String> {
    for (program, arguments) in commands.iter() {
        let arguments = arguments.iter().map(Into::into).chain([path.into()]).collect();
        let spec = Spec {
            program: program.into(),
            arguments,
            directory: run.directory(),
            input: Vec::new(),
            environment: &ENVIRONMENT,
            timeout: TIMEOUT,
            grace: process::STOP_GRACE,
        };
        match process::run(&spec, run).await {
            Err(SpawnError::NoProgram(_)) => {}
            ended => return ended.map_err(|error| error.to_string()),
        }
    }
    Err(commands.not_installed())
}

fn failure(ended: &Ended, sink: &Sink, change: &str) -> Outcome {
    let (ending, how) = match (ended.why, ended.exit) {
        (Why::Told(cause), _) => (cause.ending(), "was stopped".to_owned()),
        (Why::Timeout, _) => (Ending::TimedOut, format!("was ended after {} s", TIMEOUT.as_secs())),
        (Why::Exited, Some(exit)) => {
            (Ending::Failed(Failure::ExitCode), format!("failed with exit code {}", exit.code()))
        }
        (Why::Exited, None) => (Ending::Failed(Failure::ToolError), "could not be ended".into()),
    };
    let mut text = format!("the formatter {how}; {change}");
    for stream in [Stream::Stdout, Stream::Stderr] {
        let captured = sink.captured(stream).text;
        let captured = captured.trim_end();
        if !captured.is_empty() {
            text.extend(["\n", captured]);
        }
    }
    let exit_code = ended.exit.map(Exit::code);
    Outcome { exit_code, ..Outcome::of_text(ending, text) }
}
