use sea_query::{ExprTrait, Query};

use super::settings::Setting;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::error::RecordError;
use crate::records::model::{ID, Model};
use crate::records::names::{column, table};
use crate::records::read::storage;
use crate::records::run_sql::{SqlError, Statement, rows};
use crate::records::scope::ROOT;
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
    (own, index): (Option<i64>, Option<usize>),
) -> Result<(), RecordError> {
    for setting in settings
        .iter()
        .filter(|setting| setting.field.rules.unique && !setting.cell.is_null())
    {
        let statement = {
            let mut select = Query::select();
            select
                .expr(column(ROOT, ID))
                .from_as(table(&access.org_slug, &model.name), ROOT)
                .and_where(column(ROOT, &setting.field.name).eq(setting.cell.expr()))
                .limit(1);
            if let Some(own) = own {
                select.and_where(column(ROOT, ID).ne(own));
            }
            Statement::of(|builder| select.build(builder))
        };
        if !rows(conn, statement).await.map_err(storage)?.is_empty() {
            return Err(taken(setting, index));
        }
    }
    Ok(())
}

/// Checks that no two records of one batch take the same unique value.
pub(crate) fn check_batch(batch: &[Vec<Setting<'_>>]) -> Result<(), RecordError> {
    for (index, settings) in batch.iter().enumerate() {
        for setting in settings
            .iter()
            .filter(|setting| setting.field.rules.unique && !setting.cell.is_null())
        {
            let twice =
                batch.iter().take(index).flatten().any(|other| {
                    other.field.name == setting.field.name && other.cell == setting.cell
                });
            if twice {
                return Err(taken(setting, Some(index)));
            }
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
                .find(|setting| Some(&setting.field.name) == column.as_ref());
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
        SqlError::Store(error) => RecordError::Store(error),
    }
}

fn taken(setting: &Setting<'_>, index: Option<usize>) -> RecordError {
    let value =
        render::plain(&render::json(&setting.field.kind, setting.cell.clone())).unwrap_or_default();
    let value = crate::records::nearest::clip(&value);
    RecordError::Constraint {
        index,
        message: format!(
            "`{}` '{value}' can't be used; choose another",
            setting.field.name
        ),
    }
}
