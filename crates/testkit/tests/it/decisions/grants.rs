//! Decisions for later calls.

use reqwest::{Method, StatusCode};
use serde_json::json;
use toolcrib_testkit::{Reply, Rule, TestClient};

use super::{asks, decide, done, own_order, seen, set_terms, shop};
use crate::support::{conversation, text};

#[tokio::test]
async fn a_grant_covers_what_is_the_same_and_nothing_else() {
    let app = shop(json!({"grants": true})).await;
    let admin = app.client("admin@shop.test").await.unwrap();
    let (sales, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let id = own_order(&sales).await;
    let call = asks(&sales, id, "one").await;
    assert_eq!(call["approval"]["mayGrant"], json!(true));
    let (status, body) = decide(&sales, &call["approval"], json!({"grant": "always"})).await;
    assert_eq!(
        (status, text(&body, "/call/status")),
        (StatusCode::OK, "succeeded"),
        "{body}"
    );
    let again = asks(&sales, id, "two").await;
    assert_eq!(text(&again, "/status"), "succeeded", "{again}");
    let (_, story) = admin
        .get(&format!("/api/audit/calls/{}", text(&again, "/id")))
        .await
        .unwrap();
    let (_, list) = sales.get("/api/grants").await.unwrap();
    assert_eq!(story["grantId"], list["items"][0]["id"], "{story}");
    assert_eq!(text(&list, "/items/0/scope"), "order:update");
    // Another model, another user, another tool: each asks.
    let customer = done(
        &sales,
        "search_records",
        json!({"model": "customer", "limit": 1}),
    )
    .await;
    let customer = &customer["records"][0]["id"];
    let other = json!({"model": "customer", "id": customer, "values": {"city": "Bern"}});
    let other = sales.call("update_record", &other).await.unwrap();
    assert_eq!(text(&other, "/status"), "waiting", "{other}");
    assert_eq!(text(&asks(&manager, id, "x").await, "/status"), "waiting");
    let (_, list) = manager.get("/api/grants").await.unwrap();
    assert_eq!(list["items"], json!([]), "others' are nobody's business");
    // An agent is another caller than a form.
    let update = json!({"model": "order", "id": id, "values": {"note": "agent"}});
    app.model
        .script(vec![Rule::always(Reply::call("update_record", update))]);
    let talk = conversation();
    sales.chat("shop", &talk, "Note it").await.unwrap();
    let pending = sales.pending().await.unwrap();
    assert!(
        pending.iter().any(|one| text(one, "/agent") == "shop"),
        "{pending:?}"
    );
    // Another version of the tool voids it.
    admin
        .switch(
            "update_record",
            &json!({"settings": {"timeoutMs": 9000, "approval": {"grants": true}}}),
        )
        .await
        .unwrap();
    assert_eq!(text(&asks(&sales, id, "three").await, "/status"), "waiting");
}

#[tokio::test]
async fn a_revoked_grant_asks_again_and_only_its_giver_revokes_it() {
    let app = shop(json!({"grants": true})).await;
    let (sales, manager) = (app.sales().await.unwrap(), app.manager().await.unwrap());
    let id = own_order(&sales).await;
    let call = asks(&sales, id, "one").await;
    decide(&sales, &call["approval"], json!({"grant": "always"})).await;
    assert_eq!(text(&asks(&sales, id, "two").await, "/status"), "succeeded");
    let (_, list) = sales.get("/api/grants").await.unwrap();
    let path = format!("/api/grants/{}", text(&list, "/items/0/id"));
    let revoke = async |client: &TestClient| {
        client
            .raw(Method::DELETE, &path)
            .send()
            .await
            .unwrap()
            .status()
    };
    assert_eq!(revoke(&manager).await, StatusCode::NOT_FOUND);
    assert_eq!(
        text(&asks(&sales, id, "three").await, "/status"),
        "succeeded"
    );
    assert_eq!(revoke(&sales).await, StatusCode::NO_CONTENT);
    assert_eq!(revoke(&sales).await, StatusCode::NOT_FOUND);
    assert_eq!(text(&asks(&sales, id, "four").await, "/status"), "waiting");
}

#[tokio::test]
async fn a_standing_grant_covers_a_caller_without_a_person() {
    let app = shop(json!({"grants": true})).await;
    let manager = app.manager().await.unwrap();
    let (_, token) = manager
        .post("/api/tokens", &json!({"name": "nightly"}))
        .await
        .unwrap();
    let alone = TestClient::new(app.url(), text(&token, "/secret"));
    let refused = asks(&alone, 1, "alone").await;
    assert_eq!(text(&refused, "/status"), "refused", "{refused}");
    let call = asks(&manager, 1, "one").await;
    decide(&manager, &call["approval"], json!({"grant": "always"})).await;
    let covered = asks(&alone, 1, "alone").await;
    assert_eq!(text(&covered, "/status"), "succeeded", "{covered}");
}

#[tokio::test]
async fn a_grant_for_a_conversation_holds_there_alone() {
    let app = shop(json!({"grants": true})).await;
    let manager = app.manager().await.unwrap();
    let update = |note: &str| {
        Reply::call(
            "update_record",
            json!({"model": "order", "id": 1, "values": {"note": note}}),
        )
    };
    app.model.script(vec![Rule::always(update("noted"))]);
    let (here, there) = (conversation(), conversation());
    manager.chat("shop", &here, "Note it").await.unwrap();
    let pending = manager.pending().await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Done."))]);
    let (status, body) = decide(&manager, &pending[0], json!({"grant": "conversation"})).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    manager.join(&here).await.unwrap();
    app.model.script(vec![
        Rule::always(update("again")).times(1),
        Rule::always(Reply::text("Done.")),
    ]);
    manager.chat("shop", &here, "And again").await.unwrap();
    assert_eq!(manager.pending().await.unwrap().len(), 0);
    app.model.script(vec![Rule::always(update("elsewhere"))]);
    manager.chat("shop", &there, "Note it").await.unwrap();
    assert_eq!(manager.pending().await.unwrap().len(), 1);
    // A call without a conversation can't be decided for one.
    let call = asks(&manager, 2, "by hand").await;
    let (status, problem) = decide(
        &manager,
        &call["approval"],
        json!({"grant": "conversation"}),
    )
    .await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
}

#[tokio::test]
async fn grants_are_off_unless_the_row_allows_them_and_never_for_what_destroys() {
    let app = shop(json!({})).await;
    let admin = app.client("admin@shop.test").await.unwrap();
    let manager = app.manager().await.unwrap();
    let call = asks(&manager, 1, "one").await;
    assert_eq!(call["approval"]["mayGrant"], json!(false));
    let (status, problem) = decide(&manager, &call["approval"], json!({"grant": "always"})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
    let (_, still) = seen(&manager, &call["approval"]).await;
    assert_eq!(
        text(&still, "/status"),
        "pending",
        "nothing was decided by it"
    );
    let (_, row) = admin.get("/api/tools/delete_record").await.unwrap();
    let version = row["version"].as_i64().unwrap();
    let wish = json!({"settings": {"approval": {"grants": true}}});
    let (status, problem) = admin
        .patch("/api/tools/delete_record", version, &wish)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        text(&problem, "/detail").contains("destructive"),
        "{problem}"
    );
    // The asker's own decision for later calls is nobody else's to give.
    set_terms(
        &app,
        "update_record",
        json!({"grants": true, "approverRoles": ["manager"]}),
    )
    .await;
    let sales = app.sales().await.unwrap();
    let id = own_order(&sales).await;
    let call = asks(&sales, id, "x").await;
    let (status, problem) = decide(&manager, &call["approval"], json!({"grant": "always"})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
}

#[tokio::test]
async fn a_grant_for_always_covers_other_conversations() {
    let app = shop(json!({"grants": true})).await;
    let manager = app.manager().await.unwrap();
    let update = |id: i64| {
        let arguments = json!({"model": "order", "id": id, "values": {"note": "noted"}});
        Reply::call("update_record", arguments)
    };
    app.model.script(vec![
        Rule::always(update(1)).times(1),
        Rule::always(Reply::text("Done.")),
    ]);
    let here = conversation();
    manager.chat("shop", &here, "Note it").await.unwrap();
    let pending = manager.pending().await.unwrap();
    let (status, body) = decide(&manager, &pending[0], json!({"grant": "always"})).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    manager.join(&here).await.unwrap();
    app.model.script(vec![
        Rule::always(update(2)).times(1),
        Rule::always(Reply::text("Done.")),
    ]);
    let there = conversation();
    manager.chat("shop", &there, "Note that").await.unwrap();
    assert_eq!(manager.pending().await.unwrap().len(), 0);
    let read = json!({"model": "order", "id": 2, "fields": ["note"]});
    assert_eq!(
        text(
            &done(&manager, "read_record", read).await,
            "/records/0/note"
        ),
        "noted"
    );
}
