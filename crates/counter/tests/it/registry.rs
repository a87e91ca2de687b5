use std::sync::Arc;

use toolcrib_counter::{Level, Registry, ToolChange};

use crate::support::{Desk, Does, TestTool};

#[tokio::test]
async fn switches_survive_a_new_start_and_a_new_description_is_a_new_version() {
    let desk = Desk::with(Level::Write, false, Does::Answers)
        .await
        .without_asking()
        .await;
    let store = desk.counter.store();
    let tool = |level| TestTool {
        connection: None,
        name: "tool",
        level,
        outside: false,
        does: Does::Answers,
        runs: Arc::clone(&desk.runs),
    };
    let mut again = Registry::new(desk.principal.org);
    again.add(tool(Level::Write));
    again.load(store).await.unwrap();
    let row = again
        .find("tool", &desk.principal, None)
        .unwrap()
        .row
        .clone();
    assert_eq!(
        (row.version, row.requires_approval),
        (2, false),
        "nothing changed: no new version"
    );
    let change = ToolChange {
        composer: Some(true),
        ..ToolChange::default()
    };
    let saved = again
        .save(store, &desk.principal, "tool", 2, &change)
        .await
        .unwrap();
    assert_eq!((saved.row.version, saved.row.composer), (3, true));
}
