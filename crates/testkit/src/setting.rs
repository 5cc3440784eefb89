//! A batch ready to run: a reply with calls and a setting around a toolbox.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fanfold_agent::{Gate, Grace, Permissions};
use fanfold_engine::{Output, Setting};
use fanfold_schedule::Limits;
use fanfold_tools::{Children, Effect, Place, Toolbox};
use fanfold_transcript::{Arguments, Assistant, Block, Call, CallId, SessionId, Source, Wire};
use serde_json::Value;

/// A gate that lets every tool of the toolbox run, but those denied.
#[must_use]
pub fn allow_all(toolbox: &Toolbox, denied: &[&str]) -> Gate {
    let deny = denied.iter().map(|name| name.parse().expect("a tool's name")).collect();
    let permissions = Permissions { deny, allow_the_rest: true, ..Permissions::default() };
    let tools = toolbox.iter().map(|tool| {
        let definition = tool.definition();
        (definition.name.clone(), definition.effect == Effect::ReadsOnly)
    });
    Gate::new(permissions, tools)
}

/// A setting in this directory with these tools and slots, all allowed but those denied.
///
/// # Panics
/// When the directory does not exist.
#[must_use]
pub fn setting(directory: &Path, toolbox: Toolbox, slots: usize, denied: &[&str]) -> Setting {
    Setting {
        gate: allow_all(&toolbox, denied),
        asks: false,
        reads: Arc::default(),
        children: Children::default(),
        toolbox,
        limits: Limits { slots, claims: true },
        grace: Grace { stop_ms: 500, kill_ms: 500 },
        place: Arc::new(Place::new(directory, Vec::new()).expect("the directory exists")),
        session: next_session(),
        output: Output::default(),
    }
}

/// A session of its own for each setting, so that no test ends the processes of another.
fn next_session() -> SessionId {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    SessionId::at(u64::from(std::process::id()), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// A reply of these calls, `c1` first: each a tool and its arguments.
///
/// # Panics
/// When the arguments are no object.
#[must_use]
pub fn reply(calls: &[(&str, Value)]) -> Assistant {
    let block = |(n, (tool, arguments)): (usize, &(&str, Value))| {
        let object = arguments.as_object().expect("an object").clone();
        let id = CallId::new(u32::try_from(n + 1).expect("few calls"));
        Block::call(Call::new(id, tool, Arguments::strict(object)))
    };
    let blocks = calls.iter().enumerate().map(block).collect();
    Assistant::new(Source::new(Wire::Plain), blocks)
}
