//! A small table on a connection by which a write that was cut off is settled: whether it is there,
//! and what came of it. It is made only where the administrator agreed.

use sqlx::Row;

use crate::StoreError;
use crate::conn::Conn;

const CREATE: &str = "CREATE TABLE IF NOT EXISTS toolcrib_calls \
     (call_id VARCHAR(36) PRIMARY KEY, result TEXT NOT NULL, written_at BIGINT NOT NULL)";
/// MySQL's own TEXT holds 64 KiB.
const CREATE_MYSQL: &str = "CREATE TABLE IF NOT EXISTS toolcrib_calls \
     (call_id VARCHAR(36) PRIMARY KEY, result LONGTEXT NOT NULL, written_at BIGINT NOT NULL)";

/// Marks of this age settle nothing any more, in microseconds.
const KEPT: i64 = 7 * 24 * 3_600 * 1_000_000;

/// Makes the table.
pub(super) async fn create(conn: &mut Conn<'_>) -> Result<(), StoreError> {
    let create = match conn {
        Conn::Mysql(_) => CREATE_MYSQL,
        Conn::Sqlite(_) | Conn::Postgres(_) => CREATE,
    };
    conn.exec(create.to_owned()).await
}

/// Drops marks that have served; an error if there is no table.
pub(super) async fn prune(conn: &mut Conn<'_>, now: i64) -> Result<(), StoreError> {
    let old = now.saturating_sub(KEPT);
    conn.exec(format!(
        "DELETE FROM toolcrib_calls WHERE written_at < {old}"
    ))
    .await
}

/// Marks the call as written, in its own transaction.
pub(crate) async fn set(
    conn: &mut Conn<'_>,
    call: &str,
    result: &str,
    now: i64,
) -> Result<(), StoreError> {
    const NUMBERED: &str =
        "INSERT INTO toolcrib_calls (call_id, result, written_at) VALUES ($1, $2, $3)";
    const PLAIN: &str = "INSERT INTO toolcrib_calls (call_id, result, written_at) VALUES (?, ?, ?)";
    match conn {
        Conn::Sqlite(conn) => {
            let query = sqlx::query(NUMBERED).bind(call).bind(result).bind(now);
            query.execute(&mut **conn).await?;
        }
        Conn::Postgres(conn) => {
            let query = sqlx::query(NUMBERED).bind(call).bind(result).bind(now);
            query.execute(&mut **conn).await?;
        }
        Conn::Mysql(conn) => {
            let query = sqlx::query(PLAIN).bind(call).bind(result).bind(now);
            query.execute(&mut **conn).await?;
        }
    }
    Ok(())
}

/// What came of the call, if it was written.
pub(super) async fn find(conn: &mut Conn<'_>, call: &str) -> Result<Option<String>, StoreError> {
    const NUMBERED: &str = "SELECT result FROM toolcrib_calls WHERE call_id = $1";
    const PLAIN: &str = "SELECT result FROM toolcrib_calls WHERE call_id = ?";
    Ok(match conn {
        Conn::Sqlite(conn) => {
            let row = sqlx::query(NUMBERED).bind(call).fetch_optional(&mut **conn);
            row.await?.map(|row| row.try_get(0)).transpose()?
        }
        Conn::Postgres(conn) => {
            let row = sqlx::query(NUMBERED).bind(call).fetch_optional(&mut **conn);
            row.await?.map(|row| row.try_get(0)).transpose()?
        }
        Conn::Mysql(conn) => {
            let row = sqlx::query(PLAIN).bind(call).fetch_optional(&mut **conn);
            row.await?.map(|row| row.try_get(0)).transpose()?
        }
    })
}
