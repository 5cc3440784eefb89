//! Tools whose arguments are a Rust type: the schema follows from the type, and arguments are read into
//! it.
//!
//! Not here: what does not fit a schema (`schema.rs`).

use std::fmt;
use std::sync::Arc;

use fanfold_schedule::Footprint;
use fanfold_transcript::{Outcome, Subject};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{BadArguments, Definition, Effect, Kind, Prepared, Run, Running, Tool};
use crate::place::Place;
use crate::quote::shortened;
use crate::schema::Schema;

/// A tool with arguments of a Rust type; [`Typed`] makes a [`Tool`] of it.
pub trait TypedTool: fmt::Debug + Send + Sync + 'static {
    /// The arguments. Their doc comments become the schema's descriptions. An optional argument is an
    /// `Option`, for which null means absent; unknown arguments are refused by
    /// `#[serde(deny_unknown_fields)]`.
    type Arguments: DeserializeOwned + JsonSchema + Send + Sync + 'static;
    /// The name.
    const NAME: &'static str;
    /// What it does, for the model.
    const DESCRIPTION: &'static str;
    /// The native kind of its rows.
    const KIND: Kind = Kind::Tool;
    /// Whether it may change anything.
    const EFFECT: Effect;
    /// Whether it shows its result page by page.
    const PAGES: bool = false;

    /// See [`Prepared::footprint`].
    fn footprint(&self, arguments: &Self::Arguments, place: &Place) -> Footprint;

    /// See [`Prepared::subject`].
    fn subject(&self, _arguments: &Self::Arguments) -> Subject {
        Subject::Opaque
    }

    /// See [`Prepared::run`].
    fn run(
        &self,
        arguments: Self::Arguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static;
}

/// A [`TypedTool`] as a [`Tool`].
#[derive(Debug)]
pub struct Typed<T> {
    tool: Arc<T>,
    definition: Definition,
}

impl<T: TypedTool> Typed<T> {
    /// Makes the definition from the types; the schema is made when it is first needed.
    pub fn new(tool: T) -> Self {
        let definition = Definition {
            name: T::NAME.into(),
            description: T::DESCRIPTION.into(),
            input_schema: Schema::new(schema_of::<T::Arguments>),
            kind: T::KIND,
            effect: T::EFFECT,
            pages: T::PAGES,
        };
        Self { tool: Arc::new(tool), definition }
    }
}

impl<T: TypedTool> Tool for Typed<T> {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn prepare(&self, arguments: &Map<String, Value>) -> Result<Box<dyn Prepared>, BadArguments> {
        let arguments = self.definition.input_schema.fit(T::NAME, arguments)?;
        let arguments = serde_path_to_error::deserialize(Value::Object(arguments));
        let arguments = arguments.map_err(|error| {
            // Both may quote names that the model made up.
            let path = shortened(&error.path().to_string());
            let reason = shortened(&error.inner().to_string());
            let at = if path == "." { String::new() } else { format!("`{path}`: ") };
            BadArguments(format!("{}: {at}{reason}", T::NAME))
        })?;
        Ok(Box::new(TypedCall { tool: Arc::clone(&self.tool), arguments }))
    }
}

/// The schema of these arguments, without what the definition says already.
fn schema_of<A: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<A>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.shift_remove("title");
        object.shift_remove("description");
    }
    schema
}

struct TypedCall<T: TypedTool> {
    tool: Arc<T>,
    arguments: T::Arguments,
}

impl<T: TypedTool> Prepared for TypedCall<T> {
    fn footprint(&self, place: &Place) -> Footprint {
        self.tool.footprint(&self.arguments, place)
    }

    fn subject(&self) -> Subject {
        self.tool.subject(&self.arguments)
    }

    fn run(self: Box<Self>, run: Run) -> Running {
        Box::pin(self.tool.run(self.arguments, run))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use schemars::SchemaGenerator;
    use serde::Deserialize;

    use super::*;

    static SCHEMAS: AtomicUsize = AtomicUsize::new(0);

    #[derive(Deserialize)]
    struct Counted {}

    impl JsonSchema for Counted {
        fn schema_name() -> Cow<'static, str> {
            "Counted".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
            SCHEMAS.fetch_add(1, Ordering::Relaxed);
            schemars::json_schema!({"type": "object"})
        }
    }

    #[derive(Debug)]
    struct Idle;

    impl TypedTool for Idle {
        type Arguments = Counted;
        const NAME: &'static str = "idle";
        const DESCRIPTION: &'static str = "Does nothing";
        const EFFECT: Effect = Effect::ReadsOnly;

        fn footprint(&self, _: &Counted, _: &Place) -> Footprint {
            Footprint::independent()
        }

        fn run(&self, _: Counted, _: Run) -> impl Future<Output = Outcome> + Send + 'static {
            std::future::ready(Outcome::ok_text(""))
        }
    }

    #[test]
    fn a_schema_is_made_once_and_only_when_it_is_needed() {
        let tool = Typed::new(Idle);
        let definition = tool.definition();
        assert_eq!((&*definition.name, definition.effect), ("idle", Effect::ReadsOnly));
        assert_eq!(SCHEMAS.load(Ordering::Relaxed), 0);
        for _ in 0..2 {
            assert!(tool.prepare(&Map::new()).is_ok());
            assert_eq!(definition.input_schema.json()["type"], "object");
            assert_eq!(SCHEMAS.load(Ordering::Relaxed), 1);
        }
    }
}
