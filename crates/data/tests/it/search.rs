use serde_json::{Value, json};

use crate::support::{World, ids};

fn on(field: &str, operator: &str, value: impl Into<Value>) -> Value {
    json!({ "field": field, "operator": operator, "value": value.into() })
}

fn orders(criteria: &Value) -> Value {
    json!({ "model": "order", "criteria": criteria })
}

#[tokio::test]
async fn every_operator_finds_what_it_says() {
    let world = World::small().await;
    let manager = world.manager();
    for (criteria, expected) in [
        (on("status", "=", json!("draft")), vec![1]),
        (on("status", "!=", json!("draft")), vec![2, 3]),
        (
            on("status", "in", json!(["draft", "confirmed"])),
            vec![1, 3],
        ),
        (
            on("status", "notIn", json!(["draft", "confirmed"])),
            vec![2],
        ),
        (on("total", ">", json!("75")), vec![1]),
        (on("total", ">=", json!("75.00")), vec![1, 3]),
        (on("total", "<", json!(75)), vec![2]),
        (on("total", "<=", json!(75.0)), vec![2, 3]),
        (
            json!({ "field": "total", "operator": "between", "value": "50.50", "value2": "75" }),
            vec![2, 3],
        ),
        (
            json!({ "field": "total", "operator": "notBetween", "value": "50.50", "value2": "75" }),
            vec![1],
        ),
        (on("number", "like", json!("so-_")), vec![1, 2, 3]),
        (on("number", "notLike", json!("%-1")), vec![2, 3]),
        (on("number", "startsWith", json!("so-")), vec![1, 2, 3]),
        (on("number", "endsWith", json!("-3")), vec![3]),
        (on("number", "contains", json!("o-2")), vec![2]),
        (on("number", "=", json!("so-1")), vec![]),
        (
            json!({ "field": "shipped_on", "operator": "isNull" }),
            vec![1, 2, 3],
        ),
        (
            json!({ "field": "shipped_on", "operator": "isNotNull" }),
            vec![],
        ),
        (on("customer", "=", json!(2)), vec![3]),
        (on("customer", "in", json!(["1"])), vec![1, 2]),
        (on("customer.country", "=", json!("de")), vec![1, 2]),
        (on("customer.name", "contains", json!("OB")), vec![3]),
        (on("id", "=", json!("2")), vec![2]),
        (on("version", "=", json!(1)), vec![1, 2, 3]),
    ] {
        assert_eq!(
            world.ids(&manager, orders(&criteria)).await,
            expected,
            "{criteria}"
        );
    }
}

#[tokio::test]
async fn filters_nest() {
    let world = World::small().await;
    let criteria = json!({ "operator": "and", "criteria": [
        { "operator": "or", "criteria": [on("status", "=", json!("draft")), on("status", "=", json!("shipped"))] },
        { "operator": "not", "criteria": [on("total", ">", json!("60"))] },
    ] });
    assert_eq!(world.ids(&world.manager(), orders(&criteria)).await, [2]);
}

#[tokio::test]
async fn dates_are_said_from_the_clock() {
    let world = World::small().await;
    let manager = world.manager();
    // It is 15 March 2026.
    for (criteria, expected) in [
        (on("ordered_on", ">=", json!("-7d")), vec![1]),
        (on("ordered_on", ">=", json!("startOf:month")), vec![1, 3]),
        (on("ordered_on", "=", json!("today-1d")), vec![1]),
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

#[tokio::test]
async fn wildcards_in_plain_text_are_plain() {
    let world = World::small().await;
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
        let search = json!({ "model": "customer", "criteria": on("name", operator, json!(text)) });
        assert_eq!(
            world.ids(&manager, search).await,
            expected,
            "{operator} {text}"
        );
    }
}

#[tokio::test]
async fn nulls_come_last_both_ways_and_ids_settle_the_rest() {
    let world = World::small().await;
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

#[tokio::test]
async fn a_null_matches_neither_a_comparison_nor_its_negation() {
    let world = World::small().await;
    let manager = world.manager();
    for criteria in [
        on("shipped_on", "=", json!("2026-01-01")),
        on("shipped_on", "!=", json!("2026-01-01")),
        json!({ "operator": "not", "criteria": [on("shipped_on", "=", json!("2026-01-01"))] }),
    ] {
        assert!(
            world.ids(&manager, orders(&criteria)).await.is_empty(),
            "{criteria}"
        );
    }
}

#[tokio::test]
async fn pages_have_a_total_and_dotted_fields() {
    let world = World::small().await;
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
