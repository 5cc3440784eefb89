//! Quoting what a model wrote, in a text for it: bounded, whatever its length.
//!
//! Not here: output of processes (`capture.rs`) and rows of results (`place/rows.rs`).

/// Characters that are kept from the beginning.
const HEAD: usize = 200;

/// Characters that are kept from the end.
const TAIL: usize = 400;

/// The text; of a long one the beginning and the end, with an ellipsis between them.
pub(crate) fn shortened(text: &str) -> String {
    let mut ends = text.char_indices().map(|(at, _)| at);
    let head = ends.nth(HEAD);
    let tail = ends.nth_back(TAIL - 1);
    match (head, tail) {
        (Some(head), Some(tail)) => format!("{}…{}", &text[..head], &text[tail..]),
        (None, _) | (_, None) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_both_its_ends() {
        let whole = format!("é{}é", "x".repeat(HEAD + TAIL - 2));
        assert_eq!(shortened(&whole), whole);
        let long = format!("first{}last", "é".repeat(1_000_000));
        let short = shortened(&long);
        assert_eq!(short.chars().count(), HEAD + 1 + TAIL);
        assert!(short.starts_with("firsté") && short.ends_with("élast"));
        assert_eq!(shortened(""), "");
    }
}
