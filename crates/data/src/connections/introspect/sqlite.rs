use std::collections::BTreeMap;

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::kind::Kind;
use super::{Column, Facts, Found, KeyColumn, Reference, Table, statement};
use crate::StoreError;
use crate::records::{ColumnType, FieldType};

const FILE: &str = include_str!("sqlite.sql");

pub(super) async fn tables(conn: &mut SqliteConnection) -> Result<Vec<Table>, StoreError> {
    let mut found = Found::default();
    let mut views: Vec<Option<String>> = vec![None];
    for row in sqlx::query(statement(FILE, "relations"))
        .fetch_all(&mut *conn)
        .await?
    {
        let (name, kind): (String, String) = (row.try_get("name")?, row.try_get("kind")?);
        if kind == "view" {
            views.push(Some(name.clone()));
        }
        found.add(Table {
            name,
            is_writable: kind == "table",
            ..Table::default()
        });
    }
    for view in views {
        let query = sqlx::query(statement(FILE, "columns")).bind(view.as_deref());
        let rows = match (query.fetch_all(&mut *conn).await, &view) {
            (Ok(rows), _) => rows,
            // A view whose table is gone.
            (Err(error), Some(view)) => {
                tracing::warn!(%error, view, "a view can't be read");
                continue;
            }
            (Err(error), None) => return Err(error.into()),
        };
        for row in rows {
            let name: String = row.try_get("relation")?;
            let column = column(&row)?;
            let place: i64 = row.try_get("key_position")?;
            if let Some(table) = found.table(None, &name) {
                if place > 0 {
                    table.key.push(column.name.clone());
                }
                table.columns.push(column);
            }
        }
    }
    let mut keys: BTreeMap<String, Vec<KeyColumn>> = BTreeMap::new();
    for row in sqlx::query(statement(FILE, "keys"))
        .fetch_all(&mut *conn)
        .await?
    {
        let column = KeyColumn {
            key: row.try_get("key")?,
            is_primary: false,
            is_whole: true,
            column: row.try_get("name")?,
        };
        keys.entry(row.try_get("relation")?)
            .or_default()
            .push(column);
    }
    for (table, columns) in &keys {
        found.keys((None, table), columns);
    }
    let mut references = Vec::new();
    for row in sqlx::query(statement(FILE, "foreign_keys"))
        .fetch_all(&mut *conn)
        .await?
    {
        let reference = Reference {
            column: row.try_get("name")?,
            target_schema: None,
            target_table: row.try_get("target_relation")?,
            target_column: row.try_get("target_name")?,
        };
        let key: i64 = row.try_get("key")?;
        references.push((None, row.try_get("relation")?, key.to_string(), reference));
    }
    found.references(references);
    Ok(found.finish())
}

fn column(row: &SqliteRow) -> Result<Column, StoreError> {
    let declared: String = row.try_get("type")?;
    let kind = kind(&declared);
    let is_rowid = row.try_get::<Option<i64>, _>("is_rowid")? == Some(1);
    let facts = Facts {
        name: row.try_get("name")?,
        is_nullable: row.try_get::<i64, _>("nullable")? == 1,
        has_default: is_rowid
            || row
                .try_get::<Option<String>, _>("default_expression")?
                .is_some(),
        is_generated: row.try_get::<i64, _>("is_generated")? == 1,
        comment: None,
        length: sized(&declared).0,
        declared,
    };
    Ok(facts.column(kind))
}

/// The numbers of a declared type: `DECIMAL(14, 2)`.
fn sized(declared: &str) -> (Option<i64>, Option<i64>) {
    let Some((_, rest)) = declared.split_once('(') else {
        return (None, None);
    };
    let mut numbers = rest
        .trim_end()
        .trim_end_matches(')')
        .split(',')
        .map(|number| number.trim().parse().ok());
    (numbers.next().flatten(), numbers.next().flatten())
}

/// A type is a word, and what it says counts.
fn kind(declared: &str) -> Kind {
    let lower = declared.to_lowercase();
    let word = lower.split('(').next().unwrap_or_default().trim();
    let (first, second) = sized(&lower);
    match word {
        "boolean" | "bool" => Kind::new(FieldType::Boolean, ColumnType::Boolean),
        "date" => Kind::new(FieldType::Date, ColumnType::Date),
        "time" => Kind::new(FieldType::Time, ColumnType::Time),
        "datetime" | "timestamp" => Kind::new(FieldType::Datetime, ColumnType::Timestamp),
        "uuid" => Kind::new(FieldType::Uuid, ColumnType::Uuid),
        "json" => Kind::new(FieldType::Json, ColumnType::Json),
        "decimal" | "numeric" => Kind::decimal(first, second.or(first.map(|_| 0))),
        "blob" => Kind::file(),
        word if word.contains("int") => Kind::new(FieldType::Integer, ColumnType::Integer),
        word if word.contains("char") => Kind::text(first, ColumnType::Text),
        word if word.contains("text") || word.contains("clob") => {
            Kind::text(None, ColumnType::Text)
        }
        word if word.contains("real") || word.contains("floa") || word.contains("doub") => {
            Kind::new(FieldType::Float, ColumnType::Float)
        }
        _ => Kind::other(),
    }
}
