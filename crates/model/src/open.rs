//! From the name of a model to the model: where its server is, and with which key it is asked.
//!
//! Not here: reading names (`name.rs`), and the requests (`http.rs`).

use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs};

use fanfold_settings::{Model as Said, Settings};
use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderValue};

use crate::api::Api;
use crate::catalog::Catalog;
use crate::hearing::Tap;
use crate::http::{HttpModel, Server, is_loopback};
use crate::key::ApiKey;
use crate::model::Model;
use crate::name::{ModelName, NameError};
use crate::script::{Script, ScriptModel};

/// The most bytes of a script: 256 MiB.
const SCRIPT_BYTES_MAX: u64 = 256 << 20;

/// What opening a model looks at.
#[derive(Clone)]
pub struct Opening<'a> {
    /// The settings in force.
    pub settings: &'a Settings,
    /// The flag that says where the server is; it wins over settings and environment.
    pub base_url: Option<&'a str>,
    /// The value of an environment variable.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// Who wants to know what comes of each request.
    pub tap: Option<Arc<dyn Tap>>,
}

/// Why a model cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Nobody of this name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is no key.
    #[error("no key for {model}: set {variable}; --model script:FILE needs none")]
    NoKey {
        /// The model.
        model: String,
        /// The variable that should hold the key.
        variable: String,
    },
    /// The key is none.
    #[error("{variable} holds no key: it has characters that no HTTP header may have")]
    BadKey {
        /// The variable.
        variable: String,
    },
    /// The server's address is none.
    #[error("{url:?} ({from}) is no base URL: {problem}")]
    BadBaseUrl {
        /// What was said.
        url: String,
        /// Where.
        from: String,
        /// Why it cannot be used.
        problem: String,
    },
    /// The script cannot be read.
    #[error("cannot use the script {file}: {problem}")]
    Script {
        /// The file.
        file: String,
        /// Why.
        problem: String,
    },
}

/// The model of this name, ready to be asked.
///
/// # Errors
/// When the provider is unknown, its address is no URL or its key is missing; for a script, when its
/// file cannot be read. Nothing is connected: a wrong key shows with the first request.
pub fn open(name: &ModelName, opening: &Opening<'_>) -> Result<Arc<dyn Model>, OpenError> {
    match name {
        ModelName::Hosted { provider, model } => {
            let place = Place::find(provider, model, opening)?;
            let key = place.key(name, opening)?;
            let mut headers = place.api.headers(key.as_ref());
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            let url = place.api.endpoint(&place.base, model);
            let server = Server::new(url, headers, key, &opening.settings.limits);
            Ok(Arc::new(HttpModel::new(place.api.wire(), server, opening.tap.clone())))
        }
        ModelName::Script(file) => open_script(file, opening.tap.clone()),
    }
}

fn open_script(file: &Path, tap: Option<Arc<dyn Tap>>) -> Result<Arc<dyn Model>, OpenError> {
    let wrong = |problem: String| OpenError::Script { file: file.display().to_string(), problem };
    let kind = fs::metadata(file).map_err(|error| wrong(error.to_string()))?;
    if !kind.is_file() {
        // Reading a pipe or a terminal would wait for somebody to write.
        return Err(wrong("it is no regular file".to_owned()));
    }
    if kind.len() > SCRIPT_BYTES_MAX {
        return Err(wrong("it is larger than 256 MiB".to_owned()));
    }
    let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let script = Script::parse(&text).map_err(|error| wrong(error.to_string()))?;
    Ok(match tap {
        Some(tap) => Arc::new(ScriptModel::with_tap(script, tap)),
        None => Arc::new(ScriptModel::new(script)),
    })
}

/// Where a model is asked, and how.
struct Place {
    api: Api,
    base: Url,
    key_env: String,
}

impl Place {
    fn find(provider: &str, model: &str, opening: &Opening<'_>) -> Result<Self, OpenError> {
        let key = format!("{provider}/{model}");
        let said = opening.settings.models.get(&key);
        let from_settings = said.and_then(|said| said.base_url.clone());
        let flag = opening.base_url.map(|url| (url.to_owned(), "--base-url".to_owned()));
        let own = from_settings.map(|url| (url, format!("models.{key:?}.base_url")));
        let said_url = flag.or(own);
        let key_env = said.and_then(|said: &Said| said.api_key_env.clone());
        let Some(known) = Catalog::get().provider(provider) else {
            let (url, from) = said_url.ok_or_else(|| NameError::unknown(provider, model))?;
            let key_env = key_env.unwrap_or_else(|| own_key_env(provider));
            return Ok(Self { api: Api::OpenaiChat, base: base_url(&url, &from)?, key_env });
        };
        let from_environment = || {
            let variable = known.base_url_env.as_ref()?;
            let url = (opening.environment)(variable).filter(|url| !url.trim().is_empty())?;
            Some((url, variable.clone()))
        };
        let built_in = || (known.base_url.clone(), "built in".to_owned());
        let (url, from) = said_url.or_else(from_environment).unwrap_or_else(built_in);
        let key_env = key_env.unwrap_or_else(|| known.key_env.clone());
        Ok(Self { api: known.api, base: base_url(&url, &from)?, key_env })
    }

    /// The key. A server on this machine, or one that is asked in the clear, may do without.
    fn key(&self, name: &ModelName, opening: &Opening<'_>) -> Result<Option<ApiKey>, OpenError> {
        let variable = self.key_env.clone();
        match (opening.environment)(&variable).filter(|key| !key.trim().is_empty()) {
            Some(key) => ApiKey::new(&key).map(Some).ok_or(OpenError::BadKey { variable }),
            None if self.base.scheme() == "http" || is_loopback(&self.base) => Ok(None),
            None => Err(OpenError::NoKey { model: name.to_string(), variable }),
        }
    }
}

impl fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Opening");
        shown.field("base_url", &self.base_url).field("tap", &self.tap).finish_non_exhaustive()
    }
}

/// The variables that may hold keys: those of all providers that are known or named in the settings.
/// What a model starts must not see them.
#[must_use]
pub fn key_variables(settings: &Settings) -> Vec<String> {
    let known = Catalog::get().providers.iter().map(|provider| provider.key_env.clone());
    let named = settings.models.iter().flat_map(|(name, model)| {
        let provider = name.split('/').next().unwrap_or_default();
        let own = Catalog::get().provider(provider).is_none().then(|| own_key_env(provider));
        model.api_key_env.clone().into_iter().chain(own)
    });
    known.chain(named).collect()
}

/// The variable of the key of a provider that only the settings know: `ACME_API_KEY` for `acme`.
fn own_key_env(provider: &str) -> String {
    let upper = provider.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    upper.collect::<String>().to_ascii_uppercase() + "_API_KEY"
}

/// Reads a base URL; slashes at its end do not matter.
fn base_url(text: &str, from: &str) -> Result<Url, OpenError> {
    let wrong = |problem: &str| OpenError::BadBaseUrl {
        // A password in it must not be shown, whatever else is wrong with it.
        url: text.split_once('@').map_or(text, |_| "…").to_owned(),
        from: from.to_owned(),
        problem: problem.to_owned(),
    };
    let url = Url::parse(text.trim().trim_end_matches('/'));
    let url = url.map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it must begin with https:// or http://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it must hold no user and no password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it must have no ? and no #"));
    }
    Ok(url)
}
