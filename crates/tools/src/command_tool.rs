//! A tool that the settings declare: a command that gets its arguments as JSON on standard input and
//! answers on standard output.
//!
//! Not here: how the declaration is read (`fanfold-settings`).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fanfold_schedule::{Claim, Footprint, Groups};
use fanfold_transcript::{Content, Ending, Failure, Outcome};
use serde_json::{Map, Value};

use crate::capture::{Sink, Stream};
use crate::place::Place;
use crate::process::{self, Ended, Exit, Spec, Why};
use crate::tool::{BadArguments, Definition, Effect, Kind, Prepared, Run, Running, Tool};

/// What a command tool is declared to be.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandSpec {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// The program and its arguments; not a shell line.
    pub command: Vec<String>,
    /// Its groups; Exclusive where nothing is declared.
    pub groups: Groups,
    /// The arguments that name paths it reads: a text, or a list of texts.
    pub reads: Vec<String>,
    /// The arguments that name paths it writes.
    pub writes: Vec<String>,
    /// How long it may run.
    pub timeout: Duration,
}

/// A [`CommandSpec`] as a [`Tool`].
#[derive(Debug)]
pub struct CommandTool {
    spec: Arc<CommandSpec>,
    definition: Definition,
}

impl CommandTool {
    /// The tool of this declaration.
    #[must_use]
    pub fn new(spec: CommandSpec) -> Self {
        let definition = Definition {
            name: spec.name.as_str().into(),
            description: spec.description.as_str().into(),
            input_schema: spec.input_schema.clone().into(),
            kind: Kind::Tool,
            effect: Effect::MayChange,
            pages: false,
        };
        Self { spec: Arc::new(spec), definition }
    }
}

impl Tool for CommandTool {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn prepare(&self, arguments: &Map<String, Value>) -> Result<Box<dyn Prepared>, BadArguments> {
        let arguments = self.definition.input_schema.fit(&self.spec.name, arguments)?;
        Ok(Box::new(CommandCall { spec: Arc::clone(&self.spec), arguments }))
    }
}

struct CommandCall {
    spec: Arc<CommandSpec>,
    arguments: Map<String, Value>,
}

impl CommandCall {
    /// The paths that these arguments name.
    fn paths<'a>(&'a self, names: &'a [String]) -> impl Iterator<Item = &'a str> {
        let values = names.iter().filter_map(|name| self.arguments.get(name));
        values.flat_map(|value| match value {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            Value::String(path) => vec![path.as_str()],
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        })
    }
}

impl Prepared for CommandCall {
    fn footprint(&self, place: &Place) -> Footprint {
        let reads = self.paths(&self.spec.reads).map(|path| Claim::read(place.resource(path)));
        let writes = self.paths(&self.spec.writes).map(|path| Claim::write(place.resource(path)));
        Footprint { groups: self.spec.groups.clone(), claims: reads.chain(writes).collect() }
    }

    fn run(self: Box<Self>, run: Run) -> Running {
        Box::pin(async move {
            let Some((program, arguments)) = self.spec.command.split_first() else {
                return Outcome::tool_error(format!("{}: its command is empty", self.spec.name));
            };
            let spec = Spec {
                program: program.into(),
                arguments: arguments.iter().map(Into::into).collect(),
                directory: PathBuf::from(run.place.directory()),
                input: Value::Object(self.arguments).to_string().into_bytes(),
                environment: &[],
                timeout: self.spec.timeout,
                grace: process::STOP_GRACE,
            };
            match process::run(&spec, &run).await {
                Ok(ended) => outcome(&ended, self.spec.timeout, &run.sink),
                Err(error) => Outcome::tool_error(error.to_string()),
            }
        })
    }
}

/// A success is what it wrote to standard output; anything else also says how it ended and what it
/// wrote to standard error.
fn outcome(ended: &Ended, timeout: Duration, sink: &Sink) -> Outcome {
    let (stdout, stderr) = (sink.captured(Stream::Stdout), sink.captured(Stream::Stderr));
    let (ending, why) = match (ended.why, ended.exit) {
        (Why::Told(cause), _) => (cause.ending(), "stopped while running".to_owned()),
        (Why::Timeout, _) => {
            (Ending::TimedOut, format!("timed out after {} s", timeout.as_secs_f64()))
        }
        (Why::Exited, Some(Exit::Code(0))) => (Ending::Ok, String::new()),
        (Why::Exited, exit) => {
            let code = exit.map_or("none".to_owned(), |exit| exit.code().to_string());
            (Ending::Failed(Failure::ExitCode), format!("Exit code: {code}"))
        }
    };
    let cut = stdout.cut.clone().or_else(|| stderr.cut.clone());
    let text = if ending == Ending::Ok {
        stdout.text
    } else {
        let parts = [why, stdout.text, stderr.text];
        let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    };
    Outcome {
        ending,
        content: vec![Content::text(text)],
        exit_code: ended.exit.map(Exit::code),
        bytes: stdout.bytes.saturating_add(stderr.bytes),
        cut,
    }
}

#[cfg(test)]
mod tests;
