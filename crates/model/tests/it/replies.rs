//! Replies that come as they should.

use crate::loopback::{Loopback, Seen, Step};
use crate::streams;
use crate::support::{ask, hear, hear_reply, model_at, shown, text};

#[tokio::test]
async fn the_same_is_heard_however_the_bytes_are_cut() {
    for (name, stream) in streams::ALL {
        for size in [1, 7, 64, usize::MAX] {
            let size = size.min(stream.len());
            let server = Loopback::streaming(stream.as_bytes().chunks(size)).await;
            let heard = hear(ask(&*model_at(name, &server.base))).await;
            let expected = "<req_7> hi there c5… c5=Ls after 2 whole: hi there";
            assert_eq!(shown(&heard), expected, "{name}, {size} bytes at a time");
        }
    }
}

#[tokio::test]
async fn a_document_instead_of_a_stream_is_a_reply_too() {
    let body = r#"{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,
        "message":{"role":"assistant","content":"all at once"},"finish_reason":"stop"}]}"#;
    let server = Loopback::answering("200 OK", "content-type: application/json\r\n", body).await;
    let reply = hear_reply(&*model_at("vllm/m", &server.base)).await;
    assert_eq!(text(&reply), "all at once");
}

#[tokio::test]
async fn the_name_of_a_request_may_stand_in_another_header() {
    let server = Loopback::answering("500 No", "x-request-id: abc\r\n", "").await;
    let heard = hear(ask(&*model_at("openai/m", &server.base))).await;
    assert!(shown(&heard).starts_with("<abc> "), "{}", shown(&heard));
}

#[tokio::test]
async fn several_requests_at_once_do_not_mix() {
    let server = Loopback::streaming([streams::ANTHROPIC.as_bytes()]).await;
    let model = model_at("anthropic/m", &server.base);
    let replies: Vec<_> = (0..8).map(|_| ask(&*model)).collect();
    for reply in replies {
        assert!(shown(&hear(reply).await).ends_with("whole: hi there"));
    }
}

#[tokio::test]
async fn dropping_the_reply_closes_the_connection() {
    let head = "HTTP/1.1 200 OK\r\n\r\n";
    let (begun, _) = streams::ANTHROPIC.split_at(600);
    let steps = vec![Step::Send(head.into()), Step::Send(begun.into()), Step::Hold];
    let mut server = Loopback::start(steps).await;
    let mut reply = ask(&*model_at("anthropic/m", &server.base));
    server.request().await;
    assert!(reply.next().await.is_some(), "the stream is under way");
    drop(reply);
    assert!(matches!(server.sees().await, Seen::Closed));
    // Also while nothing has come at all.
    let mut server = Loopback::start(vec![Step::Hold]).await;
    let reply = ask(&*model_at("anthropic/m", &server.base));
    server.request().await;
    drop(reply);
    assert!(matches!(server.sees().await, Seen::Closed));
}

#[tokio::test]
async fn a_reply_that_is_over_waits_for_no_more() {
    // Gemini says nowhere that nothing follows.
    for (name, stream) in streams::ALL.into_iter().filter(|(name, _)| *name != "gemini/m") {
        let head = Step::Send("HTTP/1.1 200 OK\r\n\r\n".into());
        let server = Loopback::start(vec![head, Step::Send(stream.into()), Step::Hold]).await;
        let reply = hear_reply(&*model_at(name, &server.base)).await;
        assert_eq!((text(&reply).as_str(), reply.calls().count()), ("hi there", 1), "{name}");
    }
}
