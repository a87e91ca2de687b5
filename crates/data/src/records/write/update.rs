use sea_query::{Alias, ExprTrait, Query};
use serde_json::{Map, Value, json};

use super::asked::Asked;
use super::guard;
use super::lock::lock;
use super::old::{Old, load, set_fields};
use super::settings::{Setting, settings};
use super::targets::Targets;
use super::{noted, unique};
use crate::Unit;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::criteria::path::Path;
use crate::records::error::{Problem, RecordError, settle};
use crate::records::functions::ModelFunction;
use crate::records::ids::{Key, key};
use crate::records::input::{Form, UpdateInput};
use crate::records::links::Link;
use crate::records::model::{Field, Model, VERSION};
use crate::records::names::{has_id, table};
use crate::records::plan::Write;
use crate::records::read::by_id;
use crate::records::rights::Operation;
use crate::records::rights::allowed::{Allowed, allowed};
use crate::records::run_sql::{Statement, execute};
use crate::records::select::Wanted;
use crate::records::values::cell::Cell;

/// An update that was checked.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    pub(crate) model: &'a Model,
    pub(crate) form: Form,
    pub(crate) items: Vec<Item<'a>>,
    pub(crate) targets: Targets,
    grants: Vec<Allowed<'a>>,
}

/// One record to change, and what is known of it.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) id: Key,
    pub(crate) settings: Vec<Setting<'a>>,
    version: Option<i64>,
    pub(crate) old: Old,
    /// The grants that are about the record as it is and cover what is set.
    candidates: Vec<usize>,
}

/// Changes records, all or none; answers with each field that was set, before and after.
///
/// # Errors
/// When the input doesn't fit the model, the rights or what is stored.
pub async fn update(
    unit: &mut Unit,
    access: &Access,
    input: &UpdateInput,
) -> Result<Value, RecordError> {
    let done = update_in(&mut unit.conn()?, access, input).await;
    done.map_err(|error| noted(unit, error))
}

async fn update_in(
    conn: &mut Conn<'_>,
    access: &Access,
    input: &UpdateInput,
) -> Result<Value, RecordError> {
    lock(conn, access, Write::Update(input)).await?;
    let change = Change::prepare(conn, access, input).await?;
    for index in 0..change.items.len() {
        change.write(conn, access, index).await?;
    }
    change.check_written(conn, access).await?;
    let records = change.answer(conn, access).await?;
    Ok(json!({ "model": change.model.name, "records": records }))
}

impl<'a> Change<'a> {
    /// Checks everything that can be known before the write.
    pub(crate) async fn prepare(
        conn: &mut Conn<'_>,
        access: &'a Access,
        input: &UpdateInput,
    ) -> Result<Self, RecordError> {
        let model = access.function_of(&input.model, ModelFunction::Update)?;
        let grants = allowed(access, model, Operation::Update);
        let asked = Asked::read(input)?;
        let mut problems = asked.problems(model);
        let mut batch = Vec::new();
        for (index, (_, values, _)) in asked.items.iter().enumerate() {
            match settings(
                access,
                model,
                &grants,
                values,
                &asked.pointer(index, "values"),
            ) {
                Ok(settings) => {
                    problems.extend(fixed(model, &settings, &asked.pointer(index, "values")));
                    batch.push(settings);
                }
                Err(found) => {
                    problems.extend(found);
                    batch.push(Vec::new());
                }
            }
        }
        let targets = Targets::find(conn, access, &batch).await?;
        for (index, settings) in batch.iter().enumerate() {
            problems.extend(targets.problems(access, settings, &asked.pointer(index, "values")));
        }
        settle(problems)?;
        let mut change = Self {
            model,
            form: asked.form,
            items: Vec::new(),
            targets,
            grants,
        };
        let ids: Vec<Key> = asked
            .items
            .iter()
            .filter_map(|(id, _, _)| key(model, id).ok())
            .collect();
        let mut old = load(conn, access, model, &change.grants, (&ids, &batch)).await?;
        for (index, ((id, settings), (_, _, version))) in
            ids.iter().zip(batch).zip(&asked.items).enumerate()
        {
            let old = old.remove(id).ok_or(RecordError::NotFound {
                index: asked.form.index(index),
            })?;
            let item = Item {
                id: id.clone(),
                settings,
                version: *version,
                old,
                candidates: Vec::new(),
            };
            let item = change.admit(item, index)?;
            change.items.push(item);
        }
        change.check_imagined(conn, access).await?;
        Ok(change)
    }

    /// Checks that one and the same grant is about the record and covers what is set.
    fn admit(&self, mut item: Item<'a>, index: usize) -> Result<Item<'a>, RecordError> {
        let at = self.form.index(index);
        if item.old.holding.is_empty() {
            let record = self.model.named(&item.old.display);
            return Err(RecordError::RecordDenied {
                operation: Operation::Update,
                record,
                index: at,
            });
        }
        let covers = |grant: usize, field: &Field| {
            self.grants
                .get(grant)
                .is_some_and(|grant| grant.write.covers(field))
        };
        item.candidates = item
            .old
            .holding
            .iter()
            .copied()
            .filter(|grant| {
                item.settings
                    .iter()
                    .all(|setting| covers(*grant, setting.field))
            })
            .collect();
        if item.candidates.is_empty() {
            let names = item
                .settings
                .iter()
                .map(|setting| setting.field.name.as_str());
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            let named = self.model.named(&item.old.display);
            let record = format!("{} of {named}", names.join(", "));
            return Err(RecordError::RecordDenied {
                operation: Operation::Update,
                record,
                index: at,
            });
        }
        let current = self.column_of(&item, VERSION).as_int();
        if item.version.is_some() && item.version != current {
            return Err(RecordError::VersionConflict { index: at });
        }
        Ok(item)
    }

    /// Checks the records as they would be, in place of a write.
    async fn check_imagined(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
    ) -> Result<(), RecordError> {
        let batch: Vec<Vec<Setting<'_>>> = self
            .items
            .iter()
            .map(|item| item.settings.clone())
            .collect();
        unique::check_batch(&batch)?;
        for (index, item) in self.items.iter().enumerate() {
            let holding =
                guard::of_imagined(conn, access, self.model, &self.grants, &self.imagine(item))
                    .await?;
            self.permit(item, &holding, index)?;
            let at = (Some(&item.id), self.form.index(index));
            unique::check(conn, access, self.model, &item.settings, at).await?;
        }
        Ok(())
    }

    fn imagine(&self, item: &Item<'a>) -> Vec<(&'a Field, Cell)> {
        let value = |field: &Field| {
            let set = item
                .settings
                .iter()
                .find(|setting| setting.field.name == field.name);
            set.map_or_else(
                || self.column_of(item, &field.name),
                |setting| setting.cell.clone(),
            )
        };
        self.model
            .stored()
            .map(|field| (field, value(field)))
            .collect()
    }

    fn column_of(&self, item: &Item<'_>, name: &str) -> Cell {
        let at = self.model.stored().position(|field| field.name == name);
        at.and_then(|at| item.old.columns.get(at))
            .cloned()
            .unwrap_or(Cell::Null)
    }

    /// The grant that allowed the old record must allow the new one as well.
    fn permit(&self, item: &Item<'_>, holding: &[usize], index: usize) -> Result<(), RecordError> {
        if item.candidates.iter().any(|grant| holding.contains(grant)) {
            return Ok(());
        }
        let model = self.model.name.clone();
        Err(RecordError::ValuesDenied {
            operation: Operation::Update,
            model,
            index: self.form.index(index),
        })
    }

    async fn write(
        &self,
        conn: &mut Conn<'_>,
        access: &Access,
        index: usize,
    ) -> Result<(), RecordError> {
        let Some(item) = self.items.get(index) else {
            return Ok(());
        };
        let at = self.form.index(index);
        let refused = |error| unique::refusal(error, &item.settings, at);
        if let Some(statement) = self.statement(access, item)
            && execute(conn, statement).await.map_err(refused)? == 0
        {
            return Err(RecordError::VersionConflict { index: at });
        }
        for setting in &item.settings {
            if let Some(link) = Link::of(access, self.model, setting.field) {
                let replaced = link.replace(conn, &item.id, &setting.list).await;
                replaced.map_err(refused)?;
            }
        }
        Ok(())
    }

    /// The change of the record's own row, if there is any.
    fn statement(&self, access: &Access, item: &Item<'_>) -> Option<Statement> {
        let (current, dialect) = (self.column_of(item, VERSION), self.model.dialect());
        let is_stored = |setting: &&Setting<'_>| setting.field.is_stored();
        let has_columns = item.settings.iter().any(|setting| is_stored(&setting));
        (has_columns || self.model.field(VERSION).is_some()).then(|| {
            let mut update = Query::update();
            update.table(table(&access.org_slug, self.model));
            for setting in item.settings.iter().filter(is_stored) {
                for (column, value) in setting.written(dialect) {
                    update.value(column, value);
                }
            }
            update.and_where(has_id(self.model, None, std::slice::from_ref(&item.id)));
            if let (Some(field), Cell::Int(version)) = (self.model.field(VERSION), current) {
                let column = || Alias::new(field.column());
                update.value(column(), version + 1);
                update.and_where(sea_query::Expr::col(column()).eq(version));
            }
            Statement::of(dialect, &update)
        })
    }

    /// The rights once more, now against what is really there.
    async fn check_written(&self, conn: &mut Conn<'_>, access: &Access) -> Result<(), RecordError> {
        let ids: Vec<Key> = self.items.iter().map(|item| item.id.clone()).collect();
        let stored = guard::of_stored(conn, access, self.model, &self.grants, &ids).await?;
        for (index, item) in self.items.iter().enumerate() {
            let holding = stored
                .iter()
                .find(|(id, _)| *id == item.id)
                .map(|(_, holding)| holding.as_slice());
            self.permit(item, holding.unwrap_or_default(), index)?;
        }
        Ok(())
    }

    async fn answer(
        &self,
        conn: &mut Conn<'_>,
        access: &'a Access,
    ) -> Result<Vec<Value>, RecordError> {
        let batch: Vec<Vec<Setting<'a>>> = self
            .items
            .iter()
            .map(|item| item.settings.clone())
            .collect();
        let mut fields = set_fields(access, self.model, &batch);
        if let Some(version) = self.model.field(VERSION).filter(|_| self.model.versioned) {
            fields.push(Wanted {
                key: VERSION.to_owned(),
                path: Path {
                    hops: Vec::new(),
                    field: version,
                },
            });
        }
        let ids: Vec<Key> = self.items.iter().map(|item| item.id.clone()).collect();
        let after = by_id(conn, access, self.model, &ids, &fields).await?;
        Ok(self
            .items
            .iter()
            .map(|item| item.answer(after.get(&item.id)))
            .collect())
    }
}

/// A problem for each part of the key that would be changed.
fn fixed(model: &Model, settings: &[Setting<'_>], pointer: &str) -> Vec<Problem> {
    let parts = settings
        .iter()
        .filter(|setting| model.is_key(setting.field));
    let problem = |setting: &Setting<'_>| {
        let message = "is part of what the record is known by, and stays as it is";
        Problem::new(format!("{pointer}/{}", setting.field.name), message)
    };
    parts.map(problem).collect()
}

impl Item<'_> {
    fn answer(&self, after: Option<&Map<String, Value>>) -> Value {
        let changes: Vec<Value> = self
            .settings
            .iter()
            .map(|setting| {
                let name = &setting.field.name;
                let before = self.old.shown.get(name);
                let after = after.and_then(|record| record.get(name));
                match (before, after) {
                    (None, _) => json!({ "field": name, "withheld": true }),
                    (Some(before), None) => {
                        json!({ "field": name, "before": before, "withheld": true })
                    }
                    (Some(before), Some(after)) => {
                        json!({ "field": name, "before": before, "after": after })
                    }
                }
            })
            .collect();
        let mut record = Map::from_iter([("id".to_owned(), self.id.json())]);
        if let Some(version) = after.and_then(|record| record.get(VERSION)) {
            record.insert(VERSION.to_owned(), version.clone());
        }
        record.insert("changes".to_owned(), Value::Array(changes));
        Value::Object(record)
    }
}
