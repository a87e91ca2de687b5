//! The databases that the suite runs on. Servers are started when the first test needs them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use sqlx::{AssertSqlSafe, Connection, Executor, MySqlConnection, PgConnection, SqliteConnection};
use toolcrib_data::records::{
    Catalog, Database, Databases, Dialect, Field, FieldType, Model, WorkspaceFile,
};
use toolcrib_data::{ConnectionConfig, ConnectionUrl};
use uuid::Uuid;

/// The connection of the tests' models, where they are not in the platform's own database.
pub(crate) const CONNECTION: &str = "other";

/// Where the records of a test are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// In tables that Toolcrib keeps itself.
    Main,
    /// In such tables in PostgreSQL.
    MainPostgres,
    /// In a SQLite file of somebody else.
    Sqlite,
    Postgres,
    Mysql,
}

impl On {
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Self::Main | Self::Sqlite => Dialect::Sqlite,
            Self::Postgres | Self::MainPostgres => Dialect::Postgres,
            Self::Mysql => Dialect::Mysql,
        }
    }
}

/// A test on each database: it is an async function that takes an [`On`].
macro_rules! on_each {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            use crate::databases::On;

            #[tokio::test]
            async fn on_main() {
                Box::pin(super::$name(On::Main)).await;
            }

            #[tokio::test]
            async fn on_main_postgres() {
                Box::pin(super::$name(On::MainPostgres)).await;
            }

            #[tokio::test]
            async fn on_sqlite() {
                Box::pin(super::$name(On::Sqlite)).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                Box::pin(super::$name(On::Postgres)).await;
            }

            #[tokio::test]
            async fn on_mysql() {
                Box::pin(super::$name(On::Mysql)).await;
            }
        })+
    };
}

/// A test on each database that is not our own.
macro_rules! on_each_other {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            use crate::databases::On;

            #[tokio::test]
            async fn on_sqlite() {
                Box::pin(super::$name(On::Sqlite)).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                Box::pin(super::$name(On::Postgres)).await;
            }

            #[tokio::test]
            async fn on_mysql() {
                Box::pin(super::$name(On::Mysql)).await;
            }
        })+
    };
}

/// A test that runs a runtime of its own, on each database.
macro_rules! on_each_prop {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            use crate::databases::On;

            #[test]
            fn on_main() {
                super::$name(On::Main);
            }

            #[test]
            fn on_main_postgres() {
                super::$name(On::MainPostgres);
            }

            #[test]
            fn on_sqlite() {
                super::$name(On::Sqlite);
            }

            #[test]
            fn on_postgres() {
                super::$name(On::Postgres);
            }

            #[test]
            fn on_mysql() {
                super::$name(On::Mysql);
            }
        })+
    };
}

/// A database of one test alone.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) on: On,
    pub(crate) url: String,
    /// The schema, where the database has several.
    pub(crate) schema: Option<String>,
}

impl Own {
    /// An empty one; a SQLite file is made in the folder.
    pub(crate) async fn make(on: On, dir: &Path) -> Self {
        let name = format!("t_{}", Uuid::now_v7().simple());
        match on {
            On::Main | On::Sqlite => {
                let path = dir.join("other.db");
                std::fs::write(&path, "").unwrap();
                let url = format!("sqlite:{}", path.display());
                Self {
                    on,
                    url,
                    schema: None,
                }
            }
            On::Postgres | On::MainPostgres => {
                let url = format!("{}/postgres", server("TOOLCRIB_TEST_POSTGRES"));
                let own = Self {
                    on,
                    url,
                    schema: Some(name.clone()),
                };
                own.run(&[format!("CREATE SCHEMA {name}")]).await;
                own
            }
            On::Mysql => {
                let server = server("TOOLCRIB_TEST_MYSQL");
                let mut conn = MySqlConnection::connect(&server).await.unwrap();
                let sql = AssertSqlSafe(format!("CREATE DATABASE {name}"));
                conn.execute(sql).await.unwrap();
                Self {
                    on,
                    url: format!("{server}/{name}"),
                    schema: None,
                }
            }
        }
    }

    /// A whole database, for a script that makes schemas of its own.
    pub(crate) async fn database(on: On, dir: &Path) -> Self {
        if on != On::Postgres {
            return Self::make(on, dir).await;
        }
        let server = server("TOOLCRIB_TEST_POSTGRES");
        let name = format!("t_{}", Uuid::now_v7().simple());
        let mut conn = PgConnection::connect(&format!("{server}/postgres"))
            .await
            .unwrap();
        let sql = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        conn.execute(sql).await.unwrap();
        Self {
            on,
            url: format!("{server}/{name}"),
            schema: None,
        }
    }

    /// Runs a script of many statements.
    pub(crate) async fn script(&self, script: &str) {
        let sql = AssertSqlSafe(script.to_owned());
        match self.on {
            On::Main | On::Sqlite => {
                let mut conn = SqliteConnection::connect(&self.url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
            }
            On::Postgres | On::MainPostgres => {
                let mut conn = PgConnection::connect(&self.url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
            }
            On::Mysql => {
                let mut conn = MySqlConnection::connect(&self.url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut conn).await.unwrap();
            }
        }
    }

    /// Runs statements as somebody else's program would.
    pub(crate) async fn run(&self, statements: &[String]) {
        match self.on {
            On::Main | On::Sqlite => {
                let mut conn = SqliteConnection::connect(&self.url).await.unwrap();
                for sql in statements {
                    conn.execute(AssertSqlSafe(sql.clone()))
                        .await
                        .unwrap_or_else(|error| panic!("{error}: {sql}"));
                }
            }
            On::Postgres | On::MainPostgres => {
                let mut conn = PgConnection::connect(&self.url).await.unwrap();
                for sql in statements {
                    conn.execute(AssertSqlSafe(sql.clone()))
                        .await
                        .unwrap_or_else(|error| panic!("{error}: {sql}"));
                }
            }
            On::Mysql => {
                let mut conn = MySqlConnection::connect(&self.url).await.unwrap();
                for sql in statements {
                    conn.execute(AssertSqlSafe(sql.clone()))
                        .await
                        .unwrap_or_else(|error| panic!("{error}: {sql}"));
                }
            }
        }
    }

    pub(crate) fn config(&self) -> ConnectionConfig {
        ConnectionConfig::new(CONNECTION, ConnectionUrl::parse(self.url.clone()).unwrap())
    }

    /// What models have to know of it.
    pub(crate) fn databases(&self) -> Databases {
        let database = Database {
            dialect: self.on.dialect(),
            read_only: false,
        };
        BTreeMap::from([(CONNECTION.to_owned(), database)])
    }

    /// The same files, with the models in tables of this database.
    pub(crate) fn mapped(&self, files: &[WorkspaceFile]) -> Vec<WorkspaceFile> {
        let map = |file: &WorkspaceFile| {
            let mut text = file.text.clone();
            if file.path.starts_with("models/") {
                let name = text.lines().find_map(|line| line.strip_prefix("name: "));
                let table = name.unwrap().trim().to_owned();
                let lines = text.lines().map(|line| self.through(&table, line));
                text = lines.collect::<Vec<_>>().join("\n");
                text = format!("{}\n", text.trim_end());
                text.push_str(&format!(
                    "connection: {CONNECTION}\ntable: \"{table}\"\nid: {{ column: id }}\n"
                ));
                if let Some(schema) = &self.schema {
                    text.push_str(&format!("schema: {schema}\n"));
                }
            }
            WorkspaceFile {
                path: file.path.clone(),
                text,
            }
        };
        files.iter().map(map).collect()
    }

    /// The line of a many_to_many field, with the table that its pairs are in.
    fn through(&self, model: &str, line: &str) -> String {
        let word = |key: &str| {
            let rest = line.split_once(&format!("{key}: "))?.1;
            Some(rest.split([',', ' ', '}']).next().unwrap().to_owned())
        };
        if word("type").as_deref() != Some("many_to_many") {
            return line.to_owned();
        }
        let field = line.trim().split_once(':').unwrap().0;
        let target = word("model").unwrap();
        let (table, own, other) = match word("inverse") {
            Some(inverse) => (format!("{target}_{inverse}"), "target", "record"),
            None => (format!("{model}_{field}"), "record", "target"),
        };
        let schema = self.schema.as_ref();
        let schema = schema.map_or_else(String::new, |name| format!("schema: {name}, "));
        format!(
            "  {field}: {{ type: many_to_many, model: {target}, through: {{ {schema}table: {table}, column: {own}, target_column: {other} }} }}"
        )
    }

    /// Makes the tables that the models are in.
    pub(crate) async fn create_tables(&self, catalog: &Catalog) {
        let mut statements: Vec<String> = catalog.models().map(|model| self.table(model)).collect();
        for model in catalog.models() {
            for field in &model.fields {
                if let FieldType::ManyToMany {
                    model: target,
                    through: Some(through),
                    ..
                } = &field.kind
                    && through.column == "record"
                {
                    let leads = |column: &str, to: &str| {
                        format!(
                            "FOREIGN KEY ({column}) REFERENCES {} ({}) ON DELETE CASCADE",
                            self.name(to),
                            self.quoted("id")
                        )
                    };
                    statements.push(format!(
                        "CREATE TABLE {} (record bigint NOT NULL, target bigint NOT NULL, PRIMARY KEY (record, target), {}, {})",
                        self.name(&through.table),
                        leads("record", &model.name),
                        leads("target", target),
                    ));
                }
                if let FieldType::ManyToOne { model: target, .. } = &field.kind
                    && self.on.dialect() != Dialect::Sqlite
                {
                    statements.push(format!(
                        "ALTER TABLE {} ADD FOREIGN KEY ({}) REFERENCES {} ({})",
                        self.name(&model.name),
                        self.quoted(column(field)),
                        self.name(target),
                        self.quoted("id")
                    ));
                }
            }
        }
        self.run(&statements).await;
    }

    pub(crate) fn quoted(&self, name: &str) -> String {
        if self.on == On::Mysql {
            format!("`{name}`")
        } else {
            format!("\"{name}\"")
        }
    }

    /// A table of that name, in the test's own place.
    pub(crate) fn name(&self, table: &str) -> String {
        match &self.schema {
            Some(schema) => format!("{schema}.{}", self.quoted(table)),
            None => self.quoted(table),
        }
    }

    fn table(&self, model: &Model) -> String {
        let id = match self.on {
            On::Main | On::Sqlite => "INTEGER PRIMARY KEY AUTOINCREMENT",
            On::Postgres | On::MainPostgres => {
                "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
            }
            On::Mysql => "bigint AUTO_INCREMENT PRIMARY KEY",
        };
        let mut columns = vec![format!("{} {id}", self.quoted("id"))];
        for field in model.fields.iter().filter(|field| field.name != "id") {
            if matches!(
                field.kind,
                FieldType::OneToMany { .. } | FieldType::ManyToMany { .. }
            ) {
                continue;
            }
            let mut text = format!("{} {}", self.quoted(column(field)), self.kind(&field.kind));
            if field.rules.required {
                text.push_str(" NOT NULL");
            }
            if field.rules.unique {
                text.push_str(" UNIQUE");
            }
            if let FieldType::ManyToOne { model: target, .. } = &field.kind
                && self.on.dialect() == Dialect::Sqlite
            {
                text.push_str(&format!(" REFERENCES {} (\"id\")", self.name(target)));
            }
            columns.push(text);
        }
        format!(
            "CREATE TABLE {} ({})",
            self.name(&model.name),
            columns.join(", ")
        )
    }

    fn kind(&self, kind: &FieldType) -> String {
        let (sqlite, postgres, mysql) = match kind {
            FieldType::String => ("TEXT", "varchar(255)", "varchar(255)"),
            FieldType::Text | FieldType::Selection { .. } => ("TEXT", "text", "longtext"),
            FieldType::Integer | FieldType::ManyToOne { .. } => ("INTEGER", "bigint", "bigint"),
            FieldType::Decimal { precision, scale } => {
                let sized = format!("({precision},{scale})");
                return match self.on.dialect() {
                    Dialect::Sqlite if *precision > 18 => "TEXT".to_owned(),
                    Dialect::Sqlite | Dialect::Mysql => format!("decimal{sized}"),
                    Dialect::Postgres => format!("numeric{sized}"),
                };
            }
            FieldType::Float => ("REAL", "double precision", "double"),
            FieldType::Boolean => ("INTEGER", "boolean", "tinyint(1)"),
            FieldType::Date => ("TEXT", "date", "date"),
            FieldType::Time => ("TEXT", "time", "time"),
            FieldType::Datetime => ("TEXT", "timestamptz", "datetime(6)"),
            FieldType::Uuid => ("TEXT", "uuid", "char(36)"),
            FieldType::MultiSelection { .. } | FieldType::Json => ("TEXT", "jsonb", "json"),
            FieldType::Binary { .. } => ("BLOB", "bytea", "longblob"),
            FieldType::OneToMany { .. } | FieldType::ManyToMany { .. } => ("", "", ""),
        };
        match self.on.dialect() {
            Dialect::Sqlite => sqlite,
            Dialect::Postgres => postgres,
            Dialect::Mysql => mysql,
        }
        .to_owned()
    }
}

fn column(field: &Field) -> &str {
    field.column.as_deref().unwrap_or(&field.name)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the databases to test with are started by a script"
)]
/// The address of a server that is there to test with. It is started unless it runs.
pub(crate) fn server(variable: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let dir = root.join("target/test-databases");
    let done = Command::new(root.join("scripts/test-databases"))
        .arg("start")
        .arg(&dir)
        .status()
        .unwrap();
    assert!(done.success(), "the databases to test with don't start");
    let env = std::fs::read_to_string(dir.join("env")).unwrap();
    let found = env
        .lines()
        .find_map(|line| line.strip_prefix(variable)?.strip_prefix('='));
    found.unwrap().to_owned()
}
