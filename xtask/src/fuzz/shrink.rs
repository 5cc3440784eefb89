//! A failing input made small, for the eyes: parts are left out as long as it still fails.
//!
//! Not here: making it simpler in any other way.

/// The most inputs that are tried.
const TRIES_MAX: usize = 20_000;

/// The rest of `input` after leaving out ever smaller parts. It still fails.
pub(super) fn shrunk(mut input: Vec<u8>, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut tries = 0;
    let mut size = input.len().div_ceil(2);
    while size > 0 && tries < TRIES_MAX {
        let mut at = 0;
        let mut shorter = false;
        while at < input.len() && tries < TRIES_MAX {
            let end = (at + size).min(input.len());
            let without = [&input[..at], &input[end..]].concat();
            tries += 1;
            if fails(&without) {
                (input, shorter) = (without, true);
            } else {
                at = end;
            }
        }
        // What could not go before may go now, so single bytes are tried until none goes.
        size = if size == 1 && shorter { 1 } else { size / 2 };
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let fails = |input: &[u8]| input.contains(&b'x') && input.ends_with(b"y");
        let input = [&[b'a'; 1_000][..], b"x", &[b'b'; 500], b"y"].concat();
        assert_eq!(shrunk(input, fails), b"xy");
        assert_eq!(shrunk(b"abc".to_vec(), |_| true), b"");
        // Only in pairs: the first single byte never goes.
        assert_eq!(shrunk(vec![b'z'; 65], |input| input.len() % 2 == 1), b"z");
    }
}
