//! Pages of what was recorded of an earlier call, by its handle.
//!
//! Not here: where records are kept, and how handles come into results (`capture.rs`).

use std::io::{self, ErrorKind};

use fanfold_transcript::RecordHandle;

use super::page::Window;
use super::paged;
use crate::capture::{PlainReader, ReadRecords};
use crate::place::Halt;

/// Whether a path is meant as a handle. A file of such a name is reached as `./record:…`.
pub(super) fn is_handle(path: &str) -> bool {
    path.starts_with(RecordHandle::PREFIX)
}

/// The text of the page, without escape sequences, or why there is none.
///
/// # Errors
/// Those of the system.
pub(super) fn shown(
    handle: &str,
    window: Window,
    records: Option<&dyn ReadRecords>,
    halt: &Halt,
) -> io::Result<Result<String, String>> {
    let parsed: RecordHandle = match handle.parse() {
        Ok(parsed) => parsed,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let Some(records) = records else {
        return Ok(Err(format!("there is no {handle}: nothing is recorded here")));
    };
    match records.open(parsed) {
        Ok(bytes) => paged(handle, PlainReader::new(halt.watch(bytes)), window),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Ok(Err(format!("there is no {handle}: no call {} has run", parsed.call)))
        }
        Err(error) => Err(error),
    }
}
