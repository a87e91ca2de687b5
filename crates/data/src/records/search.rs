use sea_query::{Asterisk, Expr, ExprTrait, NullOrdering, Order, Query};
use serde_json::{Value, json};

use super::access::Access;
use super::criteria::condition::Condition;
use super::criteria::path::{Names, Path};
use super::criteria::resolve::resolve;
use super::criteria::test_parse::{Reading, sortable};
use super::criteria::variables::Variables;
use super::error::{Problem, RecordError, settle};
use super::functions::ModelFunction;
use super::input::{Direction, SearchInput};
use super::links::read::{Found, SHOWN, fill};
use super::model::Model;
use super::names;
use super::read::storage;
use super::rights::allowed::Readable;
use super::run_sql::{Statement, rows};
use super::scope::{ROOT, Scope};
use super::select::{Decoder, Selection, Wanted, wanted};
use super::values::cell::Cell;
use crate::ReadFrom;

/// Counting stops here: a larger total is "at least".
const COUNTED: u64 = 10_000;
/// How many records a search answers with: unless it says, and at most.
const PAGE: Limits = Limits {
    usual: 20,
    most: 100,
};
/// Skipping more than this costs more than it tells.
const MAX_OFFSET: u32 = 1_000_000;
const MAX_ORDER: usize = 10;

/// Searches the records that the user may read.
///
/// # Errors
/// When the input doesn't fit the model or the user may read nothing of it.
pub async fn search(
    from: &mut impl ReadFrom,
    access: &Access,
    input: &SearchInput,
) -> Result<Value, RecordError> {
    found(from, access, input, PAGE).await
}

/// How many records are answered with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Where the input does not say.
    pub(super) usual: u32,
    /// At most.
    pub(super) most: u32,
}

pub(super) async fn found(
    from: &mut impl ReadFrom,
    access: &Access,
    input: &SearchInput,
    limits: Limits,
) -> Result<Value, RecordError> {
    let model = access.function_of(&input.model, ModelFunction::Search)?;
    let search = Search::check(access, model, input, limits)?;
    let (page, decoder) = search.page(access, model)?;
    let count = search.count(access, model)?;
    let mut conn = from.as_conn().await?;
    let found = rows(&mut conn, page).await.map_err(storage)?;
    let counted = rows(&mut conn, count).await.map_err(storage)?;
    let total = counted
        .first()
        .and_then(|row| row.first())
        .and_then(Cell::as_int)
        .unwrap_or_default();
    let total = u64::try_from(total).unwrap_or_default();
    let mut records: Vec<Found> = found
        .iter()
        .map(|row| (Decoder::id(row), decoder.record(row)))
        .collect();
    fill(
        &mut conn,
        access,
        model,
        &search.fields,
        &mut records,
        SHOWN,
    )
    .await?;
    let records: Vec<Value> = records
        .into_iter()
        .map(|(_, record)| Value::Object(record))
        .collect();
    Ok(json!({
        "model": model.name,
        "records": records,
        "total": Ord::min(total, COUNTED),
        "totalIsExact": total <= COUNTED,
        "limit": search.limit,
        "offset": search.offset,
    }))
}

/// A search that was checked.
#[derive(Debug)]
struct Search<'a> {
    condition: Option<Condition<'a>>,
    fields: Vec<Wanted<'a>>,
    order: Vec<(Path<'a>, Direction)>,
    limit: u32,
    offset: u32,
}

impl<'a> Search<'a> {
    fn check(
        access: &'a Access,
        model: &'a Model,
        input: &SearchInput,
        limits: Limits,
    ) -> Result<Self, RecordError> {
        let names = Readable(access);
        let reading = Reading {
            now: access.clock.now(),
            variables: Variables::None,
        };
        let mut problems = Vec::new();
        let condition = input.criteria.as_ref().and_then(|criteria| {
            resolve(&names, model, criteria, "/criteria", reading)
                .map_err(|found| problems.extend(found))
                .ok()
        });
        let fields =
            wanted(access, model, input.fields.as_ref()).map_err(|found| problems.extend(found));
        let order = order(&names, model, input, &mut problems);
        let limit = input.limit.unwrap_or(limits.usual);
        if !(1..=limits.most).contains(&limit) {
            problems.push(Problem::new(
                "/limit",
                format!("must be from 1 to {}; got {limit}", limits.most),
            ));
        }
        let offset = input.offset.unwrap_or_default();
        if offset > MAX_OFFSET {
            problems.push(Problem::new(
                "/offset",
                format!("must be at most {MAX_OFFSET}; narrow the criteria instead"),
            ));
        }
        settle(problems)?;
        Ok(Self {
            condition,
            fields: fields.unwrap_or_default(),
            order,
            limit,
            offset,
        })
    }

    fn page(
        &self,
        access: &'a Access,
        model: &'a Model,
    ) -> Result<(Statement, Decoder<'a>), RecordError> {
        let mut selection = Selection::new(access, model);
        selection.fields(&self.fields);
        if let Some(condition) = &self.condition {
            let filter = selection.scope.filter(condition);
            selection.select.and_where(filter);
        }
        for (path, direction) in &self.order {
            let direction = match direction {
                Direction::Asc => Order::Asc,
                Direction::Desc => Order::Desc,
            };
            let value = selection.scope.value(path);
            selection
                .select
                .order_by_expr_with_nulls(value, direction, NullOrdering::Last);
        }
        // The id settles what is equal, so that pages never overlap.
        if let Some(id) = model.id() {
            let id = names::raw(model.dialect(), ROOT, id);
            selection.select.order_by_expr(id, Order::Asc);
        }
        selection
            .select
            .limit(u64::from(self.limit))
            .offset(u64::from(self.offset));
        selection.finish()
    }

    fn count(&self, access: &'a Access, model: &'a Model) -> Result<Statement, RecordError> {
        let mut scope = Scope::new(access, model);
        let mut inner = Query::select();
        inner.expr(Expr::Constant(1_i64.into()));
        if let Some(condition) = &self.condition {
            let filter = scope.filter(condition);
            inner.and_where(filter);
        }
        scope
            .finish(&mut inner)
            .map_err(|message| RecordError::one("/criteria", message))?;
        inner.limit(COUNTED + 1);
        let mut outer = Query::select();
        outer
            .expr(Expr::col(Asterisk).count())
            .from_subquery(inner, "counted");
        Ok(Statement::of(model.dialect(), &outer))
    }
}

fn order<'a>(
    names: &Readable<'a>,
    model: &'a Model,
    input: &SearchInput,
    problems: &mut Vec<Problem>,
) -> Vec<(Path<'a>, Direction)> {
    let items = input.order.as_deref().unwrap_or_default();
    if items.len() > MAX_ORDER {
        problems.push(Problem::new(
            "/order",
            format!("names more than {MAX_ORDER} fields"),
        ));
        return Vec::new();
    }
    let mut order = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let at = format!("/order/{index}/field");
        match names.path(model, &item.field) {
            Ok(path) if sortable(path.field) => {
                order.push((path, item.direction));
            }
            Ok(path) => {
                let kind = path.field.kind.name();
                problems.push(Problem::new(
                    at,
                    format!("`{}` is {kind} and can't be sorted by", path.field.name),
                ));
            }
            Err(message) => problems.push(Problem::new(at, message)),
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use sea_query::{Alias, Query};
    use serde_json::json;
    use toolcrib::id::{OrgId, UserId};

    use super::*;
    use crate::records::names::own_table;
    use crate::records::run_sql::execute;
    use crate::records::sql::Dialect;
    use crate::records::{Catalog, Grants, Narrowing, Subject, WorkspaceFile, migrate};
    use crate::{Clock, Store, StoreOptions};

    fn file(path: &str, text: &str) -> WorkspaceFile {
        WorkspaceFile {
            path: path.into(),
            text: text.into(),
        }
    }

    #[tokio::test]
    async fn a_total_is_exact_to_ten_thousand() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(StoreOptions::new(dir.path().join("main.db")))
            .await
            .unwrap();
        let files = [
            file(
                "models/dot.yaml",
                "name: dot\nfields:\n  n: { type: integer }\n",
            ),
            file(
                "permissions/r.yaml",
                "role: r\ngrants:\n  - { models: dot, operations: read }\n",
            ),
        ];
        let catalog = Catalog::load(&files).unwrap();
        let grants = Grants::load(&files, &catalog).unwrap();
        let mut unit = store.unit().await.unwrap();
        migrate(&mut unit, "a", &catalog, false).await.unwrap();
        let access = Access {
            org: OrgId::mint(),
            org_slug: "a".into(),
            subject: Subject {
                id: UserId::mint(),
                email: String::new(),
                name: String::new(),
                roles: vec!["r".into()],
                attributes: serde_json::Map::new(),
            },
            catalog: Arc::new(catalog),
            grants: Arc::new(grants),
            narrowing: Narrowing::default(),
            denied_operations: BTreeSet::new(),
            closed: BTreeSet::new(),
            clock: Clock::system(),
        };
        for (count, total, exact) in [(10_000, 10_000, true), (1, 10_000, false)] {
            let statement = {
                let mut insert = Query::insert();
                insert
                    .into_table(own_table(Dialect::Sqlite, "a", "dot"))
                    .columns([Alias::new("n")]);
                for n in 0..count {
                    insert.values([Expr::val(i64::from(n))]).unwrap();
                }
                Statement::of(Dialect::Sqlite, &insert)
            };
            execute(&mut unit.conn().unwrap(), statement).await.unwrap();
            let input = serde_json::from_value(json!({ "model": "dot", "limit": 1 })).unwrap();
            let answer = search(&mut unit, &access, &input).await.unwrap();
            assert_eq!(
                (&answer["total"], &answer["totalIsExact"]),
                (&json!(total), &json!(exact))
            );
        }
    }
}
