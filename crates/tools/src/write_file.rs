//! WriteFile: a file of exactly this content, created or replaced as a whole.
//!
//! Not here: changes of a part of a file (`edit_file.rs`).

use fanfold_schedule::Footprint;
use fanfold_transcript::Outcome;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{Before, Expected, FileError, Halt, Place, Resolved, grouped, off_thread};
use crate::read_state::{Notes, Version};
use crate::tool::{Effect, Run, TypedTool};

/// Writes a whole file.
///
/// The content is written as it is given, byte for byte. Missing folders on the way are made. A file
/// that was there keeps its mode; a link is followed, and the file it leads to is replaced.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteFile;

/// What WriteFile is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<WriteFile as TypedTool>::Arguments`")]
pub struct WriteFileArguments {
    /// The file: absolute, or relative to the working directory.
    file_path: String,
    /// All that will be in it, line ends included.
    content: String,
}

impl TypedTool for WriteFile {
    type Arguments = WriteFileArguments;
    const NAME: &'static str = "WriteFile";
    const DESCRIPTION: &'static str = "Creates a file or replaces all of its content; makes missing \
        directories. Refuses if the file changed since you last read it. Use EditFile to change \
        a part of a file.";
    const EFFECT: Effect = Effect::MayChange;

    fn footprint(&self, arguments: &WriteFileArguments, place: &Place) -> Footprint {
        place.writes(&arguments.file_path)
    }

    fn run(
        &self,
        arguments: WriteFileArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        let notes = run.notes();
        off_thread(run, move |place, halt| {
            let path = match place.resolve(&arguments.file_path) {
                Ok(path) => path,
                Err(problem) => return Outcome::tool_error(problem.to_string()),
            };
            match write(&path, &arguments.content, (place, &notes), halt) {
                Ok(outcome) => outcome,
                Err(error) => place.failed(&path, &error, halt),
            }
        })
    }
}

fn write(
    path: &Resolved,
    content: &str,
    (place, notes): (&Place, &Notes),
    halt: &Halt,
) -> Result<Outcome, FileError> {
    let shown = place.shown(path.path());
    let expected = match known(path, (place, notes), halt)? {
        Some(now) => match notes.check(path.path(), now) {
            Ok(()) => Expected::Version(now),
            Err(stale) => return Ok(Outcome::tool_error(format!("{shown} {stale}"))),
        },
        None => Expected::Anything,
    };
    if place.protects(path.path()) {
        return Err(FileError::Protected);
    }
    place.make_folders(path)?;
    let replaced = place.replace(path, content.as_bytes(), expected, halt)?;
    notes.wrote(path.path(), replaced.version);
    let (lines, bytes) = (content.lines().count(), content.len());
    let [lines, bytes] = [lines, bytes].map(|n| u64::try_from(n).unwrap_or(u64::MAX));
    let (verb, links) = match replaced.before {
        Before::Nothing => ("created", ""),
        Before::OneName => ("replaced", ""),
        Before::MoreNames => ("replaced", "; its other hard links keep the old content"),
    };
    let (plural, lines, bytes) =
        (if lines == 1 { "" } else { "s" }, grouped(lines), grouped(bytes));
    Ok(Outcome::ok_text(format!("{verb} {shown}: {lines} line{plural}, {bytes} bytes{links}")))
}

/// The content that the file has now, if the agent has seen one before and the file still exists: a
/// file that is gone holds nothing that could be lost.
fn known(
    path: &Resolved,
    (place, notes): (&Place, &Notes),
    halt: &Halt,
) -> Result<Option<Version>, FileError> {
    if !notes.knows(path.path()) {
        return Ok(None);
    }
    match place.open_beneath(path).and_then(|file| Version::of_file(&file, halt)) {
        Ok(version) => Ok(Some(version)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
