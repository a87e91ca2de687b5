//! Files of records, over the API.

use reqwest::Method;
use serde_json::{Value, json};
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

const MODEL: &str = "name: document\nfields:\n  order: { type: many_to_one, model: order }\n  scan: { type: binary }\n  draft: { type: binary }\n";
/// Sales sees the documents of its own orders, without their drafts.
const GRANT: &str = "  - models: document\n    operations: [read]\n    where: { field: order.customer.sales_person, operator: \"=\", value: \"${user.email}\" }\n    read_fields: [order, scan]\n";

async fn app() -> TestApp {
    let app = TestApp::start().await.unwrap();
    std::fs::write(app.dir().join("models/document.yaml"), MODEL).unwrap();
    let path = app.dir().join("permissions/sales.yaml");
    let sales = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{}\n{GRANT}", sales.trim_end())).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    admin.switch("create_record", &ask).await.unwrap();
    app
}

async fn done(client: &TestClient, tool: &str, arguments: Value) -> Value {
    let call = client.call(tool, &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call["output"].clone()
}

async fn order_of(client: &TestClient, operator: &str) -> Value {
    let search = json!({"model": "order", "criteria": {"field": "customer.sales_person", "operator": operator, "value": "sam@shop.test"}, "limit": 1});
    done(client, "search_records", search).await["records"][0]["id"].clone()
}

#[tokio::test]
async fn a_file_is_saved_by_who_may_read_it_and_missing_to_everybody_else() {
    let app = app().await;
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let (own, foreign) = (
        order_of(&manager, "=").await,
        order_of(&manager, "!=").await,
    );
    // A page that would do harm if a browser took it for one.
    let page =
        json!({"name": "ü \"x\"\r.html", "mediaType": "text/html", "base64": "PHNjcmlwdD4="});
    let create = |order: &Value, scan: &Value| json!({"model": "document", "values": {"order": order, "scan": scan, "draft": scan}});
    let call = manager
        .call("create_record", &create(&own, &page))
        .await
        .unwrap();
    assert!(
        text(&call, "/error").contains("a name that no file has"),
        "{call}"
    );
    let page = json!({"name": "ü \"x\".html", "mediaType": "text/html", "base64": "PHNjcmlwdD4="});
    let made = done(&manager, "create_record", create(&own, &page)).await;
    done(&manager, "create_record", create(&foreign, &page)).await;
    let file = made.pointer("/records/0/scan/file").unwrap();
    assert_eq!(file["bytes"], json!(8));
    assert!(!made.to_string().contains("PHNjcmlwdD4"), "{made}");
    let href = text(file, "/href");
    assert_eq!(href, "/api/records/document/1/files/scan");
    let found = sales.send(Method::GET, href, None).await.unwrap();
    assert_eq!(found.status(), 200);
    for (name, value) in [
        ("content-type", "text/html"),
        (
            "content-disposition",
            "attachment; filename*=UTF-8''%C3%BC%20%22x%22.html",
        ),
        ("x-content-type-options", "nosniff"),
        (
            "content-security-policy",
            "sandbox; default-src 'none'; frame-ancestors 'none'",
        ),
        ("cache-control", "private, no-store"),
    ] {
        assert_eq!(found.headers()[name], value, "{name}");
    }
    assert_eq!(found.bytes().await.unwrap(), b"<script>"[..]);
    let (_, missing) = sales
        .get("/api/records/document/999/files/scan")
        .await
        .unwrap();
    for path in [
        "document/2/files/scan",
        "document/1/files/draft",
        "document/1/files/order",
        "document/1/files/scam",
        "document/x/files/scan",
        "documents/1/files/scan",
    ] {
        let (status, told) = sales.get(&format!("/api/records/{path}")).await.unwrap();
        assert_eq!(status, 404, "{path}");
        let mut told = told;
        told["requestId"] = missing["requestId"].clone();
        assert_eq!(told, missing, "{path}");
    }
    let nobody = TestClient::new(app.url(), "");
    let (status, _) = nobody.get(href).await.unwrap();
    assert_eq!(status, 401);
}

#[tokio::test]
async fn a_large_file_goes_through_the_api_and_a_larger_one_is_told_of() {
    let app = app().await;
    let manager = app.manager().await.unwrap();
    let with = |letters: usize| json!({"model": "document", "values": {"scan": {"base64": "A".repeat(letters)}}});
    let made = done(&manager, "create_record", with(12 * 1024 * 1024)).await;
    let href = text(&made, "/records/0/scan/file/href");
    let found = manager.send(Method::GET, href, None).await.unwrap();
    assert_eq!(found.bytes().await.unwrap().len(), 9 * 1024 * 1024);
    let call = manager.call("create_record", &with(14 * 1024 * 1024)).await;
    assert_eq!(
        text(&call.unwrap(), "/error"),
        "/values/scan: is larger than 10485760 bytes, the most that is kept"
    );
}
