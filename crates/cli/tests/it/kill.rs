mod days;

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use toolcrib::id::ConversationId;
use toolcrib_testkit::{Reply, Rule, ScriptedModel};

use crate::server::Server;

fn update(id: i64) -> Value {
    json!({"model": "order", "id": id, "values": {"note": "by the agent"}})
}

async fn version(client: &toolcrib_testkit::TestClient, id: i64) -> i64 {
    let call = client
        .call("read_record", &json!({"model": "order", "id": id}))
        .await
        .unwrap();
    call.pointer("/output/records/0/version")
        .and_then(Value::as_i64)
        .unwrap()
}

/// Each call of a request to the language model has one result in it.
fn assert_one_result_a_call(request: &Value) {
    let messages = request["messages"].as_array().unwrap();
    let of_call = messages.iter().filter_map(|m| m.get("tool_call_id"));
    let mut results: Vec<&str> = of_call.filter_map(Value::as_str).collect();
    let calls = messages.iter().filter_map(|m| m["tool_calls"].as_array());
    let mut calls: Vec<&str> = calls
        .flatten()
        .filter_map(|call| call["id"].as_str())
        .collect();
    results.sort_unstable();
    calls.sort_unstable();
    assert_eq!(results, calls, "one result a call");
}

#[tokio::test]
async fn a_call_that_waits_survives_kill_9_and_runs_once() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    model.script(vec![
        Rule::on_user("note", Reply::call("update_record", update(1))),
        Rule::after("update_record", Reply::text("Noted.")),
    ]);
    let server = Server::start(dir.path(), &model).await;
    let client = server.client(dir.path(), "mona@shop.test").await;
    let id = ConversationId::mint().to_string();
    client.chat("shop", &id, "note it").await.unwrap();
    server.kill().await;

    let server = Server::start(dir.path(), &model).await;
    let client = server.client(dir.path(), "mona@shop.test").await;
    let pending = client.pending().await.unwrap();
    assert_eq!(pending.len(), 1);
    let (status, body) = client.decide(&pending[0], "approve", None).await.unwrap();
    assert_eq!(status, 200, "{body}");
    let settled = client.settled(&id).await.unwrap();
    assert!(settled.to_string().contains("Noted."), "{settled}");
    assert_eq!(version(&client, 1).await, 2);
    assert!(server.terminate().await, "ends in good order");
}

/// Kills the server at random moments around decisions; afterwards each call has one ending and
/// each write is there once, as its ending says.
#[tokio::test]
async fn random_kills_lose_nothing_and_repeat_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    let mut rules: Vec<Rule> = (1..=12)
        .map(|id| {
            Rule::on_user(
                &format!("order {id}."),
                Reply::call("update_record", update(id)),
            )
        })
        .collect();
    rules.push(Rule::after(
        "update_record",
        Reply {
            chunk_delay_ms: 2,
            ..Reply::text("Noted, as you wished.")
        },
    ));
    model.script(rules);
    let mut random = StdRng::seed_from_u64(42);
    let mut conversations = Vec::new();
    for id in 1..=12_i64 {
        let server = Server::start(dir.path(), &model).await;
        let client = server.client(dir.path(), "mona@shop.test").await;
        let conversation = ConversationId::mint().to_string();
        client
            .chat("shop", &conversation, &format!("note order {id}."))
            .await
            .unwrap();
        conversations.push((id, conversation));
        let pending = client.pending().await.unwrap();
        let after = Duration::from_micros(random.random_range(0..8_000));
        tokio::select! {
            _ = async { for approval in &pending { let _ = client.decide(approval, "approve", None).await; } std::future::pending::<()>().await } => {}
            () = tokio::time::sleep(after) => {}
        }
        server.kill().await;
    }
    let server = Server::start(dir.path(), &model).await;
    let client = server.client(dir.path(), "mona@shop.test").await;
    for approval in client.pending().await.unwrap() {
        client.decide(&approval, "approve", None).await.unwrap();
    }
    for (id, conversation) in &conversations {
        let settled = client.settled(conversation).await.unwrap();
        assert_eq!(settled["state"], json!("idle"), "{settled}");
        assert_eq!(version(&client, *id).await, 2, "order {id} is written once");
    }
    let (_, calls) = client.get("/api/calls?tool=update_record").await.unwrap();
    for call in calls["items"].as_array().unwrap() {
        assert_eq!(call["status"], json!("succeeded"), "{call}");
        let (_, story) = client
            .get(&format!("/api/calls/{}", call["id"].as_str().unwrap()))
            .await
            .unwrap();
        let endings = story["events"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|event| event["state"] == json!("succeeded"));
        assert_eq!(endings.count(), 1, "{story}");
    }
    for request in model.requests() {
        assert_one_result_a_call(&request);
    }
}

#[tokio::test]
async fn a_server_that_is_told_to_end_leaves_the_run_to_the_next_one() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    model.script(vec![
        Rule::on_user(
            "slow",
            Reply {
                chunk_delay_ms: 40,
                ..Reply::text(&"word ".repeat(200))
            },
        )
        .times(1),
        Rule::on_user("slow", Reply::text("Said at last.")),
    ]);
    let server = Server::start(dir.path(), &model).await;
    let client = server.client(dir.path(), "mona@shop.test").await;
    let id = ConversationId::mint().to_string();
    let (reader, conversation) = (client.clone(), id.clone());
    let chatting = tokio_util::task::TaskTracker::new()
        .spawn(async move { reader.chat("shop", &conversation, "slow please").await });
    while model.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    assert!(
        server.terminate().await,
        "ends in good order, with a stream open"
    );
    assert!(
        chatting.await.unwrap().is_err(),
        "the stream is cut, not closed as if it were whole"
    );
    let server = Server::start(dir.path(), &model).await;
    let client = server.client(dir.path(), "mona@shop.test").await;
    let settled = client.settled(&id).await.unwrap();
    assert!(settled.to_string().contains("Said at last."), "{settled}");
    assert!(server.terminate().await);
}

#[tokio::test]
async fn a_server_can_be_told_to_end_as_soon_as_it_says_that_it_is_ready() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    for _ in 0..5 {
        let server = Server::start(dir.path(), &model).await;
        assert!(server.terminate().await, "ends in good order");
    }
    assert!(!dir.path().join("data/server.json").exists());
}

#[tokio::test]
async fn what_a_killed_server_left_behind_misleads_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    Server::start(dir.path(), &model).await.kill().await;
    assert!(dir.path().join("data/server.json").exists());
    let (code, output, errors) = crate::server::run(dir.path(), &["call", "current_user"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("admin@shop.test"), "{output}");
}
