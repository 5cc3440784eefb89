//! The words of providers for what went wrong.
//!
//! Sources: platform.claude.com, "Errors"; platform.openai.com, "Error codes"; ai.google.dev,
//! "Troubleshooting"; Amazon Bedrock, "InvokeModelWithResponseStream"; api-docs.deepseek.com, "Error
//! codes". Not here: a request that is too long (`overflow.rs`).

use crate::fault::FaultKind;

/// The model wrote a call that the server could not read.
pub(super) const UNREAD: &str = "tool_use_failed";

/// What a provider's own word for the kind of error means; `None` where it says too little.
pub(super) fn kind_of(word: &str) -> Option<FaultKind> {
    Some(match word {
        "rate_limit_error"
        | "rate_limit_exceeded"
        | "rate_limited"
        | "too_many_requests"
        | "tokens"
        | "requests"
        | "RESOURCE_EXHAUSTED"
        | "throttlingException" => FaultKind::RateLimited,
        "overloaded_error"
        | "overloaded"
        | "server_overloaded"
        | "engine_overloaded_error"
        | "UNAVAILABLE"
        | "serviceUnavailableException"
        | "modelNotReadyException" => FaultKind::Overloaded,
        "api_error"
        | "server_error"
        | "internal_error"
        | "internal_server_error"
        | "INTERNAL"
        | "internalServerException" => FaultKind::Server,
        "modelStreamErrorException" => FaultKind::Broken,
        "timeout_error" | "DEADLINE_EXCEEDED" | "modelTimeoutException" => FaultKind::Timeout,
        "authentication_error"
        | "permission_error"
        | "invalid_api_key"
        | "invalid_authentication"
        | "UNAUTHENTICATED"
        | "PERMISSION_DENIED"
        | "accessDeniedException" => FaultKind::Auth,
        "insufficient_quota"
        | "billing_error"
        | "billing_hard_limit_reached"
        | "billing_not_active"
        | "insufficient_balance"
        | "insufficient_credits"
        | "serviceQuotaExceededException" => FaultKind::Quota,
        // Asked again, the model writes another call.
        UNREAD => FaultKind::Broken,
        "invalid_request_error"
        | "not_found_error"
        | "model_not_found"
        | "INVALID_ARGUMENT"
        | "NOT_FOUND"
        | "FAILED_PRECONDITION"
        | "invalid_prompt"
        | "content_filter"
        | "content_policy_violation"
        | "validationException"
        | "resourceNotFoundException" => FaultKind::Refused,
        _ => return None,
    })
}

/// What only the text says: money, a quota for the day, or a key that is none.
pub(super) fn kind_of_text(message: &str, details: &str) -> Option<FaultKind> {
    let text = message.to_ascii_lowercase();
    let money = ["credit balance is too low", "insufficient balance", "insufficient credits"];
    // OpenAI; Gemini uses the same sentence for a limit by the minute, and names the quota apart.
    let quota = text.contains("exceeded your current quota") && details.is_empty();
    let daily = details.contains("PerDay");
    if quota || daily || money.iter().any(|words| text.contains(words)) {
        return Some(FaultKind::Quota);
    }
    let key = ["api key not valid", "api key expired", "incorrect api key", "invalid api key"];
    let no_key =
        details.contains("API_KEY_INVALID") || key.iter().any(|words| text.contains(words));
    no_key.then_some(FaultKind::Auth)
}

/// What the status says, where a word says it more closely.
pub(super) fn kind_of_status(status: u16, named: Option<FaultKind>) -> FaultKind {
    match status {
        401 | 403 => FaultKind::Auth,
        402 => FaultKind::Quota,
        408 => FaultKind::Timeout,
        // Nothing was said but that the body is too large.
        413 => FaultKind::TooLong { tokens: None, limit: None },
        429 => match named {
            Some(FaultKind::Quota) => FaultKind::Quota,
            Some(FaultKind::Overloaded) => FaultKind::Overloaded,
            Some(_) | None => FaultKind::RateLimited,
        },
        503 | 529 => FaultKind::Overloaded,
        // A conflict over a lock, or too early: the providers' own clients ask again as well.
        409 | 425 | 500..=599 => {
            named.filter(|kind| kind.is_passing()).unwrap_or(FaultKind::Server)
        }
        _ => match named {
            Some(FaultKind::Server) | None => FaultKind::Refused,
            Some(kind) => kind,
        },
    }
}
