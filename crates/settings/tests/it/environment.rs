//! Settings from variables.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use fanfold_settings::{Environment, Stack};

use crate::shown;

fn read(variables: &[(&str, &str)]) -> Result<(Stack, Vec<String>), String> {
    let read = Environment::read(variables.iter().copied()).map_err(|error| error.to_string())?;
    let mut stack = Stack::default();
    stack.lay(read.layer);
    Ok((stack, read.ignored))
}

#[test]
fn a_variable_is_json_if_it_parses_and_a_text_if_not() {
    let (stack, ignored) = read(&[
        ("FANFOLD_MAX_PARALLEL_TOOLS", "3"),
        ("FANFOLD_COMPACTION__AUTO__KEEP_RECENT", "4"),
        ("FANFOLD_COMPACTION__AUTO__MODEL", "openai/gpt-5"),
        ("FANFOLD_COMPACTION", r#"{"auto": {"keep_recent": 9, "enabled": false}}"#),
        ("FANFOLD_PERMISSIONS__DENY", r#"["Shell"]"#),
        ("FANFOLD_FORMATTERS__RS", r#"["rustfmt"]"#),
        ("FANFOLD_MODELS", r#"{"openai/gpt-5": {"context_window": 5}}"#),
        ("FANFOLD_DURABILITY", "\"relaxed\""),
        ("FANFOLD_STREAMING_START", "off"),
    ])
    .unwrap();
    assert_eq!(ignored, <[&str; 0]>::default());
    let table: [(&[&str], &str); 9] = [
        (&["max_parallel_tools"], "3 (FANFOLD_MAX_PARALLEL_TOOLS)"),
        // The variable of the key itself beats that of its section.
        (&["compaction", "auto", "keep_recent"], "4 (FANFOLD_COMPACTION__AUTO__KEEP_RECENT)"),
        (&["compaction", "auto", "enabled"], "false (FANFOLD_COMPACTION)"),
        (&["compaction", "auto", "model"], "\"openai/gpt-5\" (FANFOLD_COMPACTION__AUTO__MODEL)"),
        (&["permissions", "deny"], "[\"Shell\"] (FANFOLD_PERMISSIONS__DENY)"),
        (&["formatters", "rs"], "[\"rustfmt\"] (FANFOLD_FORMATTERS__RS)"),
        (&["models", "openai/gpt-5", "context_window"], "5 (FANFOLD_MODELS)"),
        (&["durability"], "\"relaxed\" (FANFOLD_DURABILITY)"),
        (&["streaming_start"], "\"off\" (FANFOLD_STREAMING_START)"),
    ];
    for (key, expected) in table {
        assert_eq!(shown(&stack, key), expected);
    }
}

#[test]
fn every_variable_that_does_not_fit_is_named() {
    let error = read(&[
        ("FANFOLD_LIMITS__STEPS", "2abc"),
        ("FANFOLD_MAX_PARALLEL_TOOLS", ""),
        ("FANFOLD_PERMISSIONS__DENY", "Shell"),
        ("FANFOLD_LIMITS", r#"{"step": 1}"#),
    ]);
    let expected = "\
FANFOLD_LIMITS: unknown key limits.step; did you mean limits.steps?
FANFOLD_LIMITS__STEPS: limits.steps must be a whole number from 1 to 10000, not \"2abc\"
FANFOLD_MAX_PARALLEL_TOOLS: max_parallel_tools must be a whole number from 1 to 1000, not \"\"
FANFOLD_PERMISSIONS__DENY: permissions.deny must be a list, each element a text, not \"Shell\"";
    assert_eq!(error.unwrap_err(), expected);
    let bytes = OsString::from_vec(vec![0xff]);
    let error = Environment::read([("FANFOLD_DURABILITY", bytes)]).unwrap_err().to_string();
    assert_eq!(error, "FANFOLD_DURABILITY: durability is not UTF-8 text");
}

#[test]
fn what_is_no_setting_is_left_alone() {
    let (stack, ignored) = read(&[
        ("PATH", "/bin"),
        ("FANFOLDER", "1"),
        ("FANFOLD_HOME", "/x"),
        ("FANFOLD_CALL", "s:c1"),
        ("FANFOLD_CORPUS", "/y"),
        ("FANFOLD_SIM_SEED", "1"),
        ("FANFOLD_MAX_PARALEL_TOOLS", "1"),
        ("FANFOLD_LIMITS__STEPS__MORE", "1"),
        ("FANFOLD_", "1"),
    ])
    .unwrap();
    assert_eq!(stack, Stack::default());
    assert_eq!(
        ignored,
        [
            "FANFOLD_ is ignored: it names no setting",
            "FANFOLD_LIMITS__STEPS__MORE is ignored: it names no setting; \
             did you mean FANFOLD_LIMITS__STEPS?",
            "FANFOLD_MAX_PARALEL_TOOLS is ignored: it names no setting; \
             did you mean FANFOLD_MAX_PARALLEL_TOOLS?",
        ]
    );
}
