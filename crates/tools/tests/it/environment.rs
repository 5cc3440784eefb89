//! What the processes of a call are given of Fanfold's own environment: all of it but the secrets.

use std::process::{Command, Stdio};

use fanfold_tools::Children;

use crate::bench::Bench;

/// Set where the test runs inside itself.
const INNER: &str = "ENVIRONMENT_INNER";

const SECRETS: [&str; 6] = [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OWN_SERVER_KEY",
    "OTHER_SERVER_KEY",
];

/// The test runs itself a second time as a process whose environment holds keys.
#[tokio::test]
async fn a_call_gets_the_environment_without_the_keys() {
    if std::env::var_os(INNER).is_none() {
        let mut inner = Command::new(std::env::current_exe().unwrap());
        inner.args(["--exact", "environment::a_call_gets_the_environment_without_the_keys"]);
        inner.env(INNER, "1").envs(SECRETS.map(|name| (name, "secret"))).stdout(Stdio::null());
        assert!(inner.status().unwrap().success());
        return;
    }
    let mut bench = Bench::new();
    let withheld = ["OWN_SERVER_KEY", "OTHER_SERVER_KEY", "NOT_SET", "FANFOLD_CALL", ""];
    bench.children = Children { withheld: withheld.map(Box::from).into(), watch: None };
    let text = bench.run("env").await.text();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.contains(&"ENVIRONMENT_INNER=1") && lines.contains(&"TERM=dumb"), "{text}");
    assert!(lines.contains(&&*format!("FANFOLD_CALL={}", bench.mark())), "{text}");
    assert!(!text.contains("secret") && !text.contains("_KEY"), "{text}");
}
