//! Promises of data models, rights and connections that no other file is about.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use toolcrib_data::introspect::Table;
use toolcrib_data::records::{
    self, Busy, Catalog, DeleteInput, Grants, Narrowing, Operation, Params, RecordError,
    UpdateInput, Write, describe_model, sync,
};
use toolcrib_data::{ConnectionConfig, ConnectionUrl, Connections, ManualClock, Written, testing};

use crate::databases::{CONNECTION, On};
use crate::odd_tables::{Other, made, made_with};
use crate::support::{World, files, input};

const THING: (&str, &str) = (
    "models/thing.yaml",
    "name: thing\nfields:\n  name: { type: string, title: Full name, help: As on the door }\n  stamp: { type: string, read_only: true }\n  kind: { type: selection, options: [a, { value: b, title: Bee }] }\n  owner: { type: string }\n  role: { type: string }\n  secret: { type: integer }\n  next: { type: many_to_one, model: thing }\n  before: { type: one_to_many, model: thing, inverse: next }\n",
);

fn role(grants: &str) -> (&'static str, String) {
    ("permissions/r.yaml", format!("role: r\ngrants:\n{grants}"))
}

async fn things(on: On, grants: &str) -> World {
    let (path, text) = role(grants);
    World::on(on, &[THING, (path, &text)]).await
}

async fn a_read_only_field_is_never_set(on: On) {
    let world = things(on, "  - { models: thing, operations: '*' }\n").await;
    let user = world.access("u@x", &["r"]);
    let create = json!({ "model": "thing", "values": { "stamp": "x" } });
    let refused = world
        .try_create(&user, create)
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(refused, "/values/stamp: is set by the system");
}

async fn a_model_describes_itself(on: On) {
    let world = things(on, "  - { models: thing, operations: read }\n").await;
    let user = world.access("u@x", &["r"]);
    let told = describe_model(&user, &input(json!({ "model": "thing" }))).unwrap();
    let field = |name: &str| {
        let mut fields = told["fields"].as_array().unwrap().iter();
        fields.find(|field| field["name"] == name).unwrap().clone()
    };
    assert_eq!(field("name")["title"], "Full name");
    assert_eq!(field("name")["help"], "As on the door");
    assert_eq!(field("name")["type"], "string");
    assert_eq!(
        field("kind")["options"][1],
        json!({ "value": "b", "title": "Bee" })
    );
    assert_eq!(field("next")["model"], "thing");
    assert_eq!(field("before")["inverse"], "next");
}

async fn without_a_grant_nothing_is_allowed(on: On) {
    let world = things(on, "  - { models: thing, operations: '*' }\n").await;
    let user = world.access("u@x", &[]);
    let one = json!({ "model": "thing", "id": 1 });
    let refused = [
        world.read(&user, one.clone()).await,
        world.search(&user, json!({ "model": "thing" })).await,
        world.delete(&user, one).await,
        world
            .update(
                &user,
                json!({ "model": "thing", "id": 1, "values": { "name": "x" } }),
            )
            .await,
        world
            .try_create(
                &user,
                json!({ "model": "thing", "values": { "name": "x" } }),
            )
            .await,
    ];
    for refused in refused {
        assert!(
            matches!(refused, Err(RecordError::Denied { .. })),
            "{refused:?}"
        );
    }
    let query = json!({ "from": { "model": "thing", "as": "t" }, "select": [{ "fn": "count", "as": "n" }] });
    assert!(
        world
            .query_error(&user, query)
            .await
            .contains("unknown model `thing`")
    );
}

async fn conditions_know_who_the_user_is(on: On) {
    let grants = "  - { models: thing, operations: read, where: { operator: or, criteria: [\n      { field: owner, operator: '=', value: '${user.id}' }, { field: role, operator: in, value: '${user.roles}' } ] } }\n";
    let all = "role: all\ngrants:\n  - { models: '*', operations: '*' }\n";
    let (path, text) = role(grants);
    let world = World::on(on, &[THING, (path, &text), ("permissions/all.yaml", all)]).await;
    let user = world.access("u@x", &["r", "night"]);
    let boss = world.access("b@x", &["all"]);
    let thing = |owner: &str, role: &str| json!({ "owner": owner, "role": role });
    let own = user.subject.id.to_string();
    let records = [thing(&own, "x"), thing("y", "night"), thing("y", "x")];
    world
        .create(&boss, json!({ "model": "thing", "records": records }))
        .await;
    assert_eq!(world.ids(&user, json!({ "model": "thing" })).await, [1, 2]);
}

async fn an_agent_never_widens(on: On) {
    let world = things(on, "  - { models: thing, operations: read }\n").await;
    let mut user = world.access("u@x", &["r"]);
    user.narrowing = Narrowing {
        models: Some(BTreeSet::from(["thing".to_owned(), "other".to_owned()])),
        operations: Some(BTreeSet::from([Operation::Read, Operation::Create])),
        ..Narrowing::default()
    };
    let create = json!({ "model": "thing", "values": { "name": "x" } });
    let refused = world.try_create(&user, create).await;
    assert!(
        matches!(refused, Err(RecordError::Denied { .. })),
        "{refused:?}"
    );
}

async fn what_the_asker_may_not_read_makes_nothing_stale(on: On) {
    let grants = "  - { models: thing, operations: [read, update], read_fields: [name], write_fields: [name] }\n";
    let all = "role: all\ngrants:\n  - { models: '*', operations: '*' }\n";
    let (path, text) = role(grants);
    let world = World::on(on, &[THING, (path, &text), ("permissions/all.yaml", all)]).await;
    let (user, boss) = (world.access("u@x", &["r"]), world.access("b@x", &["all"]));
    world
        .create(
            &boss,
            json!({ "model": "thing", "values": { "name": "a", "secret": 1 } }),
        )
        .await;
    let asked: UpdateInput = input(json!({ "model": "thing", "id": 1, "values": { "name": "b" } }));
    let plan = records::plan(&mut world.snapshot().await, &user, Write::Update(&asked)).await;
    let print = plan.unwrap().fingerprint;
    let hidden = json!({ "model": "thing", "id": 1, "values": { "secret": 2 } });
    world.update(&boss, hidden).await.unwrap();
    let mut unit = world.unit().await;
    records::check_unchanged(&mut unit, &user, Write::Update(&asked), &print)
        .await
        .unwrap();
    drop(unit);
    let seen = json!({ "model": "thing", "id": 1, "values": { "name": "c" } });
    world.update(&boss, seen).await.unwrap();
    let mut unit = world.unit().await;
    let stale = records::check_unchanged(&mut unit, &user, Write::Update(&asked), &print).await;
    assert!(matches!(stale, Err(RecordError::Stale { .. })), "{stale:?}");
}

async fn in_use_reads_the_same_whoever_uses_it(on: On) {
    let grants = "  - { models: thing, operations: '*', where: { field: name, operator: '!=', value: hidden } }\n";
    let all = "role: all\ngrants:\n  - { models: '*', operations: '*' }\n";
    let (path, text) = role(grants);
    let world = World::on(on, &[THING, (path, &text), ("permissions/all.yaml", all)]).await;
    let (user, boss) = (world.access("u@x", &["r"]), world.access("b@x", &["all"]));
    for (name, next) in [
        ("a", None),
        ("a", None),
        ("shown", Some(1)),
        ("hidden", Some(2)),
    ] {
        let values = json!({ "name": name, "next": next });
        world
            .create(&boss, json!({ "model": "thing", "values": values }))
            .await;
    }
    let mut told = Vec::new();
    for id in [1, 2] {
        let refused = world
            .delete(&user, json!({ "model": "thing", "id": id }))
            .await;
        told.push(
            refused
                .unwrap_err()
                .to_string()
                .replace(&id.to_string(), "N"),
        );
    }
    assert_eq!(told, ["thing N can't be deleted: it is still in use"; 2]);
}

on_each!(
    a_read_only_field_is_never_set,
    a_model_describes_itself,
    without_a_grant_nothing_is_allowed,
    conditions_know_who_the_user_is,
    an_agent_never_widens,
    what_the_asker_may_not_read_makes_nothing_stale,
    in_use_reads_the_same_whoever_uses_it,
);

#[test]
fn a_delete_names_its_records_and_never_a_filter() {
    let filter =
        json!({ "model": "thing", "criteria": { "field": "id", "operator": ">", "value": 0 } });
    let refused = serde_json::from_value::<DeleteInput>(filter)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("unknown field `criteria`"), "{refused}");
}

#[test]
fn no_model_is_in_a_table_of_the_platform() {
    let databases = std::iter::once((
        "x".to_owned(),
        records::Database {
            dialect: records::Dialect::Postgres,
            read_only: false,
        },
    ));
    let databases = databases.collect();
    for table in ["tc_users", "TC_Approvals", "toolcrib_calls"] {
        let text = format!("name: a\nconnection: x\ntable: {table}\nfields: {{}}\n");
        let refused = Catalog::load_with(&files(&[("models/a.yaml", &text)]), &databases);
        let refused = refused.unwrap_err().first().unwrap().to_string();
        assert!(
            refused.starts_with("models/a.yaml:3:8: ") && refused.contains("Toolcrib's own"),
            "{refused}"
        );
    }
    let pairs = "name: a\nconnection: x\ntable: a\nid: { column: id, type: integer }\nfields:\n  all: { type: many_to_many, model: a, through: { table: tc_members, column: b, target_column: c } }\n";
    let refused = Catalog::load_with(&files(&[("models/a.yaml", pairs)]), &databases);
    let refused = refused.unwrap_err().first().unwrap().to_string();
    assert!(
        refused.starts_with("models/a.yaml:6:") && refused.contains("Toolcrib's own"),
        "{refused}"
    );
}

#[test]
fn main_is_the_platforms_own_database() {
    let load = |text: &str| Catalog::load(&files(&[("models/a.yaml", text)]));
    let catalog = load("name: a\nconnection: main\nfields:\n  n: { type: integer }\n").unwrap();
    let plain = load("name: a\nfields:\n  n: { type: integer }\n").unwrap();
    assert_eq!(catalog.model("a"), plain.model("a"));
    let refused = load("name: a\nconnection: main\ntable: b\nfields: {}\n").unwrap_err();
    let refused = refused.first().unwrap().to_string();
    assert!(
        refused.starts_with("models/a.yaml:3:8: ") && refused.contains("a table of a connection"),
        "{refused}"
    );
    let url = ConnectionUrl::parse("sqlite:a.db".to_owned()).unwrap();
    assert!(Connections::new([ConnectionConfig::new("main", url)]).is_err());
}

#[tokio::test]
async fn relations_and_queries_stay_within_one_database() {
    let world = World::on(On::Sqlite, &[THING]).await;
    let own = world.other.as_ref().unwrap();
    let mut list = own.mapped(&files(&[THING]));
    let text = "name: here\nfields:\n  thing: { type: many_to_one, model: thing }\n";
    list.extend(files(&[("models/here.yaml", text)]));
    let refused = Catalog::load_with(&list, &own.databases()).unwrap_err();
    let refused = refused.first().unwrap().to_string();
    assert!(
        refused.starts_with("models/here.yaml:3:38: ")
            && refused.contains("relations stay within one"),
        "{refused}"
    );
    list.pop();
    list.extend(files(&[(
        "models/here.yaml",
        "name: here\nfields:\n  n: { type: integer }\n",
    )]));
    let catalog = Catalog::load_with(&list, &own.databases()).unwrap();
    let all = files(&[(
        "permissions/r.yaml",
        "role: r\ngrants:\n  - { models: '*', operations: read }\n",
    )]);
    let mut user = world.access("u@x", &["r"]);
    user.grants = Arc::new(Grants::load(&all, &catalog).unwrap());
    user.catalog = Arc::new(catalog);
    let query = json!({ "from": { "model": "thing", "as": "t" }, "join": [{ "model": "here", "as": "h", "on": [{ "field": "h.n", "operator": "=", "right": { "field": "t.secret" } }] }], "select": [{ "field": "t.name" }] });
    let refused = world.query_error(&user, query).await;
    assert!(
        refused.contains("/join/0/model: `here` is in another database"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_mark_is_kept_for_a_week() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("other.db");
    std::fs::write(&path, "").unwrap();
    let url = toolcrib_data::ConnectionUrl::parse(format!("sqlite:{}", path.display())).unwrap();
    let mut config = toolcrib_data::ConnectionConfig::new(CONNECTION, url);
    config.marker = true;
    let call = toolcrib::id::CallId::mint();
    for (days, left) in [(0, true), (6, true), (8, false)] {
        let connections = Connections::new([config.clone()]).unwrap();
        let began: jiff::Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
        let clock = ManualClock::at(began + jiff::SignedDuration::from_hours(24 * days));
        let mut unit = connections.unit(CONNECTION, &clock.clock()).await.unwrap();
        if days == 0 {
            unit.mark(call, "done", clock.clock().micros())
                .await
                .unwrap();
        }
        unit.commit().await.unwrap();
        let written = connections.written(CONNECTION, call).await.unwrap();
        assert_eq!(
            matches!(written, Written::Result(_)),
            left,
            "after {days} days"
        );
    }
}

fn of<'t>(tables: &'t [Table], name: &str) -> &'t Table {
    tables.iter().find(|table| table.name == name).unwrap()
}

async fn introspection_finds_what_there_is(on: On) {
    let script: Vec<String> = match on {
        On::Postgres => vec![
            "CREATE TYPE mood AS ENUM ('sad', 'ok')".into(),
            "CREATE TABLE a (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), m mood, n integer, twice integer GENERATED ALWAYS AS (n * 2) STORED)".into(),
            "COMMENT ON TABLE a IS 'The first'".into(),
            "COMMENT ON COLUMN a.n IS 'How many'".into(),
            "CREATE TABLE b (id integer PRIMARY KEY, a uuid REFERENCES a)".into(),
        ],
        On::Mysql => vec![
            "CREATE TABLE a (id uuid PRIMARY KEY, m ENUM('sad', 'ok'), n integer COMMENT 'How many', twice integer AS (n * 2)) COMMENT 'The first'".into(),
            "CREATE TABLE b (id integer PRIMARY KEY, a uuid, FOREIGN KEY (a) REFERENCES a (id))".into(),
        ],
        _ => vec![
            "CREATE TABLE a (id UUID PRIMARY KEY, n INTEGER, twice INTEGER AS (n * 2))".into(),
            "CREATE TABLE b (id INTEGER PRIMARY KEY, a UUID REFERENCES a (id))".into(),
        ],
    };
    let world = made(on, &script).await;
    let tables = world.connections.introspect(CONNECTION).await.unwrap();
    let (a, b) = (of(&tables, "a"), of(&tables, "b"));
    assert_eq!(a.key, ["id"]);
    let references: Vec<(&str, &str)> = b
        .references
        .iter()
        .map(|one| (one.column.as_str(), one.target_table.as_str()))
        .collect();
    assert_eq!(references, [("a", "a")]);
    let column = |name: &str| a.columns.iter().find(|column| column.name == name).unwrap();
    assert!(column("twice").is_generated && !column("n").is_generated);
    if on != On::Sqlite {
        assert_eq!(a.comment.as_deref(), Some("The first"));
        assert_eq!(column("n").comment.as_deref(), Some("How many"));
        assert_eq!(column("m").kind.as_ref().unwrap().name(), "selection");
    }
    // A UUID serves as the id.
    let user = world.access("u@x", &["all"]);
    let mut values = json!({ "n": 4 });
    if on == On::Sqlite {
        values["id"] = json!("0192f0c1-2345-7abc-8def-0123456789ab");
    }
    let created = world
        .create(&user, json!({ "model": "other.a", "values": values }))
        .await;
    let id = created["records"][0]["id"].clone();
    let read = world
        .read(&user, json!({ "model": "other.a", "id": id }))
        .await
        .unwrap();
    assert_eq!(read["records"][0]["twice"], json!(8), "{read}");
    let set = json!({ "model": "other.a", "id": id, "values": { "twice": 1 } });
    let refused = world.update(&user, set).await.unwrap_err().to_string();
    assert_eq!(refused, "/values/twice: is set by the system");
}

async fn what_a_save_adjusts_shows(on: On) {
    let mut script =
        vec!["CREATE TABLE note (id INTEGER PRIMARY KEY, body VARCHAR(40))".to_owned()];
    script.extend(match on {
        On::Postgres => vec![
            "CREATE FUNCTION loud() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.body := upper(NEW.body); RETURN NEW; END'".to_owned(),
            "CREATE TRIGGER loud BEFORE UPDATE ON note FOR EACH ROW EXECUTE FUNCTION loud()".to_owned(),
        ],
        On::Mysql => vec!["CREATE TRIGGER loud BEFORE UPDATE ON note FOR EACH ROW SET NEW.body = upper(NEW.body)".to_owned()],
        _ => vec!["CREATE TRIGGER loud AFTER UPDATE ON note BEGIN UPDATE note SET body = upper(body) WHERE id = NEW.id; END".to_owned()],
    });
    script.push("INSERT INTO note (id, body) VALUES (1, 'a')".to_owned());
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    let set = json!({ "model": "other.note", "id": 1, "values": { "body": "loud" } });
    let answer = world.update(&user, set).await.unwrap();
    let change = json!({ "field": "body", "before": "a", "after": "LOUD" });
    assert_eq!(answer["records"][0]["changes"][0], change);
}

async fn what_the_database_fills_in_must_be_within_the_grant(on: On) {
    let script = "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR(9), region VARCHAR(9) DEFAULT 'north')";
    let world = made(on, &[script.to_owned()]).await;
    let boss = world.access("b@x", &["all"]);
    let mut user = world.access("u@x", &["r"]);
    let grants = "role: r\ngrants:\n  - { models: '*', operations: '*', where: { field: region, operator: '=', value: south } }\n";
    user.grants =
        Arc::new(Grants::load(&files(&[("permissions/r.yaml", grants)]), &world.catalog).unwrap());
    let item = |id: i64, region: Option<&str>| {
        let mut values = json!({ "name": "x" });
        if on != On::Sqlite {
            values["id"] = json!(id);
        }
        if let Some(region) = region {
            values["region"] = json!(region);
        }
        json!({ "model": "other.item", "values": values })
    };
    let refused = world.try_create(&user, item(1, None)).await;
    assert!(
        matches!(refused, Err(RecordError::ValuesDenied { .. })),
        "{refused:?}"
    );
    assert_eq!(
        world.ids(&boss, json!({ "model": "other.item" })).await,
        Vec::<i64>::new()
    );
    world.create(&user, item(2, Some("south"))).await;
}

async fn a_record_without_a_key_is_made_without_an_id(on: On) {
    let world = made(on, &["CREATE TABLE log (line VARCHAR(9))".to_owned()]).await;
    let user = world.access("u@x", &["all"]);
    let line = json!({ "model": "other.log", "values": { "line": "x" } });
    let made = world.create(&user, line).await;
    assert_eq!(made["records"], json!([]));
    let found = world
        .search(&user, json!({ "model": "other.log" }))
        .await
        .unwrap();
    assert_eq!(found["records"], json!([{ "line": "x" }]));
}

async fn what_is_gone_or_left_out_is_minded_by_the_sync(on: On) {
    let script = [
        "CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER)".to_owned(),
        "CREATE TABLE b (id INTEGER PRIMARY KEY)".to_owned(),
    ];
    let world = made(on, &script).await;
    let own = world.other.as_ref().unwrap();
    let tables = world.connections.introspect(CONNECTION).await.unwrap();
    let mut list = sync(CONNECTION, &tables, &[], &Catalog::default()).files;
    for file in &mut list {
        let lines = file
            .text
            .lines()
            .filter(|line| !line.starts_with("  \"y\":"));
        file.text = lines.collect::<Vec<_>>().join("\n");
        file.text = file
            .text
            .replace("connection:", "left_out: [\"y\"]\nconnection:");
    }
    own.run(&["DROP TABLE b".to_owned()]).await;
    let tables = world.connections.introspect(CONNECTION).await.unwrap();
    let catalog = Catalog::load_with(&list, &own.databases()).unwrap();
    let synced = sync(CONNECTION, &tables, &list, &catalog);
    let notes: Vec<String> = synced.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["models/other/b.yaml  gone: the table b"]);
    assert_eq!(synced.files, []);
}

async fn the_session_of_a_read_only_connection_writes_nothing(on: On) {
    let script = "CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER)";
    let world = made(on, &[script.to_owned()]).await;
    let mut config = world.other.as_ref().unwrap().config();
    for read_only in [false, true] {
        config.read_only = read_only;
        let connections = Connections::new([config.clone()]).unwrap();
        for sql in [
            "INSERT INTO a (id) VALUES (7)",
            "UPDATE a SET n = 1",
            "DELETE FROM a WHERE id = 7",
            "CREATE TABLE b (n INTEGER)",
            "DROP TABLE b",
        ] {
            let done = testing::run_on(&connections, CONNECTION, sql).await;
            assert_eq!(done.is_err(), read_only, "{sql}: {done:?}");
        }
    }
}

async fn a_read_only_connection_offers_no_write(on: On) {
    let world = made(
        on,
        &["CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER)".to_owned()],
    )
    .await;
    let own = world.other.as_ref().unwrap();
    let tables = world.connections.introspect(CONNECTION).await.unwrap();
    let list = sync(CONNECTION, &tables, &[], &Catalog::default()).files;
    let mut databases = own.databases();
    databases.get_mut(CONNECTION).unwrap().read_only = true;
    let mut user = world.access("u@x", &["all"]);
    user.catalog = Arc::new(Catalog::load_with(&list, &databases).unwrap());
    let told = describe_model(&user, &input(json!({ "model": "other.a" }))).unwrap();
    assert_eq!(told["operations"], json!(["read", "export"]));
    assert!(user.only_reads("other.a"));
    let create = json!({ "model": "other.a", "values": { "n": 1 } });
    let refused = world
        .try_create(&user, create)
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(refused, "you may not create `other.a` records");
}

async fn a_version_that_was_overtaken_fails_the_whole_batch(on: On) {
    let script = [
        "CREATE TABLE v (id INTEGER PRIMARY KEY, n INTEGER, version INTEGER NOT NULL)".to_owned(),
        "INSERT INTO v (id, n, version) VALUES (1, 0, 1), (2, 0, 7)".to_owned(),
    ];
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    let batch = json!({ "model": "other.v", "records": [
        { "id": 1, "values": { "n": 5 }, "version": 1 }, { "id": 2, "values": { "n": 5 }, "version": 6 },
    ] });
    let refused = world.update(&user, batch).await.unwrap_err().to_string();
    assert!(
        refused.starts_with("item 1: the record has been changed"),
        "{refused}"
    );
    let read = world
        .read(
            &user,
            json!({ "model": "other.v", "ids": [1, 2], "fields": ["n"] }),
        )
        .await
        .unwrap();
    assert_eq!(
        read["records"],
        json!([{ "id": 1, "n": 0 }, { "id": 2, "n": 0 }])
    );
}

on_each_other!(
    introspection_finds_what_there_is,
    what_a_save_adjusts_shows,
    what_the_database_fills_in_must_be_within_the_grant,
    a_record_without_a_key_is_made_without_an_id,
    what_is_gone_or_left_out_is_minded_by_the_sync,
    the_session_of_a_read_only_connection_writes_nothing,
    a_read_only_connection_offers_no_write,
    a_version_that_was_overtaken_fails_the_whole_batch,
);

/// Only servers let two writers meet, and stop a statement by the clock.
macro_rules! on_servers {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            use crate::databases::On;

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

on_servers!(
    a_deadlock_is_known_as_one,
    a_statement_is_stopped_when_its_time_is_over
);

async fn a_deadlock_is_known_as_one(on: On) {
    let script = [
        "CREATE TABLE seat (id INTEGER PRIMARY KEY, taken INTEGER)".to_owned(),
        "INSERT INTO seat (id, taken) VALUES (1, 0), (2, 0)".to_owned(),
    ];
    let world = made_with(on, &script, Duration::from_secs(20)).await;
    let user = world.access("u@x", &["all"]);
    let mut other = Other::of(&world).await;
    other.run("BEGIN").await;
    // The other one has written more, so that it is not the one to be undone.
    other.run("UPDATE seat SET taken = 7 WHERE id = 2").await;
    let both: UpdateInput = input(json!({ "model": "other.seat", "records": [
        { "id": 1, "values": { "taken": 5 } }, { "id": 2, "values": { "taken": 5 } },
    ] }));
    let mut unit = world.unit().await;
    let ours = async {
        let done = records::update(&mut unit, &user, &both).await;
        (done, unit)
    };
    let theirs = async {
        // Not before the first one waits: then each waits for the other.
        world.until_somebody_waits().await;
        other.run("UPDATE seat SET taken = 7 WHERE id = 1").await;
        other.run("COMMIT").await;
    };
    let ((done, unit), ()) = tokio::join!(ours, theirs);
    assert!(
        matches!(done, Err(RecordError::Busy(Busy::Conflict))),
        "{done:?}"
    );
    assert!(unit.is_conflicted());
    drop(unit);
    let both = serde_json::to_value(&both).unwrap();
    world.update(&user, both).await.unwrap();
}

async fn a_statement_is_stopped_when_its_time_is_over(on: On) {
    let mut script = vec!["CREATE TABLE n (id INTEGER PRIMARY KEY, a INTEGER)".to_owned()];
    let rows: Vec<String> = (1..=2_000).map(|n| format!("({n}, {n})")).collect();
    script.push(format!("INSERT INTO n (id, a) VALUES {}", rows.join(", ")));
    let world = made(on, &script).await;
    let user = world.access("u@x", &["all"]);
    let join = |alias: &str, before: &str| json!({ "model": "other.n", "as": alias, "on": [{ "field": format!("{alias}.a"), "operator": "!=", "right": { "field": format!("{before}.a") } }] });
    let query = json!({
        "from": { "model": "other.n", "as": "a" }, "join": [join("b", "a"), join("c", "b"), join("d", "c")],
        "select": [{ "fn": "count", "as": "n" }],
    });
    let told = world.query_error(&user, query).await;
    assert!(told.contains("takes too long"), "{told}");
    // The session goes on to serve others.
    let ids = world
        .ids(&user, json!({ "model": "other.n", "limit": 1 }))
        .await;
    assert_eq!(ids, [1]);
}

#[tokio::test]
async fn on_mysql_no_groups_are_made_for_each_record_around() {
    let world = World::on(
        On::Mysql,
        &[
            THING,
            (
                "permissions/r.yaml",
                "role: r\ngrants:\n  - { models: '*', operations: read }\n",
            ),
        ],
    )
    .await;
    let user = world.access("u@x", &["r"]);
    let query: Value = json!({
        "from": { "model": "thing", "as": "t" }, "select": [{ "field": "t.name" }],
        "where": [{ "exists": {
            "from": { "model": "thing", "as": "u" }, "select": [{ "fn": "count", "as": "n" }],
            "where": [{ "field": "u.owner", "operator": "=", "right": { "field": "t.owner" } }], "groupBy": ["u.role"],
        } }],
    });
    let mut snapshot = world.snapshot().await;
    let refused = records::query(&mut snapshot, &user, &input(query), &Params::default()).await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("make no groups for each record"),
        "{refused}"
    );
}
