//! What a typed line means.
//!
//! Not here: what is done about it (`interactive.rs`).

use fanfold_session::Answer;

use crate::approvals::read_answer;

/// The commands, with what they do.
pub(super) const COMMANDS: [(&str, &str); 5] = [
    ("/help", "this list"),
    ("/model [NAME]", "the model; with a name, ask that one from the next request on"),
    ("/tools", "the tools there are"),
    ("/stop", "stop the turn, as Ctrl-C does"),
    ("/quit", "stop and leave, as Ctrl-D does"),
];

/// The meaning of a line. The set is closed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    /// For the agent.
    Message(String),
    /// A yes or no, to the question of this call if it names one.
    Answer {
        answer: Answer,
        call: Option<String>,
        line: String,
    },
    Help,
    Model(Option<String>),
    Tools,
    Stop,
    Quit,
    /// No command; perhaps this one was meant.
    Unknown {
        word: String,
        near: Option<&'static str>,
    },
}

impl Typed {
    pub(super) fn read(line: &str) -> Self {
        let line = line.trim();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Self::Nothing };
        let (second, third) = (words.next(), words.next());
        if let Some(answer) = read_answer(first).filter(|_| third.is_none()) {
            return Self::Answer { answer, call: second.map(str::to_owned), line: line.to_owned() };
        }
        // A path begins with a slash too, but has another.
        if !is_command(first) || line.contains('\n') {
            return Self::Message(line.to_owned());
        }
        match first {
            "/help" => Self::Help,
            "/model" => Self::Model(second.map(str::to_owned)),
            "/tools" => Self::Tools,
            "/stop" => Self::Stop,
            "/quit" | "/exit" => Self::Quit,
            _ => Self::Unknown { word: first.to_owned(), near: near(first) },
        }
    }

    /// Whether this is the line after which nothing is typed.
    pub(super) fn is_last(line: &str) -> bool {
        Self::read(line) == Self::Quit
    }
}

fn is_command(word: &str) -> bool {
    word.strip_prefix('/').is_some_and(|rest| !rest.contains('/'))
}

/// The command with the nearest name, if it is near.
fn near(word: &str) -> Option<&'static str> {
    let names = COMMANDS.map(|(name, _)| name.split(' ').next().unwrap_or(name));
    let distance = |name: &&'static str| strsim::damerau_levenshtein(word, name);
    names.into_iter().min_by_key(distance).filter(|name| distance(name) <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_they_say() {
        let message = |text: &str| Typed::Message(text.into());
        let answer = |answer, call: Option<&str>, line: &str| Typed::Answer {
            answer,
            call: call.map(Into::into),
            line: line.into(),
        };
        let unknown = |word: &str, near| Typed::Unknown { word: word.into(), near };
        let cases = [
            ("  ", Typed::Nothing),
            ("hello there", message("hello there")),
            ("y", answer(Answer::Allow, None, "y")),
            (" No c7 ", answer(Answer::Deny, Some("c7"), "No c7")),
            ("no, not that", message("no, not that")),
            ("yes please do", message("yes please do")),
            ("/help", Typed::Help),
            ("/model", Typed::Model(None)),
            ("/model a/b", Typed::Model(Some("a/b".into()))),
            ("/hlep", unknown("/hlep", Some("/help"))),
            ("/quti", unknown("/quti", Some("/quit"))),
            ("/zzzzzz", unknown("/zzzzzz", None)),
            ("/etc/passwd is what?", message("/etc/passwd is what?")),
            ("/help\nme", message("/help\nme")),
        ];
        for (line, typed) in cases {
            assert_eq!(Typed::read(line), typed, "{line:?}");
        }
        assert!(Typed::is_last("/quit ") && !Typed::is_last("quit"));
    }
}
