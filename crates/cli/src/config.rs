//! `toolcrib.toml`: one struct a concern, validated at start.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::Value;
use toolcrib::model::Capabilities;
use toolcrib_data::records::Operation;
use toolcrib_runtime::Provider;

/// The default file, with everything in it commented.
pub(crate) const DEFAULT: &str = include_str!("../toolcrib.default.toml");

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) server: Server,
    pub(crate) language_model: LanguageModel,
    pub(crate) records: Records,
    pub(crate) calls: Calls,
    pub(crate) audit: Audit,
    /// The databases that data models may be in, by name.
    pub(crate) connections: BTreeMap<String, Connection>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Connection {
    /// Where the database is; `${NAME}` in it is a variable of the environment.
    pub(crate) url: String,
    /// Whether it may only be read.
    #[serde(default)]
    pub(crate) read_only: bool,
    /// Whether a table may be made there by which a write that was cut off is settled.
    #[serde(default)]
    pub(crate) marker: bool,
    /// The schemas to look at.
    #[serde(default)]
    pub(crate) schemas: Vec<String>,
    /// At most so many sessions at the same time.
    pub(crate) sessions: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Records {
    /// What nobody may do with records, whatever the grants say.
    pub(crate) denied_operations: BTreeSet<Operation>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Calls {
    /// How long a tool may take, unless its row says.
    pub(crate) timeout_seconds: Option<NonZeroU32>,
    /// How long a call can be decided, unless the tool's row says.
    pub(crate) approval_hours: Option<NonZeroU32>,
    /// The largest result that a language model gets whole, in bytes of text.
    pub(crate) largest_result_bytes: Option<NonZeroU32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Audit {
    /// After how many days the oldest part is dropped.
    pub(crate) keep_days: Option<u16>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Server {
    /// The address to listen on.
    pub(crate) listen: Option<String>,
    /// The PostgreSQL database of Toolcrib's own rows.
    pub(crate) database_url: Option<String>,
    /// Host names that requests may be addressed to, beside the loopback ones.
    pub(crate) hosts: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LanguageModel {
    /// How the endpoint is spoken to.
    pub(crate) provider: Option<String>,
    /// The base URL of the endpoint.
    pub(crate) base_url: Option<String>,
    /// The model's name.
    pub(crate) model: Option<String>,
    /// The name of the environment variable that holds the key.
    pub(crate) api_key_variable: Option<String>,
    /// How long to wait for an answer to begin, in seconds.
    pub(crate) timeout_seconds: Option<u64>,
    /// What the model can do, where that differs from what is known of it.
    pub(crate) capabilities: Option<toml::Table>,
}

impl Config {
    /// Reads the file of a workspace; a missing one says nothing.
    pub(crate) fn read(dir: &Path) -> anyhow::Result<Self> {
        let path = dir.join("toolcrib.toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                bail!("{}:1:1: the file is not text in UTF-8", path.display())
            }
            Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
        };
        let config: Self = toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before
                .chars()
                .rev()
                .take_while(|letter| *letter != '\n')
                .count()
                + 1;
            anyhow::anyhow!("{}:{line}:{column}: {}", path.display(), error.message())
        })?;
        let model = &config.language_model;
        if model.base_url.is_some() != model.model.is_some() {
            let line = line_of(&text, "[language_model]");
            bail!(
                "{}:{line}:1: [language_model] needs both base_url and model",
                path.display()
            );
        }
        if let Some(url) = &model.base_url
            && !url.starts_with("http://")
            && !url.starts_with("https://")
        {
            let line = line_of(&text, "base_url");
            bail!(
                "{}:{line}:1: base_url begins with http:// or https://",
                path.display()
            );
        }
        if let Some(name) = &model.provider
            && let Err(error) = name.parse::<Provider>()
        {
            let line = line_of(&text, "provider");
            bail!("{}:{line}:1: {error}", path.display());
        }
        if let Err(error) = model.overrides() {
            let line = line_of(&text, "[language_model.capabilities]");
            bail!("{}:{line}:1: {error}", path.display());
        }
        Ok(config)
    }
}

impl LanguageModel {
    /// What the file says of a model's capabilities.
    pub(crate) fn overrides(&self) -> anyhow::Result<Option<Value>> {
        let Some(overrides) = &self.capabilities else {
            return Ok(None);
        };
        let overrides = serde_json::to_value(overrides)?;
        Capabilities::default().with(&overrides)?;
        Ok(Some(overrides))
    }
}

/// The line on which a word first stands outside a comment.
fn line_of(text: &str, word: &str) -> usize {
    let found = text
        .lines()
        .position(|line| line.trim_start().starts_with(word));
    found.map_or(1, |line| line + 1)
}
