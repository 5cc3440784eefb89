//! What is found out about a model before anything is sent.

use std::fs;

use fanfold_settings::{Model, Settings};

use crate::support::open_with;

/// The address that a model will be asked at, or why there is none.
fn address(
    name: &str,
    settings: &Settings,
    flag: Option<&str>,
    variables: &[(&str, &str)],
) -> String {
    match open_with(name, settings, flag, variables) {
        Ok(model) => {
            let shown = format!("{model:?}");
            let (_, rest) = shown.split_once("url: \"").unwrap();
            rest.split('"').next().unwrap().to_owned()
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_flag_beats_settings_which_beat_the_environment_which_beats_what_is_built_in() {
    let key = ("OPENAI_API_KEY", "k");
    let variable = ("OPENAI_BASE_URL", "https://env.example/v1/");
    let empty = ("OPENAI_BASE_URL", " ");
    let mut settings = Settings::default();
    let base_url = Some("https://settings.example/v1".to_owned());
    settings.models.insert("openai/a".into(), Model { base_url, ..Model::default() });
    let flag = Some("https://flag.example/v1");
    let table = [
        (address("openai/a", &settings, flag, &[key, variable]), "https://flag.example/v1"),
        (address("openai/a", &settings, None, &[key, variable]), "https://settings.example/v1"),
        (address("openai/b", &settings, None, &[key, variable]), "https://env.example/v1"),
        (address("openai/b", &settings, None, &[key, empty]), "https://api.openai.com/v1"),
        (address("openai/b", &settings, None, &[key]), "https://api.openai.com/v1"),
    ];
    for (found, expected) in table {
        assert_eq!(found, format!("{expected}/responses"));
    }
    let keys = [("ANTHROPIC_API_KEY", "k"), ("GEMINI_API_KEY", "k")];
    let found = address("anthropic/m", &settings, None, &keys);
    assert_eq!(found, "https://api.anthropic.com/v1/messages");
    let found = address("gemini/m", &settings, None, &keys);
    let expected = "https://generativelanguage.googleapis.com/v1beta/models/m:\
                    streamGenerateContent?alt=sse";
    assert_eq!(found, expected);
    assert_eq!(
        address("ollama/m", &settings, None, &[]),
        "http://127.0.0.1:11434/v1/chat/completions"
    );
}

#[test]
fn a_missing_key_is_named_with_the_way_out() {
    let settings = Settings::default();
    let table = [
        ("anthropic/m", "ANTHROPIC_API_KEY"),
        ("openai/m", "OPENAI_API_KEY"),
        ("openai-chat/m", "OPENAI_API_KEY"),
        ("gemini/m", "GEMINI_API_KEY"),
        ("qwen/m", "DASHSCOPE_API_KEY"),
    ];
    for (name, variable) in table {
        let expected = format!("no key for {name}: set {variable}; --model script:FILE needs none");
        assert_eq!(address(name, &settings, None, &[]), expected);
        assert_eq!(address(name, &settings, None, &[(variable, " ")]), expected);
    }
    let bad = address("openai/m", &settings, None, &[("OPENAI_API_KEY", "a\nb")]);
    assert!(bad.starts_with("OPENAI_API_KEY holds no key: "), "{bad}");
}

#[test]
fn a_server_nearby_needs_no_key_and_one_far_away_does() {
    let settings = Settings::default();
    let near = ["http://127.0.0.1:1", "https://127.0.0.1:1", "http://10.0.0.7:8000/v1"];
    for url in near.into_iter().chain(["https://localhost", "https://[::1]:4/v1", "http://a.b"]) {
        assert!(open_with("openai-chat/m", &settings, Some(url), &[]).is_ok(), "{url}");
    }
    for url in ["https://a.example", "https://localhost.example", "https://10.0.0.7"] {
        assert!(open_with("openai-chat/m", &settings, Some(url), &[]).is_err(), "{url}");
    }
}

#[test]
fn what_is_no_base_url_says_why() {
    let table = [
        ("", "relative URL without a base"),
        ("api.openai.com", "relative URL without a base"),
        ("localhost:8080/v1", "it must begin with https:// or http://"),
        ("file:///etc", "it must begin with https:// or http://"),
        ("https://", "empty host"),
        ("https://a.example/v1?key=1", "it must have no ? and no #"),
    ];
    for (url, problem) in table {
        let found =
            address("openai/m", &Settings::default(), Some(url), &[("OPENAI_API_KEY", "k")]);
        assert_eq!(found, format!("{url:?} (--base-url) is no base URL: {problem}"));
    }
    let url = Some("https://me:hunter2@a.example/v1");
    let found = address("openai/m", &Settings::default(), url, &[("OPENAI_API_KEY", "k")]);
    let expected = r#""…" (--base-url) is no base URL: it must hold no user and no password"#;
    assert_eq!(found, expected);
}

#[test]
fn nothing_shows_a_key() {
    let names = [
        ("anthropic/m", "ANTHROPIC_API_KEY"),
        ("openai/m", "OPENAI_API_KEY"),
        ("gemini/m", "GEMINI_API_KEY"),
    ];
    for (name, variable) in names {
        let key = [(variable, "sk-hunter2")];
        let model = open_with(name, &Settings::default(), None, &key).unwrap();
        let shown = format!("{model:?} {model:#?}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}

#[test]
fn a_script_that_cannot_be_used_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let open = |file: &str| {
        let name = format!("script:{}", folder.path().join(file).display());
        open_with(&name, &Settings::default(), None, &[]).map(|_| ()).map_err(|error| {
            error.to_string().replace(&folder.path().display().to_string(), "FOLDER")
        })
    };
    fs::write(folder.path().join("bad.json"), "{").unwrap();
    fs::write(folder.path().join("good.json"), r#"{"replies": [{"say": [{"text": "hi"}]}]}"#)
        .unwrap();
    assert_eq!(open("good.json"), Ok(()));
    let error = open("none.json").unwrap_err();
    assert!(error.starts_with("cannot use the script FOLDER/none.json: No such file"), "{error}");
    let error = open("").unwrap_err();
    assert!(error.ends_with("it is no regular file"), "{error}");
    assert!(open("bad.json").is_err());
}
