use serde_json::{Value, json};
use toolcrib_counter::CounterOptions;
use toolcrib_testkit::{TestApp, TestAppOptions};

use crate::support::text;

async fn error_of(app: &TestApp, tool: &str, arguments: &Value) -> String {
    let call = app
        .manager()
        .await
        .unwrap()
        .call(tool, arguments)
        .await
        .unwrap();
    assert_ne!(text(&call, "/status"), "succeeded", "{call}");
    text(&call, "/error").to_owned()
}

#[tokio::test]
async fn bad_input_is_told_clearly_and_all_at_once() {
    let app = TestApp::start().await.unwrap();
    let cases = [
        (
            "read_record",
            json!({"model": "order", "id": 1, "limit": 3}),
            vec!["unknown parameter `limit`", "there are"],
        ),
        (
            "read_record",
            json!({"model": 7, "id": true}),
            vec!["/model", "expected string", "/id"],
        ),
        ("read_record", json!({"id": 1}), vec!["`model` is required"]),
        (
            "read_record",
            json!({"model": "order", "id": 1, "ids": [2]}),
            vec!["id", "ids"],
        ),
        ("read_record", json!({"model": "order"}), vec!["id", "ids"]),
        (
            "read_record",
            json!({"model": "order", "ids": (1..=101).collect::<Vec<_>>()}),
            vec!["100"],
        ),
        (
            "read_record",
            json!({"model": "order", "id": 1, "fields": ["totl"]}),
            vec!["totl", "total"],
        ),
        (
            "read_record",
            json!({"model": "ordr", "id": 1}),
            vec!["ordr", "order"],
        ),
        (
            "search_records",
            json!({"model": "order", "criteria": {"field": "status", "operator": "=", "value": "lost"}}),
            vec!["lost", "shipped"],
        ),
        (
            "search_records",
            json!({"model": "order", "limit": 1000}),
            vec!["limit", "100"],
        ),
        (
            "update_record",
            json!({"model": "order", "id": 1, "values": {"status": "lost"}}),
            vec!["lost", "shipped"],
        ),
        (
            "create_record",
            json!({"model": "customer", "values": {"nme": "x"}}),
            vec!["nme", "name", "required"],
        ),
    ];
    for (tool, arguments, words) in cases {
        let error = error_of(&app, tool, &arguments).await;
        for word in words {
            assert!(
                error.contains(word),
                "{tool} {arguments} says {error:?}, without {word:?}"
            );
        }
        for leak in ["SELECT", "sqlite", "d_main_", "tc_"] {
            assert!(!error.contains(leak), "{error}");
        }
    }
}

#[tokio::test]
async fn a_sales_person_sees_the_own_customers_orders_and_no_margin() {
    let app = TestApp::start().await.unwrap();
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let all =
        json!({"model": "order", "fields": ["number", "customer.sales_person"], "limit": 100});
    let seen_by_manager = manager.call("search_records", &all).await.unwrap();
    let seen = sales.call("search_records", &all).await.unwrap();
    let total = |call: &Value| {
        call.pointer("/output/total")
            .and_then(Value::as_i64)
            .unwrap()
    };
    assert!(total(&seen) > 0 && total(&seen) < total(&seen_by_manager));
    for record in seen.pointer("/output/records").unwrap().as_array().unwrap() {
        assert!(record.to_string().contains("sam@shop.test"), "{record}");
    }
    let foreign = json!({"model": "order", "criteria": {"field": "customer.sales_person", "operator": "!=", "value": "sam@shop.test"}, "limit": 1});
    let foreign_order = manager.call("search_records", &foreign).await.unwrap();
    let id = foreign_order
        .pointer("/output/records/0/id")
        .unwrap()
        .clone();
    let missing = sales
        .call("read_record", &json!({"model": "order", "id": id}))
        .await
        .unwrap();
    assert_eq!(missing.pointer("/output/missing"), Some(&json!([id])));
    let update = json!({"model": "order", "id": id, "values": {"status": "cancelled"}});
    let refused = sales.call("update_record", &update).await.unwrap();
    let unknown = json!({"model": "order", "id": 999_999, "values": {"status": "cancelled"}});
    let not_there = sales.call("update_record", &unknown).await.unwrap();
    assert_eq!(
        refused["error"], not_there["error"],
        "unreadable is nonexistent"
    );
    assert_eq!(
        total(&sales.call("search_records", &foreign).await.unwrap()),
        0,
        "also over a dotted path"
    );
    let by_margin =
        json!({"model": "order", "criteria": {"field": "margin", "operator": ">", "value": "0"}});
    let error = text(
        &sales.call("search_records", &by_margin).await.unwrap(),
        "/error",
    )
    .to_owned();
    assert!(error.contains("margin"), "{error}");
    let own = sales
        .call("search_records", &json!({"model": "order", "limit": 1}))
        .await
        .unwrap();
    assert!(own.pointer("/output/records/0/margin").is_none());
    let delete = sales
        .call("delete_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_eq!(
        text(&delete, "/status"),
        "refused",
        "no decision is wasted on what can't work: {delete}"
    );
}

#[tokio::test]
async fn a_query_counts_what_its_user_may_read() {
    let app = TestApp::start().await.unwrap();
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let query = json!({
        "from": {"model": "order", "as": "o"},
        "select": [{"field": "o.customer.sales_person"}, {"fn": "count", "as": "orders"}],
        "groupBy": ["customer.sales_person"],
    });
    let seen_by_manager = manager.call("query_records", &query).await.unwrap();
    assert_eq!(text(&seen_by_manager, "/title"), "Query orders");
    let rows = |call: &Value| {
        call.pointer("/output/rows")
            .unwrap()
            .as_array()
            .unwrap()
            .clone()
    };
    let own = |row: &Value| row["customer.sales_person"] == json!("sam@shop.test");
    let seen = rows(&sales.call("query_records", &query).await.unwrap());
    assert_eq!(seen.len(), 1);
    assert!(own(&seen[0]));
    let all = rows(&seen_by_manager);
    assert!(all.len() > 1);
    assert!(all.contains(&seen[0]), "the own orders are all counted");
    let margin = json!({"from": {"model": "order"}, "select": [{"fn": "sum", "field": "margin"}]});
    let refused = sales.call("query_records", &margin).await.unwrap();
    assert!(text(&refused, "/error").starts_with("/select/0/field: unknown field `margin`"));
}

#[tokio::test]
async fn a_batch_is_all_or_nothing_and_names_the_item() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let change = json!({"requiresApproval": false});
    admin.switch("update_record", &change).await.unwrap();
    let batch = json!({"model": "order", "records": [
        {"id": 1, "values": {"note": "one"}}, {"id": 999_999, "values": {"note": "two"}}]});
    let call = admin.call("update_record", &batch).await.unwrap();
    assert_eq!(text(&call, "/status"), "failed");
    assert!(
        text(&call, "/error").contains('1'),
        "the index is named: {call}"
    );
    let read = admin
        .call("read_record", &json!({"model": "order", "id": 1}))
        .await
        .unwrap();
    assert_ne!(text(&read, "/output/records/0/note"), "one");
}

#[tokio::test]
async fn a_large_result_becomes_a_handle_that_only_its_owner_resolves() {
    let counter = CounterOptions {
        largest_result: 4096,
        ..CounterOptions::default()
    };
    let app = TestApp::start_with(TestAppOptions {
        counter,
        ..TestAppOptions::default()
    })
    .await
    .unwrap();
    let client = app.manager().await.unwrap();
    let ids: Vec<i64> = (1..=100).collect();
    let call = client
        .call("read_record", &json!({"model": "order_line", "ids": ids}))
        .await
        .unwrap();
    let handle = text(&call, "/output/handle")
        .strip_prefix("handle://")
        .unwrap()
        .to_owned();
    assert!(
        text(&call, "/output/shape").contains("records (100 items)"),
        "{call}"
    );
    let (status, whole) = client.get(&format!("/api/handles/{handle}")).await.unwrap();
    assert_eq!(status, 200);
    assert_eq!(whole["records"].as_array().unwrap().len(), 100);
    let (status, _) = app
        .sales()
        .await
        .unwrap()
        .get(&format!("/api/handles/{handle}"))
        .await
        .unwrap();
    assert_eq!(status, 404);
}

#[tokio::test]
async fn refused_calls_are_rows_with_their_story() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    client.call("drop_tables", &json!({})).await.unwrap();
    let (_, list) = client.get("/api/calls?status=refused").await.unwrap();
    let call = &list["items"][0];
    assert_eq!(text(call, "/tool"), "drop_tables");
    let (_, story) = client
        .get(&format!("/api/calls/{}", text(call, "/id")))
        .await
        .unwrap();
    let states: Vec<&str> = story["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| text(event, "/state"))
        .collect();
    assert_eq!(states, ["asked", "refused"]);
    let (status, _) = app
        .sales()
        .await
        .unwrap()
        .get(&format!("/api/calls/{}", text(call, "/id")))
        .await
        .unwrap();
    assert_eq!(status, 404, "somebody else's call");
}

#[tokio::test]
async fn an_idempotency_key_answers_with_the_first_result() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let send = |arguments: Value| {
        let client = client.clone();
        async move {
            client
                .call_with_key("current_user", &arguments, "key-1")
                .await
                .unwrap()
        }
    };
    let (first, again) = (send(json!({})).await, send(json!({})).await);
    assert_eq!(first.1["call"]["id"], again.1["call"]["id"]);
    let other = send(json!({"x": 1})).await;
    assert_eq!(
        (other.0.as_u16(), text(&other.1, "/code")),
        (409, "key_reused")
    );
    let values = json!({"name": "Acme", "email": "acme@example.com", "country": "de"});
    let create = json!({"model": "customer", "values": values});
    for (tool, arguments) in [("list_models", json!({})), ("create_record", create)] {
        let many = (0..8).map(|_| client.call_with_key(tool, &arguments, "key-2"));
        let many = futures_util::future::join_all(many).await;
        let mut ids: Vec<String> = many
            .into_iter()
            .map(|call| text(&call.unwrap().1, "/call/id").to_owned())
            .collect();
        ids.dedup();
        assert_eq!(ids.len(), 1, "requests in flight join: {tool}");
    }
}

#[tokio::test]
async fn empty_arguments_are_an_empty_object_and_noted() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (_, body) = client
        .post("/api/tools/current_user/call", &json!({}))
        .await
        .unwrap();
    assert_eq!(text(&body, "/call/status"), "succeeded", "{body}");
    let wrapped = json!({"arguments": "{\"model\": \"order\", \"id\": 1}"});
    let (_, body) = client
        .post("/api/tools/read_record/call", &wrapped)
        .await
        .unwrap();
    assert_eq!(
        text(&body, "/call/status"),
        "succeeded",
        "unwrapped once: {body}"
    );
}
