//! `fanfold exec`: reads a reply, runs its calls, prints the results message.
//!
//! Not here: how progress is drawn (`progress.rs`, `timeline.rs`).

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use fanfold_session::{Done, Overrides, Report, Request};
use tokio::runtime::Builder;
use tokio::sync::mpsc;

use crate::args::{ExecArgs, ShownArgs};
use crate::progress::{self, Progress};
use crate::{FAILED, INTERRUPTED, Problem, input, signals, timeline};

/// Runs the command.
pub(crate) fn run(args: ExecArgs) -> Result<ExitCode, Problem> {
    let ExecArgs { file, format, workspace, max_parallel, allow, deny, yes, shown } = args;
    let request = Request {
        reply: input::read(&file)?,
        format: (format != "auto").then_some(format),
        workspace,
        overrides: Overrides { max_parallel_tools: max_parallel },
        allow,
        deny,
        yes,
    };
    let report = shown.report.as_deref().map(open_report).transpose()?;
    // One thread: calls wait for processes and files, and a wake-up across threads costs more than it brings.
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Problem::work)?;
    let finished = runtime.block_on(watch(request));
    // A blocking read that never returns must not keep the program alive.
    runtime.shutdown_background();
    let (done, stopped) = finished?;
    show(&done, &shown, report)?;
    Ok(if stopped {
        ExitCode::from(INTERRUPTED)
    } else if shown.strict && !done.all_ok() {
        ExitCode::from(FAILED)
    } else {
        ExitCode::SUCCESS
    })
}

/// Runs the request with progress on stderr; tells also whether it was stopped.
async fn watch(request: Request) -> Result<(Done, bool), Problem> {
    let (sender, commands) = mpsc::channel(4);
    let stopped = signals::forward(sender).map_err(Problem::work)?;
    let mut progress = Progress::start();
    let done = fanfold_session::exec(request, commands, |update| progress.update(update)).await;
    progress.finish();
    Ok((done.map_err(Problem::input)?, stopped.load(Ordering::SeqCst)))
}

fn show(done: &Done, shown: &ShownArgs, report: Option<File>) -> Result<(), Problem> {
    for notice in &done.notices {
        progress::say(&format!("fanfold: {notice}"));
    }
    if shown.timeline {
        progress::say(&timeline::draw(&done.report));
    }
    if let Some(file) = report {
        write_report(file, &done.report).map_err(|error| {
            Problem::work(format!("the calls ran, but the report could not be written: {error}"))
        })?;
    }
    print(&done.results)
}

/// Opens the report's file before anything runs, so that a bad path costs nothing.
fn open_report(path: &Path) -> Result<File, Problem> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    file.map_err(|error| Problem::input(format!("cannot write {}: {error}", path.display())))
}

fn write_report(mut file: File, report: &Report) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    serde_json::to_writer_pretty(&mut file, report)?;
    file.write_all(b"\n")
}

/// Prints to stdout, and says so when that fails.
pub(crate) fn print(text: &str) -> Result<(), Problem> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    written.map_err(|error| Problem::work(format!("cannot write to standard output: {error}")))
}
