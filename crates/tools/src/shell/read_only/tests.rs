//! Lines that are proved to only read, and lines that are not.

use super::*;

#[test]
fn known_programs_with_known_options_only_read() {
    let lines = [
        "ls",
        "ls -la src",
        "cat a.txt | head -n 5 | wc -l",
        "cat a 2>/dev/null; grep -rn 'a b' src && echo done || false",
        "rg -n --glob '!target' 'fn \\w+' crates 2>&1",
        "find . -name '*.rs' -type f -maxdepth 3",
        "find . \\( -name a -o -name b \\) -print0",
        "git status",
        "git status -s --porcelain",
        "git log --oneline -n 5 -- src",
        "git --no-pager diff --stat HEAD~1",
        "git show HEAD:src/lib.rs",
        "git branch --list 'a*'",
        "git branch -a",
        "git rev-parse --abbrev-ref HEAD",
        "sort -k2 -t, a.csv | uniq -c | sort -rn",
        "cut -d: -f1 a | tr a-z A-Z",
        "printf '%s\\n' a",
        "test -f a && pwd",
        "date +%s; whoami; uname -a",
        "jq -r .name package.json",
        "ls\ncat a",
        "xxd -l 16 a",
        "sha256sum a b > /dev/null",
    ];
    for line in lines {
        assert!(is_read_only(line), "{line}");
    }
}

#[test]
fn nothing_else_is_proved() {
    let lines = [
        "",
        "# nothing",
        "rm a",
        "ls; rm a",
        "ls &",
        "ls > out",
        "ls < in",
        "ls >> /dev/null/x",
        "cat <<EOF\na\nEOF",
        "cat <<< a",
        "echo $(ls)",
        "echo $HOME",
        "echo `ls`",
        "cat <(ls)",
        "ls *.rs",
        "ls ~",
        "ls ..",
        "cat a/../../b",
        "cat /etc/passwd",
        "grep --include=/etc/x a",
        "cd src && ls",
        "X=1 ls",
        "(ls)",
        "{ ls; }",
        "! ls",
        "if ls; then ls; fi",
        "ls() { rm a; }; ls",
        "./ls",
        "sort -o a b",
        "sort -uo a b",
        "sort --output=a b",
        "uniq a b",
        "xxd a b",
        "xxd -r a",
        "find . -delete",
        "find . -exec rm {} \\;",
        "find . -fprint a",
        "tail -f a",
        "date -s 2020-01-01",
        "date 010100002030",
        "printf -v a b",
        "rg --pre rm a",
        "git",
        "git push",
        "git status --output=a",
        "git log --output=a",
        "git diff --ext-diff",
        "git -c core.pager=rm log",
        "git branch a",
        "git branch -D a",
        "git branch --list -d a",
        "env ls",
        "time ls",
        "xargs ls",
        "bash -c ls",
        "sed -n 1p a",
        "awk 1 a",
        "ls 'a",
        "ls\u{a0}a",
    ];
    for line in lines {
        assert!(!is_read_only(line), "{line}");
    }
}
