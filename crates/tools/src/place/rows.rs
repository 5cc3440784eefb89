//! The rows of a result, bounded while they are made.
//!
//! Not here: what is on a row (the tools), and the output of processes (`capture.rs`).

/// Rows of text up to a number of rows and bytes; what comes after is only counted.
#[derive(Debug)]
pub(crate) struct Rows {
    text: String,
    kept: usize,
    left_out: u64,
    rows_max: usize,
    bytes_max: usize,
}

impl Rows {
    /// No rows yet. The first row that does not fit closes the text: no later, shorter one follows.
    pub(crate) fn new(rows_max: usize, bytes_max: usize) -> Self {
        Self { text: String::new(), kept: 0, left_out: 0, rows_max, bytes_max }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: &str) {
        let fits = self.text.len() + row.len() < self.bytes_max;
        if self.is_full() || !fits {
            self.left_out += 1;
        } else {
            self.kept += 1;
            self.text.push_str(row);
            self.text.push('\n');
        }
    }

    /// Counts rows that were not even made.
    pub(crate) fn leave_out(&mut self, rows: u64) {
        self.left_out += rows;
    }

    /// Whether rows are only counted from now on.
    pub(crate) const fn is_full(&self) -> bool {
        self.left_out > 0 || self.kept >= self.rows_max
    }

    /// Whether there is no row, neither in the text nor left out.
    pub(crate) const fn is_empty(&self) -> bool {
        self.kept == 0 && self.left_out == 0
    }

    /// How many rows are in the text.
    pub(crate) const fn kept(&self) -> usize {
        self.kept
    }

    /// How many rows are not.
    pub(crate) const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The text, and as its last line, in parentheses, what is to be said of it.
    pub(crate) fn close<const N: usize>(mut self, notes: [Option<String>; N]) -> String {
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        if notes.is_empty() {
            self.text.pop();
        } else {
            self.text.extend(["(", &notes.join("; "), ")"]);
        }
        self.text
    }
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
