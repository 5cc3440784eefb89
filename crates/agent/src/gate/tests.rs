//! The gate over made-up calls: which rule wins, and what a refusal says.

use fanfold_schedule::{Claim, Resource};
use fanfold_transcript::{CallId, Command, Line, Word};

use super::*;

fn rules(texts: &[&str]) -> Vec<Rule> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn gate(allow: &[&str], ask: &[&str], deny: &[&str]) -> Gate {
    let permissions = Permissions {
        allow: rules(allow),
        ask: rules(ask),
        deny: rules(deny),
        allow_the_rest: false,
    };
    let tools = [("ReadFile", true), ("WriteFile", false), ("Shell", false), ("parallel", false)];
    let folders = Folders { workspace: Some("/w".into()), home: None };
    Gate::new(permissions, tools.map(|(name, reads)| (name.into(), reads))).within(folders)
}

fn yes(mut gate: Gate) -> Gate {
    gate.permissions.allow_the_rest = true;
    gate
}

/// What a call does, from a text: for Shell commands between `;`, `>` a change, `$` a computed word
/// and `?` an unparsable line; for the rest paths.
fn fit(tool: &str, text: &str) -> Fit {
    let word = |word: &str| -> Word { (word != "$").then(|| word.into()) };
    let command = |text: &str| match text.trim() {
        ">" => Command::Change("> out".into()),
        words => Command::Run(words.split_whitespace().map(word).collect()),
    };
    let role = if tool == "parallel" { Role::Coordinator } else { Role::Leaf };
    let mut footprint = Footprint::independent();
    let subject = match (tool, text) {
        ("Shell", "?") => Subject::Line(Line::Unparsable),
        ("Shell", line) => Subject::Line(Line::Commands(line.split(';').map(command).collect())),
        (_, paths) => {
            for path in paths.split_whitespace() {
                footprint = footprint.with(Claim::write(Resource::Path(path.into())));
            }
            Subject::Opaque
        }
    };
    Fit::Fits { role, footprint, subject }
}

fn verdict(gate: &Gate, tool: &str, text: &str) -> String {
    let call = Call::new(CallId::new(1), tool, Arguments::none());
    match gate.judge(&call, fit(tool, text)) {
        Verdict::Allow { .. } => "allow".to_owned(),
        Verdict::Ask { question, .. } => match question.always() {
            Some(rule) => format!("ask, {rule}"),
            None => "ask by rule".to_owned(),
        },
        Verdict::Decline(outcome) => outcome.ending.reason().unwrap().to_owned(),
    }
}

fn refused(gate: &Gate, tool: &str, arguments: Arguments, fit: Fit) -> (&'static str, String) {
    let call = Call::new(CallId::new(1), tool, arguments);
    match gate.judge(&call, fit) {
        Verdict::Allow { .. } => panic!("allowed"),
        Verdict::Ask { question, .. } => {
            let outcome = question.unanswered();
            (outcome.ending.reason().unwrap(), outcome.text())
        }
        Verdict::Decline(outcome) => (outcome.ending.reason().unwrap(), outcome.text()),
    }
}

#[test]
fn without_a_rule_reading_and_coordinating_is_allowed() {
    let gate = gate(&[], &[], &[]);
    assert_eq!(verdict(&gate, "ReadFile", "/w/a"), "allow");
    assert_eq!(verdict(&gate, "parallel", ""), "allow");
    assert_eq!(verdict(&gate, "WriteFile", "/w/a"), "ask, WriteFile");
    assert_eq!(verdict(&gate, "Shell", "ls"), "ask, Shell(ls)");
    assert_eq!(verdict(&yes(gate.clone()), "Shell", "ls"), "allow");
    assert_eq!(verdict(&yes(gate), "Nope", ""), "unknown_tool");
}

#[test]
fn response_is_allowed_where_it_is_and_known_where_it_is_not() {
    let none = gate(&["response"], &[], &[]);
    let (reason, text) = refused(&none, "response", Arguments::none(), Fit::UnknownTool);
    let expected = "response was not run: it ends an agent's turn, and no agent runs here.";
    assert_eq!((reason, &*text), ("not_here", expected));
    assert_eq!(verdict(&none, "Response", ""), "unknown_tool");
    let agent = Gate::new(Permissions::default(), [("response".into(), true)]);
    assert_eq!(verdict(&agent, "response", ""), "allow");
}

#[test]
fn an_allow_needs_all_and_a_deny_any() {
    let gate = gate(
        &["Shell(git status)", "Shell(cargo *)", "WriteFile(src/**)", "WriteFile(*.md)"],
        &["Shell(cargo publish *)", "ReadFile(*.env)"],
        &["Shell(rm *)", "WriteFile(src/gen/**)", "ReadFile(//etc/**)"],
    );
    let table = [
        ("Shell", "git status", "allow"),
        ("Shell", "git status; cargo test -p $", "allow"),
        ("Shell", "git status; make", "ask, Shell(make)"),
        ("Shell", "git status -s", "ask, Shell(git status -s)"),
        ("Shell", "git status; >", "ask, Shell"),
        ("Shell", "git $", "ask, Shell"),
        ("Shell", "git status; rm a", "denied_by_rule"),
        ("Shell", "git status; /bin/rm a", "denied_by_rule"),
        ("Shell", "$ a", "denied_by_rule"),
        ("Shell", "?", "denied_by_rule"),
        ("Shell", "cargo publish", "ask by rule"),
        ("Shell", "cargo $", "ask by rule"),
        ("WriteFile", "/w/src/a.rs", "allow"),
        ("WriteFile", "/w/src/a.rs /w/README.md", "allow"),
        ("WriteFile", "/w/src/a.rs /w/x", "ask, WriteFile"),
        ("WriteFile", "/w/README.md /w/src/gen/a", "denied_by_rule"),
        ("WriteFile", "", "denied_by_rule"),
        ("ReadFile", "/w/a", "allow"),
        ("ReadFile", "/w/a.env", "ask by rule"),
        ("ReadFile", "/etc/passwd", "denied_by_rule"),
        ("ReadFile", "", "denied_by_rule"),
    ];
    for (tool, text, expected) in table {
        assert_eq!(verdict(&gate, tool, text), expected, "{tool} {text}");
        let with_yes = if expected.starts_with("ask, ") { "allow" } else { expected };
        assert_eq!(verdict(&yes(gate.clone()), tool, text), with_yes, "{tool} {text}, --yes");
    }
}

#[test]
fn what_nobody_can_tell_is_allowed_by_no_pattern() {
    let star = gate(&["Shell(*)", "WriteFile(**)"], &[], &[]);
    assert_eq!(verdict(&star, "Shell", "rm a; $ x"), "ask, Shell");
    assert_eq!(verdict(&star, "Shell", "rm a; b $"), "allow");
    assert_eq!(verdict(&star, "Shell", "?"), "ask, Shell");
    assert_eq!(verdict(&star, "WriteFile", ""), "ask, WriteFile");
    let bare = gate(&["Shell"], &["Shell(git push *)"], &[]);
    assert_eq!(verdict(&bare, "Shell", "rm a; >"), "allow");
    assert_eq!(verdict(&bare, "Shell", "?"), "ask by rule");
}

#[test]
fn each_refusal_says_what_is_wrong() {
    let strict = gate(&[], &["Shell(git push *)"], &["ReadFile", "Shell(rm *)"]);
    let fine = || fit("Shell", "ls");
    assert_eq!(refused(&strict, "ReadFile", Arguments::Cut, fine()).0, "cut_arguments");
    assert_eq!(refused(&strict, "Nope", Arguments::Cut, fine()).0, "cut_arguments");
    let unreadable = || Arguments::Unreadable(ArgumentsProblem::NotAnObject("an array".into()));
    assert_eq!(refused(&strict, "ReadFile", unreadable(), fine()).0, "denied_by_rule");
    assert_eq!(refused(&strict, "Shell", unreadable(), fine()).0, "bad_arguments");
    let bad = || Fit::BadArguments("`command` is missing".into());
    assert_eq!(refused(&strict, "Shell", Arguments::none(), bad()).0, "bad_arguments");

    let text = |line: &str| refused(&strict, "Shell", Arguments::none(), fit("Shell", line)).1;
    let flag = |text: &str| text.rsplit_once("--allow ").unwrap().1.to_owned();
    assert_eq!(flag(&text("git status; ls")), "'Shell(git status)'.");
    assert_eq!(flag(&text("echo it's *")), r#"'Shell(echo "it'\''s" "*")'."#);
    assert_eq!(flag(&text(&"a ".repeat(100))), "Shell.");
    assert_eq!(
        text("git push"),
        "Shell needs an approval by the ask rule Shell(git push *) and there is nobody to ask. \
         Only the user can change that."
    );
    assert_eq!(
        text("rm a"),
        "Shell is denied here by the permission rule Shell(rm *). Do not try it again."
    );
}

#[test]
fn the_suggested_rule_allows_the_call() {
    for line in ["git status", "echo it's * \" \\", "a; b c; d"] {
        let mut allow: Vec<String> = Vec::new();
        for _ in 0..4 {
            let texts: Vec<&str> = allow.iter().map(String::as_str).collect();
            match verdict(&gate(&texts, &[], &[]), "Shell", line).strip_prefix("ask, ") {
                Some(rule) => allow.push(rule.to_owned()),
                None => break,
            }
        }
        let texts: Vec<&str> = allow.iter().map(String::as_str).collect();
        assert_eq!(verdict(&gate(&texts, &[], &[]), "Shell", line), "allow", "{allow:?}");
        assert_eq!(allow.len(), line.split(';').count());
    }
}

#[test]
fn a_rule_about_no_tool_is_noticed() {
    let permissions = Permissions {
        allow: rules(&["Shel(git *)", "ReadFile"]),
        deny: rules(&["zzz"]),
        ..Permissions::default()
    };
    assert_eq!(
        permissions.check(["ReadFile", "Shell"]),
        [
            "the allow rule Shel(git *) does nothing: there is no tool \"Shel\". Did you mean: Shell",
            "the deny rule zzz does nothing: there is no tool \"zzz\". The tools are: ReadFile, Shell",
        ]
    );
}

#[test]
fn a_guess_runs_only_where_nothing_but_reading_can_come_of_it() {
    let permissions = Permissions { allow_the_rest: true, ..Permissions::default() };
    let gate = Gate::new(permissions, [("ReadFile".into(), true), ("Shell".into(), false)]);
    let judge = |tool: &str| {
        let problem = ArgumentsProblem::NotJson("a missing brace".into());
        let object = Map::from_iter([("command".to_owned(), Value::from("ls"))]);
        let call = Call::new(CallId::new(1), tool, Arguments::Guessed { object, problem });
        let footprint = Footprint::independent();
        let fit = Fit::Fits { role: Role::Leaf, footprint, subject: Subject::Opaque };
        gate.judge(&call, fit)
    };
    assert!(matches!(judge("ReadFile"), Verdict::Allow { .. }));
    let Verdict::Decline(outcome) = judge("Shell") else { panic!("a guess must not run") };
    assert_eq!(outcome.ending.reason(), Some("repaired_guess"));
    assert!(outcome.text().contains(r#"{"command":"ls"}"#), "{}", outcome.text());
}
