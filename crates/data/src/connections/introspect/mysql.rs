use std::collections::{BTreeMap, BTreeSet};

use sqlx::mysql::MySqlRow;
use sqlx::{MySqlConnection, Row};

use super::kind::Kind;
use super::{Column, Facts, Found, KeyColumn, Reference, Table, statement};
use crate::StoreError;
use crate::records::{ColumnType, FieldType};

const FILE: &str = include_str!("mysql.sql");

pub(super) async fn tables(conn: &mut MySqlConnection) -> Result<Vec<Table>, StoreError> {
    let mut found = Found::default();
    for row in rows(conn, "relations").await? {
        found.add(Table {
            name: text(&row, "name")?,
            comment: optional(&row, "comment")?,
            is_writable: flag(&row, "is_updatable")? && flag(&row, "is_transactional")?,
            ..Table::default()
        });
    }
    let json = json_columns(conn).await;
    for row in rows(conn, "columns").await? {
        let table = text(&row, "relation")?;
        let is_json = json.contains(&(table.clone(), text(&row, "name")?));
        let column = column(&row, is_json)?;
        if let Some(table) = found.table(None, &table) {
            table.columns.push(column);
        }
    }
    let mut keys: BTreeMap<String, Vec<KeyColumn>> = BTreeMap::new();
    for row in rows(conn, "keys").await? {
        let column = KeyColumn {
            key: text(&row, "key")?,
            is_primary: flag(&row, "is_primary")?,
            is_whole: flag(&row, "is_whole")?,
            column: optional(&row, "name")?.unwrap_or_default(),
        };
        keys.entry(text(&row, "relation")?)
            .or_default()
            .push(column);
    }
    for (table, columns) in &keys {
        found.keys((None, table), columns);
    }
    let mut references = Vec::new();
    for row in rows(conn, "foreign_keys").await? {
        let reference = Reference {
            column: text(&row, "name")?,
            // The session's own database is the only one that is looked at.
            target_schema: None,
            target_table: text(&row, "target_relation")?,
            target_column: text(&row, "target_name")?,
        };
        references.push((None, text(&row, "relation")?, text(&row, "key")?, reference));
    }
    found.references(references);
    Ok(found.finish())
}

/// The columns that MariaDB holds as text and knows for JSON by their check alone.
async fn json_columns(conn: &mut MySqlConnection) -> BTreeSet<(String, String)> {
    // MySQL has a type for it, and not what the statement asks for.
    let Ok(rows) = rows(conn, "json").await else {
        return BTreeSet::new();
    };
    let names = rows.iter();
    let names =
        names.filter_map(|row| Some((text(row, "relation").ok()?, text(row, "name").ok()?)));
    names.collect()
}

async fn rows(conn: &mut MySqlConnection, name: &str) -> Result<Vec<MySqlRow>, StoreError> {
    Ok(sqlx::query(statement(FILE, name)).fetch_all(conn).await?)
}

/// Some versions tell names as bytes.
fn optional(row: &MySqlRow, name: &str) -> Result<Option<String>, StoreError> {
    let bytes: Option<Vec<u8>> = row.try_get_unchecked(name)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn text(row: &MySqlRow, name: &str) -> Result<String, StoreError> {
    Ok(optional(row, name)?.unwrap_or_default())
}

fn number(row: &MySqlRow, name: &str) -> Result<Option<i64>, StoreError> {
    Ok(row.try_get_unchecked(name)?)
}

fn flag(row: &MySqlRow, name: &str) -> Result<bool, StoreError> {
    Ok(number(row, name)? == Some(1))
}

fn column(row: &MySqlRow, is_json: bool) -> Result<Column, StoreError> {
    let default = optional(row, "default_expression")?;
    let facts = Facts {
        name: text(row, "name")?,
        declared: text(row, "type")?,
        is_nullable: flag(row, "nullable")?,
        has_default: flag(row, "is_auto_increment")?
            || default.is_some_and(|default| default != "NULL"),
        is_generated: optional(row, "generated")?.is_some(),
        comment: optional(row, "comment")?,
        length: number(row, "length")?,
    };
    let kind = kind(row, is_json)?;
    Ok(facts.column(kind))
}

fn kind(row: &MySqlRow, is_json: bool) -> Result<Kind, StoreError> {
    if is_json {
        return Ok(Kind::new(FieldType::Json, ColumnType::Json));
    }
    let (base, declared) = (text(row, "base")?, text(row, "type")?);
    let length = number(row, "length")?;
    // What another character set has not would be an error in a comparison.
    let charset = optional(row, "charset")?;
    let is_utf8 = matches!(
        charset.as_deref(),
        Some("utf8mb4" | "utf8mb3" | "utf8") | None
    );
    let words = if is_utf8 {
        ColumnType::Text
    } else {
        ColumnType::Loose
    };
    Ok(match base.as_str() {
        "tinyint" if declared.starts_with("tinyint(1)") => {
            Kind::new(FieldType::Boolean, ColumnType::Boolean)
        }
        "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "year" => {
            Kind::new(FieldType::Integer, ColumnType::Integer)
        }
        "decimal" => Kind::decimal(number(row, "precision")?, number(row, "scale")?),
        "float" | "double" => Kind::new(FieldType::Float, ColumnType::Float),
        "varchar" | "char" | "tinytext" | "text" | "mediumtext" | "longtext" => {
            Kind::text(length, words)
        }
        "enum" => Kind::selection(&members(&declared), words),
        "date" => Kind::new(FieldType::Date, ColumnType::Date),
        "time" => Kind::new(FieldType::Time, ColumnType::Time),
        "datetime" | "timestamp" => Kind::new(FieldType::Datetime, ColumnType::Timestamp),
        "uuid" => Kind::new(FieldType::Uuid, ColumnType::Uuid),
        "json" => Kind::new(FieldType::Json, ColumnType::Json),
        "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" => Kind::file(),
        "bit" => Kind::hidden(),
        "geometry" | "point" | "linestring" | "polygon" | "multipoint" | "multilinestring"
        | "multipolygon" | "geometrycollection" | "geomcollection" => Kind::hidden(),
        _ => Kind::other(),
    })
}

/// The members of `enum('a','it''s')`.
fn members(declared: &str) -> Vec<String> {
    let mut members = Vec::new();
    let mut inside: Option<String> = None;
    let mut chars = declared.chars().peekable();
    while let Some(c) = chars.next() {
        match (&mut inside, c) {
            (None, '\'') => inside = Some(String::new()),
            (None, _) => {}
            (Some(member), '\'') if chars.peek() == Some(&'\'') => {
                chars.next();
                member.push('\'');
            }
            (Some(_), '\'') => members.extend(inside.take()),
            (Some(member), '\\') => member.extend(chars.next()),
            (Some(member), c) => member.push(c),
        }
    }
    members
}
