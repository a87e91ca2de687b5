use std::process::Stdio;

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use toolcrib_testkit::{Reply, Rule, ScriptedModel};

use crate::server::{Server, command, run};

#[tokio::test]
async fn help_says_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let (code, help, _) = run(dir.path(), &[]).await;
    assert_eq!(code, 0);
    insta::assert_snapshot!(help);
    assert_eq!(
        run(dir.path(), &["fly"]).await.0,
        2,
        "wrong usage is exit code 2"
    );
}

#[tokio::test]
async fn a_tool_is_called_with_and_without_a_server() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("shop");
    let (code, _, errors) = run(&dir, &["call", "list_models"]).await;
    assert_eq!(code, 1);
    assert!(
        errors.contains("there is no workspace at") && errors.contains("toolcrib init"),
        "{errors}"
    );
    let (code, _, errors) = run(&dir, &["init", dir.to_str().unwrap()]).await;
    assert_eq!(code, 0, "{errors}");
    // A folder that was made by `init` has no sample rows: it is nobody's shop yet.
    let (code, output, errors) =
        run(&dir, &["call", "search_records", "--arg", "model=order"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("\"total\""), "{output}");
    let (code, _, errors) = run(
        &dir,
        &[
            "call",
            "read_record",
            "--arg",
            "model=order",
            "--arg",
            "id=x",
            "--arg",
            "no=1",
        ],
    )
    .await;
    assert_eq!(code, 1);
    assert!(errors.contains("unknown parameter `no`"), "{errors}");
}

#[tokio::test]
async fn the_terminal_chat_asks_and_decides() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    model.script(vec![
        Rule::on_user(
            "ship",
            Reply::call(
                "update_record",
                json!({"model": "order", "id": 1, "values": {"status": "shipped"}}),
            ),
        ),
        Rule::after("update_record", Reply::text("It is on its way.")),
    ]);
    let server = Server::start(dir.path(), &model).await;
    let mut chat = command(
        dir.path(),
        &[
            "chat",
            "shop",
            "--as",
            "mona@shop.test",
            "--message",
            "ship order 1",
        ],
    )
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    chat.stdin.take().unwrap().write_all(b"a\n").await.unwrap();
    let output = chat.wait_with_output().await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Update order SO-10001"), "{text}");
    assert!(text.contains("Status: delivered → shipped"), "{text}");
    assert!(text.contains("succeeded"), "{text}");
    assert_eq!(text.matches("It is on its way.").count(), 1, "{text}");
    assert!(server.terminate().await);
}

#[tokio::test]
async fn links_and_tokens_are_made_at_the_machine() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    let server = Server::start(dir.path(), &model).await;
    let (code, link, _) = run(dir.path(), &["user", "link", "sam@shop.test"]).await;
    assert_eq!(code, 0);
    assert!(link.contains("/sign-in#token="), "{link}");
    let (code, _, errors) = run(dir.path(), &["user", "link", "nobody@shop.test"]).await;
    assert_eq!(code, 1);
    assert!(errors.contains("no such user"), "{errors}");
    let (code, token, _) = run(
        dir.path(),
        &["token", "create", "ci", "--as", "sam@shop.test"],
    )
    .await;
    assert_eq!(code, 0);
    let client = toolcrib_testkit::TestClient::new(&server.url, token.trim());
    assert_eq!(client.get("/api/session").await.unwrap().0, 200);
    let (code, _, errors) = run(dir.path(), &["serve", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(code, 1);
    assert!(
        errors.contains("in use by another toolcrib process"),
        "{errors}"
    );
    assert!(server.terminate().await);
    let (code, _, errors) = run(dir.path(), &["user", "link", "sam@shop.test"]).await;
    assert_eq!(code, 1);
    assert!(errors.contains("no server is running"), "{errors}");
}
