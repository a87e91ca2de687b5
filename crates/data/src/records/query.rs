//! Queries: what a caller writes, checked against the models and compiled for one user.
//!
//! - [`input`] is what is written; [`limits`] bounds it before anything walks it.
//! - [`compiler`] checks it and makes expressions of it, in one walk with a file for each part.
//! - [`shown`] is the only way to a stored value: through the user's eyes.
//! - [`build`] puts the statements together, and [`answer`] makes rows of what they find.
//!
//! Rows that are grouped are a derived table with the keys and the arguments of the aggregates
//! as columns; groups are made of its columns alone. No expression of a query can fail in the
//! database: a failure could tell of rows that the user does not see.

mod aggregate;
mod alike;
mod answer;
mod build;
mod calc;
mod case;
mod compiler;
mod dates;
mod filter;
mod function;
pub(super) mod input;
mod level;
mod limits;
mod literal;
mod operand;
mod order;
pub(super) mod params;
pub(super) mod saved;
mod shown;
mod source;
mod subquery;
mod summaries;
mod tables;
mod typed;

use serde_json::Value;

use self::build::Built;
use self::input::QueryInput;
use self::params::Params;
use super::access::Access;
use super::error::RecordError;
use super::read::storage;
use super::run_sql::{Statement, rows_within};
use super::values::cell::Cell;
use crate::ReadFrom;
use crate::conn::Conn;

/// Answers a query with what the user may read.
///
/// # Errors
/// When the query doesn't fit the models, with all problems at once, or a result does not fit.
pub async fn query(
    from: &mut impl ReadFrom,
    access: &Access,
    input: &QueryInput,
    params: &Params,
) -> Result<Value, RecordError> {
    run(from, build::build(access, input, params)?, PORTIONS).await
}

/// How much work a statement may take; it is some seconds of a core.
const PORTIONS: u32 = 500;

async fn run(from: &mut impl ReadFrom, built: Built, portions: u32) -> Result<Value, RecordError> {
    let mut conn = from.as_conn().await?;
    let page = found(&mut conn, built.page, portions).await?;
    let summaries = match built.summaries {
        Some((statement, columns)) => {
            let found = found(&mut conn, statement, portions).await?;
            Some((found, columns))
        }
        None => None,
    };
    let window = (built.limit, built.offset);
    answer::answer(&built.columns, page, summaries, window)
}

async fn found(
    conn: &mut Conn<'_>,
    statement: Statement,
    portions: u32,
) -> Result<Vec<Vec<Cell>>, RecordError> {
    let found = rows_within(conn, statement, portions).await;
    found.map_err(storage)?.ok_or_else(|| {
        let message = "takes too long; narrow it with `where`, join on `=`, or join fewer models";
        RecordError::one("", message)
    })
}
