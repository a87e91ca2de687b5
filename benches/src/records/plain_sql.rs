//! What somebody would write by hand for the same answers.

use serde_json::{Value, json};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Connection as _, Row as _, SqliteConnection};

const COLUMNS: &str = "t.id, t.number, t.customer, c.name, t.ordered_on, t.total, t.sales_person, t.paid \
     FROM d_main_order t LEFT JOIN d_main_customer c ON c.id = t.customer";

pub(crate) async fn read(conn: &mut SqliteConnection, ids: &[i64]) -> anyhow::Result<Value> {
    let marks = vec!["?"; ids.len()].join(", ");
    let sql = format!("SELECT {COLUMNS} WHERE t.id IN ({marks})");
    let mut transaction = conn.begin().await?;
    let query = ids
        .iter()
        .fold(sqlx::query(AssertSqlSafe(sql)), |query, id| query.bind(*id));
    let rows = query.fetch_all(&mut *transaction).await?;
    transaction.rollback().await?;
    let mut records: Vec<(i64, Value)> = Vec::new();
    for row in &rows {
        records.push((row.try_get(0)?, record(row)?));
    }
    let in_order = ids.iter().filter_map(|id| {
        let found = records.iter().find(|(other, _)| other == id)?;
        Some(found.1.clone())
    });
    Ok(in_order.collect())
}

pub(crate) async fn search(conn: &mut SqliteConnection, least: i64) -> anyhow::Result<Value> {
    let email = "sales-7@shop.test";
    let mut transaction = conn.begin().await?;
    let sql = format!(
        "SELECT {COLUMNS} WHERE t.total > ? AND t.sales_person = ? \
         ORDER BY t.total DESC NULLS LAST, t.id LIMIT ? OFFSET ?"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(least * 100)
        .bind(email)
        .bind(20)
        .bind(0)
        .fetch_all(&mut *transaction)
        .await?;
    let count = sqlx::query(
        "SELECT count(*) FROM (SELECT 1 FROM d_main_order t WHERE t.total > ? AND t.sales_person = ? LIMIT 10001)",
    )
    .bind(least * 100)
    .bind(email)
    .fetch_one(&mut *transaction)
    .await?;
    transaction.rollback().await?;
    let _total: i64 = count.try_get(0)?;
    rows.iter().map(record).collect()
}

pub(crate) async fn query(conn: &mut SqliteConnection) -> anyhow::Result<Value> {
    let rows = sqlx::query(
        "SELECT r.name, count(*), sum(o.total) FROM d_main_order o \
         JOIN d_main_customer c ON c.id = o.customer JOIN d_main_region r ON r.id = c.region \
         GROUP BY r.name ORDER BY r.name LIMIT 101",
    )
    .fetch_all(conn)
    .await?;
    rows.iter()
        .map(|row| {
            let (name, count, total): (String, i64, i64) =
                (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            Ok(json!({"region": name, "orders": count, "total": money(total)}))
        })
        .collect()
}

fn record(row: &SqliteRow) -> anyhow::Result<Value> {
    let (customer, name): (i64, String) = (row.try_get(2)?, row.try_get(3)?);
    Ok(json!({
        "id": row.try_get::<i64, _>(0)?,
        "number": row.try_get::<String, _>(1)?,
        "customer": {"id": customer, "display": name},
        "ordered_on": row.try_get::<String, _>(4)?,
        "total": money(row.try_get(5)?),
        "sales_person": row.try_get::<String, _>(6)?,
        "paid": row.try_get::<bool, _>(7)?,
    }))
}

fn money(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
