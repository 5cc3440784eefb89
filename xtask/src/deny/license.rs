//! Whether a licence expression is satisfied by a list of allowed licences.
//!
//! The grammar is SPDX's: `OR` binds weaker than `AND`, `WITH` makes an exception part of the name.
//! Not here: whether a name is a licence at all. What is not in the list is not allowed.

/// Whether some choice that the expression leaves uses only allowed licences.
pub(super) fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    // Old manifests write `/` for `OR`.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    any_of(&mut words, allowed) && words.is_empty()
}

/// Words are taken from the end: the list is reversed.
fn any_of(words: &mut Vec<&str>, allowed: &[String]) -> bool {
    let mut satisfied = all_of(words, allowed);
    while words.pop_if(|word| *word == "OR").is_some() {
        // Both sides are always read, or the rest would be read from the wrong place.
        satisfied |= all_of(words, allowed);
    }
    satisfied
}

fn all_of(words: &mut Vec<&str>, allowed: &[String]) -> bool {
    let mut satisfied = one(words, allowed);
    while words.pop_if(|word| *word == "AND").is_some() {
        satisfied &= one(words, allowed);
    }
    satisfied
}

fn one(words: &mut Vec<&str>, allowed: &[String]) -> bool {
    let Some(first) = words.pop() else { return false };
    if first == "(" {
        return any_of(words, allowed) & words.pop_if(|word| *word == ")").is_some();
    }
    let mut name = first.to_owned();
    if words.pop_if(|word| *word == "WITH").is_some() {
        name = format!("{name} WITH {}", words.pop().unwrap_or_default());
    }
    allowed.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_judged() {
        let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        let table = [
            ("MIT", true),
            ("GPL-3.0", false),
            ("MIT OR GPL-3.0", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND GPL-3.0", false),
            ("GPL-3.0 OR MIT AND Zlib", true),
            ("(GPL-3.0 OR MIT) AND Zlib", true),
            ("(MIT OR Zlib) AND GPL-3.0", false),
            ("Apache-2.0", false),
            ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
            ("", false),
            ("MIT MIT", false),
            ("(MIT", false),
            ("MIT OR", true),
        ];
        for (expression, satisfied) in table {
            assert_eq!(is_allowed(expression, &allowed), satisfied, "{expression:?}");
        }
    }
}
