//! Which language model is used, and who said so.

pub(crate) mod provider;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolcrib::id::{OrgId, UserId};
use toolcrib::model::{Endpoint, ModelError, SharedModel};
use toolcrib::transport::{HttpTransport, Transport};
use toolcrib_data::Store;
use toolcrib_data::platform::settings;
use utoipa::ToSchema;

use self::provider::Provider;
use crate::RuntimeError;

const SETTING: &str = "language_model";

/// An endpoint and a model behind it.
#[derive(Clone)]
pub struct EndpointSettings {
    /// How it wants to be spoken to.
    pub provider: Provider,
    /// The base URL, up to and including `/v1`.
    pub base_url: String,
    /// The key, where one is needed.
    pub api_key: Option<String>,
    /// The model's name.
    pub model: String,
    /// How long to wait for an answer to begin, and for each next piece of it.
    pub timeout: Duration,
    /// What its models can do, where that differs from what is known of them: a JSON object.
    pub capabilities: Option<Value>,
    /// Who said so.
    pub origin: SettingsOrigin,
}

impl std::fmt::Debug for EndpointSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EndpointSettings")
            .field("provider", &self.provider)
            .field("base_url", &self.base_url)
            .field("api_key", &self.api_key.as_ref().map(|_| "redacted"))
            .field("model", &self.model)
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingsOrigin {
    /// An environment variable.
    Environment,
    /// `toolcrib.toml`.
    File,
    /// The web app.
    Web,
}

/// What clients may know of the language model.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LanguageModelStatus {
    /// Whether there is one.
    pub configured: bool,
    /// How it is spoken to.
    pub provider: Option<Provider>,
    /// Where it is reached.
    pub base_url: Option<String>,
    /// Its name.
    pub model: Option<String>,
    /// Who said so.
    pub origin: Option<SettingsOrigin>,
    /// Whether it answered when it was last asked; unknown before that.
    pub reachable: Option<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    #[serde(default)]
    provider: Provider,
    base_url: String,
    model: String,
}

/// The language models of this server.
#[derive(Debug)]
pub struct LanguageModels {
    transport: Arc<dyn Transport>,
    key_file: PathBuf,
    current: Mutex<Option<EndpointSettings>>,
    made: Mutex<HashMap<String, (Provider, SharedModel)>>,
}

impl LanguageModels {
    /// Takes what the environment or the file says, else what was saved in the web app.
    pub(crate) async fn load(
        store: &Store,
        org: OrgId,
        secrets: &Path,
        given: Option<EndpointSettings>,
    ) -> Result<Self, RuntimeError> {
        let key_file = secrets.join("language-model-key");
        let current = match given {
            Some(given) => Some(given),
            None => saved(store, org, &key_file).await?,
        };
        Ok(Self {
            transport: Arc::new(HttpTransport::new()?),
            key_file,
            current: Mutex::new(current),
            made: Mutex::default(),
        })
    }

    fn settings(&self) -> Option<EndpointSettings> {
        self.current
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The model of that name at the configured endpoint, or the usual one, with its provider: what
    /// is kept from a provider must be kept from the very model that is asked.
    pub(crate) fn get(&self, name: Option<&str>) -> Option<(Provider, SharedModel)> {
        let settings = self.settings()?;
        let name = name.unwrap_or(&settings.model).to_owned();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let model = made.entry(name.clone()).or_insert_with(|| {
            let mut endpoint = Endpoint::new(settings.base_url, settings.api_key, name);
            endpoint.timeout = settings.timeout;
            let transport = Arc::clone(&self.transport);
            let known = settings
                .provider
                .model(endpoint.clone(), Arc::clone(&transport));
            let overrides = settings.capabilities.as_ref();
            // What is no capability was refused when the settings were read.
            endpoint.capabilities =
                overrides.and_then(|overrides| known.capabilities().with(overrides).ok());
            (
                settings.provider,
                settings.provider.model(endpoint, transport),
            )
        });
        Some(model.clone())
    }

    /// What clients may know.
    #[must_use]
    pub fn status(&self) -> LanguageModelStatus {
        let settings = self.settings();
        LanguageModelStatus {
            configured: settings.is_some(),
            provider: settings.as_ref().map(|settings| settings.provider),
            base_url: settings.as_ref().map(|settings| settings.base_url.clone()),
            model: settings.as_ref().map(|settings| settings.model.clone()),
            origin: settings.as_ref().map(|settings| settings.origin),
            reachable: None,
        }
    }

    /// Asks an endpoint which models it has.
    ///
    /// # Errors
    /// When it does not answer with a list.
    pub async fn check(
        &self,
        provider: Provider,
        base_url: &str,
        api_key: Option<String>,
    ) -> Result<Vec<String>, ModelError> {
        let endpoint = Endpoint::new(base_url, api_key, "(list of models)");
        let transport = Arc::clone(&self.transport);
        provider.list_models(endpoint, transport).await
    }

    /// Saves an endpoint from the web app. Answers with nothing when the environment or the file
    /// has the say.
    ///
    /// # Errors
    /// When it can't be stored.
    pub async fn save(
        &self,
        store: &Store,
        org: OrgId,
        by: UserId,
        new: EndpointSettings,
    ) -> Result<Option<LanguageModelStatus>, RuntimeError> {
        if self
            .settings()
            .is_some_and(|settings| settings.origin != SettingsOrigin::Web)
        {
            return Ok(None);
        }
        write_key(&self.key_file, new.api_key.as_deref())?;
        let mut unit = store.unit().await?;
        let value = json!(Stored {
            provider: new.provider,
            base_url: new.base_url.clone(),
            model: new.model.clone()
        });
        settings::set(
            &mut unit,
            org,
            SETTING,
            &value,
            Some(by),
            store.clock().micros(),
        )
        .await?;
        unit.commit().await?;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(new);
        self.made
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        Ok(Some(self.status()))
    }
}

async fn saved(
    store: &Store,
    org: OrgId,
    key_file: &Path,
) -> Result<Option<EndpointSettings>, RuntimeError> {
    let value = settings::get(&mut store.snapshot().await?, org, SETTING).await?;
    let stored: Option<Stored> = value.and_then(|value| serde_json::from_value(value).ok());
    let api_key = fs::read_to_string(key_file)
        .ok()
        .map(|key| key.trim().to_owned())
        .filter(|key| !key.is_empty());
    Ok(stored.map(|stored| EndpointSettings {
        provider: stored.provider,
        capabilities: None,
        base_url: stored.base_url,
        api_key,
        model: stored.model,
        timeout: Duration::from_secs(120),
        origin: SettingsOrigin::Web,
    }))
}

/// Keys stand in files that only their owner can read, never in the database.
fn write_key(path: &Path, key: Option<&str>) -> Result<(), RuntimeError> {
    crate::setup::write_private(path, key.unwrap_or_default())
}
