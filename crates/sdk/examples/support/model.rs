//! What the examples share: a real model where an endpoint is given, else a scripted one.
//!
//! `cargo run -p toolcrib --example typed_tool -- http://127.0.0.1:11434/v1 qwen2.5`

use std::io::Write;
use std::sync::Arc;

use toolcrib::model::openai::OpenAiModel;
use toolcrib::model::{Endpoint, SharedModel};
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::transport::HttpTransport;

/// The model of the command line: base URL, name, and a key where one is needed.
pub(crate) fn model(script: Vec<Scripted>) -> anyhow::Result<SharedModel> {
    let mut arguments = std::env::args().skip(1);
    let (Some(base_url), Some(name)) = (arguments.next(), arguments.next()) else {
        return Ok(SharedModel::new(ScriptedModel::new(script)));
    };
    let endpoint = Endpoint::new(base_url, arguments.next(), name);
    let transport = Arc::new(HttpTransport::new()?);
    Ok(SharedModel::new(OpenAiModel::new(endpoint, transport)))
}

/// Prints what came of it.
pub(crate) fn show(text: &str) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{text}")?;
    Ok(())
}
