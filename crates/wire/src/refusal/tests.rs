//! Refusals as tables of what providers say.
//!
//! Not here: whole streams that break (`tests/it`).

use super::*;

fn error(wire: Wire, status: u16, body: &str) -> Fault {
    read_refusal(wire, status, body.as_bytes(), None)
}

fn show(kind: FaultKind) -> String {
    match kind {
        FaultKind::TooLong { tokens, limit } => {
            let number = |n: Option<u64>| n.map_or("?".to_owned(), |n| n.to_string());
            format!("too_long {}/{}", number(tokens), number(limit))
        }
        FaultKind::Network
        | FaultKind::Timeout
        | FaultKind::RateLimited
        | FaultKind::Overloaded
        | FaultKind::Server
        | FaultKind::Broken
        | FaultKind::Empty
        | FaultKind::Auth
        | FaultKind::Quota
        | FaultKind::Refused => kind.as_str().to_owned(),
    }
}

/// Wire, status, `type` or `code` or `status` of the error, message; then the kind.
const REFUSALS: &str = "
anthropic 400 invalid_request_error | messages: at least one message is required > refused
anthropic 400 invalid_request_error | prompt is too long: 210000 tokens > 200000 maximum > too_long 210000/200000
anthropic 400 invalid_request_error | input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length > too_long 222000/200000
anthropic 400 invalid_request_error | max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for claude-x > refused
anthropic 400 invalid_request_error | Your credit balance is too low to access the API. > quota
anthropic 401 authentication_error | invalid x-api-key > auth
anthropic 403 permission_error | not allowed > auth
anthropic 404 not_found_error | model: claude-x > refused
anthropic 413 request_too_large | Request exceeds the maximum size > too_long ?/?
anthropic 429 rate_limit_error | This request would exceed your rate limit of 30,000 input tokens per minute > rate_limited
anthropic 500 api_error | Internal server error > server
anthropic 529 overloaded_error | Overloaded > overloaded
openai-responses 400 context_length_exceeded | Your input exceeds the context window of this model. > too_long ?/?
openai-responses 400 invalid_request_error | Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300100 tokens. > too_long 300100/272000
openai-responses 401 invalid_api_key | Incorrect API key provided: sk-x. > auth
openai-responses 429 insufficient_quota | You exceeded your current quota, please check your plan. > quota
openai-responses 429 rate_limit_exceeded | Rate limit reached for gpt-x on tokens per min > rate_limited
openai-responses 503 server_error | The engine is currently overloaded > overloaded
openai-chat 400 context_length_exceeded | This model's maximum context length is 128000 tokens. However, your messages resulted in 130,500 tokens. > too_long 130500/128000
openai-chat 400 tool_use_failed | Failed to call a function. > broken_stream
openai-chat 400 exceed_context_size_error | the request exceeds the available context size, try increasing it > too_long ?/?
openai-chat 400 - | maximum context length is 4096 tokens. However, you requested 4200 tokens (4199 in the messages, 1 in the completion). > too_long 4200/4096
openai-chat 402 unknown | Insufficient Balance > quota
openai-chat 422 - | Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length > too_long 65673/32768
openai-chat 400 - | model gpt-x-20260101: maximum context length is 8192 tokens > too_long ?/8192
openai-chat 502 - | bad gateway > server
openai-chat 408 - | request timed out > timeout
openai-chat 301 - | moved > refused
openai-chat 409 - | try again > server
openai-chat 425 - | too early > server
openai-chat 400 content_filter | The response was filtered > refused
gemini 400 INVALID_ARGUMENT | API key not valid. Please pass a valid API key. > auth
gemini 400 INVALID_ARGUMENT | The input token count (1200000) exceeds the maximum number of tokens allowed (1048576). > too_long 1200000/1048576
gemini 429 RESOURCE_EXHAUSTED | Resource has been exhausted > rate_limited
gemini 503 UNAVAILABLE | The model is overloaded. > overloaded
gemini 504 DEADLINE_EXCEEDED | took too long > timeout
";

#[test]
fn refusals_are_told_apart_by_word_text_and_status() {
    for line in REFUSALS.lines().filter(|line| !line.is_empty()) {
        let (head, rest) = line.split_once(" | ").unwrap();
        let (message, expected) = rest.rsplit_once(" > ").unwrap();
        let [wire, status, word] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let key = if wire == "gemini" { "status" } else { "code" };
        let mut inner = serde_json::json!({ "message": message });
        if word != "-" {
            inner[key] = word.into();
        }
        let body = serde_json::json!({ "type": "error", "error": inner }).to_string();
        let fault = error(wire.parse().unwrap(), status.parse().unwrap(), &body);
        assert_eq!(show(fault.kind), expected, "{line}");
        let said = if word == "-" {
            format!("HTTP {status}: ")
        } else {
            format!("HTTP {status} {word}: ")
        };
        assert_eq!(&*fault.said, format!("{said}{message}"));
    }
}

#[test]
fn bodies_of_any_shape_are_told_in_one_line() {
    let long = "x ".repeat(5000);
    let table = [
        ("", "HTTP 500"),
        ("<html>\n<b>bad\tgateway</b></html>", "HTTP 500: <html> <b>bad gateway</b></html>"),
        (r#"{"detail":"no such route"}"#, "HTTP 500: no such route"),
        (r#"{"error":"just a text"}"#, "HTTP 500: just a text"),
        (
            r#"[{"error":{"message":"in a list","status":"INTERNAL"}}]"#,
            "HTTP 500 INTERNAL: in a list",
        ),
        (r#"{"message":"\ud83d","type":"t"}"#, "HTTP 500 t: \u{fffd}"),
        ("[]", "HTTP 500: []"),
    ];
    for (body, said) in table {
        assert_eq!(&*error(Wire::OpenaiChat, 500, body).said, said, "{body}");
    }
    assert_eq!(&*read_refusal(Wire::Gemini, 500, b"\xff", None).said, "HTTP 500: \u{fffd}");
    assert!(error(Wire::OpenaiChat, 500, &long).said.chars().count() <= SAID_MAX + 1);
}

#[test]
fn gemini_says_how_long_to_wait_and_which_quota_is_gone() {
    let body = |details: &str| {
        format!(
            r#"{{"error":{{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota, please check your plan","details":[{details}]}}}}"#
        )
    };
    let wait = r#"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.25s"}"#;
    let minute = r#"{"violations":[{"quotaId":"GenerateRequestsPerMinutePerProject"}]}"#;
    let day = r#"{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]}"#;
    let fault = error(Wire::Gemini, 429, &body(&format!("{minute},{wait}")));
    assert_eq!((fault.kind, fault.retry_after_ms), (FaultKind::RateLimited, Some(34_250)));
    assert_eq!(error(Wire::Gemini, 429, &body(day)).kind, FaultKind::Quota);
    let by_header = read_refusal(Wire::Gemini, 429, body(wait).as_bytes(), Some(7));
    assert_eq!(by_header.retry_after_ms, Some(7));
    for (delay, expected) in [("1s", Some(1000)), ("0.5s", Some(500)), ("5", None), ("-1s", None)] {
        assert_eq!(milliseconds(delay), expected, "{delay}");
    }
}

#[test]
fn errors_in_a_stream_and_unreadable_replies_are_faults_too() {
    let of = |kind: &str, message: &str| {
        let error = ProviderError {
            message: message.into(),
            kind: Some(kind.into()),
            ..ProviderError::default()
        };
        show(Fault::from(&DecodeError::Provider(error)).kind)
    };
    assert_eq!(of("overloaded_error", "Overloaded"), "overloaded");
    assert_eq!(
        of("invalid_request_error", "prompt is too long: 300 tokens > 299 maximum"),
        "too_long 300/299"
    );
    assert_eq!(of("insufficient_quota", "x"), "quota");
    assert_eq!(of("throttlingException", "x"), "rate_limited");
    assert_eq!(of("content_filter", "x"), "refused");
    assert_eq!(of("something new", "x"), "server");
    assert_eq!(Fault::from(&DecodeError::NoEvent).kind, FaultKind::Broken);
    assert_eq!(Fault::from(&DecodeError::Empty).kind, FaultKind::Empty);
}
