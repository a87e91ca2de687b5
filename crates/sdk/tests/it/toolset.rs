//! The four ways to define a tool, in one set.

use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};
use toolcrib::schema::{field, object, string};
use toolcrib::{
    ExecuteError, Handled, NamedCall, Tool, ToolContext, ToolDefinition, ToolHandler, ToolName,
    ToolResult, ToolSet, ToolSetError, tool_fn,
};

use crate::scripted::{Echo, EchoTool, nothing, tools};

/// A pack that knows several names; which it answers to is set.
struct Pack(Vec<&'static str>);

impl ToolHandler for Pack {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let define =
            |name: &&str| ToolSet::tool_definition(name, "Of the pack.", nothing()).unwrap();
        self.0.iter().map(define).collect()
    }

    async fn execute(&self, _: &ToolContext, name: &str, _: Map<String, Value>) -> Handled {
        if self.0.contains(&name) {
            ToolResult::success(format!("{name} by the pack")).into()
        } else {
            Handled::NotMine
        }
    }
}

async fn execute(tools: &ToolSet, name: &str) -> Result<ToolResult, ExecuteError> {
    tools.execute(name, "{}", &ToolContext::new()).await
}

fn success(text: &str) -> Result<ToolResult, ExecuteError> {
    Ok(ToolResult::success(text))
}

/// An executor that takes one name and notes what it is offered.
fn take(tools: &mut ToolSet, name: &'static str, result: ToolResult) -> Arc<Mutex<Vec<String>>> {
    let offered = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&offered);
    tools.add_executor(move |call: NamedCall| {
        noted.lock().unwrap().push(call.name.clone());
        let result = result.clone();
        async move {
            if call.name == name {
                result.into()
            } else {
                Handled::NotMine
            }
        }
    });
    offered
}

#[tokio::test]
async fn all_four_ways_mix_in_one_set() {
    let mut tools = ToolSet::new();
    tools.add(EchoTool).unwrap();
    tools.use_handler(Pack(vec!["open", "close"])).unwrap();
    let message = object([field("message", string())]);
    tools
        .register("shout", "Says it loudly.", message.clone())
        .unwrap();
    tools.add(("whisper", "Says it softly.", message)).unwrap();
    tools
        .add(ToolSet::tool_definition("built", "Built.", nothing()).unwrap())
        .unwrap();
    tools
        .add(json!({"name": "written", "description": "Written.", "parameters": nothing()}))
        .unwrap();
    tools.add_executor(|call: NamedCall| async move {
        match call.name.as_str() {
            "shout" => {
                ToolResult::success(call.arguments["message"].as_str().unwrap().to_uppercase())
                    .into()
            }
            "written" => ToolResult::success("by the executor").into(),
            _ => Handled::NotMine,
        }
    });
    let names: Vec<String> = tools
        .definitions()
        .iter()
        .map(|definition| definition.name.to_string())
        .collect();
    let expected = [
        "echo", "open", "close", "shout", "whisper", "built", "written",
    ];
    assert_eq!(names, expected);
    assert_eq!(tools.count(), 7);
    assert!(expected.iter().all(|name| tools.has_tool(name)));
    assert!(!tools.has_tool("nothing"));
    assert_eq!(execute(&tools, "open").await, success("open by the pack"));
    assert_eq!(execute(&tools, "close").await, success("close by the pack"));
    assert_eq!(execute(&tools, "written").await, success("by the executor"));
    let shout = tools
        .execute("shout", "{\"message\":\"hi\"}", &ToolContext::new())
        .await;
    assert_eq!(shout, success("HI"));
    assert_eq!(
        execute(&tools, "whisper").await,
        Ok(ToolResult::failure(
            "The arguments could not be read.\n- `message` is required and missing"
        )),
        "arguments are read before anybody is asked to run"
    );
    assert_eq!(
        execute(&tools, "built").await,
        Err(ExecuteError::MissingExecutor("built".into()))
    );
}

#[tokio::test]
async fn an_unknown_name_is_told_with_the_nearest() {
    let unknown = execute(&tools(), "ecko").await.unwrap_err();
    assert_eq!(
        unknown,
        ExecuteError::UnknownTool("There is no tool named `ecko`. Nearest: echo.".into())
    );
}

#[tokio::test]
async fn a_typed_tool_comes_before_the_handler_and_the_handler_before_executors() {
    let mut tools = ToolSet::new();
    tools
        .add(tool_fn("echo", "Says it back.", |_: Nothing| async {
            "typed"
        }))
        .unwrap();
    tools.set_handler(Pack(vec!["echo", "named"]));
    tools.register("named", "By name.", nothing()).unwrap();
    let offered = take(&mut tools, "named", ToolResult::success("executor"));
    assert_eq!(execute(&tools, "echo").await, success("typed"));
    assert_eq!(execute(&tools, "named").await, success("named by the pack"));
    assert!(offered.lock().unwrap().is_empty());
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

#[tokio::test]
async fn what_the_handler_leaves_goes_to_the_executors_in_turn() {
    let mut tools = ToolSet::new();
    tools.set_handler(Pack(vec!["other"]));
    tools.register("named", "By name.", nothing()).unwrap();
    let first = take(&mut tools, "somebody_else", ToolResult::success("no"));
    let second = take(&mut tools, "named", ToolResult::failure("tried and failed"));
    let third = take(&mut tools, "named", ToolResult::success("too late"));
    assert_eq!(
        execute(&tools, "named").await,
        Ok(ToolResult::failure("tried and failed")),
        "a failure is handled too"
    );
    let asked = |offered: &Arc<Mutex<Vec<String>>>| offered.lock().unwrap().len();
    assert_eq!([asked(&first), asked(&second), asked(&third)], [1, 1, 0]);
}

#[test]
fn a_duplicate_name_is_an_error() {
    let mut tools = tools();
    let duplicate = Err(ToolSetError::Duplicate("echo".into()));
    assert_eq!(tools.add(EchoTool), duplicate);
    assert_eq!(tools.register("echo", "Again.", nothing()), duplicate);
    assert_eq!(tools.use_handler(Pack(vec!["fine", "echo"])), duplicate);
    assert_eq!(tools.include(self::tools()), duplicate);
    assert_eq!(tools.count(), 1, "a pack is taken whole or not at all");
    assert_eq!(tools.definitions()[0].name.as_str(), "echo");
}

#[test]
fn what_is_no_definition_is_refused() {
    let mut tools = ToolSet::new();
    assert!(matches!(
        tools.register("two words", "", nothing()),
        Err(ToolSetError::Name(_))
    ));
    assert!(matches!(
        tools.register("odd", "", json!({"type": 7})),
        Err(ToolSetError::Schema(_))
    ));
    let error = tools.add(json!({"name": "x"})).unwrap_err();
    assert!(error.to_string().contains("`description`"), "{error}");
    assert_eq!(tools.count(), 0);
}

#[test]
fn names_begin_with_a_letter_and_have_at_most_64_characters() {
    let longest = format!("a{}", "b".repeat(63));
    for good in ["a", "read_record", "A9_", longest.as_str()] {
        assert!(good.parse::<ToolName>().is_ok(), "{good}");
    }
    let too_long = format!("a{}", "b".repeat(64));
    for bad in ["", "9a", "_a", "a-b", "a b", "ä", too_long.as_str()] {
        assert!(bad.parse::<ToolName>().is_err(), "{bad}");
    }
}

/// A tool whose schema is kept somewhere.
struct Stored;

impl Tool for Stored {
    type Input = Echo;

    fn name(&self) -> &str {
        "stored"
    }

    fn description(&self) -> &str {
        "Has a schema of its own."
    }

    fn input_schema(&self) -> Option<Value> {
        Some(
            json!({"type": "object", "properties": {"message": {"type": "string", "maxLength": 3}}}),
        )
    }

    async fn call(&self, _: &ToolContext, input: Echo) -> ToolResult {
        ToolResult::success(input.message)
    }
}

#[tokio::test]
async fn a_stored_schema_wins_over_the_generated_one() {
    let mut tools = ToolSet::new();
    tools.add(Stored).unwrap();
    let schema = &tools.definitions()[0].input_schema;
    assert_eq!(schema["properties"]["message"]["maxLength"], 3);
    let long = tools
        .execute("stored", "{\"message\":\"long\"}", &ToolContext::new())
        .await
        .unwrap();
    assert!(matches!(long, ToolResult::Failure { message } if message.contains("/message")));
}

#[tokio::test]
async fn a_number_in_a_string_is_refused() {
    let mut tools = ToolSet::new();
    let age = |input: Age| async move { input.age };
    tools.add(tool_fn("age", "Takes an age.", age)).unwrap();
    let told = tools
        .execute("age", "{\"age\":\"7\"}", &ToolContext::new())
        .await
        .unwrap();
    assert!(
        matches!(&told, ToolResult::Failure { message } if message.contains("expected integer, got string \"7\"")),
        "{told:?}"
    );
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Age {
    age: u8,
}

#[test]
fn a_thousand_tools_are_described_once() {
    let mut tools = ToolSet::new();
    for at in 0..1000 {
        tools
            .register(&format!("tool_{at}"), "One of many.", nothing())
            .unwrap();
    }
    let (first, second) = (tools.definitions(), tools.definitions());
    assert_eq!(first.len(), 1000);
    assert!(
        std::ptr::eq(&first[0], &second[0]),
        "the same list, not a copy"
    );
}

#[test]
fn an_error_of_a_schema_says_whose_it_is() {
    let mut tools = ToolSet::new();
    let wrong = serde_json::json!({"type": "objekt"});
    let error = tools.register("weather", "Tells it.", wrong).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("the parameters of the tool weather are not a JSON Schema: "),
        "{text}"
    );
}
