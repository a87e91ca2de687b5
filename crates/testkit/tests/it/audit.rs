//! The audit: what others' calls were, and the chain that proves it.

mod chain;

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

const CANARY: &str = "DE89370400440532013000";

/// The sample shop with a sensitive field that the manager may read and write, whose writes ask
/// nobody.
async fn shop() -> (TestApp, TestClient) {
    let app = TestApp::start().await.unwrap();
    let model = "name: payee\nversioned: true\nfields:\n  name: { type: string, required: true }\n  iban: { type: string, sensitive: true, unique: true, title: Bank account }\n";
    let grants = "role: manager\ngrants:\n  - models: payee\n    operations: \"*\"\n    read_fields: [name, iban]\n    write_fields: [name, iban]\n";
    std::fs::write(app.dir().join("models/payee.yaml"), model).unwrap();
    std::fs::write(app.dir().join("permissions/payees.yaml"), grants).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    for tool in ["create_record", "update_record"] {
        let ask = json!({"requiresApproval": false});
        admin.switch(tool, &ask).await.unwrap();
    }
    (app, admin)
}

async fn get(client: &TestClient, path: &str) -> Value {
    let (status, body) = client.get(path).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{path}: {body}");
    body
}

async fn verify(admin: &TestClient, body: &Value) -> Value {
    let (status, body) = admin.post("/api/audit/verify", body).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

/// Seals what there is, and verifies it.
async fn sealed(app: &TestApp, admin: &TestClient) -> Value {
    // What other units still hold back on PostgreSQL is sealed a moment later.
    for _ in 0..200 {
        app.runtime.seal_all().await.unwrap();
        let chain = get(admin, "/api/audit/chain").await;
        if chain["unsealed"] == json!(0) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    verify(admin, &json!({})).await
}

async fn call(client: &TestClient, tool: &str, arguments: Value) -> Value {
    client.call(tool, &arguments).await.unwrap()
}

/// A call that waits for a decision: to delete a new payee.
async fn asked_to_delete(client: &TestClient) -> Value {
    let values = json!({"model": "payee", "values": {"name": "Nobody"}});
    let made = call(client, "create_record", values).await;
    let id = &made["output"]["records"][0]["id"];
    let waiting = call(client, "delete_record", json!({"model": "payee", "id": id})).await;
    assert_eq!(text(&waiting, "/status"), "waiting", "{waiting}");
    waiting
}

#[tokio::test]
async fn an_erased_payload_is_gone_and_the_chain_still_verifies() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    let values = json!({"model": "order", "criteria": {"field": "number", "operator": "=", "value": "erase me"}});
    let made = call(&manager, "search_records", values).await;
    let id = text(&made, "/id").to_owned();
    sealed(&app, &admin).await;
    let path = format!("/api/audit/calls/{id}/payload");
    let erase = async |client: &TestClient, reason: &str| {
        let request = client
            .raw(Method::DELETE, &path)
            .json(&json!({"reason": reason}));
        request.send().await.unwrap().status()
    };
    assert_eq!(erase(&manager, "mine").await, StatusCode::FORBIDDEN);
    assert_eq!(erase(&admin, " ").await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        erase(&admin, "asked by the customer").await,
        StatusCode::NO_CONTENT
    );
    let at_once = verify(&admin, &json!({})).await;
    assert_eq!(at_once["ok"], json!(true), "{at_once}");
    assert_eq!(erase(&admin, "again").await, StatusCode::CONFLICT);
    let story = get(&admin, &format!("/api/audit/calls/{id}")).await;
    assert_eq!(story["erased"], json!(true));
    assert!(!story.to_string().contains("erase me"), "{story}");
    let last = story["events"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (text(last, "/by"), text(last, "/reason")),
        ("Ada Admin", "asked by the customer")
    );
    let found = sealed(&app, &admin).await;
    assert_eq!(
        (&found["ok"], &found["erased"]),
        (&json!(true), &json!(1)),
        "{found}"
    );
    // The asker keeps the call, without what it held.
    let own = get(&manager, &format!("/api/calls/{id}")).await;
    assert_eq!(text(&own, "/status"), "succeeded");
    assert!(!own.to_string().contains("erase me"), "{own}");
    // One that still waits keeps what it is decided by.
    let waiting = asked_to_delete(&manager).await;
    let path = format!("/api/audit/calls/{}/payload", text(&waiting, "/id"));
    let request = admin
        .raw(Method::DELETE, &path)
        .json(&json!({"reason": "x"}));
    assert_eq!(request.send().await.unwrap().status(), StatusCode::CONFLICT);
}

#[tokio::test]
async fn sensitive_values_stand_in_no_audit() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    let record = json!({"model": "payee", "values": {"name": "Eve", "iban": CANARY}});
    let made = call(&manager, "create_record", record.clone()).await;
    assert!(
        made.to_string().contains(CANARY),
        "its asker sees it: {made}"
    );
    let id = &made["output"]["records"][0]["id"];
    call(&manager, "create_record", record).await;
    call(
        &manager,
        "update_record",
        json!({"model": "payee", "id": id, "values": {"iban": "X1"}}),
    )
    .await;
    call(
        &manager,
        "update_record",
        json!({"model": "payee", "id": id, "values": {"iban": CANARY}}),
    )
    .await;
    call(&manager, "read_record", json!({"model": "payee", "id": id})).await;
    let by = |field: &str| json!({"field": field, "operator": "=", "value": CANARY});
    call(
        &manager,
        "search_records",
        json!({"model": "payee", "criteria": by("iban")}),
    )
    .await;
    call(
        &manager,
        "search_records",
        json!({"model": "payee", "criteria": by("ibann")}),
    )
    .await;
    let query = json!({"from": {"model": "payee", "as": "p"}, "select": [{"field": "p.iban"}, {"fn": "upper", "field": "p.iban", "as": "loud"}], "where": [by("p.iban")]});
    call(&manager, "query_records", query).await;
    call(
        &manager,
        "read_activity",
        json!({"model": "payee", "id": id}),
    )
    .await;
    call(&manager, "export_records", json!({"model": "payee"})).await;
    let delete = call(
        &manager,
        "delete_record",
        json!({"model": "payee", "id": id}),
    )
    .await;
    assert_eq!(text(&delete, "/status"), "waiting");
    manager
        .attempt(
            "update_record",
            &json!({"model": "payee", "id": id, "values": {"iban": "X2"}}),
        )
        .await
        .unwrap();
    let list = get(&admin, "/api/audit/calls?limit=200").await;
    let items = list["items"].as_array().unwrap();
    assert!(items.len() >= 12, "{list}");
    for item in items {
        let story = get(&admin, &format!("/api/audit/calls/{}", text(item, "/id"))).await;
        assert!(!story.to_string().contains(CANARY), "{story}");
    }
    for format in ["csv", "jsonl"] {
        let path = format!("/api/audit/export?format={format}&tool=read_record");
        let response = admin.raw(Method::GET, &path).send().await.unwrap();
        let file = response.text().await.unwrap();
        assert!(
            file.contains("[restricted]") && !file.contains(CANARY),
            "{file}"
        );
    }
    let found = sealed(&app, &admin).await;
    assert_eq!(found["ok"], json!(true), "{found}");
}

#[tokio::test]
async fn an_administrator_finds_what_was_refused_and_why() {
    let (app, admin) = shop().await;
    let (sales, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let done = call(&sales, "search_records", json!({"model": "order"})).await;
    let denied = call(&sales, "delete_record", json!({"model": "order", "id": 1})).await;
    let asked = asked_to_delete(&manager).await;
    manager
        .decide(&asked["approval"], "reject", Some("Not this 100% one"))
        .await
        .unwrap();
    let ids = async |query: &str| -> Vec<String> {
        let list = get(&admin, &format!("/api/audit/calls{query}")).await;
        let items = list["items"].as_array().unwrap().iter();
        items.map(|item| text(item, "/id").to_owned()).collect()
    };
    let id = |call: &Value| text(call, "/id").to_owned();
    assert_eq!(ids("?outcome=notDone").await, [id(&asked), id(&denied)]);
    assert_eq!(ids("?text=not%20THIS%20100%25").await, [id(&asked)]);
    assert_eq!(ids("?text=not_this").await, Vec::<String>::new());
    assert_eq!(ids("?text=may%20not%20delete").await, [id(&denied)]);
    let user = text(&done, "/asker/id");
    assert_eq!(
        ids(&format!("?userId={user}")).await,
        [id(&denied), id(&done)]
    );
    assert_eq!(ids("?tool=search_records&via=api").await, [id(&done)]);
    assert_eq!(ids("?via=chat").await, Vec::<String>::new());
    assert_eq!(ids("?status=rejected").await, [id(&asked)]);
    let at = text(&denied, "/startedAt");
    assert_eq!(
        ids(&format!("?from={at}&tool=delete_record")).await,
        [id(&asked), id(&denied)]
    );
    assert_eq!(
        ids(&format!("?to={at}&tool=search_records")).await,
        [id(&done)]
    );
    for wrong in ["?from=yesterday", "?via=post", "?status=done", "?userId=x"] {
        let (status, body) = admin
            .get(&format!("/api/audit/calls{wrong}"))
            .await
            .unwrap();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}: {body}");
    }
    let story = get(&admin, &format!("/api/audit/calls/{}", id(&asked))).await;
    assert_eq!(text(&story, "/asker/name"), "Mona Manager");
    assert_eq!(text(&story, "/credential"), "session");
    assert_eq!(text(&story, "/approval/decider/name"), "Mona Manager");
    assert_eq!(story["approval"]["mayDecide"], json!(false));
    let states: Vec<&str> = story["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| text(event, "/state"))
        .collect();
    assert_eq!(states, ["asked", "waiting", "rejected"]);
    // Only administrators; nobody else learns whether there is such a call.
    for client in [&sales, &manager] {
        for path in [
            "/api/audit/calls".to_owned(),
            "/api/audit/chain".to_owned(),
            "/api/audit/people".to_owned(),
            "/api/audit/export".to_owned(),
            format!("/api/audit/calls/{}", id(&asked)),
        ] {
            let (status, _) = client.get(&path).await.unwrap();
            assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
        }
        let (status, _) = client.post("/api/audit/verify", &json!({})).await.unwrap();
        assert_eq!(status, StatusCode::FORBIDDEN);
    }
}

#[tokio::test]
async fn an_export_of_the_audit_has_every_call_once() {
    let (app, admin) = shop().await;
    let sales = app.sales().await.unwrap();
    for id in 0..450 {
        call(&sales, "read_record", json!({"model": "order", "id": id})).await;
    }
    let file = async |query: &str| {
        let response = admin
            .raw(Method::GET, &format!("/api/audit/export{query}"))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        response.text().await.unwrap()
    };
    let lines = file("?format=jsonl&tool=read_record").await;
    let mut ids: Vec<String> = lines
        .lines()
        .map(|line| text(&serde_json::from_str::<Value>(line).unwrap(), "/id").to_owned())
        .collect();
    ids.dedup();
    assert_eq!(ids.len(), 450);
    assert!(ids.is_sorted_by(|a, b| a > b), "newest first");
    let csv = file("?tool=read_record").await;
    assert!(csv.starts_with("startedAt,endedAt,id,asker,"), "{csv}");
    assert_eq!(csv.matches("\r\n").count(), 451);
    assert_eq!(csv.matches("startedAt").count(), 1);
}

#[tokio::test]
async fn before_and_after_of_records_are_a_part_of_the_story() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    let set = json!({"model": "order", "id": 1, "values": {"note": "seen by the auditor"}});
    let made = call(&manager, "update_record", set).await;
    let story = get(&admin, &format!("/api/audit/calls/{}", text(&made, "/id"))).await;
    let change = &story["output"]["records"][0]["changes"][0];
    assert_eq!(text(change, "/field"), "note");
    assert_eq!(text(change, "/after"), "seen by the auditor");
    assert!(change.get("before").is_some(), "{story}");
}

#[tokio::test]
async fn no_request_changes_the_audit() {
    let (_app, admin) = shop().await;
    let made = call(&admin, "list_models", json!({})).await;
    let id = text(&made, "/id");
    for path in [
        format!("/api/audit/calls/{id}"),
        format!("/api/calls/{id}"),
        "/api/audit/calls".to_owned(),
        "/api/audit/chain".to_owned(),
    ] {
        for method in [Method::PUT, Method::PATCH, Method::DELETE, Method::POST] {
            let request = admin.raw(method.clone(), &path).json(&json!({}));
            let status = request.send().await.unwrap().status();
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
        }
    }
    get(&admin, &format!("/api/audit/calls/{id}")).await;
}

#[tokio::test]
async fn what_tells_of_sensitive_fields_in_other_ways_is_masked_too() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    let record = json!({"model": "payee", "values": {"name": "Eve", "iban": "A1"}});
    call(&manager, "create_record", record).await;
    let settings = json!({"settings": {"approval": {"edit": true}}, "requiresApproval": true});
    admin.switch("update_record", &settings).await.unwrap();
    let set = |iban: &str| json!({"model": "payee", "id": 1, "values": {"iban": iban}});
    // Edited, and turned down with a reason that quotes a value.
    let asked = call(&manager, "update_record", set(CANARY)).await;
    let body = json!({"decision": "approve", "argumentsHash": asked["approval"]["argumentsHash"], "arguments": set("A2")});
    let path = format!("/api/approvals/{}", text(&asked, "/approval/id"));
    let (status, body) = manager.post(&path, &body).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    let asked = call(&manager, "update_record", set("A3")).await;
    let why = format!("{CANARY} is wrong");
    manager
        .decide(&asked["approval"], "reject", Some(&why))
        .await
        .unwrap();
    let selects = |select: Value, filters: Value| json!({"from": {"model": "payee", "as": "p"}, "select": [select], "where": [filters]});
    let iban = json!({"field": "p.iban", "as": "d"});
    for query in [
        selects(
            iban.clone(),
            json!({"left": {"fn": "coalesce", "args": [{"field": "p.iban"}, {"value": CANARY}]}, "operator": "=", "right": {"value": CANARY}}),
        ),
        selects(
            json!({"fn": "coalesce", "args": [{"field": "p.iban"}, {"value": CANARY}], "as": "d"}),
            json!({"field": "p.name", "operator": "=", "value": "Eve"}),
        ),
    ] {
        call(&manager, "query_records", query).await;
    }
    let saved = json!({"name": "by_iban", "query": selects(iban, json!({"field": "p.iban", "operator": "=", "value": CANARY}))});
    call(&manager, "save_query", saved).await;
    let list = get(&admin, "/api/audit/calls?limit=200").await;
    for item in list["items"].as_array().unwrap() {
        let story = get(&admin, &format!("/api/audit/calls/{}", text(item, "/id"))).await;
        assert!(!story.to_string().contains(CANARY), "{story}");
    }
    // Looking for it does not tell either.
    let found = get(&admin, &format!("/api/audit/calls?text={CANARY}")).await;
    assert_eq!(found["items"], json!([]), "{found}");
}
