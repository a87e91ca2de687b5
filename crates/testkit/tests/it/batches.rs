//! Many records in one call: asked once, with all that would change.

use serde_json::{Value, json};
use toolcrib_testkit::TestApp;

use crate::support::text;

#[tokio::test]
async fn a_batch_is_asked_once_with_before_and_after_of_each_record() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let ids = [1, 2, 3];
    let read = json!({"model": "order", "ids": ids});
    let before = client.call("read_record", &read).await.unwrap();
    let notes: Vec<Value> = before["output"]["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["note"].clone())
        .collect();
    let records: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "values": {"note": format!("note {id}")}}))
        .collect();
    let batch = json!({"model": "order", "records": records});
    let call = client.call("update_record", &batch).await.unwrap();
    let card = &call["approval"]["card"];
    assert_eq!(card["recordCount"], json!(3));
    let changes = card["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 3, "{card}");
    for ((change, id), note) in changes.iter().zip(ids).zip(&notes) {
        let field = &change["fields"][0];
        assert_eq!(text(field, "/field"), "note");
        assert_eq!(&field["before"], note);
        assert_eq!(text(field, "/after"), format!("note {id}"));
    }
    let pending = client.pending().await.unwrap();
    assert_eq!(pending.len(), 1, "one decision for all of it");
    let (_, body) = client.decide(&pending[0], "approve", None).await.unwrap();
    assert_eq!(text(&body, "/call/status"), "succeeded", "{body}");
    assert!(client.pending().await.unwrap().is_empty());
    let after = client.call("read_record", &read).await.unwrap();
    for (record, id) in after["output"]["records"]
        .as_array()
        .unwrap()
        .iter()
        .zip(ids)
    {
        assert_eq!(text(record, "/note"), format!("note {id}"));
    }
}
