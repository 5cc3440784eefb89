//! Replies that do not come as they should.

use fanfold_settings::Settings;
use fanfold_transcript::Stop;
use fanfold_wire::{Fault, FaultKind};

use crate::loopback::{Loopback, Step};
use crate::streams::{self, ANTHROPIC};
use crate::support::{hasty_model_at, hear_fault, model_at, open_with, text};

/// Long enough never to strike.
const NEVER_MS: u64 = 600_000;

/// What a refusal comes to.
async fn refused(status: &str, headers: &str, body: &str) -> Fault {
    let server = Loopback::answering(status, headers, body).await;
    let (fault, begun) = hear_fault(&*model_at("anthropic/m", &server.base)).await;
    assert!(begun.is_none());
    fault
}

#[tokio::test]
async fn a_status_says_what_kind_of_fault_it_is() {
    let limited = r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}"#;
    let wrong = r#"{"type":"error","error":{"type":"authentication_error","message":"bad key"}}"#;
    let fault = refused("429 Too Many", "retry-after: 7\r\n", limited).await;
    assert_eq!((fault.kind, fault.retry_after_ms), (FaultKind::RateLimited, Some(7_000)));
    assert!(fault.said.contains("slow down"), "{fault}");
    let fault = refused("401 No", "", wrong).await;
    assert_eq!((fault.kind, fault.retry_after_ms), (FaultKind::Auth, None));
    assert_eq!(refused("502 Bad Gateway", "", "<html>oops</html>").await.kind, FaultKind::Server);
    assert_eq!(refused("404 No", "", "").await.kind, FaultKind::Refused);
}

#[tokio::test]
async fn a_refusal_without_end_is_read_up_to_its_bound() {
    let head = "HTTP/1.1 400 No\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let chunks = [Step::Send(chunk.clone().into()), Step::Send(chunk.into()), Step::Hold];
    let steps = [Step::Send(head.into())].into_iter().chain(chunks).collect();
    let server = Loopback::start(steps).await;
    let (fault, _) = hear_fault(&*model_at("anthropic/m", &server.base)).await;
    assert_eq!(fault.kind, FaultKind::Refused);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let mut other = Loopback::streaming([ANTHROPIC.as_bytes()]).await;
    let target = format!("location: {}/v1/messages\r\n", other.base);
    for status in ["301 Moved", "307 There", "308 There"] {
        let fault = refused(status, &target, "").await;
        assert_eq!(fault.kind, FaultKind::Refused);
        let redirects = format!("redirects to {}/v1/messages (HTTP {}", other.base, &status[..3]);
        assert!(fault.said.contains(&redirects), "{fault}");
    }
    assert!(other.has_seen_all(), "the key went nowhere else");
}

#[tokio::test]
async fn a_connection_that_breaks_gives_what_came_before() {
    // After the whole call, and before the reply's end.
    let (begun, _) = ANTHROPIC.split_at(ANTHROPIC.find("event: message_delta").unwrap());
    let length = begun.len();
    let heads = [
        "HTTP/1.1 200 OK\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n".to_owned(),
        format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{length:x}\r\n"),
    ];
    for head in heads {
        let server = Loopback::start(vec![Step::Send((head.clone() + begun).into())]).await;
        let (fault, begun) = hear_fault(&*model_at("anthropic/m", &server.base)).await;
        assert_eq!(fault.kind, FaultKind::Broken, "{head}");
        let begun = begun.unwrap();
        assert_eq!((text(&begun).as_str(), begun.calls().count()), ("hi there", 1));
        assert_eq!(begun.stop, Stop::Unfinished);
    }
}

#[tokio::test]
async fn a_connection_that_breaks_before_the_reply_is_the_networks_fault() {
    let server = Loopback::start(Vec::new()).await;
    let (fault, begun) = hear_fault(&*model_at("anthropic/m", &server.base)).await;
    assert_eq!((fault.kind, begun), (FaultKind::Network, None));
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n";
    let server = Loopback::start(vec![Step::Send(head.into())]).await;
    let (fault, begun) = hear_fault(&*model_at("anthropic/m", &server.base)).await;
    assert_eq!((fault.kind, begun), (FaultKind::Network, None));
    // Nobody listens on the port of a server that is gone.
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let gone = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let (fault, _) = hear_fault(&*model_at("anthropic/m", &gone)).await;
    assert_eq!(fault.kind, FaultKind::Network);
    let said = format!("no connection to {}: ", &gone[7..]);
    assert!(fault.said.starts_with(&said), "{fault}");
}

#[tokio::test]
async fn a_connection_that_does_not_come_about_is_given_up() {
    // The server waits for a request and never greets back, so TLS never begins.
    let server = Loopback::start(Vec::new()).await;
    let base = server.base.replace("http:", "https:");
    let mut settings = Settings::default();
    settings.limits.model_connect_ms = 20;
    let model = open_with("anthropic/m", &settings, Some(&base), &[]).unwrap();
    let (fault, begun) = hear_fault(&*model).await;
    assert_eq!((fault.kind, begun), (FaultKind::Timeout, None));
    let said = format!("no connection to {}: ", &base[8..]);
    assert!(fault.said.starts_with(&said), "{fault}");
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up() {
    let head = Step::Send("HTTP/1.1 200 OK\r\n\r\n".into());
    for steps in [vec![Step::Hold], vec![head.clone(), Step::Hold]] {
        let server = Loopback::start(steps).await;
        let (fault, begun) = hear_fault(&*hasty_model_at(&server.base, 20, NEVER_MS)).await;
        assert_eq!((fault.kind, begun), (FaultKind::Timeout, None));
        assert!(fault.said.ends_with("said nothing for 20 ms"), "{fault}");
    }
    let (begun, _) = ANTHROPIC.split_at(ANTHROPIC.find("event: message_delta").unwrap());
    let server = Loopback::start(vec![head, Step::Send(begun.into()), Step::Hold]).await;
    let (fault, begun) = hear_fault(&*hasty_model_at(&server.base, NEVER_MS, 20)).await;
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert_eq!(begun.unwrap().calls().count(), 1);
}

#[tokio::test]
async fn what_is_no_reply_is_a_fault() {
    for (name, _) in streams::ALL {
        let table = [
            ("<html>log in first</html>", FaultKind::Broken),
            ("data: {\"type\":\n\n", FaultKind::Broken),
            ("\0\0\0", FaultKind::Broken),
        ];
        for (body, kind) in table {
            let server = Loopback::answering("200 OK", "", body).await;
            let (fault, begun) = hear_fault(&*model_at(name, &server.base)).await;
            assert_eq!((fault.kind, begun), (kind, None), "{name}: {body:?}");
        }
    }
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_reply_is_what_the_provider_says() {
    let error = |kind: &str| format!(r#"{{"type":"{kind}","message":"that is all"}}"#);
    let anthropic = |kind| format!("data: {{\"type\":\"error\",\"error\":{}}}\n\n", error(kind));
    let chat = |kind| format!("data: {{\"error\":{}}}\n\n", error(kind));
    let responses = |kind| {
        format!(
            "data: {{\"type\":\"response.failed\",\"response\":{{\"error\":{}}}}}\n\n",
            error(kind)
        )
    };
    let table = [
        ("anthropic/m", ANTHROPIC, anthropic("overloaded_error"), FaultKind::Overloaded),
        ("openai-chat/m", streams::CHAT, chat("insufficient_quota"), FaultKind::Quota),
        ("openai/m", streams::RESPONSES, responses("rate_limit_exceeded"), FaultKind::RateLimited),
    ];
    for (name, stream, error, kind) in table {
        let begun = &stream[..stream.rfind("there").unwrap()];
        let begun = &begun[..begun.rfind("\n\n").unwrap() + 2];
        let said = begun.to_owned() + &error;
        let head = Step::Send("HTTP/1.1 200 OK\r\n\r\n".into());
        let server = Loopback::start(vec![head, Step::Send(said.into()), Step::Hold]).await;
        let (fault, begun) = hear_fault(&*model_at(name, &server.base)).await;
        assert_eq!(fault.kind, kind, "{name}: {fault}");
        assert!(fault.said.ends_with("that is all"), "{name}: {fault}");
        assert!(begun.is_some(), "{name}");
    }
}

#[tokio::test]
async fn a_key_that_a_server_quotes_is_not_told_on() {
    let key = "sk-1234567890";
    let body = format!(r#"{{"error":{{"message":"the consumer {key} is suspended"}}}}"#);
    let target = format!("location: https://elsewhere.example/?key={key}\r\n");
    for (status, headers) in [("403 No", ""), ("400 No", ""), ("307 There", &*target)] {
        let server = Loopback::answering(status, headers, &body).await;
        let variables = [("ANTHROPIC_API_KEY", key)];
        let model =
            open_with("anthropic/m", &Settings::default(), Some(&server.base), &variables).unwrap();
        let (fault, _) = hear_fault(&*model).await;
        assert!(fault.said.contains("[key]") && !fault.said.contains(key), "{fault}");
    }
}

#[tokio::test]
async fn a_reply_without_a_word_is_asked_for_again_whatever_it_ended_with() {
    for reason in ["STOP", "MALFORMED_FUNCTION_CALL"] {
        let said = format!(
            "data: {{\"candidates\":[{{\"content\":{{}},\"finishReason\":\"{reason}\",\"index\":0}}]}}\n\n"
        );
        let server = Loopback::streaming([said.as_bytes()]).await;
        let (fault, begun) = hear_fault(&*model_at("gemini/m", &server.base)).await;
        assert_eq!((fault.kind, begun), (FaultKind::Empty, None), "{reason}");
    }
}
