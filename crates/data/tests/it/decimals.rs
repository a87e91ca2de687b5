//! Decimals are exact, also where the database knows none.

use serde_json::{Value, json};

use crate::databases::On;
use crate::support::World;

const PRICES: &[(&str, &str)] = &[
    (
        "models/price.yaml",
        "name: price\nfields:\n  amount: { type: decimal, precision: 18, scale: 2 }\n",
    ),
    (
        "permissions/r.yaml",
        "role: r\ngrants:\n  - { models: '*', operations: '*' }\n",
    ),
];

async fn eighteen_digits_are_compared_and_summed_exactly(on: On) {
    let world = World::on(on, PRICES).await;
    let user = world.access("u@x", &["r"]);
    // The large ones differ where a floating-point number can't tell them apart.
    let amounts = [
        "0.10",
        "0.20",
        "-0.30",
        "9007199254740993.01",
        "9007199254740993.02",
        "-9007199254740993.03",
    ];
    let records: Vec<Value> = amounts
        .iter()
        .map(|amount| json!({ "amount": amount }))
        .collect();
    world
        .create(&user, json!({ "model": "price", "records": records }))
        .await;
    let sum = async |criteria: Value| {
        let query = json!({ "from": { "model": "price" }, "where": criteria,
            "select": [{ "fn": "sum", "field": "amount" }, { "fn": "count" }] });
        world.rows(&user, query).await.remove(0)
    };
    let where_ = |operator: &str, value: &str| json!([{ "field": "amount", "operator": operator, "value": value }]);
    let below_one = json!([
        { "field": "amount", "operator": "<", "value": "1" },
        { "field": "amount", "operator": ">", "value": "-1" },
    ]);
    assert_eq!(sum(below_one).await, [json!("0.00"), json!(3)]);
    assert_eq!(
        sum(json!([])).await,
        [json!("9007199254740993.00"), json!(6)]
    );
    for (operator, value, found) in [
        ("=", "9007199254740993.01", 1),
        (">", "9007199254740993.01", 1),
        (">=", "9007199254740993.01", 2),
        ("=", "9007199254740993.00", 0),
        ("<", "-9007199254740993.02", 1),
        ("<", "-9007199254740993.03", 0),
        ("=", "0.3", 0),
        ("=", "0.1", 1),
    ] {
        let answer = sum(where_(operator, value)).await;
        assert_eq!(answer[1], json!(found), "{operator} {value}");
    }
    let search = json!({ "model": "price", "order": [{ "field": "amount", "direction": "desc" }] });
    assert_eq!(world.ids(&user, search).await, [5, 4, 2, 1, 3, 6]);
}

mod eighteen_digits {
    use crate::databases::On;

    #[tokio::test]
    async fn on_main() {
        super::eighteen_digits_are_compared_and_summed_exactly(On::Main).await;
    }

    #[tokio::test]
    async fn on_main_postgres() {
        super::eighteen_digits_are_compared_and_summed_exactly(On::MainPostgres).await;
    }

    // A table of somebody else in SQLite holds floating-point numbers.

    #[tokio::test]
    async fn on_postgres() {
        super::eighteen_digits_are_compared_and_summed_exactly(On::Postgres).await;
    }

    #[tokio::test]
    async fn on_mysql() {
        super::eighteen_digits_are_compared_and_summed_exactly(On::Mysql).await;
    }
}
