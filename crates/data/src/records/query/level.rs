use sea_query::{Expr, Query, SelectStatement};

use super::compiler::{Clause, Compiler, Place};
use super::input::{Filter, Join, Operand, QueryInput, Source, SubQuery};
use super::limits::has_aggregate;
use super::source::{Groups, Key, Naming, by_alias, find};
use super::tables::Tables;
use super::typed::Typed;
use crate::records::model::FieldType;
use crate::records::names::column;
use crate::records::nearest::clip;

/// The longest name of a column.
const NAME: usize = 100;

/// What a query and a sub-query have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelInput<'q> {
    pub(super) from: &'q Source,
    pub(super) join: &'q [Join],
    pub(super) select: &'q [Operand],
    pub(super) filters: &'q [Filter],
    pub(super) group_by: &'q [String],
    pub(super) having: &'q [Filter],
}

impl<'q> From<&'q QueryInput> for LevelInput<'q> {
    fn from(input: &'q QueryInput) -> Self {
        Self {
            from: &input.from,
            join: &input.join,
            select: &input.select,
            filters: &input.filters,
            group_by: &input.group_by,
            having: &input.having,
        }
    }
}

impl<'q> From<&'q SubQuery> for LevelInput<'q> {
    fn from(input: &'q SubQuery) -> Self {
        Self {
            from: &input.from,
            join: &input.join,
            select: &input.select,
            filters: &input.filters,
            group_by: &input.group_by,
            having: &input.having,
        }
    }
}

/// One column of an answer.
#[derive(Clone, Debug)]
pub(super) struct Selected {
    pub(super) name: String,
    pub(super) typed: Typed,
}

/// A query or sub-query whose parts were checked, not yet a statement.
#[derive(Debug)]
pub(super) struct Level<'a> {
    pub(super) tables: Tables<'a>,
    pub(super) filters: Vec<Expr>,
    /// The columns that nothing is wrong with.
    pub(super) selected: Vec<Selected>,
    /// Whether its rows are groups.
    pub(super) grouped: bool,
    /// Whether nothing is missing in it.
    pub(super) sound: bool,
    having: Vec<Expr>,
}

impl<'a> Compiler<'a> {
    /// Checks a query; its scope stays open, for what else is about its rows. After it was noted
    /// that something is wrong, what comes of it serves to check the rest, not to be run.
    pub(super) fn level(&mut self, input: LevelInput<'_>, at: &str) -> Option<Level<'a>> {
        let tables = self.tables(input.from, input.join, at)?;
        let place = Place::Row(Clause::Where);
        let filters = self.filters(input.filters, &format!("{at}/where"), place);
        let grouped = !input.group_by.is_empty() || input.select.iter().any(has_aggregate);
        let alias = self.aliases.next("g");
        if let Some(scope) = self.scope() {
            scope.groups = Groups {
                alias,
                ..Groups::default()
            };
        }
        let names = self.column_names(input.select, at);
        self.keys(&input, &names, at);
        let place = if grouped {
            Place::Group
        } else {
            Place::Row(Clause::Select)
        };
        let selected = self.selected(input.select, names, &format!("{at}/select"), place);
        let columns = selected.iter();
        let columns = columns.map(|one| (one.name.clone(), one.typed.clone()));
        let columns = columns.collect();
        if let Some(scope) = self.scope() {
            scope.columns = columns;
            scope.naming = Naming::GroupColumns;
        }
        let having = self.having(&input, &format!("{at}/having"));
        let broken = self
            .scopes
            .last()
            .is_some_and(|scope| !scope.broken.is_empty());
        Some(Level {
            tables,
            sound: filters.is_some() && having.is_some() && !broken,
            filters: filters.unwrap_or_default(),
            selected,
            grouped,
            having: having.unwrap_or_default(),
        })
    }

    fn having(&mut self, input: &LevelInput<'_>, at: &str) -> Option<Vec<Expr>> {
        if !input.having.is_empty() && input.group_by.is_empty() {
            let message =
                "is about groups: say in `groupBy` what makes one, or use `where` for records";
            self.wrong(at, message);
            return None;
        }
        self.filters(input.having, at, Place::Group)
    }

    /// The name of each column: the one that is given, or that of the field or function.
    fn column_names(&mut self, select: &[Operand], at: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (index, operand) in select.iter().enumerate() {
            let at = format!("{at}/select/{index}");
            let name = self.named(operand, &at, index);
            if names.contains(&name) {
                let message = format!(
                    "the column `{}` is there twice; give one of them another `as`",
                    clip(&name)
                );
                self.wrong(at, message);
            }
            names.push(name);
        }
        names
    }

    pub(super) fn named(&mut self, operand: &Operand, at: &str, index: usize) -> String {
        if let Some(name) = &operand.alias {
            let length = name.chars().count();
            if length == 0 || length > NAME || name.chars().any(char::is_control) {
                self.wrong(
                    format!("{at}/as"),
                    format!("must be a name of 1 to {NAME} letters"),
                );
            }
            return name.clone();
        }
        let field = operand
            .field
            .as_deref()
            .map(|text| match text.split_once('.') {
                Some((head, tail)) if by_alias(&self.scopes, head).is_some() => tail,
                _ => text,
            });
        match (operand.function, field) {
            (Some(function), Some(field)) => {
                format!("{}_{}", function.name(), field.replace('.', "_"))
            }
            (Some(function), None) if operand.unnamed() == Operand::of(function) => {
                function.name().to_owned()
            }
            (None, Some(field)) => field.to_owned(),
            _ => {
                self.wrong(at, "needs a name for its column in `as`");
                format!("column_{index}")
            }
        }
    }

    /// What makes a group: each a column of the rows.
    fn keys(&mut self, input: &LevelInput<'_>, names: &[String], at: &str) {
        for (index, text) in input.group_by.iter().enumerate() {
            let at = format!("{at}/groupBy/{index}");
            let named = names.iter().position(|name| name == text);
            let operand = named.and_then(|index| input.select.get(index));
            if let Some(operand) = operand
                && has_aggregate(operand)
            {
                let message = format!("`{}` is an aggregate and can't be grouped by", clip(text));
                self.wrong(at, message);
                continue;
            }
            let place = Place::Row(Clause::GroupBy);
            let typed = match operand {
                Some(operand) => self.column(operand, &at, place),
                None => self.field(text, &at, place),
            };
            let Some(typed) = typed else { continue };
            if matches!(typed.kind, FieldType::Json | FieldType::Binary { .. }) {
                let kind = typed.kind.name();
                let message = format!("`{}` is {kind} and can't be grouped by", clip(text));
                self.wrong(at, message);
                continue;
            }
            let field = match operand {
                Some(operand) if operand.function.is_some() => None,
                Some(operand) => operand.field.as_deref(),
                None => Some(text.as_str()),
            };
            let field = field.and_then(|field| find(&self.scopes, &self.names, field).ok());
            let Some(scope) = self.scope() else { continue };
            let name = format!("k{}", scope.groups.inner.len());
            let value = column(&scope.groups.alias, &name);
            scope.groups.keys.push(Key {
                field: field.map(|field| field.key),
                operand: operand.map(Operand::unnamed),
                typed: typed.moved(value),
            });
            scope.groups.inner.push(typed.expr);
        }
    }

    fn selected(
        &mut self,
        select: &[Operand],
        names: Vec<String>,
        at: &str,
        place: Place,
    ) -> Vec<Selected> {
        let mut selected = Vec::new();
        for (index, (operand, name)) in select.iter().zip(names).enumerate() {
            match self.column(operand, &format!("{at}/{index}"), place) {
                Some(typed) => selected.push(Selected { name, typed }),
                None => {
                    if let Some(scope) = self.scope() {
                        scope.broken.push(name);
                    }
                }
            }
        }
        selected
    }
}

impl Level<'_> {
    /// The rows, with these columns, named `k0`, `k1`, ….
    pub(super) fn rows(&self, columns: Vec<Expr>) -> SelectStatement {
        let mut select = Query::select();
        if columns.is_empty() {
            select.expr(Expr::Constant(1_i64.into()));
        }
        for (index, expr) in columns.into_iter().enumerate() {
            select.expr_as(expr, format!("k{index}"));
        }
        self.tables.clone().put(&mut select);
        for filter in &self.filters {
            select.and_where(filter.clone());
        }
        select
    }

    /// The whole answer, neither sorted nor cut; its columns are named `c0`, `c1`, ….
    pub(super) fn statement(&self, groups: &Groups) -> SelectStatement {
        let mut select = if self.grouped {
            let mut select = Query::select();
            select.from_subquery(self.rows(groups.inner.clone()), groups.alias.clone());
            for key in &groups.keys {
                select.add_group_by([key.typed.expr.clone()]);
            }
            for having in &self.having {
                select.and_having(having.clone());
            }
            select
        } else {
            let mut select = self.rows(Vec::new());
            select.clear_selects();
            select
        };
        for (index, column) in self.selected.iter().enumerate() {
            select.expr_as(column.typed.expr.clone(), format!("c{index}"));
        }
        select
    }
}

impl Operand {
    fn of(function: super::input::Function) -> Self {
        Self {
            function: Some(function),
            ..Self::default()
        }
    }
}
