//! Tables as others make them: keys of several columns, no key, odd names, views; and databases that
//! change, lock and fall away under a call.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor, MySqlConnection, PgConnection, SqliteConnection};
use toolcrib_data::Connections;
use toolcrib_data::records::{Catalog, Grants, RecordError, WorkspaceFile, sync};

use crate::databases::{CONNECTION, On, Own};
use crate::support::{World, files};

const ALL: &str = "role: all\ngrants:\n  - { models: '*', operations: '*' }\n";

/// A world whose models are the tables that a script makes.
pub(crate) async fn made(on: On, script: &[String]) -> World {
    made_with(on, script, Duration::from_millis(300)).await
}

/// The same; somebody else's lock is waited for so long, and a statement twice as long, or two seconds.
pub(crate) async fn made_with(on: On, script: &[String], lock: Duration) -> World {
    let mut world = World::with(&[]).await;
    let own = Own::database(on, world.dir()).await;
    own.run(script).await;
    let mut config = own.config();
    config.lock_timeout = lock;
    config.statement_timeout = Duration::from_secs(2).max(lock * 2);
    world.connections = Connections::new([config]).unwrap();
    world.other = Some(own);
    world.is_elsewhere = true;
    synchronized(&mut world, "").await;
    world
}

/// Takes up the tables, with a word replaced in every file.
async fn synchronized(world: &mut World, extra: &str) {
    let tables = world.connections.introspect(CONNECTION).await.unwrap();
    let synced = sync(CONNECTION, &tables, &[], &Catalog::default());
    let files_of = |file: &WorkspaceFile| WorkspaceFile {
        path: file.path.clone(),
        text: file.text.replace("fields:\n", &format!("{extra}fields:\n")),
    };
    let list: Vec<WorkspaceFile> = synced.files.iter().map(files_of).collect();
    let own = world.other.as_ref().unwrap();
    let catalog = Catalog::load_with(&list, &own.databases()).unwrap();
    let grants = files(&[("permissions/all.yaml", ALL)]);
    world.grants = Arc::new(Grants::load(&grants, &catalog).unwrap());
    world.catalog = Arc::new(catalog);
}

fn quote(on: On) -> char {
    if on == On::Mysql { '`' } else { '"' }
}

async fn names_of_any_kind_are_only_names(on: On) {
    let q = quote(on);
    let script = format!(
        "CREATE TABLE {q}select * from; drop{q} ({q}group by{q} INTEGER PRIMARY KEY, {q}Größe 'x' --{q} VARCHAR(20), {q}日本{q} VARCHAR(20), {q}order{q} INTEGER)"
    );
    let world = made(on, &[script]).await;
    let user = world.access("u@x", &["all"]);
    let model = world.catalog.models().next().unwrap().clone();
    let names: Vec<&str> = model
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(names, ["id", "gr_e_x", "x", "order"]);
    let mut values = json!({ "gr_e_x": "a'; DROP TABLE x; --", "x": "語", "order": 3 });
    if on != On::Sqlite {
        values["id"] = json!(1);
    }
    let made = world
        .create(&user, json!({ "model": model.name, "values": values }))
        .await;
    assert_eq!(made["records"][0]["id"], json!(1));
    let changed = json!({ "model": model.name, "id": 1, "values": { "x": "`\"'" } });
    world.update(&user, changed).await.unwrap();
    let asked = json!({ "model": model.name, "criteria": { "field": "x", "operator": "=", "value": "`\"'" }, "order": [{ "field": "order" }] });
    let found = world.search(&user, asked).await.unwrap();
    assert_eq!(found["records"][0]["gr_e_x"], json!("a'; DROP TABLE x; --"));
    let query = json!({ "from": { "model": model.name, "as": "t" }, "select": [{ "field": "t.order" }, { "fn": "count", "as": "n" }], "groupBy": ["t.order"] });
    assert_eq!(world.rows(&user, query).await, [[json!(3), json!(1)]]);
    let gone = world
        .delete(&user, json!({ "model": model.name, "id": 1 }))
        .await;
    assert_eq!(gone.unwrap()["deleted"], json!([1]));
}

async fn a_key_of_several_columns_is_one_id(on: On) {
    let script = "CREATE TABLE line (shop VARCHAR(20) NOT NULL, number INTEGER NOT NULL, note VARCHAR(40), PRIMARY KEY (shop, number))";
    let world = made(on, &[script.to_owned()]).await;
    let user = world.access("u@x", &["all"]);
    let lines = [("a", 1), ("a", 2), ("b~%", 1)];
    let records: Vec<Value> = lines
        .iter()
        .map(|(shop, number)| json!({ "shop": shop, "number": number, "note": "n" }))
        .collect();
    let made = world
        .create(&user, json!({ "model": "other.line", "records": records }))
        .await;
    let ids: Vec<&Value> = made["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, ["a~1", "a~2", "b%7E%25~1"]);
    let read = json!({ "model": "other.line", "ids": ["a~2", "b%7E%25~1", "a~3", "a", "a~x"] });
    let read = world.read(&user, read).await.unwrap();
    assert_eq!(read["records"][1]["shop"], json!("b~%"));
    assert_eq!(read["missing"], json!(["a~3", "a", "a~x"]));
    let changed = json!({ "model": "other.line", "id": "b%7E%25~1", "values": { "note": "new" } });
    let changed = world.update(&user, changed).await.unwrap();
    assert_eq!(changed["records"][0]["changes"][0]["after"], json!("new"));
    let moved = json!({ "model": "other.line", "id": "a~1", "values": { "number": 9 } });
    let refused = world.update(&user, moved).await.unwrap_err().to_string();
    assert!(
        refused.contains("/values/number: is part of what the record is known by"),
        "{refused}"
    );
    let again = json!({ "model": "other.line", "values": { "shop": "a", "number": 1 } });
    let refused = world
        .try_create(&user, again)
        .await
        .unwrap_err()
        .to_string();
    assert!(refused.contains("can't be used"), "{refused}");
    let gone = world
        .delete(
            &user,
            json!({ "model": "other.line", "ids": ["a~1", "zz~1"] }),
        )
        .await
        .unwrap();
    assert_eq!(
        (&gone["deleted"], &gone["missing"]),
        (&json!(["a~1"]), &json!(["zz~1"]))
    );
}

async fn a_table_without_a_key_can_be_searched_alone(on: On) {
    let script = [
        "CREATE TABLE log (line VARCHAR(40), at INTEGER)".to_owned(),
        "INSERT INTO log (line, at) VALUES ('b', 2), ('a', 1), ('a', 1)".to_owned(),
        "CREATE VIEW early AS SELECT line FROM log WHERE at < 2".to_owned(),
    ];
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    let found = json!({ "model": "other.log", "order": [{ "field": "at" }, { "field": "line" }] });
    let found = world.search(&user, found).await.unwrap();
    assert_eq!(
        found["records"],
        json!([{ "line": "a", "at": 1 }, { "line": "a", "at": 1 }, { "line": "b", "at": 2 }])
    );
    for call in ["read", "update", "delete"] {
        let input = json!({ "model": "other.log", "id": 1 });
        let refused = match call {
            "read" => world.read(&user, input).await,
            "delete" => world.delete(&user, input).await,
            _ => {
                world
                    .update(
                        &user,
                        json!({ "model": "other.log", "id": 1, "values": { "at": 3 } }),
                    )
                    .await
            }
        };
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.contains("`other.log` records have no id"),
            "{call}: {refused}"
        );
    }
    let view = json!({ "from": { "model": "other.early", "as": "e" }, "select": [{ "fn": "count", "as": "n" }] });
    assert_eq!(world.rows(&user, view).await, [[json!(2)]]);
    let into_view = json!({ "model": "other.early", "values": { "line": "x" } });
    let refused = world.try_create(&user, into_view).await;
    if on == On::Sqlite {
        let refused = refused.unwrap_err().to_string();
        assert_eq!(refused, "you may not create `other.early` records");
    }
}

async fn what_changed_behind_its_back_is_told_without_sql(on: On) {
    let script = "CREATE TABLE note (id INTEGER PRIMARY KEY, body VARCHAR(40), mood VARCHAR(9))";
    let world = made(on, &[script.to_owned()]).await;
    let user = world.access("u@x", &["all"]);
    let own = world.other.as_ref().unwrap();
    own.run(&["ALTER TABLE note DROP COLUMN mood".to_owned()])
        .await;
    let asked = json!({ "model": "other.note" });
    let told = world.search(&user, asked.clone()).await.unwrap_err();
    assert!(matches!(told, RecordError::Outdated), "{told:?}");
    let told = told.to_string();
    assert!(
        told.contains("no longer fits its data model") && !told.contains("SELECT"),
        "{told}"
    );
    own.run(&["DROP TABLE note".to_owned()]).await;
    let told = world.search(&user, asked).await.unwrap_err();
    assert!(matches!(told, RecordError::Outdated), "{told:?}");
}

/// Somebody else at the same database.
pub(crate) enum Other {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
    Mysql(MySqlConnection),
}

impl Other {
    pub(crate) async fn of(world: &World) -> Self {
        let own = world.other.as_ref().unwrap();
        match own.on {
            On::Main | On::Sqlite => {
                Self::Sqlite(SqliteConnection::connect(&own.url).await.unwrap())
            }
            On::Postgres | On::MainPostgres => {
                Self::Postgres(PgConnection::connect(&own.url).await.unwrap())
            }
            On::Mysql => Self::Mysql(MySqlConnection::connect(&own.url).await.unwrap()),
        }
    }

    pub(crate) async fn run(&mut self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        match self {
            Self::Sqlite(conn) => conn.execute(sql).await.map(drop),
            Self::Postgres(conn) => conn.execute(sql).await.map(drop),
            Self::Mysql(conn) => conn.execute(sql).await.map(drop),
        }
        .unwrap();
    }
}

async fn a_lock_that_somebody_else_holds_is_told(on: On) {
    let script = [
        "CREATE TABLE seat (id INTEGER PRIMARY KEY, taken INTEGER)".to_owned(),
        "INSERT INTO seat (id, taken) VALUES (1, 0), (2, 0)".to_owned(),
    ];
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    let mut other = Other::of(&world).await;
    other
        .run(if on == On::Sqlite {
            "BEGIN IMMEDIATE"
        } else {
            "BEGIN"
        })
        .await;
    other.run("UPDATE seat SET taken = 1 WHERE id = 1").await;
    let both = json!({ "model": "other.seat", "records": [
        { "id": 2, "values": { "taken": 5 } }, { "id": 1, "values": { "taken": 5 } },
    ] });
    if on == On::Sqlite {
        // The whole file is locked: there is no unit to be had.
        assert!(
            world
                .connections
                .unit(CONNECTION, &world.clock)
                .await
                .is_err()
        );
    } else {
        let told = world
            .update(&user, both.clone())
            .await
            .unwrap_err()
            .to_string();
        assert!(
            told.contains("somebody else is changing these records"),
            "{told}"
        );
    }
    other.run("COMMIT").await;
    let read = world
        .read(&user, json!({ "model": "other.seat", "ids": [1, 2] }))
        .await
        .unwrap();
    assert_eq!(
        read["records"],
        json!([{ "id": 1, "taken": 1 }, { "id": 2, "taken": 0 }])
    );
    world.update(&user, both).await.unwrap();
}

async fn of_many_updates_at_once_none_is_lost(on: On) {
    let script = [
        "CREATE TABLE tally (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, version INTEGER NOT NULL)"
            .to_owned(),
        "INSERT INTO tally (id, n, version) VALUES (1, 0, 1)".to_owned(),
    ];
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    // Whoever says which version was read either writes on it, or learns that somebody was faster.
    let with_version = (0..60).map(|n| {
        let input = json!({ "model": "other.tally", "id": 1, "version": 1, "values": { "n": n } });
        world.try_update(&user, input)
    });
    let done = futures_util::future::join_all(with_version).await;
    assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 1, "{done:?}");
    let without = (0..60).map(|n| {
        world.try_update(
            &user,
            json!({ "model": "other.tally", "id": 1, "values": { "n": n } }),
        )
    });
    let done = futures_util::future::join_all(without).await;
    let written = done.iter().filter(|one| one.is_ok()).count();
    let read = world
        .read(&user, json!({ "model": "other.tally", "id": 1 }))
        .await
        .unwrap();
    assert_eq!(
        read["records"][0]["version"],
        json!(written + 2),
        "{done:?}"
    );
    assert!(written > 0);
}

async fn a_session_that_dies_is_replaced(on: On) {
    let script = "CREATE TABLE seat (id INTEGER PRIMARY KEY, taken INTEGER)";
    let world = made(on, &[script.to_owned()]).await;
    let user = world.access("u@x", &["all"]);
    let mut unit = world.unit().await;
    let first = json!({ "model": "other.seat", "values": { "id": 1, "taken": 1 } });
    let mut other = Other::of(&world).await;
    world.create_in(&mut unit, &user, first).await.unwrap();
    match on {
        On::Postgres => {
            other.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'toolcrib'").await;
        }
        _ => {
            let Other::Mysql(conn) = &mut other else {
                return;
            };
            let sql = "SELECT id FROM information_schema.processlist WHERE db = database() AND id <> connection_id()";
            let ids: Vec<(i64,)> = sqlx::query_as(sql).fetch_all(&mut *conn).await.unwrap();
            for (id,) in ids {
                other.run(&format!("KILL {id}")).await;
            }
        }
    }
    let second = json!({ "model": "other.seat", "values": { "id": 2, "taken": 1 } });
    let broken = world
        .create_in(&mut unit, &user, second.clone())
        .await
        .unwrap_err();
    assert!(!broken.to_string().contains("terminat"), "{broken}");
    drop(unit);
    // Neither of the two is there, and the next call finds a sound session.
    world.create(&user, second).await;
    let found = world.ids(&user, json!({ "model": "other.seat" })).await;
    assert_eq!(found, [2]);
}

async fn a_cycle_of_required_relations_is_told(on: On) {
    if on == On::Sqlite {
        return;
    }
    let script = [
        "CREATE TABLE hen (id INTEGER PRIMARY KEY, egg INTEGER NOT NULL)".to_owned(),
        "CREATE TABLE egg (id INTEGER PRIMARY KEY, hen INTEGER NOT NULL, FOREIGN KEY (hen) REFERENCES hen (id))".to_owned(),
        "ALTER TABLE hen ADD FOREIGN KEY (egg) REFERENCES egg (id)".to_owned(),
    ];
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    let hen = json!({ "model": "other.hen", "values": { "id": 1, "egg": 1 } });
    let told = world.try_create(&user, hen).await.unwrap_err().to_string();
    assert_eq!(told, "/values/egg: there is no `other.egg` record 1");
}

async fn what_the_database_itself_refuses_is_told_in_the_models_words(on: On) {
    let script = "CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER CHECK (n > 0), item INTEGER, code VARCHAR(5) NOT NULL, small SMALLINT)";
    let world = made(on, &[script.to_owned()]).await;
    let user = world.access("u@x", &["all"]);
    let item = |values: Value| {
        let mut all = json!({ "code": "a" });
        if on != On::Sqlite {
            all["id"] = json!(1);
        }
        all.as_object_mut()
            .unwrap()
            .extend(values.as_object().unwrap().clone());
        json!({ "model": "other.item", "values": all })
    };
    // Also a column that is named as the table.
    let mut cases = vec![(
        json!({ "n": 0, "item": 1 }),
        "`n` '0' is not what the database takes",
    )];
    if on != On::Sqlite {
        cases.push((
            json!({ "small": 100_000 }),
            "out of the range that the database takes",
        ));
    }
    for (values, words) in cases {
        let told = world
            .try_create(&user, item(values))
            .await
            .unwrap_err()
            .to_string();
        assert!(told.contains(words), "{told}");
        let lower = told.to_lowercase();
        for leak in ["constraint", "insert", "sqlstate", "check (", "relation"] {
            assert!(!lower.contains(leak), "{told}");
        }
    }
    let long = item(json!({ "code": "abcdef" }));
    let told = world.try_create(&user, long).await.unwrap_err().to_string();
    assert!(told.contains("at most 5 are kept"), "{told}");
}

on_each_other!(
    names_of_any_kind_are_only_names,
    a_key_of_several_columns_is_one_id,
    a_table_without_a_key_can_be_searched_alone,
    what_changed_behind_its_back_is_told_without_sql,
    a_lock_that_somebody_else_holds_is_told,
    of_many_updates_at_once_none_is_lost,
    a_cycle_of_required_relations_is_told,
    what_the_database_itself_refuses_is_told_in_the_models_words,
);

/// SQLite has no sessions to die.
mod a_session_that_dies {
    use crate::databases::On;

    #[tokio::test]
    async fn on_postgres() {
        Box::pin(super::a_session_that_dies_is_replaced(On::Postgres)).await;
    }

    #[tokio::test]
    async fn on_mysql() {
        Box::pin(super::a_session_that_dies_is_replaced(On::Mysql)).await;
    }
}
