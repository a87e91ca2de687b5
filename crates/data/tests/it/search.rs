use serde_json::{Value, json};

use crate::databases::On;
use crate::support::{World, ids};

on_each!(
    every_operator_finds_what_it_says,
    filters_nest,
    dates_are_said_from_the_clock,
    wildcards_in_plain_text_are_plain,
    nulls_come_last_both_ways_and_ids_settle_the_rest,
    a_null_matches_neither_a_comparison_nor_its_negation,
    pages_have_a_total_and_dotted_fields,
);

fn compares(field: &str, operator: &str, value: impl Into<Value>) -> Value {
    json!({ "field": field, "operator": operator, "value": value.into() })
}

fn orders(criteria: &Value) -> Value {
    json!({ "model": "order", "criteria": criteria })
}

async fn every_operator_finds_what_it_says(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    for (criteria, expected) in [
        (compares("status", "=", json!("draft")), vec![1]),
        (compares("status", "!=", json!("draft")), vec![2, 3]),
        (
            compares("status", "in", json!(["draft", "confirmed"])),
            vec![1, 3],
        ),
        (
            compares("status", "notIn", json!(["draft", "confirmed"])),
            vec![2],
        ),
        (compares("total", ">", json!("75")), vec![1]),
        (compares("total", ">=", json!("75.00")), vec![1, 3]),
        (compares("total", "<", json!(75)), vec![2]),
        (compares("total", "<=", json!(75.0)), vec![2, 3]),
        (
            json!({ "field": "total", "operator": "between", "value": "50.50", "value2": "75" }),
            vec![2, 3],
        ),
        (
            json!({ "field": "total", "operator": "notBetween", "value": "50.50", "value2": "75" }),
            vec![1],
        ),
        (compares("number", "like", json!("so-_")), vec![1, 2, 3]),
        (compares("number", "notLike", json!("%-1")), vec![2, 3]),
        (
            compares("number", "startsWith", json!("so-")),
            vec![1, 2, 3],
        ),
        (compares("number", "endsWith", json!("-3")), vec![3]),
        (compares("number", "contains", json!("o-2")), vec![2]),
        (compares("number", "=", json!("so-1")), vec![]),
        (
            json!({ "field": "shipped_on", "operator": "isNull" }),
            vec![1, 2, 3],
        ),
        (
            json!({ "field": "shipped_on", "operator": "isNotNull" }),
            vec![],
        ),
        (compares("customer", "=", json!(2)), vec![3]),
        (compares("customer", "in", json!(["1"])), vec![1, 2]),
        (compares("customer.country", "=", json!("de")), vec![1, 2]),
        (compares("customer.name", "contains", json!("OB")), vec![3]),
        (compares("id", "=", json!("2")), vec![2]),
        (compares("version", "=", json!(1)), vec![1, 2, 3]),
    ] {
        assert_eq!(
            world.ids(&manager, orders(&criteria)).await,
            expected,
            "{criteria}"
        );
    }
}

async fn filters_nest(on: On) {
    let world = World::small_on(on).await;
    let criteria = json!({ "operator": "and", "criteria": [
        { "operator": "or", "criteria": [compares("status", "=", json!("draft")), compares("status", "=", json!("shipped"))] },
        { "operator": "not", "criteria": [compares("total", ">", json!("60"))] },
    ] });
    assert_eq!(world.ids(&world.manager(), orders(&criteria)).await, [2]);
}

async fn dates_are_said_from_the_clock(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    // It is 15 March 2026.
    for (criteria, expected) in [
        (compares("ordered_on", ">=", json!("-7d")), vec![1]),
        (
            compares("ordered_on", ">=", json!("startOf:month")),
            vec![1, 3],
        ),
        (compares("ordered_on", "=", json!("today-1d")), vec![1]),
        (
            json!({ "field": "ordered_on", "operator": "between", "value": "startOf:month-1m", "value2": "endOf:month-1m" }),
            vec![2],
        ),
    ] {
        assert_eq!(
            world.ids(&manager, orders(&criteria)).await,
            expected,
            "{criteria}"
        );
    }
}

async fn wildcards_in_plain_text_are_plain(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    let customer = |name: &str, n: u8| json!({ "name": name, "email": format!("w{n}@x.example"), "country": "de" });
    let made = world
        .create(&manager, json!({ "model": "customer", "records": [customer("50% off_1", 1), customer("50x off11", 2), customer("back\\slash", 3)] }))
        .await;
    let made = ids(&made);
    for (operator, text, expected) in [
        ("contains", "50% off", vec![made[0]]),
        ("contains", "f_1", vec![made[0]]),
        ("startsWith", "50%", vec![made[0]]),
        ("endsWith", "_1", vec![made[0]]),
        ("contains", "\\", vec![made[2]]),
        ("contains", "%", vec![made[0]]),
        ("like", "50_ off%", vec![made[0], made[1]]),
        ("like", "50\\% off%", vec![made[0]]),
    ] {
        let search =
            json!({ "model": "customer", "criteria": compares("name", operator, json!(text)) });
        assert_eq!(
            world.ids(&manager, search).await,
            expected,
            "{operator} {text}"
        );
    }
}

async fn nulls_come_last_both_ways_and_ids_settle_the_rest(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    world
        .update(
            &manager,
            json!({ "model": "order", "id": 2, "values": { "shipped_on": "2026-02-12" } }),
        )
        .await
        .unwrap();
    for direction in ["asc", "desc"] {
        let search = json!({ "model": "order", "order": [{ "field": "shipped_on", "direction": direction }] });
        assert_eq!(world.ids(&manager, search).await, [2, 1, 3], "{direction}");
    }
    let search = json!({ "model": "order", "order": [{ "field": "customer.name", "direction": "desc" }, { "field": "total" }] });
    assert_eq!(world.ids(&manager, search).await, [3, 2, 1]);
}

async fn a_null_matches_neither_a_comparison_nor_its_negation(on: On) {
    let world = World::small_on(on).await;
    let manager = world.manager();
    for criteria in [
        compares("shipped_on", "=", json!("2026-01-01")),
        compares("shipped_on", "!=", json!("2026-01-01")),
        json!({ "operator": "not", "criteria": [compares("shipped_on", "=", json!("2026-01-01"))] }),
    ] {
        assert!(
            world.ids(&manager, orders(&criteria)).await.is_empty(),
            "{criteria}"
        );
    }
}

async fn pages_have_a_total_and_dotted_fields(on: On) {
    let world = World::small_on(on).await;
    let answer = world
        .search(&world.manager(), json!({ "model": "order", "fields": ["number", "customer.name", "customer"], "limit": 1, "offset": 1 }))
        .await
        .unwrap();
    assert_eq!(
        answer,
        json!({
            "model": "order",
            "records": [{ "id": 2, "number": "SO-2", "customer.name": "Ada", "customer": { "id": 1, "display": "Ada" } }],
            "total": 3, "totalIsExact": true, "limit": 1, "offset": 1,
        })
    );
}
