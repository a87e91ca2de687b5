use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib_data::records::{self, Access, Grants, Operation, RecordError, WorkspaceFile};

use crate::databases::On;
use crate::support::{World, ids, input};

on_each!(
    what_is_exported_is_readable_and_exportable_by_one_grant,
    exports_can_be_switched_off_for_all,
);

async fn export(world: &World, user: &Access, asked: Value) -> Result<Value, RecordError> {
    let mut snapshot = world.snapshot().await;
    records::export(&mut snapshot, user, &input(asked)).await
}

/// A user with one role, whose grants are these.
async fn with_grants(world: &World, grants: &str) -> Access {
    let mut user = world.access("anna@shop.test", &["exporter"]);
    let file = WorkspaceFile {
        path: "permissions/exporter.yaml".into(),
        text: format!("role: exporter\ngrants:\n{grants}"),
    };
    user.grants = Arc::new(Grants::load(&[file], &user.catalog).unwrap());
    user
}

async fn what_is_exported_is_readable_and_exportable_by_one_grant(on: On) {
    let world = World::small_on(on).await;
    let all = export(&world, &world.manager(), json!({ "model": "order" })).await;
    assert_eq!(ids(&all.unwrap()), [1, 2, 3]);
    // Read by one grant and exported by another: nothing has both.
    let apart =
        "  - { models: order, operations: [read] }\n  - { models: order, operations: [export] }\n";
    let user = with_grants(&world, apart).await;
    let refused = export(&world, &user, json!({ "model": "order" })).await;
    assert_eq!(
        refused.unwrap_err().to_string(),
        "you may not read `order` records"
    );
    let some = "  - { models: \"*\", operations: [read] }\n  - models: order\n    operations: [read, export]\n    where: { field: id, operator: in, value: [1, 3] }\n    read_fields: [number, customer]\n";
    let user = with_grants(&world, some).await;
    assert_eq!(
        ids(&world
            .search(&user, json!({ "model": "order" }))
            .await
            .unwrap()),
        [1, 2, 3]
    );
    let found = export(&world, &user, json!({ "model": "order" }))
        .await
        .unwrap();
    assert_eq!(ids(&found), [1, 3]);
    let record = found["records"][0].as_object().unwrap();
    assert!(
        record.contains_key("number") && !record.contains_key("margin"),
        "{found}"
    );
    // The other record of a relation can be read, and not be exported.
    assert_eq!(record["customer"], json!({ "withheld": true }));
    for asked in [
        json!({ "model": "order", "fields": ["customer.name"] }),
        json!({ "model": "order", "order": [{ "field": "total" }] }),
        json!({ "model": "order", "criteria": { "field": "customer.name", "operator": "=", "value": "x" } }),
    ] {
        let refused = export(&world, &user, asked.clone()).await;
        assert!(refused.is_err(), "{asked}");
    }
}

async fn exports_can_be_switched_off_for_all(on: On) {
    let world = World::small_on(on).await;
    let mut off = world.manager();
    off.denied_operations = BTreeSet::from([Operation::Export]);
    let mut agent = world.manager();
    agent.narrowing.operations = Some(BTreeSet::from([Operation::Read]));
    for user in [off, agent] {
        let refused = export(&world, &user, json!({ "model": "order" })).await;
        assert_eq!(
            refused.unwrap_err().to_string(),
            "you may not export `order` records"
        );
        assert!(
            !world
                .search(&user, json!({ "model": "order" }))
                .await
                .unwrap()["records"]
                .as_array()
                .unwrap()
                .is_empty()
        );
    }
}
