//! The tools of a session, by name.
//!
//! Not here: which of them an agent may use (`fanfold-agent`).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::tool::{Tool, Typed};
use crate::{EditFile, FindAndEdit, FormatFile, Glob, Grep, Ls, ReadFile, Shell, Wait, WriteFile};

/// Tools by name, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    tools: BTreeMap<Box<str>, Arc<dyn Tool>>,
}

impl Toolbox {
    /// The built-in tools that can be used anywhere: the one list of them. [`Response`](crate::Response)
    /// is not among them, since only an agent has a turn to end: who runs one adds it.
    #[must_use]
    pub fn builtin() -> Self {
        Self::default()
            .with(Typed::new(ReadFile))
            .with(Typed::new(Ls))
            .with(Typed::new(Glob))
            .with(Typed::new(Grep))
            .with(Typed::new(WriteFile))
            .with(Typed::new(EditFile))
            .with(Typed::new(FindAndEdit))
            .with(Typed::new(FormatFile::default()))
            .with(Typed::new(Shell::default()))
            .with(Typed::new(Wait))
    }

    /// These tools and one more; a tool of the same name is replaced.
    #[must_use]
    pub fn with(mut self, tool: impl Tool + 'static) -> Self {
        let name = tool.definition().name.clone();
        self.tools.insert(name, Arc::new(tool));
        self
    }

    /// The tool of this name, spelled exactly.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.get(name)
    }

    /// All tools, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.values()
    }
}
