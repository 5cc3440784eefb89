//! Grep: the lines of the files below a directory that match a regular expression.
//!
//! The searching is ripgrep's. Not here: what becomes of one file's matches (`grep/matches.rs`).

mod excerpt;
mod matches;
#[cfg(test)]
mod tests;

use std::io::{self, Read as _};

use fanfold_schedule::Footprint;
use fanfold_transcript::{Ending, Outcome};
use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{Binary, Halt, Place, Resolved, Rows, Walk, beginning, grouped, off_thread};
use crate::quote::shortened;
use crate::tool::{Effect, Run, TypedTool};
use matches::Matches;

/// Rows that are shown when `head_limit` is absent.
const ROWS_DEFAULT: usize = 250;

/// Bytes that are shown.
const BYTES_MAX: usize = 32 * 1024;

/// Rows that are counted after those shown; with that many the search ends.
const COUNTED_ROWS: u64 = 10_000;

/// Lines of context that can be asked for.
const CONTEXT_MAX: u64 = 100;

/// Bytes of one line, and of one file in a search across lines; what is longer is skipped.
const HEAP_BYTES: usize = 32 * 1024 * 1024;

/// Bytes that a compiled expression may take.
const REGEX_BYTES: usize = 10 * 1024 * 1024;

/// Searches in files.
///
/// Rows of matches are `path:line:text`, rows of context `path-line-text`, with `--` between groups
/// that do not touch. Files are searched in the order of their paths.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grep;

/// What Grep is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<Grep as TypedTool>::Arguments`")]
pub struct GrepArguments {
    /// A regular expression in the syntax of Rust and ripgrep.
    pattern: String,
    /// The file or directory to search. Default: the working directory.
    path: Option<String>,
    /// Searches only files that match this glob, such as `*.rs`; a `!` before it excludes them.
    glob: Option<String>,
    /// Whether upper and lower case are the same. Default: false.
    case_insensitive: Option<bool>,
    /// How many lines to show before and after each match, at most 100. Default: 0.
    #[schemars(range(max = CONTEXT_MAX))]
    context: Option<u64>,
    /// Whether a match may span lines; `.` then matches line ends too. Default: false.
    multiline: Option<bool>,
    /// Matching lines (`content`), paths of files (`files`) or matching lines per file (`count`).
    /// Default: content.
    output_mode: Option<OutputMode>,
    /// How many rows to show. Default: 250.
    #[schemars(range(min = 1))]
    head_limit: Option<u64>,
}

/// What a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OutputMode {
    /// A line.
    #[default]
    Content,
    /// The path of a file.
    Files,
    /// The path of a file and how many of its lines match.
    Count,
}

impl GrepArguments {
    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or(".")
    }
}

impl TypedTool for Grep {
    type Arguments = GrepArguments;
    const NAME: &'static str = "Grep";
    const DESCRIPTION: &'static str = "Searches files for a regular expression, with ripgrep's \
        engine. Leaves out what .gitignore ignores and binary files; searches hidden files. Shows \
        path:line:text, at most 250 rows and 32 KiB. Use Glob to find files by name.";
    const EFFECT: Effect = Effect::ReadsOnly;

    fn footprint(&self, arguments: &GrepArguments, place: &Place) -> Footprint {
        place.reads(arguments.path())
    }

    fn run(
        &self,
        arguments: GrepArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        off_thread(run, move |place, halt| {
            grep(&arguments, place, halt).unwrap_or_else(Outcome::tool_error)
        })
    }
}

fn grep(arguments: &GrepArguments, place: &Place, halt: &Halt) -> Result<Outcome, String> {
    let matcher = matcher(arguments)?;
    let root = place.resolve(arguments.path()).map_err(|problem| problem.to_string())?;
    place.open_beneath(&root).map_err(|error| place.problem(&root, &error))?;
    let mut walk = Walk::new(&root, arguments.glob.as_deref(), halt)
        .map_err(|error| format!("bad glob: {}", shortened(&error.to_string())))?;
    let mut search = Search::new(arguments, &matcher, place, halt);
    for entry in &mut walk {
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        if let Err(error) = search.file(&root.found(entry.path())) {
            // A single file that cannot be searched is the whole answer.
            if entry.depth() == 0 && halt.ending().is_none() {
                return Err(place.problem(&root, &error));
            }
            search.unread += 1;
        }
        if search.rows.left_out() >= COUNTED_ROWS {
            break;
        }
    }
    let ending = halt.ending().unwrap_or(Ending::Ok);
    search.unread += walk.unread;
    Ok(Outcome::of_text(ending, search.into_text(ending)))
}

fn matcher(arguments: &GrepArguments) -> Result<RegexMatcher, String> {
    let multiline = arguments.multiline.unwrap_or_default();
    let mut builder = RegexMatcherBuilder::new();
    builder
        .case_insensitive(arguments.case_insensitive.unwrap_or_default())
        .multi_line(true)
        .crlf(true)
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES);
    if multiline {
        builder.line_terminator(None).dot_matches_new_line(true);
    }
    builder.build(&arguments.pattern).map_err(|error| {
        let across = !multiline && arguments.pattern.contains(r"\n");
        let hint = if across { "; set `multiline` to match across lines" } else { "" };
        format!("bad pattern: {}{hint}", shortened(&error.to_string()))
    })
}

/// A search on its way through the files.
struct Search<'a> {
    place: &'a Place,
    halt: &'a Halt,
    matcher: &'a RegexMatcher,
    searcher: Searcher,
    mode: OutputMode,
    rows_max: usize,
    rows: Rows,
    binary: u64,
    unread: u64,
}

impl<'a> Search<'a> {
    fn new(
        arguments: &GrepArguments,
        matcher: &'a RegexMatcher,
        place: &'a Place,
        halt: &'a Halt,
    ) -> Self {
        let mode = arguments.output_mode.unwrap_or_default();
        let context = match mode {
            OutputMode::Content => arguments.context.unwrap_or_default(),
            OutputMode::Files | OutputMode::Count => 0,
        };
        let context = usize::try_from(context).unwrap_or(usize::MAX);
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .multi_line(arguments.multiline.unwrap_or_default())
            .before_context(context)
            .after_context(context)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(HEAP_BYTES))
            .build();
        let rows_max = arguments.head_limit.map(usize::try_from);
        let rows_max = rows_max.map_or(ROWS_DEFAULT, |rows| rows.unwrap_or(usize::MAX));
        let rows = Rows::new(rows_max, BYTES_MAX);
        Self { place, halt, matcher, searcher, mode, rows_max, rows, binary: 0, unread: 0 }
    }

    /// Searches one file, unless it is binary.
    fn file(&mut self, path: &Resolved) -> io::Result<()> {
        let file = self.place.open_beneath(path)?;
        let beginning = beginning(&file)?;
        if Binary::sniff(&beginning).is_some_and(|binary| !binary.is_utf16()) {
            self.binary += 1;
            return Ok(());
        }
        let whole = self.halt.watch(beginning.as_slice().chain(file));
        let shown = self.place.shown(path.path());
        let mut matches = Matches::new(shown, self.mode, self.matcher, &mut self.rows);
        let searched = self.searcher.search_reader(self.matcher, whole, &mut matches);
        matches.finish();
        searched
    }

    fn into_text(self, ending: Ending) -> String {
        let (left_out, nothing) = (self.rows.left_out(), self.rows.is_empty());
        let way_on = if self.rows.kept() < self.rows_max {
            "narrow the search: at most 32 KiB are shown"
        } else {
            "narrow the search or raise head_limit"
        };
        let at_least =
            if left_out >= COUNTED_ROWS || ending != Ending::Ok { "at least " } else { "" };
        self.rows.close([
            nothing.then(|| "no matches".to_owned()),
            (left_out > 0).then(|| format!("more rows: {at_least}{}; {way_on}", grouped(left_out))),
            (nothing && self.binary > 0)
                .then(|| format!("binary files skipped: {}", grouped(self.binary))),
            (self.unread > 0).then(|| {
                format!(
                    "files skipped, unreadable or with too long lines: {}",
                    grouped(self.unread)
                )
            }),
            (ending != Ending::Ok).then(|| "stopped: not everything was searched".to_owned()),
        ])
    }
}
