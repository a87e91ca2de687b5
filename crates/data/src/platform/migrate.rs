use sqlx::{Row, SqliteConnection};

use crate::sqlite::exec;
use crate::{Clock, StoreError};

/// The migrations in order; a landed one never changes.
const MIGRATIONS: &[(i64, &str)] = &[
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
    for (version, sql) in MIGRATIONS.iter().filter(|(version, _)| *version > applied) {
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
