//! Replies and their results on the way back to the provider.
//!
//! Not here: the rest of a request, and replies of another wire than the request's.

use fanfold_transcript::{Assistant, Json, OpenCalls, Wire};

use crate::{anthropic, bedrock, chat, gemini, plain, responses};

/// The reply as a request of its own wire carries it.
///
/// | wire | form |
/// |---|---|
/// | Anthropic | `{"role":"assistant","content":[…]}` |
/// | Chat Completions | one message |
/// | Responses | an array of items |
/// | Gemini | `{"role":"model","parts":[…]}` |
/// | Bedrock | `{"role":"assistant","content":[…]}` |
/// | Cohere | one message |
/// | plain | an array of `{tool_name, tool_args}` |
///
/// Blocks that still have their original are written byte for byte. Of a call, only an id, a name
/// or arguments that the provider would refuse are replaced: a missing, illegal or repeated id
/// by `fanfold_` and the call's id, an empty name by `unnamed`, arguments that are no JSON object by
/// the object that was read, or by `{"INVALID_JSON": "…"}` where none could be without a guess. What a
/// provider refuses and a broken stream can leave behind is left out: for Anthropic and Bedrock
/// blank text, for Anthropic thinking with an empty seal, for Responses reasoning that was cut.
#[must_use]
pub fn write_reply(reply: &Assistant) -> Json {
    Json::from(match reply.source.wire {
        Wire::Anthropic => anthropic::write(reply),
        Wire::OpenaiChat | Wire::Cohere => chat::write(reply),
        Wire::OpenaiResponses => responses::write(reply),
        Wire::Gemini => gemini::write(reply),
        Wire::Bedrock => bedrock::write(reply),
        Wire::Plain => plain::write(reply),
    })
}

/// Exactly one result per call, in the order of the calls, in the reply's own wire.
///
/// | wire | form |
/// |---|---|
/// | Anthropic | one user message of `tool_result` blocks |
/// | Chat Completions | an array of `tool` messages |
/// | Responses | an array of `function_call_output` items |
/// | Gemini | one user content of `functionResponse` parts, media behind them |
/// | Bedrock | one user message of `toolResult` blocks |
/// | Cohere | an array of `tool` messages |
/// | plain | an array of `{tool_name, outcome, result}` |
///
/// A result that is not `ok` is text only. It begins with `[status: reason]`, except where the text
/// itself says it (a tool's own error, an exit code).
///
/// # Errors
/// When a call has no outcome.
pub fn write_results(reply: &Assistant) -> Result<Json, OpenCalls> {
    Ok(Json::from(match reply.source.wire {
        Wire::Anthropic => anthropic::write_results(reply),
        Wire::OpenaiChat | Wire::Cohere => chat::write_results(reply),
        Wire::OpenaiResponses => responses::write_results(reply),
        Wire::Gemini => gemini::write_results(reply),
        Wire::Bedrock => bedrock::write_results(reply),
        Wire::Plain => plain::write_results(reply),
    }?))
}
