//! What a write would do, for the person who approves it; nothing is written.

mod build;
mod fingerprint;

use super::access::Access;
use super::error::RecordError;
use super::input::{CreateInput, DeleteInput, UpdateInput};
use super::write::create::Creation;
use super::write::delete::Removal;
use super::write::lock::lock;
use super::write::update::Change;
use crate::ReadFrom;
use crate::Unit;
use crate::conn::Conn;

/// A write that is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Write<'a> {
    /// `create_record`
    Create(&'a CreateInput),
    /// `update_record`
    Update(&'a UpdateInput),
    /// `delete_record`
    Delete(&'a DeleteInput),
}

impl<'a> Write<'a> {
    /// The model that is written.
    #[must_use]
    pub fn model(self) -> &'a str {
        match self {
            Write::Create(input) => &input.model,
            Write::Update(input) => &input.model,
            Write::Delete(input) => &input.model,
        }
    }
}

/// What a write would do, as its asker may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// "Update order SO-10482", "Delete 3 orders".
    pub title: String,
    /// "Update order", "Delete orders".
    pub verb: String,
    /// "Touches 1 order."
    pub summary: String,
    /// What is set, where one record is written.
    pub fields: Vec<PlanField>,
    /// The records that exist and are touched.
    pub records: Vec<PlanRecord>,
    /// How many records are written.
    pub record_count: usize,
    /// Each record's fields before and after.
    pub changes: Vec<PlanChange>,
    /// What the asker can read of the touched records, in short; it differs when they do.
    pub fingerprint: String,
}

/// One value that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanField {
    /// The field's title.
    pub label: String,
    /// The value as a person reads it.
    pub value: String,
}

/// One record that is touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRecord {
    /// Its id.
    pub id: String,
    /// What names it.
    pub display: String,
}

/// What changes on one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanChange {
    /// Its id; none before it exists.
    pub id: Option<String>,
    /// What names it.
    pub display: String,
    /// The fields that are set.
    pub fields: Vec<FieldChange>,
}

/// One field, before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field's name.
    pub field: String,
    /// The field's title.
    pub label: String,
    /// The value before, as the asker may read it.
    pub before: Option<String>,
    /// The value that is set.
    pub after: Option<String>,
}

/// Checks a write as the write itself would, and says what it would do.
///
/// # Errors
/// As the write itself.
pub async fn plan(
    from: &mut impl ReadFrom,
    access: &Access,
    write: Write<'_>,
) -> Result<Plan, RecordError> {
    plan_on(&mut from.as_conn().await?, access, write).await
}

/// Checks, right before an approved write, that what it touches is as it was approved.
///
/// # Errors
/// [`RecordError::Stale`] with what has changed; else as the write itself.
pub async fn check_unchanged(
    unit: &mut Unit,
    access: &Access,
    write: Write<'_>,
    fingerprint: &str,
) -> Result<(), RecordError> {
    lock(&mut unit.conn()?, access, write).await?;
    let now = match plan_on(&mut unit.conn()?, access, write).await {
        Ok(plan) => plan,
        Err(error) => return Err(stale(error)),
    };
    match fingerprint::changes(fingerprint, &now) {
        None => Ok(()),
        Some(changes) => Err(RecordError::Stale { changes }),
    }
}

/// What was there when the write was approved, and isn't now, has changed in between.
fn stale(error: RecordError) -> RecordError {
    let changes = match error {
        RecordError::NotFound { .. } => "a record that it is about can no longer be found",
        RecordError::VersionConflict { .. } => "a record that it is about has been saved",
        other => return other,
    };
    RecordError::Stale {
        changes: changes.to_owned(),
    }
}

async fn plan_on(
    conn: &mut Conn<'_>,
    access: &Access,
    write: Write<'_>,
) -> Result<Plan, RecordError> {
    let (mut plan, model, ids) = match write {
        Write::Create(input) => {
            let creation = Creation::prepare(conn, access, input).await?;
            (build::creation(&creation), creation.model, Vec::new())
        }
        Write::Update(input) => {
            let change = Change::prepare(conn, access, input).await?;
            let ids = change.items.iter().map(|item| item.id.clone()).collect();
            (build::change(access, &change), change.model, ids)
        }
        Write::Delete(input) => {
            let removal = Removal::prepare(conn, access, input).await?;
            let ids = removal.records.iter().map(|(id, _)| id.clone()).collect();
            (build::removal(&removal), removal.model, ids)
        }
    };
    plan.fingerprint = fingerprint::of(conn, access, model, &ids).await?;
    Ok(plan)
}
