//! Schemas stand in the versions of a tool's row, and are compiled once each.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use toolcrib::ToolResult;
use toolcrib::state::CallState;
use toolcrib_counter::{
    CallContext, CallMode, CallRequest, Counter, CounterOptions, Level, Registry, SystemTool,
};
use toolcrib_data::platform::calls::Via;
use toolcrib_data::platform::tools;
use toolcrib_data::testing::tamper;
use toolcrib_data::{Clock, StoreError};

use crate::props::Prop;
use crate::support::Desk;

/// The next release of the tool: it takes a number.
struct Newer;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Number {
    /// Any number.
    number: i64,
}

impl SystemTool for Newer {
    type Input = Number;

    fn name(&self) -> &'static str {
        "tool"
    }

    fn title(&self) -> &'static str {
        "A prop"
    }

    fn description(&self) -> &'static str {
        "Does what the test says."
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    async fn run(&self, _: &mut CallContext<'_>, input: &Number) -> ToolResult {
        ToolResult::success(input.number)
    }
}

async fn desk() -> Desk {
    let options = CounterOptions::default();
    Desk::holding(options, Clock::system(), |registry, _| {
        registry.add(Prop::new("tool", Level::ReadOnly));
    })
    .await
}

/// The same store with the next release.
async fn newer(desk: &Desk) -> Counter {
    let store = desk.counter.store().clone();
    let mut registry = Registry::new(desk.principal.org);
    registry.add(Newer);
    registry.load(&store).await.unwrap();
    Counter::new(store, Arc::new(registry), CounterOptions::default())
}

async fn call(counter: &Counter, desk: &Desk, arguments: &str) -> (CallState, i64) {
    let request = CallRequest {
        principal: &desk.principal,
        tool: "tool",
        arguments,
        via: Via::Api,
        conversation: None,
        mode: CallMode::Real,
        idempotency_key: None,
        cancel: tokio_util::sync::CancellationToken::new(),
    };
    let row = counter.call(request).await.unwrap().row;
    (row.state, row.found.unwrap().version)
}

#[tokio::test]
async fn a_version_is_compiled_once_and_the_next_one_reads_by_its_own_schema() {
    let desk = desk().await;
    let registry = desk.counter.registry();
    let found = || registry.find("tool", &desk.principal, None).unwrap();
    let first = found();
    assert_eq!(
        desk.call(r#"{"word": "a"}"#).await.row.state,
        CallState::Succeeded
    );
    assert!(
        Arc::ptr_eq(&first, &found()),
        "calls take the same compiled tool"
    );
    let counter = newer(&desk).await;
    let (old, new) = (r#"{"word": "a"}"#, r#"{"number": 1}"#);
    assert_eq!(call(&counter, &desk, old).await, (CallState::Failed, 2));
    assert_eq!(call(&counter, &desk, new).await, (CallState::Succeeded, 2));
    // Who still has the version before reads by that.
    assert_eq!(
        call(&desk.counter, &desk, old).await,
        (CallState::Succeeded, 1)
    );
    assert_eq!(
        call(&desk.counter, &desk, new).await,
        (CallState::Failed, 1)
    );
}

#[tokio::test]
async fn the_schema_of_a_tool_stands_in_the_row_of_its_version() -> Result<(), StoreError> {
    let desk = desk().await;
    let (store, org) = (desk.counter.store(), desk.principal.org);
    let schema = async || {
        let mut snapshot = store.snapshot().await?;
        let row = tools::get(&mut snapshot, org, "tool").await?.unwrap();
        Ok::<_, StoreError>((row.version, row.input_schema["properties"].clone()))
    };
    let (version, first) = schema().await?;
    assert_eq!((version, first["word"].is_object()), (1, true));
    newer(&desk).await;
    let (version, second) = schema().await?;
    assert_eq!((version, second["number"].is_object()), (2, true));
    // Both are kept, each with its version.
    for (version, has) in [(1, "word"), (2, "number")] {
        let shown = format!("UPDATE tc_tools SET version = {version}");
        tamper(store, &shown).await?;
        assert!(schema().await?.1[has].is_object(), "version {version}");
    }
    Ok(())
}
