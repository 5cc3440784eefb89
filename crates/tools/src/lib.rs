//! The tool trait and the built-in tools.
//!
//! A tool is a definition, a way to read its arguments once, a footprint computed from them, and a
//! run. Deliberately not here: whether a call may run (`fanfold-agent`), when (`fanfold-schedule`),
//! and the task that runs it (`fanfold-engine`).

mod capture;
mod place;
mod stop;
mod tool;
mod toolbox;

mod glob;
mod grep;
mod ls;
mod process;
mod read_file;
mod shell;
mod wait;

pub use capture::{Captured, Limits, Sink, Stream};
pub use glob::Glob;
pub use grep::Grep;
pub use ls::Ls;
pub use place::{OutsideRoots, Place};
pub use process::{Mark, Sweep, become_subreaper};
pub use read_file::ReadFile;
pub use shell::Shell;
pub use stop::{StopCause, StopHandle, StopSignal};
pub use tool::{
    BadArguments, Definition, Effect, Kind, Prepared, Run, Running, Tool, Typed, TypedTool,
};
pub use toolbox::Toolbox;
pub use wait::Wait;
