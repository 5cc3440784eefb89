//! Gemini.

use super::check;

/// Parts, those of one chunk in a line, or whole chunks.
const STREAMS: &str = r#"
# closed by an empty call
{"functionCall":{"name":"Ls","willContinue":true}}
{"functionCall":{"partialArgs":[{"jsonPath":"$.x","stringValue":"y"}],"willContinue":true}}
{"functionCall":{}}
end
> c1? c1!
= finished: c1=Ls{"x":"y"}

# closed by the last piece
{"functionCall":{"name":"Ls","willContinue":true}}
{"functionCall":{"partialArgs":[{"jsonPath":"$.x","stringValue":"y"}]}}
end
> c1? c1!
= finished: c1=Ls{"x":"y"}

# signed at its end
{"functionCall":{"name":"Ls","willContinue":true},"thoughtSignature":"s"}
{"functionCall":{},"thoughtSignature":"t"}
end
= finished: c1=Ls{}

# closed by the next call
{"functionCall":{"name":"Ls","willContinue":true}}
{"functionCall":{"partialArgs":[{"jsonPath":"$.x","stringValue":"y"}],"willContinue":true}}
{"functionCall":{"name":"Glob","args":{}}}
end
> c1? c1! c2? c2!
= finished: c1=Ls{"x":"y"} c2=Glob{}

# never closed
{"functionCall":{"name":"Ls","willContinue":true}}
{"functionCall":{"partialArgs":[{"jsonPath":"$.x","stringValue":"y"}],"willContinue":true}}
end
> c1?
= finished: c1=Ls{"x":"y"}

# never closed and never ended
{"functionCall":{"name":"Ls","willContinue":true}}
{"functionCall":{"partialArgs":[{"jsonPath":"$.x","stringValue":"y"}],"willContinue":true}}
> c1?
= unfinished: c1=Ls<cut>

# never closed within a text
{"functionCall":{"name":"Ls","willContinue":true}}
{"functionCall":{"partialArgs":[{"jsonPath":"$.x","stringValue":"y","willContinue":true}],"willContinue":true}}
end
> c1?
= finished: c1=Ls<cut>

# never closed and malformed
{"functionCall":{"name":"Ls","willContinue":true}}
{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}
> c1?
= other("malformed_function_call"): c1=Ls<cut>

# a second reply
{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}],"responseId":"a"}
{"candidates":[{"content":{"parts":[{"text":"y"}]},"finishReason":"STOP"}],"responseId":"b"}
= error: the input holds more than one reply; give one at a time, or several plain calls in one array

# a place that cannot be
{"functionCall":{"name":"Ls","partialArgs":[{"jsonPath":"$.x[9]","stringValue":"y"}]}}
end
> c1? c1!
= finished: c1=Ls<the arguments are not valid JSON: no place for the value at "$.x[9]">

# signed text stays apart, the empty end does not count
{"text":"a"}
{"text":"b","thoughtSignature":"s"}
{"text":"c"}
{"text":"","thoughtSignature":"t"}
{"text":""}
end
> "a" "b" "c"
= finished: "a" "b"(s) "c" ""(t)

# no content
{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}
= other("malformed_function_call"):

# a refused prompt
{"promptFeedback":{"blockReason":"SAFETY"}}
= refused:

# code that the provider runs
{"executableCode":{"code":"1"}}
end
= finished: opaque
"#;

#[test]
fn streams_come_in_many_forms() {
    check(STREAMS, |line| match line {
        "end" => r#"{"candidates":[{"finishReason":"STOP"}]}"#.to_owned(),
        chunk if chunk.contains("candidates") || chunk.contains("promptFeedback") => {
            chunk.to_owned()
        }
        parts => format!(r#"{{"candidates":[{{"content":{{"parts":[{parts}]}}}}]}}"#),
    });
}
