use serde_json::json;
use toolcrib_data::records::{Catalog, MigrateError, MigrationStep, migrate};

use crate::support::{SLUG, World, files};

const BOSS: (&str, &str) = (
    "permissions/r.yaml",
    "role: r\ngrants:\n  - { models: '*', operations: '*' }\n",
);
const GROUP: (&str, &str) = (
    "models/group.yaml",
    "name: group\nfields:\n  name: { type: string }\n",
);
const ITEM: (&str, &str) = (
    "models/item.yaml",
    "name: item\nfields:\n  name: { type: string, length: 10 }\n  state: { type: selection, options: [a, b] }\n  group: { type: many_to_one, model: group }\n",
);

async fn world() -> World {
    let world = World::with(&[BOSS, GROUP, ITEM]).await;
    let user = world.access("u@x", &["r"]);
    world
        .create(
            &user,
            json!({ "model": "group", "values": { "name": "g" } }),
        )
        .await;
    world.create(&user, json!({ "model": "item", "records": [{ "name": "abcdefghij", "state": "a", "group": 1 }, { "name": "k", "state": "b" }] })).await;
    world
}

async fn to(
    world: &mut World,
    models: &[(&str, &str)],
    allow: bool,
) -> Result<Vec<MigrationStep>, MigrateError> {
    let catalog = Catalog::load(&files(models)).unwrap();
    let mut unit = world.store.unit().await.unwrap();
    let steps = migrate(&mut unit, SLUG, &catalog, allow).await?;
    unit.commit().await.unwrap();
    world.catalog = catalog.into();
    Ok(steps)
}

#[tokio::test]
async fn the_same_models_need_no_step() {
    let mut world = world().await;
    assert_eq!(to(&mut world, &[GROUP, ITEM], false).await.unwrap(), []);
}

#[tokio::test]
async fn fields_and_models_are_added_and_values_stay() {
    let mut world = world().await;
    let item = "name: item\nversioned: true\nfields:\n  name: { type: text, unique: true }\n  state: { type: selection, options: [a, b, c], required: true }\n  group: { type: many_to_one, model: group }\n  count: { type: integer, required: true, default: 7 }\n  tag: { type: many_to_one, model: tag }\n";
    let tag = (
        "models/tag.yaml",
        "name: tag\nfields:\n  name: { type: string }\n",
    );
    let steps = to(&mut world, &[GROUP, ("models/item.yaml", item), tag], false)
        .await
        .unwrap();
    let told: Vec<String> = steps.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "create model `tag`",
            "add field `count` to `item`",
            "add field `tag` to `item`",
            "add field `version` to `item`",
            "change field `name` of `item`",
            "change field `state` of `item`",
        ]
    );
    let user = world.access("u@x", &["r"]);
    let seen = world
        .read(&user, json!({ "model": "item", "id": 1 }))
        .await
        .unwrap();
    assert_eq!(
        seen["records"][0],
        json!({ "id": 1, "name": "abcdefghij", "state": "a", "group": { "id": 1, "display": "group 1" }, "count": 7, "tag": null, "version": 1 })
    );
    let twice = world
        .try_create(
            &user,
            json!({ "model": "item", "values": { "name": "k", "state": "c" } }),
        )
        .await
        .unwrap_err();
    assert!(twice.to_string().contains("can't be used"), "{twice}");
}

#[tokio::test]
async fn what_loses_data_is_listed_and_refused_unless_allowed() {
    let mut world = world().await;
    let item = (
        "models/item.yaml",
        "name: item\nfields:\n  name: { type: string, length: 5 }\n  state: { type: selection, options: [a] }\n",
    );
    let error = to(&mut world, &[item], false).await.unwrap_err();
    let MigrateError::DataLoss { losses } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(
        losses,
        &[
            "the model `group` is gone: its 1 records would be dropped",
            "the field `group` of `item` is gone: its 1 values would be dropped",
            "the field `name` of `item` becomes shorter, 5 characters: 1 values would be changed",
            "the field `state` of `item` loses the options b: 1 values would be changed",
        ]
    );
    assert!(error.to_string().contains("--allow-data-loss"));
    let user = world.access("u@x", &["r"]);
    assert_eq!(
        world.ids(&user, json!({ "model": "group" })).await,
        [1],
        "nothing was changed"
    );
    to(&mut world, &[item], true).await.unwrap();
    let answer = world
        .search(&world.access("u@x", &["r"]), json!({ "model": "item" }))
        .await
        .unwrap();
    assert_eq!(
        answer["records"],
        json!([{ "id": 1, "name": "abcde", "state": "a" }, { "id": 2, "name": "k", "state": null }])
    );
}

#[tokio::test]
async fn a_changed_type_is_a_loss() {
    let mut world = world().await;
    let item = (
        "models/item.yaml",
        "name: item\nfields:\n  name: { type: integer }\n  state: { type: selection, options: [a, b] }\n  group: { type: many_to_one, model: group }\n",
    );
    let error = to(&mut world, &[GROUP, item], false).await.unwrap_err();
    assert!(error.to_string().contains("the field `name` of `item` changes from string to integer: its 2 values would be dropped"), "{error}");
}

#[tokio::test]
async fn what_stored_records_stand_against_is_refused() {
    let mut world = world().await;
    let item = |extra: &str| {
        format!(
            "name: item\nfields:\n  name: {{ type: string, length: 10 }}\n  state: {{ type: selection, options: [a, b] }}\n{extra}"
        )
    };
    let new = item(
        "  group: { type: many_to_one, model: group, required: true }\n  must: { type: string, required: true }\n",
    );
    let error = to(&mut world, &[GROUP, ("models/item.yaml", &new)], true)
        .await
        .unwrap_err();
    let MigrateError::Blocked { reasons } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(
        reasons[0].contains("`must`") && reasons[1].contains("1 records have no value"),
        "{reasons:?}"
    );
    let unique = "name: item\nfields:\n  name: { type: string, length: 10 }\n  state: { type: selection, options: [a, b], unique: true }\n  group: { type: many_to_one, model: group }\n";
    let user = world.access("u@x", &["r"]);
    world
        .create(
            &user,
            json!({ "model": "item", "values": { "state": "a" } }),
        )
        .await;
    let error = to(&mut world, &[GROUP, ("models/item.yaml", unique)], true)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("share a value"), "{error}");
}

#[tokio::test]
async fn models_that_lead_to_each_other_come_and_go() {
    let mut world = world().await;
    let a = (
        "models/a.yaml",
        "name: a\nfields:\n  b: { type: many_to_one, model: b }\n",
    );
    let b = (
        "models/b.yaml",
        "name: b\nfields:\n  a: { type: many_to_one, model: a }\n",
    );
    to(&mut world, &[GROUP, ITEM, a, b], false).await.unwrap();
    let user = world.access("u@x", &["r"]);
    world
        .create(&user, json!({ "model": "a", "values": {} }))
        .await;
    world
        .create(&user, json!({ "model": "b", "values": { "a": 1 } }))
        .await;
    world
        .update(
            &user,
            json!({ "model": "a", "id": 1, "values": { "b": 1 } }),
        )
        .await
        .unwrap();
    let steps = to(&mut world, &[GROUP, ITEM], true).await.unwrap();
    assert_eq!(steps.len(), 2, "{steps:?}");
}

#[tokio::test]
async fn organisations_do_not_share_tables() {
    let world = world().await;
    let catalog = Catalog::load(&files(&[GROUP, ITEM])).unwrap();
    let mut unit = world.store.unit().await.unwrap();
    assert_eq!(
        migrate(&mut unit, "other", &catalog, false)
            .await
            .unwrap()
            .len(),
        2
    );
    unit.commit().await.unwrap();
    let mut stranger = world.access("u@x", &["r"]);
    "other".clone_into(&mut stranger.org_slug);
    assert_eq!(
        world.ids(&stranger, json!({ "model": "item" })).await,
        [] as [i64; 0]
    );
    let mut unit = world.store.unit().await.unwrap();
    for slug in ["", "a\"b", "Acme", "tc_", "ü"] {
        let refused = migrate(&mut unit, slug, &catalog, false).await;
        assert_eq!(refused.is_err(), slug != "tc_", "{slug}");
    }
}

#[tokio::test]
async fn a_list_of_records_comes_and_goes_with_its_pairs() {
    let mut world = world().await;
    let with = |line: &str| {
        format!(
            "name: item\nfields:\n  name: {{ type: string, length: 10 }}\n  state: {{ type: selection, options: [a, b] }}\n  group: {{ type: many_to_one, model: group }}\n{line}"
        )
    };
    let groups = with("  groups: { type: many_to_many, model: group }\n");
    let told = |steps: Vec<MigrationStep>| -> Vec<String> {
        steps.iter().map(ToString::to_string).collect()
    };
    let models = [GROUP, ("models/item.yaml", groups.as_str())];
    let steps = to(&mut world, &models, false).await.unwrap();
    assert_eq!(told(steps), ["add field `groups` to `item`"]);
    assert_eq!(to(&mut world, &models, false).await.unwrap(), []);
    let user = world.access("u@x", &["r"]);
    let set = json!({ "model": "item", "records": [{ "id": 1, "values": { "groups": [1] } }, { "id": 2, "values": { "groups": [1] } }] });
    world.update(&user, set).await.unwrap();
    // The other side shares the pairs, and needs none of its own.
    let both = (
        "models/group.yaml",
        "name: group\nfields:\n  name: { type: string }\n  items: { type: many_to_many, model: item, inverse: groups }\n",
    );
    let models = [both, ("models/item.yaml", groups.as_str())];
    assert_eq!(to(&mut world, &models, false).await.unwrap(), []);
    for (line, what) in [
        (
            "  groups: { type: many_to_many, model: item }\n",
            "leads elsewhere",
        ),
        (
            "  groups: { type: string }\n",
            "changes from many_to_many to string",
        ),
        ("", "is gone"),
    ] {
        let text = with(line);
        let models = [GROUP, ("models/item.yaml", text.as_str())];
        let error = to(&mut world, &models, false).await.unwrap_err();
        let loss = format!("the field `groups` of `item` {what}: its 2 links would be dropped");
        assert!(error.to_string().contains(&loss), "{error}");
    }
    let text = with("");
    let models = [GROUP, ("models/item.yaml", text.as_str())];
    let steps = to(&mut world, &models, true).await.unwrap();
    assert_eq!(told(steps), ["drop field `groups` of `item`"]);
    // And a model with all that leads to it, and its own.
    let models = [GROUP, ("models/item.yaml", groups.as_str())];
    to(&mut world, &models, false).await.unwrap();
    to(&mut world, &[], true).await.unwrap();
    to(&mut world, &models, false).await.unwrap();
}

#[tokio::test]
async fn a_file_field_comes_and_goes_with_its_content() {
    let mut world = world().await;
    let with = |line: &str| {
        format!(
            "name: item\nfields:\n  name: {{ type: string, length: 10 }}\n  state: {{ type: selection, options: [a, b] }}\n  group: {{ type: many_to_one, model: group }}\n{line}"
        )
    };
    let first = with("  scan: { type: binary }\n");
    let models = [GROUP, ("models/item.yaml", first.as_str())];
    let steps = to(&mut world, &models, false).await.unwrap();
    assert_eq!(steps[0].to_string(), "add field `scan` to `item`");
    let user = world.access("u@x", &["r"]);
    let set = json!({ "model": "item", "id": 1, "values": { "scan": { "base64": "aGVsbG8=" } } });
    world.update(&user, set).await.unwrap();
    // Other limits change nothing of what is there.
    let smaller = with("  scan: { type: binary, length: 2, media_types: [image/png] }\n");
    let models = [GROUP, ("models/item.yaml", smaller.as_str())];
    to(&mut world, &models, false).await.unwrap();
    let mut snapshot = world.snapshot().await;
    let user = world.access("u@x", &["r"]);
    let found = toolcrib_data::records::file(&mut snapshot, &user, ("item", "1", "scan")).await;
    assert_eq!(found.unwrap().unwrap().bytes, b"hello");
    drop(snapshot);
    let text = with("");
    let models = [GROUP, ("models/item.yaml", text.as_str())];
    let error = to(&mut world, &models, false).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the field `scan` of `item` is gone: its 1 values would be dropped"),
        "{error}"
    );
    to(&mut world, &models, true).await.unwrap();
    let models = [GROUP, ("models/item.yaml", first.as_str())];
    to(&mut world, &models, false).await.unwrap();
}
