//! ReadFile: a page of the lines of a text file or of a record, or a picture.
//!
//! It pages instead of being cut, and its memory does not grow with the file. Not here: how a page is
//! cut out (`page.rs`) and where records come from (`record.rs`).

mod page;
mod picture;
mod record;
#[cfg(test)]
mod tests;

use std::io::{self, BufReader, Read};

use fanfold_schedule::Footprint;
use fanfold_transcript::Outcome;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{Binary, Halt, Place, Resolved, beginning, grouped, off_thread};
use crate::read_state::{Glance, Hashing, Notes, Version};
use crate::tool::{Effect, Run, TypedTool};
use page::{Page, Window};

/// Bytes read at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// Shows a text file or what was recorded of a call page by page, and a picture whole.
///
/// Each line stands behind its number, which is right-aligned in six columns, and a tab; a carriage
/// return at its end is left out. The last line of the result says in parentheses which lines were
/// shown and how to go on, whenever that is not the whole file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadFile;

/// What ReadFile is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<ReadFile as TypedTool>::Arguments`")]
pub struct ReadFileArguments {
    /// The file: absolute, or relative to the working directory; or a handle that a result names,
    /// such as record:c7/stdout.
    file_path: String,
    /// The first line to show, counted from 1. Default: 1.
    #[schemars(range(min = 1))]
    offset: Option<u64>,
    /// How many lines to show. Default: one page, usually 100.
    #[schemars(range(min = 1))]
    limit: Option<u64>,
}

impl TypedTool for ReadFile {
    type Arguments = ReadFileArguments;
    const NAME: &'static str = "ReadFile";
    const DESCRIPTION: &'static str = "Shows lines of a text file, each behind its line number \
        and a tab. Shows the first page, usually 100 lines, unless offset and limit say otherwise, \
        at most 32 KiB at once; the last line of the result says how to go on. Shows PNG, JPEG, \
        GIF and WebP pictures of up to 5 MiB as such. Reads the full output of an earlier call by \
        the handle its result names, such as record:c7/stdout. Use Ls for directories.";
    const EFFECT: Effect = Effect::ReadsOnly;
    const PAGES: bool = true;

    fn footprint(&self, arguments: &ReadFileArguments, place: &Place) -> Footprint {
        if record::is_handle(&arguments.file_path) {
            return Footprint::independent();
        }
        place.reads(&arguments.file_path)
    }

    fn run(
        &self,
        arguments: ReadFileArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        let (page_lines, records) = (run.page_lines, run.records.clone());
        let notes = run.notes();
        off_thread(run, move |place, halt| {
            let window = Window {
                first: arguments.offset.unwrap_or(1),
                lines_max: arguments.limit.unwrap_or(page_lines),
            };
            let path = &arguments.file_path;
            if record::is_handle(path) {
                let read = record::shown(path, window, records.as_deref(), halt);
                return outcome(read.map(of_text), halt, |error| format!("{path}: {error}"));
            }
            match place.resolve(path) {
                Ok(path) => {
                    let read = shown(&path, window, (place, &notes), halt);
                    outcome(read, halt, |error| place.problem(&path, error))
                }
                Err(problem) => Outcome::tool_error(problem.to_string()),
            }
        })
    }
}

/// What was read, why it is not shown, or what the system said.
fn outcome(
    read: io::Result<Result<Outcome, String>>,
    halt: &Halt,
    explained: impl FnOnce(&io::Error) -> String,
) -> Outcome {
    match read {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(refusal)) => Outcome::tool_error(refusal),
        Err(error) => match halt.ending() {
            Some(ending) => Outcome::of_text(ending, "stopped before the lines were read"),
            None => Outcome::tool_error(explained(&error)),
        },
    }
}

/// The page or the picture, or why there is none.
fn shown(
    path: &Resolved,
    window: Window,
    (place, notes): (&Place, &Notes),
    halt: &Halt,
) -> io::Result<Result<Outcome, String>> {
    let file = place.open_beneath(path)?;
    let name = place.shown(path.path());
    let size = file.metadata()?.len();
    if file.metadata()?.is_dir() {
        return Ok(Err(format!("{name} is a directory; Ls lists it")));
    }
    let beginning = beginning(&file)?;
    let bytes = halt.watch(beginning.as_slice().chain(&file));
    match Binary::sniff(&beginning) {
        Some(Binary { media_type }) if picture::is_picture(media_type) => {
            picture::show(&name, media_type, size, bytes)
        }
        Some(Binary { media_type }) => {
            let size = grouped(size);
            let kind = format!("a binary file ({media_type}, {size} bytes)");
            Ok(Err(format!("{name} is {kind}; ReadFile shows only text in UTF-8 and pictures")))
        }
        None => {
            let (page, version) = match Version::of_large(&file.metadata()?) {
                // All of it would take too long to read.
                Some(stamp) => (page(bytes, window)?, stamp),
                None => {
                    let mut whole = Hashing::new(bytes);
                    (page(&mut whole, window)?, whole.finish()?)
                }
            };
            let glance = if page.is_whole() { Glance::Whole } else { Glance::Part };
            notes.read(path.path(), version, glance);
            Ok(of_text(text(page, &name, window)))
        }
    }
}

fn of_text(read: Result<String, String>) -> Result<Outcome, String> {
    read.map(Outcome::ok_text)
}

/// The text of the page, or why there is none.
fn paged(name: &str, bytes: impl Read, window: Window) -> io::Result<Result<String, String>> {
    Ok(text(page(bytes, window)?, name, window))
}

fn page(bytes: impl Read, window: Window) -> io::Result<Page> {
    Page::read(&mut BufReader::with_capacity(BUFFER_BYTES, bytes), window)
}

fn text(page: Page, name: &str, window: Window) -> Result<String, String> {
    match (page.is_past_the_end(), page.lines_seen()) {
        (false, _) => Ok(page.into_text()),
        (true, 0) => Ok(format!("({name} is empty)")),
        (true, 1) => Err(past_the_end(name, window, "1 line")),
        (true, lines) => Err(past_the_end(name, window, &format!("{} lines", grouped(lines)))),
    }
}

fn past_the_end(name: &str, window: Window, lines: &str) -> String {
    format!("offset {} is past the end: {name} has {lines}", window.first)
}
