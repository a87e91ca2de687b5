//! Statements of the platform's own rows: one text for both databases that they can be in.

use std::borrow::Cow;

use sqlx::database::HasStatementCache;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Database, Decode, Encode, IntoArguments, Row as _, Type};

use crate::StoreError;
use crate::conn::Conn;

/// A statement with numbered values; the text is this crate's own.
#[derive(Debug)]
pub(crate) struct Sql<'q> {
    text: Cow<'static, str>,
    values: Vec<Value<'q>>,
    holds_rows: bool,
}

/// A value of a statement.
#[derive(Debug)]
pub(crate) enum Value<'q> {
    Int(Option<i64>),
    Bool(bool),
    Text(Option<Cow<'q, str>>),
}

/// A statement without its values.
pub(crate) fn sql<'q>(text: impl Into<Cow<'static, str>>) -> Sql<'q> {
    Sql {
        text: text.into(),
        values: Vec::new(),
        holds_rows: false,
    }
}

impl<'q> Sql<'q> {
    /// Gives the next value.
    pub(crate) fn bind(mut self, value: impl Into<Value<'q>>) -> Self {
        self.values.push(value.into());
        self
    }

    /// Holds the rows that it finds until its unit ends: nobody else changes them, and what is read
    /// next was true together. SQLite has one writer, so there it is so anyway.
    pub(crate) fn holding(mut self) -> Self {
        self.holds_rows = true;
        self
    }

    /// Runs it; answers with how many rows it touched.
    pub(crate) async fn execute(self, conn: &mut Conn<'_>) -> Result<Done, StoreError> {
        let rows = match conn {
            Conn::Sqlite(conn) => {
                let query = query::<Sqlite>(self)?;
                query.execute(&mut **conn).await?.rows_affected()
            }
            Conn::Postgres(conn) => {
                let query = query::<Postgres>(self)?;
                query.execute(&mut **conn).await?.rows_affected()
            }
            Conn::Mysql(_) => return Err(StoreError::NotMain),
        };
        Ok(Done(rows))
    }

    /// All rows that it finds.
    pub(crate) async fn fetch_all(self, conn: &mut Conn<'_>) -> Result<Vec<Row>, StoreError> {
        Ok(match conn {
            Conn::Sqlite(conn) => {
                let query = query::<Sqlite>(self)?;
                let rows = query.fetch_all(&mut **conn).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Conn::Postgres(conn) => {
                let query = query::<Postgres>(self)?;
                let rows = query.fetch_all(&mut **conn).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
            Conn::Mysql(_) => return Err(StoreError::NotMain),
        })
    }

    /// The first row that it finds.
    pub(crate) async fn fetch_optional(
        self,
        conn: &mut Conn<'_>,
    ) -> Result<Option<Row>, StoreError> {
        Ok(match conn {
            Conn::Sqlite(conn) => {
                let query = query::<Sqlite>(self)?;
                query.fetch_optional(&mut **conn).await?.map(Row::Sqlite)
            }
            Conn::Postgres(conn) => {
                let query = query::<Postgres>(self)?;
                query.fetch_optional(&mut **conn).await?.map(Row::Postgres)
            }
            Conn::Mysql(_) => return Err(StoreError::NotMain),
        })
    }

    /// The one row that it finds.
    pub(crate) async fn fetch_one(self, conn: &mut Conn<'_>) -> Result<Row, StoreError> {
        let row = self.fetch_optional(conn).await?;
        row.ok_or(StoreError::from(sqlx::Error::RowNotFound))
    }
}

/// What a write did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done(u64);

impl Done {
    pub(crate) fn rows_affected(self) -> u64 {
        self.0
    }
}

/// A query of one of the two databases, with its values.
fn query<DB>(statement: Sql<'_>) -> Result<Query<'static, DB, DB::Arguments>, StoreError>
where
    DB: Database + HasStatementCache,
    DB::Arguments: IntoArguments<DB>,
    Option<i64>: Encode<'static, DB> + Type<DB>,
    Option<String>: Encode<'static, DB> + Type<DB>,
    bool: Encode<'static, DB> + Type<DB>,
{
    let mut arguments = DB::Arguments::default();
    for value in statement.values {
        let added = match value {
            Value::Int(n) => arguments.add(n),
            Value::Bool(b) => arguments.add(b),
            Value::Text(text) => arguments.add(text.map(Cow::into_owned)),
        };
        added.map_err(|source| StoreError::from(sqlx::Error::Encode(source)))?;
    }
    let mut text = statement.text.into_owned();
    if statement.holds_rows && DB::NAME == Postgres::NAME {
        text.push_str(" FOR NO KEY UPDATE");
    }
    let text = AssertSqlSafe(text);
    Ok(sqlx::query_with(text, arguments))
}

/// A row of either database.
#[derive(Debug)]
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    /// The value of a column.
    pub(crate) fn try_get<'r, T>(&'r self, column: &str) -> Result<T, sqlx::Error>
    where
        T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>,
    {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }

    /// The value of the column at that place.
    pub(crate) fn try_at<'r, T>(&'r self, index: usize) -> Result<T, sqlx::Error>
    where
        T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>,
    {
        match self {
            Self::Sqlite(row) => row.try_get(index),
            Self::Postgres(row) => row.try_get(index),
        }
    }
}

impl From<i64> for Value<'_> {
    fn from(n: i64) -> Self {
        Self::Int(Some(n))
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(n: Option<i64>) -> Self {
        Self::Int(n)
    }
}

impl From<bool> for Value<'_> {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl<'q> From<&'q str> for Value<'q> {
    fn from(text: &'q str) -> Self {
        Self::Text(Some(Cow::Borrowed(text)))
    }
}

impl<'q> From<&'q String> for Value<'q> {
    fn from(text: &'q String) -> Self {
        Self::Text(Some(Cow::Borrowed(text)))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Some(Cow::Owned(text)))
    }
}

impl<'q> From<Option<&'q str>> for Value<'q> {
    fn from(text: Option<&'q str>) -> Self {
        Self::Text(text.map(Cow::Borrowed))
    }
}

impl From<Option<String>> for Value<'_> {
    fn from(text: Option<String>) -> Self {
        Self::Text(text.map(Cow::Owned))
    }
}
