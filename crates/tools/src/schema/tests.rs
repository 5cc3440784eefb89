//! Arguments against a schema: what is told, and what is eased.

use serde_json::json;

use super::*;

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "line": {"type": ["integer", "null"], "minimum": 1},
            "mode": {"enum": ["all", "first"]},
            "edits": {"type": "array", "items": {
                "type": "object",
                "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
                "required": ["old", "new"],
                "additionalProperties": false,
            }},
            "where": {"anyOf": [
                {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
                {"type": "null"},
            ]},
            "text": {"type": ["string", "array"]},
        },
        "required": ["path"],
        "additionalProperties": false,
    })
}

fn fit(arguments: Value) -> Result<Value, String> {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    let fit = Schema::from(schema()).fit("Edit", &arguments);
    fit.map(Value::Object).map_err(|error| error.0)
}

#[test]
fn each_problem_names_its_argument_and_what_was_expected() {
    let table = [
        (json!({}), "`path` is missing; expected a string"),
        (json!({"path": 3}), "`path` is 3; expected a string"),
        (json!({"path": null}), "`path` is null; expected a string"),
        (json!({"path": "a", "Path": 1}), "`Path` is unknown; did you mean `path`?"),
        (
            json!({"path": "a", "zzz": 1}),
            "`zzz` is unknown; expected path, line, mode, edits, where, text",
        ),
        (json!({"path": "a", "line": "2"}), "`line` is \"2\"; expected a whole number"),
        (json!({"path": "a", "line": 0}), "`line` is 0: it is less than the minimum of 1"),
        (
            json!({"path": "a", "mode": "x"}),
            "`mode` is \"x\": it is not one of \"all\" or \"first\"",
        ),
        (json!({"path": "a", "edits": "no"}), "`edits` is \"no\"; expected a list"),
        (json!({"path": "a", "edits": "{}"}), "`edits` is \"{}\"; expected a list"),
        (
            json!({"path": "a", "edits": [{"old": "x", "new": "y"}, {"old": "x"}]}),
            "`edits[1].new` is missing; expected a string",
        ),
        (
            json!({"path": "a", "edits": [{"old": "x", "new": "y", "olds": 1}]}),
            "`edits[0].olds` is unknown; did you mean `old`?",
        ),
        (json!({"path": "a", "where": 1}), "`where` is 1; expected an object"),
        (json!({"path": "a", "where": {"x": "1"}}), "`where.x` is \"1\"; expected a number"),
    ];
    for (arguments, expected) in table {
        assert_eq!(fit(arguments.clone()), Err(format!("Edit: {expected}")), "{arguments}");
    }
}

#[test]
fn all_problems_are_told_at_once_but_not_without_end() {
    assert_eq!(
        fit(json!({"line": "a", "pth": "b", "edits": [1]})).unwrap_err(),
        "Edit: 4 problems with the arguments:\n\
         - `line` is \"a\"; expected a whole number\n\
         - `edits[0]` is 1; expected an object\n\
         - `pth` is unknown; did you mean `path`?\n\
         - `path` is missing; expected a string"
    );
    let many = fit(json!({"path": "a", "edits": vec![1; 1000]})).unwrap_err();
    assert_eq!(many.lines().count(), 1 + PROBLEMS_MAX + 1);
    assert!(many.ends_with("\n- and 980 more"));
    let long = fit(json!({"path": "a", "x".repeat(10_000): 1, "line": "y".repeat(10_000)}));
    assert!(long.unwrap_err().len() < 3_000);
}

// https://github.com/NousResearch/hermes-agent/pull/52220
// https://github.com/shekohex/opencode-google-antigravity-auth/pull/12
#[test]
fn null_is_absent_and_a_list_in_a_string_is_read_once() {
    let table = [
        (json!({"path": "a", "line": null, "mode": null}), json!({"path": "a"})),
        (json!({"path": "a", "where": null}), json!({"path": "a"})),
        (
            json!({"path": "a", "edits": "[{\"old\": \"x\", \"new\": \"y\"}]"}),
            json!({"path": "a", "edits": [{"old": "x", "new": "y"}]}),
        ),
        (
            json!({"path": "a", "edits": ["{\"old\": \"x\", \"new\": \"[]\"}"]}),
            json!({"path": "a", "edits": [{"old": "x", "new": "[]"}]}),
        ),
        (json!({"path": "a", "where": "{\"x\": 1}"}), json!({"path": "a", "where": {"x": 1}})),
        (json!({"path": "[]", "text": "[1]"}), json!({"path": "[]", "text": "[1]"})),
    ];
    for (arguments, expected) in table {
        assert_eq!(fit(arguments.clone()), Ok(expected), "{arguments}");
    }
}

#[test]
fn a_schema_that_is_none_is_told() {
    let nonsense = Schema::from(json!({"type": "nonsense"}));
    let error = nonsense.fit("Edit", &Map::new()).unwrap_err().0;
    assert!(error.starts_with("Edit: its schema cannot be used: "), "{error}");
    let none = Schema::from(json!({"type": "object"}));
    assert!(none.fit("Edit", &Map::new()).is_ok());
}
