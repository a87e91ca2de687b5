use serde_json::{Map, Value, json};

use super::guard;
use super::insert;
use super::old::set_fields;
use super::settings::{Setting, can_set, default_of, settings};
use super::targets::Targets;
use super::{noted, unique};
use crate::conn::Conn;
use crate::new_ids::NewIds;
use crate::records::access::Access;
use crate::records::criteria::path::Names;
use crate::records::error::{Problem, RecordError, settle};
use crate::records::functions::ModelFunction;
use crate::records::ids::{Key, key};
use crate::records::input::{CreateInput, Form, RecordId, one_or_many};
use crate::records::links::Link;
use crate::records::model::{Field, Model, VERSION};
use crate::records::read::by_id;
use crate::records::rights::Operation;
use crate::records::rights::allowed::{Allowed, Readable, allowed};
use crate::records::select::wanted;
use crate::records::values::cell::Cell;
use crate::{StoreError, Unit};

/// A create that was checked.
#[derive(Debug)]
pub(crate) struct Creation<'a> {
    pub(crate) model: &'a Model,
    pub(crate) form: Form,
    /// Each record's values as the call sets them.
    pub(crate) batch: Vec<Vec<Setting<'a>>>,
    pub(crate) targets: Targets,
    grants: Vec<Allowed<'a>>,
    /// The ids that the records get; none where they get new ones.
    pub(super) ids: Vec<Key>,
}

/// Creates records, all or none, and answers with them as they were saved.
///
/// # Errors
/// When the input doesn't fit the model, the rights or what is stored.
pub async fn create(
    unit: &mut Unit,
    access: &Access,
    input: &CreateInput,
) -> Result<Value, RecordError> {
    let mut new_ids = std::mem::take(&mut unit.new_ids);
    let done = create_in(&mut unit.conn()?, access, input, &mut new_ids).await;
    unit.new_ids = new_ids;
    done.map_err(|error| noted(unit, error))
}

async fn create_in(
    conn: &mut Conn<'_>,
    access: &Access,
    input: &CreateInput,
    new_ids: &mut NewIds,
) -> Result<Value, RecordError> {
    let mut creation = Creation::prepare(conn, access, input).await?;
    creation.give(new_ids)?;
    let ids = insert::insert(conn, access, &creation).await?;
    creation.check_given(&ids)?;
    new_ids.note(ids.iter().map(Key::json));
    creation.link(conn, access, &ids).await?;
    creation.check_written(conn, access, &ids).await?;
    let records = creation.read_back(conn, access, &ids).await?;
    Ok(json!({ "model": creation.model.name, "records": records }))
}

impl<'a> Creation<'a> {
    /// Checks everything that can be known before the write.
    pub(crate) async fn prepare(
        conn: &mut Conn<'_>,
        access: &'a Access,
        input: &CreateInput,
    ) -> Result<Self, RecordError> {
        let model = access.function_of(&input.model, ModelFunction::Create)?;
        let grants = allowed(access, model, Operation::Create);
        let (form, records) = one_or_many(
            ("values", input.values.as_ref()),
            (
                "records",
                input.records.as_ref().map(|r| r.iter().collect()),
            ),
        )?;
        let mut problems = Vec::new();
        let mut batch = Vec::new();
        for (index, values) in records.iter().enumerate() {
            let at = pointer(form, index);
            match settings(access, model, &grants, values, &at) {
                Ok(settings) => batch.push(settings),
                Err(found) => {
                    problems.extend(found);
                    batch.push(Vec::new());
                }
            }
            problems.extend(missing(access, model, &grants, values, &at));
        }
        let targets = Targets::find(conn, access, &batch).await?;
        for (index, settings) in batch.iter().enumerate() {
            problems.extend(targets.problems(access, settings, &pointer(form, index)));
        }
        settle(problems)?;
        let creation = Self {
            model,
            form,
            batch,
            targets,
            grants,
            ids: Vec::new(),
        };
        creation.check_imagined(conn, access).await?;
        Ok(creation)
    }

    /// Takes the ids that the records are to get again, where they were made before.
    fn give(&mut self, new_ids: &mut NewIds) -> Result<(), RecordError> {
        if self.model.id().is_none() {
            return Ok(());
        }
        for id in new_ids.next(self.batch.len()) {
            let id = serde_json::from_value(id).ok();
            let key = id.and_then(|id: RecordId| key(self.model, &id).ok());
            self.ids.push(key.ok_or_else(other_ids)?);
        }
        Ok(())
    }

    /// Another id than the one that was told would be another record.
    fn check_given(&self, ids: &[Key]) -> Result<(), RecordError> {
        if self.ids.is_empty() || self.ids == ids {
            return Ok(());
        }
        Err(other_ids())
    }

    /// Checks the values against the grants and what is stored, in place of a write.
    async fn check_imagined(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
    ) -> Result<(), RecordError> {
        unique::check_batch(&self.batch)?;
        // What a database fills in itself can be looked at only when it has.
        let whole = self.model.mapping.is_none() || self.model.id().is_none();
        for index in (0..self.batch.len()).filter(|_| whole) {
            let holding = guard::of_imagined(
                conn,
                access,
                self.model,
                &self.grants,
                &self.row(access, index),
            )
            .await?;
            self.permit(&holding, index)?;
        }
        unique::check_new(conn, access, self.model, &self.batch, self.form).await
    }

    /// One and the same grant must be about the record and cover the fields that are set.
    fn permit(&self, holding: &[usize], index: usize) -> Result<(), RecordError> {
        let settings = self.batch.get(index).map(Vec::as_slice).unwrap_or_default();
        let permitted = holding
            .iter()
            .filter_map(|index| self.grants.get(*index))
            .any(|grant| {
                settings
                    .iter()
                    .all(|setting| grant.write.covers(setting.field))
            });
        if permitted {
            return Ok(());
        }
        Err(RecordError::ValuesDenied {
            operation: Operation::Create,
            model: self.model.name.clone(),
            index: self.form.index(index),
        })
    }

    /// All columns of a new record but its id.
    pub(super) fn row(&self, access: &Access, index: usize) -> Vec<(&'a Field, Cell)> {
        let settings = self.batch.get(index).map(Vec::as_slice).unwrap_or_default();
        let now = access.clock.now();
        let value = |field: &Field| {
            let set = settings
                .iter()
                .find(|setting| setting.field.name == field.name);
            match set {
                Some(setting) => setting.cell.clone(),
                None if field.name == VERSION => Cell::Int(1),
                None => default_of(field, now),
            }
        };
        self.model
            .stored()
            .map(|field| (field, value(field)))
            .collect()
    }

    /// Makes the new records lead to those that their lists name.
    async fn link(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
        ids: &[Key],
    ) -> Result<(), RecordError> {
        for (index, (id, settings)) in ids.iter().zip(&self.batch).enumerate() {
            for setting in settings {
                let Some(link) = Link::of(access, self.model, setting.field) else {
                    continue;
                };
                let added = link.add(conn, id, &setting.list).await;
                let at = self.form.index(index);
                added.map_err(|error| unique::refusal(error, settings, at))?;
            }
        }
        Ok(())
    }

    /// The rights once more, now against what is really there.
    async fn check_written(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
        ids: &[Key],
    ) -> Result<(), RecordError> {
        if self.model.id().is_none() {
            // What has no id can't be looked at again: it was imagined whole.
            return Ok(());
        }
        if ids.len() != self.batch.len() {
            let message = "the database did not tell which records it made".to_owned();
            return Err(RecordError::Store(StoreError::Commit(message)));
        }
        let stored = guard::of_stored(conn, access, self.model, &self.grants, ids).await?;
        for (index, id) in ids.iter().enumerate() {
            let holding = stored
                .iter()
                .find(|(stored, _)| stored == id)
                .map(|(_, holding)| holding.as_slice());
            self.permit(holding.unwrap_or_default(), index)?;
        }
        Ok(())
    }

    async fn read_back(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
        ids: &[Key],
    ) -> Result<Vec<Value>, RecordError> {
        let mut fields = wanted(access, self.model, None).unwrap_or_default();
        let set = set_fields(access, self.model, &self.batch);
        fields.extend(set.into_iter().filter(|one| one.path.field.is_link()));
        let mut found = if fields.is_empty() {
            std::collections::BTreeMap::new()
        } else {
            by_id(conn, access, self.model, ids, &fields).await?
        };
        // Who may create but not read learns the id and nothing else.
        let bare = |id: &Key| Map::from_iter([("id".to_owned(), id.json())]);
        Ok(ids
            .iter()
            .map(|id| Value::Object(found.remove(id).unwrap_or_else(|| bare(id))))
            .collect())
    }
}

fn other_ids() -> RecordError {
    let message = "the database did not give the records the ids that they had".to_owned();
    RecordError::Store(StoreError::Commit(message))
}

fn pointer(form: Form, index: usize) -> String {
    match form {
        Form::One => "/values".to_owned(),
        Form::Many => format!("/records/{index}"),
    }
}

/// A problem for each required field that a new record leaves out.
fn missing<'a>(
    access: &'a Access,
    model: &'a Model,
    grants: &[Allowed<'_>],
    values: &Map<String, Value>,
    pointer: &str,
) -> Vec<Problem> {
    let required = model
        .stored()
        .filter(|field| field.rules.required && field.default.is_none());
    required
        .filter(|field| !values.contains_key(&field.name))
        .map(|field| {
            if can_set(grants, field) || Readable(access).knows(model, field) {
                return Problem::new(pointer, format!("`{}` is required", field.name));
            }
            Problem::new(
                pointer,
                format!(
                    "`{}` records need a value that is not yours to set",
                    model.name
                ),
            )
        })
        .collect()
}
