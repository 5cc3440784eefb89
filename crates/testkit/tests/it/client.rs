//! A plain HTTP client: nothing of Fanfold stands between a test and the server.

use std::sync::LazyLock;

use fanfold_testkit::StrictServer;
use fanfold_transcript::Wire;
use serde_json::Value;

/// A response, read as far as it goes.
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_whole: bool,
}

impl Got {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }
}

/// Made once, for it reads the machine's certificates. It keeps no connection: each test has a
/// runtime of its own.
static CLIENT: LazyLock<reqwest::Client> = LazyLock::new(|| {
    // Fails when it was installed before, which is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap()
});

pub(crate) async fn post(url: String, headers: &[(&str, &str)], body: &str) -> Got {
    let mut request = CLIENT.post(url).body(body.to_owned());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let header = response.headers().get("retry-after");
    let retry_after = header.map(|value| value.to_str().unwrap().to_owned());
    let mut bytes = Vec::new();
    let is_whole = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => break true,
            Err(_) => break false,
        }
    };
    Got { status, retry_after, bytes, is_whole }
}

pub(crate) fn path(wire: Wire, streams: bool) -> &'static str {
    match wire {
        Wire::Anthropic => "/v1/messages",
        Wire::OpenaiChat => "/v1/chat/completions",
        Wire::OpenaiResponses => "/v1/responses",
        Wire::Gemini if streams => "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse",
        _ => "/v1beta/models/gemini-3-pro:generateContent",
    }
}

/// Asks with the right headers.
pub(crate) async fn ask(server: &StrictServer, wire: Wire, body: &str, streams: bool) -> Got {
    let headers = match wire {
        Wire::Anthropic => &[("x-api-key", "k"), ("anthropic-version", "2023-06-01")][..],
        Wire::Gemini => &[("x-goog-api-key", "k")],
        _ => &[("authorization", "Bearer k")],
    };
    post(format!("{}{}", server.url(), path(wire, streams)), headers, body).await
}
