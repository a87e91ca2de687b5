use sea_query::{Expr, ExprTrait, Func};

use super::column::ColumnType;
use super::{HOUR, SHIFT, Shape, Sql, cast, fold, number, unless_zero, when};
use crate::records::model::FieldType;
use crate::records::query::input::{Function, Unit};
use crate::records::values::cell::Cell;
use crate::records::values::decimal;

/// Canonical texts are the bytes of UTF-8: no collation of a table or session has a say in how
/// they compare, and spaces at the end count.
pub(super) struct Mysql;

impl Sql for Mysql {
    fn read(&self, column: &ColumnType, kind: &FieldType, raw: Expr) -> Expr {
        match column {
            ColumnType::Canonical | ColumnType::Several(_) => raw,
            ColumnType::Text
            | ColumnType::Char
            | ColumnType::Loose
            | ColumnType::Enum { .. }
            | ColumnType::Uuid
            | ColumnType::Json
            | ColumnType::Jsonb
            | ColumnType::Other => {
                Expr::cust_with_exprs("CAST(CONVERT(? USING utf8mb4) AS BINARY)", [raw])
            }
            ColumnType::Bytes => {
                Expr::cust_with_exprs("CAST(CAST(OCTET_LENGTH(?) AS CHAR) AS BINARY)", [raw])
            }
            ColumnType::Integer => match kind {
                FieldType::Integer => self.exact(raw),
                _ => raw,
            },
            ColumnType::Boolean => raw.ne(number(0)),
            ColumnType::Numeric => match kind {
                FieldType::Decimal { scale, .. } if Shape::of(kind) == Shape::Exact => {
                    self.exact(raw.mul(number(10_i64.saturating_pow(*scale))))
                }
                _ => Expr::cust_with_exprs("CAST(CAST(? AS CHAR) AS BINARY)", [raw]),
            },
            ColumnType::Float => cast(raw, "DOUBLE"),
            ColumnType::Date => {
                // "0000-00-00" and its like are no days.
                let known = Expr::cust_with_exprs(
                    "(DAYOFMONTH(?) > 0 AND MONTH(?) > 0)",
                    [raw.clone(), raw.clone()],
                );
                let text =
                    Expr::cust_with_exprs("CAST(DATE_FORMAT(?, '%Y-%m-%d') AS BINARY)", [raw]);
                when(known, text)
            }
            ColumnType::Time => {
                Expr::cust_with_exprs("CAST(TIME_FORMAT(?, '%H:%i:%s') AS BINARY)", [raw])
            }
            ColumnType::Timestamp | ColumnType::Timestamptz => Expr::cust_with_exprs(
                "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', ?)",
                [raw],
            ),
        }
    }

    fn write(&self, column: &ColumnType, kind: &FieldType, cell: &Cell) -> Expr {
        match (column, cell) {
            (ColumnType::Numeric, Cell::Int(n)) => {
                exactly(&decimal::render(scale_of(kind), *n), scale_of(kind))
            }
            (ColumnType::Numeric, Cell::Text(text)) => exactly(text, scale_of(kind)),
            (ColumnType::Timestamp | ColumnType::Timestamptz, Cell::Int(micros)) => {
                let text = Cell::Text(super::stored::moment(*micros, ' ')).expr();
                cast(text, "DATETIME(6)")
            }
            (ColumnType::Date, Cell::Text(_)) => cast(cell.expr(), "DATE"),
            (ColumnType::Time, Cell::Text(_)) => cast(cell.expr(), "TIME"),
            _ => cell.expr(),
        }
    }

    fn flag(&self, condition: Expr) -> Expr {
        condition
    }

    fn like(&self, text: Expr, pattern: &str) -> Expr {
        let pattern = Cell::Text(pattern.to_ascii_lowercase()).expr();
        Expr::cust_with_exprs(
            "(? COLLATE utf8mb4_bin LIKE ?)",
            [fold::lower(characters(text)), pattern],
        )
    }

    fn lower(&self, text: Expr) -> Expr {
        bytes(fold::lower(characters(text)))
    }

    fn upper(&self, text: Expr) -> Expr {
        bytes(fold::upper(characters(text)))
    }

    fn length(&self, text: Expr) -> Expr {
        Func::char_length(characters(text)).into()
    }

    fn null(&self, _: Shape) -> Expr {
        Expr::null()
    }

    fn exact(&self, number: Expr) -> Expr {
        cast(number, "DECIMAL(65,0)")
    }

    fn float(&self, number: Expr) -> Expr {
        cast(number, "DOUBLE")
    }

    /// Not DIV, which fails beyond 64 bits.
    fn divide(&self, top: Expr, bottom: Expr) -> Expr {
        let rest = self.rest(top.clone(), bottom.clone());
        self.exact(top.sub(rest).div(unless_zero(bottom)))
    }

    fn rest(&self, top: Expr, bottom: Expr) -> Expr {
        self.exact(top).modulo(unless_zero(bottom))
    }

    fn ratio(&self, top: Expr, bottom: Expr) -> Expr {
        top.div(unless_zero(bottom))
    }

    /// Not ROUND, which rounds a half to the even neighbour.
    fn round(&self, number_: Expr, digits: u32) -> Expr {
        let power = || self.float(number(10_i64.saturating_pow(digits)));
        Expr::cust_with_exprs(
            "(SIGN(?) * FLOOR(ABS(?) * ? + 0.5) / ?)",
            [number_.clone(), number_, power(), power()],
        )
    }

    fn sum(&self, value: Expr) -> Expr {
        self.exact(value).sum()
    }

    fn part(&self, part: Function, kind: &FieldType, value: Expr) -> Expr {
        let of = moment_or_day(kind, value);
        let template = match part {
            Function::Year => "YEAR(?)",
            Function::Month => "MONTH(?)",
            Function::Quarter => "QUARTER(?)",
            Function::Week => "WEEK(?, 3)",
            Function::Day => "DAYOFMONTH(?)",
            Function::Hour => "HOUR(?)",
            _ => "(WEEKDAY(?) + 1)",
        };
        Expr::cust_with_exprs(template, [of])
    }

    fn first_day(&self, day: Expr, unit: Unit) -> Expr {
        if matches!(unit, Unit::Day | Unit::Hour) {
            return day;
        }
        let first = first(unit, moment_or_day(&FieldType::Date, day));
        Expr::cust_with_exprs("CAST(DATE_FORMAT(?, '%Y-%m-%d') AS BINARY)", [first])
    }

    fn first_moment(&self, micros: Expr, unit: Unit) -> Expr {
        let cut = |micros: Expr, length: i64| {
            let beyond = self.rest(micros.clone().add(number(SHIFT)), number(length));
            micros.sub(beyond)
        };
        match unit {
            Unit::Day => cut(micros, 24 * HOUR),
            Unit::Hour => cut(micros, HOUR),
            _ => Expr::cust_with_exprs(
                "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', ?)",
                [first(unit, moment_or_day(&FieldType::Datetime, micros))],
            ),
        }
    }
}

/// The first day of the unit that a day or moment is in.
fn first(unit: Unit, of: Expr) -> Expr {
    let template = match unit {
        Unit::Year => "CAST(DATE_FORMAT(?, '%Y-01-01') AS DATE)",
        Unit::Month => "CAST(DATE_FORMAT(?, '%Y-%m-01') AS DATE)",
        Unit::Quarter => {
            let month = Expr::cust_with_exprs("LPAD(QUARTER(?) * 3 - 2, 2, '0')", [of.clone()]);
            return Expr::cust_with_exprs(
                "CAST(CONCAT(DATE_FORMAT(?, '%Y-'), ?, '-01') AS DATE)",
                [of, month],
            );
        }
        Unit::Week => {
            let back = Expr::cust_with_exprs("WEEKDAY(?)", [of.clone()]);
            return Expr::cust_with_exprs("DATE_SUB(DATE(?), INTERVAL ? DAY)", [of, back]);
        }
        Unit::Day | Unit::Hour => "DATE(?)",
    };
    Expr::cust_with_exprs(template, [of])
}

fn moment_or_day(kind: &FieldType, value: Expr) -> Expr {
    match kind {
        FieldType::Date => Expr::cust_with_exprs("CAST(CONVERT(? USING utf8mb4) AS DATE)", [value]),
        FieldType::Time => Expr::cust_with_exprs("CAST(CONVERT(? USING utf8mb4) AS TIME)", [value]),
        _ => {
            let seconds = super::seconds(value, |top, bottom| Mysql.divide(top, bottom));
            Expr::cust_with_exprs(
                "TIMESTAMPADD(SECOND, ?, CAST('1970-01-01 00:00:00' AS DATETIME))",
                [seconds],
            )
        }
    }
}

fn characters(text: Expr) -> Expr {
    Expr::cust_with_exprs("(CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin)", [text])
}

fn bytes(text: Expr) -> Expr {
    cast(text, "BINARY")
}

/// An exact number with room for every digit.
fn exactly(text: &str, scale: u32) -> Expr {
    let text = Cell::Text(text.to_owned()).expr();
    Expr::cust_with_exprs(format!("CAST(? AS DECIMAL(65,{scale}))"), [text])
}

fn scale_of(kind: &FieldType) -> u32 {
    match kind {
        FieldType::Decimal { scale, .. } => *scale,
        _ => 0,
    }
}
