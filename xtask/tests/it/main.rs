//! Runs the project's own rules on this very workspace, so that plain `cargo test` holds them.
//!
//! Not here: the cases that break each rule. They stand beside the rule, in `src/tidy/`.

#[test]
fn the_workspace_is_tidy() {
    let findings = xtask::tidy::findings().unwrap();
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} findings:\n{}", lines.len(), lines.join("\n"));
}
