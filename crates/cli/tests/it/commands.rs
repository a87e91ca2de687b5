use std::process::Stdio;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
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
    let (code, output, errors) =
        run(&dir, &["call", "search_records", "--arg", "model=order"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(
        output.contains("SO-10001"),
        "the sample shop has records: {output}"
    );
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
async fn a_call_is_tried_at_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("shop");
    let (code, _, errors) = run(&dir, &["init", dir.to_str().unwrap()]).await;
    assert_eq!(code, 0, "{errors}");
    let update = r#"{"model": "order", "id": 1, "values": {"note": "tried"}}"#;
    let call = ["call", "update_record", "--json", update, "--trial"];
    let (code, output, errors) = run(&dir, &call).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("tried"), "the tool's own result: {output}");
    assert!(
        errors.contains("nothing was changed")
            && errors.contains("Note: Call before delivery. -> tried"),
        "{errors}"
    );
    let read = [
        "call",
        "read_record",
        "--json",
        r#"{"model": "order", "id": 1}"#,
    ];
    let (_, output, _) = run(&dir, &read).await;
    assert!(
        output.contains("SO-10001") && !output.contains("tried"),
        "{output}"
    );
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

#[tokio::test]
async fn several_starts_on_one_empty_folder_make_one_sound_workspace() {
    let dir = tempfile::tempdir().unwrap();
    let calls = (0..4).map(|_| {
        run(
            dir.path(),
            &[
                "call",
                "search_records",
                "--arg",
                "model=order",
                "--arg",
                "limit=1",
            ],
        )
    });
    for (code, output, errors) in futures_util::future::join_all(calls).await {
        assert_eq!(code, 0, "{errors}");
        assert!(output.contains("SO-"), "{output}");
    }
}

#[tokio::test]
async fn a_chat_that_fails_says_so_by_its_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let model = ScriptedModel::start().await.unwrap();
    model.script(vec![Rule::always(Reply {
        status: Some(400),
        ..Reply::default()
    })]);
    let server = Server::start(dir.path(), &model).await;
    let (code, output, errors) = run(dir.path(), &["chat", "shop", "--message", "hello"]).await;
    assert_eq!(code, 1, "{output}");
    assert!(output.contains("did not take the request"), "{output}");
    assert!(errors.contains("could not answer"), "{errors}");
    assert!(server.terminate().await);
}

#[tokio::test]
async fn the_file_says_what_a_model_can_do_and_how_it_is_spoken_to() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("shop");
    let model = ScriptedModel::start().await.unwrap();
    model.script(vec![Rule::always(Reply::text("I have only words."))]);
    crate::server::run(&folder, &["init", folder.to_str().unwrap()]).await;
    let ask = async |settings: &str| {
        let text = format!(
            "[language_model]\nbase_url = \"{}\"\nmodel = \"scripted\"\n{settings}",
            model.base_url()
        );
        std::fs::write(folder.join("toolcrib.toml"), text).unwrap();
        let chat = ["chat", "shop", "--as", "mona@shop.test", "--message", "hi"];
        crate::server::run(&folder, &chat).await
    };
    let (code, _, errors) = ask("").await;
    assert_eq!(code, 0, "{errors}");
    assert!(model.requests()[0].get("tools").is_some());
    let (code, _, errors) = ask("[language_model.capabilities]\ntools = false\n").await;
    assert_eq!(code, 0, "{errors}");
    assert_eq!(model.requests()[1].get("tools"), None);
    let (code, _, errors) = ask("provider = \"anthropic\"\n").await;
    assert_eq!(code, 1, "the scripted model speaks another language");
    assert!(errors.contains("(anthropic)"), "{errors}");
}

#[tokio::test]
async fn an_operation_that_is_off_is_off_for_everybody() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("shop");
    crate::server::run(&folder, &["init", folder.to_str().unwrap()]).await;
    let text = "[records]\ndenied_operations = [\"delete\"]\n";
    std::fs::write(folder.join("toolcrib.toml"), text).unwrap();
    let call = [
        "call",
        "delete_record",
        "--arg",
        "model=invoice",
        "--arg",
        "id=1",
    ];
    let (code, output, errors) = crate::server::run(&folder, &call).await;
    let told = format!("{output}{errors}");
    assert_eq!(code, 1, "{told}");
    assert!(
        told.contains("you may not delete `invoice` records"),
        "{told}"
    );
}

#[tokio::test]
async fn each_migration_is_listed_before_it_runs() {
    let dir = tempfile::tempdir().unwrap();
    let shop = dir.path();
    let (code, _, errors) = run(shop, &["init", shop.to_str().unwrap()]).await;
    assert_eq!(code, 0, "{errors}");
    let started = async || {
        let output = command(shop, &["call", "list_models"])
            .env("TOOLCRIB_LOG", "info")
            .output()
            .await
            .unwrap();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let listed: Vec<String> = log
            .lines()
            .filter_map(|line| line.split_once("a data model is migrated step="))
            .map(|(_, step)| step.to_owned())
            .collect();
        (output.status.success(), listed)
    };
    let (done, listed) = started().await;
    let created = listed
        .iter()
        .filter(|step| step.starts_with("create model"));
    assert!(done && created.count() == 5, "{listed:?}");
    assert_eq!(started().await, (true, Vec::new()), "nothing is left to do");
    let model = shop.join("models/product.yaml");
    let text = std::fs::read_to_string(&model).unwrap();
    let text = text.replacen("fields:\n", "fields:\n  shelf: { type: string }\n", 1);
    std::fs::write(&model, text).unwrap();
    let expected = vec!["add field `shelf` to `product`".to_owned()];
    assert_eq!(started().await, (true, expected));
}

#[tokio::test]
async fn the_audit_is_verified_and_exported_at_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("shop");
    run(&dir, &["init", dir.to_str().unwrap()]).await;
    let call = ["call", "search_records", "--arg", "model=order"];
    assert_eq!(run(&dir, &call).await.0, 0);
    let delete = [
        "call",
        "delete_record",
        "--arg",
        "model=order",
        "--arg",
        "id=1",
        "--as",
        "sam@shop.test",
    ];
    assert_eq!(run(&dir, &delete).await.0, 1);
    // Each command had a server of its own, which sealed what was done when it ended.
    let (code, output, errors) = run(&dir, &["audit", "verify"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.starts_with("The chain is whole: "), "{output}");
    let head = output.lines().find_map(|line| line.strip_prefix("Head: "));
    let head = head.unwrap().to_owned();
    let (code, _, _) = run(&dir, &["audit", "verify", "--head", &head]).await;
    assert_eq!(code, 0);
    let (code, csv, _) = run(&dir, &["audit", "export", "--format", "csv", "--not-done"]).await;
    assert_eq!(code, 0);
    assert_eq!(csv.lines().count(), 2, "{csv}");
    assert!(csv.contains("may not delete"), "{csv}");
    let file = dir.join("audit.jsonl");
    let to_file = [
        "audit",
        "export",
        "--output",
        file.to_str().unwrap(),
        "--tool",
        "search_records",
    ];
    assert_eq!(run(&dir, &to_file).await.0, 0);
    let lines = std::fs::read_to_string(&file).unwrap();
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["via"], "cli");
    let (code, _, errors) = run(&dir, &["audit", "export", "--as", "sam@shop.test"]).await;
    assert_eq!(code, 1);
    assert!(errors.contains("Only administrators"), "{errors}");
    // Another key is found out, and one that is none is not taken for no key.
    std::fs::write(dir.join("data/audit.key"), "cd".repeat(32)).unwrap();
    let (code, output, _) = run(&dir, &["audit", "verify"]).await;
    assert_eq!(code, 1);
    assert!(
        output.contains("The chain is broken") && output.contains("another key"),
        "{output}"
    );
    std::fs::write(dir.join("data/audit.key"), "short").unwrap();
    let (code, _, errors) = run(&dir, &["audit", "verify"]).await;
    assert_eq!(code, 1);
    assert!(
        errors.contains("audit.key is not 64 hexadecimal digits"),
        "{errors}"
    );
}

#[tokio::test]
async fn what_was_made_in_the_web_app_is_written_as_files() {
    let dir = tempfile::tempdir().unwrap();
    let shop = dir.path().join("shop");
    let server = Server::spawn(command(&shop, &["serve", "--listen", "127.0.0.1:0"])).await;
    let admin = server.client(&shop, "admin@shop.test").await;
    let (code, output, errors) = run(&shop, &["export"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("Nothing was made"), "{output}");
    let path = "/api/workspace/documents/models/book.yaml";
    let yaml = "name: book\nfields:\n  title: { type: string }\n";
    let request = admin.raw(Method::PUT, path).header("if-none-match", "*");
    let saved = request.json(&json!({"text": yaml})).send().await.unwrap();
    assert_eq!(saved.status(), 200);
    let to = dir.path().join("out");
    let (code, output, errors) = run(&shop, &["export", "--to", to.to_str().unwrap()]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("models/book.yaml"), "{output}");
    assert_eq!(
        std::fs::read_to_string(to.join("models/book.yaml")).unwrap(),
        yaml
    );
    let (code, _, errors) = run(&shop, &["export", "--to", to.to_str().unwrap()]).await;
    assert_eq!(code, 1);
    assert!(errors.contains("there already"), "{errors}");
    assert_eq!(run(&shop, &["export", "--as", "sam@shop.test"]).await.0, 1);
}

#[tokio::test]
async fn a_watched_workspace_is_taken_anew_without_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let shop = dir.path().join("shop");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--watch"];
    let server = Server::spawn(command(&shop, &serve)).await;
    let admin = server.client(&shop, "admin@shop.test").await;
    let agent = "---\ntools: [read_record]\n---\nYou read.\n";
    std::fs::write(shop.join("agents/reader.md"), agent).unwrap();
    let path = "/api/agents/reader";
    let taken = async { while admin.get(path).await.unwrap().0 != 200 {} };
    // It looks every second; a machine that is busy is waited for.
    tokio::time::timeout(Duration::from_secs(60), taken)
        .await
        .unwrap();
}

#[tokio::test]
async fn what_a_link_says_in_vain_is_warned_about() {
    let dir = tempfile::tempdir().unwrap();
    let (code, _, errors) = run(dir.path(), &["init", dir.path().to_str().unwrap()]).await;
    assert_eq!(code, 0, "{errors}");
    let agent = "---\ntools:\n  - { name: list_models, roles: [sales] }\n---\nLook.\n";
    std::fs::write(dir.path().join("agents/warned.md"), agent).unwrap();
    let (code, output, errors) = run(dir.path(), &["check"]).await;
    assert_eq!(code, 0, "{errors}");
    assert!(output.contains("is sound"), "{output}");
    let told = "warning: agents/warned.md:3:26: `roles` of `list_models` is ignored";
    assert!(errors.contains(told), "{errors}");
}
