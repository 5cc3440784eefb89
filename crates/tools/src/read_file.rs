//! ReadFile: a page of the lines of a text file.
//!
//! It pages instead of being cut, and its memory does not grow with the file. Not here: images as
//! content, and the records of other calls.

mod page;
#[cfg(test)]
mod tests;

use std::io::{self, BufReader, Read as _};

use fanfold_schedule::Footprint;
use fanfold_transcript::{Decline, Outcome};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{Binary, Halt, Place, Resolved, beginning, grouped, off_thread};
use crate::tool::{Effect, Run, TypedTool};
use page::{Page, Window};

/// Lines of a page whose length was not asked for.
const PAGE_LINES: u64 = 100;

/// Bytes read at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// Shows a text file, page by page.
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
    /// The file: absolute, or relative to the working directory.
    file_path: String,
    /// The first line to show, counted from 1. Default: 1.
    #[schemars(range(min = 1))]
    offset: Option<u64>,
    /// How many lines to show. Default: 100.
    #[schemars(range(min = 1))]
    limit: Option<u64>,
}

impl TypedTool for ReadFile {
    type Arguments = ReadFileArguments;
    const NAME: &'static str = "ReadFile";
    const DESCRIPTION: &'static str = "Shows lines of a text file, each behind its line number \
        and a tab. Shows the first 100 lines unless offset and limit say otherwise, at most 32 KiB \
        at once; the last line of the result says how to go on. Use Ls for directories.";
    const EFFECT: Effect = Effect::ReadsOnly;

    fn footprint(&self, arguments: &ReadFileArguments, place: &Place) -> Footprint {
        place.reads(&arguments.file_path)
    }

    fn run(
        &self,
        arguments: ReadFileArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        off_thread(run, move |place, halt| read(&arguments, place, halt))
    }
}

fn read(arguments: &ReadFileArguments, place: &Place, halt: &Halt) -> Outcome {
    for (name, value) in [("offset", arguments.offset), ("limit", arguments.limit)] {
        if value == Some(0) {
            let text = format!("ReadFile: `{name}`: lines are counted from 1; 0 is too small");
            return Outcome::declined(Decline::BadArguments, text);
        }
    }
    let path = match place.resolve(&arguments.file_path) {
        Ok(path) => path,
        Err(problem) => return Outcome::tool_error(problem.to_string()),
    };
    let window = Window {
        first: arguments.offset.unwrap_or(1),
        lines_max: arguments.limit.unwrap_or(PAGE_LINES),
    };
    match shown(&path, window, place, halt) {
        Ok(Ok(text)) => Outcome::ok_text(text),
        Ok(Err(refusal)) => Outcome::tool_error(refusal),
        Err(error) => match halt.ending() {
            Some(ending) => Outcome::of_text(ending, "stopped before the lines were read"),
            None => Outcome::tool_error(place.problem(&path, &error)),
        },
    }
}

/// The text of the page, or why there is none.
fn shown(
    path: &Resolved,
    window: Window,
    place: &Place,
    halt: &Halt,
) -> io::Result<Result<String, String>> {
    let file = place.open_beneath(path)?;
    let name = place.shown(path.path());
    let size = file.metadata()?.len();
    if file.metadata()?.is_dir() {
        return Ok(Err(format!("{name} is a directory; Ls lists it")));
    }
    let beginning = beginning(&file)?;
    if let Some(Binary { media_type }) = Binary::sniff(&beginning) {
        let size = grouped(size);
        let kind = format!("a binary file ({media_type}, {size} bytes)");
        return Ok(Err(format!("{name} is {kind}; ReadFile shows only text in UTF-8")));
    }
    if beginning.is_empty() {
        return Ok(Ok(format!("({name} is empty)")));
    }
    let whole = halt.watch(beginning.as_slice().chain(file));
    let page = Page::read(&mut BufReader::with_capacity(BUFFER_BYTES, whole), window)?;
    Ok(if page.is_past_the_end() {
        let lines = match page.lines_seen() {
            1 => "1 line".to_owned(),
            lines => format!("{} lines", grouped(lines)),
        };
        Err(format!("offset {} is past the end: {name} has {lines}", window.first))
    } else {
        Ok(page.into_text())
    })
}
