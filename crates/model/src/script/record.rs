//! Writes down what a model sends, as a script that answers the same.
//!
//! Requests are not written down, only how many replies they held: they may hold secrets. Not here:
//! playing it (`play.rs`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use fanfold_transcript::Wire;
use fanfold_wire::{Fault, FaultKind};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::refusal;
use super::request::replies_in;
use crate::hearing::{Tap, Witness};
use crate::model::Ask;

/// Records into a file. It is the [`Tap`] of a model; the file is replaced whole after each reply,
/// so that a crash loses no reply that had ended.
#[derive(Debug)]
pub struct Recorder {
    recording: Arc<Recording>,
}

impl Recorder {
    /// Begins a recording of this wire with an empty script.
    ///
    /// # Errors
    /// When the file cannot be written, or what is there is no file: it would be replaced.
    pub fn create(path: &Path, wire: Wire) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::other("it is there, and no regular file"));
        }
        let recording = Recording { path: path.to_owned(), wire, written: Mutex::default() };
        recording.save(&[])?;
        Ok(Self { recording: Arc::new(recording) })
    }

    /// Why the last reply could not be written, if so. The next reply tries again.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.recording.written.lock().unwrap_or_else(PoisonError::into_inner).trouble.clone()
    }
}

impl Tap for Recorder {
    fn asked(&self, ask: &Ask) -> Box<dyn Witness> {
        Box::new(Taker {
            recording: Arc::clone(&self.recording),
            place: self.recording.reserve(),
            asked: Instant::now(),
            replies: replies_in(self.recording.wire, &ask.body),
            chunks: Vec::new(),
            torn: Vec::new(),
            ended: false,
        })
    }
}

#[derive(Debug)]
struct Recording {
    path: PathBuf,
    wire: Wire,
    written: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
    /// In the order asked; `None` while a reply still comes.
    replies: Vec<Option<String>>,
    trouble: Option<String>,
}

impl Recording {
    /// The place of the next reply.
    fn reserve(&self) -> usize {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.replies.push(None);
        written.replies.len() - 1
    }

    fn put(&self, place: usize, reply: &Value) {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = written.replies.get_mut(place) {
            *slot = Some(reply.to_string());
        }
        let saved = self.save(&written.replies);
        written.trouble =
            saved.err().map(|error| format!("cannot write {}: {error}", self.path.display()));
    }

    fn save(&self, replies: &[Option<String>]) -> io::Result<()> {
        let replies: Vec<&str> = replies.iter().flatten().map(String::as_str).collect();
        let text = format!(
            "{{\"wire\": \"{}\", \"replies\": [\n{}\n]}}\n",
            self.wire,
            replies.join(",\n")
        );
        let mut partial = self.path.clone().into_os_string();
        partial.push(".part");
        fs::write(&partial, text)?;
        fs::rename(&partial, &self.path)
    }
}

/// Takes down one reply.
#[derive(Debug)]
struct Taker {
    recording: Arc<Recording>,
    place: usize,
    asked: Instant,
    replies: usize,
    chunks: Vec<Value>,
    /// The beginning of a character that is not complete yet.
    torn: Vec<u8>,
    ended: bool,
}

impl Taker {
    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.asked.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn write(&mut self, reply: Value) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let mut fields = Map::new();
        fields.insert("when".to_owned(), json!({"replies": self.replies}));
        if let Value::Object(reply) = reply {
            fields.extend(reply);
        }
        self.recording.put(self.place, &Value::Object(fields));
    }

    fn write_bytes(&mut self, broken: bool) {
        if !self.torn.is_empty() {
            let torn = std::mem::take(&mut self.torn);
            self.push(&String::from_utf8_lossy(&torn));
        }
        let chunks = std::mem::take(&mut self.chunks);
        self.write(json!({"raw": chunks, "broken": broken}));
    }

    fn push(&mut self, text: &str) {
        if !text.is_empty() {
            self.chunks.push(json!({"at_ms": self.elapsed_ms(), "bytes": text}));
        }
    }
}

impl Witness for Taker {
    fn bytes(&mut self, bytes: &[u8]) {
        self.torn.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.torn) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Ok(_) | Err(_) => self.torn.len(),
        };
        let rest = self.torn.split_off(whole);
        let text = std::mem::replace(&mut self.torn, rest);
        self.push(&String::from_utf8_lossy(&text));
    }

    fn refused(&mut self, status: u16, body: &[u8], fault: &Fault) {
        let mut refusal = Map::new();
        let mut set = |key: &str, value: Option<Value>| {
            refusal.extend(value.map(|value| (key.to_owned(), value)));
        };
        set("status", Some(json!(status)));
        set("retry_after_s", fault.retry_after_ms.map(|ms| json!(ms.div_ceil(1000))));
        let (code, message) = refusal::read_body(body);
        set("code", code.map(Value::from));
        // A message about a key may quote it.
        let message = message.filter(|_| fault.kind != FaultKind::Auth);
        set("message", message.map(Value::from));
        self.write(json!({"faults": [refusal]}));
    }

    fn ended(&mut self, fault: Option<&Fault>) {
        let silent = self.chunks.is_empty() && self.torn.is_empty();
        match fault {
            Some(fault) if silent && fault.kind == FaultKind::Timeout => {
                let ms = self.elapsed_ms();
                self.write(json!({"faults": [{"silent_ms": ms}]}));
            }
            // Such as a redirect: asking again does not help.
            Some(fault) if silent && !fault.kind.is_passing() => {
                self.write(json!({"faults": [{"status": 400, "message": fault.said}]}));
            }
            Some(_) => self.write_bytes(true),
            None => self.write_bytes(false),
        }
    }
}

impl Drop for Taker {
    /// Nobody wanted the rest: what came is a reply that broke off.
    fn drop(&mut self) {
        self.write_bytes(true);
    }
}
