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

#[tokio::test]
async fn a_limit_counts_a_call_once_however_often_it_goes_on() {
    let asks_first = pair().approval_required(|_| true).limited(1);
    let first = ToolContext::new();
    let waits = asks_first.execute("close", "{}", &first).await;
    assert!(matches!(waits, Ok(ToolResult::NeedsApproval { .. })));
    let approved = ToolContext {
        approved: true,
        ..first.clone()
    };
    let closed = Ok(ToolResult::success("closed"));
    assert_eq!(asks_first.execute("close", "{}", &approved).await, closed);
    assert!(matches!(
        execute(&asks_first, "close").await,
        Ok(ToolResult::Failure { .. })
    ));
    let counts_first = pair().limited(1).approval_required(|_| true);
    assert_eq!(counts_first.execute("close", "{}", &approved).await, closed);
    let other = ToolContext {
        approved: true,
        ..ToolContext::new()
    };
    assert!(matches!(
        counts_first.execute("close", "{}", &other).await,
        Ok(ToolResult::Failure { .. })
    ));
}

#[tokio::test]
async fn an_audit_sees_a_call_that_breaks_down() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&log);
    let tools = pair().audited(move |call| {
        noted.lock().unwrap().push(format!("{:?}", call.outcome));
    });
    let model = ScriptedModel::new([
        calls(&[("echo", "{\"message\":\"panic\"}")]),
        Scripted::says("done"),
    ]);
    let result = run(&Client::new(), &model, &tools, 5).await.unwrap();
    assert_eq!(heard(result.messages())[0].0, "The tool broke down.");
    let log = log.lock().unwrap();
    assert!(log.len() == 1 && log[0].contains("broke down"), "{log:?}");
}

/// Lists the same name twice.
struct Doubled;

impl Tools for Doubled {
    fn definitions(&self) -> toolcrib::Definitions {
        let once = || ToolSet::tool_definition("twice", "Is there twice.", nothing()).unwrap();
        let other = ToolSet::tool_definition("other", "Is there once.", nothing()).unwrap();
        vec![other, once(), once()].into()
    }

    fn is_read_only(&self, _: &str) -> bool {
        true
    }

    async fn execute(&self, _: &str, _: &str, _: &ToolContext) -> Result<ToolResult, ExecuteError> {
        Ok(ToolResult::success("ran"))
    }
}

#[test]
fn of_a_set_with_a_name_twice_nothing_is_added() {
    let mut tools = ToolSet::new();
    let added = tools.include(Doubled);
    assert_eq!(added, Err(ToolSetError::Duplicate("twice".to_owned())));
    assert_eq!((tools.count(), names(&tools).len()), (0, 0));
    let prefixed = pair().prefixed("a_").unwrap().prefixed("b_").unwrap();
    assert_eq!(names(&prefixed), ["b_a_echo", "b_a_close"]);
}

#[tokio::test(start_paused = true)]
async fn an_audit_sees_a_call_that_is_given_up() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&log);
    let mut tools = ToolSet::new();
    tools.register("close", "Closes it.", nothing()).unwrap();
    tools.add_executor(|_| std::future::pending());
    let tools = tools.audited(move |call| {
        noted.lock().unwrap().push(format!("{:?}", call.outcome));
    });
    let model = ScriptedModel::new([calls(&[("close", "{}")]), Scripted::says("done")]);
    let client = Client::new().call_timeout(std::time::Duration::from_secs(5));
    let result = run(&client, &model, &tools, 5).await.unwrap();
    assert!(
        heard(result.messages())[0]
            .0
            .contains("It may have happened")
    );
    let log = log.lock().unwrap();
    assert!(log.len() == 1 && log[0].contains("given up"), "{log:?}");
}

/// Lists nothing, and runs whatever it is asked to.
struct Unlisted;

impl Tools for Unlisted {
    fn definitions(&self) -> toolcrib::Definitions {
        toolcrib::Definitions::default()
    }

    fn is_read_only(&self, _: &str) -> bool {
        false
    }

    async fn execute(&self, _: &str, _: &str, _: &ToolContext) -> Result<ToolResult, ExecuteError> {
        Ok(ToolResult::success("ran"))
    }
}

#[tokio::test]
async fn what_is_not_listed_does_not_run_unasked() {
    let tools = Unlisted.approval_required(|_| true);
    assert!(matches!(
        execute(&tools, "close").await,
        Err(ExecuteError::UnknownTool(_))
    ));
}
