//! Columns of text.
//!
//! Not here: what stands in them.

use std::fmt;

/// Rows under a head, each column as wide as its widest cell.
#[derive(Debug)]
pub(crate) struct Table<const N: usize>(Vec<[String; N]>);

impl<const N: usize> Table<N> {
    /// A table with only its head.
    pub(crate) fn new(head: [&str; N]) -> Self {
        Self(vec![head.map(str::to_owned)])
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: [String; N]) {
        self.0.push(cells);
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    /// Without a final newline, nor spaces at the end of a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |cell: &String| cell.chars().count();
        let width = |column: usize| self.0.iter().map(|row| length(&row[column])).max();
        let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or(0));
        for (at, row) in self.0.iter().enumerate() {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            let line = cells.collect::<Vec<_>>().join("  ");
            write!(f, "{}{}", if at > 0 { "\n" } else { "" }, line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other() {
        let mut table = Table::new(["A", "LONG"]);
        table.row(["much longer".into(), String::new()]);
        table.row(["é".into(), "b".into()]);
        assert_eq!(table.to_string(), "A            LONG\nmuch longer\né            b");
    }
}
