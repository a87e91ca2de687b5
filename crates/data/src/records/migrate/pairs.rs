//! The tables of pairs behind many_to_many fields.

use sea_query::{Alias, ColumnDef, Expr, ExprTrait, Index, Query, SqliteQueryBuilder, Table};

use super::apply::Applier;
use super::diff::Diff;
use super::step::{MigrateError, MigrationStep};
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
    pub(super) async fn drop_all_pairs(
        &mut self,
        diff: &Diff<'_>,
        steps: &mut Vec<MigrationStep>,
    ) -> Result<(), MigrateError> {
        for (model, field) in &diff.gone_pairs {
            self.drop_pairs(model, field).await?;
            let (model, field) = (model.name.clone(), field.name.clone());
            steps.push(MigrationStep::DropField { model, field });
        }
        Ok(())
    }

    /// Those of new models are made with them, and no step of their own.
    pub(super) async fn create_all_pairs(
        &mut self,
        diff: &Diff<'_>,
        steps: &mut Vec<MigrationStep>,
    ) -> Result<(), MigrateError> {
        for (model, field) in &diff.new_pairs {
            self.create_pairs(model, field).await?;
            let is_new = diff.new_models.iter().any(|new| new.name == model.name);
            let (model, field) = (model.name.clone(), field.name.clone());
            steps.extend((!is_new).then_some(MigrationStep::AddField { model, field }));
        }
        Ok(())
    }

    async fn create_pairs(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        let Some(target) = field.kind.linked() else {
            return Ok(());
        };
        let table = || own_pairs(self.org_slug, &model.name, &field.name);
        // A pair goes with either of its records.
        let column = |name: &'static str, leads_to: &str| {
            let mut column = ColumnDef::new(Alias::new(name));
            let reference = reference(self.org_slug, leads_to);
            column
                .custom("INTEGER")
                .not_null()
                .extra(format!("{reference} ON DELETE CASCADE"));
            column
        };
        let create = Table::create()
            .table(table())
            .col(column(RECORD, &model.name))
            .col(column(TARGET, target))
            .primary_key(
                Index::create()
                    .col(Alias::new(RECORD))
                    .col(Alias::new(TARGET)),
            )
            .extra("STRICT")
            .build(SqliteQueryBuilder);
        let second = Index::create()
            .name(index(self.org_slug, &model.name, &field.name))
            .table(table())
            .col(Alias::new(TARGET))
            .build(SqliteQueryBuilder);
        self.schema(create).await?;
        self.schema(second).await
    }

    async fn drop_pairs(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        let table = own_pairs(self.org_slug, &model.name, &field.name);
        self.schema(Table::drop().table(table).build(SqliteQueryBuilder))
            .await
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
                .from(own_pairs(self.org_slug, &model.name, &field.name));
            Statement::of(Dialect::Sqlite, &select)
        };
        let found = rows(self.conn, statement).await?;
        let count = found.first().and_then(|row| row.first());
        Ok(count.and_then(Cell::as_int).unwrap_or_default())
    }
}
