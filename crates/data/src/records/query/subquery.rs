use sea_query::{Alias, Expr, ExprTrait, Query, SelectStatement};

use super::compiler::{Clause, Compiler, Place};
use super::input::SubQuery;
use super::level::LevelInput;
use super::source::Scope;
use super::typed::{Typed, aligned};
use crate::records::criteria::input::Operator;
use crate::records::names::column;
use crate::records::sql::Dialect;

impl Compiler<'_> {
    pub(super) fn exists(&mut self, query: &SubQuery, at: &str, place: Place) -> Option<Expr> {
        self.check_place(at, place)?;
        let Sub { select, .. } = self.sub_query(query, at)?;
        // Compared, so that SQLite (3.51.3) does not turn it into a join: OFFSET then counts a
        // row once for each match.
        Some(Expr::exists(select).eq(Expr::Constant(true.into())))
    }

    /// Whether the value is among those of the sub-query's column. Empty ones are no values, or a
    /// single one would make `notIn` hold for nothing.
    pub(super) fn in_query(
        &mut self,
        left: Typed,
        operator: Operator,
        query: &SubQuery,
        at: &str,
        place: Place,
    ) -> Option<Expr> {
        let at = format!("{at}/query");
        if !matches!(operator, Operator::In | Operator::NotIn) {
            let message = format!(
                "`{}` takes no sub-query; use in, notIn, exists or notExists",
                operator.name()
            );
            self.wrong(at, message);
            return None;
        }
        self.check_place(&at, place)?;
        if query.select.len() != 1 {
            let message = format!(
                "must have one column to compare with; got {}",
                query.select.len()
            );
            self.wrong(format!("{at}/select"), message);
            return None;
        }
        let sub = self.sub_query(query, &at)?;
        let typed = sub.columns.into_iter().next()?;
        let (left, select) = if sub.is_grouped {
            let alias = self.aliases.next("s");
            let value = typed.moved(column(&alias, "c0"));
            let (left, right, _) = self.noted(&at, aligned(self.sql(), left, value))?;
            let mut select = Query::select();
            select
                .expr(right)
                .from_subquery(sub.select, Alias::new(&alias))
                .and_where(column(&alias, "c0").is_not_null());
            (left, select)
        } else {
            let there = typed.expr.clone().is_not_null();
            let (left, right, _) = self.noted(&at, aligned(self.sql(), left, typed))?;
            let mut select = sub.select;
            select.clear_selects().expr(right).and_where(there);
            (left, select)
        };
        Some(match operator {
            Operator::NotIn => left.not_in_subquery(select),
            _ => left.in_subquery(select),
        })
    }

    /// A sub-query is looked up for each row, so it stands where rows are chosen.
    fn check_place(&mut self, at: &str, place: Place) -> Option<()> {
        match place {
            Place::Row(Clause::On) => {
                self.wrong(at, "a sub-query can't stand in `on`; put it into `where`");
                None
            }
            Place::Row(_) => Some(()),
            Place::Group => {
                let message = "a sub-query is about records, not groups; put it into `where`";
                self.wrong(at, message);
                None
            }
        }
    }

    fn sub_query(&mut self, query: &SubQuery, at: &str) -> Option<Sub> {
        let problems = self.problems.len();
        self.scopes.push(Scope::default());
        let level = self.level(LevelInput::from(query), at);
        let scope = self.scopes.pop()?;
        let level = level.filter(|level| level.sound && self.problems.len() == problems)?;
        if level.grouped && scope.looks_out && self.dialect == Dialect::Mysql {
            let message = "MySQL and MariaDB make no groups for each record of the query around: leave the groups, or what is named of the query around, out";
            self.wrong(at, message);
            return None;
        }
        let mut select = level.statement(&scope.groups);
        let columns: Vec<Typed> = level.selected.into_iter().map(|one| one.typed).collect();
        if columns.is_empty() {
            select.expr(Expr::Constant(1_i64.into()));
        }
        Some(Sub {
            select,
            columns,
            is_grouped: level.grouped,
        })
    }
}

/// A sub-query that was checked.
struct Sub {
    select: SelectStatement,
    columns: Vec<Typed>,
    is_grouped: bool,
}
