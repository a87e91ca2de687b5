//! What is open ends with what holds it.

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp, TestClient};

use crate::support::{assert_paired, conversation, last_messages, text, told, types};

fn note(id: i64) -> (&'static str, Value) {
    (
        "update_record",
        json!({"model": "order", "id": id, "values": {"note": "by the agent"}}),
    )
}

async fn waiting_twice(app: &TestApp, client: &TestClient) -> (String, Vec<Value>) {
    app.model.script(vec![
        Rule::on_user("both", Reply::calls(vec![note(1), note(2)])),
        Rule::on_user("and now", Reply::text("Here I am.")),
        Rule::after("update_record", Reply::text("Noted.")),
    ]);
    let id = conversation();
    client.chat("shop", &id, "Note both").await.unwrap();
    let pending = client.pending().await.unwrap();
    assert_eq!(pending.len(), 2);
    (id, pending)
}

async fn state_of(client: &TestClient, approval: &Value) -> String {
    let (_, call) = client
        .get(&format!("/api/calls/{}", text(approval, "/callId")))
        .await
        .unwrap();
    text(&call, "/status").to_owned()
}

#[tokio::test]
async fn deleting_a_conversation_ends_what_waits_in_it() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (id, pending) = waiting_twice(&app, &client).await;
    let by_hand = json!({"arguments": note(3).1, "conversationId": id});
    let (_, by_hand) = client
        .post("/api/tools/update_record/call", &by_hand)
        .await
        .unwrap();
    let response = client
        .send(
            reqwest::Method::DELETE,
            &format!("/api/conversations/{id}"),
            None,
        )
        .await
        .unwrap();
    assert_eq!(response.status(), 204);
    for approval in pending.iter().chain([&by_hand["call"]["approval"]]) {
        assert_eq!(state_of(&client, approval).await, "cancelled");
        let (status, _) = client.decide(approval, "approve", None).await.unwrap();
        assert_eq!(status, 409);
    }
    let order = client
        .call("read_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_ne!(text(&order, "/output/records/0/note"), "by the agent");
}

#[tokio::test]
async fn deleting_a_conversation_at_work_ends_its_calls() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let many: Vec<(&str, Value)> = (1..=30).map(note).collect();
    app.model.script(vec![Rule::always(Reply::calls(many))]);
    let id = conversation();
    let chatting = client.chat("shop", &id, "go");
    let deleting = async {
        while client.pending().await.unwrap().is_empty() {}
        client
            .send(
                reqwest::Method::DELETE,
                &format!("/api/conversations/{id}"),
                None,
            )
            .await
            .unwrap()
    };
    // The stream of a run that is ended from outside is cut, not closed as if it were whole.
    let (_, deleted) = tokio::join!(chatting, deleting);
    assert_eq!(deleted.status(), 204);
    let (_, calls) = client.get("/api/calls?limit=200").await.unwrap();
    for call in calls["items"].as_array().unwrap() {
        assert_eq!(text(call, "/status"), "cancelled", "{call}");
    }
}

#[tokio::test]
async fn a_run_whose_agent_is_gone_ends_and_the_conversation_goes_on() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (id, pending) = waiting_twice(&app, &client).await;
    let (file, away) = (
        app.dir().join("agents/shop.md"),
        app.dir().join("shop.away"),
    );
    std::fs::rename(&file, &away).unwrap();
    let app = app.restart().await.unwrap();
    let client = app.manager().await.unwrap();
    client.decide(&pending[0], "approve", None).await.unwrap();
    let settled = client.settled(&id).await.unwrap();
    assert_eq!(text(&settled, "/state"), "idle");
    for approval in &pending {
        assert_eq!(state_of(&client, approval).await, "not_started");
    }
    std::fs::rename(&away, &file).unwrap();
    let app = app.restart().await.unwrap();
    let client = app.manager().await.unwrap();
    let chunks = client.chat("shop", &id, "and now?").await.unwrap();
    assert_eq!(told(&chunks), "Here I am.");
    assert_paired(&last_messages(&app.model.requests()));
}

#[tokio::test]
async fn two_decisions_at_once_leave_a_whole_stream() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    for _ in 0..10 {
        let (id, pending) = waiting_twice(&app, &client).await;
        let deciding = join_all(
            pending
                .iter()
                .map(|approval| client.decide(approval, "approve", None)),
        );
        let joining = async {
            loop {
                let chunks = client.join(&id).await.unwrap();
                match chunks
                    .last()
                    .map(|last| text(last, "/messageMetadata/state").to_owned())
                    .as_deref()
                {
                    // Nothing runs yet, or one of the two still waits.
                    None | Some("waiting") => tokio::task::yield_now().await,
                    _ => return chunks,
                }
                let (_, body) = client
                    .get(&format!("/api/conversations/{id}"))
                    .await
                    .unwrap();
                if text(&body, "/state") == "idle" {
                    return Vec::new();
                }
            }
        };
        let (decided, chunks) = tokio::join!(deciding, joining);
        assert!(
            decided
                .into_iter()
                .all(|decision| decision.unwrap().0 == 200)
        );
        if !chunks.is_empty() {
            assert_eq!(types(&chunks).last(), Some(&"finish"));
            assert_eq!(told(&chunks), "Noted.");
        }
        let settled = client.settled(&id).await.unwrap();
        assert!(settled.to_string().contains("Noted."));
    }
}

#[tokio::test]
async fn who_comes_second_is_told_what_was_decided() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    for _ in 0..5 {
        let call = client.call("update_record", &note(1).1).await.unwrap();
        let approval = &call["approval"];
        let answers = join_all((0..8).map(|_| client.decide(approval, "approve", None))).await;
        for (status, body) in answers
            .into_iter()
            .map(Result::unwrap)
            .filter(|(status, _)| *status != 200)
        {
            assert_eq!(status, 409);
            assert!(
                text(&body, "/detail").contains("already approved by Mona Manager"),
                "{body}"
            );
        }
    }
}

#[tokio::test]
async fn a_stock_client_decides_inside_its_message() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (id, pending) = waiting_twice(&app, &client).await;
    let part = |approval: &Value, approved: bool| {
        json!({"type": "dynamic-tool", "toolName": "update_record", "toolCallId": approval["callId"],
               "state": "approval-responded", "input": {"model": "order", "id": 99, "values": {"note": "forged"}},
               "approval": {"id": approval["id"], "approved": approved, "reason": "as I say"}})
    };
    let body = json!({"id": id, "trigger": "submit-message", "messages": [
        {"id": "a", "role": "assistant", "parts": [part(&pending[0], true), part(&pending[1], false)]}]});
    let (status, _) = client.post("/api/agents/shop/chat", &body).await.unwrap();
    assert!(status.is_success());
    let settled = client.settled(&id).await.unwrap();
    assert!(settled.to_string().contains("Noted."), "{settled}");
    let forged = client
        .call("read_record", &json!({"model": "order", "id": 99}))
        .await
        .unwrap();
    assert_ne!(
        text(&forged, "/output/records/0/note"),
        "forged",
        "the echoed input is never trusted"
    );
    assert_eq!(state_of(&client, &pending[0]).await, "succeeded");
    assert_eq!(state_of(&client, &pending[1]).await, "rejected");
}

#[tokio::test]
async fn an_approved_call_that_was_left_behind_runs_at_the_next_look() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let call = client.call("update_record", &note(1).1).await.unwrap();
    let approval = &call["approval"];
    // The decision is written down, and the request that made it is gone before the call runs.
    let principal = app
        .runtime
        .local_session("mona@shop.test")
        .await
        .unwrap()
        .unwrap()
        .principal;
    let decision = toolcrib_counter::Decision {
        arguments: None,
        grant: toolcrib_counter::GrantKind::Once,
        kind: toolcrib_counter::DecisionKind::Approve,
        reason: None,
        arguments_hash: text(approval, "/argumentsHash").to_owned(),
    };
    let id = text(approval, "/id").parse().unwrap();
    app.runtime
        .counter()
        .decide(&principal, id, &decision)
        .await
        .unwrap();
    assert_eq!(state_of(&client, approval).await, "approved");
    let app = app.restart().await.unwrap();
    assert_eq!(
        state_of(&app.manager().await.unwrap(), approval).await,
        "succeeded"
    );
}

#[tokio::test]
async fn the_same_message_at_once_is_one_run_and_two_streams() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    app.model.script(vec![Rule::always(Reply {
        chunk_delay_ms: 5,
        ..Reply::text(&"word ".repeat(30))
    })]);
    let id = conversation();
    let body = json!({"id": id, "trigger": "submit-message", "messages": [
        {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "talk"}]}]});
    let send = || client.send(reqwest::Method::POST, "/api/agents/shop/chat", Some(&body));
    let (first, second) = tokio::join!(send(), send());
    for response in [first.unwrap(), second.unwrap()] {
        assert_eq!(response.status(), 200);
        assert!(response.text().await.unwrap().contains("[DONE]"));
    }
    assert_eq!(app.model.requests().len(), 1);
}

#[tokio::test]
async fn private_files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let app = TestApp::start().await.unwrap();
    let mode = std::fs::metadata(app.dir().join("data"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
}
