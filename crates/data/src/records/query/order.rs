use sea_query::{Alias, Expr, Order};

use super::compiler::{Clause, Compiler, Place};
use super::input::{QueryInput, SortKey};
use super::level::Level;
use super::source::is_broken;
use super::typed::Typed;
use crate::records::criteria::test_parse::sortable;
use crate::records::input::Direction;
use crate::records::names::raw;
use crate::records::nearest::{clip, did_you_mean};
use crate::records::sql::Dialect;

impl Compiler<'_> {
    /// What is asked for, and then whatever makes the order whole, so that pages never overlap.
    pub(super) fn order(
        &mut self,
        input: &QueryInput,
        level: Option<&Level<'_>>,
    ) -> Vec<(Expr, Order)> {
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
            _ if input.distinct => {
                let columns = level.selected.iter().enumerate();
                columns.map(|(index, _)| output(index)).collect()
            }
            Some(scope) if level.grouped => {
                let keys = scope.groups.keys.iter();
                keys.map(|key| key.typed.expr.clone()).collect()
            }
            Some(scope) => {
                let sources = scope.sources.iter();
                let ids = sources.filter_map(|source| {
                    let id = source.model.id()?;
                    Some(raw(self.dialect, &source.alias, id))
                });
                ids.collect()
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
            // MySQL knows no aggregate by its name inside an expression, which "nulls last" is one of.
            let is_named = self.dialect != Dialect::Mysql || !level.grouped || input.distinct;
            return Some(if is_named { output(index) } else { typed.expr });
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
    Expr::col(Alias::new(format!("c{index}")))
}
