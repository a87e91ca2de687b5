use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolcrib::model::openai::OpenAiModel;
use toolcrib::model::{Endpoint, SharedModel};
use toolcrib::transport::HttpTransport;
use toolcrib::{Client, GenerateEvent, Request, ToolSet, tool_fn};

use super::cpu;
use super::provider::Mode;

#[derive(Deserialize, JsonSchema)]
struct Add {
    a: i64,
    b: i64,
}

/// Processor time of one step of a run, in milliseconds.
pub(super) fn step(url: &str, mode: Mode, turns: usize, tools: &ToolSet) -> anyhow::Result<f64> {
    let (model, tools) = (model(url)?, tools.clone());
    let whole = cpu::time(move || async move { run(&model, &tools, mode, turns).await })?;
    let steps = u32::try_from(turns + 1)?;
    Ok(whole / f64::from(steps))
}

pub(super) fn model(url: &str) -> anyhow::Result<SharedModel> {
    let endpoint = Endpoint::new(url, None, "scripted");
    let transport = Arc::new(HttpTransport::new()?);
    Ok(SharedModel::new(OpenAiModel::new(endpoint, transport)))
}

pub(super) fn tools(more: usize) -> anyhow::Result<ToolSet> {
    let mut tools = ToolSet::new();
    tools.add(tool_fn(
        "add",
        "Adds two numbers.",
        |input: Add| async move { input.a + input.b },
    ))?;
    for number in 0..more {
        let schema = json!({"type": "object", "required": ["id"], "additionalProperties": false,
            "properties": {"id": {"type": "integer", "description": "Which one."}}});
        tools.register(
            &format!("tool_{number}"),
            "One of many that nobody calls.",
            schema,
        )?;
    }
    Ok(tools)
}

pub(super) async fn run(
    model: &SharedModel,
    tools: &ToolSet,
    mode: Mode,
    turns: usize,
) -> anyhow::Result<()> {
    let client = Client::new();
    let request = Request::from_prompt("go");
    let result = match mode {
        Mode::Whole => client.generate(model, request, tools, turns + 1).await?,
        Mode::Streamed => {
            let sink = &mut |_: GenerateEvent| {};
            client
                .generate_streaming(model, request, tools, turns + 1, sink)
                .await?
        }
    };
    anyhow::ensure!(
        result.output().ends_with("42.") && result.step_count() == turns + 1,
        "the run went otherwise than scripted"
    );
    Ok(())
}
