//! Concerns that cut across tools.

use std::sync::{Arc, Mutex};

use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{
    Client, ExecuteError, ToolContext, ToolResult, ToolSet, ToolSetError, Tools, UnknownTools,
};

use crate::scripted::{calls, heard, nothing, run, tools};

fn pair() -> ToolSet {
    let mut tools = tools();
    tools.register("close", "Closes it.", nothing()).unwrap();
    tools.add_executor(|_| async { ToolResult::success("closed").into() });
    tools
}

async fn execute(tools: &impl Tools, name: &str) -> Result<ToolResult, ExecuteError> {
    tools.execute(name, "{}", &ToolContext::new()).await
}

fn names(tools: &impl Tools) -> Vec<String> {
    tools
        .definitions()
        .iter()
        .map(|definition| definition.name.to_string())
        .collect()
}

#[tokio::test]
async fn a_filter_hides_tools_from_the_list_and_from_running() {
    let tools = pair().filtered(|definition| definition.name.as_str() != "close");
    assert_eq!(names(&tools), ["echo"]);
    assert!(matches!(
        execute(&tools, "close").await,
        Err(ExecuteError::UnknownTool(text)) if !text.contains("Nearest: close")
    ));
}

#[tokio::test]
async fn a_prefix_renames_on_the_list_and_back_on_running() {
    let tools = pair().prefixed("shop_").unwrap();
    assert_eq!(names(&tools), ["shop_echo", "shop_close"]);
    assert_eq!(
        execute(&tools, "shop_close").await,
        Ok(ToolResult::success("closed"))
    );
    for unknown in ["close", "shop_", "shop_shop_close"] {
        assert!(matches!(
            execute(&tools, unknown).await,
            Err(ExecuteError::UnknownTool(_))
        ));
    }
    let too_long = pair().prefixed(&"x".repeat(64));
    assert!(matches!(too_long, Err(ToolSetError::Name(_))));
}

#[tokio::test]
async fn an_approval_pauses_a_call_of_a_tool_that_knows_nothing_of_it() {
    let tools = pair().approval_required(|name| name == "close");
    assert_eq!(
        execute(&tools, "close").await,
        Ok(ToolResult::NeedsApproval {
            question: "Run close?".into()
        })
    );
    let approved = ToolContext {
        approved: true,
        ..ToolContext::new()
    };
    assert_eq!(
        tools.execute("close", "{}", &approved).await,
        Ok(ToolResult::success("closed"))
    );
    assert!(
        matches!(
            execute(&tools, "clo").await,
            Err(ExecuteError::UnknownTool(_))
        ),
        "nobody is asked about what does not exist"
    );
}

#[tokio::test]
async fn a_limit_stops_the_calls_over_it() {
    let tools = pair().limited(2);
    for _ in 0..2 {
        assert_eq!(
            execute(&tools, "close").await,
            Ok(ToolResult::success("closed"))
        );
    }
    assert!(matches!(
        execute(&tools, "close").await,
        Ok(ToolResult::Failure { message }) if message.contains("may be called 2 times")
    ));
}

#[tokio::test]
async fn an_audit_sees_each_call_and_what_came_of_it() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&log);
    let tools = pair().audited(move |call| {
        let line = format!(
            "{} {} {:?}",
            call.name,
            call.arguments,
            call.outcome.is_ok()
        );
        noted.lock().unwrap().push(line);
    });
    drop(execute(&tools, "close").await);
    drop(execute(&tools, "nobody").await);
    assert_eq!(*log.lock().unwrap(), ["close {} true", "nobody {} false"]);
}

#[tokio::test]
async fn wrapped_sets_are_part_of_other_sets() {
    let mut tools = ToolSet::new();
    tools
        .include(pair().limited(1).prefixed("a_").unwrap())
        .unwrap();
    tools.include(pair().prefixed("b_").unwrap()).unwrap();
    assert_eq!(names(&tools), ["a_echo", "a_close", "b_echo", "b_close"]);
    let model = ScriptedModel::new([
        calls(&[
            ("a_close", "{}"),
            ("a_close", "{}"),
            ("b_close", "{}"),
            ("close", "{}"),
        ]),
        Scripted::says("done"),
    ]);
    let client = Client::new().unknown_tools(UnknownTools::TellModel);
    let result = run(&client, &model, &tools, 5).await.unwrap();
    let heard = heard(result.messages());
    assert_eq!(heard[0].0, "closed");
    assert!(heard[1].0.contains("may be called 1 times"));
    assert_eq!(heard[2].0, "closed");
    assert!(heard[3].0.contains("There is no tool named `close`"));
}
