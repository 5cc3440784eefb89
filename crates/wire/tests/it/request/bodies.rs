//! What stands around the conversation, and what a user can say.

use fanfold_transcript::{Content, Json, Media, MediaSource, Sha256};
use fanfold_wire::Endpoint;
use serde_json::{Value, json};

use super::{Asking, PICTURE, Talk, asking};

#[test]
fn each_endpoint_has_its_own_head() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    let head = |ask: Asking| talk.request(&ask).head();
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let mark = json!({"type": "ephemeral"});
    let function =
        |name: &str| json!({"name": name, "description": "Lists files.", "parameters": schema});
    let ask = asking(Endpoint::Anthropic);
    assert_eq!(
        head(ask),
        json!({
            "model": "m-1", "max_tokens": 32000, "stream": true, "cache_control": mark,
            "tools": [
                {"name": "ReadFile", "description": "Lists files.", "input_schema": schema},
                {"name": "Ls", "description": "Lists files.", "input_schema": schema, "cache_control": mark},
            ],
            "system": [{"type": "text", "text": "Be brief.", "cache_control": mark}],
        })
    );
    let ask = asking(Endpoint::OpenaiResponses);
    let tool = |name: &str| json!({"type": "function", "name": name, "description": "Lists files.", "parameters": schema, "strict": false});
    assert_eq!(
        head(ask),
        json!({
            "model": "m-1", "stream": true, "store": false, "prompt_cache_key": "20261130-171859-k3f9",
            "tools": [tool("ReadFile"), tool("Ls")], "instructions": "Be brief.",
        })
    );
    let ask = asking(Endpoint::OpenaiChat);
    let tool = |name: &str| json!({"type": "function", "function": function(name)});
    assert_eq!(
        head(ask),
        json!({
            "model": "m-1", "stream": true, "stream_options": {"include_usage": true},
            "tools": [tool("ReadFile"), tool("Ls")],
        })
    );
    let ask = asking(Endpoint::Gemini);
    let tool = |name: &str| json!({"name": name, "description": "Lists files.", "parametersJsonSchema": schema});
    assert_eq!(
        head(ask),
        json!({
            "tools": [{"functionDeclarations": [tool("ReadFile"), tool("Ls")]}],
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
        })
    );
}

#[test]
fn nothing_is_said_where_nothing_is_set() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    for endpoint in Endpoint::ALL {
        let ask = Asking { system: " ", tool_count: 0, ..asking(endpoint) };
        let head = talk.request(&ask).head();
        for key in ["system", "instructions", "systemInstruction", "tools", "generationConfig"] {
            assert!(head.get(key).is_none(), "{endpoint:?}");
        }
        assert_eq!(talk.messages(&ask).len(), 1, "{endpoint:?}");
    }
}

#[test]
fn the_output_limit_has_a_name_of_its_own_everywhere() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    let table = [
        (Endpoint::Anthropic, "p/m-1", "/max_tokens"),
        (Endpoint::OpenaiResponses, "p/m-1", "/max_output_tokens"),
        (Endpoint::OpenaiChat, "deepseek/m-1", "/max_tokens"),
        (Endpoint::OpenaiChat, "openai-chat/m-1", "/max_completion_tokens"),
        (Endpoint::Gemini, "p/m-1", "/generationConfig/maxOutputTokens"),
    ];
    for (endpoint, asked, pointer) in table {
        let ask = Asking { asked, max_output: Some(500), ..asking(endpoint) };
        let head = talk.request(&ask).head();
        assert_eq!(head.pointer(pointer), Some(&json!(500)), "{endpoint:?}");
        let is_openai = asked.starts_with("openai-chat") || endpoint == Endpoint::OpenaiResponses;
        assert_eq!(head.get("prompt_cache_key").is_some(), is_openai, "{endpoint:?}");
    }
}

#[test]
fn mistral_is_not_asked_for_usage() {
    let mut talk = Talk::default();
    talk.user("Hi.");
    for (asked, is_asked) in [("mistral/m-1", false), ("vllm/m-1", true)] {
        let head = talk.request(&Asking { asked, ..asking(Endpoint::OpenaiChat) }).head();
        assert_eq!(head.get("stream_options").is_some(), is_asked, "{asked}");
    }
}

fn media(media_type: &str, source: MediaSource) -> Media {
    Media { media_type: media_type.into(), source }
}

#[test]
fn anthropic_is_not_shown_a_picture_that_it_would_refuse() {
    let picture = |length: usize| {
        let base64 = "A".repeat(length).into();
        Content::Image(media("image/png", MediaSource::Inline { base64 }))
    };
    for (endpoint, length, is_shown) in [
        (Endpoint::Anthropic, 5 << 20, true),
        (Endpoint::Anthropic, (5 << 20) + 4, false),
        (Endpoint::Gemini, (5 << 20) + 4, true),
    ] {
        let mut talk = Talk::default();
        talk.said(vec![picture(length)]);
        let said = talk.messages(&asking(endpoint))[0].to_string();
        assert_eq!(!said.contains("[image/png: not shown]"), is_shown, "{endpoint:?} {length}");
    }
}

#[test]
fn users_show_pictures_and_documents() {
    let stored = |sha256| MediaSource::Stored { sha256, bytes: 3 };
    let inline = || MediaSource::Inline { base64: "UERG".into() };
    let mut talk = Talk::default();
    talk.said(vec![
        Content::text("See."),
        Content::text(" "),
        Content::Image(media("image/png", stored(PICTURE))),
        Content::Document(media("application/pdf", inline())),
        Content::Image(media("image/png", stored(Sha256([0; 32])))),
        Content::Image(media("image/tiff", inline())),
        Content::Opaque(Json::of(&json!({"type": "mystery"}))),
        Content::Json(Json::of(&json!([1]))),
    ]);
    let notes = |key: &str, kind: Option<&str>| -> Vec<Value> {
        let text = |text: &str| match kind {
            Some(kind) => json!({"type": kind, key: text}),
            None => json!({ key: text }),
        };
        ["[image/png: not shown]", "[image/tiff: not shown]", "[1]"].map(text).to_vec()
    };
    let parts = |first: Vec<Value>, last: Vec<Value>| Value::from([first, last].concat());
    let png = "data:image/png;base64,UElD";
    let pdf = "data:application/pdf;base64,UERG";
    let table = [
        (
            Endpoint::Anthropic,
            json!({"role": "user", "content": parts(vec![
                json!({"type": "text", "text": "See."}),
                json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "UElD"}}),
                json!({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "UERG"}}),
            ], notes("text", Some("text")))}),
        ),
        (
            Endpoint::OpenaiResponses,
            json!({"type": "message", "role": "user", "content": parts(vec![
                json!({"type": "input_text", "text": "See."}),
                json!({"type": "input_image", "image_url": png}),
                json!({"type": "input_file", "filename": "document", "file_data": pdf}),
            ], notes("text", Some("input_text")))}),
        ),
        (
            Endpoint::OpenaiChat,
            json!({"role": "user", "content": parts(vec![
                json!({"type": "text", "text": "See."}),
                json!({"type": "image_url", "image_url": {"url": png}}),
                json!({"type": "file", "file": {"filename": "document.pdf", "file_data": pdf}}),
            ], notes("text", Some("text")))}),
        ),
        (
            Endpoint::Gemini,
            json!({"role": "user", "parts": parts(vec![
                json!({"text": "See."}),
                json!({"inlineData": {"mimeType": "image/png", "data": "UElD"}}),
                json!({"inlineData": {"mimeType": "application/pdf", "data": "UERG"}}),
            ], notes("text", None))}),
        ),
    ];
    for (endpoint, expected) in table {
        let ask = Asking { system: "", ..asking(endpoint) };
        assert_eq!(talk.messages(&ask), [expected], "{endpoint:?}");
    }
}
