//! The disk is full for a while.

use std::path::Path;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::process::Command;
use toolcrib_testkit::{ScriptedModel, TestClient};

use crate::server::{Server, command};

/// The server, for which files that can't grow are no reason to end.
#[expect(
    clippy::disallowed_methods,
    reason = "the binary under test is started here"
)]
async fn serve(dir: &Path, model: &ScriptedModel) -> Server {
    let own = command(dir, &["serve", "--listen", "127.0.0.1:0"]);
    let own = own.as_std();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", r#"trap "" XFSZ; exec "$0" "$@""#])
        .arg(own.get_program())
        .args(own.get_args());
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
        .env("TOOLCRIB_MODEL_BASE_URL", model.base_url())
        .env("TOOLCRIB_MODEL_NAME", "scripted");
    Server::spawn(shell).await
}

/// Says how large files of a process may be, in bytes.
#[expect(clippy::disallowed_methods, reason = "the system's own tool is asked")]
async fn limit_files(process: u32, largest: &str) {
    let done = Command::new("prlimit")
        .args(["--pid", &process.to_string()])
        .arg(format!("--fsize={largest}:unlimited"))
        .status();
    assert!(done.await.unwrap().success());
}

async fn try_call(client: &TestClient, tool: &str, arguments: Value) -> (StatusCode, Value) {
    let path = format!("/api/tools/{tool}/call");
    let body = json!({ "arguments": arguments });
    client.post(&path, &body).await.unwrap()
}

fn customer(name: &str) -> Value {
    let email = format!("{}@example.com", name.to_lowercase());
    json!({"model": "customer", "values": {"name": name, "email": email, "country": "de"}})
}

async fn customers(client: &TestClient) -> Value {
    let search = json!({"model": "customer", "fields": ["name"], "limit": 1});
    let call = client.call("search_records", &search).await.unwrap();
    call["output"]["total"].clone()
}

#[tokio::test]
async fn calls_fail_clearly_nothing_is_there_by_half_and_afterwards_all_works_again() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    let server = serve(dir.path(), &model).await;
    let admin = server.client(dir.path(), "admin@shop.test").await;
    let ask = json!({"requiresApproval": false});
    admin.switch("create_record", &ask).await.unwrap();
    let note = json!({"model": "order", "id": 1, "values": {"note": "once"}});
    let waits = admin.call("update_record", &note).await.unwrap();
    let before = customers(&admin).await.as_i64().unwrap();

    limit_files(server.process(), "1").await;
    for round in 0..3 {
        for (tool, arguments) in [
            ("create_record", customer(&format!("Half{round}"))),
            ("list_models", json!({})),
            ("update_record", note.clone()),
        ] {
            let (status, body) = try_call(&admin, tool, arguments).await;
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{tool}: {body}");
            assert_eq!(body["code"], json!("unavailable"));
        }
        let (status, body) = admin
            .decide(&waits["approval"], "approve", None)
            .await
            .unwrap();
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{body}");
    }

    limit_files(server.process(), "unlimited").await;
    assert_eq!(customers(&admin).await, json!(before));
    let made = admin
        .call("create_record", &customer("Whole"))
        .await
        .unwrap();
    assert_eq!(made["status"], json!("succeeded"), "{made}");
    assert_eq!(admin.pending().await.unwrap().len(), 1);
    let (status, body) = admin
        .decide(&waits["approval"], "approve", None)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(body["call"]["status"], json!("succeeded"));
    let read = json!({"model": "order", "id": 1});
    let read = admin.call("read_record", &read).await.unwrap();
    assert_eq!(read.pointer("/output/records/0/version"), Some(&json!(2)));
    assert!(server.terminate().await);

    let server = serve(dir.path(), &model).await;
    let admin = server.client(dir.path(), "admin@shop.test").await;
    assert_eq!(customers(&admin).await, json!(before + 1));
    let (_, found) = admin.post("/api/audit/verify", &json!({})).await.unwrap();
    assert_eq!(found["ok"], json!(true), "{found}");
}
