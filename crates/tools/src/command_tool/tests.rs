//! Declared tools with real commands: JSON in, text out, claims from declared arguments.

use fanfold_transcript::Status;
use serde_json::json;

use super::*;
use crate::place::scene::Scene;
use crate::stop::StopHandle;

fn tool(command: &[&str]) -> CommandTool {
    CommandTool::new(CommandSpec {
        name: "declared".to_owned(),
        description: "A tool of the tests".to_owned(),
        input_schema: json!({"type": "object"}),
        command: command.iter().map(ToString::to_string).collect(),
        groups: Groups::independent(),
        reads: vec!["from".to_owned(), "absent".to_owned()],
        writes: vec!["to".to_owned()],
        timeout: Duration::from_secs(30),
    })
}

fn call(command: &[&str], arguments: &Value) -> Box<dyn Prepared> {
    tool(command).prepare(arguments.as_object().unwrap()).unwrap()
}

async fn run(command: &[&str], arguments: &Value) -> Outcome {
    let (_handle, stop) = StopHandle::new();
    call(command, arguments).run(Scene::new().run_with(stop)).await
}

#[test]
fn declared_arguments_become_claims() {
    let scene = Scene::new();
    let place = scene.run_with(StopHandle::new().1).place;
    let footprint = call(&["true"], &json!({"from": ["a", "b/../c", 7], "to": "d", "other": "e"}))
        .footprint(&place);
    let root = place.directory().display();
    let claims: Vec<String> = footprint.claims.iter().map(ToString::to_string).collect();
    let expected = [("reads", "a"), ("reads", "c"), ("writes", "d")];
    assert_eq!(claims, expected.map(|(verb, path)| format!("{verb} path:{root}/{path}")));
}

#[tokio::test]
async fn a_command_reads_json_and_answers_on_standard_output() {
    let arguments = json!({"text": "né", "n": 1});
    let outcome = run(&["cat"], &arguments).await;
    assert_eq!((outcome.status(), outcome.text()), (Status::Ok, arguments.to_string()));
    let large = json!({"text": "x".repeat(1 << 20)});
    let outcome = run(&["true"], &large).await;
    assert_eq!(outcome.status(), Status::Ok, "a command need not read its input");
}

#[tokio::test]
async fn a_failure_says_how_it_ended_and_what_it_wrote() {
    let outcome = run(&["sh", "-c", "echo out; echo err >&2; exit 3"], &json!({})).await;
    assert_eq!(outcome.status(), Status::Failed);
    assert_eq!(outcome.text(), "Exit code: 3\nout\nerr");
    let outcome = run(&["no-such-program-anywhere"], &json!({})).await;
    assert_eq!(outcome.status(), Status::Failed);
    assert!(outcome.text().contains("no-such-program-anywhere"), "{}", outcome.text());
    assert_eq!(run(&[], &json!({})).await.status(), Status::Failed);
}
