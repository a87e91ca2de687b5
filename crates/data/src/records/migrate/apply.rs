use jiff::Timestamp;
use sea_query::{
    Alias, ColumnDef, Expr, ExprTrait, ForeignKey, Func, Index, PostgresQueryBuilder, Query,
    SchemaStatementBuilder, SqliteQueryBuilder, Table,
};

use super::MigrationPlan;
use super::diff::{Changed, Diff};
use super::step::MigrateError;
use crate::StoreError;
use crate::conn::Conn;
use crate::records::catalog::Catalog;
use crate::records::content;
use crate::records::model::{Field, FieldType, ID, Model, VERSION};
use crate::records::names::{index, own_table, reference};
use crate::records::run_sql::{SqlError, Statement, execute, rows};
use crate::records::sql::Dialect;
use crate::records::values::cell::Cell;
use crate::records::values::decimal::INTEGER_DIGITS;
use crate::records::write::settings::default_of;

/// Makes the changes of one migration.
pub(super) struct Applier<'u, 'c> {
    pub(super) conn: &'u mut Conn<'c>,
    pub(super) dialect: Dialect,
    pub(super) org_slug: &'u str,
    catalog: &'u Catalog,
}

impl<'u, 'c> Applier<'u, 'c> {
    pub(super) fn new(conn: &'u mut Conn<'c>, org_slug: &'u str, catalog: &'u Catalog) -> Self {
        Self {
            dialect: conn.dialect(),
            conn,
            org_slug,
            catalog,
        }
    }

    /// What is to be done, what it costs, and what stands against it.
    pub(super) async fn plan(&mut self, diff: &Diff<'_>) -> Result<MigrationPlan, StoreError> {
        Ok(MigrationPlan {
            steps: diff.steps(),
            losses: self.losses(diff).await?,
            reasons: self.blocked(diff).await?,
        })
    }

    /// What is stored and does not fit: a required field without values.
    async fn blocked(&mut self, diff: &Diff<'_>) -> Result<Vec<String>, StoreError> {
        let mut reasons = Vec::new();
        for (model, field) in &diff.new_fields {
            if field.rules.required && field.default.is_none() && self.count(model, None).await? > 0
            {
                reasons.push(format!(
                    "`{}` is a new required field of `{}`, which has records: give it a default",
                    field.name, model.name
                ));
            }
        }
        for Changed { model, old, new } in &diff.changed {
            if !new.rules.required || old.rules.required || new.default.is_some() {
                continue;
            }
            let empty = self.count(model, Some(column(&new.name).is_null())).await?;
            if empty > 0 {
                reasons.push(format!(
                    "`{}` of `{}` becomes required, but {empty} records have no value: give it a default",
                    new.name, model.name
                ));
            }
        }
        Ok(reasons)
    }

    /// What would be lost, in words.
    async fn losses(&mut self, diff: &Diff<'_>) -> Result<Vec<String>, StoreError> {
        let mut losses = Vec::new();
        for model in &diff.gone_models {
            let count = self.count(model, None).await?;
            losses.push(format!(
                "the model `{}` is gone: its {count} records would be dropped",
                model.name
            ));
        }
        for (model, field) in &diff.gone_fields {
            let count = self
                .count(model, Some(column(&field.name).is_not_null()))
                .await?;
            let what = self.became(model, field);
            losses.push(format!(
                "the field `{}` of `{}` {what}: its {count} values would be dropped",
                field.name, model.name
            ));
        }
        for (model, field) in &diff.gone_pairs {
            let count = self.count_pairs(model, field).await?;
            let what = self.became(model, field);
            losses.push(format!(
                "the field `{}` of `{}` {what}: its {count} links would be dropped",
                field.name, model.name
            ));
        }
        for changed in &diff.changed {
            for (filter, what) in narrowed(changed) {
                let count = self.count(changed.model, Some(filter)).await?;
                if count > 0 {
                    losses.push(format!(
                        "the field `{}` of `{}` {what}: {count} values would be changed",
                        changed.new.name, changed.model.name
                    ));
                }
            }
        }
        Ok(losses)
    }

    /// What became of a field that loses its values, in words.
    fn became(&self, model: &Model, field: &Field) -> String {
        let new = self.catalog.own().find(|own| own.name == model.name);
        match new.and_then(|new| new.field(&field.name)) {
            Some(new) if is_same_relation(&new.kind, &field.kind) => "leads elsewhere".to_owned(),
            Some(new) => format!("changes from {} to {}", field.kind.name(), new.kind.name()),
            None => "is gone".to_owned(),
        }
    }

    pub(super) async fn apply(&mut self, diff: &Diff<'_>) -> Result<(), MigrateError> {
        // Relations go before the tables that they lead to.
        self.drop_all_pairs(diff).await?;
        for (model, field) in &diff.gone_fields {
            self.drop_field(model, field).await?;
        }
        for model in &diff.gone_models {
            for field in model.stored().filter(|field| field.kind.target().is_some()) {
                self.drop_field(model, field).await?;
            }
        }
        for model in &diff.gone_models {
            let mut drop = Table::drop();
            drop.table(own_table(self.dialect, self.org_slug, &model.name));
            let text = self.text(&drop);
            self.schema(text).await?;
        }
        for model in &diff.new_models {
            self.create(model).await?;
        }
        for (model, field) in &diff.new_fields {
            self.add_field(model, field).await?;
        }
        for model in &diff.new_models {
            for field in model.stored() {
                self.refer(model, field).await?;
            }
        }
        for (model, field) in &diff.new_fields {
            self.refer(model, field).await?;
        }
        self.create_all_pairs(diff).await?;
        for changed in &diff.changed {
            self.change(changed).await?;
        }
        Ok(())
    }

    async fn create(&mut self, model: &Model) -> Result<(), MigrateError> {
        let mut create = Table::create();
        create.table(own_table(self.dialect, self.org_slug, &model.name));
        if self.dialect == Dialect::Sqlite {
            create.extra("STRICT");
        }
        for field in model.stored() {
            create.col(self.definition(field));
            if field.is_file() {
                create.col(content_column(self.dialect, field));
            }
        }
        let text = self.text(&create);
        self.schema(text).await?;
        for field in model.stored() {
            self.index(model, field).await?;
        }
        Ok(())
    }

    /// Lets the database watch over a relation, once the tables of both ends are there.
    async fn refer(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        let Some(target) = field.kind.target() else {
            return Ok(());
        };
        if self.dialect == Dialect::Sqlite {
            return Ok(());
        }
        let mut create = ForeignKey::create();
        let target = own_table(self.dialect, self.org_slug, target);
        create
            .from(
                own_table(self.dialect, self.org_slug, &model.name),
                Alias::new(&field.name),
            )
            .to(target, Alias::new(ID));
        let text = self.text(&create);
        self.schema(text).await
    }

    async fn add_field(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        let mut alter = Table::alter();
        alter
            .table(own_table(self.dialect, self.org_slug, &model.name))
            .add_column(self.definition(field));
        let text = self.text(&alter);
        self.schema(text).await?;
        if field.is_file() {
            let mut alter = Table::alter();
            alter
                .table(own_table(self.dialect, self.org_slug, &model.name))
                .add_column(content_column(self.dialect, field));
            let text = self.text(&alter);
            self.schema(text).await?;
        }
        self.fill(model, field).await?;
        self.index(model, field).await
    }

    async fn drop_field(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        self.drop_index(model, field).await?;
        let content = field.is_file().then(|| content::column(field));
        for column in [field.name.clone()].into_iter().chain(content) {
            let mut alter = Table::alter();
            alter
                .table(own_table(self.dialect, self.org_slug, &model.name))
                .drop_column(Alias::new(column));
            let text = self.text(&alter);
            self.schema(text).await?;
        }
        Ok(())
    }

    async fn change(&mut self, changed: &Changed<'_>) -> Result<(), MigrateError> {
        let (model, old, new) = (changed.model, changed.old, changed.new);
        for (filter, _) in narrowed(changed) {
            let value: Expr = match changed.shortened() {
                Some(length) => Func::cust("substr")
                    .arg(column(&new.name))
                    .arg(Expr::Constant(1_i64.into()))
                    .arg(Expr::Constant(i64::from(length).into()))
                    .into(),
                None => Expr::null(),
            };
            self.set(model, new, value, filter).await?;
        }
        if new.rules.required && !old.rules.required {
            self.fill(model, new).await?;
        }
        if indexed(old) != indexed(new) || old.rules.unique != new.rules.unique {
            self.drop_index(model, old).await?;
            self.index(model, new).await?;
        }
        Ok(())
    }

    /// Gives the records that have no value the default.
    async fn fill(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        let value = if field.name == VERSION {
            Cell::Int(1)
        } else {
            default_of(field, Timestamp::UNIX_EPOCH)
        };
        if value.is_null() {
            return Ok(());
        }
        let value = self
            .dialect
            .sql()
            .write(&field.column_type, &field.kind, &value);
        self.set(model, field, value, column(&field.name).is_null())
            .await
    }

    async fn set(
        &mut self,
        model: &Model,
        field: &Field,
        value: Expr,
        filter: Expr,
    ) -> Result<(), MigrateError> {
        let statement = {
            let mut update = Query::update();
            update
                .table(own_table(self.dialect, self.org_slug, &model.name))
                .value(Alias::new(&field.name), value)
                .and_where(filter);
            Statement::of(self.dialect, &update)
        };
        execute(self.conn, statement)
            .await
            .map_err(|error| blocked(error, model, field))?;
        Ok(())
    }

    fn definition(&self, field: &Field) -> ColumnDef {
        let mut column = ColumnDef::new(Alias::new(&field.name));
        if field.name == ID && self.dialect == Dialect::Postgres {
            column
                .custom("bigint GENERATED BY DEFAULT AS IDENTITY")
                .not_null()
                .primary_key();
            return column;
        }
        if field.name == ID {
            column
                .custom("INTEGER")
                .not_null()
                .primary_key()
                .auto_increment();
            return column;
        }
        column.custom(match self.dialect {
            Dialect::Postgres => postgres_storage(&field.kind),
            Dialect::Sqlite | Dialect::Mysql => storage(&field.kind),
        });
        // PostgreSQL refers only to tables that are there: see [`Self::refer`].
        let refers = self.dialect == Dialect::Sqlite;
        if let Some(target) = field.kind.target().filter(|_| refers) {
            column.extra(reference(self.dialect, self.org_slug, target));
        }
        column
    }

    async fn index(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        if !indexed(field) {
            return Ok(());
        }
        let mut create = Index::create();
        create
            .name(index(self.dialect, self.org_slug, &model.name, &field.name))
            .table(own_table(self.dialect, self.org_slug, &model.name))
            .col(Alias::new(&field.name));
        if field.rules.unique {
            create.unique();
        }
        let statement = Statement::schema(self.text(&create));
        execute(self.conn, statement)
            .await
            .map_err(|error| blocked(error, model, field))?;
        Ok(())
    }

    async fn drop_index(&mut self, model: &Model, field: &Field) -> Result<(), MigrateError> {
        if !indexed(field) {
            return Ok(());
        }
        let mut drop = Index::drop();
        drop.name(index(self.dialect, self.org_slug, &model.name, &field.name))
            .table(own_table(self.dialect, self.org_slug, &model.name));
        let text = self.text(&drop);
        self.schema(text).await
    }

    pub(super) fn text(&self, statement: &impl SchemaStatementBuilder) -> String {
        match self.dialect {
            Dialect::Postgres => statement.build(PostgresQueryBuilder),
            Dialect::Sqlite | Dialect::Mysql => statement.build(SqliteQueryBuilder),
        }
    }

    pub(super) async fn schema(&mut self, sql: String) -> Result<(), MigrateError> {
        execute(self.conn, Statement::schema(sql))
            .await
            .map_err(StoreError::from)?;
        Ok(())
    }

    async fn count(&mut self, model: &Model, filter: Option<Expr>) -> Result<i64, StoreError> {
        let statement = {
            let mut select = Query::select();
            select
                .expr(Expr::col(sea_query::Asterisk).count())
                .from(own_table(self.dialect, self.org_slug, &model.name));
            select.and_where_option(filter);
            Statement::of(self.dialect, &select)
        };
        let found = rows(self.conn, statement).await?;
        Ok(found
            .first()
            .and_then(|row| row.first())
            .and_then(Cell::as_int)
            .unwrap_or_default())
    }
}

fn content_column(dialect: Dialect, field: &Field) -> ColumnDef {
    let mut column = ColumnDef::new(Alias::new(content::column(field)));
    column.custom(match dialect {
        Dialect::Postgres => "bytea",
        Dialect::Sqlite | Dialect::Mysql => "BLOB",
    });
    column
}

fn is_same_relation(new: &FieldType, old: &FieldType) -> bool {
    new.name() == old.name() && new.leads_to().is_some()
}

fn column(name: &str) -> Expr {
    Expr::col(Alias::new(name))
}

fn indexed(field: &Field) -> bool {
    field.name != ID && (field.rules.unique || field.rules.index || field.kind.target().is_some())
}

/// The records whose values a change would not leave as they are, and why.
fn narrowed(changed: &Changed<'_>) -> Vec<(Expr, String)> {
    let name = &changed.new.name;
    if let Some(length) = changed.shortened() {
        let long = Expr::from(Func::cust("length").arg(column(name))).gt(i64::from(length));
        return vec![(long, format!("becomes shorter, {length} characters"))];
    }
    let lost = changed.lost_options();
    if lost.is_empty() {
        return Vec::new();
    }
    let what = format!("loses the options {}", lost.join(", "));
    vec![(
        column(name).is_in(lost.iter().map(ToString::to_string)),
        what,
    )]
}

fn storage(kind: &FieldType) -> &'static str {
    match kind {
        FieldType::Decimal { precision, .. } if *precision > INTEGER_DIGITS => "TEXT",
        FieldType::Integer
        | FieldType::Decimal { .. }
        | FieldType::Boolean
        | FieldType::Datetime
        | FieldType::ManyToOne { .. }
        | FieldType::OneToMany { .. }
        | FieldType::ManyToMany { .. } => "INTEGER",
        FieldType::Float => "REAL",
        FieldType::String
        | FieldType::Text
        | FieldType::Date
        | FieldType::Time
        | FieldType::Uuid
        | FieldType::Selection { .. }
        | FieldType::MultiSelection { .. }
        | FieldType::Binary { .. }
        | FieldType::Json => "TEXT",
    }
}

/// Numbers have no limits of their own there: a field that is widened keeps its column.
fn postgres_storage(kind: &FieldType) -> &'static str {
    match kind {
        FieldType::Decimal { .. } => "numeric",
        FieldType::Integer
        | FieldType::ManyToOne { .. }
        | FieldType::OneToMany { .. }
        | FieldType::ManyToMany { .. } => "bigint",
        FieldType::Boolean => "boolean",
        FieldType::Datetime => "timestamptz",
        FieldType::Float => "double precision",
        FieldType::Date => "date",
        FieldType::Time => "time",
        FieldType::Uuid => "uuid",
        FieldType::MultiSelection { .. } | FieldType::Json => "jsonb",
        FieldType::String
        | FieldType::Text
        | FieldType::Selection { .. }
        // What is told of the file; its content has a column of its own.
        | FieldType::Binary { .. } => "text",
    }
}

fn blocked(error: SqlError, model: &Model, field: &Field) -> MigrateError {
    match error {
        SqlError::Unique(_) => MigrateError::Blocked {
            reasons: vec![format!(
                "`{}` of `{}` becomes unique, but some records share a value",
                field.name, model.name
            )],
        },
        other => MigrateError::Store(other.into()),
    }
}
