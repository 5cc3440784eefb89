//! What the model says, as it gets to the reader: piece by piece where somebody watches, else a
//! step's text at once.
//!
//! Not here: calls and notices (`view.rs`). A file or pipe gets the text as it is; a terminal gets
//! nothing that could control it.

use crate::interactive::{Above, Wrap};
use crate::outlet::Outlet;
use crate::voice::{Voice, clean_lines};

/// The text of a model on its way out.
#[derive(Debug)]
pub(crate) struct Speech {
    way: Way,
    /// The pieces of the step that is being said.
    pieces: String,
    /// The newest whole text of the turn.
    said: Option<String>,
}

#[derive(Debug)]
enum Way {
    /// To a file or pipe.
    Whole(Outlet),
    /// To a terminal, among live rows.
    Live(Live),
    /// Above the line that is being typed.
    Above(Above, Wrap),
}

/// Text on a terminal, among live rows.
#[derive(Debug)]
struct Live {
    outlet: Outlet,
    voice: Voice,
    /// What waits for the end of its line, since rows cannot stand beside text.
    held: String,
    /// Whether what was written ends in the middle of a line.
    is_open: bool,
}

impl Speech {
    /// To standard output.
    pub(crate) fn to(outlet: Outlet, voice: Voice) -> Self {
        let way = if outlet.is_terminal() {
            Way::Live(Live { outlet, voice, held: String::new(), is_open: false })
        } else {
            Way::Whole(outlet)
        };
        Self { way, pieces: String::new(), said: None }
    }

    /// Above the line that is being typed.
    pub(crate) fn above(above: Above) -> Self {
        Self { way: Way::Above(above, Wrap::default()), pieces: String::new(), said: None }
    }

    /// Takes a piece.
    pub(crate) fn piece(&mut self, text: &str, has_rows: bool) {
        match &mut self.way {
            Way::Whole(_) => return,
            Way::Live(live) => live.write(text, has_rows),
            Way::Above(above, wrap) => above.print(&wrap.push(text, above.columns())),
        }
        self.pieces.push_str(text);
    }

    /// Takes the whole text of a step, whose pieces may have been told and may have been void.
    pub(crate) fn whole(&mut self, text: &str) {
        let pieces = std::mem::take(&mut self.pieces);
        if let Way::Whole(outlet) = &mut self.way {
            outlet.put(format!("{}\n", text.trim_end_matches('\n')));
        } else if !pieces.ends_with(text) {
            let rest = text.strip_prefix(&*pieces);
            if rest.is_none() {
                self.end_line();
            }
            self.piece(rest.unwrap_or(text), false);
            self.pieces.clear();
        }
        self.end_line();
        self.said = Some(text.trim().to_owned());
    }

    /// The turn is over with this answer, which was said already unless a tool gave it.
    pub(crate) fn answer(&mut self, text: &str) {
        self.end_line();
        let said = self.said.take();
        self.pieces.clear();
        if !text.trim().is_empty() && said.as_deref() != Some(text.trim()) {
            self.whole(text);
        }
        self.said = None;
    }

    /// Whatever comes next begins a line.
    pub(crate) fn end_line(&mut self) {
        match &mut self.way {
            Way::Whole(_) => {}
            Way::Live(live) => live.end_line(),
            Way::Above(above, wrap) => above.print(&wrap.rest()),
        }
    }

    /// Standard output, when nothing more is said.
    pub(crate) fn into_outlet(self) -> Option<Outlet> {
        match self.way {
            Way::Whole(outlet) | Way::Live(Live { outlet, .. }) => Some(outlet),
            Way::Above(..) => None,
        }
    }
}

impl Live {
    fn write(&mut self, text: &str, has_rows: bool) {
        self.held.push_str(&clean_lines(text));
        let ready =
            if has_rows { self.held.rfind('\n').map_or(0, |end| end + 1) } else { self.held.len() };
        let rest = self.held.split_off(ready);
        let ready = std::mem::replace(&mut self.held, rest);
        if !ready.is_empty() {
            self.is_open = !ready.ends_with('\n');
            let Self { outlet, voice, .. } = self;
            voice.aside(|| outlet.put(ready));
        }
    }

    fn end_line(&mut self) {
        if self.is_open || !self.held.is_empty() {
            self.write("\n", true);
        }
    }
}
