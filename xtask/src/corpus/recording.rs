//! Finding the recordings and the replies in them.
//!
//! A file is one reply, with two exceptions: in `.responses` files each line holds one under
//! `response`, and some lists of events go on after a reply has ended. Not here: what a reply says.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::failure::Failure;

/// The replies of one file.
pub(super) struct Recording {
    /// The name of the file.
    pub name: String,
    /// Each as the provider sent it.
    pub replies: Vec<Vec<u8>>,
}

/// The recordings of a folder, by name; none when there is no such folder.
///
/// # Errors
/// When a file cannot be read or is no recording.
pub(super) fn all_in(folder: &Path) -> Result<Vec<Recording>, Failure> {
    let mut recordings = Vec::new();
    for name in names_in(folder, fs::FileType::is_file)? {
        if name.ends_with(".request.json") {
            continue;
        }
        let bytes = read(&folder.join(&name))?;
        let is_rows = name.ends_with(".responses");
        let replies = if is_rows { rows(&bytes, &name)? } else { until_each_stop(&bytes) };
        recordings.push(Recording { name, replies });
    }
    Ok(recordings)
}

/// The names of the folders in a folder.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn folders_in(folder: &Path) -> Result<Vec<String>, Failure> {
    names_in(folder, fs::FileType::is_dir)
}

/// Reads a file.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path)
        .map_err(|error| Failure::check(format!("failed to read {}: {error}", path.display())))
}

fn names_in(folder: &Path, wanted: fn(&fs::FileType) -> bool) -> Result<Vec<String>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed = |error| Failure::check(format!("failed to list {}: {error}", folder.display()));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if wanted(&entry.file_type().map_err(failed)?) {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// How an event begins that ends a reply, where recordings go on behind it.
const STOPS: [&[u8]; 2] = [br#"{"type":"message_stop"}"#, br#"{"type":"response.completed","#];

/// A list of events, one a line, cut behind each event that ends a reply.
fn until_each_stop(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut replies = vec![Vec::new()];
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let is_stop = STOPS.iter().any(|stop| line.trim_ascii_start().starts_with(stop));
        replies.last_mut().expect("there is always one").extend_from_slice(line);
        if is_stop {
            replies.push(Vec::new());
        }
    }
    replies.retain(|reply| !reply.trim_ascii().is_empty());
    replies
}

fn rows(bytes: &[u8], name: &str) -> Result<Vec<Vec<u8>>, Failure> {
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let reply = |line| match serde_json::from_slice::<Value>(line) {
        Ok(Value::Object(mut row)) if row.contains_key("response") => {
            Ok(row["response"].take().to_string().into_bytes())
        }
        Ok(_) => Err(Failure::check(format!("{name}: a line without `response`"))),
        Err(error) => Err(Failure::check(format!("{name}: a line is not JSON: {error}"))),
    };
    lines.map(reply).collect()
}
