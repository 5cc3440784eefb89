//! Chat Completions, where servers differ most.

use super::check;

/// Elements of `tool_calls`, those of one chunk in a line.
const CALLS: &str = r#"
# the first index is 1
{"index":1,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
= finished: c1[a]=Ls{"x":1}

# indexes with gaps
{"index":3,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
{"index":7,"id":"b","function":{"name":"Ls","arguments":"{}"}}
> c1? c1! c2? c2!
= finished: c1[a]=Ls{"x":1} c2[b]=Ls{}

# interleaved
{"index":0,"id":"a","function":{"name":"Ls","arguments":""}},{"index":1,"id":"b","function":{"name":"Glob","arguments":""}}
{"index":1,"function":{"arguments":"{\"y\""}}
{"index":0,"function":{"arguments":"{\"x\":"}}
{"index":1,"function":{"arguments":":2}"}}
{"index":0,"function":{"arguments":"1}"}}
> c1? c2? c2! c1!
= finished: c1[a]=Ls{"x":1} c2[b]=Glob{"y":2}

# two elements of one index in a chunk
{"index":0,"id":"a","function":{"name":"Ls"}},{"index":0,"function":{"arguments":"{"}}
{"index":0,"function":{"arguments":"}"}}
= finished: c1[a]=Ls{}

# the name in every piece
{"index":0,"id":"a","function":{"name":"Ls","arguments":""}}
{"index":0,"function":{"name":"Ls","arguments":"{\"x\""}}
{"index":0,"function":{"name":"Ls","arguments":":1}"}}
= finished: c1[a]=Ls{"x":1}

# the name in fragments
{"index":0,"id":"a","function":{"name":"Read","arguments":""}}
{"index":0,"function":{"name":"File","arguments":"{}"}}
= finished: c1[a]=ReadFile{}

# an empty name later
{"index":0,"id":"a","function":{"name":"Ls","arguments":""}}
{"index":0,"function":{"name":"","arguments":"{\"x\":1}"}}
= finished: c1[a]=Ls{"x":1}

# the id in every piece
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\""}}
{"index":0,"id":"a","function":{"arguments":":1}"}}
= finished: c1[a]=Ls{"x":1}

# a new id for every piece
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\""}}
{"index":0,"id":"b","function":{"arguments":":1}"}}
= finished: c1[a]=Ls{"x":1}

# the id null
{"index":0,"id":"a","function":{"name":"Ls","arguments":null}}
{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{\"x\":1}"}}
= finished: c1[a]=Ls{"x":1}

# no index
{"id":"a","function":{"name":"Ls","arguments":"{\"x\""}}
{"function":{"arguments":":1}"}}
{"id":"b","function":{"name":"Ls","arguments":"{}"}}
= finished: c1[a]=Ls{"x":1} c2[b]=Ls{}

# no index, and a new id without a name
{"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
{"id":"b","function":{"arguments":"{}"}}
= finished: c1[a]=Ls{"x":1} c2[b]={}

# whole calls on one index without ids
{"index":0,"function":{"name":"Get","arguments":"{\"u\":1}"}}
{"index":0,"function":{"name":"Get","arguments":"{\"u\":2}"}}
{"index":0,"function":{"name":"Ask","arguments":"{}"}}
{"index":0,"function":{"name":"Get","arguments":"{\"u\":3}"}}
= finished: c1=Get{"u":1} c2=Get{"u":2} c3=Ask{} c4=Get{"u":3}

# an index used again
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
{"index":1,"id":"b","function":{"name":"Ls","arguments":"{}"}}
{"index":0,"id":"c","function":{"name":"Ls","arguments":"{}"}}
= finished: c1[a]=Ls{"x":1} c2[b]=Ls{} c3[c]=Ls{}

# two objects before the call was handed out
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}{\"x\":2}"}}
> c1?
= finished: c1[a]=Ls<the arguments hold several JSON objects in a row; send one call for each>

# text after the call was handed out
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
{"index":0,"function":{"arguments":"\nDone."}}
> c1? c1!
= finished: c1[a]=Ls{"x":1}

# another object after the call was handed out
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
{"index":0,"function":{"arguments":"{\"x\""}}
{"index":0,"function":{"arguments":":2}"}}
> c1? c1! c2? c2!
= finished: c1[a]=Ls{"x":1} c2={"x":2}

# the same object again
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
{"index":0,"id":"a","function":{"name":"Ls","arguments":"{\"x\":1}"}}
> c1? c1!
= finished: c1[a]=Ls{"x":1}

# an object for arguments
{"index":0,"id":"a","function":{"name":"Ls","arguments":{"x":1}}}
= finished: c1[a]=Ls{"x":1}

# no arguments at all
{"index":0,"id":"a","function":{"name":"Ls"}}
> c1?
= finished: c1[a]=Ls{}
"#;

// https://github.com/openai/openai-python/pull/3232
// https://github.com/maximhq/bifrost/issues/1829
// https://github.com/unslothai/unsloth/pull/9817
#[test]
fn pieces_of_calls_find_their_call() {
    // The end is part of the last chunk, as some servers have it.
    check(&CALLS.replace("\n= ", "\nEND\n= "), |line| match line {
        "END" => r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#.to_owned(),
        calls => format!(r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{calls}]}}}}]}}"#),
    });
}

const CHUNKS: &str = r#"
# message and delta
{"choices":[{"index":0,"message":{"tool_calls":null},"delta":{"content":"x"}}]}
{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
= finished: "x"

# a whole message as a chunk
{"object":"chat.completion.chunk","choices":[{"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}
= finished: "x"

# a second choice
{"choices":[]}
{"choices":[{"index":1,"delta":{"content":"y"}},{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}
= finished: "x"

# the older form of a call
{"choices":[{"delta":{"function_call":{"name":"Ls","arguments":"{\"x\""}}}]}
{"choices":[{"delta":{"function_call":{"arguments":":1}"}}}]}
{"choices":[{"delta":{},"finish_reason":"function_call"}]}
> c1? c1!
= finished: c1=Ls{"x":1}

# no reason, but an end
{"choices":[{"delta":{"content":"x"}}]}
[DONE]
= finished: "x"

# neither reason nor end
{"choices":[{"delta":{"content":"x","tool_calls":[{"index":0,"id":"a","function":{"name":"Ls"}}]}}]}
= unfinished: "x" c1[a]=Ls<cut>

# refused
{"choices":[{"delta":{"content":"x"},"finish_reason":"content_filter"}]}
[DONE]
= refused: "x"

# refused before the arguments came
{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"Ls"}}]},"finish_reason":"content_filter"}]}
= refused: c1[a]=Ls<cut>

# two calls begun, and the stream breaks in the second
{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"Ls"}},{"index":1,"id":"b","function":{"name":"Ls"}}]}}]}
{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"x\":"}}]}}]}
= unfinished: c1[a]=Ls<cut> c2[b]=Ls<cut>

# a second reply
{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}
[DONE]
{"choices":[{"delta":{"content":"y"},"finish_reason":"stop"}]}
= error: the input holds more than one reply; give one at a time, or several plain calls in one array

# an error in the middle
{"choices":[{"delta":{"content":"x"}}]}
{"error":{"message":"late"},"choices":[{"delta":{"content":"y"},"finish_reason":"error"}]}
= unfinished: "x"
"#;

#[test]
fn chunks_come_in_many_forms() {
    check(CHUNKS, str::to_owned);
}
