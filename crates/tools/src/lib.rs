//! The tool trait and the built-in tools.
//!
//! A tool is a definition, a way to read its arguments once, a footprint computed from them, and a
//! run. Deliberately not here: whether a call may run (`fanfold-agent`), when (`fanfold-schedule`),
//! and the task that runs it (`fanfold-engine`).

mod capture;
mod command_tool;
mod place;
mod read_state;
mod stop;
mod tool;
mod toolbox;

mod edit_file;
mod find_and_edit;
mod form;
mod format_file;
mod glob;
mod grep;
mod ls;
mod process;
mod quote;
mod read_file;
mod response;
mod schema;
mod shell;
mod wait;
mod write_file;

pub use capture::{Captured, CopyTo, Limits, ReadRecords, Sink, Stream};
pub use command_tool::{CommandSpec, CommandTool};
pub use edit_file::EditFile;
pub use find_and_edit::FindAndEdit;
pub use form::{BadForm, Form};
pub use format_file::FormatFile;
pub use glob::Glob;
pub use grep::Grep;
pub use ls::Ls;
pub use place::{BadFolder, OutsideRoots, Place};
pub use process::{Children, Mark, Sweep, WatchProcesses, become_subreaper};
pub use read_file::ReadFile;
pub use read_state::{ReadState, Sight};
pub use response::Response;
pub use schema::Schema;
pub use shell::Shell;
pub use stop::{StopCause, StopHandle, StopSignal};
pub use tool::{
    BadArguments, Definition, Effect, Kind, Prepared, Run, Running, Tool, Typed, TypedTool,
};
pub use toolbox::Toolbox;
pub use wait::Wait;
pub use write_file::WriteFile;
