//! `toolcrib.toml` of the workspace has effect.

use serde_json::json;
use toolcrib_testkit::ScriptedModel;

use crate::server::Server;

#[tokio::test]
async fn what_the_file_says_of_calls_holds_for_them() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    // The sample shop first, which a folder with a file of its own does not become.
    assert!(Server::start(dir.path(), &model).await.terminate().await);
    let note = json!({"model": "order", "id": 1, "values": {"note": "x"}});
    let read = json!({"model": "order", "ids": (1..=20).collect::<Vec<_>>()});
    for (toml, seconds, is_large) in [
        ("", 24 * 3600, false),
        (
            "[calls]\napproval_hours = 2\nlargest_result_bytes = 300\n",
            2 * 3600,
            true,
        ),
    ] {
        std::fs::write(dir.path().join("toolcrib.toml"), toml).unwrap();
        let server = Server::start(dir.path(), &model).await;
        let client = server.client(dir.path(), "mona@shop.test").await;
        let call = client.call("update_record", &note).await.unwrap();
        let moment = |name: &str| -> jiff::Timestamp {
            call["approval"][name].as_str().unwrap().parse().unwrap()
        };
        let lifetime = moment("expiresAt").duration_since(moment("createdAt"));
        assert_eq!(lifetime.as_secs(), seconds, "{call}");
        let large = client.call("read_record", &read).await.unwrap();
        assert_eq!(large["output"]["handle"].is_string(), is_large, "{large}");
        assert!(server.terminate().await);
    }
}
