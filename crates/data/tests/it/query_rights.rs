//! Rights in queries, case by case; the random ones are in `oracle` and `leak`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolcrib_data::records::{Access, Narrowing, Operation};

use crate::databases::On;
use crate::query::orders;
use crate::support::World;

on_each!(
    a_field_without_right_is_unknown_wherever_it_stands,
    a_model_without_right_is_unknown_and_a_lost_operation_is_named,
    what_another_person_has_is_not_counted_sorted_or_found,
);

async fn a_field_without_right_is_unknown_wherever_it_stands(on: On) {
    let world = World::small_on(on).await;
    let anna = world.anna();
    let number = json!([{ "field": "o.number" }]);
    let count = json!([{ "field": "o.status" }, { "fn": "count" }]);
    let above = json!({ "field": "o.margin", "operator": ">", "value": 0 });
    let sum = json!({ "fn": "sum", "field": "o.margin" });
    let join = json!({ "model": "invoice", "as": "i", "on": [{ "field": "i.amount", "operator": "=", "right": { "field": "o.margin" } }] });
    for parts in [
        json!({ "select": [{ "field": "o.margin" }] }),
        json!({ "select": [sum] }),
        json!({ "select": [{ "calc": { "operator": "+", "operands": [{ "field": "o.margin" }, { "value": 1 }] }, "as": "x" }] }),
        json!({ "select": number, "where": [above] }),
        json!({ "select": number, "orderBy": [{ "field": "o.margin" }] }),
        json!({ "select": count, "groupBy": ["o.status", "o.margin"] }),
        json!({ "select": count, "groupBy": ["o.status"], "having": [{ "left": sum, "operator": ">", "value": 0 }] }),
        json!({ "select": number, "summaries": [sum] }),
        json!({ "select": number, "join": [join] }),
        json!({ "select": number, "where": [{ "exists": { "from": { "model": "product", "as": "p" }, "where": [{ "field": "p.price", "operator": "<", "right": { "field": "o.margin" } }] } }] }),
    ] {
        let told = world.query_error(&anna, orders(&parts)).await;
        let expected = "unknown field `margin` of `order`; there are `id`, `number`, `customer`, `status`, `ordered_on`, `shipped_on`, `total`, `note`, `lines`, `version`";
        assert!(told.ends_with(expected), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        let made_up = parts.to_string().replace("margin", "mqrgxn");
        let made_up = serde_json::from_str(&made_up).unwrap();
        let other = world.query_error(&anna, orders(&made_up)).await;
        assert_eq!(told, other.replace("mqrgxn", "margin"));
    }
}

fn narrowed(access: Access, narrowing: Narrowing) -> Access {
    Access {
        narrowing,
        ..access
    }
}

async fn a_model_without_right_is_unknown_and_a_lost_operation_is_named(on: On) {
    let world = World::small_on(on).await;
    let only_orders = Narrowing {
        models: Some(BTreeSet::from(["order".to_owned()])),
        ..Narrowing::default()
    };
    let agent = narrowed(world.manager(), only_orders);
    let with = |model: &str| {
        let on = json!([{ "field": "x.id", "operator": "=", "right": { "field": "o.id" } }]);
        [
            json!({ "from": { "model": model, "as": "x" }, "select": [{ "field": "x.id" }] }),
            orders(
                &json!({ "select": [{ "field": "o.id" }], "join": [{ "model": model, "as": "x", "on": on }] }),
            ),
            orders(
                &json!({ "select": [{ "field": "o.id" }], "where": [{ "exists": { "from": { "model": model, "as": "x" } } }] }),
            ),
        ]
    };
    for (hidden, made_up) in with("customer").into_iter().zip(with("cstmr")) {
        let told = world.query_error(&agent, hidden).await;
        assert!(
            told.ends_with("unknown model `customer`; there are `order`"),
            "{told}"
        );
        let other = world.query_error(&agent, made_up).await;
        assert_eq!(told, other.replace("cstmr", "customer"));
    }
    let path = orders(&json!({ "select": [{ "field": "o.customer.name" }] }));
    let told = world.query_error(&agent, path).await;
    assert_eq!(
        told,
        "/select/0/field: `customer` leads to records that you can't read"
    );
    let id = orders(
        &json!({ "select": [{ "field": "o.customer" }, { "fn": "count" }], "groupBy": ["o.customer"] }),
    );
    assert_eq!(
        world.rows(&agent, id).await,
        [[Value::Null, json!(3)]],
        "withheld ids are one"
    );
    let writer = Narrowing {
        models: None,
        operations: Some(BTreeSet::from([Operation::Create])),
        ..Narrowing::default()
    };
    let agent = narrowed(world.manager(), writer);
    let told = world.query_error(&agent, with("customer")[0].clone()).await;
    assert_eq!(told, "/from/model: you may not read `customer` records");
}

async fn what_another_person_has_is_not_counted_sorted_or_found(on: On) {
    let world = World::small_on(on).await;
    let (anna, manager) = (world.anna(), world.manager());
    let lines = json!({ "from": { "model": "order_line", "as": "l" }, "where": [{ "field": "l.product", "operator": "=", "right": { "field": "p.id" } }] });
    let on = json!([{ "field": "o.total", "operator": ">", "right": { "field": "p.price" } }]);
    for (query, own, all) in [
        (
            orders(
                &json!({ "select": [{ "fn": "count" }, { "fn": "max", "field": "o.total" }, { "fn": "min", "field": "o.ordered_on" }] }),
            ),
            json!([[2, "100.00", "2026-02-10"]]),
            json!([[3, "100.00", "2026-02-10"]]),
        ),
        (
            json!({ "from": { "model": "product", "as": "p" }, "select": [{ "field": "p.sku" }], "where": [{ "exists": lines }] }),
            json!([["P-1"]]),
            json!([["P-1"], ["P-2"]]),
        ),
        (
            json!({ "from": { "model": "product", "as": "p" }, "join": [{ "model": "order", "as": "o", "type": "left", "on": on }], "select": [{ "field": "p.sku" }, { "fn": "count", "field": "o.id" }], "groupBy": ["p.sku"] }),
            json!([["P-1", 2], ["P-2", 2]]),
            json!([["P-1", 3], ["P-2", 3]]),
        ),
        (
            json!({ "from": { "model": "customer", "as": "c" }, "join": [{ "field": "c.orders", "as": "o", "type": "left" }], "select": [{ "field": "c.name" }, { "fn": "count", "field": "o.id" }], "groupBy": ["c.name"] }),
            json!([["Ada", 2], ["Aldo", 0]]),
            json!([["Ada", 2], ["Aldo", 0], ["Bob", 1]]),
        ),
    ] {
        let seen = world.rows(&anna, query.clone()).await;
        assert_eq!(json!(seen), own, "{query}");
        assert_eq!(json!(world.rows(&manager, query).await), all);
    }
}
