//! Two servers on one PostgreSQL database: what one of them sees decided, both do once.

use jiff::SignedDuration;
use serde_json::{Value, json};
use toolcrib_counter::{Decision, DecisionKind, GrantKind};
use toolcrib_data::{ManualClock, testing};
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient, postgres};

use crate::support::{assert_paired, conversation, last_messages, text};

async fn two() -> (TestApp, TestApp, ManualClock) {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        database: Some(postgres().await.unwrap()),
        ..TestAppOptions::default()
    };
    let first = TestApp::start_with(options).await.unwrap();
    let second = first.beside().await.unwrap();
    (first, second, clock)
}

fn note(id: i64) -> Value {
    json!({"model": "order", "id": id, "values": {"note": "once"}})
}

async fn version(client: &TestClient, id: i64) -> i64 {
    let read = json!({"model": "order", "id": id});
    let call = client.call("read_record", &read).await.unwrap();
    let version = call.pointer("/output/records/0/version");
    version.and_then(Value::as_i64).unwrap()
}

/// How often a call came into each state.
async fn states(client: &TestClient, call: &str) -> Vec<String> {
    let (_, story) = client.get(&format!("/api/calls/{call}")).await.unwrap();
    let events = story["events"].as_array().unwrap().iter();
    events
        .map(|event| text(event, "/state").to_owned())
        .collect()
}

const ONCE: [&str; 4] = ["asked", "waiting", "approved", "succeeded"];

#[tokio::test]
async fn of_decisions_on_two_servers_one_counts_and_the_call_runs_once() {
    let (first, second, _) = two().await;
    let (one, other) = (
        first.manager().await.unwrap(),
        second.manager().await.unwrap(),
    );
    for id in 1..=6 {
        let call = one.call("update_record", &note(id)).await.unwrap();
        let approval = &call["approval"];
        assert_eq!(other.pending().await.unwrap().len(), 1, "both show it");
        let (here, there) = tokio::join!(
            one.decide(approval, "approve", None),
            other.decide(approval, "approve", None)
        );
        let (here, there) = (here.unwrap(), there.unwrap());
        let mut told = [here.0.as_u16(), there.0.as_u16()];
        told.sort_unstable();
        assert_eq!(told, [200, 409], "{here:?} {there:?}");
        assert_eq!(version(&other, id).await, 2);
        assert_eq!(states(&one, text(&call, "/id")).await, ONCE);
    }
}

#[tokio::test]
async fn a_decided_call_that_was_left_behind_is_run_by_one_of_two() {
    let (first, second, clock) = two().await;
    let one = first.manager().await.unwrap();
    let session = first.runtime.local_session("mona@shop.test").await;
    let principal = session.unwrap().unwrap().principal;
    for id in 1..=6 {
        let call = one.call("update_record", &note(id)).await.unwrap();
        let decision = Decision {
            kind: DecisionKind::Approve,
            reason: None,
            arguments_hash: text(&call, "/approval/argumentsHash").to_owned(),
            arguments: None,
            grant: GrantKind::Once,
        };
        // It is written down, and whoever wrote it is gone before the call runs.
        let approval = text(&call, "/approval/id").parse().unwrap();
        first
            .runtime
            .counter()
            .decide(&principal, approval, &decision)
            .await
            .unwrap();
        clock.advance(SignedDuration::from_mins(5));
        let (here, there) = tokio::join!(first.runtime.look_once(), second.runtime.look_once());
        here.unwrap();
        there.unwrap();
        assert_eq!(version(&one, id).await, 2);
        assert_eq!(states(&one, text(&call, "/id")).await, ONCE);
    }
}

#[tokio::test]
async fn a_run_that_goes_on_after_a_decision_goes_on_at_one_of_two() {
    let (first, second, _) = two().await;
    first.model.script(vec![
        Rule::on_user("note", Reply::call("update_record", note(1))),
        Rule::after("update_record", Reply::text("Noted.")),
    ]);
    let one = first.manager().await.unwrap();
    let talk = conversation();
    one.chat("shop", &talk, "note it").await.unwrap();
    let pending = one.pending().await.unwrap();
    let decided = one.decide(&pending[0], "approve", None);
    let looking = async {
        for _ in 0..20 {
            second.runtime.look_once().await.unwrap();
        }
    };
    let (decided, ()) = tokio::join!(decided, looking);
    assert_eq!(decided.unwrap().0, 200);
    loop {
        let path = format!("/api/conversations/{talk}");
        let (_, body) = one.get(&path).await.unwrap();
        if text(&body, "/state") == "idle" {
            assert!(body.to_string().contains("Noted."), "{body}");
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(version(&one, 1).await, 2);
    assert_eq!(states(&one, text(&pending[0], "/callId")).await, ONCE);
    let requests = first.model.requests();
    assert_eq!(requests.len(), 2, "one server asked on");
    assert_paired(&last_messages(&requests));
}

#[tokio::test]
async fn what_the_card_showed_is_looked_at_again_under_a_lock() {
    let (first, _, _) = two().await;
    let client = first.manager().await.unwrap();
    let store = first.runtime.store();
    let call = client.call("update_record", &note(1)).await.unwrap();
    // Somebody has changed the record and not committed yet: whoever looks without a lock still
    // finds it as it was shown.
    let change = "UPDATE d_main_order SET note = 'in between' WHERE id = 1";
    let held = testing::hold(store, change).await.unwrap();
    let until_it_waits = async {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
        while testing::number(store, waiting).await.unwrap() == 0 {
            tokio::task::yield_now().await;
        }
        held.commit().await.unwrap();
    };
    let (decided, ()) = tokio::join!(
        client.decide(&call["approval"], "approve", None),
        until_it_waits
    );
    let (_, body) = decided.unwrap();
    assert_eq!(text(&body, "/call/status"), "refused", "{body}");
    assert!(text(&body, "/call/error").contains("changed"), "{body}");
    let read = json!({"model": "order", "id": 1});
    let read = client.call("read_record", &read).await.unwrap();
    assert_eq!(text(&read, "/output/records/0/note"), "in between");
}
