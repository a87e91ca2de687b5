//! A database that is there already, from its URL to a record.

use std::path::Path;
use std::process::Stdio;

use crate::server::{command, run};

/// A workspace whose connection is the database of a sample shop.
async fn beside_a_shop(dir: &Path) -> std::path::PathBuf {
    let shop = dir.join("shop");
    let (code, _, errors) = run(&shop, &["init", shop.to_str().unwrap()]).await;
    assert_eq!(code, 0, "{errors}");
    let (code, _, errors) = run(&shop, &["call", "list_models"]).await;
    assert_eq!(code, 0, "{errors}");
    let beside = dir.join("beside");
    std::fs::create_dir_all(beside.join("permissions")).unwrap();
    let url = shop.join("data/toolcrib.db");
    let toml = format!("[connections.shop]\nurl = \"sqlite:{}\"\n", url.display());
    std::fs::write(beside.join("toolcrib.toml"), toml).unwrap();
    let admin = "role: admin\ngrants:\n  - { models: '*', operations: '*' }\n";
    std::fs::write(beside.join("permissions/admin.yaml"), admin).unwrap();
    beside
}

#[tokio::test]
async fn a_connection_is_read_into_models_and_served() {
    let dir = tempfile::tempdir().unwrap();
    let beside = beside_a_shop(dir.path()).await;
    let (_, told, _) = run(&beside, &["models", "sync", "shop", "--dry-run"]).await;
    assert!(!beside.join("models").exists());
    let (code, output, errors) = run(&beside, &["models", "sync", "shop"]).await;
    assert_eq!(code, 0, "{errors}");
    assert_eq!(output, told);
    assert!(
        output.contains("models/shop/d_main_order.yaml  new: "),
        "{output}"
    );
    let (_, output, _) = run(&beside, &["models", "sync", "shop"]).await;
    assert!(output.contains("Nothing has changed"), "{output}");
    let (code, output, errors) = run(&beside, &["check"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("is sound"), "{output}");
    let search = [
        "call",
        "search_records",
        "--arg",
        "model=shop.d_main_order",
        "--arg",
        "limit=2",
    ];
    let (code, output, errors) = run(&beside, &search).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("SO-10001"), "{output}");
    // As `head` does, which closes the pipe when it has read enough.
    for arguments in [&search[..], &["models", "sync", "shop"], &["tools"]] {
        let mut started = command(&beside, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(started.stdout.take());
        let ended = started.wait_with_output().await.unwrap();
        assert!(ended.status.success(), "{ended:?}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_connection_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let beside = dir.path().join("beside");
    std::fs::create_dir_all(beside.join("models")).unwrap();
    let toml = |text: &str| std::fs::write(beside.join("toolcrib.toml"), text).unwrap();
    toml("");
    let (code, _, errors) = run(&beside, &["models", "sync", "crm"]).await;
    assert_eq!(code, 1);
    assert!(
        errors.contains("unknown connection crm: there is none yet"),
        "{errors}"
    );
    toml("[connections.crm]\nurl = \"postgres://x:${TOOLCRIB_NOT_SET}@127.0.0.1/x\"\n");
    let (_, _, errors) = run(&beside, &["check"]).await;
    assert!(
        errors.contains("the variable TOOLCRIB_NOT_SET is not set"),
        "{errors}"
    );
    toml("[connections.crm]\nurl = \"oracle://secret@db\"\n");
    let (_, _, errors) = run(&beside, &["check"]).await;
    assert!(
        errors.contains("must be a URL that begins with") && !errors.contains("secret"),
        "{errors}"
    );
    toml("[connections.crm]\nurl = \"postgres://secret@127.0.0.1:1/x\"\n");
    let (code, _, errors) = run(&beside, &["models", "sync", "crm"]).await;
    assert_eq!(code, 1);
    assert!(
        errors.contains("connection `crm`") && !errors.contains("secret"),
        "{errors}"
    );
    std::fs::write(
        beside.join("models/a.yaml"),
        "name: a\nconnection: crn\ntable: a\nfields: {}\n",
    )
    .unwrap();
    let (code, _, errors) = run(&beside, &["check"]).await;
    assert_eq!(code, 1);
    assert!(
        errors.contains("models/a.yaml:2:13: unknown connection `crn`, did you mean `crm`?"),
        "{errors}"
    );
}
