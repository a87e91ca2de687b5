use bigdecimal::{BigDecimal, ToPrimitive};
use sea_query::{Expr, Value};

/// One value as a database holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Cell {
    /// An exact number of a database; in floating point when it is larger than a whole number of
    /// 64 bits, which no exact value is.
    pub(crate) fn of_exact(number: &BigDecimal) -> Self {
        match number.with_scale(0).to_i64() {
            Some(n) => Self::Int(n),
            None => Self::Real(number.to_f64().unwrap_or(f64::INFINITY)),
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    pub(crate) fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The value to bind to a statement.
    pub(crate) fn to_sql(&self) -> Value {
        match self {
            Self::Null => Value::String(None),
            Self::Int(n) => Value::BigInt(Some(*n)),
            Self::Real(x) => Value::Double(Some(*x)),
            Self::Text(text) => Value::String(Some(text.clone())),
            Self::Bytes(bytes) => Value::Bytes(Some(bytes.clone())),
        }
    }

    /// The bound value as part of an expression.
    pub(crate) fn expr(&self) -> Expr {
        Expr::Value(self.to_sql())
    }
}
