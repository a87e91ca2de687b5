use std::collections::BTreeMap;

use sea_query::{ExprTrait, Query};
use serde_json::{Value, json};

use super::guard;
use super::lock::lock;
use super::noted;
use super::targets::display_expr;
use crate::Unit;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::criteria::condition::Test;
use crate::records::error::RecordError;
use crate::records::functions::ModelFunction;
use crate::records::ids::{Ids, Key};
use crate::records::input::{DeleteInput, Form};
use crate::records::model::{Field, Model};
use crate::records::names::{has_id, stored, table};
use crate::records::plan::Write;
use crate::records::read::storage;
use crate::records::rights::Operation;
use crate::records::rights::allowed::allowed;
use crate::records::run_sql::{SqlError, Statement, execute, rows};
use crate::records::scope::ROOT;
use crate::records::select::{Decoder, Selection, display};
use crate::records::values::cell::Cell;

/// A delete that was checked.
#[derive(Debug)]
pub(crate) struct Removal<'a> {
    pub(crate) model: &'a Model,
    /// The records that go, each with what names it.
    pub(crate) records: Vec<(Key, String)>,
    pub(crate) missing: Vec<Key>,
}

/// Deletes records, all or none; what can't be read is missing, like what doesn't exist.
///
/// # Errors
/// When the input doesn't fit the model, the rights or what is stored.
pub async fn delete(
    unit: &mut Unit,
    access: &Access,
    input: &DeleteInput,
) -> Result<Value, RecordError> {
    let done = delete_in(&mut unit.conn()?, access, input).await;
    done.map_err(|error| noted(unit, error))
}

async fn delete_in(
    conn: &mut Conn<'_>,
    access: &Access,
    input: &DeleteInput,
) -> Result<Value, RecordError> {
    lock(conn, access, Write::Delete(input)).await?;
    let removal = Removal::prepare(conn, access, input).await?;
    let ids: Vec<Key> = removal.records.iter().map(|(id, _)| id.clone()).collect();
    if !ids.is_empty() {
        let statement = {
            let mut delete = Query::delete();
            delete
                .from_table(table(&access.org_slug, removal.model))
                .and_where(has_id(removal.model, None, &ids));
            Statement::of(removal.model.dialect(), &delete)
        };
        execute(conn, statement)
            .await
            .map_err(|error| match error {
                SqlError::Reference => in_use("one of the records", None),
                other => storage(other),
            })?;
    }
    let deleted: Vec<Value> = ids.iter().map(Key::json).collect();
    let missing: Vec<Value> = removal.missing.iter().map(Key::json).collect();
    Ok(json!({ "model": removal.model.name, "deleted": deleted, "missing": missing }))
}

impl<'a> Removal<'a> {
    /// Settles every id before any record goes.
    pub(crate) async fn prepare(
        conn: &mut Conn<'_>,
        access: &'a Access,
        input: &DeleteInput,
    ) -> Result<Self, RecordError> {
        let model = access.function_of(&input.model, ModelFunction::Delete)?;
        let asked = Ids::read(input.id.as_ref(), input.ids.as_ref(), model)?;
        let mut found = load(conn, access, model, &asked.ids).await?;
        let mut removal = Self {
            model,
            records: Vec::new(),
            missing: Vec::new(),
        };
        let mut indices = Vec::new();
        for (index, id) in asked.ids.iter().enumerate() {
            match found.remove(id) {
                None => removal.missing.push(id.clone()),
                Some((display, true)) => {
                    indices.push(index);
                    removal.records.push((id.clone(), display));
                }
                Some((display, false)) => {
                    return Err(RecordError::RecordDenied {
                        operation: Operation::Delete,
                        record: model.named(display.as_str()),
                        index: asked.form.index(index),
                    });
                }
            }
        }
        removal
            .check_unused(conn, access, asked.form, &indices)
            .await?;
        Ok(removal)
    }

    /// Checks that nothing that stays refers to a record that goes, whoever may read it.
    async fn check_unused(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
        form: Form,
        indices: &[usize],
    ) -> Result<(), RecordError> {
        if self.records.is_empty() {
            return Ok(());
        }
        for other in access.catalog.models() {
            for field in other
                .stored()
                .filter(|field| field.kind.target() == Some(self.model.name.as_str()))
            {
                let Some(used) = self.used_by(conn, access, (other, field)).await? else {
                    continue;
                };
                let at = self.records.iter().position(|(id, _)| *id == used);
                let index = at
                    .and_then(|at| indices.get(at))
                    .and_then(|index| form.index(*index));
                let display = at
                    .and_then(|at| self.records.get(at))
                    .map_or("", |(_, display)| display);
                return Err(in_use(&self.model.named(display), index));
            }
        }
        Ok(())
    }

    /// A record that goes and to which the field of one that stays refers.
    async fn used_by(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
        (other, field): (&Model, &Field),
    ) -> Result<Option<Key>, RecordError> {
        let ids: Vec<Key> = self.records.iter().map(|(id, _)| id.clone()).collect();
        let statement = {
            let relation = stored(other.dialect(), ROOT, field);
            let cells = ids.iter().map(Key::cell).collect();
            let mut select = Query::select();
            select
                .expr(relation.canonical())
                .from_as(table(&access.org_slug, other), ROOT)
                .and_where(relation.test(&Test::In(cells)))
                .limit(1);
            if other.name == self.model.name {
                select.and_where(has_id(other, Some(ROOT), &ids).not());
            }
            Statement::of(other.dialect(), &select)
        };
        let found = rows(conn, statement).await.map_err(storage)?;
        Ok(found.first().and_then(|row| row.first()).and_then(Key::of))
    }
}

/// Each record that can be read: what names it, and whether it may be deleted.
async fn load(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    ids: &[Key],
) -> Result<BTreeMap<Key, (String, bool)>, RecordError> {
    let (statement, decoder) = {
        let mut selection = Selection::new(access, model);
        let shown = display_expr(&mut selection, model);
        selection.extra(shown);
        for flag in guard::flags(access, &allowed(access, model, Operation::Delete), ROOT) {
            selection.extra(flag);
        }
        selection.with_ids(ids);
        selection.finish()?
    };
    let found = rows(conn, statement).await.map_err(storage)?;
    let one = |row: &Vec<Cell>| {
        let id = Decoder::id(row)?;
        let extras = decoder.extras(row);
        let shown = extras.first().cloned().unwrap_or(Cell::Null);
        let display = display(model, Some(&id), shown);
        let holding = extras.get(1..).map(guard::set).unwrap_or_default();
        Some((id, (display, !holding.is_empty())))
    };
    Ok(found.iter().filter_map(one).collect())
}

fn in_use(record: &str, index: Option<usize>) -> RecordError {
    RecordError::Constraint {
        index,
        message: format!("{record} can't be deleted: it is still in use"),
    }
}
