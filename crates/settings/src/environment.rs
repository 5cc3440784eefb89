//! The layer of the environment: `FANFOLD_` and the key in upper case, `__` between its levels.
//!
//! A value is JSON if it parses, else a text. Names of the user's choice, such as those of tools, are
//! taken in lower case; others are said as JSON one level up. Not here: reading the environment.

use std::ffi::OsStr;

use serde_json::Value;

use crate::key::Key;
use crate::layer::Layer;
use crate::nearest::{every_key, nearest};
use crate::origin::{LayerKind, Origin};
use crate::problem::SettingsError;
use crate::shape::Shape;
use crate::text::Text;

const PREFIX: &str = "FANFOLD_";

/// Variables of Fanfold that are no settings.
const OTHERS: [&str; 3] = ["FANFOLD_HOME", "FANFOLD_CALL", "FANFOLD_CORPUS"];

/// The variables of simulations, which are no settings either.
const SIMULATION: &str = "FANFOLD_SIM_";

/// What the environment says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment {
    /// The settings in it.
    pub layer: Layer,
    /// The variables that look like settings and are none, each with a hint: for whoever asks.
    pub ignored: Vec<String>,
}

impl Environment {
    /// Reads all variables; those of other programs are left alone.
    ///
    /// # Errors
    /// All variables that name a key and do not fit it.
    pub fn read<N, V>(variables: impl IntoIterator<Item = (N, V)>) -> Result<Self, SettingsError>
    where
        N: AsRef<OsStr>,
        V: AsRef<OsStr>,
    {
        let mut ours: Vec<(String, V)> = variables
            .into_iter()
            .filter_map(|(name, value)| Some((name.as_ref().to_str()?.to_owned(), value)))
            .filter(|(name, _)| is_ours(name))
            .collect();
        // A variable for one key beats one for its whole section, whatever the order of the environment.
        ours.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut environment = Self::default();
        let mut error = SettingsError::default();
        for (name, value) in ours {
            match key(&name) {
                None => environment.ignored.push(ignored(&name)),
                Some(key) => match one(&key, &name, value.as_ref()) {
                    Ok(layer) => environment.layer.leaves.extend(layer.leaves),
                    Err(problems) => error.join(problems),
                },
            }
        }
        error.unless_any(environment)
    }
}

fn is_ours(name: &str) -> bool {
    name.starts_with(PREFIX) && !OTHERS.contains(&name) && !name.starts_with(SIMULATION)
}

/// The key that a variable names.
fn key(name: &str) -> Option<Key> {
    let levels = name.strip_prefix(PREFIX)?.split("__");
    let start = (Shape::root(), Key::default());
    let found = levels.into_iter().try_fold(start, |(shape, key), level| match shape {
        Shape::Section(section) => {
            let (name, shape) =
                section.keys.iter().find(|(name, _)| name.to_uppercase() == level)?;
            Some((shape, key.child(name)))
        }
        Shape::Table(names, entry) => {
            let name = level.to_lowercase();
            (!name.is_empty() && names.accepts(&name)).then(|| (&**entry, key.child(&name)))
        }
        Shape::Value(_) => None,
    });
    found.map(|(_, key)| key)
}

fn one(key: &Key, name: &str, value: &OsStr) -> Result<Layer, SettingsError> {
    let Some(text) = value.to_str() else {
        let mut error = SettingsError::default();
        let origin = Origin { layer: LayerKind::Environment, name: name.into(), line: None };
        error.add(origin, || format!("{key} is not UTF-8 text"));
        return Err(error);
    };
    let is_json = matches!(Text::new(text).parse(), Ok(Some(_)));
    let json = if is_json { text.to_owned() } else { Value::from(text).to_string() };
    Layer::one(key, &json, LayerKind::Environment, name)
}

/// The notice for a variable that names no key.
fn ignored(name: &str) -> String {
    let known: Vec<String> = every_key().iter().map(variable).collect();
    // What all of them begin with says nothing about likeness.
    let rests = known.iter().filter_map(|known| known.strip_prefix(PREFIX));
    let hint = nearest(name.strip_prefix(PREFIX).unwrap_or(name), rests);
    let hint = hint.map(|rest| format!("; did you mean {PREFIX}{rest}?")).unwrap_or_default();
    format!("{name} is ignored: it names no setting{hint}")
}

fn variable(key: &Key) -> String {
    format!("{PREFIX}{}", key.levels().join("__").to_uppercase())
}
