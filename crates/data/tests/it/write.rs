use serde_json::{Value, json};
use toolcrib_data::records::RecordError;

use crate::databases::On;
use crate::support::World;

on_each!(
    a_create_answers_with_the_values_as_saved,
    an_update_answers_with_before_and_after,
    a_version_that_was_overtaken_is_a_conflict,
    a_taken_value_is_told_the_same_whoever_has_it,
    what_is_in_use_stays,
    ids_are_never_used_twice,
    every_type_is_read_as_it_was_written,
    a_cycle_of_records_can_be_made_and_deleted_whole,
    the_futures_can_be_sent,
);

async fn a_create_answers_with_the_values_as_saved(on: On) {
    let world = World::small_on(on).await;
    let made = world
        .create(&world.manager(), json!({ "model": "product", "values": { "sku": "P-3", "name": "Saw", "category": "tools", "price": 12.5 } }))
        .await;
    assert_eq!(
        made,
        json!({ "model": "product", "records": [{
            "id": 3, "sku": "P-3", "name": "Saw", "category": "tools", "price": "12.50", "cost": null, "stock": 0, "version": 1,
        }] })
    );
}

async fn an_update_answers_with_before_and_after(on: On) {
    let world = World::small_on(on).await;
    let answer = world
        .update(&world.anna(), json!({ "model": "order", "id": "1", "version": 1, "values": { "status": "confirmed", "customer": 3, "note": "a  b" } }))
        .await
        .unwrap();
    assert_eq!(
        answer,
        json!({ "model": "order", "records": [{ "id": 1, "version": 2, "changes": [
            { "field": "status", "before": "draft", "after": "confirmed" },
            { "field": "customer", "before": { "id": 1, "display": "Ada" }, "after": { "id": 3, "display": "Aldo" } },
            { "field": "note", "before": null, "after": "a  b" },
        ] }] })
    );
}

async fn a_version_that_was_overtaken_is_a_conflict(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let set = |version: i64| {
        json!({ "model": "order", "records": [
        { "id": 2, "values": { "note": "n" } }, { "id": 1, "version": version, "values": { "note": "n" } },
    ] })
    };
    world.update(&manager, set(1)).await.unwrap();
    let error = world.update(&manager, set(1)).await.unwrap_err();
    assert!(
        matches!(error, RecordError::VersionConflict { index: Some(1) }),
        "{error:?}"
    );
}

async fn a_taken_value_is_told_the_same_whoever_has_it(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let email = |email: &str| json!({ "model": "customer", "id": 1, "values": { "email": email } });
    // Bob is not Anna's to see.
    let hidden = world
        .update(&world.anna(), email("bob@x.example"))
        .await
        .unwrap_err();
    let seen = world
        .update(&world.anna(), email("aldo@x.example"))
        .await
        .unwrap_err();
    assert_eq!(
        hidden.to_string(),
        "`email` 'bob@x.example' can't be used; choose another"
    );
    assert_eq!(hidden.to_string().replace("bob", "aldo"), seen.to_string());
    let customer = |email: &str| json!({ "name": "N", "email": email, "country": "de" });
    let error = world
        .try_create(&manager, json!({ "model": "customer", "records": [customer("n@x.example"), customer("n@x.example")] }))
        .await
        .unwrap_err();
    assert!(
        matches!(error, RecordError::Constraint { index: Some(1), .. }),
        "{error:?}"
    );
    assert_eq!(
        world.ids(&manager, json!({ "model": "customer" })).await,
        [1, 2, 3],
        "all or nothing"
    );
}

async fn what_is_in_use_stays(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let error = world
        .delete(&manager, json!({ "model": "customer", "ids": [3, 2] }))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "item 1: customer Bob can't be deleted: it is still in use"
    );
    let answer = world
        .delete(&manager, json!({ "model": "customer", "id": 3 }))
        .await
        .unwrap();
    assert_eq!(
        answer,
        json!({ "model": "customer", "deleted": [3], "missing": [] })
    );
}

async fn ids_are_never_used_twice(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    world
        .delete(&manager, json!({ "model": "customer", "id": 3 }))
        .await
        .unwrap();
    let made = world.create(&manager, json!({ "model": "customer", "values": { "name": "N", "email": "n@x.example", "country": "de" } })).await;
    assert_eq!(made["records"][0]["id"], 4);
}

const TREE: &[(&str, &str)] = &[
    (
        "models/node.yaml",
        "name: node\ndisplay: name\nfields:\n  name: { type: string }\n  parent: { type: many_to_one, model: node }\n  at: { type: datetime }\n  tags: { type: multi_selection, options: [a, b, c] }\n  data: { type: json }\n  big: { type: decimal, precision: 30, scale: 4 }\n  ratio: { type: float }\n  key: { type: uuid }\n  time: { type: time }\n",
    ),
    (
        "permissions/r.yaml",
        "role: r\ngrants:\n  - { models: '*', operations: '*' }\n",
    ),
];

async fn every_type_is_read_as_it_was_written(on: On) {
    let world = World::on(on, TREE).await;
    let user = world.access("u@x", &["r"]);
    let values = json!({
        "name": "'; DROP TABLE d_acme_node; --", "parent": null, "at": "2026-01-31T14:30:00.25Z", "tags": ["a", "c"],
        "data": { "id": 1, "deep": [true, null, 1.5] }, "big": "12345678901234567890.5000", "ratio": 0.1,
        "key": "0192f0c1-2345-7abc-8def-0123456789ab", "time": "14:30:00",
    });
    let made = world
        .create(&user, json!({ "model": "node", "values": values }))
        .await;
    let mut expected = values.as_object().unwrap().clone();
    expected.shift_insert(0, "id".to_owned(), json!(1));
    assert_eq!(made["records"][0], Value::Object(expected));
    let find = |field: &str, operator: &str, value: Value| json!({ "model": "node", "criteria": { "field": field, "operator": operator, "value": value } });
    assert_eq!(
        world.ids(&user, find("tags", "contains", json!("c"))).await,
        [1]
    );
    assert_eq!(
        world.ids(&user, find("tags", "contains", json!("b"))).await,
        [] as [i64; 0]
    );
    assert_eq!(
        world
            .ids(&user, find("big", "=", json!("12345678901234567890.5")))
            .await,
        [1]
    );
    assert_eq!(world.ids(&user, find("at", "<", json!("now"))).await, [1]);
    assert_eq!(
        world
            .ids(
                &user,
                find("name", "=", json!("'; DROP TABLE d_acme_node; --"))
            )
            .await,
        [1]
    );
    let told = world
        .search_error(&user, find("big", ">", json!("1")))
        .await;
    assert!(told.contains("more than 18 digits"), "{told}");
}

async fn a_cycle_of_records_can_be_made_and_deleted_whole(on: On) {
    let world = World::on(on, TREE).await;
    let user = world.access("u@x", &["r"]);
    world.create(&user, json!({ "model": "node", "records": [{ "name": "x" }, { "name": "y", "parent": null }] })).await;
    world.update(&user, json!({ "model": "node", "records": [{ "id": 1, "values": { "parent": 2 } }, { "id": 2, "values": { "parent": 1 } }] })).await.unwrap();
    let seen = world
        .read(
            &user,
            json!({ "model": "node", "id": 1, "fields": ["parent.parent.parent.name"] }),
        )
        .await
        .unwrap();
    assert_eq!(seen["records"][0]["parent.parent.parent.name"], "y");
    assert!(
        world
            .delete(&user, json!({ "model": "node", "id": 1 }))
            .await
            .unwrap_err()
            .to_string()
            .contains("still in use")
    );
    let whole = json!({ "model": "node", "ids": [1, 2] });
    let gone = world.delete(&user, whole).await;
    if on == On::Mysql {
        // It looks at each row of a statement for itself, whatever else goes with it.
        assert!(gone.unwrap_err().to_string().contains("still in use"));
    } else {
        gone.unwrap();
    }
}

/// The counter spawns what it runs.
async fn the_futures_can_be_sent(on: On) {
    fn send<T: Send>(value: T) -> T {
        value
    }
    let world = World::small_on(on).await;
    let access = world.manager();
    let mut unit = world.unit().await;
    let create = crate::support::input(
        json!({ "model": "order", "values": { "number": "SO-77", "customer": 1 } }),
    );
    send(toolcrib_data::records::create(&mut unit, &access, &create))
        .await
        .unwrap();
    let update =
        crate::support::input(json!({ "model": "order", "id": 1, "values": { "note": "x" } }));
    send(toolcrib_data::records::update(&mut unit, &access, &update))
        .await
        .unwrap();
    let delete = crate::support::input(json!({ "model": "invoice", "id": 1 }));
    send(toolcrib_data::records::delete(&mut unit, &access, &delete))
        .await
        .unwrap();
    let search = crate::support::input(json!({ "model": "order" }));
    let found = send(toolcrib_data::records::search(&mut unit, &access, &search))
        .await
        .unwrap();
    assert_eq!(found["total"], 4, "a unit sees its own writes");
    let write = toolcrib_data::records::Write::Delete(&delete);
    send(toolcrib_data::records::plan(&mut unit, &access, write))
        .await
        .unwrap();
}
