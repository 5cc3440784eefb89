//! Reads the reply: a file, a compressed file, or standard input.
//!
//! Not here: what the bytes mean. The size is bounded while reading.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::Problem;

/// More than any reply that is accepted, so that too large a one is told apart from one that fits.
const BYTES_MAX: u64 = 65 << 20;

/// All bytes of the input, up to a little more than what is accepted.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    if path == Path::new("-") {
        if io::stdin().is_terminal() {
            return Err(Problem::input(
                "standard input is a terminal; give it as a file or through a pipe",
            ));
        }
        return drain(io::stdin().lock(), "standard input");
    }
    let shown = path.display().to_string();
    let cannot = |error: io::Error| Problem::input(format!("cannot read {shown}: {error}"));
    let file = File::open(path).map_err(cannot)?;
    if path.extension().is_some_and(|ending| ending == "gz") {
        drain(MultiGzDecoder::new(file), &shown)
    } else {
        drain(file, &shown)
    }
}

fn drain(from: impl Read, name: &str) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let read = from.take(BYTES_MAX).read_to_end(&mut bytes);
    read.map_err(|error| Problem::input(format!("cannot read {name}: {error}")))?;
    Ok(bytes)
}
