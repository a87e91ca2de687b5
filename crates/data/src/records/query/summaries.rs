use sea_query::{Expr, Query, SelectStatement};

use super::compiler::{Compiler, Place};
use super::input::QueryInput;
use super::level::{Level, Selected};
use super::limits::has_aggregate;
use super::source::{Groups, Naming};
use crate::records::names::column;
use crate::records::nearest::clip;

impl Compiler<'_> {
    /// Aggregates over everything that the answer is a page of.
    pub(super) fn summaries(
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
