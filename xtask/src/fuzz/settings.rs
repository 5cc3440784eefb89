//! Target `settings`: files of settings.
//!
//! Held for any bytes: a file is read, or each of its problems names it and a line that it has; what
//! is left of it for a workspace that nobody trusted is always usable and raises nothing. Not here:
//! what a setting may be; its type says that.

use fanfold_settings::{Layer, LayerKind, Settings, SettingsError, Stack};

use super::search::Target;

pub(super) const TARGET: Target = Target { name: "settings", samples, words: &WORDS, check };

/// How the file is called.
const FILE: &str = "a b/settings.json";

const SAMPLES: [&str; 5] = [
    "// mine\n{ \"max_parallel_tools\": 4 }",
    "{\n  /* why */ \"limits\": { \"steps\": 10, \"record_bytes\": 1000, },\n  \"model\": \"a/b\"\n}",
    r#"{"permissions": {"allow": ["Shell(git log *)"], "ask": [], "deny": ["WriteFile(**)"]}}"#,
    r#"{"tools": {"make": {"command": ["make", "-s"], "description": "x"}}, "models": {"a/b": {}}}"#,
    r#"{"compaction": {"auto": {"enabled": true}}, "durability": "none"}"#,
];

const WORDS: [&str; 30] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u0000",
    "\\ud83d",
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\u{feff}",
    "null",
    "true",
    "-1",
    "1e400",
    "18446744073709551616",
    "\"limits\":",
    "\"tools\":",
    "\"permissions\":",
    "\"compaction\":",
    "\"allow\":",
    "\"max_parallel_tools\":",
    "\"a/b\":",
    "{}",
    "'x'",
];

fn samples() -> Vec<Vec<u8>> {
    SAMPLES.map(|text| text.as_bytes().to_vec()).into()
}

fn check(bytes: &[u8]) -> Result<(), String> {
    let layer = match Layer::file(bytes, LayerKind::Workspace, FILE) {
        Ok(layer) => layer,
        Err(error) => return names_its_place(&error, bytes),
    };
    let mut stack = Stack::default();
    let (narrowed, _) = layer.clone().narrowed(&stack, FILE);
    stack.lay(narrowed);
    let settings = stack.settings().map_err(|error| format!("narrowed, but unusable: {error}"))?;
    let most = Settings::default().max_parallel_tools;
    if settings.max_parallel_tools > most {
        return Err(format!("{} calls in parallel by a stranger", settings.max_parallel_tools));
    }
    stack.lay(layer);
    stack.settings().map_or_else(|error| names_its_place(&error, bytes), |_| Ok(()))
}

fn names_its_place(error: &SettingsError, bytes: &[u8]) -> Result<(), String> {
    let lines = 1 + bytes.iter().filter(|byte| **byte == b'\n').count();
    let is_placed = |line: Option<usize>| line.is_none_or(|line| (1..=lines).contains(&line));
    let placed = error.problems.iter().all(|problem| {
        let origin = &problem.origin;
        &*origin.name == FILE && is_placed(origin.line) && !problem.what.is_empty()
    });
    let shown = error.to_string();
    if placed && !error.problems.is_empty() && shown.starts_with(FILE) {
        return Ok(());
    }
    Err(format!("an error that does not say where in {lines} lines: {shown}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanfold_settings::Key;

    #[test]
    fn an_error_that_names_no_file_is_told() {
        let wrong = Layer::file(b"{\"nope\": 1}", LayerKind::User, FILE).unwrap_err();
        assert_eq!(names_its_place(&wrong, b"{\"nope\": 1}"), Ok(()));
        let flag = Layer::flag(&Key::of(&["nope"]), &1.into(), "--nope").unwrap_err();
        assert!(names_its_place(&flag, b"").is_err());
        let mut late = wrong;
        late.problems[0].origin.line = Some(9);
        assert!(names_its_place(&late, b"{\"nope\": 1}").is_err());
    }
}
