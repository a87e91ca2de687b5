use sqlx::{PgPool, Row, SqliteConnection};

use crate::sqlite::exec;
use crate::{Clock, StoreError};

/// The migrations in order; a landed one never changes.
const SQLITE: &[(i64, &str)] = &[
    (1, include_str!("../../migrations/sqlite/0001_platform.sql")),
    (2, include_str!("../../migrations/sqlite/0002_models.sql")),
    (3, include_str!("../../migrations/sqlite/0003_trials.sql")),
    (
        4,
        include_str!("../../migrations/sqlite/0004_restrictions.sql"),
    ),
    (
        5,
        include_str!("../../migrations/sqlite/0005_saved_queries.sql"),
    ),
    (6, include_str!("../../migrations/sqlite/0006_activity.sql")),
    (
        7,
        include_str!("../../migrations/sqlite/0007_documents.sql"),
    ),
    (8, include_str!("../../migrations/sqlite/0008_audit.sql")),
    (
        9,
        include_str!("../../migrations/sqlite/0009_approvals.sql"),
    ),
    (10, include_str!("../../migrations/sqlite/0010_events.sql")),
    (11, include_str!("../../migrations/sqlite/0011_usage.sql")),
    (12, include_str!("../../migrations/sqlite/0012_keys.sql")),
    (13, include_str!("../../migrations/sqlite/0013_hooks.sql")),
    (
        14,
        include_str!("../../migrations/sqlite/0014_trial_runs.sql"),
    ),
];

/// The same for PostgreSQL, number for number.
const POSTGRES: &[(i64, &str)] = &[
    (
        1,
        include_str!("../../migrations/postgres/0001_platform.sql"),
    ),
    (2, include_str!("../../migrations/postgres/0002_models.sql")),
    (3, include_str!("../../migrations/postgres/0003_trials.sql")),
    (
        4,
        include_str!("../../migrations/postgres/0004_restrictions.sql"),
    ),
    (
        5,
        include_str!("../../migrations/postgres/0005_saved_queries.sql"),
    ),
    (
        6,
        include_str!("../../migrations/postgres/0006_activity.sql"),
    ),
    (
        7,
        include_str!("../../migrations/postgres/0007_documents.sql"),
    ),
    (8, include_str!("../../migrations/postgres/0008_audit.sql")),
    (
        9,
        include_str!("../../migrations/postgres/0009_approvals.sql"),
    ),
    (
        10,
        include_str!("../../migrations/postgres/0010_events.sql"),
    ),
    (11, include_str!("../../migrations/postgres/0011_usage.sql")),
    (12, include_str!("../../migrations/postgres/0012_keys.sql")),
    (13, include_str!("../../migrations/postgres/0013_hooks.sql")),
    (
        14,
        include_str!("../../migrations/postgres/0014_trial_runs.sql"),
    ),
];

/// Brings the database up to date, each migration in a transaction of its own.
pub(crate) async fn run(conn: &mut SqliteConnection, clock: &Clock) -> Result<(), StoreError> {
    exec(
        conn,
        "CREATE TABLE IF NOT EXISTS tc_migrations (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
    )
    .await?;
    let row = sqlx::query("SELECT coalesce(max(version), 0) FROM tc_migrations")
        .fetch_one(&mut *conn)
        .await?;
    let applied: i64 = row.get(0);
    for (version, sql) in SQLITE.iter().filter(|(version, _)| *version > applied) {
        exec(conn, "BEGIN IMMEDIATE").await?;
        sqlx::raw_sql(*sql).execute(&mut *conn).await?;
        sqlx::query("INSERT INTO tc_migrations (version, applied_at) VALUES ($1, $2)")
            .bind(version)
            .bind(clock.micros())
            .execute(&mut *conn)
            .await?;
        exec(conn, "COMMIT").await?;
    }
    Ok(())
}

/// The number of the lock under which one server at a time migrates.
const LOCK: i64 = 0x7463_6d69;

/// Brings a PostgreSQL database up to date, while other servers wait.
pub(crate) async fn run_postgres(pool: &PgPool, clock: &Clock) -> Result<(), StoreError> {
    let mut transaction = pool.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(LOCK)
        .execute(&mut *transaction)
        .await?;
    sqlx::raw_sql(
        "CREATE TABLE IF NOT EXISTS tc_migrations (version BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL)",
    )
    .execute(&mut *transaction)
    .await?;
    let row = sqlx::query("SELECT coalesce(max(version), 0) FROM tc_migrations")
        .fetch_one(&mut *transaction)
        .await?;
    let applied: i64 = row.get(0);
    for (version, sql) in POSTGRES.iter().filter(|(version, _)| *version > applied) {
        sqlx::raw_sql(*sql).execute(&mut *transaction).await?;
        sqlx::query("INSERT INTO tc_migrations (version, applied_at) VALUES ($1, $2)")
            .bind(version)
            .bind(clock.micros())
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}
