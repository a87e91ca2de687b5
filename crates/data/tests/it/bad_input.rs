use serde_json::{Value, json};
use toolcrib_data::records::{Criteria, Operator, RecordError, SearchInput, UpdateInput, search};

use crate::databases::On;
use crate::support::{World, input};

on_each!(
    all_problems_come_at_once,
    values_have_limits,
    one_or_many_never_both_never_neither,
    an_update_names_its_records_and_what_to_set,
    a_filter_that_cannot_be_is_refused_with_what_could,
    depth_bombs_end_in_a_message,
    sql_in_names_and_values_is_only_text,
    refusals_tell_nothing_of_the_database,
);

/// What is told of a create that fails.
async fn refused(world: &World, values: Value) -> String {
    world
        .try_create(
            &world.manager(),
            json!({ "model": "order", "values": values }),
        )
        .await
        .unwrap_err()
        .to_string()
}

async fn all_problems_come_at_once(on: On) {
    let world = World::small_on(on).await;
    let told = refused(
        &world,
        json!({ "tittle": 1, "status": "confirm", "total": "1.005", "ordered_on": "yesterday", "note": "a\u{0}b", "customer": 99, "version": 3 }),
    )
    .await;
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "/values/tittle: unknown field `tittle` of `order`, did you mean `note`?".replace(", did you mean `note`?", "; there are `number`, `customer`, `status`, `ordered_on`, `shipped_on`, `total`, `margin`, `note`").as_str(),
            "/values/status: must be one of \"draft\", \"confirmed\", \"shipped\", \"delivered\", \"cancelled\"; got \"confirm\", did you mean \"confirmed\"?",
            "/values/total: has 3 decimals; at most 2 are kept",
            "/values/ordered_on: must be a date like \"2026-01-31\"; got the string \"yesterday\"",
            "/values/note: holds a NUL character, which can't be stored",
            "/values/version: is set by the system",
            "/values: `number` is required",
        ]
    );
    let told = refused(&world, json!({ "number": "SO-8", "customer": 99 })).await;
    assert_eq!(told, "/values/customer: there is no `customer` record 99");
}

async fn values_have_limits(on: On) {
    let world = World::small_on(on).await;
    for (values, expected) in [
        (
            json!({ "number": "X", "customer": 1 }),
            "must match the pattern",
        ),
        (
            json!({ "number": "SO-8", "customer": 1, "note": "n".repeat(5_000_000) }),
            "5000000 characters; at most 2000",
        ),
        (json!({ "number": "SO-8", "customer": null }), "is required"),
        (
            json!({ "number": "SO-8", "customer": true }),
            "the id of a record, e.g. 42; got a boolean",
        ),
        (
            json!({ "number": "SO-8", "customer": 1, "lines": [1] }),
            "set `order` of the `order_line` records",
        ),
        (
            json!({ "number": 8, "customer": 1 }),
            "must be a string; got the number 8",
        ),
    ] {
        let told = refused(&world, values).await;
        assert!(told.contains(expected), "{told}");
        assert!(told.len() < 600, "a refusal repeats no megabytes");
    }
}

async fn one_or_many_never_both_never_neither(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    for (value, expected) in [
        (
            json!({ "model": "order" }),
            "give `id` for one record or `ids` for several",
        ),
        (
            json!({ "model": "order", "id": 1, "ids": [2] }),
            "either `id` or `ids`, not both",
        ),
        (json!({ "model": "order", "ids": [] }), "/ids: is empty"),
        (
            json!({ "model": "order", "ids": (1..=101).collect::<Vec<_>>() }),
            "has 101 records; at most 100",
        ),
        (
            json!({ "model": "order", "ids": [1, 2, "1"] }),
            "/ids/2: order 1 is already item 0",
        ),
        (json!({ "model": "order", "id": "SO-1" }), "must be an id"),
        (
            json!({ "model": "order", "id": 1, "fields": ["nmber", "customer.nam", "status.x", "lines", "customer.orders.number"] }),
            "did you mean `number`",
        ),
    ] {
        let told = world
            .read(&manager, value.clone())
            .await
            .unwrap_err()
            .to_string();
        assert!(told.contains(expected), "{told}");
        if value.get("fields").is_some() {
            assert_eq!(told.lines().count(), 5, "{told}");
            continue;
        }
        let told = world.delete(&manager, value).await.unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
    }
    let all = (1..=101)
        .map(|_| json!({ "number": "SO-8" }))
        .collect::<Vec<_>>();
    let told = world
        .try_create(&manager, json!({ "model": "order", "records": all }))
        .await
        .unwrap_err()
        .to_string();
    assert!(told.contains("/records: has 101 records"), "{told}");
    assert_eq!(
        world.ids(&manager, json!({ "model": "order" })).await,
        [1, 2, 3]
    );
}

async fn an_update_names_its_records_and_what_to_set(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let item = |id: i64| json!({ "id": id, "values": { "note": "x" } });
    for (value, expected) in [
        (
            json!({ "model": "order", "values": { "note": "x" } }),
            "`id` is missing",
        ),
        (json!({ "model": "order", "id": 1 }), "`values` is missing"),
        (
            json!({ "model": "order" }),
            "give `id` for one record or `records`",
        ),
        (
            json!({ "model": "order", "id": 1, "values": {}, "records": [item(1)] }),
            "not both",
        ),
        (
            json!({ "model": "order", "id": 1, "values": {} }),
            "/values: is empty",
        ),
        (
            json!({ "model": "order_line", "id": 1, "version": 1, "values": { "quantity": 2 } }),
            "have no version",
        ),
        (
            json!({ "model": "order", "records": [item(1), item(2), item(1)] }),
            "/records/2/id: order 1 is already item 0",
        ),
        (
            json!({ "model": "order", "records": [item(1), { "id": 2, "values": { "id": 7 } }] }),
            "/records/1/values/id: is set by the system",
        ),
        (
            json!({ "model": "order", "records": [item(1), item(99)] }),
            "item 1: no record found",
        ),
    ] {
        let told = world.update(&manager, value).await.unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn an_unknown_parameter_is_refused_by_name() {
    let error = serde_json::from_value::<SearchInput>(json!({ "model": "order", "filter": {} }))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("unknown field `filter`, expected one of `model`, `criteria`"),
        "{error}"
    );
    assert!(
        serde_json::from_value::<UpdateInput>(json!({ "model": "order", "where": "1=1" })).is_err()
    );
    assert!(
        serde_json::from_value::<Criteria>(json!({ "field": "a", "operator": "regex" })).is_err()
    );
    let error =
        serde_json::from_value::<UpdateInput>(json!({ "model": "order", "id": 1.5 })).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid type: floating point `1.5`, expected the id of a record, an integer or a string"
    );
}

#[test]
fn the_schemas_describe_every_parameter() {
    let schema = serde_json::to_value(schemars::schema_for!(SearchInput)).unwrap();
    for (name, property) in schema["properties"].as_object().unwrap() {
        assert!(property["description"].is_string(), "{name}");
    }
    assert_eq!(schema["additionalProperties"], false);
    assert!(schema["$defs"]["Criteria"]["properties"]["criteria"].is_object());
}

async fn a_filter_that_cannot_be_is_refused_with_what_could(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let c = |field: &str, operator: &str, value: Value| json!({ "field": field, "operator": operator, "value": value });
    for (criteria, expected) in [
        (
            c("status", "contains", json!("draft")),
            "/criteria/operator: `status` is selection and can't be compared with `contains`; it takes = != in notIn",
        ),
        (
            c("status", "=", json!("confirm")),
            "did you mean \"confirmed\"",
        ),
        (
            c("total", ">", json!("ten")),
            "/criteria/value: must be a decimal",
        ),
        (c("total", ">", json!(1e20)), "not exact"),
        (
            c("ordered_on", ">", json!("soon")),
            "or a relative date: today, -7d",
        ),
        (c("status", "=", Value::Null), "use isNull"),
        (c("status", "in", json!([])), "1 to 1000 values"),
        (c("status", "in", json!("draft")), "needs an array"),
        (
            json!({ "field": "total", "operator": "between", "value": "1" }),
            "/criteria/value2: `between` needs a value",
        ),
        (
            json!({ "field": "total", "operator": "isNull", "value": 1 }),
            "`isNull` takes no value",
        ),
        (
            json!({ "field": "total", "operator": "=", "value": 1, "value2": 2 }),
            "`=` takes no value2",
        ),
        (
            json!({ "operator": "=", "value": 1 }),
            "/criteria/field: `=` needs a field",
        ),
        (
            json!({ "operator": "and", "criteria": [] }),
            "at least one nested filter",
        ),
        (
            json!({ "operator": "or", "field": "total", "criteria": [c("id", "=", json!(1))] }),
            "/criteria/field: `or` takes only criteria",
        ),
        (
            json!({ "operator": "and", "criteria": [c("id", "=", json!(1)), c("totl", "=", json!(1))] }),
            "/criteria/criteria/1/field: unknown field `totl` of `order`, did you mean `total`?",
        ),
        (
            c("lines.quantity", "=", json!(1)),
            "search `order_line` by `order` instead",
        ),
        (
            c("status.x", "=", json!(1)),
            "nothing follows it after a dot",
        ),
        (c("customer..name", "=", json!(1)), "unknown field ``"),
        (
            c("note", "contains", json!("x".repeat(5_000_000))),
            "longer than 10000 bytes",
        ),
        (c("number\" OR 1=1 --", "=", json!("x")), "unknown field"),
    ] {
        let told = world
            .search_error(&manager, json!({ "model": "order", "criteria": criteria }))
            .await;
        assert!(told.contains(expected), "{told}");
    }
    for (part, expected) in [
        (json!({ "limit": 0 }), "/limit: must be from 1 to 100"),
        (json!({ "limit": 101 }), "/limit: must be from 1 to 100"),
        (json!({ "offset": 2_000_000 }), "/offset: must be at most"),
        (json!({ "order": [{ "field": "lines" }] }), "/order/0/field"),
        (json!({ "fields": [] }), "/fields: must name"),
    ] {
        let mut search = json!({ "model": "order" });
        search
            .as_object_mut()
            .unwrap()
            .extend(part.as_object().unwrap().clone());
        let told = world.search_error(&manager, search).await;
        assert!(told.contains(expected), "{told}");
    }
}

async fn depth_bombs_end_in_a_message(on: On) {
    let world = World::small_on(on).await;
    let nest = |depth: usize| {
        let leaf: Criteria = input(json!({ "field": "id", "operator": ">", "value": 0 }));
        (1..depth).fold(leaf, |inner, _| Criteria {
            field: None,
            operator: Operator::And,
            value: None,
            value2: None,
            criteria: vec![inner],
        })
    };
    for (depth, fits) in [(32, true), (33, false), (10_000, false)] {
        let search_input = SearchInput {
            criteria: Some(nest(depth)),
            ..input(json!({ "model": "order" }))
        };
        let found = search(&mut world.snapshot().await, &world.anna(), &search_input).await;
        match found {
            Ok(_) => assert!(fits),
            Err(error) => assert!(!fits && error.to_string().contains("32 levels"), "{error}"),
        }
    }
    let wide: Vec<Value> = (0..200)
        .map(
            |n| json!({ "field": "customer.name", "operator": "contains", "value": n.to_string() }),
        )
        .collect();
    let wide_search = |n: usize| json!({ "model": "order", "criteria": { "operator": "or", "criteria": wide[..n] } });
    assert_eq!(
        world.ids(&world.anna(), wide_search(199)).await,
        [] as [i64; 0]
    );
    assert!(
        world
            .search_error(&world.anna(), wide_search(200))
            .await
            .contains("more than 200")
    );
    let lists = |n: usize| {
        let list: Vec<usize> = (0..1000).collect();
        let lists = vec![json!({ "field": "customer", "operator": "notIn", "value": list }); n];
        json!({ "model": "order", "criteria": { "operator": "or", "criteria": lists } })
    };
    assert_eq!(world.ids(&world.anna(), lists(5)).await, [] as [i64; 0]);
    assert!(
        world
            .search_error(&world.anna(), lists(6))
            .await
            .contains("5000 values in all")
    );
    let long = vec!["customer"; 10_000].join(".");
    let told = world
        .search_error(
            &world.manager(),
            json!({ "model": "order", "fields": [long] }),
        )
        .await;
    assert!(
        told.contains("unknown field `customer` of `customer`"),
        "{told}"
    );
}

async fn sql_in_names_and_values_is_only_text(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    for name in [
        "order\"; DROP TABLE d_acme_order; --",
        "tc_users",
        "d_acme_order",
        "sqlite_master",
        "*",
        "",
    ] {
        let told = world.search_error(&manager, json!({ "model": name })).await;
        assert!(told.starts_with("unknown model"), "{told}");
    }
    let evil = "x'; DELETE FROM d_acme_order; --";
    let found = json!({ "model": "order", "criteria": { "field": "note", "operator": "=", "value": evil } });
    assert_eq!(world.ids(&manager, found).await, [] as [i64; 0]);
    assert_eq!(
        world.ids(&manager, json!({ "model": "order" })).await,
        [1, 2, 3]
    );
}

async fn refusals_tell_nothing_of_the_database(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let errors = [
        world
            .delete(&manager, json!({ "model": "customer", "id": 1 }))
            .await
            .unwrap_err(),
        world
            .update(
                &manager,
                json!({ "model": "order", "id": 1, "values": { "number": "SO-2" } }),
            )
            .await
            .unwrap_err(),
        RecordError::Store(toolcrib_data::StoreError::Commit(
            "UNIQUE constraint failed: d_acme_order.number".into(),
        )),
    ];
    for error in errors {
        let told = error.to_string();
        for word in ["d_acme", "SQL", "constraint", "UNIQUE", "FOREIGN", "sqlite"] {
            assert!(!told.contains(word), "{told}");
        }
    }
}
