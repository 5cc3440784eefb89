//! Bedrock Converse.

use super::check;

const STREAMS: &str = r#"
# a call without input waits for what follows
open 0 a
input 0
stop 0
open 1 b
stop 1
end tool_use
> c1? c1! c2? c2!
= finished: c1[a]=Ls{} c2[b]=Ls{}

# an end that comes twice hands out no call twice
open 0 a
stop 0
end tool_use
end tool_use
> c1? c1!
= finished: c1[a]=Ls{}

# a call without input at the output limit
open 0 a
stop 0
end max_tokens
> c1?
= outputlimit: c1[a]=Ls<cut>

# the recording ends within a call
open 0 a
input 0 {"x":1}
stop 0
open 1 b
input 1 {"x"
> c1? c1! c2?
= unfinished: c1[a]=Ls{"x":1} c2[b]=Ls<cut>

# interleaved
open 1 a
open 2 b
input 2 {"y"
input 1 {"x":1}
stop 1
input 2 :2}
stop 2
end tool_use
> c1? c2? c1! c2!
= finished: c1[a]=Ls{"x":1} c2[b]=Ls{"y":2}

# text that nothing announced, and an announcement that says nothing
text 0 Loo
text 0 king
stop 0
stop 0
open 1 a
input 1 {}
stop 1
end end_turn
> "Loo" "king" c1? c1!
= finished: "Looking" c1[a]=Ls{}

# a call that nothing announced
input 0 {"x":1}
stop 0
end tool_use
> c1? c1!
= finished: c1={"x":1}

# input that only a guess can read
open 0 a
input 0 {"x":1
stop 0
end tool_use
> c1?
= finished: c1[a]=Ls?{"x":1}

# refused
text 0 no
end guardrail_intervened
= refused: "no"

# broken off by an error
open 0 a
input 0 {}
stop 0
raw {"modelStreamErrorException":{"message":"sorry"}}
open 1 b
> c1? c1!
= unfinished: c1[a]=Ls{}

# an error before anything came
raw {"messageStart":{"role":"assistant"}}
raw {"throttlingException":{"message":"too many"}}
= error: the provider reports an error: too many

# begun twice
text 0 x
raw {"messageStart":{"role":"assistant"}}
= error: the input holds more than one reply; give one at a time, or several plain calls in one array
"#;

fn event(line: &str) -> String {
    let mut words = line.splitn(3, ' ');
    let mut next = || words.next().unwrap_or_default();
    let (kind, index, rest) = (next(), next(), next());
    let text = serde_json::Value::from(rest);
    match kind {
        "open" => format!(
            r#"{{"contentBlockStart":{{"contentBlockIndex":{index},"start":{{"toolUse":{{"toolUseId":{text},"name":"Ls"}}}}}}}}"#
        ),
        "input" => format!(
            r#"{{"contentBlockDelta":{{"contentBlockIndex":{index},"delta":{{"toolUse":{{"input":{text}}}}}}}}}"#
        ),
        "text" => format!(
            r#"{{"contentBlockDelta":{{"contentBlockIndex":{index},"delta":{{"text":{text}}}}}}}"#
        ),
        "stop" => format!(r#"{{"contentBlockStop":{{"contentBlockIndex":{index}}}}}"#),
        "end" => format!(r#"{{"messageStop":{{"stopReason":"{index}"}}}}"#),
        "raw" => line["raw ".len()..].to_owned(),
        other => panic!("no event is called {other}"),
    }
}

#[test]
fn streams_of_bedrock() {
    check(STREAMS, event);
}
