//! Anthropic Messages.

use serde_json::json;

use super::check;
use crate::support::decode;

const STREAMS: &str = r#"
# interleaved
start
open 1 a {}
open 2 b {}
json 2 {"y"
json 1 {"x":1}
close 1
json 2 :2}
close 2
reason tool_use
end
> c1? c2? c1! c2!
= finished: c1[a]=Ls{"x":1} c2[b]=Ls{"y":2}

# the input comes with the start
start
open 0 a {"x":1}
close 0
reason tool_use
end
> c1? c1!
= finished: c1[a]=Ls{"x":1}

# a call without arguments waits for what follows
start
open 0 a {}
close 0
open 1 b {}
close 1
end
> c1? c1! c2?
= finished: c1[a]=Ls{} c2[b]=Ls{}

# a call without arguments at the output limit
start
open 0 a {}
close 0
reason max_tokens
end
> c1?
= outputlimit: c1[a]=Ls<cut>

# started twice before any content
start
start
open 0 a {}
json 0 {}
close 0
reason tool_use
end
> c1? c1!
= finished: c1[a]=Ls{}

# started again within a call
start
open 0 a {}
json 0 {"x":
start
open 0 b {}
json 0 {"y":2}
close 0
reason tool_use
end
> c1? again c2? c2!
= finished: c2[b]=Ls{"y":2}

# started again after a call was handed out, which may run already
start
open 0 a {}
json 0 {"x":1}
close 0
start
open 0 b {}
json 0 {"y":2}
close 0
reason tool_use
end
> c1? c1!
= unfinished: c1[a]=Ls{"x":1}

# interleaved without arguments
start
open 0 a {}
open 1 b {}
close 0
close 1
reason tool_use
end
> c1? c2? c1! c2!
= finished: c1[a]=Ls{} c2[b]=Ls{}

# refused before the arguments came
start
open 0 a {}
close 0
reason refusal
end
> c1?
= refused: c1[a]=Ls<cut>

# a recording that ends in a call
start
open 0 a {}
json 0 {"x":1}
close 0
open 1 b {}
json 1 {"y":
> c1? c1! c2?
= unfinished: c1[a]=Ls{"x":1} c2[b]=Ls<cut>

# a recording that ends before the arguments
start
open 0 a {}
open 1 b {}
json 1 {}
close 1
> c1? c2? c2!
= unfinished: c1[a]=Ls<cut> c2[b]=Ls{}

# an error in the middle
start
open 0 a {}
json 0 {}
close 0
{"type":"error","error":{"message":"x"}}
reason tool_use
end
> c1? c1!
= unfinished: c1[a]=Ls{}

# broken arguments with a normal end
start
open 0 a {}
json 0 {"x":
close 0
reason tool_use
end
> c1?
= finished: c1[a]=Ls<the arguments are not valid JSON: EOF while parsing a value at line 1 column 5>

# a message that is there from the start
{"type":"message_start","message":{"content":[{"type":"tool_use","id":"a","name":"Ls","input":{"x":1}}],"stop_reason":"tool_use"}}
end
> c1? c1!
= finished: c1[a]=Ls{"x":1}

# a second reply
start
end
start
= error: the input holds more than one reply; give one at a time, or several plain calls in one array

# unknown events and pieces of no block
{"type":"ping"}
start
json 9 {}
{"type":"new_event"}
reason end_turn
end
= finished:
"#;

// https://github.com/crmne/ruby_llm/pull/711
#[test]
fn streams_come_in_many_forms() {
    check(STREAMS, |line| {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let index = || words[1].parse::<u8>().expect("an index");
        let event = match words[0] {
            "start" => {
                json!({"type": "message_start", "message": {"id": "m", "content": [], "stop_reason": null}})
            }
            "open" => {
                let input: serde_json::Value = serde_json::from_str(words[3]).expect("an input");
                let block =
                    json!({"type": "tool_use", "id": words[2], "name": "Ls", "input": input});
                json!({"type": "content_block_start", "index": index(), "content_block": block})
            }
            "json" => json!({"type": "content_block_delta", "index": index(),
                "delta": {"type": "input_json_delta", "partial_json": words[2..].join(" ")}}),
            "close" => json!({"type": "content_block_stop", "index": index()}),
            "reason" => json!({"type": "message_delta", "delta": {"stop_reason": words[1]}}),
            "end" => json!({"type": "message_stop"}),
            _ => return line.to_owned(),
        };
        event.to_string()
    });
}

#[test]
fn unknown_deltas_keep_their_fields() {
    let events = r#"
{"type":"message_start","message":{"id":"m","content":[],"stop_reason":null}}
{"type":"content_block_start","index":0,"content_block":{"type":"compaction","content":null}}
{"type":"content_block_delta","index":0,"delta":{"type":"compaction_delta","content":"so "}}
{"type":"content_block_delta","index":0,"delta":{"type":"compaction_delta","content":"far","new":[1]}}
{"type":"content_block_stop","index":0}
{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}
{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"at":1}}}
{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"x"}}
{"type":"message_delta","delta":{"stop_reason":"end_turn"},"context_management":{"applied":[]}}
"#;
    let reply = decode(events).unwrap();
    let originals: Vec<&str> =
        reply.blocks.iter().map(|block| block.original.as_ref().unwrap().text()).collect();
    let compaction = r#"{"type":"compaction","content":"so far","new":[1]}"#;
    assert_eq!(originals, [compaction, r#"{"type":"text","text":"x","citations":[{"at":1}]}"#]);
    assert_eq!(reply.source.extras.unwrap().text(), r#"{"context_management":{"applied":[]}}"#);
}
