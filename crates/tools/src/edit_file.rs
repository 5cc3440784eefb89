//! EditFile: one text of a file replaced by another.
//!
//! Not here: how the parts are put together (`edit_file/splice.rs`) and regular expressions
//! (`find_and_edit.rs`).

mod excerpt;
mod nearest;
pub(crate) mod splice;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use fanfold_schedule::Footprint;
use fanfold_transcript::{Decline, Outcome};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{
    Before, Binary, Expected, FileError, Halt, Place, Resolved, Whole, grouped, off_thread,
};
use crate::read_state::Notes;
use crate::tool::{Effect, Run, TypedTool};
use excerpt::excerpt;
use splice::{Edited, Spliced};

/// Lines of ambiguous matches that are named.
const NAMED_LINES: usize = 10;

/// Replaces a text in a file.
///
/// The text must be there exactly, except that a line feed in it also stands for CR LF; what takes its
/// place then ends its lines as the file does there. Everything else stays as it is: byte-order mark,
/// line ends, whether there is a last one, mode.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditFile;

/// What EditFile is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<EditFile as TypedTool>::Arguments`")]
pub struct EditFileArguments {
    /// The file: absolute, or relative to the working directory.
    file_path: String,
    /// The text to replace, without line numbers. It must be in the file exactly once, unless
    /// `replace_all` is set.
    old_string: String,
    /// The text to put in its place.
    new_string: String,
    /// Whether to replace every occurrence. Default: false.
    replace_all: Option<bool>,
}

impl TypedTool for EditFile {
    type Arguments = EditFileArguments;
    const NAME: &'static str = "EditFile";
    const DESCRIPTION: &'static str = "Replaces old_string by new_string in a text file, exactly as \
        given, white space included. old_string must be in the file once; give more lines around \
        it, or set replace_all. Refuses if the file changed since you last read it. Shows the \
        changed lines.";
    const EFFECT: Effect = Effect::MayChange;

    fn footprint(&self, arguments: &EditFileArguments, place: &Place) -> Footprint {
        place.writes(&arguments.file_path)
    }

    fn run(
        &self,
        arguments: EditFileArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        let notes = run.notes();
        off_thread(run, move |place, halt| {
            if let Some(problem) = unfit(&arguments) {
                return Outcome::declined(Decline::BadArguments, problem);
            }
            let path = match place.resolve(&arguments.file_path) {
                Ok(path) => path,
                Err(problem) => return Outcome::tool_error(problem.to_string()),
            };
            match edit(&path, &arguments, (place, &notes), halt) {
                Ok(Ok(text)) => Outcome::ok_text(text),
                Ok(Err(refusal)) => Outcome::tool_error(refusal),
                Err(error) => place.failed(&path, &error, halt),
            }
        })
    }
}

fn unfit(arguments: &EditFileArguments) -> Option<&'static str> {
    if arguments.old_string.is_empty() {
        Some("EditFile: `old_string` is empty; WriteFile creates a file or replaces all of it")
    } else if arguments.old_string == arguments.new_string {
        Some("EditFile: `old_string` and `new_string` are the same: nothing would change")
    } else {
        None
    }
}

/// Edits the file; gives the text for the model, or why the file does not fit.
fn edit(
    path: &Resolved,
    arguments: &EditFileArguments,
    (place, notes): (&Place, &Notes),
    halt: &Halt,
) -> Result<Result<String, String>, FileError> {
    if place.protects(path.path()) {
        return Err(FileError::Protected);
    }
    let shown = place.shown(path.path());
    let Whole { content, version } = place.read_whole(path, halt)?;
    if let Err(stale) = notes.check(path.path(), version) {
        return Ok(Err(format!("{shown} {stale}")));
    }
    let edited = match spliced(&content, arguments) {
        Ok(edited) => edited?,
        Err(refusal) => return Ok(Err(format!("{shown}{refusal}"))),
    };
    let replaced = place.replace(path, &edited.content, Expected::Version(version), halt)?;
    notes.wrote(path.path(), replaced.version);
    let count = match edited.count {
        1 => "1 match".to_owned(),
        count => format!("{} matches", grouped(count)),
    };
    let links = match replaced.before {
        Before::Nothing | Before::OneName => "",
        Before::MoreNames => " (its other hard links keep the old content)",
    };
    let excerpt = excerpt(&content, &edited);
    Ok(Ok(format!("replaced {count} in {shown}{links}\n{excerpt}")))
}

/// The new content; or what is to be said behind the name of a file that does not fit.
fn spliced(
    content: &[u8],
    arguments: &EditFileArguments,
) -> Result<Result<Edited, FileError>, String> {
    let (old, new) = (&*arguments.old_string, &*arguments.new_string);
    text_of(content)?;
    // Whoever writes a carriage return means line ends exactly as they are written.
    let spliced =
        if old.contains('\r') { Spliced::verbatim(content) } else { Spliced::by_lines(content) };
    let seen = text_of(spliced.seen())?;
    let first = seen.find(old).ok_or_else(|| nearest::not_found(seen, old))?;
    let all = arguments.replace_all.unwrap_or_default();
    if !all && seen.rfind(old) != Some(first) {
        return Err(ambiguous(seen, old));
    }
    let places = seen.match_indices(old).map(|(at, _)| at..at + old.len());
    Ok(spliced.edited(places.map(|at| (at, Cow::Borrowed(new.as_bytes())))))
}

fn text_of(content: &[u8]) -> Result<&str, String> {
    let size = grouped(u64::try_from(content.len()).unwrap_or(u64::MAX));
    if let Some(Binary { media_type }) = Binary::sniff(content) {
        let kind = format!("a binary file ({media_type}, {size} bytes)");
        return Err(format!(" is {kind}; EditFile edits only text in UTF-8"));
    }
    std::str::from_utf8(content).map_err(|error| {
        let valid = content.get(..error.valid_up_to()).unwrap_or_default();
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!(": line {line} is not valid UTF-8; EditFile edits only text in UTF-8")
    })
}

/// Names the lines of the first matches.
fn ambiguous(text: &str, old: &str) -> String {
    let (mut lines, mut line, mut at) = (Vec::new(), 1, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(old)) {
        line += text[at..at + found].matches('\n').count();
        lines.push(line.to_string());
        if lines.len() > NAMED_LINES {
            break;
        }
        // Matches may overlap: the next one may begin at the next character.
        let step = old.chars().next().map_or(1, char::len_utf8);
        line += usize::from(old.starts_with('\n'));
        at += found + step;
    }
    let more = if lines.len() > NAMED_LINES { " and more" } else { "" };
    lines.truncate(NAMED_LINES);
    let lines = lines.join(", ");
    format!(
        ": old_string is in it more than once, at lines {lines}{more}; add lines around it that \
         make it unique, or set replace_all"
    )
}
