//! Every kind of bad file, with its line, its key and what would be right.

use fanfold_settings::{FILE_BYTES_MAX, Layer, LayerKind, Stack};

fn problems(text: impl AsRef<[u8]>) -> Vec<String> {
    let read = Layer::file(text.as_ref(), LayerKind::User, "s.json");
    let error = read.unwrap_err().to_string();
    error.lines().map(str::to_owned).collect()
}

#[test]
fn a_number_out_of_its_range_is_quoted_beside_the_range() {
    let table = [
        (
            r#"{"max_parallel_tools": VALUE}"#,
            "max_parallel_tools must be a whole number from 1 to 1000",
        ),
        (
            r#"{"limits": {"agent_depth": VALUE}}"#,
            "limits.agent_depth must be a whole number from 1 to 64",
        ),
    ];
    for (text, expected) in table {
        for found in [
            "\"2abc\"",
            "2.5",
            "0",
            "-1",
            "1001",
            "null",
            "true",
            "[1]",
            "{}",
            "1e2",
            "99999999999999999999",
        ] {
            let text = format!("// one\n{}", text.replace("VALUE", found));
            assert_eq!(problems(text), [format!("s.json:2: {expected}, not {found}")]);
        }
    }
}

#[test]
fn a_value_of_another_type_is_told_what_it_should_be() {
    let table = [
        (r#"{"limits": 5}"#, "limits must be an object, not 5"),
        (r#"{"tools": []}"#, "tools must be an object, not []"),
        (r#"[]"#, "the file must be an object, not []"),
        (
            r#"{"compaction": {"auto": {"enabled": "yes"}}}"#,
            "compaction.auto.enabled must be true or false, not \"yes\"",
        ),
        (
            r#"{"compaction": {"auto": {"model": 4}}}"#,
            "compaction.auto.model must be a text or null, not 4",
        ),
        (r#"{"durability": "fast"}"#, "durability must be \"full\" or \"relaxed\", not \"fast\""),
        (
            r#"{"compaction": {"micro": {"rewrite": 1}}}"#,
            "compaction.micro.rewrite must be \"every_turn\" or \"when_it_pays\" or \"auto\", not 1",
        ),
        (
            r#"{"permissions": {"deny": "Shell"}}"#,
            "permissions.deny must be a list, each element a text, not \"Shell\"",
        ),
        (r#"{"permissions": {"deny": ["Shell", 7]}}"#, "permissions.deny[1] must be a text, not 7"),
        (
            r#"{"permissions": {"additional_directories": ["a"]}}"#,
            "permissions.additional_directories[0] must be an absolute path, not \"a\"",
        ),
        (
            r#"{"formatters": {"rs": []}}"#,
            "formatters.rs must be a list of 1 or more, each element a text, not []",
        ),
        (
            r#"{"tools": {"a b": {}}}"#,
            "a key of tools must be a name of at most 64 letters, digits, _ and -, not tools.\"a b\"",
        ),
        (
            r#"{"models": {"gpt": {}}}"#,
            "a key of models must be a name like provider/model, not models.gpt",
        ),
        (
            r#"{"tools": {"x": {"groups": "some"}}}"#,
            "tools.x.groups must be \"independent\" or \"exclusive\" or a list of 1 or more, each element a text, not \"some\"",
        ),
        (
            r#"{"tools": {"x": {"input_schema": {"a": 1, "a": 2}}}}"#,
            "tools.x.input_schema holds \"a\": 2, which is no value here",
        ),
        (
            r#"{"tools": {"x": {"input_schema": {"a": 1e999}}}}"#,
            "tools.x.input_schema holds 1e999, which is no value here",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(problems(text), [format!("s.json:1: {expected}")]);
    }
}

#[test]
fn an_unknown_key_names_the_nearest_valid_one() {
    let table = [
        (
            r#"{"max_paralel_tools": 4}"#,
            "unknown key max_paralel_tools; did you mean max_parallel_tools?",
        ),
        (r#"{"limits": {"Steps": 4}}"#, "unknown key limits.Steps; did you mean limits.steps?"),
        (
            r#"{"keep_recent": 4}"#,
            "unknown key keep_recent; did you mean compaction.auto.keep_recent?",
        ),
        (
            r#"{"scheduling": {"": 4}}"#,
            "unknown key scheduling.\"\"; the keys here are claims, read_only_shell, fs_group",
        ),
        (
            r#"{"models": {"a/b": {"url": ""}}}"#,
            "unknown key models.\"a/b\".url; the keys here are context_window, max_output_tokens, base_url, api_key_env",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(problems(text), [format!("s.json:1: {expected}")]);
    }
    let long = format!("{{\"{}\": 1}}", "x".repeat(1_000_000));
    assert!(problems(long)[0].len() < 500);
}

#[test]
fn all_problems_of_a_file_are_listed_in_their_order() {
    let text =
        "{\n \"limits\": {\"steps\": 0,\n \"steps\": 5},\n \"maximum\": 1,\n \"durability\": 3\n}";
    let found = problems(text);
    let places: Vec<&str> = found.iter().map(|line| &line[..9]).collect();
    assert_eq!(places, ["s.json:2:", "s.json:3:", "s.json:4:", "s.json:5:"]);
    assert_eq!(found[1], "s.json:3: limits.steps is given again, already in line 2");
    let many: Vec<String> = (0..50).map(|n| format!("\"unknown{n}\": 1")).collect();
    let found = problems(format!("{{{}}}", many.join(",")));
    assert_eq!((found.len(), found.last().unwrap().as_str()), (21, "and 30 more"));
}

#[test]
fn what_is_no_settings_file_at_all_says_why() {
    let table: [(&[u8], &str); 9] = [
        (b"{", "s.json:1: unterminated object"),
        (b"{\n\"a\": }", "s.json:2: "),
        (b"{\"limits\": {}}\n\n{}", "s.json:3: "),
        (b"{'limits': {}}", "s.json:1: single-quoted"),
        (b"{limits: {}}", "s.json:1: "),
        (b"{\"max_parallel_tools\": 0x10}", "s.json:1: hexadecimal"),
        (b"{\"durability\": \"full\" \"limits\": {}}", "s.json:1: expected comma"),
        (b"// a\n{\"a\": \"\xff\"}", "s.json:2: it is not UTF-8 text"),
        (b"\x00", "s.json:1: "),
    ];
    for (bytes, expected) in table {
        let found = problems(bytes);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with(expected), "{expected}: {found:?}");
    }
    assert_eq!(problems(vec![b' '; FILE_BYTES_MAX + 1]), ["s.json: it is larger than 1 MiB"]);
    let deep = "[".repeat(100_000);
    assert!(problems(deep)[0].contains("nesting"));
}

#[test]
fn comments_trailing_commas_and_nothing_at_all_are_fine() {
    let table = ["", "// nothing", "{}", "\u{feff}{}", "{\"limits\": {},}", "{\"$schema\": \"x\"}"];
    for text in table {
        assert_eq!(
            Layer::file(text.as_bytes(), LayerKind::User, "s.json").unwrap(),
            Layer::default()
        );
    }
}

#[test]
fn a_tool_that_no_layer_completes_is_a_problem_where_it_is_spoken_of() {
    let mut stack = Stack::default();
    let text = b"{\n\"tools\": {\"a\": {},\n\"b\": {\"command\": [\"b\"]}}}";
    stack.lay(Layer::file(text, LayerKind::User, "s.json").unwrap());
    let error = stack.settings().unwrap_err().to_string();
    let expected = "s.json:2: tools.a needs description\n\
                    s.json:2: tools.a needs command\n\
                    s.json:3: tools.b needs description";
    assert_eq!(error, expected);
}
