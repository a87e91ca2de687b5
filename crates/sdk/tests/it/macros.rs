//! Tools made of functions by an attribute.

use serde_json::json;
use toolcrib::{Json, Tool, ToolContext, ToolError, ToolResult, ToolSet, tool};

/// Adds two numbers.
///
/// Both may be negative.
#[tool(read_only)]
async fn add(
    /// The first number.
    a: i64,
    /// The second number.
    b: Option<i64>,
) -> i64 {
    a + b.unwrap_or(1)
}

/// Divides.
#[tool]
async fn divide(context: &ToolContext, a: f64, b: f64) -> Result<f64, ToolError> {
    assert!(!context.approved);
    if b == 0.0 {
        return Err(ToolError::new("Nothing can be divided by 0."));
    }
    Ok(a / b)
}

#[tool(name = "list_days", description = "Lists the days of a week.")]
async fn days() -> Json<Vec<&'static str>> {
    Json(vec!["Monday", "Tuesday"])
}

/// Breaks inside.
#[tool]
async fn breaks() -> Result<String, ToolError> {
    Ok(std::fs::read_to_string("/nowhere/secret-path")?)
}

async fn execute(name: &str, arguments: &str) -> ToolResult {
    let mut tools = ToolSet::new();
    tools.add(add).unwrap();
    tools.add(divide).unwrap();
    tools.add(days).unwrap();
    tools.add(breaks).unwrap();
    tools
        .execute(name, arguments, &ToolContext::new())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_function_becomes_a_tool_with_name_description_and_schema() {
    assert_eq!(add.name(), "add");
    assert_eq!(
        add.description(),
        "Adds two numbers.\n\nBoth may be negative."
    );
    assert!(add.is_read_only() && !divide.is_read_only());
    let mut tools = ToolSet::new();
    tools.add(add).unwrap();
    let schema = tools.definitions()[0].input_schema.clone();
    assert_eq!(
        schema["properties"]["a"]["description"],
        "The first number."
    );
    assert_eq!(schema["required"], json!(["a"]));
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(
        execute("add", "{\"a\":2,\"b\":3}").await,
        ToolResult::success(5)
    );
    assert_eq!(execute("add", "{\"a\":2}").await, ToolResult::success(3));
    assert_eq!(
        execute("list_days", "").await,
        ToolResult::success(json!(["Monday", "Tuesday"]))
    );
}

#[tokio::test]
async fn failures_are_told_and_internals_are_not() {
    assert_eq!(
        execute("divide", "{\"a\":1,\"b\":0}").await,
        ToolResult::failure("Nothing can be divided by 0.")
    );
    assert_eq!(
        execute("breaks", "{}").await,
        ToolResult::failure("The tool failed."),
        "no path, no error of the system"
    );
}
