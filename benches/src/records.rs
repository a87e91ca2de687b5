//! Records beside the same statements through the driver alone, on a million orders.

mod plain_sql;
mod shop;

use std::time::Instant;

use serde_json::{Value, json};
use toolcrib_data::records::{self, DescribeInput, Params, QueryInput, ReadInput, SearchInput};

use self::shop::Shop;
use crate::rounds::{median, median_ratio, micros, millis};
use crate::table::{About, Asked, Line, Table};

const ROUNDS: usize = 41;
/// A query over all orders takes a while.
const LONG_ROUNDS: usize = 7;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let mut shop = Shop::make().await?;
    table.add(describe(&shop)?);
    table.add(read(&mut shop).await?);
    table.add(search(&mut shop).await?);
    table.add(query(&mut shop).await?);
    Ok(())
}

fn describe(shop: &Shop) -> anyhow::Result<Line> {
    let input: DescribeInput = serde_json::from_value(json!({"model": "order"}))?;
    let access = shop.access("manager");
    let mut times = Vec::new();
    for _ in 0..1_000 {
        let begin = Instant::now();
        records::describe_model(&access, &input)?;
        times.push(micros(begin.elapsed()));
    }
    Ok(Line {
        work: "describe_model",
        measured: median(times),
        unit: "µs",
        beside: None,
        ratio: None,
        about: About::Measured,
        asked: Some(Asked::AtMost(100.0)),
    })
}

async fn read(shop: &mut Shop) -> anyhow::Result<Line> {
    let access = shop.access("manager");
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let ids: Vec<i64> = (0..20).map(|n| shop::scattered(round, n)).collect();
        let input: ReadInput = serde_json::from_value(json!({"model": "order", "ids": ids}))?;
        let begin = Instant::now();
        let answer = records::read(&mut shop.store.snapshot().await?, &access, &input).await?;
        let text = answer.to_string();
        ours.push(micros(begin.elapsed()));
        let begin = Instant::now();
        let beside = plain_sql::read(&mut shop.plain, &ids).await?;
        let beside = beside.to_string();
        plain.push(micros(begin.elapsed()));
        same(&text, &beside)?;
    }
    Ok(beside("read_record of 20 ids", "µs", ours, plain, 1.5))
}

async fn search(shop: &mut Shop) -> anyhow::Result<Line> {
    let access = shop.access("sales");
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let least = i64::try_from(round)?;
        let criteria = json!({"field": "total", "operator": ">", "value": format!("{least}.00")});
        let input = json!({"model": "order", "criteria": criteria, "order": [{"field": "total", "direction": "desc"}]});
        let input: SearchInput = serde_json::from_value(input)?;
        let begin = Instant::now();
        let answer = records::search(&mut shop.store.snapshot().await?, &access, &input).await?;
        let text = answer["records"].to_string();
        ours.push(micros(begin.elapsed()));
        let begin = Instant::now();
        let beside = plain_sql::search(&mut shop.plain, least).await?;
        let beside = beside.to_string();
        plain.push(micros(begin.elapsed()));
        same(&text, &beside)?;
    }
    let work = "search_records under a row condition, 1,000,000 orders";
    Ok(beside(work, "µs", ours, plain, 1.3))
}

async fn query(shop: &mut Shop) -> anyhow::Result<Line> {
    let access = shop.access("manager");
    let input = json!({
        "from": {"model": "order", "as": "o"},
        "join": [{"field": "o.customer", "as": "c"}, {"field": "c.region", "as": "r"}],
        "select": [{"field": "r.name", "as": "region"}, {"fn": "count", "as": "orders"}, {"fn": "sum", "field": "o.total", "as": "total"}],
        "groupBy": ["r.name"], "orderBy": [{"as": "region"}], "limit": 100,
    });
    let input: QueryInput = serde_json::from_value(input)?;
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..LONG_ROUNDS {
        let begin = Instant::now();
        let mut snapshot = shop.store.snapshot().await?;
        let answer = records::query(&mut snapshot, &access, &input, &Params::default()).await?;
        let text = answer["rows"].to_string();
        ours.push(millis(begin.elapsed()));
        let begin = Instant::now();
        let beside: Value = plain_sql::query(&mut shop.plain).await?;
        let beside = beside.to_string();
        plain.push(millis(begin.elapsed()));
        same(&text, &beside)?;
    }
    let work = "query_records, three models grouped, 1,000,000 orders";
    Ok(beside(work, "ms", ours, plain, 1.2))
}

/// Both have to do the same for the comparison to count.
fn same(ours: &str, plain: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        ours.contains(plain) || ours == plain,
        "{ours}\nis not\n{plain}"
    );
    Ok(())
}

fn beside(
    work: &'static str,
    unit: &'static str,
    ours: Vec<f64>,
    plain: Vec<f64>,
    most: f64,
) -> Line {
    Line {
        work,
        ratio: Some(median_ratio(&ours, &plain)),
        measured: median(ours),
        unit,
        beside: Some(("the same SQL through sqlx", median(plain))),
        about: About::Ratio,
        asked: Some(Asked::AtMost(most)),
    }
}
