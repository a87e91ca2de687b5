use std::collections::BTreeMap;

use sea_query::{Expr, ExprTrait, Query};

use super::settings::Setting;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::criteria::condition::{Comparison, Test};
use crate::records::error::RecordError;
use crate::records::ids::Key;
use crate::records::input::Form;
use crate::records::model::Model;
use crate::records::names::{has_id, stored, table};
use crate::records::read::storage;
use crate::records::run_sql::{SqlError, Statement, Unfit, rows};
use crate::records::scope::ROOT;
use crate::records::values::cell::Cell;
use crate::records::values::render;

/// Checks that no other record has one of the unique values, `own` aside.
///
/// It looks at all records, readable or not: that a value can't be used is the one thing about
/// an unreadable record that is told.
pub(crate) async fn check(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    settings: &[Setting<'_>],
    (own, index): (Option<&Key>, Option<usize>),
) -> Result<(), RecordError> {
    for setting in settings
        .iter()
        .filter(|setting| setting.field.rules.unique && !setting.cell.is_null())
    {
        let statement = {
            let mut select = Query::select();
            select
                .expr(Expr::Constant(1_i64.into()))
                .from_as(table(&access.org_slug, model), ROOT)
                .and_where(
                    stored(model.dialect(), ROOT, setting.field)
                        .test(&Test::Compare(Comparison::Eq, setting.cell.clone())),
                )
                .limit(1);
            if let Some(own) = own {
                select.and_where(has_id(model, Some(ROOT), std::slice::from_ref(own)).not());
            }
            Statement::of(model.dialect(), &select)
        };
        if !rows(conn, statement).await.map_err(storage)?.is_empty() {
            return Err(taken(setting, index));
        }
    }
    Ok(())
}

/// Checks that no record has one of the unique values of new records: one question a field.
pub(crate) async fn check_new(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    batch: &[Vec<Setting<'_>>],
    form: Form,
) -> Result<(), RecordError> {
    for field in model.stored().filter(|field| field.rules.unique) {
        let asked: Vec<(usize, &Setting<'_>)> = batch
            .iter()
            .enumerate()
            .flat_map(|(index, settings)| settings.iter().map(move |setting| (index, setting)))
            .filter(|(_, setting)| setting.field.name == field.name && !setting.cell.is_null())
            .collect();
        if asked.is_empty() {
            continue;
        }
        let statement = {
            let mut select = Query::select();
            let cells = asked.iter().map(|(_, setting)| setting.cell.clone());
            let column = stored(model.dialect(), ROOT, field);
            select
                .expr(column.canonical())
                .from_as(table(&access.org_slug, model), ROOT)
                .and_where(column.test(&Test::In(cells.collect())));
            Statement::of(model.dialect(), &select)
        };
        let found = rows(conn, statement).await.map_err(storage)?;
        let is_found =
            |setting: &Setting<'_>| found.iter().flatten().any(|cell| *cell == setting.cell);
        if let Some((index, setting)) = asked.iter().find(|(_, setting)| is_found(setting)) {
            return Err(taken(setting, form.index(*index)));
        }
    }
    Ok(())
}

/// Checks that no two records of one batch take the same unique value.
pub(crate) fn check_batch(batch: &[Vec<Setting<'_>>]) -> Result<(), RecordError> {
    let mut seen: BTreeMap<&str, Vec<&Cell>> = BTreeMap::new();
    for (index, settings) in batch.iter().enumerate() {
        for setting in settings
            .iter()
            .filter(|setting| setting.field.rules.unique && !setting.cell.is_null())
        {
            let others = seen.entry(&setting.field.name).or_default();
            if others.contains(&&setting.cell) {
                return Err(taken(setting, Some(index)));
            }
            others.push(&setting.cell);
        }
    }
    Ok(())
}

/// The database's own refusal, in the words of the model.
pub(crate) fn refusal(
    error: SqlError,
    settings: &[Setting<'_>],
    index: Option<usize>,
) -> RecordError {
    match error {
        SqlError::Unique(column) => {
            let setting = settings
                .iter()
                .find(|setting| Some(setting.field.column()) == column.as_deref());
            setting.map_or_else(
                || RecordError::Constraint {
                    index,
                    message: "one of these values can't be used".to_owned(),
                },
                |setting| taken(setting, index),
            )
        }
        SqlError::Reference => RecordError::Constraint {
            index,
            message: "a relation leads to a record that does not exist".to_owned(),
        },
        SqlError::Value(column, unfit) => {
            let setting = settings
                .iter()
                .find(|setting| Some(setting.field.column()) == column.as_deref());
            let what = setting.map_or_else(
                || "one of these values".to_owned(),
                |setting| format!("`{}`", setting.field.name),
            );
            let message = match unfit {
                Unfit::Missing if setting.is_none() => {
                    "a value that the database needs is missing".to_owned()
                }
                Unfit::Missing => format!("{what} is required and can't be empty"),
                Unfit::TooLong => format!("{what} is longer than the database takes"),
                Unfit::OutOfRange => format!("{what} is out of the range that the database takes"),
            };
            RecordError::Constraint { index, message }
        }
        SqlError::Check(told) => RecordError::Constraint {
            index,
            message: check_message(&told, settings),
        },
        other => storage(other),
    }
}

/// A condition of the database that does not hold, by the fields that its text or name speaks of.
/// Only what the call set is told of.
fn check_message(told: &str, settings: &[Setting<'_>]) -> String {
    let about = settings
        .iter()
        .filter(|setting| speaks_of(told, setting.field.column()));
    let named: Vec<String> = about
        .map(|setting| format!("`{}` '{}'", setting.field.name, value(setting)))
        .collect();
    match named.as_slice() {
        [] => "one of these values is not what the database takes".to_owned(),
        [one] => format!("{one} is not what the database takes"),
        several => format!(
            "{} are together not what the database takes",
            several.join(" and ")
        ),
    }
}

/// Whether a column is a word of the text; `_` parts words too, as in `item_price_check`.
fn speaks_of(told: &str, column: &str) -> bool {
    told.match_indices(column).any(|(at, found)| {
        let (before, rest) = told.split_at(at);
        let after = rest.strip_prefix(found).unwrap_or_default();
        let ends = |next: Option<char>| next.is_none_or(|c| !c.is_alphanumeric());
        ends(before.chars().next_back()) && ends(after.chars().next())
    })
}

/// A value as it is told, shortened.
fn value(setting: &Setting<'_>) -> String {
    let json = render::json(&setting.field.kind, setting.cell.clone());
    crate::records::nearest::clip(&render::plain(&json).unwrap_or_default())
}

fn taken(setting: &Setting<'_>, index: Option<usize>) -> RecordError {
    let value = value(setting);
    RecordError::Constraint {
        index,
        message: format!(
            "`{}` '{value}' can't be used; choose another",
            setting.field.name
        ),
    }
}
