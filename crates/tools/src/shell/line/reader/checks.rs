//! What a construct may do beside running commands, and where the grammar is not to be trusted.

use fanfold_transcript::Word;
use tree_sitter::Node;

use super::parts::operator;
use crate::shell::line::guard::expands;
use crate::shell::line::{Unreadable, children, variables};

/// Whether a redirection writes no file: it reads, or goes to `/dev/null` or to a descriptor.
pub(super) fn is_harmless(redirect: Node<'_>, target: Option<&Word>) -> bool {
    let target = match target {
        None => return true,
        Some(target) => target.as_deref(),
    };
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    match operator(redirect) {
        Some("<") => true,
        Some(">" | ">>" | ">|" | "&>" | "&>>") => target.is_some_and(is_device),
        // `>&word` writes a file unless the word is a number.
        Some(">&" | "<&") => target.is_some_and(|target| {
            is_number(target.strip_suffix('-').unwrap_or(target)) || is_device(target)
        }),
        _ => false,
    }
}

fn is_device(target: &str) -> bool {
    let of_descriptor = |target: &str| {
        let number = target.strip_prefix("/dev/fd/");
        number.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
    };
    matches!(target, "/dev/null" | "/dev/stdout" | "/dev/stderr") || of_descriptor(target)
}

/// A word must begin and end where the grammar says, as the shell sees it.
pub(super) fn stands_alone(node: Node<'_>, text: &str) -> Result<(), Unreadable> {
    let own = &text[node.byte_range()];
    let (before, after) = (&text[..node.start_byte()], &text[node.end_byte()..]);
    // Only the backtick around a whole substitution separates; a value follows its `=`.
    let backtick = |c: char, edge: usize| {
        let around = std::iter::successors(Some(node), Node::parent);
        let mut around = around.filter(|node| node.kind() == "command_substitution");
        c == '`' && around.any(|s| s.start_byte() + 1 == edge || s.end_byte() == edge + 1)
    };
    let begins = before
        .chars()
        .next_back()
        .is_none_or(|c| " \t\n;&|(<>=".contains(c) || backtick(c, node.start_byte()));
    let ends = after
        .chars()
        .next()
        .is_none_or(|c| " \t\n;&|()<>".contains(c) || backtick(c, node.end_byte()));
    // An escaped newline joins two words, and so does a process substitution without a blank.
    let joins =
        before.ends_with("\\\n") && !before.trim_end_matches("\\\n").ends_with([' ', '\t', '\n']);
    let joins = joins || after.starts_with("<(") || after.starts_with(">(");
    // A number before a redirection is its descriptor, and so is a name in braces.
    let number = own.chars().all(|c| c.is_ascii_digit()) || own.starts_with('{');
    let descriptor = number && after.starts_with(['<', '>']);
    if begins && ends && !joins && !descriptor { Ok(()) } else { Err(Unreadable) }
}

/// The parts of a simple command stand on one line: to the grammar, a newline may be a blank.
pub(super) fn one_line(node: Node<'_>, text: &str) -> Result<(), Unreadable> {
    let is_simple = matches!(
        node.kind(),
        "command"
            | "declaration_command"
            | "unset_command"
            | "redirected_statement"
            | "file_redirect"
            | "herestring_redirect"
            | "variable_assignments"
            | "negated_command"
            | "test_command"
            | "binary_expression"
            | "unary_expression"
    );
    if !is_simple {
        return Ok(());
    }
    let mut parts = children(node);
    parts.reverse();
    for pair in parts.windows(2) {
        let between = text.get(pair[0].end_byte()..pair[1].start_byte()).ok_or(Unreadable)?;
        if between.replace("\\\n", "").contains('\n') {
            return Err(Unreadable);
        }
    }
    Ok(())
}

/// The parts of an assignment, or of `$x`, follow each other without a gap.
pub(super) fn unbroken(node: Node<'_>) -> Result<(), Unreadable> {
    let mut parts = children(node);
    parts.reverse();
    let joined = parts.windows(2).all(|pair| pair[0].end_byte() == pair[1].start_byte());
    if joined { Ok(()) } else { Err(Unreadable) }
}

/// A descriptor before a redirection is a number on its own.
pub(super) fn descriptor(node: Node<'_>, text: &str) -> Result<(), Unreadable> {
    let before = text[..node.start_byte()].chars().next_back();
    let is_number = text[node.byte_range()].chars().all(|c| c.is_ascii_digit());
    let begins = before.is_none_or(|c| " \t\n;&|()`".contains(c));
    let joined = text[node.end_byte()..].starts_with(['<', '>']);
    if is_number && begins && joined { Ok(()) } else { Err(Unreadable) }
}

/// A here-document must end where bash ends it, and show all that it expands.
pub(super) fn heredoc(redirect: Node<'_>, text: &str) -> Result<(), Unreadable> {
    let parts = children(redirect);
    let part = |kind: &str| parts.iter().find(|child| child.kind() == kind);
    let strips = part("<<-").is_some();
    let start = &text[part("heredoc_start").ok_or(Unreadable)?.byte_range()];
    let end = part("heredoc_end").ok_or(Unreadable)?;
    let delimiter = start.trim_matches(['\'', '"', '\\']);
    let quoted = [format!("'{delimiter}'"), format!("\"{delimiter}\""), format!("\\{delimiter}")];
    // Bash loses what separates the commands behind one in a substitution.
    let around = std::iter::successors(Some(redirect), Node::parent);
    let substitution = around.into_iter().find(|node| node.kind().ends_with("substitution"));
    if substitution.is_some_and(|s| !text[end.end_byte()..s.end_byte() - 1].trim().is_empty()) {
        return Err(Unreadable);
    }
    let is_quoted = quoted.iter().any(|form| form == start);
    if !(is_quoted || delimiter == start) || !variables::is_name(delimiter) {
        return Err(Unreadable);
    }
    let body = part("heredoc_body").copied();
    let begin = body.map_or(end.start_byte(), |body| body.start_byte());
    // The body begins on a line of its own and ends with the first line that is the delimiter.
    let stop = text[end.end_byte()..].find('\n').map_or(text.len(), |at| end.end_byte() + at);
    let from = text[..begin].rfind('\n').map_or(0, |at| at + 1);
    let mut lines = text[from..stop].lines();
    let last = lines.next_back().ok_or(Unreadable)?;
    let ends = |line: &str| delimiter == if strips { line.trim_start_matches('\t') } else { line };
    let untouched = text[from..begin].trim().is_empty();
    if !untouched || !ends(last) || lines.any(ends) {
        return Err(Unreadable);
    }
    let hidden = |node: &Node<'_>| node.child_count() == 0 && expands(&text[node.byte_range()]);
    let parts = body.into_iter().flat_map(|body| children(body).into_iter().chain([body]));
    if !is_quoted && parts.filter(|n| n.kind().starts_with("heredoc")).any(|n| hidden(&n)) {
        return Err(Unreadable);
    }
    Ok(())
}

/// In backticks a backslash is read twice: what is behind it is not what it seems.
pub(super) fn backticks(substitution: &str) -> Result<(), Unreadable> {
    let Some(inner) = substitution.strip_prefix('`') else {
        // Bash takes the latter for arithmetic first, and only then for a subshell.
        let is_plain = substitution.starts_with("$(") && !substitution.starts_with("$((");
        return if is_plain { Ok(()) } else { Err(Unreadable) };
    };
    let inner = inner.strip_suffix('`').ok_or(Unreadable)?;
    if inner.contains(['\\', '`']) { Err(Unreadable) } else { Ok(()) }
}

/// The subscript of an array must be a number or all of it: bash evaluates others as code.
pub(super) fn subscript(text: &str) -> Result<(), Unreadable> {
    let index = text.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
    let index = index.ok_or(Unreadable)?;
    let number = !index.is_empty() && index.chars().all(|c| c.is_ascii_digit());
    if number || matches!(index, "@" | "*") { Ok(()) } else { Err(Unreadable) }
}

/// Whether arithmetic names variables, whose content bash evaluates too.
///
/// # Errors
/// When it holds more than numbers, names and operators.
pub(super) fn arithmetic_on_variables(text: &str) -> Result<bool, Unreadable> {
    let inner = text.trim_start_matches("for").trim_start();
    let known = |c: char| c.is_ascii_alphanumeric() || " \t_+-*/%<>=!&|^~?:;,()$".contains(c);
    let inner = inner.strip_prefix("$((").or_else(|| inner.strip_prefix("(("));
    let inner = inner.and_then(|inner| inner.strip_suffix("))")).ok_or(Unreadable)?;
    if inner.contains("$(") || !inner.chars().all(known) {
        return Err(Unreadable);
    }
    Ok(inner.contains(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$')))
}

/// Whether a test does arithmetic on more than numbers, or looks at a variable by its name.
pub(super) fn tests_arithmetic(test: Node<'_>, text: &str) -> bool {
    const OPERATORS: [&str; 8] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R"];
    let mut open = vec![test];
    while let Some(node) = open.pop() {
        let parts = children(node);
        let is_operator = |part: &Node<'_>| {
            OPERATORS.contains(&&text[part.byte_range()]) && part.child_count() == 0
        };
        let is_plain = |part: &Node<'_>| {
            let own = &text[part.byte_range()];
            own.chars().all(|c| c.is_ascii_digit()) || matches!(own, "$#" | "$?" | "$$" | "$!")
        };
        if parts.iter().any(is_operator)
            && !parts
                .iter()
                .filter(|part| !is_operator(part))
                .all(|part| is_plain(part) || matches!(part.kind(), "[" | "]" | "[[" | "]]"))
        {
            return true;
        }
        open.extend(parts.into_iter().filter(|part| {
            matches!(
                part.kind(),
                "binary_expression" | "unary_expression" | "parenthesized_expression"
            )
        }));
    }
    false
}

/// Whether a `${…}` runs code that a variable holds.
///
/// # Errors
/// When quotes stand in it: where it ends depends on them.
pub(super) fn expansion_runs_code(
    node: Node<'_>,
    holes: &[Node<'_>],
    text: &str,
) -> Result<bool, Unreadable> {
    let mut own = String::new();
    let mut at = node.start_byte();
    for hole in holes.iter().rev() {
        own.push_str(text.get(at..hole.start_byte()).ok_or(Unreadable)?);
        at = hole.end_byte();
    }
    own.push_str(text.get(at..node.end_byte()).ok_or(Unreadable)?);
    let inner = own.strip_prefix("${").and_then(|own| own.strip_suffix('}')).ok_or(Unreadable)?;
    if inner.contains(['\'', '"', '\\', '`', '\n', '{', '}', '(', ')', '<', '>', ';', '&', '|']) {
        return Err(Unreadable);
    }
    let inner = inner.strip_prefix('#').filter(|rest| !rest.is_empty()).unwrap_or(inner);
    let name_end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let (name, rest) = inner.split_at(name_end.unwrap_or(inner.len()));
    if name.is_empty() {
        return Ok(!matches!(rest, "@" | "*" | "#" | "?" | "$" | "!" | "-"));
    }
    let rest = ["[@]", "[*]"].iter().find_map(|all| rest.strip_prefix(all)).unwrap_or(rest);
    let harmless = [":-", ":+", ":?", "-", "+", "?", "#", "%", "/", "^", ","];
    Ok(!rest.is_empty() && !harmless.iter().any(|operator| rest.starts_with(operator)))
}

/// The variables that a builtin is told to set: any word that could be the name of one.
pub(super) fn set_names(words: &[Word]) -> impl Iterator<Item = &str> {
    const SETTERS: [&str; 16] = [
        "export",
        "declare",
        "typeset",
        "local",
        "readonly",
        "unset",
        "read",
        "mapfile",
        "readarray",
        "getopts",
        "printf",
        "let",
        "env",
        "sudo",
        "wait",
        "time",
    ];
    let name = words.first().and_then(Option::as_deref);
    let sets = name.is_some_and(|name| SETTERS.contains(&name.rsplit('/').next().unwrap_or(name)));
    let words = words.iter().skip(1).filter_map(Option::as_deref).filter(move |_| sets);
    words.map(|word| variables::assigned(word).unwrap_or(word))
}

/// `[` and `[[` are words of their own: without a blank behind them, or before their ends, bash reads
/// the name of another program.
pub(super) fn brackets_stand_alone(test: &str) -> Result<(), Unreadable> {
    let inside = test.strip_prefix("[[").map(|rest| rest.strip_suffix("]]").unwrap_or(rest));
    let inside = inside.or_else(|| test.strip_prefix('[').map(|rest| rest.trim_end_matches(']')));
    let blank = |c: char| c.is_ascii_whitespace();
    match inside {
        Some(inside) if !(inside.starts_with(blank) && inside.ends_with(blank)) => Err(Unreadable),
        Some(_) | None => Ok(()),
    }
}
