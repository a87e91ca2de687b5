use sea_query::{Expr, LockType, Order, Query};

use crate::conn::Conn;
use crate::records::access::Access;
use crate::records::error::RecordError;
use crate::records::ids::{Key, key};
use crate::records::input::{RecordId, UpdateInput};
use crate::records::names::{has_id, raw, table};
use crate::records::plan::Write;
use crate::records::read::storage;
use crate::records::run_sql::{Statement, rows};
use crate::records::scope::ROOT;

/// Keeps the records that exist and a write is about from being changed by others until it ends,
/// where the database has several writers.
pub(crate) async fn lock(
    conn: &mut Conn<'_>,
    access: &Access,
    write: Write<'_>,
) -> Result<(), RecordError> {
    let (model, ids) = match write {
        Write::Create(_) => return Ok(()),
        Write::Update(input) => (&input.model, ids_of_update(input)),
        Write::Delete(input) => {
            let ids = input.id.iter().chain(input.ids.iter().flatten());
            (&input.model, ids.collect())
        }
    };
    let Some(model) = access.catalog.model(model) else {
        return Ok(());
    };
    // What is no id is told of where the input is checked.
    let mut keys: Vec<Key> = ids.iter().filter_map(|id| key(model, id).ok()).collect();
    if matches!(conn, Conn::Sqlite(_)) || keys.is_empty() {
        return Ok(());
    }
    // In one order for all, so that two writes don't wait for each other.
    keys.sort_unstable();
    let statement = {
        let mut select = Query::select();
        select
            .expr(Expr::Constant(1_i64.into()))
            .from_as(table(&access.org_slug, model), ROOT)
            .and_where(has_id(model, Some(ROOT), &keys))
            .lock(LockType::Update);
        if let Some(id) = model.id() {
            let id = raw(model.dialect(), ROOT, id);
            select.order_by_expr(id, Order::Asc);
        }
        Statement::of(model.dialect(), &select)
    };
    rows(conn, statement).await.map(drop).map_err(storage)
}

fn ids_of_update(input: &UpdateInput) -> Vec<&RecordId> {
    let many = input.records.iter().flatten().map(|item| &item.id);
    input.id.iter().chain(many).collect()
}
