//! What `POST /v1beta/models/…:generateContent` of Gemini refuses.
//!
//! Every model is taken for a Gemini 3, which is the strictest about signatures; the body does not
//! name it.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use serde_json::Value;

use super::names::{is_gemini_name, unique};
use super::node::Node;
use super::refusal::Refusal;
use super::seal::{self, Sealer, Seals};

/// Source: the reference of `generateContent`, "Request body". The API takes both spellings.
const FIELDS: [&str; 16] = [
    "cachedContent",
    "cached_content",
    "contents",
    "generationConfig",
    "generation_config",
    "model",
    "safetySettings",
    "safety_settings",
    "serviceTier",
    "service_tier",
    "store",
    "systemInstruction",
    "system_instruction",
    "toolConfig",
    "tool_config",
    "tools",
];

/// What a part may be.
const PARTS: [&str; 7] = [
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
];

/// What may stand beside it.
const BESIDE: [&str; 5] =
    ["thought", "thoughtSignature", "videoMetadata", "mediaResolution", "partMetadata"];

/// Signatures for calls that another model made. Source: "Thought signatures", FAQ.
const STAND_INS: [&str; 2] =
    ["context_engineering_is_the_way_to_go", "skip_thought_signature_validator"];

/// Checks the request and gives what seals its reply.
pub(super) fn check(root: &Node<'_>, seals: Seals) -> Result<Sealer, Refusal> {
    let unknown = root.object()?.keys().find(|key| !FIELDS.contains(&key.as_str()));
    if let Some(key) = unknown {
        let said =
            format!("Invalid JSON payload received. Unknown name \"{key}\": Cannot find field.");
        return Err(root.refuse(said));
    }
    check_tools(root)?;
    let contents = root.need("contents")?;
    let list = contents.items()?;
    contents.must(!list.is_empty(), "contents is not specified")?;
    list.iter().try_for_each(check_content)?;
    check_turns(&list)?;
    check_signatures(&list, seals)?;
    Ok(Sealer::new(String::new(), None))
}

/// Source: the reference, `FunctionDeclaration`; "Duplicate function declaration found".
fn check_tools(root: &Node<'_>) -> Result<(), Refusal> {
    let mut seen = BTreeSet::new();
    for tool in root.items_of("tools")? {
        for function in tool.items_of("functionDeclarations")? {
            let name = function.need("name")?;
            check_name(&name)?;
            unique(&mut seen, name.text()?, &name, "Duplicate function declaration found")?;
        }
    }
    Ok(())
}

fn check_name(name: &Node<'_>) -> Result<(), Refusal> {
    let said = "Invalid function name. Must start with a letter or an underscore. Must be \
                alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), \
                with a maximum length of 128.";
    name.must(is_gemini_name(name.text()?), said)
}

/// Source: the reference, `Content` and `Part`: "Please use a valid role: user, model." and
/// "required oneof field 'data' must have one initialized field".
fn check_content(content: &Node<'_>) -> Result<(), Refusal> {
    content.only(&["role", "parts"])?;
    let role = content.need("role")?;
    let is_known = matches!(role.text()?, "user" | "model");
    role.must(is_known, "Please use a valid role: user, model.")?;
    let parts = content.items_of("parts")?;
    content.must(!parts.is_empty(), "contents.parts must not be empty.")?;
    for part in parts {
        let known: Vec<&str> = PARTS.iter().chain(&BESIDE).copied().collect();
        part.only(&known)?;
        let kinds = PARTS.iter().filter(|kind| part.get(kind).is_some()).count();
        part.must(kinds == 1, "required oneof field 'data' must have one initialized field")?;
        for key in ["functionCall", "functionResponse"] {
            let Some(function) = part.get(key) else { continue };
            check_name(&function.need("name")?)?;
            let of_model = key == "functionCall";
            let speaks = of_model == (role.text()? == "model");
            part.must(speaks, "this part is not of this role")?;
            if !of_model {
                function.need("response")?.object()?;
            } else if let Some(args) = function.get("args") {
                args.object()?;
            }
        }
        // Stricter: the API takes an empty text in some places and refuses it in others.
        let is_blank = part.value["text"] == "" && part.get("thoughtSignature").is_none();
        part.must(!is_blank, "the text of a part must not be empty")?;
    }
    Ok(())
}

/// Calls come right after the user or after results, and their results right after them.
///
/// Source: google-gemini/gemini-cli#26486, #16543; crewAIInc/crewAI#6973 for the last content.
/// anomalyco/opencode#43479: nothing said may share a content with results.
fn check_turns(contents: &[Node<'_>]) -> Result<(), Refusal> {
    let mut before: Option<&Node<'_>> = None;
    for content in contents {
        let calls = functions(content, "functionCall");
        let responses = functions(content, "functionResponse");
        if !calls.is_empty() {
            let said = "Please ensure that function call turn comes immediately after a user turn \
                        or after a function response turn.";
            content.must(before.is_some_and(|before| !is_model(before)), said)?;
        }
        let open = before.map(|before| functions(before, "functionCall")).unwrap_or_default();
        check_responses(content, &open, &responses)?;
        before = Some(content);
    }
    let ends_well = before.is_some_and(|last| !is_model(last));
    let said = "Please ensure that the conversation ends with a user turn or a function response.";
    before.map_or(Ok(()), |last| last.must(ends_well, said))
}

fn check_responses(
    content: &Node<'_>,
    calls: &[Node<'_>],
    responses: &[Node<'_>],
) -> Result<(), Refusal> {
    if calls.is_empty() {
        let said = "Please ensure that function response turn comes immediately after a function \
                    call turn.";
        return content.must(responses.is_empty(), said);
    }
    content.must(
        calls.len() == responses.len(),
        "Please ensure that the number of function response parts is equal to the number of \
         function call parts of the function call turn.",
    )?;
    for (call, response) in calls.iter().zip(responses) {
        let is_same = |key: &str| call.value.get(key) == response.value.get(key);
        response.must(is_same("name"), "function responses must be named as their calls are")?;
        response.must(is_same("id"), "function responses must have the ids of their calls")?;
    }
    let speaks = content.items_of("parts")?.iter().any(|part| part.get("text").is_some());
    content.must(!speaks, "a function response turn holds nothing that is said")
}

/// The first call of each step of the current turn is signed, and no signature is made up.
///
/// Source: "Thought signatures" (ai.google.dev): "Function call is missing a thought_signature in
/// functionCall parts."; a truncated or changed one is "Corrupted thought signature.".
fn check_signatures(contents: &[Node<'_>], seals: Seals) -> Result<(), Refusal> {
    let is_said = |content: &Node<'_>| {
        !is_model(content) && functions(content, "functionResponse").is_empty()
    };
    let turn = contents.iter().rposition(is_said).unwrap_or(0);
    for (n, content) in contents.iter().enumerate() {
        let parts = content.items_of("parts")?;
        let first = parts.iter().find(|part| part.get("functionCall").is_some());
        if let Some(call) = first.filter(|_| n > turn) {
            let said = "Function call is missing a thought_signature in functionCall parts. This \
                        is required for tools to work correctly.";
            call.must(call.get("thoughtSignature").is_some(), said)?;
        }
        for part in parts.iter().filter(|_| seals == Seals::Checked) {
            let Some(signature) = part.get("thoughtSignature") else { continue };
            let is_known = is_signature(part, signature.text()?);
            signature.must(is_known, "Corrupted thought signature.")?;
        }
    }
    Ok(())
}

/// A stand-in, as it is or in base64 as the official clients write it, or a seal of this server:
/// that of a call is over its name and its arguments.
fn is_signature(part: &Node<'_>, signature: &str) -> bool {
    let decoded = URL_SAFE.decode(signature).or_else(|_| STANDARD.decode(signature));
    let decoded = decoded.unwrap_or_default();
    let is_stand_in = |one: &str| signature == one || decoded == one.as_bytes();
    let call = part.get("functionCall").map(|call| {
        let name = call.value["name"].as_str().unwrap_or_default();
        format!("{name} {}", call.value.get("args").unwrap_or(&Value::Null))
    });
    STAND_INS.into_iter().any(is_stand_in)
        || seal::verify(signature, call.as_deref(), None, None).is_ok()
}

fn functions<'a>(content: &Node<'a>, key: &str) -> Vec<Node<'a>> {
    let parts = content.items_of("parts").unwrap_or_default();
    parts.iter().filter_map(|part| part.get(key)).collect()
}

fn is_model(content: &Node<'_>) -> bool {
    content.value["role"] == "model"
}
