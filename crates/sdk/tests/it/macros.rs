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

/// Functions as people write them, in odd places and with odd names.
mod odd {
    use serde::{Deserialize, Serialize};
    use serde_json::json;
    use toolcrib::{Json, Tool, ToolContext, ToolResult, ToolSet, tool};

    /// A tool whose name others use for a parameter.
    #[tool]
    pub(crate) async fn city() -> &'static str {
        "Ulm"
    }

    /// Has parameters that go by the names of tools, of itself, and of what stands around them.
    #[tool]
    pub(crate) async fn weather(
        context: &ToolContext,
        city: String,
        weather: String,
        __context: u8,
        __input: u8,
        __run: u8,
    ) -> String {
        assert!(!context.approved);
        format!("{weather} in {city}: {}", __context + __input + __run)
    }

    /// Type, with "quotes" and `ticks` and \ and {braces}.
    #[tool]
    pub(crate) async fn r#type(r#type: String, #[serde(default)] r#in: Vec<u8>) -> String {
        format!("{type} {in:?}", r#type = r#type, r#in = r#in)
    }

    #[derive(Deserialize, Serialize, schemars::JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum Field {
        Name,
        Price,
    }

    /// The name that the input of `search` would have been given.
    #[derive(Deserialize, Serialize, schemars::JsonSchema)]
    pub(crate) struct SearchInput {
        words: String,
    }

    /// Searches.
    ///
    /// 1. by words,
    ///    - or by fields
    #[tool(read_only)]
    pub(crate) async fn search(
        input: SearchInput,
        #[serde(default)] mut fields: Vec<Field>,
        limit: Option<u32>,
    ) -> Json<(String, Vec<Field>, u32)> {
        fields.reverse();
        Json((input.words, fields, limit.unwrap_or(9)))
    }

    /// Takes more than a tuple could hold.
    #[tool]
    #[expect(clippy::too_many_arguments, reason = "that is the point")]
    pub(crate) async fn wide(
        a: u8,
        b: u8,
        c: u8,
        d: u8,
        e: u8,
        f: u8,
        g: u8,
        h: u8,
        i: u8,
        j: u8,
        k: u8,
        l: u8,
        m: u8,
        context: &ToolContext,
    ) -> u32 {
        assert!(context.resume.is_none());
        [a, b, c, d, e, f, g, h, i, j, k, l, m]
            .iter()
            .map(|one| u32::from(*one))
            .sum()
    }

    /// Is not there at all.
    #[tool]
    #[cfg(any())]
    async fn absent(what: Missing) -> Nothing {
        what
    }

    async fn call(tool: impl Tool, arguments: serde_json::Value) -> ToolResult {
        let name = tool.name().to_owned();
        let mut tools = ToolSet::new();
        tools.add(tool).unwrap();
        let context = ToolContext::new();
        tools
            .execute(&name, &arguments.to_string(), &context)
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn a_parameter_may_have_any_name() {
        let arguments =
            json!({"city": "Ulm", "weather": "fog", "__context": 1, "__input": 2, "__run": 3});
        assert_eq!(
            call(weather, arguments).await,
            ToolResult::success("fog in Ulm: 6")
        );
        assert_eq!(call(city, json!({})).await, ToolResult::success("Ulm"));
        assert_eq!(r#type.name(), "type");
        assert_eq!(
            r#type.description(),
            "Type, with \"quotes\" and `ticks` and \\ and {braces}."
        );
        let arguments = json!({"type": "x", "in": [1]});
        assert_eq!(call(r#type, arguments).await, ToolResult::success("x [1]"));
        assert_eq!(
            call(r#type, json!({"type": "x"})).await,
            ToolResult::success("x []")
        );
    }

    #[tokio::test]
    async fn a_parameter_may_have_any_type_and_may_be_changed() {
        let arguments = json!({"input": {"words": "red"}, "fields": ["name", "price"]});
        let expected = json!(["red", ["price", "name"], 9]);
        assert_eq!(call(search, arguments).await, ToolResult::success(expected));
        assert_eq!(
            search.description(),
            "Searches.\n\n1. by words,\n   - or by fields"
        );
        let ones = "abcdefghijklm"
            .chars()
            .map(|name| (name.to_string(), json!(1)));
        let ones = serde_json::Value::Object(ones.collect());
        assert_eq!(call(wide, ones).await, ToolResult::success(13));
    }

    #[tokio::test]
    async fn a_tool_may_stand_in_a_function() {
        const SECRET: u8 = 4;
        /// Knows what stands around it.
        #[tool]
        async fn local(#[serde(default = "two")] times: u8) -> u8 {
            SECRET * times
        }
        fn two() -> u8 {
            2
        }
        assert_eq!(call(local, json!({})).await, ToolResult::success(8));
    }
}
