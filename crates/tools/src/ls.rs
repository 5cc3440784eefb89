//! Ls: the entries of a directory.
//!
//! Not here: anything below its subdirectories (`glob.rs`).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::DirEntry;
use std::io;

use fanfold_schedule::Footprint;
use fanfold_transcript::{Ending, Outcome};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{Halt, Place, Resolved, Rows, SpecialFile, grouped, off_thread, one_line};
use crate::quote::shortened;
use crate::tool::{Effect, Run, TypedTool};

/// Entries that are listed.
const ENTRIES_MAX: usize = 1_000;

/// Bytes of a listing.
const BYTES_MAX: usize = 128 * 1024;

/// Lists a directory.
///
/// One entry a line, sorted by name: `NAME/` for directories, `NAME -> TARGET` for links,
/// `NAME (N bytes)` for files, `NAME (a named pipe)` and the like for the rest. Hidden entries are
/// listed, links are not followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ls;

/// What Ls is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<Ls as TypedTool>::Arguments`")]
pub struct LsArguments {
    /// The directory. Default: the working directory.
    path: Option<String>,
    /// Globs of entries to leave out, written as in a .gitignore file.
    ignore: Option<Vec<String>>,
}

impl LsArguments {
    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or(".")
    }
}

impl TypedTool for Ls {
    type Arguments = LsArguments;
    const NAME: &'static str = "Ls";
    const DESCRIPTION: &'static str = "Lists the entries of one directory, hidden ones too, sorted \
        by name: directories end in /, links show their target, files their size. At most 1,000 \
        entries. Use Glob to find files below it.";
    const EFFECT: Effect = Effect::ReadsOnly;

    fn footprint(&self, arguments: &LsArguments, place: &Place) -> Footprint {
        place.reads(arguments.path())
    }

    fn run(
        &self,
        arguments: LsArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        off_thread(run, move |place, halt| list(&arguments, place, halt))
    }
}

fn list(arguments: &LsArguments, place: &Place, halt: &Halt) -> Outcome {
    let path = match place.resolve(arguments.path()) {
        Ok(path) => path,
        Err(problem) => return Outcome::tool_error(problem.to_string()),
    };
    let ignored = match ignored(arguments.ignore.as_deref().unwrap_or_default()) {
        Ok(ignored) => ignored,
        Err(error) => {
            let problem = shortened(&error.to_string());
            return Outcome::tool_error(format!("bad glob in `ignore`: {problem}"));
        }
    };
    match Listing::read(&path, &ignored, place, halt) {
        Ok(listing) => {
            let ending = listing.ending;
            Outcome::of_text(ending, listing.into_text())
        }
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            let shown = place.shown(path.path());
            Outcome::tool_error(format!("{shown} is no directory; ReadFile shows files"))
        }
        Err(error) => Outcome::tool_error(place.problem(&path, &error)),
    }
}

fn ignored(globs: &[String]) -> Result<Gitignore, ignore::Error> {
    let mut ignored = GitignoreBuilder::new("");
    // A slip of the pen should be told, not taken for a name.
    ignored.allow_unclosed_class(false);
    for glob in globs {
        ignored.add_line(None, glob)?;
    }
    ignored.build()
}

/// The first entries of a directory by name, and how many others there are.
#[derive(Debug)]
struct Listing {
    /// One more than is listed at most, so that memory stays flat in a directory of millions.
    rows: BTreeMap<OsString, String>,
    listed: u64,
    ignored: u64,
    ending: Ending,
}

impl Listing {
    fn read(path: &Resolved, ignored: &Gitignore, place: &Place, halt: &Halt) -> io::Result<Self> {
        let directory = place.open_beneath(path)?;
        if !directory.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mut listing = Self { rows: BTreeMap::new(), listed: 0, ignored: 0, ending: Ending::Ok };
        for entry in path.path().read_dir()? {
            if let Some(ending) = halt.ending() {
                listing.ending = ending;
                break;
            }
            listing.add(&entry?, ignored);
        }
        Ok(listing)
    }

    fn add(&mut self, entry: &DirEntry, ignored: &Gitignore) {
        let name = entry.file_name();
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if ignored.matched(&name, is_directory).is_ignore() {
            self.ignored += 1;
            return;
        }
        self.listed += 1;
        let beyond = |last: &OsString| self.rows.len() >= ENTRIES_MAX && *last < name;
        if self.rows.keys().next_back().is_some_and(beyond) {
            return;
        }
        self.rows.insert(name, row(entry));
        if self.rows.len() > ENTRIES_MAX {
            self.rows.pop_last();
        }
    }

    fn into_text(self) -> String {
        let mut rows = Rows::new(ENTRIES_MAX, BYTES_MAX);
        self.rows.values().for_each(|row| rows.push(row));
        let unlisted = self.listed - u64::try_from(rows.kept()).unwrap_or(u64::MAX);
        rows.close([
            (self.listed == 0 && self.ignored == 0).then(|| "empty".to_owned()),
            (unlisted > 0).then(|| format!("more entries: {}", grouped(unlisted))),
            (self.ignored > 0).then(|| format!("{} ignored", grouped(self.ignored))),
            (self.ending != Ending::Ok).then(|| "stopped: not everything was read".to_owned()),
        ])
    }
}

fn row(entry: &DirEntry) -> String {
    let name = one_line(entry.file_name());
    // What vanished since is still named.
    let Ok(metadata) = entry.metadata() else {
        return name;
    };
    if metadata.is_dir() {
        format!("{name}/")
    } else if metadata.is_symlink() {
        let target = entry.path().read_link().map(one_line).unwrap_or_default();
        format!("{name} -> {target}")
    } else if let Some(SpecialFile(kind)) = SpecialFile::of(metadata.file_type()) {
        format!("{name} ({kind})")
    } else {
        let unit = if metadata.len() == 1 { "byte" } else { "bytes" };
        format!("{name} ({} {unit})", grouped(metadata.len()))
    }
}

#[cfg(test)]
mod tests;
