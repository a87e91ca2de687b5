use toolcrib::state::CallState;
use toolcrib_counter::{AgentScope, Level, ToolChange};

use crate::support::{Desk, Does, principal};

#[tokio::test]
async fn what_is_listed_is_what_runs() {
    let desk = Desk::with(Level::ReadOnly, false, Does::Answers).await;
    let registry = desk.counter.registry();
    assert_eq!(registry.offered(&desk.principal, None).len(), 1);
    let change = ToolChange {
        enabled: Some(false),
        ..ToolChange::default()
    };
    registry
        .save(desk.counter.store(), &desk.principal, "tool", 1, &change)
        .await
        .unwrap();
    assert!(registry.offered(&desk.principal, None).is_empty());
    let outcome = desk.call("{}").await;
    assert_eq!(outcome.row.state, CallState::Refused);
    assert!(
        outcome
            .text()
            .content
            .starts_with("There is no tool named `tool`"),
        "not offered is unknown"
    );
    assert_eq!(desk.run_count(), 0);
}

#[tokio::test]
async fn an_agent_offers_only_what_it_links() {
    let desk = Desk::with(Level::ReadOnly, false, Does::Answers).await;
    let registry = desk.counter.registry();
    let nothing = AgentScope {
        name: "a".to_owned(),
        ..AgentScope::default()
    };
    assert!(
        registry
            .find("tool", &desk.principal, Some(&nothing))
            .is_none()
    );
    let linked = AgentScope {
        tools: ["tool".to_owned()].into(),
        ..nothing
    };
    assert!(
        registry
            .find("tool", &desk.principal, Some(&linked))
            .is_some()
    );
    assert!(
        desk.counter.agent("gone").tools.is_empty(),
        "an agent that is gone lends nothing"
    );
}

#[tokio::test]
async fn only_editors_save_and_only_from_the_version_they_saw() {
    let desk = Desk::with(Level::Write, false, Does::Answers).await;
    let registry = desk.counter.registry();
    let change = ToolChange {
        enabled: Some(false),
        ..ToolChange::default()
    };
    let user = principal(desk.principal.org, &["sales"]);
    assert!(
        registry
            .save(desk.counter.store(), &user, "tool", 1, &change)
            .await
            .is_err()
    );
    assert!(
        registry
            .save(desk.counter.store(), &desk.principal, "tool", 7, &change)
            .await
            .is_err()
    );
    assert!(
        registry.find("tool", &user, None).is_some(),
        "nothing was saved"
    );
}
