//! The tables of pairs behind many_to_many fields.

use sea_query::{Alias, ColumnDef, Expr, ExprTrait, Index, Query, Table};

use super::apply::Applier;
use super::diff::Diff;
use super::step::MigrateError;
use crate::StoreError;
use crate::records::links::{RECORD, TARGET};
use crate::records::model::{Field, FieldType, Model};
use crate::records::names::{index, own_pairs, reference};
use crate::records::run_sql::{Statement, rows};
use crate::records::sql::Dialect;
use crate::records::values::cell::Cell;

/// Whether the field keeps pairs in a table of its own, and does not share that of another one.
pub(super) fn keeps_pairs(field: &Field) -> bool {
    matches!(&field.kind, FieldType::ManyToMany { inverse: None, .. })
}

impl Applier<'_, '_> {
    pub(super) async fn drop_all_pairs(&mut self, diff: &Diff<'_>) -> Result<(), MigrateError> {
        for (model, field) in &diff.gone_pairs {
            self.drop_pairs(model, field).await?;
        }
        Ok(())
    }

    pub(super) async fn create_all_pairs(&mut self, diff: &Diff<'_>) -> Result<(), MigrateError> {
        for (model, field) in &diff.new_pairs {
            self.create_pairs(model, field).await?;
        }
        Ok(())
    }

    async fn create_pairs(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        let Some(target) = field.kind.linked() else {
            return Ok(());
        };
        let table = || own_pairs(self.dialect, self.org_slug, &model.name, &field.name);
        // A pair goes with either of its records.
        let column = |name: &'static str, leads_to: &str| {
            let mut column = ColumnDef::new(Alias::new(name));
            let reference = reference(self.dialect, self.org_slug, leads_to);
            column
                .custom(match self.dialect {
                    Dialect::Postgres => "bigint",
                    Dialect::Sqlite | Dialect::Mysql => "INTEGER",
                })
                .not_null()
                .extra(format!("{reference} ON DELETE CASCADE"));
            column
        };
        let mut create = Table::create();
        create
            .table(table())
            .col(column(RECORD, &model.name))
            .col(column(TARGET, target))
            .primary_key(
                Index::create()
                    .col(Alias::new(RECORD))
                    .col(Alias::new(TARGET)),
            );
        if self.dialect == Dialect::Sqlite {
            create.extra("STRICT");
        }
        let mut second = Index::create();
        second
            .name(index(self.dialect, self.org_slug, &model.name, &field.name))
            .table(table())
            .col(Alias::new(TARGET));
        let (create, second) = (self.text(&create), self.text(&second));
        self.schema(create).await?;
        self.schema(second).await
    }

    async fn drop_pairs(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        let table = own_pairs(self.dialect, self.org_slug, &model.name, &field.name);
        let text = self.text(Table::drop().table(table));
        self.schema(text).await
    }

    /// How many pairs a field keeps.
    pub(super) async fn count_pairs(
        &mut self,
        model: &Model,
        field: &Field,
    ) -> Result<i64, StoreError> {
        let statement = {
            let mut select = Query::select();
            select
                .expr(Expr::col(sea_query::Asterisk).count())
                .from(own_pairs(
                    self.dialect,
                    self.org_slug,
                    &model.name,
                    &field.name,
                ));
            Statement::of(self.dialect, &select)
        };
        let found = rows(self.conn, statement).await?;
        let count = found.first().and_then(|row| row.first());
        Ok(count.and_then(Cell::as_int).unwrap_or_default())
    }
}
