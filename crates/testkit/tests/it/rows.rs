//! Rows of tools as files of the workspace.

use reqwest::StatusCode;
use serde_json::{Value, json};
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

const ROW: &str = "tool: update_record\nrequires_approval: false\nroles: [manager]\naudience: { users: [sam@shop.test, nobody@shop.test], roles: [manager] }\nicon: pencil\nbuttonLabel: Change\ntimeout: 4000\napproval: { approverRoles: [manager] }\nevents: { pre: name, post: data }\n";

async fn with(files: &[(&str, &str)]) -> (TestApp, TestClient) {
    let app = TestApp::start().await.unwrap();
    again(app, files).await
}

async fn again(app: TestApp, files: &[(&str, &str)]) -> (TestApp, TestClient) {
    std::fs::create_dir_all(app.dir().join("tools")).unwrap();
    for (path, content) in files {
        std::fs::write(app.dir().join(path), content).unwrap();
    }
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    (app, admin)
}

async fn row(client: &TestClient, tool: &str) -> Value {
    let (status, body) = client.get(&format!("/api/tools/{tool}")).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

/// What a row says, without what a save changes by itself.
fn said(row: &Value) -> Value {
    let keys = [
        "enabled",
        "requiresApproval",
        "composer",
        "roles",
        "audience",
        "settings",
    ];
    keys.into_iter()
        .map(|key| (key.to_owned(), row[key].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[tokio::test]
async fn a_file_says_the_row_of_its_tool_and_the_api_shows_the_same() {
    let (app, admin) = with(&[("tools/changes.yaml", ROW)]).await;
    let said = row(&admin, "update_record").await;
    assert_eq!(said["file"], "tools/changes.yaml");
    assert_eq!(said["requiresApproval"], false, "{said}");
    assert_eq!(said["roles"], json!(["manager"]));
    assert_eq!(said["audience"]["roles"], json!(["manager"]));
    assert_eq!(said["audience"]["users"].as_array().unwrap().len(), 1);
    let settings = &said["settings"];
    assert_eq!(settings["icon"], "pencil");
    assert_eq!(settings["buttonLabel"], "Change");
    assert_eq!(settings["timeoutMs"], 4000);
    assert_eq!(settings["approval"]["approverRoles"], json!(["manager"]));
    assert_eq!(settings["events"], json!({"pre": "name", "post": "data"}));
    // It binds: the role decides who is offered it.
    let sam = app.sales().await.unwrap();
    let (status, _) = sam.get("/api/tools/update_record").await.unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
    // A start without a change makes no further version.
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    assert_eq!(
        row(&admin, "update_record").await["version"],
        said["version"]
    );
}

#[tokio::test]
async fn a_row_from_a_file_is_read_only_until_the_file_goes() {
    let (app, admin) = with(&[("tools/changes.yaml", ROW)]).await;
    let owned = row(&admin, "update_record").await;
    let version = owned["version"].as_i64().unwrap();
    let off = json!({"enabled": false});
    let path = "/api/tools/update_record";
    let (status, body) = admin.patch(path, version, &off).await.unwrap();
    assert_eq!(status, StatusCode::CONFLICT, "{body}");
    assert!(
        text(&body, "/detail").contains("tools/changes.yaml"),
        "{body}"
    );
    // Also to who has not seen yet what the file says.
    let (status, body) = admin.patch(path, version - 1, &off).await.unwrap();
    assert_eq!(status, StatusCode::CONFLICT, "{body}");
    let restore = format!("{path}/versions/1/restore");
    let request = admin.raw(reqwest::Method::POST, &restore);
    let request = request.header("if-match", format!("\"{version}\""));
    assert_eq!(request.send().await.unwrap().status(), StatusCode::CONFLICT);
    std::fs::remove_file(app.dir().join("tools/changes.yaml")).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let released = row(&admin, "update_record").await;
    assert_eq!(released["file"], json!(null));
    assert_eq!(said(&released), said(&owned), "it stays as it was");
    let (status, body) = admin.patch(path, version, &off).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
}

#[tokio::test]
async fn a_key_alone_is_a_file_and_says_that_all_is_as_usual() {
    let (_app, admin) = with(&[]).await;
    let usual = row(&admin, "search_records").await;
    admin
        .switch(
            "search_records",
            &json!({"enabled": false, "composer": true}),
        )
        .await
        .unwrap();
    let (_app, admin) = again(_app, &[("tools/search.yaml", "tool: search_records\n")]).await;
    let now = row(&admin, "search_records").await;
    assert_eq!(said(&now), said(&usual));
}

#[tokio::test]
async fn interrupt_before_is_another_spelling_of_what_asks() {
    let file = "tool: create_record\ninterruptConfig: { interruptBefore: false }\n";
    let (_app, admin) = with(&[("tools/create.yaml", file)]).await;
    assert_eq!(
        row(&admin, "create_record").await["requiresApproval"],
        false
    );
}

#[tokio::test]
async fn functions_of_data_models_have_files_too() {
    let files = [
        ("tools/order.yaml", "model: order\n"),
        (
            "tools/order_create.yaml",
            "tool: order_create\nenabled: false\n",
        ),
    ];
    let (_app, admin) = with(&files).await;
    assert_eq!(row(&admin, "order_create").await["enabled"], false);
    assert_eq!(row(&admin, "order_search").await["enabled"], true);
}

#[tokio::test]
async fn what_is_wrong_with_a_file_of_a_row_is_told_with_its_place() {
    let (app, admin) = with(&[("tools/changes.yaml", ROW)]).await;
    for (file, why, line) in [
        ("tool: no_such_tool\n", "there is no tool `no_such_tool`", 1),
        (
            "tool: read_record\ncolour: red\n",
            "unknown field `colour`",
            2,
        ),
        ("tool: read_record\ntimeout: soon\n", "", 2),
        ("tool: read_record\ntimeout: 0\n", "timeout", 2),
        (
            "tool: delete_record\napproval: { grants: true }\n",
            "destructive",
            1,
        ),
        (
            "roles: [sales]\ntool: read_recrod\n",
            "did you mean `read_record`",
            2,
        ),
        ("tool: update_record\n", "has a file already", 1),
        (
            "tool: read_record\nrequires_approval: true\ninterruptConfig: { interruptBefore: true }\n",
            "give one",
            2,
        ),
    ] {
        let request = admin
            .raw(
                reqwest::Method::PUT,
                "/api/workspace/documents/tools/wrong.yaml",
            )
            .header("if-none-match", "*")
            .json(&json!({"text": file}));
        let response = request.send().await.unwrap();
        assert_eq!(
            response.status(),
            StatusCode::UNPROCESSABLE_ENTITY,
            "{file}"
        );
        let body: Value = response.json().await.unwrap();
        let problem = &body["errors"][0];
        assert!(text(problem, "/message").contains(why), "{file}: {body}");
        assert_eq!(problem["line"], line, "{file}: {body}");
    }
    drop(app);
}

/// What two rows say, with the addresses of users in place of their ids.
async fn both(admin: &TestClient) -> String {
    let rows = [
        row(admin, "update_record").await,
        row(admin, "read_record").await,
    ];
    let mut text = format!("{} {}", said(&rows[0]), said(&rows[1]));
    let (_, people) = admin.get("/api/audit/people").await.unwrap();
    for person in people["items"].as_array().unwrap() {
        let (id, email) = (
            person["id"].as_str().unwrap(),
            person["email"].as_str().unwrap(),
        );
        text = text.replace(id, email);
    }
    text
}

#[tokio::test]
async fn exported_rows_load_to_the_same_rows() {
    let (_app, admin) = with(&[]).await;
    let (_, people) = admin.get("/api/audit/people").await.unwrap();
    let sam = people["items"].as_array().unwrap().iter();
    let sam = sam
        .clone()
        .find(|one| one["email"] == "sam@shop.test")
        .unwrap();
    let settings = json!({"icon": "pencil", "timeoutMs": 900, "buttonLabel": "Söhne: \"A\"",
        "outputSchema": {"type": "object"}, "approval": {"approverRoles": ["manager"], "fourEyes": true, "lifetimeSeconds": 60},
        "events": {"pre": "data", "post": "off"}});
    let change = json!({"enabled": false, "composer": true, "roles": ["manager", "sales"],
        "audience": {"users": [sam["id"]], "roles": ["admin"]}, "settings": settings});
    admin.switch("update_record", &change).await.unwrap();
    admin
        .switch("read_record", &json!({"audience": null}))
        .await
        .unwrap();
    let (status, rows) = admin.get("/api/workspace/rows").await.unwrap();
    assert_eq!(status, StatusCode::OK, "{rows}");
    let rows = rows["items"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{rows:?}");
    let before = both(&admin).await;
    let files: Vec<_> = rows
        .iter()
        .map(|row| (text(row, "/path"), text(row, "/text")))
        .collect();
    // In another folder, where nothing was set.
    let (other, admin) = with(&files).await;
    assert_eq!(before, both(&admin).await);
    let (_, rows) = admin.get("/api/workspace/rows").await.unwrap();
    assert_eq!(rows["items"], json!([]), "files say them now");
    let sam = other.sales().await.unwrap();
    let (status, _) = sam.get("/api/workspace/rows").await.unwrap();
    assert_eq!(status, StatusCode::FORBIDDEN);
}
