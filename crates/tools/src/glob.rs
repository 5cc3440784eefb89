//! Glob: the files below a directory whose paths match a pattern, newest first.
//!
//! Not here: what the files say (`grep.rs`).

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Component, Path};
use std::time::SystemTime;

use fanfold_schedule::Footprint;
use fanfold_transcript::{Ending, Outcome};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::place::{Halt, Place, Rows, Walk, grouped, off_thread};
use crate::quote::shortened;
use crate::tool::{Effect, Run, TypedTool};

/// Paths that are listed.
const PATHS_MAX: usize = 1_000;

/// Bytes of a listing.
const BYTES_MAX: usize = 128 * 1024;

/// Finds files by name.
///
/// One path a line, relative to the working directory where it lies inside, newest first, equally
/// new ones by path. Ignore files count, hidden files are found, links are named but not followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Glob;

/// What Glob is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<Glob as TypedTool>::Arguments`")]
pub struct GlobArguments {
    /// A glob relative to `path`: `*` stays within one name, `**` crosses directories, as in
    /// `src/**/*.rs` or `**/*.{ts,tsx}`.
    pattern: String,
    /// The directory below which to look. Default: the working directory.
    path: Option<String>,
}

impl GlobArguments {
    fn path(&self) -> &str {
        self.path.as_deref().unwrap_or(".")
    }
}

impl TypedTool for Glob {
    type Arguments = GlobArguments;
    const NAME: &'static str = "Glob";
    const DESCRIPTION: &'static str = "Finds files by a glob such as **/*.rs, newest first. Leaves \
        out what .gitignore ignores; finds hidden files. At most 1,000 paths. Use Grep to search \
        in files.";
    const EFFECT: Effect = Effect::ReadsOnly;

    fn footprint(&self, arguments: &GlobArguments, place: &Place) -> Footprint {
        place.reads(arguments.path())
    }

    fn run(
        &self,
        arguments: GlobArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        off_thread(run, move |place, halt| {
            find(&arguments, place, halt).unwrap_or_else(Outcome::tool_error)
        })
    }
}

fn find(arguments: &GlobArguments, place: &Place, halt: &Halt) -> Result<Outcome, String> {
    let pattern = matcher(&arguments.pattern)?;
    let root = place.resolve(arguments.path()).map_err(|problem| problem.to_string())?;
    let opened = place.open_beneath(&root).and_then(|file| file.metadata());
    if !opened.map_err(|error| place.problem(&root, &error))?.is_dir() {
        let shown = place.shown(root.path());
        return Err(format!(
            "{shown} is no directory; `path` is where to look, `pattern` for what"
        ));
    }
    let mut walk = Walk::new(&root, None, halt).map_err(|error| error.to_string())?;
    let mut found = Found::default();
    for entry in &mut walk {
        let below = entry.path().strip_prefix(root.path()).unwrap_or(entry.path());
        if pattern.is_match(below) {
            let modified = entry.metadata().ok().and_then(|metadata| metadata.modified().ok());
            found.add(modified, place.shown(entry.path()));
        }
    }
    let ending = halt.ending().unwrap_or(Ending::Ok);
    Ok(Outcome::of_text(ending, found.into_text(ending, walk.unread)))
}

fn matcher(pattern: &str) -> Result<GlobSet, String> {
    let outside = |component: Component<'_>| match component {
        Component::Prefix(_) | Component::RootDir | Component::ParentDir => true,
        Component::CurDir | Component::Normal(_) => false,
    };
    if Path::new(pattern).components().any(outside) {
        return Err(format!(
            "the pattern {} must lie below `path`: it may not begin with / or hold `..`; \
             give the directory as `path`",
            shortened(pattern)
        ));
    }
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    // A set of one: compiled alone, a glob that is too large would panic.
    glob.and_then(|glob| GlobSetBuilder::new().add(glob).build())
        .map_err(|error| format!("bad pattern: {}", shortened(&error.to_string())))
}

/// The newest paths; how many there are in all.
#[derive(Debug, Default)]
struct Found {
    newest: BTreeSet<(Reverse<Option<SystemTime>>, String)>,
    found: u64,
}

impl Found {
    fn add(&mut self, modified: Option<SystemTime>, path: String) {
        self.found += 1;
        self.newest.insert((Reverse(modified), path));
        if self.newest.len() > PATHS_MAX {
            self.newest.pop_last();
        }
    }

    fn into_text(self, ending: Ending, unread: u64) -> String {
        let mut rows = Rows::new(PATHS_MAX, BYTES_MAX);
        self.newest.iter().for_each(|(_, path)| rows.push(path));
        let older = self.found - u64::try_from(rows.kept()).unwrap_or(u64::MAX);
        rows.close([
            (self.found == 0).then(|| "no files match".to_owned()),
            (older > 0).then(|| format!("older files left out: {}", grouped(older))),
            (unread > 0).then(|| format!("directories not readable: {}", grouped(unread))),
            (ending != Ending::Ok).then(|| "stopped: not everything was looked at".to_owned()),
        ])
    }
}

#[cfg(test)]
mod tests;
