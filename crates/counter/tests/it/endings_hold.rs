//! Every ending can be reached, and none is left again.

use std::collections::BTreeSet;

use futures_util::FutureExt as _;
use jiff::SignedDuration;
use tokio_util::sync::CancellationToken;
use toolcrib::ToolResult;
use toolcrib::agent::step::Closing;
use toolcrib::id::CallId;
use toolcrib::state::{CallState, WaitingFor};
use toolcrib_counter::{CallOutcome, CounterOptions, DecideError, DecisionKind, Level};
use toolcrib_data::ManualClock;
use toolcrib_data::platform::approvals::ApprovalRow;

use crate::props::Prop;
use crate::support::Desk;

/// A desk whose one tool asks, and does as its word says.
async fn desk(level: Level, clock: &ManualClock) -> Desk {
    let options = CounterOptions {
        tool_timeout: std::time::Duration::from_millis(50),
        ..CounterOptions::default()
    };
    let prop = Prop {
        outside: true,
        ..Prop::new("tool", level)
    };
    let prop = prop.running(|_, input| match input.word.as_str() {
        "hang" => std::future::pending().boxed(),
        "fail" => async { ToolResult::failure("no") }.boxed(),
        _ => async { ToolResult::success("yes") }.boxed(),
    });
    Desk::holding(options, clock.clock(), |registry, _| registry.add(prop)).await
}

async fn waiting(desk: &Desk) -> (CallId, ApprovalRow) {
    let asked = desk.call("{}").await;
    let waits = CallState::Waiting(WaitingFor::Approval);
    assert_eq!(asked.row.state, waits);
    (asked.row.id, asked.approval.unwrap())
}

async fn approved(desk: &Desk, word: &str) -> (CallId, ApprovalRow) {
    let arguments = format!(r#"{{"word":"{word}"}}"#);
    let CallOutcome { row, approval } = desk.call(&arguments).await;
    let approval = approval.unwrap();
    desk.decide(DecisionKind::Approve, &approval).await.unwrap();
    desk.resume(row.id).await.unwrap();
    (row.id, approval)
}

/// A call for each ending, with the decision that it waited for.
async fn one_of_each(desk: &Desk, clock: &ManualClock) -> Vec<(CallId, ApprovalRow)> {
    let org = desk.principal.org;
    let mut ended = Vec::new();
    for word in ["go", "fail", "hang"] {
        ended.push(approved(desk, word).await);
    }
    let rejected = waiting(desk).await;
    desk.decide(DecisionKind::Reject, &rejected.1)
        .await
        .unwrap();
    ended.push(rejected);
    for why in [Closing::Stopped, Closing::StepLimit] {
        let (id, approval) = waiting(desk).await;
        let closed = desk.counter.close_calls(org, None, &[id], why).await;
        closed.unwrap();
        ended.push((id, approval));
    }
    let (id, approval) = waiting(desk).await;
    let mut unit = desk.counter.store().unit().await.unwrap();
    desk.counter
        .close_calls_in(&mut unit, org, &[id], CallState::Superseded)
        .await
        .unwrap();
    unit.commit().await.unwrap();
    ended.push((id, approval));
    let (id, approval) = waiting(desk).await;
    clock.advance(SignedDuration::from_hours(25));
    assert_eq!(desk.counter.expire().await.unwrap().len(), 1);
    ended.push((id, approval));
    // Refused: the tool was switched off between the decision and the run.
    let (id, approval) = waiting(desk).await;
    desk.decide(DecisionKind::Approve, &approval).await.unwrap();
    let change = toolcrib_counter::ToolChange {
        enabled: Some(false),
        ..Default::default()
    };
    let store = desk.counter.store();
    let registry = desk.counter.registry();
    registry
        .save(store, &desk.principal, "tool", 1, &change)
        .await
        .unwrap();
    desk.resume(id).await.unwrap();
    ended.push((id, approval));
    ended
}

#[tokio::test]
async fn every_ending_is_reached_and_nothing_leads_out_of_it() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let desk = desk(Level::Write, &clock).await;
    let org = desk.principal.org;
    let ended = one_of_each(&desk, &clock).await;
    let mut reached = BTreeSet::new();
    for (id, approval) in &ended {
        let (row, story) = desk.stored(*id).await.unwrap();
        assert!(row.state.is_ending(), "{}", row.state);
        reached.insert(row.state.name());
        for kind in [
            DecisionKind::Approve,
            DecisionKind::Reject,
            DecisionKind::RequestChange,
        ] {
            let decided = desk.decide(kind, approval).await;
            assert!(matches!(decided, Err(DecideError::AlreadyDecided(_))));
        }
        assert!(desk.resume(*id).await.is_err());
        for why in [
            Closing::Stopped,
            Closing::StepLimit,
            Closing::Repeated,
            Closing::Aborted,
        ] {
            let closed = desk.counter.close_calls(org, None, &[*id], why).await;
            closed.unwrap();
        }
        desk.counter.settle(org, *id).await.unwrap();
        clock.advance(SignedDuration::from_hours(48));
        assert!(desk.counter.expire().await.unwrap().is_empty());
        let (after, told) = desk.stored(*id).await.unwrap();
        assert_eq!((after.state, after.ended_at), (row.state, row.ended_at));
        assert_eq!((after.result, after.error), (row.result, row.error));
        assert_eq!(told, story, "{} was left", row.state);
    }
    let all: BTreeSet<&str> = CallState::NAMES
        .into_iter()
        .filter(|name| CallState::parse(name, None).is_ok_and(CallState::is_ending))
        .collect();
    assert_eq!(reached, all);
}

#[tokio::test]
async fn a_stop_before_its_turn_is_an_ending_too() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let desk = desk(Level::ReadOnly, &clock).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let done = desk.call_cancelled("{}", cancel).await;
    assert!(desk.resume(done.row.id).await.is_err());
    let (row, _) = desk.stored(done.row.id).await.unwrap();
    assert_eq!(row.state, CallState::Cancelled);
}
