//! Calls as a program would write them: `get_price(item="tea", qty=2); get_price(item="rice")`.
//!
//! Every argument has its name, because only a schema could tell what another one is.

use serde_json::value::RawValue;

use super::{Mode, Problem, Reader, whole};

/// Reads calls, one after the other or in brackets, as a list of `{name, arguments}`.
///
/// # Errors
/// What is wrong where. Nothing but calls may stand in the text.
pub(crate) fn calls(text: &str) -> Result<Box<RawValue>, String> {
    whole(text, Mode::Exact, Reader::calls)
}

impl Reader<'_> {
    fn calls(&mut self) -> Result<(), Problem> {
        self.json.push('[');
        if self.takes('[') {
            self.elements(']', Self::call)?;
        } else {
            self.statements()?;
        }
        self.json.push(']');
        Ok(())
    }

    /// Calls with a semicolon, a comma or a line break between them.
    fn statements(&mut self) -> Result<(), Problem> {
        loop {
            self.call()?;
            let from = self.at;
            self.blank()?;
            let breaks = self.text[from..self.at].contains('\n');
            let separated = self.takes(';') || self.takes(',') || breaks;
            self.blank()?;
            if self.rest().is_empty() {
                return Ok(());
            }
            if !separated {
                return Err(self.expected("`;`, a line break or the end"));
            }
            self.json.push(',');
        }
    }

    fn call(&mut self) -> Result<(), Problem> {
        self.json.push_str("{\"name\":");
        self.name()?;
        self.blank()?;
        if !self.takes('(') {
            return Err(self.expected("`(`"));
        }
        self.json.push_str(",\"arguments\":{");
        self.elements(')', Self::argument)?;
        self.json.push_str("}}");
        Ok(())
    }

    fn argument(&mut self) -> Result<(), Problem> {
        self.name()?;
        self.joined_by('=')
    }

    /// A name, also with its underscores escaped, as Markdown wants it.
    fn name(&mut self) -> Result<(), Problem> {
        let from = self.at;
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\');
        let name = self.run(is_of_name).replace("\\_", "_");
        let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !begins || name.contains('\\') {
            self.at = from;
            return Err(self.expected("a name"));
        }
        self.quote(&name);
        Ok(())
    }
}
