//! `fanfold exec`: reads a reply, runs its calls, prints the results message.
//!
//! Not here: how progress is drawn (`progress.rs`, `timeline.rs`).

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use fanfold_session::{Change, Command, Done, Overrides, Report, Request, Update};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::approvals::Approver;
use crate::args::{ExecArgs, RulesArgs};
use crate::progress::Progress;
use crate::signals::{self, Press, Stops};
use crate::voice::{Voice, say};
use crate::{DONE, FAILED, INTERRUPTED, Problem, input, timeline};

/// Runs the command.
pub(crate) fn run(args: ExecArgs) -> Result<ExitCode, Problem> {
    let ExecArgs { file, format, workspace, max_parallel, rules, shown } = args;
    let RulesArgs { allow, deny, yes } = rules;
    let request = Request {
        reply: input::read(&file)?,
        format: (format != "auto").then_some(format),
        workspace,
        overrides: Overrides { max_parallel_tools: max_parallel },
        allow,
        deny,
        yes,
        records: shown.records,
        ..Request::default()
    };
    let report = shown.report.as_deref().map(ReportFile::open).transpose()?;
    // One thread: calls wait for processes and files, and a wake-up across threads costs more than it brings.
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Problem::work)?;
    let code = runtime.block_on(async {
        let (done, stops) = watch(request).await?;
        let failed = shown.strict && !done.all_ok();
        // Whoever takes the results may never do so: that must not make a stop wait.
        let shown = spawn_blocking(move || show(&done, shown.timeline, report));
        tokio::select! {
            shown = shown => shown.map_err(Problem::work)??,
            () = stops.too_late() => return Ok(INTERRUPTED),
        }
        Ok(match (stops.any(), failed) {
            (true, _) => INTERRUPTED,
            (false, true) => FAILED,
            (false, false) => DONE,
        })
    });
    // A blocking read that never returns must not keep the program alive.
    runtime.shutdown_background();
    code.map(ExitCode::from)
}

/// Runs the request with progress on stderr; gives also what is known of stops.
async fn watch(mut request: Request) -> Result<(Done, Arc<Stops>), Problem> {
    let (sender, commands) = mpsc::channel(4);
    let voice = Voice::to_stderr();
    let (mut progress, rows) = (Progress::new(voice.clone()), voice.stillness());
    let stops = signals::forward(sender.clone(), command, move |text| voice.say(text));
    let stops = stops.map_err(Problem::work)?;
    let questions =
        Approver::at_terminal().map(|approver| approver.ask(rows, sender, Command::Answer));
    request.asks = questions.is_some();
    let tell = |Update { call, change, at_ms: _ }: Update| {
        if let (Change::Asking { why }, Some(questions)) = (&change, &questions) {
            questions.put(call, progress.question_of(call, why));
        }
        progress.update(call, change);
    };
    let done = fanfold_session::exec(request, commands, tell).await;
    progress.finish();
    Ok((done.map_err(Problem::input)?, stops))
}

const fn command(press: Press) -> Command {
    match press {
        Press::Stop => Command::Stop,
        Press::Kill => Command::Kill,
    }
}

fn show(done: &Done, timeline: bool, report: Option<ReportFile>) -> Result<(), Problem> {
    for notice in &done.notices {
        say(&format!("fanfold: {notice}"));
    }
    if timeline {
        say(&timeline::draw(&done.report));
    }
    // The results first: they cannot be had again, whatever becomes of the report.
    let printed = print(&done.results);
    let reported = report.map_or(Ok(()), |file| file.write(&done.report));
    printed.and(reported.map_err(|error| {
        Problem::work(format!("the calls ran, but the report could not be written: {error}"))
    }))
}

/// The file of the report: opened before anything runs, so that a bad path costs nothing.
///
/// Its old content stands until there is a new one; a file that was made in vain is removed.
#[derive(Debug)]
struct ReportFile {
    file: File,
    in_vain: Option<PathBuf>,
}

impl ReportFile {
    fn open(path: &Path) -> Result<Self, Problem> {
        let mut options = OpenOptions::new();
        options.write(true);
        let made = options.clone().create_new(true).open(path);
        let opened = match made {
            Ok(file) => Ok(Self { file, in_vain: Some(path.to_owned()) }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                // A link may lead to a file that is yet to be made.
                let file = options.create(true).truncate(false).open(path);
                file.map(|file| Self { file, in_vain: None })
            }
            Err(error) => Err(error),
        };
        opened.map_err(|error| Problem::input(format!("cannot write {}: {error}", path.display())))
    }

    fn write(mut self, report: &Report) -> io::Result<()> {
        self.in_vain = None;
        // Pipes and devices have no old content.
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        serde_json::to_writer_pretty(&mut self.file, report)?;
        self.file.write_all(b"\n")
    }
}

impl Drop for ReportFile {
    fn drop(&mut self) {
        if let Some(path) = self.in_vain.take() {
            std::fs::remove_file(path).ok();
        }
    }
}

/// Prints to stdout, and says so when that fails.
pub(crate) fn print(text: &str) -> Result<(), Problem> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    written.map_err(|error| Problem::work(format!("cannot write to standard output: {error}")))
}

/// Prints JSON to stdout, for programs and people.
pub(crate) fn print_json(value: serde_json::Result<serde_json::Value>) -> Result<(), Problem> {
    print(&format!("{:#}", value.map_err(Problem::work)?))
}
