use std::collections::BTreeSet;

use sea_query::{Alias, Expr, ExprTrait, Query};

use super::Link;
use crate::StoreError;
use crate::conn::Conn;
use crate::records::criteria::condition::Test;
use crate::records::ids::Key;
use crate::records::names::{raw_id, table};
use crate::records::rights::allowed::View;
use crate::records::run_sql::{SqlError, Statement, execute, rows};
use crate::records::sql::stored::Stored;
use crate::records::values::cell::Cell;

/// The most records that one field can be set to.
pub(crate) const SET: u32 = 1_000;

impl Link<'_> {
    /// Makes a record lead to these others, and to those that it leads to and the user can't read.
    pub(crate) async fn replace(
        &self,
        conn: &mut Conn<'_>,
        id: &Key,
        list: &[Key],
    ) -> Result<(), SqlError> {
        if let Some(statement) = self.removal(id, list) {
            execute(conn, statement).await?;
        }
        self.add(conn, id, list).await
    }

    /// Makes a record lead to these others as well.
    pub(crate) async fn add(
        &self,
        conn: &mut Conn<'_>,
        id: &Key,
        list: &[Key],
    ) -> Result<(), SqlError> {
        let there = match self.present(id, list) {
            Some(statement) => rows(conn, statement).await?,
            None => return Ok(()),
        };
        let there: BTreeSet<Key> = there
            .iter()
            .filter_map(|row| row.first().and_then(Key::of))
            .collect();
        let new: Vec<&Key> = list.iter().filter(|id| !there.contains(*id)).collect();
        if let Some(statement) = self.addition(id, &new)? {
            execute(conn, statement).await?;
        }
        Ok(())
    }

    /// The own column without an alias, for a statement about one table.
    fn plain(&self, name: &str) -> Expr {
        Expr::col(Alias::new(name))
    }

    fn own_is(&self, id: &Key) -> Option<Expr> {
        let stored = super::stored_id(self.model, self.plain(&self.own))?;
        Some(stored.test(&Test::In(vec![id.cell()])))
    }

    fn removal(&self, id: &Key, list: &[Key]) -> Option<Statement> {
        let mut delete = Query::delete();
        delete
            .from_table(self.table.clone())
            .and_where(self.own_is(id)?);
        if !list.is_empty() {
            let others = super::stored_id(self.target, self.plain(&self.other))?;
            let cells = list.iter().map(Key::cell).collect();
            delete.and_where(others.test(&Test::In(cells)).not());
        }
        if let Some(rows) = View::of(self.access, self.target).rows("n") {
            let mut readable = Query::select();
            readable
                .expr(raw_id(self.target, "n"))
                .from_as(table(&self.access.org_slug, self.target), "n")
                .and_where(rows);
            delete.and_where(self.plain(&self.other).in_subquery(readable));
        }
        Some(Statement::of(self.target.dialect(), &delete))
    }

    /// Which of these others the record leads to already.
    fn present(&self, id: &Key, list: &[Key]) -> Option<Statement> {
        if list.is_empty() {
            return None;
        }
        let others = super::stored_id(self.target, self.plain(&self.other))?;
        let cells = list.iter().map(Key::cell).collect();
        let mut select = Query::select();
        select
            .expr(others.canonical())
            .from(self.table.clone())
            .and_where(self.own_is(id)?)
            .and_where(others.test(&Test::In(cells)));
        Some(Statement::of(self.target.dialect(), &select))
    }

    fn addition(&self, id: &Key, list: &[&Key]) -> Result<Option<Statement>, SqlError> {
        let own = super::stored_id(self.model, Expr::null());
        let other = super::stored_id(self.target, Expr::null());
        let (Some(own), Some(other), false) = (own, other, list.is_empty()) else {
            return Ok(None);
        };
        let mut insert = Query::insert();
        insert
            .into_table(self.table.clone())
            .columns([Alias::new(&self.own), Alias::new(&self.other)]);
        for target in list {
            insert
                .values([written(&own, &id.cell()), written(&other, &target.cell())])
                .map_err(|error| SqlError::Store(StoreError::Commit(error.to_string())))?;
        }
        Ok(Some(Statement::of(self.target.dialect(), &insert)))
    }
}

/// An id as its column holds it.
fn written(id: &Stored<'_>, cell: &Cell) -> Expr {
    let sql = id.dialect.sql();
    sql.write(&id.field.column_type, &id.field.kind, cell)
}
