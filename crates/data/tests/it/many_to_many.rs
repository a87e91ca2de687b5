//! Fields that lead to any number of records, which any number may lead to.

use serde_json::{Value, json};
use toolcrib_data::records::{self, Access, Catalog, Write};

use crate::databases::On;
use crate::support::{World, files, input};

on_each!(
    a_list_is_set_read_and_replaced,
    what_can_t_be_read_is_one_marker_and_stays,
    what_leads_to_nothing_is_refused_by_its_place,
    a_list_is_asked_for_by_what_is_in_it,
    a_join_goes_over_the_pairs,
    a_grant_may_be_about_a_list,
    an_approval_names_the_records_and_notices_a_change,
    a_long_list_is_cut,
    a_pair_goes_with_its_record,
);

const PRODUCT: (&str, &str) = (
    "models/product.yaml",
    "name: product\ndisplay: name\nfields:\n  name: { type: string }\n  tags: { type: many_to_many, model: tag }\n  related: { type: many_to_many, model: product }\n",
);
const TAG: (&str, &str) = (
    "models/tag.yaml",
    "name: tag\ndisplay: name\nfields:\n  name: { type: string }\n  open: { type: boolean }\n  products: { type: many_to_many, model: product, inverse: tags }\n",
);
const ALL: (&str, &str) = (
    "permissions/all.yaml",
    "role: all\ngrants:\n  - { models: '*', operations: '*' }\n",
);
/// Reads the tags that are open, and the tags of products A.
const SOME: (&str, &str) = (
    "permissions/some.yaml",
    "role: some\ngrants:\n  - { models: tag, operations: read, where: { field: open, operator: '=', value: true } }\n  - { models: product, operations: [read, update, create] }\n",
);
const FEW: (&str, &str) = (
    "permissions/few.yaml",
    "role: few\ngrants:\n  - { models: tag, operations: read }\n  - { models: product, operations: read, read_fields: [name] }\n  - { models: product, operations: read, where: { field: name, operator: '=', value: A }, read_fields: [tags] }\n",
);
const TAGGED: (&str, &str) = (
    "permissions/tagged.yaml",
    "role: tagged\ngrants:\n  - { models: tag, operations: read }\n  - { models: product, operations: [read, create, update], where: { field: tags, operator: contains, value: 2 } }\n",
);

/// Products A (tags 1, 2, 3), B (tag 3) and C (none); tags red (1) and blue (2) are open.
async fn world(on: On) -> (World, Access, Access) {
    let world = World::on(on, &[PRODUCT, TAG, ALL, SOME, FEW, TAGGED]).await;
    let (all, some) = (
        world.access("all@x", &["all"]),
        world.access("some@x", &["some"]),
    );
    let tag = |name: &str, open: bool| json!({ "name": name, "open": open });
    world.create(&all, json!({ "model": "tag", "records": [tag("red", true), tag("blue", true), tag("secret", false)] })).await;
    world
        .create(&all, json!({ "model": "product", "records": [{ "name": "A", "tags": [2, 1, 3] }, { "name": "B", "tags": [3] }, { "name": "C" }] }))
        .await;
    (world, all, some)
}

async fn tags_of(world: &World, access: &Access, id: i64) -> Value {
    let one = json!({ "model": "product", "id": id, "fields": ["tags"] });
    world.read(access, one).await.unwrap()["records"][0]["tags"].clone()
}

fn tag(id: i64, display: &str) -> Value {
    json!({ "id": id, "display": display })
}

async fn a_list_is_set_read_and_replaced(on: On) {
    let (world, all, _) = world(on).await;
    let made = world
        .create(
            &all,
            json!({ "model": "product", "values": { "name": "D", "tags": ["2", 1] } }),
        )
        .await;
    let both = json!([tag(1, "red"), tag(2, "blue")]);
    assert_eq!(
        made["records"],
        json!([{ "id": 4, "name": "D", "tags": both }])
    );
    let answer = world
        .update(
            &all,
            json!({ "model": "product", "id": 4, "values": { "tags": [2, 3] } }),
        )
        .await
        .unwrap();
    let now = json!([tag(2, "blue"), tag(3, "secret")]);
    assert_eq!(
        answer["records"],
        json!([{ "id": 4, "changes": [{ "field": "tags", "before": both, "after": now }] }])
    );
    // The same pairs, from the other side.
    let set = json!({ "model": "tag", "id": 2, "values": { "products": [3, 4] } });
    world.update(&all, set).await.unwrap();
    assert_eq!(
        tags_of(&world, &all, 1).await,
        json!([tag(1, "red"), tag(3, "secret")])
    );
    assert_eq!(tags_of(&world, &all, 3).await, json!([tag(2, "blue")]));
    let found = world
        .search(
            &all,
            json!({ "model": "product", "fields": ["tags", "name"], "limit": 2, "offset": 1 }),
        )
        .await
        .unwrap();
    let expected = json!([
        { "id": 2, "tags": [tag(3, "secret")], "name": "B" },
        { "id": 3, "tags": [tag(2, "blue")], "name": "C" },
    ]);
    assert_eq!(found["records"], expected);
    let emptied = json!({ "model": "product", "id": 3, "values": { "tags": [], "name": "c" } });
    world.update(&all, emptied).await.unwrap();
    assert_eq!(tags_of(&world, &all, 3).await, json!([]));
    // A list is not in an answer that does not ask for it.
    let plain = world
        .read(&all, json!({ "model": "product", "id": 3 }))
        .await;
    assert_eq!(plain.unwrap()["records"], json!([{ "id": 3, "name": "c" }]));
}

async fn what_can_t_be_read_is_one_marker_and_stays(on: On) {
    let (world, all, some) = world(on).await;
    let hidden = json!({ "withheld": true });
    assert_eq!(
        tags_of(&world, &some, 1).await,
        json!([tag(1, "red"), tag(2, "blue"), hidden])
    );
    assert_eq!(tags_of(&world, &some, 2).await, json!([hidden]));
    assert_eq!(tags_of(&world, &some, 3).await, json!([]));
    // More of them look the same.
    let more = json!({ "model": "tag", "records": [{ "name": "x", "products": [2] }, { "name": "y", "products": [2] }] });
    world.create(&all, more).await;
    assert_eq!(tags_of(&world, &some, 2).await, json!([hidden]));
    let answer = world
        .update(
            &some,
            json!({ "model": "product", "id": 1, "values": { "tags": [2] } }),
        )
        .await
        .unwrap();
    assert_eq!(
        answer["records"][0]["changes"][0],
        json!({ "field": "tags", "before": [tag(1, "red"), tag(2, "blue"), hidden], "after": [tag(2, "blue"), hidden] })
    );
    assert_eq!(
        tags_of(&world, &all, 1).await,
        json!([tag(2, "blue"), tag(3, "secret")])
    );
    // Who reads the field on some records alone reads nothing of it on the others.
    let few = world.access("few@x", &["few"]);
    assert_eq!(
        tags_of(&world, &few, 1).await,
        json!([tag(2, "blue"), tag(3, "secret")])
    );
    assert_eq!(tags_of(&world, &few, 2).await, Value::Null);
}

async fn what_leads_to_nothing_is_refused_by_its_place(on: On) {
    let (world, _, some) = world(on).await;
    let set = |tags: Value| json!({ "model": "product", "id": 1, "values": { "tags": tags } });
    for (tags, message) in [
        (json!([1, 3]), "/values/tags/1: there is no `tag` record 3"),
        (json!([9]), "/values/tags/0: there is no `tag` record 9"),
        (json!([1, 1]), "/values/tags: names 1 twice"),
        (
            json!(1),
            "/values/tags: must be a list of ids, e.g. [3, 7]; it replaces the whole list",
        ),
    ] {
        let error = world.update(&some, set(tags)).await.unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let path = json!({ "model": "product", "criteria": { "field": "tags.name", "operator": "=", "value": "red" } });
    assert_eq!(
        world.search_error(&some, path).await,
        "/criteria/field: `tags` is a list of records; compare it itself: `contains` with an id, isNull or isNotNull"
    );
    let order = json!({ "model": "product", "order": [{ "field": "tags" }] });
    assert_eq!(
        world.search_error(&some, order).await,
        "/order/0/field: `tags` is many_to_many and can't be sorted by"
    );
    let column =
        json!({ "from": { "model": "product", "as": "p" }, "select": [{ "field": "p.tags" }] });
    assert_eq!(
        world.query_error(&some, column).await,
        "/select/0/field: `tags` is a list of records; join it: {\"field\": \"p.tags\", \"as\": …}"
    );
}

async fn a_list_is_asked_for_by_what_is_in_it(on: On) {
    let (world, all, some) = world(on).await;
    let few = world.access("few@x", &["few"]);
    let ask = |criteria: Value| json!({ "model": "product", "criteria": criteria });
    let holds = |id: i64| json!({ "field": "tags", "operator": "contains", "value": id });
    let empty = json!({ "field": "tags", "operator": "isNull" });
    let full = json!({ "field": "tags", "operator": "isNotNull" });
    let not = |criteria: Value| json!({ "operator": "not", "criteria": [criteria] });
    let cases: &[(&Access, Value, &[i64])] = &[
        (&all, holds(3), &[1, 2]),
        (&all, not(holds(3)), &[3]),
        (&all, empty.clone(), &[3]),
        (&all, full.clone(), &[1, 2]),
        // A record that can't be read is in no list.
        (&some, holds(3), &[]),
        (&some, not(holds(3)), &[1, 2, 3]),
        (&some, empty.clone(), &[2, 3]),
        (&some, full.clone(), &[1]),
        // Where the list is hidden, nothing is known of it.
        (&few, holds(3), &[1]),
        (&few, not(holds(3)), &[]),
        (&few, empty, &[2, 3]),
        (&few, full, &[1]),
    ];
    for (access, criteria, ids) in cases {
        assert_eq!(
            world.ids(access, ask(criteria.clone())).await,
            *ids,
            "{} {criteria}",
            access.subject.email
        );
    }
}

async fn a_join_goes_over_the_pairs(on: On) {
    let (world, all, some) = world(on).await;
    let few = world.access("few@x", &["few"]);
    let ask = |kind: &str| json!({ "from": { "model": "product", "as": "p" }, "join": [{ "field": "p.tags", "as": "t", "type": kind }], "select": [{ "field": "p.name" }, { "field": "t.name", "as": "tag" }], "orderBy": [{ "field": "p.name" }, { "field": "t.id" }] });
    let cases: &[(&Access, &str, Value)] = &[
        (
            &all,
            "left",
            json!([
                ["A", "red"],
                ["A", "blue"],
                ["A", "secret"],
                ["B", "secret"],
                ["C", null]
            ]),
        ),
        (
            &all,
            "inner",
            json!([
                ["A", "red"],
                ["A", "blue"],
                ["A", "secret"],
                ["B", "secret"]
            ]),
        ),
        // What can't be read leaves no row behind, however much of it there is.
        (
            &some,
            "left",
            json!([["A", "red"], ["A", "blue"], ["B", null], ["C", null]]),
        ),
        (&some, "inner", json!([["A", "red"], ["A", "blue"]])),
        (
            &few,
            "left",
            json!([
                ["A", "red"],
                ["A", "blue"],
                ["A", "secret"],
                ["B", null],
                ["C", null]
            ]),
        ),
    ];
    for (access, kind, rows) in cases {
        let found = world.rows(access, ask(kind)).await;
        assert_eq!(json!(found), *rows, "{} {kind}", access.subject.email);
    }
    // From the other side, over a condition, grouped, and in a sub-query.
    let counted = json!({ "from": { "model": "tag", "as": "t" }, "join": [{ "field": "t.products", "as": "p", "on": [{ "field": "p.name", "operator": "!=", "value": "B" }] }], "select": [{ "field": "t.name" }, { "fn": "count", "field": "p.id", "as": "n" }], "groupBy": ["t.name"], "orderBy": [{ "field": "t.name" }] });
    assert_eq!(
        json!(world.rows(&all, counted).await),
        json!([["blue", 1], ["red", 1], ["secret", 1]])
    );
    let exists = json!({ "from": { "model": "product", "as": "p" }, "select": [{ "field": "p.name" }], "where": [{ "exists": { "from": { "model": "tag", "as": "t" }, "join": [{ "field": "t.products", "as": "q" }], "where": [{ "field": "q.id", "operator": "=", "right": { "field": "p.id" } }, { "field": "t.name", "operator": "=", "value": "secret" }] } }], "orderBy": [{ "field": "p.name" }] });
    assert_eq!(
        json!(world.rows(&all, exists.clone()).await),
        json!([["A"], ["B"]])
    );
    assert_eq!(json!(world.rows(&some, exists).await), json!([]));
}

async fn a_grant_may_be_about_a_list(on: On) {
    let (world, all, _) = world(on).await;
    let tagged = world.access("tagged@x", &["tagged"]);
    assert_eq!(world.ids(&tagged, json!({ "model": "product" })).await, [1]);
    let create =
        |tags: Value| json!({ "model": "product", "values": { "name": "D", "tags": tags } });
    let error = world
        .try_create(&tagged, create(json!([1])))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("with these values"), "{error}");
    world.create(&tagged, create(json!([1, 2]))).await;
    let leave = json!({ "model": "product", "id": 1, "values": { "tags": [1] } });
    let error = world.update(&tagged, leave).await.unwrap_err();
    assert!(error.to_string().contains("with these values"), "{error}");
    assert_eq!(
        tags_of(&world, &all, 1).await,
        json!([tag(1, "red"), tag(2, "blue"), tag(3, "secret")])
    );
}

async fn an_approval_names_the_records_and_notices_a_change(on: On) {
    let (world, all, some) = world(on).await;
    let wanted = input(json!({ "model": "product", "id": 1, "values": { "tags": [2] } }));
    let write = Write::Update(&wanted);
    let plan = records::plan(&mut world.snapshot().await, &some, write)
        .await
        .unwrap();
    let change = &plan.changes[0].fields[0];
    assert_eq!(change.before.as_deref(), Some("red, blue, (withheld)"));
    assert_eq!(change.after.as_deref(), Some("blue, (withheld)"));
    let mut unit = world.unit().await;
    records::check_unchanged(&mut unit, &some, write, &plan.fingerprint)
        .await
        .unwrap();
    drop(unit);
    let set = json!({ "model": "product", "id": 1, "values": { "tags": [1, 3] } });
    world.update(&all, set).await.unwrap();
    let mut unit = world.unit().await;
    let error = records::check_unchanged(&mut unit, &some, write, &plan.fingerprint)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("A has been changed"), "{error}");
}

async fn a_long_list_is_cut(on: On) {
    let (world, all, _) = world(on).await;
    for part in 0..2 {
        let many: Vec<Value> = (0..60)
            .map(|n| json!({ "name": format!("n{part}-{n}"), "products": [3] }))
            .collect();
        world
            .create(&all, json!({ "model": "tag", "records": many }))
            .await;
    }
    let tags = tags_of(&world, &all, 3).await;
    let tags = tags.as_array().unwrap();
    assert_eq!(tags.len(), 101);
    assert_eq!(tags.last(), Some(&json!({ "more": true })));
}

async fn a_pair_goes_with_its_record(on: On) {
    let (world, all, _) = world(on).await;
    let gone = |model: &str, id: i64| json!({ "model": model, "id": id });
    world.delete(&all, gone("tag", 2)).await.unwrap();
    assert_eq!(
        tags_of(&world, &all, 1).await,
        json!([tag(1, "red"), tag(3, "secret")])
    );
    world.delete(&all, gone("product", 1)).await.unwrap();
    let one = json!({ "model": "tag", "id": 3, "fields": ["products"] });
    assert_eq!(
        world.read(&all, one).await.unwrap()["records"][0]["products"],
        json!([{ "id": 2, "display": "B" }])
    );
}

#[test]
fn what_keeps_no_pairs_is_told_with_its_place() {
    let product = |field: &str| {
        format!("name: product\nfields:\n  name: {{ type: string }}\n  tags: {{ {field} }}\n")
    };
    let problem = |field: &str| {
        let product = product(field);
        let files = files(&[("models/product.yaml", product.as_str()), TAG]);
        let problems = Catalog::load(&files).unwrap_err();
        problems[0].to_string()
    };
    assert_eq!(
        problem(
            "type: many_to_many, model: tag, through: { table: x, column: a, target_column: b }"
        ),
        "models/product.yaml:4:52: `through` is for a model with a `connection`; here Toolcrib keeps the pairs"
    );
    assert_eq!(
        problem("type: many_to_many, model: tag, required: true"),
        "models/product.yaml:4:53: a many_to_many field has no `required`"
    );
    assert_eq!(
        problem("type: many_to_many, model: tag, inverse: name"),
        "models/product.yaml:4:52: `name` must be a many_to_many field of `tag` that leads to `product` and has no `inverse` itself"
    );
}
