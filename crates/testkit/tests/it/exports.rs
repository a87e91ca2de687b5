//! Records that leave as a file.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

/// The file of an export call, with its headers for type and name.
async fn file(client: &TestClient, call: &Value, query: &str) -> (StatusCode, String, String) {
    let path = format!("/api/calls/{}/export{query}", text(call, "/id"));
    let response = client.raw(Method::GET, &path).send().await.unwrap();
    let header = |name: &str| {
        let value = response.headers().get(name);
        value.map(|value| value.to_str().unwrap().to_owned())
    };
    let told = [header("content-type"), header("content-disposition")];
    let told = told.map(Option::unwrap_or_default).join(" ");
    (response.status(), told, response.text().await.unwrap())
}

/// The sample shop where sales may export what is theirs of customers, without the city.
async fn shop() -> TestApp {
    let app = TestApp::start().await.unwrap();
    let grants = "role: sales\ngrants:\n  - models: customer\n    operations: [read, export]\n    where: { field: sales_person, operator: \"=\", value: \"${user.email}\" }\n    read_fields: [name, email]\n";
    std::fs::write(app.dir().join("permissions/exports.yaml"), grants).unwrap();
    app.restart().await.unwrap()
}

async fn exported(client: &TestClient, arguments: Value) -> Value {
    let call = client.call("export_records", &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call
}

#[tokio::test]
async fn an_export_is_a_file_for_who_asked() {
    let app = shop().await;
    let manager = app.manager().await.unwrap();
    let all = json!({"model": "order", "fields": ["number", "customer", "total", "customer.city"]});
    let call = exported(&manager, all).await;
    assert!(text(&call, "/output/handle").starts_with("handle://"));
    let (status, told, csv) = file(&manager, &call, "").await;
    assert_eq!(status, StatusCode::OK);
    assert!(
        told.contains("text/csv") && told.contains("attachment; filename=\"order.csv\""),
        "{told}"
    );
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("id,number,customer,total,customer.city"));
    let (_, all) = manager
        .post(
            "/api/tools/query_records/call",
            &json!({"arguments":
        {"from": {"model": "order", "as": "o"}, "select": [{"fn": "count", "as": "n"}]}}),
        )
        .await
        .unwrap();
    let count = all.pointer("/call/output/rows/0/n").unwrap();
    assert_eq!(json!(lines.count()), *count);
    let (_, told, jsonl) = file(&manager, &call, "?format=jsonl").await;
    assert!(told.contains("order.jsonl"), "{told}");
    let first: Value = serde_json::from_str(jsonl.lines().next().unwrap()).unwrap();
    assert!(
        first["total"].is_string() && first["customer"].is_object(),
        "{first}"
    );
    let (status, _, _) = file(&manager, &call, "?format=xlsx").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    // A small one, which is no handle.
    let few = exported(&manager, json!({"model": "customer", "limit": 2})).await;
    let (_, _, csv) = file(&manager, &few, "").await;
    assert_eq!(csv.lines().count(), 3);
    // Nobody else gets it, and what is no export is no file.
    let other = app.client("admin@shop.test").await.unwrap();
    assert_eq!(file(&other, &few, "").await.0, StatusCode::NOT_FOUND);
    let search = manager
        .call("search_records", &json!({"model": "customer"}))
        .await
        .unwrap();
    assert_eq!(file(&manager, &search, "").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn to_export_is_another_right_than_to_read() {
    let app = shop().await;
    let sales = app.sales().await.unwrap();
    let call = exported(&sales, json!({"model": "customer"})).await;
    let (_, _, csv) = file(&sales, &call, "").await;
    assert!(csv.starts_with("id,name,email,version\r\n"), "{csv}");
    let own = json!({"model": "customer", "limit": 1});
    let found = sales.call("search_records", &own).await.unwrap();
    let total = found
        .pointer("/output/total")
        .and_then(Value::as_u64)
        .unwrap();
    assert_eq!(csv.lines().count() as u64, total + 1);
    // What can be read and not exported is told of as what can't be read.
    for arguments in [
        json!({"model": "customer", "fields": ["name", "city"]}),
        json!({"model": "customer", "criteria": {"field": "city", "operator": "=", "value": "Bern"}}),
        json!({"model": "customer", "order": [{"field": "city"}]}),
    ] {
        let call = sales.call("export_records", &arguments).await.unwrap();
        assert!(text(&call, "/error").contains("`city`"), "{call}");
    }
    let call = sales
        .call("export_records", &json!({"model": "order"}))
        .await
        .unwrap();
    assert_eq!(text(&call, "/error"), "you may not export `order` records");
    let wrong = json!({"model": "customer", "limit": 10_001});
    let call = sales.call("export_records", &wrong).await.unwrap();
    assert!(text(&call, "/error").contains("10000"), "{call}");
}
