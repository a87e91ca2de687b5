use sea_query::{Alias, NullOrdering, Query, SelectStatement};

use super::compiler::Compiler;
use super::input::QueryInput;
use super::level::{Level, LevelInput, Selected};
use super::limits::check_size;
use super::params::Params;
use super::source::{Groups, Scope};
use crate::records::access::Access;
use crate::records::error::{Problem, RecordError, settle};
use crate::records::run_sql::Statement;
use crate::records::sql::Dialect;

const DEFAULT_LIMIT: u32 = 20;
const MAX_LIMIT: u32 = 100;
/// Skipping more than this costs more than it tells.
const MAX_OFFSET: u32 = 1_000_000;
/// The most values of one statement; databases stop at some number of their own.
const BOUND: usize = 30_000;

/// A query that was checked: the statements for its page and its summaries, and their columns.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) page: Statement,
    pub(super) columns: Vec<Selected>,
    pub(super) summaries: Option<(Statement, Vec<Selected>)>,
    pub(super) limit: u32,
    pub(super) offset: u32,
}

/// Checks a query and builds its statements.
pub(super) fn build(
    access: &Access,
    input: &QueryInput,
    params: &Params,
) -> Result<Built, RecordError> {
    check_size(input).map_err(|problems| RecordError::Invalid { problems })?;
    let mut compiler = Compiler::new(access, params);
    let (limit, offset) = compiler.window(input);
    if input.select.is_empty() {
        compiler.wrong("/select", "needs at least one column");
    }
    compiler.scopes.push(Scope::default());
    let level = compiler.level(LevelInput::from(input), "");
    let order = compiler.order(input, level.as_ref());
    let page = level.as_ref().map(|level| {
        let mut select = compiler.page(level, input.distinct);
        if input.distinct && compiler.dialect == Dialect::Mysql {
            select = apart(select, level.selected.len());
        }
        for (expr, direction) in order {
            select.order_by_expr_with_nulls(expr, direction, NullOrdering::Last);
        }
        select.limit(u64::from(limit) + 1).offset(u64::from(offset));
        select
    });
    let summaries = compiler.summaries(input, level.as_ref());
    let mut problems = std::mem::take(&mut compiler.problems);
    let (Some(level), Some(page)) = (level.filter(|level| level.sound), page) else {
        if problems.is_empty() {
            problems.push(Problem::new("", "can't be understood"));
        }
        return Err(RecordError::Invalid { problems });
    };
    let page = Statement::of(compiler.dialect, &page);
    let summaries = summaries.map(|(select, columns)| {
        let statement = Statement::of(compiler.dialect, &select);
        (statement, columns)
    });
    let bound = summaries.as_ref().map_or(0, |(one, _)| one.bound());
    if problems.is_empty() && Ord::max(page.bound(), bound) > BOUND {
        let message = "the query is too large; make it simpler, or several of it";
        problems.push(Problem::new("", message));
    }
    settle(problems)?;
    Ok(Built {
        page,
        columns: level.selected,
        summaries,
        limit,
        offset,
    })
}

/// The rows of a statement, to be windowed. MariaDB (10.11) forgets the offset where every column
/// of a DISTINCT is the same in all rows.
fn apart(rows: SelectStatement, columns: usize) -> SelectStatement {
    let mut select = Query::select();
    for index in 0..columns {
        select.column(Alias::new(format!("c{index}")));
    }
    select.from_subquery(rows, "p");
    select
}

impl Compiler<'_> {
    fn window(&mut self, input: &QueryInput) -> (u32, u32) {
        let limit = input.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            let message = format!("must be from 1 to {MAX_LIMIT}; got {limit}");
            self.wrong("/limit", message);
        }
        let offset = input.offset.unwrap_or_default();
        if offset > MAX_OFFSET {
            let message = format!("must be at most {MAX_OFFSET}; narrow `where` instead");
            self.wrong("/offset", message);
        }
        (limit, offset)
    }

    pub(super) fn page(&self, level: &Level<'_>, distinct: bool) -> SelectStatement {
        let none = Groups::default();
        let groups = self.scopes.last().map_or(&none, |scope| &scope.groups);
        let mut select = level.statement(groups);
        if distinct {
            select.distinct();
        }
        select
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::records::query::run;
    use crate::records::query::saved::overseer::overseer;
    use crate::records::run_sql::rows;
    use crate::records::values::cell::Cell;
    use crate::records::{Catalog, Grants, WorkspaceFile, create, migrate, sample};
    use crate::{Store, StoreOptions, Unit};

    async fn shop(dir: &std::path::Path) -> (Store, Unit, Access) {
        let store = Store::open(StoreOptions::new(dir.join("main.db")))
            .await
            .unwrap();
        let files: Vec<WorkspaceFile> = sample::FILES
            .iter()
            .map(|(path, text)| WorkspaceFile {
                path: (*path).into(),
                text: (*text).into(),
            })
            .collect();
        let catalog = Arc::new(Catalog::load(&files).unwrap());
        let mut unit = store.unit().await.unwrap();
        migrate(&mut unit, "a", &catalog, false).await.unwrap();
        let mut access = overseer(&catalog);
        access.grants = Arc::new(Grants::load(&files, &catalog).unwrap());
        access.subject.roles = vec!["sales".into()];
        access.org_slug = "a".into();
        (store, unit, access)
    }

    async fn plan(query: serde_json::Value) -> String {
        let dir = tempfile::tempdir().unwrap();
        let (_store, mut unit, access) = shop(dir.path()).await;
        let input = serde_json::from_value(query).unwrap();
        let built = build(&access, &input, &Params::default()).unwrap();
        let mut conn = unit.conn().unwrap();
        let steps = rows(&mut conn, built.page.explained()).await.unwrap();
        let steps = steps.into_iter().filter_map(|mut step| match step.pop() {
            Some(Cell::Text(text)) => Some(text),
            _ => None,
        });
        steps.collect::<Vec<_>>().join("\n")
    }

    #[tokio::test]
    async fn row_conditions_and_joins_use_indices() {
        let customers = json!({ "from": { "model": "customer", "as": "c" }, "select": [{ "field": "c.name" }] });
        let found = plan(customers).await;
        assert!(
            found.contains("SEARCH t0 USING INDEX i_a_customer:sales_person"),
            "{found}"
        );
        let lines = json!({
            "from": { "model": "order", "as": "o" },
            "join": [{ "field": "o.lines", "as": "l" }],
            "select": [{ "fn": "sum", "field": "l.line_total", "as": "x" }],
            "where": [{ "field": "o.status", "operator": "=", "value": "draft" }],
        });
        let found = plan(lines).await;
        assert!(!found.contains("SCAN t"), "{found}");
    }

    #[tokio::test]
    async fn a_query_that_takes_too_long_is_stopped_and_the_next_one_runs() {
        let dir = tempfile::tempdir().unwrap();
        let (_store, mut unit, mut access) = shop(dir.path()).await;
        access.subject.roles = vec!["manager".into()];
        let products: Vec<_> = (0..60)
            .map(|n| json!({ "sku": format!("P-{n}"), "name": "x", "category": "tools", "price": "1" }))
            .collect();
        let products = json!({ "model": "product", "records": products });
        let products = serde_json::from_value(products).unwrap();
        create(&mut unit, &access, &products).await.unwrap();
        let ask = |joins: usize| {
            let joins: Vec<_> = (0..joins)
                .map(|n| json!({ "model": "product", "as": format!("p{n}"), "on": [{ "field": format!("p{n}.name"), "operator": "=", "right": { "field": "p.name" } }] }))
                .collect();
            let query = json!({ "from": { "model": "product", "as": "p" }, "join": joins, "select": [{ "fn": "count" }] });
            let input = serde_json::from_value(query).unwrap();
            build(&access, &input, &Params::default()).unwrap()
        };
        let error = run(&mut unit, ask(8), 3).await.unwrap_err();
        assert!(error.to_string().starts_with("takes too long"), "{error}");
        let answer = run(&mut unit, ask(1), 3).await.unwrap();
        assert_eq!(answer["rows"], json!([{ "count": 3600 }]));
        assert_eq!(
            run(&mut unit, ask(0), 0).await.unwrap()["rows"],
            json!([{ "count": 60 }])
        );
    }
}
