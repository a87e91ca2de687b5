use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp};

use crate::support::{assert_paired, conversation, last_messages, text, told, types};

#[tokio::test]
async fn a_question_is_answered_with_data() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user(
            "order 1",
            Reply::call("read_record", json!({"model": "order", "id": 1})),
        ),
        Rule::after("read_record", Reply::text("Order SO-10001 was delivered.")),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let chunks = client
        .chat("shop", &id, "What about order 1?")
        .await
        .unwrap();
    assert_eq!(told(&chunks), "Order SO-10001 was delivered.");
    let kinds = types(&chunks);
    assert_eq!(kinds.first(), Some(&"data-title"));
    assert_eq!(kinds.get(1), Some(&"start"));
    assert_eq!(kinds.last(), Some(&"finish"));
    let output = chunks
        .iter()
        .find(|chunk| text(chunk, "/type") == "tool-output-available")
        .unwrap();
    assert_eq!(text(output, "/output/records/0/number"), "SO-10001");
    let messages = last_messages(&app.model.requests());
    assert_paired(&messages);
    assert!(
        text(&messages[3], "/content").contains("SO-10001"),
        "the model reads the record"
    );

    let (_, body) = client
        .get(&format!("/api/conversations/{id}"))
        .await
        .unwrap();
    assert_eq!(text(&body, "/title"), "What about order 1?");
    assert_eq!(text(&body, "/state"), "idle");
    assert_eq!(text(&body, "/messages/1/parts/1/state"), "output-available");
}

#[tokio::test]
async fn what_waits_survives_a_restart_and_runs_once_after_the_decision() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user(
            "shipped",
            Reply::call(
                "update_record",
                json!({"model": "order", "id": 1, "values": {"status": "shipped"}}),
            ),
        ),
        Rule::after("update_record", Reply::text("Done.")),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let chunks = client
        .chat("shop", &id, "Mark order 1 as shipped")
        .await
        .unwrap();
    assert_eq!(
        text(chunks.last().unwrap(), "/messageMetadata/state"),
        "waiting"
    );
    let card = &chunks
        .iter()
        .find(|chunk| text(chunk, "/type") == "data-approval")
        .unwrap()["data"]["card"];
    assert_eq!(text(card, "/changes/0/fields/0/before"), "delivered");
    assert_eq!(text(card, "/changes/0/fields/0/after"), "shipped");

    let app = app.restart().await.unwrap();
    let client = app.manager().await.unwrap();
    let pending = client.pending().await.unwrap();
    assert_eq!(pending.len(), 1);
    let (status, body) = client.decide(&pending[0], "approve", None).await.unwrap();
    assert_eq!(status, 200, "{body}");
    let settled = client.settled(&id).await.unwrap();
    assert_eq!(text(&settled, "/state"), "idle");
    let call = client
        .call("read_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_eq!(text(&call, "/output/records/0/status"), "shipped");
    assert_eq!(
        call.pointer("/output/records/0/version"),
        Some(&json!(2)),
        "written once"
    );
    assert_paired(&last_messages(&app.model.requests()));
}

#[tokio::test]
async fn a_reason_reaches_the_model() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user(
            "shipped",
            Reply::call(
                "update_record",
                json!({"model": "order", "id": 1, "values": {"status": "shipped"}}),
            ),
        ),
        Rule::after("update_record", Reply::text("Understood.")),
    ]);
    let client = app.manager().await.unwrap();
    for (decision, reason, heard) in [
        (
            "reject",
            Some("it is still in the yard"),
            "Rejected by the user: it is still in the yard",
        ),
        (
            "request_change",
            Some("set shipped_on too"),
            "The user asks for a change: set shipped_on too",
        ),
        ("reject", None, "Rejected by the user, who gave no reason."),
    ] {
        let id = conversation();
        client
            .chat("shop", &id, "Mark order 1 as shipped")
            .await
            .unwrap();
        let pending = client.pending().await.unwrap();
        let (status, _) = client.decide(&pending[0], decision, reason).await.unwrap();
        assert_eq!(status, 200);
        client.settled(&id).await.unwrap();
        let messages = last_messages(&app.model.requests());
        assert_paired(&messages);
        assert!(
            text(messages.last().unwrap(), "/content").contains(heard),
            "{messages:?}"
        );
    }
    let call = client
        .call("read_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_eq!(text(&call, "/output/records/0/status"), "delivered");
}

#[tokio::test]
async fn several_approvals_of_one_answer_are_decided_separately() {
    let app = TestApp::start().await.unwrap();
    let change = |id: i64| {
        (
            "update_record",
            json!({"model": "order", "id": id, "values": {"note": "checked"}}),
        )
    };
    app.model.script(vec![
        Rule::on_user("both", Reply::calls(vec![change(1), change(2)])),
        Rule::after("update_record", Reply::text("One of two.")),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    client.chat("shop", &id, "Note both").await.unwrap();
    let pending = client.pending().await.unwrap();
    assert_eq!(pending.len(), 2);
    client.decide(&pending[0], "approve", None).await.unwrap();
    let settled = client.settled(&id).await.unwrap();
    assert_eq!(
        text(&settled, "/state"),
        "waiting",
        "the other one still waits"
    );
    assert_eq!(
        app.model.requests().len(),
        1,
        "the model goes on when all have results"
    );
    client
        .decide(&pending[1], "reject", Some("no"))
        .await
        .unwrap();
    let settled = client.settled(&id).await.unwrap();
    assert_eq!(text(&settled, "/state"), "idle");
    assert_paired(&last_messages(&app.model.requests()));
}

#[tokio::test]
async fn a_new_message_supersedes_what_waits() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user(
            "shipped",
            Reply::call(
                "update_record",
                json!({"model": "order", "id": 1, "values": {"status": "shipped"}}),
            ),
        ),
        Rule::on_user("never mind", Reply::text("All right.")),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    client
        .chat("shop", &id, "Mark order 1 as shipped")
        .await
        .unwrap();
    let pending = client.pending().await.unwrap();
    let chunks = client.chat("shop", &id, "never mind").await.unwrap();
    assert_eq!(told(&chunks), "All right.");
    let messages = last_messages(&app.model.requests());
    assert_paired(&messages);
    let (status, body) = client.decide(&pending[0], "approve", None).await.unwrap();
    assert_eq!(status, 409);
    assert!(
        text(&body, "/detail").contains("went on without a decision"),
        "{body}"
    );
    let call = client
        .call("read_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_eq!(text(&call, "/output/records/0/status"), "delivered");
}

#[tokio::test]
async fn a_message_that_is_sent_twice_is_taken_once() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Hello."))]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let body = json!({"id": id, "trigger": "submit-message", "messages": [
        {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]});
    for _ in 0..2 {
        let (status, _) = client.post("/api/agents/shop/chat", &body).await.unwrap();
        assert!(status.is_success());
    }
    assert_eq!(app.model.requests().len(), 1);
}

#[tokio::test]
async fn the_step_limit_ends_a_model_that_calls_for_ever() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::after(
            "list_models",
            Reply::call("describe_model", json!({"model": "order"})),
        ),
        Rule::always(Reply::call("list_models", json!({}))),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    client.chat("shop", &id, "go").await.unwrap();
    let settled = client.settled(&id).await.unwrap();
    let limit = app.runtime.agent("shop").unwrap().max_steps;
    assert_eq!(app.model.requests().len(), limit);
    let parts = settled
        .pointer("/messages/1/parts")
        .unwrap()
        .as_array()
        .unwrap();
    assert_eq!(text(parts.last().unwrap(), "/data/kind"), "step_limit");
    // The next turn's transcript is whole, the calls that were not started included.
    app.model.script(vec![Rule::always(Reply::text("ok"))]);
    client.chat("shop", &id, "and now?").await.unwrap();
    let messages = last_messages(&app.model.requests());
    assert_paired(&messages);
    assert!(
        messages
            .iter()
            .any(|message| text(message, "/content").contains("Not started"))
    );
}

#[tokio::test]
async fn the_same_call_again_and_again_is_ended_before_the_step_limit() {
    let app = TestApp::start().await.unwrap();
    app.model
        .script(vec![Rule::always(Reply::call("list_models", json!({})))]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    client.chat("shop", &id, "go").await.unwrap();
    let settled = client.settled(&id).await.unwrap();
    let requests = app.model.requests();
    assert_eq!(
        requests.len(),
        5,
        "three that ran, one that did not, one last"
    );
    assert_eq!(requests[4]["tool_choice"], json!("none"));
    assert!(!requests[4]["tools"].as_array().unwrap().is_empty());
    let last = last_messages(&requests);
    assert_paired(&last);
    let told = |text_: &str| {
        last.iter()
            .any(|message| text(message, "/content").contains(text_))
    };
    assert!(told("three times in a row") && told("again and again"));
    let parts = settled
        .pointer("/messages/1/parts")
        .unwrap()
        .as_array()
        .unwrap();
    assert!(text(parts.last().unwrap(), "/data/text").contains("again and again"));
}

/// What the model was told of calls, in its newest request.
fn results(requests: &[Value]) -> Vec<String> {
    let messages = last_messages(requests);
    let of_tools = messages.iter().filter(|one| text(one, "/role") == "tool");
    of_tools
        .map(|one| text(one, "/content").to_owned())
        .collect()
}

#[tokio::test]
async fn a_result_that_was_told_in_a_turn_is_named_the_second_time() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let search = |limit: u32| {
        let arguments = json!({"model": "order", "limit": limit});
        Reply::call("search_records", arguments)
    };
    app.model.script(vec![
        Rule::always(search(3)).times(2),
        Rule::always(search(2)).times(1),
        Rule::always(search(3)).times(1),
        Rule::always(Reply::text("Done.")),
    ]);
    let talk = conversation();
    manager.chat("shop", &talk, "Look twice").await.unwrap();
    let told = results(&app.model.requests());
    assert_eq!(told.len(), 4);
    assert!(
        told[0].contains("SO-10001") && told[2].contains("SO-10001"),
        "{told:?}"
    );
    assert_ne!(told[0], told[2]);
    let named = "The same result as that of call 1 of this turn (search_records), above.";
    assert_eq!((told[1].as_str(), told[3].as_str()), (named, named));
    // In the next turn it is told again; what is stored is whole all along.
    app.model.script(vec![
        Rule::always(search(3)).times(1),
        Rule::always(Reply::text("Done.")),
    ]);
    manager.chat("shop", &talk, "And again").await.unwrap();
    let told = results(&app.model.requests());
    assert_eq!(told.len(), 5);
    assert_eq!(told[4], told[0]);
    let (_, calls) = manager.get("/api/calls?tool=search_records").await.unwrap();
    for call in calls["items"].as_array().unwrap() {
        assert!(call["output"]["records"].is_array(), "{call}");
    }
}

#[tokio::test]
async fn a_shown_result_stays_whole() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let shown = json!({"widget": "table", "title": "Orders", "query": {"from": {"model": "order", "as": "o"},
        "select": [{"field": "o.number"}, {"field": "o.status"}], "limit": 5}});
    app.model.script(vec![
        Rule::always(Reply::call("show_data", shown)).times(2),
        Rule::always(Reply::text("Done.")),
    ]);
    manager
        .chat("shop", &conversation(), "Show it twice")
        .await
        .unwrap();
    let told = results(&app.model.requests());
    assert_eq!(told.len(), 2);
    assert!(told[0].contains("SO-10001"), "{told:?}");
    assert_eq!(told[0], told[1]);
}
