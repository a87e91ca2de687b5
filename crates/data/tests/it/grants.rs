//! What grants can say, and what they keep from being told.

use serde_json::{Value, json};
use toolcrib_data::records::{Operation, RecordError, list_models};

use crate::databases::On;
use crate::rights::describe;
use crate::support::World;

on_each!(
    sensitive_fields_need_a_grant_that_names_them,
    a_condition_on_what_the_user_has_not_matches_nothing,
    a_hidden_model_is_named_nowhere,
    a_package_of_models_is_granted_by_its_name,
    a_not_in_a_condition_leaves_out_what_is_empty,
    a_create_needs_one_grant_for_the_record_and_the_fields,
    a_display_that_cannot_be_read_gives_way_to_the_id,
);

async fn sensitive_fields_need_a_grant_that_names_them(on: On) {
    let world = World::on(on, &[
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

async fn a_condition_on_what_the_user_has_not_matches_nothing(on: On) {
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
        let world = World::on(on, &[model, ("permissions/r.yaml", &text)]).await;
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

async fn a_hidden_model_is_named_nowhere(on: On) {
    let world = World::on(on, HIDDEN_MODEL).await;
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

async fn a_package_of_models_is_granted_by_its_name(on: On) {
    let world = World::on(on, HIDDEN_MODEL).await;
    let crm = world.access("c@x", &["crm"]);
    world
        .create(
            &crm,
            json!({ "model": "crm.client", "values": { "name": "Ada" } }),
        )
        .await;
    assert_eq!(world.ids(&crm, json!({ "model": "crm.client", "criteria": { "field": "name", "operator": "=", "value": "Ada" } })).await, [1]);
}

async fn a_not_in_a_condition_leaves_out_what_is_empty(on: On) {
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
        let world = World::on(
            on,
            &[
                models[0],
                models[1],
                models[2],
                ("permissions/r.yaml", &text),
            ],
        )
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

async fn a_create_needs_one_grant_for_the_record_and_the_fields(on: On) {
    let world = World::on(on, &[
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

async fn a_display_that_cannot_be_read_gives_way_to_the_id(on: On) {
    let world = World::on(on, &[
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
