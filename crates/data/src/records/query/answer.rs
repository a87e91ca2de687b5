use serde_json::{Map, Value, json};

use super::level::Selected;
use super::typed::{Number, number};
use crate::records::error::RecordError;
use crate::records::values::cell::Cell;
use crate::records::values::render;

type Rows = Vec<Vec<Cell>>;

/// The answer to a query, made of one row more than it shows, if there is one.
pub(super) fn answer(
    columns: &[Selected],
    mut page: Rows,
    summaries: Option<(Rows, Vec<Selected>)>,
    (limit, offset): (u32, u32),
) -> Result<Value, RecordError> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let truncated = page.len() > most;
    page.truncate(most);
    let rows = page
        .into_iter()
        .map(|row| record(columns, row, "/select").map(Value::Object))
        .collect::<Result<Vec<Value>, RecordError>>()?;
    let mut answer = json!({
        "columns": columns.iter().map(described).collect::<Vec<_>>(),
        "rows": rows,
        "truncated": truncated,
        "limit": limit,
        "offset": offset,
    });
    if let Some((found, columns)) = summaries {
        let row = found.into_iter().next().unwrap_or_default();
        answer["summaries"] = Value::Object(record(&columns, row, "/summaries")?);
    }
    Ok(answer)
}

fn described(column: &Selected) -> Value {
    json!({ "name": column.name, "title": title(column), "type": column.typed.kind.name() })
}

/// The field's own name for people, or the column's name in words.
fn title(column: &Selected) -> String {
    if let Some(title) = &column.typed.title {
        return title.clone();
    }
    let words = column.name.replace(['_', '.'], " ");
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

fn record(
    columns: &[Selected],
    row: Vec<Cell>,
    at: &str,
) -> Result<Map<String, Value>, RecordError> {
    let mut record = Map::new();
    for (index, (column, cell)) in columns.iter().zip(row).enumerate() {
        let is_exact = !matches!(number(&column.typed.kind), Some(Number::Float));
        if is_exact && matches!(cell, Cell::Real(_)) {
            let message = format!(
                "a value of `{}` has more than 18 digits, too many to be exact; use fewer decimals or smaller numbers",
                column.name
            );
            return Err(RecordError::one(format!("{at}/{index}"), message));
        }
        let value = render::json(&column.typed.kind, cell);
        record.insert(column.name.clone(), value);
    }
    Ok(record)
}
