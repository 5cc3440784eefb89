//! Opening models against a loopback server, and hearing them out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use fanfold_model::{Ask, Heard, Model, ModelName, OpenError, Opening, Reply, open};
use fanfold_settings::Settings;
use fanfold_transcript::{Assistant, BlockBody, Content, Json};
use fanfold_wire::{Fault, Progress};
use tokio::time::timeout;

/// A test that waits longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens a model with these variables in the environment.
pub(crate) fn open_with(
    name: &str,
    settings: &Settings,
    base_url: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<Arc<dyn Model>, OpenError> {
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    let environment = |name: &str| variables.get(name).map(|&value| value.to_owned());
    let opening = Opening { settings, base_url, environment: &environment, tap: None };
    open(&ModelName::parse(name, settings)?, &opening)
}

/// The model at this address, with timeouts that never strike.
pub(crate) fn model_at(name: &str, base: &str) -> Arc<dyn Model> {
    open_with(name, &Settings::default(), Some(base), &[]).unwrap()
}

/// The same with these timeouts in milliseconds.
pub(crate) fn hasty_model_at(base: &str, first_byte_ms: u64, silence_ms: u64) -> Arc<dyn Model> {
    let mut settings = Settings::default();
    settings.limits.model_first_byte_ms = first_byte_ms;
    settings.limits.model_silence_ms = silence_ms;
    open_with("anthropic/m", &settings, Some(base), &[]).unwrap()
}

pub(crate) fn ask(model: &dyn Model) -> Reply {
    model.ask(Ask { body: Json::parse(r#"{"a": 1}"#).unwrap(), first_call: 5 })
}

/// Everything that is heard.
pub(crate) async fn hear(mut reply: Reply) -> Vec<Heard> {
    let mut all = Vec::new();
    while let Some(heard) = timeout(PATIENCE, reply.next()).await.unwrap() {
        all.push(heard);
    }
    all
}

pub(crate) async fn hear_reply(model: &dyn Model) -> Assistant {
    match hear(ask(model)).await.pop() {
        Some(Heard::Replied(reply)) => *reply,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn hear_fault(model: &dyn Model) -> (Fault, Option<Assistant>) {
    match hear(ask(model)).await.pop() {
        Some(Heard::Failed { fault, begun }) => (fault, begun.map(|begun| *begun)),
        other => panic!("{other:?}"),
    }
}

/// What was heard, in a line.
pub(crate) fn shown(all: &[Heard]) -> String {
    all.iter().map(shown_one).collect()
}

fn shown_one(heard: &Heard) -> String {
    match heard {
        Heard::RequestId(id) => format!("<{id}> "),
        Heard::Progress(Progress::Text(text)) => text.to_string(),
        Heard::Progress(Progress::Thinking(text)) => format!("({text})"),
        Heard::Progress(Progress::CallOpened(id)) => format!(" {id}…"),
        Heard::Progress(other) => format!(" {other:?}"),
        Heard::Call { call, blocks } => {
            format!(" {}={} after {}", call.id, call.tool, blocks.len())
        }
        Heard::Replied(reply) => format!(" whole: {}", text(reply)),
        Heard::Failed { fault, .. } => format!(" failed: {}", fault.kind.as_str()),
    }
}

pub(crate) fn text(reply: &Assistant) -> String {
    let texts = reply.blocks.iter().filter_map(|block| match &block.body {
        BlockBody::Content(Content::Text(text)) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect()
}
