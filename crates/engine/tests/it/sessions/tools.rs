//! Tools that take their time, fail, panic, or do not want to stop.

use std::time::Duration;

use fanfold_agent::{Gate, Permissions};
use fanfold_schedule::{Footprint, Groups};
use fanfold_testkit::MadeTool;
use fanfold_tools::{Effect, Run, Toolbox};
use fanfold_transcript::Outcome;

use super::world::World;

/// Every tool there is: its name, and whether it only reads.
pub(super) const TOOLS: [(&str, bool); 7] = [
    ("look", true),
    ("edit", false),
    ("shell", false),
    ("fail", true),
    ("panic", true),
    ("stubborn", false),
    ("guarded", false),
];

pub(super) fn toolbox(world: &World) -> Toolbox {
    let tool = |name: &'static str, footprint: Footprint| {
        let world = world.clone();
        let made = MadeTool::new(name, move |_, run| act(world.clone(), name, run));
        made.touching(move |_| footprint.clone())
    };
    let fs = Footprint { groups: Groups::named("fs"), claims: Vec::new() };
    Toolbox::default()
        .with(tool("look", Footprint::independent()))
        .with(tool("edit", fs).changing())
        .with(tool("shell", Footprint::exclusive()).changing())
        .with(tool("fail", Footprint::independent()))
        .with(tool("panic", Footprint::independent()))
        .with(tool("stubborn", Footprint::independent()).changing())
        .with(tool("guarded", Footprint::exclusive()).changing())
}

/// What runs without a question, but `guarded`, which asks.
pub(crate) fn gate(toolbox: &Toolbox) -> Gate {
    let rule = |name: &str| name.parse().expect("a tool's name");
    let permissions =
        Permissions { ask: vec![rule("guarded")], allow_the_rest: true, ..Permissions::default() };
    let tools = toolbox.iter().map(|tool| {
        let definition = tool.definition();
        (definition.name.clone(), definition.effect == Effect::ReadsOnly)
    });
    Gate::new(permissions, tools)
}

async fn act(world: World, name: &'static str, run: Run) -> Outcome {
    let Some(ms) = begin(&world, &run) else { return std::future::pending().await };
    let _running = Running(world);
    let pause = tokio::time::sleep(Duration::from_millis(ms));
    match name {
        "stubborn" => {
            tokio::time::sleep(Duration::from_millis(ms * 10)).await;
            Outcome::ok_text("at last")
        }
        "panic" => {
            pause.await;
            // Without the noise of a panic that nobody meant.
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        "fail" => {
            pause.await;
            Outcome::tool_error("it does not work")
        }
        _ => tokio::select! {
            () = pause => Outcome::ok_text("done"),
            _ = run.stop.stopped() => Outcome::of_text(
                fanfold_transcript::Ending::Interrupted(fanfold_transcript::Interruption::Stopped),
                "stopped",
            ),
        },
    }
}

/// How long the call takes, in milliseconds; `None` in a process that is dead.
fn begin(world: &World, run: &Run) -> Option<u64> {
    let mut state = world.state();
    if state.dead {
        return None;
    }
    *state.ran.entry(run.call).or_default() += 1;
    state.running += 1;
    Some(world.pace().ms(state.dice.below(400)))
}

/// Counts a call as running until it is dropped.
struct Running(World);

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.running = state.running.saturating_sub(1);
    }
}
