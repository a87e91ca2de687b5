//! A call that is tried gives its own result and says what would have changed; nothing is.

use serde_json::{Value, json};
use toolcrib_counter::CounterOptions;
use toolcrib_testkit::{TestApp, TestAppOptions, TestClient};

use crate::support::text;

/// A model's records as they are read, and how many there are.
async fn records(client: &TestClient, model: &str) -> Value {
    let newest =
        json!({"model": model, "order": [{"field": "id", "direction": "desc"}], "limit": 5});
    let call = client.call("search_records", &newest).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call["output"].clone()
}

#[tokio::test]
async fn a_trial_leaves_versions_ids_counts_and_unique_values_as_they_were() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (customers, orders) = (
        records(&client, "customer").await,
        records(&client, "order").await,
    );
    let values = json!({"name": "Tried Ltd", "email": "tried@example.com", "country": "de"});
    let create = json!({"model": "customer", "values": values});
    let first = client.attempt("create_record", &create).await.unwrap();
    assert_eq!(text(&first, "/status"), "succeeded", "{first}");
    let again = client.attempt("create_record", &create).await.unwrap();
    // A sequence of PostgreSQL goes on all the same: ids have gaps there.
    let gaps = app.runtime.store().path().is_none();
    let shown = |call: &Value| {
        let mut output = call["output"].clone();
        if gaps {
            output["records"][0]["id"] = Value::Null;
        }
        output
    };
    assert_eq!(
        shown(&first),
        shown(&again),
        "the unique value is free again, and so is the id"
    );
    let order = orders.pointer("/records/0/id").unwrap();
    let update = json!({"model": "order", "id": order, "values": {"note": "tried"}});
    let update = client.attempt("update_record", &update).await.unwrap();
    assert_eq!(text(&update, "/status"), "succeeded", "{update}");
    let delete = json!({"model": "customer", "id": 1});
    client.attempt("delete_record", &delete).await.unwrap();
    assert_eq!(records(&client, "customer").await, customers);
    assert_eq!(records(&client, "order").await, orders);
    let real = app.client("admin@shop.test").await.unwrap();
    real.switch("create_record", &json!({"requiresApproval": false}))
        .await
        .unwrap();
    let real = client.call("create_record", &create).await.unwrap();
    assert_eq!(shown(&real), shown(&first), "as it was tried");
}

#[tokio::test]
async fn a_trial_answers_with_the_result_and_what_would_change_and_asks_nobody() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let update = json!({"model": "order", "id": 1, "values": {"note": "tried"}});
    let call = client.attempt("update_record", &update).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    assert_eq!(text(&call, "/output/records/0/changes/0/after"), "tried");
    let change = call
        .pointer("/trial/wouldChange/changes/0/fields/0")
        .unwrap();
    assert_eq!(
        change,
        &json!({"field": "note", "label": "Note", "before": "Call before delivery.", "after": "tried"})
    );
    assert!(call["approval"].is_null() && client.pending().await.unwrap().is_empty());
    let unknown = json!({"model": "order", "id": 999_999, "values": {"note": "tried"}});
    let failed = client.attempt("update_record", &unknown).await.unwrap();
    assert!(
        text(&failed, "/error").contains("no record found"),
        "{failed}"
    );
    assert_eq!(failed["trial"], json!({"wouldChange": null}));
    let read = json!({"model": "order", "id": 1});
    let read = client.attempt("read_record", &read).await.unwrap();
    assert_eq!(text(&read, "/status"), "succeeded", "reading can be tried");
    let real = client.call("current_user", &json!({})).await.unwrap();
    assert!(real["trial"].is_null(), "a real call is no trial");
}

#[tokio::test]
async fn a_trial_has_the_rights_of_a_real_call() {
    let app = TestApp::start().await.unwrap();
    let sales = app.sales().await.unwrap();
    let delete = json!({"model": "order", "id": 1});
    let tried = sales.attempt("delete_record", &delete).await.unwrap();
    let real = sales.call("delete_record", &delete).await.unwrap();
    assert_eq!(text(&tried, "/status"), "refused");
    assert_eq!(tried["error"], real["error"]);
    let unknown = sales.attempt("drop_tables", &json!({})).await.unwrap();
    assert!(text(&unknown, "/error").starts_with("There is no tool named"));
}

#[tokio::test]
async fn a_trial_is_on_record_as_one_and_counts_as_no_use() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let update = json!({"model": "order", "id": 1, "values": {"note": "tried"}});
    let call = client.attempt("update_record", &update).await.unwrap();
    let (_, story) = client
        .get(&format!("/api/calls/{}", text(&call, "/id")))
        .await
        .unwrap();
    assert_eq!(story["trial"], call["trial"]);
    let states = story["events"].as_array().unwrap().iter();
    let states: Vec<&str> = states.map(|event| text(event, "/state")).collect();
    assert_eq!(states, ["asked", "succeeded"]);
    let (_, tool) = client.get("/api/tools/update_record").await.unwrap();
    assert_eq!(tool.pointer("/stats/calls7d"), Some(&json!(0)), "{tool}");
}

#[tokio::test]
async fn a_key_that_was_tried_with_is_still_free() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let path = "/api/tools/create_record/call";
    let values = json!({"name": "Tried Ltd", "email": "tried@example.com", "country": "de"});
    let body = json!({"arguments": {"model": "customer", "values": values}, "trial": true});
    let request = client.raw(reqwest::Method::POST, path);
    let request = request.header("idempotency-key", "key-1").json(&body);
    let tried: Value = request.send().await.unwrap().json().await.unwrap();
    assert_eq!(text(&tried, "/call/status"), "succeeded", "{tried}");
    let (_, real) = client
        .call_with_key("create_record", &body["arguments"], "key-1")
        .await
        .unwrap();
    assert_ne!(real.pointer("/call/id"), tried.pointer("/call/id"));
    assert_eq!(
        text(&real, "/call/status"),
        "waiting",
        "a real call: {real}"
    );
}

#[tokio::test]
async fn real_writes_go_through_beside_trials() {
    let counter = CounterOptions {
        trial_limit: std::time::Duration::from_secs(20),
        ..CounterOptions::default()
    };
    let options = TestAppOptions {
        counter,
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let client = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    client.switch("update_record", &ask).await.unwrap();
    let update = |note: String| json!({"model": "order", "id": 1, "values": {"note": note}});
    let both = (0..20).map(|number| {
        let (client, real, tried) = (
            client.clone(),
            update(format!("real {number}")),
            update(format!("tried {number}")),
        );
        async move {
            tokio::join!(
                client.call("update_record", &real),
                client.attempt("update_record", &tried)
            )
        }
    });
    for (real, tried) in futures_util::future::join_all(both).await {
        assert_eq!(text(&real.unwrap(), "/status"), "succeeded");
        assert_eq!(text(&tried.unwrap(), "/status"), "succeeded");
    }
    let read = json!({"model": "order", "id": 1, "fields": ["note", "version"]});
    let read = client.call("read_record", &read).await.unwrap();
    let record = read.pointer("/output/records/0").unwrap();
    assert!(text(record, "/note").starts_with("real"), "{record}");
    assert_eq!(record["version"], json!(21), "only real writes count");
}

#[test]
fn what_a_trial_may_leave_is_documented() {
    let page = include_str!("../../../../docs/trials.md");
    for word in ["sequence", "gap", "trigger", "SQLite", "wouldChange"] {
        assert!(
            page.contains(word),
            "docs/trials.md does not speak of {word}"
        );
    }
}
