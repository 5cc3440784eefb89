//! What a line would cost to read: the grammar's work can grow with the square of the constructs that
//! a line leaves open, so there is a bound on them.
//!
//! It is an estimate that decides nothing else. Not here: what the line means.

/// The most operators a line may hold outside of quotes and here-documents.
const OPERATORS_MAX: usize = 1_000;

/// Whether the line can be read in a fraction of a second.
pub(super) fn is_cheap(text: &str) -> bool {
    let mut count = 0;
    let mut end: Option<&str> = None;
    let mut quote = None;
    for line in text.split('\n') {
        if end.is_some_and(|end| line.trim_start_matches('\t') == end) {
            end = None;
        } else if end.is_none() {
            count += operators(line, &mut quote);
            end = delimiter(line).filter(|_| quote.is_none());
        }
    }
    // A here-document without an end is not read at all.
    end.is_none() && count <= OPERATORS_MAX
}

/// The operators of one line, its end among them; `quote` is open before it, and then after it.
fn operators(line: &str, quote: &mut Option<char>) -> usize {
    let mut count = usize::from(quote.is_none());
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (*quote, c) {
            (None | Some('"'), '\\') => drop(characters.next()),
            (Some(open), c) if c == open => *quote = None,
            (None, '\'' | '"') => *quote = Some(c),
            (None, _) if "|&;()[]{<>!`$".contains(c) => count += 1,
            // Within double quotes a substitution may hold them all.
            (Some('"'), '$' | '`') => count += 1,
            _ => {}
        }
    }
    count
}

/// What ends the here-document that the line begins, if it does.
fn delimiter(line: &str) -> Option<&str> {
    let (before, rest) = line.rsplit_once("<<")?;
    let rest = rest.trim_start_matches(['-', ' ', '\'', '"', '\\']);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    (end > 0 && !before.ends_with('<')).then_some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_operators_outside_of_quotes_count() {
        let many = "(".repeat(2 * OPERATORS_MAX);
        for cheap in [
            format!("echo '{many}\n{many}'"),
            format!("cat > f <<'EOF'\n{many}\nEOF\nls"),
            "x ".repeat(10 * OPERATORS_MAX),
        ] {
            assert!(is_cheap(&cheap));
        }
        for dear in [
            many.clone(),
            "a|".repeat(2 * OPERATORS_MAX),
            format!("cat <<EOF\nEOF\n{many}"),
            "cat <<EOF".to_owned(),
            format!("echo 'a'{many}"),
            format!("echo \"{}\"", "$(".repeat(2 * OPERATORS_MAX)),
        ] {
            assert!(!is_cheap(&dear));
        }
    }
}
