use sea_query::{Expr, NullOrdering, Order, Query, SelectStatement};

use super::compiler::{Clause, Compiler, Place};
use super::input::{QueryInput, SortKey};
use super::level::{Level, LevelInput, Selected};
use super::limits::{check_size, has_aggregate};
use super::params::Params;
use super::source::{Groups, Naming, Scope, is_broken};
use super::typed::Typed;
use crate::records::access::Access;
use crate::records::criteria::test_parse::sortable;
use crate::records::error::{Problem, RecordError, settle};
use crate::records::input::Direction;
use crate::records::model::ID;
use crate::records::names::column;
use crate::records::nearest::{clip, did_you_mean};
use crate::records::run_sql::Statement;

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
    let page = Statement::of(|builder| page.build(builder));
    let summaries = summaries.map(|(select, columns)| {
        let statement = Statement::of(|builder| select.build(builder));
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

    fn page(&self, level: &Level<'_>, distinct: bool) -> SelectStatement {
        let none = Groups::default();
        let groups = self.scopes.last().map_or(&none, |scope| &scope.groups);
        let mut select = level.statement(groups);
        if distinct {
            select.distinct();
        }
        select
    }

    /// What is asked for, and then whatever makes the order whole, so that pages never overlap.
    fn order(&mut self, input: &QueryInput, level: Option<&Level<'_>>) -> Vec<(Expr, Order)> {
        let Some(level) = level else {
            return Vec::new();
        };
        let mut order = Vec::new();
        for (index, key) in input.order_by.iter().enumerate() {
            let at = format!("/orderBy/{index}");
            let direction = match key.direction {
                Direction::Asc => Order::Asc,
                Direction::Desc => Order::Desc,
            };
            let expr = self.sort_key(key, level, input, &at);
            order.extend(expr.map(|expr| (expr, direction)));
        }
        let rest: Vec<Expr> = match self.scopes.last() {
            _ if input.distinct => (0..level.selected.len()).map(output).collect(),
            Some(scope) if level.grouped => {
                let keys = scope.groups.keys.iter();
                keys.map(|key| key.typed.expr.clone()).collect()
            }
            Some(scope) => {
                let sources = scope.sources.iter();
                sources.map(|source| column(&source.alias, ID)).collect()
            }
            None => Vec::new(),
        };
        order.extend(rest.into_iter().map(|expr| (expr, Order::Asc)));
        order
    }

    fn sort_key(
        &mut self,
        key: &SortKey,
        level: &Level<'_>,
        input: &QueryInput,
        at: &str,
    ) -> Option<Expr> {
        let (text, is_column) = match (&key.field, &key.column) {
            (Some(field), None) => (field, false),
            (None, Some(column)) => (column, true),
            _ => {
                self.wrong(at, "needs either `field` or `as`");
                return None;
            }
        };
        let at = format!("{at}/{}", if is_column { "as" } else { "field" });
        if is_broken(&self.scopes, text) {
            return None;
        }
        let index = level
            .selected
            .iter()
            .position(|one| one.name == *text)
            .or_else(|| same_field(input, text).filter(|_| !is_column));
        if let Some(index) = index {
            let typed = level.selected.get(index).map(|one| one.typed.clone())?;
            self.check_sortable(&typed, text, &at)?;
            return Some(output(index));
        }
        if is_column || input.distinct {
            let known = level.selected.iter().map(|one| one.name.as_str());
            let hint = did_you_mean(text, known);
            let message = if is_column {
                format!("unknown column `{}`{hint}", clip(text))
            } else {
                format!(
                    "with `distinct`, rows are sorted by selected columns, and `{}` is none{hint}",
                    clip(text)
                )
            };
            self.wrong(at, message);
            return None;
        }
        let place = if level.grouped {
            Place::Group
        } else {
            Place::Row(Clause::Select)
        };
        let typed = self.field(text, &at, place)?;
        self.check_sortable(&typed, text, &at)?;
        Some(typed.expr)
    }

    fn check_sortable(&mut self, typed: &Typed, text: &str, at: &str) -> Option<()> {
        if sortable(&typed.as_field()) {
            return Some(());
        }
        let message = format!(
            "`{}` is {} and can't be sorted by",
            clip(text),
            typed.kind.name()
        );
        self.wrong(at, message);
        None
    }

    /// Aggregates over everything that the answer is a page of.
    fn summaries(
        &mut self,
        input: &QueryInput,
        level: Option<&Level<'_>>,
    ) -> Option<(SelectStatement, Vec<Selected>)> {
        let level = level.filter(|_| !input.summaries.is_empty())?;
        let whole = input.distinct || level.grouped;
        let base = self.aliases.next("s");
        let page = self.page(level, input.distinct);
        let alias = self.aliases.next("g");
        let scope = self.scope()?;
        scope.groups = Groups {
            alias: alias.clone(),
            ..Groups::default()
        };
        scope.naming = Naming::RowColumns;
        if whole {
            scope.naming = Naming::OnlyRowColumns;
            for (index, (_, typed)) in scope.columns.iter_mut().enumerate() {
                *typed = typed.moved(column(&base, &format!("c{index}")));
            }
        }
        let mut columns: Vec<Selected> = Vec::new();
        for (index, operand) in input.summaries.iter().enumerate() {
            let at = format!("/summaries/{index}");
            let name = self.named(operand, &at, index);
            if columns.iter().any(|one| one.name == name) {
                let message = format!("the summary `{}` is there twice", clip(&name));
                self.wrong(&at, message);
            }
            if !has_aggregate(operand) {
                let message = "must be an aggregate: count, countDistinct, sum, avg, min or max";
                self.wrong(&at, message);
                continue;
            }
            let typed = self.column(operand, &at, Place::Group);
            columns.extend(typed.map(|typed| Selected { name, typed }));
        }
        let inner = std::mem::take(&mut self.scope()?.groups.inner);
        let rows = if whole {
            let mut rows = Query::select();
            for (index, expr) in inner.into_iter().enumerate() {
                rows.expr_as(expr, format!("k{index}"));
            }
            if rows == Query::select() {
                rows.expr(Expr::Constant(1_i64.into()));
            }
            rows.from_subquery(page, base);
            rows
        } else {
            level.rows(inner)
        };
        let mut select = Query::select();
        select.from_subquery(rows, alias);
        for column in &columns {
            select.expr(column.typed.expr.clone());
        }
        Some((select, columns))
    }
}

/// The column that is the field alone.
fn same_field(input: &QueryInput, text: &str) -> Option<usize> {
    input
        .select
        .iter()
        .position(|operand| operand.field.as_deref() == Some(text) && operand.function.is_none())
}

/// A column of the answer.
fn output(index: usize) -> Expr {
    Expr::col(sea_query::Alias::new(format!("c{index}")))
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
