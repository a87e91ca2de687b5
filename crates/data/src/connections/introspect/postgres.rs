use std::collections::BTreeMap;

use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row};

use super::kind::Kind;
use super::{Column, Facts, Found, KeyColumn, Reference, Table, statement};
use crate::StoreError;
use crate::records::{ColumnType, FieldType};

const FILE: &str = include_str!("postgres.sql");

pub(super) async fn tables(
    conn: &mut PgConnection,
    schemas: &[String],
) -> Result<Vec<Table>, StoreError> {
    let schemas = (!schemas.is_empty()).then_some(schemas);
    let mut found = Found::default();
    for row in rows(conn, "relations", schemas).await? {
        let may = |name: &str| row.try_get::<bool, _>(name);
        found.add(Table {
            schema: row.try_get("schema")?,
            name: row.try_get("name")?,
            comment: row.try_get("comment")?,
            is_writable: may("may_insert")? || may("may_update")? || may("may_delete")?,
            ..Table::default()
        });
    }
    for row in rows(conn, "columns", schemas).await? {
        let (schema, table): (String, String) = (row.try_get("schema")?, row.try_get("relation")?);
        let column = column(&row)?;
        if let Some(table) = found.table(Some(&schema), &table) {
            table.columns.push(column);
        }
    }
    let mut keys: BTreeMap<(String, String), Vec<KeyColumn>> = BTreeMap::new();
    for row in rows(conn, "keys", schemas).await? {
        let column = KeyColumn {
            key: row.try_get("key")?,
            is_primary: row.try_get("is_primary")?,
            is_whole: true,
            column: row.try_get("name")?,
        };
        let table = (row.try_get("schema")?, row.try_get("relation")?);
        keys.entry(table).or_default().push(column);
    }
    for ((schema, table), columns) in &keys {
        found.keys((Some(schema), table), columns);
    }
    let mut references = Vec::new();
    for row in rows(conn, "foreign_keys", schemas).await? {
        let reference = Reference {
            column: row.try_get("name")?,
            target_schema: row.try_get("target_schema")?,
            target_table: row.try_get("target_relation")?,
            target_column: row.try_get("target_name")?,
        };
        let schema = row.try_get("schema")?;
        references.push((
            schema,
            row.try_get("relation")?,
            row.try_get("key")?,
            reference,
        ));
    }
    found.references(references);
    Ok(found.finish())
}

async fn rows(
    conn: &mut PgConnection,
    name: &str,
    schemas: Option<&[String]>,
) -> Result<Vec<PgRow>, StoreError> {
    let query = sqlx::query(statement(FILE, name)).bind(schemas);
    Ok(query.fetch_all(conn).await?)
}

fn column(row: &PgRow) -> Result<Column, StoreError> {
    let automatic: Option<String> = row.try_get("automatic")?;
    let generated: Option<String> = row.try_get("generated")?;
    let facts = Facts {
        name: row.try_get("name")?,
        declared: row.try_get("type")?,
        is_nullable: row.try_get("nullable")?,
        has_default: automatic.is_some()
            || row
                .try_get::<Option<String>, _>("default_expression")?
                .is_some(),
        is_generated: generated.is_some() || automatic.as_deref() == Some("always"),
        comment: row.try_get("comment")?,
        length: row.try_get("length")?,
    };
    let kind = kind(row)?;
    Ok(facts.column(kind))
}

fn kind(row: &PgRow) -> Result<Kind, StoreError> {
    let base: String = row.try_get("base")?;
    let length: Option<i64> = row.try_get("length")?;
    if row.try_get("is_array")? {
        return Ok(Kind::other());
    }
    if row.try_get("is_enum")? {
        let labels: Option<String> = row.try_get("enum_values")?;
        let labels = labels.unwrap_or_default();
        let labels: Vec<String> = serde_json::from_str(&labels).unwrap_or_default();
        let (schema, name) = (row.try_get("base_schema")?, base);
        return Ok(Kind::selection(&labels, ColumnType::Enum { schema, name }));
    }
    if base == "citext" {
        return Ok(Kind::text(length, ColumnType::Loose));
    }
    if !row.try_get::<bool, _>("is_builtin")? {
        return Ok(Kind::other());
    }
    let is_loose = !row.try_get::<bool, _>("is_deterministic")?;
    let text = if is_loose {
        ColumnType::Loose
    } else {
        ColumnType::Text
    };
    Ok(match base.as_str() {
        "int2" | "int4" | "int8" => Kind::new(FieldType::Integer, ColumnType::Integer),
        "numeric" => Kind::decimal(row.try_get("precision")?, row.try_get("scale")?),
        "float4" | "float8" => Kind::new(FieldType::Float, ColumnType::Float),
        "bool" => Kind::new(FieldType::Boolean, ColumnType::Boolean),
        "varchar" | "text" | "name" => Kind::text(length, text),
        "bpchar" => Kind::text(length, ColumnType::Char),
        "date" => Kind::new(FieldType::Date, ColumnType::Date),
        "time" => Kind::new(FieldType::Time, ColumnType::Time),
        "timestamp" => Kind::new(FieldType::Datetime, ColumnType::Timestamp),
        "timestamptz" => Kind::new(FieldType::Datetime, ColumnType::Timestamptz),
        "uuid" => Kind::new(FieldType::Uuid, ColumnType::Uuid),
        "json" => Kind::new(FieldType::Json, ColumnType::Json),
        "jsonb" => Kind::new(FieldType::Json, ColumnType::Jsonb),
        "bytea" => Kind::file(),
        _ => Kind::other(),
    })
}
