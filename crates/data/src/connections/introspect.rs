//! What the database of a connection holds: its tables and views, as far as they may be read.

mod kind;
mod mysql;
mod postgres;
mod sqlite;

use std::collections::BTreeMap;

use self::kind::Kind;
use super::Connections;
use crate::StoreError;
use crate::conn::Conn;
use crate::records::{ColumnType, FieldType, is_reserved};

/// A table or view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its schema, where the database has several.
    pub schema: Option<String>,
    /// Its name.
    pub name: String,
    /// What its makers say of it.
    pub comment: Option<String>,
    /// Whether its rows can be changed, and the change taken back.
    pub is_writable: bool,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The columns of its key.
    pub key: Vec<String>,
    /// The columns of which no two rows have the same value.
    pub unique: Vec<String>,
    /// The columns that lead to rows of other tables.
    pub references: Vec<Reference>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type, as it was declared.
    pub declared: String,
    /// What its values are; none for what can't be shown, such as files.
    pub kind: Option<FieldType>,
    /// How they are held.
    pub column_type: ColumnType,
    /// The greatest number of characters.
    pub length: Option<u32>,
    /// Whether every row must be given a value.
    pub is_required: bool,
    /// Whether the database sets it, and nobody else.
    pub is_generated: bool,
    /// Whether the database gives new rows a value of its own.
    pub is_automatic: bool,
    /// What its makers say of it.
    pub comment: Option<String>,
}

/// A column that leads to a row of another table, by its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The column.
    pub column: String,
    /// The schema of the other table.
    pub target_schema: Option<String>,
    /// The other table.
    pub target_table: String,
    /// The column of the other table.
    pub target_column: String,
}

impl Connections {
    /// What the database of a connection holds, by schema and name.
    ///
    /// # Errors
    /// When the database can't be reached or asked.
    pub async fn introspect(&self, name: &str) -> Result<Vec<Table>, StoreError> {
        let schemas = self.config(name).map(|config| config.schemas.clone());
        let mut transaction = self.read_on(name).await?;
        let mut found = match transaction.conn() {
            Conn::Sqlite(conn) => sqlite::tables(conn).await?,
            Conn::Postgres(conn) => postgres::tables(conn, &schemas.unwrap_or_default()).await?,
            Conn::Mysql(conn) => mysql::tables(conn).await?,
        };
        found.retain(|table| !is_reserved(&table.name) && !table.columns.is_empty());
        Ok(found)
    }
}

/// The statement of that name in a file of several.
fn statement(file: &'static str, name: &str) -> &'static str {
    let mut parts = file.split("-- name: ");
    let found = parts.find_map(|part| part.strip_prefix(name)?.strip_prefix('\n'));
    found.unwrap_or_default()
}

/// Tables under construction, by schema and name.
#[derive(Debug, Default)]
struct Found(BTreeMap<(Option<String>, String), Table>);

/// One column of a unique key.
struct KeyColumn {
    key: String,
    is_primary: bool,
    is_whole: bool,
    column: String,
}

impl Found {
    fn add(&mut self, table: Table) {
        let name = (table.schema.clone(), table.name.clone());
        self.0.insert(name, table);
    }

    fn table(&mut self, schema: Option<&str>, name: &str) -> Option<&mut Table> {
        self.0
            .get_mut(&(schema.map(str::to_owned), name.to_owned()))
    }

    /// Takes up the unique keys of one table.
    fn keys(&mut self, (schema, name): (Option<&str>, &str), columns: &[KeyColumn]) {
        let Some(table) = self.table(schema, name) else {
            return;
        };
        let mut keys: BTreeMap<&str, Vec<&KeyColumn>> = BTreeMap::new();
        for column in columns {
            keys.entry(&column.key).or_default().push(column);
        }
        for columns in keys.into_values() {
            if columns.iter().any(|column| !column.is_whole) {
                continue;
            }
            match columns.as_slice() {
                columns if columns.iter().any(|column| column.is_primary) => {
                    table.key = columns.iter().map(|column| column.column.clone()).collect();
                }
                [one] => table.unique.push(one.column.clone()),
                _ => {}
            }
        }
    }

    /// Takes up the foreign keys of one column; `keys` names which key each belongs to.
    fn references(&mut self, all: Vec<(Option<String>, String, String, Reference)>) {
        let mut counts: BTreeMap<(Option<String>, String, String), usize> = BTreeMap::new();
        for (schema, table, key, _) in &all {
            *counts
                .entry((schema.clone(), table.clone(), key.clone()))
                .or_default() += 1;
        }
        for (schema, table, key, reference) in all {
            let alone = counts.get(&(schema.clone(), table.clone(), key)) == Some(&1);
            let target = self
                .table(reference.target_schema.as_deref(), &reference.target_table)
                .is_some_and(|target| target.key == [reference.target_column.clone()]);
            if let (true, true, Some(table)) =
                (alone, target, self.table(schema.as_deref(), &table))
            {
                let mut others = table.references.iter();
                if others.all(|other| other.column != reference.column) {
                    table.references.push(reference);
                }
            }
        }
    }

    fn finish(self) -> Vec<Table> {
        let mut tables: Vec<Table> = self.0.into_values().collect();
        tables.iter_mut().for_each(hide_keys_in_bytes);
        tables
    }
}

/// What a row is known by, or leads to others by, is no file, though it may be bytes.
fn hide_keys_in_bytes(table: &mut Table) {
    let references: Vec<&str> = table
        .references
        .iter()
        .map(|one| one.column.as_str())
        .collect();
    for column in &mut table.columns {
        let is_key = table.key.contains(&column.name)
            || table.unique.contains(&column.name)
            || references.contains(&column.name.as_str());
        if is_key && matches!(column.kind, Some(FieldType::Binary { .. })) {
            column.kind = None;
        }
    }
}

/// What is known of a column beside its type.
struct Facts {
    name: String,
    declared: String,
    is_nullable: bool,
    has_default: bool,
    is_generated: bool,
    comment: Option<String>,
    length: Option<i64>,
}

impl Facts {
    fn column(self, kind: Kind) -> Column {
        let is_fixed = self.is_generated || kind.column_type == ColumnType::Other;
        Column {
            name: self.name,
            declared: self.declared,
            kind: kind.field,
            column_type: kind.column_type,
            length: self.length.and_then(|length| u32::try_from(length).ok()),
            is_required: !self.is_nullable && !self.has_default && !is_fixed,
            is_generated: self.is_generated,
            is_automatic: self.has_default,
            comment: self.comment,
        }
    }
}
