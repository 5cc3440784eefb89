//! What `fanfold run` is given: prompts, files, flags, and everything that can be wrong with them.

use serde_json::json;

use crate::run::{ended, reply, script, turn};
use crate::{Run, parse};

/// The user's words in the newest session.
fn said(run: &Run) -> Vec<String> {
    let shown = parse(&run.with(&["sessions", "show", "last", "--json"], b"").stdout);
    let entries = shown["entries"].as_array().unwrap();
    let users = entries.iter().filter(|entry| entry["by"] == "user");
    users.map(|entry| entry["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_prompt_comes_as_an_argument_or_through_standard_input() {
    let model = "script:script.json";
    let cases: [(&[&str], &[u8], &str); 3] = [
        (&["run", "--model", model, "from an argument"], b"not this", "from an argument"),
        (&["run", "--model", model, "-"], b"from a pipe\n", "from a pipe\n"),
        (&["run", "--model", model], "grüße".as_bytes(), "grüße"),
    ];
    for (arguments, input, prompt) in cases {
        let run = Run::new();
        script(&run, &json!([reply("Yes.", &[])]));
        let (code, stdout, stderr) = ended(&run.with(arguments, input));
        assert_eq!((code, &*stdout), (0, "Yes.\n"), "{stderr}");
        assert_eq!(said(&run), [prompt]);
    }
}

#[test]
fn files_go_with_a_prompt_or_alone() {
    let run = Run::new();
    std::fs::write(run.path().join("note.txt"), "forty-two").unwrap();
    std::fs::write(run.path().join("dot.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    let replies = json!([reply("Yes.", &[])]);
    let attach = ["--attach", "note.txt", "--attach", "dot.png"];
    let (code, _, stderr) = ended(&turn(&run, &replies, &[&attach[..], &["see"]].concat()));
    assert_eq!(code, 0, "{stderr}");
    let text = said(&run).concat();
    assert!(text.contains("forty-two") && text.contains("see"), "{text}");
    let (code, _, stderr) = ended(&turn(&run, &replies, &attach[..2]));
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn bad_input_runs_nothing() {
    let cases: [(&[&str], &str); 22] = [
        (&["hello"], "script:FILE needs no key"),
        (&["--model", "antropic/x", "hello"], "anthropic"),
        (&["--model", "anthropic/claude-opus-4-5", "hello"], "ANTHROPIC_API_KEY"),
        (&["--model", "script:none.json", "hello"], "none.json"),
        (&["--model", "script:bad.json", "hello"], "bad.json"),
        (&["--model", "script:script.json"], "the prompt is empty"),
        (&["--model", "script:script.json", "-"], "the prompt is empty"),
        (&["--model", "script:script.json", "--system", "none", "hello"], "cannot read none"),
        (&["--model", "script:script.json", "--attach", "none", "hello"], "cannot attach none"),
        (&["--model", "script:script.json", "--attach", ".", "hello"], "it is not a file"),
        (
            &["--model", "script:script.json", "--output-schema", "none", "hello"],
            "cannot read none",
        ),
        (&["--model", "script:script.json", "--output-schema", "bad.json", "hello"], "no JSON"),
        (
            &["--model", "script:script.json", "--output-schema", "no-schema.json", "hello"],
            "schema",
        ),
        (&["--model", "script:script.json", "--max-steps", "0", "hello"], "--max-steps"),
        (&["--model", "script:script.json", "--max-tokens", "few", "hello"], "--max-tokens"),
        (&["--model", "script:script.json", "--max-cost", "-1", "hello"], "--max-cost"),
        (&["--model", "script:script.json", "--max-cost", "1", "hello"], "--max-cost"),
        (&["--model", "script:script.json", "--max-parallel", "0", "hello"], "max_parallel"),
        (&["--model", "script:script.json", "--protocol", "odd", "hello"], "native"),
        (&["--model", "script:script.json", "--allow", "Shell(", "hello"], "Shell("),
        (&["--model", "script:script.json", "--session", "1999", "hello"], "1999"),
        (&["--model", "script:script.json", "--workspace", "none", "hello"], "none"),
    ];
    let run = Run::new();
    script(&run, &json!([reply("Yes.", &[])]));
    std::fs::write(run.path().join("bad.json"), "{").unwrap();
    std::fs::write(run.path().join("no-schema.json"), "{\"type\": 7}").unwrap();
    for (arguments, part) in cases {
        let output = run.with(&[&["run"], arguments].concat(), b"");
        let (code, stdout, stderr) = ended(&output);
        assert_eq!((code, &*stdout), (2, ""), "{arguments:?}: {stderr}");
        assert!(stderr.contains(part), "{arguments:?}: no {part:?} in {stderr}");
    }
    let sessions = run.with(&["sessions", "list", "--json"], b"");
    assert_eq!(parse(&sessions.stdout), json!([]), "nothing was begun");
}

#[test]
fn a_recording_replaces_nothing_but_a_recording() {
    let run = Run::new();
    let model = script(&run, &json!([reply("Yes.", &[])]));
    let socket = run.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let before = std::fs::read(run.path().join("script.json")).unwrap();
    for (place, part) in [("socket", "not a file"), (".", "not a file"), ("script.json", "played")]
    {
        let output = run.with(&["run", "--model", &model, "--record", place, "hello"], b"");
        let (code, stdout, stderr) = ended(&output);
        assert_eq!((code, &*stdout), (2, ""), "{place}: {stderr}");
        assert!(stderr.contains(part), "{place}: {stderr}");
    }
    let kind = std::fs::symlink_metadata(&socket).unwrap().file_type();
    assert!(std::os::unix::fs::FileTypeExt::is_socket(&kind));
    assert_eq!(std::fs::read(run.path().join("script.json")).unwrap(), before);
}

#[test]
fn a_prompt_that_is_no_text_is_refused() {
    let run = Run::new();
    let model = script(&run, &json!([reply("Yes.", &[])]));
    let (code, _, stderr) = ended(&run.with(&["run", "--model", &model, "-"], b"\xff\xfe"));
    assert_eq!(code, 2);
    assert!(stderr.contains("not UTF-8"), "{stderr}");
    let large = vec![b'x'; (32 << 20) + 1];
    let (code, _, stderr) = ended(&run.with(&["run", "--model", &model, "-"], &large));
    assert_eq!(code, 2);
    assert!(stderr.contains("larger than 32 MiB"), "{stderr}");
}

#[test]
fn the_model_may_stand_in_a_variable_or_in_the_settings() {
    let run = Run::new();
    script(&run, &json!([reply("Yes.", &[])]));
    let mut command = run.command(&["run", "hello"]);
    let output = command.env("FANFOLD_MODEL", "script:script.json").output().unwrap();
    assert_eq!(ended(&output).0, 0, "{}", ended(&output).2);
    let settings = run.path().join(".config/fanfold");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("settings.json"), r#"{"model": "script:script.json"}"#).unwrap();
    let (code, stdout, stderr) = ended(&run.with(&["run", "hello"], b""));
    assert_eq!((code, &*stdout), (0, "Yes.\n"), "{stderr}");
}

#[test]
fn the_known_models_are_listed() {
    let run = Run::new();
    let (code, stdout, stderr) = ended(&run.with(&["models"], b""));
    assert_eq!((code, &*stderr), (0, ""));
    let head: Vec<&str> = stdout.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head, ["MODEL", "WINDOW", "MAX", "OUTPUT", "$/M", "IN", "$/M", "OUT"]);
    for provider in ["anthropic/", "openai/", "gemini/"] {
        assert!(stdout.lines().any(|line| line.starts_with(provider)), "{stdout}");
    }
    let settings = r#"{"models": {"openai-chat/mine": {"context_window": 12345}}}"#;
    let place = run.path().join(".config/fanfold");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("settings.json"), settings).unwrap();
    let models = parse(&run.with(&["models", "--json"], b"").stdout);
    let mine = |model: &&serde_json::Value| model["name"] == "openai-chat/mine";
    let mine = models.as_array().unwrap().iter().find(mine).unwrap();
    assert_eq!(mine["context_window"], 12345);
}
