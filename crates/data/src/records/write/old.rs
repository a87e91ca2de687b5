use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::guard;
use super::settings::Setting;
use super::targets::display_expr;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::content::told::without_place;
use crate::records::criteria::path::Names;
use crate::records::error::RecordError;
use crate::records::ids::Key;
use crate::records::links::read::{Found, SHOWN, fill};
use crate::records::model::{Field, Model};
use crate::records::names::stored;
use crate::records::read::storage;
use crate::records::rights::allowed::{Allowed, Readable};
use crate::records::run_sql::rows;
use crate::records::scope::ROOT;
use crate::records::select::{Decoder, Selection, Wanted, display, own};
use crate::records::values::cell::Cell;

/// A record before the change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Old {
    /// What names it to the user.
    pub(crate) display: String,
    /// The fields that are set, as the user may read them.
    pub(crate) shown: Map<String, Value>,
    /// All columns as they are stored; never shown.
    pub(super) columns: Vec<Cell>,
    /// The grants that are about it.
    pub(super) holding: Vec<usize>,
}

/// The records as they are, as far as the user may read them.
pub(super) async fn load<'a>(
    conn: &mut Conn<'_>,
    access: &'a Access,
    model: &'a Model,
    grants: &[Allowed<'_>],
    (ids, batch): (&[Key], &[Vec<Setting<'a>>]),
) -> Result<BTreeMap<Key, Old>, RecordError> {
    let fields = set_fields(access, model, batch);
    let (statement, decoder) = {
        let mut selection = Selection::new(access, model);
        selection.fields(&fields);
        let shown = display_expr(&mut selection, model);
        selection.extra(shown);
        for field in model.stored() {
            selection.extra(stored(model.dialect(), ROOT, field).canonical());
        }
        for flag in guard::flags(access, grants, ROOT) {
            selection.extra(flag);
        }
        selection.with_ids(ids);
        selection.finish()?
    };
    let found = rows(conn, statement).await.map_err(storage)?;
    let count = model.stored().count();
    let mut records: Vec<Found> = found
        .iter()
        .map(|row| (Decoder::id(row), decoder.record(row)))
        .collect();
    fill(conn, access, model, &fields, &mut records, SHOWN).await?;
    let old = |(row, (id, mut shown)): (&Vec<Cell>, Found)| {
        let id = id?;
        // By then, what is there is something else.
        shown.values_mut().for_each(without_place);
        let extras = decoder.extras(row);
        let old = Old {
            display: display(
                model,
                Some(&id),
                extras.first().cloned().unwrap_or(Cell::Null),
            ),
            shown,
            columns: extras.get(1..=count).unwrap_or_default().to_vec(),
            holding: extras.get(count + 1..).map(guard::set).unwrap_or_default(),
        };
        Some((id, old))
    };
    Ok(found.iter().zip(records).filter_map(old).collect())
}

/// The fields that any item sets and the user may read.
pub(super) fn set_fields<'a>(
    access: &'a Access,
    model: &'a Model,
    batch: &[Vec<Setting<'a>>],
) -> Vec<Wanted<'a>> {
    let readable = Readable(access);
    let set = |field: &Field| {
        batch
            .iter()
            .flatten()
            .any(|setting| setting.field.name == field.name)
    };
    let shown = |field: &&Field| set(field) && readable.knows(model, field);
    own(model.holding().filter(shown))
}
