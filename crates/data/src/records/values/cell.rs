use sea_query::{Expr, Value};

/// One value as a database holds it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
}

impl Cell {
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
        }
    }

    /// The bound value as part of an expression.
    pub(crate) fn expr(&self) -> Expr {
        Expr::Value(self.to_sql())
    }
}
