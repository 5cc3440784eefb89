//! Runs the calls of one reply and answers in the reply's own format.
//!
//! Not here: where the reply comes from and where the answer goes.

use fanfold_agent::Record;
use fanfold_engine::{Command, run_batch};
use fanfold_transcript::{Assistant, CallId, Millis, Outcome, Wire};
use tokio::sync::mpsc;

use crate::error::ExecError;
use crate::prepare::{Prepared, prepare};
use crate::report::Report;
use crate::request::Request;
use crate::update::{Change, Update};

/// What came of it.
#[derive(Debug)]
pub struct Done {
    /// The results message, as JSON in the format of the reply: one result per call, in call order.
    pub results: String,
    /// What is said of the batch.
    pub report: Report,
    /// What the user should know.
    pub notices: Vec<String>,
}

impl Done {
    /// Whether every call ended `ok`.
    #[must_use]
    pub fn all_ok(&self) -> bool {
        self.report.calls.iter().all(|call| call.status == "ok")
    }
}

/// Runs the calls of a reply. `commands` may be closed at any time.
///
/// # Errors
/// When the request cannot be used. Nothing was run then: every other trouble is an outcome.
pub async fn exec(
    request: Request,
    mut commands: mpsc::Receiver<Command>,
    mut watch: impl FnMut(Update) + Send,
) -> Result<Done, ExecError> {
    let wire = request.format.as_deref().map(str::parse::<Wire>).transpose();
    let mut reply = fanfold_wire::decode(&request.reply, wire.map_err(ExecError::Format)?, 1)?;
    if reply.calls().next().is_none() {
        return Err(ExecError::NoCalls);
    }
    let Prepared { mut setting, settings, mut notices } =
        prepare(&request.freedom(), std::convert::identity)?;
    if let Some(folder) = &request.records {
        setting.output = setting.output.recorded(folder, settings.limits.record_bytes)?;
    }
    announce(&reply, &mut watch);
    let mut tell = |at: Millis, update: fanfold_engine::Update<'_>| watch(translate(at, update));
    let batch = run_batch(&setting, &mut reply, &mut commands, &mut tell).await;
    let results = fanfold_wire::write_results(&reply).expect("a batch settles every call");
    let report = Report::new(&reply, &batch);
    notices.extend(batch.notice);
    Ok(Done { results: results.text().to_owned(), report, notices })
}

fn announce(reply: &Assistant, watch: &mut impl FnMut(Update)) {
    for call in reply.calls() {
        let arguments: String = call.sent.chars().take(200).collect();
        let arguments = arguments.split_whitespace().collect::<Vec<_>>().join(" ");
        let change = Change::Asked { tool: call.tool.to_string(), arguments };
        watch(Update { call: call.id, at_ms: 0, change });
    }
}

fn translate(at: Millis, update: fanfold_engine::Update<'_>) -> Update {
    let (call, change) = match update {
        fanfold_engine::Update::Waiting(call, wait) => {
            let waits_for = wait.call().map(|call| call.to_string());
            (call, Change::Waiting { waits_for, reason: wait.reason() })
        }
        fanfold_engine::Update::Asking(call, question) => {
            (call, Change::Asking { why: question.to_string() })
        }
        fanfold_engine::Update::Started(call) => (call, Change::Started),
        fanfold_engine::Update::Ended(call, outcome, record) => ended(call, outcome, record),
    };
    Update { call, at_ms: at.0, change }
}

fn ended(call: CallId, outcome: &Outcome, record: &Record) -> (CallId, Change) {
    let change = Change::Ended {
        status: outcome.status().as_str(),
        reason: outcome.ending.reason(),
        ran_ms: record.started.map(|started| record.ended.since(started)),
        bytes: outcome.bytes,
    };
    (call, change)
}
