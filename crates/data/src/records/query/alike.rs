use sea_query::Expr;

use super::compiler::{Compiler, Place};
use super::input::Operand;
use super::typed::{Number, Typed, aligned, as_float, decimal, number, rescaled};
use crate::records::model::FieldType;
use crate::records::sql::Sql;

impl Compiler<'_> {
    /// Operands made alike; what they all are, and what they weigh.
    pub(super) fn alike(
        &mut self,
        operands: &[(&Operand, String)],
        at: &str,
        place: Place,
    ) -> Option<(Vec<Expr>, FieldType, u32)> {
        // Literals come last, since they are read as what the others are.
        let mut typed: Vec<Option<Typed>> = operands
            .iter()
            .map(|(operand, at)| {
                if operand.is_literal() {
                    None
                } else {
                    self.operand(operand, at, place)
                }
            })
            .collect();
        let mut hint = typed.iter().flatten().next().map(|one| one.kind.clone());
        for ((operand, at), slot) in operands.iter().zip(&mut typed) {
            if operand.is_literal() {
                *slot = self.hinted(operand, at, place, hint.as_ref());
                hint = hint.or_else(|| slot.as_ref().map(|one| one.kind.clone()));
            }
        }
        let typed: Option<Vec<Typed>> = typed.into_iter().collect();
        let unified = unify(self.sql(), typed?);
        self.noted(at, unified)
    }
}

/// Values made alike: all numbers at the greatest scale, or all of one type.
fn unify(sql: &dyn Sql, typed: Vec<Typed>) -> Result<(Vec<Expr>, FieldType, u32), String> {
    let weight = typed
        .iter()
        .fold(0_u32, |sum, one| sum.saturating_add(one.weight));
    let numbers: Option<Vec<Number>> = typed.iter().map(|one| number(&one.kind)).collect();
    let Some(numbers) = numbers else {
        return same_type(sql, typed, weight);
    };
    let scale = numbers.iter().try_fold(0, |most, one| match one {
        Number::Exact(scale) => Some(Ord::max(most, *scale)),
        Number::Float => None,
    });
    let kind = match scale {
        None => FieldType::Float,
        Some(_) if typed.iter().all(|one| one.kind == FieldType::Integer) => FieldType::Integer,
        Some(scale) => decimal(scale),
    };
    let exprs = typed
        .into_iter()
        .zip(numbers)
        .map(|(one, is)| match (is, scale) {
            (Number::Exact(from), Some(to)) => rescaled(sql, one.expr, from, to),
            _ => as_float(sql, one.expr, is),
        });
    Ok((exprs.collect(), kind, weight))
}

fn same_type(
    sql: &dyn Sql,
    typed: Vec<Typed>,
    weight: u32,
) -> Result<(Vec<Expr>, FieldType, u32), String> {
    let mut all = typed.into_iter();
    let Some(mut sum) = all.next() else {
        return Err("must have a value".to_owned());
    };
    let mut exprs = Vec::new();
    for next in all {
        let label = next.label.clone();
        let (left, right, kind) = aligned(sql, sum, next)?;
        exprs.push(left);
        sum = Typed::new(right, kind, label);
    }
    exprs.push(sum.expr);
    Ok((exprs, sum.kind, weight))
}
