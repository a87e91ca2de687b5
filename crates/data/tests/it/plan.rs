use serde_json::{Value, json};
use toolcrib_data::records::{
    Access, CreateInput, DeleteInput, FieldChange, Plan, PlanField, PlanRecord, RecordError,
    TitleOf, UpdateInput, Write, check_unchanged, plan, title,
};

use crate::databases::On;
use crate::support::{World, input};

on_each!(
    an_update_is_planned_with_before_and_after_and_nothing_is_written,
    creates_and_deletes_are_planned,
    a_plan_refuses_what_the_write_would,
    a_change_in_between_is_told,
    a_delete_whose_records_went_away_is_stale,
    titles_come_from_the_input_alone,
    a_plan_sees_that_a_batch_stands_against_itself,
);

async fn planned(world: &World, access: &Access, write: Write<'_>) -> Result<Plan, RecordError> {
    plan(&mut world.snapshot().await, access, write).await
}

fn update(value: Value) -> UpdateInput {
    input(value)
}

fn change(field: &str, label: &str, before: Option<&str>, after: Option<&str>) -> FieldChange {
    FieldChange {
        field: field.into(),
        label: label.into(),
        before: before.map(Into::into),
        after: after.map(Into::into),
    }
}

async fn an_update_is_planned_with_before_and_after_and_nothing_is_written(on: On) {
    let world = World::small_on(on).await;
    let anna = world.anna();
    let input = update(
        json!({ "model": "order", "id": 1, "values": { "status": "shipped", "shipped_on": "2026-03-15", "customer": 3, "note": null } }),
    );
    let plan = planned(&world, &anna, Write::Update(&input)).await.unwrap();
    assert_eq!(
        (
            plan.title.as_str(),
            plan.verb.as_str(),
            plan.summary.as_str()
        ),
        ("Update order SO-1", "Update order", "Touches 1 order.")
    );
    assert_eq!(
        plan.records,
        [PlanRecord {
            id: "1".into(),
            display: "SO-1".into()
        }]
    );
    assert_eq!(
        plan.changes[0].fields,
        [
            change("status", "Status", Some("draft"), Some("shipped")),
            change("shipped_on", "Shipped on", None, Some("2026-03-15")),
            change("customer", "Customer", Some("Ada"), Some("Aldo")),
            change("note", "Note", None, None),
        ]
    );
    assert_eq!(
        plan.fields[3],
        PlanField {
            label: "Note".into(),
            value: "(empty)".into()
        }
    );
    let read = world
        .read(
            &anna,
            json!({ "model": "order", "id": 1, "fields": ["status"] }),
        )
        .await
        .unwrap();
    assert_eq!(read["records"][0]["status"], "draft");
}

async fn creates_and_deletes_are_planned(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let one: CreateInput = input(
        json!({ "model": "customer", "values": { "name": "Ada Ltd", "email": "a@y.example", "country": "de" } }),
    );
    let plan = planned(&world, &manager, Write::Create(&one))
        .await
        .unwrap();
    assert_eq!(
        (
            plan.title.as_str(),
            plan.summary.as_str(),
            plan.record_count
        ),
        ("Create customer Ada Ltd", "Creates 1 customer.", 1)
    );
    assert_eq!(
        plan.fields[0],
        PlanField {
            label: "Name".into(),
            value: "Ada Ltd".into()
        }
    );
    assert!(plan.records.is_empty());
    let lines: DeleteInput = input(json!({ "model": "order_line", "ids": [1, 2, 50] }));
    let plan = planned(&world, &manager, Write::Delete(&lines))
        .await
        .unwrap();
    assert_eq!(plan.title, "Delete 2 order lines");
    assert_eq!(
        plan.summary,
        "Deletes 2 order lines. 1 id matches no record."
    );
    assert_eq!(plan.records[1].display, "order line 2");
}

async fn a_plan_refuses_what_the_write_would(on: On) {
    let world = World::small_on(on).await;
    let (manager, anna) = (world.manager(), world.anna());
    for (access, value) in [
        (
            &anna,
            json!({ "model": "order", "id": 3, "values": { "note": "x" } }),
        ),
        (
            &anna,
            json!({ "model": "order", "id": 1, "values": { "customer": 2 } }),
        ),
        (
            &anna,
            json!({ "model": "order", "id": 1, "values": { "total": "1" } }),
        ),
        (
            &manager,
            json!({ "model": "order", "id": 1, "values": { "number": "SO-2" } }),
        ),
        (
            &manager,
            json!({ "model": "order", "id": 1, "version": 9, "values": { "note": "x" } }),
        ),
        (
            &manager,
            json!({ "model": "order", "id": 1, "values": { "status": "x" } }),
        ),
    ] {
        let input = update(value.clone());
        let planned = planned(&world, access, Write::Update(&input))
            .await
            .unwrap_err();
        let written = world.update(access, value).await.unwrap_err();
        assert_eq!(planned.to_string(), written.to_string());
    }
    let used: DeleteInput = input(json!({ "model": "customer", "id": 1 }));
    let error = planned(&world, &manager, Write::Delete(&used))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("still in use"), "{error}");
}

async fn a_change_in_between_is_told(on: On) {
    let world = World::small_on(on).await;
    let (manager, anna) = (world.manager(), world.anna());
    let note = update(
        json!({ "model": "order", "records": [{ "id": 1, "values": { "note": "x" } }, { "id": 2, "values": { "note": "y" } }] }),
    );
    let write = Write::Update(&note);
    let before = planned(&world, &anna, write).await.unwrap().fingerprint;
    assert_eq!(
        before,
        planned(&world, &anna, write).await.unwrap().fingerprint
    );
    let check = async || {
        let mut unit = world.unit().await;
        check_unchanged(&mut unit, &anna, write, &before).await
    };
    check().await.unwrap();
    let seen = planned(&world, &manager, write).await.unwrap().fingerprint;
    assert_ne!(seen, before, "the manager reads more");
    world
        .update(
            &manager,
            json!({ "model": "order", "id": 2, "values": { "status": "delivered" } }),
        )
        .await
        .unwrap();
    assert_eq!(
        check().await.unwrap_err().to_string(),
        "not done, because something has changed since it was approved: SO-2 has been changed"
    );
    world
        .update(
            &manager,
            json!({ "model": "order", "id": 1, "values": { "customer": 2 } }),
        )
        .await
        .unwrap();
    let error = check().await.unwrap_err();
    assert!(
        matches!(&error, RecordError::Stale { changes } if changes.contains("can no longer be found")),
        "{error:?}"
    );
}

async fn a_delete_whose_records_went_away_is_stale(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let lines: DeleteInput = input(json!({ "model": "order_line", "ids": [1, 2] }));
    let before = planned(&world, &manager, Write::Delete(&lines))
        .await
        .unwrap()
        .fingerprint;
    world
        .delete(&manager, json!({ "model": "order_line", "id": 1 }))
        .await
        .unwrap();
    let mut unit = world.unit().await;
    let error = check_unchanged(&mut unit, &manager, Write::Delete(&lines), &before)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("record 1 can no longer be found"),
        "{error}"
    );
}

async fn titles_come_from_the_input_alone(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let search = input(json!({ "model": "order" }));
    let one = input(json!({ "model": "order", "id": 42 }));
    let three = input(json!({ "model": "order", "ids": [1, 2, 3] }));
    let set = update(json!({ "model": "order", "id": "42", "values": {} }));
    let gone: DeleteInput = input(json!({ "model": "product", "ids": [1, 2] }));
    let new: CreateInput = input(json!({ "model": "customer", "values": {} }));
    assert_eq!(title(&manager, TitleOf::Search(&search)), "Search orders");
    assert_eq!(title(&manager, TitleOf::Read(&one)), "Read order 42");
    assert_eq!(title(&manager, TitleOf::Read(&three)), "Read 3 orders");
    assert_eq!(title(&manager, TitleOf::Update(&set)), "Update order 42");
    assert_eq!(title(&manager, TitleOf::Delete(&gone)), "Delete 2 products");
    assert_eq!(title(&manager, TitleOf::Create(&new)), "Create customer");
    let nobody = world.access("x@x", &[]);
    assert_eq!(
        title(&nobody, TitleOf::Search(&search)),
        "Search order records"
    );
}

async fn a_plan_sees_that_a_batch_stands_against_itself(on: On) {
    let world = World::small_on(on).await;
    let customer = |email: &str| json!({ "name": "N", "email": email, "country": "de" });
    let twice: CreateInput = input(
        json!({ "model": "customer", "records": [customer("n@x.example"), customer("n@x.example")] }),
    );
    let error = planned(&world, &world.manager(), Write::Create(&twice))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "item 1: `email` 'n@x.example' can't be used; choose another"
    );
}
