//! Ids of providers: used again, used twice, foreign; and arguments on their way to another provider.
//!
//! Not here: how they are read and written, which is shown beside `fanfold-wire`.

use serde_json::{Value, json};

use super::{MODEL, answer, call, say};
use crate::agent::MODELS;
use crate::agent::site::Site;

fn append(line: &str, id: &str) -> Value {
    let arguments = json!({"command": format!("echo {line} >> log")});
    json!({"call": {"tool": "Shell", "arguments": arguments, "id": id}})
}

// https://github.com/QwenLM/qwen-code/issues/8382
#[test]
fn an_id_of_an_earlier_step_or_turn_keeps_no_call_from_running() {
    for model in MODELS {
        let again = say(&[append("x", "run_0")]);
        let site = Site::new(&json!([again, again, answer("Twice."), again, answer("Once more.")]));
        site.turn(&["--model", model, "go"]).answered("Twice.");
        site.turn(&["--session", "last", "again"]).answered("Once more.");
        site.provider.refused_nothing();
        assert_eq!(site.read("log"), "x\nx\nx\n", "{model}");
    }
}

// https://github.com/can1357/oh-my-pi/issues/2055
#[test]
fn two_calls_under_one_id_both_run_and_have_a_result_each() {
    for model in MODELS {
        let twins =
            say(&[append("one", "functions.eval:301"), append("two", "functions.eval:301")]);
        let site = Site::new(&json!([twins, answer("Both ran.")]));
        let turn = site.turn(&["--model", model, "go"]);
        turn.answered("Both ran.");
        site.provider.refused_nothing();
        assert_eq!(turn.statuses(), ["c1 ok", "c2 ok"], "{model}");
        assert_eq!(site.read("log"), "one\ntwo\n", "{model}");
    }
}

// https://github.com/openclaw/openclaw/pull/50749
#[test]
fn arguments_go_to_each_provider_in_its_own_form() {
    let arguments = json!({"pattern": "*.rs", "path": "."});
    let site = Site::new(&json!([
        say(&[call("Glob", arguments.clone())]),
        answer("None."),
        answer("As was said."),
        answer("Indeed."),
        answer("Yes."),
    ]));
    let order = ["openai-chat/gpt-5.5", MODELS[3], MODEL, MODELS[1]];
    for (n, model) in order.into_iter().enumerate() {
        let go_on: &[&str] = if n == 0 { &[] } else { &["--session", "last"] };
        let turn = site.turn(&[&["--model", model], go_on, &["go"]].concat());
        assert_eq!(turn.code, Some(0), "{model}: {}", turn.stderr);
    }
    site.provider.refused_nothing();
    let body = |request: usize| -> Value {
        serde_json::from_str(&site.provider.requests()[request].body).unwrap()
    };
    let text = &body(1)["messages"];
    let text = text.as_array().unwrap().iter().find_map(|message| message.get("tool_calls"));
    let text = text.unwrap()[0]["function"]["arguments"].as_str().unwrap().to_owned();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), arguments);
    assert_eq!(body(2)["contents"][1]["parts"][0]["functionCall"]["args"], arguments);
    assert_eq!(body(3)["messages"][1]["content"][0]["input"], arguments);
    let items = body(4)["input"].clone();
    let call = items.as_array().unwrap().iter().find(|item| item["type"] == "function_call");
    let text = call.unwrap()["arguments"].as_str().unwrap().to_owned();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), arguments);
}

// https://github.com/MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark/issues/55
#[test]
fn broken_arguments_do_not_poison_the_requests_after_them() {
    for model in MODELS {
        let broken = call("WriteFile", json!("{\"file_path\": \"f\", \"content\": \"half"));
        let site = Site::new(&json!([
            {"say": [broken], "stop": "finished"},
            answer("Again, then."),
            answer("Still fine."),
        ]));
        let turn = site.turn(&["--model", model, "go"]);
        turn.answered("Again, then.");
        assert_eq!(turn.statuses(), ["c1 declined"], "{model}");
        site.turn(&["--session", "last", "and?"]).answered("Still fine.");
        site.provider.refused_nothing();
        assert_eq!(site.read("f"), "", "{model}");
    }
}

// https://github.com/NousResearch/hermes-agent/issues/83937
#[test]
fn a_tool_without_arguments_runs_however_they_are_left_out() {
    for model in MODELS {
        let ls = |arguments: &str| call("Ls", json!(arguments));
        let site =
            Site::new(&json!([say(&[ls(""), ls("  "), ls("{}"), ls("null")]), answer("Listed.")]));
        let turn = site.turn(&["--model", model, "go"]);
        turn.answered("Listed.");
        site.provider.refused_nothing();
        assert_eq!(turn.statuses(), ["c1 ok", "c2 ok", "c3 ok", "c4 ok"], "{model}");
    }
}
