//! How a call ended: one status, one reason, bounded content.
//!
//! The status follows from the [`Ending`], so a status and a reason that contradict each other
//! cannot be written down. Not here: how an outcome is rendered for a provider (`fanfold-wire`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::content::Content;

/// The status of a settled call. The set is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Ran and succeeded.
    Ok,
    /// Ran and says no, or panicked.
    Failed,
    /// Never ran: refused by the gate, or its arguments were bad or cut.
    Declined,
    /// Its cancellation was asked for by id.
    Cancelled,
    /// Ran into its deadline.
    TimedOut,
    /// A stop or a crash met it while running.
    Interrupted,
    /// Never started: a stop, or an abort of its envelope.
    Skipped,
}

impl Status {
    /// The word used in records, reports and events.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::Interrupted => "interrupted",
            Self::Skipped => "skipped",
        }
    }

    /// Whether the call may have had an effect: it ran, or may have.
    #[must_use]
    pub const fn may_have_run(self) -> bool {
        match self {
            Self::Ok | Self::Failed | Self::Cancelled | Self::TimedOut | Self::Interrupted => true,
            Self::Declined | Self::Skipped => false,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no reason, or no reason of that status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown reason {0:?}")]
pub struct UnknownReason(pub String);

macro_rules! reasons {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant,)+ }

        impl $name {
            /// The word used in records, reports and events.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl FromStr for $name {
            type Err = UnknownReason;

            fn from_str(word: &str) -> Result<Self, UnknownReason> {
                match word { $($word => Ok(Self::$variant),)+ _ => Err(UnknownReason(word.to_owned())) }
            }
        }
    };
}

reasons! {
    /// Why a call that ran did not succeed.
    Failure {
        /// The tool reports that it could not do it; its text says why.
        ToolError = "tool_error",
        /// A process ended with a code other than 0: data the model reads.
        ExitCode = "exit_code",
        /// The tool panicked. Never a shutdown, never a cancellation.
        Panicked = "panicked",
    }
}

reasons! {
    /// Why a call never ran.
    Decline {
        /// No tool of that name.
        UnknownTool = "unknown_tool",
        /// The tool exists, but not for this agent.
        NotGranted = "not_granted",
        /// A permission rule denies it.
        DeniedByRule = "denied_by_rule",
        /// The user said no.
        DeniedByUser = "denied_by_user",
        /// It needs an approval and there is nobody to ask.
        NobodyToAsk = "nobody_to_ask",
        /// The arguments do not fit the tool's schema, or are not readable.
        BadArguments = "bad_arguments",
        /// The arguments were cut by the output limit or by the end of the stream.
        CutArguments = "cut_arguments",
        /// The arguments could be read only by guessing, and the tool does more than read.
        RepairedGuess = "repaired_guess",
        /// The tool is not available in this place, such as a background job without a session.
        NotHere = "not_here",
    }
}

reasons! {
    /// What met a running call.
    Interruption {
        /// A stop, by the user or by an ancestor.
        Stopped = "stopped",
        /// The harness itself died; the effect is unknown.
        Crashed = "crashed",
    }
}

reasons! {
    /// Why a call was never started.
    Skip {
        /// A stop came first.
        Stopped = "stopped",
        /// The harness itself died first.
        Crashed = "crashed",
        /// Its envelope was aborted by an earlier entry.
        Aborted = "aborted",
    }
}

/// How a call ended, with the reason that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "status", content = "reason", rename_all = "snake_case")]
pub enum Ending {
    /// It succeeded.
    Ok,
    /// It ran and did not succeed.
    Failed(Failure),
    /// It never ran.
    Declined(Decline),
    /// It was cancelled by id.
    Cancelled,
    /// It met its deadline.
    TimedOut,
    /// It was running when something else ended it.
    Interrupted(Interruption),
    /// It was never started.
    Skipped(Skip),
}

impl Ending {
    /// The status.
    #[must_use]
    pub const fn status(self) -> Status {
        match self {
            Self::Ok => Status::Ok,
            Self::Failed(_) => Status::Failed,
            Self::Declined(_) => Status::Declined,
            Self::Cancelled => Status::Cancelled,
            Self::TimedOut => Status::TimedOut,
            Self::Interrupted(_) => Status::Interrupted,
            Self::Skipped(_) => Status::Skipped,
        }
    }

    /// The word of the closed set of reasons; `None` for `ok`.
    #[must_use]
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Self::Ok => None,
            Self::Failed(reason) => Some(reason.as_str()),
            Self::Declined(reason) => Some(reason.as_str()),
            Self::Cancelled => Some("cancelled"),
            Self::TimedOut => Some("deadline"),
            Self::Interrupted(reason) => Some(reason.as_str()),
            Self::Skipped(reason) => Some(reason.as_str()),
        }
    }
}

/// What was left out of the content of an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Bytes that the call produced in all.
    pub bytes: u64,
    /// Lines that the call produced in all.
    pub lines: u64,
}

/// The one result of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    #[serde(flatten)]
    pub ending: Ending,
    /// What the model reads: bounded when it is made.
    pub content: Vec<Content>,
    /// The exit code of a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Bytes the call produced, before any cut.
    pub bytes: u64,
    /// What was cut from the content, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

impl Outcome {
    /// An outcome of one text; `bytes` is the length of the text.
    #[must_use]
    pub fn of_text(ending: Ending, text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        Self { ending, content: vec![Content::Text(text)], exit_code: None, bytes, cut: None }
    }

    /// A success with one text.
    #[must_use]
    pub fn ok_text(text: impl Into<Box<str>>) -> Self {
        Self::of_text(Ending::Ok, text)
    }

    /// A failure that the tool itself reports.
    #[must_use]
    pub fn tool_error(text: impl Into<Box<str>>) -> Self {
        Self::of_text(Ending::Failed(Failure::ToolError), text)
    }

    /// A call that never ran.
    #[must_use]
    pub fn declined(reason: Decline, text: impl Into<Box<str>>) -> Self {
        Self::of_text(Ending::Declined(reason), text)
    }

    /// The status.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.ending.status()
    }

    /// Whether the status is `ok`.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.ending == Ending::Ok
    }

    /// All text of the content, pieces joined by a newline.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.content.iter().filter_map(Content::as_text).collect();
        texts.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_and_reason_agree_by_construction() {
        let table = [
            (Ending::Ok, "ok", None),
            (Ending::Failed(Failure::Panicked), "failed", Some("panicked")),
            (Ending::Declined(Decline::CutArguments), "declined", Some("cut_arguments")),
            (Ending::Cancelled, "cancelled", Some("cancelled")),
            (Ending::TimedOut, "timed_out", Some("deadline")),
            (Ending::Interrupted(Interruption::Crashed), "interrupted", Some("crashed")),
            (Ending::Skipped(Skip::Aborted), "skipped", Some("aborted")),
        ];
        for (ending, status, reason) in table {
            assert_eq!((ending.status().as_str(), ending.reason()), (status, reason));
        }
        assert_eq!("unknown_tool".parse(), Ok(Decline::UnknownTool));
        assert!("panicked".parse::<Decline>().is_err());
    }
}
