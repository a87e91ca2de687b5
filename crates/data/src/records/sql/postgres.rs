use sea_query::{Expr, ExprTrait, Func};

use super::column::ColumnType;
use super::{HOUR, SHIFT, Shape, Sql, cast, number, unless_zero, when};
use crate::records::model::FieldType;
use crate::records::query::input::{Function, Unit};
use crate::records::values::cell::Cell;
use crate::records::values::decimal;

pub(super) struct Postgres;

impl Sql for Postgres {
    fn read(&self, column: &ColumnType, kind: &FieldType, raw: Expr) -> Expr {
        match column {
            ColumnType::Canonical | ColumnType::Several(_) => raw,
            ColumnType::Text => collated(raw),
            ColumnType::Char => collated(Func::cust("RTRIM").arg(cast(raw, "text")).into()),
            ColumnType::Enum { .. }
            | ColumnType::Loose
            | ColumnType::Uuid
            | ColumnType::Json
            | ColumnType::Jsonb
            | ColumnType::Other => collated(cast(raw, "text")),
            ColumnType::Bytes => collated(cast(Func::cust("OCTET_LENGTH").arg(raw).into(), "text")),
            ColumnType::Integer => match kind {
                // Room for what is calculated of it.
                FieldType::Integer => cast(raw, "numeric"),
                _ => raw,
            },
            ColumnType::Boolean => cast(raw, "integer"),
            ColumnType::Numeric => match kind {
                FieldType::Decimal { scale, .. } if Shape::of(kind) == Shape::Exact => {
                    // What is no number has no place among them.
                    let scaled = raw.clone().mul(number(10_i64.saturating_pow(*scale)));
                    let is_number = cast(raw, "text").is_not_in(["NaN", "Infinity", "-Infinity"]);
                    let scaled = Func::cust("TRUNC").arg(scaled).into();
                    when(is_number, scaled)
                }
                _ => {
                    let text = cast(raw, "text");
                    when(
                        text.clone().is_not_in(["NaN", "Infinity", "-Infinity"]),
                        text,
                    )
                }
            },
            ColumnType::Float => cast(raw, "double precision"),
            ColumnType::Date => {
                let known = Expr::cust_with_exprs(
                    "($1 BETWEEN DATE '0001-01-01' AND DATE '9999-12-31')",
                    [raw.clone()],
                );
                collated(when(known, cast(raw, "text")))
            }
            ColumnType::Time => {
                let format = Expr::Constant("HH24:MI:SS".to_owned().into());
                collated(Func::cust("TO_CHAR").args([raw, format]).into())
            }
            ColumnType::Timestamp | ColumnType::Timestamptz => {
                let micros =
                    Expr::cust_with_exprs("(EXTRACT(epoch FROM $1) * 1000000)", [raw.clone()]);
                when(finite(raw), Func::cust("TRUNC").arg(micros).into())
            }
        }
    }

    fn write(&self, column: &ColumnType, kind: &FieldType, cell: &Cell) -> Expr {
        let as_type = |name: &'static str| cast(as_text(cell), name);
        match column {
            ColumnType::Canonical | ColumnType::Several(_) | ColumnType::Other => cell.expr(),
            ColumnType::Text | ColumnType::Char | ColumnType::Loose => cast(cell.expr(), "text"),
            ColumnType::Enum { schema, name } => {
                let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
                let template = format!("CAST($1 AS {}.{})", quoted(schema), quoted(name));
                Expr::cust_with_exprs(template, [cast(cell.expr(), "text")])
            }
            ColumnType::Bytes => match cell {
                Cell::Null => cast(Expr::null(), "bytea"),
                _ => cell.expr(),
            },
            ColumnType::Uuid => as_type("uuid"),
            ColumnType::Integer => match cell {
                Cell::Null => cast(Expr::null(), "bigint"),
                _ => cell.expr(),
            },
            ColumnType::Boolean => match cell {
                Cell::Int(n) => Expr::Constant((*n != 0).into()),
                _ => cast(Expr::null(), "boolean"),
            },
            ColumnType::Numeric => match (kind, cell) {
                (FieldType::Decimal { scale, .. }, Cell::Int(n)) => {
                    cast(Cell::Text(decimal::render(*scale, *n)).expr(), "numeric")
                }
                _ => as_type("numeric"),
            },
            ColumnType::Float => match cell {
                Cell::Null => cast(Expr::null(), "double precision"),
                _ => cell.expr(),
            },
            ColumnType::Date => as_type("date"),
            ColumnType::Time => as_type("time"),
            ColumnType::Timestamp => moment(cell, ' ', "timestamp"),
            ColumnType::Timestamptz => moment(cell, 'Z', "timestamptz"),
            ColumnType::Json => as_type("json"),
            ColumnType::Jsonb => as_type("jsonb"),
        }
    }

    fn flag(&self, condition: Expr) -> Expr {
        cast(condition, "integer")
    }

    /// In the collation "C" no letters but A–Z have two cases.
    fn like(&self, text: Expr, pattern: &str) -> Expr {
        let pattern = Cell::Text(pattern.to_owned()).expr();
        Expr::cust_with_exprs("($1 ILIKE $2)", [collated(text), pattern])
    }

    fn lower(&self, text: Expr) -> Expr {
        Func::lower(collated(text)).into()
    }

    fn upper(&self, text: Expr) -> Expr {
        Func::upper(collated(text)).into()
    }

    fn length(&self, text: Expr) -> Expr {
        Func::char_length(text).into()
    }

    fn null(&self, shape: Shape) -> Expr {
        let kind = match shape {
            Shape::Text => "text",
            Shape::Exact => "numeric",
            Shape::Float => "double precision",
        };
        cast(Expr::null(), kind)
    }

    fn exact(&self, number: Expr) -> Expr {
        cast(number, "numeric")
    }

    fn float(&self, number: Expr) -> Expr {
        cast(number, "double precision")
    }

    fn divide(&self, top: Expr, bottom: Expr) -> Expr {
        let bottom = unless_zero(cast(bottom, "numeric"));
        Func::cust("DIV")
            .args([cast(top, "numeric"), bottom])
            .into()
    }

    fn rest(&self, top: Expr, bottom: Expr) -> Expr {
        let bottom = unless_zero(cast(bottom, "numeric"));
        Func::cust("MOD")
            .args([cast(top, "numeric"), bottom])
            .into()
    }

    fn ratio(&self, top: Expr, bottom: Expr) -> Expr {
        top.div(unless_zero(bottom))
    }

    fn round(&self, number_: Expr, digits: u32) -> Expr {
        let digits = cast(number(i64::from(digits)), "integer");
        let rounded = Func::cust("ROUND").args([cast(number_, "numeric"), digits]);
        cast(rounded.into(), "double precision")
    }

    fn sum(&self, value: Expr) -> Expr {
        cast(value, "numeric").sum()
    }

    fn part(&self, part: Function, kind: &FieldType, value: Expr) -> Expr {
        let of = match kind {
            FieldType::Time => cast(value, "time"),
            FieldType::Date => cast(value, "date"),
            _ => timestamp(value),
        };
        let extract = match part {
            Function::Year => "EXTRACT(year FROM $1)",
            Function::Month => "EXTRACT(month FROM $1)",
            Function::Quarter => "EXTRACT(quarter FROM $1)",
            Function::Week => "EXTRACT(week FROM $1)",
            Function::Day => "EXTRACT(day FROM $1)",
            Function::Hour => "EXTRACT(hour FROM $1)",
            _ => "EXTRACT(isodow FROM $1)",
        };
        cast(Expr::cust_with_exprs(extract, [of]), "numeric")
    }

    fn first_day(&self, day: Expr, unit: Unit) -> Expr {
        if matches!(unit, Unit::Day | Unit::Hour) {
            return day;
        }
        let first = truncated(unit, cast(cast(day, "date"), "timestamp"));
        collated(cast(cast(first, "date"), "text"))
    }

    fn first_moment(&self, micros: Expr, unit: Unit) -> Expr {
        let cut = |micros: Expr, length: i64| {
            let beyond = self.rest(micros.clone().add(number(SHIFT)), number(length));
            micros.sub(beyond)
        };
        match unit {
            Unit::Day => cut(micros, 24 * HOUR),
            Unit::Hour => cut(micros, HOUR),
            _ => {
                let first = truncated(unit, timestamp(micros));
                Expr::cust_with_exprs("(EXTRACT(epoch FROM $1) * 1000000)", [first])
            }
        }
    }
}

fn truncated(unit: Unit, timestamp: Expr) -> Expr {
    let name = match unit {
        Unit::Year => "year",
        Unit::Quarter => "quarter",
        Unit::Month => "month",
        Unit::Week => "week",
        Unit::Day => "day",
        Unit::Hour => "hour",
    };
    let name = Expr::Constant(name.to_owned().into());
    Func::cust("DATE_TRUNC").args([name, timestamp]).into()
}

/// A moment, to the second, in UTC whatever the session's time zone.
fn timestamp(micros: Expr) -> Expr {
    let divide = |top: Expr, bottom: Expr| {
        Func::cust("DIV")
            .args([cast(top, "numeric"), bottom])
            .into()
    };
    let seconds = super::seconds(micros, divide);
    Expr::cust_with_exprs(
        "(TIMESTAMP '1970-01-01' + MAKE_INTERVAL(secs => CAST($1 AS double precision)))",
        [seconds],
    )
}

/// Compared by code point.
fn collated(text: Expr) -> Expr {
    Expr::cust_with_exprs("($1 COLLATE \"C\")", [text])
}

fn finite(moment: Expr) -> Expr {
    Func::cust("ISFINITE").arg(moment).into()
}

/// A cell as text that a type's own reader takes.
fn as_text(cell: &Cell) -> Expr {
    match cell {
        Cell::Null => Expr::null(),
        Cell::Int(n) => Cell::Text(n.to_string()).expr(),
        Cell::Real(x) => Cell::Text(x.to_string()).expr(),
        Cell::Text(_) | Cell::Bytes(_) => cell.expr(),
    }
}

fn moment(cell: &Cell, zone: char, kind: &'static str) -> Expr {
    match cell {
        Cell::Int(micros) => cast(
            Cell::Text(super::stored::moment(*micros, zone)).expr(),
            kind,
        ),
        _ => cast(Expr::null(), kind),
    }
}
