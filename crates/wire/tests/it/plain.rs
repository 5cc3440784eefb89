//! Plain calls in all their shapes.

use crate::support::{decode, show};

#[test]
fn every_shape_is_a_call() {
    let call = r#"finished: c1=Ls{"path":"src"}"#;
    let sealed = r#"finished: c1[x]=Ls{"path":"src"}"#;
    let two = r#"finished: c1=Ls{"path":"src"} c2=Ls{}"#;
    let table = [
        (r#"{"tool_name":"Ls","tool_args":{"path":"src"}}"#, call),
        (r#"{"thoughts":["x"],"headline":"y","tool_name":"Ls","tool_args":{"path":"src"}}"#, call),
        (r#"{"tool":"Ls","args":{"path":"src"}}"#, call),
        (r#"{"name":"Ls","input":{"path":"src"}}"#, call),
        (r#"{"name":"Ls","arguments":{"path":"src"}}"#, call),
        (r#"{"name":"Ls","arguments":"{\"path\":\"src\"}"}"#, call),
        (r#"{"type":"function","name":"Ls","parameters":{"path":"src"}}"#, call),
        (r#"{"function":{"name":"Ls","arguments":"{\"path\":\"src\"}"}}"#, call),
        (
            r#"{"id":"x","type":"function","function":{"name":"Ls","arguments":{"path":"src"}}}"#,
            sealed,
        ),
        (r#"{"functionCall":{"name":"Ls","args":{"path":"src"}}}"#, call),
        (r#"{"toolUse":{"toolUseId":"x","name":"Ls","input":{"path":"src"}}}"#, sealed),
        (r#"{"actions":[{"tool":"Ls","args":{"path":"src"}}]}"#, call),
        (r#"{"id":"","tool_name":"Ls","tool_args":{"path":"src"}}"#, call),
        (r#"[{"tool":"Ls","args":{"path":"src"}},{"name":"Ls","input":null}]"#, two),
        (r#"{"tool_calls":[{"tool":"Ls","args":{"path":"src"}},{"name":"Ls","input":""}]}"#, two),
        (
            r#"{"calls":"[{\"tool\":\"Ls\",\"args\":{\"path\":\"src\"}},{\"tool\":\"Ls\",\"args\":{}}]"}"#,
            two,
        ),
        (r#"{"items":[{"tool_name":"Ls","tool_args":{"path":"src"}}]}"#, call),
        ("[]", "finished:"),
        (
            r#"{"tool_name":"memory:save","tool_args":{"text":"x"}}"#,
            r#"finished: c1=memory{"text":"x","action":"save"}"#,
        ),
        (r#"{"tool_name":"a:b:c","tool_args":{"action":"d"}}"#, r#"finished: c1=a{"action":"d"}"#),
    ];
    for (text, expected) in table {
        assert_eq!(show(&decode(text)), expected, "{text}");
    }
}

#[test]
fn what_is_wrapped_around_the_text_is_noted() {
    let expected = r#"finished: c1=Ls~{"path":"src"}"#;
    let table = [
        "```json\n{\"tool\":\"Ls\",\"args\":{\"path\":\"src\"}}\n```",
        r#""{\"tool\":\"Ls\",\"args\":{\"path\":\"src\"}}""#,
        r#"{"tool":"Ls","args":{"path":"src"}} I will look there."#,
    ];
    for text in table {
        assert_eq!(show(&decode(text)), expected, "{text}");
    }
}

#[test]
fn calls_in_other_grammars_are_read_whole() {
    let two = r#"finished: c1=get_price~~{"item":"tea","qty":2} c2=get_price~~{"item":"rice"}"#;
    let table = [
        ("get_price(item=\"tea\", qty=2); get_price(item=\"rice\");", two),
        ("```python\n[get\\_price(item='tea', qty=2), get\\_price(item='rice')]\n```", two),
        ("[['get_price', {'item': 'tea', 'qty': 2}], ['get_price', {'item': 'rice'}]]", two),
        (
            "{'calls': [{'name': 'get_price', 'arguments': {'item': 'tea', 'qty': 2}}, {'name': 'get_price', 'arguments': {'item': 'rice'}}]}",
            two,
        ),
        (
            "<tool_call>\n{'name': 'get_price', 'arguments': {'item': 'tea', 'qty': 2}}\n</tool_call>\n<tool_call>{'name': 'get_price', 'arguments': {'item': 'rice'}}</tool_call>",
            two,
        ),
        (r#"{"calls":"[{'tool':'Ls','args':{}}]"}"#, "finished: c1=Ls~~{}"),
        (
            "<tool_call>{\"name\":\"Ls\",\"arguments\":{\"path\":\"</b>\"}}</tool_call>",
            r#"finished: c1=Ls~{"path":"</b>"}"#,
        ),
        (r#"[["Ls",{}]]"#, "finished: c1=Ls{}"),
        (r#"{"tool":"Ls","args":"{path: src}"}"#, r#"finished: c1=Ls?{"path":"src"}"#),
    ];
    for (text, expected) in table {
        assert_eq!(show(&decode(text)), expected, "{text}");
    }
}

#[test]
fn prose_around_calls_is_an_error_and_never_half_of_them() {
    let texts = [
        "Here are the calls:\n\n[get_price(item=\"tea\")]",
        "[get_price(item=\"tea\")] should do.",
        "['get_price(item=[\"tea\"])]",
        "Sure: <tool_call>{\"name\":\"Ls\",\"arguments\":{}}</tool_call>",
        "<tool_call>{\"name\":\"Ls\",\"arguments\":{}}</tool_call> and <tool_call>",
        "<tool_call>{\"name\":\"Ls\",\"arguments\":{}}",
        "get_price(\"tea\")",
    ];
    for text in texts {
        let shown = show(&decode(text));
        let told = shown.contains("the input is not JSON") && shown.contains("nothing around them");
        assert!(told, "{text}: {shown}");
    }
    for text in ["[{'tool':'Ls','args':{}}", "{tool: Ls, args: {}}", "['Ls', {}]"] {
        assert!(show(&decode(text)).starts_with("error: "), "{text}");
    }
}

#[test]
fn missing_arguments_are_named() {
    let table = [
        (r#"{"tool_name":"Ls"}"#, "`tool_args`"),
        (r#"{"tool":"Ls"}"#, "`args`"),
        (r#"{"name":"Ls"}"#, "`arguments`"),
        (r#"{"function":{"name":"Ls"}}"#, "`arguments`"),
    ];
    for (text, expected) in table {
        let shown = show(&decode(text));
        assert!(shown.contains(expected), "{text}: {shown}");
    }
}

#[test]
fn an_entry_that_is_no_call_spoils_the_list() {
    let table = [
        (
            r#"[{"tool":"Ls","args":{}},{"path":"src"}]"#,
            r#"error: entry 2 is not a call: found {"path":"src"}; expected one of {tool_name, tool_args}"#,
        ),
        (r#"[{"tool":"Ls","args":{}},3]"#, "error: entry 2 is not a call: found 3"),
        (r#"{"answer":42}"#, r#"error: entry 1 is not a call: found {"answer":42}"#),
        (
            r#"{"actions":[{"tool":"Ls","args":{}},{"tool":"Ls","args":{}}]}"#,
            "error: entry 1 is not a call",
        ),
        (r#"{"actions":[{"actions":[{"tool":"Ls","args":{}}]}]}"#, "error: entry 1 is not a call"),
        ("3", "error: entry 1 is not a call: found 3"),
        (
            "{\"tool\":\"Ls\",\"args\":{}}\n{\"tool\":\"Ls\",\"args\":{}}",
            "error: the input holds more than one reply",
        ),
        ("Let me look: {\"tool\":\"Ls\",\"args\":{}}", "error: the input is not JSON"),
        ("", "error: the input is empty"),
        (" \n", "error: the input is empty"),
    ];
    for (text, expected) in table {
        let shown = show(&decode(text));
        assert!(shown.starts_with(expected), "{text}: {shown}");
    }
}
