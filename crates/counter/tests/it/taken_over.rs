//! Who has lost the right to a run writes nothing to it any more.

use futures_util::FutureExt as _;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolcrib::ToolResult;
use toolcrib::agent::step::Closing;
use toolcrib::state::CallState;
use toolcrib_counter::{AgentScope, CounterError, CounterOptions, FromRun, Level, Work};
use toolcrib_data::Clock;
use toolcrib_data::platform::runs::{self, Lease, RunState};
use toolcrib_data::platform::settings;

use crate::offered_runs::{ask, asked, lease};
use crate::props::Prop;
use crate::support::Desk;

async fn desk(outside: bool) -> Desk {
    let prop = Prop {
        outside,
        ..Prop::new("tool", Level::Write)
    };
    let prop = prop.running(|context, _| {
        async move {
            let org = context.principal.org;
            if let Work::Write(unit) = &mut context.work {
                settings::set(unit, org, "written", &json!(1), None, 0)
                    .await
                    .unwrap();
            }
            ToolResult::success("yes")
        }
        .boxed()
    });
    let options = CounterOptions::default();
    Desk::holding(options, Clock::system(), |registry, _| registry.add(prop))
        .await
        .without_asking()
        .await
}

/// Another server takes the run.
async fn take_over(desk: &Desk, old: &Lease) -> Lease {
    let sql = format!(
        "UPDATE tc_runs SET lease_until = 0 WHERE id = '{}'",
        old.run
    );
    toolcrib_data::testing::tamper(desk.counter.store(), &sql)
        .await
        .unwrap();
    let mut unit = desk.counter.store().unit().await.unwrap();
    let claimed = runs::claim(&mut unit, old.org, old.run, "other", i64::MAX, 1).await;
    let epoch = claimed.unwrap().unwrap().epoch;
    unit.commit().await.unwrap();
    assert_eq!(epoch, old.epoch + 1);
    Lease {
        epoch,
        owner: "other".to_owned(),
        ..old.clone()
    }
}

#[tokio::test]
async fn a_call_under_an_old_lease_writes_nothing_and_waits_for_the_new_one() {
    for outside in [false, true] {
        let desk = desk(outside).await;
        let agent = AgentScope {
            name: "agent".to_owned(),
            tools: ["tool".to_owned()].into(),
            ..AgentScope::default()
        };
        let old = lease(&desk, &desk.principal).await;
        let row = asked(&desk.principal, (&agent, &old, 0), "tool");
        let id = ask(&desk, row).await;
        let new = take_over(&desk, &old).await;
        let by = async |lease| {
            let run = FromRun {
                lease,
                agent: &agent,
            };
            let cancel = CancellationToken::new();
            desk.counter
                .resume(&desk.principal, id, Some(run), cancel)
                .await
        };
        let lost = by(&old).await;
        assert!(matches!(lost, Err(CounterError::LeaseLost)), "{lost:?}");
        let closed = desk
            .counter
            .close_calls(old.org, Some(&old), &[id], Closing::Stopped)
            .await;
        assert!(matches!(closed, Err(CounterError::LeaseLost)));
        let (row, events) = desk.stored(id).await.unwrap();
        assert_eq!((row.state, events.len()), (CallState::Asked, 1));
        assert_eq!(desk.written().await, None);
        let done = by(&new).await.unwrap();
        assert_eq!(done.row.state, CallState::Succeeded);
    }
}

#[tokio::test]
async fn an_old_lease_is_neither_renewed_nor_given_back() {
    let desk = desk(false).await;
    let old = lease(&desk, &desk.principal).await;
    let new = take_over(&desk, &old).await;
    let mut unit = desk.counter.store().unit().await.unwrap();
    assert!(!runs::holds(&mut unit, &old).await.unwrap());
    assert!(runs::renew(&mut unit, &old, 5).await.unwrap().is_none());
    let released = runs::release(&mut unit, &old, RunState::Done, None, 5).await;
    assert!(!released.unwrap());
    let run = runs::get(&mut unit, new.org, new.run)
        .await
        .unwrap()
        .unwrap();
    assert_eq!((run.state, run.epoch), (RunState::Active, new.epoch));
    assert!(runs::holds(&mut unit, &new).await.unwrap());
    let released = runs::release(&mut unit, &new, RunState::Done, None, 5).await;
    assert!(released.unwrap());
}
