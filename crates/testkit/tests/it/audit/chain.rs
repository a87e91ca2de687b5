//! The chain that proves what happened.

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::json;
use toolcrib_data::ManualClock;
use toolcrib_data::platform::leases;
use toolcrib_data::testing::tamper;
use toolcrib_testkit::{TestApp, TestAppOptions};

use super::{call, get, sealed, shop, verify};
use crate::support::text;

/// What happens to each of the rows of a call, and what is told of it.
const TAMPERED: &[(&str, &str)] = &[
    (
        "UPDATE tc_calls SET tool = 'list_models' WHERE id = '$'",
        "who asked for what was changed",
    ),
    (
        "UPDATE tc_calls SET asker_id = credential_id WHERE id = '$'",
        "who asked for what was changed",
    ),
    (
        "UPDATE tc_calls SET arguments_asked = '{}' WHERE id = '$'",
        "what it was asked with",
    ),
    (
        "UPDATE tc_calls SET result = '{\"type\":\"json\",\"output\":1}' WHERE id = '$'",
        "what came of it",
    ),
    (
        "UPDATE tc_calls SET error = 'no', result = NULL WHERE id = '$'",
        "what came of it",
    ),
    (
        "UPDATE tc_calls SET tool_version = tool_version + 1 WHERE id = '$'",
        "what came of it",
    ),
    ("DELETE FROM tc_calls WHERE id = '$'", "the call is gone"),
    (
        "UPDATE tc_call_events SET at = at + 1 WHERE call_id = '$' AND seq = 1",
        "the transition was changed",
    ),
    (
        "UPDATE tc_call_events SET state = 'refused' WHERE call_id = '$' AND state = 'succeeded'",
        "the transition was changed",
    ),
    (
        "UPDATE tc_call_events SET by_id = call_id WHERE call_id = '$' AND seq = 1",
        "the transition was changed",
    ),
    (
        "DELETE FROM tc_call_events WHERE call_id = '$' AND seq = 1",
        "the transition is gone",
    ),
    (
        "UPDATE tc_audit_segments SET entries = replace(entries, '$', '01a2307b-ae79-737e-ae55-cfa1cf2e57ab')",
        "not those that were sealed",
    ),
    ("UPDATE tc_audit_segments SET key_id = 'ab'", "another key"),
    (
        "DELETE FROM tc_audit_segments WHERE segment = 1",
        "entries before this one are gone",
    ),
    ("UPDATE tc_audit_segments SET salts = '{}'", "was changed"),
    (
        "UPDATE tc_audit_segments SET sealed_at = 1",
        "not those that were sealed",
    ),
    (
        "UPDATE tc_calls SET state = 'failed' WHERE id = '$'",
        "what came of it",
    ),
    (
        "UPDATE tc_calls SET title = 'Nothing' WHERE id = '$'",
        "what came of it",
    ),
    (
        "UPDATE tc_calls SET ended_at = ended_at + 1 WHERE id = '$'",
        "what came of it",
    ),
    (
        "UPDATE tc_calls SET tags = NULL, level = 'write' WHERE id = '$'",
        "what came of it",
    ),
    (
        "UPDATE tc_calls SET result = NULL WHERE id = '$'; INSERT INTO tc_call_events (org_id, call_id, seq, state, at) SELECT org_id, call_id, 90, 'succeeded', at FROM tc_call_events WHERE call_id = '$' AND seq = 1",
        "what came of it",
    ),
    (
        "INSERT INTO tc_call_events (org_id, call_id, seq, state, waiting_for, at) SELECT org_id, call_id, 90, 'succeeded', 'erased', at FROM tc_call_events WHERE call_id = '$' AND seq = 1",
        "is there again",
    ),
    (
        "DELETE FROM tc_call_events WHERE call_id = '$'",
        "has no story",
    ),
];

#[tokio::test]
async fn an_untouched_chain_verifies_and_its_tail_is_told() {
    let (app, admin) = shop().await;
    let sales = app.sales().await.unwrap();
    for id in 1..30 {
        call(&sales, "read_record", json!({"model": "order", "id": id})).await;
        call(&sales, "delete_record", json!({"model": "order", "id": id})).await;
    }
    let found = sealed(&app, &admin).await;
    assert_eq!(found["ok"], json!(true), "{found}");
    let entries = found["entries"].as_i64().unwrap();
    assert!(entries >= 58, "{found}");
    assert_eq!(found["sealedTo"], found["entries"], "numbers have no gaps");
    let chain = get(&admin, "/api/audit/chain").await;
    assert_eq!(chain["sealedTo"], found["entries"]);
    let head = text(&chain, "/head").to_owned();
    // What is not sealed yet is told as that.
    let rows = "INSERT INTO tc_call_events (org_id, call_id, seq, state, at) SELECT org_id, call_id, 90, state, at FROM tc_call_events ORDER BY at, call_id LIMIT 1";
    tamper(app.runtime.store(), rows).await.unwrap();
    let now = verify(&admin, &json!({"head": head})).await;
    assert_eq!(
        (&now["ok"], &now["unsealed"]),
        (&json!(true), &json!(1)),
        "{now}"
    );
    // After a restart it goes on where it was.
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    call(&admin, "list_models", json!({})).await;
    let found = sealed(&app, &admin).await;
    assert_eq!(found["ok"], json!(true), "{found}");
    assert!(found["entries"].as_i64().unwrap() > entries + 1);
    let noted = verify(&admin, &json!({"head": head})).await;
    assert_eq!(noted["ok"], json!(true), "{noted}");
    let other = verify(&admin, &json!({"head": "3:abcd"})).await;
    assert!(
        text(&other, "/problems/0/message").contains("noted down"),
        "{other}"
    );
}

#[tokio::test]
async fn whatever_is_changed_behind_the_chain_is_told() {
    for (sql, told) in TAMPERED {
        let (app, admin) = shop().await;
        let made = call(&admin, "read_record", json!({"model": "order", "id": 1})).await;
        let first = sealed(&app, &admin).await;
        assert_eq!(first["ok"], json!(true), "{first}");
        call(&admin, "list_models", json!({})).await;
        sealed(&app, &admin).await;
        let sql = sql.replace('$', text(&made, "/id"));
        for one in sql.split("; ") {
            tamper(app.runtime.store(), one).await.unwrap();
        }
        // Also what was put in behind is sealed by and by.
        let found = sealed(&app, &admin).await;
        assert_eq!(found["ok"], json!(false), "{sql}: {found}");
        assert!(
            found["problems"].to_string().contains(told),
            "{sql}: {found}"
        );
    }
}

#[tokio::test]
async fn a_chain_made_with_another_key_does_not_verify() {
    let (app, admin) = shop().await;
    call(&admin, "list_models", json!({})).await;
    sealed(&app, &admin).await;
    let key = app.dir().join("data/audit.key");
    let own = std::fs::read_to_string(&key).unwrap();
    assert_eq!(own.len(), 64);
    std::fs::write(&key, "ab".repeat(32)).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let found = verify(&admin, &json!({})).await;
    assert!(
        found["problems"].to_string().contains("another key"),
        "{found}"
    );
    assert!(!found.to_string().contains(&own), "{found}");
}

#[tokio::test]
async fn what_is_older_than_it_is_kept_is_pruned_and_the_rest_verifies() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        audit_kept: Some(SignedDuration::from_hours(24)),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let old = call(&admin, "list_models", json!({})).await;
    sealed(&app, &admin).await;
    clock.advance(SignedDuration::from_hours(48));
    let new = call(&admin, "list_models", json!({})).await;
    let found = sealed(&app, &admin).await;
    let before = found["entries"].as_i64().unwrap();
    let head = text(&get(&admin, "/api/audit/chain").await, "/head").to_owned();
    app.runtime.look_once().await.unwrap();
    let found = verify(&admin, &json!({"head": head})).await;
    assert_eq!(found["ok"], json!(true), "{found}");
    assert!(found["entries"].as_i64().unwrap() < before);
    assert_eq!(found["sealedTo"], json!(before), "numbers go on");
    let chain = get(&admin, "/api/audit/chain").await;
    assert!(chain["prunedTo"].as_i64().unwrap() > 0, "{chain}");
    let (status, _) = admin
        .get(&format!("/api/audit/calls/{}", text(&old, "/id")))
        .await
        .unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
    get(&admin, &format!("/api/audit/calls/{}", text(&new, "/id"))).await;
    // The checkpoint is signed: another can't be put in its place.
    tamper(
        app.runtime.store(),
        "UPDATE tc_audit_checkpoints SET last_seq = last_seq + 1",
    )
    .await
    .unwrap();
    let found = verify(&admin, &json!({})).await;
    assert!(
        found["problems"].to_string().contains("checkpoint"),
        "{found}"
    );
}

#[tokio::test]
async fn one_server_at_a_time_seals() {
    let (app, admin) = shop().await;
    let (store, org) = (app.runtime.store(), app.runtime.org());
    call(&admin, "list_models", json!({})).await;
    sealed(&app, &admin).await;
    let now = store.clock().micros();
    let claim = async |owner: &str, now: i64| {
        let mut unit = store.unit().await.unwrap();
        let until = now + 60_000_000;
        let epoch = leases::claim(&mut unit, org, "audit", owner, (now, until)).await;
        unit.commit().await.unwrap();
        epoch.unwrap()
    };
    assert_eq!(claim("server-b", now).await, None, "another server has it");
    let later = now + 20_000_000;
    let taken = claim("server-b", later).await.unwrap();
    assert_eq!(claim("server-b", later).await, Some(taken));
    assert_eq!(claim("server-c", later).await, None);
    call(&admin, "list_models", json!({})).await;
    assert_eq!(app.runtime.seal_all().await.unwrap(), 0);
    let found = verify(&admin, &json!({})).await;
    assert!(found["unsealed"].as_i64().unwrap() > 0, "{found}");
    assert_eq!(claim("server-c", later + 90_000_000).await, Some(taken + 1));
}

#[tokio::test]
async fn a_chain_that_was_cut_off_or_made_anew_is_told_by_what_is_noted_beside_the_key() {
    let (app, admin) = shop().await;
    if app.runtime.store().path().is_none() {
        // Several servers on one database note nothing down.
        return;
    }
    call(&admin, "list_models", json!({})).await;
    sealed(&app, &admin).await;
    call(&admin, "list_models", json!({})).await;
    let found = sealed(&app, &admin).await;
    assert_eq!(found["ok"], json!(true), "{found}");
    let noted = std::fs::read_to_string(app.dir().join("data/audit.head")).unwrap();
    assert_eq!(noted, text(&found, "/head"));
    tamper(app.runtime.store(), "DELETE FROM tc_audit_segments")
        .await
        .unwrap();
    // All of it is sealed anew, by the server itself.
    let found = sealed(&app, &admin).await;
    assert_eq!(found["ok"], json!(false), "{found}");
    assert!(
        found["problems"].to_string().contains("noted down"),
        "{found}"
    );
    let again = std::fs::read_to_string(app.dir().join("data/audit.head")).unwrap();
    assert_eq!(again, noted, "what does not follow is not noted");
}
