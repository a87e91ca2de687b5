//! A hundred records created by one call, beside the same rows inserted directly.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use sqlx::SqliteConnection;
use toolcrib_counter::{Principal, ToolChange};
use toolcrib_runtime::{Runtime, RuntimeOptions};

use crate::rounds::{median, median_ratio, millis};
use crate::table::{About, Asked, Line, Table};
use crate::{folder, plain, tools};

const ROUNDS: usize = 61;
const RECORDS: usize = 100;

pub(crate) async fn measure(table: &mut Table) -> anyhow::Result<()> {
    let dir = folder::new()?;
    let runtime = Runtime::start(RuntimeOptions::new(dir.path())).await?;
    let user = runtime.user_by_email("mona@shop.test").await?;
    let manager = Principal::new(user.context("the sample has a manager")?, None);
    let user = runtime.user_by_email("admin@shop.test").await?;
    let admin = Principal::new(user.context("the sample has an administrator")?, None);
    let change = ToolChange {
        requires_approval: Some(false),
        ..ToolChange::default()
    };
    let counter = runtime.counter();
    counter
        .registry()
        .save(runtime.store(), &admin, "create_record", 1, &change)
        .await?;
    // The same table with the same rows in a database of its own: two that write to one take
    // each other's pages out of memory.
    let beside = folder::new()?;
    let other = Runtime::start(RuntimeOptions::new(beside.path())).await?;
    let path = other.store().path().unwrap_or(beside.path()).to_owned();
    other.stop_all().await;
    drop(other);
    let mut conn = plain::open(&path).await?;
    let (mut calls, mut inserts) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // They take turns in being first.
        if round % 2 == 0 {
            inserts.push(millis(insert(&mut conn, round).await?));
        }
        calls.push(millis(create(&runtime, &manager, round).await?));
        if round % 2 == 1 {
            inserts.push(millis(insert(&mut conn, round).await?));
        }
    }
    runtime.stop_all().await;
    table.add(Line {
        work: "create_record with 100 records, one call",
        ratio: Some(median_ratio(&calls, &inserts)),
        measured: median(calls),
        unit: "ms",
        beside: Some(("100 INSERTs in one transaction", median(inserts))),
        about: About::Ratio,
        asked: Some(Asked::AtMost(1.5)),
    });
    Ok(())
}

async fn create(runtime: &Runtime, manager: &Principal, round: usize) -> anyhow::Result<Duration> {
    let records: Vec<_> = (0..RECORDS)
        .map(|index| {
            json!({
                "name": format!("Company {index} of {round}"), "email": format!("called-{index}@{round}.test"),
                "city": "Ghent", "country": "nl", "sales_person": "sam@shop.test", "credit_limit": "1000.00",
            })
        })
        .collect();
    let arguments = json!({"model": "customer", "records": records}).to_string();
    let begin = Instant::now();
    tools::call(runtime.counter(), manager, "create_record", &arguments).await?;
    Ok(begin.elapsed())
}

async fn insert(conn: &mut SqliteConnection, round: usize) -> anyhow::Result<Duration> {
    let begin = Instant::now();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *conn).await?;
    for index in 0..RECORDS {
        sqlx::query(
            "INSERT INTO d_main_customer (name, email, city, country, sales_person, since, credit_limit, version) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(format!("Company {index} of {round}"))
        .bind(format!("plain-{index}@{round}.test"))
        .bind("Ghent")
        .bind("nl")
        .bind("sam@shop.test")
        .bind("2026-11-30")
        .bind(100_000)
        .bind(1)
        .execute(&mut *conn)
        .await?;
    }
    sqlx::query("COMMIT").execute(&mut *conn).await?;
    Ok(begin.elapsed())
}
