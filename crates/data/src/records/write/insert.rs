use std::collections::BTreeSet;

use sea_query::{Alias, Expr, InsertStatement, Query};

use super::create::Creation;
use super::settings::Setting;
use super::unique;
use crate::StoreError;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::content;
use crate::records::error::RecordError;
use crate::records::ids::Key;
use crate::records::model::{Field, ID, KeyType, Model, VERSION};
use crate::records::names::{table, written_id};
use crate::records::run_sql::{SqlError, Statement, execute_insert, rows, savepoint};
use crate::records::sql::Dialect;
use crate::records::sql::column::ColumnType;
use crate::records::values::cell::Cell;
use crate::records::values::composite;

/// The most values of one statement; SQLite takes 32,766.
const VALUES: usize = 30_000;

/// Inserts all records, as many at once as a statement holds; answers with their ids.
pub(super) async fn insert(
    conn: &mut Conn<'_>,
    access: &Access,
    creation: &Creation<'_>,
) -> Result<Vec<Key>, RecordError> {
    let inserting = Inserting { access, creation };
    let all: Vec<usize> = (0..creation.batch.len()).collect();
    let mut ids = Vec::new();
    for part in all.chunks(inserting.at_once()) {
        if part.len() > 1 {
            let kept = savepoint::begin(conn).await?;
            if let Ok(inserted) = inserting.part(conn, part).await {
                kept.release(conn).await?;
                ids.extend(inserted);
                continue;
            }
            kept.undo(conn).await?;
        }
        // One of them is at fault: tried alone, it says so.
        for index in part {
            let inserted = inserting.part(conn, &[*index]).await;
            let settings = creation.batch.get(*index).map(Vec::as_slice);
            let at = creation.form.index(*index);
            let refused = |error| unique::refusal(error, settings.unwrap_or_default(), at);
            ids.extend(inserted.map_err(refused)?);
        }
    }
    Ok(ids)
}

struct Inserting<'i> {
    access: &'i Access,
    creation: &'i Creation<'i>,
}

impl Inserting<'_> {
    fn model(&self) -> &Model {
        self.creation.model
    }

    /// How many records go into one statement.
    fn at_once(&self) -> usize {
        let model = self.model();
        let mut batch = self.creation.batch.iter().map(|settings| names(settings));
        let first = batch.next();
        let alike = batch.all(|one| Some(&one) == first.as_ref());
        // Several new ids can be told apart only where they are numbers that count up.
        let counted = model.key_type() == KeyType::Integer && model.dialect() != Dialect::Mysql;
        if model.mapping.is_none() || (alike && counted) {
            // A file is two values.
            (VALUES / (2 * model.fields.len()).max(1)).max(1)
        } else {
            1
        }
    }

    async fn part(&self, conn: &mut Conn<'_>, part: &[usize]) -> Result<Vec<Key>, SqlError> {
        let model = self.model();
        let mut insert = Query::insert();
        insert.into_table(table(&self.access.org_slug, model));
        let mut known = Vec::new();
        for (at, index) in part.iter().enumerate() {
            let row = self.row(*index);
            known.extend(known_key(model, &row));
            let (columns, values): (Vec<Alias>, Vec<Expr>) =
                self.written(*index, &row).into_iter().unzip();
            if at == 0 {
                insert.columns(columns);
            }
            add(&mut insert, values)?;
        }
        if model.dialect() == Dialect::Mysql {
            let statement = Statement::of(model.dialect(), &insert);
            let last = execute_insert(conn, statement).await?;
            return Ok(match model.key_type() {
                _ if known.len() == part.len() => known,
                KeyType::Integer if last > 0 => vec![Key::Int(last)],
                _ => Vec::new(),
            });
        }
        insert.returning(Query::returning().expr(written_id(model)));
        let statement = Statement::of(model.dialect(), &insert);
        let statement = match model.dialect() {
            Dialect::Postgres if !self.creation.ids.is_empty() => statement.with_given_ids(),
            Dialect::Postgres | Dialect::Sqlite | Dialect::Mysql => statement,
        };
        let found = rows(conn, statement).await?;
        let mut ids: Vec<Key> = found
            .iter()
            .filter_map(|row| row.first().and_then(Key::of))
            .collect();
        // Keys are given in the order of the values, but told of in any order.
        ids.sort_unstable();
        Ok(ids)
    }

    /// The columns of one record, each with what is written.
    fn written(&self, index: usize, row: &[(&Field, Cell)]) -> Vec<(Alias, Expr)> {
        let settings = self.creation.batch.get(index).map(Vec::as_slice);
        let settings = settings.unwrap_or_default();
        let of = |(field, cell): &(&Field, Cell)| {
            let set = settings.iter().find(|one| one.field.name == field.name);
            let content = set.and_then(|setting| setting.content.as_deref());
            content::written(self.model().dialect(), (field, cell), content)
        };
        row.iter().flat_map(of).collect()
    }

    /// What is written of one record. In a table that is not ours, what is not set is left to the
    /// database's own defaults.
    fn row(&self, index: usize) -> Vec<(&Field, Cell)> {
        let row = self.creation.row(self.access, index);
        let model = self.model();
        let again = self.creation.ids.get(index).map(Key::cell);
        if model.mapping.is_none() {
            // The database gives the id, unless the record had one before.
            return row
                .into_iter()
                .filter_map(|(field, cell)| match field.name == ID {
                    true => Some((field, again.clone()?)),
                    false => Some((field, cell)),
                })
                .collect();
        }
        let settings = self.creation.batch.get(index).map(Vec::as_slice);
        let is_set = |field: &Field| {
            settings
                .unwrap_or_default()
                .iter()
                .any(|setting| setting.field.name == field.name)
        };
        let id = model.id().filter(|id| is_set(id));
        let id = id.and_then(|id| {
            let mut settings = settings.unwrap_or_default().iter();
            let setting = settings.find(|setting| setting.field.name == id.name)?;
            Some((id, setting.cell.clone()))
        });
        let is_ours = |id: &&Field| !matches!(id.column_type, ColumnType::Several(_));
        let unset = model.id().filter(is_ours).filter(|_| id.is_none());
        let minted = unset.and_then(|id| match again {
            Some(again) => Some((id, again)),
            None if mints(model) => Some((id, Cell::Text(uuid::Uuid::now_v7().to_string()))),
            None => None,
        });
        let rest = row.into_iter().filter(|(field, _)| {
            field.name != ID
                && !matches!(field.column_type, ColumnType::Several(_))
                && (is_set(field) || field.default.is_some() || field.name == VERSION)
        });
        id.into_iter().chain(minted).chain(rest).collect()
    }
}

fn names<'s>(settings: &'s [Setting<'_>]) -> BTreeSet<&'s str> {
    let names = settings.iter().map(|setting| setting.field.name.as_str());
    names.collect()
}

/// Whether new ids are ours to make: UUIDs that nobody else makes, and on MySQL all, since it does
/// not tell of those that it makes itself.
fn mints(model: &Model) -> bool {
    let is_given = model.id().is_some_and(|id| !id.rules.read_only);
    model.key_type() == KeyType::Uuid && (is_given || model.dialect() == Dialect::Mysql)
}

fn add(insert: &mut InsertStatement, values: Vec<Expr>) -> Result<(), SqlError> {
    if values.is_empty() {
        insert.or_default_values();
        return Ok(());
    }
    insert
        .values(values)
        .map_err(|error| SqlError::Store(StoreError::Commit(error.to_string())))?;
    Ok(())
}

/// The key of a new record, where its values say it.
fn known_key(model: &Model, row: &[(&Field, Cell)]) -> Option<Key> {
    let of = |column: &str| {
        let mut row = row.iter();
        row.find(|(field, _)| field.column() == column)
            .map(|(_, cell)| cell)
    };
    match model.mapping.as_ref()?.key.as_slice() {
        [] => None,
        [one] => Key::of(of(one)?),
        parts => {
            let parts: Option<Vec<String>> = parts
                .iter()
                .map(|part| Some(Key::of(of(part)?)?.to_string()))
                .collect();
            Some(Key::Text(composite::join(&parts?)))
        }
    }
}
