//! Text that comes in pieces, as lines that fit the terminal.
//!
//! Only whole lines can be printed above the one that is being typed. A long paragraph is broken
//! between words, so that it is seen while it comes. Not here: where lines go.

use crate::voice::clean_lines;

/// The line that is not yet whole.
#[derive(Debug, Default)]
pub(crate) struct Wrap {
    line: String,
}

impl Wrap {
    /// Takes a piece; gives the lines that are whole now, each with its end.
    pub(crate) fn push(&mut self, piece: &str, columns: usize) -> String {
        let mut whole = String::new();
        for part in clean_lines(piece).split_inclusive('\n') {
            self.line.push_str(part);
            while let Some(end) = cut(&self.line, columns) {
                let rest = self.line.split_off(end);
                whole.push_str(self.line.trim_end());
                whole.push('\n');
                self.line = rest;
            }
        }
        whole
    }

    /// What is left, as a line.
    pub(crate) fn rest(&mut self) -> String {
        let line = std::mem::take(&mut self.line);
        if line.trim().is_empty() { String::new() } else { line + "\n" }
    }
}

/// Where the first line ends, if that can be told: behind its end, or behind the last space that fits.
fn cut(text: &str, columns: usize) -> Option<usize> {
    let mut last_space = None;
    for (count, (at, c)) in text.char_indices().enumerate() {
        match c {
            '\n' => return Some(at + 1),
            ' ' if count >= columns => return Some(at + 1),
            ' ' => last_space = Some(at + 1),
            _ if count >= columns => return Some(last_space.unwrap_or(at)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_however_they_come() {
        let cases = [
            ("one two three four", "one two|three four|"),
            ("one\n\ntwo\n", "one||two|"),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghij|klmnopqrst|uvwxyz|"),
            ("0123456789 and", "0123456789|and|"),
            ("", ""),
            ("été très très chaud", "été très|très chaud|"),
        ];
        for (text, lines) in cases {
            for step in 1..=text.chars().count().max(1) {
                let (mut wrap, mut shown) = (Wrap::default(), String::new());
                let chars: Vec<char> = text.chars().collect();
                for piece in chars.chunks(step) {
                    shown += &wrap.push(&piece.iter().collect::<String>(), 10);
                }
                shown += &wrap.rest();
                let lines = lines.replace('|', "\n");
                assert_eq!(shown, lines, "{text:?} by {step}");
            }
        }
    }
}
