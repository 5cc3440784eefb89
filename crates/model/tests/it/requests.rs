//! What goes over the line: path, headers, body.

use fanfold_model::key_variables;
use fanfold_settings::{Model, Settings};

use crate::loopback::{Loopback, Request};
use crate::support::{ask, hear, open_with};

/// The request that a model sends to a server whose base URL ends in `suffix`.
async fn sent(name: &str, suffix: &str, variables: &[(&str, &str)]) -> Request {
    let mut server = Loopback::answering("500 No", "", "").await;
    let base = format!("{}{suffix}", server.base);
    let model = open_with(name, &Settings::default(), Some(&base), variables).unwrap();
    hear(ask(&*model)).await;
    let request = server.request().await;
    assert!(server.has_seen_all(), "one request only");
    request
}

#[tokio::test]
async fn each_provider_is_asked_in_its_own_way() {
    let table = [
        ("anthropic/m", "", "/v1/messages", "x-api-key", "k1"),
        ("anthropic/m", "/proxy//", "/proxy/v1/messages", "x-api-key", "k1"),
        ("openai/m", "/v1", "/v1/responses", "authorization", "Bearer k2"),
        ("openai/m", "/v1/", "/v1/responses", "authorization", "Bearer k2"),
        ("openai-chat/m", "/v1", "/v1/chat/completions", "authorization", "Bearer k2"),
        (
            "gemini/m-1.5",
            "",
            "/v1beta/models/m-1.5:streamGenerateContent?alt=sse",
            "x-goog-api-key",
            "k3",
        ),
        (
            "gemini/../a?b",
            "",
            "/v1beta/models/..%2Fa%3Fb:streamGenerateContent?alt=sse",
            "x-goog-api-key",
            "k3",
        ),
        ("deepseek/m", "", "/chat/completions", "authorization", "Bearer k4"),
    ];
    let variables = [
        ("ANTHROPIC_API_KEY", "k1"),
        ("OPENAI_API_KEY", " k2\n"),
        ("GEMINI_API_KEY", "k3"),
        ("DEEPSEEK_API_KEY", "k4"),
    ];
    for (name, suffix, path, key_header, key) in table {
        let request = sent(name, suffix, &variables).await;
        assert_eq!(request.line, format!("POST {path} HTTP/1.1"));
        assert_eq!(request.headers[key_header], key, "{name}");
        let version = request.headers.get("anthropic-version").map(String::as_str);
        assert_eq!(version, name.starts_with("anthropic").then_some("2023-06-01"));
        assert_eq!(request.headers["content-type"], "application/json");
        let agent = concat!("fanfold/", env!("CARGO_PKG_VERSION"));
        assert_eq!(request.headers["user-agent"], agent);
        assert_eq!(request.body, r#"{"a": 1}"#, "byte for byte");
    }
}

#[tokio::test]
async fn without_a_key_no_header_holds_one() {
    for name in ["anthropic/m", "openai/m", "openai-chat/m", "gemini/m", "ollama/m"] {
        let request = sent(name, "", &[]).await;
        for header in ["authorization", "x-api-key", "x-goog-api-key"] {
            assert!(!request.headers.contains_key(header), "{name}: {header}");
        }
    }
}

#[tokio::test]
async fn a_server_of_the_users_own_has_its_own_variable() {
    let mut server = Loopback::answering("500 No", "", "").await;
    let mut settings = Settings::default();
    let base_url = Some(server.base.clone());
    let own = Model { base_url: base_url.clone(), ..Model::default() };
    let named = Model { base_url, api_key_env: Some("LAB_KEY".into()), ..Model::default() };
    settings.models.insert("my-lab/a".into(), own);
    settings.models.insert("my-lab/b".into(), named);
    let variables = [("MY_LAB_API_KEY", "k1"), ("LAB_KEY", "k2"), ("OPENAI_API_KEY", "secret")];
    for (name, key) in [("my-lab/a", "Bearer k1"), ("my-lab/b", "Bearer k2")] {
        let model = open_with(name, &settings, None, &variables).unwrap();
        hear(ask(&*model)).await;
        let request = server.request().await;
        assert_eq!(request.line, "POST /chat/completions HTTP/1.1");
        assert_eq!(request.headers["authorization"], key);
    }
}

#[test]
fn all_variables_that_may_hold_a_key_are_known() {
    let mut settings = Settings::default();
    let named = Model { api_key_env: Some("LAB_KEY".into()), ..Model::default() };
    settings.models.insert("my-lab/a".into(), named);
    settings.models.insert("openai/a".into(), Model::default());
    let variables = key_variables(&settings);
    for name in ["OPENAI_API_KEY", "GROQ_API_KEY", "LAB_KEY", "MY_LAB_API_KEY"] {
        assert!(variables.iter().any(|variable| variable == name), "{name}");
    }
}
