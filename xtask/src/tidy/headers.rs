//! Each Rust file opens with `//!`.
//!
//! Not here: whether the header says anything worth reading. That is for reviews.

use crate::tidy::{Finding, Project};

const RULE: &str =
    "headers; open with `//!`: what the file is for, then what is deliberately not in it";

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let bare = project.tree.rust().filter(|(_, text)| !text.starts_with("//! "));
    bare.map(|(path, _)| Finding::new(path, 1, "no header", RULE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn a_file_without_header_is_found() {
        let files = [
            ("crates/x/src/a.rs", "//! A.\n"),
            ("crates/x/src/b.rs", "// B.\nfn b() {}\n"),
            ("examples/c.rs", "fn c() {}\n"),
        ];
        assert_eq!(found(check, &files), ["crates/x/src/b.rs:1: no header"]);
    }
}
