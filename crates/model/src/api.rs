//! The four ways in which providers are asked over HTTP: the format, the path and the key's header.
//!
//! Not here: who speaks which (`models.json`), and what a request says (`fanfold-wire`).

use fanfold_transcript::Wire;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;

use crate::key::ApiKey;

/// How a provider is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Api {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    OpenaiResponses,
    /// OpenAI Chat Completions, and every server compatible with it.
    OpenaiChat,
    /// Gemini `streamGenerateContent`.
    Gemini,
}

impl Api {
    /// The format of requests and replies.
    pub(crate) const fn wire(self) -> Wire {
        match self {
            Self::Anthropic => Wire::Anthropic,
            Self::OpenaiResponses => Wire::OpenaiResponses,
            Self::OpenaiChat => Wire::OpenaiChat,
            Self::Gemini => Wire::Gemini,
        }
    }

    /// Where `model` is asked on the server at `base`.
    pub(crate) fn endpoint(self, base: &Url, model: &str) -> Url {
        let mut url = base.clone();
        let gemini = format!("{model}:streamGenerateContent");
        let path: &[&str] = match self {
            Self::Anthropic => &["v1", "messages"],
            Self::OpenaiResponses => &["responses"],
            Self::OpenaiChat => &["chat", "completions"],
            Self::Gemini => &["v1beta", "models", &gemini],
        };
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        if self == Self::Gemini {
            url.set_query(Some("alt=sse"));
        }
        url
    }

    /// The headers that every request carries beside those of HTTP itself.
    pub(crate) fn headers(self, key: Option<&ApiKey>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if self == Self::Anthropic {
            let version = HeaderName::from_static("anthropic-version");
            headers.insert(version, HeaderValue::from_static("2023-06-01"));
        }
        if let Some(key) = key {
            let (name, value) = match self {
                Self::Anthropic => (HeaderName::from_static("x-api-key"), key.plain()),
                Self::Gemini => (HeaderName::from_static("x-goog-api-key"), key.plain()),
                Self::OpenaiResponses | Self::OpenaiChat => {
                    (reqwest::header::AUTHORIZATION, key.bearer())
                }
            };
            headers.insert(name, value);
        }
        headers
    }
}
