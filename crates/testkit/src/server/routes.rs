//! Addresses and headers of the four wires.
//!
//! Not here: bodies.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use fanfold_transcript::Wire;

use super::reply::{self, json};
use super::{Request, State as Shared};
use crate::strict::Refusal;

/// Source: "Errors", "Request size limits" (platform.claude.com): 32 MB for Messages.
const BODY_BYTES_MAX: usize = 32 << 20;

/// The version that Fanfold asks for, and the one that Google's own clients have moved to.
const GEMINI: [&str; 2] = ["/v1beta/models/", "/v1/models/"];

pub(super) fn router(state: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/messages", post(receive))
        .route("/v1/chat/completions", post(receive))
        .route("/chat/completions", post(receive))
        .route("/v1/responses", post(receive))
        .route("/responses", post(receive))
        .route("/v1beta/models/{call}", post(receive))
        .route("/v1/models/{call}", post(receive))
        .fallback(|uri: Uri| async move { not_found(&uri) })
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(state)
}

async fn receive(
    State(state): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
    body: String,
) -> Response {
    let Some(request) = read(&uri, &headers, body) else { return not_found(&uri) };
    let wire = request.wire;
    match state.answer(request) {
        Ok(answered) => reply::write(wire, answered).await,
        Err(refusal) => json(refusal.status, &refusal.body(wire)),
    }
}

/// What the address and the headers say. `None` when there is no such address.
fn read(uri: &Uri, headers: &HeaderMap, body: String) -> Option<Request> {
    let path = uri.path();
    let (wire, call) = match GEMINI.iter().find_map(|models| path.strip_prefix(models)) {
        Some(call) => (Wire::Gemini, Some(call.rsplit_once(':')?)),
        None if path.ends_with("/messages") => (Wire::Anthropic, None),
        None if path.ends_with("/responses") => (Wire::OpenaiResponses, None),
        None => (Wire::OpenaiChat, None),
    };
    let streams = match call {
        Some((_, "streamGenerateContent")) => true,
        Some((_, "generateContent")) | None => false,
        Some(_) => return None,
    };
    let query = uri.query().unwrap_or_default();
    let refusal = missing_key(wire, headers, query).or_else(|| {
        let is_list = streams && !has(query, "alt=sse");
        is_list.then(|| Refusal::of("alt", "without alt=sse the reply would be one JSON array"))
    });
    Some(Request { wire, body, model: call.map(|(model, _)| model.to_owned()), refusal, streams })
}

/// A key in the header of the wire, whatever it is.
///
/// Source: "API overview" (platform.claude.com): `x-api-key` and `anthropic-version`; the OpenAI
/// reference, "Authentication"; the Gemini reference, "Authentication": the header or `key=`.
fn missing_key(wire: Wire, headers: &HeaderMap, query: &str) -> Option<Refusal> {
    let has_header = |name: &str| headers.get(name).is_some_and(|value| !value.is_empty());
    let bearer = || {
        let value = headers.get("authorization").and_then(|value| value.to_str().ok());
        value.and_then(|value| value.strip_prefix("Bearer ")).is_some_and(|key| !key.is_empty())
    };
    let missing = |header: &str, is_there: bool| (!is_there).then(|| Refusal::no_key(header));
    match wire {
        Wire::Anthropic => {
            missing("x-api-key", has_header("x-api-key") || bearer()).or_else(|| {
                let said = "anthropic-version: header is required";
                (!has_header("anthropic-version")).then(|| Refusal::of("anthropic-version", said))
            })
        }
        Wire::Gemini => {
            let in_query = query.split('&').any(|pair| pair.starts_with("key=") && pair.len() > 4);
            missing("x-goog-api-key", has_header("x-goog-api-key") || in_query)
        }
        Wire::OpenaiChat | Wire::OpenaiResponses | Wire::Bedrock | Wire::Cohere | Wire::Plain => {
            missing("authorization", bearer())
        }
    }
}

fn has(query: &str, pair: &str) -> bool {
    query.split('&').any(|one| one == pair)
}

fn not_found(uri: &Uri) -> Response {
    (StatusCode::NOT_FOUND, format!("there is no {uri}\n")).into_response()
}
