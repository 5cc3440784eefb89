//! What is said of a batch afterwards: `--report`.
//!
//! The field names are a promise to programs that read the file. Not here: the results themselves.

use fanfold_agent::{Record, WaitSpan};
use fanfold_engine::BatchRecord;
use fanfold_schedule::{Access, Claim, Groups};
use fanfold_transcript::{Assistant, Call};
use serde::Serialize;

/// A batch and its calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The calls, in the order in which the model wrote them.
    pub calls: Vec<CallReport>,
    /// From the start of the batch to its last outcome, in milliseconds.
    pub makespan_ms: u64,
    /// How many calls could have run at once.
    pub slots: usize,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallReport {
    /// Fanfold's id.
    pub id: String,
    /// The provider's id, if the reply had one.
    pub wire_id: Option<String>,
    /// The tool, as the model wrote it.
    pub tool: String,
    /// `independent`, `exclusive` or a list of names; `None` for a call that never got past the gate.
    pub groups: Option<GroupsReport>,
    /// What it touched.
    pub claims: Vec<ClaimReport>,
    /// The status word.
    pub status: &'static str,
    /// The reason word; `None` for `ok`.
    pub reason: Option<&'static str>,
    /// How its arguments were bent to be read; `None` when they were strict.
    pub repaired: Option<&'static str>,
    /// Why it waited, in order.
    pub waits: Vec<WaitReport>,
    /// When it started, in milliseconds since the batch began; `None` when it never did.
    pub started_ms: Option<u64>,
    /// When it got its outcome, likewise.
    pub ended_ms: u64,
    /// Bytes it produced, before any cut.
    pub bytes: u64,
}

/// The groups of a call, as settings write them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GroupsReport {
    /// `independent` or `exclusive`.
    Word(&'static str),
    /// The names.
    Names(Vec<String>),
}

/// One claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimReport {
    /// `read` or `write`.
    pub access: &'static str,
    /// `path:…` or a name.
    pub resource: String,
}

/// One stretch of waiting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitReport {
    /// The call waited for, where it is one.
    #[serde(rename = "for")]
    pub waits_for: Option<String>,
    /// Why, in a few words.
    pub reason: String,
    /// How long, in milliseconds.
    pub ms: u64,
}

impl Report {
    pub(crate) fn new(reply: &Assistant, batch: &BatchRecord) -> Self {
        let calls = reply.calls().filter_map(|call| Some(report(call, batch.calls.get(&call.id)?)));
        Self { calls: calls.collect(), makespan_ms: batch.makespan_ms, slots: batch.slots }
    }
}

fn report(call: &Call, record: &Record) -> CallReport {
    let outcome = call.outcome().expect("a recorded call has its outcome");
    let footprint = record.footprint.as_ref();
    CallReport {
        id: call.id.to_string(),
        wire_id: call.wire_id.as_deref().map(str::to_owned),
        tool: call.tool.to_string(),
        groups: footprint.map(|footprint| groups(&footprint.groups)),
        claims: footprint.map(|f| f.claims.iter().map(claim).collect()).unwrap_or_default(),
        status: outcome.status().as_str(),
        reason: outcome.ending.reason(),
        repaired: call.arguments.note(),
        waits: record.waits.iter().map(wait).collect(),
        started_ms: record.started.map(|at| at.0),
        ended_ms: record.ended.0,
        bytes: outcome.bytes,
    }
}

fn groups(groups: &Groups) -> GroupsReport {
    match groups {
        Groups::Exclusive => GroupsReport::Word("exclusive"),
        Groups::Named(names) if names.is_empty() => GroupsReport::Word("independent"),
        Groups::Named(names) => {
            GroupsReport::Names(names.iter().map(ToString::to_string).collect())
        }
    }
}

fn claim(claim: &Claim) -> ClaimReport {
    let access = match claim.access {
        Access::Read => "read",
        Access::Write => "write",
    };
    ClaimReport { access, resource: claim.resource.to_string() }
}

fn wait(span: &WaitSpan) -> WaitReport {
    WaitReport {
        waits_for: span.wait.call().map(|call| call.to_string()),
        reason: span.wait.reason(),
        ms: span.ms,
    }
}
