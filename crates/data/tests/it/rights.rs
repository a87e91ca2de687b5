use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolcrib_data::records::{Access, Operation, RecordError, describe_model, list_models};

use crate::support::{World, ids, input};

fn describe(access: &Access, model: &str) -> Result<Value, RecordError> {
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

#[tokio::test]
async fn the_two_roles_see_different_records() {
    let world = World::small().await;
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

#[tokio::test]
async fn another_persons_record_is_exactly_as_missing() {
    let world = World::small().await;
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

#[tokio::test]
async fn a_field_without_right_is_as_if_it_did_not_exist() {
    let world = World::small().await;
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

#[tokio::test]
async fn a_withheld_margin_never_shows() {
    let world = World::small().await;
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

#[tokio::test]
async fn new_records_must_be_within_the_grant() {
    let world = World::small().await;
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

#[tokio::test]
async fn a_lost_operation_is_denied_by_name_and_a_lost_model_is_unknown() {
    let world = World::small().await;
    let anna = world.anna();
    let error = world
        .delete(&anna, json!({ "model": "order", "id": 1 }))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "you may not delete `order` records");
    let nobody = world.access("nobody@x", &["visitor"]);
    let told = async |model: &str| world.search_error(&nobody, json!({ "model": model })).await;
    assert_eq!(told("order").await, "unknown model `order`");
    assert_eq!(told("ordre").await, "unknown model `ordre`");
    assert_eq!(list_models(&nobody), json!({ "models": [] }));
    assert!(matches!(
        describe(&nobody, "order"),
        Err(RecordError::UnknownModel { .. })
    ));
    assert_eq!(
        world.search_error(&anna, json!({ "model": "ordr" })).await,
        "unknown model `ordr`, did you mean `order` or `order_line`?"
    );
}

#[tokio::test]
async fn switches_and_narrowing_take_away_and_never_give() {
    let world = World::small().await;
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
            .starts_with("unknown model")
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

#[tokio::test]
async fn sensitive_fields_need_a_grant_that_names_them() {
    let world = World::with(&[
        ("models/person.yaml", "name: person\nfields:\n  name: { type: string }\n  iban: { type: string, sensitive: true }\n"),
        ("permissions/admin.yaml", "role: admin\ngrants:\n  - { models: '*', operations: '*' }\n"),
        ("permissions/payroll.yaml", "role: payroll\ngrants:\n  - { models: person, operations: [read, create], read_fields: [iban], write_fields: [iban, name] }\n"),
    ])
    .await;
    let (admin, payroll) = (
        world.access("a@x", &["admin"]),
        world.access("p@x", &["payroll"]),
    );
    world
        .create(
            &payroll,
            json!({ "model": "person", "values": { "name": "Ada", "iban": "DE12" } }),
        )
        .await;
    assert_eq!(
        world
            .search(&admin, json!({ "model": "person" }))
            .await
            .unwrap()["records"],
        json!([{ "id": 1, "name": "Ada" }])
    );
    assert_eq!(
        world
            .search(&payroll, json!({ "model": "person" }))
            .await
            .unwrap()["records"],
        json!([{ "id": 1, "iban": "DE12" }])
    );
    let both = world.access("b@x", &["admin", "payroll"]);
    assert_eq!(
        world
            .search(&both, json!({ "model": "person" }))
            .await
            .unwrap()["records"],
        json!([{ "id": 1, "name": "Ada", "iban": "DE12" }])
    );
}

#[tokio::test]
async fn a_condition_on_what_the_user_has_not_matches_nothing() {
    let grant = |condition: &str| {
        format!(
            "role: r\ngrants:\n  - {{ models: note, operations: [read], where: {condition} }}\n  - {{ models: note, operations: [create] }}\n"
        )
    };
    let model = (
        "models/note.yaml",
        "name: note\nfields:\n  region: { type: string }\n",
    );
    for (condition, with, without) in [
        (
            "{ field: region, operator: '=', value: '${user.attributes.region}' }",
            vec![1],
            vec![],
        ),
        (
            "{ field: region, operator: '!=', value: '${user.attributes.region}' }",
            vec![2],
            vec![],
        ),
        (
            "{ operator: not, criteria: [{ field: region, operator: in, value: '${user.attributes.regions}' }] }",
            vec![2],
            vec![],
        ),
    ] {
        let text = grant(condition);
        let world = World::with(&[model, ("permissions/r.yaml", &text)]).await;
        let mut user = world.access("u@x", &["r"]);
        world.create(&user, json!({ "model": "note", "records": [{ "region": "north" }, { "region": "south" }] })).await;
        assert_eq!(
            world.ids(&user, json!({ "model": "note" })).await,
            without as Vec<i64>,
            "{condition}"
        );
        user.subject
            .attributes
            .insert("region".into(), json!("north"));
        user.subject
            .attributes
            .insert("regions".into(), json!(["north"]));
        assert_eq!(
            world.ids(&user, json!({ "model": "note" })).await,
            with,
            "{condition}"
        );
    }
}

/// Projects have a hidden client; whoever may only see projects learns nothing of clients.
const HIDDEN_MODEL: &[(&str, &str)] = &[
    (
        "models/client.yaml",
        "name: crm.client\nfields:\n  name: { type: string }\n  projects: { type: one_to_many, model: project, inverse: client }\n",
    ),
    (
        "models/project.yaml",
        "name: project\nfields:\n  name: { type: string }\n  client: { type: many_to_one, model: crm.client }\n  budget: { type: integer, required: true }\n",
    ),
    (
        "permissions/crm.yaml",
        "role: crm\ngrants:\n  - { models: [crm.*, project], operations: '*' }\n",
    ),
    (
        "permissions/work.yaml",
        "role: work\ngrants:\n  - { models: project, operations: [read, create, update], read_fields: { except: [budget] }, write_fields: [name, client] }\n",
    ),
];

#[tokio::test]
async fn a_hidden_model_is_named_nowhere() {
    let world = World::with(HIDDEN_MODEL).await;
    let (crm, work) = (
        world.access("c@x", &["crm"]),
        world.access("w@x", &["work"]),
    );
    world
        .create(
            &crm,
            json!({ "model": "crm.client", "values": { "name": "Ada" } }),
        )
        .await;
    world
        .create(
            &crm,
            json!({ "model": "project", "values": { "name": "p", "client": 1, "budget": 5 } }),
        )
        .await;
    let told = [
        list_models(&work).to_string(),
        describe(&work, "project").unwrap().to_string(),
        world
            .search(&work, json!({ "model": "project" }))
            .await
            .unwrap()
            .to_string(),
        world
            .search_error(
                &work,
                json!({ "model": "project", "fields": ["client.name", "client.id"] }),
            )
            .await,
        world
            .search_error(&work, json!({ "model": "crm.client" }))
            .await
            .replace("`crm.client`", ""),
        world
            .update(
                &work,
                json!({ "model": "project", "id": 1, "values": { "client": 1 } }),
            )
            .await
            .unwrap_err()
            .to_string(),
        world
            .try_create(
                &work,
                json!({ "model": "project", "values": { "name": "q" } }),
            )
            .await
            .unwrap_err()
            .to_string(),
    ];
    for text in told {
        for word in ["crm", "Ada", "budget"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
    let answer = world
        .search(&work, json!({ "model": "project", "fields": ["client"] }))
        .await
        .unwrap();
    assert_eq!(answer["records"][0]["client"], json!({ "withheld": true }));
}

#[tokio::test]
async fn a_package_of_models_is_granted_by_its_name() {
    let world = World::with(HIDDEN_MODEL).await;
    let crm = world.access("c@x", &["crm"]);
    world
        .create(
            &crm,
            json!({ "model": "crm.client", "values": { "name": "Ada" } }),
        )
        .await;
    assert_eq!(world.ids(&crm, json!({ "model": "crm.client", "criteria": { "field": "name", "operator": "=", "value": "Ada" } })).await, [1]);
}

#[tokio::test]
async fn a_not_in_a_condition_leaves_out_what_is_empty() {
    let grant = |condition: &str| {
        format!(
            "role: r\ngrants:\n  - {{ models: pet, operations: [read], where: {condition} }}\n  - {{ models: '*', operations: [create] }}\n"
        )
    };
    let models = [
        (
            "models/owner.yaml",
            "name: owner\nfields:\n  name: { type: string }\n",
        ),
        (
            "models/pet.yaml",
            "name: pet\nfields:\n  owner: { type: many_to_one, model: owner }\n",
        ),
        (
            "permissions/all.yaml",
            "role: all\ngrants:\n  - { models: '*', operations: '*' }\n",
        ),
    ];
    for (condition, expected) in [
        (
            "{ operator: not, criteria: [{ field: owner.name, operator: '=', value: ada }] }",
            vec![2],
        ),
        ("{ field: owner.name, operator: '!=', value: ada }", vec![2]),
        ("{ field: owner.name, operator: isNull }", vec![3]),
        (
            "{ operator: not, criteria: [{ field: owner.name, operator: isNull }] }",
            vec![1, 2],
        ),
    ] {
        let text = grant(condition);
        let world = World::with(&[
            models[0],
            models[1],
            models[2],
            ("permissions/r.yaml", &text),
        ])
        .await;
        let all = world.access("a@x", &["all"]);
        world
            .create(
                &all,
                json!({ "model": "owner", "records": [{ "name": "ada" }, { "name": "bob" }] }),
            )
            .await;
        world.create(&all, json!({ "model": "pet", "records": [{ "owner": 1 }, { "owner": 2 }, { "owner": null }] })).await;
        assert_eq!(
            world
                .ids(&world.access("u@x", &["r"]), json!({ "model": "pet" }))
                .await,
            expected,
            "{condition}"
        );
    }
}

#[tokio::test]
async fn a_create_needs_one_grant_for_the_record_and_the_fields() {
    let world = World::with(&[
        ("models/task.yaml", "name: task\nfields:\n  name: { type: string }\n  owner: { type: string }\n  prio: { type: integer, default: 1 }\n"),
        (
            "permissions/r.yaml",
            "role: r\ngrants:\n\
             \x20 - { models: task, operations: [create], where: { field: owner, operator: '=', value: '${user.email}' } }\n\
             \x20 - { models: task, operations: [create], write_fields: [name] }\n",
        ),
    ])
    .await;
    let me = world.access("me@x", &["r"]);
    let one = |values: Value| json!({ "model": "task", "records": [{ "name": "first" }, values] });
    let made = world
        .create(&me, one(json!({ "owner": "me@x", "prio": 3 })))
        .await;
    assert_eq!(
        made["records"],
        json!([{ "id": 1 }, { "id": 2 }]),
        "who may not read learns the ids alone"
    );
    for values in [
        json!({ "owner": "x@x" }),
        json!({ "name": "n", "prio": 3 }),
        json!({ "owner": null }),
    ] {
        let error = world.try_create(&me, one(values)).await.unwrap_err();
        assert!(
            matches!(
                error,
                RecordError::ValuesDenied {
                    operation: Operation::Create,
                    index: Some(1),
                    ..
                }
            ),
            "{error:?}"
        );
        assert!(
            error
                .to_string()
                .starts_with("item 1: you may not create a `task` record with these values"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_display_that_cannot_be_read_gives_way_to_the_id() {
    let world = World::with(&[
        ("models/owner.yaml", "name: owner\ndisplay: name\nfields:\n  name: { type: string }\n"),
        ("models/pet.yaml", "name: pet\nfields:\n  owner: { type: many_to_one, model: owner }\n"),
        ("permissions/all.yaml", "role: all\ngrants:\n  - { models: '*', operations: '*' }\n"),
        ("permissions/r.yaml", "role: r\ngrants:\n  - { models: '*', operations: '*', read_fields: { except: [name] } }\n"),
    ])
    .await;
    let all = world.access("a@x", &["all"]);
    world
        .create(
            &all,
            json!({ "model": "owner", "values": { "name": "ada" } }),
        )
        .await;
    world
        .create(&all, json!({ "model": "pet", "values": { "owner": 1 } }))
        .await;
    let some = world.access("u@x", &["r"]);
    let answer = world
        .search(&some, json!({ "model": "pet" }))
        .await
        .unwrap();
    assert_eq!(
        answer["records"],
        json!([{ "id": 1, "owner": { "id": 1, "display": "owner 1" } }])
    );
    let error = world
        .delete(&some, json!({ "model": "owner", "id": 1 }))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "owner 1 can't be deleted: it is still in use"
    );
    let answer = world
        .update(
            &some,
            json!({ "model": "owner", "id": 1, "values": { "name": "eve" } }),
        )
        .await
        .unwrap();
    assert_eq!(
        answer["records"][0]["changes"],
        json!([{ "field": "name", "withheld": true }])
    );
}
