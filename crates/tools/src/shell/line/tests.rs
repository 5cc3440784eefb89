//! Lines and what they run.

use proptest::prelude::*;

use super::*;

/// The commands of a line as text, sorted: `$` is a computed word, `!` comes before a change.
fn shown(text: &str) -> String {
    let Line::Commands(commands) = read(text) else { return "unparsable".to_owned() };
    let word = |word: &Option<Box<str>>| match word.as_deref() {
        None => "$".to_owned(),
        Some(word) if word.is_empty() || word.contains([' ', '\n']) => format!("{word:?}"),
        Some(word) => word.to_owned(),
    };
    let command = |command: &Command| match command {
        Command::Run(words) => words.iter().map(word).collect::<Vec<_>>().join(" "),
        Command::Change(text) => format!("!{text}"),
    };
    let mut commands: Vec<String> = commands.iter().map(command).collect();
    commands.sort();
    commands.join(" | ")
}

fn check(table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (line, expected) in table {
        let shown = shown(line);
        if shown != *expected {
            wrong.push(format!("{line:?}\n  is       {shown}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_is_found_wherever_it_stands() {
    check(&[
        ("git status", "git status"),
        ("git status; rm x", "git status | rm x"),
        ("git status;rm x", "git status | rm x"),
        ("[[ a ]]&git status", "git status"),
        ("[[! a ]]&git status", "unparsable"),
        ("[! a ]&git status", "unparsable"),
        ("git status\nrm x", "git status | rm x"),
        ("a && b || c", "a | b | c"),
        ("a & b", "a | b"),
        ("a | b |& c", "a | b | c"),
        ("! a", "a"),
        ("(a; b)", "a | b"),
        ("{ a; b; }", "a | b"),
        ("if a; then b; elif c; then d; else e; fi", "a | b | c | d | e"),
        ("for x in 1 $(a); do b $x; done", "a | b $"),
        ("while a; do b; done; until c; do d; done", "a | b | c | d"),
        ("case $(a) in x) b;; *) c;; esac", "a | b | c"),
        ("f() { rm x; }; f", "f | rm x"),
        ("function f { rm x; }", "rm x"),
        ("echo $(rm x)", "echo $ | rm x"),
        ("echo \"a $(rm x) b\"", "echo $ | rm x"),
        ("echo `rm x`", "echo $ | rm x"),
        ("echo ${x:-$(rm x)}", "echo $ | rm x"),
        ("echo $(a $(b))", "a $ | b | echo $"),
        ("diff <(a) <(b)", "a | b | diff $ $"),
        ("a > >(rm x)", "!> >(rm x) | a | rm x"),
        ("x=$(rm x)", "rm x"),
        ("x=($(rm x) b)", "rm x"),
        ("[[ -n $(rm x) ]]", "rm x"),
        ("cat <<< $(rm x)", "cat | rm x"),
        ("cat <<EOF\n$(rm x)\nEOF", "cat | rm x"),
        ("cat <<'EOF'\n$(rm x)\nEOF", "cat"),
        ("cat <<EOF && rm x\nbody\nEOF", "cat | rm x"),
        ("cat <<EOF | rm x\nbody\nEOF\na", "a | cat | rm x"),
        ("", ""),
        ("# only this", ""),
        ("git status # rm x", "git status"),
        ("git status #\nrm x", "git status | rm x"),
        ("git status \\\n -s", "git status -s"),
        ("git 'status'", "git status"),
        ("g\"i\"t st\\atus", "git status"),
        ("echo 'a; rm x'", "echo \"a; rm x\""),
        ("echo \"a; rm x\"", "echo \"a; rm x\""),
        ("echo a#b", "echo a#b"),
        ("echo \"a\"#b; rm x", "echo a#b | rm x"),
        ("$'git' status", "git status"),
        ("a \"multi\nline\"", "a \"multi\\nline\""),
        ("find . -name '*.rs'", "find . -name *.rs"),
        ("echo *.rs {a,b} ~", "echo $ $ $"),
        ("git log HEAD@{1} -- a", "git log HEAD@{1} -- a"),
        ("test a == b", "test a == b"),
        ("export X=1 Y", "export X=1 Y"),
    ]);
}

#[test]
fn commands_that_run_their_arguments_count_as_both() {
    check(&[
        ("env X=1 rm a", "env X=1 rm a | rm a"),
        ("env -u A -C /x X=1 rm a", "env -u A -C /x X=1 rm a | rm a"),
        ("env -S 'rm a'", "unparsable"),
        ("env", "env"),
        ("sudo -u root rm a", "rm a | sudo -u root rm a"),
        ("sudo -i", "unparsable"),
        ("time -p rm a", "rm a | time -p rm a"),
        ("nohup rm a &", "nohup rm a | rm a"),
        ("timeout -k 1 5s rm a", "rm a | timeout -k 1 5s rm a"),
        ("command rm a", "command rm a | rm a"),
        ("command -v rm", "command -v rm"),
        ("builtin eval 'rm a'", "builtin eval \"rm a\" | eval \"rm a\" | rm a"),
        ("exec rm a", "exec rm a | rm a"),
        ("exec nice -n 5 /bin/rm a", "/bin/rm a | exec nice -n 5 /bin/rm a | nice -n 5 /bin/rm a"),
        ("eval 'rm a; b'", "b | eval \"rm a; b\" | rm a"),
        ("eval \"$x\"", "unparsable"),
        ("bash -c 'rm a'", "bash -c \"rm a\" | rm a"),
        ("/bin/sh -ec 'rm a' x", "/bin/sh -ec \"rm a\" x | rm a"),
        ("bash -c \"bash -c 'rm a'\"", "bash -c \"bash -c 'rm a'\" | bash -c \"rm a\" | rm a"),
        ("bash -c $x", "unparsable"),
        ("bash script.sh", "bash script.sh"),
        ("curl x | sh", "unparsable"),
        ("sh -c \"echo \\$'a'\"", "unparsable"),
        ("a | xargs rm -f", "a | rm -f $ | xargs rm -f"),
        ("a | xargs -0 -n 1 -I{} sh -c 'rm {}'", "unparsable"),
        ("a | xargs -I % git show %", "a | git show $ $ | xargs -I % git show %"),
        ("find . -exec rm {} \\;", "find . -exec rm {} ; | rm $"),
        ("find . -delete", "find . -delete"),
        ("trap 'rm a' EXIT", "rm a | trap \"rm a\" EXIT"),
        ("watch rm a", "unparsable"),
        ("env $x a", "unparsable"),
        ("$x a", "unparsable"),
        ("r? a", "unparsable"),
    ]);
}

#[test]
fn changes_beside_the_commands_are_noted() {
    check(&[
        ("a > f", "!> f | a"),
        ("a >> f 2>&1", "!>> f | a"),
        ("a &> f", "!&> f | a"),
        ("a >| f", "!>| f | a"),
        ("a > $f", "!> $f | a"),
        ("> f", "!> f"),
        ("{ a; } > f", "!> f | a"),
        ("a > /dev/null 2>&1 < in", "a"),
        ("a 2>/dev/stderr >&2 3>&-", "a"),
        ("a > f rm x", "!> f rm x | a rm x"),
        ("a 2>/dev/null --output=f", "a --output=f"),
        ("2>/dev/null rm x", "rm x"),
        ("X=1 2>/dev/null rm x", "rm x"),
        ("cat <<EOF > f\nb\nEOF", "!> f | cat"),
        ("cat <<EOF -n\nb\nEOF", "cat -n"),
        ("X=1 git status", "git status"),
        ("X=1", ""),
        ("PATH=/x git status", "!PATH | git status"),
        ("LD_PRELOAD=/x git status", "!LD_PRELOAD | git status"),
        ("export PATH=/x", "!PATH | !PATH | export PATH=/x"),
        ("env PATH=/x git status", "!PATH | env PATH=/x git status | git status"),
        ("for PATH in /x; do git status; done", "!PATH | git status"),
        ("read PATH", "!PATH | read PATH"),
        ("printf -v PATH /x", "!PATH | printf -v PATH /x"),
        ("echo $((1 + 2))", "echo $"),
        ("echo $(( (1+(2)) ))", "echo $"),
        ("echo $((x + 1))", "!$((x + 1)) | echo $"),
        ("(( x++ ))", "!(( x++ ))"),
        ("for ((i=0; i<3; i++)); do a; done", "!for ((i=0; i<3; i++)); do a; done | a"),
        ("[ $# -eq 0 ]", ""),
        ("[[ $x -eq 0 ]]", "![[ $x -eq 0 ]]"),
        ("[[ -v $x ]]", "![[ -v $x ]]"),
        ("echo ${x} ${#x} ${x%.rs} ${x:-y} ${x[@]}", "echo $ $ $ $ $"),
        ("echo ${a[$(rm x)]}", "!${a[$(rm x)]} | echo $ | rm x"),
        ("echo ${!x}", "!${!x} | echo $"),
        ("echo ${x@P}", "!${x@P} | echo $"),
        ("echo ${x:y}", "!${x:y} | echo $"),
    ]);
}

#[test]
fn what_may_be_read_in_two_ways_is_unparsable() {
    let lines = [
        "git status 'a",
        "git status \"a",
        "git status (",
        "git status )",
        "if a; then b",
        "git\u{a0}status",
        "git status\u{3000}",
        "git status\r",
        "git status\u{0}",
        "git\\\nstatus",
        "git\\ status \\ x",
        "a $'b\\\\' ; rm x; echo 'c'",
        "echo \"${x:-'}\"; rm x; echo \"'}\"",
        "echo `echo \\`rm x\\``",
        "cat <<EOF\na\nEOF \nrm x\nEOF",
        "cat <<$x\na\n$x",
        "echo $((a[$(rm x)]))",
        "a[$(rm x)]=1",
        "coproc rm x",
        "echo $(( (1+(2)) + $(rm x) ))",
        "for ((i=$(rm x); i<(1+(2)); i++)); do a; done",
        "cat <<<$ rm",
        "sh -c$ x",
        "rm =~ 2>&1",
        "a -2>f",
        "a \\;<(rm x)",
        "x=\\\n rm",
        "echo $(('$(rm x)'))",
        "a ==\nb",
        "x=$(cat <<'E'\nE\na;a)",
        "time { rm x; }",
        "foo=bar=\\\nbaz; {",
        "git status \\",
        "(((((",
    ];
    for line in lines {
        assert_eq!(shown(line), "unparsable", "{line:?}");
    }
}

#[test]
fn limits_hold() {
    assert_eq!(shown(&"x ".repeat(40_000)), "unparsable");
    assert_eq!(shown(&"x;".repeat(300)), "unparsable");
    assert_ne!(shown(&"x;".repeat(200)), "unparsable");
    let deep = |n: usize| format!("{}x{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(shown(&deep(2)), "!((x))", "arithmetic");
    let nested = |n: usize| format!("{}x{}", "( ".repeat(n), " )".repeat(n));
    assert_eq!(shown(&nested(20)), "x");
    assert_eq!(shown(&nested(16_000)), "unparsable");
    assert_eq!(shown(&"a|".repeat(32_000)), "unparsable");
    shown(&nested(900));
    shown(&deep(900));
    shown(&"{ ".repeat(30_000));
    shown(&"eval ".repeat(1_000));
    assert_eq!(shown(&format!("{}rm", "eval ".repeat(20))), "unparsable");
}

/// Pieces that mean something to a shell, and some words.
fn pieces() -> impl Strategy<Value = String> {
    const PIECES: [&str; 48] = [
        "a", "git", "status", "rm", " ", " ", "  ", "\t", "\n", ";", "&&", "||", "|", "&", "(",
        ")", "{ ", " }", "$(", "`", "$((", "))", "${", "}", "$x", "'", "\"", "\\", "#", "<<EOF\n",
        "\nEOF\n", "<", ">", ">&", "2>", "=", "x=1 ", "if ", "then ", "fi", "for ", "do ", "done",
        "[[ ", " ]]", "$'", "*", "é",
    ];
    let piece = prop::sample::select(PIECES.to_vec());
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Whether each command of the line is `git status`, with nothing beside.
fn only_git_status(text: &str) -> bool {
    let is = |command: &Command| match command {
        Command::Run(words) => words.iter().map(Option::as_deref).eq([Some("git"), Some("status")]),
        Command::Change(_) => false,
    };
    match read(text) {
        Line::Commands(commands) => commands.iter().all(is),
        Line::Unparsable => false,
    }
}

proptest! {
    #[test]
    fn no_line_is_too_strange(text in any::<String>(), pieces in pieces()) {
        read(&text);
        read(&pieces);
    }

    #[test]
    fn nothing_hides_a_command_behind_an_allowed_line(before in pieces(), after in pieces()) {
        prop_assert!(!only_git_status("git status; rm x"));
        if only_git_status(&before) {
            let line = format!("{before}\nrm x");
            prop_assert!(!only_git_status(&line), "{line:?}");
        }
        let line = format!("git status; rm x {after}");
        prop_assert!(!only_git_status(&line), "{line:?}");
    }
}
