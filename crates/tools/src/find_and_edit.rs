//! FindAndEdit: a pattern replaced in every file below a directory.
//!
//! Each file is replaced on its own: one that fails does not keep the others from being changed. Not
//! here: the pattern itself (`find_and_edit/replacer.rs`).

mod replacer;
#[cfg(test)]
mod tests;

use fanfold_schedule::Footprint;
use fanfold_transcript::{Decline, Ending, Failure, Outcome};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{
    Binary, Expected, FileError, Halt, Place, Resolved, Rows, Walk, Whole, beginning, grouped,
    off_thread,
};
use crate::quote::shortened;
use crate::read_state::Notes;
use crate::tool::{Effect, Run, TypedTool};
use replacer::{Replacer, Unfit};

/// Files that are listed.
const ROWS_MAX: usize = 250;

/// Bytes that are shown.
const BYTES_MAX: usize = 32 * 1024;

/// Replaces a pattern in files.
///
/// Rows are `path: count`, in the order of the paths, with those that could not be changed among
/// them. The files are those that Grep searches.
#[derive(Clone, Copy, Debug, Default)]
pub struct FindAndEdit;

/// What FindAndEdit is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<FindAndEdit as TypedTool>::Arguments`")]
pub struct FindAndEditArguments {
    /// A regular expression in the syntax of Rust and ripgrep. A match stays within one line, unless
    /// a `\n` is in the pattern.
    pattern: String,
    /// What takes the place of each match. `$1` and `${name}` are what the groups matched, `$$` is a
    /// dollar sign.
    replacement: String,
    /// The file or directory to change. Default: the working directory.
    path: Option<String>,
    /// Changes only files that match this glob, such as `*.rs`; a `!` before it excludes them.
    glob: Option<String>,
    /// Whether pattern and replacement are plain text. Default: false.
    literal: Option<bool>,
    /// Whether to count only and write nothing. Default: false.
    dry_run: Option<bool>,
}

impl FindAndEditArguments {
    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or(".")
    }
}

impl TypedTool for FindAndEdit {
    type Arguments = FindAndEditArguments;
    const NAME: &'static str = "FindAndEdit";
    const DESCRIPTION: &'static str = "Replaces every match of a regular expression, or of a text \
        with literal, in the files that Grep would search. Says how many in each file; dry_run \
        writes nothing. Use EditFile for a single place.";
    const EFFECT: Effect = Effect::MayChange;

    fn footprint(&self, arguments: &FindAndEditArguments, place: &Place) -> Footprint {
        place.writes(arguments.path())
    }

    fn run(
        &self,
        arguments: FindAndEditArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        let notes = run.notes();
        off_thread(run, move |place, halt| {
            let literal = arguments.literal.unwrap_or_default();
            let replacer = if literal {
                Replacer::literal(&arguments.pattern, &arguments.replacement)
            } else {
                Replacer::regex(&arguments.pattern, &arguments.replacement)
            };
            match replacer {
                Err(Unfit::Arguments(problem)) => {
                    Outcome::declined(Decline::BadArguments, format!("FindAndEdit: {problem}"))
                }
                Err(Unfit::Pattern(problem)) => Outcome::tool_error(problem),
                Ok(replacer) => {
                    let changes = Changes::new(&replacer, (place, &notes), halt);
                    changes.run(&arguments).unwrap_or_else(Outcome::tool_error)
                }
            }
        })
    }
}

/// Replacements on their way through the files.
struct Changes<'a> {
    replacer: &'a Replacer,
    place: &'a Place,
    notes: &'a Notes,
    halt: &'a Halt,
    rows: Rows,
    replacements: u64,
    files: u64,
    failed: u64,
    binary: u64,
    too_large: u64,
}

/// Whether changes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Write,
    DryRun,
}

impl<'a> Changes<'a> {
    fn new(replacer: &'a Replacer, (place, notes): (&'a Place, &'a Notes), halt: &'a Halt) -> Self {
        let rows = Rows::new(ROWS_MAX, BYTES_MAX);
        let (replacements, files, failed, binary, too_large) = (0, 0, 0, 0, 0);
        Self { replacer, place, notes, halt, rows, replacements, files, failed, binary, too_large }
    }

    fn run(mut self, arguments: &FindAndEditArguments) -> Result<Outcome, String> {
        let mode = if arguments.dry_run.unwrap_or_default() { Mode::DryRun } else { Mode::Write };
        let root = self.place.resolve(arguments.path()).map_err(|problem| problem.to_string())?;
        let opened = self.place.open_beneath(&root);
        opened.map_err(|error| self.place.problem(&root, &error))?;
        let mut walk = Walk::new(&root, arguments.glob.as_deref(), self.halt)
            .map_err(|error| format!("bad glob: {}", shortened(&error.to_string())))?;
        for entry in &mut walk {
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                let path = root.found(entry.path());
                if let Err(error) = self.file(&path, mode) {
                    self.note_failure(&path, &error);
                }
            }
        }
        let unread = walk.unread;
        Ok(self.into_outcome(mode, unread))
    }

    /// Replaces in one file, if it is text and has a match.
    fn file(&mut self, path: &Resolved, mode: Mode) -> Result<(), FileError> {
        // The beginning alone tells a binary file, however large.
        if Binary::sniff(&beginning(&self.place.open_beneath(path)?)?).is_some() {
            self.binary += 1;
            return Ok(());
        }
        let Whole { content, version } = match self.place.read_whole(path, self.halt) {
            Err(FileError::TooLarge(_)) => {
                self.too_large += 1;
                return Ok(());
            }
            whole => whole?,
        };
        let edited = self.replacer.edited(&content)?;
        if edited.content == content {
            return Ok(());
        }
        if self.place.protects(path.path()) {
            return Err(FileError::Protected);
        }
        if mode == Mode::Write {
            let expected = Expected::Version(version);
            let replaced = self.place.replace(path, &edited.content, expected, self.halt)?;
            self.notes.rewrote(path.path(), version, replaced.version);
        }
        self.files += 1;
        self.replacements += edited.count;
        self.rows.push(&format!("{}: {}", self.place.shown(path.path()), grouped(edited.count)));
        Ok(())
    }

    fn note_failure(&mut self, path: &Resolved, error: &FileError) {
        // What stopped the call is said once, at its end.
        if self.halt.ending().is_none() {
            self.failed += 1;
            self.rows.push(&format!("not changed: {}", self.place.why(path, error)));
        }
    }

    fn into_outcome(self, mode: Mode, unread: u64) -> Outcome {
        let failure = (self.failed > 0).then_some(Ending::Failed(Failure::ToolError));
        let ending = self.halt.ending().or(failure).unwrap_or(Ending::Ok);
        let (replacements, files) = (grouped(self.replacements), grouped(self.files));
        let total = match (mode, self.files) {
            (_, 0) if self.failed > 0 => "nothing was changed".to_owned(),
            (_, 0) => "no matches: nothing was changed".to_owned(),
            (Mode::Write, _) => format!("replaced: {replacements} in files: {files}"),
            (Mode::DryRun, _) => {
                format!("would replace: {replacements} in files: {files}; nothing was written")
            }
        };
        let counted =
            |what: &str, count: u64| (count > 0).then(|| format!("{what}: {}", grouped(count)));
        let left_out = self.rows.left_out();
        let text = self.rows.close([
            Some(total),
            counted("more rows", left_out),
            counted("files that could not be changed", self.failed),
            counted("binary files skipped", self.binary),
            counted("files skipped, larger than 32 MiB", self.too_large),
            counted("skipped, unreadable", unread),
            self.halt.ending().map(|_| "stopped: not every file was looked at".to_owned()),
        ]);
        Outcome::of_text(ending, text)
    }
}
