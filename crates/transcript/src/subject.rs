//! What permission patterns look at beside the paths a call touches: the commands of a shell line.
//!
//! Not here: how a line is read (`fanfold-tools`) and what is permitted (`fanfold-agent`).

/// What a permission pattern of the form `Tool(pattern)` is held against.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// Nothing but the paths of the call's footprint.
    #[default]
    Opaque,
    /// The shell line that the call runs.
    Line(Line),
}

/// A shell line, as far as it can be read without running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// All that it may run or change, in no particular order.
    ///
    /// Invariant: whatever a run of the line can start is among them, whether or not it is reached.
    Commands(Vec<Command>),
    /// Nobody can tell what it runs.
    Unparsable,
}

/// One thing that a shell line may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Runs a program, a builtin or a function: its name and its arguments.
    Run(Vec<Word>),
    /// Changes something that no words of a command show: writes a file by a redirection, or sets a
    /// variable that decides what other commands do. The part of the line, as written.
    Change(Box<str>),
}

/// A word of a command, quotes removed; `None` where the shell computes it, to none, one or several
/// words. Variables, substitutions, globs, braces and `~` are computed.
pub type Word = Option<Box<str>>;
