use sea_query::{Asterisk, Expr, ExprTrait, Func};

use super::calc::{no_number, quotient};
use super::compiler::{Clause, Compiler, Place};
use super::function::takes;
use super::input::{Function, Operand};
use super::typed::{Number, Typed, decimal, number};
use crate::records::criteria::input::Operator;
use crate::records::criteria::test_parse::operators;
use crate::records::model::FieldType;
use crate::records::names::column;
use crate::records::sql::Sql;

impl Compiler<'_> {
    /// A function of the rows of a group. Its argument becomes a column of the rows.
    pub(super) fn aggregate(
        &mut self,
        function: Function,
        arguments: &[(&Operand, String)],
        at: &str,
        place: Place,
    ) -> Option<Typed> {
        if let Place::Row(clause) = place {
            let message = misplaced(function, clause);
            self.wrong(at, message);
            return None;
        }
        let name = function.name();
        match arguments {
            [] if function == Function::Count => {
                let rows = Expr::col(Asterisk).count();
                Some(Typed::new(rows, FieldType::Integer, name))
            }
            [(argument, argument_at)] => {
                let place = Place::Row(Clause::Aggregate);
                let argument = self.operand(argument, argument_at, place)?;
                if let Some(message) = unfit(function, &argument) {
                    self.wrong(at, message);
                    return None;
                }
                let groups = &mut self.scope()?.groups;
                let name = format!("k{}", groups.inner.len());
                let moved = argument.moved(column(&groups.alias, &name));
                groups.inner.push(argument.expr);
                let outcome = of_column(self.sql(), function, moved);
                self.noted(at, outcome)
            }
            more => {
                let count = more.len();
                self.wrong(at, format!("`{name}` takes one argument; got {count}"));
                None
            }
        }
    }
}

fn misplaced(function: Function, clause: Clause) -> String {
    let name = function.name();
    match clause {
        Clause::Aggregate => {
            format!("`{name}` is an aggregate and can't stand inside another one")
        }
        Clause::Where => format!(
            "`{name}` is an aggregate and can't stand in `where`; put the condition into `having`"
        ),
        Clause::On => format!("`{name}` is an aggregate and can't stand in `on`"),
        Clause::GroupBy => format!("`{name}` is an aggregate and can't be grouped by"),
        Clause::Select => format!("`{name}` is an aggregate and can't stand here"),
    }
}

/// Why the aggregate takes no such value.
fn unfit(function: Function, argument: &Typed) -> Option<String> {
    match function {
        Function::Sum | Function::Avg if number(&argument.kind).is_none() => {
            Some(no_number(argument))
        }
        Function::Min | Function::Max
            if !operators(&argument.as_field()).contains(&Operator::Lt) =>
        {
            Some(takes(function, "a number, text, date or time", argument))
        }
        Function::CountDistinct
            if matches!(argument.kind, FieldType::Json | FieldType::Binary { .. }) =>
        {
            Some(takes(function, "no json and no file", argument))
        }
        _ => None,
    }
}

fn of_column(sql: &dyn Sql, function: Function, argument: Typed) -> Result<Typed, String> {
    let name = function.name();
    let value = argument.expr.clone();
    Ok(match (function, number(&argument.kind)) {
        (Function::Sum, Some(Number::Exact(scale))) => {
            let kind = if argument.kind == FieldType::Integer {
                FieldType::Integer
            } else {
                decimal(scale)
            };
            Typed::new(sql.sum(value), kind, name)
        }
        (Function::Sum, _) => Typed::new(value.sum(), FieldType::Float, name),
        (Function::Avg, Some(Number::Exact(scale))) => {
            let sum = Typed::new(sql.sum(value.clone()), decimal(scale), name);
            let count = Typed::new(value.count(), FieldType::Integer, name);
            let label = name.to_owned();
            Typed {
                label,
                weight: 1,
                ..quotient(sql, (sum, scale), (count, 0))?
            }
        }
        (Function::Avg, _) => Typed::new(value.avg(), FieldType::Float, name),
        (Function::Min, _) => Typed::new(value.min(), argument.kind, name),
        (Function::Max, _) => Typed::new(value.max(), argument.kind, name),
        (Function::CountDistinct, _) => {
            Typed::new(Func::count_distinct(value).into(), FieldType::Integer, name)
        }
        _ => Typed::new(value.count(), FieldType::Integer, name),
    })
}
