//! Which layer wins, and where each value was said.

use fanfold_settings::{Groups, Key, Layer, LayerKind, Rewrite, Settings, Stack, WholeGroup};
use serde_json::json;

use crate::{shown, stack};

#[test]
fn nothing_said_gives_the_defaults() {
    let stack = Stack::default();
    assert_eq!(stack.settings().unwrap(), Settings::default());
    assert_eq!(shown(&stack, &["max_parallel_tools"]), "10 (default)");
    assert_eq!(shown(&stack, &["limits", "tree_tokens"]), "null (default)");
}

#[test]
fn objects_merge_by_key_and_the_later_layer_wins() {
    let mut stack = stack(&[
        (
            LayerKind::User,
            "{\n\"max_parallel_tools\": 4,\n\"compaction\": {\"auto\": {\"keep_recent\": 7}},\n\
             \"formatters\": {\"rs\": [\"rustfmt\"], \"py\": [\"black\", \"-q\"]}}",
        ),
        (
            LayerKind::Workspace,
            "{\"compaction\": {\"auto\": {\"reserve_tokens\": 9},\n\"micro\": {\"enabled\": false}},\n\
             \"formatters\": {\"py\": [\"ruff\"]}}",
        ),
    ]);
    let flag = Layer::flag(&Key::of(&["max_parallel_tools"]), &json!(2), "--max-parallel");
    stack.lay(flag.unwrap());
    let table: [(&[&str], &str); 7] = [
        (&["max_parallel_tools"], "2 (--max-parallel)"),
        (&["compaction", "auto", "keep_recent"], "7 (user.json:3)"),
        (&["compaction", "auto", "reserve_tokens"], "9 (workspace.json:1)"),
        (&["compaction", "auto", "enabled"], "true (default)"),
        (&["compaction", "micro", "enabled"], "false (workspace.json:2)"),
        (&["formatters", "rs"], "[\"rustfmt\"] (user.json:4)"),
        (&["formatters", "py"], "[\"ruff\"] (workspace.json:3)"),
    ];
    for (key, expected) in table {
        assert_eq!(shown(&stack, key), expected);
    }
    let settings = stack.settings().unwrap();
    assert_eq!(settings.max_parallel_tools, 2);
    assert_eq!(settings.compaction.auto.keep_recent, 7);
    assert!(!settings.compaction.micro.enabled);
    assert_eq!(settings.formatters["py"], ["ruff"]);
}

#[test]
fn a_flag_is_checked_like_a_file() {
    let flag = |value| Layer::flag(&Key::of(&["max_parallel_tools"]), &value, "--max-parallel");
    let expected =
        "--max-parallel: max_parallel_tools must be a whole number from 1 to 1000, not 0";
    assert_eq!(flag(json!(0)).unwrap_err().to_string(), expected);
    let unknown = Layer::flag(&Key::of(&["speed"]), &json!(1), "--speed").unwrap_err();
    assert_eq!(unknown.to_string(), "--speed: unknown key speed");
}

#[test]
fn the_lists_of_permissions_are_joined() {
    let stack = stack(&[
        (LayerKind::User, r#"{"permissions": {"deny": ["Shell(rm *)"], "allow": ["WriteFile"]}}"#),
        (LayerKind::Workspace, "{\n\"permissions\": {\"deny\": [\"WebFetch\"], \"allow\": []}}"),
    ]);
    let deny = r#"["Shell(rm *)","WebFetch"] (user.json:1, workspace.json:2)"#;
    assert_eq!(shown(&stack, &["permissions", "deny"]), deny);
    let permissions = stack.settings().unwrap().permissions;
    assert_eq!(permissions.deny, ["Shell(rm *)", "WebFetch"]);
    assert_eq!(permissions.allow, ["WriteFile"]);
    assert_eq!(permissions.ask, <[&str; 0]>::default());
}

#[test]
fn a_tool_may_come_from_several_layers() {
    let stack = stack(&[
        (
            LayerKind::User,
            r#"{"tools": {"lint": {"description": "d", "command": ["lint", "-q"], "reads": ["file"],
                "input_schema": {"type": "object", "required": ["file"]}}, "list": {}}}"#,
        ),
        (
            LayerKind::Workspace,
            r#"{"tools": {"lint": {"timeout_ms": 5, "groups": ["lint"], "input_schema": {}},
                "list": {"description": "l", "command": ["ls"], "groups": "independent"}}}"#,
        ),
    ]);
    let tools = stack.settings().unwrap().tools;
    let lint = &tools["lint"];
    assert_eq!(lint.command, ["lint", "-q"]);
    assert_eq!((lint.timeout_ms, &lint.groups), (Some(5), &Groups::Named(vec!["lint".to_owned()])));
    assert!(lint.input_schema.is_empty(), "a schema is one value");
    assert_eq!(tools["list"].groups, Groups::Whole(WholeGroup::Independent));
    assert_eq!(Groups::default(), Groups::Whole(WholeGroup::Exclusive));
}

#[test]
fn the_documented_compaction_block_loads_unchanged() {
    let text = r#"{
        "max_parallel_tools": 10,
        "compaction": {
            "micro": {"enabled": true, "max_tool_result_lines": 100, "deduplicate_reads": true,
                      "collapse_error_cycles": true, "rewrite": "every_turn"},
            "auto": {"enabled": true, "reserve_tokens": 33000, "keep_recent": 10},
            "reactive": {"enabled": true, "keep_recent": 5, "max_retries": 1}
        }
    }"#;
    let settings = stack(&[(LayerKind::User, text)]).settings().unwrap();
    assert_eq!(settings.compaction.micro.rewrite, Rewrite::EveryTurn);
    let mut expected = Settings::default();
    expected.compaction.micro.rewrite = Rewrite::EveryTurn;
    assert_eq!(settings, expected);
}
