use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::access::Access;
use super::error::{Busy, RecordError};
use super::functions::ModelFunction;
use super::ids::{Ids, Key};
use super::input::ReadInput;
use super::links::read::{Found, SHOWN, fill};
use super::model::Model;
use super::run_sql::{SqlError, rows};
use super::select::{Decoder, Selection, Wanted, wanted};
use crate::ReadFrom;
use crate::StoreError;
use crate::conn::Conn;

/// Reads records by id; what can't be read is missing, like what doesn't exist.
///
/// # Errors
/// When the input doesn't fit the model or the user may read nothing of it.
pub async fn read(
    from: &mut impl ReadFrom,
    access: &Access,
    input: &ReadInput,
) -> Result<Value, RecordError> {
    let model = access.function_of(&input.model, ModelFunction::Read)?;
    let ids = Ids::read(input.id.as_ref(), input.ids.as_ref(), model);
    let fields = wanted(access, model, input.fields.as_ref());
    let (ids, fields) = both(ids, fields)?;
    let mut found = by_id(&mut from.as_conn().await?, access, model, &ids.ids, &fields).await?;
    let (mut records, mut missing) = (Vec::new(), Vec::new());
    for id in ids.ids {
        match found.remove(&id) {
            Some(record) => records.push(Value::Object(record)),
            None => missing.push(id.json()),
        }
    }
    Ok(json!({ "model": model.name, "records": records, "missing": missing }))
}

/// The problems of both, if there are any.
fn both<A, B>(
    a: Result<A, RecordError>,
    b: Result<B, Vec<super::error::Problem>>,
) -> Result<(A, B), RecordError> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(RecordError::Invalid { mut problems }), Err(more)) => {
            problems.extend(more);
            Err(RecordError::Invalid { problems })
        }
        (Err(error), _) => Err(error),
        (Ok(_), Err(problems)) => Err(RecordError::Invalid { problems }),
    }
}

/// The records with these ids that the user may read.
pub(super) async fn by_id(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    ids: &[Key],
    fields: &[Wanted<'_>],
) -> Result<BTreeMap<Key, Map<String, Value>>, RecordError> {
    by_id_with(conn, access, model, ids, (fields, SHOWN)).await
}

/// The same, with so many of the records that a field leads to.
pub(super) async fn by_id_with(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    ids: &[Key],
    (fields, most): (&[Wanted<'_>], u32),
) -> Result<BTreeMap<Key, Map<String, Value>>, RecordError> {
    let (statement, decoder) = {
        let mut selection = Selection::new(access, model);
        selection.fields(fields);
        selection.with_ids(ids);
        selection.finish()?
    };
    let rows = rows(conn, statement).await.map_err(storage)?;
    let mut records: Vec<Found> = rows
        .iter()
        .map(|row| (Decoder::id(row), decoder.record(row)))
        .collect();
    fill(conn, access, model, fields, &mut records, most).await?;
    let known = records.into_iter();
    Ok(known
        .filter_map(|(id, record)| Some((id?, record)))
        .collect())
}

pub(super) fn storage(error: SqlError) -> RecordError {
    match error {
        SqlError::Locked => RecordError::Busy(Busy::Locked),
        SqlError::Conflict => RecordError::Busy(Busy::Conflict),
        SqlError::Changed => RecordError::Outdated,
        SqlError::TimedOut => RecordError::TimedOut,
        other => RecordError::Store(StoreError::from(other)),
    }
}
