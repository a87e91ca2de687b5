//! An answer as a value of a type: validated, and asked for once more where it does not fit.

#[path = "support/model.rs"]
mod support;

use schemars::JsonSchema;
use serde::Deserialize;
use toolcrib::model::SharedModel;
use toolcrib::{Client, Request, ToolSet, tool};

/// Tells the temperature in a city.
#[tool(read_only)]
async fn temperature(city: String) -> i64 {
    i64::try_from(city.len()).unwrap_or_default()
}

#[derive(Deserialize, JsonSchema)]
struct Weather {
    city: String,
    /// In degrees Celsius.
    degrees: i64,
}

/// Asks the model, which calls the tool and answers in the shape of `Weather`.
pub(crate) async fn run(model: &SharedModel) -> anyhow::Result<String> {
    let mut tools = ToolSet::new();
    tools.add(temperature)?;
    let request = Request::from_prompt("How warm is it in Ulm?");
    let weather = Client::new()
        .generate_as::<Weather>(model, request, &tools, 5)
        .await?
        .value;
    Ok(format!("{}: {} degrees", weather.city, weather.degrees))
}

/// What the scripted model does where no endpoint is given.
pub(crate) fn script() -> Vec<toolcrib::testing::Scripted> {
    use toolcrib::testing::Scripted;
    vec![
        Scripted::calls("temperature", serde_json::json!({"city": "Ulm"})),
        Scripted::calls(
            "final_answer",
            serde_json::json!({"city": "Ulm", "degrees": 3}),
        ),
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    support::show(&run(&support::model(script())?).await?)
}
