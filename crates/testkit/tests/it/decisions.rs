//! Decisions by others than the asker, with other arguments, and for later calls.

mod grants;

use reqwest::StatusCode;
use serde_json::{Value, json};
use toolcrib_data::ManualClock;
use toolcrib_testkit::{TestApp, TestAppOptions, TestClient};

use crate::support::text;

/// The sample shop whose `update_record` is decided on these terms.
async fn shop(terms: Value) -> TestApp {
    let app = TestApp::start().await.unwrap();
    set_terms(&app, "update_record", terms).await;
    app
}

async fn set_terms(app: &TestApp, tool: &str, terms: Value) {
    let admin = app.client("admin@shop.test").await.unwrap();
    let change = json!({"settings": {"approval": terms}});
    admin.switch(tool, &change).await.unwrap();
}

async fn done(client: &TestClient, tool: &str, arguments: Value) -> Value {
    let call = client.call(tool, &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call["output"].clone()
}

/// An order of Sam's, whose margin he may not read.
async fn own_order(sales: &TestClient) -> i64 {
    let found = done(
        sales,
        "search_records",
        json!({"model": "order", "limit": 1}),
    )
    .await;
    found["records"][0]["id"].as_i64().unwrap()
}

async fn asks(client: &TestClient, id: i64, note: &str) -> Value {
    let arguments = json!({"model": "order", "id": id, "values": {"note": note}});
    client.call("update_record", &arguments).await.unwrap()
}

async fn decide(client: &TestClient, approval: &Value, more: Value) -> (StatusCode, Value) {
    let mut body = json!({"decision": "approve", "argumentsHash": approval["argumentsHash"]});
    let body_map = body.as_object_mut().unwrap();
    body_map.extend(more.as_object().unwrap().clone());
    let path = format!("/api/approvals/{}", text(approval, "/id"));
    client.post(&path, &body).await.unwrap()
}

async fn seen(client: &TestClient, approval: &Value) -> (StatusCode, Value) {
    let path = format!("/api/approvals/{}", text(approval, "/id"));
    client.get(&path).await.unwrap()
}

#[tokio::test]
async fn a_role_that_the_row_names_decides_and_the_call_runs_as_the_askers() {
    let app = shop(json!({"approverRoles": ["manager"]})).await;
    let (sales, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let id = own_order(&sales).await;
    let call = asks(&sales, id, "by the role").await;
    let approval = &call["approval"];
    assert_eq!(approval["mayDecide"], json!(false), "{approval}");
    assert_eq!(approval["approverRoles"], json!(["manager"]));
    let (status, problem) = decide(&sales, approval, json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
    let listed = manager.pending().await.unwrap();
    assert_eq!(text(&listed[0], "/id"), text(approval, "/id"));
    assert_eq!(listed[0]["mayDecide"], json!(true));
    assert_eq!(text(&listed[0], "/asker/name"), "Sam Sales");
    // Another sales person neither sees nor decides it.
    let other = app.client("sue@shop.test").await.unwrap();
    assert_eq!(seen(&other, approval).await.0, StatusCode::NOT_FOUND);
    assert_eq!(
        decide(&other, approval, json!({})).await.0,
        StatusCode::NOT_FOUND
    );
    let (status, body) = decide(&manager, approval, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(text(&body, "/call/status"), "succeeded", "{body}");
    assert_eq!(text(&body, "/call/asker/name"), "Sam Sales");
    assert_eq!(text(&body, "/approval/decider/name"), "Mona Manager");
    let read = json!({"model": "order", "id": id, "fields": ["note"]});
    assert_eq!(
        text(&done(&sales, "read_record", read).await, "/records/0/note"),
        "by the role"
    );
    // What the asker may not do, nobody's approval lets them.
    let foreign = json!({"model": "order", "id": id, "values": {"margin": "1"}});
    let refused = sales.call("update_record", &foreign).await.unwrap();
    assert_eq!(text(&refused, "/status"), "refused", "{refused}");
}

#[tokio::test]
async fn with_four_eyes_the_asker_never_decides() {
    let app = shop(json!({"approverRoles": ["manager", "admin"], "fourEyes": true})).await;
    let manager = app.manager().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let call = asks(&manager, 1, "mine").await;
    let approval = &call["approval"];
    assert_eq!(approval["mayDecide"], json!(false));
    let (status, problem) = decide(&manager, approval, json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert_eq!(
        text(&problem, "/detail"),
        "Somebody else has to decide this."
    );
    let (status, body) = decide(&admin, approval, json!({})).await;
    assert_eq!(
        (status, text(&body, "/call/status")),
        (StatusCode::OK, "succeeded"),
        "{body}"
    );
    // Without it, an asker with the role decides.
    set_terms(&app, "update_record", json!({"approverRoles": ["manager"]})).await;
    let call = asks(&manager, 1, "again").await;
    assert_eq!(
        decide(&manager, &call["approval"], json!({})).await.0,
        StatusCode::OK
    );
    // Four eyes of nobody in particular can't be saved.
    let (status, problem) = admin
        .patch(
            "/api/tools/update_record",
            3,
            &json!({"settings": {"approval": {"fourEyes": true}}}),
        )
        .await
        .unwrap();
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        text(&problem, "/detail").contains("approverRoles"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_viewer_sees_on_a_card_what_both_may_read() {
    let app = shop(json!({"approverRoles": ["sales"]})).await;
    let (sam, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let id = own_order(&sam).await;
    let values = json!({"margin": "987.65", "note": "canary note"});
    let change = json!({"model": "order", "id": id, "values": values});
    let call = manager.call("update_record", &change).await.unwrap();
    let approval = &call["approval"];
    assert!(
        approval.to_string().contains("987.65"),
        "its asker sees all of it"
    );
    // Sam reads the order and its note, and no margin.
    let (_, view) = seen(&sam, approval).await;
    assert_eq!(view["mayDecide"], json!(true), "{view}");
    assert!(!view.to_string().contains("987.65"), "{view}");
    assert!(view["card"].to_string().contains("canary note"), "{view}");
    assert!(view["card"].to_string().contains("[withheld]"), "{view}");
    // Sue reads nothing of it: it is not her customer's.
    let sue = app.client("sue@shop.test").await.unwrap();
    let (_, view) = seen(&sue, approval).await;
    for canary in [
        "987.65",
        "canary note",
        "SO-",
        &format!("\"{id}\""),
        &format!(":{id},"),
    ] {
        assert!(
            !view["card"].to_string().contains(canary),
            "{canary}: {view}"
        );
    }
    // Of a new record nobody knows yet whose it will be.
    set_terms(&app, "create_record", json!({"approverRoles": ["sales"]})).await;
    let order = json!({"number": "SO-77001", "customer": 1, "note": "canary note"});
    let new = json!({"model": "order", "values": order});
    let call = manager.call("create_record", &new).await.unwrap();
    let (_, view) = seen(&sue, &call["approval"]).await;
    for canary in ["canary note", "SO-77001"] {
        assert!(
            !view["card"].to_string().contains(canary),
            "{canary}: {view}"
        );
    }
    // Deciding needs no more than was seen.
    let (status, body) = decide(&sam, approval, json!({})).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(text(&body, "/call/asker/name"), "Mona Manager");
    assert!(!body["approval"].to_string().contains("987.65"), "{body}");
    assert!(!body["call"].to_string().contains("987.65"), "{body}");
}

#[tokio::test]
async fn arguments_are_edited_where_the_row_allows_it() {
    let app = shop(json!({"edit": true, "approverRoles": ["manager"]})).await;
    let (sales, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let id = own_order(&sales).await;
    let call = asks(&sales, id, "first").await;
    let approval = &call["approval"];
    let with = |values: Value| json!({"arguments": {"model": "order", "id": id, "values": values}});
    // They are read again: what is wrong is told, and nothing is decided.
    let (status, problem) = decide(&manager, approval, with(json!({"noot": "x"}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(text(&problem, "/code"), "arguments_unfit");
    assert!(text(&problem, "/detail").contains("`noot`"), "{problem}");
    // The rights are the asker's as well; of those the editor is told nothing.
    let (status, problem) = decide(&manager, approval, with(json!({"margin": "1.00"}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    assert_eq!(
        text(&problem, "/detail"),
        "Who asked may not have it done like this."
    );
    let mut edit = with(json!({"note": "second"}));
    edit["decision"] = json!("reject");
    assert_eq!(
        decide(&manager, approval, edit).await.0,
        StatusCode::FORBIDDEN
    );
    // What it is done to stays: another record, another model, more records.
    for arguments in [
        json!({"model": "order", "id": id + 1, "values": {"note": "x"}}),
        json!({"model": "customer", "id": id, "values": {"city": "x"}}),
        json!({"model": "order", "records": [{"id": id, "values": {"note": "x"}}]}),
        json!({"model": "order", "id": id, "values": {"note": "x"}, "version": 1}),
        json!({"model": "order", "values": {"note": "x"}}),
        json!({}),
    ] {
        let (status, problem) = decide(&manager, approval, json!({"arguments": arguments})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert!(
            text(&problem, "/detail").contains("the values can be edited"),
            "{problem}"
        );
    }
    // Nothing is tried with another hash than the one that was shown.
    let mut stale = with(json!({"noot": "x"}));
    stale["argumentsHash"] = json!("00");
    let (status, problem) = decide(&manager, approval, stale).await;
    assert_eq!(
        (status, text(&problem, "/code")),
        (StatusCode::CONFLICT, "stale_decision")
    );
    let (_, still) = seen(&manager, approval).await;
    assert_eq!(text(&still, "/status"), "pending");
    let (status, body) = decide(&manager, approval, with(json!({"note": "second"}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(text(&body, "/call/status"), "succeeded", "{body}");
    assert_eq!(text(&body, "/call/arguments/values/note"), "second");
    let read = json!({"model": "order", "id": id, "fields": ["note"]});
    assert_eq!(
        text(&done(&sales, "read_record", read).await, "/records/0/note"),
        "second"
    );
    // Both are kept, and the hash is another.
    let (_, own) = seen(&sales, approval).await;
    assert_eq!(text(&own, "/argumentsBefore/values/note"), "first");
    assert_ne!(own["argumentsHash"], approval["argumentsHash"]);
    assert!(own["card"].to_string().contains("second"), "{own}");
    // Where the row does not allow it, nothing is edited.
    set_terms(&app, "update_record", json!({"approverRoles": ["manager"]})).await;
    let call = asks(&sales, id, "third").await;
    let (status, problem) = decide(&manager, &call["approval"], with(json!({"note": "x"}))).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
}

#[tokio::test]
async fn an_edit_keeps_what_was_withheld_and_reaches_no_further_than_the_editor() {
    let app = shop(json!({"edit": true, "approverRoles": ["sales"]})).await;
    let (sam, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let id = own_order(&sam).await;
    let values = json!({"margin": "987.65", "note": "first"});
    let change = json!({"model": "order", "id": id, "values": values});
    let call = manager.call("update_record", &change).await.unwrap();
    let (_, view) = seen(&sam, &call["approval"]).await;
    let mut arguments = view["card"]["arguments"].clone();
    assert_eq!(text(&arguments, "/values/margin"), "[withheld]");
    // Sam may not write margins at all: not even the one that is there already.
    arguments["values"]["note"] = json!("second");
    let (status, problem) = decide(&sam, &call["approval"], json!({"arguments": arguments})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    // With a right of their own, what was withheld is put back as it was.
    let note = json!({"model": "order", "id": id, "values": {"note": "third"}});
    let call = manager.call("update_record", &note).await.unwrap();
    let edit = json!({"arguments": {"model": "order", "id": id, "values": {"note": "[withheld]"}}});
    let (status, body) = decide(&sam, &call["approval"], edit).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let read = json!({"model": "order", "id": id, "fields": ["note"]});
    assert_eq!(
        text(&done(&sam, "read_record", read).await, "/records/0/note"),
        "third"
    );
    // Sue can't have done what she may not do.
    let call = manager.call("update_record", &note).await.unwrap();
    let sue = app.client("sue@shop.test").await.unwrap();
    let edit = json!({"arguments": {"model": "order", "id": id, "values": {"note": "sue"}}});
    let (status, problem) = decide(&sue, &call["approval"], edit).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    // What destroys is never edited.
    let admin = app.client("admin@shop.test").await.unwrap();
    let (_, row) = admin.get("/api/tools/delete_record").await.unwrap();
    let wish = json!({"settings": {"approval": {"edit": true}}});
    let version = row["version"].as_i64().unwrap();
    let (status, _) = admin
        .patch("/api/tools/delete_record", version, &wish)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// The sample shop where the functions of orders have rows of their own.
async fn linked() -> TestApp {
    let app = TestApp::start().await.unwrap();
    std::fs::create_dir_all(app.dir().join("tools")).unwrap();
    std::fs::write(app.dir().join("tools/order.yaml"), "model: order\n").unwrap();
    app.runtime.reload().await.unwrap();
    app
}

#[tokio::test]
async fn the_terms_of_a_functions_row_hold_for_the_tools_of_all_models() {
    let app = linked().await;
    set_terms(&app, "update_record", json!({"grants": true, "edit": true})).await;
    set_terms(&app, "order_update", json!({"grants": true})).await;
    let (sales, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let id = own_order(&sales).await;
    let call = asks(&sales, id, "one").await;
    decide(&sales, &call["approval"], json!({"grant": "always"})).await;
    assert_eq!(text(&asks(&sales, id, "two").await, "/status"), "succeeded");
    let waiting = asks(&manager, 1, "waits").await;
    // Tightened, it voids what was decided before, and what waits.
    let strict = json!({"approverRoles": ["manager", "admin"], "fourEyes": true, "grants": true});
    set_terms(&app, "order_update", strict).await;
    assert_eq!(text(&asks(&sales, id, "three").await, "/status"), "waiting");
    let (status, body) = decide(&manager, &waiting["approval"], json!({})).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(text(&body, "/call/status"), "refused", "{body}");
    // An edit does not lead to where others decide.
    let customer = done(
        &manager,
        "search_records",
        json!({"model": "customer", "limit": 1}),
    )
    .await;
    let customer = customer["records"][0]["id"].clone();
    let update = json!({"model": "customer", "id": customer, "values": {"city": "Bern"}});
    let call = manager.call("update_record", &update).await.unwrap();
    let edit = json!({"arguments": {"model": "order", "id": customer, "values": {"note": "x"}}});
    let (status, problem) = decide(&manager, &call["approval"], edit).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
}

#[tokio::test]
async fn a_row_says_how_long_a_call_can_be_decided() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    set_terms(&app, "update_record", json!({"lifetimeSeconds": 60})).await;
    let manager = app.manager().await.unwrap();
    let call = asks(&manager, 1, "soon").await;
    clock.advance(jiff::SignedDuration::from_secs(61));
    let (status, problem) = decide(&manager, &call["approval"], json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(text(&problem, "/detail").contains("expired"), "{problem}");
}

#[tokio::test]
async fn the_version_that_was_shown_is_what_runs_or_nothing_does() {
    let app = shop(json!({})).await;
    let admin = app.client("admin@shop.test").await.unwrap();
    let manager = app.manager().await.unwrap();
    for change in [
        json!({"settings": {"timeoutMs": 5000}}),
        json!({"enabled": false}),
        json!({"roles": ["nobody"]}),
        json!({"audience": {"roles": ["sales"]}}),
    ] {
        let call = asks(&manager, 1, "stale").await;
        assert_eq!(text(&call, "/status"), "waiting", "{call}");
        admin.switch("update_record", &change).await.unwrap();
        let (status, body) = decide(&manager, &call["approval"], json!({})).await;
        assert_eq!(status, StatusCode::OK, "{change}: {body}");
        assert_eq!(text(&body, "/call/status"), "refused", "{change}: {body}");
        assert!(!text(&body, "/call/error").is_empty());
        let back =
            json!({"enabled": true, "roles": [], "audience": {"everyone": true}, "settings": {}});
        admin.switch("update_record", &back).await.unwrap();
    }
    let read = json!({"model": "order", "id": 1, "fields": ["note"]});
    let read = done(&manager, "read_record", read).await;
    assert_ne!(text(&read, "/records/0/note"), "stale");
}
