//! The records of calls: a folder for each, with `input.json`, `stdout`, `stderr` and `output.json`.
//!
//! The input is there before the call starts, the streams grow while it runs, the output comes at
//! every ending. JSON files are written under a temporary name and renamed, so that there is never
//! half of one. They are safe when Fanfold dies; whether they survive the machine is up to its file
//! system, since nothing waits for the disk. Not here: how one stream is kept (`stream.rs`).

mod json;
mod steps;
mod stream;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fanfold_transcript::{
    AgentId, CallId, Millis, Outcome, RecordHandle, Recorded, StepId, Stream,
};

use crate::files;
use crate::sessions::SessionFolder;
use steps::Steps;
use stream::{StreamFile, StreamSize};

const INPUT: &str = "input.json";
const OUTPUT: &str = "output.json";

/// A folder of records, or those of a session. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Records {
    /// Where new records go.
    folder: Arc<Path>,
    step: Option<Step>,
    stream_bytes_max: u64,
}

/// A step of a session.
#[derive(Clone, Debug)]
struct Step {
    steps: Steps,
    agent: AgentId,
    step: StepId,
}

/// A folder that cannot hold records.
#[derive(Debug, thiserror::Error)]
#[error("cannot keep records in {folder}: {source}")]
pub struct RecordsError {
    folder: PathBuf,
    source: io::Error,
}

/// What is known of a call before it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The call.
    pub call: CallId,
    /// The provider's id for it.
    pub wire_id: Option<Box<str>>,
    /// The tool, as the model wrote it.
    pub tool: Box<str>,
    /// The arguments, as the model wrote them.
    pub arguments: Box<str>,
}

/// When a call ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When it started; `None` when it never did.
    pub started: Option<Millis>,
    /// When it got its outcome.
    pub ended: Millis,
}

/// What is known of a call at its end.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// Its outcome, before anything is cut for the model.
    pub outcome: &'a Outcome,
    /// When it ran.
    pub span: Span,
}

/// What a record holds in the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The streams that have bytes.
    pub streams: Vec<Recorded>,
    /// Why the record is incomplete, if the disk made it so.
    pub problem: Option<String>,
}

impl Records {
    /// The records in `folder`, which is made if need be. Of a stream longer than `stream_bytes_max`
    /// bytes the first and the last half of that many are kept.
    ///
    /// # Errors
    /// When the folder cannot be made or is none.
    pub fn open(folder: &Path, stream_bytes_max: u64) -> Result<Self, RecordsError> {
        let made = files::folders(folder).and_then(|()| folder.canonicalize());
        match made {
            Ok(folder) => Ok(Self { folder: folder.into(), step: None, stream_bytes_max }),
            Err(source) => Err(RecordsError { folder: folder.to_owned(), source }),
        }
    }

    /// The records of a session, to which a step of an agent adds its own. Those of every other step
    /// can be read, also after a restart. The step's folder is made with its first record.
    #[must_use]
    pub fn in_session(
        session: &SessionFolder,
        agent: AgentId,
        step: StepId,
        stream_bytes_max: u64,
    ) -> Self {
        let steps = Steps::of(session);
        let folder = steps.folder(agent, step);
        Self { folder, step: Some(Step { steps, agent, step }), stream_bytes_max }
    }

    /// The same records, to which another step adds. Without a session there are no steps, and it is
    /// just the same.
    #[must_use]
    pub fn at_step(&self, agent: AgentId, step: StepId) -> Self {
        let mut there = self.clone();
        if let Some(at) = &mut there.step {
            (at.agent, at.step) = (agent, step);
            there.folder = at.steps.folder(agent, step);
        }
        there
    }

    /// Begins the record of a call that starts now: its input is written, its streams are empty. A
    /// record of this name from before is replaced.
    #[must_use]
    pub fn begin(&self, input: &Input) -> CallRecord {
        let mut record = self.never_ran(input);
        let open = Arc::get_mut(&mut record.open).expect("nobody else has it yet");
        let open = open.get_mut().unwrap_or_else(PoisonError::into_inner);
        for stream in &mut open.streams {
            // Where there is not even a folder, this would only fail for the same reason.
            if open.problem.is_none() {
                open.problem = stream.create().err();
            }
        }
        record
    }

    /// Begins the record of a call that never started: it has no streams.
    #[must_use]
    pub fn never_ran(&self, input: &Input) -> CallRecord {
        // Its text is letters, digits and dashes: it names no other folder.
        let folder = self.folder.join(input.call.to_string());
        let made = self.step.as_ref().map_or(Ok(()), |at| {
            at.steps.note(input.call, &self.folder);
            at.steps.make(at.agent, at.step)
        });
        let written = made
            .and_then(|()| files::fresh_folder(&folder))
            .and_then(|()| files::replace(&folder, INPUT, &json::input(input)));
        let streams =
            Stream::ALL.map(|stream| StreamFile::new(&folder, stream, self.stream_bytes_max));
        let open = Open { streams, problem: written.err(), is_over: false };
        CallRecord { call: input.call, folder, open: Arc::new(Mutex::new(open)) }
    }

    /// Reads what is recorded of a stream; while its call runs, as far as it has come. Where the
    /// middle was not kept, a line of its own says so.
    ///
    /// # Errors
    /// When there is no such record, or those of the system.
    pub fn read(&self, handle: RecordHandle) -> io::Result<Box<dyn Read + Send>> {
        let folder = match &self.step {
            Some(at) => at.steps.find(handle.call).ok_or(io::ErrorKind::NotFound)?,
            None => Arc::clone(&self.folder),
        };
        let folder = folder.join(handle.call.to_string());
        let file = files::open(&folder, handle.stream.as_str())?;
        let size = match files::open(&folder, OUTPUT) {
            Ok(output) => json::size_of(output, handle.stream)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(match size.filter(|size| size.left_out() > 0) {
            Some(size) => with_gap(file, size),
            None => Box::new(file),
        })
    }
}

/// Head, a line about the gap, tail.
fn with_gap(file: File, size: StreamSize) -> Box<dyn Read + Send> {
    let StreamSize { bytes, head_bytes, .. } = size;
    let line = format!("\n[{} bytes left out here, of {bytes}: not recorded]\n", size.left_out());
    let tail = file.try_clone();
    let head = file.take(head_bytes).chain(io::Cursor::new(line));
    match tail {
        // Both share one position: the tail goes on where the head ended.
        Ok(tail) => Box::new(head.chain(tail)),
        Err(_) => Box::new(head),
    }
}

/// The record of one call. Clones write to the same record.
#[derive(Clone, Debug)]
pub struct CallRecord {
    call: CallId,
    folder: PathBuf,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug)]
struct Open {
    streams: [StreamFile; 2],
    /// The first thing that went wrong.
    problem: Option<io::Error>,
    is_over: bool,
}

impl CallRecord {
    /// Adds bytes to a stream. What the disk does not take is not kept, and [`CallRecord::end`] says
    /// so. Once the record is ended nothing is added.
    pub fn write(&self, stream: Stream, bytes: &[u8]) {
        let mut open = self.lock();
        if !open.is_over
            && let Err(error) = open.of(stream).write(bytes)
        {
            open.problem.get_or_insert(error);
        }
    }

    /// How a result names the stream; `None` while it is empty.
    #[must_use]
    pub fn recorded(&self, stream: Stream) -> Option<Recorded> {
        self.lock().of(stream).is_whole().map(|is_whole| {
            let handle = RecordHandle { call: self.call, stream };
            Recorded { handle, is_whole }
        })
    }

    /// Ends the record and writes its output. A second ending changes nothing.
    pub fn end(&self, output: &Output<'_>) -> Ended {
        let mut open = self.lock();
        if !open.is_over {
            open.is_over = true;
            for at in 0..open.streams.len() {
                if let Err(error) = open.streams[at].finish() {
                    open.problem.get_or_insert(error);
                }
            }
            let problem = open.problem.as_ref().map(io::Error::to_string);
            let sizes = [open.streams[0].size(), open.streams[1].size()];
            let text = json::output(output, sizes, problem.as_deref());
            if let Err(error) = files::replace(&self.folder, OUTPUT, &text) {
                open.problem.get_or_insert(error);
            }
        }
        let problem = open.problem.as_ref().map(io::Error::to_string);
        drop(open);
        let streams = Stream::ALL.into_iter().filter_map(|stream| self.recorded(stream));
        Ended { streams: streams.collect(), problem }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        // Each write leaves the counts consistent, so a panic elsewhere spoils nothing.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    const fn of(&mut self, stream: Stream) -> &mut StreamFile {
        match stream {
            Stream::Stdout => &mut self.streams[0],
            Stream::Stderr => &mut self.streams[1],
        }
    }
}
