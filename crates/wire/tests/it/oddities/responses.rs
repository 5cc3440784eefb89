//! OpenAI Responses.

use serde_json::{Value, json};

use super::check;

/// `added ID ARGUMENTS` and `done ID ARGUMENTS` are items at index 0; `-` stands for no id.
const STREAMS: &str = r#"
# both kinds of done
added f
arguments f {"x":1}
done f {"x":1}
completed
> c1? c1!
= finished: c1[call_f]=Ls{"x":1}

# only the arguments are done
added f
arguments f {"x":1}
completed
> c1? c1!
= finished: c1[call_f]=Ls{"x":1}

# only the item is done
done f {"x":1}
completed
> c1? c1!
= finished: c1[call_f]=Ls{"x":1}

# announced twice
added f
added f
done f {"x":1}
completed
> c1? c1!
= finished: c1[call_f]=Ls{"x":1}

# items only at the end
completed f {"x":1}
> c1? c1!
= finished: c1[call_f]=Ls{"x":1}

# items at the end once more
added f
done f {"x":1}
completed f {"x":1}
> c1? c1!
= finished: c1[call_f]=Ls{"x":1}

# no item id
added -
arguments - {"x":1}
completed
> c1? c1!
= finished: c1[call_-]=Ls{"x":1}

# one index for all
added f
done f {"x":1}
added g
done g {}
completed
> c1? c1! c2? c2!
= finished: c1[call_f]=Ls{"x":1} c2[call_g]=Ls{}

# an item without arguments
added f
done f
completed
> c1? c1!
= finished: c1[call_f]=Ls{}

# a recording that ends in a call
added f
{"type":"response.function_call_arguments.delta","item_id":"f","output_index":0,"delta":"{\"x\":"}
> c1?
= unfinished: c1[call_f]=Ls<cut>

# a recording that ends in a text
{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}}
{"type":"response.output_text.delta","item_id":"m","output_index":0,"delta":"half"}
> "half"
= unfinished: "half"

# a failure after a call
added f
done f {"x":1}
{"type":"response.failed","response":{"status":"failed","error":{"message":"x"}}}
> c1? c1!
= unfinished: c1[call_f]=Ls{"x":1}

# a failure before the item that follows its arguments
added f
arguments f {"x":1}
{"type":"response.failed","response":{"status":"failed","error":{"message":"x"}}}
> c1?
= unfinished: c1[call_f]=Ls{"x":1}

# a second reply
completed
{"type":"response.created","response":{"status":"in_progress"}}
= error: the input holds more than one reply; give one at a time, or several plain calls in one array

# refused
{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"refusal","refusal":"no"}]}}
completed
= refused: "no"
"#;

#[test]
fn streams_come_in_many_forms() {
    check(STREAMS, |line| {
        let mut words = line.splitn(3, ' ');
        let (kind, id, text) = (words.next(), words.next(), words.next().unwrap_or_default());
        let item = |id: &str, status: &str| {
            let call_id = format!("call_{id}");
            let mut item = json!({"type": "function_call", "call_id": call_id, "name": "Ls", "arguments": text, "status": status});
            if id != "-" {
                item["id"] = Value::from(id);
            }
            item
        };
        let event = match (kind, id) {
            (Some("added"), Some(id)) => {
                json!({"type": "response.output_item.added", "output_index": 0, "item": item(id, "in_progress")})
            }
            (Some("done"), Some(id)) => {
                json!({"type": "response.output_item.done", "output_index": 0, "item": item(id, "completed")})
            }
            (Some("arguments"), Some(id)) => {
                json!({"type": "response.function_call_arguments.done", "item_id": id, "output_index": 0, "arguments": text})
            }
            (Some("completed"), id) => {
                let output: Vec<Value> = id.iter().map(|id| item(id, "completed")).collect();
                json!({"type": "response.completed", "response": {"status": "completed", "output": output}})
            }
            _ => return line.to_owned(),
        };
        event.to_string()
    });
}
