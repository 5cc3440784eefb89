//! A tool made of closures, for tests that need one of a certain shape.

use std::fmt;
use std::sync::Arc;

use fanfold_schedule::Footprint;
use fanfold_tools::{BadArguments, Definition, Effect, Kind, Place, Prepared, Run, Running, Tool};
use fanfold_transcript::Outcome;
use serde_json::{Map, Value, json};

type MakeFootprint = dyn Fn(&Map<String, Value>) -> Footprint + Send + Sync;
type MakeRun = dyn Fn(Map<String, Value>, Run) -> Running + Send + Sync;

/// A tool that touches and does what a test says.
#[derive(Clone)]
pub struct MadeTool {
    definition: Arc<Definition>,
    footprint: Arc<MakeFootprint>,
    run: Arc<MakeRun>,
}

impl fmt::Debug for MadeTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MadeTool({})", self.definition.name)
    }
}

impl MadeTool {
    /// An Independent tool that only reads and does `run`.
    pub fn new<F>(
        name: &str,
        run: impl Fn(Map<String, Value>, Run) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let definition = Definition {
            name: name.into(),
            description: "A tool of the tests".into(),
            input_schema: json!({"type": "object"}).into(),
            kind: Kind::Tool,
            effect: Effect::ReadsOnly,
            pages: false,
        };
        Self {
            definition: Arc::new(definition),
            footprint: Arc::new(|_| Footprint::independent()),
            run: Arc::new(move |arguments, run_with| Box::pin(run(arguments, run_with))),
        }
    }

    /// The same tool, which may change something.
    ///
    /// # Panics
    /// When the tool was cloned before.
    #[must_use]
    pub fn changing(mut self) -> Self {
        let definition = Arc::get_mut(&mut self.definition).expect("a tool that was just made");
        definition.effect = Effect::MayChange;
        self
    }

    /// The same tool, touching this.
    #[must_use]
    pub fn touching(
        mut self,
        footprint: impl Fn(&Map<String, Value>) -> Footprint + Send + Sync + 'static,
    ) -> Self {
        self.footprint = Arc::new(footprint);
        self
    }
}

impl Tool for MadeTool {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn prepare(&self, arguments: &Map<String, Value>) -> Result<Box<dyn Prepared>, BadArguments> {
        Ok(Box::new(MadeCall { tool: self.clone(), arguments: arguments.clone() }))
    }
}

struct MadeCall {
    tool: MadeTool,
    arguments: Map<String, Value>,
}

impl Prepared for MadeCall {
    fn footprint(&self, _: &Place) -> Footprint {
        (self.tool.footprint)(&self.arguments)
    }

    fn run(self: Box<Self>, run: Run) -> Running {
        (self.tool.run)(self.arguments, run)
    }
}
