use std::collections::BTreeMap;

use sea_query::{
    Cond, Expr, ExprTrait, Func, JoinType, Order, OverStatement, Query, WindowStatement,
};
use serde_json::{Map, Value, json};

use super::Link;
use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::error::RecordError;
use crate::records::ids::Key;
use crate::records::model::Model;
use crate::records::names::{column, raw_id, table};
use crate::records::read::storage;
use crate::records::rights::allowed::View;
use crate::records::run_sql::{Statement, rows};
use crate::records::select::{Wanted, display};
use crate::records::sql::Shape;
use crate::records::values::cell::Cell;

/// The most records that one field of an answer leads to.
pub(crate) const SHOWN: u32 = 100;

/// A record under construction, with its id.
pub(crate) type Found = (Option<Key>, Map<String, Value>);

/// What one record leads to, as the user may read it.
#[derive(Debug, Default)]
struct List {
    /// The records that can be read, each with what names it.
    readable: BTreeMap<Key, String>,
    /// How many there are that can't be.
    withheld: usize,
}

/// Fills in the fields of records that lead to many others: an empty list stands there where the
/// field shows, and nothing else is touched.
pub(crate) async fn fill(
    conn: &mut Conn<'_>,
    access: &Access,
    model: &Model,
    wanted: &[Wanted<'_>],
    records: &mut [Found],
    most: u32,
) -> Result<(), RecordError> {
    for one in wanted.iter().filter(|one| one.path.field.is_link()) {
        let shows = |found: &Found| found.1.get(&one.key).is_some_and(Value::is_array);
        let ids: Vec<Key> = records
            .iter()
            .filter(|found| shows(found))
            .filter_map(|(id, _)| id.clone())
            .collect();
        let Some(link) = Link::of(access, model, one.path.field).filter(|_| !ids.is_empty()) else {
            continue;
        };
        let mut lists = link.lists(conn, &ids, most).await?;
        for (id, record) in records.iter_mut() {
            let list = id.as_ref().and_then(|id| lists.remove(id));
            if let Some(list) = list {
                record.insert(one.key.clone(), list.json(most));
            }
        }
    }
    Ok(())
}

impl Link<'_> {
    /// What each of these records leads to: so many that can be read, and one more.
    async fn lists(
        &self,
        conn: &mut Conn<'_>,
        ids: &[Key],
        most: u32,
    ) -> Result<BTreeMap<Key, List>, RecordError> {
        let Some(statement) = self.lists_statement(ids, most) else {
            return Ok(BTreeMap::new());
        };
        let mut lists: BTreeMap<Key, List> = BTreeMap::new();
        for row in rows(conn, statement).await.map_err(storage)? {
            let mut cells = row.into_iter();
            let Some(own) = cells.next().as_ref().and_then(Key::of) else {
                continue;
            };
            let id = cells.next().as_ref().and_then(Key::of);
            let list = lists.entry(own).or_default();
            match id {
                Some(id) => {
                    let named = display(self.target, Some(&id), cells.next().unwrap_or(Cell::Null));
                    list.readable.insert(id, named);
                }
                None => list.withheld += 1,
            }
        }
        Ok(lists)
    }

    fn lists_statement(&self, ids: &[Key], most: u32) -> Option<Statement> {
        let dialect = self.target.dialect();
        let view = View::of(self.access, self.target);
        let own = self.own_of("m")?;
        let there = raw_id(self.target, "n");
        let named = match self.target.field(&self.target.display) {
            Some(field) => view.shown(field, "n", dialect).canonical(),
            None => dialect.sql().null(Shape::Text),
        };
        let mut window = WindowStatement::new();
        let is_withheld = Expr::case(there.clone().is_null(), number(1)).finally(number(0));
        window
            .add_partition_by(own.raw.clone())
            .add_partition_by(is_withheld.into())
            .order_by_expr(there.clone(), Order::Asc);
        let cells = ids.iter().map(Key::cell).collect();
        let mut on = Cond::all().add(there.eq(column("m", &self.other)));
        if let Some(rows) = view.rows("n") {
            on = on.add(rows);
        }
        let mut inner = Query::select();
        inner
            .expr_as(own.canonical(), "c0")
            .expr_as(super::super::names::id(self.target, "n"), "c1")
            .expr_as(named, "c2")
            .expr_window_as(Func::cust("ROW_NUMBER"), window, "c3")
            .from_as(self.table.clone(), "m")
            .and_where(own.test(&super::Test::In(cells)));
        let target = table(&self.access.org_slug, self.target);
        inner.join_as(JoinType::LeftJoin, target, "n", on);
        let mut select = Query::select();
        for name in ["c0", "c1", "c2"] {
            select.expr(column("p", name));
        }
        select
            .from_subquery(inner, "p")
            .and_where(column("p", "c3").lte(i64::from(most) + 1));
        Some(Statement::of(dialect, &select))
    }
}

impl List {
    /// The records by id, then how there are others: more than are listed, or withheld ones. How
    /// many of these there are is not told.
    fn json(self, most: u32) -> Value {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let is_cut = self.readable.len() > most;
        let records = self.readable.into_iter().take(most);
        let mut list: Vec<Value> = records
            .map(|(id, display)| json!({ "id": id.json(), "display": display }))
            .collect();
        if is_cut {
            list.push(json!({ "more": true }));
        }
        if self.withheld > 0 {
            list.push(json!({ "withheld": true }));
        }
        list.into()
    }
}

fn number(n: i64) -> Expr {
    Expr::Constant(n.into())
}
