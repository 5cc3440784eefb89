//! No large file is kept in the repository: every clone would carry it for ever.
//!
//! Not here: the sum of all files.

use crate::tidy::{Finding, Project};

const BYTES_MAX: u64 = 200 * 1024;

const RULE: &str = "blobs; at most 200 KiB: make it smaller, or make it when it is needed";

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let large = project.tree.files().filter(|(_, file)| file.bytes > BYTES_MAX);
    large.map(|(path, file)| Finding::new(path, 1, format!("{} bytes", file.bytes), RULE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn a_large_file_is_found() {
        let (fits, large) = ("x".repeat(204_800), "x".repeat(204_801));
        let files = [("docs/a.svg", fits.as_str()), ("docs/b.svg", large.as_str())];
        assert_eq!(found(check, &files), ["docs/b.svg:1: 204801 bytes"]);
    }
}
