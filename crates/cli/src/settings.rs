//! The environment, read here and nowhere else, put together with file and flags.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail};
use jiff::SignedDuration;
use toolcrib::model::ToolChoice;
use toolcrib_data::records::Dialect;
use toolcrib_data::{ConnectionConfig, ConnectionUrl, Connections};
use toolcrib_runtime::{
    AuditKey, CounterOptions, EndpointSettings, Provider, RuntimeOptions, SettingsOrigin,
};
use tracing_subscriber::EnvFilter;

use crate::args::Command;
use crate::config::{Calls, Config};

/// A variable that is set to something.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the place that reads the environment"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Starts the log on standard error: all of it for a server, trouble alone for other commands.
pub(crate) fn start_log(command: &Command) {
    let usual = if matches!(command, Command::Serve(_)) {
        "info"
    } else {
        "warn"
    };
    let filter = variable("TOOLCRIB_LOG").unwrap_or_else(|| usual.to_owned());
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new(usual));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // A log that can't be written must not end what it tells about.
        .log_internal_errors(false);
    if variable("TOOLCRIB_LOG_FORMAT").as_deref() == Some("json") {
        builder.json().init();
    } else {
        use std::io::IsTerminal as _;
        builder.with_ansi(std::io::stderr().is_terminal()).init();
    }
}

/// Lets a test of crashes end the process at a commit.
#[cfg(debug_assertions)]
fn prepare_faults() {
    let boundary = variable("TOOLCRIB_TEST_ABORT_AT").and_then(|text| text.parse().ok());
    if let Some(boundary) = boundary {
        toolcrib_data::faults::abort_at(boundary);
    }
}

/// What an application on that folder is started with.
pub(crate) fn runtime_options(dir: &Path, config: &Config) -> anyhow::Result<RuntimeOptions> {
    #[cfg(debug_assertions)]
    prepare_faults();
    let mut options = RuntimeOptions::new(dir);
    options.language_model = language_model(config)?;
    options.connections = connections(dir, config)?;
    options.database = database(dir, config)?;
    options
        .denied_operations
        .clone_from(&config.records.denied_operations);
    limit_calls(&mut options.counter, &config.calls);
    options.audit_key = variable("TOOLCRIB_AUDIT_KEY")
        .map(|text| audit_key(&text))
        .transpose()?;
    options.audit_kept = match config.audit.keep_days {
        Some(0) => bail!("keep_days under [audit] is at least 1"),
        days => days.map(|days| SignedDuration::from_hours(24 * i64::from(days))),
    };
    options.force_tool =
        variable("TOOLCRIB_MODEL_FORCE_TOOL").map(|choice| match choice.as_str() {
            "required" => ToolChoice::Required,
            name => ToolChoice::Tool(name.to_owned()),
        });
    Ok(options)
}

fn limit_calls(counter: &mut CounterOptions, calls: &Calls) {
    if let Some(seconds) = calls.timeout_seconds {
        counter.tool_timeout = Duration::from_secs(seconds.get().into());
    }
    if let Some(hours) = calls.approval_hours {
        counter.approval_lifetime = SignedDuration::from_hours(hours.get().into());
    }
    if let Some(bytes) = calls.largest_result_bytes {
        counter.largest_result = usize::try_from(bytes.get()).unwrap_or(usize::MAX);
    }
}

/// A key that is none must not be taken for no key at all.
fn audit_key(text: &str) -> anyhow::Result<AuditKey> {
    AuditKey::parse(text).context("TOOLCRIB_AUDIT_KEY is not 64 hexadecimal digits")
}

/// The database of the platform's own rows, if it is not a file of the workspace.
fn database(dir: &Path, config: &Config) -> anyhow::Result<Option<ConnectionUrl>> {
    let (text, at) = match (variable("DATABASE_URL"), &config.server.database_url) {
        (Some(text), _) => (text, "DATABASE_URL".to_owned()),
        (None, Some(text)) => {
            let at = format!("database_url of {}", dir.join("toolcrib.toml").display());
            (filled(text).with_context(|| at.clone())?, at)
        }
        (None, None) => return Ok(None),
    };
    let url = ConnectionUrl::parse(text).map_err(|error| anyhow::anyhow!("{at} {error}"))?;
    if url.dialect() != Dialect::Postgres {
        bail!("{at} must be a URL that begins with postgres://");
    }
    Ok(Some(url))
}

/// The databases that data models may be in, with their secrets from the environment.
pub(crate) fn connections(dir: &Path, config: &Config) -> anyhow::Result<Connections> {
    let mut configs = Vec::new();
    for (name, given) in &config.connections {
        let at = || {
            format!(
                "[connections.{name}] of {}",
                dir.join("toolcrib.toml").display()
            )
        };
        let url = filled(&given.url).with_context(at)?;
        let url = ConnectionUrl::parse(in_folder(dir, url))
            .map_err(|error| anyhow::anyhow!("url {error}"))
            .with_context(at)?;
        if given.sessions == Some(0) {
            bail!("{}: sessions must be 1 or more", at());
        }
        configs.push(ConnectionConfig {
            read_only: given.read_only,
            marker: given.marker,
            schemas: given.schemas.clone(),
            sessions: given.sessions.unwrap_or(8),
            ..ConnectionConfig::new(name, url)
        });
    }
    Ok(Connections::new(configs)?)
}

/// The text with each `${NAME}` filled from the environment.
fn filled(text: &str) -> anyhow::Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after) = after
            .split_once('}')
            .context("url has a `${` without its `}`")?;
        let value = variable(name);
        let value = value.with_context(|| format!("the variable {name} is not set"))?;
        out.push_str(before);
        out.push_str(&value);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

/// A file's URL is relative to the workspace.
fn in_folder(dir: &Path, url: String) -> String {
    match url.strip_prefix("sqlite:") {
        Some(path) if !path.starts_with('/') => {
            let path = path.trim_start_matches("./");
            format!("sqlite:{}", dir.join(path).display())
        }
        _ => url,
    }
}

fn language_model(config: &Config) -> anyhow::Result<Option<EndpointSettings>> {
    let file = &config.language_model;
    let key_name = file
        .api_key_variable
        .as_deref()
        .unwrap_or("TOOLCRIB_MODEL_API_KEY");
    let timeout = match variable("TOOLCRIB_MODEL_TIMEOUT_SECONDS") {
        Some(text) => Some(
            text.parse()
                .context("TOOLCRIB_MODEL_TIMEOUT_SECONDS is a whole number of seconds")?,
        ),
        None => file.timeout_seconds,
    };
    let provider: Provider =
        match variable("TOOLCRIB_MODEL_PROVIDER").or_else(|| file.provider.clone()) {
            Some(name) => name.parse().context("TOOLCRIB_MODEL_PROVIDER")?,
            None => Provider::default(),
        };
    let from = |base_url: String, model: String, origin| -> anyhow::Result<_> {
        Ok(Some(EndpointSettings {
            provider,
            base_url,
            api_key: variable(key_name),
            capabilities: file.overrides()?,
            model,
            timeout: Duration::from_secs(timeout.unwrap_or(120)),
            origin,
        }))
    };
    match (
        variable("TOOLCRIB_MODEL_BASE_URL"),
        variable("TOOLCRIB_MODEL_NAME"),
    ) {
        (Some(base_url), Some(model)) => from(base_url, model, SettingsOrigin::Environment),
        (Some(_), None) => {
            bail!("TOOLCRIB_MODEL_BASE_URL is set; TOOLCRIB_MODEL_NAME has to name the model")
        }
        (None, Some(_)) => bail!(
            "TOOLCRIB_MODEL_NAME is set; TOOLCRIB_MODEL_BASE_URL has to say where the model is"
        ),
        (None, None) => match (&file.base_url, &file.model) {
            (Some(base_url), Some(model)) => {
                from(base_url.clone(), model.clone(), SettingsOrigin::File)
            }
            _ => Ok(None),
        },
    }
}

#[cfg(test)]
mod tests {
    use toolcrib_data::records::Operation;

    use super::*;

    /// What a workspace with that file is started with.
    fn started_with(toml: &str) -> anyhow::Result<RuntimeOptions> {
        let dir = tempfile::tempdir()?;
        std::fs::write(dir.path().join("toolcrib.toml"), toml)?;
        runtime_options(dir.path(), &Config::read(dir.path())?)
    }

    #[test]
    fn calls_and_audit_are_limited_as_the_file_says() {
        let usual = started_with("").unwrap();
        assert_eq!(usual.counter.tool_timeout, Duration::from_secs(30));
        let approval = usual.counter.approval_lifetime;
        assert_eq!(approval, SignedDuration::from_hours(24));
        assert_eq!(usual.counter.largest_result, 32 * 1024);
        assert_eq!(usual.audit_kept, None);
        let toml = "[calls]\ntimeout_seconds = 7\napproval_hours = 2\nlargest_result_bytes = 99\n\
            [audit]\nkeep_days = 3\n[records]\ndenied_operations = [\"delete\"]\n";
        let set = started_with(toml).unwrap();
        assert_eq!(set.counter.tool_timeout, Duration::from_secs(7));
        let approval = set.counter.approval_lifetime;
        assert_eq!(approval, SignedDuration::from_hours(2));
        assert_eq!(set.counter.largest_result, 99);
        assert_eq!(set.audit_kept, Some(SignedDuration::from_hours(72)));
        assert!(set.denied_operations.contains(&Operation::Delete));
    }

    #[test]
    fn a_limit_that_is_none_is_refused() {
        for toml in [
            "[calls]\ntimeout_seconds = 0\n",
            "[calls]\napproval_hours = 0\n",
            "[calls]\nlargest_result_bytes = 0\n",
            "[calls]\ntimeout = 5\n",
            "[audit]\nkeep_days = 0\n",
        ] {
            assert!(started_with(toml).is_err(), "{toml}");
        }
    }
}
