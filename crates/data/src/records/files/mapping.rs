use super::reader::FileReader;
use super::yaml::Node;
use crate::records::catalog::{Databases, MAIN};
use crate::records::model::{Field, FieldType, ID, KeyType, Mapping, Rules, Through, VERSION};
use crate::records::nearest::did_you_mean;
use crate::records::sql::Dialect;
use crate::records::sql::column::ColumnType;

const ID_KEYS: &[&str] = &["type", "column", "columns", "generated"];
const THROUGH_KEYS: &[&str] = &["schema", "table", "column", "target_column"];

/// Reads where the records of a model are, if the file names a connection.
pub(super) fn read(
    reader: &mut FileReader<'_>,
    node: &Node,
    databases: &Databases,
) -> Option<Mapping> {
    let named = reader.text(node, "connection");
    // The platform's own database, as without the word.
    let Some(connection) = named.filter(|name| *name != MAIN) else {
        for key in ["table", "schema", "id", "read_only", "left_out"] {
            if node.get(key).is_some() {
                let message =
                    format!("`{key}` is for a table of a connection: name it in `connection`");
                reader.problem(node.place_at(key), message);
            }
        }
        return None;
    };
    let Some(database) = databases.get(connection) else {
        let hint = did_you_mean(connection, databases.keys().map(String::as_str));
        let message = format!("unknown connection `{connection}`{hint}");
        reader.problem(node.place_at("/connection"), message);
        return None;
    };
    let table = read_table(reader, node)?;
    let schema = reader.text(node, "schema").map(str::to_owned);
    let left_out = match node.get("left_out") {
        Some(list) => reader.texts(list, "`left_out`"),
        None => Vec::new(),
    };
    let left_out = left_out
        .into_iter()
        .map(|(name, _)| name.to_owned())
        .collect();
    Some(Mapping {
        connection: connection.to_owned(),
        dialect: database.dialect,
        schema,
        table,
        read_only: database.read_only || reader.flag(node, "read_only"),
        key: Vec::new(),
        left_out,
    })
}

fn read_table(reader: &mut FileReader<'_>, node: &Node) -> Option<String> {
    let table = reader.required_text(node, "table")?.to_owned();
    if is_reserved(&table) {
        let message =
            format!("`{table}` is a table of Toolcrib's own, which no data model can be in");
        reader.problem(node.place_at("/table"), message);
    }
    Some(table)
}

/// Whether the name is one of the platform's own tables, in whatever database.
pub(crate) fn is_reserved(table: &str) -> bool {
    let table = table.to_lowercase();
    table.starts_with("tc_") || table == "toolcrib_calls"
}

/// Reads the key of a table: one column, several, or none. It becomes the field `id`.
pub(super) fn read_id(
    reader: &mut FileReader<'_>,
    node: &Node,
    mapping: &mut Mapping,
    fields: &[Field],
) -> Option<Field> {
    let id = node.get("id")?;
    if !reader.keys(id, "the id of a model", ID_KEYS) {
        return None;
    }
    if let Some(columns) = id.get("columns") {
        let named = reader.texts(columns, "`columns`");
        let parts = named.into_iter().filter_map(|(column, place)| {
            let field = fields.iter().find(|field| field.column() == column);
            if field.is_none() {
                let message = format!("`{column}` is the column of no field");
                reader.problem(place, message);
            }
            field.map(|field| (column.to_owned(), field.column_type.clone()))
        });
        let parts: Vec<(String, ColumnType)> = parts.collect();
        mapping.key = parts.iter().map(|(column, _)| column.clone()).collect();
        return Some(Field {
            kind: FieldType::String,
            column_type: ColumnType::Several(parts),
            ..Field::id()
        });
    }
    let kind = match reader.text(id, "type").unwrap_or("integer") {
        "integer" => FieldType::Integer,
        "uuid" => FieldType::Uuid,
        "string" => FieldType::String,
        other => {
            let message = format!("an id is integer, uuid or string; `{other}` is none of them");
            reader.problem(id.place_at("/type"), message);
            return None;
        }
    };
    let column = reader.text(id, "column").unwrap_or(ID).to_owned();
    mapping.key = vec![column.clone()];
    let is_generated = id.get("generated").is_none() || reader.flag(id, "generated");
    Some(Field {
        column_type: ColumnType::usual(mapping.dialect, &kind),
        column: Some(column),
        rules: Rules {
            read_only: is_generated,
            // A UUID that nobody gives is made.
            required: !is_generated && kind != FieldType::Uuid,
            ..Rules::default()
        },
        kind,
        ..Field::id()
    })
}

/// Reads the column of a field and how its values are held.
pub(super) fn read_column(
    reader: &mut FileReader<'_>,
    node: &Node,
    field: &mut Field,
    dialect: Option<Dialect>,
) {
    let Some(dialect) = dialect else {
        for key in ["column", "stored_as"] {
            if node.get(key).is_some() {
                let message = format!("`{key}` is for a model with a `connection`");
                reader.problem(node.place_at(key), message);
            }
        }
        return;
    };
    field.column = reader.text(node, "column").map(str::to_owned);
    field.column_type = ColumnType::usual(dialect, &field.kind);
    if let Some(word) = reader.text(node, "stored_as") {
        match ColumnType::parse(word) {
            Some(kind) => field.column_type = kind,
            None => {
                let message = format!("`{word}` is no way to store a value");
                reader.problem(node.place_at("/stored_as"), message);
            }
        }
    }
    if (field.column_type == ColumnType::Bytes) != field.is_file() {
        let message = "files are stored as bytes, and bytes hold a file";
        reader.problem(node.place_at("/stored_as"), message);
    }
    if field.column_type == ColumnType::Other {
        field.rules.read_only = true;
    }
}

/// Reads the table of the pairs of a many_to_many field.
pub(super) fn read_through(reader: &mut FileReader<'_>, node: &Node) -> Option<Through> {
    let through = node.get("through")?;
    if !reader.keys(through, "`through`", THROUGH_KEYS) {
        return None;
    }
    Some(Through {
        schema: reader.text(through, "schema").map(str::to_owned),
        table: read_table(reader, through)?,
        column: reader.required_text(through, "column")?.to_owned(),
        target_column: reader.required_text(through, "target_column")?.to_owned(),
    })
}

/// The version of a table's records, if one of its columns counts it.
pub(super) fn version_of(mapping: &Mapping) -> Field {
    Field {
        column: Some(VERSION.to_owned()),
        column_type: ColumnType::usual(mapping.dialect, &FieldType::Integer),
        ..Field::version()
    }
}

/// What a relation's values are, once the other model is known.
pub(crate) fn relate(field: &mut Field, dialect: Dialect, key: KeyType) {
    match &mut field.kind {
        FieldType::ManyToOne { key: own, .. } => {
            *own = key;
            field.column_type = ColumnType::usual(dialect, &field.kind);
        }
        FieldType::ManyToMany { key: own, .. } => *own = key,
        _ => {}
    }
}
