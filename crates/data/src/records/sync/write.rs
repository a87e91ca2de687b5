use super::names::{Taken, name_of};
use super::{Names, key_columns, pairs, plain_key};
use crate::connections::introspect::{Column, Table};
use crate::records::content::LARGEST;
use crate::records::files::model::to_title;
use crate::records::model::{FieldType, ID, VERSION};
use crate::records::sql::Dialect;
use crate::records::sql::column::ColumnType;

/// The longest comment that becomes a help text.
const HELP: usize = 500;

/// The file of a new model.
pub(super) struct ModelText {
    pub(super) text: String,
    pub(super) fields: usize,
}

impl ModelText {
    pub(super) fn of(
        connection: &str,
        name: &str,
        (table, tables): (&Table, &[Table]),
        names: &Names,
    ) -> Self {
        let mut text = format!("name: {name}\n");
        let title = title_of(&table.name);
        text.push_str(&format!("title: {}\n", quoted(&title)));
        text.push_str(&format!("title_plural: {}\n", quoted(&title)));
        if let Some(comment) = &table.comment {
            text.push_str(&format!("help: {}\n", quoted(&clipped(comment))));
        }
        text.push_str(&format!("connection: {}\n", quoted(connection)));
        if let Some(schema) = &table.schema {
            text.push_str(&format!("schema: {}\n", quoted(schema)));
        }
        text.push_str(&format!("table: {}\n", quoted(&table.name)));
        if !table.is_writable {
            text.push_str("read_only: true\n");
        }
        text.push_str(&id_line(table));
        if versions(table) {
            text.push_str("versioned: true\n");
        }
        let mut taken = Taken::of([ID, VERSION].into_iter());
        let mut lines: Vec<(String, String)> = table
            .columns
            .iter()
            .filter(|column| !is_version(table, column))
            .filter_map(|column| field_line(table, column, names, &mut taken))
            .collect();
        let pairs = pairs::of(table, tables);
        lines.extend(
            pairs
                .iter()
                .filter_map(|pairs| pairs.line(names, &mut taken)),
        );
        if let Some(display) = display(table, &lines) {
            text.push_str(&format!("display: {display}\n"));
        }
        text.push_str("fields:\n");
        let fields = lines.len();
        text.extend(lines.into_iter().map(|(_, line)| line));
        if fields == 0 {
            text = text.replace("fields:\n", "fields: {}\n");
        }
        Self { text, fields }
    }
}

fn id_line(table: &Table) -> String {
    if let Some(column) = plain_key(table) {
        let kind = match &column.kind {
            Some(FieldType::Integer) => "integer",
            Some(FieldType::Uuid) => "uuid",
            _ => "string",
        };
        let given = if column.is_automatic || column.is_generated {
            ""
        } else {
            ", generated: false"
        };
        let name = quoted(&column.name);
        return format!("id: {{ column: {name}, type: {kind}{given} }}\n");
    }
    // A part that can't be shown can't be asked for either.
    let is_field = |name: &String| {
        let mut columns = table.columns.iter();
        columns.any(|column| column.name == *name && column.kind.is_some())
    };
    if table.key.is_empty() || !table.key.iter().all(is_field) {
        return String::new();
    }
    let columns: Vec<String> = table.key.iter().map(|column| quoted(column)).collect();
    format!("id: {{ columns: [{}] }}\n", columns.join(", "))
}

/// Whether the table counts the saves of its rows.
fn versions(table: &Table) -> bool {
    table.columns.iter().any(|column| is_version(table, column))
}

fn is_version(table: &Table, column: &Column) -> bool {
    column.name == VERSION
        && column.kind == Some(FieldType::Integer)
        && !column.is_generated
        && !table.key.contains(&column.name)
}

/// The field that names a record to people.
fn display<'l>(table: &Table, lines: &'l [(String, String)]) -> Option<&'l str> {
    let is_short = |name: &str| {
        table
            .columns
            .iter()
            .any(|column| name_of(&column.name) == name && column.kind == Some(FieldType::String))
    };
    let usual = ["name", "title", "label", "number", "code", "email"];
    let mut usual = usual.into_iter();
    let found = usual.find(|name| is_short(name) && lines.iter().any(|(line, _)| line == name))?;
    lines
        .iter()
        .map(|(name, _)| name.as_str())
        .find(|name| *name == found)
}

/// A field of a column: its name, and its line of the file. None for what is no field.
pub(super) fn field_line(
    table: &Table,
    column: &Column,
    names: &Names,
    taken: &mut Taken,
) -> Option<(String, String)> {
    if key_columns(table).contains(column.name.as_str()) {
        return None;
    }
    let kind = column.kind.as_ref()?;
    let reference = table
        .references
        .iter()
        .find(|one| one.column == column.name);
    let target =
        reference.and_then(|one| names.get(&(one.target_schema.clone(), one.target_table.clone())));
    let mut parts = match target {
        Some(target) => vec![format!("type: many_to_one, model: {target}")],
        None => kind_parts(kind),
    };
    let own = name_of(&column.name);
    let short = own.strip_suffix("_id").filter(|short| {
        let mut others = table.columns.iter();
        target.is_some() && !short.is_empty() && others.all(|other| name_of(&other.name) != **short)
    });
    let name = taken.free(short.unwrap_or(&own));
    if name != column.name {
        parts.push(format!("column: {}", quoted(&column.name)));
    }
    let shown = title_of(&column.name);
    if !column.name.is_ascii() || to_title(&name) != shown && short.is_none() {
        parts.push(format!("title: {}", quoted(&shown)));
    }
    if target.is_none() {
        let dialect = if table.schema.is_some() {
            Dialect::Postgres
        } else {
            Dialect::Mysql
        };
        if column.column_type != ColumnType::usual(dialect, kind) {
            parts.push(format!("stored_as: {}", quoted(&column.column_type.word())));
        }
        let longest = match kind {
            FieldType::String | FieldType::Text => Some(1_000_000),
            FieldType::Binary { .. } => Some(LARGEST),
            _ => None,
        };
        if let (Some(longest), Some(length)) = (longest, column.length) {
            parts.push(format!("length: {}", Ord::clamp(length, 1, longest)));
        }
    }
    let is_fixed = column.is_generated || column.column_type == ColumnType::Other;
    let flags = [
        ("required", column.is_required),
        ("unique", table.unique.contains(&column.name)),
        ("read_only", is_fixed),
    ];
    let set = flags.iter().filter(|(_, is_set)| *is_set);
    parts.extend(set.map(|(flag, _)| format!("{flag}: true")));
    if let Some(comment) = &column.comment {
        parts.push(format!("help: {}", quoted(&clipped(comment))));
    }
    let line = format!("  {}: {{ {} }}\n", quoted(&name), parts.join(", "));
    Some((name, line))
}

fn kind_parts(kind: &FieldType) -> Vec<String> {
    let mut parts = vec![format!("type: {}", kind.name())];
    match kind {
        FieldType::Decimal { precision, scale } => {
            parts.push(format!("precision: {precision}, scale: {scale}"));
        }
        FieldType::Selection { options } | FieldType::MultiSelection { options } => {
            let values: Vec<String> = options.iter().map(|one| quoted(&one.value)).collect();
            parts.push(format!("options: [{}]", values.join(", ")));
        }
        _ => {}
    }
    parts
}

/// The name of a table or column as people read it.
fn title_of(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut chars = words.trim().chars();
    chars.next().map_or_else(
        || name.to_owned(),
        |first| first.to_uppercase().chain(chars).collect(),
    )
}

fn clipped(text: &str) -> String {
    text.chars().take(HELP).collect()
}

/// A text as YAML reads it back, quoted where a word could mean something else.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let words = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf",
    ];
    let is_word = words.contains(&text.to_ascii_lowercase().as_str());
    if is_plain && !is_word {
        return text.to_owned();
    }
    serde_json::Value::String(text.to_owned()).to_string()
}

/// The text of a file with these lines as the first of its fields.
pub(super) fn with_fields(text: &str, lines: &str) -> Option<String> {
    let at = text.lines().position(|line| line.trim_end() == "fields:")?;
    let mut out = String::new();
    let mut rest = text.lines();
    for line in rest.by_ref().take(at + 1) {
        out.push_str(line);
        out.push('\n');
    }
    // The new ones are set in as far as those that are there.
    let next = rest.clone().find(|line| !line.trim().is_empty());
    let indent = next.map_or(2, |line| line.len() - line.trim_start().len());
    for line in lines.lines() {
        out.push_str(&" ".repeat(Ord::max(indent, 1)));
        out.push_str(line.trim_start());
        out.push('\n');
    }
    for line in rest {
        out.push_str(line);
        out.push('\n');
    }
    Some(out)
}
