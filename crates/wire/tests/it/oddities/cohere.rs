//! Cohere Chat.

use super::check;

const STREAMS: &str = r#"
# a call without arguments and without a delta
start
open 0 a
close 0
end TOOL_CALL
> c1?
= finished: c1[a]=Ls{}

# null for no arguments
start
open 0 a
json 0 null
close 0
end TOOL_CALL
= finished: c1[a]=Ls{}

# a call without arguments at the output limit
start
open 0 a
json 0 {"x":1}
close 0
open 1 b
close 1
end MAX_TOKENS
> c1? c1! c2?
= outputlimit: c1[a]=Ls{"x":1} c2[b]=Ls<cut>

# the recording ends within a call
start
open 0 a
json 0 {"x"
> c1?
= unfinished: c1[a]=Ls<cut>

# content and calls are counted apart
start
text 0 Loo
open 0 a
text 0 king
json 0 {}
close 0
close 0
text 1 .
end COMPLETE
> "Loo" c1? "king" c1! "."
= finished: "Looking" "." c1[a]=Ls{}

# a call that nothing announced
start
json 0 {"x":1}
close 0
end TOOL_CALL
> c1? c1!
= finished: c1={"x":1}

# thinking
start
raw {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}
raw {"type":"content-delta","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":"hm"}}}}
text 1 x
end COMPLETE
> (hm) "x"
= finished: (hm) "x"

# a part without a kind
start
raw {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"x"}}}}
end COMPLETE
= finished: "x"

# the service breaks off
start
text 0 x
end ERROR
= unfinished: "x"

# begun twice
start
text 0 x
end COMPLETE
start
= error: the input holds more than one reply; give one at a time, or several plain calls in one array
"#;

fn event(line: &str) -> String {
    let mut words = line.splitn(3, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (kind, index, rest) = (next(), next(), next());
    let text = serde_json::Value::from(rest);
    let piece = |kind: &str, key: &str, value: String| {
        format!(r#"{{"type":"{kind}","index":{index},"delta":{{"message":{{"{key}":{value}}}}}}}"#)
    };
    match kind {
        "start" => {
            r#"{"type":"message-start","id":"m","delta":{"message":{"role":"assistant","content":[]}}}"#
                .to_owned()
        }
        "open" => piece(
            "tool-call-start",
            "tool_calls",
            format!(
                r#"{{"id":{text},"type":"function","function":{{"name":"Ls","arguments":""}}}}"#
            ),
        ),
        "json" => piece(
            "tool-call-delta",
            "tool_calls",
            format!(r#"{{"type":"function","function":{{"arguments":{text}}}}}"#),
        ),
        "text" => piece("content-delta", "content", format!(r#"{{"type":"text","text":{text}}}"#)),
        "close" => format!(r#"{{"type":"tool-call-end","index":{index}}}"#),
        "end" => format!(r#"{{"type":"message-end","delta":{{"finish_reason":"{index}"}}}}"#),
        "raw" => line["raw ".len()..].to_owned(),
        other => panic!("no event is called {other}"),
    }
}

#[test]
fn streams_of_cohere() {
    check(STREAMS, event);
}
