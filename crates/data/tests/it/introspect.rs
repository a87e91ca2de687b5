//! What a database holds becomes models that work, however odd it is.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use toolcrib_data::Connections;
use toolcrib_data::introspect::Table;
use toolcrib_data::records::{Catalog, Grants, SyncWhat, Synced, WorkspaceFile, sync};

use crate::databases::{CONNECTION, On, Own};
use crate::support::{World, files};

const ALL: (&str, &str) = (
    "permissions/all.yaml",
    "role: all\ngrants:\n  - { models: '*', operations: '*' }\n",
);

fn odd(on: On) -> &'static str {
    match on {
        On::Main | On::Sqlite => include_str!("odd/sqlite-odd.sql"),
        On::Postgres | On::MainPostgres => include_str!("odd/postgres-odd.sql"),
        On::Mysql => include_str!("odd/mysql-odd.sql"),
    }
}

/// The tables of a database of its own.
struct Odd {
    own: Own,
    connections: Connections,
    files: Vec<WorkspaceFile>,
    _folder: tempfile::TempDir,
}

impl Odd {
    async fn with(on: On, script: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let own = Own::database(on, dir.path()).await;
        own.script(script).await;
        let connections = Connections::new([own.config()]).unwrap();
        Self {
            own,
            connections,
            files: Vec::new(),
            _folder: dir,
        }
    }

    async fn tables(&self) -> Vec<Table> {
        self.connections.introspect(CONNECTION).await.unwrap()
    }

    fn catalog(&self) -> Catalog {
        let loaded = Catalog::load_with(&self.files, &self.own.databases());
        loaded.unwrap_or_else(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            panic!("{}\n{:#?}", problems.join("\n"), self.files)
        })
    }

    /// Synchronizes, and keeps what was written.
    async fn sync(&mut self) -> Synced {
        let synced = sync(
            CONNECTION,
            &self.tables().await,
            &self.files,
            &self.catalog(),
        );
        for file in &synced.files {
            self.files.retain(|other| other.path != file.path);
            self.files.push(file.clone());
        }
        synced
    }

    async fn world(&self, on: On) -> World {
        let mut world = World::with(&[]).await;
        let catalog = self.catalog();
        let grants = Grants::load(&files(&[ALL]), &catalog).unwrap();
        world.catalog = Arc::new(catalog);
        world.grants = Arc::new(grants);
        world.connections = Connections::new([self.own.config()]).unwrap();
        world.is_elsewhere = on != On::Main;
        world
    }
}

fn told(synced: &Synced) -> Vec<String> {
    synced.notes.iter().map(ToString::to_string).collect()
}

async fn every_odd_table_becomes_a_model_that_can_be_searched(on: On) {
    // It makes a second database, of which each test has its own.
    let script = odd(on).replace("odd other", &format!("o {}", uuid::Uuid::now_v7()));
    let mut odd = Odd::with(on, &script).await;
    let synced = odd.sync().await;
    assert!(synced.files.len() > 15, "{:?}", told(&synced));
    let again = odd.sync().await;
    assert_eq!(told(&again), Vec::<String>::new());
    let world = odd.world(on).await;
    let user = world.access("u@x", &["all"]);
    // A foreign table without a server behind it can be read by nobody.
    let models = world.catalog.models();
    for model in models.filter(|model| !model.name.ends_with("foreign_table")) {
        let all = json!({ "model": model.name, "limit": 100 });
        let found = world.search(&user, all).await;
        let found = found.unwrap_or_else(|error| panic!("{}: {error:?}", model.name));
        for record in found["records"].as_array().unwrap() {
            let Some(id) = record.get("id").filter(|id| !id.is_null()) else {
                continue;
            };
            let one = json!({ "model": model.name, "id": id });
            let read = world.read(&user, one).await;
            let read = read.unwrap_or_else(|error| panic!("{} {id}: {error:?}", model.name));
            assert_eq!(read["missing"], json!([]), "{} {id}", model.name);
        }
    }
}

on_each_other!(every_odd_table_becomes_a_model_that_can_be_searched);

async fn what_is_new_is_taken_up_and_what_changed_is_told(on: On) {
    let script = "CREATE TABLE person (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, age INTEGER);\n\
                  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner_id INTEGER, name VARCHAR(20));\n";
    let mut odd = Odd::with(on, script).await;
    odd.sync().await;
    // What somebody wrote by hand stays.
    for file in &mut odd.files {
        file.text = file.text.replace(
            "  name: {",
            "  # what it is called\n  name: { help: Called so,",
        );
    }
    let statements: &[&str] = match on {
        On::Postgres | On::MainPostgres => &["ALTER TABLE person ALTER COLUMN age TYPE text"],
        On::Mysql => &["ALTER TABLE person MODIFY age text"],
        On::Main | On::Sqlite => &[
            "ALTER TABLE person DROP COLUMN age",
            "ALTER TABLE person ADD COLUMN age TEXT",
        ],
    };
    let mut script = statements.join(";\n");
    script.push_str(
        ";\nALTER TABLE person ADD COLUMN phone VARCHAR(30);\nALTER TABLE pet DROP COLUMN owner_id;\nCREATE TABLE toy (id INTEGER PRIMARY KEY);\n",
    );
    odd.own.script(&script).await;
    let synced = odd.sync().await;
    let mut notes: Vec<String> = told(&synced);
    notes.sort();
    let kind = if on == On::Sqlite { "TEXT" } else { "text" };
    let prefix = "models/other";
    assert_eq!(
        notes,
        [
            format!("{prefix}/person.yaml  added: phone"),
            format!("{prefix}/person.yaml  changed: age is {kind} now, the file says integer"),
            format!("{prefix}/pet.yaml  gone: owner_id"),
            format!("{prefix}/toy.yaml  new: 0 fields"),
        ]
    );
    let text: BTreeMap<&str, &str> = odd
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let person = text["models/other/person.yaml"];
    assert!(
        person.contains("# what it is called")
            && person.contains("phone: { type: string, length: 30 }")
    );
    let mut again = odd.sync().await;
    again
        .notes
        .retain(|note| matches!(note.what, SyncWhat::Added(_) | SyncWhat::New { .. }));
    assert_eq!(told(&again), Vec::<String>::new());
}

on_each_other!(what_is_new_is_taken_up_and_what_changed_is_told);

async fn a_table_of_pairs_becomes_a_list_on_both_sides(on: On) {
    let pairs = |name: &str, more: &str| {
        format!(
            "CREATE TABLE {name} (film_id INTEGER NOT NULL, actor_id INTEGER NOT NULL{more}, PRIMARY KEY (actor_id, film_id), FOREIGN KEY (film_id) REFERENCES film (id), FOREIGN KEY (actor_id) REFERENCES actor (id));\n"
        )
    };
    let script = format!(
        "CREATE TABLE film (id INTEGER PRIMARY KEY, title VARCHAR(40) NOT NULL);\n\
         CREATE TABLE actor (id INTEGER PRIMARY KEY, name VARCHAR(20));\n\
         {}{}\
         CREATE TABLE sequel (before_id INTEGER NOT NULL REFERENCES film (id), after_id INTEGER NOT NULL REFERENCES film (id), PRIMARY KEY (before_id, after_id), FOREIGN KEY (before_id) REFERENCES film (id), FOREIGN KEY (after_id) REFERENCES film (id));\n\
         INSERT INTO film (id, title) VALUES (1, 'One'), (2, 'Two');\n\
         INSERT INTO actor (id, name) VALUES (7, 'Ada');\n\
         INSERT INTO film_actor (film_id, actor_id) VALUES (2, 7);\n\
         INSERT INTO sequel (before_id, after_id) VALUES (1, 2);\n",
        pairs("film_actor", ", noted VARCHAR(9)"),
        pairs("casting", ", role VARCHAR(20) NOT NULL"),
    );
    let mut odd = Odd::with(on, &script).await;
    let synced = odd.sync().await;
    assert_eq!(synced.files.len(), 5, "{:?}", told(&synced));
    assert_eq!(told(&odd.sync().await), Vec::<String>::new());
    let world = odd.world(on).await;
    let user = world.access("u@x", &["all"]);
    let read =
        json!({ "model": "other.film", "ids": [1, 2], "fields": ["actor", "after", "before"] });
    let film = |id: i64, title: &str| json!({ "id": id, "display": title });
    assert_eq!(
        world.read(&user, read).await.unwrap()["records"],
        json!([
            { "id": 1, "actor": [], "after": [film(2, "Two")], "before": [] },
            { "id": 2, "actor": [{ "id": 7, "display": "Ada" }], "after": [], "before": [film(1, "One")] },
        ])
    );
    let set = json!({ "model": "other.actor", "id": 7, "values": { "film": [1, 2] } });
    let mut unit = world
        .connections
        .unit(CONNECTION, &world.clock)
        .await
        .unwrap();
    toolcrib_data::records::update(&mut unit, &user, &crate::support::input(set))
        .await
        .unwrap();
    unit.commit().await.unwrap();
    let read = json!({ "model": "other.actor", "id": 7, "fields": ["film"] });
    assert_eq!(
        world.read(&user, read).await.unwrap()["records"][0]["film"],
        json!([film(1, "One"), film(2, "Two")])
    );
    // A table that comes later is taken up; one that went is told of.
    let drop = format!("DROP TABLE sequel;\n{}", pairs("fan", ""));
    odd.own.script(&drop).await;
    let mut notes = told(&odd.sync().await);
    notes.sort();
    let expected = [
        "models/other/actor.yaml  added: film_2",
        "models/other/fan.yaml  new: 2 fields",
        "models/other/film.yaml  added: actor_2",
        "models/other/film.yaml  gone: after",
        "models/other/film.yaml  gone: before",
        "models/other/sequel.yaml  gone: the table sequel",
    ];
    assert_eq!(notes, expected);
}

on_each_other!(a_table_of_pairs_becomes_a_list_on_both_sides);

async fn a_column_of_bytes_becomes_a_file(on: On) {
    let blob = if on == On::Postgres { "bytea" } else { "BLOB" };
    let script = format!(
        "CREATE TABLE doc (id VARCHAR(9) PRIMARY KEY, scan {blob}, hash {blob} NOT NULL);\n"
    );
    let mut odd = Odd::with(on, &script).await;
    odd.sync().await;
    assert_eq!(told(&odd.sync().await), Vec::<String>::new());
    let world = odd.world(on).await;
    let user = world.access("u@x", &["all"]);
    let values = json!({ "id": "a/ä", "scan": null, "hash": { "base64": "/w==" } });
    let create = json!({ "model": "other.doc", "values": values });
    let mut unit = world
        .connections
        .unit(CONNECTION, &world.clock)
        .await
        .unwrap();
    let create = crate::support::input(create);
    let made = toolcrib_data::records::create(&mut unit, &user, &create);
    let made = made.await.unwrap();
    unit.commit().await.unwrap();
    assert_eq!(
        made["records"],
        json!([{ "id": "a/ä", "scan": null, "hash": { "file": { "mediaType": "application/octet-stream", "bytes": 1, "href": "/api/records/other.doc/a%2F%C3%A4/files/hash" } } }])
    );
    let file = ("other.doc", "a/ä", "hash");
    let found = toolcrib_data::records::file(&mut world.snapshot().await, &user, file).await;
    assert_eq!(found.unwrap().unwrap().bytes, [255]);
}

on_each_other!(a_column_of_bytes_becomes_a_file);
