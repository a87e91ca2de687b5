//! Runs whose server could not go on: they are left to whoever takes them up next.

use jiff::SignedDuration;
use serde_json::json;
use toolcrib_data::{ManualClock, testing};
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, postgres};

use crate::support::{assert_paired, conversation, last_messages, text};

/// Under a clock that stands still no lease lapses.
fn still() -> (TestAppOptions, ManualClock) {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        ..TestAppOptions::default()
    };
    (options, clock)
}

#[tokio::test]
async fn a_run_that_broke_off_is_given_back_and_taken_up() {
    let app = TestApp::start_with(still().0).await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Noted."))]);
    let client = app.manager().await.unwrap();
    let store = app.runtime.store();
    testing::forbid(store, "tc_steps", ("step", "0"))
        .await
        .unwrap();
    let id = conversation();
    // It was asked once, and what came could not be stored: its stream breaks off.
    client.chat("shop", &id, "note").await.unwrap_err();
    while testing::number(
        store,
        "SELECT count(*) FROM tc_runs WHERE lease_owner IS NULL",
    )
    .await
    .unwrap()
        == 0
    {
        tokio::task::yield_now().await;
    }
    let (_, body) = client
        .get(&format!("/api/conversations/{id}"))
        .await
        .unwrap();
    assert_eq!(text(&body, "/state"), "running");
    testing::allow(store, "tc_steps").await.unwrap();
    app.runtime.look_once().await.unwrap();
    let settled = client.settled(&id).await.unwrap();
    assert!(settled.to_string().contains("Noted."), "{settled}");
    assert_eq!(app.model.requests().len(), 2);
}

#[tokio::test]
async fn a_run_that_others_got_in_the_way_of_goes_on_at_once() {
    let options = TestAppOptions {
        database: Some(postgres().await.unwrap()),
        ..still().0
    };
    let app = TestApp::start_with(options).await.unwrap();
    app.model.script(vec![
        Rule::on_user(
            "read",
            Reply::call("read_record", json!({"model": "order", "id": 1})),
        ),
        Rule::after("read_record", Reply::text("Read.")),
    ]);
    let client = app.manager().await.unwrap();
    let store = app.runtime.store();
    // The database undoes the first two units that store a step, as it does when two stand in each
    // other's way.
    for statement in [
        "CREATE SEQUENCE undone",
        "CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
           IF nextval('undone') <= 2 THEN RAISE 'undone' USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$",
        "CREATE TRIGGER undo BEFORE INSERT ON tc_steps FOR EACH ROW EXECUTE FUNCTION undo()",
    ] {
        testing::tamper(store, statement).await.unwrap();
    }
    let id = conversation();
    client.chat("shop", &id, "read").await.unwrap_err();
    let settled = loop {
        let (_, body) = client
            .get(&format!("/api/conversations/{id}"))
            .await
            .unwrap();
        if text(&body, "/state") != "running" {
            break body;
        }
        tokio::task::yield_now().await;
    };
    assert!(settled.to_string().contains("Read."), "{settled}");
    assert_paired(&last_messages(&app.model.requests()));
}

#[tokio::test]
async fn a_call_by_hand_whose_server_died_is_settled_by_another() {
    let (options, clock) = still();
    let options = TestAppOptions {
        database: Some(postgres().await.unwrap()),
        ..options
    };
    let app = TestApp::start_with(options).await.unwrap();
    let client = app.manager().await.unwrap();
    let read = json!({"model": "order", "id": 1});
    let call = client.call("read_record", &read).await.unwrap();
    let path = format!("/api/calls/{}", text(&call, "/id"));
    let cut = "UPDATE tc_calls SET state = 'running', ended_at = NULL, result = NULL";
    testing::tamper(app.runtime.store(), cut).await.unwrap();
    // It may still be at work there.
    clock.advance(SignedDuration::from_mins(59));
    app.runtime.look_once().await.unwrap();
    let (_, story) = client.get(&path).await.unwrap();
    assert_eq!(text(&story, "/status"), "running", "{story}");
    clock.advance(SignedDuration::from_mins(2));
    app.runtime.look_once().await.unwrap();
    let (_, story) = client.get(&path).await.unwrap();
    assert_eq!(text(&story, "/status"), "unknown", "{story}");
}

#[tokio::test]
async fn a_run_that_comes_no_further_is_given_up() {
    let app = TestApp::start_with(still().0).await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Noted."))]);
    let client = app.manager().await.unwrap();
    let store = app.runtime.store();
    testing::forbid(store, "tc_steps", ("step", "0"))
        .await
        .unwrap();
    let id = conversation();
    client.chat("shop", &id, "note").await.unwrap_err();
    let path = format!("/api/conversations/{id}");
    loop {
        let (_, body) = client.get(&path).await.unwrap();
        if text(&body, "/state") != "running" {
            assert!(body.to_string().contains("could not go on"), "{body}");
            break;
        }
        app.runtime.look_once().await.unwrap();
        tokio::task::yield_now().await;
    }
    let asked = app.model.requests().len();
    assert!(
        (2..20).contains(&asked),
        "the model was asked {asked} times"
    );
    // Tried again by hand, it goes on.
    testing::allow(store, "tc_steps").await.unwrap();
    let again = json!({"id": id, "trigger": "regenerate-message", "messages": []});
    client.post("/api/agents/shop/chat", &again).await.unwrap();
    let settled = client.settled(&id).await.unwrap();
    assert!(settled.to_string().contains("Noted."), "{settled}");
}
