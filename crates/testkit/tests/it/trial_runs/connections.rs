//! A trial whose calls write to other databases as well.

use serde_json::json;
use toolcrib_data::{ConnectionConfig, Connections, testing};
use toolcrib_testkit::{TestApp, TestAppOptions, TestClient, postgres};

use super::{calls, done, read, script, statuses, tried, update};
use crate::support::text;

const CONNECTION: &str = "crm";

/// The sample shop with leads and visits in another database, which makes their ids itself.
async fn shop() -> (TestApp, TestClient) {
    let config = ConnectionConfig::new(CONNECTION, postgres().await.unwrap());
    let options = TestAppOptions {
        connections: Connections::new([config]).unwrap(),
        ..TestAppOptions::default()
    };
    for sql in [
        "CREATE TABLE leads (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text)",
        "CREATE TABLE visits (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), lead bigint REFERENCES leads)",
    ] {
        testing::run_on(&options.connections, CONNECTION, sql)
            .await
            .unwrap();
    }
    let app = TestApp::start_with(options).await.unwrap();
    let lead = "name: lead\nconnection: crm\ntable: leads\nid: { column: id, type: integer }\nfields:\n  name: { type: string }\n";
    let visit = "name: visit\nconnection: crm\ntable: visits\nid: { column: id, type: uuid }\nfields:\n  lead: { type: many_to_one, model: lead }\n";
    std::fs::write(app.dir().join("models/lead.yaml"), lead).unwrap();
    std::fs::write(app.dir().join("models/visit.yaml"), visit).unwrap();
    let app = app.restart().await.unwrap();
    let client = app.manager().await.unwrap();
    (app, client)
}

#[tokio::test]
async fn what_was_written_to_each_database_is_seen_there() {
    let (app, client) = shop().await;
    let all = |model: &str| ("search_records", json!({"model": model}));
    script(
        &app,
        &[
            (
                "create_record",
                json!({"model": "lead", "values": {"name": "Ada"}}),
            ),
            update("order", 1, &json!({"note": "for Ada"})),
            (
                "create_record",
                json!({"model": "visit", "values": {"lead": 1}}),
            ),
            update("lead", 1, &json!({"name": "Ada L."})),
            all("lead"),
            all("visit"),
            read("order", 1),
        ],
    );
    let run = tried(&client).await;
    assert_eq!(statuses(&run), ["succeeded"; 7], "{run}");
    let [lead, _, visit, _, leads, visits, order] = calls(&run) else {
        panic!("{run}")
    };
    assert_eq!(
        lead.pointer("/output/records/0/id"),
        Some(&json!(1)),
        "{lead}"
    );
    assert_eq!(
        leads.pointer("/output/records"),
        Some(&json!([{"id": 1, "name": "Ada L."}]))
    );
    let made = text(visit, "/output/records/0/id");
    assert_eq!(text(visits, "/output/records/0/id"), made, "{visits}");
    assert_eq!(
        text(visits, "/output/records/0/lead/display"),
        "lead 1",
        "{visits}"
    );
    assert_eq!(text(order, "/output/records/0/note"), "for Ada");
    for model in ["lead", "visit"] {
        assert_eq!(
            done(&client, all(model)).await["records"],
            json!([]),
            "{model}"
        );
    }
    let order = done(&client, read("order", 1)).await;
    assert_ne!(text(&order, "/records/0/note"), "for Ada");
}
