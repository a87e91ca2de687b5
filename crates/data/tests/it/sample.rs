use std::collections::BTreeMap;

use jiff::civil::{Date, date};
use serde_json::{Value, json};
use toolcrib::id::UserId;
use toolcrib_data::records::{Access, sample};

use crate::support::{ANNA, BEN, SLUG, World};

async fn filled(seed: u64) -> World {
    filled_on(seed, date(2026, 3, 15)).await
}

async fn filled_on(seed: u64, today: Date) -> World {
    let world = World::with(sample::FILES).await;
    let people = [
        (UserId::mint(), ANNA.to_owned()),
        (UserId::mint(), BEN.to_owned()),
    ];
    let mut unit = world.store.unit().await.unwrap();
    let counts = sample::fill(&mut unit, SLUG, &world.catalog, seed, today, &people)
        .await
        .unwrap();
    unit.commit().await.unwrap();
    assert_eq!(
        (counts.customers, counts.products, counts.orders),
        (180, 108, 900)
    );
    assert!(
        counts.order_lines > 2000 && counts.invoices > 500,
        "{counts:?}"
    );
    world
}

/// All records of a model, page by page.
async fn all(world: &World, model: &str) -> Vec<Value> {
    let mut records = Vec::new();
    loop {
        let page = json!({ "model": model, "limit": 100, "offset": records.len() });
        let answer = world.search(&world.manager(), page).await.unwrap();
        let page = answer["records"].as_array().unwrap();
        if page.is_empty() {
            return records;
        }
        records.extend(page.iter().cloned());
    }
}

fn cents(value: &Value) -> i64 {
    value.as_str().unwrap().replace('.', "").parse().unwrap()
}

#[tokio::test]
async fn totals_are_the_sums_of_the_lines_to_the_cent() {
    let world = filled(7).await;
    let products: BTreeMap<i64, Value> = all(&world, "product")
        .await
        .into_iter()
        .map(|product| (product["id"].as_i64().unwrap(), product))
        .collect();
    let mut sums: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
    for line in all(&world, "order_line").await {
        let product = &products[&line["product"]["id"].as_i64().unwrap()];
        let quantity = line["quantity"].as_i64().unwrap();
        let (price, cost) = (cents(&product["price"]), cents(&product["cost"]));
        assert_eq!(cents(&line["unit_price"]), price);
        assert_eq!(cents(&line["line_total"]), price * quantity);
        assert_eq!(cents(&line["margin"]), (price - cost) * quantity);
        let sum = sums
            .entry(line["order"]["id"].as_i64().unwrap())
            .or_default();
        *sum = (sum.0 + price * quantity, sum.1 + (price - cost) * quantity);
    }
    let orders = all(&world, "order").await;
    assert_eq!(orders.len(), 900);
    assert_eq!(orders[0]["number"], "SO-10001");
    let mut totals = BTreeMap::new();
    for order in &orders {
        let id = order["id"].as_i64().unwrap();
        assert_eq!(
            sums[&id],
            (cents(&order["total"]), cents(&order["margin"])),
            "{order}"
        );
        totals.insert(id, order["total"].clone());
    }
    for invoice in all(&world, "invoice").await {
        assert_eq!(
            invoice["amount"],
            totals[&invoice["order"]["id"].as_i64().unwrap()]
        );
    }
}

#[tokio::test]
async fn the_same_seed_makes_the_same_shop() {
    let (one, same, other) = (filled(7).await, filled(7).await, filled(8).await);
    for model in ["customer", "order", "invoice"] {
        let (one, same, other) = (
            all(&one, model).await,
            all(&same, model).await,
            all(&other, model).await,
        );
        assert_eq!(one, same, "{model}");
        assert_ne!(one, other, "{model}");
    }
}

#[tokio::test]
async fn the_roles_share_the_shop_and_last_month_has_orders() {
    let world = filled(7).await;
    let total = async |access: &Access, search: Value| {
        world.search(access, search).await.unwrap()["total"]
            .as_u64()
            .unwrap()
    };
    let (anna, ben, manager) = (world.anna(), world.access(BEN, &["sales"]), world.manager());
    for model in ["customer", "order", "order_line", "invoice"] {
        let of = json!({ "model": model });
        let (a, b) = (
            total(&anna, of.clone()).await,
            total(&ben, of.clone()).await,
        );
        assert!(a > 0 && b > 0, "{model}");
        assert_eq!(a + b, total(&manager, of).await, "{model}");
    }
    let last_month = json!({ "field": "ordered_on", "operator": "between", "value": "startOf:month-1m", "value2": "endOf:month-1m" });
    assert!(total(&anna, json!({ "model": "order", "criteria": last_month })).await > 10);
    let top = json!({ "model": "order", "fields": ["number", "total", "customer.sales_person"], "order": [{ "field": "total", "direction": "desc" }], "limit": 100 });
    for record in world.search(&anna, top).await.unwrap()["records"]
        .as_array()
        .unwrap()
    {
        assert_eq!(record["customer.sales_person"], ANNA);
    }
}

/// Every day as how long ago it was.
fn aged(value: &Value, today: Date) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.clone(), aged(member, today)))
            .collect(),
        Value::String(text) => match text.parse::<Date>() {
            Ok(day) => json!({ "daysAgo": (today - day).get_days() }),
            Err(_) => value.clone(),
        },
        _ => value.clone(),
    }
}

#[tokio::test]
async fn made_on_another_day_it_is_the_same_shop() {
    let mut shops = Vec::new();
    for today in [date(2024, 2, 29), date(2026, 12, 31)] {
        let world = filled_on(7, today).await;
        let mut shop = Vec::new();
        for model in ["customer", "product", "order", "order_line", "invoice"] {
            let records = all(&world, model).await;
            shop.extend(records.iter().map(|record| aged(record, today)));
        }
        shops.push(shop);
    }
    assert!(shops[0].len() > 3000);
    assert!(shops[0] == shops[1], "the shops differ");
}
