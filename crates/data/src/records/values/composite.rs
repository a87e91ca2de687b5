//! Keys of several columns, as one text: the parts with `~` between them, where a `~` or `%` of a
//! part itself is written `%7E` or `%25`.

use sea_query::{Expr, Func};

use super::cell::Cell;
use crate::records::model::FieldType;
use crate::records::sql::Dialect;
use crate::records::sql::column::ColumnType;

pub(crate) const SEPARATOR: char = '~';

/// What a part is to the dialect.
fn kind_of(column: &ColumnType) -> FieldType {
    match column {
        ColumnType::Integer => FieldType::Integer,
        ColumnType::Date => FieldType::Date,
        _ => FieldType::String,
    }
}

/// A part of a key as text.
pub(crate) fn read(dialect: Dialect, column: &ColumnType, raw: Expr) -> Expr {
    let text = match (column, dialect) {
        (ColumnType::Integer, Dialect::Mysql) => Func::cast_as(raw, "CHAR").into(),
        (ColumnType::Integer, _) => return Func::cast_as(raw, "TEXT").into(),
        _ => dialect.sql().read(column, &kind_of(column), raw),
    };
    let replaced = |text: Expr, from: &str, to: &str| -> Expr {
        let constant = |text: &str| Expr::Constant(text.to_owned().into());
        Func::cust("REPLACE")
            .args([text, constant(from), constant(to)])
            .into()
    };
    replaced(replaced(text, "%", "%25"), "~", "%7E")
}

/// A part as it is stored.
pub(crate) fn write(dialect: Dialect, column: &ColumnType, value: String) -> Expr {
    let cell = match column {
        // What is no number is the key of no record.
        ColumnType::Integer => value.parse().map_or(Cell::Null, Cell::Int),
        _ => Cell::Text(value),
    };
    dialect.sql().write(column, &kind_of(column), &cell)
}

/// The parts of a key; none if there are not so many.
pub(crate) fn split(text: &str, count: usize) -> Option<Vec<String>> {
    let parts: Vec<String> = text
        .split(SEPARATOR)
        .map(|part| part.replace("%7E", "~").replace("%25", "%"))
        .collect();
    (parts.len() == count).then_some(parts)
}

/// The parts as one key.
pub(crate) fn join(parts: &[String]) -> String {
    let parts: Vec<String> = parts
        .iter()
        .map(|part| part.replace('%', "%25").replace('~', "%7E"))
        .collect();
    parts.join(&SEPARATOR.to_string())
}
