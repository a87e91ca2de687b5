use sea_query::{Expr, ExprTrait};

use crate::records::criteria::condition::Test;
use crate::records::model::{Field, FieldType, Limits, Rules};
use crate::records::sql::column::ColumnType;
use crate::records::sql::stored::Stored;
use crate::records::sql::{Dialect, Sql};
use crate::records::values::cell::Cell;
use crate::records::values::decimal::INTEGER_DIGITS;

/// The most copies of fields in one expression: some operations name what they work on more
/// than once, and nested ones multiply.
const WEIGHT: u32 = 500;

/// An expression that was checked, and what its values are.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) kind: FieldType,
    /// What it is called in messages.
    pub(super) label: String,
    /// What people call it, if it is a field.
    pub(super) title: Option<String>,
    /// How many copies of fields it holds.
    pub(super) weight: u32,
    /// The same as it is stored, if it is a field.
    pub(super) raw: Option<(Expr, ColumnType)>,
}

impl Typed {
    pub(super) fn new(expr: Expr, kind: FieldType, label: impl Into<String>) -> Self {
        Self {
            expr,
            kind,
            label: label.into(),
            title: None,
            weight: 1,
            raw: None,
        }
    }

    /// A field of a row.
    pub(super) fn of_field(stored: Stored<'_>) -> Self {
        let field = stored.field;
        let mut typed = Self::new(stored.canonical(), field.kind.clone(), field.name.clone());
        typed.title = Some(field.title.clone());
        typed.raw = Some((stored.raw, field.column_type.clone()));
        typed
    }

    /// Both as they are stored, where that compares the same, and an index may be used.
    pub(super) fn as_stored_beside(&self, other: &Self) -> Option<(Expr, Expr)> {
        let ((left, kind), (right, same)) = (self.raw.as_ref()?, other.raw.as_ref()?);
        let plain = matches!(kind, ColumnType::Integer | ColumnType::Uuid);
        (plain && kind == same).then(|| (left.clone(), right.clone()))
    }

    /// Whether the test holds.
    pub(super) fn test(&self, dialect: Dialect, test: &Test) -> Expr {
        let Some((raw, column_type)) = &self.raw else {
            return test.expr(dialect, self.expr.clone());
        };
        let field = Field {
            column_type: column_type.clone(),
            ..self.as_field()
        };
        let stored = Stored {
            raw: raw.clone(),
            field: &field,
            dialect,
        };
        stored.test(test)
    }

    /// The same as something else: a column of a derived table instead of what it was made of.
    pub(super) fn moved(&self, expr: Expr) -> Self {
        Self {
            expr,
            weight: 1,
            raw: None,
            ..self.clone()
        }
    }

    /// Notes how often the parts stand in it; an error when that is too often.
    pub(super) fn weighing(mut self, weight: u32) -> Result<Self, String> {
        self.weight = weight;
        if weight > WEIGHT {
            return Err("is too large a calculation; make it simpler".to_owned());
        }
        Ok(self)
    }

    /// As a field, to be compared with values.
    pub(super) fn as_field(&self) -> Field {
        Field {
            name: self.label.clone(),
            title: String::new(),
            help: None,
            kind: self.kind.clone(),
            rules: Rules::default(),
            limits: Limits::default(),
            default: None,
            column: None,
            column_type: ColumnType::Canonical,
        }
    }
}

/// What there is to calculate with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// A scaled integer; a whole number has no decimals.
    Exact(u32),
    Float,
}

/// What a value is as a number, if it is one.
pub(super) fn number(kind: &FieldType) -> Option<Number> {
    match kind {
        FieldType::Integer => Some(Number::Exact(0)),
        FieldType::Decimal { precision, scale } if *precision <= INTEGER_DIGITS => {
            Some(Number::Exact(*scale))
        }
        FieldType::Float => Some(Number::Float),
        _ => None,
    }
}

/// A decimal with that many digits after the point and all the room there is before it.
pub(super) fn decimal(scale: u32) -> FieldType {
    FieldType::Decimal {
        precision: INTEGER_DIGITS,
        scale,
    }
}

/// A bound whole number.
pub(super) fn int(n: i64) -> Expr {
    Cell::Int(n).expr()
}

/// A bound power of ten.
pub(super) fn power(exponent: u32) -> Expr {
    int(10_i64.saturating_pow(exponent))
}

/// An exact number at a greater scale.
pub(super) fn rescaled(sql: &dyn Sql, expr: Expr, from: u32, to: u32) -> Expr {
    if to > from {
        sql.exact(expr).mul(power(to - from))
    } else {
        expr
    }
}

/// A number in floating point.
pub(super) fn as_float(sql: &dyn Sql, expr: Expr, number: Number) -> Expr {
    match number {
        Number::Float => expr,
        Number::Exact(0) => sql.float(expr),
        Number::Exact(scale) => sql.float(expr).div(sql.float(power(scale))),
    }
}

/// Two values made alike, so that they can be compared; what both then are.
pub(super) fn aligned(
    sql: &dyn Sql,
    left: Typed,
    right: Typed,
) -> Result<(Expr, Expr, FieldType), String> {
    if let (Some(a), Some(b)) = (number(&left.kind), number(&right.kind)) {
        return Ok(match (a, b) {
            (Number::Exact(a), Number::Exact(b)) => {
                let scale = Ord::max(a, b);
                let kind = if left.kind == right.kind {
                    left.kind
                } else {
                    decimal(scale)
                };
                (
                    rescaled(sql, left.expr, a, scale),
                    rescaled(sql, right.expr, b, scale),
                    kind,
                )
            }
            _ => (
                as_float(sql, left.expr, a),
                as_float(sql, right.expr, b),
                FieldType::Float,
            ),
        });
    }
    match common(&left.kind, &right.kind) {
        Some(kind) => Ok((left.expr, right.expr, kind)),
        None => Err(format!(
            "`{}` is {} and `{}` is {}; these can't be put together",
            left.label,
            left.kind.name(),
            right.label,
            right.kind.name()
        )),
    }
}

/// What two values that are no numbers both are.
fn common(a: &FieldType, b: &FieldType) -> Option<FieldType> {
    use FieldType::{Integer, ManyToOne, Selection, String, Text, Uuid};
    if a == b {
        return Some(a.clone());
    }
    match (a, b) {
        (String | Text | Selection { .. } | Uuid, String | Text | Selection { .. } | Uuid) => {
            Some(String)
        }
        (ManyToOne { .. }, ManyToOne { .. } | Integer) | (Integer, ManyToOne { .. }) => {
            Some(Integer)
        }
        _ => None,
    }
}
