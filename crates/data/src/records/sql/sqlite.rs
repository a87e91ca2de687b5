use sea_query::{Alias, Expr, ExprTrait, Func, LikeExpr};

use super::column::ColumnType;
use super::{HOUR, SECOND, SHIFT, Shape, Sql, cast, number, when};
use crate::records::model::FieldType;
use crate::records::query::input::{Function, Unit};
use crate::records::values::cell::Cell;
use crate::records::values::decimal;

pub(super) struct Sqlite;

impl Sql for Sqlite {
    fn read(&self, column: &ColumnType, kind: &FieldType, raw: Expr) -> Expr {
        match (column, kind) {
            // A column may have a collation of its own.
            (
                ColumnType::Text
                | ColumnType::Char
                | ColumnType::Loose
                | ColumnType::Uuid
                | ColumnType::Other,
                _,
            ) => Expr::cust_with_exprs("(CAST(? AS TEXT) COLLATE BINARY)", [raw]),
            (ColumnType::Bytes, _) => {
                let length = function("LENGTH", vec![cast(raw, "BLOB")]);
                cast(length, "TEXT")
            }
            (ColumnType::Numeric, FieldType::Decimal { scale, .. })
                if Shape::of(kind) == Shape::Exact =>
            {
                // It may be held in floating point, or as text.
                let scaled = cast(raw.clone(), "REAL").mul(number(10_i64.saturating_pow(*scale)));
                when(is_number(raw), cast(Func::round(scaled).into(), "INTEGER"))
            }
            (ColumnType::Numeric, FieldType::Decimal { scale, .. }) => {
                let format = text(&format!("%.{scale}f"));
                let of_real = function("PRINTF", vec![format, raw.clone()]);
                let is_real = function("TYPEOF", vec![raw.clone()]).eq("real");
                let shown = Expr::case(is_real, of_real).finally(cast(raw.clone(), "TEXT"));
                when(is_number(raw), shown.into())
            }
            (ColumnType::Numeric, _) => cast(raw, "TEXT"),
            (ColumnType::Float, _) => cast(raw, "REAL"),
            (ColumnType::Boolean, _) => raw.ne(number(0)),
            (ColumnType::Date, _) => function("DATE", vec![raw]),
            (ColumnType::Time, _) => function("TIME", vec![raw]),
            (ColumnType::Timestamp | ColumnType::Timestamptz, _) => {
                // Whole seconds, and what stands behind the point.
                let whole = cast(
                    function("STRFTIME", vec![text("%s"), raw.clone()]),
                    "INTEGER",
                );
                let part = function("STRFTIME", vec![text("%f"), raw]);
                let millis = cast(
                    Func::round(cast(part, "REAL").mul(number(1_000))).into(),
                    "INTEGER",
                );
                whole
                    .mul(number(SECOND))
                    .add(millis.modulo(number(1_000)).mul(number(1_000)))
            }
            _ => raw,
        }
    }

    fn write(&self, column: &ColumnType, kind: &FieldType, cell: &Cell) -> Expr {
        match (column, kind, cell) {
            (ColumnType::Numeric, FieldType::Decimal { scale, .. }, Cell::Int(n)) => {
                Cell::Text(decimal::render(*scale, *n)).expr()
            }
            (ColumnType::Timestamp | ColumnType::Timestamptz, _, Cell::Int(micros)) => {
                Cell::Text(super::stored::moment(*micros, ' ')).expr()
            }
            _ => cell.expr(),
        }
    }

    fn flag(&self, condition: Expr) -> Expr {
        condition
    }

    fn like(&self, text: Expr, pattern: &str) -> Expr {
        text.like(LikeExpr::new(pattern).escape('\\'))
    }

    fn lower(&self, text: Expr) -> Expr {
        Func::lower(text).into()
    }

    fn upper(&self, text: Expr) -> Expr {
        Func::upper(text).into()
    }

    fn length(&self, text: Expr) -> Expr {
        Func::char_length(text).into()
    }

    fn null(&self, _: Shape) -> Expr {
        Expr::null()
    }

    fn exact(&self, number: Expr) -> Expr {
        number
    }

    fn float(&self, number: Expr) -> Expr {
        cast(number, "REAL")
    }

    fn divide(&self, top: Expr, bottom: Expr) -> Expr {
        top.div(bottom)
    }

    fn rest(&self, top: Expr, bottom: Expr) -> Expr {
        top.modulo(bottom)
    }

    fn ratio(&self, top: Expr, bottom: Expr) -> Expr {
        top.div(bottom)
    }

    fn round(&self, number_: Expr, digits: u32) -> Expr {
        Func::round_with_precision(number_, number(i64::from(digits))).into()
    }

    /// It becomes a floating-point number when it is too large, where the sum of the database
    /// would fail: a failure that depends on rows could tell of rows that are not shown.
    fn sum(&self, value: Expr) -> Expr {
        const PART: i64 = 1_000_000_000;
        let high = value.clone().div(number(PART)).sum().mul(number(PART));
        high.add(value.modulo(number(PART)).sum())
    }

    fn part(&self, part: Function, kind: &FieldType, value: Expr) -> Expr {
        let format = match part {
            Function::Year => "%Y",
            Function::Month | Function::Quarter => "%m",
            Function::Week => "%V",
            Function::Day => "%d",
            Function::Hour => "%H",
            _ => "%u",
        };
        let found = whole(formatted(format, kind, value, &[]));
        if part == Function::Quarter {
            quarter_of(found)
        } else {
            found
        }
    }

    fn first_day(&self, day: Expr, unit: Unit) -> Expr {
        let date = &FieldType::Date;
        match unit {
            Unit::Year => formatted("%Y-01-01", date, day, &[]),
            Unit::Month => formatted("%Y-%m-01", date, day, &[]),
            Unit::Quarter => first_of_quarter(date, &day),
            Unit::Week => formatted("%Y-%m-%d", date, day, &["weekday 0", "-6 days"]),
            Unit::Day | Unit::Hour => day,
        }
    }

    fn first_moment(&self, micros: Expr, unit: Unit) -> Expr {
        let datetime = &FieldType::Datetime;
        let seconds = match unit {
            Unit::Year => formatted("%s", datetime, micros, &["start of year"]),
            Unit::Month => formatted("%s", datetime, micros, &["start of month"]),
            Unit::Week => {
                let modifiers = &["weekday 0", "-6 days", "start of day"];
                formatted("%s", datetime, micros, modifiers)
            }
            Unit::Quarter => {
                let first = first_of_quarter(datetime, &micros);
                function("STRFTIME", vec![text("%s"), first])
            }
            Unit::Day => return cut(micros, 24 * HOUR),
            Unit::Hour => return cut(micros, HOUR),
        };
        whole(seconds).mul(number(SECOND))
    }
}

/// Finds, by an index, all rows whose value reads as one of the texts, and perhaps more. Any
/// value may be in any column: what reads as a text may be bytes or a number as well.
pub(super) fn held_as(raw: Expr, texts: Vec<&str>) -> Option<Expr> {
    let mut held = Vec::new();
    for text in texts {
        held.push(Cell::Text(text.to_owned()));
        held.push(Cell::Bytes(text.as_bytes().to_vec()));
        match (text.parse(), text.parse::<f64>()) {
            (Ok(whole), _) => held.push(Cell::Int(whole)),
            // Many a number in floating point reads as this text.
            (Err(_), Ok(_)) => return None,
            (Err(_), Err(_)) => {}
        }
    }
    // Whatever collation the column has, which may be one that is not known here.
    let plain = Expr::cust_with_exprs("? COLLATE BINARY", [raw]);
    Some(plain.is_in(held.iter().map(Cell::expr)))
}

/// Any value may be in any column; a text that begins like no number is none.
fn is_number(raw: Expr) -> Expr {
    Expr::cust_with_exprs(
        "(TYPEOF(?) IN ('integer', 'real') OR (TYPEOF(?) = 'text' AND ? GLOB '[-+.0-9]*'))",
        [raw.clone(), raw.clone(), raw],
    )
}

fn first_of_quarter(kind: &FieldType, value: &Expr) -> Expr {
    let month = quarter_of(whole(formatted("%m", kind, value.clone(), &[])))
        .mul(number(3))
        .sub(number(2));
    let year = formatted("%Y", kind, value.clone(), &[]);
    let first = function("PRINTF", vec![text("%s-%02d-01"), year.clone(), month]);
    // Without a date there is none, where PRINTF would write something.
    when(year.is_not_null(), first)
}

fn quarter_of(month: Expr) -> Expr {
    month.add(number(2)).div(number(3))
}

fn cut(micros: Expr, unit: i64) -> Expr {
    micros
        .add(number(SHIFT))
        .div(number(unit))
        .mul(number(unit))
        .sub(number(SHIFT))
}

/// The date as text in that format, after the modifiers.
fn formatted(format: &str, kind: &FieldType, value: Expr, modifiers: &[&str]) -> Expr {
    let mut arguments = vec![text(format)];
    if *kind == FieldType::Datetime {
        arguments.push(super::seconds(value, ExprTrait::div));
        arguments.push(text("unixepoch"));
    } else {
        arguments.push(value);
    }
    arguments.extend(modifiers.iter().map(|modifier| text(modifier)));
    function("STRFTIME", arguments)
}

fn function(name: &'static str, arguments: Vec<Expr>) -> Expr {
    Func::cust(Alias::new(name)).args(arguments).into()
}

fn whole(text: Expr) -> Expr {
    cast(text, "INTEGER")
}

fn text(text: &str) -> Expr {
    Expr::Constant(text.to_owned().into())
}

#[cfg(test)]
mod tests {
    use sea_query::{Query, SqliteQueryBuilder};
    use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, SqliteConnection};

    use super::*;
    use crate::records::criteria::condition::all;

    const HELD: &str = "('x'), ('X'), ('x '), (X'78'), ('5'), (5), (5.0), (5.5), ('5.5'), (X'35'), \
        ('05'), (' 5'), ('0x5'), (0.1 + 0.2), ('0.3'), (1e300), ('1.0e+300'), (9e999), ('Inf'), (''), \
        (NULL), ('é'), ('9223372036854775808'), (9223372036854775807)";

    async fn found(conn: &mut SqliteConnection, condition: Expr) -> Vec<i64> {
        let mut query = Query::select();
        query
            .column(Alias::new("rowid"))
            .from(Alias::new("t"))
            .and_where(condition);
        let sql = query.to_string(SqliteQueryBuilder);
        let rows = conn.fetch_all(AssertSqlSafe(sql)).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// What an index finds holds all that is asked for, whatever the column makes of its values.
    #[tokio::test]
    async fn by_an_index_the_same_is_found() {
        let asked = [
            "x",
            "X",
            "x ",
            "5",
            "5.0",
            "5.5",
            "05",
            " 5",
            "0x5",
            "0.3",
            "1.0e+300",
            "Inf",
            "",
            "é",
            "9223372036854775808",
            "9223372036854775807",
        ];
        for declared in [
            "TEXT",
            "VARCHAR(9) COLLATE NOCASE",
            "",
            "STRING",
            "INTEGER",
            "REAL",
        ] {
            let mut conn = SqliteConnection::connect("sqlite::memory:").await.unwrap();
            let script = format!(
                "CREATE TABLE t (a {declared}); CREATE INDEX t_a ON t (a); INSERT INTO t VALUES {HELD}"
            );
            conn.execute(AssertSqlSafe(script)).await.unwrap();
            let raw = Expr::col(Alias::new("a"));
            let canonical = Sqlite.read(&ColumnType::Text, &FieldType::String, raw.clone());
            for text in asked {
                let right = canonical.clone().eq(text);
                let expected = found(&mut conn, right.clone()).await;
                let both = match held_as(raw.clone(), vec![text]) {
                    Some(held) => all(vec![held, right]),
                    None => right,
                };
                let mut actual = found(&mut conn, both).await;
                actual.sort_unstable();
                assert_eq!(actual, expected, "`{text}` in a column {declared}");
            }
        }
    }

    #[tokio::test]
    async fn an_index_is_used() {
        let mut conn = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let script = "CREATE TABLE t (a TEXT, b TEXT); CREATE INDEX t_a ON t (a)";
        conn.execute(script).await.unwrap();
        let held = held_as(Expr::col(Alias::new("a")), vec!["x"]).unwrap();
        let mut query = Query::select();
        query
            .column(Alias::new("b"))
            .from(Alias::new("t"))
            .and_where(held);
        let sql = format!("EXPLAIN QUERY PLAN {}", query.to_string(SqliteQueryBuilder));
        let plan = conn.fetch_one(AssertSqlSafe(sql)).await.unwrap();
        let detail: String = plan.get("detail");
        assert_eq!(detail, "SEARCH t USING INDEX t_a (a=?)");
    }
}
