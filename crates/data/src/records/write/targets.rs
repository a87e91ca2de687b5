use std::collections::{BTreeMap, BTreeSet};

use sea_query::Expr;

use super::settings::Setting;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::criteria::path::Path;
use crate::records::error::{Problem, RecordError};
use crate::records::ids::Key;
use crate::records::model::Model;
use crate::records::read::storage;
use crate::records::run_sql::rows;
use crate::records::select::{Decoder, Selection, display};
use crate::records::sql::Shape;
use crate::records::values::cell::Cell;
use crate::records::values::render;

/// How many ids go into one statement.
const AT_ONCE: usize = 5_000;

/// The records that a write's relations lead to, by model and id, each with its display.
#[derive(Debug, Default)]
pub(crate) struct Targets(BTreeMap<(String, Key), String>);

impl Targets {
    /// Looks up every record that the settings refer to. One that the user can't read is as
    /// one that does not exist.
    pub(crate) async fn find(
        conn: &mut Conn<'_>,
        access: &Access,
        batch: &[Vec<Setting<'_>>],
    ) -> Result<Self, RecordError> {
        let mut asked: BTreeMap<&str, BTreeSet<Key>> = BTreeMap::new();
        for setting in batch.iter().flatten() {
            for (target, id, _) in setting.led_to() {
                asked.entry(target).or_default().insert(id);
            }
        }
        let mut found = BTreeMap::new();
        for (name, ids) in asked {
            let Some(model) = access.catalog.model(name) else {
                continue;
            };
            let ids: Vec<Key> = ids.into_iter().collect();
            for ids in ids.chunks(AT_ONCE) {
                let displays = displays(conn, access, model, ids).await?.into_iter();
                found.extend(displays.map(|(id, display)| ((name.to_owned(), id), display)));
            }
        }
        Ok(Self(found))
    }

    /// A problem for each setting that leads to nothing.
    pub(crate) fn problems(
        &self,
        access: &Access,
        settings: &[Setting<'_>],
        pointer: &str,
    ) -> Vec<Problem> {
        let led_to = settings.iter().flat_map(|setting| {
            let led_to = setting.led_to().into_iter();
            led_to.map(move |(target, id, place)| (setting, target, id, place))
        });
        let lost = led_to.filter_map(|(setting, target, id, place)| {
            let known = self.0.contains_key(&(target.to_owned(), id.clone()));
            let at = format!("{pointer}/{}{place}", setting.field.name);
            // A model that the user may not know of is not named either.
            let kind = if access.knows(target) {
                format!("`{target}` record")
            } else {
                "record".to_owned()
            };
            (!known).then(|| Problem::new(at, format!("there is no {kind} {id}")))
        });
        lost.collect()
    }

    /// A value as a person reads it; `None` for null.
    pub(crate) fn plain(&self, setting: &Setting<'_>) -> Option<String> {
        let led_to = setting.led_to();
        if led_to.is_empty() {
            let cell = setting.cell.clone();
            return render::plain(&render::json(&setting.field.kind, cell));
        }
        let names = led_to.into_iter().map(|(target, id, _)| {
            let found = self.0.get(&(target.to_owned(), id.clone()));
            found.cloned().unwrap_or_else(|| format!("{target} {id}"))
        });
        Some(names.collect::<Vec<_>>().join(", "))
    }
}

/// What names each of these records to the user; those that can't be read are left out.
pub(crate) async fn displays(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    ids: &[Key],
) -> Result<BTreeMap<Key, String>, RecordError> {
    let statement = {
        let mut selection = Selection::new(access, model);
        let shown = display_expr(&mut selection, model);
        selection.extra(shown);
        selection.with_ids(ids);
        selection.finish()?.0
    };
    let rows = rows(conn, statement).await.map_err(storage)?;
    Ok(rows
        .into_iter()
        .filter_map(|mut row| Some((Decoder::id(&row)?, row.pop().unwrap_or(Cell::Null))))
        .map(|(id, shown)| {
            let display = display(model, Some(&id), shown);
            (id, display)
        })
        .collect())
}

/// The display field of the query's own model, as the user may read it.
pub(crate) fn display_expr<'a>(selection: &mut Selection<'a>, model: &'a Model) -> Expr {
    match model.field(&model.display) {
        Some(field) => selection.scope.value(&Path {
            hops: Vec::new(),
            field,
        }),
        None => model.dialect().sql().null(Shape::Text),
    }
}
