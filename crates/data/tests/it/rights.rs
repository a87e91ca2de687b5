use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolcrib_data::records::{Access, Operation, RecordError, describe_model, list_models};

use crate::databases::On;
use crate::support::{World, ids, input};

on_each!(
    the_two_roles_see_different_records,
    another_persons_record_is_exactly_as_missing,
    a_field_without_right_is_as_if_it_did_not_exist,
    a_withheld_margin_never_shows,
    new_records_must_be_within_the_grant,
    a_lost_operation_or_model_is_a_denial_that_names_both,
    switches_and_narrowing_take_away_and_never_give,
);

pub(crate) fn describe(access: &Access, model: &str) -> Result<Value, RecordError> {
    describe_model(access, &input(json!({ "model": model })))
}

fn names(description: &Value) -> Vec<&str> {
    description["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["name"].as_str().unwrap())
        .collect()
}

async fn the_two_roles_see_different_records(on: On) {
    let world = World::small_on(on).await;
    let (manager, anna) = (world.manager(), world.anna());
    for (model, all, own) in [
        ("customer", vec![1, 2, 3], vec![1, 3]),
        ("order", vec![1, 2, 3], vec![1, 2]),
        ("order_line", vec![1, 2], vec![1]),
        ("product", vec![1, 2], vec![1, 2]),
    ] {
        assert_eq!(
            world.ids(&manager, json!({ "model": model })).await,
            all,
            "{model}"
        );
        let answer = world
            .search(&anna, json!({ "model": model }))
            .await
            .unwrap();
        assert_eq!(ids(&answer), own, "{model}");
        assert_eq!(answer["total"], json!(own.len()), "{model}");
    }
}

async fn another_persons_record_is_exactly_as_missing(on: On) {
    let world = World::small_on(on).await;
    let anna = world.anna();
    let answer = world
        .read(
            &anna,
            json!({ "model": "order", "ids": [1, 3, 999], "fields": ["number"] }),
        )
        .await
        .unwrap();
    assert_eq!(
        answer,
        json!({ "model": "order", "records": [{ "id": 1, "number": "SO-1" }], "missing": [3, 999] })
    );
    let told = async |id: i64| {
        let values = json!({ "note": "x" });
        world
            .update(
                &anna,
                json!({ "model": "order", "id": id, "values": values }),
            )
            .await
            .unwrap_err()
            .to_string()
    };
    assert_eq!(told(3).await, "no record found");
    assert_eq!(told(3).await, told(999).await);
    let batch = json!({ "model": "order", "records": [{ "id": 1, "values": { "note": "x" } }, { "id": 3, "values": { "note": "x" } }] });
    let error = world.update(&anna, batch).await.unwrap_err();
    assert!(
        matches!(error, RecordError::NotFound { index: Some(1) }),
        "{error:?}"
    );
    let note = world
        .read(
            &anna,
            json!({ "model": "order", "id": 1, "fields": ["note"] }),
        )
        .await
        .unwrap();
    assert_eq!(
        note["records"][0]["note"],
        Value::Null,
        "a batch is all or nothing"
    );
}

async fn a_field_without_right_is_as_if_it_did_not_exist(on: On) {
    let world = World::small_on(on).await;
    let anna = world.anna();
    let described = describe(&anna, "order").unwrap();
    assert!(!names(&described).contains(&"margin"));
    assert!(names(&describe(&world.manager(), "order").unwrap()).contains(&"margin"));
    let search = |part: Value| {
        let mut search = json!({ "model": "order" });
        search
            .as_object_mut()
            .unwrap()
            .extend(part.as_object().unwrap().clone());
        search
    };
    for (name, part) in [
        ("fields", json!({ "fields": ["margin"] })),
        (
            "criteria",
            json!({ "criteria": { "field": "margin", "operator": ">", "value": "1" } }),
        ),
        ("order", json!({ "order": [{ "field": "margin" }] })),
    ] {
        let told = world.search_error(&anna, search(part)).await;
        assert!(told.contains("unknown field `margin`"), "{name}: {told}");
        let hints = told.replacen("unknown field `margin`", "", 1);
        assert!(
            !hints.contains("margin"),
            "a hint names what can't be read: {told}"
        );
    }
    for path in ["product.cost", "order.margin"] {
        let told = world
            .search_error(&anna, json!({ "model": "order_line", "fields": [path] }))
            .await;
        assert!(told.contains("unknown field"), "{told}");
    }
}

async fn a_withheld_margin_never_shows(on: On) {
    let world = World::small_on(on).await;
    let anna = world.anna();
    for model in ["customer", "order", "order_line", "product", "invoice"] {
        let text = world
            .search(&anna, json!({ "model": model }))
            .await
            .unwrap()
            .to_string();
        for canary in ["77.77", "7777", "margin", "cost", "\"6.00\""] {
            assert!(!text.contains(canary), "{canary} in {text}");
        }
    }
    let told = world
        .update(
            &anna,
            json!({ "model": "order", "id": 1, "values": { "margin": "1.00" } }),
        )
        .await
        .unwrap_err();
    assert!(
        told.to_string().contains("unknown field `margin`"),
        "{told}"
    );
}

const TWO_GRANTS: &[(&str, &str)] = &[
    (
        "models/team.yaml",
        "name: team\ndisplay: name\nfields:\n  name: { type: string }\n  owner: { type: string }\n  secret: { type: integer }\n",
    ),
    (
        "models/task.yaml",
        "name: task\ndisplay: name\nfields:\n  name: { type: string }\n  owner: { type: string }\n  secret: { type: integer }\n  team: { type: many_to_one, model: team }\n",
    ),
    (
        "permissions/boss.yaml",
        "role: boss\ngrants:\n  - { models: '*', operations: '*' }\n",
    ),
    (
        "permissions/member.yaml",
        "role: member\ngrants:\n\
         \x20 - { models: '*', operations: [read, update], read_fields: { except: [secret, owner] }, write_fields: [name], where: { field: name, operator: notLike, value: 'hidden%' } }\n\
         \x20 - { models: '*', operations: [read, update, delete], where: { field: owner, operator: '=', value: '${user.email}' } }\n",
    ),
];

/// Tasks 1 and 2 are seen with their names alone, 3 is the member's own, 4 is hidden.
async fn two_grants() -> World {
    let world = World::with(TWO_GRANTS).await;
    let boss = world.access("boss@x", &["boss"]);
    world.create(&boss, json!({ "model": "team", "records": [
        { "name": "red", "owner": "x@x", "secret": 5 }, { "name": "hidden", "owner": "x@x", "secret": 6 },
    ] })).await;
    world
        .create(
            &boss,
            json!({ "model": "task", "records": [
        { "name": "a", "owner": "x@x", "secret": 30, "team": 1 },
        { "name": "b", "owner": "x@x", "secret": 10, "team": 2 },
        { "name": "c", "owner": "me@x", "secret": 20, "team": 2 },
        { "name": "hidden", "owner": "x@x", "secret": 99 },
    ] }),
        )
        .await;
    world
}

#[tokio::test]
async fn a_field_shows_only_where_one_grant_has_both() {
    let world = two_grants().await;
    let me = world.access("me@x", &["member"]);
    let answer = world
        .search(
            &me,
            json!({ "model": "task", "fields": ["name", "secret"] }),
        )
        .await
        .unwrap();
    assert_eq!(
        answer["records"],
        json!([{ "id": 1, "name": "a", "secret": null }, { "id": 2, "name": "b", "secret": null }, { "id": 3, "name": "c", "secret": 20 }])
    );
    let found = |operator: &str, value: i64| json!({ "model": "task", "criteria": { "field": "secret", "operator": operator, "value": value } });
    assert_eq!(world.ids(&me, found(">", 0)).await, [3]);
    assert_eq!(world.ids(&me, found("!=", 20)).await, [] as [i64; 0]);
    for direction in ["asc", "desc"] {
        let order =
            json!({ "model": "task", "order": [{ "field": "secret", "direction": direction }] });
        assert_eq!(
            world.ids(&me, order).await,
            [3, 1, 2],
            "what is withheld sorts like nothing"
        );
    }
    assert_eq!(
        world
            .ids(
                &me,
                json!({ "model": "task", "order": [{ "field": "team.secret" }] })
            )
            .await,
        [1, 2, 3]
    );
    let team =
        json!({ "model": "task", "criteria": { "field": "team.secret", "operator": "isNotNull" } });
    assert_eq!(world.ids(&me, team).await, [] as [i64; 0]);
}

#[tokio::test]
async fn a_relation_to_an_unreadable_record_is_withheld_and_null() {
    let world = two_grants().await;
    let me = world.access("me@x", &["member"]);
    let answer = world
        .search(
            &me,
            json!({ "model": "task", "fields": ["team", "team.name"] }),
        )
        .await
        .unwrap();
    assert_eq!(
        answer["records"],
        json!([
            { "id": 1, "team": { "id": 1, "display": "red" }, "team.name": "red" },
            { "id": 2, "team": { "withheld": true }, "team.name": null },
            { "id": 3, "team": { "withheld": true }, "team.name": null },
        ])
    );
    let by = |criteria: Value| json!({ "model": "task", "criteria": criteria });
    assert_eq!(
        world
            .ids(
                &me,
                by(json!({ "field": "team", "operator": "=", "value": 2 }))
            )
            .await,
        [] as [i64; 0]
    );
    assert_eq!(
        world
            .ids(&me, by(json!({ "field": "team", "operator": "isNull" })))
            .await,
        [2, 3]
    );
    assert_eq!(
        world
            .ids(
                &me,
                by(json!({ "field": "team.id", "operator": "!=", "value": 1 }))
            )
            .await,
        [] as [i64; 0]
    );
    assert_eq!(
        world
            .ids(
                &me,
                json!({ "model": "task", "order": [{ "field": "team", "direction": "desc" }] })
            )
            .await,
        [1, 2, 3]
    );
    let set = world
        .update(
            &me,
            json!({ "model": "task", "id": 3, "values": { "team": 2 } }),
        )
        .await
        .unwrap_err();
    let unknown = world
        .update(
            &me,
            json!({ "model": "task", "id": 3, "values": { "team": 77 } }),
        )
        .await
        .unwrap_err();
    assert_eq!(
        set.to_string().replace('2', "N"),
        unknown.to_string().replace("77", "N")
    );
}

#[tokio::test]
async fn an_update_needs_one_grant_for_the_record_its_new_values_and_the_fields() {
    let world = two_grants().await;
    let me = world.access("me@x", &["member"]);
    let set = |id: i64, values: Value| json!({ "model": "task", "id": id, "values": values });
    world
        .update(&me, set(1, json!({ "name": "aa" })))
        .await
        .unwrap();
    // The grant with the field is not about the record, the one about the record has not the field.
    let error = world
        .update(&me, set(1, json!({ "secret": 1 })))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "you may not update `secret` of task aa");
    // Out of the first grant, and the second was not about it before.
    let error = world
        .update(&me, set(1, json!({ "name": "hidden too" })))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            RecordError::ValuesDenied {
                operation: Operation::Update,
                ..
            }
        ),
        "{error:?}"
    );
    // My own may become hidden, but not somebody else's, unless it stays within the first grant.
    world
        .update(&me, set(3, json!({ "name": "hidden mine" })))
        .await
        .unwrap();
    let error = world
        .update(&me, set(3, json!({ "owner": "x@x" })))
        .await
        .unwrap_err();
    assert!(
        matches!(error, RecordError::ValuesDenied { .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_record_that_shows_but_may_not_be_deleted_is_named_and_none_goes() {
    let world = two_grants().await;
    let me = world.access("me@x", &["member"]);
    let error = world
        .delete(&me, json!({ "model": "task", "ids": [3, 1] }))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "item 1: you may not delete task a");
    assert_eq!(world.ids(&me, json!({ "model": "task" })).await, [1, 2, 3]);
    let answer = world
        .delete(&me, json!({ "model": "task", "ids": [3, 4, 55] }))
        .await
        .unwrap();
    assert_eq!(
        answer,
        json!({ "model": "task", "deleted": [3], "missing": [4, 55] })
    );
}

async fn new_records_must_be_within_the_grant(on: On) {
    let world = World::small_on(on).await;
    let anna = world.anna();
    let order = |number: &str, customer: i64| json!({ "number": number, "customer": customer });
    let error = world
        .try_create(
            &anna,
            json!({ "model": "order", "values": order("SO-9", 2) }),
        )
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("there is no `customer` record 2"),
        "{error}"
    );
    let made = world
        .create(
            &anna,
            json!({ "model": "order", "records": [order("SO-9", 1), order("SO-10", 3)] }),
        )
        .await;
    assert_eq!(made["records"][0]["status"], "draft");
    assert_eq!(made["records"][0]["ordered_on"], "2026-03-15");
    assert!(made["records"][0].get("margin").is_none());
    let orphan = json!({ "model": "order", "id": 1, "values": { "customer": null } });
    assert!(
        world
            .update(&anna, orphan)
            .await
            .unwrap_err()
            .to_string()
            .contains("is required")
    );
}

async fn a_lost_operation_or_model_is_a_denial_that_names_both(on: On) {
    let world = World::small_on(on).await;
    let anna = world.anna();
    let error = world
        .delete(&anna, json!({ "model": "order", "id": 1 }))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "you may not delete `order` records");
    let nobody = world.access("nobody@x", &["visitor"]);
    let told = async |model: &str| world.search_error(&nobody, json!({ "model": model })).await;
    assert_eq!(told("order").await, "you may not read `order` records");
    assert_eq!(told("ordre").await, "unknown model `ordre`");
    assert_eq!(list_models(&nobody), json!({ "models": [] }));
    assert!(matches!(
        describe(&nobody, "order"),
        Err(RecordError::Denied { .. })
    ));
    assert_eq!(
        world.search_error(&anna, json!({ "model": "ordr" })).await,
        "unknown model `ordr`, did you mean `order` or `order_line`?"
    );
}

async fn switches_and_narrowing_take_away_and_never_give(on: On) {
    let world = World::small_on(on).await;
    let mut off = world.manager();
    off.denied_operations = BTreeSet::from([Operation::Delete]);
    let error = world
        .delete(&off, json!({ "model": "order", "id": 1 }))
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            RecordError::Denied {
                operation: Operation::Delete,
                ..
            }
        ),
        "{error:?}"
    );
    let mut narrow = world.manager();
    narrow.narrowing.models = Some(BTreeSet::from(["order".to_owned()]));
    narrow.narrowing.operations = Some(BTreeSet::from([Operation::Read]));
    assert!(
        world
            .search_error(&narrow, json!({ "model": "customer" }))
            .await
            .starts_with("you may not read")
    );
    let error = world
        .update(
            &narrow,
            json!({ "model": "order", "id": 1, "values": { "note": "x" } }),
        )
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            RecordError::Denied {
                operation: Operation::Update,
                ..
            }
        ),
        "{error:?}"
    );
    let seen = world
        .read(
            &narrow,
            json!({ "model": "order", "id": 1, "fields": ["customer"] }),
        )
        .await
        .unwrap();
    assert_eq!(seen["records"][0]["customer"], json!({ "withheld": true }));
    assert_eq!(
        list_models(&narrow)["models"][0]["operations"],
        json!(["read"])
    );
}
