//! Tables of both grammars, and what must stay an error.

use proptest::prelude::*;
use serde_json::Value;

use super::{calls, guess, literal};

fn read(text: &str) -> String {
    literal(text).map_or_else(|problem| format!("error: {problem}"), |json| json.get().to_owned())
}

#[test]
fn literals_of_python_and_javascript_are_read() {
    let table = [
        ("{'a': 1, 'b': [True, False, None]}", r#"{"a":1,"b":[true,false,null]}"#),
        (r#"{"a": True}"#, r#"{"a":true}"#),
        ("{a: 1, $b_2: null,}", r#"{"a":1,"$b_2":null}"#),
        ("[1, 2,]", "[1,2]"),
        ("(1, 'x')", r#"[1,"x"]"#),
        ("((1,), ())", "[[1],[]]"),
        ("{}", "{}"),
        ("{ // one\n 'a': 1, /* two, */ 'b': 2 # three\n}", r#"{"a":1,"b":2}"#),
        ("['say \"hi\"', \"it's\"]", r#"["say \"hi\"","it's"]"#),
        ("'''it's \"so\"\n'''", r#""it's \"so\"\n""#),
        ("\"\"\"a\tb\"\"\"", r#""a\tb""#),
        ("\"a\nb\r\u{1}\"", r#""a\nb\r\u0001""#),
        (r#"["\d+", "C:\Program", "\"", "\/"]"#, r#"["\\d+","C:\\Program","\"","\/"]"#),
        (r#"["don\'t", "\x1b", "\1"]"#, r#"["don't","\\x1b","\\1"]"#),
        (
            r"['\x41\U0001F600\v', 'a\
b', '\d']",
            r#"["A😀\u000b","ab","\\d"]"#,
        ),
        (r"['\ud83d\ude00']", r#"["\ud83d\ude00"]"#),
        (r#"[r"\d+", r'\n', R"a\"b"]"#, r#"["\\d+","\\n","a\\\"b"]"#),
        (
            "[+1, -2, .5, -.5, 5., 1_000, 0x1F, -0b11, 1.5e3, 1e400]",
            "[1,-2,0.5,-0.5,5.0,1000,31,-3,1.5e3,1e400]",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_whole_literal_is_an_error() {
    let table = [
        ("", "expected a value, found the end at line 1 column 1"),
        ("{'a': 1", "expected `,` or `}`, found the end"),
        ("{'a': 1}\n{'a': 2}", "expected the end, found '{' at line 2 column 1"),
        ("{'a': 1} done", "expected the end"),
        ("{'a': 'it's'}", "expected `,` or `}`, found 's'"),
        (r#"{"cmd":"echo "hi""}"#, "expected `,` or `}`, found 'h'"),
        ("{'a': hello}", "\"hello\" is no value"),
        ("{'a': }", "expected a value, found '}'"),
        ("{'a' 1}", "expected `:`"),
        ("{1: 2}", "expected a key"),
        ("{a-b: 2}", "expected `:`"),
        ("{1, 2}", "expected a key"),
        ("[,]", "expected a value"),
        ("[1,,2]", "expected a value"),
        ("(1)", "no tuple"),
        ("'a' 'b'", "expected the end"),
        ("'a", "expected the end of a string"),
        ("'a\\", "expected a character after the backslash"),
        ("r'a\\", "expected the end of a string"),
        ("f'a'", "\"f\" is no value"),
        (r"'\1'", "an ambiguous escape '1'"),
        (r"'\a'", "an ambiguous escape 'a'"),
        (r"'\xg0'", "expected 2 hexadecimal digits"),
        (r#""C:\users""#, "expected 4 hexadecimal digits"),
        (r"'\UFFFFFFFF'", "expected a character's number"),
        ("NaN", "\"NaN\" is no value"),
        ("[Infinity, undefined]", "is no value"),
        ("[007]", "is no value"),
        ("[1_]", "is no value"),
        ("[0x]", "is no value"),
        ("[0x-1]", "is no value"),
        ("[.]", "is no value"),
        ("[1 /* x]", "a comment that does not end"),
        ("\u{201c}a\u{201d}", "is no value"),
    ];
    for (text, expected) in table {
        let found = read(text);
        assert!(found.starts_with("error: ") && found.contains(expected), "{text}: {found}");
    }
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(read(&deep(128)), deep(128));
    assert!(read(&deep(129)).contains("nested deeper than 128 levels"));
    assert!(read(&"[".repeat(1_000_000)).contains("nested deeper"));
}

#[test]
fn a_guess_closes_and_quotes_and_does_nothing_else() {
    let table = [
        (r#"{"a":1"#, Some(r#"{"a":1}"#)),
        (r#"{"a":[1,{"b":"x"#, Some(r#"{"a":[1,{"b":"x"}]}"#)),
        (r#"{"a":1,"#, Some(r#"{"a":1}"#)),
        ("{", Some("{}")),
        ("{path: src/main.rs}", Some(r#"{"path":"src/main.rs"}"#)),
        ("{path: two words , n: 3}", Some(r#"{"path":"two words","n":3}"#)),
        ("{file-path: https://x.y/z?q#r}", Some(r#"{"file-path":"https://x.y/z?q#r"}"#)),
        ("{'a': [x, y]", Some(r#"{"a":["x","y"]}"#)),
        (r#"{"a":"#, None),
        (r#"{"a""#, None),
        (r#"{"a":1]"#, None),
        (r#"{"a":[1}"#, None),
        (r#"{"a":1}}"#, None),
        (r#"{"a":1} x"#, None),
        (r#"{"cmd":"echo "hi""}"#, None),
        (r#"{"cmd": echo "hi"}"#, None),
        (r#"{"cmd": src"}"#, None),
        ("{'a': 'it's'}", None),
        ("{a: b c: d}", None),
        (r#"{"a" "b"}"#, None),
        (r#"{"a\"#, None),
        ("{a: f(x)}", None),
        ("[1", None),
        ("path: src", None),
        ("", None),
    ];
    for (text, expected) in table {
        assert_eq!(guess(text).as_ref().map(|json| json.get()), expected, "{text}");
    }
}

#[test]
fn calls_of_a_program_are_read_whole_or_not_at_all() {
    let table = [
        ("f()", r#"[{"name":"f","arguments":{}}]"#),
        (
            "get_price(item=\"tea\", qty=2); get_price(item='rice',);",
            r#"[{"name":"get_price","arguments":{"item":"tea","qty":2}},{"name":"get_price","arguments":{"item":"rice"}}]"#,
        ),
        (r"[get\_price(max\_n = None)]", r#"[{"name":"get_price","arguments":{"max_n":null}}]"#),
        (
            "a.b(x={'y': (1, 2)})\nc()",
            r#"[{"name":"a.b","arguments":{"x":{"y":[1,2]}}},{"name":"c","arguments":{}}]"#,
        ),
        ("f(); # done\n", r#"[{"name":"f","arguments":{}}]"#),
    ];
    for (text, expected) in table {
        assert_eq!(calls(text).unwrap().get(), expected, "{text}");
    }
    let errors = [
        ("", "expected a name"),
        ("Here: f()", "expected `(`"),
        ("f() g()", "expected `;`, a line break or the end"),
        ("f('x')", "expected a name"),
        ("f(x)", "expected `=`"),
        ("f(x=g())", "\"g\" is no value"),
        ("f(x=1", "expected `,` or `)`"),
        ("[f(), 'g()']", "expected a name"),
        ("[f()] and more", "expected the end"),
        (r"f\d()", "expected a name"),
    ];
    for (text, expected) in errors {
        let problem = calls(text).unwrap_err();
        assert!(problem.contains(expected), "{text}: {problem}");
    }
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let member = (any::<String>(), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            prop::collection::vec(member, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The value as Python writes it.
fn python(value: &Value) -> String {
    let quoted = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
        format!("'{text}'")
    };
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(list) => {
            format!("[{}]", list.iter().map(python).collect::<Vec<_>>().join(", "))
        }
        Value::Object(object) => {
            let member =
                |(key, value): (&String, &Value)| format!("{}: {}", quoted(key), python(value));
            format!("{{{}}}", object.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Text in which everything that these grammars know is likely.
fn soup() -> impl Strategy<Value = String> {
    let pieces = [
        "{", "}", "[", "]", "(", ")", ",", ":", ";", "=", "'", "\"", "'''", "\"\"\"", "\\", "\\u",
        "\\x4", "r", "#", "//", "/*", "*/", "\n", " ", "a", "é", "1", ".", "-", "e", "_", "0x",
        "True", "null", "f(",
    ];
    let piece = prop_oneof![
        9 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_is_read_as_json(value in json(), pretty in any::<bool>()) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        let found: Value = serde_json::from_str(literal(&text).unwrap().get()).unwrap();
        prop_assert_eq!(found, serde_json::from_str::<Value>(&text).unwrap());
    }

    #[test]
    fn what_python_writes_is_what_it_means(value in json()) {
        let found: Value = serde_json::from_str(literal(&python(&value)).unwrap().get()).unwrap();
        prop_assert_eq!(found, serde_json::from_str::<Value>(&value.to_string()).unwrap());
    }

    #[test]
    fn no_text_breaks_a_reader(text in soup()) {
        let read = [literal(&text).ok(), calls(&text).ok(), guess(&text), guess(&format!("{{{text}"))];
        for json in read.into_iter().flatten() {
            prop_assert!(serde_json::from_str::<&serde_json::value::RawValue>(json.get()).is_ok());
        }
        // What can be read exactly needs no guess, and the guess does not differ from it.
        if let (Ok(exact), Some(guess)) = (literal(&text), guess(&text)) {
            prop_assert_eq!(exact.get(), guess.get());
        }
    }
}
